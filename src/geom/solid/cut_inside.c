// SPDX-License-Identifier: MPL-2.0
// geom/solid/cut_inside.c - which vertices of a mesh are inside another.
//
// Along an edge this changes at its crossings and nowhere else. So one vertex of each connected piece is asked for its
// distance to the other mesh, one that is far from it, and all others follow.
#include "base/context.h"
#include "geom/solid/cut_private.h"

#include <string.h>

/// Vertices of a piece that are asked, to find one that is far.
#define ASKED 32

/// Pieces: a forest over the vertices, with the change on the way from a vertex to the one above it.
typedef struct forest {
    int32_t *above, *change;
} forest;

static int32_t top_of(const forest *f, int32_t v, int32_t *change)
{
    *change = 0;
    while (f->above[v] != v) {
        const int32_t up = f->above[v];
        f->change[v] += f->change[up];  // halve the way
        f->above[v] = f->above[up];
        *change += f->change[v];
        v = f->above[v];
    }
    return v;
}

/// value(high) = value(low) + change. False if that is not so already.
static bool join(forest *f, int32_t low, int32_t high, int32_t change)
{
    int32_t       from_low, from_high;  // value(v) = value(top) + its change
    const int32_t a = top_of(f, low, &from_low), b = top_of(f, high, &from_high);
    if (a == b) return from_high == from_low + change;
    f->above[b]  = a;
    f->change[b] = from_low + change - from_high;
    return true;
}

static bool join_all(const mn_cut_side *side, forest *f)
{
    for (int32_t v = 0; v < side->mesh->vertex_count; v++) f->above[v] = v;
    for (int32_t e = 0; e < side->edge_count; e++) {
        int32_t change = 0;
        for (int32_t k = side->first[e]; k < side->first[e + 1]; k++) change += side->crossing[k].enters ? 1 : -1;
        if (!join(f, side->edge[e][0], side->edge[e][1], change)) return false;
    }
    return true;
}

/// Of each top: the value, from the vertex of its piece that is farthest from the other mesh.
typedef struct piece {
    int32_t size, seen, value;
    double  farthest;
} piece;

static bool settle(mn_cut_side *side, const forest *f, piece *pieces, const mn_mesh_distance *other)
{
    const int32_t n = (int32_t)side->mesh->vertex_count;
    int32_t       change;
    for (int32_t v = 0; v < n; v++) pieces[top_of(f, v, &change)].size++;
    for (int32_t v = 0; v < n; v++) {
        piece        *p      = &pieces[top_of(f, v, &change)];
        const int32_t stride = p->size / ASKED + 1;
        if (p->seen++ % stride != 0) continue;
        const double d = mn_mesh_distance_at(other, mn_v3_from(side->mesh->moved[v]), NULL);
        if (fabs(d) > p->farthest) {
            p->farthest = fabs(d);
            p->value    = (d < 0.0) - change;
        }
    }
    for (int32_t v = 0; v < n; v++) {
        const piece  *p     = &pieces[top_of(f, v, &change)];
        const int32_t value = p->value + change;
        if (value != 0 && value != 1) return false;
        side->inside[v] = (signed char)value;
    }
    return true;
}

static mn_status sort_out_side(mn_cut *cut, mn_cut_side *side, const mn_cut_mesh *other)
{
    mn_context       *c        = cut->context;
    const int64_t     n        = side->mesh->vertex_count;
    const mn_mesh     mesh     = { other->vertex_count, other->triangle_count, other->moved, other->triangle };
    forest            f        = { mn_alloc_array(c, int32_t, n), mn_alloc_array(c, int32_t, n) };
    piece            *pieces   = mn_alloc_array(c, piece, n);
    mn_mesh_distance *distance = NULL;
    side->inside               = mn_alloc_array(c, signed char, n);
    const bool granted         = f.above != NULL && f.change != NULL && pieces != NULL && side->inside != NULL;
    mn_status  status          = granted ? mn_mesh_distance_create_for_few(c, &mesh, &distance) : MN_ERR_MEMORY;
    if (status == MN_OK) cut->clear = join_all(side, &f) && settle(side, &f, pieces, distance);
    mn_mesh_distance_destroy(c, &distance);
    mn_free(c, pieces);
    mn_free(c, f.above);
    mn_free(c, f.change);
    return status;
}

mn_status mn_cut_sort_out(mn_cut *cut)
{
    MN_TRY(sort_out_side(cut, &cut->side[0], cut->side[1].mesh));
    return cut->clear ? sort_out_side(cut, &cut->side[1], cut->side[0].mesh) : MN_OK;
}
