// SPDX-License-Identifier: MPL-2.0
// verify/thin/span_loads.c - spans that hang, are pushed together or stand upright, in a world: S4.10, S3.7, S4.4.
#include "verify/thin/span_cases.h"

#include <stdio.h>

// --- S4.10: stretch ---

/// Rubber whose waves make 1000 cm/s, that hangs by its first row of vertices.
static mn_span rubber(bool yarn)
{
    mn_span s                 = mn_span_default(yarn);
    s.held                    = 1;
    s.turn                    = -0.5 * MN_PI;
    s.columns                 = 40;
    s.material.youngs_modulus = 1e6 * s.material.density *
                                pow(s.material.solid_fraction, 1.0 - s.material.stiffness_exponent);
    return s;
}

static double wave_shape(double s) { return sin(0.5 * MN_PI * s); }

/// Held at one end and pushed along, it swings in 4 L / c.
static mn_status wave_speed(mn_context *c, mn_span *s, int steps, double *out)
{
    const double expected = 2.0 * s->length / 1000.0;  // half of it
    double       first, last = 0.0, zero[2];
    int          zeros = 0;
    mn_world    *w     = NULL;
    s->dt              = expected / steps;
    s->velocity[1]     = -1.0;
    MN_TRY(mn_span_make(c, s, &w));
    mn_status status = MN_OK;
    first            = mn_span_project(w, s, wave_shape).y;
    for (int k = 1; zeros < 2 && k < 3 * steps && status == MN_OK; k++) {
        status           = mn_span_run(w, k * s->dt);
        const double now = mn_span_project(w, s, wave_shape).y - first;
        if (k > 1 && now * last < 0.0) zero[zeros++] = (k - 1 + last / (last - now)) * s->dt;
        last = now;
    }
    *out = zeros == 2 ? 2.0 * s->length / (zero[1] - zero[0]) : NAN;
    mn_world_destroy(&w);
    return status;
}

mn_status mn_span_hang(mn_context *c, mn_verify_tier tier, mn_verify_report *r, bool yarn)
{
    const char  *name  = yarn ? "yarn" : "cloth";
    mn_span      s     = rubber(yarn);
    const double omega = 0.5 * MN_PI * 1000.0 / s.length;
    mn_world    *w     = NULL;
    double       speed;
    char         what[96];
    // So little that St. Venant-Kirchhoff's law, which is 1.5 strains stiffer, does not show.
    s.gravity = 100.0;
    s.damping = 1.4 * omega;
    s.dt      = 0.1 / omega;
    MN_TRY(mn_span_make(c, &s, &w));
    const mn_status status = mn_span_run(w, 16.0 / omega);
    const double    longer = -mn_span_tip(w).y - s.length, pull = mn_span_pull(w, false).y;
    mn_world_destroy(&w);
    MN_TRY(status);
    const double weight = mn_span_mass(&s) * mn_span_width(&s) * s.length * s.gravity,
                 due    = 0.5 * mn_span_mass(&s) * s.gravity * s.length * s.length / mn_span_stretch(&s);
    snprintf(what, sizeof what, "world, %s that hangs: extension, cm", name);
    mn_verify_value(r, what, longer, due, longer / due - 1.0, 1e-3, 3e-3);
    snprintf(what, sizeof what, "world, %s that hangs: pull on its pins, dyn", name);
    mn_verify_value(r, what, -pull, weight, -pull / weight - 1.0, 1e-3, 3e-3);
    s = rubber(yarn);
    MN_TRY(wave_speed(c, &s, tier == MN_TIER_BUILD ? 200 : 800, &speed));
    snprintf(what, sizeof what, "world, %s: speed of stretch waves, cm/s", name);
    mn_verify_value(r, what, speed, 1000.0, speed / 1000.0 - 1.0, 1e-2, 3e-2);
    return MN_OK;
}

// --- S3.7 ---

/// Clamped at both ends and pushed together by a hundredth of its length, with a breath to the side: what it bears when
/// it has bent out is the load under which it buckles, times 1 + half of the shortening that is not compression.
mn_status mn_span_push(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    mn_span s             = mn_span_default(false);
    s.columns             = tier == MN_TIER_BUILD ? 40 : 80;
    s.far_held            = 2;
    const double  omega   = mn_span_frequency(&s, 4.7300407449);
    mn_motion_key keys[2] = { { .time = 0.0, .axis = { 1.0, 0.0, 0.0 } },
                              { .time = 5.0 / omega, .axis = { 1.0, 0.0, 0.0 } } };
    keys[1].translate[0]  = -0.01 * s.length;
    s.far_motion.keys = keys, s.far_motion.key_count = 2;
    s.damping     = 1.4 * omega;
    s.dt          = 0.1 / omega;
    s.velocity[1] = 1e-2 * s.length * omega;
    mn_world *w   = NULL;
    MN_TRY(mn_span_make(c, &s, &w));
    const mn_status status = mn_span_run(w, 30.0 / omega);
    const double    push   = mn_span_pull(w, true).x;
    mn_world_destroy(&w);
    MN_TRY(status);
    const double critical = 4.0 * MN_PI * MN_PI * mn_span_bend(&s) / (s.length * s.length),
                 due      = critical * mn_span_width(&s) * (1.0 + 0.5 * (0.01 - critical / mn_span_stretch(&s)));
    mn_verify_value(r, "world: push of a strip that has buckled, dyn", push, due, push / due - 1.0, 0.02, 0.06);
    return MN_OK;
}

// --- S4.4 ---

static double lean_shape(double s) { return 1.0 - cos(0.5 * MN_PI * s); }

/// Rate at which a column that leans a little leans more, 1/s: the last of three times over the one before.
static mn_status rate_of_leaning(mn_context *c, mn_span *s, double gamma, double *out)
{
    const double omega = mn_span_frequency(s, 1.8751040687);
    mn_world    *w     = NULL;
    double       lean[2];
    s->gravity = gamma * mn_span_bend(s) / (mn_span_mass(s) * pow(s->length, 3.0));
    s->damping = omega;
    s->dt      = 0.1 / omega;
    MN_TRY(mn_span_make(c, s, &w));
    mn_status status = MN_OK;
    for (int k = 0; k < 2 && status == MN_OK; k++) {
        status  = mn_span_run(w, (8.0 + 8.0 * k) / omega);
        lean[k] = fabs(mn_span_tip(w).x);
    }
    *out = log(lean[1] / lean[0]) * omega / 8.0;
    mn_world_destroy(&w);
    return status;
}

/// Under 4 % less than the critical weight a column that leans comes upright, under 4 % more it falls: between the two
/// rates, which are nearly linear in the weight, lies the weight that keeps it where it is.
mn_status mn_span_stand(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    static const double gamma[2] = { 0.96 * 7.8373, 1.04 * 7.8373 };
    double              rate[2];
    for (int k = 0; k < 2; k++) {
        mn_span s = mn_span_default(true);
        s.columns = tier == MN_TIER_BUILD ? 40 : 80;
        s.turn    = 0.5 * MN_PI;
        s.bow     = 1e-3 * s.length;
        s.shape   = lean_shape;
        MN_TRY(rate_of_leaning(c, &s, gamma[k], &rate[k]));
    }
    mn_verify_at_most(r, "world: an upright yarn of 0.96 the critical weight leans more, 1/s", rate[0], 0.0, 0.0);
    mn_verify_at_least(r, "world: one of 1.04 the critical weight leans more, 1/s", rate[1], 0.0, 0.0);
    const double found = gamma[0] - rate[0] / (rate[1] - rate[0]) * (gamma[1] - gamma[0]);
    mn_verify_value(r, "world: rho A g L^3 / EI at which an upright yarn falls", found, 7.8373, found / 7.8373 - 1.0,
                    1e-2, 3e-2);
    return MN_OK;
}
