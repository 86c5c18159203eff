// SPDX-License-Identifier: MPL-2.0
// stain/conjugate.c - what conjugate gradients (solve/cg.h) ask of the vertices: three passes per iteration.
#include "stain/conjugate.h"

#include "solve/cg.h"

typedef struct pass {
    const mn_stain_system *a;
    const double          *b;
    double                *x, *r, *z, *p, *q;
    double                 alpha, beta, rz;
    double (*sum)[3];  ///< per block
    mn_pool *pool;
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

static void run(pass *s, mn_range_fn *fn, double out[3])
{
    const int64_t n = s->a->vertices;
    mn_parallel_for(s->pool, n, MN_STAIN_BLOCK, fn, s);
    out[0] = out[1] = out[2] = 0.0;
    for (int64_t b = 0; b * MN_STAIN_BLOCK < n; b++)
        for (int k = 0; k < 3; k++) out[k] += s->sum[b][k];
}

/// z was made with r.
static double known_rz(void *self, bool first)
{
    (void)first;
    return ((pass *)self)->rz;
}

static double direct(void *self, bool first, double beta)
{
    pass  *s = self;
    double sum[3];
    s->beta = beta;
    if (!first) mn_parallel_for(s->pool, s->a->vertices, MN_STAIN_BLOCK, turn, s);
    run(s, multiply, sum);
    return sum[0];
}

static double step(void *self, double alpha)
{
    pass  *s = self;
    double sum[3];
    s->alpha = alpha;
    run(s, advance, sum);
    s->rz = sum[1];
    return sqrt(sum[0]);
}

static void solve(pass *s, double tolerance, int max_iterations, mn_stain_solve_report *report)
{
    double          sum[3];
    const mn_cg     cg = { .self = s, .precondition = known_rz, .direct = direct, .advance = step, .pool = s->pool };
    mn_solve_report r  = { 0 };
    run(s, start, sum);
    s->rz                 = sum[1];
    const double     norm = sqrt(sum[2]);
    const mn_cg_stop stop = { .tolerance  = tolerance * norm,
                              .margin     = 1.0,
                              .gain       = INFINITY,
                              .iterations = max_iterations };
    report->converged     = mn_cg_solve(&cg, sqrt(sum[0]), &stop, &r) > 0;
    report->iterations    = r.iterations;
    report->residual      = norm > 0.0 ? r.residual_last / norm : r.residual_last;
}

mn_status mn_stain_conjugate(mn_pool *pool, const mn_stain_system *a, const double *b, double *x, double tolerance,
                             int max_iterations, mn_arena *arena, mn_stain_solve_report *report)
{
    const mn_arena_mark mark = mn_arena_begin(arena);
    const int64_t       n = a->vertices * a->width, blocks = a->vertices / MN_STAIN_BLOCK + 1;
    pass                s = { .a = a, .b = b, .x = x, .pool = pool };
    s.r                   = mn_arena_array(arena, double, n);
    s.z                   = mn_arena_array(arena, double, n);
    s.p                   = mn_arena_array(arena, double, n);
    s.q                   = mn_arena_array(arena, double, n);
    s.sum                 = mn_arena_take(arena, mn_array_bytes(blocks, sizeof *s.sum));
    const bool ok         = s.r != NULL && s.z != NULL && s.p != NULL && s.q != NULL && s.sum != NULL;
    *report               = (mn_stain_solve_report){ 0 };
    if (ok) solve(&s, tolerance, max_iterations, report);
    mn_arena_end(arena, mark);
    return ok ? MN_OK : MN_ERR_MEMORY;
}
