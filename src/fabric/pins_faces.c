// SPDX-License-Identifier: MPL-2.0
// fabric/pins_faces.c - faces that see held vertices alone, where liquid meets them: they go as the pins do.
//
// No vertex that could answer sees such a face. In the solve with the liquid it gets a mass that nothing moves, and what
// that took is the pins' to bear, each by its share of the mass there.
#include "fabric/pins.h"

#include "base/pool.h"

#define VERTICES_PER_BLOCK 512
/// Mass of such a face, in cells of liquid.
#define HEAVY 1e9

typedef struct face_job {
    mn_fabric    *q;
    const double *weight;  // of the liquid, a value a face
    double       *free;    // on vertices: their mass, if nothing holds them
    double       *out;     // on faces
    double       *at;      // on vertices, 3 each
    const double *u;
} face_job;

static void free_masses(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const face_job *job = context;
    for (int64_t v = begin; v < end; v++)
        for (int a = 0; a < 3; a++) job->free[3 * v + a] = job->q->step.pinned[v] ? 0.0 : job->q->step.inertia[v];
}

mn_status mn_fabric_pins_list_faces(mn_fabric *q, mn_arena *arena)
{
    mn_fabric_scratch *s = &q->step;
    if (s->hold_count == 0) return MN_OK;
    s->given = mn_arena_array_zero(arena, uint8_t, s->faces.count);
    s->own   = mn_arena_take(arena, mn_array_bytes(s->faces.count, sizeof *s->own));
    if (s->given == NULL || s->own == NULL) return MN_ERR_MEMORY;
    const mn_arena_mark mark = mn_arena_begin(arena);
    face_job            job  = { .q    = q,
                                 .free = mn_arena_array(arena, double, 3 * q->vertices.count),
                                 .out  = mn_point_faces_array(arena, &s->faces) };
    if (job.free == NULL || job.out == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(q->context), q->vertices.count, VERTICES_PER_BLOCK, free_masses, &job);
    mn_points_spread(q->context, &s->faces, job.free, NULL, job.out);
    for (int32_t i = 0; i < s->faces.count; i++) s->given[i] = s->mass[i] > 0.0 && job.out[i] == 0.0;
    mn_arena_end(arena, mark);
    return MN_OK;
}

/// The mass of the face, and the velocity that the pins give it, stay known.
static void nail(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_fabric_scratch *s     = &((face_job *)context)->q->step;
    for (int64_t i = begin; i < end; i++) {
        if (!s->given[i]) continue;
        s->own[i]      = (mn_fabric_face){ s->mass[i], s->momentum[i] };
        s->momentum[i] = s->heavy * (s->momentum[i] / s->mass[i]);
        s->mass[i]     = s->heavy;
    }
}

static void seen_by_liquid(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const face_job *job = context;
    for (int64_t i = begin; i < end; i++)
        job->out[i] = job->weight[i] > 0.0 && !job->q->step.given[i] ? 1.0 : 0.0;
}

mn_status mn_fabric_pins_meet_liquid(mn_fabric *q, mn_arena *arena, double dt, const double *liquid)
{
    mn_fabric_scratch *s    = &q->step;
    mn_pool           *pool = mn_context_pool(q->context);
    if (s->hold_count == 0) return MN_OK;
    s->taken = mn_point_faces_array(arena, &s->faces);
    s->borne = mn_arena_array(arena, double, 3 * q->vertices.count);
    if (s->taken == NULL || s->borne == NULL) return MN_ERR_MEMORY;
    const double cell = q->model.grid.cell;
    face_job     job  = { .q = q, .weight = liquid, .out = s->taken };
    s->heavy          = HEAVY * q->model.liquid.density * cell * cell * cell;
    mn_parallel_for(pool, s->faces.count, MN_BLOCK, nail, &job);
    s->nailed = true;
    mn_parallel_for(pool, s->faces.count, MN_BLOCK, seen_by_liquid, &job);
    return mn_fabric_pins_anchor(q, arena, dt, s->taken);
}

/// Impulse on each face, over the mass of the vertices there.
static void take(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const face_job *job = context;
    mn_fabric      *q   = job->q;
    for (int64_t i = begin; i < end; i++) {
        const mn_fabric_face *own = &q->step.own[i];
        q->step.taken[i]          = 0.0;
        if (!q->step.given[i]) continue;
        const double impulse = (q->step.heavy - own->mass) * (job->u[i] - own->momentum / own->mass);
        q->step.taken[i]     = impulse / own->mass;
    }
}

void mn_fabric_pins_bear_faces(mn_fabric *q, const double *u)
{
    mn_fabric_scratch *s = &q->step;
    if (!s->nailed) return;
    face_job job = { .q = q, .u = u };
    mn_parallel_for(mn_context_pool(q->context), s->faces.count, MN_BLOCK, take, &job);
    mn_points_collect(q->context, &s->faces, s->taken, s->borne, NULL);
    for (int64_t k = 0; k < s->hold_count; k++) {
        mn_fabric_hold *h    = &s->hold[k];
        const double   *b    = s->borne + 3 * (int64_t)h->vertex, mass = s->inertia[h->vertex];
        h->impulse           = mn_sub3(h->impulse, mn_scale3(mass, mn_v3(b[0], b[1], b[2])));
    }
}

void mn_fabric_pins_leave_liquid(mn_fabric *q)
{
    mn_fabric_scratch *s = &q->step;
    for (int32_t i = 0; s->nailed && i < s->faces.count; i++)
        if (s->given[i]) s->mass[i] = s->own[i].mass, s->momentum[i] = s->own[i].momentum;
    s->nailed = false;
    s->given  = NULL;
}
