// SPDX-License-Identifier: MPL-2.0
// elastic/in_plane.h - St. Venant-Kirchhoff membrane of one triangle, (wet-fabric E5.1). Pure functions.
//
// Rest coordinates (u, v) lie in the triangle's plane, u along the warp; K is then the same for every triangle of a
// sheet. U = dx/du and V = dx/dv are linear in the corners, the strain is e = ((U.U - 1)/2, (V.V - 1)/2, U.V).
#ifndef MN_ELASTIC_IN_PLANE_H
#define MN_ELASTIC_IN_PLANE_H

#include "math/vec.h"

#include <stdbool.h>

/// U = ru[0] (x1 - x0) + ru[1] (x2 - x0), V likewise: the inverse of the rest edges.
typedef struct mn_in_plane_rest {
    double ru[2], rv[2];  ///< 1/cm
    double area;          ///< cm^2
} mn_in_plane_rest;

/// Rest shape of a triangle; `warp` (any length, not normal to it) is the direction of u. False if the triangle has no
/// area or the warp no part in its plane. `edges` (may be NULL) gets the rest edges x1 - x0 and x2 - x0 in (u, v).
bool mn_in_plane_rest_make(const mn_vec3 corner[3], mn_vec3 warp, mn_in_plane_rest *out, double edges[4]);

typedef struct mn_in_plane_frame {
    mn_vec3 u, v;
} mn_in_plane_frame;

static inline mn_in_plane_frame mn_in_plane_frame_of(const mn_in_plane_rest *r, mn_vec3 x0, mn_vec3 x1, mn_vec3 x2)
{
    const mn_vec3 a = mn_sub3(x1, x0), b = mn_sub3(x2, x0);
    return (mn_in_plane_frame){ mn_add3(mn_scale3(r->ru[0], a), mn_scale3(r->ru[1], b)),
                                mn_add3(mn_scale3(r->rv[0], a), mn_scale3(r->rv[1], b)) };
}
static inline void mn_in_plane_strain(const mn_in_plane_frame *f, double e[3])
{
    e[0] = 0.5 * (mn_dot3(f->u, f->u) - 1.0);
    e[1] = 0.5 * (mn_dot3(f->v, f->v) - 1.0);
    e[2] = mn_dot3(f->u, f->v);
}
/// Weights of corner i in U and V.
static inline double mn_in_plane_ru(const mn_in_plane_rest *r, int i)
{
    return i == 0 ? -r->ru[0] - r->ru[1] : r->ru[i - 1];
}
static inline double mn_in_plane_rv(const mn_in_plane_rest *r, int i)
{
    return i == 0 ? -r->rv[0] - r->rv[1] : r->rv[i - 1];
}

/// y = K e for a symmetric 3 x 3.
static inline void mn_in_plane_stress(const double k[9], const double e[3], double tau[3])
{
    for (int i = 0; i < 3; i++) tau[i] = k[3 * i] * e[0] + k[3 * i + 1] * e[1] + k[3 * i + 2] * e[2];
}
/// The stress (t0, t1, t2) as a 2 x 2 matrix with its negative eigenvalues set to 0: what pulls stiffens, what pushes
/// is left out. With it the Hessian is positive semidefinite, because its material part always is.
void mn_in_plane_tension(const double tau[3], double tension[3]);

/// Block (a, b) of the Hessian per unit of area * factor: material part of K, geometric part of the stress s.
void mn_in_plane_block(const double k[9], const mn_in_plane_rest *r, const mn_in_plane_frame *f, const double s[3],
                       int a, int b, double block[9]);

/// Energy, gradient (9) and Hessian (81, row by row); `projected`: without the pushing part of the stress.
double mn_in_plane_energy(const double k[9], const mn_in_plane_rest *r, const mn_vec3 x[3]);
void   mn_in_plane_gradient(const double k[9], const mn_in_plane_rest *r, const mn_vec3 x[3], mn_vec3 gradient[3]);
void   mn_in_plane_hessian(const double k[9], const mn_in_plane_rest *r, const mn_vec3 x[3], bool projected,
                           double hessian[81]);

#endif
