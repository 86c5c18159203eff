// SPDX-License-Identifier: MPL-2.0
// verify/fabric/a1_wicking.c - A1.3, wicking from an edge that stays saturated; A1.6, tubes after Lucas and Washburn.
#include "verify/fabric/a1.h"
#include "verify/fabric/wet_sample.h"

#include <stdio.h>

#define FRONT     1.616125  // x_f / sqrt(D0 t)
#define UPTAKE    0.887497
#define LENGTH    1.9
#define RESERVOIR 100.0  // times the pores of the edge

typedef struct wick {
    double front[5], uptake;  // cm at the times below; cm of full strip at 1 s
    double loss;              // of liquid, as a share: what came in against what is there
} wick;

static const double times[5] = { 0.03, 0.075, 0.18, 0.43, 1.0 };

static mn_status make_strip(mn_context *c, bool yarn, double spacing, mn_wet_sample *s)
{
    mn_thin_mesh             mesh  = { .vertex_count = 0 };
    mn_fabric_def            def   = mn_fabric_def_default();
    const mn_liquid_material water = mn_wet_sample_water();
    def.material                   = mn_wet_sample_f0();
    snprintf(def.name, sizeof def.name, "strip");
    if (yarn) {
        const mn_yarn_def d = { .pattern = MN_YARN_STRAIGHT,
                                .size    = { LENGTH, 0.0 },
                                .radius  = 0.002,
                                .spacing = spacing };
        MN_TRY(mn_yarn_generate(c, &d, &mesh));
    } else {
        const mn_cloth_def d = { .outline = MN_CLOTH_RECTANGLE, .size = { LENGTH, 8.0 * spacing }, .spacing = spacing };
        MN_TRY(mn_cloth_generate(c, &d, &mesh));
    }
    return mn_wet_sample_make(c, &mesh, &def, &water, mn_v3(0, 0, 0), s);
}

/// Make the edge a reservoir: what is held beyond the pores keeps it saturated. Returns what that took.
static double fill_edge(mn_wet_sample *s, double times_full)
{
    double taken = 0.0;
    for (int64_t v = 0; v < s->fabric.vertices.count; v++) {
        if (mn_wet_sample_at(s, v).x > -0.5 * LENGTH + 1e-9) continue;
        taken += times_full * mn_fabric_pores(&s->fabric, v) - s->fabric.vertices.held[0][v];
        mn_wet_sample_fill(s, v, times_full);
    }
    return taken;
}

/// Where a straight line through saturations of 2 to 15 % meets zero.
static double front_of(const mn_wet_sample *s)
{
    double n = 0.0, x1 = 0.0, s1 = 0.0, ss = 0.0, xs = 0.0;
    for (int64_t v = 0; v < s->fabric.vertices.count; v++) {
        const double wet = mn_fabric_saturation(&s->fabric, v), x = mn_wet_sample_at(s, v).x + 0.5 * LENGTH;
        if (wet < 0.02 || wet > 0.15) continue;
        n += 1.0, x1 += x, s1 += wet, ss += wet * wet, xs += x * wet;
    }
    const double slope = (n * xs - x1 * s1) / (n * ss - s1 * s1);
    return (x1 - slope * s1) / n;
}

static mn_status soak(mn_wet_sample *s, wick *out)
{
    double given = fill_edge(s, RESERVOIR), time = 0.0, pores = 0.0;
    for (int64_t v = 0; v < s->fabric.vertices.count; v++) pores += mn_fabric_pores(&s->fabric, v);
    for (int k = 0; k < 5; k++) {
        while (time < times[k]) {
            const double dt = fmin(times[k] - time, 1e-5 + 0.005 * time);
            MN_TRY(mn_wet_sample_flow(s, dt));
            given += fill_edge(s, RESERVOIR);
            time += dt;
        }
        out->front[k] = front_of(s);
    }
    given += fill_edge(s, 1.0);
    const double held = mn_fabric_sum(&s->fabric).held;
    out->uptake       = held / pores * LENGTH;
    out->loss         = fabs(held / given - 1.0);
    return MN_OK;
}

static mn_status run_strip(mn_context *c, bool yarn, double spacing, wick *out)
{
    mn_wet_sample s;
    mn_status     status = make_strip(c, yarn, spacing, &s);
    if (status == MN_OK) status = soak(&s, out);
    mn_wet_sample_destroy(&s);
    return status;
}

static double exponent_of(const wick *w)
{
    double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int k = 0; k < 5; k++) {
        const double a = log(times[k]), b = log(w->front[k]);
        n += 1.0, x += a, y += b, xx += a * a, xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

mn_status mn_a1_wicking(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const mn_fabric_material f0    = mn_wet_sample_f0();
    const mn_liquid_material water = mn_wet_sample_water();
    const double             d0 = mn_wet_sample_diffusivity(&f0, &water), scale = sqrt(d0);
    wick                     w;
    mn_verify_value(r, "D0 of F0, cm^2/s", d0, 0.709042, d0 / 0.709042 - 1.0, 1e-5, 1e-5);
    for (int yarn = 1; yarn >= 0; yarn--) {
        char        text[96];
        const char *what = yarn ? "yarn" : "cloth";
        MN_TRY(run_strip(c, yarn, FRONT * scale / 100.0, &w));
        snprintf(text, sizeof text, "%s: front after 1 s, cm, 100 spacings", what);
        mn_verify_value(r, text, w.front[4], FRONT * scale, w.front[4] / (FRONT * scale) - 1.0, 0.01, 0.03);
        snprintf(text, sizeof text, "%s: uptake after 1 s, cm", what);
        mn_verify_value(r, text, w.uptake, UPTAKE * scale, w.uptake / (UPTAKE * scale) - 1.0, 0.01, 0.03);
        snprintf(text, sizeof text, "%s: exponent of the front, 0.03 to 1 s", what);
        mn_verify_value(r, text, exponent_of(&w), 0.5, exponent_of(&w) - 0.5, 0.005, 0.01);
        snprintf(text, sizeof text, "%s: liquid that came in against what is there", what);
        mn_verify_at_most(r, text, w.loss, 1e-12, 1e-12);
    }
    if (tier == MN_TIER_BUILD) return MN_OK;
    double error[3];
    for (int k = 0; k < 3; k++) {
        MN_TRY(run_strip(c, true, FRONT * scale / (25 << k), &w));
        error[k] = w.uptake;
    }
    const double order = log2((error[0] - error[1]) / (error[1] - error[2]));
    mn_verify_at_least(r, "yarn: order of the uptake, 25, 50, 100 spacings", order, 1.5, 0.7);
    return MN_OK;
}

// A1.6. The formulas against the equation they solve, integrated step by step: the numbers of the table come from both.

/// Seconds until a column of `height` stands in a vertical tube: u = (r^2 / 8 mu h) (p - rho g h), Simpson over dt = dh
/// / u.
static double rise_time(double height, double radius, double viscosity, double pressure, double weight)
{
    const int    n    = 20000;
    const double step = height / n;
    double       sum  = 0.0;
    for (int k = 0; k <= n; k++) {
        const double h = k * step, rate = 8.0 * viscosity * h / (radius * radius * (pressure - weight * h));
        sum += (k == 0 || k == n ? 1.0 : k % 2 == 1 ? 4.0 : 2.0) * rate;
    }
    return sum * step / 3.0;
}

mn_status mn_a1_tubes(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    const double radius[4] = { 1e-3, 2e-3, 5e-3, 1e-2 }, length[4] = { 2.01120, 2.84427, 4.49719, 6.35999 };
    const double share[5] = { 0.1, 0.25, 0.5, 0.75, 0.9 }, seconds[5] = { 0.4569, 3.2117, 16.462, 54.232, 119.54 };
    const double gamma = 72.0, mu = 0.0089, weight = 981.0;
    char         text[96];
    for (int k = 0; k < 4; k++) {
        const double t = rise_time(length[k], radius[k], mu, 2.0 * gamma / radius[k], 0.0);
        snprintf(text, sizeof text, "horizontal tube, radius %g um: seconds to the length of Lucas-Washburn at 1 s",
                 1e4 * radius[k]);
        mn_verify_value(r, text, t, 1.0, t - 1.0, 1e-5, 1e-5);
    }
    const double top = 2.0 * gamma / (weight * 5e-3);
    mn_verify_value(r, "vertical tube, radius 50 um: height of rest, cm", top, 29.3578, top / 29.3578 - 1.0, 1e-5,
                    1e-5);
    for (int k = 0; k < 5; k++) {
        const double t = rise_time(share[k] * top, 5e-3, mu, 2.0 * gamma / 5e-3, weight);
        snprintf(text, sizeof text, "vertical tube, radius 50 um: seconds to %g of it", share[k]);
        mn_verify_value(r, text, t, seconds[k], t / seconds[k] - 1.0, 5e-5, 1e-4);  // the table has four to five digits
    }
    wick                     w;
    const mn_fabric_material f0    = mn_wet_sample_f0();
    const mn_liquid_material water = mn_wet_sample_water();
    const double             sharp = sqrt(2.0 * mn_wet_sample_diffusivity(&f0, &water));
    MN_TRY(run_strip(c, true, FRONT * sharp / sqrt(2.0) / 50.0, &w));
    mn_verify_value(r, "front of the fabric over a sharp front of the same D0 (for comparison)", w.front[4] / sharp,
                    FRONT / sqrt(2.0), w.front[4] / sharp * sqrt(2.0) / FRONT - 1.0, 0.02, 0.05);
    return MN_OK;
}
