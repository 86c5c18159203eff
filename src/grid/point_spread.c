// SPDX-License-Identifier: MPL-2.0
// grid/point_spread.c - from faces to vertices and back: W and its exact transpose (fabric-operator 3.1, 5).
#include "grid/point_faces.h"

#include "base/pool.h"
#include "grid/spline.h"

#include <string.h>

#define VERTICES_PER_BLOCK 512

typedef double lanes4 __attribute__((vector_size(32)));

static inline lanes4 load4(const double *from)
{
    lanes4 v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline double sum3(lanes4 v) { return v[0] + v[1] + v[2]; }

/// Weights of three nodes along an axis; the fourth lane is nobody's.
static inline lanes4 weights_at(double t)
{
    return (lanes4){ 0.5 * (0.5 - t) * (0.5 - t), 0.75 - t * t, 0.5 * (0.5 + t) * (0.5 + t), 0.0 };
}

/// Distances of the three nodes from the vertex, cm.
static inline lanes4 node_distance(double t, double cell)
{
    return (lanes4){ (-1.0 - t) * cell, -t * cell, (1.0 - t) * cell, 0.0 };
}

typedef struct transfer {
    const mn_point_faces *f;
    const double         *u, *force, *stress;
    double               *v, *moment, *out;
    const int32_t        *tiles;
} transfer;

#define INLINE static inline __attribute__((always_inline))

/// Weights of a vertex: axis, kind, node; the fourth is nobody's.
typedef struct all_weights {
    double w[3][2][4];
} all_weights;
INLINE all_weights all_weights_of(const mn_point_stencil *q)
{
    all_weights out;
    for (int b = 0; b < 3; b++)
        for (int kind = 0; kind < 2; kind++) {
            mn_spline_weights(mn_stencil_offset(q, b, kind), out.w[b][kind]);
            out.w[b][kind][3] = 0.0;
        }
    return out;
}

/// Weights along the three axes for the nodes of component a.
typedef struct weights {
    lanes4 x, y, z;
} weights;
static inline weights weights_of(const mn_point_stencil *q, int a)
{
    return (weights){ weights_at(mn_stencil_offset(q, 0, a != 0)), weights_at(mn_stencil_offset(q, 1, a != 1)),
                      weights_at(mn_stencil_offset(q, 2, a != 2)) };
}

INLINE lanes4 plane_of(const double *u, const int32_t *row, int shift, const double *w)
{
    return w[0] * load4(u + row[0] - shift) + w[1] * load4(u + row[1] - shift) + w[2] * load4(u + row[2] - shift);
}

INLINE double velocity_along(const transfer *x, const mn_point_stencil *q, const all_weights *all, int a)
{
    const double         *wx = all->w[0][a != 0], *wy = all->w[1][a != 1], *wz = all->w[2][a != 2];
    const mn_stencil_rows r   = mn_stencil_rows_of(q, x->f->cells, a);
    const lanes4          sum = wz[0] * plane_of(x->u, r.row, r.shift, wy) +
                       wz[1] * plane_of(x->u, r.row + r.stride, r.shift, wy) +
                       wz[2] * plane_of(x->u, r.row + 2 * r.stride, r.shift, wy);
    return sum3(sum * load4(wx));
}

static void collect_velocity(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const transfer *x = context;
    for (int64_t k = begin; k < end; k++) {
        const mn_point_stencil *q  = &x->f->stencils[k];
        double                 *to = x->v + 3 * (int64_t)x->f->order[k];
        const all_weights       w  = all_weights_of(q);
        to[0]                      = velocity_along(x, q, &w, 0);
        to[1]                      = velocity_along(x, q, &w, 1);
        to[2]                      = velocity_along(x, q, &w, 2);
    }
}

static void collect_moments(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const transfer *x    = context;
    const double    cell = x->f->tiles.def.cell;
    for (int64_t k = begin; k < end; k++) {
        const mn_point_stencil *q      = &x->f->stencils[k];
        const int64_t           vertex = x->f->order[k];
        for (int a = 0; a < 3; a++) {
            const weights         w    = weights_of(q, a);
            const mn_stencil_rows rows = mn_stencil_rows_of(q, x->f->cells, a);
            const lanes4          rx   = node_distance(mn_stencil_offset(q, 0, a != 0), cell),
                         ry            = node_distance(mn_stencil_offset(q, 1, a != 1), cell);
            const lanes4 rz            = node_distance(mn_stencil_offset(q, 2, a != 2), cell);
            lanes4       sum = { 0 }, sum_y = { 0 }, sum_z = { 0 };
            for (int z = 0; z < 3; z++) {
                const int32_t *row = rows.row + rows.stride * z;
                const lanes4   r0  = w.y[0] * load4(x->u + row[0] - rows.shift),
                             r1    = w.y[1] * load4(x->u + row[1] - rows.shift),
                             r2    = w.y[2] * load4(x->u + row[2] - rows.shift);
                const lanes4 plane = w.z[z] * (r0 + r1 + r2);
                sum += plane;
                sum_y += w.z[z] * (ry[0] * r0 + ry[1] * r1 + ry[2] * r2);
                sum_z += rz[z] * plane;
            }
            x->v[3 * vertex + a]              = sum3(sum * w.x);
            x->moment[9 * vertex + 3 * a]     = sum3(sum * w.x * rx);
            x->moment[9 * vertex + 3 * a + 1] = sum3(sum_y * w.x);
            x->moment[9 * vertex + 3 * a + 2] = sum3(sum_z * w.x);
        }
    }
}

void mn_points_collect(mn_context *c, const mn_point_faces *f, const double *u, double *v, double *moment)
{
    transfer x = { .f = f, .u = u, .v = v, .moment = moment };
    mn_parallel_for(mn_context_pool(c), f->vertices, VERTICES_PER_BLOCK,
                    moment != NULL ? collect_moments : collect_velocity, &x);
}

/// to[0..2] += s v. The fourth lane belongs to somebody else, perhaps of another thread.
static inline void add_row(double *to, double s, lanes4 v)
{
    to[0] += s * v[0];
    to[1] += s * v[1];
    to[2] += s * v[2];
}

INLINE void spread_plane(double *out, const int32_t *row, int shift, const double *w, lanes4 force)
{
    add_row(out + row[0] - shift, w[0], force);
    add_row(out + row[1] - shift, w[1], force);
    add_row(out + row[2] - shift, w[2], force);
}

INLINE void spread_force(const transfer *x, const mn_point_stencil *q, const all_weights *all, double force, int a)
{
    const double         *wy = all->w[1][a != 1], *wz = all->w[2][a != 2];
    const mn_stencil_rows r     = mn_stencil_rows_of(q, x->f->cells, a);
    const lanes4          along = force * load4(all->w[0][a != 0]);
    spread_plane(x->out, r.row, r.shift, wy, wz[0] * along);
    spread_plane(x->out, r.row + r.stride, r.shift, wy, wz[1] * along);
    spread_plane(x->out, r.row + 2 * r.stride, r.shift, wy, wz[2] * along);
}

static void spread_stress(const transfer *x, const mn_point_stencil *q, double force, const double s[3], int a)
{
    const double          cell = x->f->tiles.def.cell;
    const weights         w    = weights_of(q, a);
    const mn_stencil_rows rows = mn_stencil_rows_of(q, x->f->cells, a);
    const lanes4          rx   = node_distance(mn_stencil_offset(q, 0, a != 0), cell),
                 ry            = node_distance(mn_stencil_offset(q, 1, a != 1), cell);
    const lanes4 rz = node_distance(mn_stencil_offset(q, 2, a != 2), cell), along_x = w.x * (force + s[0] * rx);
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 3; y++)
            add_row(x->out + rows.row[rows.stride * z + y] - rows.shift, w.y[y] * w.z[z],
                    along_x + (s[1] * ry[y] + s[2] * rz[z]) * w.x);
}

static void spread_vertex(const transfer *x, const mn_point_stencil *q, int64_t vertex)
{
    const double *force = x->force + 3 * vertex;
    if (x->stress != NULL) {
        for (int a = 0; a < 3; a++) spread_stress(x, q, force[a], x->stress + 9 * vertex + 3 * a, a);
        return;
    }
    const all_weights w = all_weights_of(q);
    spread_force(x, q, &w, force[0], 0);
    spread_force(x, q, &w, force[1], 1);
    spread_force(x, q, &w, force[2], 2);
}

static void spread_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const transfer       *x = context;
    const mn_point_faces *f = x->f;
    for (int64_t i = begin; i < end; i++) {
        const int32_t first = x->tiles[i] * f->tiles.cells;
        for (int32_t k = f->bins.start[first]; k < f->bins.start[first + f->tiles.cells]; k++)
            spread_vertex(x, &f->stencils[k], f->order[k]);
    }
}

static void zero_range(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    memset((double *)context + begin, 0, (size_t)(end - begin) * sizeof(double));
}

void mn_points_spread(mn_context *c, const mn_point_faces *f, const double *force, const double *stress, double *out)
{
    mn_parallel_for(mn_context_pool(c), f->count, 4 * MN_BLOCK, zero_range, out);
    mn_points_spread_add(c, f, force, stress, out);
}

void mn_points_spread_add(mn_context *c, const mn_point_faces *f, const double *force, const double *stress,
                          double *out)
{
    for (int color = 0; color < 8; color++) {
        transfer x = { .f      = f,
                       .force  = force,
                       .stress = stress,
                       .out    = out,
                       .tiles  = f->color_tiles + f->color_start[color] };
        mn_parallel_for(mn_context_pool(c), f->color_start[color + 1] - f->color_start[color], 1, spread_tiles, &x);
    }
}
