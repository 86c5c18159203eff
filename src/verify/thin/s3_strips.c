// SPDX-License-Identifier: MPL-2.0
// verify/thin/s3_strips.c - S3.3 to S3.5, S3.7: strips that bend far, and one that buckles.
#include "verify/thin/s3.h"
#include "verify/thin/span_cases.h"

#include <stdio.h>
#include <string.h>

/// A strip of `columns` x 2 cut squares along x, clamped at x = 0. `grading`: length of the first column over the mean
/// one.
static mn_status make_strip(mn_context *c, int columns, double grading, double length, double width,
                            const mn_shell_material *m, mn_s3_rig *r)
{
    mn_sheet sheet;
    MN_TRY(mn_sheet_make(c, MN_SHEET_RIGHT, columns, 2, length, width, &sheet));
    for (int64_t v = 0; v < sheet.vertices; v++) {
        const double s = sheet.x[v].x / length;
        sheet.x[v].x   = length * s * (grading + (1.0 - grading) * s);
    }
    MN_TRY(mn_s3_rig_make(c, &sheet, m, r));
    const mn_status st = mn_s3_clamp_line(r, 0.0, mn_v3(-length / columns, 0.0, 0.0));
    if (st != MN_OK) mn_s3_rig_end(r);
    return st;
}

/// Mean position of the vertices whose rest place is at x = at.
static mn_vec3 mean_at(const mn_s3_rig *r, double at)
{
    mn_vec3 sum = { 0.0, 0.0, 0.0 };
    int     n   = 0;
    for (int64_t v = 0; v < r->sheet.vertices; v++)
        if (fabs(r->sheet.x[v].x - at) < 1e-9) sum = mn_add3(sum, r->x[v]), n++;
    return mn_scale3(1.0 / n, sum);
}

/// Load a line of vertices with a total force, shared by the lengths of the edges beside them.
static void load_line(mn_s3_rig *r, double at, double width, mn_vec3 force)
{
    for (int64_t v = 0; v < r->sheet.vertices; v++) {
        const mn_vec3 p = r->sheet.x[v];
        if (fabs(p.x - at) > 1e-9) continue;
        const bool end = p.y < 1e-9 || p.y > width - 1e-9;
        r->load[v]     = mn_scale3(end ? 0.5 / r->sheet.rows : 1.0 / r->sheet.rows, force);
    }
}

static mn_status rest_under_growing_load(mn_s3_rig *r, int steps)
{
    mn_vec3 *full = mn_alloc_array(r->context, mn_vec3, r->sheet.vertices);
    if (full == NULL) return MN_ERR_MEMORY;
    memcpy(full, r->load, (size_t)r->sheet.vertices * sizeof *full);
    mn_status st = MN_OK;
    for (int k = 1; k <= steps && st == MN_OK; k++) {
        for (int64_t v = 0; v < r->sheet.vertices; v++) r->load[v] = mn_scale3((double)k / steps, full[v]);
        st = mn_s3_rest(r);
    }
    mn_free(r->context, full);
    return st;
}

// S3.3: L = 10, b = 1, h = 0.1, E = 1.2e6, P = 4: PL^2/EI = 4. Good 0.5 % at 16 x 2, gate 2 %.
mn_status mn_s3_cantilever(mn_context *c, mn_verify_tier tier, mn_verify_report *report)
{
    const int         columns = tier == MN_TIER_BUILD ? 16 : 32;
    mn_shell_material m       = mn_shell_material_default();
    m.thickness = 0.1, m.young_warp = m.young_weft = 1.2e6, m.poisson = 0.0, m.viscosity = 0.0;
    mn_s3_rig r;
    MN_TRY(make_strip(c, columns, 1.0, 10.0, 1.0, &m, &r));
    load_line(&r, 10.0, 1.0, mn_v3(0.0, 0.0, 4.0));
    mn_status st = mn_s3_drive(&r, 1e-9);
    if (st == MN_OK) st = rest_under_growing_load(&r, 4);
    if (st == MN_OK) {
        const mn_vec3 tip = mean_at(&r, 10.0);
        mn_verify_value(report, "deflection of the tip, cm", tip.z, 6.69964, tip.z / 6.69964 - 1.0, 0.005, 0.02);
        mn_verify_value(report, "tip drawn in, cm", 10.0 - tip.x, 3.28941, (10.0 - tip.x) / 3.28941 - 1.0, 0.005, 0.02);
    }
    mn_s3_rig_end(&r);
    return st;
}

/// A strip of length 1 and rigidity 1 that hangs from its clamp. Under a weight of 1000 its mean strain is 5e-5.
static mn_status hang(mn_context *c, int columns, double grading, mn_s3_rig *r)
{
    const mn_shell_material m = mn_s3_material(1.0, 1e7, 0.0);
    MN_TRY(make_strip(c, columns, grading, 1.0, 2.0 * grading / columns, &m, r));
    const mn_status st = mn_s3_drive(r, 1e-10);
    if (st != MN_OK) mn_s3_rig_end(r);
    return st;
}

/// To rest under a weight per area, by way of weights that grow by half.
static mn_status hang_with(mn_s3_rig *r, double from, double gamma)
{
    for (double now = from;;) {
        now = fmin(gamma, 1.5 * now);
        for (int64_t v = 0; v < r->sheet.vertices; v++) r->load[v] = mn_v3(0.0, 0.0, -now * r->area[v]);
        MN_TRY(mn_s3_rest(r));
        if (now == gamma) return MN_OK;
    }
}

/// Curvature at the clamp from the moment it holds, D = 1.
static mn_status clamp_curvature(mn_s3_rig *r, double width, double *out)
{
    const int64_t edges  = mn_shell_full_rows(r->shell) - r->sheet.vertices;
    double       *moment = mn_alloc_array(r->context, double, edges);
    if (moment == NULL) return MN_ERR_MEMORY;
    const mn_status      st   = mn_shell_edge_moments(r->shell, (mn_shell_pose){ r->x, NULL }, r->arena, moment);
    const mn_shell_edge *edge = mn_shell_edge_list(r->shell);
    double               sum  = 0.0;
    for (int64_t e = 0; e < edges; e++)
        if (r->sheet.x[edge[e].vertex[0]].x == 0.0 && r->sheet.x[edge[e].vertex[1]].x == 0.0) sum += moment[e];
    mn_free(r->context, moment);
    *out = fabs(sum) / width;
    return st;
}

// S3.5: drop, reach and clamp curvature over L for five weights. Good 0.5 % at 60 elements, which are shorter towards
// the clamp: at Gamma = 1000 the strip turns down within 0.02 L, and 60 equal elements see 2 % less curvature there.
mn_status mn_s3_elastica(mn_context *c, mn_verify_tier tier, mn_verify_report *report)
{
    static const double table[5][4] = { { 1.0, 0.123471, 0.991246, 0.49693 },
                                        { 10.0, 0.700200, 0.656354, 3.74219 },
                                        { 50.0, 0.907917, 0.245015, 9.52847 },
                                        { 100.0, 0.937524, 0.159223, 13.69324 },
                                        { 1000.0, 0.981141, 0.045986, 44.29766 } };
    const int           columns     = tier == MN_TIER_BUILD ? 60 : 120;
    mn_s3_rig           r;
    MN_TRY(mn_span_droop(c, tier, report, false));
    mn_verify_library(report, true);
    MN_TRY(hang(c, columns, 0.2, &r));
    mn_status st = MN_OK;
    for (int k = 0; k < 5 && st == MN_OK; k++) {
        const double gamma = table[k][0];
        st                 = hang_with(&r, k == 0 ? 0.5 : table[k - 1][0], gamma);
        double curvature   = 0.0;
        if (st == MN_OK) st = clamp_curvature(&r, 2.0 * 0.2 / columns, &curvature);
        if (st != MN_OK) break;
        const mn_vec3            tip      = mean_at(&r, 1.0);
        const double             value[3] = { -tip.z, tip.x, curvature };
        static const char *const names[3] = { "drop", "reach", "clamp curvature" };
        for (int i = 0; i < 3; i++) {
            char what[96];
            snprintf(what, sizeof what, "%s over L, Gamma = %g, %d columns, shorter at the clamp", names[i], gamma,
                     columns);
            mn_verify_value(report, what, value[i], table[k][1 + i], value[i] / table[k][1 + i] - 1.0, 0.005, 0.015);
        }
    }
    mn_s3_rig_end(&r);
    return st;
}

// S3.4: the overhang whose chord hangs at 41.5 degrees is 2.0004 bending lengths, c = (D/wg)^(1/3). Good 1 %.
mn_status mn_s3_peirce(mn_context *c, mn_verify_tier tier, mn_verify_report *report)
{
    mn_s3_rig r;
    MN_TRY(mn_span_peirce(c, tier, report));
    mn_verify_library(report, true);
    MN_TRY(hang(c, tier == MN_TIER_BUILD ? 40 : 80, 1.0, &r));
    // L = 1 and D = 1: the weight Gamma = (L/c)^3 is looked for by bisection.
    double    low = 4.0, high = 16.0;
    mn_status st = hang_with(&r, 0.5, low);
    for (int k = 0; k < 24 && st == MN_OK; k++) {
        const double gamma = 0.5 * (low + high);
        st                 = hang_with(&r, gamma, gamma);
        const mn_vec3 tip  = mean_at(&r, 1.0);
        if (atan2(-tip.z, tip.x) > 41.5 * MN_PI / 180.0) high = gamma;
        else low = gamma;
    }
    mn_s3_rig_end(&r);
    if (st != MN_OK) return st;
    const double ratio  = cbrt(0.5 * (low + high)),
                 length = cbrt(mn_textile_rigidity(0.015, 981.0, 2.0) / (0.015 * 981.0));
    mn_verify_value(report, "overhang over bending length", ratio, 2.0004, ratio / 2.0004 - 1.0, 0.01, 0.03);
    mn_verify_value(report, "overhang of the cotton, cm", ratio * length, 4.0, ratio * length / 4.0 - 1.0, 0.01, 0.03);
    return MN_OK;
}

/// Shorten a strip of length 1 by `strain`, ends clamped, and ask whether it is stable; `force` is what the end pushes.
static mn_status push(mn_s3_rig *r, double strain, bool *stable, double *force)
{
    for (int64_t v = 0; v < r->sheet.vertices; v++)
        r->x[v] = mn_v3((1.0 - strain) * r->sheet.x[v].x, r->sheet.x[v].y, 0.0);
    MN_TRY(mn_shell_drive_is_stable(r->drive, r->x, stable));
    memset(r->load, 0, (size_t)r->sheet.vertices * sizeof *r->load);
    MN_TRY(mn_shell_add_forces(r->shell, (mn_shell_pose){ r->x, NULL }, r->arena, r->load, NULL));
    *force = 0.0;
    for (int64_t v = 0; v < r->sheet.vertices; v++)
        if (r->sheet.x[v].x > 1.0 - 1e-9) *force += r->load[v].x;
    return MN_OK;
}

// S3.7: clamped at both ends, P = 4 pi^2 D b/L^2, by bisection of the shortening. Good 2 %.
mn_status mn_s3_euler(mn_context *c, mn_verify_tier tier, mn_verify_report *report)
{
    const int               columns = tier == MN_TIER_BUILD ? 40 : 80;
    const double            width = 2.0 / columns, expected = 4.0 * MN_PI * MN_PI * width;
    const mn_shell_material m = mn_s3_material(1.0, 1e5, 0.0);
    mn_s3_rig               r;
    MN_TRY(mn_span_push(c, tier, report));
    mn_verify_library(report, true);
    MN_TRY(make_strip(c, columns, 1.0, 1.0, width, &m, &r));
    mn_status st = mn_s3_clamp_line(&r, 1.0, mn_v3(1.0 / columns, 0.0, 0.0));
    if (st == MN_OK) st = mn_s3_drive(&r, 1e-10);
    double low = 0.0, high = 4.0 * 4.0 * MN_PI * MN_PI / 1e5, force = 0.0;
    bool   stable = true;
    if (st == MN_OK) st = push(&r, low, &stable, &force);
    if (st == MN_OK && !stable) st = mn_fail(c, MN_ERR_SOLVE, "a strip without load is not stable");
    if (st == MN_OK) st = push(&r, high, &stable, &force);
    if (st == MN_OK && stable) st = mn_fail(c, MN_ERR_SOLVE, "a strip under four times its buckling load is stable");
    for (int k = 0; k < 16 && st == MN_OK; k++) {
        const double middle = 0.5 * (low + high);
        st                  = push(&r, middle, &stable, &force);
        if (stable) low = middle;
        else high = middle;
    }
    mn_s3_rig_end(&r);
    if (st == MN_OK) mn_verify_value(report, "buckling load, dyn", force, expected, force / expected - 1.0, 0.02, 0.06);
    return st;
}
