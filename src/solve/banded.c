// SPDX-License-Identifier: MPL-2.0
// solve/banded.c - factor and solution of symmetric band matrices, row by row so that every inner loop is contiguous.
#include "solve/banded.h"

#include <math.h>
#include <string.h>

void mn_banded_zero(mn_banded *m)
{
    memset(m->value, 0, (size_t)mn_banded_values(m->size, m->half) * sizeof *m->value);
}

void mn_banded_fix(mn_banded *m, int32_t i, double known, double *rhs)
{
    for (int32_t j = i > m->half ? i - m->half : 0; j < i; j++) {
        rhs[j] -= *mn_banded_at(m, i, j) * known;
        *mn_banded_at(m, i, j) = 0.0;
    }
    for (int32_t j = i + 1; j < m->size && j <= i + m->half; j++) {
        rhs[j] -= *mn_banded_at(m, j, i) * known;
        *mn_banded_at(m, j, i) = 0.0;
    }
    *mn_banded_at(m, i, i) = 1.0;
    rhs[i]                 = known;
}

void mn_banded_multiply(const mn_banded *m, const double *x, double *y)
{
    for (int32_t i = 0; i < m->size; i++) {
        double sum = *mn_banded_at(m, i, i) * x[i];
        for (int32_t j = i > m->half ? i - m->half : 0; j < i; j++) sum += *mn_banded_at(m, i, j) * x[j];
        for (int32_t j = i + 1; j < m->size && j <= i + m->half; j++) sum += *mn_banded_at(m, j, i) * x[j];
        y[i] = sum;
    }
}

mn_banded_pivots mn_banded_factor(mn_banded *m)
{
    mn_banded_pivots out  = { 0 };
    const int32_t    half = m->half;
    for (int32_t i = 0; i < m->size; i++) {
        double *restrict row = m->value + (int64_t)i * (half + 1) + half - i;  // row[j] is entry (i, j)
        const int32_t first  = i > half ? i - half : 0;
        // First L D of this row, then L itself and the pivot.
        for (int32_t j = first; j < i; j++) {
            const double *restrict other = m->value + (int64_t)j * (half + 1) + half - j;
            const int32_t from           = j > half && j - half > first ? j - half : first;
            double        sum            = row[j];
            for (int32_t k = from; k < j; k++) sum -= row[k] * other[k];
            row[j] = sum;
        }
        double pivot = row[i];
        for (int32_t j = first; j < i; j++) {
            const double scaled = row[j] / m->value[(int64_t)j * (half + 1) + half];
            pivot -= row[j] * scaled;
            row[j] = scaled;
        }
        row[i] = pivot;
        out.negative += pivot < 0.0;
        if (pivot == 0.0 || !isfinite(pivot)) {
            out.broken = true;
            return out;
        }
    }
    return out;
}

void mn_banded_solve(const mn_banded *m, double *x)
{
    const int32_t half = m->half;
    for (int32_t i = 0; i < m->size; i++) {
        const double *restrict row = m->value + (int64_t)i * (half + 1) + half - i;
        double sum                 = x[i];
        for (int32_t j = i > half ? i - half : 0; j < i; j++) sum -= row[j] * x[j];
        x[i] = sum;
    }
    for (int32_t i = 0; i < m->size; i++) x[i] /= m->value[(int64_t)i * (half + 1) + half];
    for (int32_t i = m->size - 1; i >= 0; i--) {
        const double *restrict row = m->value + (int64_t)i * (half + 1) + half - i;
        const double known         = x[i];
        for (int32_t j = i > half ? i - half : 0; j < i; j++) x[j] -= row[j] * known;
    }
}
