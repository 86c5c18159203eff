// SPDX-License-Identifier: MPL-2.0
// base/sum.h - sums whose rounding error is carried along.
#ifndef MN_BASE_SUM_H
#define MN_BASE_SUM_H

/// sum += term, with the rounding error of the sum so far in *carry (0 at first).
static inline void mn_add_carry(double *sum, double *carry, double term)
{
    const double fixed = term - *carry, next = *sum + fixed;
    *carry = (next - *sum) - fixed;
    *sum   = next;
}

#endif
