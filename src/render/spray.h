// SPDX-License-Identifier: MPL-2.0
// render/spray.h - particles of a liquid that its surface does not hold.
#ifndef MN_RENDER_SPRAY_H
#define MN_RENDER_SPRAY_H

#include "render/tracer.h"

/// Particles outside the liquid that the tracer has, and not close to its skin, as clear drops.
mn_status mn_spray_make(mn_context *context, const mn_tracer *tracer, const mn_frame_part *particles, mn_paint paint,
                        mn_thing *out);

#endif
