// SPDX-License-Identifier: MPL-2.0
// elastic/rod_frame.h - rotations of smallest angle, and angles between directors: the frames of rods (elastic-rods 4).
#ifndef MN_ELASTIC_ROD_FRAME_H
#define MN_ELASTIC_ROD_FRAME_H

#include "math/vec.h"

/// Below this 1 + a.b two unit vectors count as opposite: the rotation between them has no axis of its own.
#define MN_ROD_OPPOSITE 1e-12

/// A unit vector orthogonal to the unit vector t: the coordinate axis most across it, made orthogonal.
static inline mn_vec3 mn_rod_normal(mn_vec3 t)
{
    const double  x = fabs(t.x), y = fabs(t.y), z = fabs(t.z);
    const mn_vec3 axis = x <= y && x <= z ? mn_v3(1, 0, 0) : y <= z ? mn_v3(0, 1, 0) : mn_v3(0, 0, 1);
    const mn_vec3 n    = mn_sub3(axis, mn_scale3(mn_dot3(axis, t), t));
    return mn_scale3(1.0 / mn_norm3(n), n);
}

static inline mn_vec3 mn_rod_rotate_smallest(mn_vec3 u, mn_vec3 a, mn_vec3 b)
{
    const mn_vec3 w = mn_cross3(a, b), wu = mn_cross3(w, u);
    return mn_add3(mn_add3(u, wu), mn_scale3(1.0 / (1.0 + mn_dot3(a, b)), mn_cross3(w, wu)));
}

/// Parallel transport of u from the unit vector a to the unit vector b. Opposite vectors: two quarter turns by way of a
/// normal of a (elastic-rods 11.1).
static inline mn_vec3 mn_rod_transport(mn_vec3 u, mn_vec3 a, mn_vec3 b)
{
    if (1.0 + mn_dot3(a, b) > MN_ROD_OPPOSITE) return mn_rod_rotate_smallest(u, a, b);
    const mn_vec3 n = mn_rod_normal(a);
    return mn_rod_rotate_smallest(mn_rod_rotate_smallest(u, a, n), n, b);
}

/// The part of d across the unit vector t, as a unit vector.
static inline mn_vec3 mn_rod_across(mn_vec3 d, mn_vec3 t)
{
    const mn_vec3 n = mn_sub3(d, mn_scale3(mn_dot3(d, t), t));
    return mn_scale3(1.0 / mn_norm3(n), n);
}

/// Angle from u to w about t, all across t, in (-pi, pi].
static inline double mn_rod_angle(mn_vec3 u, mn_vec3 w, mn_vec3 t)
{
    return atan2(mn_dot3(t, mn_cross3(u, w)), mn_dot3(u, w));
}

/// The angle that equals `angle` up to whole turns and lies nearest to `near` (elastic-rods 11.3: twist is never
/// wrapped).
static inline double mn_rod_unwrap(double angle, double near)
{
    const double turn = 6.28318530717958647693;
    return angle + turn * rint((near - angle) / turn);
}

#endif
