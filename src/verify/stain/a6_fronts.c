// SPDX-License-Identifier: MPL-2.0
// verify/stain/a6_fronts.c - A6.10: pigments that stick lag behind the liquid: a film creeps down a hanging strip, fed
// at its upper end, and five pigments with it.
#include "verify/stain/a6_stain.h"

#include "verify/stain/stain_world.h"

#include <stdio.h>

#define CELLS    400
#define SPACING  0.1
#define FILM     0.1   // g/cm^2, everywhere
#define FED      0.01  // g/cm^2 of each pigment at the inlet
#define GRAVITY  981.0
#define VELOCITY 1.0  // cm/s, at which drag balances gravity
#define RELEASE  1e3  // 1/s: sticking is in equilibrium
#define PIGMENTS 5

/// The first three are far from filling the fibres: q / c = k_a V / k_-. The others fill them by half and four fifths.
static const double ratios[3] = { 0.5, 1.0, 3.0 }, filled[2] = { 0.5, 0.8 };
#define CAPACITY 0.02  // g/cm^2, of the others

static void make_pigments(mn_pigment p[PIGMENTS])
{
    for (int k = 0; k < PIGMENTS; k++) {
        p[k] = mn_pigment_default();
        snprintf(p[k].name, sizeof p[k].name, "dye %d", k + 1);
        p[k].adsorption = MN_ADSORPTION_LANGMUIR;
        p[k].release    = RELEASE;
        p[k].solubility = 1e3;
        p[k].mixing     = 0.0;
        p[k].capacity   = k < 3 ? 1e4 : CAPACITY;
        p[k].rate = k < 3 ? ratios[k] * RELEASE : filled[k - 3] / (1.0 - filled[k - 3]) * RELEASE * CAPACITY / FED;
    }
}

/// Where the density of a dissolved pigment falls through half of what is fed, along the middle row.
static double half_way(const mn_world *w, int pigment)
{
    const mn_stain_view s = mn_world_stain(w, 0);
    const double       *m = s.dissolved[pigment];
    for (int i = CELLS - 1; i > 0; i--) {
        const int64_t v    = CELLS + 1 + i;  // of three rows the middle one
        const double  here = m[v] / s.area[v], before = m[v - 1] / s.area[v - 1];
        if (before >= 0.5 * FED && here < 0.5 * FED)
            return s.position[v - 1][0] + SPACING * (before - 0.5 * FED) / (before - here) - s.position[CELLS + 1][0];
    }
    return 0.0;
}

static mn_status wet_strip(mn_context *c, const mn_stain_mesh *mesh, mn_world **w)
{
    mn_pigment     pigment[PIGMENTS];
    mn_stain_def   def   = mn_stain_def_idle();
    mn_drops       drops = { 0 };
    mn_status      st    = mn_drops_make(c, 2, &drops);
    mn_stain_drop *film  = st == MN_OK ? mn_drops_add(c, &drops, mn_v3(0.0, 0.0, 0.0), CELLS * SPACING) : NULL;
    mn_stain_drop *inlet = st == MN_OK ? mn_drops_add(c, &drops, mesh->x[CELLS + 1], 4.5 * SPACING) : NULL;
    make_pigments(pigment);
    def.pigments = pigment, def.pigment_count = PIGMENTS;
    def.step = 0.05, def.drag = GRAVITY / VELOCITY;
    if (film == NULL || inlet == NULL) {
        mn_drops_free(c, &drops);
        return st != MN_OK ? st : MN_ERR_MEMORY;
    }
    film->density     = FILM;
    film->velocity[0] = VELOCITY;
    inlet->density    = FILM;
    inlet->source     = true;
    for (int k = 0; k < PIGMENTS; k++) inlet->share[k] = FED / FILM;
    mn_stain_def_pour(&def, &drops);
    st = mn_stain_world_in(c, mesh, &def, (double[3]){ GRAVITY, 0.0, 0.0 }, w);
    mn_drops_free(c, &drops);
    return st;
}

mn_status mn_a6_front(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const mn_stain_square_def square = { .nx        = CELLS + 1,
                                         .ny        = 3,
                                         .spacing   = SPACING,
                                         .diagonals = MN_DIAGONALS_ALTERNATING };
    mn_stain_mesh             mesh   = { 0 };
    mn_world                 *w      = NULL;
    double                    at[2][PIGMENTS];
    char                      text[96];
    (void)tier;
    mn_status st = mn_stain_mesh_square(c, &square, &mesh);
    if (st == MN_OK) st = wet_strip(c, &mesh, &w);
    for (int k = 0; k < 2 && st == MN_OK; k++) {
        st = mn_run_to(w, 15.0 * (k + 1));
        for (int p = 0; p < PIGMENTS; p++) at[k][p] = half_way(w, p);
    }
    mn_world_destroy(&w);
    mn_stain_mesh_free(c, &mesh);
    MN_TRY(st);
    for (int p = 0; p < PIGMENTS; p++) {
        const double speed = (at[1][p] - at[0][p]) / (15.0 * VELOCITY);
        const double lag = p < 3 ? ratios[p] : CAPACITY * filled[p - 3] / FED, exact = 1.0 / (1.0 + lag);
        if (p < 3) snprintf(text, sizeof text, "linear isotherm, k' = %g: speed of pigment over that of liquid", lag);
        else snprintf(text, sizeof text, "Langmuir, %g filled: speed of the shock over that of liquid", filled[p - 3]);
        mn_verify_value(r, text, speed, exact, speed / exact - 1.0, 0.02, 0.06);
    }
    return MN_OK;
}
