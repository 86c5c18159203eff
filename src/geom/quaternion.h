// SPDX-License-Identifier: MPL-2.0
// geom/quaternion.h - unit quaternions, for the way between two turns.
#ifndef MN_GEOM_QUATERNION_H
#define MN_GEOM_QUATERNION_H

#include "math/vec.h"

typedef struct mn_quaternion {
    double  w;
    mn_vec3 v;
} mn_quaternion;

/// The turn by `angle` about the unit vector `axis`.
static inline mn_quaternion mn_quaternion_turn(mn_vec3 axis, double angle)
{
    return (mn_quaternion){ cos(0.5 * angle), mn_scale3(sin(0.5 * angle), axis) };
}
static inline mn_quaternion mn_quaternion_inverse(mn_quaternion q)
{
    return (mn_quaternion){ q.w, mn_scale3(-1.0, q.v) };
}
/// First b, then a.
static inline mn_quaternion mn_quaternion_mul(mn_quaternion a, mn_quaternion b)
{
    return (mn_quaternion){ a.w * b.w - mn_dot3(a.v, b.v),
                            mn_add3(mn_add3(mn_scale3(a.w, b.v), mn_scale3(b.w, a.v)), mn_cross3(a.v, b.v)) };
}
/// Unit axis and angle in [0, pi] of the turn. The axis of no turn is +y.
static inline void mn_quaternion_axis(mn_quaternion q, mn_vec3 *axis, double *angle)
{
    if (q.w < 0.0) q = (mn_quaternion){ -q.w, mn_scale3(-1.0, q.v) };
    const double s = mn_norm3(q.v);
    *angle         = 2.0 * atan2(s, q.w);
    *axis          = mn_unit3(q.v, mn_v3(0, 1, 0));
}

#endif
