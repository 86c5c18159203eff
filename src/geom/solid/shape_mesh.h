// SPDX-License-Identifier: MPL-2.0
// geom/solid/shape_mesh.h - any shape as one closed triangle mesh.
#ifndef MN_GEOM_SOLID_SHAPE_MESH_H
#define MN_GEOM_SOLID_SHAPE_MESH_H

#include "geom/mesh.h"
#include "geom/shape.h"

/// The surface of a shape, closed, its triangles anticlockwise seen from outside: those of a mesh as they are, simple
/// solids with their vertices on the surface and their own edges, sets cut where their parts meet. What has no end is
/// cut by the box (low, high), which is not looked at otherwise; nothing may be left of it. If the cut of a set fails
/// (a mesh that crosses itself), its surface is taken on a lattice, with rounded edges, and *clear is false. Free with
/// mn_mesh_free.
mn_status mn_shape_mesh(mn_context *c, const mn_shape *shape, mn_vec3 low, mn_vec3 high, mn_mesh *out, bool *clear);

#endif
