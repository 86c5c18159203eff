// SPDX-License-Identifier: MPL-2.0
// output/vtp_read.h - a frame file read back: the part it was made of, or a sentence about what is wrong with it.
//
// Nothing in the file is believed: every offset, count and length is held against the bytes that are there, every
// corner against the points, every point against infinity. What comes back can be handed to mn_vtp_make again, which
// gives the same bytes; a file of an older version gets the look it lacks.
#ifndef MN_OUTPUT_VTP_READ_H
#define MN_OUTPUT_VTP_READ_H

#include "output/vtp.h"

/// Most arrays at the points of one file.
#define MN_VTP_ARRAYS_MAX 64

/// A part and the memory it lies in. Points are floats, `ends` is set with lines only, `cells` of vertices only if they
/// are not simply all points. The name is that of the file up to its first dot.
typedef struct mn_vtp_part {
    mn_frame_part  part;  ///< borrows from what follows
    char           name[128];
    mn_frame_array arrays[MN_VTP_ARRAYS_MAX];
    char           array_name[MN_VTP_ARRAYS_MAX][64];
    void          *block[MN_VTP_ARRAYS_MAX + 3];
    int            block_count;
} mn_vtp_part;

/// Read a file. MN_ERR_FILE with a sentence that begins with the path if it is missing, cut off or damaged.
mn_status mn_vtp_read(mn_context *context, const char *path, mn_vtp_part **out);
/// The same of bytes in memory; `path` is for the name and for sentences.
mn_status mn_vtp_parse(mn_context *context, const char *path, const unsigned char *data, size_t bytes,
                       mn_vtp_part **out);
/// Free and leave NULL. Accepts NULL.
void mn_vtp_part_destroy(mn_context *context, mn_vtp_part **part);

/// The array of this name at the points of a part, or NULL.
const mn_frame_array *mn_frame_array_find(const mn_frame_part *part, const char *name);
/// Component k of value i, whatever its type.
double mn_frame_array_value(const mn_frame_array *array, int64_t i, int k);

#endif
