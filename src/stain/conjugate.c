// SPDX-License-Identifier: MPL-2.0
// stain/conjugate.c - conjugate gradients in three passes over the vertices per iteration.
#include "stain/conjugate.h"

#include <math.h>

typedef struct pass {
    const mn_stain_system *a;
    const double          *b;
    double                *x, *r, *z, *p, *q;
    double                 alpha, beta;
    double (*sum)[3];  ///< per block
} pass;

static void start(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const pass   *s      = context;
    const int64_t w      = s->a->width;
    double        square = 0.0, known = 0.0, dot = 0.0;
    s->a->multiply(s->a->self, begin, end, s->x, s->q);
    for (int64_t i = w * begin; i < w * end; i++) {
        s->r[i] = s->b[i] - s->q[i];
        square += s->r[i] * s->r[i];
        known += s->b[i] * s->b[i];
    }
    s->a->precondition(s->a->self, begin, end, s->r, s->z);
    for (int64_t i = w * begin; i < w * end; i++) {
        s->p[i] = s->z[i];
        dot += s->r[i] * s->z[i];
    }
    double *sum = s->sum[begin / MN_STAIN_BLOCK];
    sum[0] = square, sum[1] = dot, sum[2] = known;
}

static void multiply(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const pass   *s   = context;
    const int64_t w   = s->a->width;
    double        dot = 0.0;
    s->a->multiply(s->a->self, begin, end, s->p, s->q);
    for (int64_t i = w * begin; i < w * end; i++) dot += s->p[i] * s->q[i];
    double *sum = s->sum[begin / MN_STAIN_BLOCK];
    sum[0] = dot, sum[1] = sum[2] = 0.0;
}

static void advance(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const pass   *s      = context;
    const int64_t w      = s->a->width;
    double        square = 0.0, dot = 0.0;
    for (int64_t i = w * begin; i < w * end; i++) {
        s->x[i] += s->alpha * s->p[i];
        s->r[i] -= s->alpha * s->q[i];
        square += s->r[i] * s->r[i];
    }
    s->a->precondition(s->a->self, begin, end, s->r, s->z);
    for (int64_t i = w * begin; i < w * end; i++) dot += s->r[i] * s->z[i];
    double *sum = s->sum[begin / MN_STAIN_BLOCK];
    sum[0] = square, sum[1] = dot, sum[2] = 0.0;
}

static void turn(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const pass   *s = context;
    const int64_t w = s->a->width;
    for (int64_t i = w * begin; i < w * end; i++) s->p[i] = s->z[i] + s->beta * s->p[i];
}

static void run(mn_pool *pool, pass *s, mn_range_fn *fn, double out[3])
{
    const int64_t n = s->a->vertices;
    mn_parallel_for(pool, n, MN_STAIN_BLOCK, fn, s);
    out[0] = out[1] = out[2] = 0.0;
    for (int64_t b = 0; b * MN_STAIN_BLOCK < n; b++)
        for (int k = 0; k < 3; k++) out[k] += s->sum[b][k];
}

static void iterate(mn_pool *pool, pass *s, double tolerance, int max_iterations, mn_stain_solve_report *report)
{
    double sum[3];
    run(pool, s, start, sum);
    const double norm = sqrt(sum[2]), enough = tolerance * norm;
    double       rho = sum[1], size = sqrt(sum[0]);
    while (size > enough && report->iterations < max_iterations) {
        run(pool, s, multiply, sum);
        if (!(sum[0] > 0.0)) break;  // not positive definite, or not finite
        s->alpha = rho / sum[0];
        run(pool, s, advance, sum);
        report->iterations++;
        size    = sqrt(sum[0]);
        s->beta = sum[1] / rho;
        rho     = sum[1];
        if (size > enough) mn_parallel_for(pool, s->a->vertices, MN_STAIN_BLOCK, turn, s);
    }
    report->converged = size <= enough;
    report->residual  = norm > 0.0 ? size / norm : size;
}

mn_status mn_stain_conjugate(mn_pool *pool, const mn_stain_system *a, const double *b, double *x, double tolerance,
                             int max_iterations, mn_arena *arena, mn_stain_solve_report *report)
{
    const mn_arena_mark mark = mn_arena_begin(arena);
    const int64_t       n = a->vertices * a->width, blocks = a->vertices / MN_STAIN_BLOCK + 1;
    pass                s = { .a = a, .b = b, .x = x };
    s.r                   = mn_arena_array(arena, double, n);
    s.z                   = mn_arena_array(arena, double, n);
    s.p                   = mn_arena_array(arena, double, n);
    s.q                   = mn_arena_array(arena, double, n);
    s.sum                 = mn_arena_take(arena, mn_array_bytes(blocks, sizeof *s.sum));
    const bool ok         = s.r != NULL && s.z != NULL && s.p != NULL && s.q != NULL && s.sum != NULL;
    *report               = (mn_stain_solve_report){ 0 };
    if (ok) iterate(pool, &s, tolerance, max_iterations, report);
    mn_arena_end(arena, mark);
    return ok ? MN_OK : MN_ERR_MEMORY;
}
