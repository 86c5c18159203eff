// SPDX-License-Identifier: MPL-2.0
// couple/mixture.c - how liquid and fabric are solved together, and what both learn from it.
#include "couple/mixture_private.h"

#include "base/pool.h"
#include "grid/around.h"

#define VERTICES_PER_BLOCK 512

/// Where the split is known to go wrong (mixture-solve 5, 6): long steps, sticky liquids, liquid that the drag ties to
/// the fabric.
#define SPLIT_STEP      5e-4  ///< s
#define SPLIT_VISCOSITY 0.1   ///< P
#define SPLIT_TIE       0.9   ///< of P

static double largest_tie(int64_t begin, int64_t end, void *context)
{
    const mn_mixture *m    = context;
    double            most = 0.0;
    for (int64_t i = begin; i < end; i++)
        if (m->drag[i] > 0.0) most = fmax(most, m->drag[i] / (m->liquid_mass[i] + m->drag[i]));
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

// --- spray
// ----------------------------------------------------------------------------------------------------------------

/// Spray flies by itself (liquid 5.2); where it meets fabric the drag changes its velocity by this much on each face.
static void kick_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_mixture *m = context;
    for (int32_t i = (int32_t)begin; i < (int32_t)end; i++) {
        if (m->liquid_volume[i] > 0.0 || m->drag[i] == 0.0) continue;
        const int a                          = mn_mixture_axis(m, i);
        m->liquid->guest.kick[a][m->home[i]] = m->liquid->grid.velocity[a][m->place[i]] -
                                               m->liquid_impulse[i] / m->liquid_mass[i];
    }
}

static double spray_faces(int64_t begin, int64_t end, void *context)
{
    const mn_mixture *m = context;
    for (int64_t i = begin; i < end; i++)
        if (m->drag[i] > 0.0 && m->liquid_volume[i] == 0.0) return 1.0;
    return 0.0;
}

static mn_status kick_spray(mn_mixture *m, mn_arena *arena)
{
    mn_pool         *pool  = mn_context_pool(m->liquid->context);
    mn_liquid_guest *guest = &m->liquid->guest;
    if (mn_parallel_max(pool, m->count, spray_faces, m) == 0.0) return MN_OK;
    for (int a = 0; a < 3; a++) {
        guest->kick[a] = mn_arena_array_zero(arena, double, (int64_t)guest->tiles->count * guest->tiles->cells);
        if (guest->kick[a] == NULL) return MN_ERR_MEMORY;
    }
    mn_parallel_for(pool, m->count, MN_BLOCK, kick_faces, m);
    return MN_OK;
}

// --- liquid that is about to enter
// ----------------------------------------------------------------------------------------

/// What a full face of liquid would give up to the fabric in the step, by the linear part of the drag.
static void tie_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_mixture *m    = context;
    const double      cell = mn_cell_volume(&m->liquid->model.grid);
    for (int32_t i = (int32_t)begin; i < (int32_t)end; i++) {
        if (m->place[i] == 0 || m->drag_linear[i] == 0.0) continue;
        const int    a    = mn_mixture_axis(m, i);
        const double open = (double)m->liquid->grid.solid.open[a][m->place[i]], room = open * cell - m->solid_volume[i];
        if (!(room > 0.0)) continue;
        const double drag                   = m->dt * m->superficial[i] * m->superficial[i] * open * m->drag_linear[i],
                     mass                   = m->liquid->model.material.density * room;
        m->liquid->guest.tie[a][m->home[i]] = (float)(drag / (mass + drag));
    }
}

static mn_status tie_liquid(mn_mixture *m, mn_arena *arena)
{
    mn_liquid_guest *guest = &m->liquid->guest;
    const int64_t    faces = (int64_t)guest->tiles->count * guest->tiles->cells;
    for (int a = 0; a < 3; a++) {
        guest->tie[a]  = mn_arena_array_zero(arena, float, faces);
        guest->lead[a] = mn_arena_array_zero(arena, float, faces);
        if (guest->tie[a] == NULL || guest->lead[a] == NULL) return MN_ERR_MEMORY;
    }
    mn_parallel_for(mn_context_pool(m->liquid->context), m->count, MN_BLOCK, tie_faces, m);
    return MN_OK;
}

typedef struct lead_job {
    const mn_mixture *m;
    double           *momentum;  // 3 per vertex
    double           *spread;    // on faces
} lead_job;

static void vertex_momentum(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const lead_job  *job = context;
    const mn_fabric *q   = job->m->fabric;
    for (int64_t v = begin; v < end; v++)
        for (int a = 0; a < 3; a++) job->momentum[3 * v + a] = q->step.inertia[v] * q->vertices.velocity[a][v];
}

static void lead_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const lead_job   *job = context;
    const mn_mixture *m   = job->m;
    for (int32_t i = (int32_t)begin; i < (int32_t)end; i++)
        if (m->place[i] > 0)
            m->liquid->guest.lead[mn_mixture_axis(m, i)][m->home[i]] = (float)(job->spread[i] *
                                                                               mn_inverse_mass(
                                                                                   m->fabric->step.mass[i]));
}

mn_status mn_mixture_lead(mn_mixture *m, const mn_step *step)
{
    mn_fabric          *q    = m->fabric;
    mn_pool            *pool = mn_context_pool(q->context);
    const mn_arena_mark mark = mn_arena_begin(step->arena);
    lead_job            job  = { .m        = m,
                                 .momentum = mn_arena_array(step->arena, double, 3 * q->vertices.count),
                                 .spread   = mn_point_faces_array(step->arena, &q->step.faces) };
    if (job.momentum == NULL || job.spread == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, q->vertices.count, VERTICES_PER_BLOCK, vertex_momentum, &job);
    mn_points_spread(q->context, &q->step.faces, job.momentum, NULL, job.spread);
    mn_parallel_for(pool, m->count, MN_BLOCK, lead_faces, &job);
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

// --- pressure at the vertices
// ---------------------------------------------------------------------------------------------

typedef struct pressure_job {
    const mn_mixture *m;
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

static void pressure_vertices(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const pressure_job *job = context;
    mn_fabric          *q   = job->m->fabric;
    for (int64_t v = begin; v < end; v++) {
        const mn_vec3 x     = mn_v3(q->vertices.position[0][v], q->vertices.position[1][v], q->vertices.position[2][v]);
        q->step.pressure[v] = job->scale * pressure_at(&job->m->liquid->grid, x);
    }
}

mn_status mn_mixture_pressure(mn_mixture *m, const mn_step *step)
{
    const mn_liquid_model *model = &m->liquid->model;
    pressure_job           job   = { m, model->material.density * model->grid.cell / m->dt };
    m->fabric->step.pressure     = mn_arena_array(step->arena, double, m->fabric->vertices.count);
    if (m->fabric->step.pressure == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(m->fabric->context), m->fabric->vertices.count, VERTICES_PER_BLOCK,
                    pressure_vertices, &job);
    return MN_OK;
}
