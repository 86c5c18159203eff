// SPDX-License-Identifier: MPL-2.0
// test/robust/shim.c - makes one chosen call to the file system fail. For LD_PRELOAD; only regular files count.
//
//   MN_FAULT_CALL   write, fsync, rename, open (for writing), mkdir or unlink
//   MN_FAULT_AT     which call of that kind fails, from 1; 0: none
//   MN_FAULT_KIND   full (ENOSPC, default), broken (EIO), always (ENOSPC from that call on), short (a write of half)
//   MN_FAULT_COUNT  a file that gets the number of calls of that kind at the end
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;
static const char *wanted_call, *kind, *count_path;
static long        wanted_at;

__attribute__((constructor)) static void read_orders(void)
{
    const char *at = getenv("MN_FAULT_AT");
    wanted_call    = getenv("MN_FAULT_CALL");
    kind           = getenv("MN_FAULT_KIND");
    count_path     = getenv("MN_FAULT_COUNT");
    wanted_at      = at == NULL ? 0 : atol(at);
    if (kind == NULL) kind = "full";
}

__attribute__((destructor)) static void tell_count(void)
{
    if (count_path == NULL) return;
    FILE *file = fopen(count_path, "w");
    if (file == NULL) return;
    fprintf(file, "%ld\n", atomic_load(&calls));
    fclose(file);
}

/// Counts a call; true when it is the one (or one of those) that must fail. Sets errno.
static bool must_fail(const char *call)
{
    if (wanted_call == NULL || strcmp(call, wanted_call) != 0) return false;
    const long number = atomic_fetch_add(&calls, 1) + 1;
    if (wanted_at == 0 || number < wanted_at) return false;
    if (number > wanted_at && strcmp(kind, "always") != 0) return false;
    errno = strcmp(kind, "broken") == 0 ? EIO : ENOSPC;
    return true;
}

static bool is_short(void) { return strcmp(kind, "short") == 0; }

static bool is_regular(int fd)
{
    struct stat info;
    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

#define NEXT(type, name)                      \
    static type next;                         \
    if (next == NULL) {                       \
        void *found = dlsym(RTLD_NEXT, name); \
        memcpy(&next, &found, sizeof next);   \
    }

typedef ssize_t (*write_fn)(int, const void *, size_t);
typedef ssize_t (*pwrite_fn)(int, const void *, size_t, off_t);
typedef int (*fd_fn)(int);
typedef int (*truncate_fn)(int, off_t);
typedef int (*two_paths_fn)(const char *, const char *);
typedef int (*path_fn)(const char *);
typedef int (*mkdir_fn)(const char *, mode_t);
typedef int (*open_fn)(const char *, int, ...);
typedef int (*openat_fn)(int, const char *, int, ...);

ssize_t write(int fd, const void *data, size_t bytes)
{
    NEXT(write_fn, "write")
    if (is_regular(fd) && must_fail("write")) {
        if (!is_short()) return -1;
        bytes = bytes / 2 + 1 > bytes ? bytes : bytes / 2 + 1;
    }
    return next(fd, data, bytes);
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t offset)
{
    NEXT(pwrite_fn, "pwrite")
    if (is_regular(fd) && must_fail("write")) {
        if (!is_short()) return -1;
        bytes = bytes / 2 + 1 > bytes ? bytes : bytes / 2 + 1;
    }
    return next(fd, data, bytes, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t bytes, off_t offset) { return pwrite(fd, data, bytes, offset); }

int ftruncate(int fd, off_t length)
{
    NEXT(truncate_fn, "ftruncate")
    return must_fail("write") && !is_short() ? -1 : next(fd, length);
}

int ftruncate64(int fd, off_t length) { return ftruncate(fd, length); }

int fsync(int fd)
{
    NEXT(fd_fn, "fsync")
    return must_fail("fsync") ? -1 : next(fd);
}

int fdatasync(int fd)
{
    NEXT(fd_fn, "fdatasync")
    return must_fail("fsync") ? -1 : next(fd);
}

int rename(const char *from, const char *to)
{
    NEXT(two_paths_fn, "rename")
    return must_fail("rename") ? -1 : next(from, to);
}

int unlink(const char *path)
{
    NEXT(path_fn, "unlink")
    return must_fail("unlink") ? -1 : next(path);
}

int mkdir(const char *path, mode_t mode)
{
    NEXT(mkdir_fn, "mkdir")
    return must_fail("mkdir") ? -1 : next(path, mode);
}

static bool is_for_writing(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0; }

#define MODE_OF(flags, mode)                      \
    mode_t mode = 0;                              \
    if (((flags) & (O_CREAT | O_TMPFILE)) != 0) { \
        va_list more;                             \
        va_start(more, flags);                    \
        mode = va_arg(more, mode_t);              \
        va_end(more);                             \
    }

int open(const char *path, int flags, ...)
{
    NEXT(open_fn, "open")
    MODE_OF(flags, mode)
    return is_for_writing(flags) && must_fail("open") ? -1 : next(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    NEXT(open_fn, "open64")
    MODE_OF(flags, mode)
    return is_for_writing(flags) && must_fail("open") ? -1 : next(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    NEXT(openat_fn, "openat")
    MODE_OF(flags, mode)
    return is_for_writing(flags) && must_fail("open") ? -1 : next(folder, path, flags, mode);
}
