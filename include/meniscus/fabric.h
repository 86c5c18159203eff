// SPDX-License-Identifier: MPL-2.0
// meniscus/fabric.h - cloth and yarn: their materials, their meshes and the generators of meshes, pins.
#ifndef MENISCUS_FABRIC_H
#define MENISCUS_FABRIC_H

#include "meniscus/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MN_NAME_BYTES 64

typedef enum mn_drag_law { MN_DRAG_LINEAR, MN_DRAG_NONLINEAR, MN_DRAG_OFF } mn_drag_law;

/// Fibres packed into sheets or yarns (wet-fabric 3). Moduli are those of the dense material; what acts is phi^lambda
/// times as much. Values given as "effective" are what a laboratory measures on the fabric itself. Ranges:
/// docs/scene-format.md.
typedef struct mn_fabric_material {
    char   name[MN_NAME_BYTES];
    double thickness;           ///< cm, of cloth, > 0. Default 0.036.
    double radius;              ///< cm, of yarn, > 0. Default 0.048.
    double fiber_diameter;      ///< cm, > 0. Default 0.01.
    double solid_fraction;      ///< phi_0. Default 0.4.
    double density;             ///< g/cm^3, of the fibre, > 0. Default 1.32.
    double youngs_modulus;      ///< dyn/cm^2, along the warp; 0: 1.83e7 for cloth, 6.6e7 for yarn.
    double youngs_weft;         ///< dyn/cm^2, along the weft; 0: as along the warp.
    double shear_modulus;       ///< dyn/cm^2; 0: E / 2(1 + nu).
    double poisson;             ///< [0, 0.49]; < 0: 0.202 for cloth, 0.35 for yarn. Default -1.
    double bending_warp;        ///< dyn cm, effective rigidity per width of bending along the warp; 0: from modulus and
                                ///< thickness.
    double bending_weft;        ///< dyn cm, along the weft; 0: as along the warp.
    double internal_viscosity;  ///< P, >= 0; < 0: 2.78e4 for cloth, 1e3 for yarn. Default -1.
    double stiffness_exponent;  ///< lambda, [1, 3]. Default 2.
    double contact_stiffness;   ///< m_c, share of the modulus that contact has, > 0; 0: 0.04 for cloth, 0.01 for yarn.
    double friction;            ///< coefficient, tan of the friction angle, >= 0. Default 0.577.
    double air_drag;            ///< coefficient of the pressure drag of wind, >= 0. Default 1.2.
    double air_friction;        ///< coefficient of the drag along the surface, >= 0. Default 0.02.
    // what its pores do to a liquid
    double
        capillary_radius;  ///< cm, r_b of the pores, >= 0; 0: from fibre diameter and solid fraction (wet-fabric 3.2).
    double contact_angle;  ///< rad, of the liquid on the fibres, [0, pi]. Default 40.8 degrees. Above 90 degrees
                           ///< nothing is sucked in.
    mn_drag_law drag_law;  ///< Default nonlinear.
    double      drag_exponent;  ///< c of wet-fabric (E4.9), [1, 2]. Default 1.6.
    bool drag_axes_published;   ///< drag axes as printed in the sources, for comparison (wet-fabric D7). Default false.
    bool darcy_published;  ///< drag of a face without the factor that makes it Darcy's law (wet-fabric D20). Default
                           ///< false.
    double capture;        ///< factor of the rate at which liquid enters, >= 0. Default 1.
    double compression;    ///< k_w, constant of van Wyk's law of compression, > 0. Default 0.01.
    bool   vary_porosity;  ///< pores follow compression and stretch. Default true.
    double cohesion;       ///< scale of the pull between wet layers, >= 0. Default 0.01.
} mn_fabric_material;

MN_API mn_fabric_material mn_fabric_material_default(void);

/// A named set of vertices.
typedef struct mn_vertex_group {
    char     name[MN_NAME_BYTES];
    int64_t  count;
    int32_t *vertex;
} mn_vertex_group;

/// Triangles and strands over one set of vertices, in the rest shape. A vertex may belong to both (pile on cloth), and
/// strands may share vertices (nets). Arrays belong to the mesh and are freed with it.
typedef struct mn_fabric_mesh {
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
} mn_fabric_mesh;

/// Free the arrays and leave an empty mesh.
MN_API void mn_fabric_mesh_free(mn_context *context, mn_fabric_mesh *mesh);

typedef enum mn_pin_kind {
    MN_PIN_HARD,  ///< the vertex is where the motion puts it
    MN_PIN_SOFT   ///< a spring of `stiffness` holds it there
} mn_pin_kind;

/// Vertices that are held. The motion is applied to their place at the start.
typedef struct mn_pin_def {
    char          group[MN_NAME_BYTES];
    mn_pin_kind   kind;       ///< Default hard.
    double        stiffness;  ///< dyn/cm of a soft pin, per vertex, > 0.
    bool          twist;      ///< also hold the twist of the yarn segments at these vertices. Default true.
    mn_motion_def motion;     ///< default: stands still
    double        during[2];  ///< s, when it holds. Default always.
} mn_pin_def;

MN_API mn_pin_def mn_pin_def_default(void);

/// Where the twist of yarn lives (wet-fabric 5.6).
typedef enum mn_yarn_twist {
    MN_TWIST_ROD,  ///< every segment turns with an inertia of its own
    MN_TWIST_GRID  ///< segments turn with the grid, and their torques act on it: angular momentum closes, steps are
                   ///< shorter
} mn_yarn_twist;

typedef struct mn_fabric_def {
    char                  name[MN_NAME_BYTES];
    mn_fabric_material    material;
    const mn_fabric_mesh *mesh;                   ///< copied
    double                axis[3], angle, at[3];  ///< placement: turned (rad) about the origin, then moved (cm)
    double                velocity[3];            ///< cm/s at the start
    double                spin[3];                ///< rad/s about `at`, added to it
    double straighten;  ///< share of the rest curvature that is taken out of strands and folds, [0, 1]. Default 0.
    double damping;     ///< 1/s, >= 0, of all velocities. Default 0.
    const double *saturation;  ///< per vertex, share of the pores that is full at the start, [0, 1]; NULL: dry. Copied.
    const double *solid_fraction;  ///< per vertex, instead of that of the material; NULL: that. Copied.
    double        evaporation;     ///< cm^3/(cm^2 s) from a saturated surface, >= 0. Default 0.
    double colour[3];  ///< linear red, green and blue of the clean, dry fabric, for pictures of pigment on it. Default
                       ///< 0.9.
    mn_yarn_twist     twist;  ///< of strands. Default rod.
    const mn_pin_def *pins;   ///< copied
    int               pin_count;
    uint32_t          cookie;
} mn_fabric_def;

MN_API mn_fabric_def mn_fabric_def_default(void);

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
MN_API mn_status mn_cloth_generate(mn_context *context, const mn_cloth_def *def, mn_fabric_mesh *out);

/// Pile on the triangles of a mesh: straight strands along the vertex normals, rooted in every n-th vertex. Its
/// vertices join the group all and make the group pile; after a failure the mesh is as it was.
typedef struct mn_pile_def {
    double length, radius;  ///< cm
    double spacing;         ///< cm between vertices of a strand
    int    every;           ///< every n-th vertex, >= 1
    bool   both_sides;
} mn_pile_def;
MN_API mn_status mn_pile_add(mn_context *context, const mn_pile_def *def, mn_fabric_mesh *mesh);

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
MN_API mn_status mn_yarn_generate(mn_context *context, const mn_yarn_def *def, mn_fabric_mesh *out);

/// Strands standing on the surface of a shape that ends: roots spread evenly over it. Groups: all, roots, tips.
typedef struct mn_hair_def {
    mn_shape *on;
    int64_t   count;
    double    length, radius;  ///< cm
    int       vertices;        ///< per strand, >= 3
    double    curl, pitch;     ///< cm, 0: straight
    uint64_t  seed;
} mn_hair_def;
MN_API mn_status mn_hair_generate(mn_context *context, const mn_hair_def *def, mn_fabric_mesh *out);

/// Triangles of a mesh file become cloth, its polylines ("l" of OBJ) yarn; named groups ("g" of OBJ) become vertex
/// groups.
MN_API mn_status mn_fabric_mesh_read(mn_context *context, const char *path, double scale, double yarn_radius,
                                     mn_fabric_mesh *out);

/// Name a further group by a box (cm, in rest coordinates) or by the `nearest` vertices to a point.
MN_API mn_status mn_fabric_group_box(mn_context *context, const char *name, const double low[3], const double high[3],
                                     mn_fabric_mesh *mesh);
MN_API mn_status mn_fabric_group_ball(mn_context *context, const char *name, const double center[3], double radius,
                                      mn_fabric_mesh *mesh);
/// All vertices within `distance` (cm) of those of the group `of`, which are among them.
MN_API mn_status mn_fabric_group_near(mn_context *context, const char *name, const char *of, double distance,
                                      mn_fabric_mesh *mesh);
MN_API const mn_vertex_group *mn_fabric_find_group(const mn_fabric_mesh *mesh, const char *name);

#ifdef __cplusplus
}
#endif
#endif
