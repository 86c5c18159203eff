// SPDX-License-Identifier: MPL-2.0
// output/h5.h - HDF5 files in memory: it never touches the disk, so that all writes go through one place.
#ifndef MN_OUTPUT_H5_H
#define MN_OUTPUT_H5_H

#include "base/fields.h"
#include "output/buffer.h"

#include <hdf5.h>

/// Between enter and leave HDF5 belongs to the caller and prints nothing; its own settings are put back after.
/// (The library keeps hidden state and is usually built without locks of its own.)
typedef struct mn_h5_session {
    H5E_auto2_t report;
    void       *report_data;
} mn_h5_session;
void mn_h5_enter(mn_h5_session *session);
void mn_h5_leave(const mn_h5_session *session);

/// A new file in the memory of an empty buffer, or a negative number. The buffer stays empty until the file is
/// finished; what is reserved in it beforehand need not grow.
hid_t mn_h5_create(mn_buffer *out);
/// Close the file and leave its bytes in the buffer.
bool mn_h5_finish(hid_t *file, mn_buffer *out);
/// Open bytes for reading, or a negative number. The bytes are copied.
hid_t mn_h5_open(const void *data, size_t bytes);
void  mn_h5_close(hid_t *file);

/// A group without times, so that equal contents are equal bytes; close with H5Gclose.
hid_t mn_h5_make_group(hid_t parent, const char *name);

bool mn_h5_put_text(hid_t object, const char *name, const char *text);
bool mn_h5_put_scalar(hid_t object, const char *name, mn_type type, const void *value);
bool mn_h5_put_array(hid_t group, const char *name, mn_type type, const void *data, int64_t count, const char *unit,
                     const char *help);

/// False if it is missing or has another type or length. Text is cut to `bytes` - 1.
bool mn_h5_get_text(hid_t object, const char *name, char *text, size_t bytes);
bool mn_h5_get_scalar(hid_t object, const char *name, mn_type type, void *value);
bool mn_h5_get_array(hid_t group, const char *name, mn_type type, void *data, int64_t count);

#endif
