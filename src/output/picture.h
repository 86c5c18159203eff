// SPDX-License-Identifier: MPL-2.0
// output/picture.h - pictures without a display: parts of a frame in, a PNG out.
#ifndef MN_OUTPUT_PICTURE_H
#define MN_OUTPUT_PICTURE_H

#include "meniscus/scene.h"
#include "output/vtp.h"

/// How to look at a world.
typedef struct mn_picture_view {
    int           dimension;          ///< 2: drawn flat, filling the picture
    int           up;                 ///< axis
    bool          bounded;            ///< whether low and high hold
    bool          walls;              ///< the edges of the domain are drawn
    double        low[3], high[3];    ///< cm, of the domain
    mn_camera_def camera;
    double        absorbs[3];         ///< 1/cm of red, green and blue light, by what is dissolved in the liquid. Default 0.
} mn_picture_view;

mn_picture_view mn_picture_view_of(const mn_world_def *world, const mn_camera_def *camera);

/// Draw the parts and add the PNG to an empty buffer: "surface" and vertices as liquid, "cloth" with two sides, "yarn"
/// round, other triangles as solids. The same input gives the same bytes for any number of threads.
mn_status mn_picture_make(mn_context *context, const mn_picture_view *view, const mn_frame_part *parts, int part_count, mn_buffer *png);

#endif
