// SPDX-License-Identifier: MPL-2.0
// verify/fabric/a1_ring.c - A1.4, a spot that spreads in a fabric that is held still (Barenblatt).
//
// A world of that fabric alone, without gravity, wet at the start as the solution is then. Steps grow with time, as the
// spot slows down.
#include "verify/fabric/a1.h"
#include "verify/fabric/wet_world.h"

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

static double start(mn_vec3 x, const void *user) { return exact(user, hypot(x.x, x.z), BEGIN); }

static mn_status make_spot(mn_context *c, const spot *s, mn_world **out)
{
    mn_thin_mesh       mesh   = { .vertex_count = 0 };
    mn_wet_fabric      fabric = mn_wet_fabric_default("spot");
    mn_liquid_material water  = mn_wet_sample_water();
    const double       half   = 1.12 * exact_radius(s, moments[4]);
    water.viscosity *= mn_wet_sample_diffusivity(&fabric.def.material, &water) / D0;
    fabric.held = "all", fabric.wet = start, fabric.user = s;
    MN_TRY(mn_wet_world_make(c, s->spacing / 0.6, 0.0, 10.0, out));
    MN_TRY(mn_wet_world_of(c, *out, &water));
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
    return mn_wet_world_add(c, *out, &mesh, &fabric);
}

static double distance(const mn_fabric_view *f, int64_t v) { return hypot(f->position.x[v], f->position.z[v]); }

/// r^2 where a straight line of S over r^2 meets zero, over vertices of a sector (-1: all) with 10 to 60 % of the
/// centre.
static double radius_of(const mn_fabric_view *f, double center, int sector)
{
    double n = 0.0, x = 0.0, y = 0.0, yy = 0.0, xy = 0.0;
    for (int64_t v = 0; v < f->position.count; v++) {
        const mn_vec3 at  = mn_wet_view_at(f, v);
        const double  wet = mn_fabric_view_saturation(f, v), r2 = at.x * at.x + at.z * at.z;
        if (wet < 0.1 * center || wet > 0.6 * center) continue;
        if (sector >= 0 && (int)((atan2(at.z, at.x) / PI + 1.0) * 0.5 * SECTORS) % SECTORS != sector) continue;
        n += 1.0, x += r2, y += wet, yy += wet * wet, xy += r2 * wet;
    }
    const double slope = (n * xy - x * y) / (n * yy - y * y);
    return sqrt((x - slope * y) / n);
}

static void measure(const spot *s, const mn_world *w, int k, spreading *out)
{
    const mn_fabric_view f       = mn_world_fabric(w, 0);
    double               nearest = INFINITY;
    for (int64_t v = 0; v < f.position.count; v++)
        if (distance(&f, v) < nearest) {
            nearest        = distance(&f, v);
            out->center[k] = mn_fabric_view_saturation(&f, v);
        }
    out->radius[k] = radius_of(&f, out->center[k], -1);
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < SECTORS && !s->yarn; i++) {
        const double r = radius_of(&f, out->center[k], i);
        least = fmin(least, r), most = fmax(most, r);
    }
    if (!s->yarn) out->roundness = fmax(out->roundness, most / least);
}

static mn_status run(const spot *s, mn_world *w, spreading *out)
{
    *out = (spreading){ .loss = 0.0 };
    for (int k = 0; k < 5; k++) {
        double time;  // of the solution; the world begins at BEGIN
        while ((time = BEGIN + mn_world_time(w)) < moments[k])
            MN_TRY(mn_wet_world_run(w, fmin((1.0 + s->pace) * time, moments[k]) - BEGIN));
        measure(s, w, k, out);
    }
    out->loss = fabs(mn_world_ledger(w).liquid_error);
    return MN_OK;
}

static mn_status spread(mn_context *c, const spot *s, spreading *out)
{
    mn_world *w      = NULL;
    mn_status status = make_spot(c, s, &w);
    if (status == MN_OK) status = run(s, w, out);
    mn_world_destroy(&w);
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
    mn_verify_value(r, text, exponent_of(p->radius), order, exponent_of(p->radius) - order, 0.005 / 3.0, 0.005);
    // The page asks for 1.02 on any orientation of a mesh; one that is shaken is ours, and has a gate of its own.
    const bool of_page = s->jitter == 0.0;
    snprintf(text, sizeof text, "%s: largest over least radius%s", s->what, of_page ? "" : " (own gate: 1.06)");
    if (!s->yarn) mn_verify_at_most(r, text, p->roundness, 1.02, of_page ? 1.02 : 1.06);
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
