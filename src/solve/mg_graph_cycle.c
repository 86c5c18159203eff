// SPDX-License-Identifier: MPL-2.0
// solve/mg_graph_cycle.c - the V-cycle on coarse levels that are graphs (liquid 5.10).
//
// Gauss-Seidel by colours, in mirrored order after the correction, so that the cycle is symmetric. A colour reads only
// values of other colours: the bits do not depend on the number of threads. What found no colour of its own shares the
// last one, whose unknowns follow each other in order, or in mirrored order.
#include "solve/mg_graph.h"

#include "base/random.h"
#include "solve/mg_ritz.h"

#include <math.h>
#include <string.h>

/// Double sweeps on the last level.
#define COARSEST_SWEEPS 16
/// Steps of CG that measure the range of a cycle.
#define RANGE_STEPS 6
/// The range they show is widened by this at its upper end.
#define RANGE_MARGIN 1.1
/// A range narrower than this needs no second cycle.
#define ONE_CYCLE_RANGE 1.3

typedef struct row_job {
    const mn_mg_graph *g, *coarse;
    const int32_t     *rows;
} row_job;

static float couplings(const mn_mg_graph *g, int32_t i)
{
    float sum = 0.0f;
    for (int32_t k = g->begin[i]; k < g->begin[i + 1]; k++) sum += g->weight[k] * g->x[g->to[k]];
    return sum;
}

static void smooth_row(const mn_mg_graph *g, int32_t i) { g->x[i] = (g->b[i] + couplings(g, i)) * g->inverse[i]; }

static void smooth_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const row_job *job = context;
    for (int64_t n = begin; n < end; n++) smooth_row(job->g, job->rows[n]);
}

static void smooth_colour(const mn_mg_graph *g, mn_pool *pool, int colour, bool forward)
{
    const int32_t count = g->colour_begin[colour + 1] - g->colour_begin[colour];
    row_job       job   = { .g = g, .rows = g->by_colour + g->colour_begin[colour] };
    if (colour < MN_MG_COLOURS - 1) mn_parallel_for(pool, count, MN_MG_ROWS, smooth_rows, &job);
    else
        for (int32_t n = 0; n < count; n++) smooth_row(g, job.rows[forward ? n : count - 1 - n]);
}

static void sweep(const mn_mg_graph *g, mn_pool *pool, bool forward)
{
    for (int c = 0; c < g->colours; c++) smooth_colour(g, pool, forward ? c : g->colours - 1 - c, forward);
}

static void restrict_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const row_job     *job = context;
    const mn_mg_graph *g   = job->g;
    for (int64_t a = begin; a < end; a++) {
        float sum = 0.0f;
        for (int32_t c = job->coarse->child_begin[a]; c < job->coarse->child_begin[a + 1]; c++) {
            const int32_t i = job->coarse->child[c];
            if (g->inverse[i] > 0.0f) sum += g->b[i] + couplings(g, i) - g->x[i] / g->inverse[i];
        }
        job->coarse->b[a] = sum;
    }
}

static void prolong_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const row_job *job = context;
    for (int64_t i = begin; i < end; i++) job->g->x[i] += job->coarse->x[job->g->parent[i]];
}
typedef struct load_job {
    const mn_mg_graph *g;
    const float       *residual;
} load_job;

static void load_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const load_job *job = context;
    for (int64_t a = begin; a < end; a++) {
        float sum = 0.0f;
        for (int32_t c = job->g->child_begin[a]; c < job->g->child_begin[a + 1]; c++)
            sum += job->residual[job->g->child[c]];
        job->g->b[a] = sum;
    }
}

void mn_mg_graph_load(const mn_mg_graphs *graphs, mn_pool *pool, const float *residual)
{
    load_job job = { &graphs->level[0], residual };
    mn_parallel_for(pool, graphs->level[0].count, MN_MG_ROWS, load_rows, &job);
}

typedef struct step_job {
    const mn_mg_graph *g;
    float              factor;
} step_job;

static void keep_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const step_job *job = context;
    for (int64_t i = begin; i < end; i++) job->g->kept[i] = job->factor * job->g->x[i];
}

static void residual_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const step_job    *job = context;
    const mn_mg_graph *g   = job->g;
    for (int64_t i = begin; i < end; i++)
        if (g->inverse[i] > 0.0f) g->b[i] += job->factor * (couplings(g, (int32_t)i) - g->x[i] / g->inverse[i]);
}

static void add_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const step_job *job = context;
    for (int64_t i = begin; i < end; i++) job->g->x[i] = job->g->kept[i] + job->factor * job->g->x[i];
}

static void one_cycle(const mn_mg_graphs *graphs, mn_pool *pool, int k, int sweeps);

/// x = V(b), or two of them as a polynomial of second degree. b is used up.
static void cycle_twice(const mn_mg_graphs *graphs, mn_pool *pool, int k, int sweeps)
{
    const mn_mg_graph *g = &graphs->level[k];
    one_cycle(graphs, pool, k, sweeps);
    if (g->step[0] == 0.0f) return;
    step_job job = { g, g->step[0] };
    mn_parallel_for(pool, g->count, MN_MG_ROWS, keep_rows, &job);
    mn_parallel_for(pool, g->count, MN_MG_ROWS, residual_rows, &job);
    one_cycle(graphs, pool, k, sweeps);
    job.factor = g->step[1];
    mn_parallel_for(pool, g->count, MN_MG_ROWS, add_rows, &job);
}

static void one_cycle(const mn_mg_graphs *graphs, mn_pool *pool, int k, int sweeps)
{
    const mn_mg_graph *g    = &graphs->level[k];
    const bool         last = k == graphs->levels - 1;
    memset(g->x, 0, (size_t)g->count * sizeof *g->x);
    for (int n = 0; n < (last ? COARSEST_SWEEPS : sweeps); n++) sweep(g, pool, true);
    if (!last) {
        row_job job = { .g = g, .coarse = g + 1 };
        mn_parallel_for(pool, g[1].count, MN_MG_ROWS, restrict_rows, &job);
        cycle_twice(graphs, pool, k + 1, sweeps);
        mn_parallel_for(pool, g->count, MN_MG_ROWS, prolong_rows, &job);
    }
    for (int n = 0; n < (last ? COARSEST_SWEEPS : sweeps); n++) sweep(g, pool, false);
}

void mn_mg_graph_cycle(const mn_mg_graphs *graphs, mn_pool *pool, int sweeps) { cycle_twice(graphs, pool, 0, sweeps); }

// --- the range of a cycle ---

static double dot(const float *a, const float *b, int32_t n)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; i++) sum += (double)a[i] * b[i];
    return sum;
}

/// The plain cycle of a level as a preconditioner of its matrix, and the vectors of conjugate gradients with it.
typedef struct range_job {
    const mn_mg_graphs *graphs;
    mn_pool            *pool;
    int                 level, sweeps;
    float              *r, *p, *q;
    double              rz;
} range_job;

/// An uneven start.
static void begin_range(range_job *job)
{
    const mn_mg_graph *g = &job->graphs->level[job->level];
    for (int32_t i = 0; i < g->count; i++)
        job->r[i] = g->inverse[i] > 0.0f ? (float)(mn_random(7, (uint64_t)i, 0, 0) - 0.5) / g->inverse[i] : 0.0f;
}

/// Once the residual is gone there is nothing left to measure: that ends the run.
static double precondition_range(void *self, bool first)
{
    range_job         *job = self;
    const mn_mg_graph *g   = &job->graphs->level[job->level];
    memcpy(g->b, job->r, (size_t)g->count * sizeof *job->r);
    one_cycle(job->graphs, job->pool, job->level, job->sweeps);
    const double before = job->rz;
    job->rz             = dot(job->r, g->x, g->count);
    return !first && job->rz < 1e-10 * before ? 0.0 : job->rz;
}

static double direct_range(void *self, bool first, double beta)
{
    range_job         *job = self;
    const mn_mg_graph *g   = &job->graphs->level[job->level];
    const int32_t      n   = g->count;
    for (int32_t i = 0; i < n; i++) job->p[i] = g->x[i] + (float)beta * (first ? 0.0f : job->p[i]);
    memcpy(g->x, job->p, (size_t)n * sizeof *job->p);
    for (int32_t i = 0; i < n; i++) job->q[i] = g->inverse[i] > 0.0f ? g->x[i] / g->inverse[i] - couplings(g, i) : 0.0f;
    return dot(job->p, job->q, n);
}

/// Nobody asks for the solution or for the size of what is left of the residual.
static double advance_range(void *self, double alpha)
{
    range_job         *job = self;
    const mn_mg_graph *g   = &job->graphs->level[job->level];
    for (int32_t i = 0; i < g->count; i++) job->r[i] -= (float)alpha * job->q[i];
    return 1.0;
}

/// Ritz values of a few steps of CG with the plain cycle of a level; the ends of their range.
static void measure_range(range_job *job, double range[2])
{
    mn_cg_record     record = { 0 };
    mn_solve_report  report = { 0 };
    const mn_cg      cg     = { .self         = job,
                                .precondition = precondition_range,
                                .direct       = direct_range,
                                .advance      = advance_range,
                                .record       = &record };
    const mn_cg_stop stop   = { .gain = INFINITY, .iterations = RANGE_STEPS };
    begin_range(job);
    mn_cg_solve(&cg, 1.0, &stop, &report);
    range[0] = record.steps > 0 ? mn_mg_ritz(&record, 0) : 1.0;
    range[1] = record.steps > 0 ? mn_mg_ritz(&record, record.steps - 1) : 1.0;
}

/// Two cycles in a row make the error polynomial (1 - s0 v)(1 - s1 v) of Chebyshev over the range of v. The pair stays
/// positive for v below low + high, so that a range measured somewhat too small does no harm.
mn_status mn_mg_graph_tune(mn_mg_graphs *graphs, mn_pool *pool, int sweeps, mn_arena *arena)
{
    const int32_t most = graphs->level[0].count;
    range_job     job  = { .graphs = graphs,
                           .pool   = pool,
                           .sweeps = sweeps,
                           .r      = mn_arena_array(arena, float, most),
                           .p      = mn_arena_array(arena, float, most),
                           .q      = mn_arena_array(arena, float, most) };
    if (job.r == NULL || job.p == NULL || job.q == NULL) return MN_ERR_MEMORY;
    for (int k = graphs->levels - 2; k >= 0; k--) {
        double range[2];
        job.level = k;
        measure_range(&job, range);
        const double low = range[0], high = RANGE_MARGIN * range[1];
        const double middle = 0.5 * (high + low), radius = 0.5 * (high - low) * sqrt(0.5);
        if (high < ONE_CYCLE_RANGE * low) continue;
        graphs->level[k].step[0] = (float)(1.0 / (middle + radius));
        graphs->level[k].step[1] = (float)(1.0 / (middle - radius));
    }
    return MN_OK;
}
