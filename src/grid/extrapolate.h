// SPDX-License-Identifier: MPL-2.0
// grid/extrapolate.h - face values where there is no liquid, and face values between faces (liquid 5.5, 5.7).
#ifndef MN_GRID_EXTRAPOLATE_H
#define MN_GRID_EXTRAPOLATE_H

#include "grid/tiles.h"

typedef enum mn_extrapolate_mode {
    MN_EXTRAPOLATE_AVERAGE,     ///< mean of the known neighbours: quiet waves
    MN_EXTRAPOLATE_LINEAR,      ///< mean of 2 u1 - u2 where two known faces follow each other: keeps angular momentum
} mn_extrapolate_mode;

/// Extend a staggered field by `layers` (at most 254) layers of faces, each from the six neighbours known before it.
/// known[a][face]: 0 unknown, else known; layer k becomes k + 1. Tile 0 must be unknown. 2D: axes 0 and 1 only.
mn_status mn_extrapolate_faces(mn_context *c, mn_arena *arena, const mn_tiles *tiles, mn_extrapolate_mode mode, int layers,
                               double *const velocity[3], uint8_t *const known[3]);

/// Linear interpolation between the faces of one axis at a point (cm); faces without a tile count as 0.
double mn_face_value(const mn_tiles *tiles, int axis, const double *field, const double point[3]);
/// All components; in 2D the third is 0.
mn_vec3 mn_faces_value(const mn_tiles *tiles, const double *const field[3], const double point[3]);
/// The same for many points: value[a][p]. In 2D value[2] is not touched.
void mn_faces_interpolate(mn_context *c, const mn_tiles *tiles, const double *const field[3], const double *const point[3],
                          int64_t count, double *const value[3]);

#endif
