// SPDX-License-Identifier: MPL-2.0
// meniscus/render.h - traced pictures of the frames in an output folder. Needs a build with Embree 3.
#ifndef MENISCUS_RENDER_H
#define MENISCUS_RENDER_H

#include "meniscus/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mn_render_quality {
    MN_RENDER_DRAFT,  ///< 4 samples a pixel; what noise is left is filtered out
    MN_RENDER_FINE    ///< 16 to 96, as each pixel needs, more bounces, and little left to filter
} mn_render_quality;

/// A frame is done, or was left out since its files are damaged.
typedef struct mn_render_progress {
    int64_t     frame, done, wanted;  ///< number of the frame; pictures tried, to try
    double      seconds;              ///< of this picture
    int64_t     tracer_bytes;         ///< memory of its trees
    const char *file;                 ///< written, or NULL if the frame was left out
    const char *warning;              ///< why, or NULL
} mn_render_progress;

/// Called on the caller's thread after every frame. Return false to stop: MN_ERR_INTERRUPTED.
typedef bool mn_render_fn(const mn_render_progress *progress, void *user);

typedef struct mn_render_def {
    const char       *out;          ///< the output folder of a run
    const char       *to;           ///< folder for NNNNNN.png, made if missing; NULL: OUT/render
    mn_render_quality quality;      ///< Default draft.
    int               size[2];      ///< pixels, 1 to 16384; 0: as the scene's camera has it
    const char       *field;        ///< shown by colour with a legend; NULL: things look like themselves
    bool              glass;        ///< obstacles are clear glass, to look into vessels. Default false.
    int64_t           first, last;  ///< frames; last < 0: to the end
    int64_t           every;        ///< one of so many, >= 1. Default 1.
    mn_render_fn     *progress;     ///< may be NULL
    void             *progress_user;
    uint32_t          cookie;
} mn_render_def;

typedef struct mn_render_report {
    int64_t pictures, skipped;  ///< written; left out since their files are damaged
    double  frame_rate;         ///< pictures per second of the run's time; 0: not known
    char    folder[4096];       ///< where they are
} mn_render_report;

MN_API mn_render_def mn_render_def_default(void);

/// Trace pictures of a run's frames. Pictures are replaced as a whole, never half. A damaged frame is left out with a
/// warning; MN_ERR_FILE if there is no run or no frame at all, MN_ERR_ARGUMENT if no part has the field (the sentence
/// lists those there are), MN_ERR_STATE in a build without Embree.
MN_API mn_status mn_render_run(mn_context *context, const mn_render_def *def, mn_render_report *report);

#ifdef __cplusplus
}
#endif
#endif
