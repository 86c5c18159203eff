// SPDX-License-Identifier: MPL-2.0
// elastic/bending.c - the quadratic form of one triangle's bending.
#include "elastic/bending.h"

/// Rest edge i (from corner i + 1 to corner i + 2) in (u, v).
static void edge_of(const double e[4], int i, double *du, double *dv)
{
    if (i == 0) *du = e[2] - e[0], *dv = e[3] - e[1];
    else if (i == 1) *du = -e[2], *dv = -e[3];
    else *du = e[0], *dv = e[1];
}

static double area_of(const double e[4]) { return 0.5 * (e[0] * e[3] - e[1] * e[2]); }

void mn_bending_curvature(const double edges[4], double b[9])
{
    const double area = area_of(edges);
    for (int i = 0; i < 3; i++) {
        double du, dv;
        edge_of(edges, i, &du, &dv);
        // l n n^T / A with n = (dv, -du)/l.
        const double s = 1.0 / (area * sqrt(du * du + dv * dv));
        b[i] = s * dv * dv, b[3 + i] = s * du * du, b[6 + i] = -2.0 * s * du * dv;
    }
}

void mn_bending_mid_edge(const double c[9], const double edges[4], mn_bending_form *g)
{
    double b[9], cb[9], full[9];
    mn_bending_curvature(edges, b);
    const double area = area_of(edges);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) cb[3 * i + j] = c[3 * i] * b[j] + c[3 * i + 1] * b[3 + j] + c[3 * i + 2] * b[6 + j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            full[3 * i + j] = area * (b[i] * cb[j] + b[3 + i] * cb[3 + j] + b[6 + i] * cb[6 + j]);
    *g = (mn_bending_form){ { full[0], full[4], full[8] }, { full[5], full[2], full[1] } };
}

double mn_bending_across(const double c[9], const double edges[4], int i)
{
    double du, dv;
    edge_of(edges, i, &du, &dv);
    const double ll = du * du + dv * dv, k[3] = { dv * dv / ll, du * du / ll, -2.0 * du * dv / ll };
    double       sum = 0.0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) sum += k[a] * c[3 * a + b] * k[b];
    return sum;
}

double mn_bending_hinge(double rigidity, double length, double area_sum)
{
    return 2.0 * rigidity * length * length / area_sum;
}
