// SPDX-License-Identifier: MPL-2.0
// fabric/pores/flow.h - liquid inside the fabric: it wicks from wet to dry along cloth and yarn, sinks, and dries
// (wet-fabric 5.11).
#ifndef MN_FABRIC_FLOW_H
#define MN_FABRIC_FLOW_H

#include "fabric/fabric.h"

/// Pairs of vertices that share an element, each once. Constant.
typedef struct mn_flow_links {
    int64_t count;
    int32_t (*end)[2];      ///< end[0] < end[1]
    int32_t *of_element;    ///< 3 per element: links of its sides 01, 12, 20; a segment has the first
    int64_t *slot_start;    ///< sides of elements on each link: slot[slot_start[l]] ...
    int32_t *slot;          ///< 3 element + side
    int64_t *around_start;  ///< links at each vertex: around[around_start[v]] ...
    int32_t *around;        ///< 2 link + (1 if the vertex is end[1])
    double  *bulk;          ///< cm^3, V_e^0 per element
    double  *surface;       ///< cm^2 per vertex at rest: both faces of cloth, the mantle of yarn
} mn_flow_links;

mn_status mn_flow_links_make(mn_fabric *q);
void      mn_flow_links_destroy(mn_context *c, mn_flow_links **links);

/// Remember how the fabric accelerated in this step, before something else (capture) changes velocities. Without this
/// call mn_fabric_flow takes the velocities as they are when it is called.
mn_status mn_fabric_keep_acceleration(mn_fabric *q, const mn_step *step);

/// Move the liquid that vertices hold along the elements for dt, implicitly, and let it dry. Pairs of vertices exchange
/// volume and the momentum that goes with it: the sum of what is held changes by *evaporated only, to round-off, and no
/// vertex holds less than nothing. `evaporated` (cm^3) is the sum of what was taken. Uses step.pressure where it is
/// set, and the acceleration of the step if one is under way. A dry fabric costs nothing. Where there are pigments,
/// step.moved and step.flowed_from say what went along every link, for those who carry them.
mn_status mn_fabric_flow(mn_fabric *q, const mn_step *step, double *evaporated);

/// Saturation below which a drying fabric no longer keeps its surface wet.
#define MN_DRYING_CRITICAL 0.3
/// What is left after `seconds` of `held` in pores of `pores` (cm^3), while a saturated surface would lose `rate`
/// (cm^3/s).
double mn_drying_left(double held, double pores, double rate, double seconds);

/// How the last flow went, for tests and benchmarks: solves of the linear system, its products, and parts of the step.
typedef struct mn_flow_report {
    int  solves, products, parts;
    bool exact;
} mn_flow_report;
mn_status mn_fabric_flow_reported(mn_fabric *q, mn_arena *arena, double dt, double *evaporated, mn_flow_report *report);

#endif
