// SPDX-License-Identifier: MPL-2.0
// grid/transfer_to_points.c - particles shifted by a staggered field, interpolated linearly (liquid 5.7, (E8)).
//
// As transfer_from_faces.c: one lane is one particle, node values come from a padded tile. Between centres a particle
// of a cell may lie on either side of the middle, so three nodes take part there, one of them with weight 0.
#include "grid/transfer.h"

#include "base/pool.h"
#include "grid/transfer_kernel.h"
#include "grid/transfer_pad.h"

typedef struct to_points_job {
    const mn_tiles      *tiles;
    const mn_bins       *bins;
    const double *const *field;
    double *const       *position;  // to be shifted
    double               longest;   // bound of the shift
    mn_pad_layout        layout[3];
    double               origin[3], inverse_cell;
} to_points_job;

/// Weights of the nodes 0, 1 of the staggered axis and of the centres -1, 0, 1 of the others.
typedef struct linear_weights {
    mn_lanes face[3][2], centre[3][3];
} linear_weights;

MN_INLINE void weigh(const to_points_job *job, int dimension, const int32_t number[MN_LANES], linear_weights *w)
{
    for (int a = 0; a < dimension; a++) {
        const mn_lanes f = mn_place_in_cell((mn_gather_lanes(job->position[a], number) - job->origin[a]) *
                                            job->inverse_cell);
        w->face[a][0]    = 1.0 - f;
        w->face[a][1]    = f;
        w->centre[a][0]  = mn_positive(0.5 - f);
        w->centre[a][2]  = mn_positive(f - 0.5);
        w->centre[a][1]  = 1.0 - w->centre[a][0] - w->centre[a][2];
    }
}

/// Interpolate one component; `at` is node (-1, -1, -1) of the cell (z 0 in 2D).
MN_INLINE mn_lanes interpolate(int axis, int dimension, const linear_weights *w, const double *at)
{
    const int       nx = axis == 0 ? 2 : 3, ny = axis == 1 ? 2 : 3, nz = dimension == 2 ? 1 : axis == 2 ? 2 : 3;
    const mn_lanes *wx = axis == 0 ? w->face[0] : w->centre[0];
    const mn_lanes *wy = axis == 1 ? w->face[1] : w->centre[1];
    const mn_lanes *wz = axis == 2 ? w->face[2] : w->centre[2];
    at += axis == 0 ? 1 : axis == 1 ? MN_PAD_X : MN_PAD_X * MN_PAD_Y;  // the first face is node 0
    mn_lanes sum = { 0 };
    MN_UNROLL
    for (int k = 0; k < nz; k++) {
        mn_lanes plane = { 0 };
        MN_UNROLL
        for (int j = 0; j < ny; j++) {
            const double *node = at + (k * MN_PAD_Y + j) * MN_PAD_X;
            mn_lanes      row  = wx[0] * node[0] + wx[1] * node[1];
            if (nx == 3) row += wx[2] * node[2];
            plane += wy[j] * row;
        }
        sum = dimension == 2 ? plane : sum + wz[k] * plane;
    }
    return sum;
}

/// Move some particles by `step`, each by `longest` at most. No other cell reads them.
MN_INLINE void shift_lanes(const to_points_job *job, int dimension, const int32_t *order, int particles,
                           const mn_lanes step[3])
{
    double some[3][MN_LANES];
    for (int a = 0; a < dimension; a++) mn_store_lanes(some[a], step[a]);
    for (int l = 0; l < particles; l++) {
        double length2 = 0.0;
        for (int a = 0; a < dimension; a++) length2 += some[a][l] * some[a][l];
        const double limit = length2 > job->longest * job->longest ? job->longest / sqrt(length2) : 1.0;
        for (int a = 0; a < dimension; a++) job->position[a][order[l]] += limit * some[a][l];
    }
}

MN_INLINE void interpolate_tile(const to_points_job *job, int dimension, int32_t tile, const double pad[3][MN_PAD_SIZE])
{
    const int32_t *start = job->bins->start + (int64_t)tile * job->tiles->cells;
    for (int32_t k = 0; k < job->tiles->cells; k++) {
        const int32_t x = k % MN_TILE, y = k / MN_TILE % MN_TILE, z = k / (MN_TILE * MN_TILE);
        const int32_t place = mn_pad_place(x - 1, y - 1, dimension == 3 ? z - 1 : 0);
        for (int32_t first = start[k]; first < start[k + 1]; first += MN_LANES) {
            const int      particles = start[k + 1] - first < MN_LANES ? (int)(start[k + 1] - first) : MN_LANES;
            const int32_t *order     = job->bins->order + first;
            int32_t        number[MN_LANES];
            linear_weights w;
            mn_number_lanes(order, particles, number);
            weigh(job, dimension, number, &w);
            mn_lanes value[3] = { interpolate(0, dimension, &w, pad[0] + place),
                                  interpolate(1, dimension, &w, pad[1] + place) };
            if (dimension == 3) value[2] = interpolate(2, dimension, &w, pad[2] + place);
            shift_lanes(job, dimension, order, particles, value);
        }
    }
}

static void interpolate_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const to_points_job *job   = context;
    const mn_tiles      *tiles = job->tiles;
    double               pad[3][MN_PAD_SIZE];
    for (int64_t t = begin; t < end; t++) {
        const int32_t *start = job->bins->start + t * tiles->cells;
        if (start[0] == start[tiles->cells]) continue;
        for (int a = 0; a < tiles->def.dimension; a++)
            mn_pad_load(&job->layout[a], tiles, (int32_t)t, job->field[a], pad[a]);
        if (tiles->def.dimension == 3) interpolate_tile(job, 3, (int32_t)t, pad);
        else interpolate_tile(job, 2, (int32_t)t, pad);
    }
}

void mn_faces_shift_points(mn_context *c, const mn_tiles *tiles, const mn_bins *bins, const double *const field[3],
                           double longest, double *const position[3])
{
    MN_ASSERT(bins->order != NULL);
    to_points_job job = { .tiles        = tiles,
                          .bins         = bins,
                          .field        = field,
                          .position     = position,
                          .longest      = longest,
                          .inverse_cell = 1.0 / tiles->def.cell };
    for (int a = 0; a < 3; a++) {
        job.layout[a] = mn_pad_layout_make(tiles, a);
        job.origin[a] = mn_get3(tiles->def.origin, a);
    }
    mn_parallel_for(mn_context_pool(c), tiles->count, tiles->def.dimension == 3 ? 1 : 8, interpolate_tiles, &job);
}
