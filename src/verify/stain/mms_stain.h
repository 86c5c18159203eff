// SPDX-License-Identifier: MPL-2.0
// verify/stain/mms_stain.h - cases of Appendix S for films.
#ifndef MN_VERIFY_MMS_STAIN_H
#define MN_VERIFY_MMS_STAIN_H

#include "verify/verify.h"

mn_status mn_mms14(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_mms15(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_mms16(mn_context *c, mn_verify_tier tier, mn_verify_report *r);

#endif
