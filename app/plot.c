// SPDX-License-Identifier: MPL-2.0
// app/plot.c - `meniscus plot`: charts of the ledger, the probes and the time of a run.
#include "app.h"

int app_plot(const app_args *args)
{
    app_events  events;
    mn_context *context = app_context(1, &events);
    if (context == NULL) return APP_FAILED;
    int64_t         charts;
    const mn_status status      = mn_run_plot(context, args->positional[0], &charts);
    int             exit_status = APP_DONE;
    if (status == MN_OK)
        printf("%lld chart%s in %s/plots\n", (long long)charts, charts == 1 ? "" : "s", args->positional[0]);
    else exit_status = app_fail(context, status);
    app_print_events(&events);
    mn_context_destroy(&context);
    return exit_status;
}
