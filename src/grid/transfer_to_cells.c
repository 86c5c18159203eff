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

MN_INLINE void add_batch(const to_cells_job *job, int dimension, const int32_t *order, int lanes, double *pad)
{
    int32_t number[MN_BATCH];
    mn_number_lanes(order, lanes, number);
    mn_vec8 w[3][3];
    for (int a = 0; a < dimension; a++) {
        const mn_vec8 x = mn_gather_lanes(job->position[a], number);
        mn_centre_weights(mn_place_in_cell8((x - job->origin[a]) * job->inverse_cell), w[a]);
    }
    const mn_vec8 share = mn_gather_lanes(job->volume, number) * job->inverse_volume;
    const int     nz    = dimension == 3 ? 3 : 1;
    double        row_weight[3][3][MN_BATCH], node_weight[3][MN_BATCH];
    MN_UNROLL
    for (int k = 0; k < nz; k++)
        MN_UNROLL
        for (int j = 0; j < 3; j++) mn_store8(row_weight[k][j], dimension == 2 ? w[1][j] : w[1][j] * w[2][k]);
    MN_UNROLL
    for (int i = 0; i < 3; i++) mn_store8(node_weight[i], w[0][i] * share);

    mn_vec4 sum[3][3] = { 0 };
    for (int p = 0; p < lanes; p++) {
        const mn_vec4 v = { node_weight[0][p], node_weight[1][p], node_weight[2][p], 0.0 };
        MN_UNROLL
        for (int k = 0; k < nz; k++)
            MN_UNROLL
            for (int j = 0; j < 3; j++) sum[k][j] += row_weight[k][j][p] * v;
    }
    MN_UNROLL
    for (int k = 0; k < nz; k++)
        MN_UNROLL
        for (int j = 0; j < 3; j++) {
            double *row = pad + (k * MN_PAD_Y + j) * MN_PAD_X;
            mn_store4(row, mn_load4(row) + sum[k][j]);
        }
}

MN_INLINE void add_tile(const to_cells_job *job, int dimension, int32_t tile, double *pad)
{
    const int32_t *start = job->bins->start + (int64_t)tile * job->tiles->cells;
    for (int32_t k = 0; k < job->tiles->cells; k++) {
        const int32_t x = k % MN_TILE, y = k / MN_TILE % MN_TILE, z = k / (MN_TILE * MN_TILE);
        double       *first_node = pad + mn_pad_place(x - 1, y - 1, dimension == 3 ? z - 1 : 0);
        for (int32_t first = start[k]; first < start[k + 1]; first += MN_BATCH) {
            const int lanes = start[k + 1] - first < MN_BATCH ? (int)(start[k + 1] - first) : MN_BATCH;
            add_batch(job, dimension, job->bins->order + first, lanes, first_node);
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
        if (job->tiles->def.dimension == 3)
            add_tile(job, 3, tile, pad);
        else
            add_tile(job, 2, tile, pad);
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
    job->rims        = (mn_pad_rims){ .layout = mn_pad_layout_make(job->tiles, -1), .slot = job->busy.slot, .fields = 1 };
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
