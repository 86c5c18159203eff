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
    bool    frame_done;  ///< a frame was just finished (otherwise: a step)
} mn_run_progress;

/// Called after every step and frame on the caller's thread. Return false to interrupt: the run then writes a
/// checkpoint and mn_run_advance returns MN_ERR_INTERRUPTED.
typedef bool mn_progress_fn(const mn_run_progress *progress, void *user);

typedef struct mn_run_def {
    const char *out;           ///< the output folder; NULL: no files at all
    bool        resume;        ///< continue from the newest good checkpoint in the folder
    const char *from;          ///< "OUT:FRAME": start from a checkpointed frame of another run, or NULL; the new
                               ///< run keeps that frame's number and time
    int64_t         frames;    ///< number of the last frame to make; < 0: as many as reach time.end
    bool            pictures;  ///< also write pictures/NNNNNN.png
    mn_progress_fn *progress;  ///< may be NULL
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

/// Charts of the run's ledger, probes and timings as SVG and PNG in its folder plots; `*charts` is their number.
/// Columns that are zero throughout are left out. MN_ERR_ARGUMENT if the folder is none of a run.
MN_API mn_status mn_run_plot(mn_context *context, const char *out, int64_t *charts);

/// Formats other programs read. The first three are a file a part and frame; a point cache is a file a part; USD is
/// one, and so is a page that shows the frames in a browser.
typedef enum mn_export_format {
    MN_EXPORT_VTP,
    MN_EXPORT_PLY,
    MN_EXPORT_OBJ,
    MN_EXPORT_PC2,
    MN_EXPORT_USDA,
    MN_EXPORT_HTML
} mn_export_format;

typedef struct mn_export_result {
    int64_t files;
    double  bytes;        ///< of all files
    int64_t skipped;      ///< frame files that could not be read
    char    reason[512];  ///< the sentence about the last of them
} mn_export_result;

/// Translate the frames of a run into files in the folder `to`, which is made. Damaged frame files are left out and
/// counted, but for a point cache, which fails. Reads the folder of the run only.
MN_API mn_status mn_run_export(mn_context *context, const char *out, mn_export_format format, const char *to,
                               mn_export_result *result);

/// One page with the frames of a run and all it needs to show them, with a choice of what it holds.
typedef struct mn_page_def {
    const char *out;          ///< the folder of the run
    const char *to;           ///< the file to write; its folder is made if missing
    int64_t     first, last;  ///< frames; last < 0: to the end
    int64_t     every;        ///< one of so many, >= 1. Default 1.
    const char *fields;       ///< values to colour by, with commas between; NULL: all there are
    double      limit;        ///< bytes the page may have. Default 2e8.
    uint32_t    cookie;
} mn_page_def;

MN_API mn_page_def mn_page_def_default(void);

/// Write the page. MN_ERR_ARGUMENT if there is no run, no such frame or no such field (the sentence lists those there
/// are), or if the page would be larger than the limit; MN_ERR_STATE in a build without the viewer. mn_run_export with
/// MN_EXPORT_HTML writes run.html with everything.
MN_API mn_status mn_run_export_page(mn_context *context, const mn_page_def *def, mn_export_result *result);

#ifdef __cplusplus
}
#endif
#endif
