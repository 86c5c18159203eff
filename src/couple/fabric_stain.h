// SPDX-License-Identifier: MPL-2.0
// couple/fabric_stain.h - stains on fabric: the fabric carries them, they weigh on it and push it (stain 5.8).
#ifndef MN_COUPLE_FABRIC_STAIN_H
#define MN_COUPLE_FABRIC_STAIN_H

#include "fabric/fabric.h"
#include "stain/stains.h"

/// The piece of fabric that a stain is to be put on. Fails if there is none of its name, or if it is yarn.
mn_status mn_fabric_stain_find(const mn_fabric *q, const mn_stain_def *def, mn_stain_carrier *out);
/// A piece as a carrier where it is now; -1: none.
mn_stain_carrier mn_fabric_stain_carrier(const mn_fabric *q, int piece);

/// Before the stage activate: what two-way stains weigh on the vertices, from the arena.
mn_status mn_fabric_stain_load(mn_fabric *q, const mn_stains *stains, mn_arena *arena);
/// Before stains step: where the pieces that carry them are at the end of the step.
void mn_fabric_stain_place(const mn_fabric *q, mn_stains *stains);
/// After it: what friction takes from two-way films it gives to their pieces, whose load is made anew.
mn_status mn_fabric_stain_push(mn_fabric *q, const mn_stains *stains, mn_arena *arena);

#endif
