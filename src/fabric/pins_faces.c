// SPDX-License-Identifier: MPL-2.0
// fabric/pins_faces.c - faces that see held vertices alone, where liquid meets them: they go as the pins do.
//
// No vertex that could answer sees such a face. In the solve with the liquid it gets a mass that nothing moves, and
// what that took is the pins' to bear, each by its share of the mass there.
#include "fabric/pins.h"

#include "base/pool.h"

#define VERTICES_PER_BLOCK 512
/// Mass of such a face, in cells of liquid: a head of 1 cm on the step of 1 ms moves it by 3e-5 cm/s. Without end, the
/// volume that a cell inside the fabric has to gain or lose for its density would go through what is impermeable.
#define HEAVY 3e5

typedef struct face_job {
    mn_fabric    *q;
    const double *weight;          // of the liquid, a value a face
    double       *force, *moment;  // on vertices
    double       *free, *held;     // on faces: mass that nothing holds, momentum of what pins hold
    double       *out;
    const double *u;
} face_job;

static void free_masses(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const face_job *job = context;
    for (int64_t v = begin; v < end; v++)
        for (int a = 0; a < 3; a++) job->force[3 * v + a] = job->q->step.pinned[v] ? 0.0 : job->q->step.inertia[v];
}

/// Pins are bodies: what they hold in common moves without divergence, and liquid that is tied to it can, too.
static mn_status add_up_bodies(face_job *job, mn_arena *arena)
{
    mn_fabric *q = job->q;
    job->force   = mn_arena_array_zero(arena, double, 3 * q->vertices.count);
    job->moment  = mn_arena_array_zero(arena, double, 9 * q->vertices.count);
    if (job->force == NULL || job->moment == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < q->step.hold_count; k++) {
        const mn_fabric_hold *h = &q->step.hold[k];
        const mn_vec3         w = h->turning;
        const double spin[9] = { 0.0, -w.z, w.y, w.z, 0.0, -w.x, -w.y, w.x, 0.0 }, m = q->step.inertia[h->vertex];
        for (int a = 0; a < 3; a++) job->force[3 * (int64_t)h->vertex + a] = m * mn_get3(h->drift, a);
        for (int c = 0; c < 9; c++) job->moment[9 * (int64_t)h->vertex + c] = m * spin[c];
    }
    mn_points_spread(q->context, &q->step.faces, job->force, job->moment, job->held);
    return MN_OK;
}

mn_status mn_fabric_pins_list_faces(mn_fabric *q, mn_arena *arena)
{
    mn_fabric_scratch *s = &q->step;
    if (s->hold_count == 0) return MN_OK;
    s->given = mn_arena_array_zero(arena, uint8_t, s->faces.count);
    s->own   = mn_arena_take(arena, mn_array_bytes(s->faces.count, sizeof *s->own));
    if (s->given == NULL || s->own == NULL) return MN_ERR_MEMORY;
    const mn_arena_mark mark = mn_arena_begin(arena);
    face_job            job  = { .q     = q,
                                 .force = mn_arena_array(arena, double, 3 * q->vertices.count),
                                 .free  = mn_point_faces_array(arena, &s->faces),
                                 .held  = mn_point_faces_array(arena, &s->faces) };
    if (job.force == NULL || job.free == NULL || job.held == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(q->context), q->vertices.count, VERTICES_PER_BLOCK, free_masses, &job);
    mn_points_spread(q->context, &s->faces, job.force, NULL, job.free);
    MN_TRY(add_up_bodies(&job, arena));
    for (int32_t i = 0; i < s->faces.count; i++) {
        s->given[i] = s->mass[i] > 0.0 && job.free[i] == 0.0;
        s->own[i]   = (mn_fabric_face){ s->mass[i], s->momentum[i], job.held[i] * mn_inverse_mass(s->mass[i]) };
    }
    mn_arena_end(arena, mark);
    return MN_OK;
}

static void nail(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_fabric_scratch *s = &((face_job *)context)->q->step;
    for (int64_t i = begin; i < end; i++) {
        if (!s->given[i]) continue;
        s->mass[i]     = s->heavy;
        s->momentum[i] = s->heavy * s->own[i].velocity;
    }
}

static void seen_by_liquid(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const face_job *job = context;
    for (int64_t i = begin; i < end; i++) job->out[i] = job->weight[i] > 0.0 && !job->q->step.given[i] ? 1.0 : 0.0;
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

/// Impulse on each face, less what its vertices count as theirs of it (pins.c), over their mass there.
static void take(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const face_job *job = context;
    mn_fabric      *q   = job->q;
    for (int64_t i = begin; i < end; i++) {
        const mn_fabric_face *own = &q->step.own[i];
        q->step.taken[i]          = 0.0;
        if (!q->step.given[i]) continue;
        const double impulse = q->step.heavy * (job->u[i] - own->velocity) + own->momentum - own->mass * job->u[i];
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
        mn_fabric_hold *h = &s->hold[k];
        const double   *b = s->borne + 3 * (int64_t)h->vertex, mass = s->inertia[h->vertex];
        h->impulse = mn_sub3(h->impulse, mn_scale3(mass, mn_v3(b[0], b[1], b[2])));
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
