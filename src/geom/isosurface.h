// SPDX-License-Identifier: MPL-2.0
// geom/isosurface.h - the zero level of a function as a closed triangle mesh.
#ifndef MN_GEOM_ISOSURFACE_H
#define MN_GEOM_ISOSURFACE_H

#include "geom/mesh.h"
#include "meniscus/shape.h"

/// Negative inside.
typedef double mn_level_fn(mn_vec3 x, void *user);

/// Points of a regular lattice.
typedef struct mn_lattice {
    mn_vec3 low, spacing;
    int32_t size[3];  ///< points along each axis, >= 2
} mn_lattice;

/// Marching tetrahedra: every cube of the lattice is cut into six tetrahedra around its main diagonal, the same way
/// everywhere. The mesh is closed and manifold with outward triangles if the function is not negative on the border of
/// the lattice. Free with mn_mesh_free.
mn_status mn_isosurface(mn_context *c, const mn_lattice *lattice, mn_level_fn *level, void *user, mn_mesh *out);

/// The surface of a shape inside the box (low, high), about `cells` cells along its longest side; where the box cuts
/// the shape the mesh is closed by the box. Faces of the shape that lie on its bounds come out flat with sharp edges.
mn_status mn_shape_surface(mn_context *c, const mn_shape *shape, mn_vec3 low, mn_vec3 high, int cells, mn_mesh *out);

#endif
