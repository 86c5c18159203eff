// SPDX-License-Identifier: MPL-2.0
// verify/liquid/s1_rest.c - S1.1: a tank at rest stays at rest, its level is where the volume says, its pressure rho g
// depth.
#include "verify/liquid/s1.h"

#include <stdio.h>

static double mean_of(const double *x, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += x[i];
    return sum / count;
}

enum { COLUMNS = 40 };

/// Pressure at the centre of the lowest cell in the middle of the tank, as frames show it.
static double floor_pressure(const mn_world *w)
{
    const mn_domain_def *d    = &w->def.domain;
    const double         half = 0.5 * d->cell, x = 0.5 * d->bounds[1][0] + half, y = half,
                 z                  = d->dimension == 3 ? 0.5 * d->bounds[1][2] + half : 0.0;
    const double *const position[3] = { &x, &y, &z };
    double              p           = NAN;
    mn_liquid_pressure(&w->liquid, position, 1, 1, &p);
    return p;
}

typedef struct rest_result {
    double speed;        // largest, over sqrt(g H)
    double drift, bias;  // of the mean level, in cells
    double pressure;     // relative error at the floor
} rest_result;

static mn_status rest_run(mn_context *c, const mn_tank *tank, double seconds, rest_result *out)
{
    mn_world *w = NULL;
    MN_TRY(mn_tank_world(c, tank, &w));
    double       before[COLUMNS], after[COLUMNS];
    const int    columns = (int)lround(tank->size[0] / tank->cell);
    const double area    = tank->size[0] * (tank->dimension == 3 ? tank->size[2] : 1.0),
                 level   = w->now.liquid_initial / area;
    mn_status status     = mn_surface_heights(w, columns, before);
    while (status == MN_OK && mn_world_time(w) < seconds) status = mn_world_step(w, seconds);
    const double speed = mn_world_ledger(w).max_speed;
    if (status == MN_OK) status = mn_surface_heights(w, columns, after);
    if (status == MN_OK) status = mn_world_step(w, seconds + 1e-3);
    if (status == MN_OK) {
        const double expected = 981.0 * (level - 0.5 * tank->cell);
        *out                  = (rest_result){ .speed    = speed / sqrt(981.0 * level),
                                               .drift    = (mean_of(after, columns) - mean_of(before, columns)) / tank->cell,
                                               .bias     = (mean_of(before, columns) - level) / tank->cell,
                                               .pressure = floor_pressure(w) / expected - 1.0 };
    }
    mn_world_destroy(&w);
    return status;
}

/// Zero crossing against the true level, 16 levels within a cell: mean over lattice and jittered fillings.
static mn_status level_bias(mn_context *c, mn_sampling sampling, double *mean)
{
    *mean = 0.0;
    for (int k = 0; k < 16; k++) {
        mn_tank tank  = mn_tank_default(3, 0.5, 6.0, 6.0, 6.0, 3.0 + 0.5 * k / 16.0);
        tank.sampling = sampling;
        tank.seed     = (uint64_t)k + 1;
        mn_world *w   = NULL;
        double    height[12];
        MN_TRY(mn_tank_world(c, &tank, &w));
        const double    level  = w->now.liquid_initial / 36.0;
        const mn_status status = mn_surface_heights(w, 12, height);
        mn_world_destroy(&w);
        if (status != MN_OK) return status;
        *mean += (mean_of(height, 12) - level) / tank.cell / 16.0;
    }
    return MN_OK;
}

mn_status mn_s1_rest(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const double cell = tier == MN_TIER_BUILD ? 0.5 : 0.25, seconds = 1.0;
    char         what[96];
    for (int seed = 0; seed <= (tier == MN_TIER_BUILD ? 1 : 5); seed++) {
        mn_tank tank  = mn_tank_default(3, cell, 10.0, 10.0, 10.0, 8.0);
        tank.sampling = seed == 0 ? MN_SAMPLING_LATTICE : MN_SAMPLING_JITTER;
        tank.seed     = (uint64_t)seed + 1;
        rest_result result;
        MN_TRY(rest_run(c, &tank, seconds, &result));
        const char *name = seed == 0 ? "lattice" : "jitter";
        snprintf(what, sizeof what, "largest speed / sqrt(gH) after 1 s, %s %d", name, seed);
        mn_verify_at_most(r, what, result.speed, 1e-3, 1e-2);
        snprintf(what, sizeof what, "drift of the surface in cells, %s %d", name, seed);
        mn_verify_value(r, what, result.drift, 0.0, result.drift, 0.01, 0.03);
        snprintf(what, sizeof what, "pressure at the floor over rho g depth, %s %d", name, seed);
        mn_verify_value(r, what, 1.0 + result.pressure, 1.0, result.pressure, 3e-3, 1e-2);
    }
    for (int sampling = 0; sampling < 2; sampling++) {
        double bias;
        MN_TRY(level_bias(c, sampling == 0 ? MN_SAMPLING_LATTICE : MN_SAMPLING_JITTER, &bias));
        mn_verify_value(r, sampling == 0 ? "bias of the level in cells, lattice" : "bias of the level in cells, jitter",
                        bias, 0.0, bias, 0.02, 0.1);
    }
    return MN_OK;
}
