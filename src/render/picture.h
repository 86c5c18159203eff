// SPDX-License-Identifier: MPL-2.0
// render/picture.h - one frame as a traced picture.
#ifndef MN_RENDER_PICTURE_H
#define MN_RENDER_PICTURE_H

#include "meniscus/render.h"
#include "render/colormap.h"
#include "render/film.h"

/// What is the same for all pictures of a run.
typedef struct mn_shot {
    int               width, height;
    mn_render_quality quality;
    mn_camera_def     camera;
    mn_f3             up;
    bool              level;          ///< a world of two dimensions
    bool              glass;          ///< obstacles are clear
    mn_box_f          box;            ///< of everything that is ever shown
    mn_field_choice   field;
    mn_ticks          ticks;          ///< of its legend
} mn_shot;

/// Trace the parts of one frame and add the PNG to an empty buffer. *bytes, if not NULL, becomes what the tracer held.
mn_status mn_render_picture(mn_context *context, const mn_shot *shot, const mn_frame_part *parts, int count, mn_buffer *png, int64_t *bytes);

#endif
