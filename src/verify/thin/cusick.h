// SPDX-License-Identifier: MPL-2.0
// verify/thin/cusick.h - S3.9: the drape test of Cusick.
#ifndef MN_VERIFY_CUSICK_H
#define MN_VERIFY_CUSICK_H

#include "verify/verify.h"

mn_status mn_s3_cusick(mn_context *c, mn_verify_tier tier, mn_verify_report *r);

#endif
