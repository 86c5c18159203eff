// SPDX-License-Identifier: MPL-2.0
// verify/liquid/p1_parts.c - P1.4 splitting and joining within a step, P1.5 force on a ball, P1.6 solids hold no
// liquid.
#include "verify/liquid/p1.h"

#include <stdio.h>
#include <string.h>

// P1.4

/// What the particles are before and after the stage that splits and joins them, seen while the world makes its step.
typedef struct looks {
    mn_p1_sums before, after;
    int64_t    counts[2], joined, split;  // of particles; how many fewer and more they became, all steps together
    double     volume, place, momentum, angular, pigment;  // largest changes, as shares
} looks;

static double share(mn_vec3 a, mn_vec3 b, double scale) { return mn_norm3(mn_sub3(a, b)) / scale; }

static void watch(mn_world *w, mn_stage stage, mn_step_verdict *verdict, void *context)
{
    looks *l = context;
    (void)verdict;
    if (stage == MN_STAGE_upkeep) l->before = mn_p1_sum(w), l->counts[0] = w->liquid.particles[w->liquid.current].count;
    if (stage != MN_STAGE_resample) return;
    l->after            = mn_p1_sum(w);
    l->counts[1]        = w->liquid.particles[w->liquid.current].count;
    const double extent = l->after.volume * 2.0, fast = l->after.scale / 2.0;
    l->joined += l->counts[1] < l->counts[0] ? l->counts[0] - l->counts[1] : 0;
    l->split += l->counts[1] > l->counts[0] ? l->counts[1] - l->counts[0] : 0;
    l->volume   = fmax(l->volume, fabs(l->after.volume / l->before.volume - 1.0));
    l->place    = fmax(l->place, share(l->after.place, l->before.place, extent));
    l->momentum = fmax(l->momentum, share(l->after.momentum, l->before.momentum, fast));
    l->angular  = fmax(l->angular, share(l->after.angular, l->before.angular, l->after.scale));
    l->pigment  = fmax(l->pigment, fabs(l->after.pigment / l->before.pigment - 1.0));
}

/// A box that turns and moves; in one half every particle has three times its volume, or a third.
static mn_status make_uneven(mn_context *c, double factor, mn_world **out)
{
    mn_world_def  def   = mn_p1_world(3, 0.25);
    mn_shape_def  box   = mn_shape_def_default(MN_SHAPE_BOX);
    mn_liquid_def water = mn_liquid_def_default();
    MN_TRY(mn_world_create(c, &def, out));
    for (int a = 0; a < 3; a++) box.size[a] = 2.0, water.at[a] = 0.3, water.velocity[a] = 2.0 + a, water.spin[a] = 4.0;
    water.material.viscosity                = 0.0;
    water.sampling                          = MN_SAMPLING_JITTER;
    water.material.solutes.count            = 1;
    water.material.solutes.pigment[0]       = mn_pigment_default();
    water.material.solutes.concentration[0] = 0.01;
    MN_TRY(mn_shape_create(c, &box, &water.shape));
    const mn_status status = mn_world_add_liquid(*out, &water);
    mn_shape_release(&water.shape);
    MN_TRY(status);
    mn_liquid_particles *p = mn_liquid_now(&(*out)->liquid);
    for (int64_t i = 0; i < p->count; i++) {
        const double f = p->position[0][i] > 0.3 ? factor : 1.0;
        p->volume[0][i] *= f;
        p->pigment[0][i] *= f * (1.0 + 0.5 * sin(9.0 * (double)i));
    }
    return MN_OK;
}

mn_status mn_p1_resample(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    for (int joins = 0; joins < 2; joins++) {
        mn_world   *w = NULL;
        looks       l = { .volume = 0.0 };
        char        what[96];
        const char *name   = joins ? "joining" : "splitting";
        mn_status   status = make_uneven(c, joins ? 1.0 / 3.0 : 3.0, &w);
        if (status == MN_OK) w->watch = watch, w->watch_context = &l;
        for (int k = 0; k < 4 && status == MN_OK; k++) status = mn_world_step(w, mn_world_time(w) + 5e-3);
        mn_world_destroy(&w);
        MN_TRY(status);
        mn_verify_at_least(r, joins ? "particles that joined others" : "particles that were split",
                           (double)(joins ? l.joined : l.split), 500.0, 500.0);
        snprintf(what, sizeof what, "volume that %s makes or loses, as a share", name);
        mn_verify_at_most(r, what, l.volume, 1e-12, 1e-12);
        snprintf(what, sizeof what, "way of the centre of mass by %s, in lengths of the box", name);
        mn_verify_at_most(r, what, l.place, 1e-12, 1e-12);
        snprintf(what, sizeof what, "momentum that %s makes or loses, as a share", name);
        mn_verify_at_most(r, what, l.momentum, 1e-12, 1e-12);
        snprintf(what, sizeof what, "angular momentum that %s makes or loses, as a share", name);
        mn_verify_at_most(r, what, l.angular, 1e-12, 1e-12);
        snprintf(what, sizeof what, "pigment that %s makes or loses, as a share", name);
        mn_verify_at_most(r, what, l.pigment, 1e-12, 1e-12);
    }
    return MN_OK;
}

// P1.5

#define RADIUS 1.0

static mn_status add_ball(mn_context *c, mn_world *w, double radius, const double at[3])
{
    mn_shape_def    ball = mn_shape_def_default(MN_SHAPE_SPHERE);
    mn_obstacle_def body = mn_obstacle_def_default();
    snprintf(body.name, sizeof body.name, "ball");
    ball.radius[0] = radius;
    memcpy(body.at, at, sizeof body.at);
    MN_TRY(mn_shape_create(c, &ball, &body.shape));
    const mn_status status = mn_world_add_obstacle(w, &body);
    mn_shape_release(&body.shape);
    return status;
}

static mn_status make_basin(mn_context *c, double cell, mn_world **out)
{
    mn_world_def def   = mn_p1_world(3, cell);
    def.domain.bounded = true;
    for (int a = 0; a < 3; a++) def.domain.bounds[1][a] = 4.0;
    def.domain.gravity[1] = -981.0;
    MN_TRY(mn_world_create(c, &def, out));
    MN_TRY(add_ball(c, *out, RADIUS, (double[3]){ 2.03, 1.71, 1.94 }));
    MN_TRY(mn_p1_pour(c, *out, mn_v3(4.0, 3.5, 4.0), mn_v3(2.0, 1.75, 2.0), mn_v3(0.0, 0.0, 0.0)));
    for (int a = 0; a < 2; a++) {
        mn_probe_def probe = mn_probe_def_default();
        probe.kind         = MN_PROBE_FORCE;
        snprintf(probe.name, sizeof probe.name, a == 0 ? "sideways" : "lift");
        snprintf(probe.of, sizeof probe.of, "ball");
        for (int k = 0; k < 3; k++) probe.normal[k] = k == a;
        MN_TRY(mn_world_add_probe(*out, &probe));
    }
    return MN_OK;
}

/// Archimedes: rho g times the volume of the ball, and nothing sideways.
mn_status mn_p1_lift(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const double weight = 981.0 * 4.0 / 3.0 * MN_PI * RADIUS * RADIUS * RADIUS;
    char         what[96];
    for (int cells = 8; cells <= (tier == MN_TIER_BUILD ? 8 : 16); cells *= 2) {
        mn_world *w        = NULL;
        double    force[2] = { 0.0, 0.0 };
        mn_status status   = make_basin(c, 2.0 * RADIUS / cells, &w);
        while (status == MN_OK && mn_world_time(w) < 0.05) status = mn_world_step(w, 0.05);
        if (status == MN_OK) mn_world_end_frame(w);
        while (status == MN_OK && mn_world_time(w) < 0.1) status = mn_world_step(w, 0.1);
        for (int a = 0; a < 2 && status == MN_OK; a++) force[a] = mn_world_probe_value(w, a) / weight;
        mn_world_destroy(&w);
        MN_TRY(status);
        snprintf(what, sizeof what, "lift over the weight of the water displaced, %d cells across", cells);
        mn_verify_value(r, what, force[1], 1.0, force[1] - 1.0, 0.01, 0.03);
        snprintf(what, sizeof what, "force sideways over that weight, %d cells across", cells);
        mn_verify_value(r, what, force[0], 0.0, force[0], 0.01, 0.03);
    }
    return MN_OK;
}

// P1.6

#define BALL 0.5

/// How deep the deepest particle is in ball or walls, cm.
static double deepest(const mn_world *w)
{
    const mn_liquid_view v     = mn_world_liquid(w);
    double               depth = 0.0;
    for (int64_t i = 0; i < v.count; i++) {
        const double x = v.position.x[i], y = v.position.y[i];
        depth = fmax(depth, fmax(fmax(-x, x - 4.0), fmax(-y, BALL - hypot(x - 2.0, y - 1.0))));
    }
    return depth;
}

mn_status mn_p1_splash(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    mn_world_def def      = mn_p1_world(2, 0.125);
    mn_world    *w        = NULL;
    double       depth    = 0.0;
    def.domain.bounded    = true;
    def.domain.gravity[1] = -981.0;
    for (int a = 0; a < 3; a++) def.domain.bounds[1][a] = 4.0;
    mn_status status = mn_world_create(c, &def, &w);
    if (status == MN_OK) status = add_ball(c, w, BALL, (double[3]){ 2.0, 1.0, 0.0 });
    if (status == MN_OK)
        status = mn_p1_pour(c, w, mn_v3(1.0, 1.5, 4.0), mn_v3(2.1, 2.5, 0.0), mn_v3(30.0, -150.0, 0.0));
    while (status == MN_OK && mn_world_time(w) < 0.1) {
        status = mn_world_step(w, 0.1);
        depth  = fmax(depth, deepest(w));
    }
    mn_world_destroy(&w);
    MN_TRY(status);
    mn_verify_at_most(r, "deepest particle in ball or walls in a splash, cells", depth / 0.125, 0.1, 0.1);
    return MN_OK;
}
