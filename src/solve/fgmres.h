// SPDX-License-Identifier: MPL-2.0
// solve/fgmres.h - flexible GMRES: right preconditioning that may differ from one iteration to the next (mixture-solve
// 5).
//
// The residual is made least in the norm |r|^2 = sum of weight r^2, so that blocks of different units can be asked for
// their own accuracies: with weights 1 / (tolerance |size|)^2 of each block, a norm below 1 has all of them within
// theirs.
#ifndef MN_SOLVE_FGMRES_H
#define MN_SOLVE_FGMRES_H

#include "base/arena.h"
#include "solve/multigrid.h"

typedef struct mn_fgmres_problem {
    int64_t       count;
    const double *weight;  ///< of the inner product, >= 0; 0 where an equation is left out
    /// z = M r, and K z, which a preconditioner with an inner solve often knows without another product.
    mn_status (*precondition)(const double *r, double *z, double *kz, void *context);
    /// K x: for true residuals.
    mn_status (*apply)(const double *x, double *kx, void *context);
    void *context;
    /// NULL: the end is believed only at a true residual. Else room for a vector, which holds the residual at x
    /// afterwards: that of the recursion, which is then believed, because K z is as exact as K x would be. With `known`
    /// it holds the residual at x before, too.
    double *residual;
    bool    known;
    int     restart;     ///< directions kept before the true residual is made anew; two vectors each
    int     iterations;  ///< most allowed in all
} mn_fgmres_problem;

/// Solve K x = rhs from x on, until the residual is at most `goal` in the norm above. residual_first and
/// residual_last are that norm, not a share. Vectors come from the arena, two per iteration up to the restart, and are
/// given back. The callbacks must not keep memory of the arena. Same bits for any number of threads.
mn_status mn_fgmres_solve(mn_context *c, mn_arena *arena, const mn_fgmres_problem *problem, const double *rhs,
                          double *x, double goal, mn_solve_report *report);

#endif
