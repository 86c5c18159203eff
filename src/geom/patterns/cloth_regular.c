// SPDX-License-Identifier: MPL-2.0
// geom/patterns/cloth_regular.c - meshes that follow the outline by themselves: rows of a rectangle, rings of a
// hexagon or disc.
#include "geom/patterns/cloth_private.h"

#include <stdlib.h>

// --- rows ------------------------------------------------------------------------------------------------------------

/// Vertices of a row of equilateral triangles; every other row is shifted by half a step and keeps the ends.
static double row_x(int64_t i, int64_t columns, bool shifted)
{
    if (!shifted) return (double)i;
    return fmin(fmax((double)i - 0.5, 0.0), (double)columns);
}

/// Triangles between a row of vertices that starts at v and the next that starts at w, both from left to right.
static void zip_rows(mn_pattern_builder *b, int32_t v, bool v_shifted, int32_t w, int64_t columns)
{
    const int64_t v_last = columns + (v_shifted ? 1 : 0), w_last = columns + (v_shifted ? 0 : 1);
    int64_t       i = 0, j = 0;
    while (i < v_last || j < w_last) {
        // The row whose next edge has its middle farther left.
        const double  v_middle = row_x(i, columns, v_shifted) + row_x(i + 1, columns, v_shifted);
        const double  w_middle = row_x(j, columns, !v_shifted) + row_x(j + 1, columns, !v_shifted);
        const bool    along_v  = j == w_last || (i < v_last && v_middle < w_middle);
        const int32_t a = v + (int32_t)i, c = w + (int32_t)j;
        if (along_v) {
            mn_build_triangle(b, a, c, a + 1);
            i++;
        } else {
            mn_build_triangle(b, a, c, c + 1);
            j++;
        }
    }
}

static void equilateral_rows(mn_pattern_builder *b, const mn_cloth_def *def, int64_t columns)
{
    const double step = def->size[0] / (double)columns;
    int64_t      rows = 1;
    if (b->status == MN_OK)
        b->status = mn_pattern_count(b->context, "the cloth", def->size[1], 0.5 * sqrt(3.0) * step, &rows);
    int32_t below = 0;
    for (int64_t j = 0; j <= rows && b->status == MN_OK; j++) {
        const bool    shifted = j % 2 == 1;
        const int32_t first   = (int32_t)b->mesh.vertex_count;
        const double  z       = ((double)j / (double)rows - 0.5) * def->size[1];
        for (int64_t i = 0; i <= columns + (shifted ? 1 : 0); i++) {
            mn_build_vertex(b, mn_v3((row_x(i, columns, shifted) / (double)columns - 0.5) * def->size[0], 0.0, z));
        }
        if (j > 0) zip_rows(b, below, !shifted, first, columns);
        below = first;
    }
}

static void square_rows(mn_pattern_builder *b, const mn_cloth_def *def, int64_t columns)
{
    int64_t rows = 1;
    if (b->status == MN_OK)
        b->status = mn_pattern_count(b->context, "the cloth", def->size[1], def->size[0] / (double)columns, &rows);
    for (int64_t j = 0; j <= rows && b->status == MN_OK; j++) {
        const double z = ((double)j / (double)rows - 0.5) * def->size[1];
        for (int64_t i = 0; i <= columns; i++)
            mn_build_vertex(b, mn_v3(((double)i / (double)columns - 0.5) * def->size[0], 0.0, z));
        for (int64_t i = 0; i < columns && j > 0; i++) {
            const int32_t v = (int32_t)((j - 1) * (columns + 1) + i), right = v + 1, up = v + (int32_t)columns + 1,
                          both = up + 1;
            if (def->mesh == MN_CLOTH_STRUCTURED || (i + j) % 2 == 0) {
                mn_build_triangle(b, v, both, right);
                mn_build_triangle(b, v, up, both);
            } else {
                mn_build_triangle(b, v, up, right);
                mn_build_triangle(b, right, up, both);
            }
        }
    }
}

void mn_cloth_rows(mn_pattern_builder *b, const mn_cloth_def *def)
{
    int64_t columns = 1;
    if (b->status == MN_OK) b->status = mn_pattern_count(b->context, "the cloth", def->size[0], def->spacing, &columns);
    if (def->mesh == MN_CLOTH_EQUILATERAL) {
        equilateral_rows(b, def, columns);
    } else {
        square_rows(b, def, columns);
    }
}

// --- rings -----------------------------------------------------------------------------------------------------------

static int32_t ring_start(int64_t ring) { return (int32_t)(ring == 0 ? 0 : 1 + 3 * ring * (ring - 1)); }

/// Vertex j of sector s of a ring; the last of a sector is the first of the next.
static int32_t ring_vertex(int64_t ring, int64_t sector, int64_t j)
{
    return ring == 0 ? 0 : ring_start(ring) + (int32_t)((sector * ring + j) % (6 * ring));
}

static mn_vec3 ring_point(const mn_cloth_def *def, int64_t rings, int64_t ring, int64_t k, double turn)
{
    const double radius = 0.5 * def->size[0] * (double)ring / (double)rings;
    const double sixth  = MN_PI / 3.0;
    double       x, z;
    if (def->outline == MN_CLOTH_DISC) {
        const double angle = turn + 2.0 * MN_PI * (double)k / (double)(6 * ring);
        x                  = radius * cos(angle);
        z                  = radius * sin(angle);
    } else {
        const double sector = (double)(k / ring), share = (double)(k % ring) / (double)ring;
        x = radius * ((1.0 - share) * cos(turn + sector * sixth) + share * cos(turn + (sector + 1.0) * sixth));
        z = radius * ((1.0 - share) * sin(turn + sector * sixth) + share * sin(turn + (sector + 1.0) * sixth));
    }
    return mn_v3(x, 0.0, z);
}

void mn_cloth_rings(mn_pattern_builder *b, const mn_cloth_def *def, double turn)
{
    int64_t rings = 1;
    // On a disc edges are 1.12 times as long in the mean as the rings are apart.
    const double across = def->outline == MN_CLOTH_DISC ? def->spacing / 1.12 : def->spacing;
    if (b->status == MN_OK) b->status = mn_pattern_count(b->context, "the cloth", 0.5 * def->size[0], across, &rings);
    if (b->status == MN_OK && rings > 4000) {
        b->status = mn_fail(b->context, MN_ERR_ARGUMENT,
                            "the cloth would have %lld rings of vertices; at most 4000 are possible", (long long)rings);
    }
    mn_build_vertex(b, mn_v3(0.0, 0.0, 0.0));
    for (int64_t ring = 1; ring <= rings && b->status == MN_OK; ring++) {
        for (int64_t k = 0; k < 6 * ring; k++) mn_build_vertex(b, ring_point(def, rings, ring, k, turn));
        for (int64_t sector = 0; sector < 6; sector++) {
            for (int64_t j = 0; j < ring; j++) {
                const int32_t inner = ring_vertex(ring - 1, sector, j), outer = ring_vertex(ring, sector, j + 1);
                mn_build_triangle(b, inner, outer, ring_vertex(ring, sector, j));
                if (j < ring - 1) mn_build_triangle(b, inner, ring_vertex(ring - 1, sector, j + 1), outer);
            }
        }
    }
}
