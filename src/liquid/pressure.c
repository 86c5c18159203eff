// SPDX-License-Identifier: MPL-2.0
// liquid/pressure.c - the pressure of a step, kept for who wants to see it after the step.
#include "base/pool.h"
#include "liquid/liquid.h"

#include <math.h>

typedef struct keep_job {
    const mn_liquid_scratch *s;
    double                   scale;      // dyn/cm^2 per cm/s
    float                   *kept;
} keep_job;

static void keep_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const keep_job          *job = context;
    const mn_liquid_scratch *s   = job->s;
    for (int64_t i = begin * s->tiles.cells; i < end * s->tiles.cells; i++) {
        const bool room = s->solid.volume_open[i] > 0.0f || i < s->tiles.cells;
        job->kept[i]    = !room ? NAN : s->wet[i] ? (float)(job->scale * s->pressure[i]) : 0.0f;
    }
}

mn_status mn_liquid_keep_pressure(mn_liquid *q, mn_arena *arena, double dt)
{
    mn_liquid_scratch *s   = &q->grid;
    keep_job           job = { .s = s, .scale = q->model.material.density * q->model.grid.cell / dt };
    job.kept = s->kept_pressure = mn_arena_array(arena, float, (int64_t)s->tiles.count * s->tiles.cells);
    if (job.kept == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(q->context), s->tiles.count, 4, keep_tiles, &job);
    return MN_OK;
}

/// Linear between the centres of cells; 0 in air, and cells without room say nothing.
static double pressure_at(const mn_tiles *t, const float *kept, const double x[3])
{
    const mn_grid_def *g = &t->def;
    int32_t            low[3] = { 0, 0, 0 };
    double             part[3] = { 0.0, 0.0, 0.0 }, sum = 0.0, weight = 0.0;
    for (int a = 0; a < g->dimension; a++) {
        const double r = (x[a] - mn_get3(g->origin, a)) / g->cell - 0.5;
        low[a]         = (int32_t)floor(r);
        part[a]        = r - low[a];
    }
    for (int corner = 0; corner < 1 << g->dimension; corner++) {
        const int     d[3] = { corner & 1, corner >> 1 & 1, corner >> 2 & 1 };
        const int32_t i[3] = { low[0] + d[0], low[1] + d[1], low[2] + d[2] };
        double        w    = 1.0;
        for (int a = 0; a < 3; a++) w *= d[a] ? part[a] : 1.0 - part[a];
        const mn_tile_coord at    = { i[0] >> 3, i[1] >> 3, g->dimension == 3 ? i[2] >> 3 : 0 };
        const int32_t       tile  = mn_tiles_find(t, at);
        const float         value = kept[(int64_t)tile * t->cells + mn_cell_in_tile(i[0] & 7, i[1] & 7, i[2] & 7)];
        if (isnan(value)) continue;
        weight += w;
        if (tile > 0) sum += w * (double)value;
    }
    return weight > 0.0 ? sum / weight : 0.0;
}

typedef struct point_job {
    const mn_tiles *tiles;
    const float    *kept;
    const double   *position[3];
    int             stride;
    double         *out;
} point_job;

static void point_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const point_job *job = context;
    for (int64_t i = begin; i < end; i++) {
        const double x[3] = { job->position[0][i * job->stride], job->position[1][i * job->stride], job->position[2][i * job->stride] };
        job->out[i]       = job->kept != NULL ? pressure_at(job->tiles, job->kept, x) : 0.0;
    }
}

void mn_liquid_pressure(const mn_liquid *q, const double *const position[3], int stride, int64_t count, double *out)
{
    point_job job = { .tiles = &q->grid.tiles, .kept = q->grid.kept_pressure, .position = { position[0], position[1], position[2] },
                      .stride = stride, .out = out };
    mn_parallel_for(mn_context_pool(q->context), count, MN_BLOCK, point_block, &job);
}
