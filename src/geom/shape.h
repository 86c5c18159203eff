// SPDX-License-Identifier: MPL-2.0
// geom/shape.h - evaluating shapes inside the library.
#ifndef MN_GEOM_SHAPE_H
#define MN_GEOM_SHAPE_H

#include "math/vec.h"
#include "meniscus/shape.h"

/// Signed distance at one point.
double mn_shape_at(const mn_shape *shape, mn_vec3 x);
/// Distance and its gradient (unit length away from kinks).
double mn_shape_normal(const mn_shape *shape, mn_vec3 x, mn_vec3 *gradient);
/// A lower bound of |distance| that is cheap: used to skip whole tiles. Never larger than the true one.
/// For simple shapes simply the distance.
double mn_shape_bound(const mn_shape *shape, mn_vec3 x);
/// The same with the sign of the distance: negative inside.
double mn_shape_signed_bound(const mn_shape *shape, mn_vec3 x);
/// Hash of everything that defines the shape, mesh contents included.
uint64_t      mn_shape_hash(const mn_shape *shape);
mn_shape_kind mn_shape_kind_of(const mn_shape *shape);

#endif
