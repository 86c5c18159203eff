// SPDX-License-Identifier: MPL-2.0
// solve/direct.h - direct factor of a sparse symmetric positive matrix of scalars, by CHOLMOD on one thread.
//
// The factor is the simplicial one, which needs no BLAS: same bits whatever that is. Its memory is CHOLMOD's own.
#ifndef MN_SOLVE_DIRECT_H
#define MN_SOLVE_DIRECT_H

#include "base/memory.h"

typedef struct mn_direct mn_direct;

/// The lower half by rows: entries of row i are column[start[i]] .. , ascending, the last one the diagonal.
typedef struct mn_direct_matrix {
    int64_t        rows;
    const int32_t *start, *column;
    const double  *value;
} mn_direct_matrix;

/// A matrix that is not positive definite is refused.
mn_status mn_direct_create(mn_context *c, const mn_direct_matrix *m, mn_direct **out);
void      mn_direct_destroy(mn_direct **d);
/// x = m^-1 b; x may be b. Not from two threads at once.
mn_status mn_direct_solve(mn_direct *d, const double *b, double *x);

#endif
