// SPDX-License-Identifier: MPL-2.0
// grid/bins_crowd.c - which particles are among many: those in some cube of 4 x 4 x 4 cells that holds enough of them.
//
// The cubes lie at every second cell along each axis, so that it matters little where a jet or a sheet lies on the
// grid. Particles are counted by blocks of 2 x 2 x 2 cells, in tiles that hold an eighth of what is enough; the box of
// tiles may be far larger than what is full, and a cube that meets eight tiles has enough only if one of them has as
// much.
#include "grid/bins_tiles.h"

#include "base/pool.h"

typedef struct crowd_job {
    const tile_box *box;
    tile_crowd      crowd;
    int32_t         fewest;
} crowd_job;

/// Sums of whole numbers are the same in any order. Sorted particles come in runs, and a run is added once.
typedef struct run_count {
    _Atomic int32_t *count;
    int64_t          place;  // -1: nowhere
    int32_t          run;
} run_count;

static void add_run(run_count *r, int64_t place)
{
    if (place == r->place) {
        r->run++;
        return;
    }
    if (r->place >= 0) atomic_fetch_add_explicit(&r->count[r->place], r->run, memory_order_relaxed);
    r->place = place;
    r->run   = 1;
}

/// Whether all eight particles lie in the part of the grid in which cell `at` does: its tile (shift 3) or block (1).
static bool all_in_parts(const group_cells *g, int shift, const int32_t at[3])
{
    int32_t other = 0;
    for (int a = 0; a < 3; a++)
        for (int l = 0; l < GROUP; l++) other |= (g->cell[a][l] ^ at[a]) >> shift;
    return other == 0;
}

static void count_tiles_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const crowd_job *job     = context;
    run_count        runs    = { job->crowd.tile, -1, 0 };
    int32_t          last[3] = { 0, 0, 0 };
    for (int64_t p = begin; p < end; p += GROUP) {
        const group_cells g    = find_cells(&job->box->finder, p, end);
        const bool        same = p > begin && g.count == GROUP && all_in_parts(&g, 3, last);
        for (int a = 0; a < 3; a++) last[a] = g.cell[a][g.count - 1];
        if (same) runs.run += GROUP;
        for (int l = 0; !same && l < g.count; l++) add_run(&runs, own_place(job->box, &g, l));
    }
    add_run(&runs, -1);
}

static void count_blocks_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const crowd_job *job     = context;
    run_count        runs    = { job->crowd.held, -1, 0 };
    int32_t          last[3] = { 0, 0, 0 };
    for (int64_t p = begin; p < end; p += GROUP) {
        const group_cells g    = find_cells(&job->box->finder, p, end);
        const bool        same = p > begin && g.count == GROUP && all_in_parts(&g, 1, last);
        for (int a = 0; a < 3; a++) last[a] = g.cell[a][g.count - 1];
        if (same) {
            runs.run += GROUP;  // or none: what is nowhere is not counted
            continue;
        }
        for (int l = 0; l < g.count; l++) {
            const int32_t number = job->crowd.tile[own_place(job->box, &g, l)];
            add_run(&runs, number != 0 ? (int64_t)(number - 1) * TILE_BLOCKS + own_block(&g, l) : -1);
        }
    }
    add_run(&runs, -1);
}

/// Blocks of a tile and one more on each side.
#define PADDED (BLOCK_EDGE + 2)

/// Particles in block (x, y, z) of the tile at a coordinate, -1 and BLOCK_EDGE being in the tiles beside it.
static int32_t held_at(const crowd_job *job, const int32_t tile[3], int x, int y, int z)
{
    const tile_box *box   = job->box;
    const int       at[3] = { x, y, z };
    int32_t         coord[3], block[3];
    for (int a = 0; a < 3; a++) {
        coord[a] = tile[a] + (at[a] < 0 ? -1 : at[a] >= BLOCK_EDGE);
        block[a] = (at[a] + BLOCK_EDGE) % BLOCK_EDGE;
        if (box->period[a] == 0 && (coord[a] < box->low[a] || coord[a] >= box->low[a] + box->size[a])) return 0;
    }
    const int32_t number = job->crowd.tile[place_of_tile(box, coord[0], coord[1], coord[2])];
    if (number == 0) return 0;
    return job->crowd
        .held[(int64_t)(number - 1) * TILE_BLOCKS + (block[2] * BLOCK_EDGE + block[1]) * BLOCK_EDGE + block[0]];
}

/// Sums of two neighbours along one axis (stride apart), in place: value k becomes k + its next.
static void add_next(int32_t *value, int count, int stride)
{
    for (int k = 0; k + stride < count; k++) value[k] += value[k + stride];
}

/// The bits of a tile. Cube (x, y, z) begins with padded block (x, y, z); block (x, y, z) of the tile is in the eight
/// cubes up to it.
static uint64_t dense_blocks(const crowd_job *job, const int32_t tile[3])
{
    const bool flat   = job->box->finder.dimension == 2;
    const int  layers = flat ? 1 : PADDED;
    int32_t    cube[PADDED * PADDED * PADDED];
    for (int z = 0; z < layers; z++)
        for (int y = 0; y < PADDED; y++)
            for (int x = 0; x < PADDED; x++)
                cube[(z * PADDED + y) * PADDED + x] = held_at(job, tile, x - 1, y - 1, flat ? 0 : z - 1);
    const int count = layers * PADDED * PADDED;
    add_next(cube, count, 1);
    add_next(cube, count, PADDED);
    if (!flat) add_next(cube, count, PADDED * PADDED);

    uint64_t bits = 0;
    for (int z = 0; z < (flat ? 1 : BLOCK_EDGE); z++)
        for (int y = 0; y < BLOCK_EDGE; y++)
            for (int x = 0; x < BLOCK_EDGE; x++)
                for (int k = 0; k < (flat ? 4 : 8); k++) {
                    const int at = ((z + (k >> 2)) * PADDED + y + (k >> 1 & 1)) * PADDED + x + (k & 1);
                    if (cube[at] >= job->fewest) bits |= (uint64_t)1 << ((z * BLOCK_EDGE + y) * BLOCK_EDGE + x);
                }
    return bits;
}

/// Layers of tiles of the box, in z.
static void dense_layers(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const crowd_job *job = context;
    const tile_box  *box = job->box;
    for (int32_t z = (int32_t)begin; z < (int32_t)end; z++)
        for (int32_t y = 0; y < box->size[1]; y++)
            for (int32_t x = 0; x < box->size[0]; x++) {
                const int32_t coord[3] = { box->low[0] + x, box->low[1] + y, box->low[2] + z };
                const int32_t number   = job->crowd.tile[((int64_t)z * box->size[1] + y) * box->size[0] + x];
                if (number != 0) job->crowd.dense[number - 1] = dense_blocks(job, coord);
            }
}

mn_status mn_bins_find_crowd(mn_context *c, mn_arena *arena, const tile_box *box, int64_t count, int fewest,
                             tile_crowd *out)
{
    mn_pool  *pool = mn_context_pool(c);
    crowd_job job  = { .box = box, .fewest = fewest };
    job.crowd.tile = mn_arena_take_zero(arena, (size_t)box->count * sizeof *job.crowd.tile);
    if (job.crowd.tile == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, count, MN_BLOCK, count_tiles_block, &job);

    int32_t numbered = 0;
    for (int64_t k = 0; k < box->count; k++)
        job.crowd.tile[k] = 8 * (int64_t)job.crowd.tile[k] >= fewest ? ++numbered : 0;
    job.crowd.dense = mn_arena_array(arena, uint64_t, numbered);
    job.crowd.held  = mn_arena_take_zero(arena, (size_t)numbered * TILE_BLOCKS * sizeof *job.crowd.held);
    if (job.crowd.dense == NULL || job.crowd.held == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, count, MN_BLOCK, count_blocks_block, &job);
    mn_parallel_for(pool, box->size[2], 1, dense_layers, &job);
    *out = job.crowd;
    return MN_OK;
}
