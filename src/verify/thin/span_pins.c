// SPDX-License-Identifier: MPL-2.0
// verify/thin/span_pins.c - P5.10 and P5.11: hard pins clamp what they hold, hold it where it is, and bear what they
// should.
#include "verify/thin/span_cases.h"

#include <stdio.h>

/// Positions of the vertices that the near end holds: those up to half an edge beyond the clamp.
enum { HELD_MOST = 64 };
typedef struct held {
    int     count;
    int64_t vertex[HELD_MOST];
    mn_vec3 home[HELD_MOST];
} held;

static mn_vec3 place(const mn_fabric_view *f, int64_t v)
{
    return mn_v3(f->position.x[v], f->position.y[v], f->position.z[v]);
}

static void list_held(const mn_world *w, const mn_span *s, held *h)
{
    const mn_fabric_view f     = mn_world_fabric(w, 0);
    const double         tip   = mn_span_tip(w).x;
    double               right = -INFINITY;
    h->count                   = 0;
    for (int64_t v = 0; v < f.position.count; v++) right = fmax(right, f.position.x[v]);
    for (int64_t v = 0; v < f.position.count && h->count < HELD_MOST; v++) {
        if (f.position.x[v] - (right - tip) > 0.75 * mn_span_spacing(s)) continue;
        h->vertex[h->count] = v, h->home[h->count++] = place(&f, v);
    }
}

/// Largest change of a coordinate of theirs, cm.
static double drift_of(const mn_world *w, const held *h)
{
    const mn_fabric_view f    = mn_world_fabric(w, 0);
    double               most = 0.0;
    for (int k = 0; k < h->count; k++) {
        const mn_vec3 d = mn_sub3(place(&f, h->vertex[k]), h->home[k]);
        most            = fmax(most, fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z))));
    }
    return most;
}

/// Two, three and five rows of vertices held, edges of three lengths: the heavy elastica (w g L^3 / D = 1) within 1 %.
mn_status mn_span_clamps(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    static const int rows[3] = { 2, 3, 5 }, columns[3] = { 20, 30, 40 };
    double           drift = 0.0;
    for (int k = 0; k < 18; k++) {
        if (tier == MN_TIER_BUILD && k % 3 != k / 3 % 3) continue;  // each number of rows and each length of edges once
        mn_span   s = mn_span_default(k >= 9);
        mn_world *w = NULL;
        held      h;
        char      what[96];
        s.held    = rows[k % 3];
        s.columns = columns[k / 3 % 3];
        mn_span_weigh(&s, 1.0);
        MN_TRY(mn_span_make(c, &s, &w));
        list_held(w, &s, &h);
        const double    high   = mn_span_tip(w).y;
        const mn_status status = mn_span_run(w, mn_span_rest_time(&s, 1.0));
        const double    drop   = (high - mn_span_tip(w).y) / s.length;
        drift                  = fmax(drift, drift_of(w, &h));
        const bool all         = h.count == s.held * (s.yarn ? 1 : 4);
        mn_world_destroy(&w);
        MN_TRY(status);
        if (!all) return mn_fail(c, MN_ERR_ARGUMENT, "%d vertices are held, not %d rows", h.count, s.held);
        snprintf(what, sizeof what, "%s held by %d rows, %d edges a cm: drop / L", s.yarn ? "yarn" : "cloth", s.held,
                 (int)lround(1.0 / mn_span_spacing(&s)));
        mn_verify_value(r, what, drop, 0.123471, drop / 0.123471 - 1.0, 0.01 / 3.0, 0.01);
    }
    mn_verify_at_most(r, "drift of held vertices, largest of all, cm", drift, 0.0, 0.0);
    return MN_OK;
}

// --- P5.11 ---

static mn_vec3 momentum_of(const mn_world *w, const mn_span *s, double *mass)
{
    const mn_fabric_view f   = mn_world_fabric(w, 0);
    mn_vec3              sum = mn_v3(0.0, 0.0, 0.0);
    *mass                    = 0.0;
    for (int64_t v = 0; v < f.velocity.count; v++) {
        const double m = s->material.density * f.fiber[v];
        sum            = mn_add3(sum, mn_scale3(m, mn_v3(f.velocity.x[v], f.velocity.y[v], f.velocity.z[v])));
        *mass += m;
    }
    return sum;
}

/// Largest part of a step's impulses that is not accounted for.
static mn_status imbalance(mn_context *c, const mn_span *s, double *out)
{
    mn_world *w = NULL;
    double    mass;
    MN_TRY(mn_span_make(c, s, &w));
    mn_status status = MN_OK;
    mn_vec3   before = momentum_of(w, s, &mass);
    *out             = 0.0;
    for (int n = 0; n < 60 && status == MN_OK; n++) {
        const double begin = mn_world_time(w);
        status             = mn_world_step(w, 0.0017 * (n + 1));  // steps of more than one length
        const double  dt   = mn_world_time(w) - begin;
        const mn_vec3 now = momentum_of(w, s, &mass), pull = mn_span_pull(w, false),
                      weight = mn_v3(0.0, -mass * s->gravity, 0.0), due = mn_scale3(dt, mn_sub3(weight, pull)),
                      left = mn_sub3(mn_sub3(now, before), due);
        *out               = fmax(*out, mn_norm3(left) / (dt * (mn_norm3(weight) + mn_norm3(pull))));
        before             = now;
    }
    mn_world_destroy(&w);
    return status;
}

/// However loose the solve (here that of a user who sets nothing), pins bear the weight and the change of momentum.
mn_status mn_span_bearing(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    for (int k = 0; k < 4; k++) {
        mn_span s = mn_span_default(k % 2 == 1);
        double  left;
        char    what[96];
        s.held    = 3;
        s.columns = 20;
        mn_span_weigh(&s, 50.0);
        s.damping   = 0.0;
        s.dt        = 2e-3;
        s.tolerance = 1e-3;
        if (k >= 2) {
            for (int a = 0; a < 3; a++) s.near_motion.amplitude[a] = 0.2 + 0.1 * a;
            s.near_motion.frequency = 3.0;
            s.near_motion.spin[0] = 2.0, s.near_motion.spin[2] = 5.0;
        }
        MN_TRY(imbalance(c, &s, &left));
        snprintf(what, sizeof what, "%s, pins %s: impulse of a step unaccounted for, worst of 60",
                 s.yarn ? "yarn" : "cloth", k < 2 ? "at rest" : "that move");
        mn_verify_at_most(r, what, left, 1e-10, 1e-10);
    }
    return MN_OK;
}
