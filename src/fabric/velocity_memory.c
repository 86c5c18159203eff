// SPDX-License-Identifier: MPL-2.0
// fabric/velocity_memory.c - what vertices keep of a velocity that the faces of the grid do not see, as particles of
// liquid do (liquid 5.1).
#include "base/pool.h"
#include "fabric/operator.h"

#define VERTICES_PER_BLOCK 512
/// Components of velocity and affine matrix.
#define PARTS 12

typedef struct memory_job {
    mn_fabric *q;
    double    *force, *moment;  // of the vertices: momentum, and what the faces saw of velocity and affine matrix
    double     share;
} memory_job;

static void pack(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const memory_job *job = context;
    const mn_fabric  *q   = job->q;
    for (int64_t i = begin; i < end; i++) {
        for (int a = 0; a < 3; a++) job->force[3 * i + a] = q->step.inertia[i] * q->vertices.velocity[a][i];
        for (int k = 0; k < 9; k++) job->moment[9 * i + k] = q->step.inertia[i] * q->vertices.affine[k][i];
    }
}

static void keep(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const memory_job *job   = context;
    const mn_fabric  *q     = job->q;
    const double      scale = 4.0 / (q->model.grid.cell * q->model.grid.cell);
    for (int64_t i = begin; i < end; i++) {
        double *kept = q->step.kept + PARTS * i;
        for (int a = 0; a < 3; a++) kept[a] = q->vertices.velocity[a][i] - job->force[3 * i + a];
        for (int k = 0; k < 9; k++) kept[3 + k] = q->vertices.affine[k][i] - scale * job->moment[9 * i + k];
    }
}

mn_status mn_fabric_remember(mn_fabric *q, mn_arena *arena)
{
    mn_fabric_scratch *s    = &q->step;
    mn_pool           *pool = mn_context_pool(q->context);
    if (!(q->model.solver.velocity_memory > 0.0)) return MN_OK;
    if ((s->kept = mn_arena_array(arena, double, PARTS * q->vertices.count)) == NULL) return MN_ERR_MEMORY;
    const mn_arena_mark mark    = mn_arena_begin(arena);
    memory_job          job     = { .q      = q,
                                    .force  = mn_arena_array(arena, double, 3 * q->vertices.count),
                                    .moment = mn_arena_array(arena, double, 9 * q->vertices.count) };
    double             *brought = mn_point_faces_array(arena, &s->faces);
    if (job.force == NULL || job.moment == NULL || brought == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, q->vertices.count, VERTICES_PER_BLOCK, pack, &job);
    mn_points_spread(q->context, &s->faces, job.force, job.moment, brought);
    for (int32_t i = 0; i < s->faces.count; i++) brought[i] *= mn_inverse_mass(s->mass[i]);
    mn_points_collect(q->context, &s->faces, brought, job.force, job.moment);
    mn_parallel_for(pool, q->vertices.count, VERTICES_PER_BLOCK, keep, &job);
    mn_arena_end(arena, mark);
    return MN_OK;
}

static void recall(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const memory_job *job = context;
    const mn_fabric  *q   = job->q;
    for (int64_t i = begin; i < end; i++) {
        const double *kept = q->step.kept + PARTS * i;
        for (int a = 0; a < 3; a++) q->vertices.velocity[a][i] += job->share * kept[a];
        for (int k = 0; k < 9; k++) q->vertices.affine[k][i] += job->share * kept[3 + k];
    }
}

void mn_fabric_recall(mn_fabric *q, double dt)
{
    if (q->step.kept == NULL) return;
    memory_job job = { .q = q, .share = exp(-dt / q->model.solver.velocity_memory) };
    mn_parallel_for(mn_context_pool(q->context), q->vertices.count, VERTICES_PER_BLOCK, recall, &job);
    q->step.kept = NULL;
}
