// SPDX-License-Identifier: MPL-2.0
// verify/thin/s3_plates.c - S3.1 and S3.6: the membrane patch test, and a plate that vibrates.
#include "verify/thin/plate.h"
#include "verify/thin/s3.h"

#include <stdio.h>
#include <string.h>

// S3.1: a uniform deformation of an irregular mesh has no force on inner vertices and the energy of its strain,
// exactly.
mn_status mn_s3_patch(mn_context *c, mn_verify_tier tier, mn_verify_report *report)
{
    (void)tier;
    mn_shell_material m = mn_shell_material_default();
    mn_sheet          sheet;
    mn_s3_rig         r;
    MN_TRY(mn_sheet_make(c, MN_SHEET_JITTERED, 10, 10, 2.0, 2.0, &sheet));
    MN_TRY(mn_s3_rig_make(c, &sheet, &m, &r));
    const mn_vec3 U = { 1.1, 0.2, 0.3 }, V = { -0.1, 0.9, 0.2 };
    for (int64_t v = 0; v < r.sheet.vertices; v++)
        r.x[v] = mn_add3(mn_scale3(r.sheet.x[v].x, U), mn_scale3(r.sheet.x[v].y, V));
    mn_shell_energy energy;
    mn_status       st = mn_shell_energy_of(r.shell, (mn_shell_pose){ r.x, NULL }, r.arena, &energy);
    if (st == MN_OK) st = mn_shell_add_forces(r.shell, (mn_shell_pose){ r.x, NULL }, r.arena, r.load, NULL);
    if (st == MN_OK) {
        const double e[3] = { 0.5 * (mn_dot3(U, U) - 1.0), 0.5 * (mn_dot3(V, V) - 1.0), mn_dot3(U, V) };
        double       k[9], expected = 0.0, force = 0.0;
        mn_shell_membrane_stiffness(&m, k);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) expected += 0.5 * 4.0 * e[i] * k[3 * i + j] * e[j];
        for (int64_t v = 0; v < r.sheet.vertices; v++) {
            const mn_vec3 p = r.sheet.x[v];
            if (p.x > 0.0 && p.y > 0.0 && p.x < 2.0 - 1e-9 && p.y < 2.0 - 1e-9)
                force = fmax(force, mn_norm3(r.load[v]));
        }
        mn_verify_at_most(report, "largest inner force over E h L", force / (m.young_warp * m.thickness * 2.0), 1e-12,
                          1e-12);
        mn_verify_value(report, "energy, erg", energy.membrane, expected, energy.membrane / expected - 1.0, 1e-13,
                        1e-13);
    }
    mn_s3_rig_end(&r);
    return st;
}

/// Hold what a simply supported plate holds: the plane of all vertices, and the height of the rim. Rim normals are
/// free.
static void support(mn_s3_rig *r)
{
    for (int64_t v = 0; v < r->sheet.vertices; v++) {
        const mn_vec3 p = r->sheet.x[v];
        r->fixed[3 * v] = r->fixed[3 * v + 1] = 1;
        r->fixed[3 * v + 2]                   = p.x < 1e-9 || p.y < 1e-9 || p.x > 1.0 - 1e-9 || p.y > 1.0 - 1e-9;
    }
}

// S3.6: omega_mn = pi^2 (m^2 + n^2)/L^2 sqrt(D/(rho h)), here with D = rho h = L = 1. Good 1 %.
mn_status mn_s3_vibration(mn_context *c, mn_verify_tier tier, mn_verify_report *report)
{
    static const char *const names[4] = { "11", "12", "21", "22" };
    static const double      sums[4]  = { 2.0, 5.0, 5.0, 8.0 };
    MN_TRY(mn_plate_frequencies(c, tier, report));
    mn_verify_library(report, true);
    for (int kind = MN_SHEET_RIGHT; kind <= MN_SHEET_JITTERED; kind++) {
        // (1 - nu^2) D_strip = D: the plate's rigidity is the strip's over 1 - nu^2.
        const mn_shell_material m = mn_s3_material(1.0 - 0.3 * 0.3, 1e4, 0.3);
        mn_sheet                sheet;
        mn_s3_rig               r;
        double                  omega[4];
        MN_TRY(mn_sheet_make(c, (mn_sheet_kind)kind, tier == MN_TIER_BUILD ? 40 : 64, 0, 1.0, 1.0, &sheet));
        MN_TRY(mn_s3_rig_make(c, &sheet, &m, &r));
        support(&r);
        mn_status st = mn_s3_drive(&r, 1e-9);
        if (st == MN_OK) st = mn_shell_drive_frequencies(r.drive, r.x, 4, omega);
        mn_s3_rig_end(&r);
        MN_TRY(st);
        for (int k = 0; k < 4; k++) {
            char what[64];
            snprintf(what, sizeof what, "mode %s over pi^2, %s", names[k], mn_sheet_name((mn_sheet_kind)kind));
            const double value = omega[k] / (MN_PI * MN_PI);
            mn_verify_value(report, what, value, sums[k], value / sums[k] - 1.0, 0.01, 0.03);
        }
    }
    return MN_OK;
}
