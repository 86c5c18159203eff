// SPDX-License-Identifier: MPL-2.0
// solve/cholesky.c - the edge to CHOLMOD.
#include "solve/cholesky.h"

#include "solve/cholmod_start.h"

#include <limits.h>

struct mn_cholesky {
    mn_context     *context;
    cholmod_common  common;
    cholmod_sparse *matrix;  // upper half by columns
    cholmod_factor *factor;
    cholmod_dense  *rhs;
    int32_t        *unknown;  // number of each of the 3 rows unknowns, -1 if fixed
    int64_t         values;   // 3 rows
    bool            has_factor;
};

static mn_status broken(mn_cholesky *ch, const char *what)
{
    if (ch->common.status == CHOLMOD_OUT_OF_MEMORY)
        return mn_fail(ch->context, MN_ERR_MEMORY, "no memory for the %s of a direct solver", what);
    return mn_fail(ch->context, MN_ERR_SOLVE, "the direct solver could not make its %s (status %d)", what,
                   ch->common.status);
}

/// Column j of the upper half is row j up to its diagonal. With `fill` the values are written, otherwise the pattern.
static int64_t write_column(const mn_cholesky *ch, const mn_block_matrix *m, const double *add, int64_t value,
                            int64_t at, bool fill)
{
    int          *index = ch->matrix != NULL ? ch->matrix->i : NULL;
    double       *entry = ch->matrix != NULL ? ch->matrix->x : NULL;
    const int64_t row = value / 3, k = value % 3;
    for (int64_t e = m->start[row]; e < m->start[row + 1] && m->column[e] < row; e++)
        for (int j = 0; j < 3; j++) {
            const int32_t u = ch->unknown[3 * (int64_t)m->column[e] + j];
            if (u < 0) continue;
            if (fill)
                index[at] = u,
                entry[at] = m->block != NULL ? m->block[9 * e + 3 * k + j] : (double)m->block_f[9 * e + 3 * k + j];
            at++;
        }
    for (int64_t j = 0; j <= k; j++) {
        const int32_t u = ch->unknown[3 * row + j];
        if (u < 0) continue;
        // The two halves of a diagonal block may differ by round-off; their mean is what is meant.
        if (fill)
            index[at] = u, entry[at] = 0.5 * (m->diagonal[9 * row + 3 * k + j] + m->diagonal[9 * row + 3 * j + k]) +
                                       (j == k && add != NULL ? add[value] : 0.0);
        at++;
    }
    return at;
}

static int64_t write_matrix(const mn_cholesky *ch, const mn_block_matrix *m, const double *add, bool fill)
{
    int64_t at = 0;
    for (int64_t value = 0; value < ch->values; value++) {
        if (ch->unknown[value] < 0) continue;
        if (fill) ((int *)ch->matrix->p)[ch->unknown[value]] = (int)at;
        at = write_column(ch, m, add, value, at, fill);
    }
    if (fill) ((int *)ch->matrix->p)[ch->matrix->ncol] = (int)at;
    return at;
}

static mn_status analyse(mn_cholesky *ch, const mn_block_matrix *m, const uint8_t *fixed)
{
    int64_t unknowns = 0;
    ch->unknown      = mn_alloc_array(ch->context, int32_t, ch->values);
    if (ch->unknown == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < ch->values; v++) ch->unknown[v] = fixed != NULL && fixed[v] ? -1 : (int32_t)unknowns++;
    const int64_t entries = write_matrix(ch, m, NULL, false);
    if (unknowns == 0) return mn_fail(ch->context, MN_ERR_ARGUMENT, "a direct solver was given no unknown");
    if (entries > INT_MAX)
        return mn_fail(ch->context, MN_ERR_ARGUMENT, "a matrix of %lld entries is too large for the direct solver",
                       (long long)entries);
    const size_t n = (size_t)unknowns;
    ch->matrix     = cholmod_allocate_sparse(n, n, (size_t)entries, 1, 1, 1, CHOLMOD_REAL, &ch->common);
    ch->rhs        = cholmod_allocate_dense(n, 1, n, CHOLMOD_REAL, &ch->common);
    if (ch->matrix == NULL || ch->rhs == NULL) return broken(ch, "matrix");
    write_matrix(ch, m, NULL, true);
    ch->factor = cholmod_analyze(ch->matrix, &ch->common);
    return ch->factor != NULL ? MN_OK : broken(ch, "order of elimination");
}

mn_status mn_cholesky_create(mn_context *c, const mn_block_matrix *m, const uint8_t *fixed, mn_cholesky **out)
{
    *out = NULL;
    if (m->rows > INT32_MAX / 3)
        return mn_fail(c, MN_ERR_ARGUMENT, "a matrix of %lld rows is too large for the direct solver",
                       (long long)m->rows);
    if (m->part > 0)
        return mn_fail(c, MN_ERR_ARGUMENT, "the direct solver needs every block of a matrix; a half matrix lacks some");
    mn_cholesky *ch = mn_alloc(c, sizeof *ch);
    if (ch == NULL) return MN_ERR_MEMORY;
    ch->context = c;
    ch->values  = 3 * m->rows;
    mn_cholmod_start(&ch->common);
    const mn_status st = analyse(ch, m, fixed);
    if (st != MN_OK) mn_cholesky_destroy(&ch);
    *out = ch;
    return st;
}

void mn_cholesky_destroy(mn_cholesky **solver)
{
    mn_cholesky *ch = *solver;
    if (ch == NULL) return;
    mn_context *c = ch->context;
    cholmod_free_sparse(&ch->matrix, &ch->common);
    cholmod_free_factor(&ch->factor, &ch->common);
    cholmod_free_dense(&ch->rhs, &ch->common);
    cholmod_finish(&ch->common);
    mn_free(c, ch->unknown);
    mn_free(c, ch);
    *solver = NULL;
}

mn_status mn_cholesky_factor(mn_cholesky *ch, const mn_block_matrix *m, const double *add, bool *positive)
{
    MN_ASSERT(3 * m->rows == ch->values);
    write_matrix(ch, m, add, true);
    ch->common.status = CHOLMOD_OK;
    const int done    = cholmod_factorize(ch->matrix, ch->factor, &ch->common);
    if (!done || ch->common.status < CHOLMOD_OK) return broken(ch, "factor");
    *positive      = ch->common.status != CHOLMOD_NOT_POSDEF && ch->factor->minor == ch->factor->n;
    ch->has_factor = *positive;
    return MN_OK;
}

mn_status mn_cholesky_solve(mn_cholesky *ch, const double *b, double *x)
{
    if (!ch->has_factor)
        return mn_fail(ch->context, MN_ERR_STATE, "a direct solver was asked to solve without a factor");
    double *rhs = ch->rhs->x;
    for (int64_t v = 0; v < ch->values; v++)
        if (ch->unknown[v] >= 0) rhs[ch->unknown[v]] = b[v];
    cholmod_dense *solution = cholmod_solve(CHOLMOD_A, ch->factor, ch->rhs, &ch->common);
    if (solution == NULL) return broken(ch, "solution");
    for (int64_t v = 0; v < ch->values; v++) x[v] = ch->unknown[v] >= 0 ? ((double *)solution->x)[ch->unknown[v]] : 0.0;
    cholmod_free_dense(&solution, &ch->common);
    return MN_OK;
}
