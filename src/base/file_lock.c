// SPDX-License-Identifier: MPL-2.0
// base/file_lock.c - one process a folder.
//
// The lock belongs to the open file, not to its being there: nobody has to guess whether the process that made it still
// lives. The file goes when the lock is released; between its opening and its locking it may have gone, and another one
// may be in its place. Then the lock is worth nothing, and the new file is tried.
#include "base/file_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRIES 100  // each of them needs another process that just ended

/// 0: locked; else errno.
static int try_lock(int fd)
{
    int result;
    do result = flock(fd, LOCK_EX | LOCK_NB);
    while (result != 0 && errno == EINTR);
    return result == 0 ? 0 : errno;
}

static bool still_there(int fd, const char *path)
{
    struct stat open_one, there;
    return fstat(fd, &open_one) == 0 && stat(path, &there) == 0 && open_one.st_dev == there.st_dev &&
           open_one.st_ino == there.st_ino;
}

static mn_status fail_held(mn_context *c, int fd, const char *folder)
{
    char          text[32] = "", who[64] = "another process";
    const ssize_t got = pread(fd, text, sizeof text - 1, 0);
    long          pid = 0;
    if (got > 0 && sscanf(text, "%20ld", &pid) == 1 && pid > 0) snprintf(who, sizeof who, "process %ld", pid);
    return mn_fail(c, MN_ERR_ARGUMENT,
                   "%s: %s is writing a run into this folder; wait for its end, or choose another folder with -o",
                   folder, who);
}

/// For the message of who comes second. If it cannot be written the lock holds all the same.
static void write_number(int fd)
{
    char      text[32];
    const int length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)length, 0) != length) errno = 0;
}

static mn_status fail_here(mn_context *c, mn_file_lock *lock, int number)
{
    mn_file_error error;
    if (lock->fd >= 0) (void)close(lock->fd);
    lock->fd = -1;
    mn_file_failed(&error, lock->path, number);
    return mn_file_fail(c, &error);
}

mn_status mn_file_lock_take(mn_context *c, mn_file_lock *lock, const char *folder)
{
    mn_file_error error;
    lock->fd = -1;
    if (mn_path_join(lock->path, folder, MN_LOCK_NAME, &error) != MN_OK) return mn_file_fail(c, &error);
    for (int k = 0; k < TRIES; k++) {
        struct stat info;
        lock->fd = mn_file_descriptor(lock->path, O_RDWR | O_CREAT | O_NONBLOCK | O_NOFOLLOW, 0666);
        if (lock->fd < 0) return fail_here(c, lock, errno);
        if (fstat(lock->fd, &info) != 0 || !S_ISREG(info.st_mode)) return fail_here(c, lock, EEXIST);
        const int number = try_lock(lock->fd);
        if (number == EWOULDBLOCK) {
            const mn_status status = fail_held(c, lock->fd, folder);
            (void)close(lock->fd);
            lock->fd = -1;
            return status;
        }
        if (number != 0)
            mn_log(c, MN_LOG_WARNING, "no_lock",
                   "%s: its file system has no locks (%s); a second run into this folder would not be noticed", folder,
                   number == ENOLCK ? "none are left" : "they are not supported");
        if (number != 0 || still_there(lock->fd, lock->path)) {
            write_number(lock->fd);
            return MN_OK;
        }
        (void)close(lock->fd);
    }
    return fail_here(c, lock, EBUSY);
}

void mn_file_lock_release(mn_file_lock *lock)
{
    if (lock->fd < 0) return;
    if (still_there(lock->fd, lock->path)) (void)unlink(lock->path);  // while it is held
    (void)close(lock->fd);
    lock->fd = -1;
}
