// SPDX-License-Identifier: MPL-2.0
// app/list.c - commands that print a text of the library: `materials`, `shapes`, `schema` and `info`.
#include "app.h"

#include <string.h>

/// Print the text, or the failure; gives the text back.
static int print_text(mn_context *context, mn_status status, char **text)
{
    if (status != MN_OK) return app_fail(context, status);
    fputs(*text, stdout);
    const size_t length = strlen(*text);
    if (length > 0 && (*text)[length - 1] != '\n') putchar('\n');
    mn_text_free(context, text);
    return APP_DONE;
}

typedef mn_status listing_fn(mn_context *context, char **text);

static int print_listing(listing_fn *listing)
{
    app_events  events;
    mn_context *context = app_context(1, &events);
    if (context == NULL) return APP_FAILED;
    char           *text        = NULL;
    const mn_status status      = listing(context, &text);
    const int       exit_status = print_text(context, status, &text);
    mn_context_destroy(&context);
    return exit_status;
}

int app_materials(const app_args *args)
{
    (void)args;
    return print_listing(mn_scene_materials);
}

int app_shapes(const app_args *args)
{
    (void)args;
    return print_listing(mn_scene_shapes);
}

int app_schema(const app_args *args)
{
    (void)args;
    return print_listing(mn_scene_schema);
}

int app_info(const app_args *args)
{
    app_events  events;
    mn_context *context = app_context(1, &events);
    if (context == NULL) return APP_FAILED;
    char           *text        = NULL;
    const mn_status status      = mn_run_info(context, args->positional[0], &text);
    const int       exit_status = print_text(context, status, &text);
    app_print_events(&events);
    mn_context_destroy(&context);
    return exit_status;
}
