// SPDX-License-Identifier: MPL-2.0
// liquid/project_first.c - the projection before the viscosity, liquid 5.12.
//
// Viscosity shears whatever velocity it is given. What gravity gives, h g everywhere, is free fall: beside walls
// viscosity would make of it a velocity that is no gradient, which the projection behind it cannot take back, and
// liquid at rest would turn for ever at a good part of h g. So where viscosity does much in a step, the pressure takes
// from the velocity what it can before viscosity sees it. Divergence 0 is asked for here, so that a rigid motion stays
// one; what keeps volume (E5a) is left to the projection behind. The pressure of the step is the sum of both.
#include "liquid/project.h"

#include "grid/extrapolate.h"

#include <string.h>

/// h nu / cell^2 from which on the pressure acts before the viscosity as well; with a wall that holds on to the liquid,
/// whose stress on a face beside it may be ten times that between faces (WALL_MIN of viscosity_weights.c), a tenth of
/// it.
#define VISCOUS_LEAST         1e-3
#define VISCOUS_LEAST_NO_SLIP 1e-4

bool mn_liquid_projects_first(const mn_liquid *q, const mn_step *step)
{
    const double dx = q->model.grid.cell, kinematic = q->model.material.viscosity / q->model.material.density;
    bool         no_slip = false;
    for (int k = 0; k < step->solids.count; k++) no_slip |= step->solids.list[k].no_slip;
    return !mn_liquid_shares_room(q) &&
           step->dt * kinematic >= (no_slip ? VISCOUS_LEAST_NO_SLIP : VISCOUS_LEAST) * dx * dx;
}

/// What the pressure does to the velocity.
typedef struct change_job {
    mn_liquid *q;
    double    *change[3];
    uint8_t   *known[3];
} change_job;

static void change_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const change_job        *job = context;
    const mn_liquid_scratch *s   = &job->q->grid;
    mn_liquid_face_gradient(job->q, begin, end, s->first_pressure, -1.0, job->change, false);
    for (int a = 0; a < s->tiles.def.dimension; a++)
        for (int64_t i = begin * s->tiles.cells; i < end * s->tiles.cells; i++)
            job->known[a][i] = i >= s->tiles.cells && s->coefficient[a][i] > 0.0f;
}

static void add_change_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const change_job        *job = context;
    const mn_liquid_scratch *s   = &job->q->grid;
    for (int a = 0; a < s->tiles.def.dimension; a++)
        for (int64_t i = begin * s->tiles.cells; i < end * s->tiles.cells; i++)
            if (s->known[a][i] && job->known[a][i]) s->velocity[a][i] += job->change[a][i];
}

/// Faces that hold liquid without being beside a liquid cell are changed like their neighbours: left in free fall they
/// would pull at the liquid, and filled anew from their neighbours they would lose the rotation the particles brought.
static mn_status change_velocity(mn_liquid *q, mn_arena *arena)
{
    mn_liquid_scratch *s    = &q->grid;
    mn_pool           *pool = mn_context_pool(q->context);
    const int64_t      n    = (int64_t)s->tiles.count * s->tiles.cells;
    change_job         job  = { .q = q };
    for (int a = 0; a < s->tiles.def.dimension; a++) {
        job.change[a] = mn_arena_array(arena, double, n);
        job.known[a]  = mn_arena_array(arena, uint8_t, n);
        if (job.change[a] == NULL || job.known[a] == NULL) return MN_ERR_MEMORY;
    }
    mn_parallel_for(pool, s->tiles.count, 4, change_tiles, &job);
    mn_liquid_jump_faces(q, job.change);
    MN_TRY(mn_extrapolate_faces(q->context, arena, &s->tiles, MN_EXTRAPOLATE_AVERAGE, MN_LIQUID_LAYERS, job.change,
                                job.known));
    mn_parallel_for(pool, s->tiles.count, 4, add_change_tiles, &job);
    return MN_OK;
}

static mn_status solve(mn_liquid *q, mn_arena *arena, double dt, mn_solve_report *report)
{
    mn_projection       job  = { .q = q, .dt = dt, .rhs = q->grid.first_pressure };
    const mn_arena_mark mark = mn_arena_begin(arena);
    mn_liquid_projection_rhs(&job);
    mn_liquid_coefficients(q);
    mn_status status = mn_liquid_hand_over(q, arena, q->grid.wet, &q->grid.terms);
    if (status == MN_OK) status = mn_liquid_solve(q, job.rhs, job.rhs, true, report);
    mn_arena_end(arena, mark);
    return status;
}

mn_status mn_liquid_project_first(mn_liquid *q, mn_arena *arena, double dt, mn_solve_report *report)
{
    MN_TRY(solve(q, arena, dt, report));
    if (report->outcome < 0) return MN_OK;
    const mn_arena_mark mark   = mn_arena_begin(arena);
    const mn_status     status = change_velocity(q, arena);
    mn_arena_end(arena, mark);
    return status;
}

static void add_pressure_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_liquid_scratch *s = &((const mn_liquid *)context)->grid;
    for (int64_t i = begin * s->tiles.cells; i < end * s->tiles.cells; i++) s->pressure[i] += s->first_pressure[i];
}

void mn_liquid_add_first_pressure(mn_liquid *q)
{
    if (q->grid.first_pressure != NULL)
        mn_parallel_for(mn_context_pool(q->context), q->grid.tiles.count, 4, add_pressure_tiles, q);
}
