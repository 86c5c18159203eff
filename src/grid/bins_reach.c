// SPDX-License-Identifier: MPL-2.0
// grid/bins_reach.c - the cells near particles as bits: the rest of a tile is not worth filling with what only
// particles read.
#include "grid/bins.h"

#include "base/pool.h"
#include "grid/rows.h"

#define TILE_BLOCK 16

typedef struct reach_job {
    const mn_tiles *tiles;
    const mn_bins  *bins;
    int             axis;
    const uint8_t  *before;
    uint8_t        *after;
} reach_job;

static void occupied_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const reach_job *job = context;
    for (int64_t r = begin; r < end; r++) {
        const int32_t *start = job->bins->start + r * MN_TILE;
        uint8_t        bits  = 0;
        for (int x = 0; x < MN_TILE && start[0] != start[MN_TILE]; x++)
            bits |= (uint8_t)((start[x] != start[x + 1]) << x);
        job->after[r] = bits;
    }
}

static void widen_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const reach_job *job  = context;
    const int32_t    rows = mn_rows_of(job->tiles);
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++)
        for (int32_t r = 0; r < rows; r++) {
            const mn_row_places row = mn_row_find(job->tiles, t, r);
            const int64_t       at  = row.at / MN_TILE;
            job->after[at]          = t == 0 ? 0
                                             : job->before[at] | mn_bits_lower(job->before, &row, job->axis) |
                                          mn_bits_higher(job->before, &row, job->axis);
        }
}

mn_status mn_bins_reach(mn_context *c, mn_arena *arena, const mn_tiles *tiles, const mn_bins *bins, int distance,
                        const uint8_t **out)
{
    const int64_t rows   = (int64_t)tiles->count * mn_rows_of(tiles);
    uint8_t      *set[2] = { mn_arena_array(arena, uint8_t, rows), mn_arena_array(arena, uint8_t, rows) };
    if (set[0] == NULL || set[1] == NULL) return MN_ERR_MEMORY;
    reach_job job = { .tiles = tiles, .bins = bins, .after = set[0] };
    mn_parallel_for(mn_context_pool(c), rows, MN_BLOCK, occupied_rows, &job);
    int now = 0;
    for (int k = 0; k < distance; k++)
        for (job.axis = 0; job.axis < tiles->def.dimension; job.axis++) {
            job.before = set[now];
            job.after  = set[now = 1 - now];
            mn_parallel_for(mn_context_pool(c), tiles->count, TILE_BLOCK, widen_tiles, &job);
        }
    *out = set[now];
    return MN_OK;
}
