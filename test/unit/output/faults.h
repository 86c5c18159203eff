// SPDX-License-Identifier: MPL-2.0
// Failing system calls on demand: the program's own definitions stand in for those of the C library.
#ifndef MN_TEST_FAULTS_H
#define MN_TEST_FAULTS_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FAULT_OPEN, FAULT_WRITE, FAULT_FSYNC, FAULT_RENAME, FAULT_CLOSE, FAULT_KINDS };

/// Fail the n-th next call (1: the very next) with `number`; 0: never. Shared with the writer thread.
static atomic_int     fault_after[FAULT_KINDS];
static atomic_int     fault_errno = EIO;
static atomic_size_t  fault_write_limit;        ///< bytes a write takes at most; 0: all
static atomic_bool    fault_skip_sync;          ///< a kill loses nothing that was written: tests may save the time
static _Atomic double fault_free_bytes = -1.0;  ///< what statvfs tells; negative: the truth

static inline void faults_off(void)
{
    for (int k = 0; k < FAULT_KINDS; k++) atomic_store(&fault_after[k], 0);
    atomic_store(&fault_write_limit, 0);
    atomic_store(&fault_free_bytes, -1.0);
}

static inline int fault_now(int kind)
{
    int left = atomic_load(&fault_after[kind]);
    while (left > 0)
        if (atomic_compare_exchange_weak(&fault_after[kind], &left, left - 1)) {
            if (left > 1) return 0;
            errno = atomic_load(&fault_errno);
            return 1;
        }
    return 0;
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const int mode = (flags & O_CREAT) != 0 ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return fault_now(FAULT_OPEN) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

ssize_t write(int fd, const void *data, size_t bytes)
{
    if (fault_now(FAULT_WRITE)) return -1;
    const size_t limit = atomic_load(&fault_write_limit);
    return syscall(SYS_write, fd, data, limit > 0 && bytes > limit ? limit : bytes);
}

int fsync(int fd)
{
    if (fault_now(FAULT_FSYNC)) return -1;
    return atomic_load(&fault_skip_sync) ? 0 : (int)syscall(SYS_fsync, fd);
}

int close(int fd)
{
    const int result = (int)syscall(SYS_close, fd);
    return fault_now(FAULT_CLOSE) ? -1 : result;
}

int rename(const char *from, const char *to)
{
    return fault_now(FAULT_RENAME) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int statvfs(const char *path, struct statvfs *info)
{
    (void)path;
    memset(info, 0, sizeof *info);
    const double told = atomic_load(&fault_free_bytes);
    info->f_frsize    = 1;
    info->f_bavail    = (fsblkcnt_t)(told < 0.0 ? 1e15 : told);
    return 0;
}

#endif
