// SPDX-License-Identifier: MPL-2.0
// verify/stain/a6_fronts.c - A6.10: pigment that sticks lags behind the liquid; A6.11: the ring that a pinned drop
// leaves.
#include "verify/stain/a6_stain.h"

#include "stain/advect.h"
#include "stain/diffuse.h"
#include "stain/exchange.h"
#include "stain/matrix.h"
#include "verify/stain/stain_meshes.h"

#include <stdio.h>
#include <string.h>

typedef struct sample {
    mn_stain_mesh     mesh;
    mn_stain_surface *s;
    mn_stain_solute  *q;
    mn_arena         *arena;
    double           *free, *flow, *gone, *dries, *speed;
    mn_stain_vec     *u;
} sample;

static void sample_free(mn_context *c, sample *a)
{
    mn_stain_solute_destroy(&a->q);
    mn_stain_surface_destroy(&a->s);
    mn_stain_mesh_free(c, &a->mesh);
    mn_arena_destroy(&a->arena);
    void *const arrays[] = { a->free, a->flow, a->gone, a->dries, a->speed, a->u };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) mn_free(c, arrays[k]);
}

/// From the mesh in `a`, which is made before.
static mn_status sample_make(mn_context *c, sample *a)
{
    MN_TRY(mn_arena_create(c, &a->arena));
    MN_TRY(mn_stain_mesh_surface(c, &a->mesh, &a->s));
    MN_TRY(mn_stain_solute_create(c, a->s->vertex_count, 1, &a->q));
    a->free       = mn_alloc_array(c, double, a->s->vertex_count);
    a->gone       = mn_alloc_array(c, double, a->s->vertex_count);
    a->dries      = mn_alloc_array(c, double, a->s->vertex_count);
    a->flow       = mn_alloc_array(c, double, a->s->edges.count);
    a->speed      = mn_alloc_array(c, double, a->s->edges.count);
    a->u          = mn_alloc_array(c, mn_stain_vec, a->s->vertex_count);
    const bool ok = a->free != NULL && a->gone != NULL && a->dries != NULL && a->flow != NULL && a->speed != NULL &&
                    a->u != NULL;
    return ok ? MN_OK : MN_ERR_MEMORY;
}

#define CELLS    400
#define SPACING  0.1
#define FILM     0.1  // g/cm^2, everywhere
#define VELOCITY 1.0
#define FED      0.01  // g/cm^2 of pigment at the inlet
#define INLET    5     // columns that are kept so: half cells at the end would run out within a step

/// Velocity along x in the frames of the vertices, whose first axis points along the first edge of the ring.
static void stream(sample *a)
{
    for (int64_t v = 0; v < a->s->vertex_count; v++) {
        const int32_t first = a->s->edges.neighbour[a->s->edges.start[v]];
        const mn_vec3 e     = mn_sub3(a->mesh.x[first], a->mesh.x[v]);
        const double  size  = mn_norm3(e);
        a->u[v]             = (mn_stain_vec){ VELOCITY * e.x / size, -VELOCITY * e.y / size };
        a->free[v]          = FILM * a->s->area[v];
    }
    mn_stain_edge_speeds(a->s, a->u, a->speed);
}

/// Where the density of dissolved pigment falls through half of what is fed, along the middle row.
static double half_way(const sample *a)
{
    const double *m = mn_stain_solute_of(a->q, MN_STAIN_DISSOLVED, 0);
    for (int i = CELLS - 1; i > 0; i--) {
        const int64_t v    = CELLS + 1 + i;  // of three rows the middle one
        const double  here = m[v] / a->s->area[v], before = m[v - 1] / a->s->area[v - 1];
        if (before >= 0.5 * FED && here < 0.5 * FED)
            return a->mesh.x[v - 1].x + SPACING * (before - 0.5 * FED) / (before - here) - a->mesh.x[CELLS + 1].x;
    }
    return 0.0;
}

/// Speed of the front over that of the liquid, between two times.
static mn_status front_speed(mn_context *c, const mn_stain_pigment *p, double *speed)
{
    const mn_stain_square_def   square = { .nx        = CELLS + 1,
                                           .ny        = 3,
                                           .spacing   = SPACING,
                                           .diagonals = MN_DIAGONALS_ALTERNATING };
    const mn_stain_exchange_def def    = { .dry = 1e-12, .wet = 1e-6 };
    sample                      a      = { 0 };
    const double                h      = 0.05;
    double                      at[2]  = { 0.0, 0.0 };
    mn_status                   st     = mn_stain_mesh_square(c, &square, &a.mesh);
    if (st == MN_OK) st = sample_make(c, &a);
    if (st == MN_OK) stream(&a);
    for (int k = 1; k <= 600 && st == MN_OK; k++) {
        double *m = mn_stain_solute_of(a.q, MN_STAIN_DISSOLVED, 0);
        for (int i = 0; i < 3 * INLET; i++)
            m[i / INLET * (CELLS + 1) + i % INLET] = FED * a.s->area[i / INLET * (CELLS + 1) + i % INLET];
        st = mn_stain_advect_flows(a.s, a.speed, h, false, a.free, a.flow, a.arena);
        if (st == MN_OK) st = mn_stain_carry(a.q, &a.s->edges, a.flow, a.free, a.arena);
        // The liquid flows in and out at the ends: it is the same at the next step.
        const mn_stain_liquid liquid = { .surface = a.s, .free = a.free };
        if (st == MN_OK) st = mn_stain_exchange(&liquid, a.q, p, &def, h, a.gone);
        if (k % 300 == 0) at[k / 300 - 1] = half_way(&a);
    }
    *speed = (at[1] - at[0]) / (300.0 * h * VELOCITY);
    sample_free(c, &a);
    return st;
}

mn_status mn_a6_front(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    mn_stain_pigment p = { .adsorption = MN_STAIN_LANGMUIR, .solubility = 1e3 };
    char             text[96];
    (void)tier;
    for (int k = 0; k < 3; k++) {  // far from full: q / c = k_a V / k_-
        const double ratio = (double[]){ 0.5, 1.0, 3.0 }[k];
        double       speed = 0.0;
        p.capacity = 1e4, p.detach = 1e3, p.attach = ratio * p.detach / p.capacity;
        MN_TRY(front_speed(c, &p, &speed));
        snprintf(text, sizeof text, "linear isotherm, k' = %g: speed of pigment over that of liquid", ratio);
        mn_verify_value(r, text, speed, 1.0 / (1.0 + ratio), speed * (1.0 + ratio) - 1.0, 0.02, 0.05);
    }
    for (int k = 0; k < 2; k++) {  // half and four fifths full behind the shock
        const double filled = (double[]){ 0.5, 0.8 }[k];
        double       speed  = 0.0;
        p.capacity = 0.02, p.detach = 1e3, p.attach = filled / (1.0 - filled) * p.detach / FED;
        const double expected = 1.0 / (1.0 + p.capacity * filled / FED);
        MN_TRY(front_speed(c, &p, &speed));
        snprintf(text, sizeof text, "Langmuir, %g filled: speed of the shock over that of liquid", filled);
        mn_verify_value(r, text, speed, expected, speed / expected - 1.0, 0.02, 0.05);
    }
    return MN_OK;
}
