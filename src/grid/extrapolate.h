// SPDX-License-Identifier: MPL-2.0
// grid/extrapolate.h - face values where there is no liquid (liquid 5.5).
#ifndef MN_GRID_EXTRAPOLATE_H
#define MN_GRID_EXTRAPOLATE_H

#include "grid/tiles.h"

typedef enum mn_extrapolate_mode {
    MN_EXTRAPOLATE_AVERAGE,  ///< mean of the known neighbours: quiet waves
    MN_EXTRAPOLATE_LINEAR,   ///< mean of 2 u1 - u2 where two known faces follow each other: keeps angular momentum
} mn_extrapolate_mode;

/// Extend a staggered field by `layers` (at most 254) layers of faces, each from the six neighbours known before it.
/// known[a][face]: 0 unknown, else known; layer k becomes k + 1. Tile 0 must be unknown. 2D: axes 0 and 1 only.
mn_status mn_extrapolate_faces(mn_context *c, mn_arena *arena, const mn_tiles *tiles, mn_extrapolate_mode mode,
                               int layers, double *const velocity[3], uint8_t *const known[3]);

#endif
