// SPDX-License-Identifier: MPL-2.0
// meniscus/verify.h - the validation cases of the library: known answers, and how close it comes to them.
#ifndef MENISCUS_VERIFY_H
#define MENISCUS_VERIFY_H

#include "meniscus/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How much time the cases may take: the whole set in under 5 minutes, in under an hour, or overnight.
typedef enum mn_verify_tier { MN_TIER_BUILD, MN_TIER_VERIFY, MN_TIER_NIGHTLY } mn_verify_tier;

typedef enum mn_verdict { MN_VERDICT_GOOD, MN_VERDICT_GATE, MN_VERDICT_FAIL } mn_verdict;
typedef enum mn_verify_relation { MN_VERIFY_EQUAL, MN_VERIFY_AT_MOST, MN_VERIFY_AT_LEAST } mn_verify_relation;

/// One measured number. Borrowed for the length of the call.
typedef struct mn_verify_line {
    const char        *id, *what;  ///< "S1.1" and, for example, "largest speed after 1 s"
    mn_verify_relation relation;
    double             value, expected;  ///< for a bound, `expected` is the good one
    double             error;  ///< judged against good and gate; for a bound, how far `value` is beyond the good one
    double             good, gate;
    mn_verdict         verdict;
    bool               library;  ///< measured on parts of the library alone; all else is measured on a world that runs
} mn_verify_line;

typedef void mn_verify_fn(const mn_verify_line *line, void *user);

typedef struct mn_verify_def {
    const char *const *ids;  ///< "S1.1", or "S1" for all that begin with it; none: every case
    int                id_count;
    mn_verify_tier     tier;
    mn_verify_fn      *line;  ///< called for every line; may be NULL
    void              *user;
} mn_verify_def;

typedef struct mn_verify_counts {
    int cases, good, gate, fail;
    int library;  ///< lines of these three that no world was run for
} mn_verify_counts;

/// Run the cases asked for. A case that breaks off counts as a failed line that carries its message.
/// An unknown id is MN_ERR_ARGUMENT before anything runs.
MN_API mn_status mn_verify_run(mn_context *context, const mn_verify_def *def, mn_verify_counts *out);

/// What there is, in order.
MN_API int         mn_verify_case_count(void);
MN_API const char *mn_verify_case_id(int index);
MN_API const char *mn_verify_case_title(int index);

MN_API const char *mn_verdict_text(mn_verdict verdict);  ///< "good", "gate" or "FAIL"

#ifdef __cplusplus
}
#endif
#endif
