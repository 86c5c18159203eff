// SPDX-License-Identifier: MPL-2.0
// stain/surface.h - the intrinsic geometry of a cloth: edges, areas, and how vectors are carried along it (stain 5.2).
//
// Connectivity is fixed. Tangent vectors live in the frame of a vertex, whose first axis points along the first edge of
// its ring, or in that of a triangle, whose first axis points from corner 0 to corner 1. Rotations are kept as cosine
// and sine.
#ifndef MN_STAIN_SURFACE_H
#define MN_STAIN_SURFACE_H

#include "base/memory.h"
#include "math/vec.h"

/// Pairs of vertices that exchange matter, each once, and those at each vertex.
typedef struct mn_stain_links {
    int64_t vertex_count, count;
    int32_t (*end)[2];   ///< end[0] < end[1]
    int32_t *start;      ///< links at vertex v: start[v] .. start[v + 1]
    int32_t *around;     ///< 2 link + (1 if the vertex is end[1])
    int32_t *neighbour;  ///< the other end
} mn_stain_links;

/// Fill start, around and neighbour from end; the arrays are allocated here.
mn_status mn_stain_links_index(mn_context *c, mn_stain_links *l);
void      mn_stain_links_free(mn_context *c, mn_stain_links *l);

typedef struct mn_stain_turn {
    double c, s;
} mn_stain_turn;  ///< a rotation of the plane
typedef struct mn_stain_vec {
    double x, y;
} mn_stain_vec;  ///< a tangent vector

typedef struct mn_stain_surface {
    mn_context *context;
    int64_t     vertex_count, triangle_count;
    int32_t (*triangle)[3];
    int32_t (*across)[3];  ///< 3 triangle + side beyond side k, which goes from corner k to k + 1; -1 at the rim of the
                           ///< cloth
    mn_stain_links edges;  ///< in each ring anticlockwise, from the rim of the cloth if it is there
    int32_t *
        ring_corner;  ///< 3 triangle + corner between an edge of a ring and the next one; -1 behind the last at the rim
    int32_t (*edge_of)[3];  ///< edge of each side of a triangle
    int32_t *some_corner;   ///< 3 triangle + corner at each vertex
    uint8_t *rim;           ///< 1 at vertices on the rim of the cloth
    // metric
    mn_stain_vec (*corner)[3];        ///< corners in the triangle's frame, cm
    double        *triangle_area;     ///< cm^2
    double        *area;              ///< A_i, a third of the triangles around, cm^2
    double        *ring_angle;        ///< alpha of each edge of a ring
    mn_stain_turn *turn;              ///< per edge: from the frame of end 1 to that of end 0
    mn_stain_turn (*corner_turn)[3];  ///< from the frame of the vertex to that of the triangle
    mn_stain_vec (*face)[2];  ///< per edge: velocities at its two ends, each times this, make the flow through the
                              ///< border of their cells, cm
    mn_stain_vec *tangent;    ///< along the rim, in the vertex' frame; 0 inside
} mn_stain_surface;

/// Copies the triangles and measures the positions `x`. Refused, with the place: a vertex without triangle, an edge of
/// more than two triangles or of two that run the same way, triangles that meet in a vertex only, triangles without
/// area.
mn_status mn_stain_surface_create(mn_context *c, int64_t vertex_count, const mn_vec3 *x, int64_t triangle_count,
                                  const int32_t (*triangle)[3], mn_stain_surface **out);
void      mn_stain_surface_destroy(mn_stain_surface **surface);

/// Take lengths, areas and angles from other positions (a cloth that stretches).
mn_status mn_stain_surface_measure(mn_stain_surface *s, const mn_vec3 *x);

static inline mn_stain_vec mn_stain_turned(mn_stain_turn r, mn_stain_vec v)
{
    return (mn_stain_vec){ r.c * v.x - r.s * v.y, r.s * v.x + r.c * v.y };
}
static inline mn_stain_vec mn_stain_turned_back(mn_stain_turn r, mn_stain_vec v)
{
    return (mn_stain_vec){ r.c * v.x + r.s * v.y, r.c * v.y - r.s * v.x };
}
/// b after a.
static inline mn_stain_turn mn_stain_turn_join(mn_stain_turn b, mn_stain_turn a)
{
    return (mn_stain_turn){ b.c * a.c - b.s * a.s, b.s * a.c + b.c * a.s };
}
static inline mn_stain_turn mn_stain_turn_by(double angle) { return (mn_stain_turn){ cos(angle), sin(angle) }; }

/// Gradient of a density (`mass` over areas of vertices) at v, in its frame, times the area of the triangles around it.
mn_stain_vec mn_stain_ring_gradient(const mn_stain_surface *s, const double *mass, int64_t v, double *area);

/// Gradients of the three hat functions of a triangle, 1/cm, in its frame.
void mn_stain_gradients(const mn_stain_vec corner[3], mn_stain_vec gradient[3]);

#endif
