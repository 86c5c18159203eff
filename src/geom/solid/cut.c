// SPDX-License-Identifier: MPL-2.0
// geom/solid/cut.c - putting the result of a cut together.
//
// A triangle that is cut is a flat region between pieces of its own sides and segments that run through it. Each piece
// and each segment has a direction that has what is kept on its left, and each vertex one way in and one way out: they
// are loops, and the result is closed because neighbours have the same pieces in opposite directions.
#include "geom/solid/cut.h"

#include "base/context.h"
#include "geom/solid/cut_private.h"
#include "geom/solid/polygon.h"

#include <stdlib.h>
#include <string.h>

void mn_cut_mesh_free(mn_context *c, mn_cut_mesh *mesh)
{
    mn_free(c, mesh->exact);
    mn_free(c, mesh->moved);
    mn_free(c, mesh->triangle);
    *mesh = (mn_cut_mesh){ .vertex_count = 0 };
}

/// A directed piece of the rim of what is kept, and its place in the order of loops.
typedef struct piece {
    int32_t from, to;
    bool    used;
} piece;

typedef struct builder {
    mn_cut       *cut;
    mn_shape_kind kind;
    mn_cut_mesh   whole;  // all vertices of both and of the crossings; triangles kept so far
    int64_t       capacity;
    piece        *rim;  // of the triangle at hand
    int64_t       rim_count, rim_capacity;
    int32_t      *first;  // its loops
    int64_t       first_capacity;
    int32_t      *corner;  // vertex of each point of the loops
    int64_t       corner_capacity;
    double (*point)[2];
    int64_t point_capacity;
} builder;

// ---- places --------------------------------------------------------------------------------------------------------

/// Where the edge goes through the face if both are where they are, or as far along it as found if that cannot be told.
static mn_vec3 exact_place(const mn_cut_side *own, const mn_cut_side *other, const mn_cut_crossing *x)
{
    const int32_t *t = other->mesh->triangle[x->face];
    const mn_vec3  p = mn_v3_from(own->mesh->exact[own->edge[x->edge][0]]);
    const mn_vec3  q = mn_v3_from(own->mesh->exact[own->edge[x->edge][1]]);
    const mn_vec3  a = mn_v3_from(other->mesh->exact[t[0]]), b = mn_v3_from(other->mesh->exact[t[1]]),
                  c      = mn_v3_from(other->mesh->exact[t[2]]);
    const mn_vec3 normal = mn_cross3(mn_sub3(b, a), mn_sub3(c, a)), way = mn_sub3(q, p);
    const double  low = mn_dot3(normal, mn_sub3(p, a)), high = mn_dot3(normal, mn_sub3(q, a));
    const bool    steep   = fabs(low - high) > 1e-6 * mn_norm3(normal) * mn_norm3(way);
    const double  t_exact = steep ? low / (low - high) : x->t;
    return mn_add3(p, mn_scale3(fmin(1.0, fmax(0.0, fabs(t_exact - x->t) < 1e-2 ? t_exact : x->t)), way));
}

static void place_crossings(builder *b, int s)
{
    const mn_cut_side *own = &b->cut->side[s], *other = &b->cut->side[1 - s];
    for (int64_t k = 0; k < own->crossing_count; k++) {
        const mn_cut_crossing *x     = &own->crossing[k];
        const double          *low   = own->mesh->moved[own->edge[x->edge][0]];
        const double          *high  = own->mesh->moved[own->edge[x->edge][1]];
        const mn_vec3          exact = exact_place(own, other, x);
        for (int a = 0; a < 3; a++) {
            b->whole.moved[x->vertex][a] = low[a] + x->t * (high[a] - low[a]);
            b->whole.exact[x->vertex][a] = mn_get3(exact, a);
        }
    }
}

static mn_status place_all(builder *b)
{
    mn_context        *c  = b->cut->context;
    const mn_cut_mesh *m0 = b->cut->side[0].mesh, *m1 = b->cut->side[1].mesh;
    const int64_t      n0 = m0->vertex_count, n1 = m1->vertex_count;
    b->whole.vertex_count = n0 + n1 + b->cut->side[0].crossing_count + b->cut->side[1].crossing_count;
    b->whole.exact        = mn_alloc(c, mn_array_bytes(b->whole.vertex_count, sizeof *b->whole.exact));
    b->whole.moved        = mn_alloc(c, mn_array_bytes(b->whole.vertex_count, sizeof *b->whole.moved));
    if (b->whole.exact == NULL || b->whole.moved == NULL) return MN_ERR_MEMORY;
    memcpy(b->whole.exact, m0->exact, (size_t)n0 * sizeof *m0->exact);
    memcpy(b->whole.moved, m0->moved, (size_t)n0 * sizeof *m0->moved);
    memcpy(b->whole.exact + n0, m1->exact, (size_t)n1 * sizeof *m1->exact);
    memcpy(b->whole.moved + n0, m1->moved, (size_t)n1 * sizeof *m1->moved);
    for (int s = 0; s < 2; s++) place_crossings(b, s);
    return MN_OK;
}

// ---- triangles -----------------------------------------------------------------------------------------------------

static mn_status put(builder *b, int s, int32_t p, int32_t q, int32_t r)
{
    mn_cut_mesh *m    = &b->whole;
    const bool   turn = s == 1 && b->kind == MN_SHAPE_DIFFERENCE;
    MN_TRY(mn_array_reserve(b->cut->context, &m->triangle, &b->capacity, m->triangle_count + 1, sizeof *m->triangle));
    int32_t *t = m->triangle[m->triangle_count++];
    t[0] = p, t[1] = turn ? r : q, t[2] = turn ? q : r;
    return MN_OK;
}

static mn_status add_piece(builder *b, int32_t from, int32_t to)
{
    MN_TRY(mn_array_reserve(b->cut->context, &b->rim, &b->rim_capacity, b->rim_count + 1, sizeof *b->rim));
    b->rim[b->rim_count++] = (piece){ .from = from, .to = to };
    return MN_OK;
}

/// The pieces of one side of a triangle that are kept; `clear` fails if the crossings do not go in and out in turn.
static mn_status add_side(builder *b, int s, int32_t face, int k, bool keep_inside)
{
    const mn_cut_side *own  = &b->cut->side[s];
    const int32_t      base = s == 0 ? 0 : (int32_t)b->cut->side[0].mesh->vertex_count;
    const int32_t      from = own->mesh->triangle[face][k], to = own->mesh->triangle[face][(k + 1) % 3];
    const int32_t      edge = own->edge_of[face][k], first = own->first[edge], end = own->first[edge + 1];
    bool               inside = own->inside[from];
    int32_t            at     = base + from;
    for (int32_t n = 0; n < end - first; n++) {
        const mn_cut_crossing *x = &own->crossing[from < to ? first + n : end - 1 - n];
        if ((x->enters == (from < to)) == inside) b->cut->clear = false;
        if (inside == keep_inside) MN_TRY(add_piece(b, at, x->vertex));
        inside = !inside;
        at     = x->vertex;
    }
    return inside == keep_inside ? add_piece(b, at, base + to) : MN_OK;
}

static int by_from(const void *p, const void *q)
{
    const piece *a = p, *b = q;
    return a->from < b->from ? -1 : a->from > b->from;
}

static piece *piece_from(const builder *b, int32_t vertex)
{
    const piece key = { .from = vertex };
    return bsearch(&key, b->rim, (size_t)b->rim_count, sizeof key, by_from);
}

/// The pieces in loops: *loops of them.
static mn_status join_pieces(builder *b, int32_t *loops)
{
    mn_context *c = b->cut->context;
    qsort(b->rim, (size_t)b->rim_count, sizeof *b->rim, by_from);
    for (int64_t k = 0; k + 1 < b->rim_count; k++)
        if (b->rim[k].from == b->rim[k + 1].from) b->cut->clear = false;
    MN_TRY(mn_array_reserve(c, &b->first, &b->first_capacity, b->rim_count + 1, sizeof *b->first));
    MN_TRY(mn_array_reserve(c, &b->corner, &b->corner_capacity, b->rim_count, sizeof *b->corner));
    int32_t corners = 0;
    *loops          = 0;
    b->first[0]     = 0;
    for (int64_t k = 0; k < b->rim_count && b->cut->clear; k++) {
        if (b->rim[k].used) continue;
        piece *p = &b->rim[k];
        for (; p != NULL && !p->used; p = piece_from(b, p->to)) {
            p->used              = true;
            b->corner[corners++] = p->from;
        }
        b->cut->clear      = p == &b->rim[k] && corners - b->first[*loops] >= 3;
        b->first[++*loops] = corners;
    }
    return MN_OK;
}

/// Seen from outside: the two axes at right angles to the largest component of the normal.
static mn_status flatten(builder *b, int s, int32_t face, int32_t corners)
{
    const mn_cut_mesh *m    = b->cut->side[s].mesh;
    const int32_t     *t    = m->triangle[face];
    const mn_vec3      a    = mn_v3_from(m->moved[t[0]]);
    const mn_vec3      n    = mn_cross3(mn_sub3(mn_v3_from(m->moved[t[1]]), a), mn_sub3(mn_v3_from(m->moved[t[2]]), a));
    int                axis = fabs(n.y) > fabs(n.x) ? 1 : 0;
    if (fabs(n.z) > fabs(mn_get3(n, axis))) axis = 2;
    const bool up = mn_get3(n, axis) >= 0.0;
    const int  u = (axis + (up ? 1 : 2)) % 3, v = (axis + (up ? 2 : 1)) % 3;
    MN_TRY(mn_array_reserve(b->cut->context, &b->point, &b->point_capacity, corners, sizeof *b->point));
    for (int32_t k = 0; k < corners; k++) {
        b->point[k][0] = b->whole.moved[b->corner[k]][u];
        b->point[k][1] = b->whole.moved[b->corner[k]][v];
    }
    return MN_OK;
}

static mn_status fill_face(builder *b, int s, int32_t face)
{
    int32_t loops         = 0;
    int32_t(*triangle)[3] = NULL;
    int64_t count         = 0;
    MN_TRY(join_pieces(b, &loops));
    if (!b->cut->clear || loops == 0) return MN_OK;
    MN_TRY(flatten(b, s, face, b->first[loops]));
    MN_TRY(mn_polygon_fill(b->cut->context, (const double(*)[2])b->point, b->first, loops, &triangle, &count));
    mn_status status = MN_OK;
    for (int64_t t = 0; t < count && status == MN_OK; t++)
        status = put(b, s, b->corner[triangle[t][0]], b->corner[triangle[t][1]], b->corner[triangle[t][2]]);
    mn_free(b->cut->context, triangle);
    return status;
}

static const mn_cut_segment *segment_of(const mn_cut *cut, int s, int64_t k)
{
    return k < cut->segment_count ? &cut->segment[s == 0 ? k : cut->by_b[k]] : NULL;
}

/// The triangle `face` of side `s`, whose segments begin at *segment.
static mn_status keep_face(builder *b, int s, int32_t face, bool keep_inside, int64_t *segment)
{
    const mn_cut_side *own = &b->cut->side[s];
    const int32_t     *t = own->mesh->triangle[face], *e = own->edge_of[face];
    const int32_t      base   = s == 0 ? 0 : (int32_t)b->cut->side[0].mesh->vertex_count;
    bool               is_cut = false;
    b->rim_count              = 0;
    for (const mn_cut_segment *x; (x = segment_of(b->cut, s, *segment)) != NULL && x->face[s] == face; ++*segment) {
        const bool along = keep_inside == (s == 0);
        MN_TRY(add_piece(b, along ? x->from : x->to, along ? x->to : x->from));
        is_cut = true;
    }
    for (int k = 0; k < 3; k++) is_cut = is_cut || own->first[e[k]] < own->first[e[k] + 1];
    if (!is_cut) return own->inside[t[0]] == keep_inside ? put(b, s, base + t[0], base + t[1], base + t[2]) : MN_OK;
    for (int k = 0; k < 3; k++) MN_TRY(add_side(b, s, face, k, keep_inside));
    return b->cut->clear ? fill_face(b, s, face) : MN_OK;
}

static mn_status keep_side(builder *b, int s)
{
    const bool keep_inside = s == 0 ? b->kind == MN_SHAPE_INTERSECTION : b->kind != MN_SHAPE_UNION;
    int64_t    segment     = 0;
    for (int32_t f = 0; f < b->cut->side[s].mesh->triangle_count && b->cut->clear; f++)
        MN_TRY(keep_face(b, s, f, keep_inside, &segment));
    return MN_OK;
}

// ---- the result ----------------------------------------------------------------------------------------------------

/// Without the vertices that no triangle uses.
static mn_status compact(mn_context *c, mn_cut_mesh *m)
{
    int32_t *number = mn_alloc_array(c, int32_t, m->vertex_count);
    if (number == NULL) return MN_ERR_MEMORY;
    for (int64_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++) number[m->triangle[t][k]] = 1;
    int32_t count = 0;
    for (int64_t v = 0; v < m->vertex_count; v++) {
        if (number[v] == 0) continue;
        memcpy(m->exact[count], m->exact[v], sizeof *m->exact);
        memcpy(m->moved[count], m->moved[v], sizeof *m->moved);
        number[v] = count++;
    }
    for (int64_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++) m->triangle[t][k] = number[m->triangle[t][k]];
    m->vertex_count = count;
    mn_free(c, number);
    return MN_OK;
}

static mn_status build(builder *b)
{
    MN_TRY(place_all(b));
    for (int s = 0; s < 2 && b->cut->clear; s++) MN_TRY(keep_side(b, s));
    return b->cut->clear ? compact(b->cut->context, &b->whole) : MN_OK;
}

mn_status mn_cut_meshes(mn_context *c, const mn_cut_mesh *a, const mn_cut_mesh *b, mn_shape_kind kind, mn_cut_mesh *out,
                        bool *clear)
{
    mn_cut  cut      = { .context = c, .side = { { .mesh = a }, { .mesh = b } } };
    builder make     = { .cut = &cut, .kind = kind };
    *out             = (mn_cut_mesh){ .vertex_count = 0 };
    mn_status status = mn_cut_find(&cut);
    if (status == MN_OK && cut.clear) status = mn_cut_sort_out(&cut);
    if (status == MN_OK && cut.clear) status = build(&make);
    *clear = cut.clear;
    if (status == MN_OK && cut.clear) *out = make.whole;
    else mn_cut_mesh_free(c, &make.whole);
    mn_free(c, make.rim);
    mn_free(c, make.first);
    mn_free(c, make.corner);
    mn_free(c, make.point);
    mn_cut_free(&cut);
    return status;
}
