// SPDX-License-Identifier: MPL-2.0
// Liquid in a tank that moves: at rest in the tank's frame under g - a, with steps short enough for that pull (E9).
#include "worlds.h"

enum { WIDTH = 8, DEPTH = 4 };
static const double cell = 0.25;

static mn_shape *tank_shape(mn_context *c)
{
    mn_shape_def outer = mn_shape_def_default(MN_SHAPE_BOX), inner = outer,
                 both = mn_shape_def_default(MN_SHAPE_DIFFERENCE);
    outer.center[1] = inner.center[1] = 5.0;
    outer.size[0] = WIDTH + 4.0, outer.size[1] = 14.0, outer.size[2] = 4.0;
    inner.size[0] = WIDTH, inner.size[1] = 10.0, inner.size[2] = 8.0;
    mn_shape *part[2] = { NULL, NULL }, *tank = NULL;
    assert_int_equal(mn_shape_create(c, &outer, &part[0]), MN_OK);
    assert_int_equal(mn_shape_create(c, &inner, &part[1]), MN_OK);
    both.parts = part, both.part_count = 2;
    assert_int_equal(mn_shape_create(c, &both, &tank), MN_OK);
    mn_shape_release(&part[0]);
    mn_shape_release(&part[1]);
    return tank;
}

/// What is inside the tank and below a surface square to g - a through its middle.
static mn_shape *wedge_shape(mn_context *c, mn_vec3 pull)
{
    mn_shape_def inner = mn_shape_def_default(MN_SHAPE_BOX), below = mn_shape_def_default(MN_SHAPE_PLANE);
    mn_shape_def both = mn_shape_def_default(MN_SHAPE_INTERSECTION);
    inner.center[1]   = 5.0;
    inner.size[0] = WIDTH, inner.size[1] = 10.0, inner.size[2] = 4.0;
    below.center[1] = DEPTH;
    below.axis[0] = -pull.x, below.axis[1] = -pull.y;
    mn_shape *part[2] = { NULL, NULL }, *wedge = NULL;
    assert_int_equal(mn_shape_create(c, &inner, &part[0]), MN_OK);
    assert_int_equal(mn_shape_create(c, &below, &part[1]), MN_OK);
    both.parts = part, both.part_count = 2;
    assert_int_equal(mn_shape_create(c, &both, &wedge), MN_OK);
    mn_shape_release(&part[0]);
    mn_shape_release(&part[1]);
    return wedge;
}

/// A tank that starts with `velocity`, shared by its liquid, and gains speed by `acceleration`: the beginning of a very
/// long smooth motion, constant to 1e-3 for 1 s.
static mn_world *moving_tank(mn_context *c, mn_vec3 gravity, mn_vec3 velocity, mn_vec3 acceleration)
{
    const double length   = 6000.0;
    mn_world_def def      = mn_world_def_default();
    def.domain.dimension  = 2;
    def.domain.cell       = cell;
    def.time.dt_max       = 1.0;
    def.domain.gravity[0] = gravity.x, def.domain.gravity[1] = gravity.y;
    mn_world *w = NULL;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_motion_key keys[2]    = { { .time = 0.0 }, { .time = length } };
    keys[1].translate[0]     = acceleration.x * length * length / 6.0,
    keys[1].translate[1]     = acceleration.y * length * length / 6.0;
    mn_obstacle_def obstacle = mn_obstacle_def_default();
    snprintf(obstacle.name, sizeof obstacle.name, "tank");
    obstacle.shape              = tank_shape(c);
    obstacle.motion.keys        = keys;
    obstacle.motion.key_count   = 2;
    obstacle.motion.ease        = MN_EASE_SMOOTH;
    obstacle.motion.velocity[0] = velocity.x, obstacle.motion.velocity[1] = velocity.y;
    assert_int_equal(mn_world_add_obstacle(w, &obstacle), MN_OK);
    mn_shape_release(&obstacle.shape);
    mn_liquid_def liquid      = mn_liquid_def_default();
    liquid.shape              = wedge_shape(c, mn_sub3(gravity, acceleration));
    liquid.material.viscosity = 0.0;
    liquid.velocity[0] = velocity.x, liquid.velocity[1] = velocity.y;
    assert_int_equal(mn_world_add_liquid(w, &liquid), MN_OK);
    mn_shape_release(&liquid.shape);
    return w;
}

static mn_vec3 centre_of_liquid(mn_world *w)
{
    const mn_liquid_particles *p   = mn_liquid_now(&w->liquid);
    mn_vec3                    sum = mn_v3(0, 0, 0);
    for (int64_t i = 0; i < p->count; i++) sum = mn_add3(sum, mn_v3(p->position[0][i], p->position[1][i], 0.0));
    return mn_scale3(1.0 / (double)p->count, sum);
}

static double fastest_in_tank(mn_world *w)
{
    const mn_liquid_particles *p    = mn_liquid_now(&w->liquid);
    const mn_pose              pose = mn_world_obstacle_pose(w, 0);
    double                     most = 0.0;
    for (int64_t i = 0; i < p->count; i++)
        most = fmax(most, hypot(p->velocity[0][i] - pose.linear.x, p->velocity[1][i] - pose.linear.y));
    return most;
}

typedef struct ride {
    double off[2], fastest;
} ride;

/// How far the middle of the liquid strays in the tank's frame, in cells, and its largest speed there over sqrt(g
/// depth).
static ride ride_along(mn_world *w, double seconds)
{
    const mn_vec3 first = centre_of_liquid(w);
    ride          r     = { { 0.0, 0.0 }, 0.0 };
    while (mn_world_time(w) < seconds) {
        assert_int_equal(mn_world_step(w, seconds), MN_OK);
        const mn_vec3 now = mn_sub3(centre_of_liquid(w), mn_world_obstacle_pose(w, 0).translation);
        r.off[0]          = fmax(r.off[0], fabs(now.x - first.x) / cell);
        r.off[1]          = fmax(r.off[1], fabs(now.y - first.y) / cell);
        r.fastest         = fmax(r.fastest, fastest_in_tank(w) / sqrt(981.0 * DEPTH));
    }
    print_message("strays by %.4f and %.4f cells, up to %.4f sqrt(g H)\n", r.off[0], r.off[1], r.fastest);
    return r;
}

/// At constant velocity a tank is at rest, whatever the velocity (100 cm/s are a cell in a step): no more noise than in
/// one that stands still, where it is that of the jittered sampling in its first steps.
static void a_tank_at_constant_velocity_is_at_rest(void **state)
{
    (void)state;
    const mn_vec3 velocity[] = { { 0, 0, 0 }, { 100, 0, 0 }, { -60, 30, 0 } };
    double        still      = 0.03 / 1.5;
    for (int k = 0; k < 3; k++) {
        mn_context *c = test_context(2);
        mn_world   *w = moving_tank(c, mn_v3(0, -981, 0), velocity[k], mn_v3(0, 0, 0));
        const ride  r = ride_along(w, 0.3);
        assert_less(r.off[0], 0.03);
        assert_less(r.off[1], 0.03);
        assert_less(r.fastest, 1.5 * still);
        if (k == 0) still = r.fastest;
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

/// Under a sideways acceleration the surface is tilted by atan(a / g); filled so, the liquid rides along with the tank.
/// The middle of the liquid is then W^2 tan / (12 depth) behind that of the tank. What is left of motion is the slosh
/// that half a step of the acceleration starts: velocities belong to the middle of a step.
static void a_tilted_surface_rides_in_an_accelerated_tank(void **state)
{
    (void)state;
    mn_context  *c = test_context(2);
    const double g = 981.0, tilt = 0.3;
    mn_world    *w = moving_tank(c, mn_v3(0, -g, 0), mn_v3(0, 0, 0), mn_v3(tilt * g, 0, 0));
    assert_near(centre_of_liquid(w).x, -tilt * WIDTH * WIDTH / (12.0 * DEPTH), 0.02);
    const ride r = ride_along(w, 0.4);
    assert_near(mn_world_obstacle_pose(w, 0).translation.x, 0.5 * tilt * g * 0.16, 0.01);
    assert_less(r.off[0], 0.15);
    assert_less(r.off[1], 0.05);
    assert_less(r.fastest, 0.06);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// The step follows |g - a|: also without gravity, where nothing else bounds it, and for a tank that is thrust upwards.
static void the_step_follows_the_pull_in_the_tank(void **state)
{
    (void)state;
    const mn_vec3 gravity[] = { { 0, 0, 0 }, { 0, -981, 0 }, { 0, -981, 0 }, { 0, -981, 0 } };
    const mn_vec3 thrust[]  = { { 0, 981, 0 }, { 0, 2943, 0 }, { 736, 0, 0 }, { 0, -980, 0 } };
    const double  pull[]    = { 981.0, 3924.0, 1226.4, 981.0 };  // in a falling tank gravity itself still counts
    for (int k = 0; k < 4; k++) {
        mn_context *c = test_context(1);
        mn_world   *w = moving_tank(c, gravity[k], mn_v3(0, 0, 0), thrust[k]);
        assert_near(mn_world_pull(w, 0.0, 1e-3), pull[k], 1e-3 * pull[k]);
        assert_int_equal(mn_world_step(w, 1.0), MN_OK);
        assert_true(w->dt <= 0.3001 * sqrt(cell / pull[k]));
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tank_at_constant_velocity_is_at_rest),
        cmocka_unit_test(a_tilted_surface_rides_in_an_accelerated_tank),
        cmocka_unit_test(the_step_follows_the_pull_in_the_tank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
