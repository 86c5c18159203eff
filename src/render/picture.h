// SPDX-License-Identifier: MPL-2.0
// render/picture.h - one frame as a traced picture.
#ifndef MN_RENDER_PICTURE_H
#define MN_RENDER_PICTURE_H

#include "render/film.h"
#include "render/shot.h"

/// Trace the parts of one frame and add the PNG to an empty buffer. *bytes, if not NULL, becomes what the tracer held.
mn_status mn_render_picture(mn_context *context, const mn_shot *shot, const mn_frame_part *parts, int count,
                            mn_buffer *png, int64_t *bytes);

#endif
