// SPDX-License-Identifier: MPL-2.0
// verify/thin/shell_meshes.c - flat sheets of four kinds of triangles.
#include "verify/thin/shell_meshes.h"

#include "base/random.h"

const char *mn_sheet_name(mn_sheet_kind kind)
{
    static const char *const names[] = { "right", "alternating", "equilateral", "jittered" };
    return names[kind];
}

static double jitter(int64_t vertex, int lane)
{
    return 0.5 * (mn_random(3, (uint64_t)vertex, 0, (uint64_t)lane) - 0.5);
}

static void add_triangle(mn_sheet *s, int64_t a, int64_t b, int64_t c)
{
    int32_t *t = s->triangle[s->triangles++];
    t[0] = (int32_t)a, t[1] = (int32_t)b, t[2] = (int32_t)c;
}

static void fill_squares(mn_sheet_kind kind, double dx, double dy, mn_sheet *s)
{
    const int64_t stride = s->columns + 1;
    for (int j = 0; j <= s->rows; j++)
        for (int i = 0; i <= s->columns; i++) {
            const int64_t v     = stride * j + i;
            const bool    inner = i > 0 && j > 0 && i < s->columns && j < s->rows && kind == MN_SHEET_JITTERED;
            s->x[s->vertices++] = mn_v3(dx * (i + (inner ? jitter(v, 0) : 0.0)),
                                        dy * (j + (inner ? jitter(v, 1) : 0.0)), 0.0);
        }
    for (int j = 0; j < s->rows; j++)
        for (int i = 0; i < s->columns; i++) {
            const int64_t a = stride * j + i, b = a + 1, c = a + stride, d = c + 1;
            if (kind != MN_SHEET_RIGHT && (i + j) % 2 == 1) add_triangle(s, a, b, c), add_triangle(s, b, d, c);
            else add_triangle(s, a, b, d), add_triangle(s, a, d, c);
        }
}

/// Even rows have columns + 1 vertices; odd rows are shifted by half an edge and have one more, the outer two on the
/// sides.
static void fill_shifted(double dx, double dy, mn_sheet *s)
{
    const int64_t n = s->columns + 1;
    for (int j = 0; j <= s->rows; j++)
        for (int i = 0; i < n + j % 2; i++) {
            const double shifted = i == 0 ? 0.0 : i == n ? s->columns : i - 0.5;
            s->x[s->vertices++]  = mn_v3(dx * (j % 2 == 0 ? i : shifted), dy * j, 0.0);
        }
    for (int64_t j = 0, below = 0; j < s->rows; j++) {
        const int64_t above = below + n + j % 2, even = j % 2 == 0 ? below : above, odd = j % 2 == 0 ? above : below;
        for (int i = 0; i < n; i++) {
            // Vertex i of an even row stands under the edge from odd i to odd i + 1.
            if (j % 2 == 0) add_triangle(s, even + i, odd + i + 1, odd + i);
            else add_triangle(s, odd + i, odd + i + 1, even + i);
            if (i + 1 == n) continue;
            if (j % 2 == 0) add_triangle(s, even + i, even + i + 1, odd + i + 1);
            else add_triangle(s, odd + i + 1, even + i + 1, even + i);
        }
        below = above;
    }
}

mn_status mn_sheet_make(mn_context *c, mn_sheet_kind kind, int columns, int rows, double width, double height,
                        mn_sheet *out)
{
    const double dx = width / columns, tall = kind == MN_SHEET_EQUILATERAL ? 0.5 * sqrt(3.0) * dx : dx;
    mn_sheet     s = { .columns = columns, .rows = rows > 0 ? rows : (int)fmax(1.0, round(height / tall)) };
    s.x            = mn_alloc_array(c, mn_vec3, (int64_t)(columns + 2) * (s.rows + 1));
    s.triangle     = mn_alloc(c, mn_array_bytes((int64_t)(2 * columns + 1) * s.rows, sizeof *s.triangle));
    if (s.x == NULL || s.triangle == NULL) {
        mn_sheet_free(c, &s);
        return MN_ERR_MEMORY;
    }
    if (kind == MN_SHEET_EQUILATERAL) fill_shifted(dx, height / s.rows, &s);
    else fill_squares(kind, dx, height / s.rows, &s);
    *out = s;
    return MN_OK;
}

void mn_sheet_free(mn_context *c, mn_sheet *s)
{
    mn_free(c, s->x);
    mn_free(c, s->triangle);
    *s = (mn_sheet){ 0 };
}
