// SPDX-License-Identifier: MPL-2.0
// contact/directors.c - contact of one element: triangular factor of its directors, energy, stress, stiffness.
#include "contact/directors.h"

#include "contact/directors_private.h"

#include <string.h>

mn_director_frame mn_director_factor(const mn_directors *d)
{
    mn_director_frame f;
    memset(&f, 0, sizeof f);
    f.q[0]               = mn_unit3(d->d[0], mn_v3(1, 0, 0));
    f.r[0][0]            = mn_dot3(f.q[0], d->d[0]);
    f.r[0][1]            = mn_dot3(f.q[0], d->d[1]);
    const mn_vec3 across = mn_sub3(d->d[1], mn_scale3(f.r[0][1], f.q[0]));
    f.q[1]               = mn_unit3(across, mn_v3(0, 1, 0));
    f.r[1][1]            = mn_norm3(across);
    f.q[2]               = mn_cross3(f.q[0], f.q[1]);
    for (int a = 0; a < 3; a++) f.r[a][2] = mn_dot3(f.q[a], d->d[2]);
    return f;
}

/// Singular values of the 2 x 2 block [[a, b], [c, e]] = U diag(s) V^T with rotations U(u), V(v).
mn_yarn_block mn_yarn_factor(double a, double b, double c, double e)
{
    const double  plus = hypot(0.5 * (a + e), 0.5 * (c - b)), minus = hypot(0.5 * (a - e), 0.5 * (c + b));
    const double  sum = atan2(0.5 * (c - b), 0.5 * (a + e)), difference = atan2(0.5 * (c + b), 0.5 * (a - e));
    mn_yarn_block y = { .s = { plus + minus, plus - minus } };
    const double  u = 0.5 * (sum + difference), v = 0.5 * (difference - sum);
    y.u[0][0] = cos(u), y.u[0][1] = -sin(u), y.u[1][0] = sin(u), y.u[1][1] = cos(u);
    y.v[0][0] = cos(v), y.v[0][1] = -sin(v), y.v[1][0] = sin(v), y.v[1][1] = cos(v);
    for (int k = 0; k < 2; k++) y.e[k] = log(fmin(MN_YARN_STRETCH_MAX, fmax(MN_YARN_STRETCH_MIN, y.s[k])));
    return y;
}

static mn_yarn_block block_of(const mn_director_frame *f)
{
    return mn_yarn_factor(f->r[1][1], f->r[1][2], 0.0, f->r[2][2]);
}

/// W_k = d psi / d s_k.
static void principal_stress(const mn_contact_law *law, const mn_yarn_block *y, double w[2])
{
    const double trace = y->e[0] + y->e[1];
    for (int k = 0; k < 2; k++) w[k] = (2.0 * law->mu * y->e[k] + law->lambda * trace) * exp(-y->e[k]);
}

double mn_contact_compression(const mn_contact_law *law, const mn_directors *d)
{
    const mn_director_frame f = mn_director_factor(d);
    if (!law->yarn) return 1.0 - f.r[2][2];
    const mn_yarn_block y = block_of(&f);
    return -(y.e[0] + y.e[1]);
}

double mn_contact_pressure(const mn_contact_law *law, const mn_directors *d)
{
    const mn_director_frame f = mn_director_factor(d);
    if (!law->yarn) return mn_contact_pressure_cloth(law, f.r[2][2]);
    const mn_yarn_block y = block_of(&f);
    if (!(y.e[0] + y.e[1] < 0.0)) return 0.0;
    double w[2];
    principal_stress(law, &y, w);
    return 0.5 * hypot(w[0], w[1]);
}

double mn_contact_energy(const mn_contact_law *law, const mn_directors *d)
{
    const mn_director_frame f = mn_director_factor(d);
    if (!law->yarn) {
        const double c = 1.0 - f.r[2][2];
        if (!(c > 0.0)) return 0.0;
        return 0.5 * law->mu * (f.r[0][2] * f.r[0][2] + f.r[1][2] * f.r[1][2]) +
               (2.0 * law->mu + law->lambda) / 3.0 * c * c * c;
    }
    const mn_yarn_block y     = block_of(&f);
    const double        trace = y.e[0] + y.e[1];
    if (!(trace < 0.0)) return 0.0;
    return 0.5 * law->mu * (f.r[0][1] * f.r[0][1] + f.r[0][2] * f.r[0][2]) +
           law->mu * (y.e[0] * y.e[0] + y.e[1] * y.e[1]) + 0.5 * law->lambda * trace * trace;
}

/// Pi = d psi / d R, upper triangular. False if there is no contact.
static bool triangular_stress(const mn_contact_law *law, const mn_director_frame *f, double pi[3][3])
{
    memset(pi, 0, 9 * sizeof(double));
    if (!law->yarn) {
        const double c = 1.0 - f->r[2][2];
        if (!(c > 0.0)) return false;
        pi[0][2] = law->mu * f->r[0][2];
        pi[1][2] = law->mu * f->r[1][2];
        pi[2][2] = -(2.0 * law->mu + law->lambda) * c * c;
        return true;
    }
    const mn_yarn_block y = block_of(f);
    if (!(y.e[0] + y.e[1] < 0.0)) return false;
    double w[2];
    principal_stress(law, &y, w);
    pi[0][1] = law->mu * f->r[0][1];
    pi[0][2] = law->mu * f->r[0][2];
    for (int a = 0; a < 2; a++)
        for (int b = a; b < 2; b++) pi[1 + a][1 + b] = y.u[a][0] * w[0] * y.v[b][0] + y.u[a][1] * w[1] * y.v[b][1];
    return true;
}

bool mn_contact_stress(const mn_contact_law *law, const mn_directors *d, mn_vec3 gradient[3])
{
    const mn_director_frame f = mn_director_factor(d);
    double                  pi[3][3], tau[3][3], x[3][3];
    memset(gradient, 0, 3 * sizeof *gradient);
    if (!triangular_stress(law, &f, pi)) return false;
    for (int a = 0; a < 3; a++)  // upper part of Pi R^T, mirrored
        for (int b = a; b < 3; b++) {
            double t = 0.0;
            for (int k = 0; k < 3; k++) t += pi[a][k] * f.r[b][k];
            tau[a][b] = tau[b][a] = t;
        }
    for (int a = 0; a < 3; a++) {  // x = tau R^-T
        x[a][2] = tau[a][2] / f.r[2][2];
        x[a][1] = (tau[a][1] - x[a][2] * f.r[1][2]) / f.r[1][1];
        x[a][0] = (tau[a][0] - x[a][1] * f.r[0][1] - x[a][2] * f.r[0][2]) / f.r[0][0];
    }
    for (int k = 0; k < 3; k++)
        gradient[k] = mn_add3(mn_add3(mn_scale3(x[0][k], f.q[0]), mn_scale3(x[1][k], f.q[1])),
                              mn_scale3(x[2][k], f.q[2]));
    return true;
}

/// Add the row (a, b, c) scaled by the root of `stiffness`, if there is any.
static void add_row(mn_contact_rows *out, double stiffness, mn_vec3 a, mn_vec3 b, mn_vec3 c)
{
    if (!(stiffness > 0.0)) return;
    const double s   = sqrt(stiffness);
    double      *row = out->row[out->count++];
    row[0] = s * a.x, row[1] = s * a.y, row[2] = s * a.z;
    row[3] = s * b.x, row[4] = s * b.y, row[5] = s * b.z;
    row[6] = s * c.x, row[7] = s * c.y, row[8] = s * c.z;
}

/// Share of the shear stiffness that friction can still push against.
static double shear_share(double friction_bound, double shear_stress)
{
    return shear_stress > friction_bound ? friction_bound / shear_stress : 1.0;
}

static void cloth_stiffness(const mn_contact_law *law, const mn_directors *d, const mn_director_frame *f,
                            mn_contact_rows *out)
{
    const double c = 1.0 - f->r[2][2], r = fmax(f->r[2][2], MN_CLOTH_THINNEST);
    if (!(c > 0.0)) return;
    const mn_vec3 n = f->q[2];
    // Dual of the two edges in their plane.
    const mn_vec3 dual2 = mn_scale3(1.0 / f->r[1][1], f->q[1]);
    const mn_vec3 dual1 = mn_scale3(1.0 / f->r[0][0], mn_sub3(f->q[0], mn_scale3(f->r[0][1], dual2)));
    const double  bulk  = 2.0 * law->mu + law->lambda;
    const double  share = shear_share(law->friction * bulk * c * c, law->mu * hypot(f->r[0][2], f->r[1][2]));
    for (int a = 0; a < 2; a++)
        add_row(out, law->mu * share, mn_scale3(r * mn_dot3(f->q[a], dual1), n),
                mn_scale3(r * mn_dot3(f->q[a], dual2), n), f->q[a]);
    add_row(out, 2.0 * bulk * c, mn_scale3(-mn_dot3(d->d[2], dual1), n), mn_scale3(-mn_dot3(d->d[2], dual2), n), n);
}

/// Row of the direction m (2 x 2, in q_2, q_3 by d_2, d_3) of the transverse block.
static void add_block_row(mn_contact_rows *out, double stiffness, const mn_director_frame *f, double m[2][2])
{
    mn_vec3 on[3] = { { 0 } };
    for (int k = 0; k < 2; k++) {
        const mn_vec3 along = mn_add3(mn_scale3(m[0][k], f->q[1]), mn_scale3(m[1][k], f->q[2]));
        on[1 + k]           = along;
        on[0]               = mn_sub3(on[0], mn_scale3(f->r[0][1 + k] / f->r[0][0], along));
    }
    add_row(out, stiffness, on[0], on[1], on[2]);
}

/// U e V^T with e = [[a, b], [c, e]].
static void turn_back(const mn_yarn_block *y, double a, double b, double c, double e, double m[2][2])
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            m[i][j] = y->u[i][0] * (a * y->v[j][0] + b * y->v[j][1]) + y->u[i][1] * (c * y->v[j][0] + e * y->v[j][1]);
}

static void yarn_stiffness(const mn_contact_law *law, const mn_directors *d, const mn_director_frame *f,
                           mn_contact_rows *out)
{
    const mn_yarn_block y     = block_of(f);
    const double        trace = y.e[0] + y.e[1], s[2] = { exp(y.e[0]), exp(y.e[1]) };
    if (!(trace < 0.0)) return;
    double w[2], m[2][2];
    principal_stress(law, &y, w);

    // Sliding along the yarn.
    const mn_vec3 t     = f->q[0];
    const double  share = shear_share(law->friction * 0.5 * hypot(w[0], w[1]), law->mu * hypot(f->r[0][1], f->r[0][2]));
    for (int k = 1; k < 3; k++) {
        const mn_vec3 tilt = mn_scale3(1.0 / f->r[0][0], mn_sub3(d->d[k], mn_scale3(f->r[0][k], t)));
        add_row(out, law->mu * share, tilt, k == 1 ? t : mn_v3(0, 0, 0), k == 2 ? t : mn_v3(0, 0, 0));
    }
    // Principal stretches: a symmetric 2 x 2, by its eigenvectors.
    const double w00   = (2.0 * law->mu + law->lambda - 2.0 * law->mu * y.e[0] - law->lambda * trace) / (s[0] * s[0]);
    const double w11   = (2.0 * law->mu + law->lambda - 2.0 * law->mu * y.e[1] - law->lambda * trace) / (s[1] * s[1]);
    const double w01   = law->lambda / (s[0] * s[1]);
    const double angle = 0.5 * atan2(2.0 * w01, w00 - w11), mean = 0.5 * (w00 + w11),
                 radius = hypot(0.5 * (w00 - w11), w01);
    turn_back(&y, cos(angle), 0.0, 0.0, sin(angle), m);
    add_block_row(out, mean + radius, f, m);
    turn_back(&y, -sin(angle), 0.0, 0.0, cos(angle), m);
    add_block_row(out, mean - radius, f, m);
    // Flip and twist of the principal directions.
    const double gap  = s[0] - s[1];
    const double flip = gap > 1e-6 ? (w[0] - w[1]) / gap : 0.5 * (w00 + w11) - w01;
    const double half = sqrt(0.5);
    turn_back(&y, 0.0, half, half, 0.0, m);
    add_block_row(out, flip, f, m);
    turn_back(&y, 0.0, half, -half, 0.0, m);
    add_block_row(out, (w[0] + w[1]) / (s[0] + s[1]), f, m);
}

void mn_contact_stiffness(const mn_contact_law *law, const mn_directors *d, mn_contact_rows *out)
{
    const mn_director_frame f = mn_director_factor(d);
    out->count                = 0;
    if (law->yarn) yarn_stiffness(law, d, &f, out);
    else cloth_stiffness(law, d, &f, out);
}
