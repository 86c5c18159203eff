// SPDX-License-Identifier: MPL-2.0
// stain/matrix.c - products with a diffusion matrix, its preconditioners, and moving masses by flows.
#include "stain/matrix.h"

#include <string.h>

/// Above this ratio of conductance to capacity the diagonal alone is a poor preconditioner (bench_stain: equal cost at
/// 1).
#define STIFF 1.0
/// Rounds that cut flows. What would still be negative then is set to 0: far below round-off of the sum in all tests.
#define REPAIRS 64

static void multiply(const void *self, int64_t begin, int64_t end, const double *x, double *y)
{
    const mn_stain_matrix *m = self;
    const mn_stain_links  *l = m->links;
    for (int64_t v = begin; v < end; v++) {
        double sum = 0.0;
        for (int32_t i = l->start[v]; i < l->start[v + 1]; i++)
            sum += m->conductance[l->around[i] >> 1] * (x[v] - x[l->neighbour[i]]);
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
    const mn_stain_matrix *m    = context;
    const mn_stain_links  *l    = m->links;
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

typedef struct flows_job {
    const mn_stain_matrix *m;
    const double          *x;
    double                *flow;
    double                 floor;
} flows_job;

static double above(double x, double floor) { return x > floor ? x : 0.0; }

static void flows_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const flows_job *j = context;
    for (int64_t k = begin; k < end; k++) {
        const int32_t *e = j->m->links->end[k];
        j->flow[k]       = j->m->h * j->m->conductance[k] * (above(j->x[e[0]], j->floor) - above(j->x[e[1]], j->floor));
    }
}

static double largest_block(int64_t begin, int64_t end, void *context)
{
    const double *x    = context;
    double        most = 0.0;
    for (int64_t v = begin; v < end; v++) most = x[v] > most ? x[v] : most;
    return most;
}

double mn_stain_largest(mn_pool *pool, int64_t n, const double *x)
{
    return mn_parallel_max(pool, n, largest_block, (void *)(uintptr_t)x);
}

void mn_stain_matrix_flows(mn_pool *pool, const mn_stain_matrix *m, const double *x, double floor, double *flow)
{
    flows_job job = { m, x, flow, floor };
    mn_parallel_for(pool, m->links->count, 4 * MN_STAIN_BLOCK, flows_block, &job);
}

typedef struct move_job {
    const mn_stain_links *l;
    const double         *flow;
    double               *cut;  ///< flow, where it may be changed
    double               *mass, *next, *share;
} move_job;

/// What the links bring to a vertex, less what they take.
static double net_at(const mn_stain_links *l, const double *flow, int64_t v)
{
    double sum = 0.0;
    for (int32_t i = l->start[v]; i < l->start[v + 1]; i++) sum += mn_stain_gain(l, flow, i);
    return sum;
}

static void gather_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const move_job *j = context;
    for (int64_t v = begin; v < end; v++) j->mass[v] += net_at(j->l, j->flow, v);
}

void mn_stain_gather(mn_pool *pool, const mn_stain_links *l, const double *flow, double *mass)
{
    move_job job = { .l = l, .flow = flow, .mass = mass };
    mn_parallel_for(pool, l->vertex_count, MN_STAIN_BLOCK, gather_block, &job);
}

/// Share of its outflow that a vertex can afford which would be left with less than nothing. Round-off is let pass, and
/// set to 0.
static double afford(const move_job *j, int64_t v)
{
    double in = 0.0, out = 0.0;
    for (int32_t i = j->l->start[v]; i < j->l->start[v + 1]; i++) {
        const double gain = mn_stain_gain(j->l, j->flow, i);
        if (gain > 0.0) in += gain;
        else out -= gain;
    }
    const double there = j->mass[v] + in;
    j->next[v]         = 0.0;
    return there + 1e-15 * (there + out) >= out ? 1.0 : (there > 0.0 ? there : 0.0) / out;
}

/// Masses after the move; the return value says whether a flow must be cut.
static double try_block(int64_t begin, int64_t end, void *context)
{
    const move_job *j   = context;
    double          cut = 0.0;
    for (int64_t v = begin; v < end; v++) {
        j->next[v]  = j->mass[v] + net_at(j->l, j->flow, v);
        j->share[v] = 1.0;
        if (j->next[v] >= 0.0) continue;
        j->share[v] = afford(j, v);
        if (j->share[v] < 1.0) cut = 1.0;
    }
    return cut;
}

static void cut_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const move_job *j = context;
    for (int64_t k = begin; k < end; k++) j->cut[k] *= j->share[j->l->end[k][j->cut[k] > 0.0 ? 0 : 1]];
}

mn_status mn_stain_move(mn_pool *pool, const mn_stain_links *l, double *flow, double *mass, mn_arena *arena)
{
    const mn_arena_mark mark = mn_arena_begin(arena);
    move_job            job  = { .l     = l,
                                 .flow  = flow,
                                 .cut   = flow,
                                 .mass  = mass,
                                 .next  = mn_arena_array(arena, double, l->vertex_count),
                                 .share = mn_arena_array(arena, double, l->vertex_count) };
    if (job.next == NULL || job.share == NULL) return MN_ERR_MEMORY;
    for (int round = 0; mn_parallel_max(pool, l->vertex_count, try_block, &job) > 0.0 && round < REPAIRS; round++)
        mn_parallel_for(pool, l->count, 4 * MN_STAIN_BLOCK, cut_block, &job);
    memcpy(mass, job.next, (size_t)l->vertex_count * sizeof *mass);
    mn_arena_end(arena, mark);
    return MN_OK;
}

static void start_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const flows_job *j = context;
    for (int64_t v = begin; v < end; v++) j->flow[v] = j->m->capacity[v] > 0.0 ? j->x[v] / j->m->capacity[v] : 0.0;
}

mn_status mn_stain_matrix_step(mn_pool *pool, mn_stain_matrix *m, double tolerance, double *mass, double *flow,
                               mn_arena *arena, mn_stain_solve_report *report)
{
    const int64_t n = m->links->vertex_count;
    double       *c = mn_arena_array(arena, double, n), *b = mass;
    if (flow == NULL) flow = mn_arena_array(arena, double, m->links->count);
    if (m->leaves != NULL) b = mn_arena_array(arena, double, n);
    if (c == NULL || flow == NULL || b == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; m->leaves != NULL && v < n; v++) b[v] = mass[v] - m->leaves[v];
    MN_TRY(mn_stain_matrix_prepare(pool, m, arena));
    mn_parallel_for(pool, m->links->vertex_count, MN_STAIN_BLOCK, start_block, &(flows_job){ m, mass, c, 0.0 });
    const mn_stain_system system = mn_stain_matrix_system(m);
    MN_TRY(mn_stain_conjugate(pool, &system, b, c, tolerance, 4000, arena, report));
    mn_stain_matrix_flows(pool, m, c, tolerance * mn_stain_largest(pool, n, c), flow);
    return mn_stain_move(pool, m->links, flow, mass, arena);
}
