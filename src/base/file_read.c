// SPDX-License-Identifier: MPL-2.0
// base/file_read.c - the one way to the contents of a file.
#include "base/file_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *kind_of(mode_t mode)
{
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
    if (S_ISSOCK(mode)) return "a socket";
    return "something else";
}

static mn_status check(const char *path, const struct stat *info, const mn_file_kind *kind, mn_file_error *error)
{
    if (!S_ISREG(info->st_mode))
        return mn_file_refuse(error, path, "it is not a file but %s; %s is read from a regular file",
                              kind_of(info->st_mode), kind->what);
    if (info->st_size <= kind->most) return MN_OK;
    return mn_file_refuse(error, path, "the file has %lld bytes; %s has %lld at most", (long long)info->st_size,
                          kind->what, (long long)kind->most);
}

mn_status mn_file_look(const char *path, const mn_file_kind *kind, mn_file_error *error)
{
    struct stat info;
    return stat(path, &info) == 0 ? check(path, &info, kind, error) : mn_file_failed(error, path, errno);
}

// Looked at twice: to open a device can already do something, and what is opened may have taken the place of what was
// looked at.
mn_status mn_file_open(mn_file_source *s, const char *path, const mn_file_kind *kind, mn_file_error *error)
{
    struct stat info;
    s->fd = -1;
    MN_TRY(mn_file_look(path, kind, error));
    s->fd = mn_file_descriptor(path, O_RDONLY | O_NONBLOCK, 0);
    if (s->fd < 0) return mn_file_failed(error, path, errno);
    const mn_status status = fstat(s->fd, &info) == 0 ? check(path, &info, kind, error)
                                                      : mn_file_failed(error, path, errno);
    if (status != MN_OK) mn_file_close(s);
    else s->bytes = info.st_size;
    return status;
}

void mn_file_close(mn_file_source *s)
{
    if (s->fd >= 0) (void)close(s->fd);  // only read from: nothing can be lost
    s->fd = -1;
}

/// Read `bytes` bytes; a file that shrank meanwhile gives fewer.
static int read_all(int fd, int64_t offset, unsigned char *data, size_t bytes, size_t *done)
{
    *done = 0;
    while (*done < bytes) {
        const size_t  part = bytes - *done < INT_MAX / 2 ? bytes - *done : INT_MAX / 2;
        const ssize_t got  = pread(fd, data + *done, part, (off_t)(offset + (int64_t)*done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) return 0;
        *done += (size_t)got;
    }
    return 0;
}

mn_status mn_file_read_at(const mn_file_source *s, const char *path, int64_t offset, void *data, size_t bytes,
                          mn_file_error *error)
{
    size_t done;
    if (read_all(s->fd, offset, data, bytes, &done) != 0) return mn_file_failed(error, path, errno);
    if (done == bytes) return MN_OK;
    return mn_file_refuse(error, path, "the file ends after %lld bytes", (long long)(offset + (int64_t)done));
}

mn_status mn_file_read_whole(mn_context *c, const char *path, const mn_file_kind *kind, unsigned char **data,
                             size_t *bytes, mn_file_error *error)
{
    mn_file_source s;
    *data  = NULL;
    *bytes = 0;
    MN_TRY(mn_file_open(&s, path, kind, error));
    unsigned char *block  = mn_alloc(c, (size_t)s.bytes + 1);
    mn_status      status = block != NULL ? MN_OK : MN_ERR_MEMORY;
    if (status == MN_OK && read_all(s.fd, 0, block, (size_t)s.bytes, bytes) != 0)
        status = mn_file_failed(error, path, errno);
    mn_file_close(&s);
    if (status != MN_OK) {
        mn_free(c, block);
        return status;
    }
    block[*bytes] = '\0';
    *data         = block;
    return MN_OK;
}

mn_status mn_file_read(mn_context *c, const char *path, const mn_file_kind *kind, unsigned char **data, size_t *bytes)
{
    mn_file_error   error;
    const mn_status status = mn_file_read_whole(c, path, kind, data, bytes, &error);
    return status == MN_ERR_FILE ? mn_file_fail(c, &error) : status;
}
