// SPDX-License-Identifier: MPL-2.0
// liquid/velocity_memory.c - what particles keep of a velocity that the faces of the grid do not see (liquid 5.1).
//
// Every transfer to the faces and back smooths the velocity, so that short steps, which are many, lose more than long
// ones. With a memory of T the part that a transfer would take, u_p - (W u)_p with u on the faces as the particles
// brought it, fades like exp(-t / T) instead of being dropped in each step. Its sums of momentum and of angular
// momentum are zero, as the transfers keep both. Particles are moved by the velocity of the faces alone, which has no
// divergence.
#include "base/pool.h"
#include "grid/transfer.h"
#include "liquid/liquid.h"

#include <string.h>

/// Components of velocity and affine matrix.
#define PARTS 12

typedef struct memory_job {
    mn_liquid *q;
    double    *seen[PARTS];  // what the faces saw of each particle
    double     share, spin;  // kept of the velocity and of the affine matrix
} memory_job;

static bool keeps(const mn_liquid *q) { return q->model.solver.velocity_memory > 0.0; }

/// Whether a component belongs to the dimensions of the world.
static bool is_used(const mn_liquid *q, int part)
{
    const int dimension = q->model.grid.dimension;
    return part < 3 ? part < dimension : (part - 3) / 3 < dimension && (part - 3) % 3 < dimension;
}

static double *part_of(const mn_liquid_particles *p, int part)
{
    return part < 3 ? p->velocity[part] : p->affine[part - 3];
}

mn_status mn_liquid_remember(mn_liquid *q, mn_arena *arena)
{
    mn_liquid_scratch *s = &q->grid;
    const int64_t      n = (int64_t)s->tiles.count * s->tiles.cells;
    if (!keeps(q)) return MN_OK;
    for (int a = 0; a < 3; a++) {
        if ((s->brought[a] = mn_arena_array(arena, double, n)) == NULL) return MN_ERR_MEMORY;
        memcpy(s->brought[a], s->velocity[a], (size_t)n * sizeof(double));
    }
    return MN_OK;
}

static void keep_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const memory_job          *job    = context;
    const mn_liquid_scratch   *s      = &job->q->grid;
    const mn_liquid_particles *before = &job->q->particles[1 - job->q->current];
    for (int k = 0; k < PARTS; k++) {
        const double *restrict was = part_of(before, k), *restrict seen = job->seen[k];
        const double share = !is_used(job->q, k) ? 0.0 : k < 3 ? job->share : job->spin;
        for (int64_t i = begin; i < end; i++) s->kept[PARTS * i + k] = share * (was[s->origin[i]] - seen[i]);
    }
}

mn_status mn_liquid_keep(mn_liquid *q, mn_arena *arena, double dt)
{
    mn_liquid_scratch   *s = &q->grid;
    mn_liquid_particles *p = mn_liquid_now(q);
    if (!keeps(q)) return MN_OK;
    if ((s->kept = mn_arena_array(arena, double, PARTS * p->count + 1)) == NULL) return MN_ERR_MEMORY;
    const mn_arena_mark mark = mn_arena_begin(arena);
    memory_job          job  = { .q = q, .share = exp(-dt / q->model.solver.velocity_memory) };
    mn_particle_arrays  seen = { .count = p->count, .volume = p->volume[0] };
    job.spin                 = job.share * exp(-dt * q->model.solver.affine_damping);
    memcpy(seen.position, p->position, sizeof seen.position);
    for (int k = 0; k < PARTS; k++) {
        if ((job.seen[k] = mn_arena_array_zero(arena, double, p->count + 1)) == NULL) return MN_ERR_MEMORY;
        *(k < 3 ? &seen.velocity[k] : &seen.affine[k - 3]) = job.seen[k];
    }
    mn_faces_to_particles(q->context, &s->tiles, &s->bins, (const double *const *)s->brought, &seen);
    mn_parallel_for(mn_context_pool(q->context), p->count, MN_BLOCK, keep_block, &job);
    mn_arena_end(arena, mark);
    return MN_OK;
}

void mn_liquid_forget(mn_liquid *q, int64_t particle)
{
    if (q->grid.kept != NULL) memset(q->grid.kept + PARTS * particle, 0, PARTS * sizeof(double));
}

static void recall_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_liquid           *q = context;
    mn_liquid_particles *p = mn_liquid_now(q);
    for (int k = 0; k < PARTS; k++) {
        double *restrict value = part_of(p, k);
        for (int64_t i = begin; i < end; i++) value[i] += q->grid.kept[PARTS * i + k];
    }
}

void mn_liquid_recall(mn_liquid *q)
{
    if (q->grid.kept == NULL) return;
    mn_parallel_for(mn_context_pool(q->context), mn_liquid_now(q)->count, MN_BLOCK, recall_block, q);
    q->grid.kept = NULL;
}
