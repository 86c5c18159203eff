// SPDX-License-Identifier: MPL-2.0
// app/app.h - what the commands of the program share: arguments, exit statuses, messages.
#ifndef MN_APP_H
#define MN_APP_H

#include "meniscus/meniscus.h"

#include <stdio.h>

enum { APP_DONE = 0, APP_FAILED = 1, APP_USAGE = 2, APP_INTERRUPTED = 130 };

#define APP_MAX_SET 256

/// Everything the command line can say; a command reads what its row of options allows.
typedef struct app_args {
    const char       *command;
    const char       *positional[APP_MAX_SET];
    int               positional_count;
    const char       *out, *variant, *from, *pair, *table, *aspect, *to, *fields;
    const char       *set[APP_MAX_SET];
    int               set_count;
    int64_t           frames;   ///< -1: as many as the scene asks for
    int               threads;  ///< 0: one per core
    mn_verify_tier    tier;
    bool              resume, pictures, quiet, list, help, gaps, movie, glass;
    const char       *field;           ///< to colour by
    int64_t           span[2], every;  ///< frames from .. to (-1: the last), one of so many
    int64_t           limit;           ///< MB, 0: not said
    int               size[2];         ///< pixels, 0: as the scene has it
    mn_render_quality quality;
} app_args;

/// A command: how it is called, what it does, which options it knows (bits of app_option_bit), how many arguments.
typedef struct app_command {
    const char *name, *usage, *summary;
    unsigned    options;
    int         least, most;
    int (*run)(const app_args *args);
} app_command;

#define APP_BIT(name) (1u << APP_OPTION_##name)
enum {
    APP_OPTION_out,
    APP_OPTION_variant,
    APP_OPTION_frames,
    APP_OPTION_threads,
    APP_OPTION_set,
    APP_OPTION_resume,
    APP_OPTION_from,
    APP_OPTION_pictures,
    APP_OPTION_quiet,
    APP_OPTION_list,
    APP_OPTION_tier,
    APP_OPTION_scene,
    APP_OPTION_pair,
    APP_OPTION_gaps,
    APP_OPTION_table,
    APP_OPTION_aspect,
    APP_OPTION_drawing,
    APP_OPTION_to,
    APP_OPTION_folder,
    APP_OPTION_quality,
    APP_OPTION_color,
    APP_OPTION_span,
    APP_OPTION_every,
    APP_OPTION_size,
    APP_OPTION_movie,
    APP_OPTION_glass,
    APP_OPTION_pngs,
    APP_OPTION_fields,
    APP_OPTION_limit,
    APP_OPTION_help
};

// options.c
/// Fill `args` from argv after the command's name. APP_DONE, or APP_USAGE with the message already printed.
int  app_parse(const app_command *command, int count, char **words, app_args *args);
void app_print_options(FILE *to, unsigned options);

// text.c
/// The nearest of `count` names to a misspelt word, or NULL when none is near.
const char *app_nearest(const char *word, const char *const *names, int count);
void        app_format_duration(double seconds, char *text, size_t bytes);  ///< "3.2 s", "1:05:09"
void        app_format_bytes(double bytes_of_memory, char *text, size_t bytes);
/// What `check` says about the fabrics of a scene; all their vertices.
void    app_print_fabrics(const mn_scene *scene);
int64_t app_fabric_vertices(const mn_scene *scene);
/// "scenes/dam-break.yaml" gives "dam-break".
void app_stem(const char *path, char *text, size_t bytes);
/// A regular file of at most so many bytes, to read; -1 with errno set.
int app_open(const char *path, long long most, long long *bytes);
/// The whole file as text ended by zero, from malloc; NULL with errno set.
char *app_read_text(const char *path);

// common.c
/// Counts of log events by kind; warnings are shown once, at the end.
#define APP_MAX_EVENTS 32
typedef struct app_event {
    char    name[48], last[768];
    int64_t count;
} app_event;
typedef struct app_events {
    app_event event[APP_MAX_EVENTS];
    int       count;
    int       of_start;  ///< those about the start of a world, of which each has an entry, and those that have none
    int64_t   more_of_start;
} app_events;

/// A context whose warnings go into `events`. NULL with the message printed when it cannot be made.
mn_context *app_context(int threads, app_events *events);
void        app_print_events(const app_events *events);
/// Print the context's error to stderr and turn the status into an exit status.
int app_fail(const mn_context *context, mn_status status);
/// The scene of args->positional[0]. On failure NULL, with the message printed and *exit_status set.
mn_scene *app_load_scene(mn_context *context, const app_args *args, int *exit_status);

// interrupt.c
/// From now on SIGINT, SIGTERM or SIGHUP ends the program with APP_INTERRUPTED.
void app_catch_interrupts(void);
/// Where there is something to save: from now on the first one asks this context to end; the second ends the program.
/// NULL: not any more.
void app_ask_on_interrupt(mn_context *context);
bool app_interrupted(void);

// The commands.
int app_run(const app_args *args);
int app_check(const app_args *args);
int app_import(const app_args *args);
int app_info(const app_args *args);
int app_scenes(const app_args *args);
int app_materials(const app_args *args);
int app_shapes(const app_args *args);
int app_schema(const app_args *args);
int app_verify(const app_args *args);
int app_weave(const app_args *args);
int app_export(const app_args *args);
int app_plot(const app_args *args);
int app_render(const app_args *args);

// movie.c
/// FOLDER/movie.mp4 of PNG files in this order, by ffmpeg. Without ffmpeg a sentence, and APP_DONE: the pictures are
/// there.
int app_movie(const char *folder, const char *const *files, int64_t count, double frame_rate);

#endif
