// SPDX-License-Identifier: MPL-2.0
// app/run.c - `meniscus run`: a scene from start (or checkpoint) to end, with progress and a clean interrupt.
#include "app.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct progress_line {
    bool            quiet, terminal;
    bool            liquid;  // the scene has some
    bool            open;    // the terminal's line has been begun and not ended
    double          last;    // when it was last drawn
    mn_run_progress latest;
} progress_line;

/// What the run moves: particles of liquid, vertices of fabric, or both.
static void format_matter(bool liquid, int64_t particles, int64_t vertices, char *text, size_t bytes)
{
    if (liquid && vertices > 0)
        snprintf(text, bytes, "%lld particles  %lld vertices", (long long)particles, (long long)vertices);
    else if (vertices > 0) snprintf(text, bytes, "%lld vertices", (long long)vertices);
    else snprintf(text, bytes, "%lld particles", (long long)particles);
}

static void draw_line(progress_line *line, const mn_run_progress *p)
{
    char left[32], matter[80];
    app_format_duration(p->seconds_left, left, sizeof left);
    format_matter(line->liquid, p->particles, p->vertices, matter, sizeof matter);
    printf("%sframe %lld/%lld  t %.4g s  dt %.2e s  %s  %s left%s", line->terminal ? "\r" : "", (long long)p->frame,
           (long long)p->frames, p->time, p->dt, matter, left, line->terminal ? "\033[K" : "\n");
    fflush(stdout);
    line->open = line->terminal;
}

/// On a terminal a line ten times a second; elsewhere a line a frame.
static bool show_progress(const mn_run_progress *p, void *user)
{
    progress_line *line = user;
    line->latest        = *p;
    if (!line->quiet) {
        const double t = now();
        if (p->frame_done || (line->terminal && t - line->last > 0.1)) {
            draw_line(line, p);
            line->last = t;
        }
    }
    return !app_interrupted();
}

static void end_line(progress_line *line)
{
    if (line->open) printf("\n");
    line->open = false;
    fflush(stdout);
}

static void print_summary(mn_run *run, const progress_line *line, const char *out)
{
    const mn_ledger ledger = mn_world_ledger(mn_run_world(run));
    char            took[32];
    app_format_duration(line->latest.seconds, took, sizeof took);
    printf("done: %lld frames, %.4g s simulated in %s", (long long)mn_world_frame(mn_run_world(run)),
           mn_world_time(mn_run_world(run)), took);
    if (line->liquid) printf("; liquid %.6g cm^3, error %.1e", ledger.liquid_total, ledger.liquid_error);
    printf("\nresults in %s\n", out);
}

static int advance(mn_context *context, mn_run *run, progress_line *line, const app_args *args, const char *out)
{
    const mn_status status = mn_run_advance(run);
    end_line(line);
    if (status == MN_ERR_INTERRUPTED) {
        fprintf(stderr, "interrupted at %.4g s; continue with: meniscus run %s -o %s --resume\n",
                mn_world_time(mn_run_world(run)), args->positional[0], out);
        return APP_INTERRUPTED;
    }
    if (status != MN_OK) {
        app_fail(context, status);
        return APP_FAILED;
    }
    if (!line->quiet) print_summary(run, line, out);
    return APP_DONE;
}

static int run_scene(mn_context *context, mn_scene *scene, const app_args *args, const char *out)
{
    progress_line line = { .quiet = args->quiet, .terminal = isatty(STDOUT_FILENO) == 1 };
    mn_run_def    def  = mn_run_def_default();
    def.out            = out;
    def.resume         = args->resume;
    def.from           = args->from;
    def.frames         = args->frames;
    def.pictures       = args->pictures;
    def.progress       = show_progress;
    def.progress_user  = &line;

    mn_run         *run     = NULL;
    const mn_status created = mn_run_create(context, scene, &def, &run);
    if (created != MN_OK) return app_fail(context, created);
    line.liquid = mn_world_has_liquid(mn_run_world(run));
    if (!args->quiet) {
        char matter[80];
        format_matter(line.liquid, mn_world_liquid(mn_run_world(run)).count, app_fabric_vertices(scene), matter,
                      sizeof matter);
        printf("%s: %s, %d thread%s\n", mn_scene_name(scene), matter, mn_context_threads(context),
               mn_context_threads(context) == 1 ? "" : "s");
        fflush(stdout);
    }
    app_ask_on_interrupt(context);
    int             exit_status = advance(context, run, &line, args, out);
    const mn_status closed      = mn_run_destroy(&run);
    app_ask_on_interrupt(NULL);
    if (closed != MN_OK && exit_status != APP_FAILED) {
        app_fail(context, closed);
        exit_status = APP_FAILED;
    }
    return exit_status;
}

int app_run(const app_args *args)
{
    if (args->resume && args->from != NULL) {
        fprintf(stderr, "meniscus: --resume continues OUT itself, --from starts from another run; choose one\n");
        return APP_USAGE;
    }
    char stem[256], out[300];
    app_stem(args->positional[0], stem, sizeof stem);
    snprintf(out, sizeof out, "out/%s", stem);

    app_catch_interrupts();
    app_events  events;
    mn_context *context = app_context(args->threads, &events);
    if (context == NULL) return APP_FAILED;
    int       exit_status = APP_DONE;
    mn_scene *scene       = app_load_scene(context, args, &exit_status);
    if (scene != NULL) exit_status = run_scene(context, scene, args, args->out != NULL ? args->out : out);
    mn_scene_destroy(&scene);
    if (!args->quiet) app_print_events(&events);
    mn_context_destroy(&context);
    return exit_status;
}
