// SPDX-License-Identifier: MPL-2.0
// verify/fabric/a1_layers.c - what two wet layers do to each other: they stick, and they wring one another.
#include "verify/fabric/a1.h"
#include "verify/fabric/wet_world.h"

#include <stdio.h>

#define CELL    0.2
#define SIDE    2.0
#define SPACING 0.1
#define REST    0.02  // s, until the grid has brought what pulls to the pins

/// Two sheets, one above the other, held; the upper one comes down at `speed`.
static mn_status two_sheets(mn_context *c, mn_world *w, const mn_fabric_material *material, double spacing, double gap,
                            double speed, const double *saturation)
{
    const mn_liquid_material water = mn_wet_sample_water();
    MN_TRY(mn_wet_world_of(c, w, &water));
    for (int k = 0; k < 2; k++) {
        mn_wet_fabric f = mn_wet_fabric_default(k == 0 ? "lower" : "upper");
        f.def.material  = *material;
        f.held = "all", f.wet = mn_wet_evenly, f.user = saturation;
        if (k == 1) f.def.at[1] = gap, f.motion.velocity[1] = f.def.velocity[1] = -speed;
        MN_TRY(mn_wet_world_sheet(c, w, (const double[2]){ SIDE, SIDE }, spacing, &f));
        MN_TRY(mn_wet_world_weigh(w, f.def.name, "all"));
    }
    return MN_OK;
}

// --- they stick

typedef struct sticking {
    double lower, upper;  // dyn, upwards, on their pins
} sticking;

static mn_status stick(mn_context *c, double spacing, double cohesion, double saturation, double gap, sticking *out)
{
    mn_fabric_material m = mn_wet_sample_f0();
    mn_world          *w = NULL;
    m.cohesion           = cohesion;
    mn_status status     = mn_wet_world_make(c, CELL, 0.0, 1e-3, &w);
    if (status == MN_OK) status = two_sheets(c, w, &m, spacing, gap, 0.0, &saturation);
    if (status == MN_OK) status = mn_wet_world_run(w, REST);
    if (status == MN_OK) *out = (sticking){ mn_world_probe_value(w, 0), mn_world_probe_value(w, 1) };
    mn_world_destroy(&w);
    return status;
}

/// Two yarns side by side, as far apart as they are thick, held: the same, upwards on the lower one.
static mn_status stick_yarns(mn_context *c, double cohesion, double saturation, sticking *out)
{
    const mn_liquid_material water = mn_wet_sample_water();
    mn_fabric_material       m     = mn_wet_sample_f0();
    const mn_yarn_def        line  = { .pattern = MN_YARN_STRAIGHT,
                                       .size    = { SIDE, 0.0 },
                                       .radius  = m.radius,
                                       .spacing = 0.125 };
    mn_world                *w     = NULL;
    m.cohesion                     = cohesion;
    mn_status status               = mn_wet_world_make(c, CELL, 0.0, 1e-3, &w);
    if (status == MN_OK) status = mn_wet_world_of(c, w, &water);
    for (int k = 0; k < 2 && status == MN_OK; k++) {
        mn_wet_fabric f = mn_wet_fabric_default(k == 0 ? "lower" : "upper");
        mn_thin_mesh  mesh;
        f.def.material = m;
        f.held = "all", f.wet = mn_wet_evenly, f.user = &saturation;
        f.def.at[1] = 2.0 * k * m.radius;
        status      = mn_yarn_generate(c, &line, &mesh);
        if (status == MN_OK) status = mn_wet_world_add(c, w, &mesh, &f);
        if (status == MN_OK) status = mn_wet_world_weigh(w, f.def.name, "all");
    }
    if (status == MN_OK) status = mn_wet_world_run(w, REST);
    if (status == MN_OK) *out = (sticking){ mn_world_probe_value(w, 0), mn_world_probe_value(w, 1) };
    mn_world_destroy(&w);
    return status;
}

/// The bridge between yarns pulls 0.2 s gamma l pi (pi - 2 theta) / cos theta, and liquid that fills half the pores
/// meets fibres and air: cos theta = phi cos theta_0 (wet-fabric 5.15).
static mn_status yarns_stick(mn_context *c, mn_verify_report *r)
{
    const mn_fabric_material f0    = mn_wet_sample_f0();
    const double             scale = 0.01, gamma = 72.0, cosine = f0.solid_fraction * cos(f0.contact_angle);
    const double             theory = 0.2 * scale * gamma * SIDE * MN_PI * (MN_PI - 2.0 * acos(cosine)) / cosine;
    sticking                 s;
    MN_TRY(stick_yarns(c, scale, 0.5, &s));
    mn_verify_value(r, "half full yarns that touch: pull on the lower one, dyn", s.lower, theory,
                    s.lower / theory - 1.0, 1e-3, 3e-3);
    mn_verify_value(r, "... the same on the upper one, as a share", -s.upper / s.lower, 1.0, -s.upper / s.lower - 1.0,
                    1e-10, 1e-10);
    MN_TRY(stick_yarns(c, scale, 0.0, &s));
    mn_verify_value(r, "dry yarns: pull, dyn", s.lower, 0.0, s.lower, 0.0, 0.0);
    return MN_OK;
}

/// Layers at a distance between their thickness and a cell lie on one another as the grid knows it; half full they are
/// at the rim of the wet region, where a pair of triangles pulls with s gamma sqrt(A) (wet-fabric 5.15). Triangle lies
/// over triangle.
mn_status mn_a1_cohesion(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const double scale = 0.01, gamma = 72.0, gap = 0.1;
    sticking     s, fine;
    MN_TRY(stick(c, SPACING, scale, 0.5, gap, &s));
    const double count = 2.0 * SIDE * SIDE / (SPACING * SPACING), area = 0.5 * SPACING * SPACING,
                 theory = count * scale * gamma * sqrt(area);
    mn_verify_value(r, "half full layers 1 mm apart: pull on the lower one, dyn", s.lower, theory,
                    s.lower / theory - 1.0, 0.01, 0.03);
    mn_verify_value(r, "... the same on the upper one, as a share", -s.upper / s.lower, 1.0, -s.upper / s.lower - 1.0,
                    1e-10, 1e-10);
    MN_TRY(stick(c, SPACING, scale, 0.0, gap, &s));
    mn_verify_value(r, "dry layers: pull, dyn", s.lower, 0.0, s.lower, 0.0, 0.0);
    MN_TRY(stick(c, SPACING, scale, 1.0, gap, &s));
    mn_verify_value(r, "full layers: pull, dyn", s.lower, 0.0, s.lower, 0.0, 0.0);
    MN_TRY(stick(c, SPACING, 0.0, 0.5, gap, &s));
    mn_verify_value(r, "half full layers with cohesion 0: pull, dyn", s.lower, 0.0, s.lower, 0.0, 0.0);
    MN_TRY(yarns_stick(c, r));
    if (tier == MN_TIER_BUILD) return MN_OK;
    // What the published pull is not: the same on any mesh, and that of a bridge. Both are gaps of
    // docs/systems/wet-fabric.md, and FAIL until they are closed.
    MN_TRY(stick(c, SPACING, scale, 0.5, gap, &s));
    MN_TRY(stick(c, 0.5 * SPACING, scale, 0.5, gap, &fine));
    mn_verify_value(r, "pull with half the mesh spacing over that before", fine.lower / s.lower, 1.0,
                    fine.lower / s.lower - 1.0, 0.01, 0.03);
    const double bridge = 2.0 * gamma * cos(mn_wet_sample_f0().contact_angle) / (gap - 0.05) * SIDE * SIDE;
    mn_verify_value(r, "pull over that of a bridge that fills the gap, 2 gamma cos(theta) A / d", s.lower / bridge, 1.0,
                    s.lower / bridge - 1.0, 0.01, 0.03);
    return MN_OK;
}

// --- they wring

#define SHARE 0.7  // of their thicknesses, at which they end

typedef struct wringing {
    double held[2], pores;  // cm^3, before and after, and room after
    double room;            // pores at rest of both sheets, cm^3
    double bulk, error;     // free liquid, budget
} wringing;

static mn_status wring(mn_context *c, mn_world *w, wringing *out)
{
    const double       full = 1.0;
    mn_fabric_material m    = mn_wet_sample_f0();
    const double       way  = 2.0 * m.thickness - SHARE * m.thickness;
    m.contact_stiffness     = 1e-4;  // that pores close by the gap alone, not by the load on the contact
    m.cohesion              = 0.0;
    MN_TRY(two_sheets(c, w, &m, SPACING, 2.0 * m.thickness, way / 0.05, &full));
    out->held[0] = mn_world_ledger(w).liquid_fabric;
    MN_TRY(mn_wet_world_run(w, 0.05));
    const mn_ledger l = mn_world_ledger(w);
    out->held[1] = l.liquid_fabric, out->bulk = l.liquid_bulk, out->error = fabs(l.liquid_error);
    for (int k = 0; k < 2; k++) {
        const mn_fabric_view f = mn_world_fabric(w, k);
        for (int64_t v = 0; v < f.position.count; v++) {
            out->pores += f.bulk[v] * f.swelling[v] - f.fiber[v];
            out->room += f.bulk[v] - f.fiber[v];
        }
    }
    return MN_OK;
}

/// Pressed to 0.7 of what their thicknesses take, each is squeezed from one side: J = (1 + 0.7) / 2, and the pores
/// V (J - phi_0). They were full; what they lose comes out as drops, but for less than one in each cell.
mn_status mn_a1_wringing(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    const mn_fabric_material f0     = mn_wet_sample_f0();
    const double             volume = 2.0 * SIDE * SIDE * f0.thickness, open = 1.0 - f0.solid_fraction,
                 left = volume * (0.5 * (1.0 + SHARE) - f0.solid_fraction);
    wringing  x       = { 0 };
    mn_world *w       = NULL;
    mn_status status  = mn_wet_world_make(c, CELL, 0.0, 1e-3, &w);
    if (status == MN_OK) status = wring(c, w, &x);
    mn_world_destroy(&w);
    if (status != MN_OK) return status;
    mn_verify_value(r, "two full sheets: held before, cm^3", x.held[0], volume * open,
                    x.held[0] / (volume * open) - 1.0, 1e-10, 1e-10);
    mn_verify_value(r, "pressed to 0.7 of their thickness: room in their pores, cm^3", x.pores, left,
                    x.pores / left - 1.0, 0.01, 0.03);
    const double drops = 2.0 * (SIDE / CELL + 1.0) * (SIDE / CELL + 1.0) * 0.0356 * CELL * CELL * CELL;
    mn_verify_value(r, "... what they still hold beyond that, over a drop in each cell", (x.held[1] - x.pores) / drops,
                    0.5, (x.held[1] - x.pores) / drops - 0.5, 0.5, 0.5);
    mn_verify_value(r, "... drops that came out, over what was pressed out", x.bulk / (x.held[0] - x.held[1]), 1.0,
                    x.bulk / (x.held[0] - x.held[1]) - 1.0, 1e-10, 1e-10);
    mn_verify_at_most(r, "... liquid budget, as a share", x.error, 1e-12, 1e-12);
    return MN_OK;
}
