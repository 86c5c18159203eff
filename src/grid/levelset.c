// SPDX-License-Identifier: MPL-2.0
// grid/levelset.c - level set and expected density over the tiles (liquid 5.2, 5.7).
#include "grid/levelset.h"

#include "base/pool.h"
#include "grid/transfer_pad.h"

#include <string.h>

#define TILE_BLOCK 4

typedef struct cells_job {
    const mn_tiles *tiles;
    const double   *density, *open;
    const uint8_t  *air, *near_air;
    uint8_t        *near_out;
    double         *out;
} cells_job;

// Smoothing

/// (1,2,1) along every axis, in place; values outside nodes 0 .. 7 are spoiled.
static void smooth_pad(const mn_tiles *tiles, double *pad)
{
    const int32_t low = tiles->tile_z == 1 ? 0 : -1, high = tiles->tile_z == 1 ? 0 : MN_TILE;
    for (int32_t z = low; z <= high; z++)
        for (int32_t y = -1; y <= MN_TILE; y++) {
            double *row = pad + mn_pad_place(0, y, z);
            double  sum[MN_TILE];
            for (int32_t x = 0; x < MN_TILE; x++) sum[x] = row[x - 1] + 2.0 * row[x] + row[x + 1];
            memcpy(row, sum, sizeof sum);
        }
    for (int32_t z = low; z <= high; z++) {
        double below[MN_TILE];
        memcpy(below, pad + mn_pad_place(0, -1, z), sizeof below);
        for (int32_t y = 0; y < MN_TILE; y++) {
            double *row = pad + mn_pad_place(0, y, z);
            for (int32_t x = 0; x < MN_TILE; x++) {
                const double here = row[x];
                row[x]            = below[x] + 2.0 * here + row[x + MN_PAD_X];
                below[x]          = here;
            }
        }
    }
    if (tiles->tile_z == 1) return;
    for (int32_t y = 0; y < MN_TILE; y++) {
        double below[MN_TILE];
        memcpy(below, pad + mn_pad_place(0, y, -1), sizeof below);
        for (int32_t z = 0; z < MN_TILE; z++) {
            double *row = pad + mn_pad_place(0, y, z);
            for (int32_t x = 0; x < MN_TILE; x++) {
                const double here = row[x];
                row[x]            = below[x] + 2.0 * here + row[x + MN_PAD_X * MN_PAD_Y];
                below[x]          = here;
            }
        }
    }
}

/// sum k n rho / sum k n for the cells of a tile, into `out`.
static void smooth_tile(const cells_job *job, const mn_pad_layout *layout, int32_t tile, double *out)
{
    double weighted[MN_PAD_SIZE], weight[MN_PAD_SIZE];
    mn_pad_load(layout, job->tiles, tile, job->density, weighted);
    if (job->open != NULL) {
        mn_pad_load(layout, job->tiles, tile, job->open, weight);
        const int32_t low = job->tiles->tile_z == 1 ? 0 : -1, high = job->tiles->tile_z == 1 ? 0 : MN_TILE;
        for (int32_t z = low; z <= high; z++)
            for (int32_t y = -1; y <= MN_TILE; y++)
                for (int32_t x = -1; x <= MN_TILE; x++)
                    weighted[mn_pad_place(x, y, z)] *= weight[mn_pad_place(x, y, z)];
        smooth_pad(job->tiles, weight);
    }
    smooth_pad(job->tiles, weighted);
    const double whole = job->tiles->tile_z == 1 ? 16.0 : 64.0;
    for (int32_t k = 0; k < job->tiles->cells; k++) {
        const int32_t place = mn_pad_place(k % MN_TILE, k / MN_TILE % MN_TILE, k / (MN_TILE * MN_TILE));
        const double  sum   = job->open != NULL ? weight[place] : whole;
        out[k]              = sum > 0.0 ? weighted[place] / sum : job->density[(int64_t)tile * job->tiles->cells + k];
    }
}

static void smooth_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cells_job    *job    = context;
    const mn_pad_layout layout = mn_pad_layout_make(job->tiles, -1);
    for (int64_t t = begin; t < end; t++) {
        double *out = job->out + t * job->tiles->cells;
        if (t == 0) memset(out, 0, (size_t)job->tiles->cells * sizeof *out);
        else smooth_tile(job, &layout, (int32_t)t, out);
    }
}

void mn_density_smooth(mn_context *c, const mn_tiles *tiles, const double *density, const double *open, double *smooth)
{
    cells_job job = { .tiles = tiles, .density = density, .open = open, .out = smooth };
    mn_parallel_for(mn_context_pool(c), tiles->count, TILE_BLOCK, smooth_tiles, &job);
}

// Cells near marked ones

/// The padded tile of a field of bytes, nodes -1 .. 8.
static void load_bytes(const mn_pad_layout *l, const mn_tiles *tiles, int32_t tile, const uint8_t *field, uint8_t *pad)
{
    for (int n = 0; n < 27; n++) {
        const mn_pad_region *r    = &l->region[n];
        const uint8_t       *from = field + (int64_t)tiles->neighbor[tile][n] * tiles->cells;
        for (int32_t z = 0; z < r->extent[2]; z++)
            for (int32_t y = 0; y < r->extent[1]; y++)
                for (int32_t x = 0; x < r->extent[0]; x++) {
                    const int32_t at[3]                    = { r->begin[0] + x, r->begin[1] + y, r->begin[2] + z };
                    pad[mn_pad_place(at[0], at[1], at[2])] = from[mn_cell_in_tile(at[0] & (MN_TILE - 1),
                                                                                  at[1] & (MN_TILE - 1),
                                                                                  at[2] & (l->size[2] - 1))];
                }
    }
}

/// Cells of a tile with a marked cell among themselves and their neighbours, also diagonal ones.
static void widen_tile(const cells_job *job, const mn_pad_layout *layout, int32_t tile)
{
    uint8_t pad[MN_PAD_SIZE];
    load_bytes(layout, job->tiles, tile, job->air, pad);
    const int32_t depth = job->tiles->tile_z == 1 ? 0 : 1;
    uint8_t      *out   = job->near_out + (int64_t)tile * job->tiles->cells;
    for (int32_t z = 0; z < job->tiles->tile_z; z++)
        for (int32_t y = 0; y < MN_TILE; y++) {
            uint8_t any[MN_TILE + 2] = { 0 };
            for (int32_t k = z - depth; k <= z + depth; k++)
                for (int32_t j = y - 1; j <= y + 1; j++)
                    for (int32_t x = 0; x < MN_TILE + 2; x++) any[x] |= pad[mn_pad_place(x - 1, j, k)];
            for (int32_t x = 0; x < MN_TILE; x++)
                out[mn_cell_in_tile(x, y, z)] = (any[x] | any[x + 1] | any[x + 2]) != 0;
        }
}

static void widen_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cells_job    *job    = context;
    const mn_pad_layout layout = mn_pad_layout_make(job->tiles, -1);
    for (int64_t t = begin; t < end; t++) {
        if (t == 0) memset(job->near_out, 0, (size_t)job->tiles->cells);
        else widen_tile(job, &layout, (int32_t)t);
    }
}

// Expected density

static void expect_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cells_job    *job    = context;
    const mn_pad_layout layout = mn_pad_layout_make(job->tiles, -1);
    const int32_t       cells  = job->tiles->cells;
    for (int64_t t = begin; t < end; t++) {
        double        *out  = job->out + t * cells;
        const uint8_t *near = job->near_air + t * cells;
        if (t == 0) {
            memset(out, 0, (size_t)cells * sizeof *out);
            continue;
        }
        if (memchr(near, 1, (size_t)cells) != NULL) smooth_tile(job, &layout, (int32_t)t, out);
        for (int32_t k = 0; k < cells; k++) out[k] = near[k] ? mn_density_below(mn_depth_of_wide_density(out[k])) : 1.0;
    }
}

mn_status mn_cells_near(mn_context *c, mn_arena *arena, const mn_tiles *tiles, const uint8_t *marked, uint8_t *near)
{
    const mn_arena_mark mark = mn_arena_begin(arena);
    uint8_t            *once = mn_arena_array(arena, uint8_t, (int64_t)tiles->count * tiles->cells);
    if (once != NULL) {
        cells_job job = { .tiles = tiles, .air = marked, .near_out = once };
        mn_parallel_for(mn_context_pool(c), tiles->count, TILE_BLOCK, widen_tiles, &job);
        job.air      = once;
        job.near_out = near;
        mn_parallel_for(mn_context_pool(c), tiles->count, TILE_BLOCK, widen_tiles, &job);
    }
    mn_arena_end(arena, mark);
    return once != NULL ? MN_OK : MN_ERR_MEMORY;
}

mn_status mn_density_expected(mn_context *c, mn_arena *arena, const mn_tiles *tiles, const double *density,
                              const double *open, const uint8_t *air, double *expected)
{
    const mn_arena_mark mark   = mn_arena_begin(arena);
    uint8_t            *near   = mn_arena_array(arena, uint8_t, (int64_t)tiles->count * tiles->cells);
    mn_status           status = near != NULL ? mn_cells_near(c, arena, tiles, air, near) : MN_ERR_MEMORY;
    if (status == MN_OK) {
        cells_job job = { .tiles = tiles, .density = density, .open = open, .near_air = near, .out = expected };
        mn_parallel_for(mn_context_pool(c), tiles->count, TILE_BLOCK, expect_tiles, &job);
    }
    mn_arena_end(arena, mark);
    return status;
}
