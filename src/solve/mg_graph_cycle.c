// SPDX-License-Identifier: MPL-2.0
// solve/mg_graph_cycle.c - the V-cycle on coarse levels that are graphs (liquid 5.10).
//
// Gauss-Seidel by colours, in mirrored order after the correction, so that the cycle is symmetric. A colour reads only
// values of other colours: the bits do not depend on the number of threads.
#include "solve/mg_graph.h"

#include <string.h>
#include <stdlib.h>

/// Double sweeps on the last level.
#define COARSEST_SWEEPS 16

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

static void smooth_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const row_job     *job = context;
    const mn_mg_graph *g   = job->g;
    for (int64_t n = begin; n < end; n++) {
        const int32_t i = job->rows[n];
        g->x[i]         = (g->b[i] + couplings(g, i)) * g->inverse[i];
    }
}

static void smooth_colour(const mn_mg_graph *g, mn_pool *pool, int colour)
{
    row_job job = { .g = g, .rows = g->by_colour + g->colour_begin[colour] };
    mn_parallel_for(pool, g->colour_begin[colour + 1] - g->colour_begin[colour], MN_MG_ROWS, smooth_rows, &job);
}

static void sweep(const mn_mg_graph *g, mn_pool *pool, bool forward)
{
    for (int c = 0; c < g->colours; c++) smooth_colour(g, pool, forward ? c : g->colours - 1 - c);
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
        for (int32_t c = job->g->child_begin[a]; c < job->g->child_begin[a + 1]; c++) sum += job->residual[job->g->child[c]];
        job->g->b[a] = sum;
    }
}

void mn_mg_graph_load(const mn_mg_graphs *graphs, mn_pool *pool, const float *residual)
{
    load_job job = { &graphs->level[0], residual };
    mn_parallel_for(pool, graphs->level[0].count, MN_MG_ROWS, load_rows, &job);
}

static void cyc(const mn_mg_graphs *graphs, mn_pool *pool, int k, int sweeps, bool zero)
{
    const mn_mg_graph *g    = &graphs->level[k];
    const bool         last = k == graphs->levels - 1;
    static int wc=-1, gs; if(wc<0){ wc=getenv("WC")?atoi(getenv("WC")):1; gs=getenv("GS")?atoi(getenv("GS")):0;}
    int sw=sweeps+gs;
    if(zero) memset(g->x, 0, (size_t)g->count * sizeof *g->x);
    for (int n = 0; n < (last ? COARSEST_SWEEPS : sw); n++) sweep(g, pool, true);
    if (!last) {
        row_job job = { .g = g, .coarse = g + 1 };
        mn_parallel_for(pool, g[1].count, MN_MG_ROWS, restrict_rows, &job);
        for(int r=0;r<wc;r++) cyc(graphs, pool, k + 1, sweeps,r==0);
        mn_parallel_for(pool, g->count, MN_MG_ROWS, prolong_rows, &job);
    }
    for (int n = 0; n < (last ? COARSEST_SWEEPS : sw); n++) sweep(g, pool, false);
}
void mn_mg_graph_cycle(const mn_mg_graphs *graphs, mn_pool *pool, int k, int sweeps)
{
    int rep=getenv("REP")?atoi(getenv("REP")):1;
    for(int r=0;r<rep;r++) cyc(graphs,pool,k,sweeps,r==0);
}
