// SPDX-License-Identifier: MPL-2.0
// couple/soak.h - pigment that is in the pores of a fabric at the start.
#ifndef MN_COUPLE_SOAK_H
#define MN_COUPLE_SOAK_H

#include "couple/solutes.h"

/// Fabric that is wet at the start holds the liquid of the particles, with its pigments.
mn_status mn_solutes_colour_pores(mn_solute_list *all, mn_liquid *l, mn_fabric *q, int64_t piece);

/// A stain without film has drops in the pores of its fabric: which piece that is, and whether they meet it;
mn_status mn_solutes_check_soak(mn_fabric *q, const mn_stain_def *def, int64_t *piece);
/// then put them there. The liquid has its material by now.
mn_status mn_solutes_soak(mn_solute_list *all, mn_liquid *l, mn_fabric *q, const mn_stain_def *def, int64_t piece);

#endif
