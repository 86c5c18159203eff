// SPDX-License-Identifier: MPL-2.0
// verify/thin/plate.h - a square of cloth in a world, its rim held by hard pins: a simply supported plate.
#ifndef MN_VERIFY_PLATE_H
#define MN_VERIFY_PLATE_H

#include "verify/verify.h"

/// Frequencies of modes 11 and 12, S3.6.
mn_status mn_plate_frequencies(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
/// Mode 11 under a load that swings, MMS9.
mn_status mn_plate_shaken(mn_context *c, mn_verify_tier tier, mn_verify_report *r);

#endif
