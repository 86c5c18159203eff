// SPDX-License-Identifier: MPL-2.0
// output/parts/liquid_parts.h - particles and the surface of the liquid.
#ifndef MN_OUTPUT_PARTS_LIQUID_PARTS_H
#define MN_OUTPUT_PARTS_LIQUID_PARTS_H

#include "output/parts/parts.h"

extern const mn_part_source mn_liquid_source;

/// `velocity`, `volume`, `id`, `pressure` and the concentration of each pigment (g/cm^3) by its name.
mn_status mn_make_particles(void *state, mn_frame_part *out);
/// Triangles, lines in two dimensions: `velocity`, `pressure` and concentrations.
mn_status mn_make_surface(void *state, mn_frame_part *out);

#endif
