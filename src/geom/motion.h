// SPDX-License-Identifier: MPL-2.0
// geom/motion.h - where a scripted thing is at a time, and how fast each of its points moves.
#ifndef MN_GEOM_MOTION_H
#define MN_GEOM_MOTION_H

#include "math/vec.h"
#include "meniscus/shape.h"

typedef struct mn_motion mn_motion;

/// Checks the definition (times increasing, values finite, axes not zero) and copies it.
mn_status mn_motion_create(mn_context *context, const mn_motion_def *def, mn_motion **out);
void      mn_motion_destroy(mn_context *context, mn_motion **motion);

/// World point = rotation * rest point + translation. With velocity of a world point x:
/// linear + angular x (x - center).
typedef struct mn_pose {
    mn_mat3 rotation;
    mn_vec3 translation;
    mn_vec3 linear, angular, center;  ///< cm/s, rad/s, cm
} mn_pose;

/// The pose at time t; NULL motion gives the identity at rest. Velocities are exact derivatives.
mn_pose mn_motion_pose(const mn_motion *motion, double t);
/// Whether the pose is the same at all times.
bool mn_motion_is_still(const mn_motion *motion);

static inline mn_vec3 mn_pose_point(const mn_pose *p, mn_vec3 rest)
{
    return mn_add3(mn_mul3(p->rotation, rest), p->translation);
}
static inline mn_vec3 mn_pose_rest(const mn_pose *p, mn_vec3 x)
{
    return mn_mul3_transposed(p->rotation, mn_sub3(x, p->translation));
}
static inline mn_vec3 mn_pose_velocity(const mn_pose *p, mn_vec3 x)
{
    return mn_add3(p->linear, mn_cross3(p->angular, mn_sub3(x, p->center)));
}

#endif
