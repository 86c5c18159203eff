// SPDX-License-Identifier: MPL-2.0
// solve/direct.c - scalar matrices at the edge to CHOLMOD.
#include "solve/direct.h"

#include "solve/cholmod_start.h"

#include <limits.h>
#include <string.h>

struct mn_direct {
    mn_context     *context;
    cholmod_common  common;
    cholmod_factor *factor;
    cholmod_dense  *rhs, *x, *y, *e;
    int64_t         rows;
};

static mn_status broken(mn_direct *d, const char *what)
{
    if (d->common.status == CHOLMOD_OUT_OF_MEMORY)
        return mn_fail(d->context, MN_ERR_MEMORY, "no memory for the %s of a direct solver", what);
    return mn_fail(d->context, MN_ERR_SOLVE, "the direct solver could not make its %s (status %d)", what,
                   d->common.status);
}

/// Rows of the lower half are columns of the upper one.
static mn_status factor(mn_direct *d, const mn_direct_matrix *m)
{
    const size_t    n = (size_t)m->rows, entries = (size_t)m->start[m->rows];
    cholmod_sparse *a = cholmod_allocate_sparse(n, n, entries, 1, 1, 1, CHOLMOD_REAL, &d->common);
    if (a == NULL) return broken(d, "matrix");
    memcpy(a->p, m->start, (n + 1) * sizeof(int32_t));
    memcpy(a->i, m->column, entries * sizeof(int32_t));
    memcpy(a->x, m->value, entries * sizeof(double));
    d->factor      = cholmod_analyze(a, &d->common);
    const int done = d->factor != NULL && cholmod_factorize(a, d->factor, &d->common);
    cholmod_free_sparse(&a, &d->common);
    if (!done || d->common.status < CHOLMOD_OK) return broken(d, "factor");
    if (d->common.status == CHOLMOD_NOT_POSDEF)
        return mn_fail(d->context, MN_ERR_SOLVE, "a matrix for the direct solver is not positive definite");
    d->rhs = cholmod_allocate_dense(n, 1, n, CHOLMOD_REAL, &d->common);
    return d->rhs != NULL ? MN_OK : broken(d, "vectors");
}

mn_status mn_direct_create(mn_context *c, const mn_direct_matrix *m, mn_direct **out)
{
    *out = NULL;
    if (m->rows < 1 || m->rows > INT_MAX - 1)
        return mn_fail(c, MN_ERR_ARGUMENT, "a direct solver was given %lld rows", (long long)m->rows);
    mn_direct *d = mn_alloc(c, sizeof *d);
    if (d == NULL) return MN_ERR_MEMORY;
    d->context = c;
    d->rows    = m->rows;
    mn_cholmod_start(&d->common);
    const mn_status st = factor(d, m);
    if (st != MN_OK) mn_direct_destroy(&d);
    *out = d;
    return st;
}

void mn_direct_destroy(mn_direct **solver)
{
    mn_direct *d = *solver;
    if (d == NULL) return;
    cholmod_free_factor(&d->factor, &d->common);
    cholmod_dense **const vectors[] = { &d->rhs, &d->x, &d->y, &d->e };
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) cholmod_free_dense(vectors[k], &d->common);
    cholmod_finish(&d->common);
    mn_free(d->context, d);
    *solver = NULL;
}

mn_status mn_direct_solve(mn_direct *d, const double *b, double *x)
{
    memcpy(d->rhs->x, b, (size_t)d->rows * sizeof(double));
    if (!cholmod_solve2(CHOLMOD_A, d->factor, d->rhs, NULL, &d->x, NULL, &d->y, &d->e, &d->common))
        return broken(d, "solution");
    memcpy(x, d->x->x, (size_t)d->rows * sizeof(double));
    return MN_OK;
}
