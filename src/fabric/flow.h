// SPDX-License-Identifier: MPL-2.0
// fabric/flow.h - liquid inside the fabric: it wicks from wet to dry along cloth and yarn, sinks, and dries (wet-fabric 5.11).
#ifndef MN_FABRIC_FLOW_H
#define MN_FABRIC_FLOW_H

#include "fabric/fabric.h"

/// Remember how the fabric accelerated in this step, before something else (capture) changes velocities. Without this call
/// mn_fabric_flow takes the velocities as they are when it is called.
mn_status mn_fabric_keep_acceleration(mn_fabric *q, mn_arena *arena, double dt);

/// Move the liquid that vertices hold along the elements for dt, implicitly, and let it dry. Pairs of vertices exchange
/// volume and the momentum that goes with it: the sum of what is held changes by *evaporated only, to round-off, and no
/// vertex holds less than nothing. `evaporated` (cm^3) is the sum of what was taken. Uses step.pressure where it is set,
/// and the acceleration of the step if one is under way. A dry fabric costs nothing.
mn_status mn_fabric_flow(mn_fabric *q, mn_arena *arena, double dt, double *evaporated);

/// Saturation below which a drying fabric no longer keeps its surface wet.
#define MN_DRYING_CRITICAL 0.3
/// What is left after `seconds` of `held` in pores of `pores` (cm^3), while a saturated surface would lose `rate` (cm^3/s).
double mn_drying_left(double held, double pores, double rate, double seconds);

/// How the last flow went, for tests and benchmarks: solves of the linear system, its products, and parts of the step.
typedef struct mn_flow_report { int solves, products, parts; bool exact; } mn_flow_report;
mn_status mn_fabric_flow_reported(mn_fabric *q, mn_arena *arena, double dt, double *evaporated, mn_flow_report *report);

#endif
