// SPDX-License-Identifier: MPL-2.0
// elastic/shell.c - making a shell: checks, topology, rest shape; holds and clamps.
#include "elastic/shell_private.h"

#include <stdlib.h>
#include <string.h>

static const mn_field edge_fields[] = {
#define X(type, n, name, unit, flags, help) MN_FIELD(mn_shell_edges, type, n, name, unit, flags, help),
    MN_SHELL_EDGE_FIELDS(X)
#undef X
};
const mn_field_table mn_shell_edge_table = { "shell_edges", edge_fields, sizeof edge_fields / sizeof *edge_fields };

/// Side i of triangle t, by its ends in ascending order.
typedef struct side {
    int32_t low, high, triangle, local;
} side;

static int side_order(const void *pa, const void *pb)
{
    const side *a = pa, *b = pb;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

static mn_status check_def(mn_context *c, const mn_shell_def *def)
{
    MN_TRY(mn_shell_material_check(c, &def->material));
    if (def->vertex_count < 3 || def->triangle_count < 1)
        return mn_fail(c, MN_ERR_ARGUMENT, "a shell has %lld vertices and %lld triangles; it needs at least 3 and 1",
                       (long long)def->vertex_count, (long long)def->triangle_count);
    if (def->vertex_count > INT32_MAX / 2 || def->triangle_count > INT32_MAX / 3)
        return mn_fail(c, MN_ERR_ARGUMENT, "a shell has %lld triangles; it may have %d", (long long)def->triangle_count,
                       INT32_MAX / 3);
    if (def->warp == NULL && !mn_shell_material_is_isotropic(&def->material))
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "a shell whose warp and weft differ needs a warp direction for every triangle");
    for (int64_t t = 0; t < def->triangle_count; t++) {
        const int32_t *v = def->triangle[t];
        for (int i = 0; i < 3; i++)
            if (v[i] < 0 || v[i] >= def->vertex_count)
                return mn_fail(c, MN_ERR_ARGUMENT, "triangle %lld of a shell has vertex %d; there are %lld",
                               (long long)t, v[i], (long long)def->vertex_count);
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            return mn_fail(c, MN_ERR_ARGUMENT, "triangle %lld of a shell has vertex %d twice", (long long)t,
                           v[0] == v[1] ? v[0] : v[2]);
    }
    return MN_OK;
}

static void list_sides(const mn_shell_def *def, side *sides)
{
    for (int64_t t = 0; t < def->triangle_count; t++)
        for (int i = 0; i < 3; i++) {
            const int32_t a = def->triangle[t][(i + 1) % 3], b = def->triangle[t][(i + 2) % 3];
            sides[3 * t + i] = (side){ a < b ? a : b, a < b ? b : a, (int32_t)t, i };
        }
    qsort(sides, (size_t)(3 * def->triangle_count), sizeof *sides, side_order);
}

/// One edge from one or two equal sides. The sides are sorted, so the first triangle is the one with the lower number.
static mn_status join_sides(mn_shell *s, const side *list, int64_t count, int64_t e)
{
    if (count > 2)
        return mn_fail(s->context, MN_ERR_ARGUMENT,
                       "the edge between vertices %d and %d of a shell has %lld triangles; two at most make a sheet",
                       list->low, list->high, (long long)count);
    mn_shell_edge *edge = &s->edge[e];
    *edge               = (mn_shell_edge){ .vertex = { -1, -1, -1, -1 }, .triangle = { -1, -1 } };
    for (int64_t k = 0; k < count; k++) {
        mn_shell_triangle *t    = &s->triangle[list[k].triangle];
        const int          i    = list[k].local;
        const int32_t      from = t->vertex[(i + 1) % 3], to = t->vertex[(i + 2) % 3];
        if (k == 1 && from == edge->vertex[0])
            return mn_fail(s->context, MN_ERR_ARGUMENT,
                           "triangles %d and %d of a shell run the same way along their common edge: turn one of them "
                           "round",
                           list[0].triangle, list[1].triangle);
        if (k == 0) edge->vertex[0] = from, edge->vertex[1] = to;
        edge->vertex[2 + k] = t->vertex[i];
        edge->triangle[k]   = list[k].triangle;
        t->edge[i]          = (int32_t)e;
        t->sign[i]          = k == 0 ? 1 : -1;
    }
    return MN_OK;
}

static mn_status make_edges(mn_shell *s, const mn_shell_def *def)
{
    const int64_t count = 3 * def->triangle_count;
    side         *sides = mn_alloc_array(s->context, side, count);
    if (sides == NULL) return MN_ERR_MEMORY;
    list_sides(def, sides);
    s->edge_count = 0;
    for (int64_t k = 0; k < count; k++)
        s->edge_count += k == 0 || sides[k].low != sides[k - 1].low || sides[k].high != sides[k - 1].high;
    s->edge      = mn_alloc_array(s->context, mn_shell_edge, s->edge_count);
    s->xi_kind   = mn_alloc_array(s->context, uint8_t, s->edge_count);
    mn_status st = s->edge != NULL && s->xi_kind != NULL ? MN_OK : MN_ERR_MEMORY;
    int64_t   e  = 0;
    for (int64_t k = 0; st == MN_OK && k < count; e++) {
        int64_t end = k + 1;
        while (end < count && sides[end].low == sides[k].low && sides[end].high == sides[k].high) end++;
        st = join_sides(s, sides + k, end - k, e);
        k  = end;
    }
    mn_free(s->context, sides);
    return st;
}

/// Corners around every vertex, by counting: triangles come in ascending order.
static mn_status make_corners(mn_shell *s)
{
    s->corner_start = mn_alloc_array(s->context, int64_t, s->vertex_count + 1);
    s->corner       = mn_alloc_array(s->context, int32_t, 3 * s->triangle_count);
    int64_t *fill   = mn_alloc_array(s->context, int64_t, s->vertex_count + 1);
    if (s->corner_start != NULL && s->corner != NULL && fill != NULL) {
        for (int64_t t = 0; t < s->triangle_count; t++)
            for (int i = 0; i < 3; i++) s->corner_start[s->triangle[t].vertex[i] + 1]++;
        for (int64_t v = 0; v < s->vertex_count; v++) s->corner_start[v + 1] += s->corner_start[v];
        memcpy(fill, s->corner_start, (size_t)s->vertex_count * sizeof *fill);
        for (int64_t t = 0; t < s->triangle_count; t++)
            for (int i = 0; i < 3; i++) s->corner[fill[s->triangle[t].vertex[i]]++] = (int32_t)(3 * t + i);
    }
    const bool done = s->corner_start != NULL && s->corner != NULL && fill != NULL;
    mn_free(s->context, fill);
    return done ? MN_OK : MN_ERR_MEMORY;
}

/// Any direction in the plane of a triangle serves an isotropic sheet; its first edge is one.
static mn_status make_rest_triangle(mn_shell *s, const mn_shell_def *def, const double bend[9], int64_t t)
{
    mn_shell_triangle *tri       = &s->triangle[t];
    const mn_vec3      corner[3] = { def->rest[tri->vertex[0]], def->rest[tri->vertex[1]], def->rest[tri->vertex[2]] };
    const mn_vec3      warp      = def->warp != NULL ? def->warp[t] : mn_sub3(corner[1], corner[0]);
    double             edges[4];
    if (!mn_in_plane_rest_make(corner, warp, &tri->membrane, edges))
        return mn_fail(s->context, MN_ERR_ARGUMENT,
                       "triangle %lld of a shell has no area, or its warp direction stands on it", (long long)t);
    mn_bending_form form = { .d = { 0.0 } };
    if (s->material.bend == MN_BEND_MID_EDGE) mn_bending_mid_edge(bend, edges, &form);
    else
        for (int i = 0; i < 3; i++) form.d[i] = mn_bending_across(bend, edges, i);  // completed by make_rest_edges
    tri->bending = mn_bending_keep(&form);
    return MN_OK;
}

/// G of the published hinge, from the rigidities that both triangles see across the edge.
static void make_hinge_form(mn_shell *s, int64_t e, double length)
{
    const mn_shell_edge *edge     = &s->edge[e];
    double               rigidity = 0.0, area = 0.0;
    float               *entry[2] = { NULL, NULL };
    for (int k = 0; k < 2 && edge->triangle[k] >= 0; k++) {
        mn_shell_triangle *t = &s->triangle[edge->triangle[k]];
        for (int i = 0; i < 3; i++)
            if (t->edge[i] == e) entry[k] = &t->bending.d[i];
        rigidity += (double)*entry[k];
        area += t->membrane.area;
    }
    const double value = entry[1] != NULL ? mn_bending_hinge(0.5 * rigidity, length, area) : 0.0;
    for (int k = 0; k < 2; k++)
        if (entry[k] != NULL) *entry[k] = (float)value;
}

static void make_rest_edges(mn_shell *s, const mn_vec3 *rest)
{
    for (int64_t e = 0; e < s->edge_count; e++) {
        mn_vec3 p[4];
        double  first, second;
        if (mn_shell_hinge_points(s, e, rest, p))
            s->edge[e].rest = mn_hinge_measure(s->material.measure, mn_hinge_angle(p), &first, &second);
        if (s->material.bend != MN_BEND_HINGE) continue;
        s->xi_kind[e] = MN_XI_HELD;
        make_hinge_form(s, e, mn_norm3(mn_sub3(rest[s->edge[e].vertex[1]], rest[s->edge[e].vertex[0]])));
    }
}

static mn_status build(mn_shell *s, const mn_shell_def *def)
{
    double bend[9];
    mn_shell_membrane_stiffness(&def->material, s->membrane);
    mn_shell_bending_stiffness(&def->material, bend);
    s->triangle = mn_alloc_array(s->context, mn_shell_triangle, s->triangle_count);
    if (s->triangle == NULL) return MN_ERR_MEMORY;
    for (int64_t t = 0; t < s->triangle_count; t++)
        memcpy(s->triangle[t].vertex, def->triangle[t], sizeof def->triangle[t]);
    MN_TRY(make_edges(s, def));
    MN_TRY(make_corners(s));
    for (int64_t t = 0; t < s->triangle_count; t++) MN_TRY(make_rest_triangle(s, def, bend, t));
    make_rest_edges(s, def->rest);
    MN_TRY(mn_fields_reserve(s->context, &mn_shell_edge_table, &s->state, 0, &s->state.capacity, s->edge_count));
    s->state.count = s->edge_count;
    return MN_OK;
}

mn_status mn_shell_create(mn_context *c, const mn_shell_def *def, mn_shell **out)
{
    *out = NULL;
    MN_TRY(check_def(c, def));
    mn_shell *s = mn_alloc(c, sizeof *s);
    if (s == NULL) return MN_ERR_MEMORY;
    s->context         = c;
    s->material        = def->material;
    s->vertex_count    = def->vertex_count;
    s->triangle_count  = def->triangle_count;
    const mn_status st = build(s, def);
    if (st != MN_OK) mn_shell_destroy(&s);
    *out = s;
    return st;
}

void mn_shell_destroy(mn_shell **shell)
{
    mn_shell *s = *shell;
    if (s == NULL) return;
    mn_context *c = s->context;
    mn_fields_free(c, &mn_shell_edge_table, &s->state);
    mn_free(c, s->triangle);
    mn_free(c, s->edge);
    mn_free(c, s->xi_kind);
    mn_free(c, s->corner_start);
    mn_free(c, s->corner);
    mn_free(c, s->start_strain);
    mn_free(c, s->start_measure);
    mn_free(c, s->start_xi);
    mn_free(c, s->clamp);
    mn_free(c, s->slot);
    mn_free(c, s);
    *shell = NULL;
}

int64_t                  mn_shell_vertex_count(const mn_shell *s) { return s->vertex_count; }
int64_t                  mn_shell_triangle_count(const mn_shell *s) { return s->triangle_count; }
const mn_shell_triangle *mn_shell_triangles(const mn_shell *s) { return s->triangle; }
const mn_shell_edge     *mn_shell_edge_list(const mn_shell *s) { return s->edge; }
mn_shell_edges          *mn_shell_state(mn_shell *s) { return &s->state; }

int64_t mn_shell_bytes(const mn_shell *s)
{
    const int64_t edge = (int64_t)sizeof(mn_shell_edge) + 1 + 8 + (s->start_measure != NULL ? 8 : 0) +
                         (s->start_xi != NULL ? 8 : 0);
    const int64_t triangle = (int64_t)sizeof(mn_shell_triangle) + 12 + (s->start_strain != NULL ? 24 : 0) +
                             (s->slot != NULL ? 3 * MN_SHELL_SLOTS * s->slot_bytes : 0);
    return edge * s->edge_count + triangle * s->triangle_count + 8 * (s->vertex_count + 1) + (int64_t)sizeof *s +
           s->clamp_capacity * (int64_t)sizeof *s->clamp;
}

int64_t mn_shell_find_edge(const mn_shell *s, int32_t a, int32_t b)
{
    if (a < 0 || a >= s->vertex_count) return -1;
    for (int64_t k = s->corner_start[a]; k < s->corner_start[a + 1]; k++) {
        const mn_shell_triangle *t = &s->triangle[s->corner[k] / 3];
        for (int i = 0; i < 3; i++) {
            const int32_t *v = s->edge[t->edge[i]].vertex;
            if ((v[0] == a && v[1] == b) || (v[0] == b && v[1] == a)) return t->edge[i];
        }
    }
    return -1;
}

void mn_shell_vertex_areas(const mn_shell *s, double *area)
{
    for (int64_t v = 0; v < s->vertex_count; v++) {
        area[v] = 0.0;
        for (int64_t k = s->corner_start[v]; k < s->corner_start[v + 1]; k++)
            area[v] += s->triangle[s->corner[k] / 3].membrane.area / 3.0;
    }
}

void mn_shell_hold_xi(mn_shell *s, int64_t edge, double xi)
{
    s->xi_kind[edge]     = MN_XI_HELD;
    s->state.xi[0][edge] = xi;
}

bool mn_shell_xi_is_free(const mn_shell *s, int64_t edge) { return s->xi_kind[edge] == MN_XI_FREE; }

mn_status mn_shell_clamp(mn_shell *s, int64_t edge, mn_vec3 outward)
{
    if (edge < 0 || edge >= s->edge_count || s->edge[edge].vertex[3] >= 0)
        return mn_fail(s->context, MN_ERR_ARGUMENT, "edge %lld of a shell cannot be clamped: it is no rim",
                       (long long)edge);
    if (s->material.bend == MN_BEND_HINGE)
        return mn_fail(s->context, MN_ERR_ARGUMENT,
                       "the hinge operator has no mid-edge normals to clamp; hold two rows of vertices instead");
    const int64_t k = mn_shell_find_clamp(s, edge);
    if (k == s->clamp_count || s->clamp[k].edge != edge) {
        MN_TRY(mn_array_reserve(s->context, &s->clamp, &s->clamp_capacity, s->clamp_count + 1, sizeof *s->clamp));
        memmove(s->clamp + k + 1, s->clamp + k, (size_t)(s->clamp_count - k) * sizeof *s->clamp);
        s->clamp_count++;
    }
    s->clamp[k]          = (mn_shell_hold){ outward, edge };
    s->xi_kind[edge]     = MN_XI_CLAMPED;
    s->state.xi[0][edge] = 0.0;
    return MN_OK;
}
