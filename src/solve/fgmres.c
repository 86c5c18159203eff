// SPDX-License-Identifier: MPL-2.0
// solve/fgmres.c - Arnoldi in a weighted inner product, Givens rotations, restarts from the true residual.
//
// Directions are made orthogonal by classical Gram-Schmidt, all products with earlier ones in one sweep over the new
// one: each block of it stays in the cache while the earlier ones pass by. Where that leaves little of it, once more.
#include "solve/fgmres.h"

#include "base/pool.h"

#include <math.h>
#include <string.h>

/// Part of a direction that must be left, or rounding has spoilt its angle to the others and it is made orthogonal
/// again.
#define LEFT_OVER 0.1
/// The recursion aims this much below the goal, so that its rounding does not cost a restart.
#define MARGIN 0.999
/// A restart that leaves more than this of the residual before has stalled.
#define STALLED 0.9

typedef struct basis {
    const mn_fgmres_problem *p;
    mn_pool                 *pool;
    double                 **v, **z;   ///< restart + 1 residual directions, restart preconditioned ones
    double                  *partial;  ///< per block: products with each v
    double                  *h;        ///< columns of the Hessenberg matrix, restart + 1 long, rotated
    double                  *cosine, *sine, *g, *dots;
    const double            *rhs;
    double                  *x, *w;  ///< w: the direction in hand
    int                      count;  ///< earlier directions
    double                   factor;
} basis;

static int64_t blocks_of(int64_t n) { return (n + MN_BLOCK - 1) / MN_BLOCK; }

/// Products of w with v[0 .. count-1] and with itself, block by block.
static void dot_blocks(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const basis  *b      = context;
    double       *sums   = b->partial + begin / MN_BLOCK * (b->p->restart + 2);
    const double *weight = b->p->weight;
    double        scaled[MN_BLOCK];
    for (int64_t i = begin; i < end; i++) scaled[i - begin] = weight[i] * b->w[i];
    for (int k = 0; k <= b->count; k++) {
        const double *v       = k < b->count ? b->v[k] : b->w;
        double        lane[4] = { 0.0 };
        int64_t       i       = begin;
        for (; i + 4 <= end; i += 4)
            for (int l = 0; l < 4; l++) lane[l] += scaled[i - begin + l] * v[i + l];
        for (; i < end; i++) lane[0] += scaled[i - begin] * v[i];
        sums[k] = (lane[0] + lane[1]) + (lane[2] + lane[3]);
    }
}

/// dots[k] = w.v[k], dots[count] = w.w.
static void make_dots(basis *b)
{
    const int64_t n = b->p->count;
    mn_parallel_for(b->pool, n, MN_BLOCK, dot_blocks, b);
    for (int k = 0; k <= b->count; k++) b->dots[k] = 0.0;
    for (int64_t block = 0; block < blocks_of(n); block++)
        for (int k = 0; k <= b->count; k++) b->dots[k] += b->partial[block * (b->p->restart + 2) + k];
}

/// w -= sum of dots[k] v[k].
static void subtract_blocks(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const basis *b = context;
    for (int k = 0; k < b->count; k++) {
        const double *v = b->v[k], s = b->dots[k];
        for (int64_t i = begin; i < end; i++) b->w[i] -= s * v[i];
    }
}

static void scale_blocks(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const basis *b = context;
    for (int64_t i = begin; i < end; i++) b->w[i] *= b->factor;
}

/// x += sum of dots[k] z[k].
static void advance_blocks(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const basis *b = context;
    for (int k = 0; k < b->count; k++) {
        const double *z = b->z[k], s = b->dots[k];
        for (int64_t i = begin; i < end; i++) b->x[i] += s * z[i];
    }
}

static void residual_blocks(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const basis *b = context;
    for (int64_t i = begin; i < end; i++) b->w[i] = b->rhs[i] - b->w[i];
}

/// The residual, from the directions: sum of dots[k] v[k].
static void combine_blocks(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const basis *b = context;
    for (int64_t i = begin; i < end; i++) b->p->residual[i] = b->dots[0] * b->v[0][i];
    for (int k = 1; k <= b->count; k++) {
        const double *v = b->v[k], s = b->dots[k];
        for (int64_t i = begin; i < end; i++) b->p->residual[i] += s * v[i];
    }
}

static void scale_direction(basis *b, double factor)
{
    b->factor = factor;
    mn_parallel_for(b->pool, b->p->count, MN_BLOCK, scale_blocks, b);
}

/// Make w orthogonal to the directions before, its products with them in `column`; what is left of its length.
static double orthogonalise(basis *b, double *column)
{
    for (int k = 0; k < b->count; k++) column[k] = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        make_dots(b);
        const double before = sqrt(b->dots[b->count]);
        double       rest   = b->dots[b->count];
        for (int k = 0; k < b->count; k++) {
            column[k] += b->dots[k];
            rest -= b->dots[k] * b->dots[k];
        }
        mn_parallel_for(b->pool, b->p->count, MN_BLOCK, subtract_blocks, b);
        if (!(rest < LEFT_OVER * LEFT_OVER * before * before)) break;
    }
    const int kept = b->count;
    b->count       = 0;  // its length as it is now, not as a difference
    make_dots(b);
    b->count = kept;
    return sqrt(b->dots[0]);
}

/// Turn a new column by the rotations before, and by one more that ends it; the residual that is left.
static double rotate(basis *b, double *column, int k)
{
    for (int i = 0; i < k; i++) {
        const double upper = column[i], lower = column[i + 1];
        column[i]     = b->cosine[i] * upper + b->sine[i] * lower;
        column[i + 1] = b->cosine[i] * lower - b->sine[i] * upper;
    }
    const double length = hypot(column[k], column[k + 1]);
    b->cosine[k]        = length > 0.0 ? column[k] / length : 1.0;
    b->sine[k]          = length > 0.0 ? column[k + 1] / length : 0.0;
    column[k]           = length;
    b->g[k + 1]         = -b->sine[k] * b->g[k];
    b->g[k] *= b->cosine[k];
    return fabs(b->g[k + 1]);
}

/// Solve the triangle and add the directions to x.
static void advance(basis *b, int k)
{
    const int stride = b->p->restart + 2;
    for (int i = k - 1; i >= 0; i--) {
        double sum = b->g[i];
        for (int j = i + 1; j < k; j++) sum -= b->h[j * stride + i] * b->dots[j];
        const double pivot = b->h[i * stride + i];
        b->dots[i]         = pivot != 0.0 ? sum / pivot : 0.0;
    }
    b->count = k;
    mn_parallel_for(b->pool, b->p->count, MN_BLOCK, advance_blocks, b);
}

/// What is left after k directions lies along the last one once the rotations are undone.
static void recursive_residual(basis *b, int k)
{
    b->dots[k] = b->g[k];
    for (int i = k - 1; i >= 0; i--) {
        b->dots[i] = -b->sine[i] * b->dots[i + 1];
        b->dots[i + 1] *= b->cosine[i];
    }
    b->count = k;
    mn_parallel_for(b->pool, b->p->count, MN_BLOCK, combine_blocks, b);
}

static mn_status take_vector(mn_arena *arena, int64_t n, double **slot)
{
    if (*slot == NULL) *slot = mn_arena_array(arena, double, n);
    return *slot != NULL ? MN_OK : MN_ERR_MEMORY;
}

/// One run of directions from the residual in v[0], of length g[0].
static mn_status run(basis *b, mn_arena *arena, double goal, mn_solve_report *report)
{
    const mn_fgmres_problem *p = b->p;
    int                      k = 0;
    for (double left = b->g[0]; k < p->restart && report->iterations < p->iterations && left > MARGIN * goal; k++) {
        if (mn_pool_interrupted(b->pool)) {
            report->outcome = MN_SOLVE_INTERRUPTED;
            return MN_OK;
        }
        double *column = b->h + (int64_t)k * (p->restart + 2);
        MN_TRY(take_vector(arena, p->count, &b->z[k]));
        MN_TRY(take_vector(arena, p->count, &b->v[k + 1]));
        b->w = b->v[k + 1];
        MN_TRY(p->precondition(b->v[k], b->z[k], b->w, p->context));
        report->iterations++;
        b->count      = k + 1;
        column[k + 1] = orthogonalise(b, column);
        if (!isfinite(column[k + 1])) {
            report->outcome = MN_SOLVE_NOT_FINITE;
            return MN_OK;
        }
        if (column[k + 1] > 0.0) scale_direction(b, 1.0 / column[k + 1]);
        left = rotate(b, column, k);
    }
    advance(b, k);
    if (p->residual != NULL) recursive_residual(b, k);
    return MN_OK;
}

/// v[0] = rhs - K x, of length 1; its length before.
static mn_status find_residual(basis *b, bool known, double *length)
{
    const size_t bytes = (size_t)b->p->count * sizeof(double);
    b->w               = b->v[0];
    if (known) {
        memcpy(b->w, b->p->residual, bytes);
    } else {
        MN_TRY(b->p->apply(b->x, b->w, b->p->context));
        mn_parallel_for(b->pool, b->p->count, MN_BLOCK, residual_blocks, b);
        if (b->p->residual != NULL) memcpy(b->p->residual, b->w, bytes);
    }
    b->count = 0;
    make_dots(b);
    *length = sqrt(b->dots[0]);
    if (*length > 0.0 && isfinite(*length)) scale_direction(b, 1.0 / *length);
    return MN_OK;
}

static mn_status iterate(basis *b, mn_arena *arena, double goal, mn_solve_report *report)
{
    double previous = INFINITY;
    for (bool first = true;; first = false) {
        MN_TRY(find_residual(b, b->p->residual != NULL && (b->p->known || !first), &b->g[0]));
        report->residual_last = b->g[0];
        if (first) report->residual_first = b->g[0];
        report->outcome = !isfinite(b->g[0])                       ? MN_SOLVE_NOT_FINITE
                          : b->g[0] <= goal                        ? MN_SOLVE_CONVERGED
                          : report->iterations >= b->p->iterations ? MN_SOLVE_ITERATIONS
                          : b->g[0] > STALLED * previous           ? MN_SOLVE_STALLED
                                                                   : 0;
        if (report->outcome != 0) return MN_OK;
        previous = b->g[0];
        MN_TRY(run(b, arena, goal, report));
        if (report->outcome != 0) return MN_OK;
    }
}

mn_status mn_fgmres_solve(mn_context *c, mn_arena *arena, const mn_fgmres_problem *p, const double *rhs, double *x,
                          double goal, mn_solve_report *report)
{
    if (!(goal > 0.0) || p->restart < 1 || p->iterations < 0)
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "goal %g, restart %d and %d iterations: the first two must be above 0, the third not below",
                       goal, p->restart, p->iterations);
    *report                    = (mn_solve_report){ 0 };
    const mn_arena_mark mark   = mn_arena_begin(arena);
    const int           n      = p->restart + 2;
    basis               b      = { .p       = p,
                                   .pool    = mn_context_pool(c),
                                   .rhs     = rhs,
                                   .x       = x,
                                   .v       = mn_arena_array_zero(arena, double *, n),
                                   .z       = mn_arena_array_zero(arena, double *, n),
                                   .partial = mn_arena_array(arena, double, (blocks_of(p->count) + 1) * n),
                                   .h       = mn_arena_array(arena, double, (int64_t)n *n),
                                   .cosine  = mn_arena_array(arena, double, n),
                                   .sine    = mn_arena_array(arena, double, n),
                                   .g       = mn_arena_array(arena, double, n),
                                   .dots    = mn_arena_array(arena, double, n) };
    mn_status           status = MN_ERR_MEMORY;
    if (b.v != NULL && b.z != NULL && b.partial != NULL && b.h != NULL && b.cosine != NULL && b.sine != NULL &&
        b.g != NULL && b.dots != NULL)
        status = take_vector(arena, p->count, &b.v[0]);
    if (status == MN_OK) status = iterate(&b, arena, goal, report);
    mn_arena_end(arena, mark);
    return status;
}
