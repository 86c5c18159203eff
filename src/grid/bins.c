// SPDX-License-Identifier: MPL-2.0
// grid/bins.c - a stable parallel counting sort of the particles by cell.
//
// The sort has two digits. By tile: the particles are cut into at most 64 chunks, each counts its particles per tile,
// a running sum over (tile, chunk) says where each chunk writes. By cell: every tile sorts its own particles with a
// table that stays in the first-level cache. Both are stable, so the result is unique: neither the number of chunks
// nor that of threads shows in it.
#include "grid/bins.h"

#include "base/pool.h"
#include "grid/bins_tiles.h"

#include <string.h>

#define MAX_CHUNKS         64
#define MAX_CELLS_PER_TILE (MN_TILE * MN_TILE * MN_TILE)
/// Tiles sorted by one call of a range function.
#define TILE_BLOCK 16

typedef struct sort_job {
    cell_finder     finder;
    const mn_tiles *tiles;
    int             shift;          // key >> shift is the tile
    int64_t         chunk, chunks;  // particles per chunk, number of chunks
    int32_t        *key;            // per particle: tile * cells + cell, or -1
    int32_t        *place;          // [chunks][tiles]: first counts, then where the chunk writes next
    int32_t        *by_tile;        // particle numbers sorted by tile
    int32_t        *tile_start;     // tiles + 1
    mn_bins        *bins;
} sort_job;

static int32_t tile_at(const mn_tiles *t, int32_t i, int32_t j, int32_t k)
{
    const int64_t x = (int64_t)i - t->low.x, y = (int64_t)j - t->low.y, z = (int64_t)k - t->low.z;
    if (x < 0 || y < 0 || z < 0 || x >= t->size.x || y >= t->size.y || z >= t->size.z) return 0;
    return t->index[(z * t->size.y + y) * t->size.x + x];
}

/// Whether tiles are missing within the reach of a particle in a cell of a tile.
static bool is_at_edge(const sort_job *job, int32_t tile, const group_cells *g, int lane)
{
    const int reach = job->bins->reach;
    if (reach == 0) return false;
    int low[3] = { 0, 0, 0 }, high[3] = { 0, 0, 0 };
    for (int a = 0; a < job->finder.dimension; a++) {
        const int32_t at = g->cell[a][lane] & (MN_TILE - 1);
        low[a]           = at < reach ? -1 : 0;
        high[a]          = at >= MN_TILE - reach ? 1 : 0;
    }
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0]; i++)
                if (job->tiles->neighbor[tile][13 + 9 * k + 3 * j + i] == 0) return true;
    return false;
}

static bool has_all_neighbors(const mn_tiles *t, int32_t tile)
{
    bool all = true;
    for (int n = 0; n < 27; n++) all = all && t->neighbor[tile][n] != 0;
    return all;
}

static void key_chunk(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const sort_job *job   = context;
    const mn_tiles *t     = job->tiles;
    int32_t        *count = job->place + begin / job->chunk * t->count;
    memset(count, 0, (size_t)t->count * sizeof *count);
    int32_t last[3] = { INT32_MIN, INT32_MIN, INT32_MIN }, tile = 0;  // no tile lies there
    bool    inner = false;                                            // no particle of the tile is at an edge
    for (int64_t p = begin; p < end; p += GROUP) {
        const group_cells g = find_cells(&job->finder, p, end);
        int32_t           inside[GROUP], other = 0;
        for (int l = 0; l < GROUP; l++) {
            inside[l] = mn_cell_in_tile(g.cell[0][l] & 7, g.cell[1][l] & 7, g.cell[2][l] & 7);
            other |= (g.cell[0][l] >> 3 ^ last[0]) | (g.cell[1][l] >> 3 ^ last[1]) | (g.cell[2][l] >> 3 ^ last[2]);
        }
        if (other == 0 && tile != 0 && inner && g.all_somewhere && g.count == GROUP) {
            for (int l = 0; l < GROUP; l++) job->key[p + l] = tile * t->cells + inside[l];
            count[tile] += GROUP;
            continue;
        }
        for (int l = 0; l < g.count; l++) {
            const int32_t at[3] = { mn_tile_of_cell(g.cell[0][l]), mn_tile_of_cell(g.cell[1][l]),
                                    mn_tile_of_cell(g.cell[2][l]) };
            if (memcmp(at, last, sizeof at) != 0) {
                tile  = tile_at(t, at[0], at[1], at[2]);
                inner = tile != 0 && (job->bins->reach == 0 || has_all_neighbors(t, tile));
            }
            memcpy(last, at, sizeof at);
            const bool found = tile != 0 && (g.all_somewhere || is_somewhere(&job->finder, p + l)) &&
                               (inner || !is_at_edge(job, tile, &g, l));
            job->key[p + l] = found ? tile * t->cells + inside[l] : -1;
            if (found) count[tile]++;
        }
    }
}

/// Turn the counts into the places where each chunk begins to write; returns the number of particles in tiles.
static int32_t place_chunks(const sort_job *job)
{
    const int32_t tiles = job->tiles->count;
    int32_t      *next  = job->tile_start;
    memset(next, 0, ((size_t)tiles + 1) * sizeof *next);
    for (int64_t k = 0; k < job->chunks; k++)
        for (int32_t t = 0; t < tiles; t++) next[t] += job->place[k * tiles + t];
    int32_t sum = 0;
    for (int32_t t = 0; t <= tiles; t++) {
        const int32_t here = next[t];
        next[t]            = sum;
        sum += here;
    }
    for (int64_t k = 0; k < job->chunks; k++)
        for (int32_t t = 0; t < tiles; t++) {
            int32_t      *place = &job->place[k * tiles + t];
            const int32_t here  = *place;
            *place              = next[t];
            next[t] += here;
        }
    // `next` has moved to the end of each tile: the begin of tile t is the end of tile t - 1.
    for (int32_t t = tiles; t > 0; t--) next[t] = next[t - 1];
    next[0] = 0;
    return sum;
}

static void scatter_chunk(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const sort_job *job  = context;
    int32_t        *next = job->place + begin / job->chunk * job->tiles->count;
    for (int64_t p = begin; p < end; p++)
        if (job->key[p] >= 0) job->by_tile[next[job->key[p] >> job->shift]++] = (int32_t)p;
}

static void sort_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const sort_job *job   = context;
    const int32_t   cells = job->tiles->cells;
    for (int64_t t = begin; t < end; t++) {
        const int32_t first = job->tile_start[t], last = job->tile_start[t + 1];
        int32_t      *start = job->bins->start + t * cells;
        int32_t       next[MAX_CELLS_PER_TILE];
        if (first == last) {
            for (int32_t k = 0; k < cells; k++) start[k] = first;
            continue;
        }
        memset(next, 0, (size_t)cells * sizeof *next);
        for (int32_t j = first; j < last; j++) next[job->key[job->by_tile[j]] - (int32_t)t * cells]++;
        int32_t sum = first;
        for (int32_t k = 0; k < cells; k++) {
            const int32_t here = next[k];
            start[k] = next[k] = sum;
            sum += here;
        }
        for (int32_t j = first; j < last; j++) {
            const int32_t p                                            = job->by_tile[j];
            job->bins->order[next[job->key[p] - (int32_t)t * cells]++] = p;
        }
    }
}

/// Particles without a tile, behind the others and in their order.
static void append_left_out(const sort_job *job, int64_t count)
{
    int32_t *next = job->bins->order + job->bins->count;
    for (int64_t p = 0; p < count; p++)
        if (job->key[p] < 0) *next++ = (int32_t)p;
}

/// Chunks enough for any machine, but never so many that their tables outgrow the particles.
static int64_t choose_chunks(int64_t count, int32_t tiles)
{
    int64_t       chunks     = count / MN_BLOCK;
    const int64_t affordable = 2 * count / tiles;
    if (chunks > affordable) chunks = affordable;
    if (chunks > MAX_CHUNKS) chunks = MAX_CHUNKS;
    return chunks > 1 ? chunks : 1;
}

/// Fill bins->start and bins->order, which have room.
static mn_status sort_particles(mn_context *c, mn_arena *arena, const mn_tiles *tiles, const cell_finder *finder,
                                int64_t count, mn_bins *bins)
{
    sort_job      job    = { .finder = *finder, .tiles = tiles, .shift = tiles->tile_z == 1 ? 6 : 9, .bins = bins };
    const int64_t wanted = choose_chunks(count, tiles->count);
    job.chunk            = count > 0 ? (count + wanted - 1) / wanted : 1;
    job.chunks           = (count + job.chunk - 1) / job.chunk;

    const mn_arena_mark mark = mn_arena_begin(arena);
    job.key                  = mn_arena_array(arena, int32_t, count);
    job.place                = mn_arena_array(arena, int32_t, job.chunks * tiles->count);
    job.by_tile              = mn_arena_array(arena, int32_t, count);
    job.tile_start           = mn_arena_array(arena, int32_t, (int64_t)tiles->count + 1);
    mn_status status         = MN_ERR_MEMORY;
    if (job.key != NULL && job.place != NULL && job.by_tile != NULL && job.tile_start != NULL) {
        mn_pool *pool = mn_context_pool(c);
        mn_parallel_for(pool, count, job.chunk, key_chunk, &job);
        const int32_t sorted = place_chunks(&job);
        mn_parallel_for(pool, count, job.chunk, scatter_chunk, &job);
        mn_parallel_for(pool, tiles->count, TILE_BLOCK, sort_tiles, &job);
        bins->start[(int64_t)tiles->count * tiles->cells] = sorted;
        bins->count                                       = sorted;
        if (sorted < count) append_left_out(&job, count);
        status = MN_OK;
    }
    mn_arena_end(arena, mark);
    return status;
}

/// Room in `bins` for `count` particles on `tiles`.
static mn_status reserve(mn_context *c, mn_arena *arena, const mn_tiles *tiles, int64_t count, mn_bins *bins)
{
    const int64_t cells = (int64_t)tiles->count * tiles->cells;
    if (count >= INT32_MAX || cells >= INT32_MAX)
        return mn_fail(c, MN_ERR_MEMORY,
                       "%lld particles in %lld cells are more than 2^31 - 1, which one grid can number",
                       (long long)count, (long long)cells);
    if (bins->start == NULL) bins->start = mn_arena_array(arena, int32_t, cells + 1);
    if (bins->order == NULL || bins->capacity < count) {
        bins->order    = mn_arena_array(arena, int32_t, count);
        bins->capacity = bins->order != NULL ? count : 0;
    }
    return bins->start != NULL && bins->order != NULL ? MN_OK : MN_ERR_MEMORY;
}

mn_status mn_bins_build_wish(mn_context *c, mn_arena *arena, const mn_grid_def *def, const double *const position[3],
                             int64_t count, const mn_bins_wish *wish, mn_tiles *tiles, mn_bins *bins)
{
    MN_ASSERT(def->cell > 0.0 && wish->margin >= 0 && (def->dimension == 2 || def->dimension == 3));
    *bins                          = (mn_bins){ .reach = wish->fewest > 1 ? wish->margin : 0 };
    const cell_finder finder       = make_finder(def, position);
    mn_tile_coord    *wanted       = NULL;
    int64_t           wanted_count = 0;
    if (count > 0) MN_TRY(mn_bins_list_tiles(c, arena, def, &finder, count, wish, &wanted, &wanted_count));
    MN_TRY(mn_tiles_build(arena, def, wanted, wanted_count, tiles));
    MN_TRY(reserve(c, arena, tiles, count, bins));
    return sort_particles(c, arena, tiles, &finder, count, bins);
}

mn_status mn_bins_build(mn_context *c, mn_arena *arena, const mn_grid_def *def, const double *const position[3],
                        int64_t count, int margin, mn_tiles *tiles, mn_bins *bins)
{
    return mn_bins_build_wish(c, arena, def, position, count, &(mn_bins_wish){ .margin = margin }, tiles, bins);
}

mn_status mn_bins_refresh(mn_context *c, mn_arena *arena, const mn_tiles *tiles, const double *const position[3],
                          int64_t count, mn_bins *bins, int64_t *lost)
{
    const cell_finder finder = make_finder(&tiles->def, position);
    MN_TRY(reserve(c, arena, tiles, count, bins));
    MN_TRY(sort_particles(c, arena, tiles, &finder, count, bins));
    *lost = count - bins->count;
    return MN_OK;
}
