// SPDX-License-Identifier: MPL-2.0
// geom/solid/cut_private.h - what the steps of a cut hand to each other.
#ifndef MN_GEOM_SOLID_CUT_PRIVATE_H
#define MN_GEOM_SOLID_CUT_PRIVATE_H

#include "geom/solid/cut.h"

/// An edge of one mesh goes through a triangle of the other.
typedef struct mn_cut_crossing {
    int32_t edge, face;
    int32_t vertex;  ///< of the result: after those of both meshes
    bool    enters;  ///< the other solid, on the way from the lower to the higher vertex of the edge
    double  t;       ///< where on that way, 0 to 1
} mn_cut_crossing;

/// One of the two meshes.
typedef struct mn_cut_side {
    const mn_cut_mesh *mesh;
    int32_t (*edge_of)[3];  ///< of each side of each triangle: from its corner k to the next
    int32_t (*edge)[2];     ///< lower vertex, higher vertex
    int32_t (*faces)[2];    ///< the triangles on both sides
    int32_t          edge_count;
    mn_cut_crossing *crossing;  ///< by edge, then along it
    int64_t          crossing_count, crossing_capacity;
    int32_t         *first;   ///< crossings of edge e: [first[e], first[e + 1])
    signed char     *inside;  ///< of each vertex: whether it is inside the other solid
} mn_cut_side;

/// Where a triangle of a and one of b meet: from one crossing to another, with the inside of b on the left seen from
/// outside of a.
typedef struct mn_cut_segment {
    int32_t face[2], from, to;
} mn_cut_segment;

typedef struct mn_cut {
    mn_context     *context;
    mn_cut_side     side[2];
    mn_cut_segment *segment;  ///< by face of a, then of b
    int32_t        *by_b;     ///< the same by face of b
    int64_t         segment_count, segment_capacity;
    bool            clear;
} mn_cut;

/// Edges, crossings and segments; `clear` may become false, then the rest is not made. Free with mn_cut_free.
mn_status mn_cut_find(mn_cut *cut);
/// Which vertices are inside the other solid.
mn_status mn_cut_sort_out(mn_cut *cut);
void      mn_cut_free(mn_cut *cut);

#endif
