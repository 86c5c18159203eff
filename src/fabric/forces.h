// SPDX-License-Identifier: MPL-2.0
// fabric/forces.h - shared by what holds vertices to the world: pins, air, obstacles.
#ifndef MN_FABRIC_FORCES_H
#define MN_FABRIC_FORCES_H

#include "fabric/fabric.h"

/// Whether a pin holds at a time.
static inline bool mn_fabric_pin_holds(const mn_fabric_pin *pin, double time)
{
    return time >= pin->begin && time < pin->end;
}
/// Spring of a hard pin, dyn/cm: twice the contact modulus over the size of a vertex (wet-fabric 5.4).
double mn_fabric_pin_stiffness(const mn_fabric *q, const mn_fabric_piece *p, int64_t v);
/// Drag of moving air, linear in the velocity of the step with coefficients of its start (wind.c).
void mn_fabric_wind(mn_fabric *q, double time, double dt);

#endif
