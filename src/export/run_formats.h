// SPDX-License-Identifier: MPL-2.0
// export/run_formats.h - formats that hold a whole run, or all moments of one part, in one file.
#ifndef MN_EXPORT_RUN_FORMATS_H
#define MN_EXPORT_RUN_FORMATS_H

#include "meniscus/run.h"
#include "output/run_read.h"

/// Frames a file cannot have: their number, and the sentence about the last one.
typedef struct mn_export_skipped {
    int64_t count;
    char    last[512];
} mn_export_skipped;

/// USD as text: every part with its points, what joins them, velocities, widths and all its values as samples over
/// time. The number of a frame is its time code. `up` is the axis that points up, 0 to 2.
mn_status mn_usda_write(mn_context *context, const mn_run_folder *folder, int up, const char *path,
                        mn_export_skipped *skipped);

/// PC2 point cache of one part. MN_ERR_ARGUMENT if the number of its points changes: the format cannot say that. Fails
/// if a frame cannot be read.
mn_status mn_pc2_write(mn_context *context, const mn_run_folder *folder, int64_t part, const char *path);

/// A page that shows the frames, made of an empty one (`page`, with MN_VIEWER_MARK where the run goes). `def` tells
/// which frames and fields and how large it may be; its paths are not looked at. `scene` tells the name, the camera and
/// the axis that points up.
mn_status mn_html_write(mn_context *context, const mn_run_folder *folder, const mn_scene *scene, const mn_page_def *def,
                        const unsigned char *page, size_t page_bytes, const char *path, mn_export_skipped *skipped);

/// Number of files of a part that belong to finished frames; one more may be there while a run goes on.
int64_t mn_export_files(const mn_run_folder *folder, int64_t part);

/// The first file of a part that can be read: it tells what kind of thing the part is and what is known of it. NULL
/// with MN_OK if there is none; damaged ones are not counted.
mn_status mn_export_first(mn_context *context, const mn_run_folder *folder, int64_t part, mn_vtp_part **out);

/// A part in a frame for which it has its own file; NULL with MN_OK if the file is damaged, which is then counted.
mn_status mn_export_read(mn_context *context, const mn_run_folder *folder, int64_t part, int64_t frame,
                         mn_vtp_part **out, mn_export_skipped *skipped);

#endif
