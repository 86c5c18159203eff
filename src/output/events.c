// SPDX-License-Identifier: MPL-2.0
// output/events.c - collecting events from any thread.
#include "output/events.h"

#include "output/json.h"

#include <pthread.h>

struct mn_events {
    mn_context     *context;
    pthread_mutex_t lock;  // everything below
    mn_buffer       lines;
    double          time;
};

void mn_events_line(mn_buffer *out, double time, mn_log_level level, const char *event, const char *text)
{
    static const char *const levels[] = { "debug", "info", "warning", "error" };
    mn_buffer_text(out, "{\"time\": ");
    mn_json_number(out, time);
    mn_buffer_print(out, ", \"level\": \"%s\", \"event\": ", levels[level]);
    mn_json_text(out, event);
    mn_buffer_text(out, ", \"text\": ");
    mn_json_text(out, text);
    mn_buffer_text(out, "}\n");
}

static void receive(mn_log_level level, const char *event, const char *text, void *user)
{
    mn_events *e = user;
    pthread_mutex_lock(&e->lock);
    const size_t before = e->lines.bytes;
    mn_events_line(&e->lines, e->time, level, event, text);
    if (mn_buffer_status(&e->lines) != MN_OK) {
        e->lines.bytes   = before;  // no memory for a line: the lines before it stay whole
        e->lines.refused = false;
    }
    pthread_mutex_unlock(&e->lock);
}

mn_status mn_events_create(mn_context *c, mn_events **out)
{
    *out         = NULL;
    mn_events *e = mn_alloc(c, sizeof *e);
    if (e == NULL) return MN_ERR_MEMORY;
    e->context = c;
    pthread_mutex_init(&e->lock, NULL);
    mn_buffer_init(&e->lines, c);
    const mn_status status = mn_context_add_sink(c, receive, e);
    if (status != MN_OK) {
        pthread_mutex_destroy(&e->lock);
        mn_free(c, e);
        return status;
    }
    *out = e;
    return MN_OK;
}

void mn_events_destroy(mn_events **events)
{
    mn_events *e = *events;
    if (e == NULL) return;
    mn_context_remove_sink(e->context, receive, e);
    pthread_mutex_destroy(&e->lock);
    mn_buffer_free(&e->lines);
    mn_free(e->context, e);
    *events = NULL;
}

void mn_events_set_time(mn_events *e, double time)
{
    pthread_mutex_lock(&e->lock);
    e->time = time;
    pthread_mutex_unlock(&e->lock);
}

mn_status mn_events_submit(mn_events *e, mn_writer *w, const char *path)
{
    mn_buffer *job;
    MN_TRY(mn_writer_take(w, &job));
    pthread_mutex_lock(&e->lock);
    mn_buffer_add(job, e->lines.data, e->lines.bytes);
    if (mn_buffer_status(job) == MN_OK) mn_buffer_clear(&e->lines);
    pthread_mutex_unlock(&e->lock);
    if (job->bytes > 0) return mn_writer_submit(w, MN_WRITE_APPEND, path, job);
    const mn_status status = mn_buffer_status(job);
    mn_writer_return(w, job);
    return status;
}
