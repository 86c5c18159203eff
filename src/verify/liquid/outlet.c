// SPDX-License-Identifier: MPL-2.0
// verify/liquid/outlet.c - a 2D tank that drains through its side wall at x = 0, and how much does against a theory.
#include "verify/liquid/outlet.h"

#include <stdio.h>

/// Room beyond the lip, and from where on what has left is taken away.
#define BEYOND 6.0
#define TAKEN  3.0

/// The solid to the left of the line: as many half spaces as it has pieces.
static mn_status make_lip(mn_context *c, const mn_outlet *o, bool mirrored, mn_shape **out)
{
    mn_shape    *part[MN_OUTLET_LIP] = { NULL };
    mn_shape_def all                 = mn_shape_def_default(MN_SHAPE_INTERSECTION);
    const double sign                = mirrored ? -1.0 : 1.0;
    mn_status    status              = MN_OK;
    for (int k = 0; k + 1 < o->points && status == MN_OK; k++) {
        mn_shape_def half = mn_shape_def_default(MN_SHAPE_PLANE);
        half.center[0] = o->lip[k][0], half.center[1] = o->middle + sign * o->lip[k][1];
        half.axis[0] = o->lip[k + 1][1] - o->lip[k][1];
        half.axis[1] = -sign * (o->lip[k + 1][0] - o->lip[k][0]);
        half.axis[2] = 0.0;
        status       = mn_shape_create(c, &half, &part[k]);
    }
    all.parts = part, all.part_count = o->points - 1;
    if (status == MN_OK) status = mn_shape_create(c, &all, out);
    for (int k = 0; k + 1 < o->points; k++) mn_shape_release(&part[k]);
    return status;
}

static mn_status add_lip(mn_context *c, mn_world *w, const mn_outlet *o, bool mirrored)
{
    mn_obstacle_def wall = mn_obstacle_def_default();
    snprintf(wall.name, sizeof wall.name, mirrored ? "below" : "above");
    MN_TRY(make_lip(c, o, mirrored, &wall.shape));
    const mn_status status = mn_world_add_obstacle(w, &wall);
    mn_shape_release(&wall.shape);
    return status;
}

/// Water in a box from (x0, y0) to (x1, y1), or a sink there.
static mn_status add_box(mn_context *c, mn_world *w, mn_liquid_role role, const double x[2], const double y[2],
                         double feed)
{
    mn_shape_def  box   = mn_shape_def_default(MN_SHAPE_BOX);
    mn_liquid_def water = mn_liquid_def_default();
    box.center[0] = 0.5 * (x[0] + x[1]), box.size[0] = x[1] - x[0];
    box.center[1] = 0.5 * (y[0] + y[1]), box.size[1] = y[1] - y[0];
    box.size[2]              = 10.0;
    water.role               = role;
    water.material.viscosity = 0.0;
    water.velocity[0]        = feed;
    MN_TRY(mn_shape_create(c, &box, &water.shape));
    const mn_status status = mn_world_add_liquid(w, &water);
    mn_shape_release(&water.shape);
    return status;
}

/// A wall that moves: what stands behind it is of no matter.
static mn_status add_piston(mn_context *c, mn_world *w, const mn_outlet *o)
{
    mn_shape_def    box  = mn_shape_def_default(MN_SHAPE_BOX);
    mn_obstacle_def wall = mn_obstacle_def_default();
    box.size[0] = 20.0, box.size[1] = box.size[2] = 100.0;
    wall.at[0]              = -o->width - 10.0;
    wall.motion.velocity[0] = o->feed;
    MN_TRY(mn_shape_create(c, &box, &wall.shape));
    const mn_status status = mn_world_add_obstacle(w, &wall);
    mn_shape_release(&wall.shape);
    return status;
}

static mn_status make_tank(mn_context *c, const mn_outlet *o, mn_world **out)
{
    mn_world_def def   = mn_world_def_default();
    const double right = o->lip[o->points - 1][0], top = o->middle + o->head + 3.0;
    def.domain.dimension    = 2;
    def.domain.cell         = o->cell;
    def.domain.bounded      = true;
    def.domain.bounds[0][0] = -o->width;
    def.domain.bounds[1][0] = right + BEYOND, def.domain.bounds[1][1] = top, def.domain.bounds[1][2] = 1.0;
    MN_TRY(mn_world_create(c, &def, out));
    if (o->feed > 0.0) MN_TRY(add_piston(c, *out, o));
    if (!o->open_above) MN_TRY(add_lip(c, *out, o, false));
    MN_TRY(add_lip(c, *out, o, true));
    const double floor_high = 0.3 * o->middle;
    MN_TRY(add_box(c, *out, MN_LIQUID_FILL, (double[]){ -o->width, 0.0 }, (double[]){ 0.0, o->middle + o->head },
                   o->feed));
    MN_TRY(add_box(c, *out, MN_LIQUID_SINK, (double[]){ right + TAKEN, right + 20.0 }, (double[]){ -1.0, top + 1.0 },
                   0.0));
    return add_box(c, *out, MN_LIQUID_SINK, (double[]){ right, right + 20.0 }, (double[]){ -1.0, floor_high }, 0.0);
}

typedef struct tank_view {
    double volume, far;  // in the tank; in its half length beside the wall away from the opening
    double jet;
} tank_view;

static tank_view look(const mn_world *w, const mn_outlet *o)
{
    const mn_liquid_view q   = mn_world_liquid(w);
    const double         far = 2.0 * o->feed * mn_world_time(w);
    tank_view            v   = { 0.0, 0.0, 0.0 };
    for (int64_t i = 0; i < q.count; i++) {
        const double x = q.position.x[i];
        v.volume += x < 0.0 ? q.volume[i] : 0.0;
        v.far += x < 0.5 * far - 0.5 * o->width ? q.volume[i] : 0.0;
        v.jet += x > o->jet[0] && x < o->jet[1] ? q.volume[i] : 0.0;
    }
    return v;
}

mn_status mn_outlet_run(mn_context *c, const mn_outlet *o, mn_outlet_result *out)
{
    mn_world *w      = NULL;
    mn_status status = make_tank(c, o, &w);
    double    theory = 0.0, begin = 0.0, jet = 0.0, time = 0.0;
    tank_view now = { 0.0, 0.0, 0.0 };
    while (status == MN_OK && mn_world_time(w) < o->end) {
        const double before = mn_world_time(w), until = before < o->settled ? o->settled : o->end;
        if (before >= o->settled && time == 0.0) begin = now.volume;
        status = mn_world_step(w, until);
        now    = look(w, o);
        if (before < o->settled) continue;
        // The level of the far half: nothing moves there, and it is the head that there is.
        const double dt = mn_world_time(w) - before, head = now.far / (0.5 * o->width) - o->middle;
        theory += dt * o->flux(o, head);
        jet += dt * now.jet;
        time += dt;
    }
    *out = (mn_outlet_result){ (begin - now.volume) / theory, jet / time / (o->jet[1] - o->jet[0]) };
    mn_world_destroy(&w);
    return status;
}
