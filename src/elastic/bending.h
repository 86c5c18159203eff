// SPDX-License-Identifier: MPL-2.0
// elastic/bending.h - bending of one triangle by the rotations of its three mid-edge normals, (wet-fabric E5.2).
//
// Edge i lies opposite corner i. q_i = (m(angle_i) - m(rest angle_i))/2 + s_i xi_i is the rotation of the mid-edge
// normal away from the triangle's own, and the curvature sum_i q_i l_i/A n_i n_i^T is linear in q: the energy of a
// triangle is q^T G q / 2 with a constant G. This is the Morley element carried to large rotations. The published hinge
// fits the same frame with a diagonal G and xi = 0.
#ifndef MN_ELASTIC_BENDING_H
#define MN_ELASTIC_BENDING_H

#include "math/vec.h"

/// A symmetric 3 x 3: 00, 11, 22, 12, 02, 01 (the last three by the index that is missing).
typedef struct mn_bending_form {
    double d[3], o[3];
} mn_bending_form;

/// The same as a sheet keeps it, one per triangle: constants of the material, which a float holds well enough.
typedef struct mn_bending_kept {
    float d[3], o[3];
} mn_bending_kept;

static inline mn_bending_form mn_bending_of(const mn_bending_kept *k)
{
    return (mn_bending_form){ { (double)k->d[0], (double)k->d[1], (double)k->d[2] },
                              { (double)k->o[0], (double)k->o[1], (double)k->o[2] } };
}
static inline mn_bending_kept mn_bending_keep(const mn_bending_form *g)
{
    return (mn_bending_kept){ { (float)g->d[0], (float)g->d[1], (float)g->d[2] },
                              { (float)g->o[0], (float)g->o[1], (float)g->o[2] } };
}

/// Entry (i, j).
static inline double mn_bending_at(const mn_bending_form *g, int i, int j)
{
    return i == j ? g->d[i] : g->o[3 - i - j];
}
static inline void mn_bending_apply(const mn_bending_form *g, const double q[3], double m[3])
{
    m[0] = g->d[0] * q[0] + g->o[2] * q[1] + g->o[1] * q[2];
    m[1] = g->o[2] * q[0] + g->d[1] * q[1] + g->o[0] * q[2];
    m[2] = g->o[1] * q[0] + g->o[0] * q[1] + g->d[2] * q[2];
}
static inline double mn_bending_energy(const mn_bending_form *g, const double q[3])
{
    double m[3];
    mn_bending_apply(g, q, m);
    return 0.5 * (m[0] * q[0] + m[1] * q[1] + m[2] * q[2]);
}

/// Curvature (k_uu, k_vv, 2 k_uv) per unit of each q: 3 x 3 row by row. `edges`: rest edges x1 - x0, x2 - x0 in (u, v).
void mn_bending_curvature(const double edges[4], double b[9]);
/// G of the mid-edge operator: area B^T C B.
void mn_bending_mid_edge(const double c[9], const double edges[4], mn_bending_form *g);
/// Rigidity C of a fold about edge i: its curvature is along the edge's in-plane normal n, C : nn : nn.
double mn_bending_across(const double c[9], const double edges[4], int i);
/// Diagonal entry of one of the two triangles of a hinge: both together give D l^2/(A1 + A2) (m - m_rest)^2 / 2.
double mn_bending_hinge(double rigidity, double length, double area_sum);

#endif
