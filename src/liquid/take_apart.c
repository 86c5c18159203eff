// SPDX-License-Identifier: MPL-2.0
// liquid/take_apart.c - particles that lie in one place are taken apart. liquid 5.7a
//
// Spray that runs into a corner ends in the same point of it, one particle after the other. Whatever moves them from
// there on is a function of the place, the density correction too: they would stay one for ever, nine cells of liquid
// in a cup's corner. So in cells that hold more than twice what they should, those that lie where another does are
// moved by a random part of their spacing, and the density correction has something to push apart. Velocities are not
// touched.
#include "base/random.h"
#include "liquid/liquid.h"

/// From so many times the particles of a full cell on it is looked at.
#define CROWDED 2.0
/// In the same place: nearer than this, in spacings of particles.
#define SAME_PLACE 0.1

typedef struct apart_job {
    const mn_liquid_model *model;
    const mn_bins         *bins;
    mn_liquid_particles   *p;
    int32_t                cells;  // of a tile
    double                 full;   // particles of a full cell
    double                 spacing;
} apart_job;

static bool shares_a_place(const apart_job *job, int32_t begin, int32_t at)
{
    const mn_liquid_particles *p    = job->p;
    const int32_t              i    = job->bins->order[at];
    const double               near = SAME_PLACE * job->spacing;
    for (int32_t k = begin; k < at; k++) {
        const int32_t j      = job->bins->order[k];
        double        square = 0.0;
        for (int a = 0; a < 3; a++)
            square += (p->position[a][i] - p->position[a][j]) * (p->position[a][i] - p->position[a][j]);
        if (square < near * near) return true;
    }
    return false;
}

static void apart_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const apart_job *job = context;
    for (int64_t c = begin * job->cells; c < end * job->cells; c++) {
        const int32_t first = job->bins->start[c], last = job->bins->start[c + 1];
        if (last - first <= CROWDED * job->full) continue;
        for (int32_t at = first + 1; at < last; at++) {
            if (!shares_a_place(job, first, at)) continue;
            const int32_t i = job->bins->order[at];
            for (int a = 0; a < job->model->grid.dimension; a++)
                job->p->position[a][i] += job->spacing *
                                          (mn_random(job->model->seed, (uint64_t)job->p->id[0][i], 1, (uint64_t)a) -
                                           0.5);
        }
    }
}

void mn_liquid_take_apart(mn_liquid *q)
{
    const mn_liquid_model *m   = &q->model;
    apart_job              job = { m,
                                   &q->grid.bins,
                                   mn_liquid_now(q),
                                   q->grid.tiles.cells,
                                   mn_cell_volume(&m->grid) / m->reference_volume,
                                   m->grid.cell / m->per_axis };
    mn_parallel_for(mn_context_pool(q->context), q->grid.tiles.count, 4, apart_tiles, &job);
}
