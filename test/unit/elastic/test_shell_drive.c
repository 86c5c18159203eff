// SPDX-License-Identifier: MPL-2.0
// test/unit/elastic/test_shell_drive.c - strips at rest and in motion (fab.C8), against beams.
#include "testing.h"

#include "base/context.h"
#include "verify/thin/s3.h"

#include <string.h>

/// A strip of length 10 and width 1 whose mesh is turned by `angle` inside it: the vertices are sheared so that the
/// mesh lines lie at the angle, while the outline stays a rectangle. Clamped at x = 0.
static void make_turned_strip(mn_context *c, double angle, mn_s3_rig *r)
{
    const mn_shell_material m = mn_s3_material(1.0, 1e4, 0.0);
    mn_sheet                sheet;
    assert_int_equal(mn_sheet_make(c, MN_SHEET_RIGHT, 40, 4, 10.0, 1.0, &sheet), MN_OK);
    // Inner columns lean by the angle; the lean dies out over the first and the last unit of length.
    for (int64_t v = 0; v < sheet.vertices; v++) {
        const double x = sheet.x[v].x, fade = fmin(1.0, fmin(x, 10.0 - x));
        sheet.x[v].x += fade * tan(angle) * (sheet.x[v].y - 0.5);
    }
    assert_int_equal(mn_s3_rig_make(c, &sheet, &m, r), MN_OK);
    assert_int_equal(mn_s3_clamp_line(r, 0.0, mn_v3(-1.0, 0.0, 0.0)), MN_OK);
    assert_int_equal(mn_s3_drive(r, 1e-10), MN_OK);
}

static double tip_height(const mn_s3_rig *r)
{
    double sum = 0.0;
    int    n   = 0;
    for (int64_t v = 0; v < r->sheet.vertices; v++)
        if (r->sheet.x[v].x > 10.0 - 1e-9) sum += r->x[v].z, n++;
    return sum / n;
}

// fab.C8: w' L^4/(8 B) within 3 % at 40 elements, whatever the angle of the mesh lines.
static void cantilever_bends_alike_for_any_mesh_direction(void **state)
{
    (void)state;
    static const double angles[3] = { 0.0, MN_PI / 6.0, MN_PI / 4.0 };
    for (int k = 0; k < 3; k++) {
        mn_context  *c = test_context(1);
        mn_s3_rig    r;
        const double weight = 1e-5, expected = weight * 1e4 / 8.0;  // 0.0125 cm: 0.00125 L
        make_turned_strip(c, angles[k], &r);
        for (int64_t v = 0; v < r.sheet.vertices; v++) r.load[v] = mn_v3(0.0, 0.0, weight * r.area[v]);
        assert_int_equal(mn_s3_rest(&r), MN_OK);
        assert_near(tip_height(&r) / expected, 1.0, 0.03);
        mn_s3_rig_end(&r);
        test_context_end(&c);
    }
}

/// A strip pulled at its end: F = E h (e + 3/2 e^2 ...) of St. Venant-Kirchhoff: stress (1 + e)(e + e^2/2), exactly.
static void uniform_stretch_has_the_force_of_its_strain(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_s3_rig   r;
    make_turned_strip(c, 0.0, &r);
    const double e = 0.01;
    for (int64_t v = 0; v < r.sheet.vertices; v++) r.x[v].x *= 1.0 + e;
    assert_int_equal(mn_shell_add_forces(r.shell, (mn_shell_pose){ r.x, NULL }, r.arena, r.load, NULL), MN_OK);
    double force = 0.0;
    for (int64_t v = 0; v < r.sheet.vertices; v++)
        if (r.sheet.x[v].x > 10.0 - 1e-9) force -= r.load[v].x;
    const double expected = 1e4 * (1.0 + e) * (e + 0.5 * e * e);
    assert_near(force / expected, 1.0, 1e-10);
    mn_s3_rig_end(&r);
    test_context_end(&c);
}

/// Lowest frequency of a clamped strip: 1.8751^2 sqrt(B/(rho L^4)).
static double first_period(void) { return 2.0 * MN_PI / (1.875104 * 1.875104 / 100.0); }

/// Let go from the shape of a small load; the height of the tip comes back after a period. The trapezoidal rule keeps
/// the energy, backward Euler and internal viscosity lose it.
static double swing(mn_shell_rule rule, double viscosity, double *end)
{
    mn_context       *c = test_context(1);
    mn_s3_rig         r;
    mn_sheet          sheet;
    mn_shell_material m = mn_s3_material(1.0, 1e4, 0.0);
    m.viscosity         = viscosity;
    assert_int_equal(mn_sheet_make(c, MN_SHEET_RIGHT, 20, 2, 10.0, 1.0, &sheet), MN_OK);
    assert_int_equal(mn_s3_rig_make(c, &sheet, &m, &r), MN_OK);
    assert_int_equal(mn_s3_clamp_line(&r, 0.0, mn_v3(-1.0, 0.0, 0.0)), MN_OK);
    assert_int_equal(mn_s3_drive(&r, 1e-10), MN_OK);
    for (int64_t v = 0; v < r.sheet.vertices; v++) r.load[v] = mn_v3(0.0, 0.0, 1e-5 * r.area[v]);
    assert_int_equal(mn_s3_rest(&r), MN_OK);
    const double start = tip_height(&r);
    memset(r.load, 0, (size_t)r.sheet.vertices * sizeof *r.load);
    mn_vec3              *v = mn_alloc_array(c, mn_vec3, r.sheet.vertices);
    mn_shell_drive_report report;
    mn_shell_energy       before, after;
    assert_int_equal(mn_shell_energy_of(r.shell, (mn_shell_pose){ r.x, NULL }, r.arena, &before), MN_OK);
    for (int k = 0; k < 100; k++) {
        assert_int_equal(mn_shell_drive_step(r.drive, rule, first_period() / 100.0, r.x, v, &report), MN_OK);
        assert_true(report.converged);
    }
    assert_int_equal(mn_shell_energy_of(r.shell, (mn_shell_pose){ r.x, NULL }, r.arena, &after), MN_OK);
    double kinetic = 0.0;
    for (int64_t i = 0; i < r.sheet.vertices; i++) kinetic += 0.5 * r.area[i] * mn_dot3(v[i], v[i]);
    *end              = tip_height(&r) / start;
    const double kept = (after.membrane + after.bending + kinetic) / (before.membrane + before.bending);
    mn_free(c, v);
    mn_s3_rig_end(&r);
    test_context_end(&c);
    return kept;
}

static void a_strip_swings_with_its_period(void **state)
{
    (void)state;
    double       end;
    const double kept = swing(MN_SHELL_TRAPEZOID, 0.0, &end);
    assert_near(kept, 1.0, 1e-3);
    assert_near(end, 1.0, 0.02);  // back where it began after one period of the first mode
    assert_less(swing(MN_SHELL_EULER, 0.0, &end), 0.9);
    assert_less(swing(MN_SHELL_TRAPEZOID, 1e7, &end), 0.9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cantilever_bends_alike_for_any_mesh_direction),
        cmocka_unit_test(uniform_stretch_has_the_force_of_its_strain),
        cmocka_unit_test(a_strip_swings_with_its_period),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
