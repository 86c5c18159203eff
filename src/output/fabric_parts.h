// SPDX-License-Identifier: MPL-2.0
// output/fabric_parts.h - cloth and yarn as parts of a frame: all fabrics of a world in one mesh of each kind.
#ifndef MN_OUTPUT_FABRIC_PARTS_H
#define MN_OUTPUT_FABRIC_PARTS_H

#include "meniscus/world.h"
#include "output/vtp.h"

/// Sides of the tubes that stand for yarn.
#define MN_TUBE_SIDES 8

typedef struct mn_fabric_parts mn_fabric_parts;

mn_status mn_fabric_parts_create(mn_context *context, mn_fabric_parts **out);
void      mn_fabric_parts_destroy(mn_fabric_parts **parts);

/// Fields that are wanted besides those every part has.
typedef struct mn_fabric_fields {
    bool velocity, saturation, solid_fraction, held;
} mn_fabric_fields;

/// The parts of these fabrics as they stand. Each borrows from `parts` until the same part is made again; the time is
/// left to the caller. All carry the fields wanted and `fabric`, the number of the fabric of each point. `held` (cm^3)
/// is that of the vertex which a point belongs to: points of tubes and of pile on cloth repeat it. Where the liquid of
/// the world has pigments, every part also has `color` (sRGB, 0 to 1) and the mass per area of each pigment in all its
/// states, by name, g/cm^2.
///
/// Triangles over the vertices that belong to any, with area-weighted unit `normals`.
mn_status mn_fabric_parts_cloth(mn_fabric_parts *parts, const mn_fabric_view *fabrics, int count,
                                mn_fabric_fields fields, mn_frame_part *out);
/// A polyline for each strand, with `radius` and `strand` (its number). Strands that share a vertex have a point each.
mn_status mn_fabric_parts_yarn(mn_fabric_parts *parts, const mn_fabric_view *fabrics, int count,
                               mn_fabric_fields fields, mn_frame_part *out);
/// The same as closed tubes of triangles with unit `normals`, for viewers that draw lines thin.
mn_status mn_fabric_parts_tubes(mn_fabric_parts *parts, const mn_fabric_view *fabrics, int count,
                                mn_fabric_fields fields, mn_frame_part *out);

#endif
