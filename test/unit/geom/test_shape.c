// SPDX-License-Identifier: MPL-2.0
// Distances are exact: right sign, zero on the surface, slope one, and the closest point really is on the surface.
#include "testing.h"

#include "base/memory.h"
#include "base/random.h"
#include "geom/shape.h"

#include <string.h>

static mn_vec3 random_point(uint64_t k, double reach)
{
    return mn_v3(reach * (2.0 * mn_random(1, k, 0, 0) - 1.0), reach * (2.0 * mn_random(1, k, 0, 1) - 1.0),
                 reach * (2.0 * mn_random(1, k, 0, 2) - 1.0));
}

static mn_shape_def oblique(mn_shape_kind kind)
{
    mn_shape_def d = mn_shape_def_default(kind);
    d.center[0] = 0.3, d.center[1] = -0.2, d.center[2] = 0.5;
    d.axis[0] = 1.0, d.axis[1] = 2.0, d.axis[2] = -0.5;
    d.size[0] = 1.5, d.size[1] = 0.7, d.size[2] = 2.1;
    d.radius[0] = 1.1, d.radius[1] = 0.4;
    d.height = 1.7;
    return d;
}

/// Whether x is inside, written from the definition of each solid and not from its distance.
static bool inside(const mn_shape_def *d, mn_vec3 x)
{
    const mn_vec3 f = mn_sub3(x, mn_v3_from(d->center)), n = mn_unit3(mn_v3_from(d->axis), mn_v3(0, 1, 0));
    const double  z = mn_dot3(f, n), r = mn_norm3(mn_cross3(f, n)), h = 0.5 * d->height;
    switch (d->kind) {
    case MN_SHAPE_BOX:
        return fabs(f.x) < 0.5 * d->size[0] && fabs(f.y) < 0.5 * d->size[1] && fabs(f.z) < 0.5 * d->size[2];
    case MN_SHAPE_SPHERE: return mn_dot3(f, f) < d->radius[0] * d->radius[0];
    case MN_SHAPE_CYLINDER: return fabs(z) < h && r < d->radius[0];
    case MN_SHAPE_CAPSULE: {
        const double end = fabs(z) > h ? fabs(z) - h : 0.0;
        return r * r + end * end < d->radius[0] * d->radius[0];
    }
    case MN_SHAPE_CONE: return fabs(z) < h && r < d->radius[0] + (d->radius[1] - d->radius[0]) * (z + h) / d->height;
    case MN_SHAPE_TORUS: return (r - d->radius[0]) * (r - d->radius[0]) + z * z < d->radius[1] * d->radius[1];
    case MN_SHAPE_PLANE: return z < 0.0;
    default: return false;
    }
}

static const mn_shape_kind simple[] = { MN_SHAPE_BOX,  MN_SHAPE_SPHERE, MN_SHAPE_CAPSULE, MN_SHAPE_CYLINDER,
                                        MN_SHAPE_CONE, MN_SHAPE_TORUS,  MN_SHAPE_DISC,    MN_SHAPE_PLANE };
#define SIMPLE_COUNT ((int)(sizeof simple / sizeof simple[0]))

/// A value with the right sign, slope at most one, and zero at x - d g is the distance and nothing else.
static void check_is_distance(const mn_shape *s, const mn_shape_def *def)
{
    for (uint64_t k = 0; k < 4000; k++) {
        const mn_vec3 x = random_point(k, 2.5), y = random_point(k + 77777, 2.5);
        mn_vec3       g, gy;
        const double  d = mn_shape_normal(s, x, &g), dy = mn_shape_normal(s, y, &gy);
        assert_true(d == mn_shape_at(s, x));
        assert_near(mn_norm3(g), 1.0, 1e-12);
        if (def->kind != MN_SHAPE_DISC) assert_true((d < 0.0) == inside(def, x));
        assert_true(fabs(d - dy) <= mn_norm3(mn_sub3(x, y)) + 1e-12);
        assert_near(mn_shape_at(s, mn_sub3(x, mn_scale3(d, g))), 0.0, 1e-12);
        assert_true(mn_shape_bound(s, x) <= fabs(d) + 1e-12);
        const double e = 1e-6;
        assert_near(mn_shape_at(s, mn_add3(x, mn_scale3(e, g))), d + e, 1e-9);
    }
}

static void simple_solids_have_exact_distances(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    for (int k = 0; k < SIMPLE_COUNT; k++) {
        for (int swap = 0; swap < 2; swap++) {
            mn_shape_def def = oblique(simple[k]);
            if (swap && simple[k] == MN_SHAPE_CONE) def.radius[0] = 0.0, def.radius[1] = 1.3;
            mn_shape *s = NULL;
            assert_int_equal(mn_shape_create(c, &def, &s), MN_OK);
            assert_int_equal(mn_shape_kind_of(s), simple[k]);
            check_is_distance(s, &def);
            mn_shape_release(&s);
            assert_null(s);
        }
    }
    test_context_end(&c);
}

static void known_values(void **state)
{
    (void)state;
    mn_context  *c   = test_context(1);
    mn_shape_def def = mn_shape_def_default(MN_SHAPE_CYLINDER);  // radius 1, height 1, along y
    mn_shape    *s;
    assert_int_equal(mn_shape_create(c, &def, &s), MN_OK);
    assert_near(mn_shape_distance(s, (double[3]){ 0, 0, 0 }), -0.5, 1e-15);
    assert_near(mn_shape_distance(s, (double[3]){ 4, 4.5, 0 }), 5.0, 1e-15);
    assert_near(mn_shape_distance(s, (double[3]){ 0.9, 0.1, 0 }), -0.1, 1e-15);
    mn_shape_release(&s);
    def.kind = MN_SHAPE_DISC;
    assert_int_equal(mn_shape_create(c, &def, &s), MN_OK);
    assert_near(mn_shape_distance(s, (double[3]){ 0.5, -0.25, 0 }), 0.25, 1e-15);
    assert_near(mn_shape_distance(s, (double[3]){ 4, 4, 0 }), 5.0, 1e-15);
    mn_shape_release(&s);
    test_context_end(&c);
}

static void bounds_hold_the_solid_tightly(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    for (int k = 0; k < SIMPLE_COUNT; k++) {
        const mn_shape_def def = oblique(simple[k]);
        mn_shape          *s;
        assert_int_equal(mn_shape_create(c, &def, &s), MN_OK);
        double low[3], high[3], seen_low[3] = { 9, 9, 9 }, seen_high[3] = { -9, -9, -9 };
        mn_shape_bounds(s, low, high);
        if (simple[k] == MN_SHAPE_PLANE) {
            for (int a = 0; a < 3; a++) assert_true(low[a] == -INFINITY && high[a] == INFINITY);
            mn_shape_release(&s);
            continue;
        }
        for (uint64_t i = 0; i < 40000; i++) {  // points of the surface
            const mn_vec3 x = random_point(i, 6.0);
            mn_vec3       g;
            const double  d = mn_shape_normal(s, x, &g);
            if (d < 0.0) continue;
            const mn_vec3 p = mn_sub3(x, mn_scale3(d, g));
            for (int a = 0; a < 3; a++) {
                seen_low[a]  = fmin(seen_low[a], mn_get3(p, a));
                seen_high[a] = fmax(seen_high[a], mn_get3(p, a));
            }
        }
        for (int a = 0; a < 3; a++) {
            assert_true(seen_low[a] >= low[a] - 1e-12 && seen_high[a] <= high[a] + 1e-12);
            assert_near(seen_low[a], low[a], 0.03);
            assert_near(seen_high[a], high[a], 0.03);
        }
        mn_shape_release(&s);
    }
    test_context_end(&c);
}

static mn_shape *set_of(mn_context *c, mn_shape_kind kind, mn_shape *a, mn_shape *b)
{
    mn_shape    *parts[2] = { a, b }, *s = NULL;
    mn_shape_def def = mn_shape_def_default(kind);
    def.parts        = parts;
    def.part_count   = 2;
    assert_int_equal(mn_shape_create(c, &def, &s), MN_OK);
    return s;
}

static void sets_have_the_right_sign_and_stay_below_the_distance(void **state)
{
    (void)state;
    mn_context  *c = test_context(1);
    mn_shape_def a = oblique(MN_SHAPE_BOX), b = oblique(MN_SHAPE_SPHERE);
    b.center[0] = 1.0;
    mn_shape *sa, *sb;
    assert_int_equal(mn_shape_create(c, &a, &sa), MN_OK);
    assert_int_equal(mn_shape_create(c, &b, &sb), MN_OK);
    const mn_shape_kind kinds[3] = { MN_SHAPE_UNION, MN_SHAPE_INTERSECTION, MN_SHAPE_DIFFERENCE };
    for (int k = 0; k < 3; k++) {
        mn_shape *s = set_of(c, kinds[k], sa, sb);
        for (uint64_t i = 0; i < 4000; i++) {
            const mn_vec3 x = random_point(i, 2.0), y = random_point(i + 5000, 2.0);
            const bool    in_a = inside(&a, x), in_b = inside(&b, x);
            const bool    in = k == 0 ? in_a || in_b : k == 1 ? in_a && in_b : in_a && !in_b;
            mn_vec3       g;
            const double  d = mn_shape_normal(s, x, &g);
            assert_true((d < 0.0) == in);
            assert_near(mn_norm3(g), 1.0, 1e-12);
            // A value of slope one that vanishes on the surface is never above the distance to it.
            assert_true(fabs(d - mn_shape_at(s, y)) <= mn_norm3(mn_sub3(x, y)) + 1e-12);
            assert_near(mn_shape_at(s, mn_add3(x, mn_scale3(1e-7, g))), d + 1e-7, 1e-12);
        }
        mn_shape_release(&s);
    }
    mn_shape_release(&sa);
    mn_shape_release(&sb);
    test_context_end(&c);
}

static void a_placed_shape_is_turned_then_moved(void **state)
{
    (void)state;
    mn_context        *c   = test_context(1);
    const mn_shape_def def = oblique(MN_SHAPE_CONE);
    mn_shape          *s, *placed;
    assert_int_equal(mn_shape_create(c, &def, &s), MN_OK);
    const double axis[3] = { 1, 1, 0 }, at[3] = { 3, -1, 2 };
    assert_int_equal(mn_shape_placed(c, s, axis, 0.8, at, &placed), MN_OK);
    const mn_mat3 r = mn_rotation3(mn_unit3(mn_v3_from(axis), mn_v3(0, 1, 0)), 0.8);
    double        low[3], high[3];
    mn_shape_bounds(placed, low, high);
    for (uint64_t k = 0; k < 500; k++) {
        const mn_vec3 rest = random_point(k, 2.0), x = mn_add3(mn_mul3(r, rest), mn_v3_from(at));
        mn_vec3       g, gr;
        assert_near(mn_shape_normal(placed, x, &g), mn_shape_normal(s, rest, &gr), 1e-13);
        assert_near(mn_norm3(mn_sub3(g, mn_mul3(r, gr))), 0.0, 1e-12);
        if (mn_shape_at(placed, x) < 0.0)
            for (int a = 0; a < 3; a++) assert_true(mn_get3(x, a) >= low[a] && mn_get3(x, a) <= high[a]);
    }
    assert_int_equal(mn_shape_kind_of(placed), MN_SHAPE_CONE);
    assert_true(mn_shape_hash(placed) != mn_shape_hash(s));
    mn_shape_release(&s);
    assert_true(isfinite(mn_shape_distance(placed, at)));  // keeps what it needs
    mn_shape_release(&placed);
    test_context_end(&c);
}

static void hashes_follow_what_defines_a_shape(void **state)
{
    (void)state;
    mn_context  *c   = test_context(1);
    mn_shape_def def = oblique(MN_SHAPE_CAPSULE);
    mn_shape    *a, *b, *d;
    assert_int_equal(mn_shape_create(c, &def, &a), MN_OK);
    def.size[0] = 99.0;  // not a member of a capsule
    assert_int_equal(mn_shape_create(c, &def, &b), MN_OK);
    def.height += 1e-9;
    assert_int_equal(mn_shape_create(c, &def, &d), MN_OK);
    assert_true(mn_shape_hash(a) == mn_shape_hash(b));
    assert_true(mn_shape_hash(a) != mn_shape_hash(d));
    mn_shape_release(&a);
    mn_shape_release(&b);
    mn_shape_release(&d);
    test_context_end(&c);
}

static void expect_refusal(mn_context *c, const mn_shape_def *def, const char *word)
{
    mn_shape *s = NULL;
    assert_int_equal(mn_shape_create(c, def, &s), MN_ERR_ARGUMENT);
    assert_null(s);
    if (strstr(mn_context_error(c), word) == NULL) fail_msg("'%s' does not mention '%s'", mn_context_error(c), word);
}

static void bad_definitions_are_refused_with_a_sentence(void **state)
{
    (void)state;
    mn_context   *c      = test_context(1);
    const int64_t before = mn_context_memory(c).blocks_now;
    mn_shape_def  d      = mn_shape_def_default(MN_SHAPE_SPHERE);
    d.radius[0]          = -1.0;
    expect_refusal(c, &d, "sphere: radius is -1");
    d.radius[0] = NAN;
    expect_refusal(c, &d, "radius is nan");
    d         = mn_shape_def_default(MN_SHAPE_BOX);
    d.size[1] = 0.0;
    expect_refusal(c, &d, "box: size");
    d         = mn_shape_def_default(MN_SHAPE_PLANE);
    d.axis[1] = 0.0;
    expect_refusal(c, &d, "plane: normal is (0, 0, 0); it is a direction and must not be zero");
    d           = mn_shape_def_default(MN_SHAPE_CYLINDER);
    d.center[2] = INFINITY;
    expect_refusal(c, &d, "center[2]");
    d           = mn_shape_def_default(MN_SHAPE_CONE);
    d.radius[0] = d.radius[1] = 0.0;
    expect_refusal(c, &d, "only one 'radius' of a cone may be 0");
    d           = mn_shape_def_default(MN_SHAPE_TORUS);
    d.radius[1] = 2.0;
    expect_refusal(c, &d, "tube");
    d = mn_shape_def_default(MN_SHAPE_UNION);
    expect_refusal(c, &d, "part");
    d = mn_shape_def_default(MN_SHAPE_MESH);
    expect_refusal(c, &d, "file");
    d.kind = (mn_shape_kind)77;
    expect_refusal(c, &d, "kind is 77");
    assert_int_equal(mn_context_memory(c).blocks_now, before);
    test_context_end(&c);
}

static void parts_apart_and_nests_too_deep_are_refused(void **state)
{
    (void)state;
    mn_context   *c      = test_context(1);
    const int64_t before = mn_context_memory(c).blocks_now;
    mn_shape_def  d      = mn_shape_def_default(MN_SHAPE_SPHERE);
    mn_shape     *parts[2];
    assert_int_equal(mn_shape_create(c, &d, &parts[0]), MN_OK);
    d.center[0] = 10.0;
    assert_int_equal(mn_shape_create(c, &d, &parts[1]), MN_OK);
    d            = mn_shape_def_default(MN_SHAPE_INTERSECTION);
    d.parts      = parts;
    d.part_count = 2;
    expect_refusal(c, &d, "nothing is left");
    mn_shape *deep   = mn_shape_retain(parts[0]);
    mn_status status = MN_OK;
    int       depth  = 0;
    while (status == MN_OK && depth < 1000) {
        mn_shape    *next    = NULL;
        const double axis[3] = { 0, 1, 0 }, at[3] = { 0, 0, 0 };
        status = mn_shape_placed(c, deep, axis, 0.1, at, &next);
        mn_shape_release(&deep);
        deep = next;
        depth++;
    }
    assert_int_equal(status, MN_ERR_ARGUMENT);
    assert_true(depth > 32 && depth < 1000);
    mn_shape_release(&deep);
    mn_shape_release(&parts[0]);
    mn_shape_release(&parts[1]);
    assert_int_equal(mn_context_memory(c).blocks_now, before);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple_solids_have_exact_distances),
        cmocka_unit_test(known_values),
        cmocka_unit_test(bounds_hold_the_solid_tightly),
        cmocka_unit_test(sets_have_the_right_sign_and_stay_below_the_distance),
        cmocka_unit_test(a_placed_shape_is_turned_then_moved),
        cmocka_unit_test(hashes_follow_what_defines_a_shape),
        cmocka_unit_test(bad_definitions_are_refused_with_a_sentence),
        cmocka_unit_test(parts_apart_and_nests_too_deep_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
