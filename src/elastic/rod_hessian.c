// SPDX-License-Identifier: MPL-2.0
// elastic/rod_hessian.c - second derivatives at one corner of a rod (elastic-rods 6).
#include "elastic/rod_corner.h"

#include <string.h>

static void put(mn_vec3 v, double a[3]) { a[0] = v.x, a[1] = v.y, a[2] = v.z; }

/// k += s a b^T on the 3 x 3 block at (row, column).
static void add_outer(double k[8][8], int row, int column, double s, mn_vec3 a, mn_vec3 b)
{
    double x[3], y[3];
    put(mn_scale3(s, a), x);
    put(b, y);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) k[row + i][column + j] += x[i] * y[j];
}

/// k += s sym(a b^T) on the diagonal block at `row`.
static void add_symmetric(double k[8][8], int row, double s, mn_vec3 a, mn_vec3 b)
{
    add_outer(k, row, row, 0.5 * s, a, b);
    add_outer(k, row, row, 0.5 * s, b, a);
}

static void add_identity(double k[8][8], int row, int column, double s)
{
    for (int i = 0; i < 3; i++) k[row + i][column + i] += s;
}

/// k += s [a]x on the block at (row, column).
static void add_cross(double k[8][8], int row, int column, double s, mn_vec3 a)
{
    k[row][column + 1] -= s * a.z, k[row][column + 2] += s * a.y;
    k[row + 1][column] += s * a.z, k[row + 1][column + 2] -= s * a.x;
    k[row + 2][column] -= s * a.y, k[row + 2][column + 1] += s * a.x;
}

/// Rank-one parts: five strains, and the fold.
static void add_material(const mn_rod_corner *c, const mn_rod_load *l, double k[8][8])
{
    mn_vec3 edge[2][4];
    mn_rod_corner_curvature_gradients(c, edge);
    double j[6][8];
    for (int n = 0; n < 4; n++) {
        put(edge[0][n], &j[n][MN_ROD_AT_E]);
        put(edge[1][n], &j[n][MN_ROD_AT_F]);
        const double(*kappa)[2] = c->strain.kappa;
        const double own        = n % 2 == 0 ? kappa[n / 2][1] : -kappa[n / 2][0];
        j[n][MN_ROD_AT_ANGLE_E] = n < 2 ? own : 0.0;
        j[n][MN_ROD_AT_ANGLE_F] = n < 2 ? 0.0 : own;
    }
    put(mn_scale3(0.5 / c->length[0], c->kb), &j[4][MN_ROD_AT_E]);
    put(mn_scale3(0.5 / c->length[1], c->kb), &j[4][MN_ROD_AT_F]);
    j[4][MN_ROD_AT_ANGLE_E] = -1.0, j[4][MN_ROD_AT_ANGLE_F] = 1.0;
    const double dot = c->chi - 1.0;
    put(mn_scale3(1.0 / c->length[0], mn_sub3(c->t[1], mn_scale3(dot, c->t[0]))), &j[5][MN_ROD_AT_E]);
    put(mn_scale3(1.0 / c->length[1], mn_sub3(c->t[0], mn_scale3(dot, c->t[1]))), &j[5][MN_ROD_AT_F]);
    j[5][MN_ROD_AT_ANGLE_E] = j[5][MN_ROD_AT_ANGLE_F] = 0.0;

    const double weight[6] = { l->stiffness, l->stiffness,       l->stiffness,
                               l->stiffness, l->twist_stiffness, l->fold_stiffness };
    for (int n = 0; n < 6; n++)
        for (int a = 0; a < 8; a++)
            for (int b = 0; b < 8; b++) k[a][b] += weight[n] * j[n][a] * j[n][b];
}

/// Second derivatives of the curvature v . kb by e and f for the director v = own[0] + own[1], whose parts turn with
/// their own edges (elastic-rods 6.1). The lower left block is left to the caller.
static void add_curvature(const mn_rod_corner *c, const mn_vec3 own[2], double k[8][8])
{
    const int     E = MN_ROD_AT_E, F = MN_ROD_AT_F;
    const double  le = c->length[0], lf = c->length[1], chi = c->chi, dot = chi - 1.0;
    const mn_vec3 te = c->t[0], tf = c->t[1], v = mn_add3(own[0], own[1]);
    const mn_vec3 tt = mn_scale3(1.0 / chi, mn_add3(te, tf)), vt = mn_scale3(2.0 / chi, v);
    const double  kappa   = mn_dot3(v, c->kb);
    const mn_vec3 tf_x_vt = mn_cross3(tf, vt), te_x_vt = mn_cross3(te, vt);
    const mn_vec3 ge = mn_scale3(1.0 / le, mn_sub3(tf_x_vt, mn_scale3(kappa, tt)));
    const mn_vec3 gf = mn_scale3(-1.0 / lf, mn_add3(te_x_vt, mn_scale3(kappa, tt)));
    const mn_vec3 pe = mn_sub3(tf, mn_scale3(dot, te)), pf = mn_sub3(te, mn_scale3(dot, tf));  // P_e t_f, P_f t_e

    add_symmetric(k, E, -1.0 / le, ge, mn_add3(te, tt));
    add_identity(k, E, E, -kappa / (le * le * chi));
    add_outer(k, E, E, kappa / (le * le * chi), te, te);
    add_symmetric(k, E, kappa / (le * le * chi), tt, pe);
    add_symmetric(k, E, -1.0 / (le * le * chi), tf_x_vt, pe);
    add_symmetric(k, E, 1.0 / (le * le), c->kb, own[0]);

    add_symmetric(k, F, -1.0 / lf, gf, mn_add3(tf, tt));
    add_identity(k, F, F, -kappa / (lf * lf * chi));
    add_outer(k, F, F, kappa / (lf * lf * chi), tf, tf);
    add_symmetric(k, F, kappa / (lf * lf * chi), tt, pf);
    add_symmetric(k, F, 1.0 / (lf * lf * chi), te_x_vt, pf);
    add_symmetric(k, F, 1.0 / (lf * lf), c->kb, own[1]);

    const double s = -1.0 / (le * lf);
    add_outer(k, E, F, -1.0 / le, tt, gf);
    add_identity(k, E, F, s * kappa / chi);
    add_outer(k, E, F, -s * kappa / chi, tf, tf);
    add_outer(k, E, F, -s * kappa / chi, tt, pf);
    add_outer(k, E, F, s / chi, tf_x_vt, pf);
    add_cross(k, E, F, s, vt);
    add_outer(k, E, F, -s, mn_cross3(vt, tf), tf);
}

static void add_twist(const mn_rod_corner *c, double s, double k[8][8])
{
    const int     E = MN_ROD_AT_E, F = MN_ROD_AT_F;
    const double  le = c->length[0], lf = c->length[1];
    const mn_vec3 tt = mn_scale3(1.0 / c->chi, mn_add3(c->t[0], c->t[1]));
    add_symmetric(k, E, -0.5 * s / (le * le), c->kb, mn_add3(c->t[0], tt));
    add_symmetric(k, F, -0.5 * s / (lf * lf), c->kb, mn_add3(c->t[1], tt));
    add_cross(k, E, F, s / (le * lf * c->chi), c->t[0]);
    add_outer(k, E, F, -0.5 * s / (le * lf), c->kb, tt);
}

/// Stress times second derivatives; above the cap only. Fills blocks on and above the diagonal.
static void add_geometric(const mn_rod_corner *c, const mn_rod_load *l, double k[8][8])
{
    mn_vec3 own[2];
    for (int j = 0; j < 2; j++)
        own[j] = mn_sub3(mn_scale3(l->stress[j][0], c->m2[j]), mn_scale3(l->stress[j][1], c->m1[j]));
    add_curvature(c, own, k);
    add_twist(c, l->twist_stress, k);

    mn_vec3 edge[2][4];
    mn_rod_corner_curvature_gradients(c, edge);
    for (int j = 0; j < 2; j++) {
        const int angle = j == 0 ? MN_ROD_AT_ANGLE_E : MN_ROD_AT_ANGLE_F;
        for (int side = 0; side < 2; side++) {
            double mixed[3];
            put(mn_sub3(mn_scale3(l->stress[j][0], edge[side][2 * j + 1]),
                        mn_scale3(l->stress[j][1], edge[side][2 * j])),
                mixed);
            const int at = side == 0 ? MN_ROD_AT_E : MN_ROD_AT_F;
            for (int i = 0; i < 3; i++) {
                if (at < angle) k[at + i][angle] += mixed[i];
                else k[angle][at + i] += mixed[i];
            }
        }
        k[angle][angle] -= l->stress[j][0] * c->strain.kappa[j][0] + l->stress[j][1] * c->strain.kappa[j][1];
    }
}

void mn_rod_corner_hessian(const mn_rod_corner *c, const mn_rod_load *l, mn_rod_policy policy, double k[8][8])
{
    memset(k, 0, 64 * sizeof(double));
    const bool exact = policy == MN_ROD_FULL || policy == MN_ROD_PROJECTED;
    if (exact && c->chi >= MN_ROD_CHI_CAP) add_geometric(c, l, k);
    add_material(c, l, k);
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < a; b++) k[a][b] = k[b][a];
    if (policy == MN_ROD_PROJECTED) mn_rod_clamp(8, k[0]);
}

/// out += s a b^T, upper triangle or whole.
static inline void add_upper(double out[6], double s, mn_vec3 a)
{
    const double x = s * a.x, y = s * a.y, z = s * a.z;
    out[0] += x * a.x, out[1] += x * a.y, out[2] += x * a.z;
    out[3] += y * a.y, out[4] += y * a.z, out[5] += z * a.z;
}
static inline void add_whole(double out[9], double s, mn_vec3 a, mn_vec3 b)
{
    const double x = s * a.x, y = s * a.y, z = s * a.z;
    out[0] += x * b.x, out[1] += x * b.y, out[2] += x * b.z;
    out[3] += y * b.x, out[4] += y * b.y, out[5] += y * b.z;
    out[6] += z * b.x, out[7] += z * b.y, out[8] += z * b.z;
}
static inline void add_rank_one(mn_rod_block *out, double s, mn_vec3 e, mn_vec3 f)
{
    add_upper(out->ee, s, e);
    add_whole(out->ef, s, e, f);
    add_upper(out->ff, s, f);
}

static void material_block(const mn_rod_corner *c, const mn_rod_load *l, mn_rod_block *out)
{
    memset(out, 0, sizeof *out);
    mn_vec3 edge[2][4];
    mn_rod_corner_curvature_gradients(c, edge);
    for (int n = 0; n < 4; n++) add_rank_one(out, l->stiffness, edge[0][n], edge[1][n]);
    add_rank_one(out, l->twist_stiffness, mn_scale3(0.5 / c->length[0], c->kb), mn_scale3(0.5 / c->length[1], c->kb));
    if (l->fold_stiffness == 0.0) return;
    const double dot = c->chi - 1.0;
    add_rank_one(out, l->fold_stiffness, mn_scale3(1.0 / c->length[0], mn_sub3(c->t[1], mn_scale3(dot, c->t[0]))),
                 mn_scale3(1.0 / c->length[1], mn_sub3(c->t[0], mn_scale3(dot, c->t[1]))));
}

void mn_rod_corner_block(const mn_rod_corner *c, const mn_rod_load *l, mn_rod_policy policy, mn_rod_block *out)
{
    if (policy == MN_ROD_GAUSS_NEWTON || policy == MN_ROD_TENSION) {
        material_block(c, l, out);
        return;
    }
    // Positions alone: the rows and columns of e and f; clamped as a 6 x 6 matrix of their own.
    double k[8][8], p[6][6];
    mn_rod_corner_hessian(c, l, MN_ROD_FULL, k);
    static const int at[6] = { 0, 1, 2, 4, 5, 6 };
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++) p[a][b] = k[at[a]][at[b]];
    if (policy == MN_ROD_PROJECTED) mn_rod_clamp(6, p[0]);
    for (int a = 0, n = 0; a < 3; a++)
        for (int b = a; b < 3; b++, n++) out->ee[n] = p[a][b], out->ff[n] = p[3 + a][3 + b];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) out->ef[3 * a + b] = p[a][3 + b];
}

void mn_rod_corner_to_vertices(const mn_rod_gradient *g, double k[8][8], double gradient[11], double hessian[11][11])
{
    // Edge entry -> the two vertex entries it is the difference of; angles map to themselves (second place unused).
    static const int plus[8] = { 4, 5, 6, 3, 8, 9, 10, 7 }, minus[8] = { 0, 1, 2, -1, 4, 5, 6, -1 };
    double           edge[8];
    put(g->edge[0], edge);
    put(g->edge[1], edge + 4);
    edge[3] = g->angle[0], edge[7] = g->angle[1];
    memset(gradient, 0, 11 * sizeof(double));
    memset(hessian, 0, 121 * sizeof(double));
    for (int a = 0; a < 8; a++) {
        gradient[plus[a]] += edge[a];
        if (minus[a] >= 0) gradient[minus[a]] -= edge[a];
        for (int b = 0; b < 8; b++) {
            hessian[plus[a]][plus[b]] += k[a][b];
            if (minus[a] >= 0) hessian[minus[a]][plus[b]] -= k[a][b];
            if (minus[b] >= 0) hessian[plus[a]][minus[b]] -= k[a][b];
            if (minus[a] >= 0 && minus[b] >= 0) hessian[minus[a]][minus[b]] += k[a][b];
        }
    }
}
