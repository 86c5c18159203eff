// SPDX-License-Identifier: MPL-2.0
// verify/thin/span_twist.c - a yarn in a world whose pins turn one of its ends: what it stores, and when it leaves its
// line.
#include "verify/thin/span_cases.h"

/// Greenhill 1883: a shaft clamped at both ends buckles under the torque 8.9868 EI / L (tan x = x at half of it).
#define GREENHILL 8.98681891581813

static double bow_shape(double s) { return 0.5 * (1.0 - cos(2.0 * MN_PI * s)); }

/// Pins turn every segment that they touch, also the first one that is free: the twist is in what lies between.
static double twisted_length(const mn_span *s) { return s->length - 2.0 * mn_span_spacing(s); }

/// Twisted by `turn` and left alone: its energy, and the rate at which its bow grows.
static mn_status twist_by(mn_context *c, mn_span *s, double turn, double *energy, double *rate)
{
    const double  omega   = mn_span_frequency(s, 4.7300407449);
    mn_motion_key keys[2] = { { .time = 0.0, .axis = { 1.0, 0.0, 0.0 } },
                              { .time = 2.0 / omega, .axis = { 1.0, 0.0, 0.0 }, .angle = turn } };
    mn_world     *w       = NULL;
    double        bow[2];
    s->far_motion.keys = keys, s->far_motion.key_count = 2;
    s->damping = omega;
    s->dt      = 0.1 / omega;
    MN_TRY(mn_span_make(c, s, &w));
    mn_status status = MN_OK;
    for (int k = 0; k < 2 && status == MN_OK; k++) {
        status             = mn_span_run(w, (6.0 + 4.0 * k) / omega);
        const mn_vec3 away = mn_span_project(w, s, bow_shape);
        bow[k]             = hypot(away.y, away.z);
    }
    *energy = mn_world_ledger(w).energy_elastic;
    *rate   = log(bow[1] / bow[0]) * omega / 4.0;
    mn_world_destroy(&w);
    return status;
}

/// Poisson's ratio is 0, so GJ = EI, and the critical turn is 8.9868 times what of the length is twisted.
mn_status mn_span_twist(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    double turn[2], rate[2], energy = 0.0, critical = 0.0;
    for (int k = 0; k < 2; k++) {
        mn_span s  = mn_span_default(true);
        s.columns  = tier == MN_TIER_BUILD ? 60 : 80;
        s.far_held = 2;
        s.bow      = 3e-4 * s.length;
        s.shape    = bow_shape;
        critical   = GREENHILL * twisted_length(&s) / s.length;
        turn[k]    = (k == 0 ? 0.98 : 1.02) * critical;
        double now;
        MN_TRY(twist_by(c, &s, turn[k], &now, &rate[k]));
        if (k == 0) energy = now / (0.5 * mn_span_bend(&s) * turn[k] * turn[k] / twisted_length(&s));
    }
    mn_verify_value(r, "yarn twisted by 0.98 of the critical turn: energy over GJ turn^2 / 2 L", energy, 1.0,
                    energy - 1.0, 1e-3, 3e-3);
    mn_verify_at_most(r, "its bow grows, 1/s", rate[0], 0.0, 0.0);
    mn_verify_at_least(r, "twisted by 1.02 of the critical turn it grows, 1/s", rate[1], 0.0, 0.0);
    const double found = turn[0] - rate[0] / (rate[1] - rate[0]) * (turn[1] - turn[0]);
    mn_verify_value(r, "turn at which a clamped yarn leaves its line, rad", found, critical, found / critical - 1.0,
                    1e-2, 3e-2);
    return MN_OK;
}
