// SPDX-License-Identifier: MPL-2.0
// couple/mixture_split.c - pressure with explicit elasticity, then the fabric, then the liquid (wet-fabric 5.8-5.10).
//
// Volumes are those of mixture-solve 1, with which the matrix of this split is the surrogate (M4) of the coupled
// system. On faces of both the velocity field of the liquid holds the flux of the mixture over the open part while the
// pressure is sought, and the velocity of the liquid afterwards.
#include "couple/mixture_drag.h"
#include "couple/mixture_private.h"

#include "base/pool.h"
#include "liquid/project.h"

/// The liquid follows the implicit velocity of the fabric (`drag_future`, 5.10) if its viscosity is above this, P, or
/// if the drag ties the two this closely on more than this share of their faces.
#define VISCOSITY_TIES 1.0
#define DRAG_TIES      0.99
#define MANY_FACES     0.05

typedef struct split_job {
    mn_mixture *m;
    mn_arena   *arena;
    mn_solids   solids;          // of the world
    double     *explicit_solid;  // r_s with the forces of the start of the step, g cm/s
    double     *solid_mass;      // D_s
    double     *impulse;         // what the fabric gets besides its own forces
    double     *b;               // all that it gets
    double     *u;               // its velocity
    double     *inertia, *u_f,
        *u_s;  // what the drag is foreseen from: mass and stiffness of the fabric, velocities without drag
    const double      *load;  // its own forces
    double             density, cell_volume, before;
    bool               follow, buoyancy, pressed;
    mn_projection      projection;
    mn_mixture_report *report;
} split_job;

static mn_mixture_shares share_of(const split_job *job, int32_t i)
{
    return mn_mixture_share(job->m->fabric->step.mass[i], job->m->liquid_mass[i], job->m->drag[i]);
}

/// Both velocities of a face, and from them the flux per area of the whole face.
typedef struct pair {
    double liquid, solid;
} pair;

static pair explicit_pair(const split_job *job, int32_t i, double gradient)
{
    const mn_mixture       *m   = job->m;
    const mn_mixture_shares x   = share_of(job, i);
    const double            r_f = m->liquid_impulse[i], r_s = job->explicit_solid[i], v_f = m->liquid_volume[i],
                 v_s = m->solid_volume[i];
    return (pair){
        .liquid = (r_f + x.q * r_s - job->density * (v_f + x.q * v_s) * gradient) * mn_inverse_mass(x.liquid_mass),
        .solid  = (r_s + x.p * r_f - job->density * (v_s + x.p * v_f) * gradient) * mn_inverse_mass(x.solid_mass)
    };
}

/// Velocity that makes the flux of both through the open part of the face.
static double joint_velocity(const mn_mixture *m, int32_t i, pair u)
{
    return (m->liquid_volume[i] * u.liquid + m->solid_volume[i] * u.solid) / (m->liquid_volume[i] + m->solid_volume[i]);
}

static void weigh_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const split_job *job = context;
    for (int32_t i = (int32_t)begin; i < (int32_t)end; i++) job->solid_mass[i] = share_of(job, i).solid_mass;
}

/// The flux before pressure and how it answers the pressure, (E5.14) in the units of the bulk: open / theta without
/// fabric.
static void enter_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const split_job   *job = context;
    const mn_mixture  *m   = job->m;
    mn_liquid_scratch *s   = &m->liquid->grid;
    for (int32_t i = (int32_t)begin; i < (int32_t)end; i++) {
        if (m->liquid_volume[i] == 0.0) continue;
        const mn_mixture_shares x   = share_of(job, i);
        const int               a   = mn_mixture_axis(m, i);
        const double            v_f = m->liquid_volume[i], v_s = m->solid_volume[i];
        const double            answer = v_f * (v_f + x.q * v_s) * mn_inverse_mass(x.liquid_mass) +
                              v_s * (v_s + x.p * v_f) * mn_inverse_mass(x.solid_mass);
        s->velocity[a][m->place[i]]    = joint_velocity(m, i, explicit_pair(job, i, 0.0));
        s->coefficient[a][m->place[i]] = (float)(job->density / job->cell_volume * answer);
    }
}

static double pressure_step(const mn_mixture *m, int32_t i)
{
    const double *p = m->liquid->grid.pressure;
    const int     a = mn_mixture_axis(m, i);
    return m->liquid_volume[i] > 0.0 ? p[m->place[i]] - p[mn_mixture_below(m, a, m->place[i])] : 0.0;
}

/// What the liquid gives the fabric, (E5.16), with its momentum.
static void push_solid(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const split_job  *job = context;
    const mn_mixture *m   = job->m;
    for (int32_t i = (int32_t)begin; i < (int32_t)end; i++) {
        const mn_mixture_shares x = share_of(job, i);
        job->impulse[i]           = m->fabric->step.momentum[i] + m->solid_suction[i] + x.p * m->liquid_impulse[i];
        if (job->buoyancy)
            job->impulse[i] -= job->density * (m->solid_volume[i] + x.p * m->liquid_volume[i]) * pressure_step(m, i);
    }
}

static double liquid_velocity(const split_job *job, int32_t i)
{
    const mn_mixture *m = job->m;
    if (!job->follow && m->liquid_volume[i] > 0.0) return explicit_pair(job, i, pressure_step(m, i)).liquid;
    return (m->liquid_impulse[i] + m->drag[i] * job->u[i] - job->density * m->liquid_volume[i] * pressure_step(m, i)) /
           (m->liquid_mass[i] + m->drag[i]);
}

static void joint_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const split_job  *job = context;
    const mn_mixture *m   = job->m;
    for (int32_t i = (int32_t)begin; i < (int32_t)end; i++)
        if (m->liquid_volume[i] > 0.0)
            m->liquid->grid.velocity[mn_mixture_axis(m, i)][m->place[i]] = joint_velocity(m, i,
                                                                                          (pair){
                                                                                              liquid_velocity(job, i),
                                                                                              job->u[i] });
}

static void leave_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const split_job  *job = context;
    const mn_mixture *m   = job->m;
    for (int32_t i = (int32_t)begin; i < (int32_t)end; i++)
        if (m->liquid_mass[i] > 0.0)
            m->liquid->grid.velocity[mn_mixture_axis(m, i)][m->place[i]] = liquid_velocity(job, i);
}

static double shared_faces(int64_t begin, int64_t end, void *context)
{
    const split_job *job = context;
    double           sum = 0.0;
    for (int64_t i = begin; i < end; i++) sum += job->m->drag[i] > 0.0;
    return sum;
}

static double tied_faces(int64_t begin, int64_t end, void *context)
{
    const split_job *job = context;
    double           sum = 0.0;
    for (int32_t i = (int32_t)begin; i < (int32_t)end; i++) sum += share_of(job, i).p > DRAG_TIES;
    return sum;
}

static void add_explicit(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const split_job  *job = context;
    const mn_mixture *m   = job->m;
    for (int64_t i = begin; i < end; i++)
        job->explicit_solid[i] = job->load[i] + m->fabric->step.momentum[i] + m->solid_suction[i];
}

static void add_load(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const split_job *job = context;
    for (int64_t i = begin; i < end; i++) job->b[i] = job->load[i] + job->impulse[i];
}

static void foresee_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const split_job  *job = context;
    const mn_mixture *m   = job->m;
    for (int64_t i = begin; i < end; i++) {
        job->inertia[i] += m->fabric->step.mass[i];
        job->u_s[i] = m->fabric->step.momentum[i] * mn_inverse_mass(m->fabric->step.mass[i]) +
                      (job->load[i] + m->solid_suction[i]) * mn_inverse_mass(job->inertia[i]);
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

/// The drag of the step, and with it how both answer.
static mn_status tie(mn_fabric_operator *op, split_job *job)
{
    mn_mixture *m    = job->m;
    mn_pool    *pool = mn_context_pool(m->liquid->context);
    MN_TRY(mn_fabric_operator_diagonal(op, job->arena, job->inertia));
    mn_parallel_for(pool, m->count, MN_BLOCK, foresee_faces, job);
    MN_TRY(mn_mixture_drag_predict(m, job->arena, job->u_f, job->u_s, job->inertia));
    mn_parallel_for(pool, m->count, MN_BLOCK, weigh_faces, job);
    const double shared = mn_parallel_sum(pool, m->count, shared_faces, job),
                 tied   = mn_parallel_sum(pool, m->count, tied_faces, job);
    job->follow         = m->liquid->model.material.viscosity > VISCOSITY_TIES || tied > MANY_FACES * shared;
    return MN_OK;
}

/// Pressure with the forces and touches of the start of the step, and what it gives the fabric.
static mn_status press(split_job *job)
{
    mn_mixture *m    = job->m;
    mn_liquid  *q    = m->liquid;
    mn_pool    *pool = mn_context_pool(q->context);
    mn_parallel_for(pool, m->count, MN_BLOCK, add_explicit, job);
    mn_parallel_for(pool, m->count, MN_BLOCK, enter_faces, job);
    MN_TRY(mn_liquid_projection_begin(q, &(mn_step){ .arena = job->arena, .solids = job->solids, .dt = m->dt },
                                      &job->projection));
    job->before = sqrt(
        mn_parallel_sum(pool, (int64_t)q->grid.tiles.count * q->grid.tiles.cells, norm2_of, job->projection.rhs));
    MN_TRY(mn_liquid_projection_solve(&job->projection, job->arena, &job->report->pressure));
    mn_parallel_for(pool, m->count, MN_BLOCK, push_solid, job);
    return MN_OK;
}

/// The fabric as often as its touches ask for; the pressure once.
static mn_status solve_once(mn_fabric_operator *op, const double *load, double ease, void *context, bool *usable)
{
    split_job           *job    = context;
    const mn_solver_def *solver = &job->m->fabric->model.solver;
    job->load                   = load;
    if (!job->pressed) MN_TRY(tie(op, job));
    if (!job->pressed) MN_TRY(press(job));
    mn_parallel_for(mn_context_pool(job->m->fabric->context), job->m->count, MN_BLOCK, add_load, job);
    if (!job->pressed) mn_fabric_operator_start(op, job->m->dt, job->impulse, job->b, job->u);
    job->pressed = true;
    mn_fabric_operator_measure(op, job->impulse, load);
    mn_fabric_operator_solve(op, job->b, job->u, ease * solver->solid_tolerance, solver->solid_iterations,
                             &job->report->solid);
    mn_fabric_operator_keep_momentum(op, job->b, job->u);
    *usable = job->report->solid.outcome > 0;
    return MN_OK;
}

static mn_status solve(split_job *job)
{
    mn_mixture        *m    = job->m;
    mn_pool           *pool = mn_context_pool(m->liquid->context);
    mn_fabric_operator op;
    mn_touches         touches;
    MN_TRY(mn_fabric_operator_prepare(m->fabric, job->arena, job->solid_mass, &op));
    MN_TRY(mn_fabric_settle(&op, &(mn_step){ .arena = job->arena, .solids = job->solids, .dt = m->dt }, solve_once, job,
                            &touches));
    mn_fabric_operator_keep_start(&op, &touches, m->dt, job->u);

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
    const mn_point_faces *f      = &m->fabric->step.faces;
    *report                      = (mn_mixture_report){ .solid.outcome = MN_SOLVE_CONVERGED };
    m->fabric->step.velocity     = mn_point_faces_array(step->arena, f);
    const mn_arena_mark mark     = mn_arena_begin(step->arena);
    split_job           job      = { .m           = m,
                                     .arena       = step->arena,
                                     .solids      = step->solids,
                                     .u           = m->fabric->step.velocity,
                                     .density     = m->liquid->model.material.density,
                                     .cell_volume = mn_cell_volume(&m->liquid->model.grid),
                                     .buoyancy    = m->liquid->model.solver.buoyancy,
                                     .report      = report };
    double **const      arrays[] = { &job.explicit_solid, &job.solid_mass, &job.impulse, &job.b,
                                     &job.inertia,        &job.u_f,        &job.u_s };
    mn_status           status   = job.u != NULL ? MN_OK : MN_ERR_MEMORY;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays && status == MN_OK; k++)
        if ((*arrays[k] = mn_point_faces_array(step->arena, f)) == NULL) status = MN_ERR_MEMORY;
    if (status == MN_OK) status = solve(&job);
    mn_arena_end(step->arena, mark);
    return status;
}
