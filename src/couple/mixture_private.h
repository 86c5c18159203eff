// SPDX-License-Identifier: MPL-2.0
// couple/mixture_private.h - what the files of the mixture share.
#ifndef MN_COUPLE_MIXTURE_PRIVATE_H
#define MN_COUPLE_MIXTURE_PRIVATE_H

#include "couple/mixture.h"
#include "fabric/pores/pores.h"

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

/// Axis of a face of the fabric.
static inline int mn_mixture_axis(const mn_mixture *m, int32_t face)
{
    const int32_t *start = m->fabric->step.faces.axis_start;
    return face < start[1] ? 0 : face < start[2] ? 1 : 2;
}

/// Place in the fields of the liquid of the cell below the face; of a face that the liquid has not, 0.
static inline int64_t mn_mixture_below(const mn_mixture *m, int axis, int64_t place)
{
    const mn_tiles *t = &m->liquid->grid.tiles;
    return place > 0 ? mn_cell_next(t, (int32_t)(place / t->cells), (int32_t)(place % t->cells), axis, -1) : 0;
}

/// Orientation of the fabric at its vertices (wet-fabric 5.12): 6 per vertex (xx, yy, zz, yz, xz, xy). From the arena.
mn_status mn_mixture_dyads(const mn_fabric *fabric, mn_arena *arena, double **out);
/// Laws of the pores, for each piece that of its cloth and that of its yarn. From the arena.
mn_status mn_mixture_laws(const mn_fabric *fabric, mn_arena *arena, mn_pore_law **out);
/// Suction of the pores on the grid (wet-fabric 5.7): adds to liquid_impulse, sets solid_suction.
mn_status mn_mixture_suction(mn_mixture *m, mn_arena *arena, const double *dyad, const mn_pore_law *laws);

#endif
