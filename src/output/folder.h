// SPDX-License-Identifier: MPL-2.0
// output/folder.h - names in an output folder, what it holds, and cleaning it up before a run goes on.
#ifndef MN_OUTPUT_FOLDER_H
#define MN_OUTPUT_FOLDER_H

#include "base/file.h"

/// checkpoints/000048.state, or checkpoints/000048+000017.state: 17 steps after frame 48.
typedef struct mn_checkpoint_id {
    int64_t frame, steps;
} mn_checkpoint_id;

#define MN_CHECKPOINT_NAME_BYTES 80
void mn_checkpoint_name(mn_checkpoint_id id, char name[MN_CHECKPOINT_NAME_BYTES]);  ///< with "checkpoints/" before it
bool mn_checkpoint_id_parse(const char *name, mn_checkpoint_id *out);               ///< without

typedef struct mn_checkpoint_list {
    mn_checkpoint_id *id;  ///< oldest first
    int64_t           count, capacity;
    bool              has_old;  ///< there are some of an earlier version, which are not in the list
} mn_checkpoint_list;

mn_status mn_checkpoint_list_read(mn_context *context, const char *out, mn_checkpoint_list *list);
/// Add at the end, or nothing if it is there.
mn_status mn_checkpoint_list_add(mn_context *context, mn_checkpoint_list *list, mn_checkpoint_id id);
void      mn_checkpoint_list_free(mn_context *context, mn_checkpoint_list *list);

/// The first of our names that is in the folder, or NULL. A missing folder holds none.
const char *mn_folder_first_of_ours(const char *out);
mn_status   mn_folder_make(mn_context *context, const char *out, bool pictures);
/// Remove temporary files, and the frame files and pictures of frames after `last_frame`.
mn_status mn_folder_clean(mn_context *context, const char *out, int64_t last_frame);
/// Read a file of the folder; one that is missing is empty. Free with mn_free.
mn_status mn_folder_read(mn_context *context, const char *out, const char *name, const mn_file_kind *kind,
                         unsigned char **data, size_t *bytes);
/// What is in it, and how large each may be.
extern const mn_file_kind mn_record_file, mn_table_file, mn_log_file, mn_frame_file;
mn_status mn_folder_write(mn_context *context, const char *out, const char *name, const void *data, size_t bytes);

/// The frame number in NAME.000048.ENDING, or -1.
int64_t mn_frame_of_file(const char *name, const char *ending);

#endif
