// SPDX-License-Identifier: MPL-2.0
// verify/stain/a6_kernel.c - A6.5: a blob that spreads along a weft at an angle to the mesh, against the exact kernel:
// a stain on a still cloth, and Galerkin's operator without the limiter.
#include "verify/stain/a6_stain.h"

#include "stain/diffuse.h"
#include "verify/stain/stain_world.h"

#include <stdio.h>

#define ANGLE (30.0 * MN_PI / 180.0)
#define SIDE  81
#define START 9.0   // variance of the blob, in cells
#define GROW  30.0  // large eigenvalue times the time
#define STEPS 10

typedef struct sample {
    mn_stain_mesh       mesh;
    mn_stain_surface   *s;
    mn_stain_tensor    *tensor;
    mn_stain_operator  *op;
    mn_stain_diffusion *d;
    mn_arena           *arena;
    double             *mass;
} sample;

static void sample_free(mn_context *c, sample *q)
{
    mn_stain_diffusion_destroy(&q->d);
    mn_stain_operator_destroy(&q->op);
    mn_stain_surface_destroy(&q->s);
    mn_stain_mesh_free(c, &q->mesh);
    mn_arena_destroy(&q->arena);
    mn_free(c, q->tensor);
    mn_free(c, q->mass);
}

static mn_status sample_make(mn_context *c, const mn_stain_square_def *def, double ratio, sample *q)
{
    *q = (sample){ 0 };
    MN_TRY(mn_arena_create(c, &q->arena));
    MN_TRY(mn_stain_mesh_square(c, def, &q->mesh));
    MN_TRY(mn_stain_mesh_surface(c, &q->mesh, &q->s));
    q->tensor = mn_alloc_array(c, mn_stain_tensor, q->mesh.triangle_count);
    q->mass   = mn_alloc_array(c, double, q->mesh.vertex_count);
    if (q->tensor == NULL || q->mass == NULL) return MN_ERR_MEMORY;
    for (int64_t t = 0; t < q->mesh.triangle_count; t++)
        q->tensor[t] = mn_stain_tensor_at((mn_stain_tensor){ GROW, 0.0, GROW / ratio },
                                          ANGLE + mn_stain_mesh_angle(&q->mesh, t));
    for (int64_t v = 0; v < q->mesh.vertex_count; v++)
        q->mass[v] = q->s->area[v] * exp(-0.5 * mn_dot3(q->mesh.x[v], q->mesh.x[v]) / START);
    mn_stain_diffusion_def how = mn_stain_diffusion_def_default();
    how.scheme                 = MN_STAIN_GALERKIN;
    MN_TRY(mn_stain_operator_create(q->s, &(mn_stain_operator_def){ .tensor = q->tensor, .keep_edges = true }, &q->op));
    return mn_stain_diffusion_create(q->op, q->s->area, 1.0 / STEPS, &how, &q->d);
}

/// Covariance of the masses: xx, xy, yy; and their sum and smallest density.
typedef struct shape {
    double xx, xy, yy, sum, least;
} shape;

static shape shape_of(const mn_vec3 *at, const double *area, const double *mass, int64_t n)
{
    shape  s = { .least = HUGE_VAL };
    double x = 0.0, y = 0.0;
    for (int64_t v = 0; v < n; v++) {
        s.sum += mass[v];
        x += mass[v] * at[v].x;
        y += mass[v] * at[v].y;
        s.least = fmin(s.least, mass[v] / area[v]);
    }
    x /= s.sum, y /= s.sum;
    for (int64_t v = 0; v < n; v++) {
        const double dx = at[v].x - x, dy = at[v].y - y;
        s.xx += mass[v] * dx * dx / s.sum, s.xy += mass[v] * dx * dy / s.sum, s.yy += mass[v] * dy * dy / s.sum;
    }
    return s;
}

/// What is measured: eigenvalues of the tensor over the large one and its axis, L1 distance from the exact density.
typedef struct measured {
    double large, small, degrees, least, lost, distance;
} measured;

static void compare(const shape *a, const shape *b, measured *out)
{
    const double xx = (b->xx - a->xx) / (2.0 * GROW), xy = (b->xy - a->xy) / (2.0 * GROW),
                 yy     = (b->yy - a->yy) / (2.0 * GROW);
    const double spread = sqrt(0.25 * (xx - yy) * (xx - yy) + xy * xy);
    out->large          = 0.5 * (xx + yy) + spread;
    out->small          = 0.5 * (xx + yy) - spread;
    out->degrees        = (0.5 * atan2(2.0 * xy, xx - yy) - ANGLE) * 180.0 / MN_PI;
    out->lost           = b->sum / a->sum - 1.0;
}

static double distance(const mn_vec3 *x, const mn_stain_view *s, double ratio)
{
    const double along = START + 2.0 * GROW, across = START + 2.0 * GROW / ratio;
    double       sum = 0.0, all = 0.0;
    for (int64_t v = 0; v < s->vertex_count; v++) {
        const double a = cos(ANGLE) * x[v].x + sin(ANGLE) * x[v].y, b = cos(ANGLE) * x[v].y - sin(ANGLE) * x[v].x;
        const double exact = s->area[v] * START / sqrt(along * across) * exp(-0.5 * (a * a / along + b * b / across));
        sum += fabs(exact - s->free[v]);
        all += exact;
    }
    return sum / all;
}

/// A blob on a still cloth of a weave whose large rate is GROW cm^2/s, for a second.
static mn_status spread(mn_world *w, const mn_vec3 *x, double ratio, measured *out)
{
    mn_stain_view s = mn_world_stain(w, 0);
    const shape   a = shape_of(x, s.area, s.free, s.vertex_count);
    out->least      = 0.0;
    for (int k = 1; k <= STEPS; k++) {
        MN_TRY(mn_run_to(w, (double)k / STEPS));
        s             = mn_world_stain(w, 0);
        const shape b = shape_of(x, s.area, s.free, s.vertex_count);
        out->least    = fmin(out->least, b.least);
        compare(&a, &b, out);
    }
    out->distance = distance(x, &s, ratio);
    return MN_OK;
}

static mn_status measure(mn_context *c, const mn_stain_square_def *square, double ratio, measured *out)
{
    const mn_stain_patch patch = { .weave = { ratio, 0.0, 1.0 }, .weft = { cos(ANGLE), sin(ANGLE), 0.0 } };
    mn_stain_def         def   = mn_stain_def_idle();
    mn_stain_mesh        mesh  = { 0 };
    mn_drops             blob  = { 0 };
    mn_world            *w     = NULL;
    def.patches = &patch, def.patch_count = 1;
    def.spread   = 0.5 * GROW * (1.0 + 1.0 / ratio);  // the mean of the two rates
    def.step     = 1.0 / STEPS;
    mn_status st = mn_stain_mesh_square(c, square, &mesh);
    if (st == MN_OK) st = mn_drops_blob(c, mn_v3(0.0, 0.0, 0.0), START, &blob);
    mn_stain_def_pour(&def, &blob);
    if (st == MN_OK) st = mn_stain_world(c, &mesh, &def, &w);
    if (st == MN_OK) st = spread(w, mesh.x, ratio, out);
    mn_world_destroy(&w);
    mn_drops_free(c, &blob);
    mn_stain_mesh_free(c, &mesh);
    return st;
}

/// The operator alone, without flips and limiter: densities may fall below zero, second moments grow as they must.
static mn_status measure_galerkin(mn_context *c, const mn_stain_square_def *def, double ratio, measured *out)
{
    sample                    q;
    mn_stain_diffusion_report report;
    mn_status                 st = sample_make(c, def, ratio, &q);
    if (st == MN_OK) {
        const shape a = shape_of(q.mesh.x, q.s->area, q.mass, q.mesh.vertex_count);
        for (int k = 0; k < STEPS && st == MN_OK; k++) st = mn_stain_diffuse(q.d, q.mass, NULL, q.arena, &report);
        const shape b = shape_of(q.mesh.x, q.s->area, q.mass, q.mesh.vertex_count);
        compare(&a, &b, out);
    }
    sample_free(c, &q);
    return st;
}

static const struct {
    const char         *name;
    mn_stain_square_def def;
} meshes[] = {
    { "structured", { .nx = SIDE, .ny = SIDE, .spacing = 1.0, .diagonals = MN_DIAGONALS_ALTERNATING } },
    { "jittered",
      { .nx = SIDE, .ny = SIDE, .spacing = 1.0, .jitter = 0.25, .diagonals = MN_DIAGONALS_ALTERNATING, .seed = 3 } },
    { "random Delaunay",
      { .nx = SIDE, .ny = SIDE, .spacing = 1.0, .jitter = 0.35, .diagonals = MN_DIAGONALS_DELAUNAY, .seed = 4 } },
    { "obtuse",
      { .nx        = SIDE,
        .ny        = SIDE,
        .spacing   = 1.0,
        .jitter    = 0.2,
        .shear     = 0.8,
        .diagonals = MN_DIAGONALS_RANDOM,
        .seed      = 5 } },
};

static mn_status galerkin(mn_context *c, mn_verify_report *r)
{
    char     text[128];
    measured m;
    mn_verify_library(r, true);
    for (int k = 0; k < 2; k++) {
        MN_TRY(measure_galerkin(c, &meshes[k].def, 100.0, &m));
        snprintf(text, sizeof text, "%s, ratio 100, Galerkin: axis, degrees off", meshes[k].name);
        mn_verify_value(r, text, m.degrees, 0.0, m.degrees, 0.5, 0.5);
        snprintf(text, sizeof text, "%s, ratio 100, Galerkin: large eigenvalue", meshes[k].name);
        mn_verify_value(r, text, m.large, 1.0, m.large - 1.0, 0.01, 0.03);
        snprintf(text, sizeof text, "%s, ratio 100, Galerkin: small eigenvalue", meshes[k].name);
        mn_verify_value(r, text, m.small, 0.01, m.small / 0.01 - 1.0, 0.01, 0.03);
    }
    mn_verify_library(r, false);
    return MN_OK;
}

static void report_positive(mn_verify_report *r, const char *mesh, double ratio, const measured *m)
{
    char text[128];
    snprintf(text, sizeof text, "%s, ratio %.0e: least density", mesh, ratio);
    mn_verify_at_least(r, text, m->least, -1e-12, -1e-12);
    snprintf(text, sizeof text, "%s, ratio %.0e: mass lost", mesh, ratio);
    mn_verify_at_most(r, text, fabs(m->lost), 1e-12, 1e-12);
    snprintf(text, sizeof text, "%s, ratio %.0e: large eigenvalue over the exact one", mesh, ratio);
    mn_verify_value(r, text, m->large, 1.0, m->large - 1.0, 0.1 / 3.0, 0.1);
    if (ratio <= 1e2) {
        snprintf(text, sizeof text, "%s, ratio %.0e: small eigenvalue over the exact one", mesh, ratio);
        mn_verify_value(r, text, m->small * ratio, 1.0, m->small * ratio - 1.0, 0.1 / 3.0, 0.1);
    } else {
        snprintf(text, sizeof text, "%s, ratio %.0e: small eigenvalue over the exact one, reported; above 0", mesh,
                 ratio);
        mn_verify_at_least(r, text, m->small * ratio, 0.0, 0.0);
    }
    snprintf(text, sizeof text, "%s, ratio %.0e: distance from the exact kernel (L1)", mesh, ratio);
    mn_verify_at_most(r, text, m->distance, 0.06, 0.10);
}

/// Columns of warp and of weft: by the table and the mean over sides, 200 and 200 across them, 500 and 100 along, so
/// that the weave has 200 along the weft and 300 along the warp.
static mn_status by_weave(mn_context *c, mn_verify_report *r)
{
    static const char text[] = "format: 1\ndomain: {cell: 0.5}\ntime: {end: 10, dt_max: 0.05}\n"
                               "stains: {spot: {sheet: {size: [16, 16], spacing: 0.4, mesh: alternating}, spread: 0.5, "
                               "friction: 0, step: 0.05, absorption: {rate: 0}, evaporation: {rate: 0}, patches: {all: "
                               "{weave: 'cells:|-', weft: [1, 0, 0]}}, drops: {a: {inside: {sphere: {radius: 1.5}}, "
                               "density: 0.05}}}}\n";
    mn_world         *w;
    double            variance[2][2] = { { 0.0, 0.0 }, { 0.0, 0.0 } };
    mn_status         st             = mn_world_of(c, text, &w);
    for (int k = 0; k < 2 && st == MN_OK; k++) {
        double sum = 0.0;
        if (k == 1) st = mn_run_to(w, 2.0);
        const mn_stain_view s = mn_world_stain(w, 0);
        for (int64_t v = 0; v < s.vertex_count; v++) {
            sum += s.free[v];
            for (int a = 0; a < 2; a++) variance[k][a] += s.free[v] * s.position[v][2 * a] * s.position[v][2 * a];
        }
        for (int a = 0; a < 2; a++) variance[k][a] /= sum;
    }
    mn_world_destroy(&w);
    MN_TRY(st);
    for (int a = 0; a < 2; a++) {
        const double rate = (variance[1][a] - variance[0][a]) / 4.0, exact = a == 0 ? 0.4 : 0.6;
        mn_verify_value(r, a == 0 ? "weave of columns: rate of spreading along the weft" : "... along the warp", rate,
                        exact, rate / exact - 1.0, 0.01, 0.03);
    }
    return MN_OK;
}

mn_status mn_a6_kernel(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    static const double ratios[] = { 1.0, 1e2, 1e3, 1e4, 1e6 };
    (void)tier;
    for (size_t k = 0; k < sizeof meshes / sizeof *meshes; k++)
        for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
            measured m;
            MN_TRY(measure(c, &meshes[k].def, ratios[i], &m));
            report_positive(r, meshes[k].name, ratios[i], &m);
        }
    MN_TRY(by_weave(c, r));
    return galerkin(c, r);
}
