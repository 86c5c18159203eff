// SPDX-License-Identifier: MPL-2.0
// Pores: any two numbers give the others, permeability, suction and drag (wet-fabric fab.C1 to C3, A1.1).
#include "testing.h"

#include "base/random.h"
#include "fabric/pores/pores.h"

#include <string.h>

static double pick(uint64_t *n, double low, double high) { return low + (high - low) * mn_random(11, (*n)++, 0, 0); }

static void near_to(double value, double expected) { assert_near(value, expected, 1e-12 * fabs(expected)); }

/// fab.C1: from every pair back to the same fabric.
static void any_two_numbers_give_the_others(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    uint64_t    n = 0;
    for (int k = 0; k < 200; k++) {
        const double     thickness = pick(&n, 0.01, 0.2);
        mn_pore_geometry all       = { .fiber_diameter = pick(&n, 1e-3, 0.02), .solid_fraction = pick(&n, 0.05, 0.9) };
        assert_int_equal(mn_pore_geometry_complete(c, "test", thickness, &all), MN_OK);
        for (int pair = 0; pair < 16; pair++) {
            if ((pair & 1) + (pair >> 1 & 1) + (pair >> 2 & 1) + (pair >> 3 & 1) != 2) continue;
            mn_pore_geometry g = { .fiber_diameter   = pair & 1 ? all.fiber_diameter : 0.0,
                                   .capillary_radius = pair & 2 ? all.capillary_radius : 0.0,
                                   .thread_count     = pair & 4 ? all.thread_count : 0.0,
                                   .solid_fraction   = pair & 8 ? all.solid_fraction : 0.0 };
            assert_int_equal(mn_pore_geometry_complete(c, "test", thickness, &g), MN_OK);
            // Differences of nearly equal numbers: 1 - phi and phi amplify round-off.
            const double loose = 1e-12 * fmax(1.0, 1.0 / fmin(all.solid_fraction, 1.0 - all.solid_fraction));
            assert_near(g.fiber_diameter / all.fiber_diameter, 1.0, loose);
            assert_near(g.capillary_radius / all.capillary_radius, 1.0, loose);
            assert_near(g.thread_count / all.thread_count, 1.0, loose);
            assert_near(g.solid_fraction / all.solid_fraction, 1.0, loose);
        }
    }
    test_context_end(&c);
}

static void the_default_fabric_has_the_numbers_of_the_note(void **state)
{
    (void)state;
    mn_context      *c = test_context(1);
    mn_pore_geometry g = { .fiber_diameter = 0.01, .solid_fraction = 0.4 };
    assert_int_equal(mn_pore_geometry_complete(c, "test", 0.036, &g), MN_OK);
    assert_near(g.capillary_radius, 6.124e-3, 1e-6);
    assert_near(g.thread_count, 465.70, 0.01);
    test_context_end(&c);
}

static void numbers_of_no_fabric_are_refused(void **state)
{
    (void)state;
    mn_context            *c     = test_context(1);
    const mn_pore_geometry bad[] = {
        { .fiber_diameter = 0.01 },
        { .fiber_diameter = 0.01, .solid_fraction = 0.4, .thread_count = 400.0 },
        { .fiber_diameter = 0.02, .thread_count = 1000.0 },
        { .capillary_radius = 0.02, .thread_count = 1000.0 },
        { .fiber_diameter = 0.01, .solid_fraction = 1.2 },
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        mn_pore_geometry g = bad[k];
        assert_int_equal(mn_pore_geometry_complete(c, "towel", 0.036, &g), MN_ERR_ARGUMENT);
        assert_non_null(strstr(mn_context_error(c), "towel"));
    }
    test_context_end(&c);
}

/// fab.C2.
static void permeability_follows_the_fit_and_falls(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double f = (const double[]){ 0.1, 0.2, 0.4 }[k];
        near_to(mn_permeability_along(f), (-log(f) - 1.476 + 2.0 * f - 0.5 * f * f) / (16.0 * f));
        near_to(mn_permeability_across(f),
                (-log(f) - 1.476 + 2.0 * f - 1.774 * f * f + 4.078 * f * f * f) / (32.0 * f));
    }
    assert_near(mn_permeability_along(0.4 + 1e-9) / mn_permeability_along(0.4), 1.0, 1e-7);
    assert_near(mn_permeability_across(0.4 + 1e-9) / mn_permeability_across(0.4), 1.0, 1e-7);
    for (int k = 1; k < 10000; k++) {
        const double a = 0.01 + 0.98 * (k - 1) / 10000.0, b = 0.01 + 0.98 * k / 10000.0;
        assert_true(mn_permeability_along(b) < mn_permeability_along(a));
        assert_true(mn_permeability_across(b) < mn_permeability_across(a) || mn_permeability_across(a) == 1e-9);
    }
}

/// fab.C3: d^2 C / mu has no unit; lengths in m and masses in kg must not change it.
static void drag_does_not_depend_on_units(void **state)
{
    (void)state;
    const double length = 0.01, mass = 0.001;
    for (int k = 0; k < 3; k++) {
        const double c   = (const double[]){ 1.0, 1.6, 2.0 }[k];
        mn_pore_law  cgs = { .density        = 1.1,
                             .viscosity      = 0.02,
                             .fiber_diameter = 0.004,
                             .law            = MN_DRAG_NONLINEAR,
                             .exponent       = c },
                    si   = cgs;
        si.density *= mass / (length * length * length);
        si.viscosity *= mass / length;
        si.fiber_diameter *= length;
        for (double u = 0.01; u < 200.0; u *= 3.0) {
            const double a = mn_pore_drag_at(&cgs, mn_pore_drag_across(&cgs, 0.35), u),
                         b = mn_pore_drag_at(&si, mn_pore_drag_across(&si, 0.35), u * length);
            near_to(si.fiber_diameter * si.fiber_diameter * b / si.viscosity,
                    cgs.fiber_diameter * cgs.fiber_diameter * a / cgs.viscosity);
        }
        cgs.law = MN_DRAG_LINEAR;
        near_to(mn_pore_drag_at(&cgs, mn_pore_drag_along(&cgs, 0.35), 50.0),
                0.02 / (mn_permeability_along(0.35) * 0.004 * 0.004));
        cgs.law = MN_DRAG_OFF;
        assert_true(mn_pore_drag_at(&cgs, mn_pore_drag_along(&cgs, 0.35), 50.0) == 0.0);
    }
}

static void suction_of_default_and_of_what_repels(void **state)
{
    (void)state;
    mn_fabric_material       m     = mn_fabric_material_default();
    const mn_liquid_material water = { .density = 1.0, .viscosity = 0.0089, .surface_tension = 72.0 };
    mn_pore_law              law   = mn_pore_law_of(&m, &water);
    assert_near(mn_pore_suction(&law, 0.4), 1.187e4, 5.0);
    assert_near(mn_pore_drag_along(&law, 0.4).linear, 3554.0, 1.0);
    assert_near(mn_pore_drag_along(&law, 0.4).growth, 208.0, 1.0);
    assert_near(mn_pore_drag_across(&law, 0.4).linear, 5239.0, 1.0);
    assert_near(mn_pore_drag_across(&law, 0.4).growth, 253.0, 1.0);
    for (double angle = 1.5708; angle < 3.2; angle += 0.4) {
        m.contact_angle = angle;
        law             = mn_pore_law_of(&m, &water);
        assert_true(mn_pore_suction(&law, 0.4) == 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_two_numbers_give_the_others),
        cmocka_unit_test(the_default_fabric_has_the_numbers_of_the_note),
        cmocka_unit_test(numbers_of_no_fabric_are_refused),
        cmocka_unit_test(permeability_follows_the_fit_and_falls),
        cmocka_unit_test(drag_does_not_depend_on_units),
        cmocka_unit_test(suction_of_default_and_of_what_repels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
