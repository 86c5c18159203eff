// SPDX-License-Identifier: MPL-2.0
// verify/liquid/p1_free.c - P1.1 to P1.3: a slug before a piston, a source and a sink, free fall.
#include "verify/liquid/p1.h"

#include <stdio.h>

// P1.1

#define PUSH 3.0  ///< cm/s

/// A channel 1 high between the walls of the domain, and a piston that fills it, its face in the middle of a cell.
static mn_status make_piston(mn_context *c, int cells, mn_world **out)
{
    const double    cell    = 1.0 / cells;
    mn_world_def    def     = mn_p1_world(2, cell);
    mn_shape_def    box     = mn_shape_def_default(MN_SHAPE_BOX);
    mn_obstacle_def wall    = mn_obstacle_def_default();
    def.domain.bounded      = true;
    def.domain.bounds[1][0] = 6.0, def.domain.bounds[1][1] = 1.0, def.domain.bounds[1][2] = 1.0;
    def.time.dt_max = 0.25 * cell / PUSH;
    MN_TRY(mn_world_create(c, &def, out));
    box.size[0] = 1.0, box.size[1] = 3.0, box.size[2] = 3.0;
    wall.at[0]              = 0.5 + 0.37 * cell;
    wall.at[1]              = 0.5;
    wall.motion.velocity[0] = PUSH;
    MN_TRY(mn_shape_create(c, &box, &wall.shape));
    const mn_status status = mn_world_add_obstacle(*out, &wall);
    mn_shape_release(&wall.shape);
    MN_TRY(status);
    return mn_p1_pour(c, *out, mn_v3(2.0, 1.0, 1.0), mn_v3(2.0, 0.5, 0.0), mn_v3(0.0, 0.0, 0.0));
}

/// What lies before the piston moves as it does from the first step on: nothing else lets both volume and wall be.
static mn_status push(mn_context *c, int cells, double *first, double *last, double *way)
{
    mn_world  *w      = NULL;
    mn_status  status = make_piston(c, cells, &w);
    mn_p1_sums begin = { .volume = 1.0 }, s = begin;
    if (status == MN_OK) begin = mn_p1_sum(w), status = mn_world_step(w, 0.5);
    if (status == MN_OK) s = mn_p1_sum(w), *first = s.momentum.x / s.volume;
    while (status == MN_OK && mn_world_time(w) < 0.5) status = mn_world_step(w, 0.5);
    if (status == MN_OK) {
        s     = mn_p1_sum(w);
        *last = s.momentum.x / s.volume;
        *way  = s.place.x / s.volume - begin.place.x / begin.volume;
    }
    mn_world_destroy(&w);
    return status;
}

mn_status mn_p1_piston(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    double first, last, way;
    char   what[96];
    for (int cells = 8; cells <= (tier == MN_TIER_BUILD ? 8 : 32); cells *= 2) {
        MN_TRY(push(c, cells, &first, &last, &way));
        snprintf(what, sizeof what, "mean speed of the slug after one step over the piston's, %d cells", cells);
        mn_verify_value(r, what, first / PUSH, 1.0, first / PUSH - 1.0, 1e-3, 3e-3);
        snprintf(what, sizeof what, "mean speed after half a second over the piston's, %d cells", cells);
        mn_verify_value(r, what, last / PUSH, 1.0, last / PUSH - 1.0, 1e-3, 3e-3);
        snprintf(what, sizeof what, "way of the slug over that of the piston, %d cells", cells);
        mn_verify_value(r, what, way / (0.5 * PUSH), 1.0, way / (0.5 * PUSH) - 1.0, 1e-3, 3e-3);
    }
    return MN_OK;
}

// P1.2

#define RATE  5.0   ///< cm^3/s
#define SPEED 20.0  ///< cm/s
#define HALF  0.15  ///< s that the source works
#define WAIT  0.30  ///< s until all of it is in the sink

static mn_status add_tap(mn_context *c, mn_world *w, mn_liquid_role role, mn_vec3 size, mn_vec3 at)
{
    mn_shape_def  box = mn_shape_def_default(MN_SHAPE_BOX);
    mn_liquid_def tap = mn_liquid_def_default();
    for (int a = 0; a < 3; a++) box.size[a] = mn_get3(size, a), tap.at[a] = mn_get3(at, a);
    tap.role               = role;
    tap.material.viscosity = 0.0;
    if (role == MN_LIQUID_SOURCE) tap.velocity[0] = SPEED, tap.rate = RATE, tap.during[1] = HALF;
    snprintf(tap.name, sizeof tap.name, role == MN_LIQUID_SOURCE ? "source" : "sink");
    MN_TRY(mn_shape_create(c, &box, &tap.shape));
    const mn_status status = mn_world_add_liquid(w, &tap);
    mn_shape_release(&tap.shape);
    return status;
}

/// A jet without gravity into a sink 4 cm away.
static mn_status make_jet(mn_context *c, mn_world **out)
{
    mn_world_def def = mn_p1_world(3, 0.125);
    def.time.dt_max  = 2e-3;
    MN_TRY(mn_world_create(c, &def, out));
    MN_TRY(add_tap(c, *out, MN_LIQUID_SOURCE, mn_v3(0.25, 0.5, 0.5), mn_v3(0.0, 0.0, 0.0)));
    return add_tap(c, *out, MN_LIQUID_SINK, mn_v3(4.0, 4.0, 4.0), mn_v3(6.0, 0.0, 0.0));
}

mn_status mn_p1_taps(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    mn_world  *w      = NULL;
    mn_status  status = make_jet(c, &w);
    mn_p1_sums half   = { .volume = 1.0 };
    mn_ledger  then = { .time = 0.0 }, end = then;
    while (status == MN_OK && mn_world_time(w) < HALF) status = mn_world_step(w, HALF);
    if (status == MN_OK) half = mn_p1_sum(w), then = mn_world_ledger(w);
    while (status == MN_OK && mn_world_time(w) < HALF + WAIT) status = mn_world_step(w, HALF + WAIT);
    if (status == MN_OK) end = mn_world_ledger(w);
    mn_world_destroy(&w);
    MN_TRY(status);
    // What is let in comes in layers half a cell apart: of 48 of them one may be missing.
    mn_verify_value(r, "volume let in over rate times time", then.liquid_added / (RATE * HALF), 1.0,
                    then.liquid_added / (RATE * HALF) - 1.0, 1.0 / 48.0 / 3.0, 1.0 / 48.0);
    mn_verify_value(r, "volume of the jet over what was let in", half.volume / then.liquid_added, 1.0,
                    half.volume / then.liquid_added - 1.0, 1e-12, 1e-12);
    mn_verify_value(r, "speed of the jet over that of the source", half.momentum.x / half.volume / SPEED, 1.0,
                    half.momentum.x / half.volume / SPEED - 1.0, 0.01, 0.03);
    mn_verify_value(r, "taken out by the sink over what was let in", end.liquid_removed / end.liquid_added, 1.0,
                    end.liquid_removed / end.liquid_added - 1.0, 1e-12, 1e-12);
    return MN_OK;
}

// P1.3

/// A lump, and drops of one particle each so far apart that none knows of another. With steps h_1, h_2 ... and u += h
/// g, x += h u, all of them have fallen by g sum h_k (h_1 + ... + h_k), to the last digits.
mn_status mn_p1_fall(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    mn_world_def def       = mn_p1_world(3, 0.25);
    mn_world    *w         = NULL;
    double       fallen[2] = { 0.0, 0.0 }, speed[2] = { 0.0, 0.0 }, start[2] = { 0.0, 0.0 }, volume[2] = { 0.0, 0.0 };
    double       time = 0.0, expected = 0.0;
    def.domain.gravity[1] = -981.0;
    mn_status status      = mn_world_create(c, &def, &w);
    if (status == MN_OK) status = mn_p1_pour(c, w, mn_v3(2.0, 2.0, 2.0), mn_v3(0.0, 0.0, 0.0), mn_v3(0.0, 0.0, 0.0));
    for (int k = 0; k < 8 && status == MN_OK; k++)  // each a cell's eighth: one particle
        status = mn_p1_pour(c, w, mn_v3(0.125, 0.125, 0.125), mn_v3(5.0 + 2.0 * k + 0.0625, 0.0625, 0.0625),
                            mn_v3(0.0, 0.0, 0.0));
    for (int when = 0; when < 2 && status == MN_OK; when++) {
        while (when == 1 && status == MN_OK && mn_world_time(w) < 0.1) {
            status         = mn_world_step(w, 0.1);
            const double h = mn_world_time(w) - time;
            time += h;
            expected -= 981.0 * h * time;
        }
        const mn_liquid_view v = mn_world_liquid(w);
        volume[0] = volume[1] = speed[0] = speed[1] = fallen[0] = fallen[1] = 0.0;
        for (int64_t i = 0; i < v.count; i++) {
            const int drop = v.position.x[i] > 3.0;
            volume[drop] += v.volume[i];
            speed[drop] += v.volume[i] * v.velocity.y[i];
            fallen[drop] += v.volume[i] * v.position.y[i];
        }
        for (int k = 0; k < 2 && when == 0; k++) start[k] = fallen[k] / volume[k];
    }
    mn_world_destroy(&w);
    MN_TRY(status);
    for (int k = 0; k < 2; k++) {
        const char  *name = k == 0 ? "lump" : "single drops";
        char         what[96];
        const double way = (fallen[k] / volume[k] - start[k]) / expected, fast = speed[k] / volume[k] / (-981.0 * time);
        snprintf(what, sizeof what, "speed after free fall over g t, %s", name);
        mn_verify_value(r, what, fast, 1.0, fast - 1.0, 1e-10, 1e-10);
        snprintf(what, sizeof what, "way of free fall over that of the steps taken, %s", name);
        mn_verify_value(r, what, way, 1.0, way - 1.0, 1e-10, 1e-10);
    }
    return MN_OK;
}
