// SPDX-License-Identifier: MPL-2.0
// app/movie.c - pictures handed to ffmpeg, one after the other through a pipe, so that gaps in their numbers do not
// matter.
#include "app.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_BYTES 4200

/// Whether a program of this name is in the PATH.
static bool is_installed(const char *program)
{
    extern char **environ;
    const char   *path = NULL;
    for (char **at = environ; *at != NULL && path == NULL; at++)
        if (strncmp(*at, "PATH=", 5) == 0) path = *at + 5;
    while (path != NULL && *path != '\0') {
        const size_t length = strcspn(path, ":");
        char         file[PATH_BYTES];
        if (snprintf(file, sizeof file, "%.*s/%s", (int)length, path, program) < (int)sizeof file &&
            access(file, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

/// In the child: the pictures come from the pipe, nothing is asked, only errors are told.
static void become_ffmpeg(int from, const char *rate, const char *to)
{
    const char *const words[] = { "ffmpeg",  "-y",         "-nostdin",   "-loglevel", "error",
                                  "-f",      "image2pipe", "-framerate", rate,        "-c:v",
                                  "png",     "-i",         "pipe:0",     "-vf",       "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                  "-c:v",    "libx264",    "-crf",       "18",        "-pix_fmt",
                                  "yuv420p", "-movflags",  "+faststart", "-f",        "mp4",
                                  to,        NULL };
    if (dup2(from, STDIN_FILENO) < 0) _exit(127);
    execvp(words[0], (char *const *)words);
    _exit(127);
}

static bool write_all(int fd, const char *data, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t done = write(fd, data, bytes);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        data += done;
        bytes -= (size_t)done;
    }
    return true;
}

static bool send_file(int fd, const char *path)
{
    char      block[65536];
    long long bytes;
    const int file = app_open(path, 1LL << 32, &bytes);
    bool      good = file >= 0;
    while (good) {
        const ssize_t got = read(file, block, sizeof block);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            good = got == 0;
            break;
        }
        good = write_all(fd, block, (size_t)got);
    }
    if (file >= 0) close(file);
    return good;
}

/// Run ffmpeg over the pictures; true if it made the movie.
static bool convert(const char *const *files, int64_t count, const char *rate, const char *to)
{
    int ends[2];
    if (pipe(ends) != 0) return false;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        become_ffmpeg(ends[0], rate, to);
    }
    close(ends[0]);
    bool good = child > 0;
    for (int64_t k = 0; good && k < count; k++) good = send_file(ends[1], files[k]);
    close(ends[1]);
    int status = 1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int app_movie(const char *folder, const char *const *files, int64_t count, double frame_rate)
{
    char partial[PATH_BYTES], movie[PATH_BYTES], rate[32];
    if (!is_installed("ffmpeg")) {
        fprintf(stderr, "meniscus: no movie was made since ffmpeg is not installed; the pictures are in %s\n", folder);
        return APP_DONE;
    }
    snprintf(movie, sizeof movie, "%s/movie.mp4", folder);
    snprintf(partial, sizeof partial, "%s/movie.mp4.partial", folder);
    snprintf(rate, sizeof rate, "%g", frame_rate);
    signal(SIGPIPE, SIG_IGN);  // an ffmpeg that gave up is a failed write
    if (convert(files, count, rate, partial) && rename(partial, movie) == 0) {
        printf("%s\n", movie);
        return APP_DONE;
    }
    (void)unlink(partial);  // may never have existed
    fprintf(stderr, "meniscus: ffmpeg could not make the movie; the pictures are in %s\n", folder);
    return APP_FAILED;
}
