// SPDX-License-Identifier: MPL-2.0
// verify/fabric/a1_drying.c - how a wet sheet and a wet yarn dry (wet-fabric 5.11): at a constant rate over their
// surface while S > 0.3, below that by an exponential.
#include "verify/fabric/a1.h"
#include "verify/fabric/wet_world.h"

#include <stdio.h>

#define RATE     1e-3  // cm^3/(cm^2 s)
#define CRITICAL 0.3
#define SIDE     2.0

typedef struct drying {
    double surface, pores;     // cm^2 and cm^3, of the shape, not of the program
    double begin, half, late;  // cm^3 held: at the start, half way to the critical saturation, long after it
    double time[2];            // s of the last two
    double gone;               // of the ledger at the end, cm^3
    double error;              // of the ledger
    double dry;                // cm^3 held when all should have gone
} drying;

static mn_status make(mn_context *c, bool yarn, mn_world **out, drying *d)
{
    const double  full = 1.0;
    mn_wet_fabric f    = mn_wet_fabric_default("sheet");
    mn_thin_mesh  mesh;
    f.held = "all", f.wet = mn_wet_evenly, f.user = &full, f.def.evaporation = RATE;
    MN_TRY(mn_wet_world_make(c, 0.4, 0.0, 0.25, out));
    if (yarn) {
        const mn_yarn_def y = { .pattern = MN_YARN_STRAIGHT, .size = { SIDE, 0.0 }, .radius = 0.05, .spacing = 0.2 };
        MN_TRY(mn_yarn_generate(c, &y, &mesh));
        d->surface = 2.0 * MN_PI * 0.05 * SIDE;  // the mantle
        d->pores   = 0.7 * MN_PI * 0.05 * 0.05 * SIDE;
    } else {
        const mn_cloth_def s = { .outline = MN_CLOTH_RECTANGLE,
                                 .size    = { SIDE, SIDE },
                                 .spacing = 0.2,
                                 .mesh    = MN_CLOTH_STRUCTURED };
        MN_TRY(mn_cloth_generate(c, &s, &mesh));
        d->surface = 2.0 * SIDE * SIDE;  // both faces
        d->pores   = 0.7 * f.def.material.thickness * SIDE * SIDE;
    }
    return mn_wet_world_add(c, *out, &mesh, &f);
}

static mn_status run(mn_world *w, drying *d)
{
    const double until = (1.0 - CRITICAL) * d->pores / (RATE * d->surface),
                 decay = CRITICAL * d->pores / (RATE * d->surface);
    d->begin           = mn_world_ledger(w).liquid_fabric;
    d->time[0] = 0.5 * until, d->time[1] = until + decay;
    MN_TRY(mn_wet_world_run(w, d->time[0]));
    d->half = mn_world_ledger(w).liquid_fabric;
    MN_TRY(mn_wet_world_run(w, d->time[1]));
    const mn_ledger l = mn_world_ledger(w);
    d->late = l.liquid_fabric, d->gone = l.liquid_evaporated, d->error = fabs(l.liquid_error);
    // The last millionth of the pores goes at once: ln(0.3 / 1e-6) = 12.6 decay times after the critical saturation.
    MN_TRY(mn_wet_world_run(w, until + 12.7 * decay));
    d->dry = mn_world_ledger(w).liquid_fabric;
    return MN_OK;
}

static void report(const drying *d, const char *what, mn_verify_report *r)
{
    char         text[112];
    const double rate = (d->begin - d->half) / d->time[0];
    snprintf(text, sizeof text, "%s: drying rate while S > 0.3, cm^3/s", what);
    mn_verify_value(r, text, rate, RATE * d->surface, rate / (RATE * d->surface) - 1.0, 1e-10, 1e-10);
    const double late = CRITICAL * exp(-1.0);
    snprintf(text, sizeof text, "%s: saturation one decay time after S = 0.3", what);
    mn_verify_value(r, text, d->late / d->pores, late, d->late / d->pores / late - 1.0, 1e-10, 1e-10);
    snprintf(text, sizeof text, "%s: evaporated by the ledger until then, cm^3", what);
    mn_verify_value(r, text, d->gone, (1.0 - late) * d->pores, d->gone / ((1.0 - late) * d->pores) - 1.0, 1e-10, 1e-10);
    snprintf(text, sizeof text, "%s: liquid budget meanwhile, as a share", what);
    mn_verify_at_most(r, text, d->error, 1e-12, 1e-12);
    snprintf(text, sizeof text, "%s: held after 12.7 decay times, cm^3", what);
    mn_verify_at_most(r, text, d->dry, 0.0, 0.0);
}

mn_status mn_a1_drying(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    for (int yarn = 0; yarn < 2; yarn++) {
        mn_world *w      = NULL;
        drying    d      = { 0 };
        mn_status status = make(c, yarn, &w, &d);
        if (status == MN_OK) status = run(w, &d);
        mn_world_destroy(&w);
        if (status != MN_OK) return status;
        report(&d, yarn ? "yarn" : "cloth", r);
    }
    return MN_OK;
}
