// SPDX-License-Identifier: MPL-2.0
// verify/thin/sheet.h - where a sheet is, for those who ask on which side of it liquid lies.
#ifndef MN_VERIFY_SHEET_H
#define MN_VERIFY_SHEET_H

#include "meniscus/world.h"

/// Height of a sheet above or below a place, by the triangle there; -INFINITY beside it.
double mn_sheet_height(const mn_fabric_view *f, double x, double z);

#endif
