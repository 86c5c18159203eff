// SPDX-License-Identifier: MPL-2.0
// output/frames.h - the parts of a frame as the world stands, each made once, for files and for pictures.
#ifndef MN_OUTPUT_FRAMES_H
#define MN_OUTPUT_FRAMES_H

#include "meniscus/scene.h"
#include "output/vtp.h"

typedef struct mn_frames mn_frames;

/// Prepare the parts of a world at its start (surfaces of the obstacles are made once, at rest).
mn_status mn_frames_create(mn_context *context, mn_world *world, const mn_output_def *output, mn_frames **out);
void      mn_frames_destroy(mn_frames **frames);

/// The world has changed: parts asked for from here on are those of its present state. What came before is no longer
/// valid.
void mn_frames_begin(mn_frames *frames);

/// Parts that are written: those that the world has and the definition asks for.
int mn_frames_count(const mn_frames *frames);
/// Their names, in a fixed order.
const char *const *mn_frames_names(const mn_frames *frames);
/// Whether a part does not carry its time.
bool mn_frames_is_timeless(const mn_frames *frames, int part);
/// A part for its file, with the fields that the definition asks for. Borrows from the world and from `frames`: valid
/// until the next step or mn_frames_begin.
mn_status mn_frames_part(mn_frames *frames, int part, mn_frame_part *out);

/// All there is to see, whether it is written to files or not, with all that is known of it. Borrows likewise.
mn_status mn_frames_shown(mn_frames *frames, const mn_frame_part **out, int *count);

/// Images for renderers, beside the files of the parts. `name` is that of the file, as a part has one.
int       mn_frames_image_count(const mn_frames *frames);
mn_status mn_frames_image(mn_frames *frames, int image, char name[128], mn_buffer *png);

#endif
