// SPDX-License-Identifier: MPL-2.0
// Points that touch solids: the law of one touch, and loose points, of no matter at all, on a slope.
#include "testing.h"

#include "base/random.h"
#include "contact/hold.h"
#include "contact/settle.h"

#include <string.h>

#define DT 1e-3

/// Three numbers in [-1/2, 1/2).
static mn_vec3 any_vector(int k, int lane)
{
    return mn_v3(mn_random(7, (uint64_t)k, (uint64_t)lane, 0) - 0.5, mn_random(7, (uint64_t)k, (uint64_t)lane, 1) - 0.5,
                 mn_random(7, (uint64_t)k, (uint64_t)lane, 2) - 0.5);
}

static mn_touch made_touch(int k)
{
    mn_touch t         = { .stiffness = 6e5,
                           .friction  = 0.4,
                           .depth     = 0.02 * (any_vector(k, 0).x + 0.2),
                           .drift     = any_vector(k, 1) };
    t.normal           = mn_unit3(any_vector(k, 2), mn_v3(0, 1, 0));
    const mn_vec3 slip = mn_scale3(0.004, any_vector(k, 3));
    t.anchor           = mn_sub3(slip, mn_scale3(mn_dot3(slip, t.normal), t.normal));
    return t;
}

/// With the bound held the answer is minus a gradient: its derivative is symmetric and no direction gains. Checked by
/// differences, away from the kinks; friction keeps to its bound and never drives.
static void a_touch_answers_as_its_curvature_says(void **state)
{
    (void)state;
    int seen[3] = { 0 }, checked = 0;
    for (int k = 0; k < 2000; k++) {
        const mn_touch base = made_touch(k);
        const mn_vec3  u = mn_scale3(20.0, any_vector(k, 4)), p = mn_scale3(20.0, any_vector(k, 5));
        mn_touch       here, low, high;
        mn_touch_at(&base, u, -1.0, DT, &here);
        seen[here.state]++;
        const mn_vec3 rub = mn_sub3(here.answer, mn_scale3(here.press, base.normal));
        assert_true(mn_norm3(rub) <= base.friction * here.press * (1.0 + 1e-9) + 1e-12);
        const double step = 1e-6;
        mn_touch_at(&here, mn_sub3(u, mn_scale3(step, p)), here.bound, DT, &low);
        mn_touch_at(&here, mn_add3(u, mn_scale3(step, p)), here.bound, DT, &high);
        if (low.state != here.state || high.state != here.state || (low.press > 0.0) != (high.press > 0.0)) continue;
        const double slope     = -mn_dot3(mn_sub3(high.answer, low.answer), p) / (2.0 * step),
                     curvature = mn_touch_curvature(&here, p, DT);
        assert_true(curvature >= 0.0);
        assert_near(slope, curvature, 1e-5 * (1.0 + curvature));
        checked++;
    }
    assert_true(checked > 1500 && seen[MN_TOUCH_APART] > 100 && seen[MN_TOUCH_STICKS] > 20 &&
                seen[MN_TOUCH_SLIDES] > 100);
}

/// Points of 1 g that nothing ties to each other: (m + P) u = m (u + h g) + impulses of the touches, each by itself.
#define POINTS 2
typedef struct slope {
    mn_touches    touches;
    const double *driven;  // momentum without touches
    double        u[3 * POINTS];
} slope;

/// Symmetric 3 x 3, (xx, yy, zz, yz, xz, xy) and a mass on its diagonal.
static void solve_point(double mass, const double p[6], const double b[3], double u[3])
{
    const mn_vec3 x = mn_v3(mass + p[0], p[5], p[4]), y = mn_v3(p[5], mass + p[1], p[3]),
                  z = mn_v3(p[4], p[3], mass + p[2]), v = mn_v3(b[0], b[1], b[2]);
    const double volume = mn_dot3(x, mn_cross3(y, z));
    u[0]                = mn_dot3(v, mn_cross3(y, z)) / volume;
    u[1]                = mn_dot3(x, mn_cross3(v, z)) / volume;
    u[2]                = mn_dot3(x, mn_cross3(y, v)) / volume;
}

static mn_status solve_once(double ease, void *context, bool *usable)
{
    slope *s                = context;
    double hold[6 * POINTS] = { 0.0 }, impulse[3 * POINTS];
    memcpy(impulse, s->driven, sizeof impulse);
    mn_touch_apply(&s->touches, DT, impulse, hold);
    for (int k = 0; k < POINTS; k++) solve_point(1.0, hold + 6 * k, impulse + 3 * k, s->u + 3 * k);
    *usable = ease > 0.0;
    return MN_OK;
}

/// Below the angle of friction a point stays, above it slides as it should; where nothing of its own is said of
/// friction, it is the caller's to set.
static void loose_points_stick_and_slide_on_a_slope(void **state)
{
    (void)state;
    static const double friction[POINTS] = { 0.7, 0.2 };
    const double        angle = 0.5, g = 981.0;
    const mn_vec3       normal = mn_v3(-sin(angle), cos(angle), 0.0), down = mn_v3(-cos(angle), -sin(angle), 0.0);
    mn_context         *c = test_context(1);
    mn_arena           *arena;
    mn_shape_def        def   = mn_shape_def_default(MN_SHAPE_PLANE);
    mn_solid            plane = { .pose = mn_motion_pose(NULL, 0.0), .friction = -1.0 };
    mn_shape           *shape;
    def.axis[0] = normal.x, def.axis[1] = normal.y, def.axis[2] = 0.0;
    assert_int_equal(mn_shape_create(c, &def, &shape), MN_OK);
    assert_int_equal(mn_arena_create(c, &arena), MN_OK);
    plane.shape                         = shape;
    mn_vec3           x[POINTS]         = { mn_scale3(0.05, normal), mn_add3(mn_scale3(0.05, normal), mn_v3(0, 0, 1)) };
    double            anchor[3][POINTS] = { { 0.0 } }, *anchors[3] = { anchor[0], anchor[1], anchor[2] };
    double            velocity[3 * POINTS] = { 0.0 }, driven[3 * POINTS];
    int32_t           touched[POINTS]      = { 0 };
    const double      volume[POINTS]       = { 0.001, 0.001 };
    const uint8_t     pinned[POINTS]       = { 0, 0 };
    const mn_touching points               = { .context = c,
                                               .count   = POINTS,
                                               .x       = x,
                                               .pinned  = pinned,
                                               .volume  = volume,
                                               .cell    = 0.2,
                                               .touched = touched,
                                               .anchor  = anchors };
    const mn_vec3     start                = x[1];
    const int         steps                = 300;
    for (int k = 0; k < steps; k++) {
        slope         s    = { .driven = driven };
        const mn_step step = { .arena = arena, .solids = { &plane, 1 }, .dt = DT };
        assert_int_equal(mn_arena_reset(arena), MN_OK);
        for (int i = 0; i < 3 * POINTS; i++) driven[i] = velocity[i] - (i % 3 == 1 ? DT * g : 0.0);
        assert_int_equal(mn_touch_find(&points, &step, 1.0, &s.touches), MN_OK);
        assert_int_equal(s.touches.count, POINTS);
        for (int i = 0; i < POINTS; i++) {
            assert_true(s.touches.list[i].friction < 0.0);
            s.touches.list[i].friction = friction[s.touches.list[i].point];
        }
        mn_touch_update(&s.touches, velocity, DT);
        const mn_settling of = { .touches = &s.touches, .velocity = s.u };
        assert_int_equal(mn_settle(&of, 1, DT, 1e-6, solve_once, &s), MN_OK);
        mn_touch_keep(&points, &s.touches, step.solids, s.u, DT);
        memcpy(velocity, s.u, sizeof velocity);
        for (int i = 0; i < POINTS; i++) {
            assert_int_equal(touched[i], 1);
            x[i] = mn_add3(x[i], mn_scale3(DT, mn_v3(velocity[3 * i], velocity[3 * i + 1], velocity[3 * i + 2])));
        }
    }
    const double time = steps * DT, slid = mn_dot3(mn_sub3(x[1], start), down),
                 law   = 0.5 * g * (sin(angle) - friction[1] * cos(angle)) * time * time;
    const double crept = mn_norm3(mn_sub3(x[0], mn_scale3(mn_dot3(x[0], normal), normal)));
    print_message("stuck point crept %.2g cm, the other slid %.4g of %.4g cm\n", crept, slid, law);
    assert_less(crept, 0.02);
    assert_near(slid / law, 1.0, 0.02);
    mn_shape_release(&shape);
    mn_arena_destroy(&arena);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_touch_answers_as_its_curvature_says),
        cmocka_unit_test(loose_points_stick_and_slide_on_a_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
