// SPDX-License-Identifier: MPL-2.0
// output/run_read.h - which frames and parts a finished or running run has on the disk, and reading one of them.
#ifndef MN_OUTPUT_RUN_READ_H
#define MN_OUTPUT_RUN_READ_H

#include "base/file.h"
#include "output/record.h"
#include "output/vtp_read.h"

/// A part of the run: all files frames/NAME.NNNNNN.vtp.
typedef struct mn_run_part {
    char     name[128];  ///< as in the file names
    int64_t *file;       ///< frame numbers of its files, increasing
    int64_t  count, capacity;
} mn_run_part;

/// What a folder holds. Frames are those that run.json tells finished; without a readable run.json those that have a
/// file, `whole` is false and their times are NaN.
typedef struct mn_run_folder {
    char          out[MN_PATH_BYTES];
    mn_run_record record;
    bool          whole;
    int64_t      *frame;  ///< numbers, increasing
    double       *time;   ///< s
    int64_t       frame_count, frame_capacity;
    mn_run_part  *part;  ///< by name
    int64_t       part_count, part_capacity;
} mn_run_folder;

/// Look at a folder. MN_ERR_FILE if it does not exist or is not the folder of a run.
mn_status mn_run_folder_open(mn_context *context, const char *out, mn_run_folder **folder);
void      mn_run_folder_close(mn_context *context, mn_run_folder **folder);

/// Index of a part, or -1.
int64_t mn_run_folder_find(const mn_run_folder *folder, const char *part);
/// A part as it stands in a frame: its file of this frame, or the newest one before if it does not carry its time
/// (parts that do not move are written once). NULL with MN_OK if the part has no file up to this frame; MN_ERR_FILE
/// with a sentence if the file is missing or damaged.
mn_status mn_run_folder_read(mn_context *context, const mn_run_folder *folder, int64_t part, int64_t frame,
                             mn_vtp_part **out);

#endif
