// SPDX-License-Identifier: MPL-2.0
// geom/patterns/builder.c - growing a mesh: vertices, triangles, strands along curves, groups.
#include "geom/patterns/builder.h"

#include <string.h>

#define CURVE_PIECES  16  // of every segment, when the length of a curve is measured
#define LENGTH_PIECES 4096

static void *grown(mn_pattern_builder *b, void *items, int64_t *room, int64_t count, size_t size)
{
    if (b->status == MN_OK) b->status = mn_array_reserve(b->context, items, room, count, size);
    return b->status == MN_OK ? b : NULL;
}

// --- pieces ----------------------------------------------------------------------------------------------------------

int32_t mn_build_vertex(mn_pattern_builder *b, mn_vec3 x)
{
    mn_thin_mesh *m = &b->mesh;
    if (b->status == MN_OK && m->vertex_count >= MN_THIN_VERTICES_MOST) {
        b->status = mn_fail(b->context, MN_ERR_ARGUMENT, "the fabric would have more than %d vertices",
                            MN_THIN_VERTICES_MOST);
    }
    if (grown(b, &m->vertex, &b->vertex_room, m->vertex_count + 1, sizeof *m->vertex) == NULL) return 0;
    const double at[3] = { x.x, x.y, x.z };
    memcpy(m->vertex[m->vertex_count], at, sizeof at);
    return (int32_t)m->vertex_count++;
}

void mn_build_triangle(mn_pattern_builder *b, int32_t v0, int32_t v1, int32_t v2)
{
    mn_thin_mesh *m = &b->mesh;
    if (grown(b, &m->triangle, &b->triangle_room, m->triangle_count + 1, sizeof *m->triangle) == NULL) return;
    const int32_t corners[3] = { v0, v1, v2 };
    memcpy(m->triangle[m->triangle_count++], corners, sizeof corners);
}

void mn_build_warp(mn_pattern_builder *b, mn_vec3 direction)
{
    mn_thin_mesh *m = &b->mesh;
    if (grown(b, &m->warp, &b->warp_room, m->triangle_count, sizeof *m->warp) == NULL) return;
    const double along[3] = { direction.x, direction.y, direction.z };
    for (int64_t t = 0; t < m->triangle_count; t++) memcpy(m->warp[t], along, sizeof along);
}

void mn_build_strand_begin(mn_pattern_builder *b, double radius)
{
    mn_thin_mesh *m = &b->mesh;
    const int64_t n = m->strand_count;
    if (grown(b, &m->strand_start, &b->start_room, n + 2, sizeof *m->strand_start) == NULL) return;
    if (grown(b, &m->strand_closed, &b->closed_room, n + 1, sizeof *m->strand_closed) == NULL) return;
    if (grown(b, &m->strand_radius, &b->radius_room, n + 1, sizeof *m->strand_radius) == NULL) return;
    m->strand_start[n + 1] = m->strand_start[n];
    m->strand_radius[n]    = radius;
}

void mn_build_strand_add(mn_pattern_builder *b, int32_t vertex)
{
    mn_thin_mesh *m = &b->mesh;
    if (b->status != MN_OK) return;
    int64_t *end = &m->strand_start[m->strand_count + 1];
    if (grown(b, &m->strand_vertex, &b->strand_vertex_room, *end + 1, sizeof *m->strand_vertex) == NULL) return;
    m->strand_vertex[(*end)++] = vertex;
}

void mn_build_strand_end(mn_pattern_builder *b, bool closed)
{
    if (b->status != MN_OK) return;
    b->mesh.strand_closed[b->mesh.strand_count++] = closed;
}

// --- curves ----------------------------------------------------------------------------------------------------------

double mn_curve_length(mn_curve_fn *curve, const void *user, double t0, double t1)
{
    double  length = 0.0;
    mn_vec3 last   = curve(t0, user);
    for (int k = 1; k <= LENGTH_PIECES; k++) {
        const mn_vec3 x = curve(t0 + (t1 - t0) * k / LENGTH_PIECES, user);
        length += mn_norm3(mn_sub3(x, last));
        last = x;
    }
    return length;
}

void mn_build_curve(mn_pattern_builder *b, mn_curve_fn *curve, const void *user, double t0, double t1, int64_t segments,
                    double radius, bool closed)
{
    const int64_t pieces = segments * CURVE_PIECES;
    double        total  = 0.0;
    mn_vec3       last   = curve(t0, user);
    for (int64_t k = 1; k <= pieces; k++) {
        const mn_vec3 x = curve(t0 + (t1 - t0) * (double)k / (double)pieces, user);
        total += mn_norm3(mn_sub3(x, last));
        last = x;
    }
    mn_build_strand_begin(b, radius);
    last               = curve(t0, user);
    double        done = 0.0;
    int64_t       next = 0;
    const int64_t stop = closed ? segments : segments + 1;  // the last vertex of a closed curve is its first
    for (int64_t k = 0; k <= pieces && next < stop; k++) {
        const double  t     = t0 + (t1 - t0) * (double)k / (double)pieces;
        const mn_vec3 x     = curve(t, user);
        const double  piece = mn_norm3(mn_sub3(x, last)), wanted = total * (double)next / (double)segments;
        // The last one by count: its sum may miss the total by round-off.
        if (next == segments ? k == pieces : done + piece >= wanted) {
            const double share = k == 0 || next == segments || piece <= 0.0 ? 1.0 : (wanted - done) / piece;
            const double exact = k == 0 ? t0 : t - (1.0 - share) * (t1 - t0) / (double)pieces;
            mn_build_strand_add(b, mn_build_vertex(b, curve(exact, user)));
            next++;
        }
        done += piece;
        last = x;
    }
    mn_build_strand_end(b, closed);
}

// --- groups ----------------------------------------------------------------------------------------------------------

void mn_build_group(mn_pattern_builder *b, const char *name, mn_member_fn *member, const void *user)
{
    if (b->status != MN_OK) return;
    const mn_thin_mesh *m     = &b->mesh;
    int32_t            *list  = mn_alloc_array(b->context, int32_t, m->vertex_count);
    int64_t             count = 0;
    if (list == NULL) {
        b->status = MN_ERR_MEMORY;
        return;
    }
    for (int64_t v = 0; v < m->vertex_count; v++) {
        if (member(m, v, user)) list[count++] = (int32_t)v;
    }
    if (count > 0) b->status = mn_thin_mesh_add_group(b->context, &b->mesh, name, list, count);
    mn_free(b->context, list);
}

static bool is_any(const mn_thin_mesh *m, int64_t v, const void *user)
{
    (void)m;
    (void)v;
    (void)user;
    return true;
}

void mn_build_group_all(mn_pattern_builder *b) { mn_build_group(b, "all", is_any, NULL); }

typedef struct side {
    int    axis;
    double sign, limit;
} side;

static bool is_on_side(const mn_thin_mesh *m, int64_t v, const void *user)
{
    const side *s = user;
    return s->sign * m->vertex[v][s->axis] >= s->limit;
}

void mn_build_group_sides(mn_pattern_builder *b, double reach)
{
    static const struct {
        const char *name;
        int         axis;
        double      sign;
    } sides[] = {
        { "left", 0, -1.0 },
        { "right", 0, 1.0 },
        { "front", 2, 1.0 },
        { "back", 2, -1.0 },
    };
    for (int k = 0; k < 4; k++) {
        double farthest = -INFINITY;
        for (int64_t v = 0; v < b->mesh.vertex_count; v++) {
            farthest = fmax(farthest, sides[k].sign * b->mesh.vertex[v][sides[k].axis]);
        }
        const side s = { sides[k].axis, sides[k].sign, farthest - reach };
        mn_build_group(b, sides[k].name, is_on_side, &s);
    }
}

static bool is_marked(const mn_thin_mesh *m, int64_t v, const void *user)
{
    (void)m;
    return ((const uint8_t *)user)[v] != 0;
}

void mn_build_group_ends(mn_pattern_builder *b)
{
    const mn_thin_mesh *m = &b->mesh;
    if (b->status != MN_OK) return;
    uint8_t *mark = mn_alloc_array(b->context, uint8_t, m->vertex_count);
    if (mark == NULL) {
        b->status = MN_ERR_MEMORY;
        return;
    }
    for (int64_t s = 0; s < m->strand_count; s++) {
        if (m->strand_closed[s]) continue;
        mark[m->strand_vertex[m->strand_start[s]]]         = 1;
        mark[m->strand_vertex[m->strand_start[s + 1] - 1]] = 1;
    }
    mn_build_group(b, "ends", is_marked, mark);
    mn_free(b->context, mark);
}

// --- the end ---------------------------------------------------------------------------------------------------------

mn_status mn_build_finish(mn_pattern_builder *b, mn_thin_mesh *out)
{
    if (b->status == MN_OK) {
        *out = b->mesh;
    } else {
        mn_thin_mesh_free(b->context, &b->mesh);
        *out = (mn_thin_mesh){ 0 };
    }
    return b->status;
}

mn_status mn_pattern_given(mn_context *context, const char *what, double value)
{
    if (value > 0.0) return MN_OK;
    return mn_fail(context, MN_ERR_ARGUMENT, "%s is %g cm; it must be above 0 here", what, value);
}

mn_status mn_pattern_count(mn_context *context, const char *what, double length, double spacing, int64_t *out)
{
    const double count = fmax(1.0, round(length / spacing));
    if (!(count <= MN_THIN_VERTICES_MOST)) {
        return mn_fail(context, MN_ERR_ARGUMENT, "%s would be cut into %g pieces of %g cm; at most %d are possible",
                       what, count, spacing, MN_THIN_VERTICES_MOST);
    }
    *out = (int64_t)count;
    return MN_OK;
}
