// SPDX-License-Identifier: MPL-2.0
// base/file.c - atomic replacing, appending, folders; short writes, full disks and interrupted calls included.
#include "base/file_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

mn_status mn_file_fail(mn_context *c, const mn_file_error *error)
{
    return mn_fail(c, error->status, "%s", error->text);
}

const char *mn_file_reason(const mn_file_error *error) { return error->text + error->reason; }

mn_status mn_file_refuse(mn_file_error *error, const char *path, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error->status    = MN_ERR_FILE;
    const int length = snprintf(error->text, MN_PATH_BYTES, "%s: ", path);
    error->reason    = length < MN_PATH_BYTES ? length : MN_PATH_BYTES - 1;
    vsnprintf(error->text + error->reason, sizeof error->text - (size_t)error->reason, format, args);
    va_end(args);
    return error->status;
}

mn_status mn_file_failed(mn_file_error *error, const char *path, int number)
{
    char reason[200];
    if (strerror_r(number, reason, sizeof reason) != 0) snprintf(reason, sizeof reason, "error %d", number);
    return mn_file_refuse(error, path, "%s", reason);
}

mn_status mn_path_join(char path[MN_PATH_BYTES], const char *folder, const char *name, mn_file_error *error)
{
    const int length = snprintf(path, MN_PATH_BYTES, "%s/%s", folder, name);
    return length >= 0 && length < MN_PATH_BYTES ? MN_OK : mn_file_failed(error, folder, ENAMETOOLONG);
}

int mn_file_descriptor(const char *path, int flags, mode_t mode)
{
    int fd;
    do fd = open(path, flags | O_CLOEXEC | O_NOCTTY, mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

/// Open a file to write into, made if it is not there: a regular one, since a pipe of that name would be waited for.
static int open_to_write(const char *path, int flags)
{
    struct stat info;
    const int   fd = mn_file_descriptor(path, O_WRONLY | O_CREAT | O_NONBLOCK | flags, 0666);
    if (fd < 0) return -1;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) return fd;
    (void)close(fd);
    errno = EEXIST;
    return -1;
}

static int sync_again(int fd)
{
    int result;
    do result = fsync(fd);
    while (result != 0 && errno == EINTR);
    return result;
}

/// Close once: after EINTR the descriptor is gone too, and everything was synced before.
static int close_once(int fd) { return close(fd) != 0 && errno != EINTR ? -1 : 0; }

/// Write everything, in as many pieces as the system takes.
static int write_all(int fd, const unsigned char *data, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t done = write(fd, data, bytes);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return -1;
        if (done == 0) {
            errno = ENOSPC;
            return -1;
        }
        data += done;
        bytes -= (size_t)done;
    }
    return 0;
}

/// The folder that holds `path`.
static void folder_of(const char *path, char folder[MN_PATH_BYTES])
{
    snprintf(folder, MN_PATH_BYTES, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash == NULL) snprintf(folder, MN_PATH_BYTES, ".");
    else if (slash == folder) slash[1] = '\0';
    else *slash = '\0';
}

/// Make a rename durable. Some file systems cannot sync a folder and say EINVAL; there the rename itself must do.
static int sync_folder(const char *path)
{
    char folder[MN_PATH_BYTES];
    folder_of(path, folder);
    const int fd = mn_file_descriptor(folder, O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0) return -1;
    int       result = sync_again(fd);
    const int number = errno;
    if (result != 0 && number == EINVAL) result = 0;
    if (close_once(fd) != 0 && result == 0) return -1;
    errno = number;
    return result;
}

/// Write, sync and close a new file; errno tells what failed.
static int write_new(const char *path, const void *data, size_t bytes)
{
    const int fd = open_to_write(path, O_TRUNC);
    if (fd < 0) return -1;
    if (write_all(fd, data, bytes) != 0 || sync_again(fd) != 0) {
        const int number = errno;
        (void)close_once(fd);  // the first failure is the one to report
        errno = number;
        return -1;
    }
    return close_once(fd);
}

mn_status mn_file_write_atomic(const char *path, const void *data, size_t bytes, mn_file_error *error)
{
    char      partial[MN_PATH_BYTES];
    const int length = snprintf(partial, sizeof partial, "%s%s", path, MN_PARTIAL_ENDING);
    if (length < 0 || length >= MN_PATH_BYTES) return mn_file_failed(error, path, ENAMETOOLONG);
    if (write_new(partial, data, bytes) != 0 || rename(partial, path) != 0) {
        const int number = errno;
        (void)unlink(partial);  // may never have existed
        return mn_file_failed(error, path, number);
    }
    return sync_folder(path) == 0 ? MN_OK : mn_file_failed(error, path, errno);
}

void mn_file_stream_abandon(mn_file_stream *s)
{
    if (s->fd < 0) return;
    (void)close_once(s->fd);
    (void)unlink(s->partial);
    s->fd = -1;
}

/// End the stream, with the failure that errno tells.
static mn_status give_up(mn_file_stream *s, mn_file_error *error)
{
    const int number = errno;
    mn_file_stream_abandon(s);
    return mn_file_failed(error, s->path, number);
}

mn_status mn_file_stream_open(mn_file_stream *s, const char *path, mn_file_error *error)
{
    s->fd            = -1;
    const int length = snprintf(s->partial, sizeof s->partial, "%s%s", path, MN_PARTIAL_ENDING);
    if (length < 0 || length >= MN_PATH_BYTES) return mn_file_failed(error, path, ENAMETOOLONG);
    snprintf(s->path, sizeof s->path, "%s", path);
    s->fd = open_to_write(s->partial, O_TRUNC);
    return s->fd >= 0 ? MN_OK : mn_file_failed(error, path, errno);
}

mn_status mn_file_stream_add(mn_file_stream *s, const void *data, size_t bytes, mn_file_error *error)
{
    return write_all(s->fd, data, bytes) == 0 ? MN_OK : give_up(s, error);
}

mn_status mn_file_stream_finish(mn_file_stream *s, mn_file_error *error)
{
    if (sync_again(s->fd) != 0) return give_up(s, error);
    const int fd = s->fd;
    s->fd        = -1;
    if (close_once(fd) != 0 || rename(s->partial, s->path) != 0) {
        const int number = errno;
        (void)unlink(s->partial);
        return mn_file_failed(error, s->path, number);
    }
    return sync_folder(s->path) == 0 ? MN_OK : mn_file_failed(error, s->path, errno);
}

mn_status mn_file_append(const char *path, const void *data, size_t bytes, mn_file_error *error)
{
    const int fd = open_to_write(path, O_APPEND);
    if (fd < 0) return mn_file_failed(error, path, errno);
    struct stat before;
    if (fstat(fd, &before) != 0) {
        const int number = errno;
        (void)close_once(fd);
        return mn_file_failed(error, path, number);
    }
    if (write_all(fd, data, bytes) != 0 || sync_again(fd) != 0) {
        const int number = errno;
        // Half a row is worse than none. If even this fails, the reader drops a torn last line.
        const int cut = ftruncate(fd, before.st_size);
        (void)cut;
        (void)close_once(fd);
        return mn_file_failed(error, path, number);
    }
    return close_once(fd) == 0 ? MN_OK : mn_file_failed(error, path, errno);
}

mn_status mn_file_remove(const char *path, mn_file_error *error)
{
    return unlink(path) == 0 || errno == ENOENT ? MN_OK : mn_file_failed(error, path, errno);
}

mn_status mn_file_rename(const char *from, const char *to, mn_file_error *error)
{
    if (rename(from, to) != 0) return mn_file_failed(error, from, errno);
    return sync_folder(to) == 0 ? MN_OK : mn_file_failed(error, to, errno);
}

static mn_status make_folder(const char *path, mn_file_error *error)
{
    if (mkdir(path, 0777) == 0) return MN_OK;
    const int   number = errno;
    struct stat info;
    if (stat(path, &info) == 0) return S_ISDIR(info.st_mode) ? MN_OK : mn_file_failed(error, path, ENOTDIR);
    return mn_file_failed(error, path, number);
}

mn_status mn_file_make_folders(const char *path, mn_file_error *error)
{
    char part[MN_PATH_BYTES];
    if (strlen(path) >= sizeof part) return mn_file_failed(error, path, ENAMETOOLONG);
    strcpy(part, path);
    for (char *slash = strchr(part + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        MN_TRY(make_folder(part, error));
        *slash = '/';
    }
    return make_folder(part, error);
}

mn_status mn_file_free_space(const char *path, double *bytes, mn_file_error *error)
{
    struct statvfs info;
    int            result;
    do result = statvfs(path, &info);
    while (result != 0 && errno == EINTR);
    if (result != 0) return mn_file_failed(error, path, errno);
    *bytes = (double)info.f_bavail * (double)info.f_frsize;
    return MN_OK;
}

double mn_file_disk_bytes(const char *path)
{
    char           at[MN_PATH_BYTES], above[MN_PATH_BYTES];
    struct statvfs info;
    snprintf(at, sizeof at, "%s", path);
    while (statvfs(at, &info) != 0) {
        if (errno == EINTR) continue;
        folder_of(at, above);
        if (errno != ENOENT || strcmp(at, above) == 0) return 0.0;
        strcpy(at, above);
    }
    return (double)info.f_blocks * (double)info.f_frsize;
}

bool mn_file_exists(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

mn_status mn_file_size(const char *path, double *bytes, mn_file_error *error)
{
    struct stat info;
    if (stat(path, &info) != 0) return mn_file_failed(error, path, errno);
    *bytes = (double)info.st_size;
    return MN_OK;
}

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static mn_status add_name(mn_context *c, mn_names *names, const char *name)
{
    MN_TRY(mn_array_reserve(c, &names->name, &names->capacity, names->count + 1, sizeof *names->name));
    char *copy = mn_strdup(c, name);
    if (copy == NULL) return MN_ERR_MEMORY;
    names->name[names->count++] = copy;
    return MN_OK;
}

mn_status mn_file_list(mn_context *c, const char *folder, mn_names *out)
{
    *out     = (mn_names){ 0 };
    DIR *dir = opendir(folder);
    if (dir == NULL && errno == ENOENT) return MN_OK;
    mn_file_error error  = { .status = MN_OK };
    mn_status     status = dir == NULL ? mn_file_failed(&error, folder, errno) : MN_OK;
    while (status == MN_OK) {
        errno                      = 0;
        const struct dirent *entry = readdir(dir);
        if (entry == NULL && errno != 0) status = mn_file_failed(&error, folder, errno);
        if (entry == NULL) break;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            status = add_name(c, out, entry->d_name);
    }
    if (dir != NULL) (void)closedir(dir);
    if (status != MN_OK) {
        mn_names_free(c, out);
        return error.status != MN_OK ? mn_file_fail(c, &error) : status;
    }
    if (out->count > 1) qsort(out->name, (size_t)out->count, sizeof *out->name, compare_names);
    return MN_OK;
}

void mn_names_free(mn_context *c, mn_names *names)
{
    for (int64_t i = 0; i < names->count; i++) mn_free(c, names->name[i]);
    mn_free(c, names->name);
    *names = (mn_names){ 0 };
}
