// SPDX-License-Identifier: MPL-2.0
// couple/mixture_private.h - what the files of the mixture share.
#ifndef MN_COUPLE_MIXTURE_PRIVATE_H
#define MN_COUPLE_MIXTURE_PRIVATE_H

#include "couple/mixture.h"

/// What the drag makes of the masses of a face, wet-fabric (E5.12), with 0/0 := 0.
typedef struct mn_mixture_shares {
    double p, q;                     ///< P = c / (M_f + c), Q = c / (M_s + c)
    double solid_mass, liquid_mass;  ///< D_s = M_s + P M_f, D_f = M_f + Q M_s, g
} mn_mixture_shares;

static inline mn_mixture_shares mn_mixture_share(double solid_mass, double liquid_mass, double drag)
{
    mn_mixture_shares x = { 0 };
    if (drag > 0.0) {
        x.p = drag / (liquid_mass + drag);
        x.q = drag / (solid_mass + drag);
    }
    x.solid_mass  = solid_mass + x.p * liquid_mass;
    x.liquid_mass = liquid_mass + x.q * solid_mass;
    return x;
}

/// A vector of the mixture, zeroed.
static inline double *mn_mixture_vector(mn_arena *arena, const mn_mixture *m)
{
    return mn_arena_array_zero(arena, double, m->phases * m->stride);
}

/// Sum over the phases of a vector at a face.
static inline double mn_mixture_sum(const mn_mixture *m, const double *vector, int64_t face)
{
    double sum = vector[face];
    for (int k = 1; k < m->phases; k++) sum += vector[k * m->stride + face];
    return sum;
}

/// Place in the fields of the liquid of the cell below the face; of a face that the liquid has not, 0.
static inline int64_t mn_mixture_below(const mn_mixture *m, int axis, int64_t place)
{
    const mn_tiles *t = &m->liquid->grid.tiles;
    return place > 0 ? mn_cell_next(t, (int32_t)(place / t->cells), (int32_t)(place % t->cells), axis, -1) : 0;
}

/// Room for the velocities of all phases from the arena, the vector u, and each told where its own is.
mn_status mn_mixture_take_velocities(mn_mixture *m, mn_arena *arena, double **u);
/// What the answers of the phases need, with the inertia (a vector) that faces will have.
mn_status mn_mixture_begin(mn_mixture *m, const mn_step *step, const double *inertia);
/// Repeat the solve until the friction of all phases on solids has settled, and let them keep their anchors.
mn_status mn_mixture_settle(mn_mixture *m, mn_settle_fn *solve, void *context);
/// Tell the phases that their velocities are the answer of the step.
void mn_mixture_keep(mn_mixture *m);

/// Suction of the phases on the grid (wet-fabric 5.7): adds to liquid_impulse, sets solid_suction.
mn_status mn_mixture_suction(mn_mixture *m, mn_arena *arena);

#endif
