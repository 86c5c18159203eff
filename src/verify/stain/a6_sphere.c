// SPDX-License-Identifier: MPL-2.0
// verify/stain/a6_sphere.c - A6.6: decay of spherical harmonics, of density and of velocity, in a film on a sphere that
// stands still.
#include "verify/stain/a6_stain.h"

#include "verify/stain/stain_world.h"
#include "world/world.h"

#include <stdio.h>

#define RADIUS 2.0
#define TIME   0.1   // s
#define SLOW   1e-6  // 1/s: liquid turns so slowly that it does not carry itself anywhere

/// z, and the zonal function of degree 2, on the unit sphere.
static double harmonic(int l, mn_vec3 x)
{
    const double z = x.z / mn_norm3(x);
    return l == 1 ? z : 1.5 * z * z - 0.5;
}

/// Toroidal fields: turning about z, and turning in opposite directions north and south.
static mn_vec3 toroidal(int l, mn_vec3 x) { return mn_scale3(l == 1 ? 1.0 : x.z, mn_v3(-x.y, x.x, 0.0)); }

static void all_modes(mn_vec3 x, mn_stain_drop *d, void *user)
{
    (void)user;
    const mn_vec3 u = mn_scale3(SLOW, mn_add3(toroidal(1, x), toroidal(2, x)));
    d->density      = 3.0 + harmonic(1, x) + harmonic(2, x);
    d->velocity[0] = u.x, d->velocity[1] = u.y, d->velocity[2] = u.z;
}

/// The share of each mode: two of the density, two of the velocity.
static void project(const mn_world *w, double out[4])
{
    const mn_stain_view  s = mn_world_stain(w, 0);
    const mn_stain_film *f = w->stains.list[0].film;
    for (int k = 0; k < 4; k++) {
        const int l   = k % 2 + 1;
        double    sum = 0.0;
        for (int64_t v = 0; v < s.vertex_count; v++) {
            const mn_vec3 x = mn_v3_from(s.position[v]), t = toroidal(l, x), y = mn_stain_frame_y(&f->frame[1][v]);
            sum += k < 2 ? s.free[v] * harmonic(l, x)
                         : s.area[v] * (f->u[v].x * mn_dot3(f->frame[1][v].x, t) + f->u[v].y * mn_dot3(y, t));
        }
        out[k] = sum;
    }
}

mn_status mn_stain_sphere_modes(mn_context *c, int levels, int steps, double share[4])
{
    mn_stain_def  def  = mn_stain_def_idle();
    mn_stain_mesh mesh = { 0 };
    mn_drops      film = { 0 };
    mn_world     *w    = NULL;
    double        first[4];
    def.spread = def.friction = 1.0;
    def.step                  = TIME / steps;
    mn_status st              = mn_stain_mesh_sphere(c, RADIUS, levels, &mesh);
    if (st == MN_OK) st = mn_drops_of_field(c, &mesh, all_modes, NULL, &film);
    mn_stain_def_pour(&def, &film);
    if (st == MN_OK) st = mn_stain_world(c, &mesh, &def, &w);
    if (st == MN_OK) project(w, first);
    if (st == MN_OK) st = mn_run_to(w, TIME);
    if (st == MN_OK) project(w, share);
    for (int k = 0; k < 4 && st == MN_OK; k++) share[k] /= first[k];
    mn_world_destroy(&w);
    mn_drops_free(c, &film);
    mn_stain_mesh_free(c, &mesh);
    return st;
}

/// Decay rate times R^2 of what is left after `steps` implicit steps, each of which divides by 1 + h rate.
static double rate_of(double share, int steps)
{
    return (pow(share, -1.0 / steps) - 1.0) * steps / TIME * RADIUS * RADIUS;
}

mn_status mn_a6_sphere(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    static const struct {
        const char *name;
        double      exact;
    } modes[] = { { "scalar l = 1", 2.0 }, { "scalar l = 2", 6.0 }, { "vector l = 1", 1.0 }, { "vector l = 2", 5.0 } };
    const int first = tier == MN_TIER_BUILD ? 2 : 0, steps = 5;
    double    rate[3][4], share[4];
    char      text[96];
    for (int level = first; level < 3; level++) {
        MN_TRY(mn_stain_sphere_modes(c, level + 2, steps, share));
        for (int k = 0; k < 4; k++) rate[level][k] = rate_of(share[k], steps);
    }
    for (int k = 0; k < 4; k++) {
        snprintf(text, sizeof text, "%s on 2562 vertices: decay rate", modes[k].name);
        mn_verify_value(r, text, rate[2][k], modes[k].exact, rate[2][k] / modes[k].exact - 1.0, 0.01, 0.03);
        if (first > 0) continue;
        const double order = log2((rate[0][k] - rate[1][k]) / (rate[1][k] - rate[2][k]));
        snprintf(text, sizeof text, "%s: order of convergence over 162, 642 and 2562 vertices%s", modes[k].name,
                 k == 0 ? ", or more (it is linear in space)" : "");
        mn_verify_value(r, text, order, 2.0, k == 0 ? fmin(order - 2.0, 0.0) : order - 2.0, 0.3, 0.3);
    }
    return MN_OK;
}
