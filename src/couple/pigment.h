// SPDX-License-Identifier: MPL-2.0
// couple/pigment.h - pigment in the liquid that fabric holds: the flow carries it, fibres take it, it dries (stain
// 2, 5.5, 5.7).
//
// The solute layer of src/stain over another surface liquid: that in the pores. Capture and dripping move pigment with
// the volume (capture.c, drip.c); here it follows the flow through the fabric and changes its state where it is.
#ifndef MN_COUPLE_PIGMENT_H
#define MN_COUPLE_PIGMENT_H

#include "fabric/fabric.h"
#include "stain/exchange.h"

/// After mn_fabric_flow of this step, for dt: carry dissolved pigment by what flowed along each link, at the
/// concentration of where it comes from, then adsorption, drying and dissolving at each vertex. `law` has an entry for
/// each pigment. Sums change by round-off only, nothing falls below zero, and an even concentration stays even as long
/// as nothing dries or sticks.
mn_status mn_fabric_pigment_step(mn_fabric *q, const mn_stain_pigment *law, const mn_step *step);

/// Area over which the pigment of a vertex is spread, cm^2: a face of cloth, half the mantle of yarn. The fabric has
/// been wet.
double mn_fabric_pigment_area(const mn_fabric *q, int64_t vertex);

#endif
