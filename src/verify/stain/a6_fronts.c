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

#define LIFE    1.0  // s, of the drop
#define GRADING 1.3
#define TIP     0.02
#define SECTOR  0.01  // rad, between rows

/// Liquid of a drop of profile 1 - r^2 and unit height, per vertex.
static void cap(sample *a, double *mass)
{
    for (int64_t v = 0; v < a->s->vertex_count; v++) mass[v] = 0.0;
    for (int64_t t = 0; t < a->s->triangle_count; t++) {
        const int32_t *v = a->mesh.triangle[t];
        for (int k = 0; k < 3; k++) {
            const mn_vec3 o = a->mesh.x[v[k]], p = a->mesh.x[v[(k + 1) % 3]], q = a->mesh.x[v[(k + 2) % 3]];
            const mn_vec3 m = mn_scale3(1.0 / 3.0, mn_add3(mn_add3(o, p), q));
            const mn_vec3 x = mn_add3(mn_scale3(5.0 / 12.0, o),
                                      mn_scale3(7.0 / 12.0, m));  // the middle of the corner's share
            mass[v[k]] += a->s->triangle_area[t] / 3.0 * fmax(1.0 - mn_dot3(x, x), 0.0);
        }
    }
}

/// Flows per second that keep the profile while it sinks evenly and dries by `rate` per vertex: they have a potential.
static mn_status keep_profile(sample *a, const double *whole, const double *rate, double *flow)
{
    mn_pool           *pool     = mn_context_pool(a->s->context);
    mn_stain_operator *op       = NULL;
    mn_stain_tensor   *one      = mn_arena_array(a->arena, mn_stain_tensor, a->s->triangle_count);
    double            *b        = mn_arena_array(a->arena, double, a->s->vertex_count),
           *phi                 = mn_arena_array_zero(a->arena, double, a->s->vertex_count);
    double               *small = mn_arena_array(a->arena, double, a->s->vertex_count);
    mn_stain_solve_report report;
    if (one == NULL || b == NULL || phi == NULL || small == NULL) return MN_ERR_MEMORY;
    for (int64_t t = 0; t < a->s->triangle_count; t++) one[t] = (mn_stain_tensor){ 1.0, 0.0, 1.0 };
    for (int64_t v = 0; v < a->s->vertex_count; v++) b[v] = whole[v] / LIFE - rate[v], small[v] = 1e-9 * a->s->area[v];
    MN_TRY(mn_stain_operator_create(a->s, &(mn_stain_operator_def){ .tensor = one, .keep_edges = true }, &op));
    mn_stain_matrix m  = { .links = &op->links, .conductance = op->conductance, .capacity = small, .h = 1.0 };
    mn_status       st = mn_stain_matrix_prepare(pool, &m, a->arena);
    if (st == MN_OK) {
        const mn_stain_system system = mn_stain_matrix_system(&m);
        st                           = mn_stain_conjugate(pool, &system, b, phi, 1e-12, 20000, a->arena, &report);
        mn_stain_matrix_flows(pool, &m, phi, -HUGE_VAL, flow);
    }
    mn_stain_operator_destroy(&op);
    return st;
}

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

/// Part of the pigment at the contact line at five times.
static mn_status ring(mn_context *c, int cells, double lambda, const double times[5], double part[5])
{
    const int                 steps = 10 * cells;
    const mn_stain_square_def strip = { .nx        = cells + 1,
                                        .ny        = 3,
                                        .spacing   = 1.0,
                                        .diagonals = MN_DIAGONALS_ALTERNATING };
    sample                    a     = { 0 };
    mn_status                 st    = mn_stain_mesh_square(c, &strip, &a.mesh);
    const mn_stain_pigment    p     = { .solubility = 1e9 };
    if (st == MN_OK) bend(&a.mesh, cells);
    if (st == MN_OK) st = sample_make(c, &a);
    if (st == MN_OK) {
        double *m = mn_stain_solute_of(a.q, MN_STAIN_DISSOLVED, 0), *rate = a.gone, sum = 0.0, factors = 0.0;
        cap(&a, a.free);
        mn_stain_drop_factors(a.s, a.mesh.x, mn_v3(0.0, 0.0, 0.0), 1.0, lambda, a.dries);
        for (int64_t v = 0; v < a.s->vertex_count; v++)
            m[v] = a.free[v], sum += a.free[v], factors += a.s->area[v] * a.dries[v];
        const mn_stain_exchange_def def = { .evaporation = sum / (LIFE * factors), .dry = 0.0, .wet = 0.0 };
        for (int64_t v = 0; v < a.s->vertex_count; v++) rate[v] = def.evaporation * a.s->area[v] * a.dries[v];
        st = keep_profile(&a, a.free, rate, a.speed);
        for (int64_t e = 0; e < a.s->edges.count; e++) a.flow[e] = a.speed[e] * LIFE / steps;
        int next = 0;
        for (int k = 1; k < steps && st == MN_OK && next < 5; k++) {
            const mn_stain_liquid liquid = { .surface = a.s, .free = a.free, .dries = a.dries };
            st                           = mn_stain_carry(a.q, &a.s->edges, a.flow, a.free, a.arena);
            mn_stain_gather(mn_context_pool(c), &a.s->edges, a.flow, a.free);
            if (st == MN_OK) st = mn_stain_exchange(&liquid, a.q, &p, &def, LIFE / steps, a.gone);
            if (k < lround(times[next] * steps)) continue;
            double there = 0.0;
            for (int64_t v = cells; v < a.s->vertex_count; v += cells + 1)
                there += m[v] + mn_stain_solute_of(a.q, MN_STAIN_DRIED, 0)[v];
            part[next++] = there / sum;
        }
    }
    sample_free(c, &a);
    return st;
}

mn_status mn_a6_ring(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    static const double times[5] = { 0.1, 0.25, 0.5, 0.75, 0.9 };
    char                text[96];
    for (int k = 0; k < 2; k++) {
        const double theta  = (double[]){ 0.0, 40.0 }[k] * MN_PI / 180.0,
                     lambda = (MN_PI - 2.0 * theta) / (2.0 * MN_PI - 2.0 * theta);
        double part[5];
        MN_TRY(ring(c, tier == MN_TIER_BUILD ? 400 : 800, lambda, times, part));
        for (int i = 0; i < 5; i++) {
            const double exact = pow(1.0 - pow(1.0 - times[i], 0.5 * (1.0 + lambda)), 2.0 / (1.0 + lambda));
            snprintf(text, sizeof text, "contact angle %.0f, %.2f of the life: part of the pigment in the ring",
                     theta * 180.0 / MN_PI, times[i]);
            mn_verify_value(r, text, part[i], exact, part[i] / exact - 1.0, 0.05, 0.10);
        }
    }
    return MN_OK;
}
