// SPDX-License-Identifier: MPL-2.0
// stain/weave/weft.h - the direction of the weft on each triangle, from a few that the user gives (stain 5.6).
#ifndef MN_STAIN_WEFT_H
#define MN_STAIN_WEFT_H

#include "base/arena.h"
#include "stain/surface.h"

/// At a triangle the weft points along a vector, of which the part in the triangle counts.
typedef struct mn_stain_direction {
    int32_t triangle;
    mn_vec3 along;
} mn_stain_direction;

/// The smoothest field of each patch (id per triangle; NULL: one patch) that has the given directions: `angle` (per
/// triangle, rad) from the triangle's first axis. x are the positions that the surface was measured with. Refused: a
/// patch without direction, a direction across its triangle, and a field with a place where it has none (a singularity:
/// give one more direction there).
mn_status mn_stain_weft(const mn_stain_surface *s, const mn_vec3 *x, const int32_t *patch, int64_t count,
                        const mn_stain_direction *directions, double *angle, mn_arena *arena);

#endif
