// SPDX-License-Identifier: MPL-2.0
// test/unit/elastic/test_shell_elements.c - membrane, hinge and bending of single triangles (fab.C5, C6, C7).
#include "testing.h"

#include "base/random.h"
#include "elastic/bending.h"
#include "elastic/hinge.h"
#include "elastic/in_plane.h"

#include <string.h>

static double  roll(int trial, int lane) { return 2.0 * mn_random(5, (uint64_t)trial, 0, (uint64_t)lane) - 1.0; }
static mn_vec3 roll3(int trial, int lane)
{
    return mn_v3(roll(trial, 3 * lane), roll(trial, 3 * lane + 1), roll(trial, 3 * lane + 2));
}
static double *component(mn_vec3 *x, int k) { return &(&x[k / 3].x)[k % 3]; }

static mn_shell_material woven(void)
{
    mn_shell_material m = mn_shell_material_default();
    m.young_warp = 3e6, m.young_weft = 1e6, m.poisson = 0.25, m.shear = 2e5, m.thickness = 0.05;
    m.bend_warp = 40.0, m.bend_weft = 15.0;
    return m;
}

/// Smallest eigenvalue over the largest, by Jacobi rotations.
static double lowest_ratio(int n, double *a)
{
    for (int sweep = 0; sweep < 80; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                if (a[n * p + q] == 0.0) continue;
                const double angle = 0.5 * atan2(2.0 * a[n * p + q], a[n * p + p] - a[n * q + q]), c = cos(angle),
                             s = sin(angle);
                for (int k = 0; k < n; k++) {
                    const double x = a[n * k + p], y = a[n * k + q];
                    a[n * k + p] = c * x + s * y, a[n * k + q] = c * y - s * x;
                }
                for (int k = 0; k < n; k++) {
                    const double x = a[n * p + k], y = a[n * q + k];
                    a[n * p + k] = c * x + s * y, a[n * q + k] = c * y - s * x;
                }
            }
    double low = INFINITY, high = 0.0;
    for (int i = 0; i < n; i++) low = fmin(low, a[n * i + i]), high = fmax(high, fabs(a[n * i + i]));
    return low / high;
}

static void membrane_state(int trial, mn_in_plane_rest *rest, mn_vec3 x[3])
{
    const mn_vec3 corner[3] = { roll3(trial, 0), roll3(trial, 1), roll3(trial, 2) };
    if (!mn_in_plane_rest_make(corner, roll3(trial, 3), rest, NULL)) fail();
    const double shrink = trial % 2 ? 0.7 : 1.2;  // pushed and pulled
    for (int i = 0; i < 3; i++) x[i] = mn_add3(mn_scale3(shrink, corner[i]), mn_scale3(0.1, roll3(trial, 4 + i)));
}

static void membrane_gradient_is_that_of_its_energy(void **state)
{
    (void)state;
    double                  k[9];
    const mn_shell_material m = woven();
    mn_shell_membrane_stiffness(&m, k);
    for (int trial = 0; trial < 50; trial++) {
        mn_in_plane_rest rest;
        mn_vec3          x[3], g[3];
        membrane_state(trial, &rest, x);
        mn_in_plane_gradient(k, &rest, x, g);
        double scale = 0.0, worst = 0.0;
        for (int c = 0; c < 9; c++) scale = fmax(scale, fabs(*component(g, c)));
        for (int c = 0; c < 9; c++) {
            const double old = *component(x, c), h = 1e-5;
            *component(x, c)  = old + h;
            const double up   = mn_in_plane_energy(k, &rest, x);
            *component(x, c)  = old - h;
            const double down = mn_in_plane_energy(k, &rest, x);
            *component(x, c)  = old;
            worst             = fmax(worst, fabs((up - down) / (2.0 * h) - *component(g, c)));
        }
        assert_less(worst, 1e-6 * scale);
    }
}

static void membrane_hessian_is_exact_or_positive(void **state)
{
    (void)state;
    double                  k[9], h[81], p[81];
    const mn_shell_material m = woven();
    mn_shell_membrane_stiffness(&m, k);
    int indefinite = 0;
    for (int trial = 0; trial < 50; trial++) {
        mn_in_plane_rest rest;
        mn_vec3          x[3], up[3], down[3];
        membrane_state(trial, &rest, x);
        mn_in_plane_hessian(k, &rest, x, false, h);
        mn_in_plane_hessian(k, &rest, x, true, p);
        double scale = 0.0;
        for (int c = 0; c < 81; c++) scale = fmax(scale, fabs(h[c]));
        for (int c = 0; c < 9; c++) {
            const double old = *component(x, c), step = 1e-6;
            *component(x, c) = old + step;
            mn_in_plane_gradient(k, &rest, x, up);
            *component(x, c) = old - step;
            mn_in_plane_gradient(k, &rest, x, down);
            *component(x, c) = old;
            for (int r = 0; r < 9; r++)
                assert_less(fabs((*component(up, r) - *component(down, r)) / (2.0 * step) - h[9 * r + c]),
                            1e-5 * scale);
        }
        for (int r = 0; r < 9; r++)
            for (int c = 0; c < 9; c++) assert_true(h[9 * r + c] == h[9 * c + r] && p[9 * r + c] == p[9 * c + r]);
        indefinite += lowest_ratio(9, h) < -1e-6;
        assert_true(lowest_ratio(9, p) > -1e-10);
    }
    assert_true(indefinite > 5);  // the projection had something to do
}

/// A hinge folded to an angle, with some shear in it.
static void hinge_state(int trial, double angle, mn_vec3 x[4])
{
    x[0] = mn_v3(0.0, 0.0, 0.0), x[1] = mn_v3(1.0 + 0.3 * roll(trial, 0), 0.0, 0.0);
    x[2]               = mn_v3(0.5 + 0.4 * roll(trial, 1), 0.8 + 0.3 * roll(trial, 2), 0.0);
    const double y     = -0.8 - 0.3 * roll(trial, 3);
    x[3]               = mn_v3(0.5 + 0.4 * roll(trial, 4), y * cos(angle), -y * sin(angle));
    const mn_mat3 turn = mn_rotation3(mn_unit3(roll3(trial, 5), mn_v3(1, 0, 0)), 3.0 * roll(trial, 20));
    for (int i = 0; i < 4; i++) x[i] = mn_add3(mn_mul3(turn, x[i]), roll3(trial, 7));
}

static const double folds[] = { -3.05, -2.0, -0.4, 0.0, 0.3, 1.5, 2.5, 3.05 };  // up to 175 degrees

static void hinge_knows_the_angle_it_was_folded_to(void **state)
{
    (void)state;
    for (int trial = 0; trial < 8; trial++) {
        mn_vec3 x[4];
        hinge_state(trial, folds[trial], x);
        assert_near(mn_hinge_angle(x), folds[trial], 1e-13);
    }
}

static void hinge_derivatives_agree_with_differences(void **state)
{
    (void)state;
    for (int trial = 0; trial < 40; trial++) {
        mn_vec3 x[4], g[4], up[4], down[4];
        double  h[144], scale = 0.0, steep = 0.0;
        hinge_state(trial, folds[trial % 8], x);
        mn_hinge_gradient(x, g);
        mn_hinge_hessian(x, h);
        for (int k = 0; k < 144; k++) scale = fmax(scale, fabs(h[k]));
        for (int k = 0; k < 12; k++) steep = fmax(steep, fabs(*component(g, k)));
        for (int c = 0; c < 12; c++) {
            const double old = *component(x, c), step = 1e-6;
            *component(x, c)  = old + step;
            const double high = mn_hinge_gradient(x, up);
            *component(x, c)  = old - step;
            const double low  = mn_hinge_gradient(x, down);
            *component(x, c)  = old;
            assert_less(fabs((high - low) / (2.0 * step) - *component(g, c)), 1e-6 * steep);
            for (int r = 0; r < 12; r++) {
                assert_less(fabs((*component(up, r) - *component(down, r)) / (2.0 * step) - h[12 * r + c]),
                            1e-5 * scale);
                assert_true(h[12 * r + c] == h[12 * c + r]);
            }
        }
    }
}

static void hinge_gradient_has_no_force_and_no_torque(void **state)
{
    (void)state;
    for (int trial = 0; trial < 40; trial++) {
        mn_vec3 x[4], g[4], force = { 0 }, torque = { 0 };
        hinge_state(trial, folds[trial % 8], x);
        mn_hinge_gradient(x, g);
        for (int i = 0; i < 4; i++) force = mn_add3(force, g[i]), torque = mn_add3(torque, mn_cross3(x[i], g[i]));
        assert_less(mn_norm3(force), 1e-12);
        assert_less(mn_norm3(torque), 1e-12);
    }
}

static void tan_measure_has_its_derivatives(void **state)
{
    (void)state;
    for (double a = -3.0; a < 3.05; a += 0.5) {
        double first, second, f1, s1, f2, s2;
        mn_hinge_measure(MN_BEND_TAN, a, &first, &second);
        const double h = 1e-6, up = mn_hinge_measure(MN_BEND_TAN, a + h, &f1, &s1),
                     down = mn_hinge_measure(MN_BEND_TAN, a - h, &f2, &s2);
        assert_near((up - down) / (2 * h), first, 1e-5 * first);
        assert_near((f1 - f2) / (2 * h), second, 1e-5 * (fabs(second) + 1.0));
    }
}

/// A triangle whose mid-edge normals turn as those of a surface of constant curvature has that curvature and energy.
static void bending_form_is_exact_for_constant_curvature(void **state)
{
    (void)state;
    double                  c[9];
    const mn_shell_material m = woven();
    mn_shell_bending_stiffness(&m, c);
    for (int trial = 0; trial < 20; trial++) {
        const double edges[4] = { 1.0 + 0.3 * roll(trial, 0), 0.3 * roll(trial, 1), 0.4 * roll(trial, 2),
                                  0.9 + 0.3 * roll(trial, 3) };
        const double k[3]     = { roll(trial, 4), roll(trial, 5), 2.0 * roll(trial, 6) };
        // The rotation of the normal about an edge, from the triangle's centre to the edge's middle, is r^T k n for the
        // vector r between them and the edge's normal n. Exact when the middle's normal is that of the surface and the
        // triangle's that of the chord plane: then the sum over the edges is the mean curvature tensor.
        const double corner[3][2] = { { 0, 0 }, { edges[0], edges[1] }, { edges[2], edges[3] } };
        double       q[3], slope[2];
        const double w[3] = { 0.0,
                              0.5 * (k[0] * corner[1][0] * corner[1][0] + k[2] * corner[1][0] * corner[1][1] +
                                     k[1] * corner[1][1] * corner[1][1]),
                              0.5 * (k[0] * corner[2][0] * corner[2][0] + k[2] * corner[2][0] * corner[2][1] +
                                     k[1] * corner[2][1] * corner[2][1]) };
        const double det  = edges[0] * edges[3] - edges[1] * edges[2];
        slope[0] = (w[1] * edges[3] - w[2] * edges[1]) / det, slope[1] = (w[2] * edges[0] - w[1] * edges[2]) / det;
        for (int i = 0; i < 3; i++) {
            const double *a = corner[(i + 1) % 3], *b = corner[(i + 2) % 3], du = b[0] - a[0], dv = b[1] - a[1],
                         l    = sqrt(du * du + dv * dv);
            const double n[2] = { dv / l, -du / l }, mid[2] = { 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]) };
            const double su = k[0] * mid[0] + 0.5 * k[2] * mid[1], sv = 0.5 * k[2] * mid[0] + k[1] * mid[1];
            q[i] = (su - slope[0]) * n[0] + (sv - slope[1]) * n[1];
        }
        double b[9];
        mn_bending_curvature(edges, b);
        for (int r = 0; r < 3; r++)
            assert_near(b[3 * r] * q[0] + b[3 * r + 1] * q[1] + b[3 * r + 2] * q[2], k[r], 1e-12);
        mn_bending_form g;
        mn_bending_mid_edge(c, edges, &g);
        double expected = 0.0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) expected += 0.25 * fabs(det) * k[i] * c[3 * i + j] * k[j];
        assert_near(mn_bending_energy(&g, q), expected, 1e-12 * fmax(expected, 1.0));
    }
}

static void textile_numbers(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    double      shear, fraction, k[9];
    // S3.4: 0.015 g/cm^2 with a bending length of 2 cm has 117.7 dyn cm.
    assert_near(mn_textile_rigidity(0.015, 981.0, 2.0), 117.72, 1e-10);
    assert_near(mn_textile_density(0.015, 0.03), 0.5, 1e-15);
    assert_int_equal(mn_textile_solid_fraction(c, 0.015, 0.03, 1.5, &fraction), MN_OK);
    assert_near(fraction, 1.0 / 3.0, 1e-15);
    assert_int_equal(mn_textile_solid_fraction(c, 0.15, 0.03, 1.5, &fraction), MN_ERR_ARGUMENT);
    // An isotropic sheet has the same modulus on the bias, and G = E / 2(1 + nu).
    assert_int_equal(mn_shell_shear_from_bias(c, 2e6, 2e6, 0.3, 2e6, &shear), MN_OK);
    assert_near(shear, 2e6 / 2.6, 1e-6);
    assert_int_equal(mn_shell_shear_from_bias(c, 2e6, 2e6, 0.0, 8e6, &shear), MN_ERR_ARGUMENT);
    // (E5.1) and the D_b of (E5.2).
    mn_shell_material m = mn_shell_material_default();
    mn_shell_membrane_stiffness(&m, k);
    assert_near(k[0], 0.036 * 1.83e7 / (1 - 0.202 * 0.202), 1e-6);
    assert_near(k[8], 0.5 * (1 - 0.202) * k[0], 1e-6);
    mn_shell_bending_stiffness(&m, k);
    assert_near(k[0], 1.83e7 * 0.036 * 0.036 * 0.036 / (12 * (1 - 0.202 * 0.202)), 1e-9);
    assert_near(k[8], 0.5 * (1 - 0.202) * k[0], 1e-9);
    m.poisson = 1.0;
    assert_int_equal(mn_shell_material_check(c, &m), MN_ERR_ARGUMENT);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(membrane_gradient_is_that_of_its_energy),
        cmocka_unit_test(membrane_hessian_is_exact_or_positive),
        cmocka_unit_test(hinge_knows_the_angle_it_was_folded_to),
        cmocka_unit_test(hinge_derivatives_agree_with_differences),
        cmocka_unit_test(hinge_gradient_has_no_force_and_no_torque),
        cmocka_unit_test(tan_measure_has_its_derivatives),
        cmocka_unit_test(bending_form_is_exact_for_constant_curvature),
        cmocka_unit_test(textile_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
