// SPDX-License-Identifier: MPL-2.0
// verify/thin/s3_derivatives.c - S3.10: gradients against the complex step, symmetry, rigid motion, at folds up to 175
// degrees.
#include "verify/thin/complex_step.h"
#include "verify/thin/s3.h"

#include "base/random.h"
#include "elastic/hinge.h"

#include <string.h>

static double  roll(int trial, int lane) { return 2.0 * mn_random(31, (uint64_t)trial, 0, (uint64_t)lane) - 1.0; }
static mn_vec3 roll3(int trial, int lane)
{
    return mn_v3(roll(trial, 3 * lane), roll(trial, 3 * lane + 1), roll(trial, 3 * lane + 2));
}

/// A hinge folded to an angle, turned at random.
static void fold(int trial, double angle, mn_vec3 x[4])
{
    const double y = -0.8 - 0.2 * roll(trial, 3);
    x[0] = mn_v3(0.0, 0.0, 0.0), x[1] = mn_v3(1.0 + 0.3 * roll(trial, 0), 0.0, 0.0);
    x[2]               = mn_v3(0.5 + 0.3 * roll(trial, 1), 0.8 + 0.2 * roll(trial, 2), 0.0);
    x[3]               = mn_v3(0.5 + 0.3 * roll(trial, 4), y * cos(angle), -y * sin(angle));
    const mn_mat3 turn = mn_rotation3(mn_unit3(roll3(trial, 5), mn_v3(1, 0, 0)), 3.0 * roll(trial, 20));
    for (int i = 0; i < 4; i++) x[i] = mn_mul3(turn, x[i]);
}

static double hinge_error(void)
{
    double worst = 0.0;
    for (int trial = 0; trial < 60; trial++) {
        mn_vec3 x[4], g[4];
        double  scale = 0.0, error = 0.0;
        fold(trial, (trial % 15 - 7) * 25.0 * MN_PI / 180.0, x);  // -175 to 175 degrees
        mn_hinge_gradient(x, g);
        for (int k = 0; k < 12; k++) {
            mn_cvec z[4];
            mn_to_complex(x, 4, k, z);
            scale = fmax(scale, fabs(mn_get3(g[k / 3], k % 3)));
            error = fmax(error, fabs(cimag(mn_complex_hinge(z)) / 1e-30 - mn_get3(g[k / 3], k % 3)));
        }
        worst = fmax(worst, error / scale);
    }
    return worst;
}

static double membrane_error(double *asymmetry)
{
    double            worst = 0.0, k[9], h[81];
    mn_shell_material m     = mn_shell_material_default();
    m.young_weft = 4e6, m.shear = 3e5;
    mn_shell_membrane_stiffness(&m, k);
    for (int trial = 0; trial < 60; trial++) {
        const mn_vec3    corner[3] = { roll3(trial, 10), roll3(trial, 11), roll3(trial, 12) };
        mn_vec3          x[3], g[3];
        mn_in_plane_rest rest;
        if (!mn_in_plane_rest_make(corner, roll3(trial, 13), &rest, NULL)) return NAN;
        for (int i = 0; i < 3; i++) x[i] = mn_add3(corner[i], mn_scale3(0.2, roll3(trial, 14 + i)));
        mn_in_plane_gradient(k, &rest, x, g);
        mn_in_plane_hessian(k, &rest, x, false, h);
        double scale = 0.0, error = 0.0;
        for (int c = 0; c < 9; c++) {
            mn_cvec z[3];
            mn_to_complex(x, 3, c, z);
            scale = fmax(scale, fabs(mn_get3(g[c / 3], c % 3)));
            error = fmax(error, fabs(cimag(mn_complex_membrane(k, &rest, z)) / 1e-30 - mn_get3(g[c / 3], c % 3)));
            for (int r = 0; r < 9; r++) *asymmetry = fmax(*asymmetry, fabs(h[9 * r + c] - h[9 * c + r]) / fabs(h[0]));
        }
        worst = fmax(worst, error / scale);
    }
    return worst;
}

static double hinge_asymmetry(void)
{
    double worst = 0.0, h[144];
    for (int trial = 0; trial < 60; trial++) {
        mn_vec3 x[4];
        fold(trial, (trial % 15 - 7) * 25.0 * MN_PI / 180.0, x);
        mn_hinge_hessian(x, h);
        double scale = 0.0, off = 0.0;
        for (int a = 0; a < 12; a++)
            for (int b = 0; b < 12; b++)
                scale = fmax(scale, fabs(h[12 * a + b])), off = fmax(off, fabs(h[12 * a + b] - h[12 * b + a]));
        worst = fmax(worst, off / scale);
    }
    return worst;
}

mn_status mn_s3_derivatives(mn_context *c, mn_verify_tier tier, mn_verify_report *report)
{
    (void)tier;
    double asymmetry = 0.0;
    MN_TRY(mn_s3_mid_edge(c, report));
    // Membrane and hinge by themselves; the hinge alone (bend=hinge) is there to compare with.
    mn_verify_at_most(report, "membrane gradient against complex step", membrane_error(&asymmetry), 1e-12, 1e-12);
    mn_verify_at_most(report, "hinge gradient against complex step, to 175 deg", hinge_error(), 1e-12, 1e-12);
    mn_verify_at_most(report, "membrane Hessian, asymmetry", asymmetry, 1e-14, 1e-14);
    mn_verify_at_most(report, "hinge Hessian, asymmetry", hinge_asymmetry(), 1e-14, 1e-14);
    return MN_OK;
}
