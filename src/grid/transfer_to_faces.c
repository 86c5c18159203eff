// SPDX-License-Identifier: MPL-2.0
// grid/transfer_to_faces.c - (E1) of liquid 5.1 from particles to faces; the kernel of liquid 5.11.
//
// All particles of a cell touch the same few nodes: 4 along the staggered axis (one weight is 0), 3 along the others.
// Their rows of four x nodes are kept in registers over all particles of the cell and then added to a padded tile.
// The node distance is r = (node - f) dx with the node counted from the cell, so the particle's share is
//     w V [u + C r] = w [q + dx V (C_x i + C_y j + C_z k)],   q = V [u + C (offset - f) dx],
// and a row needs one addition, two products and two sums.
//
// First pass: every tile with particles fills its padded tile, keeps the inside and stores the rim. Second pass: every
// tile adds the rims of its neighbours, in the order of the directions. So no two threads write the same node, and the
// order of every sum is fixed.
#include "grid/transfer.h"

#include "base/pool.h"
#include "grid/transfer_kernel.h"
#include "grid/transfer_pad.h"

typedef struct to_faces_job {
    const mn_tiles           *tiles;
    const mn_bins            *bins;
    const mn_particle_arrays *particles;
    mn_busy_tiles             busy;
    mn_pad_rims               rims[3];        // two fields: weight, momentum
    double *const            *weight, *const *momentum;
    double                    origin[3], inverse_cell;
} to_faces_job;

/// Weights of up to MN_BATCH particles of a cell.
typedef struct batch {
    mn_vec8 inside[3];                        // place in the cell
    mn_vec8 centre[3][3], face[3][4];
    mn_vec8 volume;
} batch;

/// What one component of a batch puts on the grid, apart from the weights.
typedef struct moments {
    double volume[MN_BATCH], constant[MN_BATCH], gradient[3][MN_BATCH];
} moments;

MN_INLINE void weigh(const to_faces_job *job, int dimension, int64_t first, batch *b)
{
    const mn_particle_arrays *q        = job->particles;
    const int64_t             readable = q->count - first;
    for (int a = 0; a < dimension; a++) {
        const mn_vec8 x = mn_load_lanes(q->position[a] + first, readable);
        b->inside[a]    = mn_place_in_cell8((x - job->origin[a]) * job->inverse_cell);
        mn_centre_weights(b->inside[a], b->centre[a]);
        mn_face_weights(b->inside[a], b->face[a]);
    }
    b->volume = mn_load_lanes(q->volume + first, readable);
}

MN_INLINE void take_moments(const to_faces_job *job, int axis, int dimension, const batch *b, int64_t first, moments *m)
{
    const mn_particle_arrays *q        = job->particles;
    const int64_t             readable = q->count - first;
    const double              dx       = job->tiles->def.cell;
    mn_vec8                   u        = mn_load_lanes(q->velocity[axis] + first, readable);
    for (int a = 0; a < dimension; a++) {
        const mn_vec8 slope = dx * mn_load_lanes(q->affine[3 * axis + a] + first, readable);
        u += slope * ((a == axis ? 0.0 : 0.5) - b->inside[a]);
        mn_store8(m->gradient[a], b->volume * slope);
    }
    mn_store8(m->volume, b->volume);
    mn_store8(m->constant, b->volume * u);
}

/// Add one component of a batch to the padded tile, at the first node of the cell.
MN_INLINE void add_component(int axis, int dimension, const batch *b, const moments *m, int lanes, double *weight, double *momentum)
{
    const int      nx = axis == 0 ? 4 : 3, ny = axis == 1 ? 4 : 3, nz = dimension == 2 ? 1 : axis == 2 ? 4 : 3;
    const mn_vec8 *wx = axis == 0 ? b->face[0] : b->centre[0];
    const mn_vec8 *wy = axis == 1 ? b->face[1] : b->centre[1];
    const mn_vec8 *wz = axis == 2 ? b->face[2] : b->centre[2];
    double         row_weight[4][4][MN_BATCH], node_weight[4][MN_BATCH];
    MN_UNROLL
    for (int k = 0; k < nz; k++)
        MN_UNROLL
        for (int j = 0; j < ny; j++) mn_store8(row_weight[k][j], dimension == 2 ? wy[j] : wy[j] * wz[k]);
    MN_UNROLL
    for (int i = 0; i < nx; i++) mn_store8(node_weight[i], wx[i]);

    mn_vec4       sum_weight[4][4] = { 0 }, sum_momentum[4][4] = { 0 };
    const mn_vec4 node = { -1.0, 0.0, 1.0, 2.0 };
    for (int p = 0; p < lanes; p++) {
        const mn_vec4 w = { node_weight[0][p], node_weight[1][p], node_weight[2][p], nx == 4 ? node_weight[3][p] : 0.0 };
        const mn_vec4 v = w * m->volume[p], step_y = w * m->gradient[1][p];
        mn_vec4       row_z = w * (m->constant[p] + node * m->gradient[0][p]) - step_y, step_z = v;
        if (dimension == 3) {
            step_z = w * m->gradient[2][p];
            row_z -= step_z;
        }
        MN_UNROLL
        for (int k = 0; k < nz; k++) {
            mn_vec4 row = row_z;
            MN_UNROLL
            for (int j = 0; j < ny; j++) {
                sum_weight[k][j] += row_weight[k][j][p] * v;
                sum_momentum[k][j] += row_weight[k][j][p] * row;
                row += step_y;
            }
            row_z += step_z;
        }
    }
    MN_UNROLL
    for (int k = 0; k < nz; k++)
        MN_UNROLL
        for (int j = 0; j < ny; j++) {
            const int place = (k * MN_PAD_Y + j) * MN_PAD_X;
            mn_store4(weight + place, mn_load4(weight + place) + sum_weight[k][j]);
            mn_store4(momentum + place, mn_load4(momentum + place) + sum_momentum[k][j]);
        }
}

typedef struct padded_faces {
    double weight[3][MN_PAD_SIZE], momentum[3][MN_PAD_SIZE];
} padded_faces;

MN_INLINE void add_cell(const to_faces_job *job, int dimension, int64_t first, int64_t last, int32_t place, padded_faces *pad)
{
    for (; first < last; first += MN_BATCH) {
        const int lanes = last - first < MN_BATCH ? (int)(last - first) : MN_BATCH;
        batch     b;
        moments   m;
        weigh(job, dimension, first, &b);
        take_moments(job, 0, dimension, &b, first, &m);
        add_component(0, dimension, &b, &m, lanes, pad->weight[0] + place, pad->momentum[0] + place);
        take_moments(job, 1, dimension, &b, first, &m);
        add_component(1, dimension, &b, &m, lanes, pad->weight[1] + place, pad->momentum[1] + place);
        if (dimension == 3) {
            take_moments(job, 2, dimension, &b, first, &m);
            add_component(2, dimension, &b, &m, lanes, pad->weight[2] + place, pad->momentum[2] + place);
        }
    }
}

MN_INLINE void add_tile(const to_faces_job *job, int dimension, int32_t tile, padded_faces *pad)
{
    const int32_t *start = job->bins->start + (int64_t)tile * job->tiles->cells;
    for (int32_t k = 0; k < job->tiles->cells; k++) {
        if (start[k] == start[k + 1]) continue;
        MN_ASSERT(job->bins->order[start[k]] == start[k]);
        const int32_t x = k % MN_TILE, y = k / MN_TILE % MN_TILE, z = k / (MN_TILE * MN_TILE);
        add_cell(job, dimension, start[k], start[k + 1], mn_pad_place(x - 1, y - 1, dimension == 3 ? z - 1 : 0), pad);
    }
}

static void scatter_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const to_faces_job *job       = context;
    const int           dimension = job->tiles->def.dimension;
    padded_faces        pad;
    for (int64_t slot = begin; slot < end; slot++) {
        const int32_t tile = job->busy.list[slot];
        for (int a = 0; a < dimension; a++) {
            mn_pad_clear(&job->rims[a].layout, pad.weight[a]);
            mn_pad_clear(&job->rims[a].layout, pad.momentum[a]);
        }
        if (dimension == 3)
            add_tile(job, 3, tile, &pad);
        else
            add_tile(job, 2, tile, &pad);
        for (int a = 0; a < dimension; a++) {
            const mn_pad_rims *r      = &job->rims[a];
            const int64_t      inside = (int64_t)tile * job->tiles->cells;
            mn_pad_split(&r->layout, pad.weight[a], job->weight[a] + inside, r->values + slot * 2 * r->layout.rim);
            mn_pad_split(&r->layout, pad.momentum[a], job->momentum[a] + inside, r->values + (slot * 2 + 1) * r->layout.rim);
        }
    }
}

static void join_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const to_faces_job *job   = context;
    const int32_t       cells = job->tiles->cells;
    for (int64_t t = begin; t < end; t++)
        for (int a = 0; a < job->tiles->def.dimension; a++) {
            double *weight = job->weight[a] + t * cells, *momentum = job->momentum[a] + t * cells;
            if (job->busy.slot[t] < 0) {
                memset(weight, 0, (size_t)cells * sizeof *weight);
                memset(momentum, 0, (size_t)cells * sizeof *momentum);
            }
            if (t == 0) continue;
            mn_pad_add_rims(&job->rims[a], 0, job->tiles, (int32_t)t, weight);
            mn_pad_add_rims(&job->rims[a], 1, job->tiles, (int32_t)t, momentum);
        }
}

static mn_status run(mn_context *c, mn_arena *arena, to_faces_job *job)
{
    const mn_tiles *tiles = job->tiles;
    MN_TRY(mn_busy_tiles_find(arena, tiles, job->bins, &job->busy));
    for (int a = 0; a < tiles->def.dimension; a++) {
        mn_pad_rims *r = &job->rims[a];
        *r             = (mn_pad_rims){ .layout = mn_pad_layout_make(tiles, a), .slot = job->busy.slot, .fields = 2 };
        r->values      = mn_arena_array(arena, double, (int64_t)job->busy.count * 2 * r->layout.rim);
        if (r->values == NULL) return MN_ERR_MEMORY;
    }
    // In 2D a tile is an eighth of the work.
    const int64_t block = tiles->def.dimension == 3 ? 1 : 8;
    mn_parallel_for(mn_context_pool(c), job->busy.count, block, scatter_tiles, job);
    mn_parallel_for(mn_context_pool(c), tiles->count, 4 * block, join_tiles, job);
    return MN_OK;
}

mn_status mn_particles_to_faces(mn_context *c, mn_arena *arena, const mn_tiles *tiles, const mn_bins *bins,
                                const mn_particle_arrays *particles, double *const weight[3], double *const momentum[3])
{
    MN_ASSERT(bins->count == particles->count);
    to_faces_job job = { .tiles = tiles, .bins = bins, .particles = particles, .weight = weight, .momentum = momentum };
    job.inverse_cell = 1.0 / tiles->def.cell;
    for (int a = 0; a < 3; a++) job.origin[a] = mn_get3(tiles->def.origin, a);
    const mn_arena_mark mark   = mn_arena_begin(arena);
    const mn_status     status = run(c, arena, &job);
    mn_arena_end(arena, mark);
    const size_t bytes = (size_t)tiles->count * (size_t)tiles->cells * sizeof(double);
    if (tiles->def.dimension == 2 && weight[2] != NULL) memset(weight[2], 0, bytes);
    if (tiles->def.dimension == 2 && momentum[2] != NULL) memset(momentum[2], 0, bytes);
    return status;
}
