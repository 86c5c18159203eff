// SPDX-License-Identifier: MPL-2.0
// fabric/diagonal.c - the diagonal of W^T (h^2 H + P) W on the faces.
//
// The entry of face i is the sum over pairs of vertices v, v' of w_iv H_vv' w_iv'. Weights are products of one factor
// per axis, and so are those of the nodes that two vertices share: per pair three factors of three numbers each.
#include "fabric/operator.h"

#include "base/pool.h"
#include "grid/spline.h"

#include <string.h>

#define VERTICES_PER_BLOCK 512

/// First node and weights of a vertex along each axis, for the two places where nodes lie.
typedef struct nodes {
    int32_t base[3][2];
    double  w[3][2][3];
} nodes;

typedef struct diagonal_job {
    const mn_fabric_operator *x;
    nodes                    *nodes;  ///< by vertex number
    const int32_t            *tiles;
    double                   *out;
} diagonal_job;

static void find_nodes(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const diagonal_job   *job = context;
    const mn_point_faces *f   = job->x->faces;
    const mn_grid_def    *g   = &f->tiles.def;
    for (int64_t k = begin; k < end; k++) {
        const mn_point_stencil *s = &f->stencils[k];
        const mn_vec3           x = job->x->q->step.x[f->order[k]];
        nodes                  *n = &job->nodes[f->order[k]];
        for (int a = 0; a < 3; a++)
            for (int kind = 0; kind < 2; kind++) {
                const double t     = mn_stencil_offset(s, a, kind),
                             place = (mn_get3(x, a) - mn_get3(g->origin, a)) / g->cell;
                n->base[a][kind]   = (int32_t)lround(place - t - 0.5 * kind) - 1;
                mn_spline_weights(t, n->w[a][kind]);
            }
    }
}

/// Products of the weights of two vertices on the nodes of the first, per axis and place; whether they share any.
static bool shared_weights(const nodes *v, const nodes *other, double w[3][2][3])
{
    for (int a = 0; a < 3; a++)
        for (int kind = 0; kind < 2; kind++) {
            const int32_t step = v->base[a][kind] - other->base[a][kind];
            if (step > 2 || step < -2) return false;
            for (int j = 0; j < 3; j++)
                w[a][kind][j] = j + step >= 0 && j + step < 3 ? v->w[a][kind][j] * other->w[a][kind][j + step] : 0.0;
        }
    return true;
}

/// sum[a] += h_aa times the products of the weights, over the 27 nodes of each axis.
static void add_pair(double sum[3][27], double w[3][2][3], const double h[3])
{
    for (int a = 0; a < 3; a++) {
        const double *x = w[0][a != 0], *y = w[1][a != 1], *z = w[2][a != 2];
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 3; j++) {
                const double row = h[a] * z[k] * y[j];
                for (int i = 0; i < 3; i++) sum[a][9 * k + 3 * j + i] += row * x[i];
            }
    }
}

static void add_vertex(const diagonal_job *job, int64_t k)
{
    const mn_fabric_operator *x          = job->x;
    const mn_block_matrix    *m          = &x->q->stiffness;
    const mn_point_stencil   *s          = &x->faces->stencils[k];
    const int32_t             v          = x->faces->order[k];
    double                    sum[3][27] = { { 0.0 } }, w[3][2][3];
    shared_weights(&job->nodes[v], &job->nodes[v], w);
    const uint8_t *pinned = x->q->step.pinned;  // what a pin holds has a point of its own on the grid, no more
    const double  *d = m->diagonal + 9 * (int64_t)v, *p = x->point + 6 * (int64_t)v, free = pinned[v] ? 0.0 : 1.0;
    add_pair(sum, w, (const double[]){ free * d[0] + p[0], free * d[4] + p[1], free * d[8] + p[2] });
    // A pair and its mirror image give the same on the nodes they share: those beyond the diagonal count twice, which
    // every way to store the matrix holds.
    for (int64_t e = m->start[v]; e < m->start[v + 1]; e++) {
        const float *b = m->block_f + 9 * e;
        if (m->column[e] < v || pinned[v] || pinned[m->column[e]] ||
            !shared_weights(&job->nodes[v], &job->nodes[m->column[e]], w))
            continue;
        add_pair(sum, w, (const double[]){ 2.0 * (double)b[0], 2.0 * (double)b[4], 2.0 * (double)b[8] });
    }
    for (int a = 0; a < 3; a++) {
        const mn_stencil_rows rows = mn_stencil_rows_of(s, x->faces->cells, a);
        for (int z = 0; z < 3; z++)
            for (int y = 0; y < 3; y++)
                for (int i = 0; i < 3; i++)
                    job->out[rows.row[rows.stride * z + y] - rows.shift + i] += sum[a][9 * z + 3 * y + i];
    }
}

static void add_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const diagonal_job   *job = context;
    const mn_point_faces *f   = job->x->faces;
    for (int64_t i = begin; i < end; i++) {
        const int32_t first = job->tiles[i] * f->tiles.cells;
        for (int32_t k = f->bins.start[first]; k < f->bins.start[first + f->tiles.cells]; k++) add_vertex(job, k);
    }
}

mn_status mn_fabric_operator_diagonal(const mn_fabric_operator *x, mn_arena *arena, double *diagonal)
{
    const mn_point_faces *f    = x->faces;
    mn_pool              *pool = mn_context_pool(x->q->context);
    const mn_arena_mark   mark = mn_arena_begin(arena);
    diagonal_job job = { .x = x, .nodes = mn_arena_array(arena, nodes, x->q->vertices.count), .out = diagonal };
    if (job.nodes == NULL) return MN_ERR_MEMORY;
    memset(diagonal, 0, (size_t)f->count * sizeof *diagonal);
    mn_parallel_for(pool, f->vertices, VERTICES_PER_BLOCK, find_nodes, &job);
    for (int color = 0; color < 8; color++) {
        job.tiles = f->color_tiles + f->color_start[color];
        mn_parallel_for(pool, f->color_start[color + 1] - f->color_start[color], 1, add_tiles, &job);
    }
    mn_arena_end(arena, mark);
    return MN_OK;
}
