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
//
// Rims are as large as all fields of the faces together. Where the weights need not be kept, the tiles are cut into
// parts along the longest axis, and a part takes its second pass as soon as the part behind it has had its first: rims
// of three parts and weights of two are all there ever is.
#include "grid/transfer.h"

#include "base/pool.h"
#include "grid/transfer_kernel.h"
#include "grid/transfer_pad.h"

/// Most parts, and fewest tiles per part: loops over less leave threads without work.
#define PARTS_MOST 24
#define PART_TILES 32

/// Tiles by parts: those of part k are tile[first[k]] .. tile[first[k + 1] - 1], of which busy[k] have particles.
typedef struct face_parts {
    int32_t  count, axis;
    int32_t *of_layer;  // part of each layer of tiles across the axis; NULL: there is one part
    int32_t  first[PARTS_MOST + 1], busy_first[PARTS_MOST + 1];
    int32_t *tile, *busy;      // by part
    int32_t *place;            // of a tile: its place in its part
    int32_t  most, busy_most;  // tiles in the largest part
} face_parts;

typedef struct to_faces_job {
    const mn_tiles           *tiles;
    const mn_bins            *bins;
    const mn_particle_arrays *particles;
    mn_busy_tiles             busy;
    face_parts                parts;
    int32_t                   part;     // at hand
    mn_pad_rims               rims[3];  // two fields: weight, momentum
    double *const            *weight;   // NULL: kept in `recent`, for two parts
    double                   *recent;
    double *const            *momentum;
    uint8_t *const *known;  // where the weight is above `least`: the momentum is divided by it. NULL: it is not
    double          least;
    double          origin[3], inverse_cell;
} to_faces_job;

static int32_t part_of(const to_faces_job *job, int32_t tile)
{
    const mn_tiles     *t    = job->tiles;
    const mn_tile_coord at   = t->coord[tile];
    const int32_t       d[3] = { at.x - t->low.x, at.y - t->low.y, at.z - t->low.z };
    return tile > 0 && job->parts.of_layer != NULL ? job->parts.of_layer[d[job->parts.axis]] : 0;
}

static double *weight_of(const to_faces_job *job, int32_t tile, int axis)
{
    if (job->weight != NULL) return job->weight[axis] + (int64_t)tile * job->tiles->cells;
    const int64_t place = (int64_t)(part_of(job, tile) % 2) * job->parts.most + job->parts.place[tile];
    return job->recent + (place * job->tiles->def.dimension + axis) * job->tiles->cells;
}

/// Particles of one cell that are summed before the padded tile is touched.
#define BATCH 8

/// What one component of a batch puts on the grid: node weights in x, weights of the rows in z and y, and the
/// particle's constant and gradients.
typedef struct component {
    double node[4][BATCH], row[4][4][BATCH];
    double constant[BATCH], gradient[3][BATCH];
} component;

typedef struct batch {
    double    volume[BATCH];
    component of[3];
} batch;

/// Weights and moments of the lanes from `first` on, into the places from `at` on of a batch.
MN_INLINE void weigh_lanes(const to_faces_job *job, int dimension, int64_t first, int at, batch *b)
{
    const mn_particle_arrays *q        = job->particles;
    const int64_t             readable = q->count - first;
    const double              dx       = job->tiles->def.cell;
    const mn_lanes            volume   = mn_load_lanes_until(q->volume + first, readable);
    mn_lanes                  inside[3], centre[3][3], face[3][4];
    MN_UNROLL
    for (int a = 0; a < dimension; a++) {
        inside[a] = mn_place_in_cell((mn_load_lanes_until(q->position[a] + first, readable) - job->origin[a]) *
                                     job->inverse_cell);
        mn_centre_weights(inside[a], centre[a]);
        mn_face_weights(inside[a], face[a]);
    }
    mn_store_lanes(b->volume + at, volume);
    MN_UNROLL
    for (int axis = 0; axis < dimension; axis++) {
        component *c  = &b->of[axis];
        const int  nx = axis == 0 ? 4 : 3, ny = axis == 1 ? 4 : 3, nz = dimension == 2 ? 1 : axis == 2 ? 4 : 3;
        MN_UNROLL
        for (int i = 0; i < nx; i++) mn_store_lanes(c->node[i] + at, axis == 0 ? face[0][i] : centre[0][i]);
        MN_UNROLL
        for (int k = 0; k < nz; k++) MN_UNROLL
        for (int j = 0; j < ny; j++) {
            const mn_lanes wy = axis == 1 ? face[1][j] : centre[1][j];
            mn_store_lanes(c->row[k][j] + at, dimension == 2 ? wy : wy * (axis == 2 ? face[2][k] : centre[2][k]));
        }
        mn_lanes u = mn_load_lanes_until(q->velocity[axis] + first, readable);
        MN_UNROLL
        for (int a = 0; a < dimension; a++) {
            const mn_lanes slope = dx * mn_load_lanes_until(q->affine[3 * axis + a] + first, readable);
            u += slope * ((a == axis ? 0.0 : 0.5) - inside[a]);
            mn_store_lanes(c->gradient[a] + at, volume * slope);
        }
        mn_store_lanes(c->constant + at, volume * u);
    }
}

/// Add one component of `count` particles to the padded tile, at the first node of the cell.
MN_INLINE void add_component(int axis, int dimension, const double *volume, const component *c, int count,
                             double *weight, double *momentum)
{
    const int    ny = axis == 1 ? 4 : 3, nz = dimension == 2 ? 1 : axis == 2 ? 4 : 3;
    const mn_row zero = mn_row_make(0.0, 0.0, 0.0, 0.0), node = mn_row_make(-1.0, 0.0, 1.0, 2.0);
    mn_row       sum_weight[4][4], sum_momentum[4][4];
    MN_UNROLL
    for (int k = 0; k < nz; k++) MN_UNROLL
    for (int j = 0; j < ny; j++) sum_weight[k][j] = sum_momentum[k][j] = zero;
    for (int p = 0; p < count; p++) {
        const mn_row w      = mn_row_make(c->node[0][p], c->node[1][p], c->node[2][p], axis == 0 ? c->node[3][p] : 0.0);
        const mn_row v      = mn_row_scale(volume[p], w);
        const mn_row step_x = mn_row_multiply(mn_row_scale(c->gradient[0][p], node), w);
        const mn_row step_y = mn_row_scale(c->gradient[1][p], w);
        const mn_row step_z = dimension == 3 ? mn_row_scale(c->gradient[2][p], w) : zero;
        mn_row       plane  = mn_row_subtract(mn_row_add(mn_row_scale(c->constant[p], w), step_x), step_y);
        if (dimension == 3) plane = mn_row_subtract(plane, step_z);
        MN_UNROLL
        for (int k = 0; k < nz; k++) {
            mn_row row = plane;
            MN_UNROLL
            for (int j = 0; j < ny; j++) {
                sum_weight[k][j]   = mn_row_add(sum_weight[k][j], mn_row_scale(c->row[k][j][p], v));
                sum_momentum[k][j] = mn_row_add(sum_momentum[k][j], mn_row_scale(c->row[k][j][p], row));
                row                = mn_row_add(row, step_y);
            }
            plane = mn_row_add(plane, step_z);
        }
    }
    MN_UNROLL
    for (int k = 0; k < nz; k++) MN_UNROLL
    for (int j = 0; j < ny; j++) {
        const int place = (k * MN_PAD_Y + j) * MN_PAD_X;
        mn_row_store(weight + place, mn_row_add(mn_row_load(weight + place), sum_weight[k][j]));
        mn_row_store(momentum + place, mn_row_add(mn_row_load(momentum + place), sum_momentum[k][j]));
    }
}

typedef struct padded_faces {
    double weight[3][MN_PAD_SIZE], momentum[3][MN_PAD_SIZE];
} padded_faces;

MN_INLINE void add_cell(const to_faces_job *job, int dimension, int64_t first, int64_t last, int32_t place,
                        padded_faces *pad)
{
    for (; first < last; first += BATCH) {
        const int count = last - first < BATCH ? (int)(last - first) : BATCH;
        batch     b;
        for (int at = 0; at < count; at += MN_LANES) weigh_lanes(job, dimension, first + at, at, &b);
        add_component(0, dimension, b.volume, &b.of[0], count, pad->weight[0] + place, pad->momentum[0] + place);
        add_component(1, dimension, b.volume, &b.of[1], count, pad->weight[1] + place, pad->momentum[1] + place);
        if (dimension == 3)
            add_component(2, dimension, b.volume, &b.of[2], count, pad->weight[2] + place, pad->momentum[2] + place);
    }
}

MN_INLINE void add_tile(const to_faces_job *job, int dimension, int32_t tile, padded_faces *pad)
{
    const int32_t *start = job->bins->start + (int64_t)tile * job->tiles->cells;
    for (int32_t k = 0; k < job->tiles->cells; k++) {
        if (start[k] == start[k + 1]) continue;
        MN_ASSERT(job->bins->order == NULL || job->bins->order[start[k]] == start[k]);
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
    for (int64_t k = begin; k < end; k++) {
        const int32_t tile = job->parts.busy[job->parts.busy_first[job->part] + k];
        const int64_t slot = job->busy.slot[tile];
        for (int a = 0; a < dimension; a++) {
            mn_pad_clear(&job->rims[a].layout, pad.weight[a]);
            mn_pad_clear(&job->rims[a].layout, pad.momentum[a]);
        }
        if (dimension == 3) add_tile(job, 3, tile, &pad);
        else add_tile(job, 2, tile, &pad);
        for (int a = 0; a < dimension; a++) {
            const mn_pad_rims *r = &job->rims[a];
            mn_pad_split(&r->layout, pad.weight[a], weight_of(job, tile, a), r->values + slot * 2 * r->layout.rim);
            mn_pad_split(&r->layout, pad.momentum[a], job->momentum[a] + (int64_t)tile * job->tiles->cells,
                         r->values + (slot * 2 + 1) * r->layout.rim);
        }
    }
}

/// momentum / weight where particles were seen.
static void divide(const double *restrict weight, double least, int32_t cells, double *restrict momentum,
                   uint8_t *restrict known)
{
    for (int32_t i = 0; i < cells; i++) {
        known[i]    = weight[i] > least;
        momentum[i] = known[i] ? momentum[i] / weight[i] : 0.0;
    }
}

static void join_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const to_faces_job *job   = context;
    const int32_t       cells = job->tiles->cells;
    for (int64_t k = begin; k < end; k++)
        for (int a = 0; a < job->tiles->def.dimension; a++) {
            const int32_t t      = job->parts.tile[job->parts.first[job->part] + k];
            double       *weight = weight_of(job, t, a), *momentum = job->momentum[a] + (int64_t)t * cells;
            if (job->busy.slot[t] < 0) {
                memset(weight, 0, (size_t)cells * sizeof *weight);
                memset(momentum, 0, (size_t)cells * sizeof *momentum);
            }
            if (t > 0) mn_pad_add_rims(&job->rims[a], 0, job->tiles, t, weight);
            if (t > 0) mn_pad_add_rims(&job->rims[a], 1, job->tiles, t, momentum);
            if (job->known != NULL) divide(weight, job->least, cells, momentum, job->known[a] + (int64_t)t * cells);
        }
}

/// How to cut: along the longest axis that does not repeat, for a tile at one end would have neighbours at the other;
/// into parts of whole layers with about as many tiles each.
static mn_status choose_parts(mn_arena *arena, to_faces_job *job)
{
    const mn_tiles *t       = job->tiles;
    const int32_t   size[3] = { t->size.x, t->size.y, t->size.z };
    face_parts     *p       = &job->parts;
    int32_t         longest = 0;
    *p                      = (face_parts){ .count = 1 };
    for (int a = 0; a < t->def.dimension; a++)
        if (t->def.period[a] == 0 && size[a] > longest) longest = size[a], p->axis = a;
    const int32_t parts = t->count / PART_TILES < PARTS_MOST ? t->count / PART_TILES : PARTS_MOST;
    if (job->weight != NULL || longest == 0 || parts < 2) return MN_OK;
    int32_t *layer = mn_arena_array_zero(arena, int32_t, longest);
    if (layer == NULL) return MN_ERR_MEMORY;
    int64_t whole = 0, below = 0;
    for (int32_t k = 1; k < t->count; k++) {
        const int32_t d[3] = { t->coord[k].x - t->low.x, t->coord[k].y - t->low.y, t->coord[k].z - t->low.z };
        const int32_t work = job->busy.slot[k] >= 0 ? 2 : 1;  // rims are twice the weights
        layer[d[p->axis]] += work;
        whole += work;
    }
    int32_t part = 0;
    for (int32_t k = 0; k < longest; k++) {
        const int32_t here = layer[k];
        if (k > 0 && part < parts - 1 && below * parts >= (part + 1) * whole) part++;
        layer[k] = part;
        below += here;
    }
    p->count    = part + 1;
    p->of_layer = layer;
    return MN_OK;
}

/// Sort the tiles by part, and give those with particles the rooms of their rims: three parts take turns.
static mn_status make_parts(mn_arena *arena, to_faces_job *job)
{
    const mn_tiles *t = job->tiles;
    face_parts     *p = &job->parts;
    MN_TRY(choose_parts(arena, job));
    p->tile  = mn_arena_array(arena, int32_t, t->count);
    p->busy  = mn_arena_array(arena, int32_t, t->count);
    p->place = mn_arena_array(arena, int32_t, t->count);
    if (p->tile == NULL || p->busy == NULL || p->place == NULL) return MN_ERR_MEMORY;
    for (int32_t k = 0; k < t->count; k++) {
        p->first[part_of(job, k) + 1]++;
        p->busy_first[part_of(job, k) + 1] += job->busy.slot[k] >= 0;
    }
    for (int32_t k = 0; k < p->count; k++) {
        if (p->first[k + 1] > p->most) p->most = p->first[k + 1];
        if (p->busy_first[k + 1] > p->busy_most) p->busy_most = p->busy_first[k + 1];
        p->first[k + 1] += p->first[k];
        p->busy_first[k + 1] += p->busy_first[k];
    }
    int32_t next[PARTS_MOST] = { 0 }, next_busy[PARTS_MOST] = { 0 };
    for (int32_t k = 0; k < t->count; k++) {
        const int32_t part                    = part_of(job, k);
        p->place[k]                           = next[part]++;
        p->tile[p->first[part] + p->place[k]] = k;
        if (job->busy.slot[k] < 0) continue;
        job->busy.slot[k]                                = part % 3 * p->busy_most + next_busy[part];
        p->busy[p->busy_first[part] + next_busy[part]++] = k;
    }
    return MN_OK;
}

static mn_status take_room(mn_arena *arena, to_faces_job *job)
{
    const mn_tiles *tiles = job->tiles;
    const int64_t   slots = (int64_t)job->parts.busy_most * (job->parts.count < 3 ? job->parts.count : 3);
    const int64_t   most  = (int64_t)job->parts.most * (job->parts.count < 2 ? 1 : 2);
    for (int a = 0; a < tiles->def.dimension; a++) {
        mn_pad_rims *r = &job->rims[a];
        *r             = (mn_pad_rims){ .layout = mn_pad_layout_make(tiles, a), .slot = job->busy.slot, .fields = 2 };
        r->values      = mn_arena_array(arena, double, slots * 2 * r->layout.rim);
        if (r->values == NULL) return MN_ERR_MEMORY;
    }
    if (job->weight == NULL) job->recent = mn_arena_array(arena, double, most * tiles->def.dimension * tiles->cells);
    return job->weight != NULL || job->recent != NULL ? MN_OK : MN_ERR_MEMORY;
}

static mn_status run(mn_context *c, mn_arena *arena, to_faces_job *job)
{
    const mn_tiles *tiles = job->tiles;
    job->inverse_cell     = 1.0 / tiles->def.cell;
    for (int a = 0; a < 3; a++) job->origin[a] = mn_get3(tiles->def.origin, a);
    MN_TRY(mn_busy_tiles_find(arena, tiles, job->bins, &job->busy));
    MN_TRY(make_parts(arena, job));
    MN_TRY(take_room(arena, job));
    const face_parts *p     = &job->parts;
    const int64_t     block = tiles->def.dimension == 3 ? 1 : 8;  // in 2D a tile is an eighth of the work
    for (int32_t k = 0; k <= p->count; k++) {
        job->part = k;
        if (k < p->count)
            mn_parallel_for(mn_context_pool(c), p->busy_first[k + 1] - p->busy_first[k], block, scatter_tiles, job);
        job->part = k - 1;
        if (k > 0) mn_parallel_for(mn_context_pool(c), p->first[k] - p->first[k - 1], 4 * block, join_tiles, job);
    }
    return MN_OK;
}

mn_status mn_particles_to_velocity(mn_context *c, mn_arena *arena, const mn_tiles *tiles, const mn_bins *bins,
                                   const mn_particle_arrays *particles, double least, double *const weight[3],
                                   double *const velocity[3], uint8_t *const known[3])
{
    MN_ASSERT(bins->count <= particles->count);
    to_faces_job        job    = { .tiles     = tiles,
                                   .bins      = bins,
                                   .particles = particles,
                                   .weight    = weight[0] != NULL ? weight : NULL,
                                   .momentum  = velocity,
                                   .known     = known,
                                   .least     = least };
    const mn_arena_mark mark   = mn_arena_begin(arena);
    const mn_status     status = run(c, arena, &job);
    mn_arena_end(arena, mark);
    const size_t values = (size_t)tiles->count * (size_t)tiles->cells;
    if (tiles->def.dimension == 2 && weight[2] != NULL) memset(weight[2], 0, values * sizeof(double));
    if (tiles->def.dimension == 2) memset(velocity[2], 0, values * sizeof(double));
    if (tiles->def.dimension == 2) memset(known[2], 0, values);
    return status;
}

mn_status mn_particles_to_faces(mn_context *c, mn_arena *arena, const mn_tiles *tiles, const mn_bins *bins,
                                const mn_particle_arrays *particles, double *const weight[3], double *const momentum[3])
{
    MN_ASSERT(bins->count <= particles->count);
    to_faces_job job = { .tiles = tiles, .bins = bins, .particles = particles, .weight = weight, .momentum = momentum };
    const mn_arena_mark mark   = mn_arena_begin(arena);
    const mn_status     status = run(c, arena, &job);
    mn_arena_end(arena, mark);
    const size_t bytes = (size_t)tiles->count * (size_t)tiles->cells * sizeof(double);
    if (tiles->def.dimension == 2 && weight[2] != NULL) memset(weight[2], 0, bytes);
    if (tiles->def.dimension == 2 && momentum[2] != NULL) memset(momentum[2], 0, bytes);
    return status;
}
