// SPDX-License-Identifier: MPL-2.0
// grid/transfer_to_cells.c - the density at cell centres, (E2) of liquid 5.2 before the open part of the kernel.
// Passes and order of sums are those of transfer_to_faces.c.
#include "grid/transfer.h"

#include "base/pool.h"
#include "grid/transfer_kernel.h"
#include "grid/transfer_pad.h"

typedef struct to_cells_job {
    const mn_tiles      *tiles;
    const mn_bins       *bins;
    const double *const *position;
    const double        *volume;
    mn_busy_tiles        busy;
    mn_pad_rims          rims;
    double              *density;
    double               origin[3], inverse_cell, inverse_volume;
} to_cells_job;

/// Particles of one cell that are summed before the padded tile is touched.
#define BATCH 8

typedef struct batch {
    double node[3][BATCH];    // weights in x times the particle's share of a cell
    double row[3][3][BATCH];  // weights in z and y
} batch;

MN_INLINE void weigh(const to_cells_job *job, int dimension, const int32_t *order, int count, batch *b)
{
    const int nz = dimension == 3 ? 3 : 1;
    for (int first = 0; first < count; first += MN_LANES) {
        int32_t  number[MN_LANES];
        mn_lanes w[3][3];
        mn_number_lanes(order + first, count - first, number);
        for (int a = 0; a < dimension; a++) {
            const mn_lanes x = mn_gather_lanes(job->position[a], number);
            mn_centre_weights(mn_place_in_cell((x - job->origin[a]) * job->inverse_cell), w[a]);
        }
        const mn_lanes share = mn_gather_lanes(job->volume, number) * job->inverse_volume;
        MN_UNROLL
        for (int i = 0; i < 3; i++) mn_store_lanes(b->node[i] + first, w[0][i] * share);
        MN_UNROLL
        for (int k = 0; k < nz; k++) MN_UNROLL
        for (int j = 0; j < 3; j++) mn_store_lanes(b->row[k][j] + first, dimension == 2 ? w[1][j] : w[1][j] * w[2][k]);
    }
}

/// Add `count` particles of a cell to the padded tile, at the first node of the cell.
MN_INLINE void add_batch(int dimension, const batch *b, int count, double *pad)
{
    const int    nz   = dimension == 3 ? 3 : 1;
    const mn_row zero = mn_row_make(0.0, 0.0, 0.0, 0.0);
    mn_row       sum[3][3];
    MN_UNROLL
    for (int k = 0; k < nz; k++) MN_UNROLL
    for (int j = 0; j < 3; j++) sum[k][j] = zero;
    for (int p = 0; p < count; p++) {
        const mn_row v = mn_row_make(b->node[0][p], b->node[1][p], b->node[2][p], 0.0);
        MN_UNROLL
        for (int k = 0; k < nz; k++) MN_UNROLL
        for (int j = 0; j < 3; j++) sum[k][j] = mn_row_add(sum[k][j], mn_row_scale(b->row[k][j][p], v));
    }
    MN_UNROLL
    for (int k = 0; k < nz; k++) MN_UNROLL
    for (int j = 0; j < 3; j++) {
        double *row = pad + (k * MN_PAD_Y + j) * MN_PAD_X;
        mn_row_store(row, mn_row_add(mn_row_load(row), sum[k][j]));
    }
}

MN_INLINE void add_tile(const to_cells_job *job, int dimension, int32_t tile, double *pad)
{
    const int32_t *start = job->bins->start + (int64_t)tile * job->tiles->cells;
    for (int32_t k = 0; k < job->tiles->cells; k++) {
        const int32_t x = k % MN_TILE, y = k / MN_TILE % MN_TILE, z = k / (MN_TILE * MN_TILE);
        double       *first_node = pad + mn_pad_place(x - 1, y - 1, dimension == 3 ? z - 1 : 0);
        for (int32_t first = start[k]; first < start[k + 1]; first += BATCH) {
            const int count = start[k + 1] - first < BATCH ? (int)(start[k + 1] - first) : BATCH;
            batch     b;
            int32_t   sorted[BATCH];
            for (int p = 0; job->bins->order == NULL && p < BATCH; p++) sorted[p] = first + p;
            weigh(job, dimension, job->bins->order != NULL ? job->bins->order + first : sorted, count, &b);
            add_batch(dimension, &b, count, first_node);
        }
    }
}

static void scatter_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const to_cells_job *job = context;
    double              pad[MN_PAD_SIZE];
    for (int64_t slot = begin; slot < end; slot++) {
        const int32_t tile = job->busy.list[slot];
        mn_pad_clear(&job->rims.layout, pad);
        if (job->tiles->def.dimension == 3) add_tile(job, 3, tile, pad);
        else add_tile(job, 2, tile, pad);
        mn_pad_split(&job->rims.layout, pad, job->density + (int64_t)tile * job->tiles->cells,
                     job->rims.values + slot * job->rims.layout.rim);
    }
}

static void join_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const to_cells_job *job   = context;
    const int32_t       cells = job->tiles->cells;
    for (int64_t t = begin; t < end; t++) {
        double *density = job->density + t * cells;
        if (job->busy.slot[t] < 0) memset(density, 0, (size_t)cells * sizeof *density);
        if (t > 0) mn_pad_add_rims(&job->rims, 0, job->tiles, (int32_t)t, density);
    }
}

static mn_status run(mn_context *c, mn_arena *arena, to_cells_job *job)
{
    MN_TRY(mn_busy_tiles_find(arena, job->tiles, job->bins, &job->busy));
    job->rims = (mn_pad_rims){ .layout = mn_pad_layout_make(job->tiles, -1), .slot = job->busy.slot, .fields = 1 };
    job->rims.values = mn_arena_array(arena, double, (int64_t)job->busy.count * job->rims.layout.rim);
    if (job->rims.values == NULL) return MN_ERR_MEMORY;
    const int64_t block = job->tiles->def.dimension == 3 ? 2 : 16;
    mn_parallel_for(mn_context_pool(c), job->busy.count, block, scatter_tiles, job);
    mn_parallel_for(mn_context_pool(c), job->tiles->count, 4 * block, join_tiles, job);
    return MN_OK;
}

mn_status mn_particles_to_cells(mn_context *c, mn_arena *arena, const mn_tiles *tiles, const mn_bins *bins,
                                const double *const position[3], const double *volume, double *density)
{
    to_cells_job job   = { .tiles = tiles, .bins = bins, .position = position, .volume = volume, .density = density };
    job.inverse_cell   = 1.0 / tiles->def.cell;
    job.inverse_volume = 1.0 / mn_cell_volume(&tiles->def);
    for (int a = 0; a < 3; a++) job.origin[a] = mn_get3(tiles->def.origin, a);
    const mn_arena_mark mark   = mn_arena_begin(arena);
    const mn_status     status = run(c, arena, &job);
    mn_arena_end(arena, mark);
    return status;
}
