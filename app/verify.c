// SPDX-License-Identifier: MPL-2.0
// app/verify.c - `meniscus verify`: validation cases, a line for every number they measure.
#include "app.h"

static void print_line(const mn_verify_line *line, void *user)
{
    (void)user;
    static const char
        *const relations[] = { [MN_VERIFY_EQUAL] = "", [MN_VERIFY_AT_MOST] = "<=", [MN_VERIFY_AT_LEAST] = ">=" };
    char       expected[32];
    snprintf(expected, sizeof expected, "%s%.6g", relations[line->relation], line->expected);
    printf("%-6s %14.8g %14s %12.3e  %s  %s%s\n", line->id, line->value, expected, line->error,
           mn_verdict_text(line->verdict), line->library ? "library: " : "", line->what);
    fflush(stdout);
}

static int list_cases(void)
{
    for (int k = 0; k < mn_verify_case_count(); k++) printf("%-6s %s\n", mn_verify_case_id(k), mn_verify_case_title(k));
    return APP_DONE;
}

int app_verify(const app_args *args)
{
    if (args->list) return list_cases();
    app_events  events;
    mn_context *context = app_context(args->threads, &events);
    if (context == NULL) return APP_FAILED;
    const mn_verify_def def = { .ids      = args->positional,
                                .id_count = args->positional_count,
                                .tier     = args->tier,
                                .line     = print_line };
    mn_verify_counts    counts;
    const mn_status     status      = mn_verify_run(context, &def, &counts);
    int                 exit_status = APP_DONE;
    if (status != MN_OK) {
        exit_status = app_fail(context, status);
    } else {
        printf("%d case%s: %d good, %d gate, %d FAIL; %d of the lines by parts of the library, without a world\n",
               counts.cases, counts.cases == 1 ? "" : "s", counts.good, counts.gate, counts.fail, counts.library);
        exit_status = counts.fail == 0 ? APP_DONE : APP_FAILED;
    }
    mn_context_destroy(&context);
    return exit_status;
}
