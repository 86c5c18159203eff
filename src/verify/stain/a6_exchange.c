// SPDX-License-Identifier: MPL-2.0
// verify/stain/a6_exchange.c - A6.8: soaking in, sticking to fibres, drying and residue of a film that stands still.
#include "verify/stain/a6_stain.h"

#include "verify/stain/stain_world.h"

#include <stdio.h>

/// A patch of cloth with these drops.
static mn_status patch_of(mn_context *c, mn_stain_def *def, const mn_stain_drop *drops, int count, mn_world **w)
{
    const mn_stain_square_def square = { .nx        = 9,
                                         .ny        = 5,
                                         .spacing   = 0.5,
                                         .jitter    = 0.2,
                                         .diagonals = MN_DIAGONALS_RANDOM,
                                         .seed      = 7 };
    mn_stain_mesh             mesh   = { 0 };
    def->drops = drops, def->drop_count = count;
    mn_status st = mn_stain_mesh_square(c, &square, &mesh);
    if (st == MN_OK) st = mn_stain_world(c, &mesh, def, w);
    mn_stain_mesh_free(c, &mesh);
    def->drops = NULL;
    return st;
}

/// One with an even film of what `def` says, with `share` of one pigment; or its half with x < 0 alone.
static mn_status patch(mn_context *c, mn_stain_def *def, double density, double share, bool half, mn_world **w)
{
    mn_stain_drop drop = mn_stain_drop_default();
    mn_shape_def  box  = mn_shape_def_default(MN_SHAPE_BOX);
    mn_status     st   = MN_OK;
    box.center[0]      = -5.25;
    box.size[0] = box.size[1] = box.size[2] = 10.0;
    drop.density                            = density;
    drop.share[0]                           = share;
    if (half) st = mn_shape_create(c, &box, &drop.shape);
    if (st == MN_OK) st = patch_of(c, def, &drop, 1, w);
    mn_shape_release(&drop.shape);
    return st;
}

static mn_pigment dye(mn_adsorption law, double rate, double release, double capacity)
{
    mn_pigment p = mn_pigment_default();
    snprintf(p.name, sizeof p.name, "dye");
    p.adsorption = law, p.rate = rate, p.release = release, p.capacity = capacity, p.solubility = 10.0;
    return p;
}

static mn_status absorption(mn_context *c, mn_verify_report *r)
{
    const double     exact = 1.0 - exp(-1.0);
    const mn_pigment p     = dye(MN_ADSORPTION_NONE, 0.0, 0.0, 0.0);
    for (int k = 0; k < 2; k++) {
        mn_stain_def def = mn_stain_def_idle();
        mn_world    *w   = NULL;
        def.pigments = &p, def.pigment_count = 1;
        def.absorb_rate = 0.2, def.hold = 1.0, def.step = k == 0 ? 1.0 : 0.05;
        mn_status st = patch(c, &def, 10.0, 0.1, false, &w);
        if (st == MN_OK) st = mn_run_to(w, 5.0);
        if (st == MN_OK) {
            const mn_stain_view s    = mn_world_stain(w, 0);
            const double        held = s.held[7] / s.area[7], soaked = s.soaked[0][7] / s.held[7];
            mn_verify_value(r, k == 0 ? "absorption at 0.2 1/s after 5 s in 5 steps" : "the same in 100 steps", held,
                            exact, held - exact, 1e-12, 1e-12);
            mn_verify_value(r, "... pigment in a gram of what soaked in, as in the drop", soaked, 0.1,
                            soaked / 0.1 - 1.0, 1e-12, 1e-12);
        }
        mn_world_destroy(&w);
        MN_TRY(st);
    }
    return MN_OK;
}

static mn_status linear(mn_context *c, mn_verify_report *r)
{
    const mn_pigment p   = dye(MN_ADSORPTION_LINEAR, 0.5, 0.0, 0.01);
    mn_stain_def     def = mn_stain_def_idle();
    mn_world        *w   = NULL;
    def.pigments = &p, def.pigment_count = 1, def.step = 0.1;
    mn_status st = patch(c, &def, 1.0, 0.1, false, &w);
    if (st == MN_OK) st = mn_run_to(w, 3.0);
    if (st == MN_OK) {
        const mn_stain_view s    = mn_world_stain(w, 0);
        const double        part = s.adsorbed[0][12] / s.area[12] / p.capacity, exact = 1.0 - exp(-1.5);
        mn_verify_value(r, "linear adsorption at 0.5 1/s after 3 s: part of the capacity", part, exact, part - exact,
                        1e-12, 1e-12);
    }
    mn_world_destroy(&w);
    return st;
}

/// The covered part is K / (1 + K) with K = k_a c / k_-, c what is still dissolved.
static mn_status equilibrium(mn_context *c, mn_verify_report *r)
{
    double worst = 0.0;
    for (double k = 1e-3; k < 11.0; k *= 10.0) {
        const mn_pigment p   = dye(MN_ADSORPTION_LANGMUIR, 10.0 * k * 0.02, 10.0, 0.02);
        mn_stain_def     def = mn_stain_def_idle();
        mn_world        *w   = NULL;
        def.pigments = &p, def.pigment_count = 1, def.step = 0.5;
        mn_status st = patch(c, &def, 1.0, 1.0, false, &w);
        if (st == MN_OK) st = mn_run_to(w, 50.0);
        if (st == MN_OK) {
            const mn_stain_view s       = mn_world_stain(w, 0);
            const double        ratio   = k * s.dissolved[0][20] / s.area[20];
            const double        covered = s.adsorbed[0][20] / (s.area[20] * p.capacity);
            worst                       = fmax(worst, fabs(covered * (1.0 + ratio) / ratio - 1.0));
        }
        mn_world_destroy(&w);
        MN_TRY(st);
    }
    mn_verify_at_most(r, "Langmuir, K from 1e-3 to 10: largest error of the covered part", worst, 1e-12, 1e-12);
    return MN_OK;
}

static double wet_mass(const mn_world *w)
{
    const mn_stain_view s   = mn_world_stain(w, 0);
    double              sum = 0.0;
    for (int64_t v = 0; v < s.vertex_count; v++) sum += s.free[v] + s.held[v];
    return sum;
}

/// An even film is dry after sigma / K_evap, and has left all of its pigment where it was.
static mn_status drying(mn_context *c, mn_verify_report *r)
{
    const mn_pigment p   = dye(MN_ADSORPTION_NONE, 0.0, 0.0, 0.0);
    mn_stain_def     def = mn_stain_def_idle();
    mn_world        *w   = NULL;
    def.pigments = &p, def.pigment_count = 1;
    def.evaporation = 1e-3;
    // Not a whole number of steps above the density that counts as wet: round-off would make a rim in the middle.
    mn_status st  = patch(c, &def, 0.010035, 0.1, false, &w);
    double    dry = 0.0;
    for (int k = 1; k <= 2000 && st == MN_OK && dry == 0.0; k++) {
        st = mn_run_to(w, k * def.step);
        if (wet_mass(w) == 0.0) dry = mn_world_time(w);
    }
    if (st == MN_OK) {
        const mn_stain_view s     = mn_world_stain(w, 0);
        double              worst = 0.0;
        for (int64_t v = 0; v < s.vertex_count; v++)
            worst = fmax(worst, fabs(s.dried[0][v] / s.area[v] / 1.0035e-3 - 1.0));
        mn_verify_value(r, "a uniform film is dry after sigma / K_evap, s (within a step)", dry, 10.035, dry - 10.035,
                        def.step, def.step);
        mn_verify_at_most(r, "its pigment is left as residue: largest error of its density", worst, 1e-12, 1e-12);
    }
    mn_world_destroy(&w);
    return st;
}

/// Wet vertices with a dry neighbour dry 1.2 times as fast as those inside.
static mn_status rim(mn_context *c, mn_verify_report *r)
{
    mn_stain_def def = mn_stain_def_idle();
    mn_world    *w   = NULL;
    def.evaporation  = 1e-3;
    mn_status st     = patch(c, &def, 0.01, 0.0, true, &w);
    if (st == MN_OK) st = mn_run_to(w, 1.0);
    if (st == MN_OK) {
        const mn_stain_view s     = mn_world_stain(w, 0);
        double              least = 1.0, most = 0.0;
        for (int64_t v = 0; v < s.vertex_count; v++) {
            if (s.free[v] == 0.0) continue;
            const double lost = (0.01 - s.free[v] / s.area[v]) / 1e-3;
            least = fmin(least, lost), most = fmax(most, lost);
        }
        mn_verify_value(r, "evaporation inside over what is set", least, 1.0, least - 1.0, 1e-12, 1e-12);
        mn_verify_value(r, "evaporation at the wet rim over that", most / least, 1.2, most / least - 1.2, 1e-12, 1e-12);
    }
    mn_world_destroy(&w);
    return st;
}

/// A little liquid with ten times what it dissolves, and then much new liquid at once: what had fallen out dissolves,
/// d' = -rate d.
static mn_status dissolving(mn_context *c, mn_verify_report *r)
{
    mn_pigment    p       = dye(MN_ADSORPTION_NONE, 0.0, 0.0, 0.0);
    mn_stain_def  def     = mn_stain_def_idle();
    mn_stain_drop drop[2] = { mn_stain_drop_default(), mn_stain_drop_default() };
    mn_world     *w       = NULL;
    drop[0].density = 0.01, drop[0].share[0] = 0.5;
    drop[1].density = 1.0, drop[1].source = true, drop[1].during[1] = 0.15;  // at the end of the first step
    p.dissolve = 0.4, p.solubility = 0.05;
    def.pigments = &p, def.pigment_count = 1, def.step = 0.1;
    mn_status st = patch_of(c, &def, drop, 2, &w);
    if (st == MN_OK) st = mn_run_to(w, 0.1);
    if (st == MN_OK) {
        const mn_stain_view s     = mn_world_stain(w, 0);
        const double        first = s.dried[0][9] / s.area[9];
        mn_verify_value(r, "pigment that does not stay dissolved, g/cm^2", first, 0.0045, first / 0.0045 - 1.0, 1e-12,
                        1e-12);
    }
    if (st == MN_OK) st = mn_run_to(w, 1.1);
    if (st == MN_OK) {
        const mn_stain_view s    = mn_world_stain(w, 0);
        const double        left = s.dried[0][9] / s.area[9] / 0.0045, exact = exp(-0.4);
        mn_verify_value(r, "what of it is left after 1 s in new liquid, at 0.4 1/s", left, exact, left - exact, 1e-12,
                        1e-12);
    }
    mn_world_destroy(&w);
    return st;
}

mn_status mn_a6_kinetics(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    MN_TRY(absorption(c, r));
    MN_TRY(linear(c, r));
    MN_TRY(equilibrium(c, r));
    MN_TRY(drying(c, r));
    MN_TRY(dissolving(c, r));
    return rim(c, r);
}
