// SPDX-License-Identifier: MPL-2.0
// No-slip walls that pass between the faces of the grid.
#include "../world/worlds.h"

#include <math.h>

static void add_still_box(mn_context *c, mn_world *w, double middle)
{
    mn_obstacle_def plate = mn_obstacle_def_default();
    plate.wall            = MN_WALL_NO_SLIP;
    plate.shape           = test_shape(c, MN_SHAPE_BOX, 0.5, middle, 0.0, 6.0);
    assert_int_equal(mn_world_add_obstacle(w, &plate), MN_OK);
    mn_shape_release(&plate.shape);
}

/// Mean velocity of Poiseuille flow over the exact one, in a channel whose walls leave `open` of the cells that they
/// cut.
static double channel_ratio(double open)
{
    const double cell = 0.125, low = (3.0 - open) * cell, high = (16.0 + open) * cell, pull = 100.0, viscosity = 5.0;
    mn_context  *c          = test_context(2);
    mn_world_def def        = mn_world_def_default();
    mn_world    *w          = NULL;
    def.domain.dimension    = 2;
    def.domain.cell         = cell;
    def.domain.bounded      = true;
    def.domain.bounds[1][0] = 8.0 * cell, def.domain.bounds[1][1] = 3.0;
    def.domain.boundary[0] = MN_BOUNDARY_PERIODIC;
    def.domain.gravity[0] = pull, def.domain.gravity[1] = 0.0;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    add_still_box(c, w, low - 3.0);
    add_still_box(c, w, high + 3.0);
    mn_liquid_def water      = mn_liquid_def_default();
    water.material.viscosity = viscosity;
    water.below              = high;
    assert_int_equal(mn_world_add_liquid(w, &water), MN_OK);
    while (mn_world_time(w) < 0.7) assert_int_equal(mn_world_step(w, 0.7), MN_OK);
    const mn_ledger l     = mn_world_ledger(w);
    const double    exact = pull / viscosity * (high - low) * (high - low) / 12.0;
    mn_world_destroy(&w);
    test_context_end(&c);
    return l.momentum_x / l.liquid_total / exact;
}

/// Taken as liquid, the faces behind the wall let it slip by up to a cell: 1.12, 1.08 and 1.005.
static void walls_between_faces_hold_the_liquid(void **state)
{
    (void)state;
    assert_near(channel_ratio(0.3), 1.0, 0.01);
    assert_near(channel_ratio(0.4), 1.0, 0.01);
    assert_near(channel_ratio(0.7), 1.0, 0.01);
}

/// Liquid in a drum comes to turn with it. With velocities from inside the wall it overtook the drum by 8 %.
static void liquid_turns_with_its_drum(void **state)
{
    (void)state;
    const double rate     = 2.0 * MN_PI;
    mn_context  *c        = test_context(2);
    mn_world_def def      = mn_world_def_default();
    mn_world    *w        = NULL;
    def.domain.dimension  = 2;
    def.domain.cell       = 0.25;
    def.domain.gravity[1] = 0.0;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_obstacle_def drum = mn_obstacle_def_default();
    drum.wall            = MN_WALL_NO_SLIP;
    drum.shape           = test_ring(c, 2.2, 4.5);
    drum.motion.spin[2]  = rate;
    assert_int_equal(mn_world_add_obstacle(w, &drum), MN_OK);
    mn_shape_release(&drum.shape);
    mn_liquid_def oil      = mn_liquid_def_default();
    oil.material.viscosity = 10.0;
    oil.shape              = test_shape(c, MN_SHAPE_SPHERE, 0.0, 0.0, 0.0, 2.2);
    assert_int_equal(mn_world_add_liquid(w, &oil), MN_OK);
    mn_shape_release(&oil.shape);
    while (mn_world_time(w) < 0.6) assert_int_equal(mn_world_step(w, 0.6), MN_OK);
    const mn_liquid_view q    = mn_world_liquid(w);
    double               spin = 0.0, inertia = 0.0;
    for (int64_t i = 0; i < q.count; i++) {
        const double x = q.position.x[i], y = q.position.y[i];
        spin += x * q.velocity.y[i] - y * q.velocity.x[i];
        inertia += x * x + y * y;
    }
    assert_near(spin / inertia / rate, 1.0, 0.02);
    mn_world_destroy(&w);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_between_faces_hold_the_liquid),
        cmocka_unit_test(liquid_turns_with_its_drum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
