// SPDX-License-Identifier: MPL-2.0
// fabric/pores/flow_linear.c - the linear system of Newton's method for the flow: BiCGStab with the diagonal as
// preconditioner.
//
// The matrix is I plus a sum over links; its columns add up to 1. It is not symmetric, since a link carries what its
// upstream end holds, so that conjugate gradients (solve/cg.h) do not apply. Sums are made per block, in order: the
// same bits for any number of threads.
#include "fabric/pores/flow_private.h"

#include "base/pool.h"

#define FORCING    1e-3
#define ITERATIONS 400

/// One pass of the method: vectors in, sums out.
typedef struct pass {
    mn_flow *f;
    double  *residual, *shadow, *p, *jp, *s, *js, *x;
    double   alpha, omega, beta;
    double (*sum)[2];  ///< per block
} pass;

/// (J D^-1 z) at a vertex.
static double product(const mn_flow *f, const double *z, int64_t v)
{
    const mn_flow_links *l = f->links;
    double               y = z[v] * f->inverse[v];
    for (int64_t i = l->around_start[v]; i < l->around_start[v + 1]; i++) {
        const int32_t  k      = l->around[i] / 2;
        const int32_t *e      = l->end[k];
        const double   change = f->by[k][0] * (z[e[0]] * f->inverse[e[0]]) + f->by[k][1] * (z[e[1]] * f->inverse[e[1]]);
        y += l->around[i] % 2 == 0 ? change : -change;
    }
    return y;
}

static void start(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const pass *s      = context;
    double      square = 0.0;
    for (int64_t v = begin; v < end; v++) {
        s->residual[v] = s->shadow[v] = s->p[v] = -s->f->residual[v];
        s->x[v]                                 = 0.0;
        square += s->residual[v] * s->residual[v];
    }
    s->sum[begin / MN_FLOW_BLOCK][0] = square;
    s->sum[begin / MN_FLOW_BLOCK][1] = 0.0;
}

static void multiply_p(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const pass *s   = context;
    double      dot = 0.0;
    for (int64_t v = begin; v < end; v++) {
        s->jp[v] = product(s->f, s->p, v);
        dot += s->shadow[v] * s->jp[v];
    }
    s->sum[begin / MN_FLOW_BLOCK][0] = dot;
    s->sum[begin / MN_FLOW_BLOCK][1] = 0.0;
}

static void half_step(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const pass *s      = context;
    double      square = 0.0;
    for (int64_t v = begin; v < end; v++) {
        s->s[v] = s->residual[v] - s->alpha * s->jp[v];
        square += s->s[v] * s->s[v];
    }
    s->sum[begin / MN_FLOW_BLOCK][0] = square;
    s->sum[begin / MN_FLOW_BLOCK][1] = 0.0;
}

static void multiply_s(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const pass *s   = context;
    double      dot = 0.0, square = 0.0;
    for (int64_t v = begin; v < end; v++) {
        s->js[v] = product(s->f, s->s, v);
        dot += s->js[v] * s->s[v];
        square += s->js[v] * s->js[v];
    }
    s->sum[begin / MN_FLOW_BLOCK][0] = dot;
    s->sum[begin / MN_FLOW_BLOCK][1] = square;
}

static void whole_step(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const pass *s      = context;
    double      square = 0.0, dot = 0.0;
    for (int64_t v = begin; v < end; v++) {
        s->x[v] += s->alpha * s->p[v] + s->omega * s->s[v];
        s->residual[v] = s->s[v] - s->omega * s->js[v];
        square += s->residual[v] * s->residual[v];
        dot += s->residual[v] * s->shadow[v];
    }
    s->sum[begin / MN_FLOW_BLOCK][0] = square;
    s->sum[begin / MN_FLOW_BLOCK][1] = dot;
}

static void turn(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const pass *s = context;
    for (int64_t v = begin; v < end; v++) s->p[v] = s->residual[v] + s->beta * (s->p[v] - s->omega * s->jp[v]);
}

static void run(pass *s, mn_range_fn *fn, double out[2])
{
    const int64_t n = s->f->q->vertices.count;
    mn_parallel_for(s->f->pool, n, MN_FLOW_BLOCK, fn, s);
    out[0] = out[1] = 0.0;
    for (int64_t b = 0; b * MN_FLOW_BLOCK < n; b++)
        for (int k = 0; k < 2; k++) out[k] += s->sum[b][k];
}

/// True once the residual is small enough; false if the method broke down or took too long.
static bool iterate(pass *s)
{
    double sum[2];
    run(s, start, sum);
    const double enough = FORCING * FORCING * sum[0];
    double       rho    = sum[0];
    for (int k = 0; k < ITERATIONS; k++) {
        if (mn_pool_interrupted(s->f->pool)) return false;
        run(s, multiply_p, sum);
        s->f->report.products += 2;
        if (!(fabs(sum[0]) > 0.0)) return false;
        s->alpha = rho / sum[0];
        run(s, half_step, sum);
        s->omega = 0.0;
        if (sum[0] > 0.0) {
            run(s, multiply_s, sum);
            if (!(sum[1] > 0.0)) return false;
            s->omega = sum[0] / sum[1];
        }
        run(s, whole_step, sum);
        if (sum[0] <= enough) return true;
        if (!(fabs(s->omega) > 0.0) || !(fabs(rho) > 0.0)) return false;
        s->beta = sum[1] / rho * (s->alpha / s->omega);
        rho     = sum[1];
        mn_parallel_for(s->f->pool, s->f->q->vertices.count, MN_FLOW_BLOCK, turn, s);
    }
    return false;
}

bool mn_flow_direction(mn_flow *f, double *direction)
{
    pass s = { .f        = f,
               .x        = direction,
               .residual = f->work[1],
               .shadow   = f->work[2],
               .p        = f->work[3],
               .jp       = f->work[4],
               .s        = f->work[5],
               .js       = f->work[6],
               .sum      = f->pairs };
    if (!iterate(&s)) return false;
    for (int64_t v = 0; v < f->q->vertices.count; v++) direction[v] *= f->inverse[v];
    return true;
}
