// SPDX-License-Identifier: MPL-2.0
// grid/transfer_from_faces.c - (E1) of liquid 5.1 from faces to particles.
//
// One lane is one particle: all particles of a cell read the same nodes, so a node value is one number for all lanes.
// The sums over nodes are contracted axis by axis. With the node counted from the cell, sum w u r needs beside sum w u
// only the sum weighted by the node number, whose factors are -1, 0, 1, 2: additions. The particle's place comes in
// once, at the end.
//
// Differs from liquid 5.11, which spreads the x nodes of one particle over the lanes: no horizontal sums here.
#include "grid/transfer.h"

#include "base/pool.h"
#include "grid/transfer_kernel.h"
#include "grid/transfer_pad.h"

typedef struct from_faces_job {
    const mn_tiles      *tiles;
    const mn_bins       *bins;
    mn_particle_arrays  *particles;
    const double *const *velocity;
    mn_pad_layout        layout[3];
    double               origin[3], inverse_cell;
} from_faces_job;

/// Sum of w v over the nodes of an axis, and the same weighted by the node number (-1, 0, 1, 2).
MN_INLINE void contract(int nodes, const mn_lanes *w, const mn_lanes *v, mn_lanes *sum, mn_lanes *numbered)
{
    const mn_lanes low = w[0] * v[0], high = w[2] * v[2];
    *sum      = low + w[1] * v[1] + high;
    *numbered = high - low;
    if (nodes == 4) {
        const mn_lanes last = w[3] * v[3];
        *sum += last;
        *numbered += last + last;
    }
}

MN_INLINE mn_lanes contract_sum(int nodes, const mn_lanes *w, const mn_lanes *v)
{
    const mn_lanes sum = w[0] * v[0] + w[1] * v[1] + w[2] * v[2];
    return nodes == 4 ? sum + w[3] * v[3] : sum;
}

/// The same as contract for one row of node values.
MN_INLINE void contract_row(int nodes, const mn_lanes *w, const double *v, mn_lanes *sum, mn_lanes *numbered)
{
    const mn_lanes low = w[0] * v[0], high = w[2] * v[2];
    *sum      = low + w[1] * v[1] + high;
    *numbered = high - low;
    if (nodes == 4) {
        const mn_lanes last = w[3] * v[3];
        *sum += last;
        *numbered += last + last;
    }
}

/// Value and first moments of one component around the particles of a batch: sum w u, sum w u (node number).
MN_INLINE void gather_component(int axis, int dimension, const mn_lanes centre[3][3], const mn_lanes face[3][4],
                                const double *at, mn_lanes *value, mn_lanes moment[3])
{
    const int       nx = axis == 0 ? 4 : 3, ny = axis == 1 ? 4 : 3, nz = dimension == 2 ? 1 : axis == 2 ? 4 : 3;
    const mn_lanes *wx = axis == 0 ? face[0] : centre[0];
    const mn_lanes *wy = axis == 1 ? face[1] : centre[1];
    const mn_lanes *wz = axis == 2 ? face[2] : centre[2];
    mn_lanes        plane[4], plane_x[4], plane_y[4];
    MN_UNROLL
    for (int k = 0; k < nz; k++) {
        mn_lanes row[4], row_x[4];
        MN_UNROLL
        for (int j = 0; j < ny; j++) contract_row(nx, wx, at + (k * MN_PAD_Y + j) * MN_PAD_X, &row[j], &row_x[j]);
        contract(ny, wy, row, &plane[k], &plane_y[k]);
        plane_x[k] = contract_sum(ny, wy, row_x);
    }
    if (dimension == 2) {
        *value    = plane[0];
        moment[0] = plane_x[0];
        moment[1] = plane_y[0];
        return;
    }
    contract(nz, wz, plane, value, &moment[2]);
    moment[0] = contract_sum(nz, wz, plane_x);
    moment[1] = contract_sum(nz, wz, plane_y);
}

/// Write all values, or those of the first `writable` lanes.
MN_INLINE void store_until(double *to, mn_lanes v, int64_t writable)
{
    if (__builtin_expect(writable >= MN_LANES, 1)) {
        mn_store_lanes(to, v);
        return;
    }
    double some[MN_LANES];
    mn_store_lanes(some, v);
    for (int64_t l = 0; l < writable; l++) to[l] = some[l];
}

/// `last` is the end of the tile: lanes behind the last particle of the cell are written, too, and put right by the
/// cells that follow; but never those of another tile, which another thread may hold.
MN_INLINE void gather_batch(const from_faces_job *job, int dimension, int64_t first, int64_t last, int32_t place,
                            const double pad[3][MN_PAD_SIZE])
{
    mn_particle_arrays *q = job->particles;
    mn_lanes            inside[3], centre[3][3], face[3][4];
    for (int a = 0; a < dimension; a++) {
        const mn_lanes x = mn_load_lanes_until(q->position[a] + first, q->count - first);
        inside[a]        = mn_place_in_cell((x - job->origin[a]) * job->inverse_cell);
        mn_centre_weights(inside[a], centre[a]);
        mn_face_weights(inside[a], face[a]);
    }
    const double scale = 4.0 * job->inverse_cell;
    MN_UNROLL
    for (int axis = 0; axis < dimension; axis++) {
        mn_lanes value, moment[3];
        gather_component(axis, dimension, centre, face, pad[axis] + place, &value, moment);
        store_until(q->velocity[axis] + first, value, last - first);
        MN_UNROLL
        for (int a = 0; a < dimension; a++) {
            const mn_lanes offset = (a == axis ? 0.0 : 0.5) - inside[a];
            store_until(q->affine[3 * axis + a] + first, scale * (moment[a] + offset * value), last - first);
        }
    }
}

MN_INLINE void gather_tile(const from_faces_job *job, int dimension, int32_t tile, const double pad[3][MN_PAD_SIZE])
{
    const int32_t *start = job->bins->start + (int64_t)tile * job->tiles->cells;
    for (int32_t k = 0; k < job->tiles->cells; k++) {
        const int32_t x = k % MN_TILE, y = k / MN_TILE % MN_TILE, z = k / (MN_TILE * MN_TILE);
        const int32_t place = mn_pad_place(x - 1, y - 1, dimension == 3 ? z - 1 : 0);
        for (int32_t first = start[k]; first < start[k + 1]; first += MN_LANES) {
            MN_ASSERT(job->bins->order == NULL || job->bins->order[first] == first);
            gather_batch(job, dimension, first, start[job->tiles->cells], place, pad);
        }
    }
}

static void gather_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const from_faces_job *job   = context;
    const mn_tiles       *tiles = job->tiles;
    double                pad[3][MN_PAD_SIZE];
    for (int64_t t = begin; t < end; t++) {
        const int32_t *start = job->bins->start + t * tiles->cells;
        if (start[0] == start[tiles->cells]) continue;
        for (int a = 0; a < tiles->def.dimension; a++)
            mn_pad_load(&job->layout[a], tiles, (int32_t)t, job->velocity[a], pad[a]);
        if (tiles->def.dimension == 3) gather_tile(job, 3, (int32_t)t, pad);
        else gather_tile(job, 2, (int32_t)t, pad);
    }
}

void mn_faces_to_particles(mn_context *c, const mn_tiles *tiles, const mn_bins *bins, const double *const velocity[3],
                           mn_particle_arrays *particles)
{
    MN_ASSERT(bins->count <= particles->count);
    from_faces_job job = { .tiles = tiles, .bins = bins, .particles = particles, .velocity = velocity };
    job.inverse_cell   = 1.0 / tiles->def.cell;
    for (int a = 0; a < 3; a++) {
        job.layout[a] = mn_pad_layout_make(tiles, a);
        job.origin[a] = mn_get3(tiles->def.origin, a);
    }
    mn_parallel_for(mn_context_pool(c), tiles->count, tiles->def.dimension == 3 ? 1 : 8, gather_tiles, &job);
}
