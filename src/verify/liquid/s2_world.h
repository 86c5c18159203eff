// SPDX-License-Identifier: MPL-2.0
// verify/liquid/s2_world.h - lines of group S2 that a world shows: what its steps make of the solver's properties.
#ifndef MN_VERIFY_S2_WORLD_H
#define MN_VERIFY_S2_WORLD_H

#include "verify/verify.h"

/// S2.5: divergence after the steps of a world, with a free surface and in a cavity without one.
mn_status mn_s2_divergence(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
/// S2.6: iterations of a tank that a sheet of cloth divides against those of the same tank without it.
mn_status mn_s2_sheet(mn_context *c, mn_verify_report *r);
/// S2.8: hashes of a world with 1, 2 and 3 threads.
mn_status mn_s2_threads(mn_context *c, mn_verify_report *r);

#endif
