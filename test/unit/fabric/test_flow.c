// SPDX-License-Identifier: MPL-2.0
// Liquid inside the fabric: spreading, rest profiles, symmetry, junctions, conservation, drying (wet-fabric fab.C14 to
// C19).
#include "testing.h"

#include "base/pool.h"
#include "base/random.h"
#include "fabric/pores/flow_private.h"
#include "verify/fabric/wet_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static const mn_vec3 NO_GRAVITY = { 0.0, 0.0, 0.0 };

static mn_wet_sample make(mn_context *c, mn_thin_mesh *mesh, mn_fabric_def *def, mn_vec3 gravity)
{
    const mn_liquid_material water = mn_wet_sample_water();
    mn_wet_sample            s;
    snprintf(def->name, sizeof def->name, "sample");
    if (mn_wet_sample_make(c, mesh, def, &water, gravity, &s) != MN_OK) fail_msg("%s", mn_context_error(c));
    return s;
}

static void flow(mn_wet_sample *s, double dt)
{
    if (mn_wet_sample_flow(s, dt) != MN_OK) fail_msg("%s", mn_context_error(s->fabric.context));
}

static mn_thin_mesh sheet(mn_context *c, double x, double z, double spacing, mn_cloth_mesh kind)
{
    mn_thin_mesh       mesh;
    const mn_cloth_def d = { .outline = MN_CLOTH_RECTANGLE, .size = { x, z }, .spacing = spacing, .mesh = kind };
    assert_int_equal(mn_cloth_generate(c, &d, &mesh), MN_OK);
    return mesh;
}

static mn_thin_mesh yarn(mn_context *c, double length, double spacing)
{
    mn_thin_mesh      mesh;
    const mn_yarn_def d = { .pattern = MN_YARN_STRAIGHT, .size = { length, 0.0 }, .radius = 0.002, .spacing = spacing };
    assert_int_equal(mn_yarn_generate(c, &d, &mesh), MN_OK);
    return mesh;
}

static mn_fabric_def f0(void)
{
    mn_fabric_def def = mn_fabric_def_default();
    def.material      = mn_wet_sample_f0();
    return def;
}

static void shake(mn_thin_mesh *mesh, double by)
{
    for (int64_t v = 0; v < mesh->vertex_count; v++)
        for (int a = 0; a < 3; a += 2)
            mesh->vertex[v][a] += by * (2.0 * mn_random(3, (uint64_t)v, 0, (uint64_t)a) - 1.0);
}

static double held(const mn_wet_sample *s) { return mn_fabric_sum(&s->fabric).held; }

/// fab.C14 along a yarn, from the exact profile: error after 10 times the first time, in the mean.
static double barenblatt_error(mn_context *c, int per_radius)
{
    const double  b = 0.25, radius = sqrt(12.0 * b);  // at tau = 1
    mn_thin_mesh  mesh  = yarn(c, 7.0 * radius, radius / per_radius);
    mn_fabric_def def   = f0();
    mn_wet_sample s     = make(c, &mesh, &def, NO_GRAVITY);
    const double  d0    = mn_wet_sample_diffusivity(&def.material, &s.fabric.model.liquid);
    double        error = 0.0, all = 0.0, tau = 1.0;
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) {
        const double x = mn_wet_sample_at(&s, v).x;
        mn_wet_sample_fill(&s, v, fmax(0.0, b - x * x / 12.0));
    }
    while (tau < 10.0) {
        flow(&s, 0.005 * tau * 2.0 / d0);
        tau *= 1.005;
    }
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) {
        const double x = mn_wet_sample_at(&s, v).x, exact = fmax(0.0, b - x * x / (12.0 * cbrt(tau * tau))) / cbrt(tau);
        error += fabs(mn_fabric_saturation(&s.fabric, v) - exact);
        all += exact;
    }
    mn_wet_sample_destroy(&s);
    return error / all;
}

static void a_spot_spreads_after_barenblatt(void **state)
{
    (void)state;
    mn_context  *c      = test_context(1);
    const double coarse = barenblatt_error(c, 10), fine = barenblatt_error(c, 40);
    assert_less(fine, 0.02);
    assert_less(fine, 0.7 * coarse);
    test_context_end(&c);
}

/// fab.C15 with gravity: rest profile 1 - z / H, from a step that is a thousand times the explicit limit.
static void a_strip_climbs_to_its_height(void **state)
{
    (void)state;
    mn_context   *c    = test_context(1);
    mn_thin_mesh  mesh = sheet(c, 30.0, 1.2, 0.3, MN_CLOTH_EQUILATERAL);
    mn_fabric_def def  = f0();
    def.axis[0] = def.axis[1] = 0.0, def.axis[2] = 1.0, def.angle = 0.5 * PI, def.at[1] = 15.0;
    mn_wet_sample s     = make(c, &mesh, &def, mn_v3(0, -981, 0));
    double        worst = 0.0;
    for (int k = 0; k < 120; k++) {
        for (int64_t v = 0; v < s.fabric.vertices.count; v++)
            if (mn_wet_sample_at(&s, v).y < 1e-9) mn_wet_sample_fill(&s, v, 1000.0);
        flow(&s, 200.0);
        assert_true(s.report.exact);
    }
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) {
        const double z = mn_wet_sample_at(&s, v).y;
        if (z > 1e-9) worst = fmax(worst, fabs(mn_fabric_saturation(&s.fabric, v) - fmax(0.0, 1.0 - z / 24.9409)));
    }
    assert_less(worst, 1e-4);
    mn_wet_sample_destroy(&s);
    test_context_end(&c);
}

/// fab.C16.
static void without_suction_nothing_moves(void **state)
{
    (void)state;
    mn_context   *c            = test_context(1);
    mn_thin_mesh  mesh         = sheet(c, 2.0, 2.0, 0.1, MN_CLOTH_EQUILATERAL);
    mn_fabric_def def          = f0();
    def.material.contact_angle = 0.5 * PI + 0.1;
    mn_wet_sample s            = make(c, &mesh, &def, NO_GRAVITY);
    const int64_t n            = s.fabric.vertices.count;
    double       *before       = calloc((size_t)n, sizeof *before);
    for (int64_t v = 0; v < n; v++) mn_wet_sample_fill(&s, v, before[v] = v % 3 == 0 ? 0.7 : 0.0);
    memcpy(before, s.fabric.vertices.held[0], (size_t)n * sizeof *before);
    for (int k = 0; k < 10; k++) flow(&s, 0.1);
    assert_memory_equal(before, s.fabric.vertices.held[0], (size_t)n * sizeof *before);
    free(before);
    mn_wet_sample_destroy(&s);
    test_context_end(&c);
}

/// fab.C17: mesh and gravity turned together.
static void turning_everything_changes_nothing(void **state)
{
    (void)state;
    mn_context   *c = test_context(1);
    mn_wet_sample s[2];
    const mn_vec3 gravity = { 300.0, -200.0, 900.0 }, axis = mn_unit3(mn_v3(1, 2, -0.5), mn_v3(1, 0, 0));
    for (int k = 0; k < 2; k++) {
        mn_thin_mesh  mesh    = sheet(c, 2.0, 2.0, 0.1, MN_CLOTH_STRUCTURED);
        mn_fabric_def def     = f0();
        def.material.drag_law = MN_DRAG_NONLINEAR;
        shake(&mesh, 0.03);
        if (k == 1) {
            for (int a = 0; a < 3; a++) def.axis[a] = mn_get3(axis, a);
            def.angle = 1.1;
        }
        s[k] = make(c, &mesh, &def, k == 0 ? gravity : mn_mul3(mn_rotation3(axis, 1.1), gravity));
        for (int64_t v = 0; v < s[k].fabric.vertices.count; v++)
            mn_wet_sample_fill(&s[k], v, 1.2 * mn_random(5, (uint64_t)v, 0, 0) * (v % 400 < 200));
        for (int i = 0; i < 20; i++) flow(&s[k], 2e-3);
    }
    for (int64_t v = 0; v < s[0].fabric.vertices.count; v++)
        assert_near(s[0].fabric.vertices.held[0][v], s[1].fabric.vertices.held[0][v],
                    1e-10 * mn_fabric_pores(&s[0].fabric, v));
    for (int k = 0; k < 2; k++) mn_wet_sample_destroy(&s[k]);
    test_context_end(&c);
}

/// fab.C17: pile on a wet patch drinks through its roots.
static void pile_wets_from_the_root(void **state)
{
    (void)state;
    mn_context       *c     = test_context(1);
    mn_thin_mesh      mesh  = sheet(c, 1.0, 1.0, 0.2, MN_CLOTH_EQUILATERAL);
    const int64_t     cloth = mesh.vertex_count;
    const mn_pile_def pile  = { .length = 0.6, .radius = 0.02, .spacing = 0.1, .every = 3 };
    mn_fabric_def     def   = f0();
    assert_int_equal(mn_pile_add(c, &pile, &mesh), MN_OK);
    mn_wet_sample s = make(c, &mesh, &def, NO_GRAVITY);
    for (int64_t v = 0; v < cloth; v++) mn_wet_sample_fill(&s, v, 1.0);
    const double begin = held(&s);
    for (int k = 0; k < 50; k++) flow(&s, 1e-3);
    assert_near(held(&s) / begin, 1.0, 1e-14);
    int strands = 0;
    for (int64_t e = s.fabric.triangles.count; e < s.fabric.element_count; e++) {
        const int32_t *v     = s.fabric.elements[e].vertex;
        const int      outer = mn_wet_sample_at(&s, v[1]).y > mn_wet_sample_at(&s, v[0]).y;
        const double   low   = mn_fabric_saturation(&s.fabric, v[1 - outer]),
                     high    = mn_fabric_saturation(&s.fabric, v[outer]);
        assert_true(low >= high);
        if (v[1 - outer] < cloth) {
            assert_true(high > 0.01);
            strands++;
        }
    }
    assert_true(strands > 5);
    mn_wet_sample_destroy(&s);
    test_context_end(&c);
}

/// The pressure of liquid around the fabric counts: where it carries the weight nothing flows, without it much does.
static void pressure_around_carries_the_liquid(void **state)
{
    (void)state;
    mn_context   *c    = test_context(1);
    mn_thin_mesh  mesh = sheet(c, 2.0, 2.0, 0.1, MN_CLOTH_EQUILATERAL);
    mn_fabric_def def  = f0();
    mn_wet_sample s    = make(c, &mesh, &def, mn_v3(0, 0, -981));
    mn_fabric    *q    = &s.fabric;
    double       *p = calloc((size_t)q->vertices.count, sizeof *p), moved = 0.0;
    for (int64_t v = 0; v < q->vertices.count; v++) {
        mn_wet_sample_fill(&s, v, 0.5);
        p[v] = 1000.0 - 981.0 * mn_wet_sample_at(&s, v).z;
    }
    q->step.pressure = p;
    for (int k = 0; k < 10; k++) flow(&s, 0.01);
    for (int64_t v = 0; v < q->vertices.count; v++) assert_near(mn_fabric_saturation(q, v), 0.5, 1e-9);
    q->step.pressure = NULL;
    for (int k = 0; k < 10; k++) flow(&s, 0.01);
    for (int64_t v = 0; v < q->vertices.count; v++) moved = fmax(moved, fabs(mn_fabric_saturation(q, v) - 0.5));
    assert_true(moved > 1e-3);
    free(p);
    mn_wet_sample_destroy(&s);
    test_context_end(&c);
}

/// fab.C18: a disc that turns, held at its place by the velocities of a step.
static void a_spinning_disc_throws_liquid_outward(void **state)
{
    (void)state;
    mn_context        *c = test_context(1);
    mn_thin_mesh       mesh;
    const mn_cloth_def d     = { .outline = MN_CLOTH_DISC, .size = { 4.0, 0.0 }, .spacing = 0.2 };
    mn_fabric_def      def   = f0();
    const double       omega = 80.0, dt = 0.5;
    assert_int_equal(mn_cloth_generate(c, &d, &mesh), MN_OK);
    mn_wet_sample s = make(c, &mesh, &def, NO_GRAVITY);
    mn_fabric    *q = &s.fabric;
    for (int64_t v = 0; v < q->vertices.count; v++) mn_wet_sample_fill(&s, v, 0.5);
    for (int k = 0; k < 100; k++) {
        q->kept = true;
        for (int64_t v = 0; v < q->vertices.count; v++) {
            const mn_vec3 x                   = mn_wet_sample_at(&s, v);
            q->vertices_before.velocity[0][v] = omega * x.z, q->vertices_before.velocity[1][v] = 0.0,
            q->vertices_before.velocity[2][v] = -omega * x.x;
            q->vertices.velocity[0][v]        = omega * x.z - omega * omega * x.x * dt;
            q->vertices.velocity[1][v]        = 0.0;
            q->vertices.velocity[2][v]        = -omega * x.x - omega * omega * x.z * dt;
        }
        flow(&s, dt);
    }
    // (1 - S) p = const - rho omega^2 r^2 / 2 where 0 < S < 1.
    const mn_pore_law law      = mn_pore_law_of(&def.material, &q->model.liquid);
    const double      p        = mn_pore_suction(&law, 0.3);
    double            constant = 0.0, count = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t v = 0; v < q->vertices.count; v++) {
            const mn_vec3 x    = mn_wet_sample_at(&s, v);
            const double  wet  = mn_fabric_saturation(q, v),
                         level = (1.0 - wet) * p + 0.5 * omega * omega * (x.x * x.x + x.z * x.z);
            if (!(wet > 0.02 && wet < 0.98)) continue;
            if (pass == 0) constant += level, count += 1.0;
            else assert_near(level, constant / count, 0.005 * p);
        }
    assert_true(count > 100.0);
    mn_wet_sample_destroy(&s);
    test_context_end(&c);
}

/// fab.C19: obtuse meshes, steps ten and a thousand times too long, 10^4 of them; nothing below zero, nothing lost.
static void nothing_is_lost_and_nothing_is_negative(void **state)
{
    (void)state;
    mn_context   *c       = test_context(1);
    mn_thin_mesh  mesh    = sheet(c, 0.6, 0.6, 0.1, MN_CLOTH_STRUCTURED);
    mn_fabric_def def     = f0();
    def.material.drag_law = MN_DRAG_NONLINEAR;
    shake(&mesh, 0.045);
    mn_wet_sample s = make(c, &mesh, &def, mn_v3(0, 0, -981));
    mn_fabric    *q = &s.fabric;
    for (int64_t v = 0; v < q->vertices.count; v++) mn_wet_sample_fill(&s, v, v % 5 == 0 ? 1.5 : 0.0);
    const double begin   = held(&s);
    int          inexact = 0;
    for (int k = 0; k < 10000; k++) {
        flow(&s, k % 100 == 0 ? 3.0 : 0.03);
        inexact += !s.report.exact;
        for (int64_t v = 0; v < q->vertices.count; v++) assert_true(q->vertices.held[0][v] >= 0.0);
        // Pour it over again, sideways, now and then.
        if (k % 1000 == 999) q->model.gravity = mn_v3(981.0 * sin(k), 0, 981.0 * cos(k));
    }
    assert_near(held(&s) / begin, 1.0, 1e-12);
    assert_true(inexact < 100);
    mn_wet_sample_destroy(&s);
    test_context_end(&c);
}

/// Momentum goes with the liquid: the sum stays, and no velocity leaves the range of those before.
static void momentum_goes_with_the_liquid(void **state)
{
    (void)state;
    mn_context   *c      = test_context(1);
    mn_thin_mesh  mesh   = sheet(c, 2.0, 2.0, 0.1, MN_CLOTH_EQUILATERAL);
    mn_fabric_def def    = f0();
    def.material.density = 0.01;
    mn_wet_sample s      = make(c, &mesh, &def, NO_GRAVITY);
    mn_fabric    *q      = &s.fabric;
    for (int64_t v = 0; v < q->vertices.count; v++) {
        mn_wet_sample_fill(&s, v, mn_wet_sample_at(&s, v).x < 0.0 ? 1.0 : 0.0);
        for (int a = 0; a < 3; a++) q->vertices.velocity[a][v] = 2.0 * mn_random(2, (uint64_t)v, 0, (uint64_t)a) - 1.0;
    }
    const mn_vec3 before = mn_fabric_sum(q).momentum;
    const double  scale  = sqrt(2.0 * mn_fabric_sum(q).kinetic * (held(&s) + 0.01));
    for (int k = 0; k < 100; k++) {
        flow(&s, k == 50 ? 0.5 : 1e-3);
        for (int64_t v = 0; v < q->vertices.count; v++)
            for (int a = 0; a < 3; a++) assert_true(fabs(q->vertices.velocity[a][v]) < 1.05);
    }
    const mn_vec3 after = mn_fabric_sum(q).momentum;
    for (int a = 0; a < 3; a++) assert_near(mn_get3(after, a), mn_get3(before, a), 1e-12 * scale);
    mn_wet_sample_destroy(&s);
    test_context_end(&c);
}

/// Two-stage drying: a constant rate from both faces, then a rate that falls; what is taken is what was lost.
static void a_sheet_dries_in_two_stages(void **state)
{
    (void)state;
    mn_context   *c    = test_context(1);
    mn_thin_mesh  mesh = sheet(c, 2.0, 2.0, 0.2, MN_CLOTH_EQUILATERAL);
    mn_fabric_def def  = f0();
    def.evaporation    = 1e-4;
    mn_wet_sample s    = make(c, &mesh, &def, NO_GRAVITY);
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) mn_wet_sample_fill(&s, v, 0.8);
    const double begin = held(&s), pores = begin / 0.8, rate = 1e-4 * 2.0 * 4.0;
    for (int k = 0; k < 50; k++) flow(&s, 1.0);
    assert_near(begin - held(&s), 50.0 * rate, 1e-10);
    assert_near(s.evaporated, begin - held(&s), 1e-14);
    // From the critical saturation on it falls exponentially, whatever the steps.
    const double until = (0.8 - MN_DRYING_CRITICAL) * pores / rate;
    for (int k = 0; k < 100; k++) flow(&s, (until - 50.0 + 60.0) / 100.0);
    assert_near(held(&s), MN_DRYING_CRITICAL * pores * exp(-rate * 60.0 / (MN_DRYING_CRITICAL * pores)), 1e-10);
    for (int k = 0; k < 100; k++) flow(&s, 30.0);
    assert_true(held(&s) == 0.0);
    assert_near(s.evaporated, begin, 1e-14);
    mn_wet_sample_destroy(&s);
    test_context_end(&c);
}

/// The table of drag against the law.
static void the_table_solves_the_drag_law(void **state)
{
    (void)state;
    mn_drag_table t;
    for (int k = 0; k < 3; k++) {
        const double c = (const double[]){ 1.0, 1.6, 2.0 }[k];
        mn_drag_table_make(c, &t);
        for (double log_b = -30.0; log_b < 45.0; log_b += 0.0173) {
            const double y = mn_drag_table_at(&t, log_b);
            assert_near(y * (1.0 + exp(log_b) * pow(y, c)), 1.0, 3e-6);  // beyond the table only the power counts
        }
    }
}

static void threads_do_not_change_a_bit(void **state)
{
    (void)state;
    double *first = NULL;
    for (int threads = 1; threads <= 4; threads++) {
        mn_context   *c       = test_context(threads);
        mn_thin_mesh  mesh    = sheet(c, 6.0, 6.0, 0.1, MN_CLOTH_STRUCTURED);
        mn_fabric_def def     = f0();
        def.material.drag_law = MN_DRAG_NONLINEAR;
        def.evaporation       = 1e-4;
        shake(&mesh, 0.03);
        mn_wet_sample s     = make(c, &mesh, &def, mn_v3(200, 0, -900));
        const size_t  bytes = (size_t)s.fabric.vertices.count * sizeof(double);
        for (int64_t v = 0; v < s.fabric.vertices.count; v++) {
            mn_wet_sample_fill(&s, v, mn_wet_sample_at(&s, v).x < 0.5 ? 0.9 : 0.0);
            s.fabric.vertices.velocity[1][v] = sin((double)v);
        }
        for (int k = 0; k < 5; k++) flow(&s, 5e-3);
        if (first == NULL) {
            first = malloc(2 * bytes + sizeof(double));
            memcpy(first, s.fabric.vertices.held[0], bytes);
            memcpy((char *)first + bytes, s.fabric.vertices.velocity[1], bytes);
            memcpy((char *)first + 2 * bytes, &s.evaporated, sizeof(double));
        }
        assert_memory_equal(first, s.fabric.vertices.held[0], bytes);
        assert_memory_equal((char *)first + bytes, s.fabric.vertices.velocity[1], bytes);
        assert_memory_equal((char *)first + 2 * bytes, &s.evaporated, sizeof(double));
        mn_wet_sample_destroy(&s);
        test_context_end(&c);
    }
    free(first);
}

static void a_dry_fabric_costs_nothing_and_liquid_without_viscosity_is_refused(void **state)
{
    (void)state;
    mn_context   *c    = test_context(1);
    mn_thin_mesh  mesh = sheet(c, 2.0, 2.0, 0.2, MN_CLOTH_EQUILATERAL);
    mn_fabric_def def  = f0();
    mn_wet_sample s    = make(c, &mesh, &def, NO_GRAVITY);
    flow(&s, 1e-3);
    assert_null(s.fabric.links);
    assert_true(mn_arena_high_water(s.arena) == 0);
    mn_wet_sample_fill(&s, 3, 0.5);
    s.fabric.model.liquid.viscosity = 0.0;
    assert_int_equal(mn_wet_sample_flow(&s, 1e-3), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "viscosity"));
    mn_wet_sample_destroy(&s);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spot_spreads_after_barenblatt),
        cmocka_unit_test(a_strip_climbs_to_its_height),
        cmocka_unit_test(without_suction_nothing_moves),
        cmocka_unit_test(turning_everything_changes_nothing),
        cmocka_unit_test(pile_wets_from_the_root),
        cmocka_unit_test(pressure_around_carries_the_liquid),
        cmocka_unit_test(a_spinning_disc_throws_liquid_outward),
        cmocka_unit_test(nothing_is_lost_and_nothing_is_negative),
        cmocka_unit_test(momentum_goes_with_the_liquid),
        cmocka_unit_test(a_sheet_dries_in_two_stages),
        cmocka_unit_test(the_table_solves_the_drag_law),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(a_dry_fabric_costs_nothing_and_liquid_without_viscosity_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
