// SPDX-License-Identifier: MPL-2.0
// defs/tracers.c - the rows of tracers.
#include "defs/rows.h"

static const mn_setting rows[] = {
    { "shape", MN_SET_SHAPE, AT(mn_tracer_def, shape), .flags = MN_SET_REQUIRED,
      .help = "where they are at the start: a name or a map" },
    { "spacing", MN_SET_NUMBER, AT(mn_tracer_def, spacing), "cm", 0.0, 1e6, .standard = "0.5", .flags = MN_SET_ABOVE,
      .help = "from one to the next, along every axis" },
};
const mn_section mn_section_tracer = SECTION_OF(mn_tracer_def, "tracers", rows);
