// SPDX-License-Identifier: MPL-2.0
// verify/fabric/a1_intake.c - what fabric takes in from the liquid around it, and what drips off it.
#include "verify/fabric/a1.h"
#include "verify/fabric/wet_world.h"

#include <stdio.h>

// --- capture

#define SLOW 0.01  // capture factor, so that the pores take half a second to fill
#define SIDE 1.2   // cm, of the sheet

/// cm^3/s that a dry sheet takes in under water, in the first tenth of a second.
static mn_status drink(mn_context *c, mn_world *w, double cell, double angle, double *rate)
{
    const mn_liquid_material water = mn_wet_sample_water();
    mn_wet_fabric            f     = mn_wet_fabric_default("sheet");
    f.held                         = "all";
    f.def.material.capture         = SLOW;
    f.def.material.contact_angle   = angle;
    f.def.at[0] = f.def.at[2] = 1.2, f.def.at[1] = 1.1;
    MN_TRY(mn_wet_world_pour(c, w, &water, (const double[3]){ 0, 0, 0 }, (const double[3]){ 2.4, 2.4, 2.4 }));
    MN_TRY(mn_wet_world_sheet(c, w, (const double[2]){ SIDE, SIDE }, 0.5 * cell, &f));
    MN_TRY(mn_wet_world_run(w, 0.02));
    const double before = mn_world_ledger(w).liquid_fabric;
    MN_TRY(mn_wet_world_run(w, 0.12));
    *rate = (mn_world_ledger(w).liquid_fabric - before) / 0.1;
    return MN_OK;
}

/// (E5.19): the suction across fibres drives k_b p_b / (mu r) into half the thickness r, over the area of the sheet;
/// with the numbers of the page for F0, k_b = 1.81262e-7 cm^2 and p_b = 24467 / 2 dyn/cm^2.
mn_status mn_a1_capture(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const mn_fabric_material f0       = mn_wet_sample_f0();
    const double             theory   = SLOW * SIDE * SIDE * 1.81262e-7 * 0.5 * 24467.0 / (0.0089 * 0.5 * f0.thickness);
    const double             cells[3] = { 0.2, 0.3, 0.1 }, size[3] = { 2.4, 3.0, 2.4 };
    for (int k = 0; k < (tier == MN_TIER_BUILD ? 3 : 4); k++) {
        const bool   wets = k != 2;
        const double cell = k == 3 ? cells[2] : cells[k == 2 ? 1 : k];
        double       rate = NAN;
        char         text[112];
        mn_world    *w      = NULL;
        mn_status    status = mn_wet_world_tank(c, cell, 981.0, 2e-3, size, &w);
        if (status == MN_OK) status = drink(c, w, cell, wets ? f0.contact_angle : 0.5 * MN_PI, &rate);
        mn_world_destroy(&w);
        if (status != MN_OK) return status;
        snprintf(text, sizeof text, "dry sheet under water, cells of %g mm%s: taken in, cm^3/s", 10.0 * cell,
                 wets ? "" : ", 90 degrees");
        if (wets) mn_verify_value(r, text, rate, theory, rate / theory - 1.0, 0.05 / 3.0, 0.05);
        else mn_verify_value(r, text, rate, 0.0, rate, 1e-12, 1e-12);
    }
    return MN_OK;
}

// --- dripping

#define COARSE  0.025  // cm, fibres: ten times those of F0, so that H = 2.494 cm
#define HEIGHT  2.4941
#define LENGTH  2.0
#define WIDTH   0.8
#define CELL    0.1
#define QUANTUM (0.0356 * CELL * CELL * CELL)  // cm^3, of a drop

typedef struct dripping {
    double  held, pores;    // cm^3
    double  removed, bulk;  // of the ledger
    double  error;
    double  drop;   // the smallest of the first ones, in full drops
    int64_t first;  // how many of them were looked at
    double  slope;  // of the saturation over the height, 1/cm
} dripping;

static mn_status add_drain(mn_context *c, mn_world *w)
{
    mn_liquid_def drain = mn_liquid_def_default();
    mn_shape_def  box   = mn_shape_def_default(MN_SHAPE_BOX);
    snprintf(drain.name, sizeof drain.name, "drain");
    drain.role  = MN_LIQUID_SINK;
    box.size[0] = box.size[2] = 10.0, box.size[1] = 2.0;
    box.center[1] = -1.5;
    MN_TRY(mn_shape_create(c, &box, &drain.shape));
    const mn_status status = mn_world_add_liquid(w, &drain);
    mn_shape_release(&drain.shape);
    return status;
}

static mn_status drip(mn_context *c, mn_world *w, dripping *out)
{
    const double       full  = 1.0;
    mn_liquid_material water = mn_wet_sample_water();
    mn_wet_fabric      f     = mn_wet_fabric_default("strip");
    water.viscosity *= 0.1;  // where it comes to rest does not depend on it
    f.def.material.fiber_diameter = COARSE;
    f.def.axis[0] = f.def.axis[1] = 0.0, f.def.axis[2] = 1.0;
    f.def.angle = 0.5 * MN_PI, f.def.at[1] = 0.5 * LENGTH;
    f.held = "all", f.wet = mn_wet_evenly, f.user = &full;
    MN_TRY(mn_wet_world_of(c, w, &water));
    MN_TRY(add_drain(c, w));
    MN_TRY(mn_wet_world_sheet(c, w, (const double[2]){ LENGTH, WIDTH }, 0.6 * CELL, &f));
    for (int k = 1; k <= 250; k++) {
        MN_TRY(mn_wet_world_run(w, 2e-3 * k));
        const mn_liquid_view q = mn_world_liquid(w);
        for (int64_t i = 0; i < q.count && k < 4; i++, out->first++) out->drop = fmin(out->drop, q.volume[i] / QUANTUM);
    }
    const mn_fabric_view v = mn_world_fabric(w, 0);
    const mn_ledger      l = mn_world_ledger(w);
    out->held = l.liquid_fabric, out->removed = l.liquid_removed, out->bulk = l.liquid_bulk;
    out->error = fabs(l.liquid_error);
    double n = 0.0, y = 0.0, s = 0.0, yy = 0.0, ys = 0.0;
    for (int64_t i = 0; i < v.position.count; i++) {
        out->pores += v.bulk[i] * v.swelling[i] - v.fiber[i];
        const double at = v.position.y[i], wet = mn_fabric_view_saturation(&v, i);
        if (at < 0.3) continue;  // above what still hangs at the hem
        n += 1.0, y += at, s += wet, yy += at * at, ys += at * wet;
    }
    out->slope = (n * ys - y * s) / (n * yy - y * y);
    return MN_OK;
}

/// A strip that is hung up full drips until its hem is just full: it keeps S = 1 - z / H, and at the hem less than a
/// drop in each cell.
mn_status mn_a1_dripping(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    const double hem    = (WIDTH / CELL + 1.0) * QUANTUM;
    dripping     d      = { .drop = INFINITY };
    mn_world    *w      = NULL;
    mn_status    status = mn_wet_world_make(c, CELL, 981.0, 2e-3, &w);
    if (status == MN_OK) status = drip(c, w, &d);
    mn_world_destroy(&w);
    if (status != MN_OK) return status;
    const double rest = d.pores * (1.0 - 0.5 * LENGTH / HEIGHT);
    mn_verify_value(r, "strip hung up full: slope of the saturation at rest, 1/cm", d.slope, -1.0 / HEIGHT,
                    d.slope * HEIGHT + 1.0, 0.01, 0.03);
    mn_verify_value(r, "... held at rest, cm^3", d.held, rest, d.held / rest - 1.0, 0.01, 0.03);
    mn_verify_value(r, "... beyond 1 - z / H, over a drop in each cell of the hem", (d.held - rest) / hem, 0.5,
                    (d.held - rest) / hem - 0.5, 0.5, 0.5);
    // Not a mist: a drop has 0.1 to 1 of 0.0356 cells, and those that touch join at once.
    mn_verify_at_least(r, "... smallest of the first drops, over 0.0356 cells", d.drop, 0.1, 0.1);
    mn_verify_at_least(r, "... how many those were", (double)d.first, 10.0, 10.0);
    mn_verify_at_least(r, "... drops that fell into the drain, cm^3", d.removed, 0.9 * (d.pores - rest) - d.bulk,
                       0.9 * (d.pores - rest) - d.bulk);
    mn_verify_at_most(r, "... liquid budget, as a share", d.error, 1e-12, 1e-12);
    return MN_OK;
}
