// SPDX-License-Identifier: MPL-2.0
// verify/stain/a6_wet.c - PA6.1 to PA6.3, cases that the page of numbers does not have: pigment in liquid, pigment in
// wet fabric, and what it looks like.
#include "verify/stain/a6_stain.h"

#include "output/parts/stain_parts.h"
#include "verify/stain/stain_world.h"

#include <stdio.h>

#define HEAD(cell, more) "format: 1\ndomain: {cell: " cell more "}\n"
#define DYES                                                            \
    "materials:\n"                                                      \
    "  red: {kind: pigment, absorbance: [0.02, 0.2, 0.2]}\n"            \
    "  wine: {kind: liquid, from: water, solutes: {red: \"10 g/l\"}}\n" \
    "  felt: {kind: fabric, from: cotton, thickness: \"1 mm\", fiber_diameter: \"0.3 mm\"}\n"
#define STRENGTH 0.01  // g/cm^3

/// Concentrations in the liquid and in pores: largest difference from STRENGTH as a share, and the strongest.
typedef struct strengths {
    double off, strongest;
} strengths;

static void look(const mn_world *w, bool pores, strengths *s)
{
    const mn_liquid_view q = mn_world_liquid(w);
    *s                     = (strengths){ .off = 0.0 };
    for (int64_t i = 0; i < q.count; i++) {
        const double x = q.pigment[0][i] / q.volume[i] / STRENGTH;
        s->off = fmax(s->off, fabs(x - 1.0)), s->strongest = fmax(s->strongest, x);
    }
    if (!pores) return;
    const mn_fabric_view f = mn_world_fabric(w, 0);
    for (int64_t v = 0; v < f.position.count; v++) {
        if (!(f.held[v] > 0.0) || !(f.dissolved[0][v] > 0.0)) continue;
        const double x = f.dissolved[0][v] / f.held[v] / STRENGTH;
        s->off = fmax(s->off, fabs(x - 1.0)), s->strongest = fmax(s->strongest, x);
    }
}

// --- PA6.1: in liquid ------------------------------------------------------------------------------------------------

static void middle(const mn_world *w, double out[2])
{
    const mn_liquid_view q   = mn_world_liquid(w);
    double               sum = 0.0;
    out[0] = out[1] = 0.0;
    for (int64_t i = 0; i < q.count; i++) {
        sum += q.pigment[0][i];
        out[0] += q.pigment[0][i] * q.position.x[i];
        out[1] += q.pigment[0][i] * q.position.y[i];
    }
    out[0] /= sum, out[1] /= sum;
}

/// One half of a lump that is thrown is red: the red goes where its half does.
static mn_status thrown(mn_context *c, mn_verify_report *r)
{
    static const char text[] = HEAD("0.25", "") "time: {end: 1, dt_max: 5e-4}\n" DYES "liquids:\n"
                                                "  left: {material: wine, fill: {inside: {box: {center: [-0.5, 0, 0], "
                                                "size: [1, 1, 1]}}}, velocity: [30, 0, 0]}\n"
                                                "  right: {material: wine, solutes: {red: 0}, fill: {inside: {box: "
                                                "{center: [0.5, 0, 0], size: [1, 1, 1]}}}, velocity: [30, 0, 0]}\n";
    mn_world         *w;
    double            from[2], to[2];
    mn_status         st = mn_world_of(c, text, &w);
    if (st == MN_OK) middle(w, from);
    if (st == MN_OK) st = mn_run_to(w, 0.1);
    if (st == MN_OK) {
        middle(w, to);
        mn_verify_value(r, "red half of a thrown lump: way of its pigment, cm", to[0] - from[0], 3.0,
                        (to[0] - from[0]) / 3.0 - 1.0, 0.01, 0.03);
        const double fall = 0.5 * 981.0 * 0.01;
        mn_verify_value(r, "... and its fall, cm", from[1] - to[1], fall, (from[1] - to[1]) / fall - 1.0, 0.01, 0.03);
    }
    mn_world_destroy(&w);
    return st;
}

/// A dam of even wine that breaks stays even; wine that is let into water brings its own and no more.
static mn_status mixed(mn_context *c, mn_verify_report *r)
{
#define TANK HEAD("0.5", ", dimension: 2, bounds: [[0, 0], [16, 10]]") "time: {end: 1, dt_max: 0.01}\n" DYES
    static const char even[] = TANK
        "liquids: {dam: {material: wine, fill: {inside: {box: {center: [3, 3, 0], size: [6, 6, "
        "1]}}}}}\n",
                      mixes[] = TANK
                      "liquids:\n  pool: {material: wine, solutes: {red: 0}, fill: {below: 4}}\n"
                      "  tap: {material: wine, source: {shape: {box: {center: [8, 8, 0], size: [1, 1, 1]}}, "
                      "velocity: [0, -80, 0]}}\n";
    mn_world *w;
    strengths s;
    mn_status st = mn_world_of(c, even, &w);
    if (st == MN_OK) st = mn_run_to(w, 0.5);
    if (st == MN_OK) {
        look(w, false, &s);
        mn_verify_at_most(r, "dam of even wine after 0.5 s: largest change of a concentration", s.off, 1e-12, 1e-12);
    }
    mn_world_destroy(&w);
    MN_TRY(st);
    st = mn_world_of(c, mixes, &w);
    if (st == MN_OK) st = mn_run_to(w, 0.5);
    if (st == MN_OK) {
        const mn_ledger l = mn_world_ledger(w);
        look(w, false, &s);
        mn_verify_value(r, "wine let into water: pigment over liquid let in, g/cm^3", l.solute_added / l.liquid_added,
                        STRENGTH, l.solute_added / l.liquid_added / STRENGTH - 1.0, 1e-12, 1e-12);
        mn_verify_at_most(r, "... budget of the pigment, as a share", fabs(l.solute_error), 1e-12, 1e-12);
        mn_verify_at_most(r, "... strongest place over the wine", s.strongest, 1.0 + 1e-12, 1.0 + 1e-12);
    }
    mn_world_destroy(&w);
    return st;
}

mn_status mn_a6_liquid(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    MN_TRY(thrown(c, r));
    return mixed(c, r);
}

// --- PA6.2: in wet fabric --------------------------------------------------------------------------------------------

static double held_by(const mn_world *w)
{
    const mn_fabric_view f   = mn_world_fabric(w, 0);
    double               sum = 0.0;
    for (int64_t v = 0; v < f.position.count; v++) sum += f.held[v];
    return sum;
}

/// A lump of wine falls on dry felt, which takes some of it in.
static mn_status captured(mn_context *c, mn_verify_report *r)
{
    static const char text[] = HEAD(
        "0.4",
        ", bounds: [[-3.2, -3.2, -3.2], [3.2, 3.2, 3.2]]") "time: {end: 1, dt_max: 2e-3}\n" DYES
                                                           "liquids: {lump: {material: wine, fill: {inside: {sphere: "
                                                           "{center: [0, 1, 0], radius: 0.7}}}, velocity: [0, -50, "
                                                           "0]}}\n"
                                                           "fabrics: {cloth: {material: felt, sheet: {size: [2.4, "
                                                           "2.4], spacing: 0.25}, pins: {border: {}}}}\n";
    mn_world *w;
    strengths s;
    mn_status st = mn_world_of(c, text, &w);
    if (st == MN_OK) st = mn_run_to(w, 0.08);
    if (st == MN_OK) {
        const mn_ledger l = mn_world_ledger(w);
        look(w, true, &s);
        mn_verify_at_least(r, "wine on dry felt: volume taken in, cm^3", held_by(w), 0.01, 0.01);
        mn_verify_at_most(r, "... largest change of a concentration, in felt or out of it", s.off, 1e-12, 1e-12);
        mn_verify_at_most(r, "... budget of the pigment, as a share", fabs(l.solute_error), 1e-12, 1e-12);
    }
    mn_world_destroy(&w);
    return st;
}

/// Felt that is full of wine hangs, and drips.
static mn_status dripping(mn_context *c, mn_verify_report *r)
{
    static const char text
        [] = HEAD("0.25",
                  ", bounds: [[-2, -3, -2], [2, 2, 2]]") "time: {end: 1, dt_max: 1e-3}\n" DYES
                                                         "liquids: {wine: {material: wine, source: {shape: {disc: "
                                                         "{radius: 0.3}}, at: [1.5, 1.5, 1.5], velocity: [0, -1, 0], "
                                                         "during: [100, 200]}}}\n"
                                                         "fabrics: {cloth: {material: felt, sheet: {size: [2, 1.5], "
                                                         "spacing: 0.125}, rotate: {axis: [0, 0, 1], angle: 60}, "
                                                         "saturation: 1, pins: {right: {}}}}\n";
    mn_world *w;
    strengths s;
    mn_status st = mn_world_of(c, text, &w);
    if (st == MN_OK) st = mn_run_to(w, 0.15);
    if (st == MN_OK) {
        const mn_ledger l = mn_world_ledger(w);
        look(w, true, &s);
        mn_verify_at_least(r, "hanging felt full of wine: volume dripped, cm^3", l.liquid_bulk, 1e-3, 1e-3);
        mn_verify_value(r, "... pigment in a volume of drops, g/cm^3", l.solute_bulk / l.liquid_bulk, STRENGTH,
                        l.solute_bulk / l.liquid_bulk / STRENGTH - 1.0, 1e-12, 1e-12);
        mn_verify_at_most(r, "... largest change of a concentration, in felt or out of it", s.off, 1e-12, 1e-12);
        mn_verify_at_most(r, "... budget of the pigment, as a share", fabs(l.solute_error), 1e-12, 1e-12);
    }
    mn_world_destroy(&w);
    return st;
}

/// Along a strip liquid passes no other: what lies between the middle and a pigment stays as much. The mean of that
/// over the pigment, over half of the liquid.
static double between(const mn_world *w, double *reach)
{
    const mn_fabric_view f   = mn_world_fabric(w, 0);
    double               all = 0.0, sum = 0.0, pigment = 0.0;
    *reach = 0.0;
    for (int64_t v = 0; v < f.position.count; v++) {
        const double x      = fabs(f.position.x[v]);
        double       within = 0.0;
        all += f.held[v];
        *reach += f.held[v] * x;
        if (!(f.dissolved[0][v] > 0.0)) continue;
        for (int64_t o = 0; o < f.position.count;
             o++) {  // a vertex' own row counts half: its liquid lies on both sides
            const double there = fabs(f.position.x[o]);
            within += (there < x - 1e-6 ? 1.0 : there > x + 1e-6 ? 0.0 : 0.5) * f.held[o];
        }
        sum += f.dissolved[0][v] * within, pigment += f.dissolved[0][v];
    }
    *reach /= all;
    return sum / pigment / all;
}

/// A wet stretch of a strip, whose inner half is red, wicks outward.
static mn_status wicked(mn_context *c, bool fine, mn_verify_report *r)
{
    static const char text[] = HEAD(
        "0.25",
        ", gravity: [0, 0, 0], bounds: [[-4, -1, -1], [4, 1, 1]]") "time: {end: 100, dt_max: 5e-3}\n" DYES
                                                                   "liquids: {wine: {material: wine, solutes: {red: "
                                                                   "0}, source: {shape: {disc: {radius: 0.3}}, at: "
                                                                   "[3.5, 0.8, 0], velocity: [0, -1, 0], "
                                                                   "during: [100, 200]}}}\n"
                                                                   "fabrics: {cloth: {material: felt, sheet: {size: "
                                                                   "[6, 0.4], spacing: %s, mesh: structured}, pins: "
                                                                   "{all: {}}}}\n"
                                                                   "stains: {spot: {on: cloth, carrier: fabric, "
                                                                   "pigments: [red], drops: {"
                                                                   "clean: {inside: {box: {size: [2.02, 1, 1]}}, "
                                                                   "density: 0.04}, "
                                                                   "red: {inside: {box: {size: [1.02, 1, 1]}}, "
                                                                   "density: 1e-4, solutes: {red: \"1 g/ml\"}}}}}\n";
    mn_world *w;
    char      scene[2048];
    double    from = 0.0, to = 0.0, reach[2];
    snprintf(scene, sizeof scene, text, fine ? "0.05" : "0.1");
    mn_status st = mn_world_of(c, scene, &w);
    if (st == MN_OK) st = mn_run_to(w, 1e-3);
    if (st == MN_OK) from = between(w, &reach[0]);
    if (st == MN_OK) st = mn_run_to(w, 0.5);
    if (st == MN_OK) {
        to = between(w, &reach[1]);
        mn_verify_at_least(r, "red stretch of a strip: the liquid spread by a factor of", reach[1] / reach[0], 1.2,
                           1.2);
        mn_verify_value(r, "... liquid between the middle and a pigment, on the mean, over what it was", to / from, 1.0,
                        to / from - 1.0, 0.02, 0.06);
        mn_verify_at_most(r, "... budget of the pigment, as a share", fabs(mn_world_ledger(w).solute_error), 1e-12,
                          1e-12);
    }
    mn_world_destroy(&w);
    return st;
}

/// Wet felt dries: at first at a constant rate, then with what is left (wet-fabric 5.11); all pigment is residue then.
static mn_status dried(mn_context *c, mn_verify_report *r)
{
    static const char text[] = HEAD(
        "0.5", ", gravity: [0, 0, 0], bounds: [[-2, -2, -2], [2, 2, 2]]") "time: {end: 1000, dt_max: 0.02}\n" DYES
                                                                          "liquids: {wine: {material: wine, source: "
                                                                          "{shape: {disc: {radius: 0.3}}, at: [1.5, "
                                                                          "1.5, 1.5], velocity: [0, -1, 0], "
                                                                          "during: [900, 950]}}}\n"
                                                                          "fabrics: {cloth: {material: felt, sheet: "
                                                                          "{size: [2, 2], spacing: 0.3}, saturation: "
                                                                          "0.8, evaporation: 0.01, pins: "
                                                                          "{all: {}}}}\n";
    mn_world *w;
    double    full = 0.0, area = 0.0;
    mn_status st = mn_world_of(c, text, &w);
    if (st == MN_OK) st = mn_world_step(w, 1e-9);
    if (st == MN_OK) {
        const mn_fabric_view f = mn_world_fabric(w, 0);
        for (int64_t v = 0; v < f.position.count; v++) {
            full += f.bulk[v] * f.swelling[v] - f.fiber[v];
            area += f.surface[v];
        }
    }
    const double even = 0.5 * full / (0.01 * area);  // s, down to a saturation of 0.3
    if (st == MN_OK) st = mn_run_to(w, 0.5 * even);
    if (st == MN_OK) {
        const double left = held_by(w) / full;
        mn_verify_value(r, "drying felt: saturation halfway to 0.3 at the full rate", left, 0.55, left / 0.55 - 1.0,
                        1e-6, 1e-6);
    }
    const double later = even + 0.3 * full / (0.01 * area);
    if (st == MN_OK) st = mn_run_to(w, later);
    if (st == MN_OK) {
        const double left = held_by(w) / full, exact = 0.3 * exp(-1.0);
        mn_verify_value(r, "... and below, where the rate falls with it, after one time constant", left, exact,
                        left / exact - 1.0, 0.01, 0.03);
    }
    if (st == MN_OK) st = mn_run_to(w, later + 12.0 * even);
    if (st == MN_OK) {
        const mn_fabric_view f   = mn_world_fabric(w, 0);
        double               all = 0.0, residue = 0.0;
        for (int64_t v = 0; v < f.position.count; v++) {
            all += mn_fabric_view_pigment(&f, 0, v);
            residue += f.dried[0][v];
        }
        mn_verify_value(r, "... in the end residue over pigment", residue / all, 1.0, residue / all - 1.0, 1e-12,
                        1e-12);
        mn_verify_value(r, "... which is that of the wine, g", all, 0.8 * full * STRENGTH,
                        all / (0.8 * full * STRENGTH) - 1.0, 1e-12, 1e-12);
    }
    mn_world_destroy(&w);
    return st;
}

mn_status mn_a6_fabric(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    MN_TRY(captured(c, r));
    MN_TRY(dripping(c, r));
    MN_TRY(wicked(c, tier != MN_TIER_BUILD, r));
    return dried(c, r);
}

// --- PA6.3: colour ---------------------------------------------------------------------------------------------------

/// 1 g/m^2 of a pigment of absorbance a leaves 10^(-2 a) of the cloth's colour, pigments mix as filters, and water
/// leaves R (1 - p) / (1 - p R) of what a dry cloth reflects, p = 0.4746 the share of diffuse light that comes back
/// from below the surface of water (Fresnel, index 1.333); the program has three digits of it.
mn_status mn_a6_colour(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    static const char   text[]   = "format: 1\ndomain: {cell: 0.5}\ntime: {end: 100, dt_max: 0.05}\n"
                                   "materials:\n  red: {kind: pigment, absorbance: [0.02, 0.2, 0.3]}\n  blue: {kind: "
                                   "pigment, absorbance: [0.25, "
                                   "0.1, 0]}\n"
                                   "stains: {spot: {sheet: {size: [2, 2], spacing: 0.5}, pigments: [red, blue], spread: 0, "
                                   "colour: [0.8, 0.7, 0.6], "
                                   "absorption: {rate: 0}, evaporation: {rate: %s}, drops: {all: {density: 0.05, solutes: "
                                   "{red: \"2 g/l\", blue: \"1.2 "
                                   "g/l\"}}}}}\n";
    static const double cloth[3] = { 0.8, 0.7, 0.6 }, red[3] = { 0.02, 0.2, 0.3 }, blue[3] = { 0.25, 0.1, 0.0 };
    (void)tier;
    for (int wet = 0; wet < 2; wet++) {
        mn_world *w;
        char      scene[1024];
        snprintf(scene, sizeof scene, text, wet ? "0" : "0.02");
        mn_status st = mn_world_of(c, scene, &w);
        if (st == MN_OK) st = mn_run_to(w, 3.0);
        if (st == MN_OK) {
            const mn_stain_view s     = mn_world_stain(w, 0);
            mn_colour          *got   = mn_alloc_array(c, mn_colour, s.vertex_count);
            double              worst = 0.0;
            if (got == NULL) st = MN_ERR_MEMORY;
            else mn_stain_vertex_colours(&s, got);
            for (int64_t v = 0; got != NULL && v < s.vertex_count; v++)
                for (int k = 0; k < 3; k++) {
                    // 0.05 cm of 2 and 1.2 g/l are 1 and 0.6 g/m^2.
                    const double dry   = cloth[k] * pow(10.0, -2.0 * (1.0 * red[k] + 0.6 * blue[k])),
                                 exact = wet ? dry * (1.0 - 0.4746) / (1.0 - 0.4746 * dry) : dry;
                    worst              = fmax(worst, fabs((k == 0 ? got[v].r : k == 1 ? got[v].g : got[v].b) - exact));
                }
            mn_free(c, got);
            if (st == MN_OK)
                mn_verify_at_most(r,
                                  wet ? "the same while it is wet"
                                      : "colour of cloth with two dried pigments: largest error",
                                  worst, wet ? 1e-3 : 1e-12, wet ? 1e-3 : 1e-12);
        }
        mn_world_destroy(&w);
        MN_TRY(st);
    }
    return MN_OK;
}
