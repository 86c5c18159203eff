// SPDX-License-Identifier: MPL-2.0
// verify/fabric/a1.h - cases of A1, wet fabrics, that have files of their own.
#ifndef MN_VERIFY_A1_H
#define MN_VERIFY_A1_H

#include "verify/verify.h"

mn_status mn_a1_coefficients(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a1_permeameter(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a1_wicking(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a1_ring(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a1_hanging(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a1_tubes(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a1_impermeable(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a1_budget(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a1_drag(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a1_buoyancy(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a1_weight(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a1_cohesion(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a1_wringing(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a1_capture(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a1_dripping(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a1_pores(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a1_suction(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_a1_drying(mn_context *c, mn_verify_tier tier, mn_verify_report *r);

// manufactured solutions, Appendix S
mn_status mn_mms3(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_mms4(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_mms5(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_mms6(mn_context *c, mn_verify_tier tier, mn_verify_report *r);

#endif
