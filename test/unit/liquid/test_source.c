// SPDX-License-Identifier: MPL-2.0
// The cross-section of sources: its area, discs askew, and sources that something covers.
#include "testing.h"

#include "geom/motion.h"
#include "geom/shape.h"
#include "liquid/liquid.h"

#include <string.h>

static mn_liquid_model model_of(int dimension, double cell)
{
    return (mn_liquid_model){ .grid = { .dimension = dimension, .cell = cell, .depth = dimension == 2 ? 1.0 : cell },
                              .per_axis = 2.0 };
}

static mn_shape *placed(mn_context *c, const mn_shape_def *def, mn_vec3 axis, double degrees)
{
    const double turn[3] = { axis.x, axis.y, axis.z }, at[3] = { 3.7, -1.3, 0.0 };
    mn_shape    *shape = NULL, *out = NULL;
    assert_int_equal(mn_shape_create(c, def, &shape), MN_OK);
    assert_int_equal(mn_shape_placed(c, shape, turn, degrees * MN_PI / 180.0, at, &out), MN_OK);
    mn_shape_release(&shape);
    return out;
}

/// The area that a source of rate 0 takes for its own.
static double area_of(mn_context *c, int dimension, const mn_shape_def *def, mn_vec3 axis, double degrees,
                      mn_vec3 velocity)
{
    const mn_liquid_model m     = model_of(dimension, 0.2);
    mn_shape             *shape = placed(c, def, axis, degrees);
    mn_liquid_stream      s     = { .shape = shape, .velocity = velocity, .end = 1.0 };
    if (mn_liquid_stream_prepare(c, &m, "tap", &s) != MN_OK) fail_msg("%s", mn_context_error(c));
    mn_shape_release(&shape);
    return s.rate / mn_norm3(velocity);
}

static mn_shape_def box_of(double x, double y, double z)
{
    mn_shape_def def = mn_shape_def_default(MN_SHAPE_BOX);
    def.size[0] = x, def.size[1] = y, def.size[2] = z;
    return def;
}

static mn_shape_def round_of(mn_shape_kind kind, double radius, mn_vec3 axis)
{
    mn_shape_def def = mn_shape_def_default(kind);
    def.radius[0]    = radius;
    def.axis[0] = axis.x, def.axis[1] = axis.y, def.axis[2] = axis.z;
    return def;
}

/// A box in 2D is long in z by default; that is no part of what the plane shows.
static void the_width_of_a_source_in_the_plane_is_exact(void **state)
{
    (void)state;
    mn_context         *c = test_context(1);
    const mn_vec3       y = { 0, 1, 0 }, z = { 0, 0, 1 }, down = { 0, -40, 0 };
    static const double width[] = { 0.4, 1.9, 2.1 }, depth[] = { 0.4, 1000.0 };
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            const mn_shape_def box = box_of(width[i], 0.4, depth[k]);
            assert_near(area_of(c, 2, &box, y, 0.0, down), width[i], 1e-8);
        }
    // A square of 1 cm across its diagonal, and one that is turned against a slanted stream.
    const mn_shape_def square = box_of(1.0, 1.0, 1000.0), ball = round_of(MN_SHAPE_SPHERE, 0.7, y),
                       disc = round_of(MN_SHAPE_DISC, 0.9, y);
    assert_near(area_of(c, 2, &square, z, 45.0, down), sqrt(2.0), 1e-8);
    assert_near(area_of(c, 2, &square, z, 30.0, mn_v3(-40 * sin(MN_PI / 6), 40 * cos(MN_PI / 6), 0)), 1.0, 1e-8);
    assert_near(area_of(c, 2, &ball, y, 0.0, down), 1.4, 1e-8);
    assert_near(area_of(c, 2, &disc, y, 0.0, down), 1.8, 1e-8);
    assert_near(area_of(c, 2, &disc, z, 60.0, down), 0.9, 1e-8);
    const mn_shape_def lying = round_of(MN_SHAPE_DISC, 0.9, z);
    assert_near(area_of(c, 2, &lying, y, 0.0, down), 1.8, 1e-8);
    test_context_end(&c);
}

static void the_area_of_a_source_in_space_is_right_to_a_thousandth_and_better(void **state)
{
    (void)state;
    mn_context        *c = test_context(1);
    const mn_vec3      x = { 1, 0, 0 }, y = { 0, 1, 0 }, down = { 0, -40, 0 }, askew = { 24, -32, 7 };
    const mn_shape_def box = box_of(0.7, 0.4, 1.9), cube = box_of(1.0, 1.0, 1.0);
    const mn_shape_def ball = round_of(MN_SHAPE_SPHERE, 0.7, y), disc = round_of(MN_SHAPE_DISC, 0.9, y);
    assert_near(area_of(c, 3, &box, y, 0.0, down) / (0.7 * 1.9), 1.0, 1e-7);
    assert_near(area_of(c, 3, &box, y, 0.0, mn_v3(0, 0, 5)) / (0.7 * 0.4), 1.0, 1e-7);
    assert_near(area_of(c, 3, &box, y, 30.0, down) / (0.7 * 1.9), 1.0, 1e-4);
    // A cube cut along its diagonals: a rectangle of 1 by sqrt 2, and a hexagon.
    assert_near(area_of(c, 3, &cube, x, 45.0, down) / sqrt(2.0), 1.0, 1e-7);
    assert_near(area_of(c, 3, &cube, y, 0.0, mn_v3(10, 10, 10)) / (0.75 * sqrt(3.0)), 1.0, 1e-4);
    assert_near(area_of(c, 3, &ball, y, 0.0, askew) / (MN_PI * 0.49), 1.0, 1e-4);
    assert_near(area_of(c, 3, &disc, y, 0.0, down) / (MN_PI * 0.81), 1.0, 1e-4);
    test_context_end(&c);
}

/// What passes a disc askew is what is seen of it along the velocity.
static void a_disc_askew_is_seen_along_the_velocity(void **state)
{
    (void)state;
    mn_context        *c = test_context(1);
    const mn_vec3      x = { 1, 0, 0 }, y = { 0, 1, 0 }, down = { 0, -60, 0 }, slant = { 20, -60, 0 };
    const mn_shape_def disc = round_of(MN_SHAPE_DISC, 0.9, y), tilted = round_of(MN_SHAPE_DISC, 0.9, mn_v3(1, 1, 0));
    const double       whole = MN_PI * 0.81;
    assert_near(area_of(c, 3, &tilted, y, 0.0, down) / whole, sqrt(0.5), 1e-4);
    assert_near(area_of(c, 3, &disc, y, 0.0, slant) / whole, 60.0 / mn_norm3(slant), 1e-4);
    assert_near(area_of(c, 3, &disc, x, 80.0, down) / whole, cos(80.0 * MN_PI / 180.0), 1e-4);

    const mn_liquid_model m     = model_of(3, 0.2);
    mn_shape             *shape = placed(c, &disc, x, 90.0);
    mn_liquid_stream      s     = { .shape = shape, .velocity = down, .rate = 1.0 };
    assert_int_equal(mn_liquid_stream_prepare(c, &m, "tap", &s), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "Turn the axis"));
    mn_shape_release(&shape);
    test_context_end(&c);
}

/// Half of a source of two dimensions over the edge of a solid.
static void the_covered_part_of_a_source_is_counted(void **state)
{
    (void)state;
    mn_context           *c   = test_context(1);
    const mn_liquid_model m   = model_of(2, 0.1);
    const mn_shape_def    tap = box_of(2.0, 0.4, 2.0), block = box_of(10.0, 10.0, 10.0);
    mn_shape *shape = placed(c, &tap, mn_v3(0, 1, 0), 0.0), *solid_shape = placed(c, &block, mn_v3(0, 1, 0), 0.0);
    mn_liquid_stream s = { .shape = shape, .velocity = mn_v3(0, -30, 0) };
    assert_int_equal(mn_liquid_stream_prepare(c, &m, "tap", &s), MN_OK);
    static const double expected[] = { 1.0, 0.75, 0.5, 0.0 }, shift[] = { 0.0, 4.5, 5.0, 6.5 };
    for (int k = 0; k < 4; k++) {
        mn_solid solid           = { .shape = solid_shape, .pose = mn_motion_pose(NULL, 0.0) };
        int      which           = 7;
        solid.pose.translation.x = shift[k];
        assert_near(mn_liquid_stream_covered(&m, &s, NULL, (mn_solids){ &solid, 1 }, &which), expected[k], 1e-12);
        assert_int_equal(which, expected[k] > 0.0 ? 0 : -1);
    }
    mn_shape_release(&shape);
    mn_shape_release(&solid_shape);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_width_of_a_source_in_the_plane_is_exact),
        cmocka_unit_test(the_area_of_a_source_in_space_is_right_to_a_thousandth_and_better),
        cmocka_unit_test(a_disc_askew_is_seen_along_the_velocity),
        cmocka_unit_test(the_covered_part_of_a_source_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
