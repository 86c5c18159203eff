// SPDX-License-Identifier: MPL-2.0
// fabric/twist.h - the twist of yarn in a step: on the rods with an inertia of their own, or on the grid
// (wet-fabric 5.6).
#ifndef MN_FABRIC_TWIST_H
#define MN_FABRIC_TWIST_H

#include "fabric/fabric.h"

/// After the elastic forces: rates of twist of pieces with twist on the rods, torques of those with twist on the grid.
mn_status mn_fabric_twist_begin(mn_fabric *q, mn_arena *arena, double time, double dt);
/// Add the torques of the segments around vertex v to its moments on the grid, dyn / cm (as the stress of
/// mn_points_spread).
void mn_fabric_twist_add_moment(const mn_fabric *q, int64_t v, double factor, double moment[9]);
/// After the scatter: rates of twist of pieces with twist on the grid, from the gradients at their vertices.
void mn_fabric_twist_from_grid(mn_fabric *q);
/// Longest step for which torques may act as they were at its start; infinite without twist on the grid.
double mn_fabric_twist_dt_limit(mn_fabric *q);

#endif
