// SPDX-License-Identifier: MPL-2.0
// elastic/shell_private.h - the inside of a shell, shared by its files.
#ifndef MN_ELASTIC_SHELL_PRIVATE_H
#define MN_ELASTIC_SHELL_PRIVATE_H

#include "elastic/hinge.h"
#include "elastic/shell.h"

#define MN_SHELL_BLOCK   1024   ///< items per block of a parallel loop
#define MN_SHELL_NO_SLOT 65535  ///< a pair that this row does not write; 255 where slots have one byte
#define MN_SHELL_SLOTS \
    10  ///< per corner: 5 columns as a corner of the triangle, 5 as the outer vertex of its neighbour

typedef struct mn_shell_hold {
    mn_vec3 outward;
    int64_t edge;
} mn_shell_hold;

enum { MN_XI_FREE, MN_XI_HELD, MN_XI_CLAMPED };

struct mn_shell {
    mn_context       *context;
    mn_shell_material material;
    double            membrane[9];  // K, dyn/cm
    double            viscous;      // elastic energies times this are the viscous ones: 3 eta/(E h); 0: none

    int64_t            vertex_count, triangle_count, edge_count;
    mn_shell_triangle *triangle;
    mn_shell_edge     *edge;
    uint8_t           *xi_kind;  // per edge
    mn_shell_edges     state;
    int64_t           *corner_start;  // corners around vertex v: corner[corner_start[v] ..], ascending
    int32_t           *corner;        // 3 * triangle + local index

    // At the start of the step; NULL until needed. In a step without moves strains and measures are those of the start.
    bool    moves;
    double *start_strain;   // 3 per triangle
    double *start_measure;  // per edge
    double *start_xi;       // per edge

    mn_shell_hold *clamp;  // by ascending edge
    int64_t        clamp_count, clamp_capacity;

    int64_t  first_row, longest_row, bound_rows;
    int      slot_bytes;  // 1 or 2
    uint8_t *slot;        // MN_SHELL_SLOTS per corner, in the order of `corner`, of 1 or 2 bytes each
};

/// What the edges of a pose are like; from the arena.
typedef struct mn_shell_hinges {
    double  *measure;   // m - m_rest per edge, twice the angle at a clamp: q = measure/2 + s xi
    mn_vec3 *gradient;  // 4 per edge, d measure / dx; NULL if not asked for
    int64_t  collapsed;
} mn_shell_hinges;

mn_status mn_shell_hinges_of(mn_shell *s, const mn_vec3 *x, bool gradients, mn_arena *arena, mn_shell_hinges *out);

/// Place of an edge among the clamped ones, which ascend; if it is none of them, where it would be.
static inline int64_t mn_shell_find_clamp(const mn_shell *s, int64_t e)
{
    int64_t low = 0, high = s->clamp_count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (s->clamp[middle].edge < e) low = middle + 1;
        else high = middle;
    }
    return low;
}

/// The four points of an edge's hinge; false if it has none (a free rim). At a clamp the fourth goes with the first.
static inline bool mn_shell_hinge_points(const mn_shell *s, int64_t e, const mn_vec3 *x, mn_vec3 p[4])
{
    const mn_shell_edge *edge = &s->edge[e];
    if (edge->vertex[3] >= 0) {
        p[3] = x[edge->vertex[3]];
    } else {
        if (s->xi_kind[e] != MN_XI_CLAMPED) return false;
        p[3] = mn_add3(x[edge->vertex[0]], s->clamp[mn_shell_find_clamp(s, e)].outward);
    }
    for (int i = 0; i < 3; i++) p[i] = x[edge->vertex[i]];
    return true;
}

static inline double mn_shell_factor(const mn_shell_pose *pose, int64_t t)
{
    return pose->factor != NULL ? pose->factor[t] : 1.0;
}

/// q of a triangle: elastic, and what its moments follow (elastic plus viscous part).
static inline void mn_shell_rotations(const mn_shell *s, const double *measure, int64_t t, double q[3],
                                      double driving[3])
{
    const mn_shell_triangle *tri = &s->triangle[t];
    const double            *xi  = s->state.xi[0];
    for (int i = 0; i < 3; i++) {
        const int32_t e    = tri->edge[i];
        const double  sign = tri->sign[i];
        q[i]               = 0.5 * measure[e] + sign * xi[e];
        driving[i]         = q[i];
        if (s->viscous > 0.0 && s->moves)
            driving[i] += s->viscous *
                          (0.5 * (s->moves ? measure[e] - s->start_measure[e] : 0.0) + sign * (xi[e] - s->start_xi[e]));
    }
}

/// Strain that the stress follows: elastic plus viscous part.
static inline void mn_shell_driving_strain(const mn_shell *s, int64_t t, const double e[3], double driving[3])
{
    for (int i = 0; i < 3; i++) {
        driving[i] = e[i];
        if (s->viscous > 0.0 && s->moves) driving[i] += s->viscous * (e[i] - s->start_strain[3 * t + i]);
    }
}

static inline mn_in_plane_frame mn_shell_frame(const mn_shell *s, const mn_vec3 *x, int64_t t)
{
    const mn_shell_triangle *tri = &s->triangle[t];
    return mn_in_plane_frame_of(&tri->membrane, x[tri->vertex[0]], x[tri->vertex[1]], x[tri->vertex[2]]);
}

/// Gradients of hinge j of a triangle in the triangle's order: opposite corner j, corners j + 1 and j + 2, outer
/// vertex.
static inline void mn_shell_local_gradient(const mn_vec3 g[4], int sign, mn_vec3 local[4])
{
    if (sign > 0) local[0] = g[2], local[1] = g[0], local[2] = g[1], local[3] = g[3];
    else local[0] = g[3], local[1] = g[1], local[2] = g[0], local[3] = g[2];
}

/// Vertex across edge i of a triangle, -1 at a rim.
static inline int32_t mn_shell_outer(const mn_shell *s, const mn_shell_triangle *tri, int i)
{
    return s->edge[tri->edge[i]].vertex[tri->sign[i] > 0 ? 3 : 2];
}

#endif
