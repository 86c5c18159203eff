// SPDX-License-Identifier: MPL-2.0
// verify/fabric/a1_wicking.c - A1.3, wicking from an edge that stays saturated; A1.6, how that differs from tubes.
//
// The edge is fed in two ways. A hem: fabric so thick that what it gives does not show (less than 1e-3 of what it
// holds), full at the start, without gravity. And a pool in which the strip stands, under so little gravity that it
// does not count beside the suction (10 cm/s^2: a thousandth). From a pool the fabric is wetted by capture, which
// reaches a cell or so above the surface; the front is then counted from where it began, x = x_0 + a sqrt(t).
#include "verify/fabric/a1.h"
#include "verify/fabric/wet_world.h"

#include "geom/patterns/builder.h"

#include <stdio.h>

#define FRONT       1.616125  // x_f / sqrt(D0 t)
#define UPTAKE      0.887497
#define LENGTH      1.9
#define TIMES       5
#define HEM         2.0  // cm, length of the thick yarn behind the edge
#define HEM_RADIUS  0.9
#define YARN_RADIUS 0.002

typedef struct wick {
    double time[TIMES], front[TIMES];  // s, cm from the edge
    double uptake;                     // cm of full strip at the last time
    double loss;                       // of liquid, as a share
    double edge;                       // saturation of the edge at the end
} wick;

// --- what is looked at

/// Where a straight line through saturations of 2 to 15 % meets zero, along an axis.
static double front_of(const mn_fabric_view *f, const double *along)
{
    double n = 0.0, x1 = 0.0, s1 = 0.0, ss = 0.0, xs = 0.0;
    for (int64_t v = 0; v < f->position.count; v++) {
        const double wet = mn_fabric_view_saturation(f, v), x = along[v];
        if (wet < 0.02 || wet > 0.15) continue;
        n += 1.0, x1 += x, s1 += wet, ss += wet * wet, xs += x * wet;
    }
    const double slope = (n * xs - x1 * s1) / (n * ss - s1 * s1);
    return (x1 - slope * s1) / n;
}

/// Slope of y over x.
static double slope_of(const double *x, const double *y, int count)
{
    double sx = 0.0, sy = 0.0, xx = 0.0, xy = 0.0;
    for (int k = 0; k < count; k++) sx += x[k], sy += y[k], xx += x[k] * x[k], xy += x[k] * y[k];
    return (count * xy - sx * sy) / (count * xx - sx * sx);
}

static double exponent_of(const wick *w)
{
    double x[TIMES], y[TIMES];
    for (int k = 0; k < TIMES; k++) x[k] = log(w->time[k]), y[k] = log(w->front[k]);
    return slope_of(x, y, TIMES);
}

// --- from a hem

static mn_status yarn_with_hem(mn_context *c, double spacing, mn_thin_mesh *mesh)
{
    mn_pattern_builder b     = { .context = c };
    const int          count = (int)lround(LENGTH / spacing);
    mn_build_strand_begin(&b, HEM_RADIUS);
    mn_build_strand_add(&b, mn_build_vertex(&b, mn_v3(-HEM, 0.0, 0.0)));
    const int32_t edge = mn_build_vertex(&b, mn_v3(0.0, 0.0, 0.0));
    mn_build_strand_add(&b, edge);
    mn_build_strand_end(&b, false);
    mn_build_strand_begin(&b, YARN_RADIUS);
    mn_build_strand_add(&b, edge);
    for (int k = 1; k <= count; k++) mn_build_strand_add(&b, mn_build_vertex(&b, mn_v3(k * spacing, 0.0, 0.0)));
    mn_build_strand_end(&b, false);
    mn_build_group_all(&b);
    return mn_build_finish(&b, mesh);
}

/// A strip of cloth that begins at x = 0, a thick yarn from every vertex of its left side.
static mn_status cloth_with_hem(mn_context *c, double spacing, mn_thin_mesh *mesh)
{
    const mn_cloth_def d = { .outline = MN_CLOTH_RECTANGLE, .size = { LENGTH, 8.0 * spacing }, .spacing = spacing };
    mn_thin_mesh       cloth;
    MN_TRY(mn_cloth_generate(c, &d, &cloth));
    mn_pattern_builder b = { .context = c };
    for (int64_t v = 0; v < cloth.vertex_count; v++)
        mn_build_vertex(&b, mn_v3(cloth.vertex[v][0] + 0.5 * LENGTH, 0.0, cloth.vertex[v][2]));
    for (int64_t t = 0; t < cloth.triangle_count; t++)
        mn_build_triangle(&b, cloth.triangle[t][0], cloth.triangle[t][1], cloth.triangle[t][2]);
    for (int64_t v = 0; v < cloth.vertex_count; v++) {
        if (cloth.vertex[v][0] > -0.5 * LENGTH + 1e-9) continue;
        mn_build_strand_begin(&b, HEM_RADIUS);
        mn_build_strand_add(&b, (int32_t)v);
        mn_build_strand_add(&b, mn_build_vertex(&b, mn_v3(-HEM, 0.0, cloth.vertex[v][2])));
        mn_build_strand_end(&b, false);
    }
    mn_thin_mesh_free(c, &cloth);
    mn_build_group_all(&b);
    return mn_build_finish(&b, mesh);
}

static double hem_is_full(mn_vec3 x, const void *user)
{
    (void)user;
    return x.x < 1e-9 ? 1.0 : 0.0;
}

/// What is in the strip, as cm of full strip; that part of it which the vertices of the edge stand for is full.
static void measure(const mn_world *w, bool yarn, wick *out)
{
    const mn_fabric_view f    = mn_world_fabric(w, 0);
    double               held = 0.0, pores = 0.0, length = 0.0, width = 0.0;
    out->edge = 1.0;
    for (int64_t v = 0; v < f.position.count; v++) {
        length = fmax(length, f.position.x[v]), width = fmax(width, 2.0 * f.position.z[v]);
        if (f.position.x[v] > 1e-9) held += f.held[v], pores += f.bulk[v] * f.swelling[v] - f.fiber[v];
        else out->edge = fmin(out->edge, mn_fabric_view_saturation(&f, v));
    }
    const double open   = 1.0 - mn_wet_sample_f0().solid_fraction,
                 per_cm = open * (yarn ? MN_PI * YARN_RADIUS * YARN_RADIUS : f.thickness * width);
    out->uptake         = held / per_cm + (length - pores / per_cm);
    out->loss           = fabs(mn_world_ledger(w).liquid_error);
}

static mn_status soak_from_hem(mn_world *w, bool yarn, wick *out)
{
    static const double times[TIMES] = { 0.03, 0.075, 0.18, 0.43, 1.0 };
    for (int k = 0; k < TIMES; k++) {
        double now;
        while ((now = mn_world_time(w)) < times[k])
            MN_TRY(mn_wet_world_run(w, fmin(times[k], now + 1e-5 + 0.01 * now)));
        const mn_fabric_view f = mn_world_fabric(w, 0);
        out->time[k]           = times[k];
        out->front[k]          = front_of(&f, f.position.x);
    }
    measure(w, yarn, out);
    return MN_OK;
}

static mn_status run_hem(mn_context *c, bool yarn, double spacing, wick *out)
{
    const mn_liquid_material water  = mn_wet_sample_water();
    mn_wet_fabric            fabric = mn_wet_fabric_default("strip");
    mn_thin_mesh             mesh   = { .vertex_count = 0 };
    mn_world                *w      = NULL;
    fabric.held = "all", fabric.wet = hem_is_full;
    fabric.def.material.vary_porosity = false;  // hem and strip overlap where they are joined
    mn_status status                  = mn_wet_world_make(c, spacing / 0.6, 0.0, 1.0, &w);
    if (status == MN_OK) status = mn_wet_world_of(c, w, &water);
    if (status == MN_OK) status = yarn ? yarn_with_hem(c, spacing, &mesh) : cloth_with_hem(c, spacing, &mesh);
    if (status == MN_OK) status = mn_wet_world_add(c, w, &mesh, &fabric);
    if (status == MN_OK) status = soak_from_hem(w, yarn, out);
    mn_thin_mesh_free(c, &mesh);
    mn_world_destroy(&w);
    return status;
}

static mn_status from_hem(mn_context *c, bool yarn, double scale, mn_verify_report *r)
{
    char        text[112];
    const char *what = yarn ? "yarn from a hem" : "cloth from a hem";
    wick        w;
    MN_TRY(run_hem(c, yarn, FRONT * scale / 100.0, &w));
    snprintf(text, sizeof text, "%s: front after 1 s, cm, 100 spacings", what);
    mn_verify_value(r, text, w.front[4], FRONT * scale, w.front[4] / (FRONT * scale) - 1.0, 0.01, 0.03);
    snprintf(text, sizeof text, "%s: uptake after 1 s, cm", what);
    mn_verify_value(r, text, w.uptake, UPTAKE * scale, w.uptake / (UPTAKE * scale) - 1.0, 0.01, 0.03);
    snprintf(text, sizeof text, "%s: exponent of the front, 0.03 to 1 s", what);
    mn_verify_value(r, text, exponent_of(&w), 0.5, exponent_of(&w) - 0.5, 0.005 / 3.0, 0.005);
    snprintf(text, sizeof text, "%s: liquid lost or made, as a share", what);
    mn_verify_at_most(r, text, w.loss, 1e-12, 1e-12);
    snprintf(text, sizeof text, "%s: saturation of the edge at the end", what);
    mn_verify_value(r, text, w.edge, 1.0, w.edge - 1.0, 1e-3, 1e-3);
    return MN_OK;
}

// --- from a pool

#define POOL_CELL  0.1
#define POOL_SIDE  1.2
#define POOL_LEVEL 0.5
#define POOL_FOOT  0.2   // cm, height of the lower end of the strip
#define RISE       5.6   // cm of strip
#define LITTLE_G   10.0  // cm/s^2

static mn_status pool_strip(mn_context *c, bool yarn, mn_thin_mesh *mesh)
{
    const double spacing = 0.5 * POOL_CELL;
    if (yarn) {
        const mn_yarn_def d = { .pattern = MN_YARN_STRAIGHT,
                                .size    = { RISE, 0.0 },
                                .radius  = 0.02,
                                .spacing = spacing };
        return mn_yarn_generate(c, &d, mesh);
    }
    const mn_cloth_def d = { .outline = MN_CLOTH_RECTANGLE, .size = { RISE, 4.0 * spacing }, .spacing = spacing };
    return mn_cloth_generate(c, &d, mesh);
}

static mn_status soak_from_pool(mn_world *w, wick *out)
{
    for (int k = 0; k < TIMES; k++) {
        out->time[k] = 1.5 * (k + 1) * (k + 1) / 5.0;  // even in sqrt(t), to 7.5 s
        MN_TRY(mn_wet_world_run(w, out->time[k]));
        const mn_fabric_view f = mn_world_fabric(w, 0);
        out->front[k]          = front_of(&f, f.position.y);
    }
    out->loss = fabs(mn_world_ledger(w).liquid_error);
    return MN_OK;
}

static mn_status run_pool(mn_context *c, bool yarn, wick *out)
{
    const double             size[3] = { POOL_SIDE, 7.0, POOL_SIDE }, level[3] = { POOL_SIDE, POOL_LEVEL, POOL_SIDE };
    const mn_liquid_material water  = mn_wet_sample_water();
    mn_wet_fabric            fabric = mn_wet_fabric_default("strip");
    mn_thin_mesh             mesh   = { .vertex_count = 0 };
    mn_world                *w      = NULL;
    fabric.held                     = "all";
    fabric.def.axis[0] = fabric.def.axis[1] = 0.0, fabric.def.axis[2] = 1.0;
    fabric.def.angle = 0.5 * MN_PI;
    fabric.def.at[0] = fabric.def.at[2] = 0.5 * POOL_SIDE;
    fabric.def.at[1]                    = POOL_FOOT + 0.5 * RISE;
    mn_status status                    = mn_wet_world_tank(c, POOL_CELL, LITTLE_G, 0.02, size, &w);
    if (status == MN_OK) status = mn_wet_world_pour(c, w, &water, (const double[3]){ 0, 0, 0 }, level);
    if (status == MN_OK) status = pool_strip(c, yarn, &mesh);
    if (status == MN_OK) status = mn_wet_world_add(c, w, &mesh, &fabric);
    if (status == MN_OK) status = soak_from_pool(w, out);
    mn_thin_mesh_free(c, &mesh);
    mn_world_destroy(&w);
    return status;
}

/// a of x = x_0 + a sqrt(t), and x_0.
static double speed_of(const wick *w, double *begin)
{
    double root[TIMES], mean_x = 0.0, mean_t = 0.0;
    for (int k = 0; k < TIMES; k++)
        root[k] = sqrt(w->time[k]), mean_t += root[k] / TIMES, mean_x += w->front[k] / TIMES;
    const double a = slope_of(root, w->front, TIMES);
    *begin         = mean_x - a * mean_t;
    return a;
}

static mn_status from_pool(mn_context *c, bool yarn, double scale, mn_verify_report *r)
{
    char        text[112];
    const char *what = yarn ? "yarn from a pool" : "cloth from a pool";
    wick        w;
    MN_TRY(run_pool(c, yarn, &w));
    double       begin;
    const double a = speed_of(&w, &begin);
    snprintf(text, sizeof text, "%s: way of the front over sqrt(t), cm/s^(1/2)", what);
    mn_verify_value(r, text, a, FRONT * scale, a / (FRONT * scale) - 1.0, 0.01, 0.03);
    snprintf(text, sizeof text, "%s: where it begins, cells from the surface", what);
    // A vertex takes from particles with which it shares a face: each sees those within 1.5 cells.
    mn_verify_value(r, text, (begin - POOL_LEVEL) / POOL_CELL, 0.0, (begin - POOL_LEVEL) / POOL_CELL, 1.0, 3.0);
    snprintf(text, sizeof text, "%s: liquid lost or made, as a share", what);
    mn_verify_at_most(r, text, w.loss, 1e-12, 1e-12);
    return MN_OK;
}

mn_status mn_a1_wicking(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const mn_fabric_material f0    = mn_wet_sample_f0();
    const mn_liquid_material water = mn_wet_sample_water();
    const double             d0 = mn_wet_sample_diffusivity(&f0, &water), scale = sqrt(0.709042);
    mn_verify_library(r, true);
    mn_verify_value(r, "D0 of F0, cm^2/s", d0, 0.709042, d0 / 0.709042 - 1.0, 1e-5, 1e-5);
    mn_verify_library(r, false);
    for (int yarn = 1; yarn >= 0; yarn--) MN_TRY(from_hem(c, yarn, scale, r));
    for (int yarn = 1; yarn >= 0; yarn--) MN_TRY(from_pool(c, yarn, scale, r));
    if (tier == MN_TIER_BUILD) return MN_OK;
    double uptake[3];
    for (int k = 0; k < 3; k++) {
        wick w;
        MN_TRY(run_hem(c, true, FRONT * scale / (25 << k), &w));
        uptake[k] = w.uptake;
    }
    const double order = log2((uptake[0] - uptake[1]) / (uptake[1] - uptake[2]));
    mn_verify_at_least(r, "yarn from a hem: order of the uptake, 25, 50, 100 spacings", order, 1.7, 1.7);
    return MN_OK;
}

/// A1.6. A tube fills behind a sharp front, L = sqrt(2 D0 t); fabric, whose D falls with its saturation, reaches
/// farther. The page asks for the ratio and no gate: it has that of A1.3, of which it is the same number.
mn_status mn_a1_tubes(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    wick w;
    MN_TRY(run_hem(c, true, FRONT * sqrt(0.709042) / 50.0, &w));
    const double ratio = w.front[4] / sqrt(2.0 * 0.709042);
    mn_verify_value(r, "front of the fabric over the sharp front of a tube with its D0, after 1 s", ratio,
                    FRONT / sqrt(2.0), ratio / (FRONT / sqrt(2.0)) - 1.0, 0.01, 0.03);
    return MN_OK;
}
