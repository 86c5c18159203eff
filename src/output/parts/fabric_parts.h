// SPDX-License-Identifier: MPL-2.0
// output/parts/fabric_parts.h - cloth and yarn as parts of a frame: all fabrics of a world in one mesh of each kind.
#ifndef MN_OUTPUT_PARTS_FABRIC_PARTS_H
#define MN_OUTPUT_PARTS_FABRIC_PARTS_H

#include "output/parts/parts.h"

/// Sides of the tubes that stand for yarn.
#define MN_TUBE_SIDES 8

extern const mn_part_source mn_fabric_source;

bool      mn_fabrics_have_cloth(const void *state);
bool      mn_fabrics_have_yarn(const void *state);
mn_status mn_make_cloth(void *state, mn_frame_part *out);
mn_status mn_make_yarn(void *state, mn_frame_part *out);
mn_status mn_make_tubes(void *state, mn_frame_part *out);

// ---- the same of any fabrics ---------------------------------------------------------------------------------------

typedef struct mn_fabric_parts mn_fabric_parts;

mn_status mn_fabric_parts_create(mn_context *context, mn_fabric_parts **out);
void      mn_fabric_parts_destroy(mn_fabric_parts **parts);

/// The parts of these fabrics as they stand. Each borrows from `parts` until the same part is made again. All carry
/// `velocity`, `saturation`, `solid_fraction`, `held` and `fabric`, the number of the fabric of each point. `held`
/// (cm^3) is that of the vertex which a point belongs to: points of tubes and of pile on cloth repeat it. Where the
/// liquid of the world has pigments, every part also has `color` (sRGB, 0 to 1) and the mass per area of each pigment
/// in all its states, by name, g/cm^2.
///
/// Triangles over the vertices that belong to any, with area-weighted unit `normals`.
mn_status mn_fabric_parts_cloth(mn_fabric_parts *parts, const mn_fabric_view *fabrics, int count, mn_frame_part *out);
/// A polyline for each strand, with `radius` and `strand` (its number). Strands that share a vertex have a point each.
mn_status mn_fabric_parts_yarn(mn_fabric_parts *parts, const mn_fabric_view *fabrics, int count, mn_frame_part *out);
/// The same as closed tubes of triangles with unit `normals`, for viewers that draw lines thin.
mn_status mn_fabric_parts_tubes(mn_fabric_parts *parts, const mn_fabric_view *fabrics, int count, mn_frame_part *out);

#endif
