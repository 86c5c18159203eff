// SPDX-License-Identifier: MPL-2.0
// geom/shape_private.h - the inside of a shape; for geom/shape*.c only.
#ifndef MN_GEOM_SHAPE_PRIVATE_H
#define MN_GEOM_SHAPE_PRIVATE_H

#include "base/memory.h"
#include "geom/mesh.h"
#include "geom/primitive.h"
#include "geom/shape.h"

#include <stdatomic.h>

/// Shapes inside shapes inside shapes: evaluation is recursive, so that the depth has a limit.
#define MN_SHAPE_MAX_DEPTH 64

struct mn_shape {
    mn_context       *context;
    _Atomic int       references;
    mn_shape_kind     kind;  // of the inner shape if placed
    int               depth;
    uint64_t          hash;
    mn_vec3           low, high;  // bounds
    mn_primitive      primitive;  // simple solids
    mn_mesh_distance *mesh;       // meshes
    mn_mesh           surface;    // the triangles of a mesh, as they were read, scaled and moved
    mn_shape        **parts;      // sets, or the one shape that is placed; retained
    int               part_count;
    bool              placed;
    mn_mat3           rotation;  // of a placed shape: x = rotation * inner + translation
    mn_vec3           translation;
};

/// A shape with one reference and room for its parts, which are retained. NULL on failure.
mn_shape *mn_shape_new(mn_context *c, mn_shape_kind kind, mn_shape *const *parts, int part_count);
/// Every member named beside the kind is in its range, or a sentence says which is not.
mn_status mn_shape_check(mn_context *c, const mn_shape_def *def);

#endif
