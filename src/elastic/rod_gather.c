// SPDX-License-Identifier: MPL-2.0
// elastic/rod_gather.c - what elements left, gathered per vertex and per edge: forces, torques, blocks of the
// stiffness.
//
// Every vertex sums its own elements in ascending order, so that no two workers write one place and the bits depend on
// nothing else. Block (i,j) and block (j,i) are the same sums in the same order: the matrix is symmetric to the bit.
#include "elastic/rod_network_private.h"

#include <stdatomic.h>

typedef struct gathering {
    mn_rod_network  *net;
    mn_vec3         *force;
    double          *torque;
    double           scale;
    mn_block_matrix *matrix;
    atomic_int       missing;  ///< set when the pattern lacks a pair; the same whoever sets it
} gathering;

static void gather_forces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    gathering      *job = context;
    mn_rod_network *net = job->net;
    for (int64_t i = begin; i < end; i++) {
        mn_vec3 slope = mn_v3(0, 0, 0);
        for (int32_t n = net->vertex_corners.start[i]; n < net->vertex_corners.start[i + 1]; n++) {
            const int32_t          use = net->vertex_corners.list[n], role = use % 3;
            const mn_rod_gradient *g = &net->gradient[use / 3];
            if (role != 2) slope = role == 0 ? mn_sub3(slope, g->edge[0]) : mn_add3(slope, g->edge[0]);
            if (role != 0) slope = role == 1 ? mn_sub3(slope, g->edge[1]) : mn_add3(slope, g->edge[1]);
        }
        for (int32_t n = net->vertex_edges.start[i]; n < net->vertex_edges.start[i + 1]; n++) {
            const int32_t use = net->vertex_edges.list[n], e = use / 2;
            slope = mn_add3(slope, mn_scale3(use % 2 == 0 ? -net->stretch[e].stress : net->stretch[e].stress,
                                             net->side[e].tangent));
        }
        mn_vec3 *f = &job->force[net->touched[i]];
        *f         = mn_sub3(*f, slope);
    }
}

void mn_rod_network_add_forces(mn_rod_network *net, mn_vec3 *force)
{
    gathering job = { .net = net, .force = force };
    mn_parallel_for(mn_context_pool(net->context), net->touched_count, MN_ROD_BLOCK, gather_forces, &job);
}

static void gather_torques(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    gathering      *job = context;
    mn_rod_network *net = job->net;
    for (int64_t e = begin; e < end; e++) {
        double slope = 0.0;
        for (int32_t n = net->edge_corners.start[e]; n < net->edge_corners.start[e + 1]; n++)
            slope += net->gradient[net->edge_corners.list[n] / 2].angle[net->edge_corners.list[n] % 2];
        job->torque[e] = -slope;
    }
}

void mn_rod_network_torques(mn_rod_network *net, double *torque)
{
    gathering job = { .net = net, .torque = torque };
    mn_parallel_for(mn_context_pool(net->context), net->edges.count, MN_ROD_BLOCK, gather_torques, &job);
}

int64_t mn_rod_network_cliques(const mn_rod_network *net) { return net->corners.count + net->edges.count; }

mn_block_clique mn_rod_network_clique(int64_t k, void *network)
{
    const mn_rod_network *net = network;
    if (k < net->corners.count) return (mn_block_clique){ net->joint[k].vertex, 3 };
    return (mn_block_clique){ net->edge[k - net->corners.count].vertex, 2 };
}

/// Place of (a, b) in the upper triangle of a symmetric 3 x 3 matrix.
static const int triangle[9] = { 0, 1, 2, 1, 3, 4, 2, 4, 5 };

/// Block (row, column) of a corner's D^T K D (elastic-rods 6.4), times scale. The block of (column, row) is its
/// transpose to the bit: every case adds the same numbers in the same order.
static void corner_block(const mn_rod_block *k, int row, int column, double scale, double out[9])
{
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            const int    n = 3 * a + b, t = 3 * b + a;
            const double ee = k->ee[triangle[n]], ff = k->ff[triangle[n]];
            double       v;
            switch (3 * row + column) {
            case 0: v = ee; break;
            case 1: v = k->ef[n] - ee; break;
            case 2: v = -k->ef[n]; break;
            case 3: v = k->ef[t] - ee; break;
            case 4: v = (ee + ff) - (k->ef[n] + k->ef[t]); break;
            case 5: v = k->ef[n] - ff; break;
            case 6: v = -k->ef[t]; break;
            case 7: v = k->ef[t] - ff; break;
            default: v = ff; break;
            }
            out[n] = scale * v;
        }
}

static void add_at(gathering *job, int32_t row, int32_t column, const double block[9])
{
    if (mn_block_matrix_is_implied(job->matrix, row, column)) return;
    const int64_t entry = mn_block_matrix_find(job->matrix, row, column);
    if (entry >= 0) mn_block_matrix_add(job->matrix, entry, block);
    else atomic_store(&job->missing, 1);
}

static void gather_blocks(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    gathering      *job = context;
    mn_rod_network *net = job->net;
    double          block[9];
    for (int64_t i = begin; i < end; i++) {
        const int32_t row = net->touched[i];
        for (int32_t n = net->vertex_corners.start[i]; n < net->vertex_corners.start[i + 1]; n++) {
            const int32_t k = net->vertex_corners.list[n] / 3, role = net->vertex_corners.list[n] % 3;
            for (int other = 0; other < 3; other++) {
                corner_block(&net->block[k], role, other, job->scale, block);
                if (other == role) mn_block_matrix_add_diagonal(job->matrix, row, block);
                else add_at(job, row, net->joint[k].vertex[other], block);
            }
        }
        for (int32_t n = net->vertex_edges.start[i]; n < net->vertex_edges.start[i + 1]; n++) {
            const int32_t e = net->vertex_edges.list[n] / 2, role = net->vertex_edges.list[n] % 2;
            double        k[6];
            mn_rod_stretch_block(net->side[e].tangent, job->scale * net->stretch[e].stiffness,
                                 job->scale * net->across[e], k);
            for (int a = 0; a < 9; a++) block[a] = k[triangle[a]];
            mn_block_matrix_add_diagonal(job->matrix, row, block);
            for (int a = 0; a < 9; a++) block[a] = -block[a];
            add_at(job, row, net->edge[e].vertex[1 - role], block);
        }
    }
}

mn_status mn_rod_network_add_blocks(mn_rod_network *net, double scale, mn_block_matrix *m)
{
    gathering job = { .net = net, .scale = scale, .matrix = m };
    atomic_init(&job.missing, 0);
    mn_parallel_for(mn_context_pool(net->context), net->touched_count, MN_ROD_BLOCK, gather_blocks, &job);
    if (atomic_load(&job.missing) != 0)
        return mn_fail(net->context, MN_ERR_ARGUMENT, "the pattern of the matrix lacks pairs of the strands' vertices");
    return MN_OK;
}
