// SPDX-License-Identifier: MPL-2.0
// verify/fabric/a1_drag.c - drag of fabric that is drawn through a closed duct full of liquid.
//
// What the fabric sweeps must pass through it, so the superficial speed of the liquid in it is that of the pins, and
// they bear C(u) u L per area of the duct, whatever the grid. There is no weight, and fibres do not draw the liquid in
// (contact angle 90 degrees) but for one run with saturated pores.
#include "verify/fabric/a1.h"
#include "verify/fabric/wet_world.h"

#include "geom/patterns/builder.h"

#include <stdio.h>

#define CELL   0.25
#define DUCT   1.0  // cm, width and depth
#define HEIGHT 4.0  // cm
#define REACH  0.5  // cm of fabric in each wall
#define STEPS  6

typedef struct pull {
    const char *what;
    double      speed;  // cm/s
    double      drag;   // C at that speed, g/(cm^3 s), by A1.1 of the page
    bool        nonlinear, wets, yarn;
} pull;

/// Yarns that stand side by side, with the bulk volume per area of the sheet.
static mn_status standing_yarn(mn_context *c, double thickness, mn_thin_mesh *mesh)
{
    mn_pattern_builder b       = { .context = c };
    const double       spacing = 0.5 * CELL, radius = 0.25 * spacing, length = thickness / (MN_PI * 0.25 * 0.25);
    const int          count = (int)lround((DUCT + 2.0 * REACH) / spacing);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++) {
            mn_build_strand_begin(&b, radius);
            for (int n = -1; n <= 1; n++)
                mn_build_strand_add(&b, mn_build_vertex(&b, mn_v3((i + 0.5 - 0.5 * count) * spacing, 0.5 * n * length,
                                                                  (k + 0.5 - 0.5 * count) * spacing)));
            mn_build_strand_end(&b, false);
        }
    mn_build_group_all(&b);
    return mn_build_finish(&b, mesh);
}

static mn_status seal(mn_context *c, mn_world *w, const pull *p)
{
    const double  full = 1.0, width = DUCT + 2.0 * REACH;
    mn_wet_fabric f = mn_wet_fabric_default("seal");
    mn_thin_mesh  mesh;
    f.held               = "all";
    f.motion.velocity[1] = f.def.velocity[1] = p->speed;
    f.def.at[0] = f.def.at[2] = 0.5 * DUCT, f.def.at[1] = 1.1;
    f.def.material.drag_law = p->nonlinear ? MN_DRAG_NONLINEAR : MN_DRAG_LINEAR;
    if (p->wets) f.wet = mn_wet_evenly, f.user = &full;
    else f.def.material.contact_angle = 0.5 * MN_PI;
    if (!p->yarn) return mn_wet_world_sheet(c, w, (const double[2]){ width, width }, 0.5 * CELL, &f);
    f.def.material.radius = 0.125 * CELL;
    MN_TRY(standing_yarn(c, f.def.material.thickness, &mesh));
    return mn_wet_world_add(c, w, &mesh, &f);
}

static mn_status draw(mn_context *c, mn_world *w, const pull *p, double *force)
{
    const double             low[3] = { 0, 0, 0 }, high[3] = { DUCT, HEIGHT, DUCT };
    const mn_liquid_material water = mn_wet_sample_water();
    MN_TRY(mn_wet_world_pour(c, w, &water, low, high));
    MN_TRY(seal(c, w, p));
    MN_TRY(mn_wet_world_weigh(w, "seal", "all"));
    // Half of what a third of a cell allows, so that the fabric passes all places in a cell.
    for (int k = 1; k <= STEPS; k++) MN_TRY(mn_wet_world_run(w, k * CELL / 6.0 / p->speed));
    *force = -mn_world_probe_value(w, 0);
    return MN_OK;
}

mn_status mn_a1_drag(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    static const pull pulls[] = {
        { "sheet, linear drag, 1 cm/s", 1.0, 49100.1, false, false, false },
        { "sheet with full pores, linear drag, 1 cm/s", 1.0, 49100.1, false, true, false },
        { "standing yarn, 1 cm/s", 1.0, 24342.6, true, false, true },
        { "standing yarn, 10 cm/s", 10.0, 31624.3, true, false, true },
        { "standing yarn, 100 cm/s", 100.0, 321516.0, true, false, true },
    };
    (void)tier;
    const double size[3] = { DUCT, HEIGHT, DUCT };
    for (size_t k = 0; k < sizeof pulls / sizeof *pulls; k++) {
        const pull  *p      = &pulls[k];
        const double theory = p->drag * p->speed * mn_wet_sample_f0().thickness * DUCT * DUCT;
        double       force  = NAN;
        char         text[112];
        mn_world    *w      = NULL;
        mn_status    status = mn_wet_world_tank(c, CELL, 0.0, 1e-2, size, &w);
        if (status == MN_OK) status = draw(c, w, p, &force);
        mn_world_destroy(&w);
        if (status != MN_OK) return status;
        snprintf(text, sizeof text, "%s: force on what draws it through the duct, dyn", p->what);
        mn_verify_value(r, text, force, theory, force / theory - 1.0, 0.01, 0.03);
    }
    return MN_OK;
}
