// SPDX-License-Identifier: MPL-2.0
// grid/bins_tiles.c - which tiles the particles need: a box around all of them, how many lie in each octant of its tiles, and
// a mark for every tile in reach.
#include "grid/bins_cells.h"

#include "base/pool.h"

#include <stdatomic.h>
#include <string.h>

/// Largest box of tiles around all particles; that of tiles.c.
#define MAX_BOX_TILES ((int64_t)1 << 26)

typedef struct cell_box {
    int32_t low[3], high[3];
    int64_t nowhere;          // first particle without a cell, or -1
} cell_box;

typedef struct box_job {
    cell_finder finder;
    cell_box   *box;          // one per block
} box_job;

static void box_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const box_job *job     = context;
    int64_t        nowhere = -1;
    int32_t        low[3][GROUP], high[3][GROUP];
    for (int a = 0; a < 3; a++)
        for (int l = 0; l < GROUP; l++) {
            low[a][l]  = INT32_MAX;
            high[a][l] = INT32_MIN;
        }
    for (int64_t p = begin; p < end && nowhere < 0; p += GROUP) {
        const group_cells g = find_cells(&job->finder, p, end);
        for (int l = 0; !g.all_somewhere && nowhere < 0 && l < g.count; l++)
            if (!is_somewhere(&job->finder, p + l)) nowhere = p + l;
        for (int a = 0; a < 3; a++)
            for (int l = 0; l < GROUP; l++) {
                low[a][l]  = g.cell[a][l] < low[a][l] ? g.cell[a][l] : low[a][l];
                high[a][l] = g.cell[a][l] > high[a][l] ? g.cell[a][l] : high[a][l];
            }
    }
    cell_box *box = &job->box[begin / MN_BLOCK];
    box->nowhere  = nowhere;
    for (int a = 0; a < 3; a++) {
        box->low[a]  = low[a][0];
        box->high[a] = high[a][0];
        for (int l = 1; l < GROUP; l++) {
            if (low[a][l] < box->low[a]) box->low[a] = low[a][l];
            if (high[a][l] > box->high[a]) box->high[a] = high[a][l];
        }
    }
}

/// The box of all cells with particles (count > 0).
static mn_status find_box(mn_context *c, mn_arena *arena, const cell_finder *finder, int64_t count, cell_box *out)
{
    const int64_t       blocks = (count + MN_BLOCK - 1) / MN_BLOCK;
    const mn_arena_mark mark   = mn_arena_begin(arena);
    box_job             job    = { *finder, mn_arena_array(arena, cell_box, blocks) };
    if (job.box == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(c), count, MN_BLOCK, box_block, &job);

    *out             = job.box[0];
    mn_status status = MN_OK;
    for (int64_t b = 0; b < blocks && status == MN_OK; b++) {
        const int64_t p = job.box[b].nowhere;
        if (p >= 0) {
            status = mn_fail(c, MN_ERR_NOT_FINITE, "particle %lld is at (%g, %g, %g) cm, which is on no grid", (long long)p,
                             finder->position[0][p], finder->position[1][p],
                             finder->dimension == 3 ? finder->position[2][p] : 0.0);
        }
        for (int a = 0; a < 3; a++) {
            if (job.box[b].low[a] < out->low[a]) out->low[a] = job.box[b].low[a];
            if (job.box[b].high[a] > out->high[a]) out->high[a] = job.box[b].high[a];
        }
    }
    mn_arena_end(arena, mark);
    return status;
}

/// A byte for every tile of a box: is it wanted? Where particles must be many to ask, also numbers of them: in each tile, and in
/// each octant of the tiles that hold enough.
typedef struct mark_job {
    cell_finder      finder;
    int32_t          margin, fewest;
    int32_t          low[3], size[3], period[3];      // tiles
    _Atomic int32_t *tile;                            // particles in it; then its number among those that hold enough, or 0
    _Atomic int32_t *octant;                          // particles in each of the eight of these; NULL: every particle asks
    _Atomic uint8_t *wanted;
} mark_job;

static int64_t place_of_tile(const mark_job *job, int32_t x, int32_t y, int32_t z)
{
    const int64_t i = wrap_cell(x, job->period[0]) - job->low[0];
    const int64_t j = wrap_cell(y, job->period[1]) - job->low[1];
    const int64_t k = wrap_cell(z, job->period[2]) - job->low[2];
    return (k * job->size[1] + j) * job->size[0] + i;
}

static int64_t own_place(const mark_job *job, const group_cells *g, int lane)
{
    return place_of_tile(job, mn_tile_of_cell(g->cell[0][lane]), mn_tile_of_cell(g->cell[1][lane]), mn_tile_of_cell(g->cell[2][lane]));
}

/// Octants of a tile, and the bit of a cell's number that tells its half of the tile.
#define OCTANTS  8
#define HALF_BIT 2

/// The octant in which a particle lies, or -1 if its tile holds too few.
static int64_t own_octant(const mark_job *job, const group_cells *g, int lane)
{
    const int32_t number = job->tile[own_place(job, g, lane)];
    if (number == 0) return -1;
    const int32_t x = g->cell[0][lane] >> HALF_BIT & 1, y = g->cell[1][lane] >> HALF_BIT & 1, z = g->cell[2][lane] >> HALF_BIT & 1;
    return OCTANTS * (int64_t)(number - 1) + x + 2 * y + 4 * z;
}

/// Sums of whole numbers are the same in any order. Sorted particles come in runs, and a run is added once.
typedef struct run_count {
    _Atomic int32_t *count;
    int64_t          place;      // -1: nowhere
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

static void count_tiles_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mark_job *job  = context;
    run_count       runs = { job->tile, -1, 0 };
    for (int64_t p = begin; p < end; p += GROUP) {
        const group_cells g = find_cells(&job->finder, p, end);
        for (int l = 0; l < g.count; l++) add_run(&runs, own_place(job, &g, l));
    }
    add_run(&runs, -1);
}

static void count_octants_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mark_job *job  = context;
    run_count       runs = { job->octant, -1, 0 };
    for (int64_t p = begin; p < end; p += GROUP) {
        const group_cells g = find_cells(&job->finder, p, end);
        for (int l = 0; l < g.count; l++) add_run(&runs, own_octant(job, &g, l));
    }
    add_run(&runs, -1);
}

/// How many particles lie in each octant. The box of tiles may be far larger than what is full of them, so only tiles that hold
/// enough have octants.
static mn_status count_octants(mn_context *c, mn_arena *arena, mark_job *job, int64_t tiles, int64_t count)
{
    job->tile = mn_arena_take_zero(arena, (size_t)tiles * sizeof *job->tile);
    if (job->tile == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(c), count, MN_BLOCK, count_tiles_block, job);
    int32_t crowded = 0;
    for (int64_t k = 0; k < tiles; k++) job->tile[k] = job->tile[k] >= job->fewest ? ++crowded : 0;
    job->octant = mn_arena_take_zero(arena, OCTANTS * (size_t)crowded * sizeof *job->octant);
    if (job->octant == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(c), count, MN_BLOCK, count_octants_block, job);
    return MN_OK;
}

static bool asks(const mark_job *job, const group_cells *g, int lane)
{
    if (job->octant == NULL) return true;
    const int64_t octant = own_octant(job, g, lane);
    return octant >= 0 && job->octant[octant] >= job->fewest;
}

static void mark_range(const mark_job *job, const int32_t low[3], const int32_t high[3])
{
    for (int32_t z = low[2]; z <= high[2]; z++)
        for (int32_t y = low[1]; y <= high[1]; y++)
            for (int32_t x = low[0]; x <= high[0]; x++) {
                _Atomic uint8_t *place = &job->wanted[place_of_tile(job, x, y, z)];
                // A set grows to the same set in any order; looking first keeps the line shared between cores.
                if (atomic_load_explicit(place, memory_order_relaxed) == 0)
                    atomic_store_explicit(place, 1, memory_order_relaxed);
            }
}

/// Tiles along each axis, from low to high.
typedef struct tile_range { int32_t low[3], high[3]; } tile_range;

static tile_range reach_of(const mark_job *job, const group_cells *g, int lane)
{
    tile_range r = { { 0, 0, 0 }, { 0, 0, 0 } };
    for (int a = 0; a < job->finder.dimension; a++) {
        r.low[a]  = mn_tile_of_cell(g->cell[a][lane] - job->margin);
        r.high[a] = mn_tile_of_cell(g->cell[a][lane] + job->margin);
        if (job->period[a] != 0 && r.high[a] - r.low[a] >= job->period[a]) r.high[a] = r.low[a] + job->period[a] - 1;
    }
    return r;
}

static void mark_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mark_job *job  = context;
    tile_range      last = { { 0, 0, 0 }, { -1, -1, -1 } };
    for (int64_t p = begin; p < end; p += GROUP) {
        const group_cells g     = find_cells(&job->finder, p, end);
        int32_t           other = 0;
        for (int a = 0; a < job->finder.dimension; a++)
            for (int l = 0; l < GROUP; l++)
                other |= (mn_tile_of_cell(g.cell[a][l] - job->margin) ^ last.low[a]) |
                         (mn_tile_of_cell(g.cell[a][l] + job->margin) ^ last.high[a]);
        for (int l = 0; other != 0 && l < g.count; l++) {
            const tile_range r = reach_of(job, &g, l);
            if (memcmp(&r, &last, sizeof r) == 0) continue;
            if (!asks(job, &g, l)) continue;
            mark_range(job, r.low, r.high);
            last = r;
        }
    }
}

mn_status mn_bins_list_tiles(mn_context *c, mn_arena *arena, const mn_grid_def *def, const cell_finder *finder, int64_t count,
                             int margin, int fewest, mn_tile_coord **wanted, int64_t *wanted_count)
{
    cell_box box;
    MN_TRY(find_box(c, arena, finder, count, &box));
    mark_job job   = { .finder = *finder, .margin = margin, .fewest = fewest };
    int64_t  tiles = 1;
    for (int a = 0; a < 3; a++) {
        job.period[a] = def->period[a];
        if (a >= def->dimension) {
            job.period[a] = 1;
            job.size[a]   = 1;
        } else if (def->period[a] != 0) {
            job.size[a] = def->period[a];
        } else {
            job.low[a]  = mn_tile_of_cell(box.low[a] - margin);
            job.size[a] = mn_tile_of_cell(box.high[a] + margin) - job.low[a] + 1;
        }
        tiles = tiles <= MAX_BOX_TILES ? tiles * job.size[a] : tiles;
    }
    if (tiles > MAX_BOX_TILES)
        return mn_fail(c, MN_ERR_MEMORY, "particles lie apart by %d x %d x %d tiles of %g cm, more than the grid can span",
                       job.size[0], job.size[1], job.size[2], def->cell * MN_TILE);
    job.wanted = mn_arena_take_zero(arena, (size_t)tiles);
    if (job.wanted == NULL) return MN_ERR_MEMORY;
    if (fewest > 1) MN_TRY(count_octants(c, arena, &job, tiles, count));
    mn_parallel_for(mn_context_pool(c), count, MN_BLOCK, mark_block, &job);

    *wanted_count = 0;
    for (int64_t k = 0; k < tiles; k++) *wanted_count += job.wanted[k] != 0;
    *wanted = mn_arena_array(arena, mn_tile_coord, *wanted_count);
    if (*wanted == NULL) return MN_ERR_MEMORY;
    mn_tile_coord *next  = *wanted;
    int64_t        place = 0;
    for (int32_t z = 0; z < job.size[2]; z++)
        for (int32_t y = 0; y < job.size[1]; y++)
            for (int32_t x = 0; x < job.size[0]; x++, place++)
                if (job.wanted[place] != 0)
                    *next++ = (mn_tile_coord){ job.low[0] + x, job.low[1] + y, job.low[2] + z };
    return MN_OK;
}
