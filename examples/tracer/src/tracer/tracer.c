// SPDX-License-Identifier: MPL-2.0
// tracer/tracer.c - seeding and moving tracers.
#include "tracer/tracer.h"

#include "base/ids.h"
#include "geom/shape.h"
#include "grid/around.h"

/// Distance kept from solids, in cells: that of the liquid's own particles.
#define STAND_OFF 0.02

static const mn_field fields[] = {
#define X(type, n, name, unit, flags, help) MN_FIELD(mn_tracers, type, n, name, unit, flags, help),
    MN_TRACER_FIELDS(X)
#undef X
};
const mn_field_table mn_tracer_table = { "tracers", fields, sizeof fields / sizeof *fields };

mn_tracer_def mn_tracer_def_default(void) { return (mn_tracer_def){ .spacing = 0.5, .cookie = MN_DEF_COOKIE }; }

// --- seeding ---------------------------------------------------------------------------------------------------------

/// Point (i, j, k) of the lattice in the box of the shape; false if that is not inside.
static bool lattice_point(const mn_tracer_def *def, const double low[3], const int64_t place[3], int dimension,
                          double x[3])
{
    for (int a = 0; a < 3; a++) x[a] = a < dimension ? low[a] + ((double)place[a] + 0.5) * def->spacing : 0.0;
    return mn_shape_at(def->shape, mn_v3_from(x)) < 0.0;
}

mn_status mn_tracers_seed(mn_context *c, mn_tracers *t, const mn_tracer_def *def, int dimension, int64_t *next_id)
{
    double  low[3], high[3], sites = 1.0, x[3];
    int64_t places[3] = { 1, 1, 1 };
    mn_shape_bounds(def->shape, low, high);
    for (int a = 0; a < dimension; a++) sites *= fmax(1.0, (high[a] - low[a]) / def->spacing);
    if (!(sites < 1e9))
        return mn_fail(c, MN_ERR_ARGUMENT, "tracers '%s': %g of them are asked for; at most 1e9 are possible",
                       def->name, sites);
    for (int a = 0; a < dimension; a++) places[a] = (int64_t)((high[a] - low[a]) / def->spacing);
    const int64_t before = t->count;
    for (int pass = 0; pass < 2; pass++) {  // counted first: room is asked for once
        int64_t n = before;
        for (int64_t s = 0; s < places[0] * places[1] * places[2]; s++) {
            const int64_t place[3] = { s % places[0], s / places[0] % places[1], s / places[0] / places[1] };
            if (!lattice_point(def, low, place, dimension, x)) continue;
            for (int a = 0; a < 3 && pass == 1; a++) t->position[a][n] = x[a];
            if (pass == 1) t->id[0][n] = mn_new_id(next_id);
            n++;
        }
        if (pass == 0) MN_TRY(mn_fields_reserve(c, &mn_tracer_table, t, before, &t->capacity, n));
        else t->count = t->seeded = n;
    }
    return MN_OK;
}

// --- moving ----------------------------------------------------------------------------------------------------------

typedef struct move_job {
    mn_tracers     *t;
    const mn_step  *step;
    const mn_tiles *tiles;
    double *const  *velocity;
    mn_vec3         period;
} move_job;

/// Component `a` of the velocity at x, linearly between the faces: face i of an axis is where half a cell higher the
/// centre of cell i is.
static double velocity_at(const move_job *job, int a, mn_vec3 x)
{
    const double          half[3] = { a == 0 ? 0.5 : 0.0, a == 1 ? 0.5 : 0.0, a == 2 ? 0.5 : 0.0 };
    const mn_vec3         moved   = mn_add3(x, mn_scale3(job->tiles->def.cell, mn_v3_from(half)));
    const mn_cells_around around  = mn_tiles_around(job->tiles, moved);
    double                u       = 0.0;
    for (int k = 0; k < around.count; k++)
        u += around.weight[k] * job->velocity[a][mn_around_place(job->tiles, &around, k)];
    return u;
}

static double back_across(double x, double low, double period)
{
    return period > 0.0 ? x - period * floor((x - low) / period) : x;
}

static void move_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const move_job    *job = context;
    const mn_grid_def *g   = &job->tiles->def;
    for (int64_t i = begin; i < end; i++) {
        double *const at[3] = { &job->t->position[0][i], &job->t->position[1][i], &job->t->position[2][i] };
        const mn_vec3 x     = mn_v3(*at[0], *at[1], *at[2]);
        double        u[3]  = { 0.0, 0.0, 0.0 };
        for (int a = 0; a < g->dimension; a++) u[a] = velocity_at(job, a, x);
        mn_vec3 to = mn_add3(x, mn_scale3(job->step->dt, mn_v3_from(u)));
        mn_solids_push_out(job->step->solids, STAND_OFF * g->cell, &to);
        for (int a = 0; a < g->dimension; a++)
            *at[a] = back_across(mn_get3(to, a), mn_get3(g->origin, a), mn_get3(job->period, a));
    }
}

void mn_tracers_move(mn_context *c, mn_tracers *t, const mn_step *step, const mn_tiles *tiles,
                     double *const velocity[3], mn_vec3 period)
{
    move_job job = { t, step, tiles, velocity, period };
    if (t->count == 0 || tiles->count == 0) return;
    mn_parallel_for(mn_context_pool(c), t->count, MN_BLOCK, move_block, &job);
}
