// SPDX-License-Identifier: MPL-2.0
// verify/thin/s3_derivatives.c - S3.10: gradients against the complex step, symmetry, rigid motion, at folds up to 175
// degrees.
#include "verify/thin/s3.h"

#include "base/random.h"
#include "elastic/hinge.h"

#include <complex.h>
#include <string.h>

typedef struct cvec {
    double complex x, y, z;
} cvec;

static cvec           csub(cvec a, cvec b) { return (cvec){ a.x - b.x, a.y - b.y, a.z - b.z }; }
static double complex cdot(cvec a, cvec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static cvec           ccross(cvec a, cvec b)
{
    return (cvec){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

/// The same angle written for complex arguments: 2 atan(sin/(1 + cos)).
static double complex hinge_angle(const cvec x[4])
{
    const cvec           e = csub(x[1], x[0]), n = ccross(e, csub(x[2], x[0])), m = ccross(csub(x[3], x[0]), e);
    const double complex size = csqrt(cdot(n, n)) * csqrt(cdot(m, m));
    return 2.0 * catan(cdot(ccross(m, n), e) / csqrt(cdot(e, e)) / (size + cdot(n, m)));
}

static double complex membrane_energy(const double k[9], const mn_in_plane_rest *r, const cvec x[3])
{
    const cvec           a = csub(x[1], x[0]), b = csub(x[2], x[0]);
    const cvec           U    = { r->ru[0] * a.x + r->ru[1] * b.x, r->ru[0] * a.y + r->ru[1] * b.y,
                                  r->ru[0] * a.z + r->ru[1] * b.z };
    const cvec           V    = { r->rv[0] * a.x + r->rv[1] * b.x, r->rv[0] * a.y + r->rv[1] * b.y,
                                  r->rv[0] * a.z + r->rv[1] * b.z };
    const double complex e[3] = { 0.5 * (cdot(U, U) - 1.0), 0.5 * (cdot(V, V) - 1.0), cdot(U, V) };
    double complex       sum  = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum += 0.5 * r->area * e[i] * k[3 * i + j] * e[j];
    return sum;
}

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

static void to_complex(const mn_vec3 *x, int n, int step, cvec *out)
{
    for (int i = 0; i < n; i++) out[i] = (cvec){ x[i].x, x[i].y, x[i].z };
    double complex *c[3] = { &out[step / 3].x, &out[step / 3].y, &out[step / 3].z };
    *c[step % 3] += 1e-30 * I;
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
            cvec z[4];
            to_complex(x, 4, k, z);
            scale = fmax(scale, fabs(mn_get3(g[k / 3], k % 3)));
            error = fmax(error, fabs(cimag(hinge_angle(z)) / 1e-30 - mn_get3(g[k / 3], k % 3)));
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
            cvec z[3];
            to_complex(x, 3, c, z);
            scale = fmax(scale, fabs(mn_get3(g[c / 3], c % 3)));
            error = fmax(error, fabs(cimag(membrane_energy(k, &rest, z)) / 1e-30 - mn_get3(g[c / 3], c % 3)));
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

/// A crumpled sheet with folds, turned and moved: change of its energy, and net force and torque over the sum of
/// magnitudes.
static mn_status rigid_motion(mn_context *c, double *energy_change, double *net)
{
    mn_sheet                sheet;
    mn_s3_rig               r;
    const mn_shell_material m = mn_shell_material_default();
    MN_TRY(mn_sheet_make(c, MN_SHEET_JITTERED, 12, 12, 1.0, 1.0, &sheet));
    MN_TRY(mn_s3_rig_make(c, &sheet, &m, &r));
    for (int64_t v = 0; v < r.sheet.vertices; v++) r.x[v].z += 0.5 * fabs(r.x[v].x - 0.5) + 0.04 * roll((int)v, 40);
    mn_shell_energy before, after;
    mn_vec3         force = { 0 }, torque = { 0 };
    double          size = 0.0;
    mn_status       st   = mn_shell_energy_of(r.shell, (mn_shell_pose){ r.x, NULL }, r.arena, &before);
    if (st == MN_OK) st = mn_shell_add_forces(r.shell, (mn_shell_pose){ r.x, NULL }, r.arena, r.load, NULL);
    const mn_mat3 turn = mn_rotation3(mn_unit3(mn_v3(1, -2, 0.5), mn_v3(1, 0, 0)), 1.9);
    for (int64_t v = 0; v < r.sheet.vertices; v++) {
        force = mn_add3(force, r.load[v]), torque = mn_add3(torque, mn_cross3(r.x[v], r.load[v])),
        size += mn_norm3(r.load[v]);
        r.x[v] = mn_add3(mn_mul3(turn, r.x[v]), mn_v3(1, 2, 3));
    }
    if (st == MN_OK) st = mn_shell_energy_of(r.shell, (mn_shell_pose){ r.x, NULL }, r.arena, &after);
    *net           = fmax(mn_norm3(force), mn_norm3(torque)) / size;
    *energy_change = (after.membrane + after.bending) / (before.membrane + before.bending) - 1.0;
    mn_s3_rig_end(&r);
    return st;
}

mn_status mn_s3_derivatives(mn_context *c, mn_verify_tier tier, mn_verify_report *report)
{
    (void)tier;
    double asymmetry = 0.0, change, net;
    mn_verify_at_most(report, "membrane gradient against complex step", membrane_error(&asymmetry), 1e-12, 1e-12);
    mn_verify_at_most(report, "hinge gradient against complex step, to 175 deg", hinge_error(), 1e-12, 1e-12);
    mn_verify_at_most(report, "membrane Hessian, asymmetry", asymmetry, 1e-14, 1e-14);
    mn_verify_at_most(report, "hinge Hessian, asymmetry", hinge_asymmetry(), 1e-14, 1e-14);
    MN_TRY(rigid_motion(c, &change, &net));
    mn_verify_value(report, "energy after a rigid motion", 1.0 + change, 1.0, change, 1e-12, 1e-12);
    mn_verify_at_most(report, "net force and torque", net, 1e-12, 1e-12);
    return MN_OK;
}
