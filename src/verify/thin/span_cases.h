// SPDX-License-Identifier: MPL-2.0
// verify/thin/span_cases.h - lines of the groups S3, S4 and P that are measured on spans in a world.
#ifndef MN_VERIFY_SPAN_CASES_H
#define MN_VERIFY_SPAN_CASES_H

#include "verify/thin/span.h"

/// Drop and reach of a cantilever under its weight, S3.5 and P4.3.
mn_status mn_span_droop(mn_context *c, mn_verify_tier tier, mn_verify_report *r, bool yarn);
/// Give a cantilever the weight gamma = w g L^3 / D, with the damping and the steps in which it comes to rest, and how
/// long that takes it.
void   mn_span_weigh(mn_span *s, double gamma);
double mn_span_rest_time(const mn_span *s, double gamma);
/// The first two frequencies of a cantilever (S4.5: of the hair there).
mn_status mn_span_frequencies(mn_context *c, mn_verify_tier tier, mn_verify_report *r, bool yarn);
/// Overhang of Peirce's cantilever, S3.4.
mn_status mn_span_peirce(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
/// How far a strip or yarn stretches that hangs, and the speed of its waves when it is let go, S4.10.
mn_status mn_span_hang(mn_context *c, mn_verify_tier tier, mn_verify_report *r, bool yarn);
/// What a strip bears that is pushed together until it buckles, S3.7.
mn_status mn_span_push(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
/// The weight under which an upright yarn no longer stands, S4.4.
mn_status mn_span_stand(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
/// Energy of a twisted yarn, and the turn at which it leaves its line, P4.11.
mn_status mn_span_twist(mn_context *c, mn_verify_tier tier, mn_verify_report *r);

/// A yarn bent to nearly 180 degrees and let go, S4.8.
mn_status mn_span_fold(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
/// P5.10: pins that hold two, three and five rows; P5.11: what they bear.
mn_status mn_span_clamps(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_span_bearing(mn_context *c, mn_verify_tier tier, mn_verify_report *r);

#endif
