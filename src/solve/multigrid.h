// SPDX-License-Identifier: MPL-2.0
// solve/multigrid.h - the pressure solver: CG in double, preconditioned by a float multigrid V-cycle on sparse tiles.
#ifndef MN_SOLVE_MULTIGRID_H
#define MN_SOLVE_MULTIGRID_H

#include "grid/tiles.h"
#include "solve/cg.h"

/// sum over faces of b (u_c - u_nb) + extra u_c = rhs in every unknown cell; u = 0 in the others
/// (known values go to rhs by the caller). Arrays hold tiles->count * tiles->cells values and are read by setup only.
typedef struct mn_pressure_system {
    const mn_tiles *tiles;
    const float    *b[3];     ///< coefficient of the low face of each cell, >= 0; b[2] is not read in two dimensions
    const uint8_t  *unknown;  ///< 1 where the cell is an unknown
    const float    *extra;    ///< further diagonal term per cell, >= 0; may be NULL
} mn_pressure_system;

typedef struct mn_multigrid mn_multigrid;

mn_status mn_multigrid_create(mn_context *context, mn_multigrid **out);
void      mn_multigrid_destroy(mn_multigrid **multigrid);

/// Build matrix and levels. All memory comes from `arena` and must live until the last solve with them.
mn_status mn_multigrid_setup(mn_multigrid *mg, const mn_pressure_system *system, mn_arena *arena);

/// Solve to |rhs - A x| <= tolerance |rhs|. x holds the start and receives the answer (zero where not unknown). It may
/// be rhs itself: then the start is zero, and the answer takes the place of the right-hand side. Not converging is an
/// outcome, not a status. Same bits for any number of threads.
mn_status mn_multigrid_solve(mn_multigrid *mg, const double *rhs, double *x, double tolerance, int max_iterations,
                             mn_solve_report *report);

/// Remove from v, over the caller's cells, its mean on each closed pocket and all of it where a cell has no coupling;
/// the largest that was removed. `pockets` (may be NULL) receives how many there are.
double mn_multigrid_remove_means(mn_multigrid *mg, double *v, int32_t *pockets);

/// y = A x and z = M r over the caller's arrays: the operator, for tests, and one V-cycle, for solvers of larger
/// systems.
mn_status mn_multigrid_apply(mn_multigrid *mg, const double *x, double *y);
mn_status mn_multigrid_cycle(mn_multigrid *mg, const double *r, double *z);

/// What a test may turn: the factor of the coarse correction (2) and the sweeps before and after (11 at most; 0: chosen
/// by setup).
typedef struct mn_multigrid_tuning {
    float correction;
    int   sweeps;
} mn_multigrid_tuning;

void mn_multigrid_tune(mn_multigrid *mg, mn_multigrid_tuning tuning);

typedef struct mn_multigrid_facts {
    int64_t unknowns, tiles;  ///< tiles that hold an unknown
    int     levels, sweeps;
    int64_t uniform_tiles;  ///< tiles of one constant coefficient, which need no matrix at all
} mn_multigrid_facts;

mn_multigrid_facts mn_multigrid_describe(const mn_multigrid *mg);

#endif
