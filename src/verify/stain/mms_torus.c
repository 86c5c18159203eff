// SPDX-License-Identifier: MPL-2.0
// verify/stain/mms_torus.c - MMS14: modes of a film that decay on a sphere, and on a torus whose weave lets liquid run
// around the tube faster than along it.
#include "verify/stain/mms_stain.h"

#include "verify/stain/a6_stain.h"
#include "verify/stain/stain_world.h"

#include <stdio.h>
#include <string.h>

#define RING   2.0  // cm, radius of the middle of the tube
#define TUBE   1.0  // cm
#define ALONG  1.0  // cm^2/s, rate along the ring, which is that of the weft
#define AROUND 4.0  // around the tube
#define TIME   0.2  // s
#define TERMS  20   // cosines of a mode
#define POINTS 200

/// A mode cos(m u) f(v): u around the axis, v around the tube. f'' is separable: with rho = RING + TUBE cos v,
/// -(AROUND / TUBE^2) (rho f')' + ALONG m^2 f / rho = rate rho f.
typedef struct mode {
    int    m;
    double rate, f[TERMS];  ///< f = sum f_k cos(k v)
} mode;

static double around(const mode *a, double v)
{
    double sum = 0.0;
    for (int k = 0; k < TERMS; k++) sum += a->f[k] * cos(k * v);
    return sum;
}

/// Matrices over cosines, by the trapezoid rule, which is exact here to round-off.
static void matrices(int m, double stiff[TERMS][TERMS], double mass[TERMS][TERMS])
{
    memset(stiff, 0, sizeof(double[TERMS][TERMS]));
    memset(mass, 0, sizeof(double[TERMS][TERMS]));
    for (int p = 0; p < POINTS; p++) {
        const double v = 2.0 * MN_PI * p / POINTS, rho = RING + TUBE * cos(v), w = 2.0 * MN_PI / POINTS;
        for (int i = 0; i < TERMS; i++)
            for (int j = 0; j < TERMS; j++) {
                stiff[i][j] += w * (AROUND / (TUBE * TUBE) * rho * i * j * sin(i * v) * sin(j * v) +
                                    ALONG * m * m / rho * cos(i * v) * cos(j * v));
                mass[i][j] += w * rho * cos(i * v) * cos(j * v);
            }
    }
}

/// Elimination with pivots; both arguments are used up, x is in b.
static void eliminate(double a[TERMS][TERMS], double b[TERMS])
{
    for (int k = 0; k < TERMS; k++) {
        int best = k;
        for (int i = k + 1; i < TERMS; i++)
            if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        for (int j = 0; j < TERMS; j++) {
            const double t = a[k][j];
            a[k][j] = a[best][j], a[best][j] = t;
        }
        const double t = b[k];
        b[k] = b[best], b[best] = t;
        for (int i = k + 1; i < TERMS; i++) {
            const double q = a[i][k] / a[k][k];
            for (int j = k; j < TERMS; j++) a[i][j] -= q * a[k][j];
            b[i] -= q * b[k];
        }
    }
    for (int k = TERMS - 1; k >= 0; k--) {
        for (int j = k + 1; j < TERMS; j++) b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
}

/// The mode whose rate is next to `guess`, by inverse iteration.
static mode find_mode(int m, double guess)
{
    double stiff[TERMS][TERMS], mass[TERMS][TERMS], a[TERMS][TERMS], b[TERMS];
    mode   out = { .m = m, .f = { 1.0, 0.5 } };
    matrices(m, stiff, mass);
    for (int round = 0; round < 60; round++) {
        double size = 0.0, energy = 0.0, norm = 0.0;
        for (int i = 0; i < TERMS; i++) {
            b[i] = 0.0;
            for (int j = 0; j < TERMS; j++) {
                a[i][j] = stiff[i][j] - guess * mass[i][j];
                b[i] += mass[i][j] * out.f[j];
            }
        }
        eliminate(a, b);
        for (int i = 0; i < TERMS; i++) size = fmax(size, fabs(b[i]));
        for (int i = 0; i < TERMS; i++) out.f[i] = b[i] / size;
        for (int i = 0; i < TERMS; i++)
            for (int j = 0; j < TERMS; j++)
                energy += out.f[i] * stiff[i][j] * out.f[j], norm += out.f[i] * mass[i][j] * out.f[j];
        out.rate = energy / norm;
    }
    return out;
}

static double at_mode(const mode *a, mn_vec3 x)
{
    return cos(a->m * atan2(x.y, x.x)) * around(a, atan2(x.z, hypot(x.x, x.y) - RING));
}

static mn_status torus_mesh(mn_context *c, int nu, int nv, mn_stain_mesh *out)
{
    *out = (mn_stain_mesh){ .vertex_count   = (int64_t)nu * nv,
                            .triangle_count = 2 * (int64_t)nu * nv,
                            .x              = mn_alloc_array(c, mn_vec3, (int64_t)nu * nv),
                            .triangle = mn_alloc(c, mn_array_bytes(2 * (int64_t)nu * nv, sizeof *out->triangle)) };
    if (out->x == NULL || out->triangle == NULL) return MN_ERR_MEMORY;
    for (int i = 0; i < nu; i++)
        for (int j = 0; j < nv; j++) {
            const double  u = 2.0 * MN_PI * i / nu, v = 2.0 * MN_PI * j / nv, rho = RING + TUBE * cos(v);
            const int32_t a = i * nv + j, b = (i + 1) % nu * nv + j, d = i * nv + (j + 1) % nv,
                          e   = (i + 1) % nu * nv + (j + 1) % nv;
            int32_t(*t)[3]    = &out->triangle[2 * a];
            const bool rising = (i + j) % 2 == 0;
            out->x[a]         = mn_v3(rho * cos(u), rho * sin(u), TUBE * sin(v));
            t[0][0] = a, t[0][1] = b, t[0][2] = rising ? e : d;
            t[1][0] = rising ? a : b, t[1][1] = e, t[1][2] = d;
        }
    return MN_OK;
}

/// The weft goes around the axis at every triangle.
static mn_status lay_wefts(mn_context *c, const mn_stain_mesh *m, mn_weft_direction **out)
{
    mn_weft_direction *w = *out = mn_alloc_array(c, mn_weft_direction, m->triangle_count);
    if (w == NULL) return MN_ERR_MEMORY;
    for (int64_t t = 0; t < m->triangle_count; t++) {
        const int32_t *v = m->triangle[t];
        const mn_vec3  x = mn_scale3(1.0 / 3.0, mn_add3(mn_add3(m->x[v[0]], m->x[v[1]]), m->x[v[2]]));
        w[t].at[0] = x.x, w[t].at[1] = x.y, w[t].at[2] = x.z;
        w[t].along[0] = -x.y, w[t].along[1] = x.x, w[t].along[2] = 0.0;
    }
    return MN_OK;
}

static void both_modes(mn_vec3 x, mn_stain_drop *d, void *user)
{
    const mode *a = user;
    d->density    = 4.0 + at_mode(&a[0], x) + at_mode(&a[1], x);
}

static void project(const mn_world *w, const mode a[2], double out[2])
{
    const mn_stain_view s = mn_world_stain(w, 0);
    for (int k = 0; k < 2; k++) {
        out[k] = 0.0;
        for (int64_t v = 0; v < s.vertex_count; v++) out[k] += s.free[v] * at_mode(&a[k], mn_v3_from(s.position[v]));
    }
}

/// What is left of two modes after TIME.
static mn_status torus(mn_context *c, mode a[2], int nv, int steps, double share[2])
{
    mn_stain_patch     patch = { .weave = { ALONG, 0.0, AROUND } };
    mn_stain_def       def   = mn_stain_def_idle();
    mn_stain_mesh      mesh  = { 0 };
    mn_drops           film  = { 0 };
    mn_world          *w     = NULL;
    mn_weft_direction *wefts = NULL;
    double             first[2];
    def.patches = &patch, def.patch_count = 1;
    def.spread   = 0.5 * (ALONG + AROUND);
    def.step     = TIME / steps;
    mn_status st = torus_mesh(c, 2 * nv, nv, &mesh);
    if (st == MN_OK) st = lay_wefts(c, &mesh, &wefts);
    if (st == MN_OK) patch.directions = wefts, patch.direction_count = (int)mesh.triangle_count;
    if (st == MN_OK) st = mn_drops_of_field(c, &mesh, both_modes, a, &film);
    mn_stain_def_pour(&def, &film);
    if (st == MN_OK) st = mn_stain_world(c, &mesh, &def, &w);
    if (st == MN_OK) project(w, a, first);
    if (st == MN_OK) st = mn_run_to(w, TIME);
    if (st == MN_OK) project(w, a, share);
    for (int k = 0; k < 2 && st == MN_OK; k++) share[k] /= first[k];
    mn_world_destroy(&w);
    mn_free(c, wefts);
    mn_drops_free(c, &film);
    mn_stain_mesh_free(c, &mesh);
    return st;
}

/// Rate of what is left after `steps` implicit steps, each of which divides by 1 + h rate.
static double rate_of(double share, int steps, double time) { return (pow(share, -1.0 / steps) - 1.0) * steps / time; }

static void orders(mn_verify_report *r, const char *what, const double grid[3], const double step[3])
{
    char         text[112];
    const double p = log2((grid[0] - grid[1]) / (grid[1] - grid[2])),
                 q = log2((step[0] - step[1]) / (step[1] - step[2]));
    snprintf(text, sizeof text, "%s: order in the mesh, of three", what);
    mn_verify_value(r, text, p, 2.0, p - 2.0, 0.2, 0.2);
    snprintf(text, sizeof text, "%s: order in the step, of three", what);
    mn_verify_value(r, text, q, 1.0, q - 1.0, 0.2, 0.2);
}

static mn_status on_sphere(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    double share[4], grid[3], step[3];
    MN_TRY(mn_stain_sphere_modes(c, 3, 5, share));
    const double rate = rate_of(share[1], 5, 0.1) * 4.0;
    mn_verify_value(r, "sphere of 642 vertices, l = 2: rate of decay", rate, 6.0, rate / 6.0 - 1.0, 0.02, 0.06);
    if (tier == MN_TIER_BUILD) return MN_OK;
    for (int k = 0; k < 3; k++) {
        MN_TRY(mn_stain_sphere_modes(c, k + 2, 5, share));
        grid[k] = rate_of(share[1], 5, 0.1);
        MN_TRY(mn_stain_sphere_modes(c, 3, 4 << k, share));
        step[k] = share[1];
    }
    orders(r, "sphere", grid, step);
    return MN_OK;
}

mn_status mn_mms14(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    mode        a[2]    = { find_mode(1, 0.2), find_mode(0, 4.0) };
    const char *names[] = { "torus, once along the ring", "torus, once around the tube" };
    double      share[2], grid[2][3], step[2][3];
    char        text[112];
    MN_TRY(on_sphere(c, tier, r));
    MN_TRY(torus(c, a, 32, 8, share));
    for (int k = 0; k < 2; k++) {
        const double rate = rate_of(share[k], 8, TIME);
        snprintf(text, sizeof text, "%s, 64 x 32 vertices: rate of decay, 1/s", names[k]);
        mn_verify_value(r, text, rate, a[k].rate, rate / a[k].rate - 1.0, 0.01, 0.03);
    }
    for (int k = 0; k < 3 && tier != MN_TIER_BUILD; k++) {
        MN_TRY(torus(c, a, 16 << k, 8, share));
        for (int i = 0; i < 2; i++) grid[i][k] = rate_of(share[i], 8, TIME);
        MN_TRY(torus(c, a, 32, 8 << k, share));
        for (int i = 0; i < 2; i++) step[i][k] = share[i];
    }
    for (int k = 0; k < 2 && tier != MN_TIER_BUILD; k++) orders(r, names[k], grid[k], step[k]);
    return MN_OK;
}
