// SPDX-License-Identifier: MPL-2.0
// geom/images.h - a shape in a world that repeats: whether a point is inside the shape or one of its images.
#ifndef MN_GEOM_IMAGES_H
#define MN_GEOM_IMAGES_H

#include "geom/motion.h"
#include "geom/shape.h"

/// The box around a shape in its pose; false if it has no end.
bool mn_posed_bounds(const mn_shape *shape, const mn_pose *pose, mn_vec3 *low, mn_vec3 *high);

typedef struct mn_images {
    const mn_shape *shape;
    mn_pose         pose;
    mn_vec3         low, high;  ///< box around the shape in its pose
    double          period[3];  ///< cm; 0: not repeated along this axis
} mn_images;

/// `period` is 0 along axes that do not repeat. A shape without end (a plane) is not repeated, as it is not as an
/// obstacle.
mn_images mn_images_of(const mn_shape *shape, const mn_pose *pose, mn_vec3 period);
/// Whether x is inside the shape or an image of it, however many overlap there. *shift (may be NULL) leads from x to
/// the place inside the shape itself that it stands for; zero if that is x.
bool mn_images_inside(const mn_images *images, mn_vec3 x, mn_vec3 *shift);

#endif
