// SPDX-License-Identifier: MPL-2.0
// grid/bins_tiles.c - which tiles the particles need: a box around all of them, and a mark for every tile in reach of
// those that ask.
#include "grid/bins_tiles.h"

#include "base/pool.h"

#include <stdatomic.h>
#include <string.h>

typedef struct cell_box {
    int32_t low[3], high[3];
    int64_t nowhere;  // first particle without a cell, or -1
} cell_box;

typedef struct box_job {
    cell_finder finder;
    cell_box   *box;  // one per block
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
            status = mn_fail(c, MN_ERR_NOT_FINITE, "particle %lld is at (%g, %g, %g) cm, which is on no grid",
                             (long long)p, finder->position[0][p], finder->position[1][p],
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

typedef struct mark_job {
    tile_box            box;
    const mn_bins_wish *wish;
    tile_crowd          crowd;
    _Atomic uint8_t    *wanted;  // a byte for every tile of the box
} mark_job;

static void mark_range(const mark_job *job, const int32_t low[3], const int32_t high[3])
{
    for (int32_t z = low[2]; z <= high[2]; z++)
        for (int32_t y = low[1]; y <= high[1]; y++)
            for (int32_t x = low[0]; x <= high[0]; x++) {
                _Atomic uint8_t *place = &job->wanted[place_of_tile(&job->box, x, y, z)];
                // A set grows to the same set in any order; looking first keeps the line shared between cores.
                if (atomic_load_explicit(place, memory_order_relaxed) == 0)
                    atomic_store_explicit(place, 1, memory_order_relaxed);
            }
}

/// Tiles along each axis, from low to high, that eight particles reach. Lanes behind the last particle repeat the
/// first.
typedef struct group_reach {
    int32_t low[3][GROUP], high[3][GROUP];
} group_reach;

/// Cells by which a particle may go farther than its velocity says at the start of the step: a fall adds 0.09 at the
/// most (E9).
#define WAY_SLACK 0.1

/// The tiles reached along an axis by eight particles at x that move by `way` of their velocity u, in cells, or stay
/// (NULL).
MN_INLINE void reach_axis(const mark_job *job, int a, const double x[GROUP], const double u[GROUP], double way,
                          group_reach *r)
{
    const cell_finder *f        = &job->box.finder;
    const double       farthest = job->wish->farthest;
    for (int l = 0; l < GROUP; l++) {
        const double from = mn_place_in_cells(x[l], f->origin[a], f->inverse_cell), d = u != NULL ? u[l] * way : 0.0;
        const double less = (d > 0.0 ? 0.0 : d) - (u != NULL ? WAY_SLACK : 0.0),
                     more = (d > 0.0 ? d : 0.0) + (u != NULL ? WAY_SLACK : 0.0);
        r->low[a][l]      = mn_tile_of_cell(mn_cell_floor_near(from + (less > -farthest ? less : -farthest)) -
                                            job->wish->margin);
        r->high[a][l]     = mn_tile_of_cell(mn_cell_floor_near(from + (more < farthest ? more : farthest)) +
                                            job->wish->margin);
    }
}

static group_reach find_reach(const mark_job *job, int64_t p, int64_t end)
{
    const cell_finder *f   = &job->box.finder;
    const double       way = job->wish->dt * f->inverse_cell;
    group_reach        r   = { 0 };
    for (int a = 0; a < f->dimension; a++) {
        const double *x = f->position[a] + p, *u = job->wish->velocity != NULL ? job->wish->velocity[a] + p : NULL;
        double        some[2][GROUP];
        if (end - p < GROUP) {
            for (int l = 0; l < GROUP; l++) {
                some[0][l] = x[l < end - p ? l : 0];
                some[1][l] = u != NULL ? u[l < end - p ? l : 0] : 0.0;
            }
            x = some[0];
            u = u != NULL ? some[1] : NULL;
        }
        if (u != NULL) reach_axis(job, a, x, u, way, &r);
        else reach_axis(job, a, x, NULL, 0.0, &r);
    }
    return r;
}

/// Mark what particle `lane` reaches, once round a periodic axis at the most.
static void mark_reach(const mark_job *job, const group_reach *r, int lane)
{
    int32_t low[3], high[3];
    for (int a = 0; a < 3; a++) {
        const int32_t period = job->box.period[a];
        low[a]               = r->low[a][lane];
        high[a]              = r->high[a][lane];
        if (period != 0 && high[a] - low[a] >= period) high[a] = low[a] + period - 1;
    }
    mark_range(job, low, high);
}

/// Sorted particles mostly reach the same tiles as the one before; these are marked once.
static void mark_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mark_job *job     = context;
    int32_t         last[6] = { 0, 0, 0, -1, -1, -1 };
    for (int64_t p = begin; p < end; p += GROUP) {
        const group_reach r     = find_reach(job, p, end);
        int32_t           other = 0;
        for (int a = 0; a < 3; a++)
            for (int l = 0; l < GROUP; l++) other |= (r.low[a][l] ^ last[a]) | (r.high[a][l] ^ last[3 + a]);
        if (other == 0) continue;
        const group_cells g = find_cells(&job->box.finder, p, end);
        for (int l = 0; l < g.count; l++) {
            const int32_t here[6] = { r.low[0][l], r.low[1][l], r.low[2][l], r.high[0][l], r.high[1][l], r.high[2][l] };
            if (memcmp(here, last, sizeof here) == 0 || !is_in_crowd(&job->crowd, &job->box, &g, l)) continue;
            mark_reach(job, &r, l);
            memcpy(last, here, sizeof last);
        }
    }
}

/// The tiles that particles may reach, as a box that can be numbered.
static mn_status find_tile_box(mn_context *c, mn_arena *arena, const mn_grid_def *def, const cell_finder *finder,
                               int64_t count, const mn_bins_wish *wish, tile_box *out)
{
    cell_box box;
    MN_TRY(find_box(c, arena, finder, count, &box));
    const int32_t reach = wish->margin + (wish->velocity != NULL ? wish->farthest : 0);
    *out                = (tile_box){ .finder = *finder, .count = 1 };
    for (int a = 0; a < 3; a++) {
        out->period[a] = def->period[a];
        if (a >= def->dimension) {
            out->period[a] = 1;
            out->size[a]   = 1;
        } else if (def->period[a] != 0) {
            out->size[a] = def->period[a];
        } else {
            out->low[a]  = mn_tile_of_cell(box.low[a] - reach);
            out->size[a] = mn_tile_of_cell(box.high[a] + reach) - out->low[a] + 1;
        }
        out->count = out->count <= MN_TILES_BOX_MOST ? out->count * out->size[a] : out->count;
    }
    if (out->count > MN_TILES_BOX_MOST)
        return mn_fail(c, MN_ERR_SOLVE,
                       "particles lie apart by %d x %d x %d tiles of %g cm, more than the grid can span", out->size[0],
                       out->size[1], out->size[2], def->cell * MN_TILE);
    return MN_OK;
}

mn_status mn_bins_list_tiles(mn_context *c, mn_arena *arena, const mn_grid_def *def, const cell_finder *finder,
                             int64_t count, const mn_bins_wish *wish, mn_tile_coord **wanted, int64_t *wanted_count)
{
    mark_job job = { .wish = wish };
    MN_TRY(find_tile_box(c, arena, def, finder, count, wish, &job.box));
    const tile_box *box = &job.box;
    job.wanted          = mn_arena_take_zero(arena, (size_t)box->count);
    if (job.wanted == NULL) return MN_ERR_MEMORY;
    if (wish->fewest > 1) MN_TRY(mn_bins_find_crowd(c, arena, box, count, wish->fewest, &job.crowd));
    mn_parallel_for(mn_context_pool(c), count, MN_BLOCK, mark_block, &job);

    *wanted_count = 0;
    for (int64_t k = 0; k < box->count; k++) *wanted_count += job.wanted[k] != 0;
    *wanted = mn_arena_array(arena, mn_tile_coord, *wanted_count);
    if (*wanted == NULL) return MN_ERR_MEMORY;
    mn_tile_coord *next  = *wanted;
    int64_t        place = 0;
    for (int32_t z = 0; z < box->size[2]; z++)
        for (int32_t y = 0; y < box->size[1]; y++)
            for (int32_t x = 0; x < box->size[0]; x++, place++)
                if (job.wanted[place] != 0)
                    *next++ = (mn_tile_coord){ box->low[0] + x, box->low[1] + y, box->low[2] + z };
    return MN_OK;
}
