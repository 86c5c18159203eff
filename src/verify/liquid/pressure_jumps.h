// SPDX-License-Identifier: MPL-2.0
// verify/liquid/pressure_jumps.h - the box of S2.4 with coefficients that jump by 1:1000 in many layouts (S2.6).
#ifndef MN_VERIFY_PRESSURE_JUMPS_H
#define MN_VERIFY_PRESSURE_JUMPS_H

#include "verify/liquid/pressure_cases.h"

typedef enum mn_jump_kind {
    MN_JUMP_NONE,  ///< the constant case
    MN_JUMP_HALF,  ///< half the box soft
    MN_JUMP_BALL,
    MN_JUMP_QUARTERS,  ///< stripes of a quarter of the box
    MN_JUMP_STRIPES,   ///< `width` cells, across `axis`
    MN_JUMP_BLOCKS,    ///< a checkerboard of blocks of `width` cells
    MN_JUMP_SHEETS,    ///< soft sheets of `width` cells every 16, turned by 30 degrees
    MN_JUMP_PLATES,    ///< the same, hard in soft
    MN_JUMP_LOGNORMAL  ///< every face for itself; 1:1000 between -2 and 2 standard deviations
} mn_jump_kind;

typedef struct mn_jump_layout {
    const char  *name;
    mn_jump_kind kind;
    int          axis;
    int32_t      width;
} mn_jump_layout;

/// Ends with a layout without a name.
extern const mn_jump_layout mn_jump_layouts[];

/// The box of n^3 cells with the coefficients of the layout.
mn_status mn_pressure_case_jump(mn_arena *arena, int32_t n, const mn_jump_layout *layout, mn_pressure_case *out);

#endif
