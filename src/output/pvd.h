// SPDX-License-Identifier: MPL-2.0
// output/pvd.h - run.pvd: every part of every frame with its time, for ParaView.
#ifndef MN_OUTPUT_PVD_H
#define MN_OUTPUT_PVD_H

#include "output/buffer.h"

/// One file of a part. A part that did not change since is not written again: later frames use the same file.
typedef struct mn_pvd_file {
    int     part;  ///< index into the names
    int64_t frame;
} mn_pvd_file;

typedef struct mn_pvd {
    const char *const *names;  ///< of the parts, borrowed
    int                name_count;
    mn_pvd_file       *files;  ///< by frame
    int64_t            count, capacity;
} mn_pvd;

mn_status mn_pvd_add(mn_context *context, mn_pvd *pvd, int part, int64_t frame);
void      mn_pvd_free(mn_context *context, mn_pvd *pvd);

/// The text for frames first .. last at frame / frame_rate seconds.
mn_status mn_pvd_write(mn_context *context, const mn_pvd *pvd, int64_t first, int64_t last, double frame_rate,
                       mn_buffer *out);

/// Name of the file of a part: frames/NAME.000048.vtp. Bytes a file name should not hold become '_'.
void mn_frame_file_name(char *name, size_t bytes, const char *part, int64_t frame);
/// The same with another ending, without its dot.
void mn_frame_name(char *name, size_t bytes, const char *part, int64_t frame, const char *ending);

#endif
