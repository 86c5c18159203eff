// SPDX-License-Identifier: MPL-2.0
// solve/cg.h - preconditioned conjugate gradients, for vectors of any layout.
//
// The method of Hestenes and Stiefel for A x = b, A and the preconditioner M symmetric and positive:
//
//     r = b - A x
//     z = M r,  rho = r.z
//     p = z + (rho / rho before) p,  q = A p
//     alpha = rho / p.q,  x += alpha p,  r -= alpha q          until r is small
//
// It stands once, in cg.c, and knows vectors only through the five functions of mn_cg. They are cut where a field
// can go through its memory once for several lines of the above: a matrix that is applied while the direction is
// made, a preconditioner that is local and joins the update of r, a step of x that is made up for when p is read the
// next time. Which lines go together, in what order sums are made, in which precision and on how many threads is the
// owner's; the driver brings the scalars, the order, and the ways to end.
//
// **Sizes.** What `residual` and `advance` return is the size of r in any measure the owner likes: a norm, its square,
// r.z itself. The tolerance is in the same measure, and so are the sizes of the report. A tolerance relative to
// something is the owner's product.
//
// **The recursion is not believed.** r -= alpha q drifts from b - A x by rounding. When it claims to be small, the
// true residual is made; if it is not, a new run starts from it. A run aims at `margin` times the tolerance, so that
// its rounding rarely costs another one; a new run must bring the residual below `gain` times that of the one before,
// else the tolerance is below rounding (STALLED). After `restarts` true residuals the recursion is believed after all:
// 0 for inner solves and those that measure otherwise what they leave.
//
// **Breakdown.** r.z or p.q that is not above 0 says that M or A is not positive (INDEFINITE); x is the last iterate.
// One that is not a number says that something in A, b or M is none (NOT_FINITE). On null spaces (closed pockets of
// liquid, a period's constant) A is only semidefinite: the owner keeps r and z out of them.
//
// The same run tells about the spectrum of M A: its alpha and beta are those of a Lanczos process (mg_ritz.h). A
// record keeps them for `finish`.
//
// What is not done here: BiCGStab of the flow in pores, whose matrix is not symmetric (fabric/pores/flow_linear.c);
// the descent of fabric with friction, which is not linear (fabric/descend.c); FGMRES of the coupled system, which is
// indefinite and whose preconditioner changes (solve/fgmres.c).
#ifndef MN_SOLVE_CG_H
#define MN_SOLVE_CG_H

#include "base/pool.h"

#include <limits.h>
#include <math.h>

/// How a solve ended. Above zero: x is usable. Below: it is the last iterate.
typedef enum mn_solve_outcome {
    MN_SOLVE_CONVERGED   = 1,
    MN_SOLVE_NOTHING     = 2,   ///< the right-hand side is zero, so is x
    MN_SOLVE_ITERATIONS  = -1,  ///< max_iterations reached
    MN_SOLVE_STALLED     = -2,  ///< a restart from the true residual gained nothing: the tolerance is below rounding
    MN_SOLVE_INDEFINITE  = -3,  ///< a negative curvature: the matrix is not positive (a coefficient below zero)
    MN_SOLVE_NOT_FINITE  = -4,  ///< NaN or infinity in the coefficients or the right-hand side; x is as it was
    MN_SOLVE_INTERRUPTED = -5   ///< the context was asked to end (mn_context_interrupt)
} mn_solve_outcome;

typedef struct mn_solve_report {
    int     outcome;  ///< mn_solve_outcome
    int     iterations;
    double  residual_first;  ///< |rhs - A x| / |rhs| at the start
    double  residual_last;   ///< the same at the end, recomputed from x: never the recursion's claim
    double  pocket_mean;     ///< largest |mean of rhs| removed from a closed pocket
    int32_t pockets;         ///< components that see no known value; their solution has mean zero
    double  ritz_min;        ///< smallest Ritz value of the preconditioned matrix; 0 without iterations
} mn_solve_report;

/// Coefficients of a run that a record has room for.
#define MN_CG_RECORD 128

typedef struct mn_cg_record {
    int    steps;
    double alpha[MN_CG_RECORD], beta[MN_CG_RECORD];  ///< beta[k] made direction k from the one before; beta[0] is 0
} mn_cg_record;

/// One linear system and its vectors. `first`: of a run, of which there may be several.
typedef struct mn_cg {
    void *self;
    /// r = b - A x from x; its size. Not called if there are no restarts.
    double (*residual)(void *self);
    /// z = M r; r.z. NULL: the size of r is r.z already, and z is made with it.
    double (*precondition)(void *self, bool first);
    /// p = z + beta p, or p = z at first; q = A p; p.q.
    double (*direct)(void *self, bool first, double beta);
    /// x += alpha p, r -= alpha q; the size of r.
    double (*advance)(void *self, double alpha);
    /// After each run, however it ended: what the owner still owes. May be NULL.
    void (*finish)(void *self);
    mn_cg_record  *record;  ///< of the run; may be NULL
    const mn_pool *pool;    ///< whose context may be asked to end; NULL: the solve is too short to be asked
} mn_cg;

/// When to stop.
typedef struct mn_cg_stop {
    double tolerance;   ///< in the measure of the sizes
    double margin;      ///< a run aims at margin * tolerance
    double gain;        ///< a run must end below gain * the size it began with; INFINITY: no matter
    int    iterations;  ///< in this solve
    int    restarts;    ///< true residuals made at most
} mn_cg_stop;

/// From the x, the r (and where there is no `precondition`, the z) that the owner has made, r of the given size.
/// Returns the outcome; iterations add to those of the report, which also receives the sizes first and last.
int mn_cg_solve(const mn_cg *cg, double size, const mn_cg_stop *stop, mn_solve_report *report);

#endif
