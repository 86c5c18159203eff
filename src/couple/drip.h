// SPDX-License-Identifier: MPL-2.0
// couple/drip.h - liquid that does not fit into the pores leaves fabric as drops (wet-fabric 5.14).
#ifndef MN_COUPLE_DRIP_H
#define MN_COUPLE_DRIP_H

#include "couple/exchange.h"
#include "fabric/fabric.h"
#include "liquid/liquid.h"

/// Volume of a drop in cells, V_d: a radius of 0.204 cells (wet-fabric D10). Smaller where pores are small against a
/// cell.
#define MN_DRIP_QUANTUM 0.0356

/// What the vertices of a cell hold beyond their pores leaves as whole drops on the elements around them, outside
/// `solids`. Sums of volume, pigment and linear momentum change by round-off only. Random numbers follow from seed,
/// number of the step and cell. New particles come last and take their numbers from *next_id. Adds to *report.
mn_status mn_drip(mn_liquid *liquid, mn_fabric *fabric, const mn_step *step, int64_t *next_id,
                  mn_exchange_report *report);

#endif
