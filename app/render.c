// SPDX-License-Identifier: MPL-2.0
// app/render.c - `meniscus render`: traced pictures of a run's frames, and a movie of them.
#include "app.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct tally {
    bool    quiet;
    char  **files;  // written, in order
    int64_t count, room;
    bool    failed;  // no memory for their names
} tally;

static void keep_name(tally *t, const char *file)
{
    if (t->count == t->room) {
        char **grown = realloc(t->files, (size_t)(2 * t->room + 64) * sizeof *grown);
        if (grown == NULL) {
            t->failed = true;
            return;
        }
        t->files = grown;
        t->room  = 2 * t->room + 64;
    }
    char *copy = malloc(strlen(file) + 1);
    if (copy == NULL) t->failed = true;
    else t->files[t->count++] = strcpy(copy, file);
}

static bool show_frame(const mn_render_progress *p, void *user)
{
    tally *t = user;
    if (p->warning != NULL) {
        fprintf(stderr, "warning: %s\n", p->warning);
    } else {
        keep_name(t, p->file);
        if (!t->quiet) {
            char memory[32];
            app_format_bytes((double)p->tracer_bytes, memory, sizeof memory);
            printf("frame %lld  %lld/%lld  %.2f s  %s of trees  %s\n", (long long)p->frame, (long long)p->done,
                   (long long)p->wanted, p->seconds, memory, p->file);
            fflush(stdout);
        }
    }
    return !app_interrupted();
}

static int make_movie(const tally *t, const mn_render_report *report, int64_t every)
{
    if (t->failed) {
        fprintf(stderr, "meniscus: no memory to list the pictures for the movie; they are in %s\n", report->folder);
        return APP_FAILED;
    }
    return app_movie(report->folder, (const char *const *)t->files, t->count,
                     report->frame_rate > 0.0 ? report->frame_rate / (double)every : 25.0);
}

int app_render(const app_args *args)
{
    app_events  events;
    mn_context *context = app_context(args->threads, &events);
    if (context == NULL) return APP_FAILED;
    tally            t   = { .quiet = args->quiet };
    mn_render_def    def = mn_render_def_default();
    mn_render_report report;
    def.out = args->positional[0], def.to = args->out, def.field = args->field, def.first = args->span[0],
    def.last  = args->span[1];
    def.every = args->every > 0 ? args->every : 1, def.size[0] = args->size[0], def.size[1] = args->size[1],
    def.quality = args->quality, def.glass = args->glass;
    def.progress = show_frame, def.progress_user = &t;
    app_catch_interrupts();
    app_ask_on_interrupt(context);
    const mn_status status = mn_render_run(context, &def, &report);
    app_ask_on_interrupt(NULL);
    int result = status == MN_OK ? APP_DONE : app_fail(context, status);
    for (int k = 0; k < events.count; k++)  // damaged frames were told of when they came
        if (strcmp(events.event[k].name, "frame_skipped") != 0) fprintf(stderr, "warning: %s\n", events.event[k].last);
    if (result == APP_DONE && !args->quiet)
        printf("%lld picture%s in %s\n", (long long)report.pictures, report.pictures == 1 ? "" : "s", report.folder);
    if (result == APP_DONE && args->movie) result = make_movie(&t, &report, def.every);
    for (int64_t k = 0; k < t.count; k++) free(t.files[k]);
    free(t.files);
    mn_context_destroy(&context);
    return result;
}
