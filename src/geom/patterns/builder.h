// SPDX-License-Identifier: MPL-2.0
// geom/patterns/builder.h - a mesh that grows piece by piece; for the generators only.
//
// The first failure is kept and everything after it does nothing, so that generators read as the pattern they make.
#ifndef MN_GEOM_PATTERNS_BUILDER_H
#define MN_GEOM_PATTERNS_BUILDER_H

#include "base/memory.h"
#include "math/vec.h"
#include "meniscus/thin.h"

/// More vertices than this are refused: a mistyped spacing must not fill the memory.
#define MN_THIN_VERTICES_MOST 4000000

typedef struct mn_pattern_builder {
    mn_context  *context;
    mn_status    status;
    mn_thin_mesh mesh;
    int64_t vertex_room, triangle_room, warp_room, start_room, strand_vertex_room, closed_room, radius_room, group_room;
} mn_pattern_builder;

/// Number of the new vertex.
int32_t mn_build_vertex(mn_pattern_builder *b, mn_vec3 x);
void    mn_build_triangle(mn_pattern_builder *b, int32_t v0, int32_t v1, int32_t v2);
/// Give every triangle the same direction of the warp.
void mn_build_warp(mn_pattern_builder *b, mn_vec3 direction);

void mn_build_strand_begin(mn_pattern_builder *b, double radius);
void mn_build_strand_add(mn_pattern_builder *b, int32_t vertex);
void mn_build_strand_end(mn_pattern_builder *b, bool closed);

/// A strand along a curve from t0 to t1, `segments` of them of equal length along the curve.
typedef mn_vec3 mn_curve_fn(double t, const void *user);
void mn_build_curve(mn_pattern_builder *b, mn_curve_fn *curve, const void *user, double t0, double t1, int64_t segments,
                    double radius, bool closed);
double mn_curve_length(mn_curve_fn *curve, const void *user, double t0, double t1);

/// Whether a vertex belongs to a group.
typedef bool mn_member_fn(const mn_thin_mesh *mesh, int64_t vertex, const void *user);
/// Name the vertices that belong; a group that would be empty is not made.
void mn_build_group(mn_pattern_builder *b, const char *name, mn_member_fn *member, const void *user);
void mn_build_group_all(mn_pattern_builder *b);
/// The groups left, right, front and back: all within `reach` of the least and largest x and z.
void mn_build_group_sides(mn_pattern_builder *b, double reach);
/// The group `ends`: first and last vertices of open strands.
void mn_build_group_ends(mn_pattern_builder *b);

/// Hand the mesh over, or free it after a failure.
mn_status mn_build_finish(mn_pattern_builder *b, mn_thin_mesh *out);

/// Append a group to a mesh that is complete; the vertices are copied. A name that is taken is refused.
mn_status mn_thin_mesh_add_group(mn_context *context, mn_thin_mesh *mesh, const char *name, const int32_t *vertex,
                                 int64_t count);

/// mn_thin_mesh_read for the bytes of an OBJ file in memory.
mn_status mn_thin_mesh_parse(mn_context *context, const char *name, const unsigned char *data, size_t bytes,
                             double scale, double yarn_radius, mn_thin_mesh *out);

/// A length that this pattern needs is given: "yarn: pitch". Its range is checked with the definition.
mn_status mn_pattern_given(mn_context *context, const char *what, double value);
/// How many pieces of about `spacing` fit into `length`, at least 1; refused when there are too many.
mn_status mn_pattern_count(mn_context *context, const char *what, double length, double spacing, int64_t *out);

#endif
