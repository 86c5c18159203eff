// SPDX-License-Identifier: MPL-2.0
// verify/fabric/a1_ring.c - A1.4, a spot that spreads in a still fabric (Barenblatt); A1.5, the rest profile of a
// hanging strip.
#include "verify/fabric/a1.h"
#include "verify/fabric/wet_sample.h"

#include "base/random.h"

#include <stdio.h>

#define D0      0.5
#define AREA    0.05  // cm^2, area times saturation
#define BEGIN   0.25  // s; from the exact profile
#define SECTORS 12
#define PI      3.14159265358979323846

typedef struct spot {
    const char   *what;
    bool          yarn;
    mn_cloth_mesh mesh;
    double        angle, jitter;  // of mesh lines; of vertices, in spacings
    double        spacing;
    double        pace;  // step over time
} spot;

typedef struct spreading {
    double radius[5], center[5];  // at the times below
    double roundness;             // largest over least radius of the sectors, worst of all times
    double loss;
} spreading;

static const double moments[5] = { 1.0, 3.1622776601683795, 10.0, 31.622776601683793, 100.0 };

/// Barenblatt: S = tau^(-d b) (c - x^2 b / (4 tau^(2 b))), tau = D0 t / 2, b = 1 / (d + 2); for the plane and the line.
static double exact(const spot *s, double x, double time)
{
    const double tau = 0.5 * D0 * time;
    if (s->yarn) {
        const double c = pow(0.75 / sqrt(12.0), 2.0 / 3.0);  // mass 1: 4/3 c sqrt(12 c)
        return fmax(0.0, (c - x * x / (12.0 * pow(tau, 2.0 / 3.0))) / cbrt(tau));
    }
    return fmax(0.0, (sqrt(AREA / (8.0 * PI)) - x * x / (16.0 * sqrt(tau))) / sqrt(tau));
}

static double exact_radius(const spot *s, double time)
{
    const double tau = 0.5 * D0 * time;
    return s->yarn ? sqrt(12.0 * pow(0.75 / sqrt(12.0), 2.0 / 3.0)) * cbrt(tau)
                   : 4.0 * sqrt(sqrt(AREA / (8.0 * PI))) * sqrt(sqrt(tau));
}

static void shake(const spot *s, mn_thin_mesh *mesh)
{
    for (int64_t v = 0; v < mesh->vertex_count && s->jitter > 0.0; v++)
        for (int a = 0; a < 3; a += 2)
            mesh->vertex[v][a] += s->jitter * s->spacing * (2.0 * mn_random(7, (uint64_t)v, 0, (uint64_t)a) - 1.0);
}

static mn_status make_spot(mn_context *c, const spot *s, mn_wet_sample *out)
{
    mn_thin_mesh       mesh  = { .vertex_count = 0 };
    mn_fabric_def      def   = mn_fabric_def_default();
    mn_liquid_material water = mn_wet_sample_water();
    def.material             = mn_wet_sample_f0();
    water.viscosity *= mn_wet_sample_diffusivity(&def.material, &water) / D0;
    snprintf(def.name, sizeof def.name, "spot");
    const double half = 1.12 * exact_radius(s, moments[4]);
    if (s->yarn) {
        const mn_yarn_def d = { .pattern = MN_YARN_STRAIGHT,
                                .size    = { 2.0 * half, 0.0 },
                                .radius  = 0.002,
                                .spacing = s->spacing };
        MN_TRY(mn_yarn_generate(c, &d, &mesh));
    } else {
        const mn_cloth_def d = { .outline = MN_CLOTH_RECTANGLE,
                                 .size    = { 2.0 * half, 2.0 * half },
                                 .spacing = s->spacing,
                                 .mesh    = s->mesh,
                                 .angle   = s->angle };
        MN_TRY(mn_cloth_generate(c, &d, &mesh));
        shake(s, &mesh);
    }
    return mn_wet_sample_make(c, &mesh, &def, &water, mn_v3(0, 0, 0), out);
}

static double distance(const mn_wet_sample *s, int64_t v)
{
    const mn_vec3 x = mn_wet_sample_at(s, v);
    return hypot(x.x, x.z);
}

/// r^2 where a straight line of S over r^2 meets zero, over vertices of a sector (-1: all) with 10 to 60 % of the
/// centre.
static double radius_of(const mn_wet_sample *s, double center, int sector)
{
    double n = 0.0, x = 0.0, y = 0.0, yy = 0.0, xy = 0.0;
    for (int64_t v = 0; v < s->fabric.vertices.count; v++) {
        const mn_vec3 at  = mn_wet_sample_at(s, v);
        const double  wet = mn_fabric_saturation(&s->fabric, v), r2 = at.x * at.x + at.z * at.z;
        if (wet < 0.1 * center || wet > 0.6 * center) continue;
        if (sector >= 0 && (int)((atan2(at.z, at.x) / PI + 1.0) * 0.5 * SECTORS) % SECTORS != sector) continue;
        n += 1.0, x += r2, y += wet, yy += wet * wet, xy += r2 * wet;
    }
    const double slope = (n * xy - x * y) / (n * yy - y * y);
    return sqrt((x - slope * y) / n);
}

static void measure(const spot *s, const mn_wet_sample *sample, int k, spreading *out)
{
    double nearest = INFINITY;
    for (int64_t v = 0; v < sample->fabric.vertices.count; v++)
        if (distance(sample, v) < nearest) {
            nearest        = distance(sample, v);
            out->center[k] = mn_fabric_saturation(&sample->fabric, v);
        }
    out->radius[k] = radius_of(sample, out->center[k], -1);
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < SECTORS && !s->yarn; i++) {
        const double r = radius_of(sample, out->center[k], i);
        least = fmin(least, r), most = fmax(most, r);
    }
    if (!s->yarn) out->roundness = fmax(out->roundness, most / least);
}

static mn_status spread(mn_context *c, const spot *s, spreading *out)
{
    mn_wet_sample sample;
    mn_status     status = make_spot(c, s, &sample);
    *out                 = (spreading){ .loss = 0.0 };
    for (int64_t v = 0; status == MN_OK && v < sample.fabric.vertices.count; v++)
        mn_wet_sample_fill(&sample, v, exact(s, distance(&sample, v), BEGIN));
    const double begin = status == MN_OK ? mn_fabric_sum(&sample.fabric).held : 0.0;
    double       time  = BEGIN;
    for (int k = 0; k < 5; k++) {
        while (status == MN_OK && time < moments[k]) {
            const double dt = fmin(s->pace * time, moments[k] - time);
            status          = mn_wet_sample_flow(&sample, dt);
            time += dt;
        }
        if (status == MN_OK) measure(s, &sample, k, out);
    }
    if (status == MN_OK) out->loss = fabs(mn_fabric_sum(&sample.fabric).held / begin - 1.0);
    mn_wet_sample_destroy(&sample);
    return status;
}

static double exponent_of(const double value[5])
{
    double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int k = 0; k < 5; k++) {
        const double a = log(moments[k]), b = log(value[k]);
        n += 1.0, x += a, y += b, xx += a * a, xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

static void report_spot(const spot *s, const spreading *p, mn_verify_report *r)
{
    char         text[112];
    const double order = s->yarn ? 1.0 / 3.0 : 0.25;
    for (int k = 0; k < 5; k += 2) {
        snprintf(text, sizeof text, "%s: radius at %g s, cm", s->what, moments[k]);
        mn_verify_value(r, text, p->radius[k], exact_radius(s, moments[k]),
                        p->radius[k] / exact_radius(s, moments[k]) - 1.0, 0.02, 0.06);
        snprintf(text, sizeof text, "%s: saturation of the centre at %g s", s->what, moments[k]);
        mn_verify_value(r, text, p->center[k], exact(s, 0.0, moments[k]),
                        p->center[k] / exact(s, 0.0, moments[k]) - 1.0, 0.02, 0.06);
    }
    snprintf(text, sizeof text, "%s: exponent of the radius, 1 to 100 s", s->what);
    mn_verify_value(r, text, exponent_of(p->radius), order, exponent_of(p->radius) - order, 0.005, 0.015);
    snprintf(text, sizeof text, "%s: largest over least radius", s->what);
    if (!s->yarn) mn_verify_at_most(r, text, p->roundness, 1.02, 1.06);
    snprintf(text, sizeof text, "%s: liquid lost or made, as a share", s->what);
    mn_verify_at_most(r, text, p->loss, 1e-12, 1e-12);
}

mn_status mn_a1_ring(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const bool   brief   = tier == MN_TIER_BUILD;
    const double spacing = brief ? 0.06 : 0.03, pace = brief ? 0.02 : 0.01;
    const spot   spots[] = {
          { "yarn", true, MN_CLOTH_EQUILATERAL, 0.0, 0.0, 0.03, pace },
          { "equilateral, turned by 20 degrees", false, MN_CLOTH_EQUILATERAL, 20.0 * PI / 180.0, 0.0, spacing, pace },
          { "right triangles", false, MN_CLOTH_STRUCTURED, 0.0, 0.0, spacing, pace },
          { "shaken by 0.35 spacings (obtuse)", false, MN_CLOTH_STRUCTURED, 0.0, 0.35, spacing, pace },
          { "equilateral", false, MN_CLOTH_EQUILATERAL, 0.0, 0.0, spacing, pace },
          { "alternating diagonals", false, MN_CLOTH_ALTERNATING, 0.0, 0.0, spacing, pace },
    };
    const int count = (int)(sizeof spots / sizeof *spots);
    for (int k = 0; k < (brief ? 4 : count); k++) {
        spreading p;
        MN_TRY(spread(c, &spots[k], &p));
        report_spot(&spots[k], &p, r);
    }
    return MN_OK;
}

// A1.5

static mn_status make_strip(mn_context *c, bool yarn, double height, double spacing, mn_wet_sample *s)
{
    mn_thin_mesh             mesh  = { .vertex_count = 0 };
    mn_fabric_def            def   = mn_fabric_def_default();
    const mn_liquid_material water = mn_wet_sample_water();
    def.material                   = mn_wet_sample_f0();
    snprintf(def.name, sizeof def.name, "strip");
    def.axis[0] = def.axis[1] = 0.0, def.axis[2] = 1.0;
    def.angle = 0.5 * PI;
    def.at[1] = 0.5 * height;
    if (yarn) {
        const mn_yarn_def d = { .pattern = MN_YARN_STRAIGHT,
                                .size    = { height, 0.0 },
                                .radius  = 0.002,
                                .spacing = spacing };
        MN_TRY(mn_yarn_generate(c, &d, &mesh));
    } else {
        const mn_cloth_def d = { .outline = MN_CLOTH_RECTANGLE, .size = { height, 4.0 * spacing }, .spacing = spacing };
        MN_TRY(mn_cloth_generate(c, &d, &mesh));
    }
    return mn_wet_sample_make(c, &mesh, &def, &water, mn_v3(0, -981.0, 0), s);
}

/// Let it drink from below, or drain from full, until nothing moves; the largest deviation from 1 - z / H.
static mn_status come_to_rest(mn_wet_sample *s, double height, bool from_full, double *deviation)
{
    const int64_t n = s->fabric.vertices.count;
    for (int64_t v = 0; v < n; v++)
        if (from_full) mn_wet_sample_fill(s, v, 1.0);
    for (int k = 0; k < 400; k++) {
        for (int64_t v = 0; v < n; v++)
            if (mn_wet_sample_at(s, v).y < 1e-9) mn_wet_sample_fill(s, v, 1000.0);  // the reservoir below
        MN_TRY(mn_wet_sample_flow(s, 100.0));
    }
    *deviation = 0.0;
    for (int64_t v = 0; v < n; v++) {
        const double z = mn_wet_sample_at(s, v).y;
        if (z > 1e-9)
            *deviation = fmax(*deviation, fabs(mn_fabric_saturation(&s->fabric, v) - fmax(0.0, 1.0 - z / height)));
    }
    return MN_OK;
}

mn_status mn_a1_hanging(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    const mn_fabric_material f0     = mn_wet_sample_f0();
    const mn_liquid_material water  = mn_wet_sample_water();
    const mn_pore_law        law    = mn_pore_law_of(&f0, &water);
    const double             height = mn_pore_suction(&law, f0.solid_fraction) / 981.0;
    mn_verify_value(r, "height of rest of F0, cm", height, 24.941, height / 24.941 - 1.0, 2e-5, 1e-4);
    for (int yarn = 1; yarn >= 0; yarn--) {
        mn_wet_sample s;
        double        deviation[2] = { 0.0, 0.0 };
        mn_status     status       = make_strip(c, yarn, 30.0, 0.3, &s);
        for (int full = 0; full < 2 && status == MN_OK; full++)
            status = come_to_rest(&s, height, full, &deviation[full]);
        mn_wet_sample_destroy(&s);
        if (status != MN_OK) return status;
        for (int full = 0; full < 2; full++) {
            char text[96];
            snprintf(text, sizeof text, "%s of 30 cm, %s: largest error of the saturation", yarn ? "yarn" : "cloth",
                     full ? "drained from full" : "drinking from below");
            mn_verify_at_most(r, text, deviation[full], 0.01, 0.03);
        }
    }
    return MN_OK;
}
