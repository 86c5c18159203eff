// SPDX-License-Identifier: MPL-2.0
// app/import.c - `meniscus import`: a scene of another program becomes a scene of this one.
#include "app.h"

int app_import(const app_args *args)
{
    if (args->out == NULL) {
        fprintf(stderr, "meniscus: import needs the name of the scene to write: -o SCENE.yaml\n");
        return APP_USAGE;
    }
    app_events  events;
    mn_context *context = app_context(1, &events);
    if (context == NULL) return APP_FAILED;
    char           *listing = NULL;
    const mn_status status  = mn_scene_import(context, args->positional[0], args->out, &listing);
    int             result  = APP_DONE;
    if (status == MN_OK) {
        fputs(listing, stdout);
    } else {
        result = app_fail(context, status);
        if (status == MN_ERR_FILE) result = APP_USAGE;  // a file that cannot be read is a wrong argument
    }
    mn_text_free(context, &listing);
    mn_context_destroy(&context);
    return result;
}
