// SPDX-License-Identifier: MPL-2.0
// meniscus/run.h - a run: a scene, its world, and the output folder that can be resumed after anything.
#ifndef MENISCUS_RUN_H
#define MENISCUS_RUN_H

#include "meniscus/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mn_run_progress {
    int64_t frame, frames;        ///< done, wanted
    double  time, dt;             ///< s
    int64_t particles, vertices;  ///< of liquid, of fabric
    double  seconds, seconds_left;
    bool    frame_done;           ///< a frame was just finished (otherwise: a step)
} mn_run_progress;

/// Called after every step and frame on the caller's thread. Return false to interrupt: the run then writes a
/// checkpoint and mn_run_advance returns MN_ERR_INTERRUPTED.
typedef bool mn_progress_fn(const mn_run_progress *progress, void *user);

typedef struct mn_run_def {
    const char     *out;           ///< the output folder; NULL: no files at all
    bool            resume;        ///< continue from the newest good checkpoint in the folder
    const char     *from;          ///< "OUT:FRAME": start from a checkpointed frame of another run, or NULL; the new
                                   ///< run keeps that frame's number and time
    int64_t         frames;        ///< number of the last frame to make; < 0: as many as reach time.end
    bool            pictures;      ///< also write pictures/NNNNNN.png
    mn_progress_fn *progress;      ///< may be NULL
    void           *progress_user;
} mn_run_def;

MN_API mn_run_def mn_run_def_default(void);

typedef struct mn_run mn_run;

/// Prepare the folder and the world (fresh, resumed or branched). The scene must outlive the run.
MN_API mn_status mn_run_create(mn_context *context, mn_scene *scene, const mn_run_def *def, mn_run **out);
/// Run to the end, frame by frame.
MN_API mn_status mn_run_advance(mn_run *run);
MN_API mn_world *mn_run_world(mn_run *run);
/// Finish pending writes, close the folder and leave NULL.
MN_API mn_status mn_run_destroy(mn_run **run);

/// What a run made, its ledger in a few lines, and where the time went, as text. Reads the folder only.
/// Free with mn_text_free.
MN_API mn_status mn_run_info(mn_context *context, const char *out, char **text);

#ifdef __cplusplus
}
#endif
#endif
