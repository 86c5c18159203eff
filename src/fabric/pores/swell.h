// SPDX-License-Identifier: MPL-2.0
// fabric/pores/swell.h - room in the pores: it follows how far the fabric is stretched, squeezed between layers, and
// pressed (wet-fabric 5.5).
#ifndef MN_FABRIC_SWELL_H
#define MN_FABRIC_SWELL_H

#include "fabric/fabric.h"

/// Set vertices.swelling (J_v) from positions and directors as they are at the end of move. `solids` stand where they
/// are then. Without a liquid in the world, or where the material keeps its pores, J stays as it is.
mn_status mn_fabric_swell(mn_fabric *q, const mn_step *step);

/// J of van Wyk's law: solid fraction phi at rest, pressure over k_w E.
double mn_swell_under_load(double phi, double pressure);
/// Smallest J of a share of cloth (the rest is yarn): fibres packed as tightly as they go.
double mn_swell_least(double phi, double sheet);

#endif
