// SPDX-License-Identifier: MPL-2.0
// Small worlds with cloth and yarn that the tests of fabric share.
#ifndef MN_TEST_FABRIC_WORLDS_H
#define MN_TEST_FABRIC_WORLDS_H

#include "testing.h"

#include "world/world.h"

#include <stdio.h>

#define DRAPE_CELL 0.4

static inline mn_world *fabric_world(mn_context *c, double cell, double dt, const double gravity[3])
{
    mn_world_def def = mn_world_def_default();
    mn_world    *w   = NULL;
    def.domain.cell  = cell;
    def.time.dt_max  = dt;
    for (int a = 0; a < 3; a++) def.domain.gravity[a] = gravity[a];
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    return w;
}

static inline void make_sheet(mn_context *c, double x, double z, double spacing, mn_thin_mesh *mesh)
{
    const mn_cloth_def def = { .outline = MN_CLOTH_RECTANGLE, .size = { x, z }, .spacing = spacing };
    assert_int_equal(mn_cloth_generate(c, &def, mesh), MN_OK);
}

static inline void make_bundle(mn_context *c, double length, int count, double spacing, mn_thin_mesh *mesh)
{
    const mn_yarn_def def = { .pattern = MN_YARN_BUNDLE,
                              .size    = { length, 0.0 },
                              .radius  = 0.048,
                              .pitch   = 0.1,
                              .spacing = spacing,
                              .count   = count };
    if (mn_yarn_generate(c, &def, mesh) != MN_OK) fail_msg("%s", mn_context_error(c));
}

/// Adds the mesh and frees it.
static inline mn_status add_mesh(mn_context *c, mn_world *w, mn_fabric_def *def, mn_thin_mesh *mesh)
{
    def->mesh = mesh;
    if (def->name[0] == '\0') snprintf(def->name, sizeof def->name, "fabric %d", mn_world_fabric_count(w));
    const mn_status status = mn_world_add_fabric(w, def);
    mn_thin_mesh_free(c, mesh);
    return status;
}

static inline void add_floor(mn_context *c, mn_world *w, double speed)
{
    mn_shape_def    plane = mn_shape_def_default(MN_SHAPE_PLANE);
    mn_obstacle_def floor = mn_obstacle_def_default();
    plane.axis[0] = 0.0, plane.axis[1] = 1.0, plane.axis[2] = 0.0;
    floor.motion.velocity[1] = speed;
    assert_int_equal(mn_shape_create(c, &plane, &floor.shape), MN_OK);
    assert_int_equal(mn_world_add_obstacle(w, &floor), MN_OK);
    mn_shape_release(&floor.shape);
}

static inline void add_ball(mn_context *c, mn_world *w, double radius)
{
    mn_shape_def    sphere = mn_shape_def_default(MN_SHAPE_SPHERE);
    mn_obstacle_def ball   = mn_obstacle_def_default();
    sphere.radius[0]       = radius;
    ball.motion.spin[1]    = 1.0;
    assert_int_equal(mn_shape_create(c, &sphere, &ball.shape), MN_OK);
    assert_int_equal(mn_world_add_obstacle(w, &ball), MN_OK);
    mn_shape_release(&ball.shape);
}

/// A sheet that falls on a turning ball, and on the sheet a bundle of yarn whose end a turning pin holds. Cloth, yarn,
/// pins, solids and contact in one.
static inline mn_status try_drape(mn_context *c, mn_world *w)
{
    mn_thin_mesh       mesh;
    mn_fabric_def      sheet = mn_fabric_def_default(), yarn = mn_fabric_def_default();
    mn_pin_def         pin    = mn_pin_def_default();
    const mn_cloth_def cloth  = { .outline = MN_CLOTH_RECTANGLE, .size = { 2.4, 2.4 }, .spacing = 0.5 * DRAPE_CELL };
    const mn_yarn_def  bundle = { .pattern = MN_YARN_BUNDLE,
                                  .size    = { 2.0, 0.0 },
                                  .radius  = 0.048,
                                  .pitch   = 0.1,
                                  .spacing = 0.5 * DRAPE_CELL,
                                  .count   = 3 };
    sheet.at[1]               = 1.12;
    sheet.velocity[1]         = -10.0;
    MN_TRY(mn_cloth_generate(c, &cloth, &mesh));
    MN_TRY(add_mesh(c, w, &sheet, &mesh));
    snprintf(pin.group, sizeof pin.group, "left");
    pin.motion.spin[0] = 3.0;
    yarn.at[1]         = 1.4;
    yarn.velocity[1]   = -20.0;
    yarn.pins = &pin, yarn.pin_count = 1;
    MN_TRY(mn_yarn_generate(c, &bundle, &mesh));
    return add_mesh(c, w, &yarn, &mesh);
}

static inline mn_world *drape_world(mn_context *c)
{
    const double g[3] = { 0.0, -981.0, 0.0 };
    mn_world    *w    = fabric_world(c, DRAPE_CELL, 2e-3, g);
    add_ball(c, w, 1.0);
    assert_int_equal(try_drape(c, w), MN_OK);
    return w;
}

static inline void steps_of(mn_world *w, int count, double dt)
{
    for (int k = 0; k < count; k++) {
        const mn_status status = mn_world_step(w, mn_world_time(w) + dt);
        if (status != MN_OK) fail_msg("step %d: %s", k, mn_context_error(w->context));
    }
}

#endif
