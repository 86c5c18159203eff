// SPDX-License-Identifier: MPL-2.0
// geom/primitive.h - exact signed distances of the simple solids, with the direction of steepest growth.
#ifndef MN_GEOM_PRIMITIVE_H
#define MN_GEOM_PRIMITIVE_H

#include "math/vec.h"
#include "meniscus/shape.h"

/// What the distance of a simple solid needs. `axis` and `across` are unit vectors at right angles.
typedef struct mn_primitive {
    mn_shape_kind kind;
    mn_vec3       center, axis, across;
    mn_vec3       half;  ///< of a box: half its size
    double        radius[2];
    double        half_height;
} mn_primitive;

/// Signed distance at x (a disc has no inside: its distance is never negative). `gradient` may be NULL; it is of unit
/// length everywhere: on a kink or at a centre it is one of the directions that are closest.
double mn_primitive_at(const mn_primitive *p, mn_vec3 x, mn_vec3 *gradient);
/// The box around it; infinite for a plane.
void mn_primitive_bounds(const mn_primitive *p, mn_vec3 *low, mn_vec3 *high);

#endif
