// SPDX-License-Identifier: MPL-2.0
// fabric/pores/flow_private.h - the work of one flow step.
#ifndef MN_FABRIC_FLOW_PRIVATE_H
#define MN_FABRIC_FLOW_PRIVATE_H

#include "fabric/pores/flow.h"
#include "fabric/pores/pores.h"

#define MN_FLOW_BLOCK 1024

/// Nonlinear drag without powers: with b = growth / linear (force / linear)^c the drag of C(u) u = force is linear / y,
/// y (1 + b y^c) = 1. y and its slope over ln b, by cubics between entries.
#define MN_DRAG_ENTRIES 513
#define MN_DRAG_FIRST   (-24.0)
#define MN_DRAG_STEP    0.125
typedef struct mn_drag_table {
    double exponent;                                    ///< c
    double y[MN_DRAG_ENTRIES], slope[MN_DRAG_ENTRIES];  ///< slope times the step
} mn_drag_table;
void   mn_drag_table_make(double exponent, mn_drag_table *out);
double mn_drag_table_at(const mn_drag_table *t, double log_b);

/// One flow step. Arrays are from the arena.
typedef struct mn_flow {
    mn_fabric                  *q;
    mn_pool                    *pool;
    const mn_flow_links        *links;
    const mn_pore_law          *law;    ///< per piece
    const mn_drag_table *const *table;  ///< per piece; NULL: linear drag
    double                      whole;  ///< s, the step of the world
    double                      dt;     ///< s, of this part of it
    // per vertex
    double *pores;               ///< cm^3
    double *suction;             ///< p_alpha, dyn/cm^2
    double *pressure;            ///< dyn/cm^2, p_f - p_alpha
    double *before;              ///< cm^3 held at the start of this part
    double *held;                ///< cm^3, iterate
    double *saturation, *slope;  ///< S, and dS/dV
    double *pull;                ///< p_alpha S
    double *residual;
    double *inverse;  ///< 1 / diagonal of the matrix
    double *limit;    ///< share of what a vertex gives against the potential that it can give
    // per link
    double *step;         ///< dyn/cm^2, Psi at end 0 less that at end 1
    double *drive;        ///< dyn/cm^2: what of Psi_0 - Psi_1 does not depend on saturation
    double *conductance;  ///< dt K (1 - phi)^2 / C, cm^5/dyn
    double *flux;         ///< cm^3 from end 0 to end 1 within dt
    double (*by)[2];      ///< its derivative by what the two ends hold
    // per element
    double (*shape)[3];  ///< K of (E5.17) of each side, cm
    double *volume;      ///< V_e, cm^3
    double *open;        ///< 1 - phi_e
    double *slow;        ///< (1 - phi_e)^2 / C of the linear drag; 0 until the element is wet
    double *offset;      ///< ln b at |grad Psi|^2 V_e = 1
    double *mobility;    ///< (1 - phi_e)^2 / C
    // sums per block
    double *partial;
    double (*pairs)[2];
    mn_flow_report report;
    // vectors of the linear solve
    double *work[7];
} mn_flow;

/// Arrays and everything that does not change within the step: K, drive, laws.
mn_status mn_flow_begin(mn_flow *f, mn_arena *arena);
/// Fluxes over dt, from `before`: converged, or as far as it went (false). `held` is the content that goes with them.
bool mn_flow_solve(mn_flow *f);
/// Fluxes, their derivatives and the residual at `held`; returns the sum of |residual|.
double mn_flow_evaluate(mn_flow *f);
/// Add up `fn` over [0, n), block by block.
double mn_flow_sum(mn_flow *f, int64_t n, mn_range_fn *fn);
/// Direction of Newton's method, J direction = -residual; to a thousandth. False if it was not found.
bool mn_flow_direction(mn_flow *f, double *direction);

#endif
