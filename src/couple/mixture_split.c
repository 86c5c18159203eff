// SPDX-License-Identifier: MPL-2.0
// couple/mixture_split.c - pressure with explicit elasticity, then the phases, then the liquid (wet-fabric 5.8-5.10).
//
// Volumes are those of mixture-solve 1, with which the matrix of this split is the surrogate (M4) of the coupled
// system. On faces of both the velocity field of the liquid holds the flux of the mixture over the open part while the
// pressure is sought, and the velocity of the liquid afterwards.
//
// Of several phases each sees the liquid with what its drag moves of the others: those are then explicit to it.
#include "couple/mixture_drag.h"
#include "couple/mixture_private.h"

#include "base/pool.h"
#include "liquid/project.h"

/// The liquid follows the implicit velocity of the phases (`drag_future`, 5.10) if its viscosity is above this, P, or
/// if the drag ties the two this closely on more than this share of their faces.
#define VISCOSITY_TIES 1.0
#define DRAG_TIES      0.99
#define MANY_FACES     0.05

/// Vectors, but for u_f, which has one value a face.
typedef struct split_job {
    mn_mixture        *m;
    const mn_step     *step;
    double            *load;            // of the forces and touches of the phases
    double            *explicit_solid;  // r_s with the forces of the start of the step, g cm/s
    double            *solid_mass;      // D_s
    double            *impulse;         // what a phase gets besides its own forces
    double            *u;               // its velocity
    double            *inertia, *u_s;   // what the drag is foreseen from: mass and stiffness, velocities without drag
    double            *u_f;
    double             density, cell_volume, before;
    bool               follow, buoyancy, pressed;
    mn_projection      projection;
    mn_mixture_report *report;
} split_job;

static mn_pool *pool_of(const split_job *job) { return mn_context_pool(job->m->liquid->context); }

/// The liquid of a face with what its drag moves of the phases, but for one of them (-1: none), without pressure.
typedef struct carrying {
    double mass, impulse, volume;
} carrying;

static carrying liquid_with(const split_job *job, int64_t i, int but)
{
    const mn_mixture *m = job->m;
    carrying          c = { m->liquid_mass[i], m->liquid_impulse[i], m->liquid_volume[i] };
    for (int k = 0; k < m->phases; k++) {
        if (k == but) continue;
        const int64_t at = k * m->stride + i;
        const double  q  = mn_mixture_share(m->phase[k].mass[i], m->liquid_mass[i], m->drag[at]).q;
        c.mass += q * m->phase[k].mass[i];
        c.impulse += q * job->explicit_solid[at];
        c.volume += q * m->solid_volume[at];
    }
    return c;
}

/// Velocities of a face before the stiffness of the phases answers.
static double explicit_liquid(const split_job *job, int64_t i, double gradient)
{
    const carrying c = liquid_with(job, i, -1);
    return (c.impulse - job->density * c.volume * gradient) * mn_inverse_mass(c.mass);
}

static double explicit_solid(const split_job *job, int phase, int64_t i)
{
    const mn_mixture       *m  = job->m;
    const int64_t           at = phase * m->stride + i;
    const carrying          c  = liquid_with(job, i, phase);
    const mn_mixture_shares x  = mn_mixture_share(m->phase[phase].mass[i], c.mass, m->drag[at]);
    return (job->explicit_solid[at] + x.p * c.impulse) * mn_inverse_mass(x.solid_mass);
}

/// Velocity that makes the flux of all through the open part of the face: `solids` is that of the phases, V_s u_s.
static double joint_velocity(const mn_mixture *m, int64_t i, double liquid, double solids)
{
    return (m->liquid_volume[i] * liquid + solids) / (m->liquid_volume[i] + mn_mixture_sum(m, m->solid_volume, i));
}

static void weigh_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const split_job  *job = context;
    const mn_mixture *m   = job->m;
    for (int k = 0; k < m->phases; k++)
        for (int64_t i = begin; i < end; i++)
            job->solid_mass[k * m->stride + i] = mn_mixture_share(m->phase[k].mass[i], liquid_with(job, i, k).mass,
                                                                  m->drag[k * m->stride + i])
                                                     .solid_mass;
}

/// How the flux through a face answers a gradient, times density.
static double flux_answer(const split_job *job, int64_t i)
{
    const mn_mixture *m   = job->m;
    const carrying    all = liquid_with(job, i, -1);
    double            sum = m->liquid_volume[i] * all.volume * mn_inverse_mass(all.mass);
    for (int k = 0; k < m->phases; k++) {
        const int64_t           at = k * m->stride + i;
        const double            v  = m->solid_volume[at];
        const carrying          c  = liquid_with(job, i, k);
        const mn_mixture_shares x  = mn_mixture_share(m->phase[k].mass[i], c.mass, m->drag[at]);
        sum += v * (v + x.p * c.volume) * mn_inverse_mass(x.solid_mass);
    }
    return sum;
}

/// The flux before pressure and how it answers the pressure, (E5.14) in the units of the bulk: open / theta without
/// phases.
static void enter_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const split_job   *job = context;
    const mn_mixture  *m   = job->m;
    mn_liquid_scratch *s   = &m->liquid->grid;
    for (int64_t i = begin; i < end; i++) {
        if (m->liquid_volume[i] == 0.0) continue;
        const int a      = mn_mixture_axis(m, i);
        double    solids = m->solid_volume[i] * explicit_solid(job, 0, i);
        for (int k = 1; k < m->phases; k++) solids += m->solid_volume[k * m->stride + i] * explicit_solid(job, k, i);
        s->velocity[a][m->place[i]]    = joint_velocity(m, i, explicit_liquid(job, i, 0.0), solids);
        s->coefficient[a][m->place[i]] = (float)(job->density / job->cell_volume * flux_answer(job, i));
    }
}

static double pressure_step(const mn_mixture *m, int64_t i)
{
    const double *p = m->liquid->grid.pressure;
    const int     a = mn_mixture_axis(m, i);
    return m->liquid_volume[i] > 0.0 ? p[m->place[i]] - p[mn_mixture_below(m, a, m->place[i])] : 0.0;
}

/// What the liquid gives a phase, (E5.16), with its momentum.
static double push_of(const split_job *job, int phase, int64_t i)
{
    const mn_mixture       *m    = job->m;
    const int64_t           at   = phase * m->stride + i;
    const carrying          c    = liquid_with(job, i, phase);
    const mn_mixture_shares x    = mn_mixture_share(m->phase[phase].mass[i], c.mass, m->drag[at]);
    const double            push = m->phase[phase].momentum[i] + m->solid_suction[at] + x.p * c.impulse;
    if (!job->buoyancy) return push;
    return push - job->density * (m->solid_volume[at] + x.p * c.volume) * pressure_step(m, i);
}

static void push_solids(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const split_job *job = context;
    for (int k = 0; k < job->m->phases; k++)
        for (int64_t i = begin; i < end; i++) job->impulse[k * job->m->stride + i] = push_of(job, k, i);
}

static double liquid_velocity(const split_job *job, int64_t i)
{
    const mn_mixture *m = job->m;
    if (!job->follow && m->liquid_volume[i] > 0.0) return explicit_liquid(job, i, pressure_step(m, i));
    double pulled = m->drag[i] * job->u[i];
    for (int k = 1; k < m->phases; k++) pulled += m->drag[k * m->stride + i] * job->u[k * m->stride + i];
    return (m->liquid_impulse[i] + pulled - job->density * m->liquid_volume[i] * pressure_step(m, i)) /
           (m->liquid_mass[i] + mn_mixture_sum(m, m->drag, i));
}

static void joint_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const split_job  *job = context;
    const mn_mixture *m   = job->m;
    for (int64_t i = begin; i < end; i++) {
        if (!(m->liquid_volume[i] > 0.0)) continue;
        double solids = m->solid_volume[i] * job->u[i];
        for (int k = 1; k < m->phases; k++) solids += m->solid_volume[k * m->stride + i] * job->u[k * m->stride + i];
        m->liquid->grid.velocity[mn_mixture_axis(m, i)][m->place[i]] = joint_velocity(m, i, liquid_velocity(job, i),
                                                                                      solids);
    }
}

static void leave_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const split_job  *job = context;
    const mn_mixture *m   = job->m;
    for (int64_t i = begin; i < end; i++)
        if (m->liquid_mass[i] > 0.0)
            m->liquid->grid.velocity[mn_mixture_axis(m, i)][m->place[i]] = liquid_velocity(job, i);
}

static double shared_faces(int64_t begin, int64_t end, void *context)
{
    const split_job *job = context;
    double           sum = 0.0;
    for (int64_t i = begin; i < end; i++) sum += mn_mixture_sum(job->m, job->m->drag, i) > 0.0;
    return sum;
}

static double tied_faces(int64_t begin, int64_t end, void *context)
{
    const split_job  *job = context;
    const mn_mixture *m   = job->m;
    double            sum = 0.0;
    for (int64_t i = begin; i < end; i++)
        sum += mn_mixture_share(0.0, m->liquid_mass[i], mn_mixture_sum(m, m->drag, i)).p > DRAG_TIES;
    return sum;
}

static void add_explicit(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const split_job  *job = context;
    const mn_mixture *m   = job->m;
    for (int k = 0; k < m->phases; k++)
        for (int64_t i = begin; i < end; i++) {
            const int64_t at        = k * m->stride + i;
            job->explicit_solid[at] = job->load[at] + m->phase[k].momentum[i] + m->solid_suction[at];
        }
}

static void foresee_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const split_job  *job = context;
    const mn_mixture *m   = job->m;
    for (int k = 0; k < m->phases; k++)
        for (int64_t i = begin; i < end; i++) {
            const int64_t   at = k * m->stride + i;
            const mn_phase *q  = &m->phase[k];
            job->inertia[at] += q->mass[i];
            job->u_s[at] = q->momentum[i] * mn_inverse_mass(q->mass[i]) +
                           (job->load[at] + m->solid_suction[at]) * mn_inverse_mass(job->inertia[at]);
            job->u_f[i] = m->liquid_impulse[i] * mn_inverse_mass(m->liquid_mass[i]);
        }
}

static double norm2_of(int64_t begin, int64_t end, void *context)
{
    const double *x   = context;
    double        sum = 0.0;
    for (int64_t i = begin; i < end; i++) sum += x[i] * x[i];
    return sum;
}

/// The drag of the step, and with it how all answer.
static mn_status tie(split_job *job)
{
    mn_mixture *m    = job->m;
    mn_pool    *pool = pool_of(job);
    for (int k = 0; k < m->phases; k++)
        MN_TRY(m->phase[k].answers->diagonal(m->phase[k].matter, job->step->arena, job->inertia + k * m->stride));
    mn_parallel_for(pool, m->count, MN_BLOCK, foresee_faces, job);
    MN_TRY(mn_mixture_drag_predict(m, job->step->arena, job->u_f, job->u_s, job->inertia));
    mn_parallel_for(pool, m->count, MN_BLOCK, weigh_faces, job);
    const double shared = mn_parallel_sum(pool, m->count, shared_faces, job),
                 tied   = mn_parallel_sum(pool, m->count, tied_faces, job);
    job->follow         = m->liquid->model.material.viscosity > VISCOSITY_TIES || tied > MANY_FACES * shared;
    return MN_OK;
}

/// Pressure with the forces and touches of the start of the step, and what it gives the phases.
static mn_status press(split_job *job)
{
    mn_mixture *m    = job->m;
    mn_liquid  *q    = m->liquid;
    mn_pool    *pool = pool_of(job);
    mn_parallel_for(pool, m->count, MN_BLOCK, add_explicit, job);
    mn_parallel_for(pool, m->count, MN_BLOCK, enter_faces, job);
    MN_TRY(mn_liquid_projection_begin(q, job->step, &job->projection));
    job->before = sqrt(
        mn_parallel_sum(pool, (int64_t)q->grid.tiles.count * q->grid.tiles.cells, norm2_of, job->projection.rhs));
    MN_TRY(mn_liquid_projection_solve(&job->projection, job->step->arena, &job->report->pressure));
    mn_parallel_for(pool, m->count, MN_BLOCK, push_solids, job);
    return MN_OK;
}

/// The phases as often as their touches ask for; the pressure once.
static mn_status solve_once(double ease, void *context, bool *usable)
{
    split_job  *job   = context;
    mn_mixture *m     = job->m;
    const bool  first = !job->pressed;
    for (int k = 0; k < m->phases; k++) m->phase[k].answers->load(m->phase[k].matter, job->load + k * m->stride);
    if (first) MN_TRY(tie(job));
    if (first) MN_TRY(press(job));
    job->pressed = true;
    *usable      = true;
    for (int k = 0; k < m->phases; k++) {
        const int64_t   at    = k * m->stride;
        mn_solve_report found = { .iterations = job->report->solid.iterations };
        m->phase[k].answers->solve(m->phase[k].matter, job->impulse + at, job->load + at, first, ease, job->u + at,
                                   &found);
        if (k == 0 || *usable) job->report->solid = found;
        job->report->solid.iterations = found.iterations;
        *usable                       = *usable && found.outcome > 0;
    }
    return MN_OK;
}

static mn_status solve(split_job *job)
{
    mn_mixture *m    = job->m;
    mn_pool    *pool = pool_of(job);
    MN_TRY(mn_mixture_begin(m, job->step, job->solid_mass));
    MN_TRY(mn_mixture_settle(m, solve_once, job));
    mn_mixture_keep(m);

    double left;
    mn_parallel_for(pool, m->count, MN_BLOCK, joint_faces, job);
    job->report->divergence       = mn_liquid_projection_divergence(&job->projection, &left);
    job->report->divergence_share = job->before > 0.0 ? left / job->before : 0.0;
    mn_parallel_for(pool, m->count, MN_BLOCK, leave_faces, job);
    job->report->cycles   = job->report->pressure.iterations;
    job->report->products = job->report->solid.iterations;
    return MN_OK;
}

mn_status mn_mixture_solve_split(mn_mixture *m, const mn_step *step, mn_mixture_report *report)
{
    const mn_step own = { .arena = step->arena, .solids = step->solids, .dt = m->dt };
    split_job     job = { .m           = m,
                          .step        = &own,
                          .density     = m->liquid->model.material.density,
                          .cell_volume = mn_cell_volume(&m->liquid->model.grid),
                          .buoyancy    = m->liquid->model.solver.buoyancy,
                          .report      = report };
    *report           = (mn_mixture_report){ .solid.outcome = MN_SOLVE_CONVERGED };
    MN_TRY(mn_mixture_take_velocities(m, step->arena, &job.u));
    const mn_arena_mark mark      = mn_arena_begin(step->arena);
    double **const      vectors[] = {
             &job.load, &job.explicit_solid, &job.solid_mass, &job.impulse, &job.inertia, &job.u_s
    };
    mn_status status = (job.u_f = mn_point_faces_array(step->arena, m->faces)) != NULL ? MN_OK : MN_ERR_MEMORY;
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors && status == MN_OK; k++)
        if ((*vectors[k] = mn_mixture_vector(step->arena, m)) == NULL) status = MN_ERR_MEMORY;
    if (status == MN_OK) status = solve(&job);
    mn_arena_end(step->arena, mark);
    return status;
}
