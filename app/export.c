// SPDX-License-Identifier: MPL-2.0
// app/export.c - `meniscus export`: the frames of a run as files of other programs.
#include "app.h"

#include <string.h>

static const struct {
    const char      *name;
    mn_export_format format;
} formats[] = {
    { "vtp", MN_EXPORT_VTP }, { "ply", MN_EXPORT_PLY },   { "obj", MN_EXPORT_OBJ },
    { "pc2", MN_EXPORT_PC2 }, { "usda", MN_EXPORT_USDA }, { "html", MN_EXPORT_HTML },
};

#define FORMAT_COUNT ((int)(sizeof formats / sizeof formats[0]))

/// Index of the format that --to names, or -1 with the message printed.
static int find_format(const char *word)
{
    const char *names[FORMAT_COUNT];
    for (int k = 0; k < FORMAT_COUNT; k++) {
        names[k] = formats[k].name;
        if (word != NULL && strcmp(word, names[k]) == 0) return k;
    }
    if (word == NULL) fprintf(stderr, "meniscus: export needs a format: --to");
    else fprintf(stderr, "meniscus: '%s' is no format of export; --to takes", word);
    for (int k = 0; k < FORMAT_COUNT; k++)
        fprintf(stderr, "%s %s", k == 0 ? "" : k == FORMAT_COUNT - 1 ? " or" : ",", names[k]);
    const char *near = word == NULL ? NULL : app_nearest(word, names, FORMAT_COUNT);
    if (near != NULL) fprintf(stderr, "; did you mean '%s'?", near);
    fprintf(stderr, "\n");
    return -1;
}

static void print_result(const mn_export_result *r, const char *to)
{
    char size[64];
    app_format_bytes(r->bytes, size, sizeof size);
    printf("%lld file%s, %s, in %s\n", (long long)r->files, r->files == 1 ? "" : "s", size, to);
    if (r->skipped > 0)
        fprintf(stderr, "warning: %lld frame file%s could not be read and %s left out; the last: %s\n",
                (long long)r->skipped, r->skipped == 1 ? "" : "s", r->skipped == 1 ? "is" : "are", r->reason);
    else if (r->reason[0] != '\0') fprintf(stderr, "warning: left out: %s\n", r->reason);
}

/// Options that only a page has; false with the message printed.
static bool options_fit(const app_args *args, mn_export_format format)
{
    const char *only = args->span[0] > 0 || args->span[1] >= 0 ? "--frames"
                       : args->every > 0                       ? "--every"
                       : args->fields != NULL                  ? "--fields"
                       : args->limit > 0                       ? "--limit"
                                                               : NULL;
    if (only == NULL || format == MN_EXPORT_HTML) return true;
    fprintf(stderr, "meniscus: %s is only for --to html; other formats get all frames\n", only);
    return false;
}

/// The folder, or the page: what -o says if it ends in .html, run.html in that folder otherwise.
static void where_to(const app_args *args, mn_export_format format, char *to, size_t bytes)
{
    if (args->out == NULL) snprintf(to, bytes, "%.4096s/export", args->positional[0]);
    else snprintf(to, bytes, "%.4096s", args->out);
    const size_t length = strlen(to);
    if (format == MN_EXPORT_HTML && (length < 5 || strcmp(to + length - 5, ".html") != 0))
        snprintf(to + length, bytes - length, "/run.html");
}

static mn_status export_page(mn_context *context, const app_args *args, const char *to, mn_export_result *result)
{
    mn_page_def def = mn_page_def_default();
    def.out = args->positional[0], def.to = to, def.fields = args->fields, def.first = args->span[0],
    def.last = args->span[1];
    if (args->every > 0) def.every = args->every;
    if (args->limit > 0) def.limit = 1e6 * (double)args->limit;
    return mn_run_export_page(context, &def, result);
}

int app_export(const app_args *args)
{
    const int found = find_format(args->to);
    if (found < 0) return APP_USAGE;
    const mn_export_format format = formats[found].format;
    if (!options_fit(args, format)) return APP_USAGE;
    char to[4200];
    where_to(args, format, to, sizeof to);
    app_events  events;
    mn_context *context = app_context(1, &events);
    if (context == NULL) return APP_FAILED;
    mn_export_result result;
    const mn_status  status      = format == MN_EXPORT_HTML
                                       ? export_page(context, args, to, &result)
                                       : mn_run_export(context, args->positional[0], format, to, &result);
    int              exit_status = APP_DONE;
    if (status == MN_OK) print_result(&result, to);
    else exit_status = app_fail(context, status);
    app_print_events(&events);
    mn_context_destroy(&context);
    return exit_status;
}
