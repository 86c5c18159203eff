// SPDX-License-Identifier: MPL-2.0
// liquid/pressure.c - the pressure of a step, kept for who wants to see it after the step.
//
// It is kept where a point could see some: in tiles with liquid, and, of tiles beside these, in those with cells
// without room, which say nothing to a point between them and the liquid. All else is air.
#include "base/pool.h"
#include "grid/around.h"
#include "liquid/liquid.h"

#include <math.h>
#include <string.h>

static bool has_room(const mn_liquid_scratch *s, int64_t cell)
{
    return cell < s->tiles.cells || s->solid.volume_open[cell] > 0.0f;
}

static bool tile_has_liquid(const mn_liquid_scratch *s, int32_t tile)
{
    return memchr(s->wet + (int64_t)tile * s->tiles.cells, 1, (size_t)s->tiles.cells) != NULL;
}

static bool tile_is_covered(const mn_liquid_scratch *s, int32_t tile)
{
    const int64_t first = (int64_t)tile * s->tiles.cells;
    for (int64_t i = first; i < first + s->tiles.cells; i++)
        if (!has_room(s, i)) return true;
    return false;
}

static bool is_kept(const mn_liquid_scratch *s, int32_t tile)
{
    if (tile_has_liquid(s, tile)) return true;
    bool beside = false;
    for (int n = 0; n < 27 && !beside; n++) beside = tile_has_liquid(s, s->tiles.neighbor[tile][n]);
    return beside && tile_is_covered(s, tile);
}

typedef struct keep_job {
    const mn_liquid_scratch *s;
    double                   scale;  // dyn/cm^2 per cm/s
    int32_t                 *place;
    float                   *kept;
} keep_job;

static void choose_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const keep_job *job = context;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++) job->place[t] = is_kept(job->s, t) ? 0 : -1;
}

static void keep_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const keep_job          *job = context;
    const mn_liquid_scratch *s   = job->s;
    for (int64_t t = begin; t < end; t++) {
        if (job->place[t] < 0) continue;
        const int64_t from = t * s->tiles.cells;
        float        *to   = job->kept + (int64_t)job->place[t] * s->tiles.cells;
        for (int32_t i = 0; i < s->tiles.cells; i++)
            to[i] = !has_room(s, from + i) ? NAN
                    : s->wet[from + i]     ? (float)(job->scale * s->pressure[from + i])
                                           : 0.0f;
    }
}

mn_status mn_liquid_keep_pressure(mn_liquid *q, const mn_step *step)
{
    if (!mn_liquid_present(q)) return MN_OK;
    mn_liquid_scratch *s    = &q->grid;
    mn_pool           *pool = mn_context_pool(q->context);
    keep_job           job  = { .s = s, .scale = q->model.material.density * q->model.grid.cell / step->dt };
    int32_t            kept = 0;
    if ((job.place = mn_arena_array(step->arena, int32_t, s->tiles.count)) == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, s->tiles.count, 4, choose_tiles, &job);
    for (int32_t t = 0; t < s->tiles.count; t++)
        if (job.place[t] == 0) job.place[t] = kept++;
    if ((job.kept = mn_arena_array(step->arena, float, (int64_t)kept * s->tiles.cells + 1)) == NULL)
        return MN_ERR_MEMORY;
    mn_parallel_for(pool, s->tiles.count, 4, keep_tiles, &job);
    s->kept_pressure = (mn_kept_pressure){ job.kept, job.place };
    return MN_OK;
}

/// Linear between the centres of cells; 0 in air, and cells without room say nothing.
static double pressure_at(const mn_tiles *t, const mn_kept_pressure *kept, mn_vec3 x)
{
    const mn_cells_around around = mn_tiles_around(t, x);
    double                sum = 0.0, weight = 0.0;
    for (int k = 0; k < around.count; k++) {
        const int32_t place = kept->place[around.tile[k]];
        const float   value = place < 0 ? 0.0f : kept->value[(int64_t)place * t->cells + around.cell[k]];
        if (isnan(value)) continue;
        weight += around.weight[k];
        sum += around.weight[k] * (double)value;
    }
    return weight > 0.0 ? sum / weight : 0.0;
}

typedef struct point_job {
    const mn_liquid *q;
    const double    *position[3];
    int              stride;
    double          *out;
} point_job;

static void point_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const point_job         *job = context;
    const mn_liquid_scratch *s   = &job->q->grid;
    for (int64_t i = begin; i < end; i++) {
        const mn_vec3 x = mn_v3(job->position[0][i * job->stride], job->position[1][i * job->stride],
                                job->position[2][i * job->stride]);
        job->out[i]     = s->kept_pressure.value != NULL ? pressure_at(&s->tiles, &s->kept_pressure, x) : 0.0;
    }
}

void mn_liquid_pressure(const mn_liquid *q, const double *const position[3], int stride, int64_t count, double *out)
{
    point_job job = { .q = q, .position = { position[0], position[1], position[2] }, .stride = stride, .out = out };
    mn_parallel_for(mn_context_pool(q->context), count, MN_BLOCK, point_block, &job);
}
