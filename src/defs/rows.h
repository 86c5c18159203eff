// SPDX-License-Identifier: MPL-2.0
// defs/rows.h - how the rows of sections are written; for files of rows alone.
#ifndef MN_DEFS_ROWS_H
#define MN_DEFS_ROWS_H

#include "defs/defs.h"

#include <math.h>

#define AT(type, member) offsetof(type, member)
#define NO_LIMIT         INFINITY
/// A range as one argument of a macro.
#define RANGE(low, high) low, high

// clang-format off
/// A section of a scene alone; one whose rows begin with the definition `type` of C.
#define SECTION(title_, rows) { .title = title_, .settings = rows, .count = (int)(sizeof(rows) / sizeof(rows)[0]) }
#define SECTION_OF(type, title_, rows) \
    { .title = title_, .settings = rows, .count = (int)(sizeof(rows) / sizeof(rows)[0]), .bytes = sizeof(type) }
// clang-format on
#define KINDS(list) .kinds = list, .count = (int)(sizeof(list) / sizeof(list)[0])

/// Whoever is turned has the angle right behind the axis, as mn_section_turn reads them.
#define IS_TURN(type) \
    _Static_assert(AT(type, angle) - AT(type, axis) == AT(mn_turn, angle), "layout of the turn of " #type)

#endif
