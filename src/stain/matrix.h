// SPDX-License-Identifier: MPL-2.0
// stain/matrix.h - the matrix of an implicit diffusion step: capacities, and conductances between pairs of vertices.
#ifndef MN_STAIN_MATRIX_H
#define MN_STAIN_MATRIX_H

#include "stain/conjugate.h"
#include "stain/surface.h"

/// capacity_i x_i + h sum_j conductance_ij (x_i - x_j). A vertex of no capacity and no conductance has x = 0.
typedef struct mn_stain_matrix {
    const mn_stain_links *links;
    const double         *conductance;  ///< per link
    const double         *capacity;     ///< per vertex, >= 0
    double                h;
    const double         *leaves;  ///< mass that will leave each vertex within the step, and comes from all of them;
                                   ///< NULL: none. Of mn_stain_matrix_step alone.
    double *inverse;               ///< of the diagonal
    bool    stiff;                 ///< precondition with Gauss-Seidel inside blocks; otherwise with the diagonal
} mn_stain_matrix;

/// Fill `inverse`, which is taken from the arena, and choose the preconditioner.
mn_status       mn_stain_matrix_prepare(mn_pool *pool, mn_stain_matrix *m, mn_arena *arena);
mn_stain_system mn_stain_matrix_system(const mn_stain_matrix *m);

/// flow_k = h conductance_k (x at end 0 less x at end 1): what goes from end 0 to end 1. Values up to `floor` count as
/// 0: an iteration leaves errors of both signs where nothing is, which would have to be repaired (mn_stain_move).
void   mn_stain_matrix_flows(mn_pool *pool, const mn_stain_matrix *m, const double *x, double floor, double *flow);
double mn_stain_largest(mn_pool *pool, int64_t n, const double *x);  ///< 0 if none is above

/// One implicit step of masses with this matrix, whose capacities make concentrations of them: solve, then move by
/// flows. `flow` receives these, or is NULL. Conductances must not be negative.
mn_status mn_stain_matrix_step(mn_pool *pool, mn_stain_matrix *m, double tolerance, double *mass, double *flow,
                               mn_arena *arena, mn_stain_solve_report *report);

/// What link i of a ring brings to its vertex.
static inline double mn_stain_gain(const mn_stain_links *l, const double *flow, int32_t i)
{
    const double q = flow[l->around[i] >> 1];
    return l->around[i] & 1 ? q : -q;
}

/// Add to each vertex what its links bring.
void mn_stain_gather(mn_pool *pool, const mn_stain_links *l, const double *flow, double *mass);

/// Make flows that would leave less than nothing at a vertex (solver tolerance) smaller at their donor, until none
/// does, then move the masses. Round-off below 0 is set to 0.
mn_status mn_stain_move(mn_pool *pool, const mn_stain_links *l, double *flow, double *mass, mn_arena *arena);

#endif
