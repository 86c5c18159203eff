// SPDX-License-Identifier: MPL-2.0
// geom/solid/creases.h - normals for viewers that shade smoothly between vertices: where faces turn by more than an
// angle, they get vertices of their own.
#ifndef MN_GEOM_SOLID_CREASES_H
#define MN_GEOM_SOLID_CREASES_H

#include "geom/mesh.h"

/// Vertices on edges that turn by more than `angle` (rad) are doubled, one for each smooth side; triangles stay what
/// and where they are. `normal` has a unit vector for each vertex of the new mesh; free it with mn_free.
mn_status mn_mesh_crease(mn_context *c, mn_mesh *mesh, double angle, double (**normal)[3]);

#endif
