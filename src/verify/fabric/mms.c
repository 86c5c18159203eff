// SPDX-License-Identifier: MPL-2.0
// verify/fabric/mms.c - manufactured solutions of what wet fabric solves: the list of cases.
#include "verify/fabric/a1.h"

const mn_verify_case mn_verify_mms_fabric[] = {
    { "MMS5", "flow in the pores of a flat and of a cylindrical sheet", .run = mn_mms5, .library = true },
    { "MMS6", "flow in the pores of a cylinder that breathes", .run = mn_mms6, .library = true },
    { 0 },
};
