// SPDX-License-Identifier: MPL-2.0
// verify/thin/s5.h - cases of S5, contact and friction of fabric, that have files of their own.
#ifndef MN_VERIFY_S5_H
#define MN_VERIFY_S5_H

#include "verify/verify.h"

mn_status mn_s5_stack(mn_context *c, mn_verify_tier tier, mn_verify_report *r);

#endif
