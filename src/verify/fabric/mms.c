// SPDX-License-Identifier: MPL-2.0
// verify/fabric/mms.c - manufactured solutions of what wet fabric solves: the list of cases.
#include "verify/fabric/a1.h"

const mn_verify_case mn_verify_mms_fabric[] = {
    { "MMS3", "mixture pair with linear drag", .run = mn_mms3, .library = true },
    { "MMS4", "mixture pair with nonlinear drag", .run = mn_mms4, .library = true },
    { "MMS5", "flow in the pores of a flat and of a cylindrical sheet", .run = mn_mms5, .library = true },
    { "MMS6", "flow in the pores of a cylinder that breathes", .run = mn_mms6, .library = true },
    { 0 },
};
