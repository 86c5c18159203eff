// SPDX-License-Identifier: MPL-2.0
// Small worlds that the tests of the step share.
#ifndef MN_TEST_WORLDS_H
#define MN_TEST_WORLDS_H

#include "testing.h"

#include "world/world.h"

#include <stdio.h>

static inline mn_shape *test_shape(mn_context *c, mn_shape_kind kind, double x, double y, double z, double size)
{
    mn_shape_def def = mn_shape_def_default(kind);
    def.center[0] = x, def.center[1] = y, def.center[2] = z;
    for (int a = 0; a < 3; a++) def.size[a] = size;
    def.radius[0]   = size;
    mn_shape *shape = NULL;
    assert_int_equal(mn_shape_create(c, &def, &shape), MN_OK);
    return shape;
}

/// A tube along z.
static inline mn_shape *test_ring(mn_context *c, double inner, double outer)
{
    mn_shape_def def = mn_shape_def_default(MN_SHAPE_CYLINDER);
    mn_shape    *part[2], *both = NULL;
    def.axis[0] = def.axis[1] = 0.0, def.axis[2] = 1.0;
    for (int k = 0; k < 2; k++) {
        def.radius[0] = k == 0 ? outer : inner;
        def.height    = k == 0 ? 100.0 : 1000.0;
        assert_int_equal(mn_shape_create(c, &def, &part[k]), MN_OK);
    }
    mn_shape_def difference = mn_shape_def_default(MN_SHAPE_DIFFERENCE);
    difference.parts = part, difference.part_count = 2;
    assert_int_equal(mn_shape_create(c, &difference, &both), MN_OK);
    for (int k = 0; k < 2; k++) mn_shape_release(&part[k]);
    return both;
}

/// Everything at once: a pool, a tap, a drain, a turning obstacle, an open side, a periodic axis, three probes.
static inline mn_world *busy_world(mn_context *c, int dimension)
{
    mn_world_def def        = mn_world_def_default();
    def.domain.dimension    = dimension;
    def.domain.cell         = 0.5;
    def.domain.bounded      = true;
    def.domain.bounds[1][0] = 8.0, def.domain.bounds[1][1] = 10.0, def.domain.bounds[1][2] = 4.0;
    def.domain.boundary[0] = MN_BOUNDARY_OPEN;
    def.domain.boundary[2] = MN_BOUNDARY_PERIODIC;
    def.time.dt_max        = 0.01;
    mn_world *w            = NULL;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);

    mn_obstacle_def obstacle = mn_obstacle_def_default();
    snprintf(obstacle.name, sizeof obstacle.name, "wheel");
    obstacle.shape = test_shape(c, MN_SHAPE_BOX, 0, 0, 0, 1.6);
    obstacle.at[0] = 4.0, obstacle.at[1] = 1.5, obstacle.at[2] = dimension == 3 ? 2.0 : 0.0;
    obstacle.motion.spin[2] = 4.0;
    assert_int_equal(mn_world_add_obstacle(w, &obstacle), MN_OK);
    mn_shape_release(&obstacle.shape);

    mn_liquid_def pool = mn_liquid_def_default();
    pool.below         = 3.0;
    assert_int_equal(mn_world_add_liquid(w, &pool), MN_OK);
    mn_liquid_def tap = mn_liquid_def_default();
    tap.role          = MN_LIQUID_SOURCE;
    tap.shape         = test_shape(c, MN_SHAPE_DISC, 0, 0, 0, 0.8);
    tap.at[0] = 4.0, tap.at[1] = 8.0, tap.at[2] = dimension == 3 ? 2.0 : 0.0;
    tap.velocity[1] = -100.0;
    assert_int_equal(mn_world_add_liquid(w, &tap), MN_OK);
    mn_shape_release(&tap.shape);
    mn_liquid_def drain = mn_liquid_def_default();
    drain.role          = MN_LIQUID_SINK;
    drain.shape         = test_shape(c, MN_SHAPE_BOX, 1.0, 0.5, dimension == 3 ? 2.0 : 0.0, 1.0);
    assert_int_equal(mn_world_add_liquid(w, &drain), MN_OK);
    mn_shape_release(&drain.shape);

    mn_probe_def probe = mn_probe_def_default();
    snprintf(probe.name, sizeof probe.name, "push");
    snprintf(probe.of, sizeof probe.of, "wheel");
    probe.kind      = MN_PROBE_FORCE;
    probe.normal[0] = 0.0, probe.normal[1] = 1.0;
    assert_int_equal(mn_world_add_probe(w, &probe), MN_OK);
    probe.kind = MN_PROBE_FLUX, probe.point[0] = 4.0;
    assert_int_equal(mn_world_add_probe(w, &probe), MN_OK);
    probe.kind = MN_PROBE_HEIGHT;
    assert_int_equal(mn_world_add_probe(w, &probe), MN_OK);
    return w;
}

/// A still pool between walls.
static inline mn_world *quiet_world(mn_context *c, int dimension)
{
    mn_world_def def     = mn_world_def_default();
    def.domain.dimension = dimension;
    def.domain.bounded   = true;
    for (int a = 0; a < 3; a++) def.domain.bounds[1][a] = 6.0;
    def.time.dt_max = 0.005;
    mn_world *w     = NULL;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_liquid_def pool = mn_liquid_def_default();
    pool.below         = 4.0;
    assert_int_equal(mn_world_add_liquid(w, &pool), MN_OK);
    return w;
}

#endif
