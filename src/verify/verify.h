// SPDX-License-Identifier: MPL-2.0
// verify/verify.h - validation cases: a value, what it should be, and a verdict. Run alike by ctest and `meniscus
// verify`.
#ifndef MN_VERIFY_VERIFY_H
#define MN_VERIFY_VERIFY_H

#include "base/context.h"
#include "meniscus/verify.h"

/// Receives the lines of a case. `good` and `gate` bound |error|; an error that is not finite fails.
typedef struct mn_verify_report mn_verify_report;

/// One line: what was measured, what is expected, and the error that is judged against good and gate.
void mn_verify_value(mn_verify_report *report, const char *what, double value, double expected, double error,
                     double good, double gate);
/// A line whose value only has to stay at or below a bound (or, with _least, at or above it).
void mn_verify_at_most(mn_verify_report *report, const char *what, double value, double good, double gate);
void mn_verify_at_least(mn_verify_report *report, const char *what, double value, double good, double gate);

/// A case runs a world, by mn_world_step: a line before which none has made a step in `context` fails. What a case
/// measures on parts of the library instead says so, from here on (true) or no more (false).
void mn_verify_library(mn_verify_report *report, bool on);

/// A case runs at the resolution of its tier and adds its lines.
typedef struct mn_verify_case {
    const char *id, *title;
    mn_status (*run)(mn_context *context, mn_verify_tier tier, mn_verify_report *report);
    bool library;  // no line of it runs a world: as mn_verify_library(report, true) before the first
} mn_verify_case;

/// Cases of each group, ended by an entry without id; one file per group: s1.c, s2.c ...
extern const mn_verify_case mn_verify_s1[];
extern const mn_verify_case mn_verify_s2[];
extern const mn_verify_case mn_verify_s3[];
extern const mn_verify_case mn_verify_s4[];
extern const mn_verify_case mn_verify_s5[];
extern const mn_verify_case mn_verify_mms_liquid[];
extern const mn_verify_case mn_verify_p1[];  ///< P: the program's own, which the list of published numbers does not ask
extern const mn_verify_case mn_verify_p5[];
extern const mn_verify_case mn_verify_p_thin[];
extern const mn_verify_case mn_verify_mms_thin[];
extern const mn_verify_case mn_verify_a1[];
extern const mn_verify_case mn_verify_a6_weave[];
extern const mn_verify_case mn_verify_a6_stain[];
extern const mn_verify_case mn_verify_mms_stain[];
extern const mn_verify_case mn_verify_mms_fabric[];

/// mn_verify_run over other groups than those of the library; `groups` ends with NULL.
mn_status mn_verify_run_groups(mn_context *context, const mn_verify_case *const *groups, const mn_verify_def *def,
                               mn_verify_counts *out);

#endif
