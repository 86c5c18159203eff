// SPDX-License-Identifier: MPL-2.0
// verify/stain/a6_ring.c - A6.11: the ring that a pinned drop leaves, against Deegan's table.
#include "verify/stain/a6_stain.h"

#include "verify/stain/stain_world.h"

#include <stdio.h>

#define LIFE    1.0   // s, of the drop
#define FILM    0.01  // g/cm^2, on its mean
#define GRADING 1.3
#define TIP     0.02
#define SECTOR  0.01   // rad, between rows
#define SPREAD  200.0  // cm^2/s: the cap is level after 1/200 of the life

/// A strip of `cells` by 2 cells becomes a narrow sector of the drop, finer towards the contact line; its tip is cut
/// off.
static void bend(mn_stain_mesh *m, int cells)
{
    for (int64_t v = 0; v < m->vertex_count; v++) {
        const double r     = 1.0 - (1.0 - TIP) * pow(1.0 - (double)(v % (cells + 1)) / cells, GRADING),
                     angle = SECTOR * (double)(v / (cells + 1) - 1);
        m->x[v]            = mn_v3(r * cos(angle), r * sin(angle), 0.0);
    }
}

static mn_stain_def drying_drop(const mn_pigment *coffee, double life)
{
    mn_stain_def def  = mn_stain_def_idle();
    def.pigments      = coffee;
    def.pigment_count = 1;
    def.spread        = SPREAD / life;
    def.evaporation   = FILM / life;
    return def;
}

static mn_pigment coffee_of(void)
{
    mn_pigment p = mn_pigment_default();
    snprintf(p.name, sizeof p.name, "coffee");
    p.solubility = 1e3;
    p.mixing     = 0.0;
    return p;
}

static mn_status pour(mn_context *c, double theta, mn_drops *out)
{
    MN_TRY(mn_drops_make(c, 1, out));
    mn_stain_drop *d = mn_drops_add(c, out, mn_v3(0.0, 0.0, 0.0), 1.0);
    if (d == NULL) return MN_ERR_MEMORY;
    d->density       = FILM;
    d->share[0]      = 0.01;
    d->pinned        = true;
    d->contact_angle = theta;
    return MN_OK;
}

/// Part of the pigment beyond `edge` from the middle.
static double part_beyond(const mn_world *w, double edge)
{
    const mn_stain_view s   = mn_world_stain(w, 0);
    double              sum = 0.0, there = 0.0;
    for (int64_t v = 0; v < s.vertex_count; v++) {
        const double m = mn_stain_view_pigment(&s, 0, v);
        sum += m;
        if (hypot(s.position[v][0], s.position[v][1]) > edge) there += m;
    }
    return there / sum;
}

static const double times[5] = { 0.1, 0.25, 0.5, 0.75, 0.9 };

/// Part of the pigment at the contact line at five times.
static mn_status ring(mn_context *c, int cells, double theta, double part[5])
{
    const mn_stain_square_def strip  = { .nx        = cells + 1,
                                         .ny        = 3,
                                         .spacing   = 1.0,
                                         .diagonals = MN_DIAGONALS_ALTERNATING };
    const mn_pigment          coffee = coffee_of();
    mn_stain_def              def    = drying_drop(&coffee, LIFE);
    mn_stain_mesh             mesh   = { 0 };
    mn_drops                  drop   = { 0 };
    mn_world                 *w      = NULL;
    def.step                         = LIFE / (5 * cells);
    mn_status st                     = mn_stain_mesh_square(c, &strip, &mesh);
    if (st == MN_OK) bend(&mesh, cells);
    if (st == MN_OK) st = pour(c, theta, &drop);
    mn_stain_def_pour(&def, &drop);
    if (st == MN_OK) st = mn_stain_world(c, &mesh, &def, &w);
    for (int k = 0; k < 5 && st == MN_OK; k++) {
        st      = mn_run_to(w, times[k] * LIFE);
        part[k] = part_beyond(w, 1.0 - 1e-9);
    }
    mn_world_destroy(&w);
    mn_drops_free(c, &drop);
    mn_stain_mesh_free(c, &mesh);
    return st;
}

mn_status mn_a6_ring(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    char text[96];
    for (int k = 0; k < 2; k++) {
        const double theta  = (double[]){ 0.0, 40.0 }[k] * MN_PI / 180.0,
                     lambda = (MN_PI - 2.0 * theta) / (2.0 * MN_PI - 2.0 * theta);
        double part[5];
        MN_TRY(ring(c, tier == MN_TIER_BUILD ? 200 : 400, theta, part));
        for (int i = 0; i < 5; i++) {
            const double exact = pow(1.0 - pow(1.0 - times[i], 0.5 * (1.0 + lambda)), 2.0 / (1.0 + lambda));
            snprintf(text, sizeof text, "contact angle %.0f, %.2f of the life: part of the pigment in the ring",
                     theta * 180.0 / MN_PI, times[i]);
            mn_verify_value(r, text, part[i], exact, part[i] / exact - 1.0, 0.05, 0.15);
        }
    }
    return MN_OK;
}
