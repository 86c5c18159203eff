// SPDX-License-Identifier: MPL-2.0
// app/file.c - what the program itself reads: regular files of a size that fits, as the library does (base/file.h).
#include "app.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int app_open(const char *path, long long most, long long *bytes)
{
    struct stat info;
    if (stat(path, &info) != 0) return -1;
    const int fd = S_ISREG(info.st_mode) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= most) {
        *bytes = info.st_size;
        return fd;
    }
    if (fd >= 0) close(fd);
    if (!S_ISREG(info.st_mode)) errno = EINVAL;
    else if (fd >= 0) errno = EFBIG;
    return -1;
}

char *app_read_text(const char *path)
{
    long long bytes = 0, used = 0;
    const int fd   = app_open(path, 16 << 20, &bytes);
    char     *text = fd >= 0 ? malloc((size_t)bytes + 1) : NULL;
    while (text != NULL && used < bytes) {
        const ssize_t got = read(fd, text + used, (size_t)(bytes - used));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            free(text);
            text = NULL;
        }
        if (got <= 0) break;
        used += got;
    }
    if (text != NULL) text[used] = '\0';
    if (fd >= 0) close(fd);
    return text;
}
