// SPDX-License-Identifier: MPL-2.0
// verify/thin/layers.h - P4.12, P5.12: what cloth and yarn do through the grid.
#ifndef MN_VERIFY_LAYERS_H
#define MN_VERIFY_LAYERS_H

#include "verify/verify.h"

mn_status mn_grid_twist(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_layers_rub(mn_context *c, mn_verify_tier tier, mn_verify_report *r);

#endif
