// SPDX-License-Identifier: MPL-2.0
// grid/bins.c - tiles around particles, and a stable parallel counting sort of the particles by cell.
//
// The sort has two digits. By tile: the particles are cut into at most 64 chunks, each counts its particles per tile,
// a running sum over (tile, chunk) says where each chunk writes. By cell: every tile sorts its own particles with a
// table that stays in the first-level cache. Both are stable, so the result is unique: neither the number of chunks
// nor that of threads shows in it.
#include "grid/bins.h"

#include "base/pool.h"
#include "grid/transfer_kernel.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define MAX_PLACE 0x1p30
#define MAX_CHUNKS 64
#define MAX_CELLS_PER_TILE (MN_TILE * MN_TILE * MN_TILE)
/// Largest box of tiles around all particles; that of tiles.c.
#define MAX_BOX_TILES ((int64_t)1 << 26)
/// Tiles sorted by one call of a range function.
#define TILE_BLOCK 16

typedef struct cell_finder {
    const double *const *position;
    int                  dimension;
    double               origin[3], inverse_cell;
    int32_t              period[3];        // cells; 0: not periodic
} cell_finder;

static cell_finder make_finder(const mn_grid_def *def, const double *const position[3])
{
    cell_finder f = { .position = position, .dimension = def->dimension, .inverse_cell = 1.0 / def->cell };
    for (int a = 0; a < 3; a++) {
        f.origin[a] = mn_get3(def->origin, a);
        f.period[a] = def->period[a] * MN_TILE;
    }
    return f;
}

static int32_t wrap_cell(int32_t i, int32_t period)
{
    if (period == 0 || (uint32_t)i < (uint32_t)period) return i;
    const int32_t r = i % period;
    return r < 0 ? r + period : r;
}

// Particles are looked at in groups of eight, in plain loops of fixed length that compilers make vectors of. Sorted
// particles mostly agree in their tile, and then one look serves the group.

#define GROUP 8

typedef struct group_cells {
    int32_t cell[3][GROUP];     // lanes behind the last particle repeat the first
    int     count;              // particles
    bool    all_somewhere;      // else some position is no number or too far out, and its cell is 0
} group_cells;

static bool is_somewhere(const cell_finder *f, int64_t p)
{
    for (int a = 0; a < f->dimension; a++)
        if (!(fabs(mn_place_in_cells(f->position[a][p], f->origin[a], f->inverse_cell)) < MAX_PLACE)) return false;
    return true;
}

/// Cells along axis `a` of eight particles at x; true if all are somewhere.
MN_INLINE bool find_axis(const cell_finder *f, int a, const double x[GROUP], int32_t cell[GROUP])
{
    double       whole[GROUP];
    mn_lane_mask bad = { 0 };
    for (int at = 0; at < GROUP; at += MN_LANES) {
        const mn_lanes     place = (mn_load_lanes(x + at) - f->origin[a]) * f->inverse_cell;
        const mn_lane_mask good  = (mn_lane_mask)(place < MAX_PLACE) & (mn_lane_mask)(place > -MAX_PLACE);
        bad |= ~good;
        mn_store_lanes(whole + at, mn_floor_lanes((mn_lanes)((mn_lane_mask)place & good)));
    }
    for (int l = 0; l < GROUP; l++) cell[l] = (int32_t)whole[l];
    int64_t any = 0, lane[MN_LANES];
    memcpy(lane, &bad, sizeof bad);
    for (int l = 0; l < MN_LANES; l++) any |= lane[l];
    return any == 0;
}

/// The cells of particles p .. end, at most eight.
MN_INLINE group_cells find_cells(const cell_finder *f, int64_t p, int64_t end)
{
    group_cells g = { .count = end - p < GROUP ? (int)(end - p) : GROUP, .all_somewhere = true };
    for (int a = 0; a < f->dimension; a++) {
        const double *x = f->position[a] + p;
        double        some[GROUP];
        if (g.count < GROUP) {
            for (int l = 0; l < GROUP; l++) some[l] = x[l < g.count ? l : 0];
            x = some;
        }
        if (!find_axis(f, a, x, g.cell[a])) g.all_somewhere = false;
        if (f->period[a] != 0)
            for (int l = 0; l < GROUP; l++) g.cell[a][l] = wrap_cell(g.cell[a][l], f->period[a]);
    }
    return g;
}

// Tiles around particles

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

/// A byte for every tile of a box: is it wanted?
typedef struct mark_job {
    cell_finder      finder;
    int32_t          margin;
    int32_t          low[3], size[3], period[3];      // tiles
    _Atomic uint8_t *wanted;
} mark_job;

static void mark_range(const mark_job *job, const int32_t low[3], const int32_t high[3])
{
    for (int32_t z = low[2]; z <= high[2]; z++)
        for (int32_t y = low[1]; y <= high[1]; y++)
            for (int32_t x = low[0]; x <= high[0]; x++) {
                const int64_t    i     = wrap_cell(x, job->period[0]) - job->low[0];
                const int64_t    j     = wrap_cell(y, job->period[1]) - job->low[1];
                const int64_t    k     = wrap_cell(z, job->period[2]) - job->low[2];
                _Atomic uint8_t *place = &job->wanted[(k * job->size[1] + j) * job->size[0] + i];
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
            mark_range(job, r.low, r.high);
            last = r;
        }
    }
}

/// The coordinates of all tiles within `margin` cells of a particle, in an array of the arena.
static mn_status list_wanted(mn_context *c, mn_arena *arena, const mn_grid_def *def, const cell_finder *finder, int64_t count,
                             int margin, mn_tile_coord **wanted, int64_t *wanted_count)
{
    cell_box box;
    MN_TRY(find_box(c, arena, finder, count, &box));
    mark_job job   = { .finder = *finder, .margin = margin };
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

// The sort

typedef struct sort_job {
    cell_finder     finder;
    const mn_tiles *tiles;
    int             shift;             // key >> shift is the tile
    int64_t         chunk, chunks;     // particles per chunk, number of chunks
    int32_t        *key;               // per particle: tile * cells + cell, or -1
    int32_t        *place;             // [chunks][tiles]: first counts, then where the chunk writes next
    int32_t        *by_tile;           // particle numbers sorted by tile
    int32_t        *tile_start;        // tiles + 1
    mn_bins        *bins;
} sort_job;

static int32_t tile_at(const mn_tiles *t, int32_t i, int32_t j, int32_t k)
{
    const int64_t x = (int64_t)i - t->low.x, y = (int64_t)j - t->low.y, z = (int64_t)k - t->low.z;
    if (x < 0 || y < 0 || z < 0 || x >= t->size.x || y >= t->size.y || z >= t->size.z) return 0;
    return t->index[(z * t->size.y + y) * t->size.x + x];
}

static void key_chunk(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const sort_job *job   = context;
    const mn_tiles *t     = job->tiles;
    int32_t        *count = job->place + begin / job->chunk * t->count;
    memset(count, 0, (size_t)t->count * sizeof *count);
    int32_t last[3] = { INT32_MIN, INT32_MIN, INT32_MIN }, tile = 0;      // no tile lies there
    for (int64_t p = begin; p < end; p += GROUP) {
        const group_cells g = find_cells(&job->finder, p, end);
        int32_t           inside[GROUP], other = 0;
        for (int l = 0; l < GROUP; l++) {
            inside[l] = mn_cell_in_tile(g.cell[0][l] & 7, g.cell[1][l] & 7, g.cell[2][l] & 7);
            other |= (g.cell[0][l] >> 3 ^ last[0]) | (g.cell[1][l] >> 3 ^ last[1]) | (g.cell[2][l] >> 3 ^ last[2]);
        }
        if (other == 0 && tile != 0 && g.all_somewhere && g.count == GROUP) {
            for (int l = 0; l < GROUP; l++) job->key[p + l] = tile * t->cells + inside[l];
            count[tile] += GROUP;
            continue;
        }
        for (int l = 0; l < g.count; l++) {
            const int32_t at[3] = { mn_tile_of_cell(g.cell[0][l]), mn_tile_of_cell(g.cell[1][l]), mn_tile_of_cell(g.cell[2][l]) };
            if (memcmp(at, last, sizeof at) != 0) tile = tile_at(t, at[0], at[1], at[2]);
            memcpy(last, at, sizeof at);
            const bool found = tile != 0 && (g.all_somewhere || is_somewhere(&job->finder, p + l));
            job->key[p + l]  = found ? tile * t->cells + inside[l] : -1;
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
            const int32_t p = job->by_tile[j];
            job->bins->order[next[job->key[p] - (int32_t)t * cells]++] = p;
        }
    }
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
static mn_status sort_particles(mn_context *c, mn_arena *arena, const mn_tiles *tiles, const cell_finder *finder, int64_t count,
                                mn_bins *bins)
{
    sort_job job = { .finder = *finder, .tiles = tiles, .shift = tiles->tile_z == 1 ? 6 : 9, .bins = bins };
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
        status                                            = MN_OK;
    }
    mn_arena_end(arena, mark);
    return status;
}

/// Room in `bins` for `count` particles on `tiles`.
static mn_status reserve(mn_context *c, mn_arena *arena, const mn_tiles *tiles, int64_t count, mn_bins *bins)
{
    const int64_t cells = (int64_t)tiles->count * tiles->cells;
    if (count >= INT32_MAX || cells >= INT32_MAX)
        return mn_fail(c, MN_ERR_MEMORY, "%lld particles in %lld cells are more than 2^31 - 1, which one grid can number",
                       (long long)count, (long long)cells);
    if (bins->start == NULL) bins->start = mn_arena_array(arena, int32_t, cells + 1);
    if (bins->order == NULL || bins->capacity < count) {
        bins->order    = mn_arena_array(arena, int32_t, count);
        bins->capacity = bins->order != NULL ? count : 0;
    }
    return bins->start != NULL && bins->order != NULL ? MN_OK : MN_ERR_MEMORY;
}

mn_status mn_bins_build(mn_context *c, mn_arena *arena, const mn_grid_def *def, const double *const position[3], int64_t count,
                        int margin, mn_tiles *tiles, mn_bins *bins)
{
    MN_ASSERT(def->cell > 0.0 && margin >= 0 && (def->dimension == 2 || def->dimension == 3));
    *bins                        = (mn_bins){ 0 };
    const cell_finder finder     = make_finder(def, position);
    mn_tile_coord    *wanted     = NULL;
    int64_t           wanted_count = 0;
    if (count > 0) MN_TRY(list_wanted(c, arena, def, &finder, count, margin, &wanted, &wanted_count));
    MN_TRY(mn_tiles_build(arena, def, wanted, wanted_count, tiles));
    MN_TRY(reserve(c, arena, tiles, count, bins));
    return sort_particles(c, arena, tiles, &finder, count, bins);
}

mn_status mn_bins_refresh(mn_context *c, mn_arena *arena, const mn_tiles *tiles, const double *const position[3], int64_t count,
                          mn_bins *bins, int64_t *lost)
{
    const cell_finder finder = make_finder(&tiles->def, position);
    MN_TRY(reserve(c, arena, tiles, count, bins));
    MN_TRY(sort_particles(c, arena, tiles, &finder, count, bins));
    *lost = count - bins->count;
    return MN_OK;
}

static void number_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    int32_t *order = context;
    for (int64_t p = begin; p < end; p++) order[p] = (int32_t)p;
}

void mn_bins_set_sorted(mn_context *c, mn_bins *bins)
{
    mn_parallel_for(mn_context_pool(c), bins->count, MN_BLOCK, number_block, bins->order);
}
