// SPDX-License-Identifier: MPL-2.0
// verify/stain/stain_meshes.h - cloths on which stains are checked: squares of several triangulations, a disc, a
// sphere.
#ifndef MN_VERIFY_STAIN_MESHES_H
#define MN_VERIFY_STAIN_MESHES_H

#include "stain/surface.h"

typedef struct mn_stain_mesh {
    int64_t  vertex_count, triangle_count;
    mn_vec3 *x;
    int32_t (*triangle)[3];
} mn_stain_mesh;

typedef enum mn_stain_diagonals {
    MN_DIAGONALS_ALTERNATING,  ///< union jack
    MN_DIAGONALS_RANDOM,
    MN_DIAGONALS_DELAUNAY  ///< of the jittered points
} mn_stain_diagonals;

typedef struct mn_stain_square_def {
    int                nx, ny;   ///< vertices
    double             spacing;  ///< cm
    double             jitter;   ///< of inner vertices, in spacings, below 0.5
    double             shear;    ///< x += shear y: above 1.2 most triangles are obtuse beyond 120 degrees
    mn_stain_diagonals diagonals;
    uint64_t           seed;
} mn_stain_square_def;

/// In the plane z = 0, centred at 0.
mn_status mn_stain_mesh_square(mn_context *c, const mn_stain_square_def *def, mn_stain_mesh *out);
/// Rings of 6, 12, 18 ... vertices about a middle one.
mn_status mn_stain_mesh_disc(mn_context *c, double radius, int rings, mn_stain_mesh *out);
/// An icosahedron divided `levels` times: 10 4^levels + 2 vertices.
mn_status mn_stain_mesh_sphere(mn_context *c, double radius, int levels, mn_stain_mesh *out);
void      mn_stain_mesh_free(mn_context *c, mn_stain_mesh *m);

mn_status mn_stain_mesh_surface(mn_context *c, const mn_stain_mesh *m, mn_stain_surface **out);

/// The angle of the x axis of the plane z = 0 in the frame of a triangle.
double mn_stain_mesh_angle(const mn_stain_mesh *m, int64_t t);

#endif
