// SPDX-License-Identifier: MPL-2.0
// fabric/spread.c - from faces to vertices and back: W and its exact transpose (fabric-operator 3.1, 5).
#include "fabric/faces.h"

#include "base/pool.h"

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
    const mn_fabric_faces *f;
    const double          *u, *force, *stress;
    double                *v, *moment, *out;
    const int32_t         *tiles;
} transfer;

static void collect_velocity(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const transfer *x = context;
    for (int64_t k = begin; k < end; k++) {
        const mn_vertex_stencil *q  = &x->f->stencils[k];
        double                  *to = x->v + 3 * (int64_t)x->f->order[k];
        for (int a = 0; a < 3; a++) {
            const lanes4 wy = weights_at(q->t[1][a != 1]), wz = weights_at(q->t[2][a != 2]);
            lanes4       sum = { 0 };
            for (int z = 0; z < 3; z++) {
                const int32_t *row = q->row[a] + 3 * z;
                const lanes4 plane = wy[0] * load4(x->u + row[0]) + wy[1] * load4(x->u + row[1]) + wy[2] * load4(x->u + row[2]);
                sum += wz[z] * plane;
            }
            to[a] = sum3(sum * weights_at(q->t[0][a != 0]));
        }
    }
}

static void collect_moments(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const transfer *x    = context;
    const double    cell = x->f->tiles.def.cell;
    for (int64_t k = begin; k < end; k++) {
        const mn_vertex_stencil *q      = &x->f->stencils[k];
        const int64_t            vertex = x->f->order[k];
        for (int a = 0; a < 3; a++) {
            const double tx = q->t[0][a != 0], ty = q->t[1][a != 1], tz = q->t[2][a != 2];
            const lanes4 wx = weights_at(tx), wy = weights_at(ty), wz = weights_at(tz);
            const lanes4 rx = node_distance(tx, cell), ry = node_distance(ty, cell), rz = node_distance(tz, cell);
            lanes4       sum = { 0 }, sum_y = { 0 }, sum_z = { 0 };
            for (int z = 0; z < 3; z++) {
                const int32_t *row = q->row[a] + 3 * z;
                const lanes4   r0 = wy[0] * load4(x->u + row[0]), r1 = wy[1] * load4(x->u + row[1]), r2 = wy[2] * load4(x->u + row[2]);
                const lanes4   plane = wz[z] * (r0 + r1 + r2);
                sum += plane;
                sum_y += wz[z] * (ry[0] * r0 + ry[1] * r1 + ry[2] * r2);
                sum_z += rz[z] * plane;
            }
            x->v[3 * vertex + a]              = sum3(sum * wx);
            x->moment[9 * vertex + 3 * a]     = sum3(sum * wx * rx);
            x->moment[9 * vertex + 3 * a + 1] = sum3(sum_y * wx);
            x->moment[9 * vertex + 3 * a + 2] = sum3(sum_z * wx);
        }
    }
}

void mn_fabric_collect(mn_context *c, const mn_fabric_faces *f, const double *u, double *v, double *moment)
{
    transfer x = { .f = f, .u = u, .v = v, .moment = moment };
    mn_parallel_for(mn_context_pool(c), f->vertices, VERTICES_PER_BLOCK, moment != NULL ? collect_moments : collect_velocity, &x);
}

/// to[0..2] += s v. The fourth lane belongs to somebody else, perhaps of another thread.
static inline void add_row(double *to, double s, lanes4 v)
{
    to[0] += s * v[0];
    to[1] += s * v[1];
    to[2] += s * v[2];
}

static void spread_vertex(const transfer *x, const mn_vertex_stencil *q, int64_t vertex)
{
    const double cell = x->f->tiles.def.cell;
    for (int a = 0; a < 3; a++) {
        const double tx = q->t[0][a != 0], ty = q->t[1][a != 1], tz = q->t[2][a != 2];
        const lanes4 wx = weights_at(tx), wy = weights_at(ty), wz = weights_at(tz);
        const double force = x->force[3 * vertex + a];
        if (x->stress == NULL) {
            const lanes4 row = force * wx;
            for (int z = 0; z < 3; z++)
                for (int y = 0; y < 3; y++) add_row(x->out + q->row[a][3 * z + y], wy[y] * wz[z], row);
            continue;
        }
        const double *s  = x->stress + 9 * vertex + 3 * a;
        const lanes4  rx = node_distance(tx, cell), ry = node_distance(ty, cell), rz = node_distance(tz, cell);
        const lanes4  along_x = wx * (force + s[0] * rx);
        for (int z = 0; z < 3; z++)
            for (int y = 0; y < 3; y++)
                add_row(x->out + q->row[a][3 * z + y], wy[y] * wz[z], along_x + (s[1] * ry[y] + s[2] * rz[z]) * wx);
    }
}

static void spread_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const transfer        *x = context;
    const mn_fabric_faces *f = x->f;
    for (int64_t i = begin; i < end; i++) {
        const int32_t first = x->tiles[i] * f->tiles.cells;
        for (int32_t k = f->bins.start[first]; k < f->bins.start[first + f->tiles.cells]; k++) spread_vertex(x, &f->stencils[k], f->order[k]);
    }
}

static void zero_range(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    memset((double *)context + begin, 0, (size_t)(end - begin) * sizeof(double));
}

void mn_fabric_spread(mn_context *c, const mn_fabric_faces *f, const double *force, const double *stress, double *out)
{
    mn_parallel_for(mn_context_pool(c), f->count, 4 * MN_BLOCK, zero_range, out);
    mn_fabric_spread_add(c, f, force, stress, out);
}

void mn_fabric_spread_add(mn_context *c, const mn_fabric_faces *f, const double *force, const double *stress, double *out)
{
    for (int color = 0; color < 8; color++) {
        transfer x = { .f = f, .force = force, .stress = stress, .out = out, .tiles = f->color_tiles + f->color_start[color] };
        mn_parallel_for(mn_context_pool(c), f->color_start[color + 1] - f->color_start[color], 1, spread_tiles, &x);
    }
}
