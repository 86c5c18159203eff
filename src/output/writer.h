// SPDX-License-Identifier: MPL-2.0
// output/writer.h - a thread that puts finished buffers on the disk while the simulation goes on.
//
// Jobs are done one at a time and in order. After a failed job all later ones are dropped, so that what is on the disk
// is always a beginning of what was handed over; the failure is returned by the next call.
#ifndef MN_OUTPUT_WRITER_H
#define MN_OUTPUT_WRITER_H

#include "base/file.h"
#include "output/buffer.h"

typedef enum mn_write_mode {
    MN_WRITE_ATOMIC,  ///< replace the file as a whole
    MN_WRITE_APPEND,  ///< add to its end
    MN_WRITE_REMOVE   ///< remove it; no buffer
} mn_write_mode;

typedef struct mn_writer_def {
    const char *folder;        ///< on the file system whose free space counts
    double      disk_reserve;  ///< MB that must stay free; below it the writer waits
    double      poll_seconds;  ///< how often it looks again. Default 1.
    size_t      queue_bytes;   ///< handed over and not yet written; more makes the caller wait. Default 512 MB.
    bool (*stop)(void *user);  ///< asked on the caller's thread while it waits; true: do not wait for space
    void *stop_user;
} mn_writer_def;

mn_writer_def mn_writer_def_default(const char *folder);

typedef struct mn_writer mn_writer;

mn_status mn_writer_create(mn_context *context, const mn_writer_def *def, mn_writer **out);
/// An empty buffer to fill, used before if possible. Give it back by mn_writer_submit or mn_writer_return.
mn_status mn_writer_take(mn_writer *w, mn_buffer **out);
void      mn_writer_return(mn_writer *w, mn_buffer *buffer);
/// Hand over a filled buffer (in any case it is no longer the caller's). Waits while too much is queued.
mn_status mn_writer_submit(mn_writer *w, mn_write_mode mode, const char *path, mn_buffer *buffer);
/// Wait until everything is done; the first failure since the last mn_writer_forgive.
mn_status mn_writer_flush(mn_writer *w);
/// Do not wait for free space any more: what is queued uses the reserve.
void mn_writer_stop_waiting(mn_writer *w);
/// Forget a failure, so that a last checkpoint can be tried.
void mn_writer_forgive(mn_writer *w);
/// Finish the queue, end the thread, leave NULL. Returns the failure, if any.
mn_status mn_writer_destroy(mn_writer **writer);

#endif
