// SPDX-License-Identifier: MPL-2.0
// verify/fabric/a1.c - A1, wet fabrics: the list of cases, and the coefficients of the pores.
#include "verify/fabric/a1.h"

#include "verify/fabric/wet_sample.h"

#include <stdio.h>

/// A value against a number that is printed with six digits.
static void printed(mn_verify_report *r, const char *what, double value, double expected)
{
    mn_verify_value(r, what, value, expected, value / expected - 1.0, 1e-5, 1e-5);
}

static void permeability(mn_verify_report *r)
{
    static const struct {
        double phi, along, across;
    } table[] = {
        { 0.1, 0.638491, 0.316538 },      { 0.2, 0.160449, 0.077360 },     { 0.3, 0.0589527, 0.0290020 },
        { 0.4, 0.0250454, 0.0169877 },    { 0.5, 9.27608e-3, 6.61355e-3 }, { 0.7, 1.02226e-3, 6.63494e-4 },
        { 0.88, 4.13974e-5, 2.64668e-6 }, { 0.99, 1.89289e-8, 1e-9 },
    };
    char text[96];
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        snprintf(text, sizeof text, "solid fraction %.2f: permeability along fibres / d^2", table[k].phi);
        printed(r, text, mn_permeability_along(table[k].phi), table[k].along);
        snprintf(text, sizeof text, "solid fraction %.2f: permeability across fibres / d^2", table[k].phi);
        printed(r, text, mn_permeability_across(table[k].phi), table[k].across);
    }
    double rises = 0.0;
    for (int k = 1; k < 10000; k++) {
        const double a = 0.01 + 0.98 * (k - 1) / 10000.0, b = 0.01 + 0.98 * k / 10000.0;
        rises += mn_permeability_along(b) >= mn_permeability_along(a);
        rises += mn_permeability_across(b) >= mn_permeability_across(a) && mn_permeability_across(a) > 1e-9;
    }
    mn_verify_at_most(r, "places among 10^4 solid fractions where a permeability does not fall", rises, 0.0, 0.0);
}

mn_status mn_a1_coefficients(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)c, (void)tier;
    mn_fabric_material       f0    = mn_wet_sample_f0();
    const mn_liquid_material water = mn_wet_sample_water();
    f0.drag_law                    = MN_DRAG_NONLINEAR;
    const mn_pore_law  law         = mn_pore_law_of(&f0, &water);
    const mn_pore_drag along = mn_pore_drag_along(&law, 0.3), across = mn_pore_drag_across(&law, 0.3);
    permeability(r);
    printed(r, "F0: suction along fibres, dyn/cm^2", mn_pore_suction(&law, 0.3), 24467.0);
    printed(r, "F0: permeability along fibres, cm^2", mn_permeability_along(0.3) * 0.0025 * 0.0025, 3.68454e-7);
    printed(r, "F0: permeability across fibres, cm^2", mn_permeability_across(0.3) * 0.0025 * 0.0025, 1.81262e-7);
    printed(r, "F0: drag along fibres at rest, g/(cm^3 s)", mn_pore_drag_at(&law, along, 0.0), 24155.0);
    printed(r, "F0: drag across fibres at rest, g/(cm^3 s)", mn_pore_drag_at(&law, across, 0.0), 49100.1);
    printed(r, "F0: drag along fibres at 1 cm/s, g/(cm^3 s)", mn_pore_drag_at(&law, along, 1.0), 24342.6);
    printed(r, "F0: drag along fibres at 10 cm/s, g/(cm^3 s)", mn_pore_drag_at(&law, along, 10.0), 31624.3);
    printed(r, "F0: drag along fibres at 100 cm/s, g/(cm^3 s)", mn_pore_drag_at(&law, along, 100.0), 321516.0);
    return MN_OK;
}

const mn_verify_case mn_verify_a1[] = {
    { "A1.1", "suction, permeability and drag of pores", .run = mn_a1_coefficients, .library = true },
    { "A1.2", "falling head over a fabric that seals a duct", .run = mn_a1_permeameter },
    { "A1.3", "wicking from a saturated edge, along yarn and cloth", .run = mn_a1_wicking },
    { "A1.4", "ring test: a spot that spreads, on several meshes and along yarn", .run = mn_a1_ring },
    { "A1.5", "capillary rest profile of a hanging strip", .run = mn_a1_hanging },
    { "A1.6", "tubes after Lucas and Washburn, and how the fabric differs from them", .run = mn_a1_tubes },
    { "A1.8", "fabric of huge drag is a wall without slip", .run = mn_a1_impermeable },
    { "A1.9", "where the liquid is: splash, capture, drip, flow, source and sink", .run = mn_a1_budget },
    { "PA1.1", "drying of cloth and yarn", .run = mn_a1_drying },
    { "PA1.2", "drag of fabric drawn through a closed duct", .run = mn_a1_drag },
    { "PA1.3", "buoyancy of a full sheet", .run = mn_a1_buoyancy },
    { "PA1.4", "what wet fabric weighs", .run = mn_a1_weight },
    { "PA1.5", "wet layers stick", .run = mn_a1_cohesion },
    { "PA1.6", "layers that are pressed together lose what their pores no longer hold", .run = mn_a1_wringing },
    { "PA1.7", "capture: what a dry sheet takes in under water", .run = mn_a1_capture },
    { "PA1.8", "dripping: what a strip that is hung up full keeps", .run = mn_a1_dripping },
    { "PA1.9", "pores of cloth that is stretched, and of layers under load", .run = mn_a1_pores },
    { "PA1.10", "suction of a sheet in liquid that rests", .run = mn_a1_suction },
    { 0 },
};
