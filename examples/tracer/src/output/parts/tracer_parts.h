// SPDX-License-Identifier: MPL-2.0
// output/parts/tracer_parts.h - tracers as points.
#ifndef MN_OUTPUT_PARTS_TRACER_PARTS_H
#define MN_OUTPUT_PARTS_TRACER_PARTS_H

#include "output/parts/parts.h"

extern const mn_part_source mn_tracer_source;

/// `id` of each.
mn_status mn_make_tracers(void *state, mn_frame_part *out);

#endif
