// SPDX-License-Identifier: MPL-2.0
// elastic/hinge.c - dihedral angle, gradient and Hessian.
//
// With e = x1 - x0, N = e x (x2 - x0), M = (x3 - x0) x e and |e| = L the outer gradients are g2 = L N/|N|^2 and
// g3 = L M/|M|^2. The ends share them by the lever rule, with c = (x2 - x0).e/L^2 and d = (x3 - x0).e/L^2:
// g0 = -(1-c) g2 - (1-d) g3 and g1 = -c g2 - d g3 (no net force, no net torque). The Hessian differentiates these.
#include "elastic/hinge.h"

#include <string.h>

typedef struct hinge {
    mn_vec3 e, n, m;         // edge and the two normals, not of unit length
    double  length, nn, mm;  // |e|, |N|^2, |M|^2
    double  c, d;            // where the outer points project onto the edge
} hinge;

static hinge hinge_of(const mn_vec3 x[4])
{
    hinge         h;
    const mn_vec3 p = mn_sub3(x[2], x[0]), q = mn_sub3(x[3], x[0]);
    h.e             = mn_sub3(x[1], x[0]);
    h.n             = mn_cross3(h.e, p);
    h.m             = mn_cross3(q, h.e);
    const double ee = mn_dot3(h.e, h.e);
    h.length        = sqrt(ee);
    h.nn = mn_dot3(h.n, h.n), h.mm = mn_dot3(h.m, h.m);
    h.c = mn_dot3(p, h.e) / ee, h.d = mn_dot3(q, h.e) / ee;
    return h;
}

static double angle_of(const hinge *h)
{
    return atan2(mn_dot3(mn_cross3(h->m, h->n), h->e) / h->length, mn_dot3(h->n, h->m));
}

double mn_hinge_angle(const mn_vec3 x[4])
{
    const hinge h = hinge_of(x);
    return angle_of(&h);
}

double mn_hinge_gradient(const mn_vec3 x[4], mn_vec3 g[4])
{
    const hinge h = hinge_of(x);
    g[2]          = mn_scale3(h.length / h.nn, h.n);
    g[3]          = mn_scale3(h.length / h.mm, h.m);
    g[0]          = mn_add3(mn_scale3(h.c - 1.0, g[2]), mn_scale3(h.d - 1.0, g[3]));
    g[1]          = mn_add3(mn_scale3(-h.c, g[2]), mn_scale3(-h.d, g[3]));
    return angle_of(&h);
}

/// Columns of the linear map w -> a x w.
static mn_mat3 cross_matrix(mn_vec3 a)
{
    return (mn_mat3){ { { 0.0, -a.z, a.y }, { a.z, 0.0, -a.x }, { -a.y, a.x, 0.0 } } };
}

/// d(L N/|N|^2)/dx_j from dN/dx_j = [w]x and dL/dx_j = t: L (I - 2 n n^T)[w]x / |N|^2 + N t^T/|N|^2.
static void outer_gradient_change(mn_vec3 n, double nn, double length, mn_vec3 w, mn_vec3 t, double out[9])
{
    const mn_mat3 s     = cross_matrix(w);
    const mn_vec3 along = mn_scale3(2.0 / nn, mn_mul3_transposed(s, n));  // 2 n^T [w]x / |N|^2
    const double  unit  = length / nn;
    for (int i = 0; i < 3; i++) {
        const double  ni  = mn_get3(n, i);
        const mn_vec3 row = mn_add3(mn_scale3(unit, mn_sub3(s.row[i], mn_scale3(ni, along))), mn_scale3(ni / nn, t));
        out[3 * i] = row.x, out[3 * i + 1] = row.y, out[3 * i + 2] = row.z;
    }
}

static void add_dyad(double s, mn_vec3 a, mn_vec3 b, double out[9])
{
    for (int i = 0; i < 3; i++) {
        const double ai = s * mn_get3(a, i);
        out[3 * i] += ai * b.x, out[3 * i + 1] += ai * b.y, out[3 * i + 2] += ai * b.z;
    }
}

/// Derivatives of the lever parameter (p - x0).e/L^2 with respect to x0, x1 and p.
static void lever_change(const hinge *h, mn_vec3 p, double c, mn_vec3 out[3])
{
    const double ee = h->length * h->length;
    out[1]          = mn_scale3(1.0 / ee, mn_sub3(p, mn_scale3(2.0 * c, h->e)));
    out[2]          = mn_scale3(1.0 / ee, h->e);
    out[0]          = mn_scale3(-1.0, mn_add3(out[1], out[2]));
}

void mn_hinge_hessian(const mn_vec3 x[4], double hessian[144])
{
    const hinge   h    = hinge_of(x);
    const mn_vec3 zero = { 0.0, 0.0, 0.0 };
    const mn_vec3 p = mn_sub3(x[2], x[0]), q = mn_sub3(x[3], x[0]);
    const mn_vec3 g2 = mn_scale3(h.length / h.nn, h.n), g3 = mn_scale3(h.length / h.mm, h.m);
    const mn_vec3 t = mn_scale3(1.0 / h.length, h.e);

    // Changes of the normals: dN = de x p + e x dp, dM = dq x e + q x de, as w x (.).
    const mn_vec3 wn[4] = { mn_sub3(p, h.e), mn_scale3(-1.0, p), h.e, zero };
    const mn_vec3 wm[4] = { mn_sub3(h.e, q), q, zero, mn_scale3(-1.0, h.e) };
    const mn_vec3 dl[4] = { mn_scale3(-1.0, t), t, zero, zero };
    mn_vec3       dc[3], dd[3];
    lever_change(&h, p, h.c, dc);
    lever_change(&h, q, h.d, dd);

    double full[4][4][9];
    for (int j = 0; j < 4; j++) {
        outer_gradient_change(h.n, h.nn, h.length, wn[j], dl[j], full[2][j]);
        outer_gradient_change(h.m, h.mm, h.length, wm[j], dl[j], full[3][j]);
        for (int k = 0; k < 9; k++) {
            full[0][j][k] = (h.c - 1.0) * full[2][j][k] + (h.d - 1.0) * full[3][j][k];
            full[1][j][k] = -h.c * full[2][j][k] - h.d * full[3][j][k];
        }
        const mn_vec3 cj = j < 2 ? dc[j] : j == 2 ? dc[2] : zero, dj = j < 2 ? dd[j] : j == 3 ? dd[2] : zero;
        add_dyad(1.0, g2, cj, full[0][j]), add_dyad(1.0, g3, dj, full[0][j]);
        add_dyad(-1.0, g2, cj, full[1][j]), add_dyad(-1.0, g3, dj, full[1][j]);
    }
    for (int a = 0; a < 12; a++)
        for (int b = a; b < 12; b++)
            hessian[12 * a + b] = hessian[12 * b + a] = 0.5 * (full[a / 3][b / 3][3 * (a % 3) + b % 3] +
                                                               full[b / 3][a / 3][3 * (b % 3) + a % 3]);
}
