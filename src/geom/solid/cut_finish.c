// SPDX-License-Identifier: MPL-2.0
// geom/solid/cut_finish.c - a cut mesh goes back to its exact places: what was apart by the little that its vertices
// were moved (a side of a box that is flush with that of another) falls together and is taken out.
#include "base/context.h"
#include "geom/solid/cut.h"

#include <stdlib.h>
#include <string.h>

/// A triangle whose height is below this share of its longest side has no area to see.
#define FLAT 1e-7
/// Rounds of taking flat triangles out; each is of triangles that do not touch.
#define ROUNDS 16

/// A vertex, and how far it is along a direction in which no two faces of a built thing lie.
typedef struct placed {
    double  along;
    int32_t vertex;
} placed;

static int by_place(const void *p, const void *q)
{
    const placed *a = p, *b = q;
    if (a->along != b->along) return a->along < b->along ? -1 : 1;
    return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

/// `same[v]` is the vertex that v becomes: the first of those nearby, along that direction.
static mn_status find_same(mn_context *c, const mn_cut_mesh *m, double near, int32_t *same)
{
    placed *p = mn_alloc_array(c, placed, m->vertex_count);
    if (p == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < m->vertex_count; v++) {
        const double *x = m->exact[v];
        p[v]            = (placed){ 0.6123 * x[0] + 0.5391 * x[1] + 0.5783 * x[2], (int32_t)v };
        same[v]         = (int32_t)v;
    }
    qsort(p, (size_t)m->vertex_count, sizeof *p, by_place);
    for (int64_t k = 0; k < m->vertex_count; k++) {
        const int32_t v = p[k].vertex;
        if (same[v] != v) continue;
        for (int64_t n = k + 1; n < m->vertex_count && p[n].along - p[k].along <= near; n++) {
            const int32_t w = p[n].vertex;
            if (same[w] == w && mn_norm3(mn_sub3(mn_v3_from(m->exact[w]), mn_v3_from(m->exact[v]))) <= near)
                same[w] = v;
        }
    }
    mn_free(c, p);
    return MN_OK;
}

// ---- triangles without area ----------------------------------------------------------------------------------------

static mn_vec3 corner(const mn_mesh *m, const int32_t *t, int k) { return mn_v3_from(m->vertex[t[k % 3]]); }

/// The side k (from corner k to the next) on which the third corner lies; -1 if the triangle has an area.
static int flat_side(const mn_mesh *m, const int32_t *t)
{
    int    longest = 0;
    double most    = -1.0;
    for (int k = 0; k < 3; k++) {
        const double d = mn_norm3(mn_sub3(corner(m, t, k + 1), corner(m, t, k)));
        if (d > most) most = d, longest = k;
    }
    const mn_vec3 a = corner(m, t, longest), e = mn_sub3(corner(m, t, longest + 1), a);
    return mn_norm3(mn_cross3(e, mn_sub3(corner(m, t, longest + 2), a))) > FLAT * most * most ? -1 : longest;
}

typedef struct directed {
    int32_t from, to, face;
    int     side;
} directed;

static int by_edge(const void *p, const void *q)
{
    const directed *a = p, *b = q;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    if (a->to != b->to) return a->to < b->to ? -1 : 1;
    return a->face < b->face ? -1 : a->face > b->face;
}

static int by_ends(const void *p, const void *q)
{
    const directed *a = p, *b = q;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    return a->to < b->to ? -1 : a->to > b->to;
}

static void list_edges(const mn_mesh *m, directed *edge)
{
    for (int64_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            edge[3 * t + k] = (directed){ m->triangle[t][k], m->triangle[t][(k + 1) % 3], (int32_t)t, k };
    qsort(edge, (size_t)(3 * m->triangle_count), sizeof *edge, by_edge);
}

/// A flat triangle and its neighbour on the flat side become two triangles on the other diagonal of both.
static bool flip(mn_mesh *m, int32_t face, int side, const directed *edge, bool *touched)
{
    int32_t        *t    = m->triangle[face];
    const directed  key  = { .from = t[(side + 1) % 3], .to = t[side] };
    const directed *back = bsearch(&key, edge, (size_t)(3 * m->triangle_count), sizeof key, by_ends);
    if (back == NULL || back->face == face || touched[back->face] || touched[face]) return false;
    int32_t      *n = m->triangle[back->face];
    const int32_t a = t[side], b = t[(side + 1) % 3], c = t[(side + 2) % 3], d = n[(back->side + 2) % 3];
    if (c == d) return false;
    t[0] = c, t[1] = a, t[2] = d;
    n[0] = d, n[1] = b, n[2] = c;
    touched[face] = touched[back->face] = true;
    return true;
}

static bool flip_round(mn_mesh *m, directed *edge, bool *touched)
{
    bool any = false;
    list_edges(m, edge);
    memset(touched, 0, (size_t)m->triangle_count);
    for (int32_t t = 0; t < m->triangle_count; t++) {
        const int side = touched[t] ? -1 : flat_side(m, m->triangle[t]);
        if (side >= 0 && flip(m, t, side, edge, touched)) any = true;
    }
    return any;
}

/// Three corners from the lowest on, in their order.
static void from_lowest(const int32_t *t, int32_t out[3])
{
    const int low = t[0] < t[1] ? (t[0] < t[2] ? 0 : 2) : (t[1] < t[2] ? 1 : 2);
    for (int k = 0; k < 3; k++) out[k] = t[(low + k) % 3];
}

typedef struct sheet {
    int32_t low, middle, high, face;
    bool    turned;
} sheet;

static int by_corners(const void *p, const void *q)
{
    const sheet *a = p, *b = q;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->middle != b->middle) return a->middle < b->middle ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->face < b->face ? -1 : a->face > b->face;
}

/// Two triangles with the same corners that face each other enclose nothing: both go.
static void drop_pairs(mn_mesh *m, sheet *list)
{
    for (int64_t t = 0; t < m->triangle_count; t++) {
        int32_t v[3];
        from_lowest(m->triangle[t], v);
        const bool turned = v[1] > v[2];
        list[t]           = (sheet){ v[0], turned ? v[2] : v[1], turned ? v[1] : v[2], (int32_t)t, turned };
    }
    qsort(list, (size_t)m->triangle_count, sizeof *list, by_corners);
    for (int64_t k = 0; k + 1 < m->triangle_count; k++) {
        const sheet *a = &list[k], *b = &list[k + 1];
        if (a->low != b->low || a->middle != b->middle || a->high != b->high || a->turned == b->turned) continue;
        m->triangle[a->face][0] = m->triangle[b->face][0] = -1;
        k++;
    }
    int64_t kept = 0;
    for (int64_t t = 0; t < m->triangle_count; t++)
        if (m->triangle[t][0] >= 0) memmove(m->triangle[kept++], m->triangle[t], sizeof *m->triangle);
    m->triangle_count = kept;
}

static mn_status take_out_flat(mn_context *c, mn_mesh *m)
{
    directed *edge    = mn_alloc_array(c, directed, 3 * m->triangle_count);
    bool     *touched = mn_alloc_array(c, bool, m->triangle_count);
    sheet    *list    = mn_alloc_array(c, sheet, m->triangle_count);
    mn_status status  = edge != NULL && touched != NULL && list != NULL ? MN_OK : MN_ERR_MEMORY;
    bool      more    = status == MN_OK && m->triangle_count > 0;
    for (int round = 0; more && round < ROUNDS; round++) {
        status = mn_check_interrupt(c, "the mesh of a solid");
        if (status == MN_OK) drop_pairs(m, list);
        more = status == MN_OK && m->triangle_count > 0 && flip_round(m, edge, touched);
    }
    mn_free(c, edge);
    mn_free(c, touched);
    mn_free(c, list);
    return status;
}

// ---- all of it -----------------------------------------------------------------------------------------------------

/// The vertices that are used, and no triangle that has one twice.
static void copy_joined(const mn_cut_mesh *from, const int32_t *same, mn_mesh *to)
{
    for (int64_t v = 0; v < from->vertex_count; v++) memcpy(to->vertex[v], from->exact[v], sizeof *to->vertex);
    to->vertex_count = from->vertex_count;
    for (int64_t t = 0; t < from->triangle_count; t++) {
        const int32_t *v = from->triangle[t];
        const int32_t  a = same[v[0]], b = same[v[1]], c = same[v[2]];
        if (a == b || b == c || c == a) continue;
        int32_t *out = to->triangle[to->triangle_count++];
        out[0] = a, out[1] = b, out[2] = c;
    }
}

static void drop_unused(mn_mesh *m, int32_t *number)
{
    int32_t count = 0;
    for (int64_t v = 0; v < m->vertex_count; v++) number[v] = -1;
    for (int64_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++) number[m->triangle[t][k]] = 0;
    for (int64_t v = 0; v < m->vertex_count; v++) {
        if (number[v] < 0) continue;
        memmove(m->vertex[count], m->vertex[v], sizeof *m->vertex);
        number[v] = count++;
    }
    for (int64_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++) m->triangle[t][k] = number[m->triangle[t][k]];
    m->vertex_count = count;
}

mn_status mn_cut_mesh_finish(mn_context *c, const mn_cut_mesh *mesh, double near, mn_mesh *out)
{
    *out             = (mn_mesh){ .vertex_count = 0 };
    out->vertex      = mn_alloc(c, mn_array_bytes(mesh->vertex_count, sizeof *out->vertex));
    out->triangle    = mn_alloc(c, mn_array_bytes(mesh->triangle_count, sizeof *out->triangle));
    int32_t  *same   = mn_alloc_array(c, int32_t, mesh->vertex_count);
    mn_status status = out->vertex != NULL && out->triangle != NULL && same != NULL ? MN_OK : MN_ERR_MEMORY;
    if (status == MN_OK) status = find_same(c, mesh, near, same);
    if (status == MN_OK) {
        copy_joined(mesh, same, out);
        status = take_out_flat(c, out);
    }
    if (status == MN_OK) drop_unused(out, same);
    mn_free(c, same);
    if (status != MN_OK) mn_mesh_free(c, out);
    return status;
}
