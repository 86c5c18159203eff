// SPDX-License-Identifier: MPL-2.0
// verify/stain/a6_stain.c - A6, stains: the list of cases that need no weave, and the kinetics at one vertex.
#include "verify/stain/a6_stain.h"

#include "stain/exchange.h"
#include "verify/stain/stain_meshes.h"

/// A triangle of wet cloth: all vertices do the same.
typedef struct cell {
    mn_stain_surface *s;
    mn_stain_solute  *q;
    double            free[3], held[3], gone[3];
} cell;

static mn_status cell_make(mn_context *c, double free, double pigment, cell *out)
{
    const mn_vec3 x[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
    *out               = (cell){ 0 };
    MN_TRY(mn_stain_surface_create(c, 3, x, 1, (const int32_t[][3]){ { 0, 1, 2 } }, &out->s));
    MN_TRY(mn_stain_solute_create(c, 3, 1, &out->q));
    for (int v = 0; v < 3; v++) {
        out->free[v]                        = free * out->s->area[v];
        out->q->mass[MN_STAIN_DISSOLVED][v] = pigment * out->s->area[v];
    }
    return MN_OK;
}

static void cell_free(cell *a)
{
    mn_stain_solute_destroy(&a->q);
    mn_stain_surface_destroy(&a->s);
}

static mn_status run(cell *a, const mn_stain_pigment *p, const mn_stain_exchange_def *def, double h, int steps)
{
    const mn_stain_liquid liquid = { .surface = a->s, .free = a->free, .held = a->held };
    for (int k = 0; k < steps; k++) MN_TRY(mn_stain_exchange(&liquid, a->q, p, def, h, a->gone));
    return MN_OK;
}

static mn_status absorption(mn_context *c, mn_verify_report *r)
{
    const mn_stain_exchange_def def = { .absorb_rate = 0.2, .hold = 1.0 };
    const mn_stain_pigment      p   = { .solubility = 1.0 };
    for (int k = 0; k < 2; k++) {
        cell      a;
        mn_status st = cell_make(c, 10.0, 1.0, &a);
        if (st == MN_OK) st = run(&a, &p, &def, k == 0 ? 5.0 : 0.05, k == 0 ? 1 : 100);
        const double held  = a.held[1] / a.s->area[1];
        const double exact = 1.0 - exp(-1.0);
        const char  *what  = k == 0 ? "absorption at 0.2 1/s after 5 s, one step" : "absorption after 5 s in 100 steps";
        if (st == MN_OK) mn_verify_value(r, what, held, exact, held - exact, 1e-12, 1e-12);
        cell_free(&a);
        MN_TRY(st);
    }
    return MN_OK;
}

static mn_status equilibrium(mn_context *c, mn_verify_report *r)
{
    // Ample supply: c stays, and the covered part is K / (1 + K) with K = k_a c / k_-.
    const mn_stain_exchange_def def   = { .dry = 1e-12, .wet = 1e-6 };
    double                      worst = 0.0;
    for (double k = 1e-3; k < 11.0; k *= 10.0) {
        const mn_stain_pigment p = { .adsorption = MN_STAIN_LANGMUIR,
                                     .capacity   = 1e-9,
                                     .attach     = 10.0 * k,
                                     .detach     = 10.0,
                                     .solubility = 10.0 };
        cell                   a;
        mn_status              st = cell_make(c, 1.0, 1.0, &a);
        if (st == MN_OK) st = run(&a, &p, &def, 0.5, 100);
        const double covered = a.q->mass[MN_STAIN_ADSORBED][2] / (a.s->area[2] * p.capacity);
        worst                = fmax(worst, fabs(covered / (k / (1.0 + k)) - 1.0));
        cell_free(&a);
        MN_TRY(st);
    }
    mn_verify_at_most(r, "Langmuir, K from 1e-3 to 10: largest error of the covered part", worst, 1e-8, 1e-8);
    return MN_OK;
}

static mn_status drying(mn_context *c, mn_verify_report *r)
{
    const mn_stain_exchange_def def = { .evaporation = 1e-3, .rim_factor = 1.2, .dry = 1e-12, .wet = 1e-6 };
    const mn_stain_pigment      p   = { .solubility = 1e9 };
    const double                h   = 0.01;
    cell                        a;
    int                         steps = 0;
    mn_status                   st    = cell_make(c, 0.01, 0.001, &a);
    while (st == MN_OK && a.free[0] > 0.0 && steps < 2000) st = run(&a, &p, &def, h, 1), steps++;
    if (st == MN_OK)
        mn_verify_value(r, "a uniform film is dry after sigma / K_evap, s", h * steps, 10.0, h * steps - 10.0, 1.5 * h,
                        1.5 * h);
    const double left = a.q->mass[MN_STAIN_DRIED][0] / a.s->area[0];
    if (st == MN_OK)
        mn_verify_value(r, "its pigment is left as residue", left, 0.001, left / 0.001 - 1.0, 1e-14, 1e-14);
    cell_free(&a);
    MN_TRY(st);
    // One dry vertex makes the others the rim.
    st        = cell_make(c, 0.01, 0.0, &a);
    a.free[2] = 0.0;
    if (st == MN_OK) st = run(&a, &p, &def, h, 100);
    const double lost = (0.01 - a.free[0] / a.s->area[0]) / (1e-3 * 100.0 * h);
    if (st == MN_OK)
        mn_verify_value(r, "evaporation at the wet rim over that inside", lost, 1.2, lost - 1.2, 1e-12, 1e-12);
    cell_free(&a);
    return st;
}

mn_status mn_a6_kinetics(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    MN_TRY(absorption(c, r));
    MN_TRY(equilibrium(c, r));
    return drying(c, r);
}

const mn_verify_case mn_verify_a6_stain[] = {
    { "A6.5", "a blob that spreads along a weft at 30 degrees to the mesh", .run = mn_a6_kernel },
    { "A6.6", "decay of scalar and vector modes on a sphere", .run = mn_a6_sphere, .library = true },
    { "A6.7", "a blob that slides on a turning cloth", .run = mn_a6_rotating, .library = true },
    { "A6.8", "absorption, adsorption and evaporation at a vertex", .run = mn_a6_kinetics, .library = true },
    { "A6.9", "budgets of liquid and pigments on a cloth that waves and stretches", .run = mn_a6_budget,
      .library = true },
    { "A6.10", "fronts of pigment that sticks", .run = mn_a6_front, .library = true },
    { "A6.11", "the ring that a pinned drop leaves", .run = mn_a6_ring },
    { 0 },
};
