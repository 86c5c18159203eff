// SPDX-License-Identifier: MPL-2.0
// couple/capture.h - fabric takes in liquid that touches it (wet-fabric 5.13).
#ifndef MN_COUPLE_CAPTURE_H
#define MN_COUPLE_CAPTURE_H

#include "couple/exchange.h"
#include "fabric/fabric.h"
#include "liquid/liquid.h"

/// Let vertices with room in their pores take liquid from the particles around them for dt. Volume, pigment and linear
/// momentum go over pair by pair: their sums change by round-off only. Particles beyond the reach of the kernels of
/// every such vertex are not touched; a particle with next to nothing left gives the rest as well and is taken out, the
/// last particle takes its place. After mn_liquid_activate of this step, with both kinds at their new positions. Adds
/// to *report.
mn_status mn_capture(mn_liquid *liquid, mn_fabric *fabric, const mn_step *step, mn_exchange_report *report);

/// Volume that a vertex takes in per second while it is surrounded by liquid, cm^3/s: flux k p / (mu r_c) times area.
double mn_capture_intake(const mn_fabric *fabric, int64_t vertex);

#endif
