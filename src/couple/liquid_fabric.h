// SPDX-License-Identifier: MPL-2.0
// couple/liquid_fabric.h - fabric in a liquid: the room it takes, and fabric as a phase of the mixture.
#ifndef MN_COUPLE_LIQUID_FABRIC_H
#define MN_COUPLE_LIQUID_FABRIC_H

#include "couple/mixture.h"
#include "fabric/operator.h"
#include "fabric/pores/pores.h"

/// Tell the liquid how much room the fabric takes in the cells, as both stand now. After mn_fabric_activate and before
/// mn_liquid_activate, and again once both have moved and the liquid has vacated its room.
mn_status mn_fabric_takes_room(mn_fabric *fabric, mn_liquid *liquid, const mn_step *step);

/// Enter the mixture, after mn_fabric_gather. The context of the phase is an mn_fabric_phase from the arena.
mn_status mn_fabric_enters(mn_fabric *fabric, mn_mixture *m, const mn_step *step);

/// What fabric answers the mixture from; here for tests.
typedef struct mn_fabric_phase {
    mn_fabric         *q;
    const mn_mixture  *mixture;
    mn_step            step;
    mn_fabric_operator op;
    mn_touches         touches;
    const mn_pore_law *laws;  ///< while the faces are made: of the piece cloth, yarn; and orientations of the vertices
    const double      *dyad;
} mn_fabric_phase;

/// Orientation of the fabric at its vertices (wet-fabric 5.12): 6 per vertex (xx, yy, zz, yz, xz, xy). From the arena.
mn_status mn_fabric_dyads(const mn_fabric *fabric, mn_arena *arena, double **out);

#endif
