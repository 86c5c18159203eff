// SPDX-License-Identifier: MPL-2.0
// geom/solid/cut.h - union, intersection and difference of closed triangle meshes, cut where they meet.
#ifndef MN_GEOM_SOLID_CUT_H
#define MN_GEOM_SOLID_CUT_H

#include "geom/mesh.h"
#include "meniscus/shape.h"

/// A closed mesh with two places for each vertex: where it is, and where it is taken to be while meshes are cut. The
/// second is off by a little (mn_shape_mesh), so that no two meshes share a plane, an edge or a corner: all that can
/// happen is then a crossing of an edge and a triangle.
typedef struct mn_cut_mesh {
    int64_t vertex_count, triangle_count;
    double (*exact)[3];
    double (*moved)[3];
    int32_t (*triangle)[3];
} mn_cut_mesh;

void mn_cut_mesh_free(mn_context *c, mn_cut_mesh *mesh);

/// `kind` is one of the three sets. Every triangle of a or b that the other does not cut comes out as it is; of the
/// others what is left. Each edge of the result has one triangle on either side. *clear is false, and there is no
/// result, if the meshes cross themselves or rounding makes crossings that no two solids can have. Free with
/// mn_cut_mesh_free.
mn_status mn_cut_meshes(mn_context *c, const mn_cut_mesh *a, const mn_cut_mesh *b, mn_shape_kind kind, mn_cut_mesh *out,
                        bool *clear);

/// After all cuts: vertices at one place become one, and triangles that have no area by that go.
mn_status mn_cut_mesh_finish(mn_context *c, const mn_cut_mesh *mesh, double near, mn_mesh *out);

#endif
