// SPDX-License-Identifier: MPL-2.0
// verify/stain/a6_weight.c - PA6.4, a case that the page of numbers does not have: what the weight of a film does, to
// the film and to its cloth, and where a film ends.
#include "verify/stain/a6_stain.h"

#include "verify/stain/stain_world.h"

#include <stdio.h>

#define LENGTH  4.0  // cm
#define DEPTH   0.1
#define GRAVITY 981.0

static double wave(double x) { return cos(MN_PI / LENGTH * (x + 0.5 * LENGTH)); }

static void crest(mn_vec3 x, mn_stain_drop *d, void *user)
{
    (void)user;
    d->density = DEPTH * (1.0 + 0.03 * wave(x.x));
}

static double slope(const mn_world *w)
{
    const mn_stain_view s   = mn_world_stain(w, 0);
    double              sum = 0.0;
    for (int64_t v = 0; v < s.vertex_count; v++) sum += s.free[v] * wave(s.position[v][0]);
    return sum;
}

/// A film that levels out swings in a tray as shallow water does: omega = k sqrt(g h).
static mn_status swing(mn_context *c, mn_verify_report *r)
{
    const mn_stain_square_def square = { .nx        = 41,
                                         .ny        = 3,
                                         .spacing   = LENGTH / 40.0,
                                         .diagonals = MN_DIAGONALS_ALTERNATING };
    mn_stain_def              def    = mn_stain_def_idle();
    mn_stain_mesh             mesh   = { 0 };
    mn_drops                  film   = { 0 };
    mn_world                 *w      = NULL;
    double                    at[2] = { 0.0, 0.0 }, before = 0.0;
    int                       found = 0;
    def.pressure                    = true;
    def.step                        = 2e-3;
    mn_status st                    = mn_stain_mesh_square(c, &square, &mesh);
    if (st == MN_OK) st = mn_drops_of_field(c, &mesh, crest, NULL, &film);
    mn_stain_def_pour(&def, &film);
    if (st == MN_OK) st = mn_stain_world_in(c, &mesh, &def, (double[3]){ 0.0, 0.0, -GRAVITY }, &w);
    for (int k = 1; k < 500 && found < 2 && st == MN_OK; k++) {
        st               = mn_run_to(w, k * def.step);
        const double now = slope(w);
        if (now * before < 0.0) at[found++] = def.step * (k - now / (now - before));
        before = now;
    }
    mn_world_destroy(&w);
    mn_drops_free(c, &film);
    mn_stain_mesh_free(c, &mesh);
    MN_TRY(st);
    const double period = 2.0 * (at[1] - at[0]), exact = 2.0 * LENGTH / sqrt(GRAVITY * DEPTH);
    mn_verify_value(r, "film with pressure in a tray: period, s", period, exact, period / exact - 1.0, 0.005, 0.015);
    return MN_OK;
}

/// The force on the pins of a cloth that is held everywhere.
static mn_status weigh(mn_context *c, bool two_way, double *force, double *mass)
{
    static const char text[] =
        "format: 1\ndomain: {cell: 0.5, bounds: [[-2, -2, -2], [2, 2, 2]]}\ntime: {end: 1, dt_max: 0.01}\n"
        "fabrics: {cloth: {material: cotton, sheet: {size: [2, 2], spacing: 0.3}, pins: {all: {}}}}\n"
        "stains: {spot: {on: cloth, two_way: %s, absorption: {rate: 0.5}, evaporation: {rate: 0}, drops: {a: {inside: "
        "{sphere: {radius: 0.8}}, density: 0.05}}}}\n"
        "probes: {load: {pin_force: {of: cloth, group: all, normal: [0, -1, 0]}}}\n";
    char      scene[1024];
    mn_world *w;
    snprintf(scene, sizeof scene, text, two_way ? "true" : "false");
    mn_status st = mn_world_of(c, scene, &w);
    if (st == MN_OK) st = mn_run_to(w, 0.1);
    if (st == MN_OK) {
        const mn_stain_view s = mn_world_stain(w, 0);
        *force                = mn_world_probe_value(w, 0);
        *mass                 = 0.0;
        for (int64_t v = 0; v < s.vertex_count; v++) *mass += s.free[v] + s.held[v];
    }
    mn_world_destroy(&w);
    return st;
}

/// A film of less than `pin` does not wet its neighbours, one of more does.
static mn_status hold(mn_context *c, mn_verify_report *r)
{
    const mn_stain_square_def square = { .nx = 21, .ny = 21, .spacing = 0.2, .diagonals = MN_DIAGONALS_ALTERNATING };
    double                    grown[2];
    for (int k = 0; k < 2; k++) {
        mn_stain_def  def    = mn_stain_def_idle();
        mn_stain_mesh mesh   = { 0 };
        mn_drops      drop   = { 0 };
        mn_world     *w      = NULL;
        double        wet[2] = { 0.0, 0.0 };
        def.spread = 0.2, def.pin = 0.03;
        mn_status st = mn_stain_mesh_square(c, &square, &mesh);
        if (st == MN_OK) st = mn_drops_make(c, 1, &drop);
        mn_stain_drop *d = st == MN_OK ? mn_drops_add(c, &drop, mn_v3(0.0, 0.0, 0.0), 0.9) : NULL;
        if (st == MN_OK && d == NULL) st = MN_ERR_MEMORY;
        if (d != NULL) d->density = k == 0 ? 0.029 : 0.06;
        mn_stain_def_pour(&def, &drop);
        if (st == MN_OK) st = mn_stain_world(c, &mesh, &def, &w);
        for (int i = 0; i < 2 && st == MN_OK; i++) {
            if (i == 1) st = mn_run_to(w, 0.5);
            const mn_stain_view s = mn_world_stain(w, 0);
            for (int64_t v = 0; v < s.vertex_count; v++)
                if (s.free[v] > 0.0) wet[i] += s.area[v];
        }
        grown[k] = wet[1] / wet[0] - 1.0;
        mn_world_destroy(&w);
        mn_drops_free(c, &drop);
        mn_stain_mesh_free(c, &mesh);
        MN_TRY(st);
    }
    mn_verify_value(r, "wet area of a film just below 'pin': growth", grown[0], 0.0, grown[0], 0.0, 0.0);
    mn_verify_at_least(r, "... and of one of twice as much", grown[1], 0.1, 0.1);
    return MN_OK;
}

mn_status mn_a6_weight(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    double with, without, mass, other;
    (void)tier;
    MN_TRY(swing(c, r));
    MN_TRY(weigh(c, true, &with, &mass));
    MN_TRY(weigh(c, false, &without, &other));
    mn_verify_value(r, "two-way stain on a cloth that pins hold: what they bear more, over its weight",
                    (with - without) / (mass * GRAVITY), 1.0, (with - without) / (mass * GRAVITY) - 1.0, 1e-9, 1e-9);
    return hold(c, r);
}
