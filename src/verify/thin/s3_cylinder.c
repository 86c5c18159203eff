// SPDX-License-Identifier: MPL-2.0
// verify/thin/s3_cylinder.c - S3.2: the energy of a sheet rolled to a cylinder must not know how the sheet is cut into
// triangles.
#include "verify/thin/s3.h"

#include "elastic/hinge.h"

#include <stdio.h>
#include <string.h>

#define RADIUS 2.0

/// Point of the cylinder whose axis lies across direction `angle`, above the plane point p; and its normal.
static mn_vec3 rolled(mn_vec3 p, double angle, mn_vec3 *normal)
{
    const double ca = cos(angle), sa = sin(angle), s = ca * p.x + sa * p.y, t = -sa * p.x + ca * p.y;
    const double a = s / RADIUS, along = RADIUS * sin(a);
    *normal = mn_v3(-ca * sin(a), -sa * sin(a), cos(a));
    return mn_v3(ca * along - sa * t, sa * along + ca * t, RADIUS * (1.0 - cos(a)));
}

/// Prescribe the mid-edge normals of the rim: q is minus the turn from the triangle's normal to the cylinder's about
/// the edge.
static void hold_rim(mn_s3_rig *r, double angle)
{
    const mn_shell_edge *edge  = mn_shell_edge_list(r->shell);
    const int64_t        edges = mn_shell_full_rows(r->shell) - r->sheet.vertices;
    for (int64_t e = 0; e < edges; e++) {
        const int32_t *v = edge[e].vertex;
        if (v[3] >= 0) continue;
        mn_vec3       normal;
        const mn_vec3 along = mn_sub3(r->x[v[1]], r->x[v[0]]), n = mn_cross3(along, mn_sub3(r->x[v[2]], r->x[v[0]]));
        rolled(mn_scale3(0.5, mn_add3(r->sheet.x[v[0]], r->sheet.x[v[1]])), angle, &normal);
        mn_shell_hold_xi(r->shell, e,
                         atan2(mn_dot3(mn_cross3(normal, n), along) / mn_norm3(along), mn_dot3(normal, n)));
    }
}

/// Bending energy over area, times 2 R^2 / D.
static mn_status cylinder_energy(mn_context *c, mn_sheet_kind kind, int columns, double poisson, double angle,
                                 bool free_rim, double *out)
{
    const mn_shell_material m = mn_s3_material(1.0 - poisson * poisson, 1.0, poisson);
    mn_sheet                sheet;
    mn_s3_rig               r;
    MN_TRY(mn_sheet_make(c, kind, columns, 0, 1.0, 1.0, &sheet));
    MN_TRY(mn_s3_rig_make(c, &sheet, &m, &r));
    mn_vec3 unused;
    for (int64_t v = 0; v < r.sheet.vertices; v++) r.x[v] = rolled(r.sheet.x[v], angle, &unused);
    if (!free_rim) hold_rim(&r, angle);
    const mn_shell_pose   pose = { r.x, NULL };
    mn_shell_relax_report relax;
    mn_shell_energy       energy;
    mn_status             st = mn_shell_relax(r.shell, pose, 1e-10, 500, r.arena, &relax);
    if (st == MN_OK && !relax.converged)
        st = mn_fail(c, MN_ERR_SOLVE, "mid-edge normals did not settle in %d iterations", relax.iterations);
    if (st == MN_OK) st = mn_shell_energy_of(r.shell, pose, r.arena, &energy);
    mn_s3_rig_end(&r);
    if (st == MN_OK) *out = energy.bending * 2.0 * RADIUS * RADIUS;
    return st;
}

static mn_status prescribed(mn_context *c, mn_sheet_kind kind, int columns, double poisson, mn_verify_report *report)
{
    char   what[80];
    double low = INFINITY, high = 0.0, worst = 1.0, value = 0.0;
    for (int k = 0; k <= 8; k++) {
        MN_TRY(cylinder_energy(c, kind, columns, poisson, k * MN_PI / 16.0, false, &value));
        low = fmin(low, value), high = fmax(high, value);
        if (fabs(value - 1.0) > fabs(worst - 1.0) || k == 0) worst = value;
    }
    snprintf(what, sizeof what, "energy, worst of 0-90 deg, %s, nu = %g", mn_sheet_name(kind), poisson);
    mn_verify_value(report, what, worst, 1.0, worst - 1.0, 1e-3, 3e-3);
    snprintf(what, sizeof what, "spread over 0-90 deg, %s, nu = %g", mn_sheet_name(kind), poisson);
    mn_verify_at_most(report, what, high - low, 1e-3, 3e-3);
    return MN_OK;
}

static mn_status relaxed(mn_context *c, mn_sheet_kind kind, double poisson, mn_verify_report *report)
{
    char   what[80];
    double worst = 1.0, value;
    for (int k = 0; k <= 4; k++) {
        MN_TRY(mn_s3_periodic_rigidity(c, kind, MN_BEND_MID_EDGE, poisson, k * MN_PI / 8.0, true, &value));
        if (fabs(value - 1.0) > fabs(worst - 1.0) || k == 0) worst = value;
    }
    snprintf(what, sizeof what, "relaxed rigidity, worst, %s, nu = %g", mn_sheet_name(kind), poisson);
    mn_verify_value(report, what, worst, 1.0, worst - 1.0, 0.01, 0.03);
    return MN_OK;
}

/// The published hinge fails as known (D-S3.2): 3.0 times too stiff across one diagonal, 1.5 on alternating ones.
static mn_status hinge(mn_context *c, mn_verify_report *report)
{
    double value;
    MN_TRY(mn_s3_periodic_rigidity(c, MN_SHEET_RIGHT, MN_BEND_HINGE, 0.0, MN_PI / 4.0, false, &value));
    mn_verify_value(report, "hinge at 45 deg, right (known fault)", value, 3.0, value / 3.0 - 1.0, 0.01, 0.03);
    MN_TRY(mn_s3_periodic_rigidity(c, MN_SHEET_ALTERNATING, MN_BEND_HINGE, 0.0, MN_PI / 4.0, false, &value));
    mn_verify_value(report, "hinge at 45 deg, alternating (known fault)", value, 1.5, value / 1.5 - 1.0, 0.01, 0.03);
    return MN_OK;
}

// S3.2: E/A = D/(2 R^2). Good 0.1 % and spread 0.1 % at 40 edges; relaxed rigidity within 1 %. A free rim rightly
// lowers the total by 1.1 to 3.7 % at 40 edges.
mn_status mn_s3_cylinder(mn_context *c, mn_verify_tier tier, mn_verify_report *report)
{
    const int columns = tier == MN_TIER_BUILD ? 40 : 80;
    for (int kind = MN_SHEET_RIGHT; kind <= MN_SHEET_JITTERED; kind++)
        for (int k = 0; k < 2; k++) {
            MN_TRY(prescribed(c, (mn_sheet_kind)kind, columns, 0.3 * k, report));
            MN_TRY(relaxed(c, (mn_sheet_kind)kind, 0.3 * k, report));
        }
    double value;
    MN_TRY(cylinder_energy(c, MN_SHEET_RIGHT, 40, 0.0, 0.0, true, &value));
    mn_verify_value(report, "energy with a free rim, 40 edges", value, 0.976, value - 0.976, 0.013, 0.013);
    return hinge(c, report);
}
