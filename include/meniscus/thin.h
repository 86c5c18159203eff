// SPDX-License-Identifier: MPL-2.0
// meniscus/thin.h - meshes of what is thin, sheets and strands over one set of vertices, and the generators of them.
#ifndef MENISCUS_THIN_H
#define MENISCUS_THIN_H

#include "meniscus/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MN_NAME_BYTES 64

/// A named set of vertices.
typedef struct mn_vertex_group {
    char     name[MN_NAME_BYTES];
    int64_t  count;
    int32_t *vertex;
} mn_vertex_group;

/// Triangles and strands over one set of vertices, in the rest shape. A vertex may belong to both (pile on cloth), and
/// strands may share vertices (nets). Arrays belong to the mesh and are freed with it.
typedef struct mn_thin_mesh {
    int64_t vertex_count;
    double (*vertex)[3];  ///< cm
    int64_t triangle_count;
    int32_t (*triangle)[3];
    double (*warp)[3];  ///< per triangle, direction of the warp; NULL: along the first edge
    int64_t          strand_count;
    int64_t         *strand_start;  ///< strand_count + 1; strand s has vertices strand_vertex[strand_start[s]] ...
    int32_t         *strand_vertex;
    uint8_t         *strand_closed;  ///< 1: the last vertex is joined to the first
    double          *strand_radius;  ///< cm
    int64_t          group_count;
    mn_vertex_group *group;
    int64_t          texture_count;  ///< texture coordinates; 0: it has none
    double (*texture)[2];            ///< u to the right, v up
    int32_t (*texture_corner)[3];    ///< one for each corner of each triangle; -1: that corner has none
} mn_thin_mesh;

/// Free the arrays and leave an empty mesh.
MN_API void mn_thin_mesh_free(mn_context *context, mn_thin_mesh *mesh);

// Generators. Each fills *out (freed by the caller) or fails with a sentence and leaves it empty.

typedef enum mn_cloth_outline { MN_CLOTH_RECTANGLE, MN_CLOTH_DISC, MN_CLOTH_HEXAGON } mn_cloth_outline;
typedef enum mn_cloth_mesh { MN_CLOTH_EQUILATERAL, MN_CLOTH_STRUCTURED, MN_CLOTH_ALTERNATING } mn_cloth_mesh;

/// A flat sheet in the plane y = 0, its centre in the origin, the warp along x. Groups: all, border, corners, left
/// (least x), right, front (largest z), back, center (the vertex next to the origin).
typedef struct mn_cloth_def {
    mn_cloth_outline outline;
    double           size[2];  ///< cm: x and z of a rectangle; size[0] is the diameter of the others
    double           spacing;  ///< cm, edge length aimed at
    mn_cloth_mesh    mesh;     ///< Default equilateral. Structured: right triangles, parallel diagonals.
    double           angle;    ///< rad, of mesh lines and of the warp against x
} mn_cloth_def;
MN_API mn_status mn_cloth_generate(mn_context *context, const mn_cloth_def *def, mn_thin_mesh *out);

/// Pile on the triangles of a mesh: straight strands along the vertex normals, rooted in every n-th vertex. Its
/// vertices join the group all and make the group pile; after a failure the mesh is as it was.
typedef struct mn_pile_def {
    double length, radius;  ///< cm
    double spacing;         ///< cm between vertices of a strand
    int    every;           ///< every n-th vertex, >= 1
    bool   both_sides;
} mn_pile_def;
MN_API mn_status mn_pile_add(mn_context *context, const mn_pile_def *def, mn_thin_mesh *mesh);

typedef enum mn_yarn_pattern {
    MN_YARN_STRAIGHT,
    MN_YARN_CURLY,
    MN_YARN_HELIX,
    MN_YARN_RING,
    MN_YARN_BUNDLE,
    MN_YARN_PLAIN,
    MN_YARN_TWILL,
    MN_YARN_SATIN,
    MN_YARN_KNIT,
    MN_YARN_NET
} mn_yarn_pattern;

/// Yarn in or about the plane y = 0, centred in the origin, along x. Groups: all, ends, left, right, front, back; woven
/// patterns also warp and weft.
typedef struct mn_yarn_def {
    mn_yarn_pattern pattern;
    double          size[2];  ///< cm: length of single yarns; x and z of patches
    double          pitch;    ///< cm: between yarns of a patch (knit: width of a loop); per turn of a helix or curl
    double          radius;   ///< cm, of the yarn
    double          curl;     ///< cm, radius of curl, helix or ring
    double          spacing;  ///< cm, between vertices
    int             count;    ///< yarns of a bundle
} mn_yarn_def;
MN_API mn_status mn_yarn_generate(mn_context *context, const mn_yarn_def *def, mn_thin_mesh *out);

/// Strands standing on the surface of a shape that ends: roots spread evenly over it. Groups: all, roots, tips.
typedef struct mn_hair_def {
    mn_shape *on;
    int64_t   count;
    double    length, radius;  ///< cm
    int       vertices;        ///< per strand, >= 3
    double    curl, pitch;     ///< cm, 0: straight
    uint64_t  seed;
} mn_hair_def;
MN_API mn_status mn_hair_generate(mn_context *context, const mn_hair_def *def, mn_thin_mesh *out);

/// Triangles of a mesh file become cloth, its polylines ("l" of OBJ) yarn; named groups ("g" of OBJ) become vertex
/// groups.
MN_API mn_status mn_thin_mesh_read(mn_context *context, const char *path, double scale, double yarn_radius,
                                   mn_thin_mesh *out);

/// Name a further group by a box (cm, in rest coordinates) or by the `nearest` vertices to a point.
MN_API mn_status mn_thin_group_box(mn_context *context, const char *name, const double low[3], const double high[3],
                                   mn_thin_mesh *mesh);
MN_API mn_status mn_thin_group_ball(mn_context *context, const char *name, const double center[3], double radius,
                                    mn_thin_mesh *mesh);
/// All vertices within `distance` (cm) of those of the group `of`, which are among them.
MN_API mn_status              mn_thin_group_near(mn_context *context, const char *name, const char *of, double distance,
                                                 mn_thin_mesh *mesh);
MN_API const mn_vertex_group *mn_thin_find_group(const mn_thin_mesh *mesh, const char *name);

#ifdef __cplusplus
}
#endif
#endif
