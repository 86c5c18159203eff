// SPDX-License-Identifier: MPL-2.0
// verify/fabric/a1_rest.c - A1.5, how liquid rests in fabric that hangs: S = c - z / H.
//
// How fast it comes to rest goes with the viscosity, where it rests does not: that of the liquid is a thousandth of
// water's, and seconds do what takes an hour.
#include "verify/fabric/a1.h"
#include "verify/fabric/wet_world.h"

#include <stdio.h>

#define LENGTH  30.0  // cm
#define SPACING 0.3
#define SECONDS 8.0
#define THIN    1e-3  // viscosity over that of water

/// A strip that stands on its lower end at the origin.
static mn_status add_strip(mn_context *c, mn_world *w, bool yarn, double length, double spacing, mn_wet_fabric *f)
{
    mn_thin_mesh mesh = { .vertex_count = 0 };
    f->def.axis[0] = f->def.axis[1] = 0.0, f->def.axis[2] = 1.0;
    f->def.angle = 0.5 * MN_PI;
    f->def.at[1] += 0.5 * length;
    if (yarn) {
        const mn_yarn_def d = { .pattern = MN_YARN_STRAIGHT,
                                .size    = { length, 0.0 },
                                .radius  = f->def.material.radius,
                                .spacing = spacing };
        MN_TRY(mn_yarn_generate(c, &d, &mesh));
    } else {
        const mn_cloth_def d = { .outline = MN_CLOTH_RECTANGLE, .size = { length, 4.0 * spacing }, .spacing = spacing };
        MN_TRY(mn_cloth_generate(c, &d, &mesh));
    }
    return mn_wet_world_add(c, w, &mesh, f);
}

// --- closed: what it holds spreads to rest

static double upper_third(mn_vec3 x, const void *user)
{
    (void)user;
    return x.y > LENGTH * 2.0 / 3.0 ? 0.9 : 0.0;
}

typedef struct profile {
    double deviation;  // largest, from c - z / H
    double height;     // cm, H by the slope between S = 0.1 and 0.8
} profile;

static void look_at(const mn_fabric_view *v, double height, profile *out)
{
    const double mean = 0.3, foot = sqrt(2.0 * mean * LENGTH / height);  // c: its mean is c^2 H / (2 L)
    double       n = 0.0, y = 0.0, s = 0.0, yy = 0.0, ys = 0.0;
    out->deviation = 0.0;
    for (int64_t i = 0; i < v->position.count; i++) {
        const double at = v->position.y[i], wet = mn_fabric_view_saturation(v, i);
        out->deviation = fmax(out->deviation, fabs(wet - fmax(0.0, foot - at / height)));
        if (wet < 0.1 || wet > 0.8) continue;
        n += 1.0, y += at, s += wet, yy += at * at, ys += at * wet;
    }
    out->height = -(n * yy - y * y) / (n * ys - y * s);
}

static mn_status run_closed(mn_context *c, mn_world *w, bool yarn, mn_wet_fabric *f, double height, profile *out)
{
    mn_liquid_material water = mn_wet_sample_water();
    water.viscosity *= THIN;
    MN_TRY(mn_wet_world_of(c, w, &water));
    MN_TRY(add_strip(c, w, yarn, LENGTH, SPACING, f));
    MN_TRY(mn_wet_world_run(w, SECONDS));
    const mn_fabric_view v = mn_world_fabric(w, 0);
    look_at(&v, height, out);
    return MN_OK;
}

static mn_status closed(mn_context *c, bool yarn, bool from_above, double height, profile *out)
{
    const double  even = 0.3;
    mn_wet_fabric f    = mn_wet_fabric_default("strip");
    mn_world     *w    = NULL;
    f.held = "all", f.wet = from_above ? upper_third : mn_wet_evenly, f.user = &even;
    mn_status status = mn_wet_world_make(c, 1.0, 981.0, 0.02, &w);
    if (status == MN_OK) status = run_closed(c, w, yarn, &f, height, out);
    mn_world_destroy(&w);
    return status;
}

mn_status mn_a1_hanging(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    const mn_fabric_material f0     = mn_wet_sample_f0();
    const mn_liquid_material water  = mn_wet_sample_water();
    const mn_pore_law        law    = mn_pore_law_of(&f0, &water);
    const double             height = mn_pore_suction(&law, f0.solid_fraction) / 981.0;
    mn_verify_library(r, true);
    mn_verify_value(r, "height of rest of F0, cm", height, 24.941, height / 24.941 - 1.0, 1e-5, 1e-5);
    mn_verify_library(r, false);
    for (int k = 0; k < 4; k++) {
        const bool yarn = k < 2, from_above = k % 2 == 1;
        char       text[112];
        profile    p = { 0 };
        MN_TRY(closed(c, yarn, from_above, 24.941, &p));
        snprintf(text, sizeof text, "%s of 30 cm, wet at first %s: largest error of the saturation at rest",
                 yarn ? "yarn" : "cloth", from_above ? "in its upper third" : "everywhere");
        mn_verify_at_most(r, text, p.deviation, 0.01, 0.03);
        mn_verify_value(r, "... H by the slope of the saturation, cm", p.height, 24.941, p.height / 24.941 - 1.0, 0.01,
                        0.03);
    }
    return MN_OK;
}
