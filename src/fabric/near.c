// SPDX-License-Identifier: MPL-2.0
// fabric/near.c - what lies within reach of the grid's kernels, cell by cell.
#include "fabric/near.h"

#include "base/pool.h"

#include <math.h>

/// Kernels of two vertices overlap up to this many cells apart.
#define REACH 2
/// Parts of one sheet or strand count as far apart when they rest this many cells from each other: more than the
/// neighbourhood of 5 cells spans when the fabric lies flat in it, even stretched.
#define FAR_AT_REST 8.0

/// What the vertices of one cell are: strands or sheets by number, and the box of their places at rest.
typedef struct cell_content {
    int32_t first, last;
    float   low[3], high[3];
} cell_content;

typedef struct near_job {
    mn_fabric    *q;
    int32_t      *slot;  ///< per cell: its content, or -1
    int32_t      *cell;  ///< per content
    cell_content *content;
    int64_t       count;
    float         far;
} near_job;

static void describe_cells(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const near_job       *job = context;
    const mn_fabric      *q   = job->q;
    const mn_point_faces *f   = &q->step.faces;
    for (int64_t i = begin; i < end; i++) {
        cell_content c = { .first = INT32_MAX,
                           .last  = -1,
                           .low   = { INFINITY, INFINITY, INFINITY },
                           .high  = { -INFINITY, -INFINITY, -INFINITY } };
        for (int32_t k = f->bins.start[job->cell[i]]; k < f->bins.start[job->cell[i] + 1]; k++) {
            const int32_t v = f->order[k], part = q->part[v];
            if (part < c.first) c.first = part;
            if (part > c.last) c.last = part;
            for (int a = 0; a < 3; a++) {
                c.low[a]  = fminf(c.low[a], q->rest[a][v]);
                c.high[a] = fmaxf(c.high[a], q->rest[a][v]);
            }
        }
        job->content[i] = c;
    }
}

/// The cell `step` cells from `cell` of `tile` along each axis; -1 if its tile does not exist.
static int64_t cell_at(const mn_tiles *t, int32_t tile, int32_t cell, const int step[3])
{
    const int     at[3] = { cell % MN_TILE + step[0], cell / MN_TILE % MN_TILE + step[1],
                            cell / (MN_TILE * MN_TILE) + step[2] };
    const int32_t other = t->neighbor[tile][13 + (at[0] >> 3) + 3 * (at[1] >> 3) + 9 * (at[2] >> 3)];
    return other > 0 ? (int64_t)other * t->cells + mn_cell_in_tile(at[0] & 7, at[1] & 7, at[2] & 7) : -1;
}

static bool has_company(const near_job *job, int32_t place)
{
    const mn_tiles *t    = &job->q->step.faces.tiles;
    const int32_t   tile = place / t->cells, cell = place % t->cells;
    cell_content    all = { .first = INT32_MAX,
                            .last  = -1,
                            .low   = { INFINITY, INFINITY, INFINITY },
                            .high  = { -INFINITY, -INFINITY, -INFINITY } };
    for (int z = -REACH; z <= REACH; z++)
        for (int y = -REACH; y <= REACH; y++)
            for (int x = -REACH; x <= REACH; x++) {
                const int64_t other = cell_at(t, tile, cell, (const int[3]){ x, y, z });
                if (other < 0 || job->slot[other] < 0) continue;
                const cell_content *c = &job->content[job->slot[other]];
                if (c->first < all.first) all.first = c->first;
                if (c->last > all.last) all.last = c->last;
                for (int a = 0; a < 3; a++) {
                    all.low[a]  = fminf(all.low[a], c->low[a]);
                    all.high[a] = fmaxf(all.high[a], c->high[a]);
                }
                if (all.first != all.last) return true;
                for (int a = 0; a < 3; a++)
                    if (all.high[a] - all.low[a] > job->far) return true;
            }
    return false;
}

static void judge_cells(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const near_job       *job = context;
    const mn_point_faces *f   = &job->q->step.faces;
    for (int64_t i = begin; i < end; i++) {
        const uint8_t near = has_company(job, job->cell[i]);
        for (int32_t k = f->bins.start[job->cell[i]]; k < f->bins.start[job->cell[i] + 1]; k++)
            job->q->step.near[f->order[k]] = near;
    }
}

mn_status mn_fabric_find_near(mn_fabric *q, mn_arena *arena)
{
    const mn_point_faces *f     = &q->step.faces;
    const int64_t         cells = (int64_t)f->tiles.count * f->tiles.cells;
    q->step.near                = mn_arena_array(arena, uint8_t, q->vertices.count);
    const mn_arena_mark mark    = mn_arena_begin(arena);
    near_job            job     = { .q       = q,
                                    .slot    = mn_arena_array(arena, int32_t, cells),
                                    .cell    = mn_arena_array(arena, int32_t, q->vertices.count),
                                    .content = mn_arena_array(arena, cell_content, q->vertices.count),
                                    .far     = (float)(FAR_AT_REST * q->model.grid.cell) };
    if (q->step.near == NULL || job.slot == NULL || job.cell == NULL || job.content == NULL) return MN_ERR_MEMORY;
    for (int64_t c = 0; c < cells; c++) {
        job.slot[c] = f->bins.start[c] < f->bins.start[c + 1] ? (int32_t)job.count : -1;
        if (job.slot[c] >= 0) job.cell[job.count++] = (int32_t)c;
    }
    mn_parallel_for(mn_context_pool(q->context), job.count, 256, describe_cells, &job);
    mn_parallel_for(mn_context_pool(q->context), job.count, 64, judge_cells, &job);
    mn_arena_end(arena, mark);
    return MN_OK;
}
