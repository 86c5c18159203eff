// SPDX-License-Identifier: MPL-2.0
// verify/liquid/tube.c - a bent tube of water: a duct that fabric seals, and a pool beside it, joined below the wall
// between them.
#include "verify/liquid/tube.h"

#include "verify/fabric/wet_sample.h"

#include <stdio.h>

mn_status mn_tube_sheet(mn_context *c, const mn_tube *t, mn_thin_mesh *out)
{
    const double       width = mn_tube_width(t);
    const mn_cloth_def sheet = { .outline = MN_CLOTH_RECTANGLE,
                                 .size    = { width, width },
                                 .spacing = 0.5 * t->cell,
                                 .mesh    = MN_CLOTH_STRUCTURED };
    return mn_cloth_generate(c, &sheet, out);
}

static mn_status seal(const mn_tube *t, const mn_thin_mesh *mesh, mn_world *w)
{
    mn_fabric_def def = mn_fabric_def_default();
    mn_pin_def    pin = mn_pin_def_default();
    snprintf(def.name, sizeof def.name, "seal");
    snprintf(pin.group, sizeof pin.group, "all");
    pin.motion.velocity[1] = def.velocity[1] = t->push;
    def.mesh                                 = mesh;
    def.material                             = t->material;
    def.at[0] = def.at[2] = 0.5 * MN_TUBE_DUCT * t->cell;
    def.at[1]             = MN_TUBE_SHEET;
    def.pins = &pin, def.pin_count = 1;
    return mn_world_add_fabric(w, &def);
}

/// From x = left to right and y = low to high, `depth` deep about z = 0.
static mn_status box_between(mn_context *c, double left, double right, double low, double high, double depth,
                             mn_shape **out)
{
    mn_shape_def box = mn_shape_def_default(MN_SHAPE_BOX);
    box.size[0] = right - left, box.size[1] = high - low, box.size[2] = depth;
    box.center[0] = 0.5 * (left + right), box.center[1] = 0.5 * (low + high);
    return mn_shape_create(c, &box, out);
}

static mn_status pour(mn_context *c, mn_world *w, double left, double right, double high, double depth)
{
    mn_liquid_def water = mn_liquid_def_default();
    water.material      = mn_wet_sample_water();
    water.at[2]         = 0.5 * depth;
    MN_TRY(box_between(c, left, right, 0.0, high, depth, &water.shape));
    const mn_status status = mn_world_add_liquid(w, &water);
    mn_shape_release(&water.shape);
    return status;
}

mn_status mn_tube_make(mn_context *c, const mn_tube *t, const mn_thin_mesh *mesh, mn_world **out)
{
    const double duct = MN_TUBE_DUCT * t->cell, pool = duct + MN_TUBE_WALL * t->cell,
                 end      = pool + MN_TUBE_POOL * t->cell;
    const double    level = MN_TUBE_LEVEL + t->head, top = level + 2.0;
    mn_world_def    def     = mn_world_def_default();
    mn_obstacle_def wall    = mn_obstacle_def_default();
    def.domain.cell         = t->cell;
    def.domain.bounded      = true;
    def.domain.bounds[1][0] = end, def.domain.bounds[1][1] = top, def.domain.bounds[1][2] = duct;
    MN_TRY(mn_world_create(c, &def, out));
    MN_TRY(box_between(c, duct, pool, MN_TUBE_GAP, top + 1.0, 4.0 * duct, &wall.shape));
    const mn_status status = mn_world_add_obstacle(*out, &wall);
    mn_shape_release(&wall.shape);
    MN_TRY(status);
    MN_TRY(pour(c, *out, 0.0, duct, level, duct));
    MN_TRY(pour(c, *out, duct, pool, MN_TUBE_GAP, duct));
    MN_TRY(pour(c, *out, pool, end, MN_TUBE_LEVEL, duct));
    return seal(t, mesh, *out);
}
