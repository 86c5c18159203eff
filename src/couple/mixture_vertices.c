// SPDX-License-Identifier: MPL-2.0
// couple/mixture_vertices.c - what the vertices of fabric are to a liquid: how they lie, and the laws of their pores.
#include "couple/mixture_private.h"

#include "base/pool.h"

#define VERTICES_PER_BLOCK 512

typedef struct dyad_job {
    const mn_fabric *q;
    mn_vec3         *direction;  // per element: normal of a triangle, tangent of a segment
    double          *dyad;
} dyad_job;

static void direct_elements(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const dyad_job *job = context;
    const mn_vec3  *x   = job->q->step.x;
    for (int64_t k = begin; k < end; k++) {
        const mn_fabric_element *e = &job->q->elements[k];
        const mn_vec3            a = mn_sub3(x[e->vertex[1]], x[e->vertex[0]]);
        const mn_vec3            n = e->vertex[2] < 0 ? a : mn_cross3(a, mn_sub3(x[e->vertex[2]], x[e->vertex[0]]));
        job->direction[k]          = mn_unit3(n, mn_v3(0.0, 1.0, 0.0));
    }
}

/// Mean over the elements around a vertex, by their volume (times phi^lambda, the same for all of one material).
static void dyad_vertices(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const dyad_job  *job = context;
    const mn_fabric *q   = job->q;
    for (int64_t v = begin; v < end; v++) {
        double sum[6] = { 0.0 }, volume = 0.0;
        for (int64_t k = q->element_start[v]; k < q->element_start[v + 1]; k++) {
            const mn_vec3 n    = job->direction[q->element_of[k]];
            const double  w    = q->elements[q->element_of[k]].volume;
            const double  d[6] = { n.x * n.x, n.y * n.y, n.z * n.z, n.y * n.z, n.x * n.z, n.x * n.y };
            for (int c = 0; c < 6; c++) sum[c] += w * d[c];
            volume += w;
        }
        for (int c = 0; c < 6; c++) job->dyad[6 * v + c] = volume > 0.0 ? sum[c] / volume : 0.0;
    }
}

mn_status mn_mixture_dyads(const mn_fabric *q, mn_arena *arena, double **out)
{
    mn_pool *pool = mn_context_pool(q->context);
    dyad_job job  = { .q         = q,
                      .direction = mn_arena_array(arena, mn_vec3, q->element_count),
                      .dyad      = mn_arena_array(arena, double, 6 * q->vertices.count) };
    if (job.direction == NULL || job.dyad == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, q->element_count, MN_BLOCK, direct_elements, &job);
    mn_parallel_for(pool, q->vertices.count, VERTICES_PER_BLOCK, dyad_vertices, &job);
    *out = job.dyad;
    return MN_OK;
}

mn_status mn_mixture_laws(const mn_fabric *q, mn_arena *arena, mn_pore_law **out)
{
    mn_pore_law *laws = mn_arena_array(arena, mn_pore_law, 2 * q->piece_count);
    if (laws == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < q->piece_count; k++) {
        laws[2 * k]     = mn_pore_law_of(&q->pieces[k].cloth, &q->model.liquid);
        laws[2 * k + 1] = mn_pore_law_of(&q->pieces[k].yarn, &q->model.liquid);
    }
    *out = laws;
    return MN_OK;
}
