// SPDX-License-Identifier: MPL-2.0
// couple/mixture.c - how a liquid and the phases in it are solved together, and what they learn from it.
#include "couple/mixture_private.h"

#include "base/pool.h"
#include "grid/around.h"

#define POINTS_PER_BLOCK 512

/// Where the split is known to go wrong (mixture-solve 5, 6): long steps, sticky liquids, liquid that the drag ties to
/// the phases.
#define SPLIT_STEP      5e-4  ///< s
#define SPLIT_VISCOSITY 0.1   ///< P
#define SPLIT_TIE       0.9   ///< of P

static double largest_tie(int64_t begin, int64_t end, void *context)
{
    const mn_mixture *m    = context;
    double            most = 0.0;
    for (int64_t i = begin; i < end; i++) {
        const double drag = mn_mixture_sum(m, m->drag, i);
        if (drag > 0.0) most = fmax(most, drag / (m->liquid_mass[i] + drag));
    }
    return most;
}

/// The one place where the way of solving is chosen. Without buoyancy the matrix is not symmetric, which only the split
/// can be (mixture-solve trap 7).
static bool solve_together(mn_mixture *m)
{
    const mn_liquid_model *model = &m->liquid->model;
    if (!model->solver.buoyancy || model->solver.mixture == MN_MIXTURE_SPLIT) return false;
    if (model->solver.mixture == MN_MIXTURE_COUPLED || m->dt > SPLIT_STEP ||
        model->material.viscosity > SPLIT_VISCOSITY)
        return true;
    return mn_parallel_max(mn_context_pool(m->liquid->context), m->count, largest_tie, m) > SPLIT_TIE;
}

// --- who is in it ---

mn_status mn_mixture_enter(mn_mixture *m, mn_context *c, const mn_phase *phase)
{
    const mn_point_faces *f = phase->faces;
    if (m->phases == MN_MIXTURE_PHASES)
        return mn_fail(c, MN_ERR_ARGUMENT, "a liquid mixes with %d thin matters at most", MN_MIXTURE_PHASES);
    if (m->phases > 0 && (f->count != m->faces->count || f->first[0] != m->faces->first[0]))
        return mn_fail(c, MN_ERR_ARGUMENT, "the phases of a mixture must have their faces numbered together");
    if (m->phases == 0) {
        m->faces  = f;
        m->count  = f->count;
        m->stride = ((int64_t)f->count + 4 + 7) / 8 * 8;
    }
    m->phase[m->phases++] = *phase;
    return MN_OK;
}

mn_status mn_mixture_take_velocities(mn_mixture *m, mn_arena *arena, double **u)
{
    if ((*u = mn_mixture_vector(arena, m)) == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < m->phases; k++) *m->phase[k].velocity = *u + k * m->stride;
    return MN_OK;
}

mn_status mn_mixture_begin(mn_mixture *m, const mn_step *step, const double *inertia)
{
    for (int k = 0; k < m->phases; k++) {
        mn_phase *q = &m->phase[k];
        MN_TRY(q->answers->begin(q->matter, step, inertia + k * m->stride, &q->settling));
    }
    return MN_OK;
}

mn_status mn_mixture_settle(mn_mixture *m, mn_settle_fn *solve, void *context)
{
    mn_settling of[MN_MIXTURE_PHASES];
    for (int k = 0; k < m->phases; k++) of[k] = m->phase[k].settling;
    MN_TRY(mn_settle(of, m->phases, m->dt, m->liquid->model.solver.solid_tolerance, solve, context));
    for (int k = 0; k < m->phases; k++) m->phase[k].answers->settled(m->phase[k].matter);
    return MN_OK;
}

void mn_mixture_keep(mn_mixture *m)
{
    for (int k = 0; k < m->phases; k++) m->phase[k].answers->keep(m->phase[k].matter, *m->phase[k].velocity);
}

// --- spray ---

/// Spray flies by itself (liquid 5.2); where it meets a phase the drag changes its velocity by this much on each face.
static void kick_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_mixture *m = context;
    for (int32_t i = (int32_t)begin; i < (int32_t)end; i++) {
        if (m->liquid_volume[i] > 0.0 || mn_mixture_sum(m, m->drag, i) == 0.0) continue;
        const int a                  = mn_mixture_axis(m, i);
        m->room->kick[a][m->home[i]] = m->liquid->grid.velocity[a][m->place[i]] -
                                       m->liquid_impulse[i] / m->liquid_mass[i];
    }
}

static double spray_faces(int64_t begin, int64_t end, void *context)
{
    const mn_mixture *m = context;
    for (int64_t i = begin; i < end; i++)
        if (m->liquid_volume[i] == 0.0 && mn_mixture_sum(m, m->drag, i) > 0.0) return 1.0;
    return 0.0;
}

static mn_status kick_spray(mn_mixture *m, mn_arena *arena)
{
    mn_pool       *pool  = mn_context_pool(m->liquid->context);
    mn_room_owner *owner = m->room;
    if (mn_parallel_max(pool, m->count, spray_faces, m) == 0.0) return MN_OK;
    for (int a = 0; a < 3; a++) {
        owner->kick[a] = mn_arena_array_zero(arena, double, (int64_t)owner->tiles->count * owner->tiles->cells);
        if (owner->kick[a] == NULL) return MN_ERR_MEMORY;
    }
    mn_parallel_for(pool, m->count, MN_BLOCK, kick_faces, m);
    return MN_OK;
}

// --- liquid that is about to enter ---

/// What a full face of liquid would give up to the phases in the step, by the linear part of the drag.
static void tie_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_mixture *m    = context;
    const double      cell = mn_cell_volume(&m->liquid->model.grid);
    for (int32_t i = (int32_t)begin; i < (int32_t)end; i++) {
        const double linear = mn_mixture_sum(m, m->drag_linear, i);
        if (m->place[i] == 0 || linear == 0.0) continue;
        const int    a    = mn_mixture_axis(m, i);
        const double open = (double)m->liquid->grid.solid.open[a][m->place[i]],
                     room = open * cell - mn_mixture_sum(m, m->solid_volume, i);
        if (!(room > 0.0)) continue;
        const double drag           = m->dt * m->superficial[i] * m->superficial[i] * open * linear,
                     mass           = m->liquid->model.material.density * room;
        m->room->tie[a][m->home[i]] = (float)(drag / (mass + drag));
    }
}

static mn_status tie_liquid(mn_mixture *m, mn_arena *arena)
{
    mn_room_owner *owner = m->room;
    const int64_t  faces = (int64_t)owner->tiles->count * owner->tiles->cells;
    for (int a = 0; a < 3; a++) {
        owner->tie[a]  = mn_arena_array_zero(arena, float, faces);
        owner->lead[a] = mn_arena_array_zero(arena, float, faces);
        if (owner->tie[a] == NULL || owner->lead[a] == NULL) return MN_ERR_MEMORY;
    }
    mn_parallel_for(mn_context_pool(m->liquid->context), m->count, MN_BLOCK, tie_faces, m);
    return MN_OK;
}

typedef struct lead_job {
    const mn_mixture *m;
    const mn_phase   *phase;
    double           *at_points;  // momentum, 3 per point
    double           *momentum;   // on faces, of all phases
} lead_job;

static void point_momentum(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const lead_job *job = context;
    const mn_phase *q   = job->phase;
    for (int64_t v = begin; v < end; v++)
        for (int a = 0; a < 3; a++) job->at_points[3 * v + a] = q->point_mass[v] * q->point_velocity[a][v];
}

static void lead_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const lead_job   *job = context;
    const mn_mixture *m   = job->m;
    for (int64_t i = begin; i < end; i++) {
        if (m->place[i] == 0) continue;
        double mass = m->phase[0].mass[i];
        for (int k = 1; k < m->phases; k++) mass += m->phase[k].mass[i];
        m->room->lead[mn_mixture_axis(m, i)][m->home[i]] = (float)(job->momentum[i] * mn_inverse_mass(mass));
    }
}

static mn_status add_momentum(lead_job *job, mn_arena *arena)
{
    mn_context         *c    = job->m->liquid->context;
    const mn_arena_mark mark = mn_arena_begin(arena);
    job->at_points           = mn_arena_array(arena, double, 3 * job->phase->points);
    if (job->at_points == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(c), job->phase->points, POINTS_PER_BLOCK, point_momentum, job);
    mn_points_spread_add(c, job->phase->faces, job->at_points, NULL, job->momentum);
    mn_arena_end(arena, mark);
    return MN_OK;
}

mn_status mn_mixture_lead(mn_mixture *m, const mn_step *step)
{
    if (!m->meets) return MN_OK;
    const mn_arena_mark mark = mn_arena_begin(step->arena);
    lead_job            job  = { .m = m, .momentum = mn_point_faces_array(step->arena, m->faces) };
    if (job.momentum == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < m->phases; k++) {
        job.phase = &m->phase[k];
        MN_TRY(add_momentum(&job, step->arena));
    }
    mn_parallel_for(mn_context_pool(m->liquid->context), m->count, MN_BLOCK, lead_faces, &job);
    mn_arena_end(step->arena, mark);
    return MN_OK;
}

mn_status mn_mixture_solve(mn_mixture *m, const mn_step *step, mn_mixture_report *report)
{
    if (solve_together(m)) MN_TRY(mn_mixture_solve_coupled(m, step, report));
    else MN_TRY(mn_mixture_solve_split(m, step, report));
    MN_TRY(tie_liquid(m, step->arena));
    return kick_spray(m, step->arena);
}

// --- pressure at the points ---

typedef struct pressure_job {
    const mn_mixture *m;
    const mn_phase   *phase;
    double           *out;
    double            scale;  // dyn/cm^2 per cm/s
} pressure_job;

/// Linear between the centres of cells; 0 in air, and cells without room say nothing.
static double pressure_at(const mn_liquid_scratch *s, mn_vec3 x)
{
    const mn_cells_around around = mn_tiles_around(&s->tiles, x);
    double                sum = 0.0, weight = 0.0;
    for (int k = 0; k < around.count; k++) {
        const int64_t at = mn_around_place(&s->tiles, &around, k);
        if (around.tile[k] > 0 && s->solid.volume_open[at] == 0.0f) continue;
        weight += around.weight[k];
        if (around.tile[k] > 0 && s->wet[at]) sum += around.weight[k] * s->pressure[at];
    }
    return weight > 0.0 ? sum / weight : 0.0;
}

static void pressure_points(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const pressure_job  *job = context;
    const double *const *x   = job->phase->position;
    for (int64_t v = begin; v < end; v++)
        job->out[v] = job->scale * pressure_at(&job->m->liquid->grid, mn_v3(x[0][v], x[1][v], x[2][v]));
}

mn_status mn_mixture_pressure(mn_mixture *m, const mn_step *step)
{
    const mn_liquid_model *model = &m->liquid->model;
    pressure_job           job   = { .m = m, .scale = model->material.density * model->grid.cell / m->dt };
    for (int k = 0; k < m->phases; k++) {
        job.phase                  = &m->phase[k];
        *job.phase->point_pressure = job.out = mn_arena_array(step->arena, double, job.phase->points);
        if (job.out == NULL) return MN_ERR_MEMORY;
        mn_parallel_for(mn_context_pool(m->liquid->context), job.phase->points, POINTS_PER_BLOCK, pressure_points,
                        &job);
    }
    return MN_OK;
}
