// SPDX-License-Identifier: MPL-2.0
// geom/mesh.h - triangle meshes: reading OBJ, PLY and STL, checking, exact signed distance.
#ifndef MN_GEOM_MESH_H
#define MN_GEOM_MESH_H

#include "base/memory.h"
#include "math/vec.h"

typedef struct mn_mesh {
    int64_t vertex_count, triangle_count;
    double (*vertex)[3];
    int32_t (*triangle)[3];
} mn_mesh;

typedef enum mn_mesh_format { MN_MESH_OBJ, MN_MESH_PLY, MN_MESH_STL } mn_mesh_format;

/// Read a mesh from bytes in memory. Faces with more than three corners become fans; STL corners that coincide
/// are joined. Bad indices, zero-area and duplicated triangles, values that are not finite, and truncated files are
/// errors whose text begins "name:line:column:" (binary files: "name:0:0:" and the byte offset in the sentence).
mn_status mn_mesh_parse(mn_context *c, const char *name, const unsigned char *data, size_t bytes, mn_mesh_format format,
                        mn_mesh *out);
/// Read a file; the format follows from the ending.
mn_status mn_mesh_read(mn_context *c, const char *path, mn_mesh *out);
void      mn_mesh_free(mn_context *c, mn_mesh *mesh);

/// Texture coordinates of a mesh: a point of the plane for each corner of each triangle.
typedef struct mn_mesh_texture {
    int64_t count;
    double (*at)[2];       ///< u to the right, v up
    int32_t (*corner)[3];  ///< one for each triangle; -1: that corner has none
} mn_mesh_texture;

/// The same with texture coordinates: vt of OBJ; s and t, u and v, or texture_u and texture_v of the vertices of PLY. A
/// file without any, as every STL, has count 0. Triangles are those of mn_mesh_parse.
mn_status mn_mesh_parse_textured(mn_context *c, const char *name, const unsigned char *data, size_t bytes,
                                 mn_mesh_format format, mn_mesh *out, mn_mesh_texture *texture);
mn_status mn_mesh_read_textured(mn_context *c, const char *path, mn_mesh *out, mn_mesh_texture *texture);
void      mn_mesh_texture_free(mn_context *c, mn_mesh_texture *texture);
/// MN_ERR_ARGUMENT unless there are coordinates and all of them are within 0 to 1: an image that repeats cannot hold a
/// stain.
mn_status mn_mesh_texture_check(mn_context *c, const mn_mesh_texture *texture, int64_t triangle_count);
/// Coordinates for a flat sheet that has none, in any plane: seen from its upper side, u along x (along y if x stands
/// on the plane), the longer side from 0 to 1. A mesh that is not flat is MN_ERR_ARGUMENT.
mn_status mn_mesh_texture_flat(mn_context *c, const double (*vertex)[3], int64_t vertex_count,
                               const int32_t (*triangle)[3], int64_t triangle_count, mn_mesh_texture *out);

/// Every edge has exactly two triangles of opposite direction; otherwise an error that names the first bad edge.
mn_status mn_mesh_check_closed(mn_context *c, const char *name, const mn_mesh *mesh);

/// Volume inside a closed mesh; negative if its triangles run clockwise seen from outside.
double mn_mesh_volume(const mn_mesh *mesh);
/// Turn every triangle round if the volume is negative.
void mn_mesh_turn_outward(mn_mesh *mesh);

/// Exact signed distance to a closed mesh whose triangles run anticlockwise seen from outside, through a tree of boxes
/// and angle-weighted normals.
typedef struct mn_mesh_distance mn_mesh_distance;
mn_status                       mn_mesh_distance_create(mn_context *c, const mn_mesh *mesh, mn_mesh_distance **out);
/// The same for a few questions: quicker to make, slower to ask, and not for mn_mesh_distance_bound.
mn_status mn_mesh_distance_create_for_few(mn_context *c, const mn_mesh *mesh, mn_mesh_distance **out);
void      mn_mesh_distance_destroy(mn_context *c, mn_mesh_distance **tree);
/// Distance, and the closest point if `closest` is not NULL.
double mn_mesh_distance_at(const mn_mesh_distance *tree, mn_vec3 x, mn_vec3 *closest);
/// Distance, and its gradient if `gradient` is not NULL: of unit length, on the surface the angle-weighted normal.
double mn_mesh_distance_normal(const mn_mesh_distance *tree, mn_vec3 x, mn_vec3 *gradient);
/// A value of the same sign and of no larger magnitude that mostly needs no search.
double mn_mesh_distance_bound(const mn_mesh_distance *tree, mn_vec3 x);

#endif
