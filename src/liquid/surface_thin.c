// SPDX-License-Identifier: MPL-2.0
// liquid/surface_thin.c - threads and sheets that viscosity holds together (thin.c), in the mesh of the surface.
//
// A node of thin liquid sees the mean place of the particles around, weighted by the kernel, and by it where the middle
// of the thread is. The surface is drawn around that at the least distance at which some node is always inside, so that
// a thread that is thinner than the mesh can show stays in one piece.
#include "liquid/surface_mesh_private.h"

#include "base/pool.h"
#include "grid/levelset.h"
#include "grid/transfer.h"

#include <math.h>

/// Half the thickness with which thin liquid is drawn at least, in cells. A line is at most sqrt(1/2) from a node.
#define DRAWN_LEAST 0.75

/// Square of the radius up to which a thread is taken to be thin, in cells: that of DRAWN_LEAST, about.
#define RADIUS2_MOST 0.6

typedef struct thin_job {
    mn_surface_mesh *mesh;
    const double    *density;
    uint8_t         *whole, *near;
    double          *moment[3];  // of the volume seen by each node
    const double    *position, *volume;
    double          *carried;
} thin_job;

static void carry_particles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const thin_job *job = context;
    for (int64_t i = begin; i < end; i++) job->carried[i] = job->volume[i] * job->position[i];
}

static void whole_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const thin_job *job   = context;
    const int32_t   cells = job->mesh->tiles.cells;
    for (int64_t i = begin * cells; i < end * cells; i++) job->whole[i] = job->density[i] >= MN_DENSITY_WHOLE;
}

/// Distance from the middle of a thread, in cells, of a node that sees a density and the mean place at a distance
/// `seen`. The kernel, of variance 1/4, shows the near side of a thread of radius R: distance = seen (1 + R^2), and the
/// density is (1 - exp(-2 R^2)) exp(-2 distance^2). Both are met in a few rounds.
static double distance_from_middle(double density, double seen)
{
    double radius2 = 0.1, distance = seen;
    for (int round = 0; round < 4; round++) {
        distance            = seen * (1.0 + radius2);
        const double middle = density * exp(2.0 * distance * distance);
        radius2             = middle < 1.0 - exp(-2.0 * RADIUS2_MOST) ? -0.5 * log1p(-middle) : RADIUS2_MOST;
    }
    return distance;
}

static void thin_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const thin_job  *job = context;
    mn_surface_mesh *m   = job->mesh;
    const mn_tiles  *t   = &m->tiles;
    for (int32_t tile = (int32_t)begin; tile < (int32_t)end; tile++)
        for (int32_t k = 0; k < t->cells && tile > 0; k++) {
            const int64_t i = (int64_t)tile * t->cells + k;
            if (job->near[i] || job->density[i] < MN_DENSITY_HELD) continue;
            const mn_vec3 x  = mn_surface_node(t, tile, k % MN_TILE, k / MN_TILE % MN_TILE, k / (MN_TILE * MN_TILE));
            double        d2 = 0.0;
            for (int a = 0; a < t->def.dimension; a++) {
                const double d = job->moment[a][i] / m->weight[i] - mn_get3(x, a);
                d2 += d * d;
            }
            const double away = distance_from_middle(job->density[i], sqrt(d2) / t->def.cell);
            m->level[i]       = fmin(m->level[i], (away - DRAWN_LEAST) * t->def.cell);
        }
}

static mn_status hold_thin(thin_job *job, const mn_surface_source *s)
{
    mn_surface_mesh *m    = job->mesh;
    mn_pool         *pool = mn_context_pool(m->context);
    const int64_t    n    = (int64_t)m->tiles.count * m->tiles.cells;
    job->whole            = mn_arena_array(m->arena, uint8_t, n);
    job->near             = mn_arena_array(m->arena, uint8_t, n);
    job->carried          = mn_arena_array(m->arena, double, s->count);
    if (job->whole == NULL || job->near == NULL || job->carried == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, m->tiles.count, 4, whole_tiles, job);
    MN_TRY(mn_cells_near(m->context, m->arena, &m->tiles, job->whole, job->near));
    job->volume = s->volume;
    for (int a = 0; a < m->tiles.def.dimension; a++) {
        job->moment[a] = mn_arena_array(m->arena, double, n);
        if (job->moment[a] == NULL) return MN_ERR_MEMORY;
        job->position = s->position[a];
        mn_parallel_for(pool, s->count, MN_BLOCK, carry_particles, job);
        MN_TRY(mn_particles_to_cells(m->context, m->arena, &m->tiles, &m->bins, s->position, job->carried,
                                     job->moment[a]));
    }
    mn_parallel_for(pool, m->tiles.count, 4, thin_tiles, job);
    return MN_OK;
}

mn_status mn_surface_hold_thin(mn_surface_mesh *m, const mn_surface_source *s, const double *density)
{
    const mn_arena_mark mark   = mn_arena_begin(m->arena);
    thin_job            job    = { .mesh = m, .density = density };
    const mn_status     status = hold_thin(&job, s);
    mn_arena_end(m->arena, mark);
    return status;
}
