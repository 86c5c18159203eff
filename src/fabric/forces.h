// SPDX-License-Identifier: MPL-2.0
// fabric/forces.h - what acts on vertices from outside.
#ifndef MN_FABRIC_FORCES_H
#define MN_FABRIC_FORCES_H

#include "fabric/fabric.h"

/// Drag of moving air, linear in the velocity of the step with coefficients of its start (wind.c).
void mn_fabric_wind(mn_fabric *q, double time, double dt);

#endif
