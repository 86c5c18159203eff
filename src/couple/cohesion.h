// SPDX-License-Identifier: MPL-2.0
// couple/cohesion.h - wet layers of cloth and wet yarns pull at each other where liquid bridges end (wet-fabric 5.15).
#ifndef MN_COUPLE_COHESION_H
#define MN_COUPLE_COHESION_H

#include "fabric/fabric.h"
#include "liquid/liquid.h"

/// The middle of one element and the nearest point of another of the same kind.
typedef struct mn_cohesion_pair {
    int32_t from, to;         ///< elements of the fabric
    double  weight[3];        ///< of the vertices of `to`, at the nearest point
    mn_vec3 direction;        ///< from the middle to that point, unit
    double  distance, touch;  ///< cm; at `touch` their thicknesses meet
    double  full;             ///< dyn, pull while they do not
} mn_cohesion_pair;

typedef struct mn_cohesion_report {
    int64_t searched, pairs;  ///< wet elements with company, and pairs that pull
    double  energy;           ///< erg, of all pairs, zero at no distance
} mn_cohesion_report;

/// Add the forces of all pairs to fabric->step.force. After activate of both and mn_fabric_forces. Dry fabric costs
/// nothing.
mn_status mn_cohesion(const mn_liquid *liquid, mn_fabric *fabric, const mn_step *step, mn_cohesion_report *report);

/// The two halves of it: find the pairs (from the arena, in the order of the elements), and add what one exerts.
mn_status mn_cohesion_find(const mn_liquid *liquid, const mn_fabric *fabric, mn_arena *arena, mn_cohesion_pair **pairs,
                           mn_cohesion_report *report);
void      mn_cohesion_pull(const mn_cohesion_pair *pair, const mn_fabric *fabric, mn_vec3 *force);
/// Energy of a pair with the fabric as it stands now, the nearest point found anew: `full` times the distance, less
/// where they touch, so that the pull falls linearly to zero there.
double mn_cohesion_energy(const mn_cohesion_pair *pair, const mn_fabric *fabric);

/// Share of the full pull at a mean fill between 0 (dry) and 1 (flooded): the rim of a wet patch has one half.
double mn_cohesion_rim(double fill);

#endif
