// SPDX-License-Identifier: MPL-2.0
// verify/liquid/p1_drawn.c - P1.10: a ball with a slip wall is drawn out of water. Without tension at the wall and of
// the surface nothing holds on to it: once its lowest point is half a radius above the level, no liquid is at it and
// none pulls.
#include "verify/liquid/p1.h"

#include <stdio.h>

#define RADIUS 1.0
#define SPEED  30.0  ///< cm/s: Froude number v^2 / g r = 0.9
#define WIDTH  6.0
#define DEPTH  3.0
#define TOP    1.2  ///< radii from the level down to the centre of the ball at the start

static mn_status make_ball(mn_context *c, double cell, mn_world **out)
{
    mn_world_def    def     = mn_world_def_default();
    mn_obstacle_def ball    = mn_obstacle_def_default();
    mn_liquid_def   water   = mn_liquid_def_default();
    mn_probe_def    force   = mn_probe_def_default();
    mn_shape_def    sphere  = mn_shape_def_default(MN_SHAPE_SPHERE);
    def.domain.cell         = cell;
    def.domain.bounded      = true;
    def.domain.bounds[1][0] = def.domain.bounds[1][2] = WIDTH, def.domain.bounds[1][1] = 2.5 * DEPTH;
    MN_TRY(mn_world_create(c, &def, out));
    snprintf(ball.name, sizeof ball.name, "ball");
    sphere.radius[0] = RADIUS;
    ball.at[0] = ball.at[2] = 0.5 * WIDTH, ball.at[1] = DEPTH - TOP * RADIUS;
    ball.motion.velocity[1] = SPEED;
    MN_TRY(mn_shape_create(c, &sphere, &ball.shape));
    const mn_status status = mn_world_add_obstacle(*out, &ball);
    mn_shape_release(&ball.shape);
    MN_TRY(status);
    water.below    = DEPTH;
    water.sampling = MN_SAMPLING_LATTICE;
    MN_TRY(mn_world_add_liquid(*out, &water));
    snprintf(force.name, sizeof force.name, "force");
    snprintf(force.of, sizeof force.of, "ball");
    force.kind      = MN_PROBE_FORCE;
    force.normal[0] = force.normal[2] = 0.0, force.normal[1] = 1.0;
    return mn_world_add_probe(*out, &force);
}

/// What is within a cell of the ball.
static double clinging(const mn_world *w, double cell)
{
    const mn_liquid_view q      = mn_world_liquid(w);
    const double         centre = DEPTH - TOP * RADIUS + SPEED * mn_world_time(w);
    double               sum    = 0.0;
    for (int64_t i = 0; i < q.count; i++) {
        const mn_vec3 x = mn_v3(q.position.x[i] - 0.5 * WIDTH, q.position.y[i] - centre, q.position.z[i] - 0.5 * WIDTH);
        sum += mn_norm3(x) < RADIUS + cell ? q.volume[i] : 0.0;
    }
    return sum;
}

mn_status mn_p1_drawn(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    char         what[96];
    const double volume = 4.0 / 3.0 * MN_PI * RADIUS * RADIUS * RADIUS;
    for (int cells = 4; cells <= (tier == MN_TIER_BUILD ? 4 : 8); cells *= 2) {
        const double cell = RADIUS / cells, out = (TOP + 1.5) * RADIUS / SPEED, end = (TOP + 2.0) * RADIUS / SPEED;
        double       impulse = 0.0;  // the probe tells the mean since the start
        mn_world    *w       = NULL;
        mn_status    status  = make_ball(c, cell, &w);
        while (status == MN_OK && mn_world_time(w) < out) status = mn_world_step(w, out);
        const double left = status == MN_OK ? clinging(w, cell) / volume : (double)NAN;
        if (status == MN_OK) impulse = mn_world_probe_value(w, 0) * out;
        while (status == MN_OK && mn_world_time(w) < end) status = mn_world_step(w, end);
        if (status == MN_OK) impulse = mn_world_probe_value(w, 0) * end - impulse;
        mn_world_destroy(&w);
        MN_TRY(status);
        snprintf(what, sizeof what, "water within a cell of the ball over its volume, half a radius up, %d cells",
                 cells);
        mn_verify_at_most(r, what, left, 0.03, 0.06);
        snprintf(what, sizeof what, "pull on the ball from there on over the weight it displaces, %d cells", cells);
        const double pull = -impulse / (end - out) / (981.0 * volume);
        mn_verify_value(r, what, pull, 0.0, pull, 0.01, 0.03);
    }
    return MN_OK;
}
