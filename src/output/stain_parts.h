// SPDX-License-Identifier: MPL-2.0
// output/stain_parts.h - the part of a frame that shows stains: stained cloths with their colours and densities.
#ifndef MN_OUTPUT_STAIN_PARTS_H
#define MN_OUTPUT_STAIN_PARTS_H

#include "output/vtp.h"
#include "stain/colour.h"
#include "world/state.h"

typedef struct mn_stain_parts mn_stain_parts;

/// Colours of all vertices of a stain, linear light.
void mn_stain_vertex_colours(const mn_stain_view *stain, mn_colour *out);
/// The stain as a PNG in the texture coordinates of its cloth, which has some (`texture` above 0); beyond them the
/// cloth's own colour.
mn_status mn_stain_texture(mn_context *context, const mn_stain_view *stain, mn_buffer *png);

mn_status mn_stain_parts_create(mn_context *context, mn_stain_parts **out);
void      mn_stain_parts_destroy(mn_stain_parts **parts);
/// All stains of a world as they are now: `color` (sRGB, 0 to 1), `wetness` (g/cm^2 of liquid), the mass per area of
/// each pigment (g/cm^2, all its states) and normals. Borrows from `parts`: valid until the next call.
mn_status mn_stain_parts_fill(mn_stain_parts *parts, const mn_world *world, mn_frame_part *out);

#endif
