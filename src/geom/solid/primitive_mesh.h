// SPDX-License-Identifier: MPL-2.0
// geom/solid/primitive_mesh.h - simple solids as closed triangle meshes, with their vertices on the surface.
#ifndef MN_GEOM_SOLID_PRIMITIVE_MESH_H
#define MN_GEOM_SOLID_PRIMITIVE_MESH_H

#include "geom/mesh.h"
#include "geom/primitive.h"

/// Sides of what is round, all the way around: a chord then leaves the circle by 0.12 % of its radius.
#define MN_ROUND_SIDES 64

/// Closed and outward. Edges of boxes, cylinders and cones are edges of triangles. A disc is its two faces; a plane,
/// which has no end, is refused. `sides` is a multiple of 4. Free with mn_mesh_free.
mn_status mn_primitive_mesh(mn_context *c, const mn_primitive *p, int sides, mn_mesh *out);
/// The half space below a plane as far as a ball of this centre and radius sees it: a block that is larger than it.
mn_status mn_plane_mesh(mn_context *c, const mn_primitive *p, mn_vec3 center, double radius, mn_mesh *out);
/// A box by its corners.
mn_status mn_box_mesh(mn_context *c, mn_vec3 low, mn_vec3 high, mn_mesh *out);

#endif
