// SPDX-License-Identifier: MPL-2.0
// output/frames.h - the parts of a frame as the world stands: particles, the surface of the liquid, obstacles,
// cloth, yarn and tubes of yarn, stains.
//
// A new part is one more entry of the table in frames.c: a name, whether it is wanted, and how it is filled.
#ifndef MN_OUTPUT_FRAMES_H
#define MN_OUTPUT_FRAMES_H

#include "meniscus/scene.h"
#include "output/vtp.h"
#include "world/state.h"

#define MN_FRAME_PARTS_MAX 16

typedef struct mn_frames mn_frames;

/// Prepare the parts of a world at its start (surfaces of the obstacles are made once, at rest).
mn_status mn_frames_create(mn_context *context, mn_world *world, const mn_output_def *output, mn_frames **out);
void      mn_frames_destroy(mn_frames **frames);
int       mn_frames_count(const mn_frames *frames);
/// Names of the parts, in a fixed order.
const char *const *mn_frames_names(const mn_frames *frames);
/// A part as the world is now. Borrows from the world and from `frames`: valid until the next step or call.
mn_status mn_frames_part(mn_frames *frames, int part, mn_frame_part *out);
/// Most parts of a picture.
#define MN_FRAME_SHOWN_MAX 6
/// All there is to see, whether it is written to files or not: obstacles, particles and in three dimensions the surface
/// of the liquid, stains, cloth and yarn. Valid until the next step or call.
mn_status mn_frames_shown(mn_frames *frames, mn_frame_part out[MN_FRAME_SHOWN_MAX], int *count);

#endif
