// SPDX-License-Identifier: MPL-2.0
// output/parts/stain_parts.h - stained cloths with their colours and densities.
#ifndef MN_OUTPUT_PARTS_STAIN_PARTS_H
#define MN_OUTPUT_PARTS_STAIN_PARTS_H

#include "output/parts/parts.h"
#include "stain/colour.h"

/// Its images are those of stains that ask for some: see mn_stain_texture.
extern const mn_part_source mn_stain_source;

/// All stains of a world as they are now: `color` (sRGB, 0 to 1), `normals`, `wetness` and `film` (g/cm^2 of liquid,
/// all and free), `stain` (its number), and the mass per area of each pigment (g/cm^2, all its states).
mn_status mn_make_stains(void *state, mn_frame_part *out);

/// Colours of all vertices of a stain, linear light.
void mn_stain_vertex_colours(const mn_stain_view *stain, mn_colour *out);
/// The stain as a PNG in the texture coordinates of its cloth, which has some (`texture` above 0); beyond them the
/// cloth's own colour.
mn_status mn_stain_texture(mn_context *context, const mn_stain_view *stain, mn_buffer *png);

#endif
