// SPDX-License-Identifier: MPL-2.0
// Weft fields from a few given directions.
#include "testing.h"

#include "stain/weave/weft.h"
#include "verify/stain/stain_meshes.h"

#include <stdlib.h>
#include <string.h>

typedef struct cloth {
    mn_context       *c;
    mn_arena         *arena;
    mn_stain_mesh     mesh;
    mn_stain_surface *s;
    double           *angle;
    int32_t          *patch;
} cloth;

static cloth cloth_make(void)
{
    const mn_stain_square_def def = { .nx        = 21,
                                      .ny        = 21,
                                      .spacing   = 1.0,
                                      .jitter    = 0.3,
                                      .diagonals = MN_DIAGONALS_RANDOM,
                                      .seed      = 2 };
    cloth                     q   = { .c = test_context(2) };
    assert_int_equal(mn_arena_create(q.c, &q.arena), MN_OK);
    assert_int_equal(mn_stain_mesh_square(q.c, &def, &q.mesh), MN_OK);
    assert_int_equal(mn_stain_mesh_surface(q.c, &q.mesh, &q.s), MN_OK);
    q.angle = malloc((size_t)q.mesh.triangle_count * sizeof *q.angle);
    q.patch = calloc((size_t)q.mesh.triangle_count, sizeof *q.patch);
    return q;
}

static void cloth_end(cloth *q)
{
    free(q->angle);
    free(q->patch);
    mn_stain_surface_destroy(&q->s);
    mn_stain_mesh_free(q->c, &q->mesh);
    mn_arena_destroy(&q->arena);
    test_context_end(&q->c);
}

/// Angle of the weft of a triangle against the x axis of the plane.
static double plane_angle(const cloth *q, int64_t t)
{
    return remainder(q->angle[t] - mn_stain_mesh_angle(&q->mesh, t), 2.0 * MN_PI);
}

static void one_direction_fills_a_flat_cloth(void **state)
{
    (void)state;
    cloth                    q = cloth_make();
    const mn_stain_direction d = { 17, mn_v3(cos(0.4), sin(0.4), 3.0) };  // what stands on the cloth does not count
    assert_int_equal(mn_stain_weft(q.s, q.mesh.x, NULL, 1, &d, q.angle, q.arena), MN_OK);
    for (int64_t t = 0; t < q.mesh.triangle_count; t++) assert_near(plane_angle(&q, t), 0.4, 1e-8);
    cloth_end(&q);
}

static void directions_in_between_turn_smoothly(void **state)
{
    (void)state;
    cloth              q = cloth_make();
    mn_stain_direction d[80];
    int                n = 0;
    for (int64_t t = 0; t < q.mesh.triangle_count; t++) {
        const int64_t column = t / 2 % 20;
        if (column == 0) d[n++] = (mn_stain_direction){ (int32_t)t, mn_v3(1.0, 0.0, 0.0) };
        if (column == 19) d[n++] = (mn_stain_direction){ (int32_t)t, mn_v3(cos(0.6), sin(0.6), 0.0) };
    }
    assert_int_equal(mn_stain_weft(q.s, q.mesh.x, NULL, n, d, q.angle, q.arena), MN_OK);
    for (int64_t t = 0; t < q.mesh.triangle_count; t++) {
        double x = 0.0;
        for (int k = 0; k < 3; k++) x += q.mesh.x[q.mesh.triangle[t][k]].x / 3.0;
        if (fabs(x) < 8.5) assert_near(plane_angle(&q, t), 0.3 + 0.3 * x / 9.0, 0.02);
    }
    cloth_end(&q);
}

static void several_directions_hold_where_they_are_given(void **state)
{
    (void)state;
    cloth              q        = cloth_make();
    const double       angle[4] = { 0.1, 0.5, -0.3, 0.9 };
    const int32_t      at[4]    = { 2 * (3 * 20 + 3), 2 * (3 * 20 + 16), 2 * (16 * 20 + 3), 2 * (16 * 20 + 16) };
    mn_stain_direction d[4];
    for (int k = 0; k < 4; k++)
        d[k] = (mn_stain_direction){ at[k], mn_v3(2.0 * cos(angle[k]), 2.0 * sin(angle[k]), 0.0) };
    assert_int_equal(mn_stain_weft(q.s, q.mesh.x, NULL, 4, d, q.angle, q.arena), MN_OK);
    for (int k = 0; k < 4; k++) assert_near(plane_angle(&q, at[k]), angle[k], 1e-12);
    double least = INFINITY, most = -INFINITY, jump = 0.0;
    for (int64_t t = 0; t < q.mesh.triangle_count; t++) {
        least = fmin(least, plane_angle(&q, t)), most = fmax(most, plane_angle(&q, t));
        for (int k = 0; k < 3; k++)
            if (q.s->across[t][k] >= 0)
                jump = fmax(jump,
                            fabs(remainder(plane_angle(&q, t) - plane_angle(&q, q.s->across[t][k] / 3), 2.0 * MN_PI)));
    }
    assert_true(least > -0.3 - 1e-9 && most < 0.9 + 1e-9);  // no turns that nobody asked for
    assert_less(jump, 0.25);
    for (int k = 0; k < 4; k++) d[k].along = mn_v3(cos(0.7), sin(0.7), 0.0);
    assert_int_equal(mn_stain_weft(q.s, q.mesh.x, NULL, 4, d, q.angle, q.arena), MN_OK);
    for (int64_t t = 0; t < q.mesh.triangle_count; t++) assert_near(plane_angle(&q, t), 0.7, 1e-8);
    cloth_end(&q);
}

#define AROUND 24
#define HIGH   12

/// A cylinder can be unrolled: a direction carried along it keeps its angle to the axis, all the way round.
static void cylinders_carry_directions_in_parallel(void **state)
{
    (void)state;
    mn_vec3           x[AROUND * HIGH];
    int32_t           triangle[2 * AROUND * (HIGH - 1)][3];
    double            angle[2 * AROUND * (HIGH - 1)];
    mn_context       *c = test_context(1);
    mn_arena         *arena;
    mn_stain_surface *s;
    int               n = 0;
    for (int v = 0; v < AROUND * HIGH; v++) {
        const double turn = 2.0 * MN_PI * (v % AROUND) / AROUND;
        x[v]              = mn_v3(3.0 * cos(turn), 0.5 * (v / AROUND), -3.0 * sin(turn));
    }
    for (int v = 0; v < AROUND * (HIGH - 1); v++) {
        const int32_t a = v, b = v / AROUND * AROUND + (v + 1) % AROUND, up = AROUND;
        const int32_t two[2][3] = { { a, b, b + up }, { a, b + up, a + up } };
        for (int k = 0; k < 2; k++) memcpy(triangle[n++], two[k], sizeof two[k]);
    }
    assert_int_equal(mn_arena_create(c, &arena), MN_OK);
    assert_int_equal(mn_stain_surface_create(c, AROUND * HIGH, x, n, (const int32_t(*)[3])triangle, &s), MN_OK);
    const int     given        = 2 * (5 * AROUND + 7);
    const mn_vec3 side         = mn_unit3(mn_sub3(x[triangle[given][1]], x[triangle[given][0]]), mn_v3(1.0, 0.0, 0.0));
    const mn_stain_direction d = { given, mn_add3(mn_scale3(sin(0.6), side), mn_v3(0.0, cos(0.6), 0.0)) };
    assert_int_equal(mn_stain_weft(s, x, NULL, 1, &d, angle, arena), MN_OK);
    for (int t = 0; t < n; t++) {
        const mn_vec3 e      = mn_unit3(mn_sub3(x[triangle[t][1]], x[triangle[t][0]]), mn_v3(1.0, 0.0, 0.0)),
                      f      = mn_sub3(x[triangle[t][2]], x[triangle[t][0]]);
        const mn_vec3 across = mn_unit3(mn_sub3(f, mn_scale3(mn_dot3(e, f), e)), mn_v3(0.0, 1.0, 0.0));
        assert_near(mn_add3(mn_scale3(cos(angle[t]), e), mn_scale3(sin(angle[t]), across)).y, cos(0.6), 1e-8);
    }
    mn_stain_surface_destroy(&s);
    mn_arena_destroy(&arena);
    test_context_end(&c);
}

static void patches_have_wefts_of_their_own(void **state)
{
    (void)state;
    cloth q = cloth_make();
    for (int64_t t = 0; t < q.mesh.triangle_count; t++) q.patch[t] = t / 2 % 20 < 10 ? 3 : 8;
    const mn_stain_direction d[2] = { { 2, mn_v3(0.0, 1.0, 0.0) }, { 2 * 15, mn_v3(1.0, 0.0, 0.0) } };
    assert_int_equal(mn_stain_weft(q.s, q.mesh.x, q.patch, 2, d, q.angle, q.arena), MN_OK);
    for (int64_t t = 0; t < q.mesh.triangle_count; t++)
        assert_near(plane_angle(&q, t), q.patch[t] == 3 ? 0.5 * MN_PI : 0.0, 1e-8);
    assert_int_equal(mn_stain_weft(q.s, q.mesh.x, q.patch, 1, d, q.angle, q.arena), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(q.c), "patch 8"));
    const mn_stain_direction up[2] = { { 2, mn_v3(0.0, 0.0, 1.0) }, d[1] };
    assert_int_equal(mn_stain_weft(q.s, q.mesh.x, q.patch, 2, up, q.angle, q.arena), MN_ERR_ARGUMENT);
    cloth_end(&q);
}

static void places_without_direction_are_reported(void **state)
{
    (void)state;
    cloth                    q    = cloth_make();
    const mn_stain_direction d[2] = { { 0, mn_v3(1.0, 0.0, 0.0) },
                                      { 799, mn_v3(-1.0, 0.0, 0.0) } };  // opposite corners, opposite wefts
    assert_int_equal(mn_stain_weft(q.s, q.mesh.x, NULL, 2, d, q.angle, q.arena), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(q.c), "one more direction"));
    cloth_end(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_direction_fills_a_flat_cloth),
        cmocka_unit_test(directions_in_between_turn_smoothly),
        cmocka_unit_test(several_directions_hold_where_they_are_given),
        cmocka_unit_test(cylinders_carry_directions_in_parallel),
        cmocka_unit_test(patches_have_wefts_of_their_own),
        cmocka_unit_test(places_without_direction_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
