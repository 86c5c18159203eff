// SPDX-License-Identifier: MPL-2.0
// verify/stain/a6_stain.h - A6, stains: cases of spreading, motion, exchange and fronts.
#ifndef MN_VERIFY_A6_STAIN_H
#define MN_VERIFY_A6_STAIN_H

#include "verify/verify.h"

/// Film on a sphere of radius 2 for 0.1 s, rates 1: what is left of modes l = 1 and 2 of its density, then of its
/// velocity.
mn_status mn_stain_sphere_modes(mn_context *c, int levels, int steps, double share[4]);

mn_status mn_a6_kernel(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a6_sphere(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a6_rotating(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a6_kinetics(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a6_budget(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a6_front(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a6_ring(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a6_liquid(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a6_fabric(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a6_weight(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a6_colour(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_pa6_drag(mn_context *c, mn_verify_tier tier, mn_verify_report *r);

#endif
