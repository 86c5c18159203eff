// SPDX-License-Identifier: MPL-2.0
// verify/verify.c - the table of validation cases, choosing among them by id, and the verdict on every line.
#include "verify/verify.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

static const mn_verify_case *const all_groups[] = {
    mn_verify_s1,         mn_verify_s2,       mn_verify_s3,        mn_verify_s4,
    mn_verify_s5,         mn_verify_p1,       mn_verify_p_thin,    mn_verify_p5,
    mn_verify_a1,         mn_verify_a6_weave, mn_verify_a6_stain,  mn_verify_mms_liquid,
    mn_verify_mms_fabric, mn_verify_mms_thin, mn_verify_mms_stain, NULL
};

struct mn_verify_report {
    const char       *id;
    const mn_context *context;
    int64_t           steps;  // of worlds, before the case began
    bool              library;
    mn_verify_fn     *line;
    void             *user;
    mn_verify_counts *counts;
};

static const mn_verify_case *case_at(const mn_verify_case *const *groups, int index)
{
    for (; *groups != NULL; groups++) {
        for (const mn_verify_case *c = *groups; c->id != NULL; c++) {
            if (index-- == 0) return c;
        }
    }
    return NULL;
}

static int case_count(const mn_verify_case *const *groups)
{
    int count = 0;
    while (case_at(groups, count) != NULL) count++;
    return count;
}

int mn_verify_case_count(void) { return case_count(all_groups); }

const char *mn_verify_case_id(int index)
{
    const mn_verify_case *c = index < 0 ? NULL : case_at(all_groups, index);
    return c == NULL ? "" : c->id;
}

const char *mn_verify_case_title(int index)
{
    const mn_verify_case *c = index < 0 ? NULL : case_at(all_groups, index);
    return c == NULL ? "" : c->title;
}

const char *mn_verdict_text(mn_verdict verdict)
{
    switch (verdict) {
    case MN_VERDICT_GOOD: return "good";
    case MN_VERDICT_GATE: return "gate";
    case MN_VERDICT_FAIL: break;
    }
    return "FAIL";
}

/// Comparisons are written so that NaN fails.
static mn_verdict judge(double error, double good, double gate)
{
    if (!isfinite(error)) return MN_VERDICT_FAIL;
    return error <= good ? MN_VERDICT_GOOD : error <= gate ? MN_VERDICT_GATE : MN_VERDICT_FAIL;
}

/// What breaks off has no number that a world could have given.
static bool runs_no_world(const mn_verify_report *r, const mn_verify_line *line)
{
    return !r->library && mn_context_world_steps(r->context) == r->steps && !isnan(line->good);
}

static void add_line(mn_verify_report *r, mn_verify_line line)
{
    char text[256];
    line.id      = r->id;
    line.library = r->library;
    if (runs_no_world(r, &line)) {
        snprintf(text, sizeof text, "no world was run for: %s", line.what);
        line.what    = text;
        line.verdict = MN_VERDICT_FAIL;
    }
    r->counts->library += line.library;
    switch (line.verdict) {
    case MN_VERDICT_GOOD: r->counts->good++; break;
    case MN_VERDICT_GATE: r->counts->gate++; break;
    case MN_VERDICT_FAIL: r->counts->fail++; break;
    }
    if (r->line != NULL) r->line(&line, r->user);
}

void mn_verify_value(mn_verify_report *r, const char *what, double value, double expected, double error, double good,
                     double gate)
{
    add_line(r, (mn_verify_line){ .what     = what,
                                  .relation = MN_VERIFY_EQUAL,
                                  .value    = value,
                                  .expected = expected,
                                  .error    = error,
                                  .good     = good,
                                  .gate     = gate,
                                  .verdict  = judge(fabs(error), good, gate) });
}

void mn_verify_at_most(mn_verify_report *r, const char *what, double value, double good, double gate)
{
    add_line(r, (mn_verify_line){ .what     = what,
                                  .relation = MN_VERIFY_AT_MOST,
                                  .value    = value,
                                  .expected = good,
                                  .error    = value <= good ? 0.0 : value - good,
                                  .good     = good,
                                  .gate     = gate,
                                  .verdict  = judge(value, good, gate) });
}

void mn_verify_at_least(mn_verify_report *r, const char *what, double value, double good, double gate)
{
    add_line(r, (mn_verify_line){ .what     = what,
                                  .relation = MN_VERIFY_AT_LEAST,
                                  .value    = value,
                                  .expected = good,
                                  .error    = value >= good ? 0.0 : good - value,
                                  .good     = good,
                                  .gate     = gate,
                                  .verdict  = judge(-value, -good, -gate) });
}

void mn_verify_library(mn_verify_report *r, bool on) { r->library = on; }

/// Whether `id` is `pattern` or lies below it: "S1" has "S1.1", but "S1.1" has no "S1.10".
static bool id_matches(const char *pattern, const char *id)
{
    for (; *pattern != '\0'; pattern++, id++) {
        if (toupper((unsigned char)*pattern) != toupper((unsigned char)*id)) return false;
    }
    return *id == '\0' || *id == '.';
}

static bool is_wanted(const mn_verify_def *def, const char *id)
{
    for (int k = 0; k < def->id_count; k++) {
        if (id_matches(def->ids[k], id)) return true;
    }
    return def->id_count == 0;
}

static mn_status check_ids(mn_context *context, const mn_verify_case *const *groups, const mn_verify_def *def)
{
    const int count = case_count(groups);
    for (int k = 0; k < def->id_count; k++) {
        bool known = false;
        for (int c = 0; c < count && !known; c++) known = id_matches(def->ids[k], case_at(groups, c)->id);
        if (known) continue;
        if (count == 0)
            return mn_fail(context, MN_ERR_ARGUMENT, "there is no validation case '%s', nor any other", def->ids[k]);
        return mn_fail(context, MN_ERR_ARGUMENT, "there is no validation case '%s'; the cases go from %s to %s",
                       def->ids[k], case_at(groups, 0)->id, case_at(groups, count - 1)->id);
    }
    return MN_OK;
}

static void run_case(mn_context *context, const mn_verify_def *def, const mn_verify_case *c, mn_verify_counts *counts)
{
    mn_verify_report       report = { .id      = c->id,
                                      .context = context,
                                      .library = c->library,
                                      .steps   = mn_context_world_steps(context),
                                      .line    = def->line,
                                      .user    = def->user,
                                      .counts  = counts };
    const mn_verify_counts before = *counts;
    mn_clear_error(context);  // a message of this case, not of one before
    const mn_status status = c->run(context, def->tier, &report);
    counts->cases++;
    if (status != MN_OK) {
        const char *text = mn_context_error(context);
        add_line(&report, (mn_verify_line){ .what     = text[0] != '\0' ? text : mn_status_text(status),
                                            .value    = NAN,
                                            .expected = NAN,
                                            .error    = NAN,
                                            .good     = NAN,
                                            .verdict  = MN_VERDICT_FAIL });
    } else if (counts->good + counts->gate + counts->fail == before.good + before.gate + before.fail) {
        add_line(&report, (mn_verify_line){ .what     = "the case measured nothing",
                                            .value    = NAN,
                                            .expected = NAN,
                                            .error    = NAN,
                                            .good     = NAN,
                                            .verdict  = MN_VERDICT_FAIL });
    }
}

mn_status mn_verify_run_groups(mn_context *context, const mn_verify_case *const *groups, const mn_verify_def *def,
                               mn_verify_counts *out)
{
    *out = (mn_verify_counts){ 0 };
    MN_TRY(check_ids(context, groups, def));
    const mn_verify_case *c;
    for (int k = 0; (c = case_at(groups, k)) != NULL; k++) {
        if (is_wanted(def, c->id)) run_case(context, def, c, out);
    }
    return MN_OK;
}

mn_status mn_verify_run(mn_context *context, const mn_verify_def *def, mn_verify_counts *out)
{
    return mn_verify_run_groups(context, all_groups, def, out);
}
