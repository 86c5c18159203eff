// SPDX-License-Identifier: MPL-2.0
// Poses pass through their keys, and their velocities are the derivatives of their positions.
#include "testing.h"

#include "geom/motion.h"

#include <string.h>

static const mn_motion_key keys[] = {
    { .time = 0.5, .translate = { 0, 0, 0 }, .axis = { 0, 0, 1 }, .angle = 0.0 },
    { .time = 1.0, .translate = { 1, 0, 2 }, .axis = { 0, 0, 2 }, .angle = 9.0 },    // more than a turn
    { .time = 1.5, .translate = { 1, 3, 0 }, .axis = { 0, 1, 1 }, .angle = -1.0 },   // another axis
    { .time = 2.5, .translate = { 0, 0, 0 }, .axis = { 0, -1, -1 }, .angle = 2.0 },  // the same line, named backwards
};

static mn_motion_def whole(mn_ease ease)
{
    mn_motion_def d = mn_motion_def_default();
    d.keys          = keys;
    d.key_count     = 4;
    d.ease          = ease;
    d.pivot[0] = 0.3, d.pivot[1] = -0.7, d.pivot[2] = 1.1;
    d.velocity[0] = 0.5, d.velocity[1] = -0.25, d.velocity[2] = 0.1;
    d.spin[0] = 1.0, d.spin[1] = -2.0, d.spin[2] = 0.5;
    d.amplitude[1] = 0.4;
    d.frequency    = 1.3;
    d.phase        = 0.2;
    return d;
}

static void velocities_are_derivatives(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    for (int ease = 0; ease < 2; ease++) {
        const mn_motion_def d = whole((mn_ease)ease);
        mn_motion          *m;
        assert_int_equal(mn_motion_create(c, &d, &m), MN_OK);
        for (double t = 0.011; t < 3.0; t += 0.0173) {
            const double  e = 3e-6;
            const mn_pose p = mn_motion_pose(m, t), before = mn_motion_pose(m, t - e), after = mn_motion_pose(m, t + e);
            for (int k = 0; k < 4; k++) {
                const mn_vec3 rest = mn_v3(k == 1, 2.0 * (k == 2), -3.0 * (k == 3)), x = mn_pose_point(&p, rest);
                const mn_vec3 slope = mn_scale3(0.5 / e,
                                                mn_sub3(mn_pose_point(&after, rest), mn_pose_point(&before, rest)));
                assert_less(mn_norm3(mn_sub3(mn_pose_velocity(&p, x), slope)), 3e-7);
                assert_less(mn_norm3(mn_sub3(mn_pose_rest(&p, x), rest)), 1e-13);
            }
        }
        assert_false(mn_motion_is_still(m));
        mn_motion_destroy(c, &m);
        assert_null(m);
    }
    test_context_end(&c);
}

static void poses_pass_through_the_keys(void **state)
{
    (void)state;
    mn_context   *c = test_context(1);
    mn_motion_def d = mn_motion_def_default();
    d.keys          = keys;
    d.key_count     = 4;
    d.pivot[1]      = 2.0;
    mn_motion *m;
    assert_int_equal(mn_motion_create(c, &d, &m), MN_OK);
    for (int k = 0; k < 4; k++)
        for (int side = -1; side <= 1; side++) {
            const mn_pose p    = mn_motion_pose(m, keys[k].time + 1e-12 * side);
            const mn_mat3 turn = mn_rotation3(mn_unit3(mn_v3_from(keys[k].axis), mn_v3(0, 1, 0)), keys[k].angle);
            const mn_vec3 rest = { 1, 0, 0 }, pivot = { 0, 2, 0 };
            const mn_vec3 want = mn_add3(mn_add3(pivot, mn_mul3(turn, mn_sub3(rest, pivot))),
                                         mn_v3_from(keys[k].translate));
            assert_less(mn_norm3(mn_sub3(mn_pose_point(&p, rest), want)), 1e-9);
        }
    const mn_pose first = mn_motion_pose(m, -5.0), last = mn_motion_pose(m, 50.0);
    assert_true(mn_norm3(first.linear) == 0.0 && mn_norm3(last.linear) == 0.0 && mn_norm3(last.angular) == 0.0);
    // Half-way to nine radians about z is four and a half: whole turns are kept.
    const mn_pose half = mn_motion_pose(m, 0.75);
    assert_near(half.angular.z, 18.0, 1e-12);
    assert_near(half.rotation.row[0].x, cos(4.5), 1e-12);
    mn_motion_destroy(c, &m);
    test_context_end(&c);
}

static void smooth_motion_rests_at_every_key(void **state)
{
    (void)state;
    mn_context   *c = test_context(1);
    mn_motion_def d = mn_motion_def_default();
    d.keys          = keys;
    d.key_count     = 4;
    d.ease          = MN_EASE_SMOOTH;
    mn_motion *m;
    assert_int_equal(mn_motion_create(c, &d, &m), MN_OK);
    for (int k = 0; k < 4; k++)
        for (int side = -1; side <= 1; side++) {
            const mn_pose p = mn_motion_pose(m, keys[k].time + 1e-9 * side);
            assert_less(mn_norm3(p.linear) + mn_norm3(p.angular), 1e-6);
        }
    mn_motion_destroy(c, &m);
    test_context_end(&c);
}

static void still_motions_are_known(void **state)
{
    (void)state;
    mn_context   *c = test_context(1);
    mn_motion_def d = mn_motion_def_default();
    mn_motion    *m;
    assert_true(mn_motion_is_still(NULL));
    const mn_pose none = mn_motion_pose(NULL, 3.0);
    assert_true(none.rotation.row[1].y == 1.0 && mn_norm3(none.translation) == 0.0 && mn_norm3(none.angular) == 0.0);
    assert_int_equal(mn_motion_create(c, &d, &m), MN_OK);
    assert_true(mn_motion_is_still(m));
    mn_motion_destroy(c, &m);
    const mn_motion_key same[2] = { keys[1], { 2.0, { 1, 0, 2 }, { 0, 0, 1 }, 9.0 } };
    d.keys                      = same;
    d.key_count                 = 2;
    assert_int_equal(mn_motion_create(c, &d, &m), MN_OK);
    assert_true(mn_motion_is_still(m));
    mn_motion_destroy(c, &m);
    d.amplitude[0] = 1.0, d.frequency = 2.0;
    assert_int_equal(mn_motion_create(c, &d, &m), MN_OK);
    assert_false(mn_motion_is_still(m));
    mn_motion_destroy(c, &m);
    test_context_end(&c);
}

static void expect_refusal(mn_context *c, const mn_motion_def *d, const char *word)
{
    mn_motion *m = NULL;
    assert_int_equal(mn_motion_create(c, d, &m), MN_ERR_ARGUMENT);
    assert_null(m);
    if (strstr(mn_context_error(c), word) == NULL) fail_msg("'%s' does not mention '%s'", mn_context_error(c), word);
}

static void bad_definitions_are_refused(void **state)
{
    (void)state;
    mn_context   *c      = test_context(1);
    mn_motion_def d      = mn_motion_def_default();
    mn_motion_key bad[2] = { keys[1], keys[1] };
    d.keys               = bad;
    d.key_count          = 2;
    expect_refusal(c, &d, "keys[1]: the times of 'keys' must rise");
    bad[1].time    = 4.0;
    bad[1].axis[2] = 0.0;
    expect_refusal(c, &d, "keys[1].rotate.axis");
    bad[1]              = keys[2];
    bad[1].translate[0] = NAN;
    expect_refusal(c, &d, "keys[1].translate[0]");
    d.key_count = 0;
    d.spin[2]   = INFINITY;
    expect_refusal(c, &d, "spin[2]");
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_are_derivatives),       cmocka_unit_test(poses_pass_through_the_keys),
        cmocka_unit_test(smooth_motion_rests_at_every_key), cmocka_unit_test(still_motions_are_known),
        cmocka_unit_test(bad_definitions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
