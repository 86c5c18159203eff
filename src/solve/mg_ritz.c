// SPDX-License-Identifier: MPL-2.0
// solve/mg_ritz.c - eigenvalues that conjugate gradients reveal on their way, by bisection on the sign count.
#include "solve/mg_ritz.h"

#include <float.h>
#include <math.h>

/// Eigenvalues of the tridiagonal matrix below a value.
static int count_below(const double *diagonal, const double *square, int n, double value)
{
    double pivot = 1.0;
    int    below = 0;
    for (int k = 0; k < n; k++) {
        pivot = diagonal[k] - value - (k > 0 ? square[k] / pivot : 0.0);
        if (pivot == 0.0) pivot = DBL_MIN;
        below += pivot < 0.0;
    }
    return below;
}

double mn_mg_ritz(const mn_cg_record *record, int which)
{
    const double *alpha = record->alpha, *beta = record->beta;
    const int     n = record->steps;
    double        diagonal[MN_CG_RECORD], square[MN_CG_RECORD + 1], low = INFINITY, high = -INFINITY;
    for (int k = 0; k < n; k++) {
        diagonal[k] = 1.0 / alpha[k] + (k > 0 ? beta[k] / alpha[k - 1] : 0.0);
        square[k]   = k > 0 ? beta[k] / (alpha[k - 1] * alpha[k - 1]) : 0.0;
    }
    square[n] = 0.0;
    for (int k = 0; k < n; k++) {  // discs of Gershgorin
        const double radius = sqrt(square[k]) + sqrt(square[k + 1]);
        low                 = fmin(low, diagonal[k] - radius);
        high                = fmax(high, diagonal[k] + radius);
    }
    for (int step = 0; step < 100; step++) {
        const double middle = 0.5 * (low + high);
        if (count_below(diagonal, square, n, middle) > which) high = middle;
        else low = middle;
    }
    return 0.5 * (low + high);
}
