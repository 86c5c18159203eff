// SPDX-License-Identifier: MPL-2.0
// stain/matrix.c - products with a diffusion matrix, its preconditioners, and moving masses by flows.
#include "stain/matrix.h"

/// Above this ratio of conductance to capacity the diagonal alone is a poor preconditioner (bench_stain: equal cost at 1).
#define STIFF 1.0
/// Sweeps that repair negative masses; deficits of a solve to 1e-3 were gone after 4 in all tests.
#define REPAIRS 64

static void multiply(const void *self, int64_t begin, int64_t end, const double *x, double *y)
{
    const mn_stain_matrix *m = self;
    const mn_stain_links  *l = m->links;
    for (int64_t v = begin; v < end; v++) {
        double sum = 0.0;
        for (int32_t i = l->start[v]; i < l->start[v + 1]; i++) sum += m->conductance[l->around[i] >> 1] * (x[v] - x[l->neighbour[i]]);
        y[v] = m->capacity[v] * x[v] + m->h * sum;
    }
}

static void by_diagonal(const void *self, int64_t begin, int64_t end, const double *r, double *z)
{
    const mn_stain_matrix *m = self;
    for (int64_t v = begin; v < end; v++) z[v] = r[v] * m->inverse[v];
}

/// Symmetric Gauss-Seidel on the links inside the block.
static void by_sweeps(const void *self, int64_t begin, int64_t end, const double *r, double *z)
{
    const mn_stain_matrix *m = self;
    const mn_stain_links  *l = m->links;
    for (int64_t v = begin; v < end; v++) {
        double sum = 0.0;
        for (int32_t i = l->start[v]; i < l->start[v + 1]; i++) {
            const int32_t o = l->neighbour[i];
            if (o >= begin && o < v) sum += m->conductance[l->around[i] >> 1] * z[o];
        }
        z[v] = (r[v] + m->h * sum) * m->inverse[v];
    }
    for (int64_t v = end - 1; v >= begin; v--) {
        double sum = 0.0;
        for (int32_t i = l->start[v]; i < l->start[v + 1]; i++) {
            const int32_t o = l->neighbour[i];
            if (o > v && o < end) sum += m->conductance[l->around[i] >> 1] * z[o];
        }
        z[v] += m->h * sum * m->inverse[v];
    }
}

static double prepare_block(int64_t begin, int64_t end, void *context)
{
    const mn_stain_matrix *m = context;
    const mn_stain_links  *l = m->links;
    double                 most = 0.0;
    for (int64_t v = begin; v < end; v++) {
        double sum = 0.0;
        for (int32_t i = l->start[v]; i < l->start[v + 1]; i++) sum += m->conductance[l->around[i] >> 1];
        const double diagonal = m->capacity[v] + m->h * sum;
        m->inverse[v]         = diagonal > 0.0 ? 1.0 / diagonal : 0.0;
        if (m->capacity[v] > 0.0) most = fmax(most, m->h * sum / m->capacity[v]);
    }
    return most;
}

mn_status mn_stain_matrix_prepare(mn_pool *pool, mn_stain_matrix *m, mn_arena *arena)
{
    m->inverse = mn_arena_array(arena, double, m->links->vertex_count);
    if (m->inverse == NULL) return MN_ERR_MEMORY;
    m->stiff = mn_parallel_max(pool, m->links->vertex_count, prepare_block, m) > STIFF;
    return MN_OK;
}

mn_stain_system mn_stain_matrix_system(const mn_stain_matrix *m)
{
    return (mn_stain_system){ m->links->vertex_count, 1, multiply, m->stiff ? by_sweeps : by_diagonal, m };
}

typedef struct flows_job { const mn_stain_matrix *m; const double *x; double *flow; } flows_job;

static void flows_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const flows_job *j = context;
    for (int64_t k = begin; k < end; k++) {
        const int32_t *e = j->m->links->end[k];
        j->flow[k]       = j->m->h * j->m->conductance[k] * (j->x[e[0]] - j->x[e[1]]);
    }
}

void mn_stain_matrix_flows(mn_pool *pool, const mn_stain_matrix *m, const double *x, double *flow)
{
    flows_job job = { m, x, flow };
    mn_parallel_for(pool, m->links->count, 4 * MN_STAIN_BLOCK, flows_block, &job);
}

typedef struct move_job {
    const mn_stain_links *l;
    double               *flow, *mass, *share;
} move_job;

/// What a vertex gains and gives.
static void sums_at(const mn_stain_links *l, const double *flow, int64_t v, double *in, double *out)
{
    *in = *out = 0.0;
    for (int32_t i = l->start[v]; i < l->start[v + 1]; i++) {
        const double gain = l->around[i] & 1 ? flow[l->around[i] >> 1] : -flow[l->around[i] >> 1];
        if (gain > 0.0) *in += gain;
        else            *out -= gain;
    }
}

static void gather_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const move_job *j = context;
    for (int64_t v = begin; v < end; v++) {
        double in, out;
        sums_at(j->l, j->flow, v, &in, &out);
        j->mass[v] += in - out;
    }
}

void mn_stain_gather(mn_pool *pool, const mn_stain_links *l, const double *flow, double *mass)
{
    move_job job = { .l = l, .flow = (double *)(uintptr_t)flow, .mass = mass };
    mn_parallel_for(pool, l->vertex_count, MN_STAIN_BLOCK, gather_block, &job);
}

/// Share of its outflow that a vertex can afford; the return value says whether any cannot.
static double afford_block(int64_t begin, int64_t end, void *context)
{
    const move_job *j = context;
    double          most = 0.0;
    for (int64_t v = begin; v < end; v++) {
        double in, out;
        sums_at(j->l, j->flow, v, &in, &out);
        const double there = j->mass[v] + in;
        j->share[v]        = 1.0;
        if (there + 1e-15 * (there + out) >= out) continue;      // round-off, clipped at the end
        j->share[v] = fmax(there, 0.0) / out;
        most        = 1.0;
    }
    return most;
}

static void cut_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const move_job *j = context;
    for (int64_t k = begin; k < end; k++) j->flow[k] *= j->share[j->l->end[k][j->flow[k] > 0.0 ? 0 : 1]];
}

static void move_block(int64_t begin, int64_t end, int worker, void *context)
{
    gather_block(begin, end, worker, context);
    const move_job *j = context;
    for (int64_t v = begin; v < end; v++) j->mass[v] = fmax(j->mass[v], 0.0);
}

mn_status mn_stain_move(mn_pool *pool, const mn_stain_links *l, double *flow, double *mass, mn_arena *arena)
{
    const mn_arena_mark mark = mn_arena_begin(arena);
    move_job            job  = { l, flow, mass, mn_arena_array(arena, double, l->vertex_count) };
    if (job.share == NULL) return MN_ERR_MEMORY;
    int round = 0;
    while (round < REPAIRS && mn_parallel_max(pool, l->vertex_count, afford_block, &job) > 0.0) {
        mn_parallel_for(pool, l->count, 4 * MN_STAIN_BLOCK, cut_block, &job);
        round++;
    }
    mn_parallel_for(pool, l->vertex_count, MN_STAIN_BLOCK, round < REPAIRS ? move_block : gather_block, &job);
    mn_arena_end(arena, mark);
    return MN_OK;
}

static void start_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const flows_job *j = context;
    for (int64_t v = begin; v < end; v++) j->flow[v] = j->m->capacity[v] > 0.0 ? j->x[v] / j->m->capacity[v] : 0.0;
}

mn_status mn_stain_matrix_step(mn_pool *pool, mn_stain_matrix *m, double tolerance, double *mass, double *flow, mn_arena *arena, mn_stain_solve_report *report)
{
    double *c = mn_arena_array(arena, double, m->links->vertex_count);
    if (flow == NULL) flow = mn_arena_array(arena, double, m->links->count);
    if (c == NULL || flow == NULL) return MN_ERR_MEMORY;
    MN_TRY(mn_stain_matrix_prepare(pool, m, arena));
    mn_parallel_for(pool, m->links->vertex_count, MN_STAIN_BLOCK, start_block, &(flows_job){ m, mass, c });
    const mn_stain_system system = mn_stain_matrix_system(m);
    MN_TRY(mn_stain_conjugate(pool, &system, mass, c, tolerance, 4000, arena, report));
    mn_stain_matrix_flows(pool, m, c, flow);
    return mn_stain_move(pool, m->links, flow, mass, arena);
}
