// SPDX-License-Identifier: MPL-2.0
// solve/banded.h - symmetric band matrices and their factor L D L^T: one strand of hair or yarn is one of them.
//
// No pivoting: the order of unknowns is the order along the strand. An indefinite matrix is factored too, and the signs
// of D count its negative eigenvalues (Sylvester): the test of stability.
#ifndef MN_SOLVE_BANDED_H
#define MN_SOLVE_BANDED_H

#include "base/context.h"

/// Row i holds its entries in columns i - half .. i; those left of column 0 are unused.
typedef struct mn_banded {
    int32_t size, half;
    double *value;  ///< size * (half + 1)
} mn_banded;

static inline int64_t mn_banded_values(int32_t size, int32_t half) { return (int64_t)size * (half + 1); }
/// Entry (row, column) with column <= row and row - column <= half.
static inline double *mn_banded_at(const mn_banded *m, int32_t row, int32_t column)
{
    MN_ASSERT(column <= row && row - column <= m->half);
    return &m->value[(int64_t)row * (m->half + 1) + (m->half - row + column)];
}
/// Add to an entry on either side of the diagonal; of a symmetric pair only one is to be added.
static inline void mn_banded_add(mn_banded *m, int32_t i, int32_t j, double a)
{
    *mn_banded_at(m, i > j ? i : j, i > j ? j : i) += a;
}

void mn_banded_zero(mn_banded *m);
/// Make row and column `i` those of the identity and move the known value of x[i] to the right-hand side.
void mn_banded_fix(mn_banded *m, int32_t i, double known, double *rhs);
/// y = A x.
void mn_banded_multiply(const mn_banded *m, const double *x, double *y);

typedef struct mn_banded_pivots {
    int32_t negative;  ///< pivots below zero
    bool    broken;    ///< a pivot is zero or not finite: there is no factor
} mn_banded_pivots;
/// A = L D L^T in place: D on the diagonal, L below it.
mn_banded_pivots mn_banded_factor(mn_banded *m);
/// Solve with the factor, in place.
void mn_banded_solve(const mn_banded *factor, double *x);

#endif
