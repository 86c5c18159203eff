// SPDX-License-Identifier: MPL-2.0
// liquid/liquid.c - the life of the liquid, and its stages that are a line of arithmetic per particle or face.
#include "liquid/liquid.h"

#include "base/sum.h"
#include "grid/extrapolate.h"
#include "grid/levelset.h"
#include "grid/transfer.h"
#include "liquid/project.h"
#include "liquid/viscosity.h"

#include <string.h>

// One table for each number of pigments: the field of pigments comes last, and is left out where there are none.
#define X(type, n, name, unit, flags, help) MN_FIELD(mn_liquid_particles, type, n, name, unit, flags, help),
// clang-format off
#define FIELDS(pigments) { MN_LIQUID_FIELDS(X) \
    X(double, pigments, pigment, "g", MN_FIELD_SAVED | MN_FIELD_HALOED, "mass of each pigment dissolved in it") }
// clang-format on
static const mn_field liquid_fields[MN_PIGMENTS_MOST + 1][6] = { FIELDS(0), FIELDS(1), FIELDS(2), FIELDS(3), FIELDS(4),
                                                                 FIELDS(5), FIELDS(6), FIELDS(7), FIELDS(8) };
#undef X
_Static_assert(MN_PIGMENTS_MOST == 8, "a table for each number of pigments");

/// See wish_of.
#define SPARSE 4.0

#define COUNT         ((int)(sizeof liquid_fields[0] / sizeof *liquid_fields[0]))
#define PIGMENT_FIELD (&liquid_fields[MN_PIGMENTS_MOST][COUNT - 1])
const mn_field_table        mn_liquid_table = { "liquid", liquid_fields[0], COUNT - 1 };
static const mn_field_table liquid_tables[] = {
    { "liquid", liquid_fields[1], COUNT }, { "liquid", liquid_fields[2], COUNT }, { "liquid", liquid_fields[3], COUNT },
    { "liquid", liquid_fields[4], COUNT }, { "liquid", liquid_fields[5], COUNT }, { "liquid", liquid_fields[6], COUNT },
    { "liquid", liquid_fields[7], COUNT }, { "liquid", liquid_fields[8], COUNT }
};

const mn_field_table *mn_liquid_table_of(const mn_liquid_particles *p)
{
    return p->pigments == 0 ? &mn_liquid_table : &liquid_tables[p->pigments - 1];
}

mn_status mn_liquid_set_pigments(mn_liquid *q, int count)
{
    mn_liquid_particles *p = mn_liquid_now(q), *spare = &q->particles[1 - q->current];
    mn_liquid_drop_spare(q);
    MN_TRY(mn_field_set_components(q->context, PIGMENT_FIELD, p, p->pigments, count, p->count, p->capacity));
    p->pigments = spare->pigments = count;
    return MN_OK;
}

mn_status mn_liquid_create(mn_context *c, const mn_liquid_model *model, mn_liquid *q)
{
    *q               = (mn_liquid){ .context = c, .model = *model };
    mn_status status = mn_multigrid_create(c, &q->multigrid);
    if (status == MN_OK) status = mn_solid_cache_create(c, 0, &q->solid_cache);
    if (status == MN_OK) status = mn_solid_cache_keep_moving(c, q->solid_cache);
    if (status != MN_OK) mn_liquid_destroy(q);
    return status;
}

void mn_liquid_destroy(mn_liquid *q)
{
    if (q->context == NULL) return;
    for (int k = 0; k < 2; k++) mn_fields_free(q->context, mn_liquid_table_of(&q->particles[k]), &q->particles[k]);
    mn_multigrid_destroy(&q->multigrid);
    mn_solid_cache_destroy(q->context, &q->solid_cache);
    *q = (mn_liquid){ .context = NULL };
}

static double speed2_of_block(int64_t begin, int64_t end, void *context)
{
    const mn_liquid_particles *p = context;
    const double *restrict u = p->velocity[0], *restrict v = p->velocity[1], *restrict w = p->velocity[2];
    double largest = 0.0;
    for (int64_t i = begin; i < end; i++) {
        const double s = u[i] * u[i] + v[i] * v[i] + w[i] * w[i];
        largest        = s > largest ? s : largest;
    }
    return largest;
}

double mn_liquid_dt_limit(mn_liquid *q, double *max_speed)
{
    mn_liquid_particles *p  = mn_liquid_now(q);
    const double         dx = q->model.grid.cell, g = mn_norm3(q->model.gravity);
    const double         u = sqrt(mn_parallel_max(mn_context_pool(q->context), p->count, speed2_of_block, p));
    *max_speed             = u;
    // CFL with the speed reached at the end of the step, (u + g h) h = cfl dx, and the surface's own limit (E9).
    const double reach = q->model.cfl * dx;
    double       h     = 2.0 * reach / (u + sqrt(u * u + 4.0 * g * reach) + 1e-300);
    return fmin(h, mn_liquid_surface_dt(q, g));
}

double mn_liquid_surface_dt(const mn_liquid *q, double pull)
{
    if (!mn_liquid_present(q)) return INFINITY;
    return pull > 0.0 ? 0.3 * sqrt(q->model.grid.cell / pull) : INFINITY;
}

/// Arrays over the grid that the stages of one step share. The stages that make them write every value. Most are one
/// block, in an order in which those that are dead together can be lent in one piece: the velocities; pressure and
/// coefficients; and the first two velocities, density and pressure.
static mn_status take_fields(mn_liquid_scratch *s, bool holds, bool weights, mn_arena *arena)
{
    const int64_t n     = (int64_t)s->tiles.count * s->tiles.cells;
    double       *block = mn_arena_take(arena, (size_t)n * (5 * sizeof(double) + 3 * sizeof(float))), *weight = NULL;
    s->wet = mn_arena_array(arena, uint8_t, n);
    if (weights) weight = mn_arena_array(arena, double, 3 * n);
    if (!block || !s->wet || (weights && !weight)) return MN_ERR_MEMORY;
    s->density  = block + 3 * n;
    s->pressure = block + 4 * n;
    for (int a = 0; a < 3; a++) {
        if (weights) s->weight[a] = weight + a * n;
        s->velocity[a]    = block + (a + 1) % 3 * n;
        s->coefficient[a] = (float *)(s->pressure + n) + a * n;
        s->known[a]       = mn_arena_array(arena, uint8_t, n);
        if (!s->known[a]) return MN_ERR_MEMORY;
    }
    if (s->tiles.def.dimension == 2) memset(s->coefficient[2], 0, (size_t)n * sizeof *s->coefficient[2]);
    if (holds) s->thin = mn_arena_array(arena, uint8_t, n);
    return s->thin || !holds ? MN_OK : MN_ERR_MEMORY;
}

/// Pressure and coefficients; the third coefficient of a 2D grid stays zero.
static void lend_pressure(mn_liquid *q, mn_arena *arena)
{
    const mn_liquid_scratch *s = &q->grid;
    const size_t             n = (size_t)s->tiles.count * (size_t)s->tiles.cells, axes = (size_t)s->tiles.def.dimension;
    mn_arena_lend(arena, s->pressure, n * (sizeof(double) + axes * sizeof(float)));
}

void mn_liquid_lend_faces(mn_liquid *q, mn_arena *arena)
{
    const mn_liquid_scratch *s = &q->grid;
    mn_arena_lend(arena, s->velocity[2], 3 * (size_t)s->tiles.count * (size_t)s->tiles.cells * sizeof(double));
    lend_pressure(q, arena);
}

/// Cells around a particle that must exist: its kernel reads faces up to two cells away, and so does its density where
/// it moves to.
#define REACH 2

/// What flies is moved without the grid (scatter.c), so that spray need not ask for tiles: what fills no cube of 4 x 4
/// x 4 cells to one in SPARSE, as sheets below a cell and threads below 4 cells in cross-section do not. Where fabric
/// is about, or viscosity holds thin liquid together, all particles ask, and for all that they might need in a step.
static mn_bins_wish wish_of(const mn_liquid *q, const mn_liquid_particles *p, double dt)
{
    const mn_liquid_model *m        = &q->model;
    const int              farthest = (int)ceil(m->cfl);
    if (q->spray_on_grid || mn_liquid_holds(m)) return (mn_bins_wish){ .margin = REACH + farthest };
    const double edge = MN_TILE / 2, cells = m->grid.dimension == 3 ? edge * edge * edge : edge * edge;
    return (mn_bins_wish){ .margin   = REACH,
                           .velocity = (const double *const *)p->velocity,
                           .dt       = dt,
                           .farthest = farthest,
                           .fewest   = (int)(cells * mn_cell_volume(&m->grid) / (SPARSE * m->reference_volume)) };
}

mn_status mn_liquid_activate(mn_liquid *q, const mn_step *step)
{
    if (!mn_liquid_present(q)) return MN_OK;
    mn_liquid_scratch   *s      = &q->grid;
    mn_liquid_particles *before = mn_liquid_now(q);
    *s                          = (mn_liquid_scratch){ .origin = NULL };
    const mn_bins_wish wish     = wish_of(q, before, step->dt);
    MN_TRY(mn_bins_build_wish(q->context, step->arena, &q->model.grid, (const double *const *)before->position,
                              before->count, &wish, &s->tiles, &s->bins));
    s->origin = s->bins.order;

    // Sort out of place: what stays behind is the state before the step.
    mn_liquid_particles *sorted = &q->particles[1 - q->current];
    MN_TRY(mn_fields_reserve(q->context, mn_liquid_table_of(sorted), sorted, 0, &sorted->capacity, before->capacity));
    mn_fields_gather(mn_context_pool(q->context), mn_liquid_table_of(sorted), sorted, before, s->origin, before->count);
    sorted->count = before->count;
    q->current    = 1 - q->current;
    s->bins.order = NULL;

    MN_TRY(take_fields(s, mn_liquid_holds(&q->model), mn_liquid_shares_room(q), step->arena));
    MN_TRY(mn_solid_fields_build(q->context, step->arena, &s->tiles, step->solids, q->solid_cache, &s->solid));
    mn_liquid_lend_faces(q, step->arena);
    const mn_status status = mn_liquid_surface(q, step->arena);
    mn_arena_take_back(step->arena);
    if (status == MN_OK) mn_liquid_level(q);
    return status;
}

typedef struct face_job {
    mn_liquid *q;
    double     dt;
} face_job;

mn_status mn_liquid_gather(mn_liquid *q, const mn_step *step)
{
    if (!mn_liquid_present(q)) return MN_OK;
    mn_liquid_scratch   *s      = &q->grid;
    mn_liquid_particles *p      = mn_liquid_now(q);
    mn_particle_arrays   arrays = { .count = p->count, .volume = p->volume[0] };
    memcpy(arrays.position, p->position, sizeof arrays.position);
    memcpy(arrays.velocity, p->velocity, sizeof arrays.velocity);
    memcpy(arrays.affine, p->affine, sizeof arrays.affine);
    lend_pressure(q, step->arena);  // still to be made
    mn_status status = mn_particles_to_velocity(q->context, step->arena, &s->tiles, &s->bins, &arrays,
                                                1e-12 * q->model.reference_volume, s->weight, s->velocity, s->known);
    // Faces bordering liquid that received no particle, liquid 5.4.
    if (status == MN_OK)
        status = mn_extrapolate_faces(q->context, step->arena, &s->tiles, MN_EXTRAPOLATE_AVERAGE, MN_LIQUID_LAYERS,
                                      s->velocity, s->known);
    mn_arena_take_back(step->arena);
    return status == MN_OK ? mn_liquid_remember(q, step->arena) : status;
}

static void add_gravity_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const face_job    *job = context;
    mn_liquid_scratch *s   = &job->q->grid;
    for (int a = 0; a < s->tiles.def.dimension; a++) {
        const double kick = job->dt * mn_get3(job->q->model.gravity, a);
        for (int64_t i = begin * s->tiles.cells; i < end * s->tiles.cells; i++)
            if (s->known[a][i]) s->velocity[a][i] += kick;
    }
}

void mn_liquid_lend_particles(mn_liquid *q, mn_arena *arena)
{
    mn_liquid_particles *p = mn_liquid_now(q);
    if (q->model.grid.dimension == 3) {  // components of a field are one block
        const size_t bytes = (size_t)p->capacity * sizeof(double);
        mn_arena_lend(arena, p->affine[0], (size_t)(p->affine[8] - p->affine[0]) * sizeof(double) + bytes);
        mn_arena_lend(arena, p->velocity[0], (size_t)(p->velocity[2] - p->velocity[0]) * sizeof(double) + bytes);
        return;
    }
    for (int a = 0; a < 2; a++) {  // the others stay as they are
        mn_arena_lend(arena, p->velocity[a], (size_t)p->capacity * sizeof(double));
        for (int b = 0; b < 2; b++) mn_arena_lend(arena, p->affine[3 * a + b], (size_t)p->capacity * sizeof(double));
    }
}

/// Viscosity of the velocity that the pressure leaves it, where viscosity does much (project_first.c).
static mn_status viscous_stage(mn_liquid *q, const mn_step *step, mn_force_report *report)
{
    if (q->grid.first_pressure != NULL) MN_TRY(mn_liquid_project_first(q, step->arena, step->dt, &report->pressure));
    return report->pressure.outcome < 0 ? MN_OK : mn_liquid_viscosity(q, step, &report->viscosity);
}

mn_status mn_liquid_forces(mn_liquid *q, const mn_step *step, mn_force_report *report)
{
    mn_liquid_scratch *s   = &q->grid;
    face_job           job = { .q = q, .dt = step->dt };
    *report = (mn_force_report){ .pressure.outcome = MN_SOLVE_NOTHING, .viscosity.outcome = MN_SOLVE_NOTHING };
    if (!mn_liquid_present(q)) return MN_OK;
    if (mn_liquid_projects_first(q, step)) {
        s->first_pressure = mn_arena_array(step->arena, double, (int64_t)s->tiles.count * s->tiles.cells);
        if (s->first_pressure == NULL) return MN_ERR_MEMORY;
    }
    mn_parallel_for(mn_context_pool(q->context), s->tiles.count, 4, add_gravity_tiles, &job);
    mn_liquid_lend_particles(q, step->arena);
    const mn_status status = viscous_stage(q, step, report);
    mn_arena_take_back(step->arena);
    return status;
}

typedef struct move_job {
    mn_liquid_particles *p;
    double               dt;
    int                  dimension;
} move_job;

static void move_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const move_job *job = context;
    for (int a = 0; a < job->dimension; a++) {
        double *restrict x       = job->p->position[a];
        const double *restrict v = job->p->velocity[a];
        for (int64_t i = begin; i < end; i++) x[i] += job->dt * v[i];
    }
}

mn_status mn_liquid_move(mn_liquid *q, const mn_step *step)
{
    if (!mn_liquid_present(q)) return MN_OK;
    mn_liquid_particles *p   = mn_liquid_now(q);
    move_job             job = { p, step->dt, q->model.grid.dimension };
    mn_parallel_for(mn_context_pool(q->context), p->count, MN_BLOCK, move_block, &job);
    mn_liquid_recall(q);
    mn_liquid_push_out(q, step->solids);
    return MN_OK;
}

void mn_liquid_push_out(mn_liquid *q, mn_solids solids)
{
    mn_liquid_particles *p     = mn_liquid_now(q);
    const int64_t        stuck = mn_solids_push_out_particles(mn_context_pool(q->context), solids,
                                                              MN_LIQUID_STAND_OFF * q->model.grid.cell, p->position, p->count);
    if (stuck > 0)
        mn_log(q->context, MN_LOG_WARNING, "liquid_squeezed",
               "%lld particles have no room between the solids around them", (long long)stuck);
    if (q->model.grid.dimension == 2)
        for (int64_t i = 0; i < p->count; i++) p->position[2][i] = 0.0;  // the plane of a 2D world
}

typedef struct wrap_job {
    mn_liquid_particles *p;
    double               low[3], period[3];
} wrap_job;

static void wrap_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const wrap_job *job = context;
    for (int a = 0; a < 3; a++) {
        if (job->period[a] == 0.0) continue;
        double *restrict x = job->p->position[a];
        const double low = job->low[a], period = job->period[a], high = low + period;
        for (int64_t i = begin; i < end; i++) {
            if (x[i] < low) x[i] += period * ceil((low - x[i]) / period);
            if (x[i] >= high) x[i] -= period * (1.0 + floor((x[i] - high) / period));
            if (x[i] < low) x[i] = low;  // rounding of the line above
        }
    }
}

void mn_liquid_wrap(mn_liquid *q, mn_vec3 low, mn_vec3 period)
{
    mn_liquid_particles *p   = mn_liquid_now(q);
    wrap_job             job = { p, { low.x, low.y, low.z }, { period.x, period.y, period.z } };
    mn_parallel_for(mn_context_pool(q->context), p->count, MN_BLOCK, wrap_block, &job);
}

double mn_liquid_remove(mn_liquid *q, mn_liquid_gone_fn *gone, void *context, double *pigment)
{
    mn_liquid_particles *p       = mn_liquid_now(q);
    int64_t              kept    = 0;
    double               removed = 0.0, carry = 0.0, carries[MN_PIGMENTS_MOST] = { 0.0 };
    for (int64_t i = 0; i < p->count; i++) {
        if (gone(mn_v3(p->position[0][i], p->position[1][i], p->position[2][i]), context)) {
            mn_add_carry(&removed, &carry, p->volume[0][i]);
            for (int k = 0; k < p->pigments && pigment != NULL; k++)
                mn_add_carry(&pigment[k], &carries[k], p->pigment[k][i]);
        } else {
            if (kept != i) mn_fields_copy_item(mn_liquid_table_of(p), p, kept, i);
            kept++;
        }
    }
    p->count = kept;
    return removed;
}
