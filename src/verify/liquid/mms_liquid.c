// SPDX-License-Identifier: MPL-2.0
// verify/liquid/mms_liquid.c - manufactured solutions: MMS1 the pressure with variable fractions, MMS2 the viscosity.
#include "verify/verify.h"

#include "liquid/viscosity.h"
#include "verify/liquid/pressure_cases.h"
#include "verify/liquid/s1.h"

#include <stdio.h>

/// A cube of 2 pi, periodic.
#define SIDE (2.0 * MN_PI)

static double order(const double e[3], int k) { return log2(e[k] / e[k + 1]); }

// MMS1: -div (beta grad p) = f

static double beta_at(mn_vec3 x) { return 1.0 + 0.5 * sin(x.x) * sin(x.y); }
static double p_at(mn_vec3 x) { return cos(2.0 * x.x) * cos(x.y) * cos(3.0 * x.z); }

static double slope_at(mn_vec3 x, int axis)
{
    if (axis == 0) return -2.0 * sin(2.0 * x.x) * cos(x.y) * cos(3.0 * x.z);
    if (axis == 1) return -cos(2.0 * x.x) * sin(x.y) * cos(3.0 * x.z);
    return -3.0 * cos(2.0 * x.x) * cos(x.y) * sin(3.0 * x.z);
}

/// f = beta (4 + 1 + 9) p - grad beta . grad p.
static double source_at(mn_vec3 x)
{
    return 14.0 * beta_at(x) * p_at(x) - 0.5 * cos(x.x) * sin(x.y) * slope_at(x, 0) -
           0.5 * sin(x.x) * cos(x.y) * slope_at(x, 1);
}

static mn_vec3 beside(mn_vec3 x, int axis, double way)
{
    return mn_v3(x.x + (axis == 0) * way, x.y + (axis == 1) * way, x.z + (axis == 2) * way);
}

static void fill(mn_pressure_case *c, int32_t n)
{
    const double h = SIDE / n;
    for (int32_t k = 0; k < n; k++)
        for (int32_t j = 0; j < n; j++)
            for (int32_t i = 0; i < n; i++) {
                const int64_t at = mn_pressure_case_at(c, i, j, k);
                const mn_vec3 x  = mn_pressure_case_center(c, i, j, k);
                for (int a = 0; a < 3; a++) c->b[a][at] = (float)beta_at(beside(x, a, -0.5 * h));
                c->rhs[at] = h * h * source_at(x);
            }
}

/// Largest errors of p (its mean apart) and of beta grad p on faces, which is what a velocity gets.
static void compare(const mn_pressure_case *c, int32_t n, double *p, double *u)
{
    const double h    = SIDE / n;
    double       mean = 0.0;
    *p = *u = 0.0;
    for (int64_t v = 0; v < c->values; v++) mean += c->unknown[v] ? c->x[v] / (double)c->unknowns : 0.0;
    for (int32_t k = 0; k < n; k++)
        for (int32_t j = 0; j < n; j++)
            for (int32_t i = 0; i < n; i++) {
                const int64_t at     = mn_pressure_case_at(c, i, j, k);
                const int64_t low[3] = { mn_pressure_case_at(c, i - 1, j, k), mn_pressure_case_at(c, i, j - 1, k),
                                         mn_pressure_case_at(c, i, j, k - 1) };
                const mn_vec3 x      = mn_pressure_case_center(c, i, j, k);
                *p                   = fmax(*p, fabs(c->x[at] - mean - p_at(x)));
                for (int a = 0; a < 3; a++) {
                    const mn_vec3 face = beside(x, a, -0.5 * h);
                    *u                 = fmax(*u, fabs((double)c->b[a][at] * (c->x[at] - c->x[low[a]]) / h -
                                                       beta_at(face) * slope_at(face, a)));
                }
            }
}

static mn_status pressure_errors(mn_context *context, int32_t n, double *p, double *u)
{
    mn_arena                  *arena = NULL, *scratch = NULL;
    mn_multigrid              *mg = NULL;
    mn_pressure_case           c;
    mn_solve_report            report = { .outcome = 0 };
    const mn_pressure_case_def def    = { .dimension = 3,
                                          .cells     = { n, n, n },
                                          .cell      = SIDE / n,
                                          .periodic  = { true, true, true },
                                          .theta_min = 1e-3 };
    mn_status                  status = mn_arena_create(context, &arena);
    if (status == MN_OK) status = mn_arena_create(context, &scratch);
    if (status == MN_OK) status = mn_multigrid_create(context, &mg);
    if (status == MN_OK) status = mn_pressure_case_build(arena, &def, &c);
    if (status == MN_OK) fill(&c, n);
    if (status == MN_OK) status = mn_multigrid_setup(mg, &c.system, scratch);
    if (status == MN_OK) status = mn_multigrid_solve(mg, c.rhs, c.x, 1e-10, 100, &report);
    *p = *u = NAN;
    if (status == MN_OK && report.outcome > 0) compare(&c, n, p, u);
    mn_multigrid_destroy(&mg);
    mn_arena_destroy(&scratch);
    mn_arena_destroy(&arena);
    return status;
}

/// A projection knows no time: there are grids, and no steps.
static mn_status pressure(mn_context *context, mn_verify_tier tier, mn_verify_report *r)
{
    const int grids = tier == MN_TIER_BUILD ? 1 : 3;
    double    p[3], u[3];
    char      what[96];
    for (int g = 0; g < grids; g++) {
        const int n = grids == 1 ? 32 : 16 << g;
        MN_TRY(pressure_errors(context, n, &p[g], &u[g]));
        const double h2 = SIDE * SIDE / (n * n);  // of second order: the constants are of the leading term, 3^2 / 12
        snprintf(what, sizeof what, "variable fractions, %d^3: largest error of p", n);
        mn_verify_value(r, what, p[g], 0.0, p[g], 1.0 * h2, 3.0 * h2);
        snprintf(what, sizeof what, "variable fractions, %d^3: largest error on faces", n);
        mn_verify_value(r, what, u[g], 0.0, u[g], 3.0 * h2, 9.0 * h2);
    }
    if (grids < 3) return MN_OK;
    mn_verify_value(r, "variable fractions: order of p", order(p, 1), 2.0, order(p, 1) - 2.0, 0.2, 0.2);
    mn_verify_value(r, "variable fractions: order on faces", order(u, 1), 2.0, order(u, 1) - 2.0, 0.2, 0.2);
    return MN_OK;
}

// MMS2: u = curl (0, 0, sin x sin y cos z) e^-t. Its Laplacian is -3 u, so that with a viscosity of 1/3 no source is
// needed: what the stage of viscosity makes of u in a second is u / e.

static double stream(mn_vec3 x, int a)
{
    if (a == 0) return sin(x.x) * cos(x.y) * cos(x.z);
    return a == 1 ? -cos(x.x) * sin(x.y) * cos(x.z) : 0.0;
}

/// Centre of the low face of a cell.
static mn_vec3 face_at(const mn_tiles *t, int64_t place, int a)
{
    return beside(mn_cell_centre(t, (int32_t)(place / t->cells), (int32_t)(place % t->cells)), a, -0.5 * t->def.cell);
}

static mn_status viscosity_error(mn_context *c, int n, int steps, double *error)
{
    mn_tank   tank          = mn_tank_default(3, SIDE / n, SIDE, SIDE, SIDE, INFINITY);
    mn_world *w             = NULL;
    tank.gravity            = mn_v3(0.0, 0.0, 0.0);
    tank.viscosity          = 1.0 / 3.0;
    tank.particles_per_cell = 1;
    for (int a = 0; a < 3; a++) tank.boundary[a] = MN_BOUNDARY_PERIODIC;
    MN_TRY(mn_tank_world(c, &tank, &w));
    w->liquid.model.solver.viscosity_tolerance = 1e-9;
    mn_step            step                    = { .arena = w->arena, .solids = w->solids, .dt = 1.0 / steps };
    mn_liquid_scratch *s                       = &w->liquid.grid;
    mn_status          status                  = mn_arena_reset(w->arena);
    if (status == MN_OK) status = mn_world_place_solids(w, 0.0);
    step.solids = w->solids;
    if (status == MN_OK) status = mn_liquid_activate(&w->liquid, &step);
    if (status == MN_OK) status = mn_liquid_gather(&w->liquid, &step);
    const int64_t values = (int64_t)s->tiles.count * s->tiles.cells;
    for (int a = 0; a < 3 && status == MN_OK; a++)
        for (int64_t i = s->tiles.cells; i < values; i++) s->velocity[a][i] = stream(face_at(&s->tiles, i, a), a);
    for (int k = 0; k < steps && status == MN_OK; k++) {
        mn_solve_report report;
        status = mn_liquid_viscosity(&w->liquid, &step, &report);
        if (status == MN_OK && report.outcome < 0) status = mn_fail(c, MN_ERR_SOLVE, "the viscosity did not converge");
    }
    *error = status == MN_OK ? 0.0 : NAN;
    for (int a = 0; a < 3 && status == MN_OK; a++)
        for (int64_t i = s->tiles.cells; i < values; i++)
            *error = fmax(*error, fabs(s->velocity[a][i] - exp(-1.0) * stream(face_at(&s->tiles, i, a), a)));
    mn_world_destroy(&w);
    return status;
}

static mn_status viscosity(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    char what[96];
    if (tier == MN_TIER_BUILD) {
        double error;
        MN_TRY(viscosity_error(c, 16, 128, &error));
        // Backward Euler: e^-1 h / 2; cells: e^-1 (2 pi / n)^2 / 12. Both slow the decay.
        const double good = exp(-1.0) * (0.5 / 128.0 + SIDE * SIDE / 256.0 / 12.0);
        mn_verify_value(r, "decay of a vortex by viscosity, 16^3, 128 steps: largest error", error, 0.0, error, good,
                        3.0 * good);
        return MN_OK;
    }
    double space[3], time[3];
    for (int g = 0; g < 3; g++) {
        // The error of one is left out of the other by steps so short, and cells so small, that it does not show.
        MN_TRY(viscosity_error(c, 8 << g, 4 << (2 * g), &space[g]));
        snprintf(what, sizeof what, "decay of a vortex by viscosity, %d^3, %d steps: largest error", 8 << g,
                 4 << (2 * g));
        const double good = exp(-1.0) * (0.5 / (4 << (2 * g)) + SIDE * SIDE / (double)(64 << (2 * g)) / 12.0);
        mn_verify_value(r, what, space[g], 0.0, space[g], good, 3.0 * good);
        MN_TRY(viscosity_error(c, 32, 8 << g, &time[g]));
        snprintf(what, sizeof what, "decay of a vortex by viscosity, 32^3, %d steps: largest error", 8 << g);
        const double slow = exp(-1.0) * (0.5 / (8 << g) + SIDE * SIDE / 1024.0 / 12.0);
        mn_verify_value(r, what, time[g], 0.0, time[g], slow, 3.0 * slow);
    }
    const double first = log2((time[0] - time[1]) / (time[1] - time[2]));
    mn_verify_value(r, "viscosity: order in space, steps by its square", order(space, 1), 2.0, order(space, 1) - 2.0,
                    0.2, 0.2);
    mn_verify_value(r, "viscosity: order in time", first, 1.0, first - 1.0, 0.2, 0.2);
    return MN_OK;
}

const mn_verify_case mn_verify_mms_liquid[] = {
    { "MMS1", "manufactured pressure with variable fractions", .run = pressure, .library = true },
    { "MMS2", "manufactured decay by viscosity", .run = viscosity, .library = true },
    { 0 },
};
