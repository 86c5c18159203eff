// SPDX-License-Identifier: MPL-2.0
// solve/cholesky.h - direct factors of symmetric block matrices, by CHOLMOD on one thread.
//
// For statics, eigenmodes and checks. The factor is the simplicial one, which needs no BLAS: same bits whatever that
// is. The memory of the factor is CHOLMOD's own.
#ifndef MN_SOLVE_CHOLESKY_H
#define MN_SOLVE_CHOLESKY_H

#include "solve/block_matrix.h"

typedef struct mn_cholesky mn_cholesky;

/// Choose the order of elimination for the pattern of `m`. `fixed` (3 per row, or NULL): unknowns that are held at 0.
mn_status mn_cholesky_create(mn_context *c, const mn_block_matrix *m, const uint8_t *fixed, mn_cholesky **out);
void      mn_cholesky_destroy(mn_cholesky **ch);

/// Factor m + diag(add); `add` has 3 per row or is NULL. A matrix that is not positive definite is an outcome, not an
/// error: *positive is false and there is no factor.
mn_status mn_cholesky_factor(mn_cholesky *ch, const mn_block_matrix *m, const double *add, bool *positive);
/// x = (m + diag(add))^-1 b over arrays of 3 per row; x is 0 where it is fixed. x may be b.
mn_status mn_cholesky_solve(mn_cholesky *ch, const double *b, double *x);

#endif
