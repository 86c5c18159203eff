// SPDX-License-Identifier: MPL-2.0
// app/common.c - the context of a command, its warnings, and how a failure leaves the program.
#include "app.h"

#include <string.h>

/// Warnings about the start of a world that are shown.
#define MOST_OF_START 12

/// Of the start of a world: each has its place in the scene.
static bool is_of_start(const char *event) { return strncmp(event, "start_", 6) == 0; }

/// Warnings and errors are counted by kind: a thousand rejected steps are one line at the end, not a thousand.
static void count_event(mn_log_level level, const char *event, const char *text, void *user)
{
    app_events *events = user;
    if (level < MN_LOG_WARNING) return;
    // This one waits for somebody to make room, so it cannot wait for the end.
    if (strcmp(event, "disk_low") == 0) fprintf(stderr, "%s\n", text);
    const bool of_start = is_of_start(event);
    if (of_start && ++events->of_start > MOST_OF_START) {
        events->more_of_start++;
        return;
    }
    int k = of_start ? events->count : 0;
    while (k < events->count && strncmp(events->event[k].name, event, sizeof events->event[k].name - 1) != 0) k++;
    if (k == APP_MAX_EVENTS) return;
    app_event *e = &events->event[k];
    if (k == events->count) {
        events->count++;
        snprintf(e->name, sizeof e->name, "%s", event);
    }
    e->count++;
    snprintf(e->last, sizeof e->last, "%s", text);
}

mn_context *app_context(int threads, app_events *events)
{
    *events                 = (app_events){ .count = 0 };
    mn_context_def def      = mn_context_def_default();
    def.threads             = threads;
    def.log                 = count_event;
    def.log_user            = events;
    mn_context     *context = NULL;
    const mn_status status  = mn_context_create(&def, &context);
    if (status != MN_OK) fprintf(stderr, "meniscus: the library could not start: %s\n", mn_status_text(status));
    return context;
}

void app_print_events(const app_events *events)
{
    for (int k = 0; k < events->count; k++) {
        const app_event *e = &events->event[k];
        if (is_of_start(e->name)) fprintf(stderr, "%s\n", e->last);
        else
            fprintf(stderr, "warning: %s (%lld time%s, last: %s)\n", e->name, (long long)e->count,
                    e->count == 1 ? "" : "s", e->last);
    }
    if (events->more_of_start > 0)
        fprintf(stderr, "and %lld more warnings about the start\n", (long long)events->more_of_start);
}

int app_fail(const mn_context *context, mn_status status)
{
    const char *text = mn_context_error(context);
    fprintf(stderr, "%s\n", text[0] != '\0' ? text : mn_status_text(status));
    switch (status) {
    case MN_ERR_INTERRUPTED: return APP_INTERRUPTED;
    case MN_ERR_SCENE:
    case MN_ERR_ARGUMENT:
    case MN_ERR_STATE: return APP_USAGE;
    default: return APP_FAILED;
    }
}

mn_scene *app_load_scene(mn_context *context, const app_args *args, int *exit_status)
{
    const mn_scene_source source = { .path      = args->positional[0],
                                     .variant   = args->variant,
                                     .set       = args->set,
                                     .set_count = args->set_count };
    mn_scene             *scene  = NULL;
    const mn_status       status = mn_scene_load(context, &source, &scene);
    *exit_status                 = APP_DONE;
    if (status != MN_OK) {
        *exit_status = app_fail(context, status);
        if (status == MN_ERR_FILE) *exit_status = APP_USAGE;  // a scene that cannot be read is a wrong argument
    }
    return scene;
}
