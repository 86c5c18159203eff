// SPDX-License-Identifier: MPL-2.0
// verify/stain/pa6_drag.c - PA6.6, a case that the page of numbers does not have: what drag does to a film and to the
// cloth under it, and how fast pigment mixes within a film.
#include "verify/stain/a6_stain.h"

#include "verify/stain/stain_world.h"

#include <stdio.h>

#define SPACING 0.1   // cm
#define DRAG    20.0  // 1/s

static mn_status strip(mn_context *c, int nx, mn_stain_mesh *out)
{
    const mn_stain_square_def def = { .nx = nx, .ny = 3, .spacing = SPACING, .diagonals = MN_DIAGONALS_ALTERNATING };
    return mn_stain_mesh_square(c, &def, out);
}

// --- drag on the film ------------------------------------------------------------------------------------------------

static double middle(const mn_world *w)
{
    const mn_stain_view s   = mn_world_stain(w, 0);
    double              sum = 0.0, at = 0.0;
    for (int64_t v = 0; v < s.vertex_count; v++) sum += s.free[v], at += s.free[v] * s.position[v][0];
    return at / sum;
}

/// A blob that hangs on a strip and is let go: u' = g - drag u.
static mn_status creep(mn_context *c, mn_verify_report *r)
{
    const double gravity = 100.0, end = 0.5, last = gravity / DRAG,
                 exact = last * (end - (1.0 - exp(-DRAG * end)) / DRAG);
    mn_stain_def  def  = mn_stain_def_idle();
    mn_stain_mesh mesh = { 0 };
    mn_drops      blob = { 0 };
    mn_world     *w    = NULL;
    double        from = 0.0;
    def.drag           = DRAG;
    mn_status st       = strip(c, 71, &mesh);
    if (st == MN_OK) st = mn_drops_blob(c, mn_v3(-2.0, 0.0, 0.0), 0.02, &blob);
    mn_stain_def_pour(&def, &blob);
    if (st == MN_OK) st = mn_stain_world_in(c, &mesh, &def, (double[3]){ gravity, 0.0, 0.0 }, &w);
    if (st == MN_OK) from = middle(w);
    if (st == MN_OK) st = mn_run_to(w, end);
    if (st == MN_OK) {
        const double way = middle(w) - from;
        mn_verify_value(r, "blob let go on a hanging strip that brakes it: way after 0.5 s, cm", way, exact,
                        way / exact - 1.0, 0.005, 0.015);
    }
    mn_world_destroy(&w);
    mn_drops_free(c, &blob);
    mn_stain_mesh_free(c, &mesh);
    return st;
}

// --- drag on the cloth -----------------------------------------------------------------------------------------------

/// A film slides on a cloth that pins hold everywhere, far from its border: in the end, when 2e-9 of its speed is left,
/// they have borne its momentum. What is thinner than 1e-4 g/cm^2 may stand still by itself (stain 5.4), of a film of
/// 1 g/cm^2 less than a share of 1e-4.
static mn_status brake(mn_context *c, mn_verify_report *r)
{
    static const char text
        [] = "format: 1\ndomain: {cell: 0.5, gravity: [0, 0, 0], bounds: [[-4, -2, -4], [4, 2, 4]]}\n"
             "time: {end: 2, dt_max: 0.01}\n"
             "fabrics: {cloth: {material: cotton, sheet: {size: [6, 6], spacing: 0.3}, pins: {all: {}}}}\n"
             "stains: {spot: {on: cloth, two_way: true, step: 0.01, drag: 20, friction: 0, spread: 0, inertia: false, "
             "absorption: {rate: 0}, evaporation: {rate: 0}, drops: {a: {inside: {sphere: {radius: 0.8}}, density: 1, "
             "velocity: [5, 0, 0]}}}}\n"
             "probes: {push: {pin_force: {of: cloth, group: all, normal: [1, 0, 0]}}}\n";
    mn_world *w;
    double    mass = 0.0, borne = 0.0;
    mn_status st = mn_world_of(c, text, &w);
    if (st == MN_OK) {
        const mn_stain_view s = mn_world_stain(w, 0);
        for (int64_t v = 0; v < s.vertex_count; v++) mass += s.free[v];
    }
    while (st == MN_OK && mn_world_time(w) < 1.0) {
        const double before = mn_world_time(w);
        st                  = mn_world_step(w, 1.0);
        if (st == MN_OK) borne += mn_world_probe_value(w, 0) * (mn_world_time(w) - before);
    }
    if (st == MN_OK)
        mn_verify_value(r, "film that slides until its cloth has stopped it: what pins bore, over its momentum",
                        borne / (5.0 * mass), 1.0, borne / (5.0 * mass) - 1.0, 1e-4, 1e-4);
    mn_world_destroy(&w);
    return st;
}

// --- mixing ----------------------------------------------------------------------------------------------------------

#define LENGTH 4.0

static double wave(double x) { return cos(MN_PI / LENGTH * (x + 0.5 * LENGTH)); }

static void striped(mn_vec3 x, mn_stain_drop *d, void *user)
{
    (void)user;
    d->density  = 0.1;
    d->share[0] = 0.02 * (1.0 + 0.5 * wave(x.x));
}

static double unevenness(const mn_world *w)
{
    const mn_stain_view s   = mn_world_stain(w, 0);
    double              sum = 0.0;
    for (int64_t v = 0; v < s.vertex_count; v++) sum += s.dissolved[0][v] * wave(s.position[v][0]);
    return sum;
}

/// Pigment in a still, even film that is stronger at one end of a strip: the wave decays at mixing k^2. Each implicit
/// step divides it by 1 + h times that.
static mn_status mix(mn_context *c, mn_verify_report *r)
{
    const double  mixing = 0.5, exact = mixing * MN_PI * MN_PI / (LENGTH * LENGTH);
    const int     steps   = 20;
    mn_pigment    pigment = mn_pigment_default();
    mn_stain_def  def     = mn_stain_def_idle();
    mn_stain_mesh mesh    = { 0 };
    mn_drops      film    = { 0 };
    mn_world     *w       = NULL;
    double        first   = 0.0;
    snprintf(pigment.name, sizeof pigment.name, "dye");
    pigment.adsorption = MN_ADSORPTION_NONE;
    pigment.mixing     = mixing;
    def.pigments = &pigment, def.pigment_count = 1;
    def.step     = 1.0 / steps;
    mn_status st = strip(c, 41, &mesh);
    if (st == MN_OK) st = mn_drops_of_field(c, &mesh, striped, NULL, &film);
    mn_stain_def_pour(&def, &film);
    if (st == MN_OK) st = mn_stain_world(c, &mesh, &def, &w);
    if (st == MN_OK) first = unevenness(w);
    if (st == MN_OK) st = mn_run_to(w, 1.0);
    if (st == MN_OK) {
        const double rate = (pow(unevenness(w) / first, -1.0 / steps) - 1.0) * steps;
        mn_verify_value(r, "pigment that mixes in a still film: rate at which a wave decays, 1/s", rate, exact,
                        rate / exact - 1.0, 0.005, 0.015);
    }
    mn_world_destroy(&w);
    mn_drops_free(c, &film);
    mn_stain_mesh_free(c, &mesh);
    return st;
}

mn_status mn_pa6_drag(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    MN_TRY(creep(c, r));
    MN_TRY(brake(c, r));
    return mix(c, r);
}
