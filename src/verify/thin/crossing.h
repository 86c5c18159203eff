// SPDX-License-Identifier: MPL-2.0
// verify/thin/crossing.h - do triangles pass through one another? Decided exactly, for layers that must not cross.
#ifndef MN_VERIFY_CROSSING_H
#define MN_VERIFY_CROSSING_H

#include "base/context.h"
#include "math/vec.h"

/// Sign of det(a - d, b - d, c - d): on which side of the plane through a, b, c the point d lies. Never rounded: exact
/// unless products of three coordinates leave the range of doubles.
int mn_orientation(mn_vec3 a, mn_vec3 b, mn_vec3 c, mn_vec3 d);

/// Whether two triangles cross: an edge of one has its ends strictly on different sides of the other and meets it.
/// Layers that only touch, or lie in one plane, do not cross.
bool mn_triangles_cross(const mn_vec3 a[3], const mn_vec3 b[3]);

/// Number of pairs that cross among triangles that share no vertex.
mn_status mn_count_crossings(mn_context *c, const mn_vec3 *x, const int32_t (*triangle)[3], int64_t count,
                             int64_t *crossings);

#endif
