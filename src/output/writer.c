// SPDX-License-Identifier: MPL-2.0
// output/writer.c - the queue, its thread, and waiting for space on the disk.
#include "output/writer.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define QUEUE_JOBS   64
#define KEPT_BUFFERS 8  // more are given back to the heap, and so are large ones:
#define KEPT_BYTES   ((int64_t)16 << 20)
#define CALLER_POLL  0.1  // s between two questions to `stop`

typedef struct job {
    mn_write_mode mode;
    mn_buffer    *buffer;
    char          path[MN_PATH_BYTES];
} job;

struct mn_writer {
    mn_context     *context;
    mn_writer_def   def;
    char            folder[MN_PATH_BYTES];
    pthread_t       thread;
    pthread_mutex_t lock;  // everything below
    pthread_cond_t  work, progress;
    job            *jobs;          // a ring of QUEUE_JOBS
    int             first, count;  // the job being done stays in the ring until it is finished
    size_t          queued;        // bytes of all jobs in the ring
    bool            ending, no_waiting, waiting_for_space;
    mn_file_error   error;
    mn_buffer      *kept[KEPT_BUFFERS];
    int             kept_count;
};

mn_writer_def mn_writer_def_default(const char *folder)
{
    return (mn_writer_def){ .folder = folder, .poll_seconds = 1.0, .queue_bytes = (size_t)512 << 20 };
}

/// Wait for a signal, at most `seconds`. The clock is CLOCK_MONOTONIC.
static void wait_at_most(pthread_cond_t *condition, pthread_mutex_t *lock, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    const double whole = floor(seconds);
    until.tv_sec += (time_t)whole;
    until.tv_nsec += (long)((seconds - whole) * 1e9);
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    (void)pthread_cond_timedwait(condition, lock, &until);
}

static void drop_buffer(mn_context *c, mn_buffer *b)
{
    if (b == NULL) return;
    mn_buffer_free(b);
    mn_free(c, b);
}

/// Keep a buffer for later, or give it back to the heap. Called with the lock held.
static void keep_buffer(mn_writer *w, mn_buffer *b)
{
    if (b == NULL) return;
    if (w->kept_count < KEPT_BUFFERS && b->capacity <= KEPT_BYTES) w->kept[w->kept_count++] = b;
    else drop_buffer(w->context, b);
}

/// Wait until the job leaves the reserve untouched. Called without the lock.
static mn_status wait_for_space(mn_writer *w, size_t bytes, mn_file_error *error)
{
    bool said = false;
    for (;;) {
        double free_bytes = 0.0;
        MN_TRY(mn_file_free_space(w->folder, &free_bytes, error));
        const bool enough = free_bytes - (double)bytes >= w->def.disk_reserve * 1e6;
        pthread_mutex_lock(&w->lock);
        w->waiting_for_space = !enough;
        const bool go        = enough || w->no_waiting;
        if (!go && said) wait_at_most(&w->work, &w->lock, w->def.poll_seconds);
        pthread_mutex_unlock(&w->lock);
        if (go) {
            if (said && enough)
                mn_log(w->context, MN_LOG_INFO, "disk_enough", "%s: there is space again, the run goes on", w->folder);
            return MN_OK;
        }
        if (!said) {
            mn_log(w->context, MN_LOG_WARNING, "disk_low",
                   "%s: %.0f MB are free and %.0f MB must stay so (output.disk_reserve); the run waits for space",
                   w->folder, free_bytes * 1e-6, w->def.disk_reserve);
        }
        said = true;
    }
}

static mn_status do_job(mn_writer *w, const job *j, mn_file_error *error)
{
    if (j->mode == MN_WRITE_REMOVE) return mn_file_remove(j->path, error);
    MN_TRY(wait_for_space(w, j->buffer->bytes, error));
    if (j->mode == MN_WRITE_APPEND) return mn_file_append(j->path, j->buffer->data, j->buffer->bytes, error);
    return mn_file_write_atomic(j->path, j->buffer->data, j->buffer->bytes, error);
}

static void *writer_thread(void *argument)
{
    mn_writer *w = argument;
    mn_helper  self;
    mn_context_begin_helper(w->context, &self);
    pthread_mutex_lock(&w->lock);
    for (;;) {
        while (w->count == 0 && !w->ending) pthread_cond_wait(&w->work, &w->lock);
        if (w->count == 0) break;
        job       *j    = &w->jobs[w->first];
        const bool skip = w->error.status != MN_OK;
        pthread_mutex_unlock(&w->lock);
        mn_file_error   error  = { .status = MN_OK };
        const mn_status status = skip ? MN_OK : do_job(w, j, &error);
        pthread_mutex_lock(&w->lock);
        if (status != MN_OK) w->error = error;
        w->waiting_for_space = false;
        if (j->buffer != NULL) w->queued -= j->buffer->bytes;
        keep_buffer(w, j->buffer);
        w->first = (w->first + 1) % QUEUE_JOBS;
        w->count--;
        pthread_cond_broadcast(&w->progress);
    }
    pthread_mutex_unlock(&w->lock);
    mn_context_end_helper(w->context, &self);
    return NULL;
}

/// The thread takes no signals: those are the caller's.
static int start_thread(mn_writer *w)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    const int result = pthread_create(&w->thread, NULL, writer_thread, w);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return result;
}

static void free_writer(mn_writer *w)
{
    for (int k = 0; k < w->kept_count; k++) drop_buffer(w->context, w->kept[k]);
    pthread_cond_destroy(&w->work);
    pthread_cond_destroy(&w->progress);
    pthread_mutex_destroy(&w->lock);
    mn_free(w->context, w->jobs);
    mn_free(w->context, w);
}

mn_status mn_writer_create(mn_context *c, const mn_writer_def *def, mn_writer **out)
{
    *out = NULL;
    if (strlen(def->folder) >= MN_PATH_BYTES) return mn_fail(c, MN_ERR_FILE, "%s: the name is too long", def->folder);
    mn_writer *w = mn_alloc(c, sizeof *w);
    if (w == NULL) return MN_ERR_MEMORY;
    w->context = c;
    w->def     = *def;
    strcpy(w->folder, def->folder);
    pthread_mutex_init(&w->lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&w->work, &attributes);
    pthread_cond_init(&w->progress, &attributes);
    pthread_condattr_destroy(&attributes);
    w->jobs       = mn_alloc_array(c, job, QUEUE_JOBS);
    const int bad = w->jobs == NULL ? ENOMEM : start_thread(w);
    if (bad != 0) {
        const bool no_memory = w->jobs == NULL;
        free_writer(w);
        return no_memory ? MN_ERR_MEMORY
                         : mn_fail(c, MN_ERR_MEMORY, "the writer thread could not be started (error %d)", bad);
    }
    *out = w;
    return MN_OK;
}

mn_status mn_writer_take(mn_writer *w, mn_buffer **out)
{
    pthread_mutex_lock(&w->lock);
    *out = w->kept_count > 0 ? w->kept[--w->kept_count] : NULL;
    pthread_mutex_unlock(&w->lock);
    if (*out != NULL) {
        mn_buffer_clear(*out);
        return MN_OK;
    }
    *out = mn_alloc(w->context, sizeof **out);
    if (*out == NULL) return MN_ERR_MEMORY;
    mn_buffer_init(*out, w->context);
    return MN_OK;
}

void mn_writer_return(mn_writer *w, mn_buffer *buffer)
{
    pthread_mutex_lock(&w->lock);
    keep_buffer(w, buffer);
    pthread_mutex_unlock(&w->lock);
}

static bool has_room(const mn_writer *w, size_t bytes)
{
    return w->count == 0 || (w->count < QUEUE_JOBS && w->queued + bytes <= w->def.queue_bytes);
}

/// Let the writer get on while the caller has to wait. Called with the lock held; may give it away for a moment.
static void wait_for_progress(mn_writer *w)
{
    wait_at_most(&w->progress, &w->lock, CALLER_POLL);
    if (!w->waiting_for_space || w->no_waiting || w->def.stop == NULL) return;
    pthread_mutex_unlock(&w->lock);
    const bool stop = w->def.stop(w->def.stop_user);
    pthread_mutex_lock(&w->lock);
    if (!stop) return;
    w->no_waiting = true;
    pthread_cond_broadcast(&w->work);
}

mn_status mn_writer_submit(mn_writer *w, mn_write_mode mode, const char *path, mn_buffer *buffer)
{
    MN_ASSERT((buffer == NULL) == (mode == MN_WRITE_REMOVE));
    const size_t bytes    = buffer != NULL ? buffer->bytes : 0;
    mn_status    status   = buffer != NULL ? mn_buffer_status(buffer) : MN_OK;
    const bool   too_long = strlen(path) >= MN_PATH_BYTES;
    if (too_long) status = mn_fail(w->context, MN_ERR_FILE, "%s: the name is too long", path);
    pthread_mutex_lock(&w->lock);
    while (status == MN_OK && w->error.status == MN_OK && !has_room(w, bytes)) wait_for_progress(w);
    const mn_file_error error = w->error;
    if (status == MN_OK && error.status == MN_OK) {
        job *j    = &w->jobs[(w->first + w->count) % QUEUE_JOBS];
        j->mode   = mode;
        j->buffer = buffer;
        strcpy(j->path, path);
        w->queued += bytes;
        w->count++;
        pthread_cond_broadcast(&w->work);
    } else {
        keep_buffer(w, buffer);
    }
    pthread_mutex_unlock(&w->lock);
    if (status != MN_OK) return status;
    return error.status == MN_OK ? MN_OK : mn_file_fail(w->context, &error);
}

mn_status mn_writer_flush(mn_writer *w)
{
    pthread_mutex_lock(&w->lock);
    while (w->count > 0) wait_for_progress(w);
    const mn_file_error error = w->error;
    pthread_mutex_unlock(&w->lock);
    return error.status == MN_OK ? MN_OK : mn_file_fail(w->context, &error);
}

void mn_writer_stop_waiting(mn_writer *w)
{
    pthread_mutex_lock(&w->lock);
    w->no_waiting = true;
    pthread_cond_broadcast(&w->work);
    pthread_mutex_unlock(&w->lock);
}

void mn_writer_forgive(mn_writer *w)
{
    pthread_mutex_lock(&w->lock);
    while (w->count > 0) wait_for_progress(w);  // what was dropped stays dropped
    w->error.status = MN_OK;
    pthread_mutex_unlock(&w->lock);
}

mn_status mn_writer_destroy(mn_writer **writer)
{
    mn_writer *w = *writer;
    if (w == NULL) return MN_OK;
    const mn_status status = mn_writer_flush(w);
    pthread_mutex_lock(&w->lock);
    w->ending = true;
    pthread_cond_broadcast(&w->work);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    free_writer(w);
    *writer = NULL;
    return status;
}
