// SPDX-License-Identifier: MPL-2.0
// base/file.h - the only place that touches the disk. Every return value is looked at.
//
// These functions also run on the writer thread, whose failures do not reach the context's error text, so they put
// their sentence into an mn_file_error; mn_file_fail hands it to the context on the caller's thread.
#ifndef MN_BASE_FILE_H
#define MN_BASE_FILE_H

#include "base/memory.h"

#define MN_PATH_BYTES 4096
/// Ending of the temporary name under which a file is written before it is renamed.
#define MN_PARTIAL_ENDING ".partial"

typedef struct mn_file_error {
    mn_status status;
    int       reason;                     ///< where the reason begins in the text
    char      text[MN_PATH_BYTES + 256];  ///< "OUT/run.json: No space left on device"
} mn_file_error;

/// Pass the failure on to the context; returns its status.
mn_status mn_file_fail(mn_context *context, const mn_file_error *error);

/// folder/name, or MN_ERR_FILE if it is longer than MN_PATH_BYTES.
mn_status mn_path_join(char path[MN_PATH_BYTES], const char *folder, const char *name, mn_file_error *error);

/// "No such file or directory": what is behind the path in the text.
const char *mn_file_reason(const mn_file_error *error);

// Reading (file_read.c). There is no other way to the contents of a file: its kind and its size are looked at before it
// is opened and before a byte is read. What is no regular file is refused with what it is; a pipe is not waited for.

/// What a file should be, and the most bytes that such a file may have: `static const mn_file_kind weave_file = ...`.
typedef struct mn_file_kind {
    const char *what;  ///< "a weave"
    int64_t     most;
} mn_file_kind;

/// A file that is being read. `bytes` is its size as it was opened; one that grows meanwhile is read up to there.
typedef struct mn_file_source {
    int     fd;
    int64_t bytes;
} mn_file_source;

/// Whether there is such a file, without opening it.
mn_status mn_file_look(const char *path, const mn_file_kind *kind, mn_file_error *error);
mn_status mn_file_open(mn_file_source *source, const char *path, const mn_file_kind *kind, mn_file_error *error);
/// `bytes` bytes from `offset` on; a file that ends before is refused.
mn_status mn_file_read_at(const mn_file_source *source, const char *path, int64_t offset, void *data, size_t bytes,
                          mn_file_error *error);
void      mn_file_close(mn_file_source *source);
/// Everything in a file, followed by a zero byte that is not counted. Free with mn_free. The failure is the context's
/// with mn_file_read; else the caller makes a sentence of it.
mn_status mn_file_read(mn_context *context, const char *path, const mn_file_kind *kind, unsigned char **data,
                       size_t *bytes);
mn_status mn_file_read_whole(mn_context *context, const char *path, const mn_file_kind *kind, unsigned char **data,
                             size_t *bytes, mn_file_error *error);
bool      mn_file_exists(const char *path);
mn_status mn_file_size(const char *path, double *bytes, mn_file_error *error);

/// Replace a file as a whole: temporary name in the same folder, write, sync, rename, sync of the folder.
/// After a failure the old file is as it was and the temporary one is gone.
mn_status mn_file_write_atomic(const char *path, const void *data, size_t bytes, mn_file_error *error);
/// A file too large for memory, piece by piece under the temporary name; nothing is at its path until it is finished.
/// Every failure ends the stream: the temporary file is gone. Abandoning one that has ended does nothing.
typedef struct mn_file_stream {
    int  fd;
    char path[MN_PATH_BYTES], partial[MN_PATH_BYTES];
} mn_file_stream;
mn_status mn_file_stream_open(mn_file_stream *stream, const char *path, mn_file_error *error);
mn_status mn_file_stream_add(mn_file_stream *stream, const void *data, size_t bytes, mn_file_error *error);
mn_status mn_file_stream_finish(mn_file_stream *stream, mn_file_error *error);
void      mn_file_stream_abandon(mn_file_stream *stream);
/// Add to the end and sync. After a failure the file has its old length again, if the disk allows.
mn_status mn_file_append(const char *path, const void *data, size_t bytes, mn_file_error *error);
/// Remove a file; one that is not there is fine.
mn_status mn_file_remove(const char *path, mn_file_error *error);
mn_status mn_file_rename(const char *from, const char *to, mn_file_error *error);
/// Only one process at a time has a folder: a locked file of this name in it, which holds the number of the process.
/// The system takes the lock back when a process ends, however it ends; the file that is then left locks nothing.
#define MN_LOCK_NAME "run.lock"
typedef struct mn_file_lock {
    int  fd;  ///< -1: not held
    char path[MN_PATH_BYTES];
} mn_file_lock;
/// Take it, or fail with MN_ERR_ARGUMENT and a sentence that names the process. A file system that has no locks is told
/// of in the log.
mn_status mn_file_lock_take(mn_context *context, mn_file_lock *lock, const char *folder);
void      mn_file_lock_release(mn_file_lock *lock);

/// Make a folder and all above it; those that exist are fine.
mn_status mn_file_make_folders(const char *path, mn_file_error *error);
/// Bytes an ordinary user may still write to the file system of `path`.
mn_status mn_file_free_space(const char *path, double *bytes, mn_file_error *error);
/// Bytes that the file system has in all which holds `path`, or would if it existed; 0 if it does not say.
double mn_file_disk_bytes(const char *path);

/// Names in a folder, sorted; a folder that does not exist holds none. Free with mn_names_free.
typedef struct mn_names {
    char  **name;
    int64_t count, capacity;
} mn_names;
mn_status mn_file_list(mn_context *context, const char *folder, mn_names *out);
void      mn_names_free(mn_context *context, mn_names *names);

#endif
