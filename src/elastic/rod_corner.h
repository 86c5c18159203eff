// SPDX-License-Identifier: MPL-2.0
// elastic/rod_corner.h - the elements of a rod: an edge that stretches, and a corner (two edges that meet) that bends
// and twists. Pure functions, no memory.
//
// A corner sees four curvatures, the same vector read in the material frames of both edges, and one twist. Everything
// is differentiated by the two edge vectors e, f and the two angles; the step from edges to vertices is d/dx0 = -d/de,
// d/dx1 = d/de - d/df, d/dx2 = d/df (elastic-rods 6.4).
#ifndef MN_ELASTIC_ROD_CORNER_H
#define MN_ELASTIC_ROD_CORNER_H

#include "elastic/rod_frame.h"

#include <stdbool.h>

/// chi_c: below this 1 + cos(turning angle) curvature is continued linearly and folding costs energy (elastic-rods 4).
#define MN_ROD_CHI_CAP 0.01

/// What of the Hessian is kept (elastic-rods 6.5). All but `full` are positive semidefinite.
typedef enum mn_rod_policy {
    MN_ROD_GAUSS_NEWTON,  ///< material part only
    MN_ROD_TENSION,       ///< and the stiffness across a stretched edge: for yarn and hair under load
    MN_ROD_FULL,          ///< exact
    MN_ROD_PROJECTED      ///< exact, negative eigenvalues of each element set to zero
} mn_rod_policy;

/// One edge as a corner sees it.
typedef struct mn_rod_side {
    mn_vec3 tangent;
    double  length;
    mn_vec3 m1;  ///< first material director
} mn_rod_side;

/// The five strains of a corner: curvatures [edge][component], twist.
typedef struct mn_rod_strain {
    double kappa[2][2];
    double twist;
} mn_rod_strain;

/// Stiffness of one curvature, EI / (2 l), and of twist, k_t / l.
typedef struct mn_rod_stiffness {
    double bend, twist;
} mn_rod_stiffness;

/// Geometry of a corner.
typedef struct mn_rod_corner {
    mn_vec3       t[2], m1[2], m2[2];
    double        length[2];
    mn_vec3       kb;          ///< capped curvature vector
    double        chi, g, dg;  ///< 1 + cos of the turning angle; kb = 2 g(chi) t x t'
    mn_rod_strain strain;
} mn_rod_corner;

/// Stresses and stiffnesses of a corner: elastic and viscous terms in one.
typedef struct mn_rod_load {
    double stress[2][2], twist_stress;
    double stiffness, twist_stiffness;
    double fold_slope, fold_stiffness;  ///< of the fold energy by chi
    double energy_bend, energy_twist, energy_fold, energy_viscous;
} mn_rod_load;

/// Gradient of the energy by edge vectors and angles.
typedef struct mn_rod_gradient {
    mn_vec3 edge[2];
    double  angle[2];
} mn_rod_gradient;

/// Geometry from the two sides. `near_twist` is the twist expected: the result is the one nearest to it.
mn_rod_corner mn_rod_corner_at(const mn_rod_side *e, const mn_rod_side *f, double near_twist);
/// Stresses about the rest strains and, with `viscous`, about those of the start of the step.
mn_rod_load     mn_rod_corner_load(const mn_rod_corner *c, const mn_rod_strain *rest, mn_rod_stiffness elastic,
                                   const mn_rod_strain *start, mn_rod_stiffness viscous);
mn_rod_gradient mn_rod_corner_gradient(const mn_rod_corner *c, const mn_rod_load *load);
/// Gradients of the four curvatures by e and f: edge[side][2 * frame + component].
void mn_rod_corner_curvature_gradients(const mn_rod_corner *c, mn_vec3 edge[2][4]);

/// Place of edge vectors and angles in the 8 x 8 Hessian of a corner.
enum { MN_ROD_AT_E = 0, MN_ROD_AT_ANGLE_E = 3, MN_ROD_AT_F = 4, MN_ROD_AT_ANGLE_F = 7 };

/// Hessian by (e, angle of e, f, angle of f), symmetric.
/// Differs from elastic-rods 6.5: `projected` clamps this 8 x 8 matrix and not the 11 x 11 one of the vertices, whose
/// three further directions are translations. Congruent, so positive semidefinite all the same, and cheaper.
void mn_rod_corner_hessian(const mn_rod_corner *c, const mn_rod_load *load, mn_rod_policy policy, double k[8][8]);

/// Position part of the Hessian: ee and ff as upper triangles (xx xy xz yy yz zz), ef row by row.
typedef struct mn_rod_block {
    double ee[6], ef[9], ff[6];
} mn_rod_block;
void mn_rod_corner_block(const mn_rod_corner *c, const mn_rod_load *load, mn_rod_policy policy, mn_rod_block *out);

/// From edges to the vertices x0, x1, x2 with the angles between: (x0, angle, x1, angle, x2), elastic-rods 2.
void mn_rod_corner_to_vertices(const mn_rod_gradient *g, double k[8][8], double gradient[11], double hessian[11][11]);

/// Stretch of an edge, strain length - rest with stiffness k_s / rest (elastic-rods 6.3), elastic and viscous in one.
typedef struct mn_rod_stretch {
    double stress, stiffness;
    double energy, energy_viscous;
} mn_rod_stretch;
static inline mn_rod_stretch mn_rod_stretch_at(double length, double rest, double elastic, double start, double viscous)
{
    const double a = length - rest, b = length - start;
    return (mn_rod_stretch){ .stress         = elastic * a + viscous * b,
                             .stiffness      = elastic + viscous,
                             .energy         = 0.5 * elastic * a * a,
                             .energy_viscous = 0.5 * viscous * b * b };
}
/// Factor of the part across the edge, (1 - t t^T), in its Hessian.
static inline double mn_rod_stretch_across(const mn_rod_stretch *s, double length, mn_rod_policy policy)
{
    const double tension = policy == MN_ROD_GAUSS_NEWTON ? 0.0
                           : policy == MN_ROD_FULL       ? s->stress
                                                         : fmax(0.0, s->stress);
    return tension / length;
}
/// Hessian by the edge vector, upper triangle: stiffness t t^T + across (1 - t t^T).
static inline void mn_rod_stretch_block(mn_vec3 t, double stiffness, double across, double k[6])
{
    const double d = stiffness - across;
    k[0] = across + d * t.x * t.x, k[1] = d * t.x * t.y, k[2] = d * t.x * t.z;
    k[3] = across + d * t.y * t.y, k[4] = d * t.y * t.z, k[5] = across + d * t.z * t.z;
}

/// Set the negative eigenvalues of a symmetric matrix of n <= 8 rows (stride n) to zero, by Jacobi rotations.
void mn_rod_clamp(int n, double *a);

#endif
