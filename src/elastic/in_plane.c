// SPDX-License-Identifier: MPL-2.0
// elastic/in_plane.c - the membrane of one triangle.
#include "elastic/in_plane.h"

#include <stddef.h>

bool mn_in_plane_rest_make(const mn_vec3 corner[3], mn_vec3 warp, mn_in_plane_rest *out, double edges[4])
{
    const mn_vec3 a = mn_sub3(corner[1], corner[0]), b = mn_sub3(corner[2], corner[0]), n = mn_cross3(a, b);
    const double  twice = mn_norm3(n), longest = fmax(mn_norm3(a), mn_norm3(b));
    if (!(twice > 1e-12 * longest * longest) || !isfinite(twice)) return false;
    const mn_vec3 normal = mn_scale3(1.0 / twice, n);
    const mn_vec3 flat   = mn_sub3(warp, mn_scale3(mn_dot3(warp, normal), normal));
    const double  length = mn_norm3(flat);
    if (!(length > 1e-6 * mn_norm3(warp))) return false;
    const mn_vec3 u = mn_scale3(1.0 / length, flat), v = mn_cross3(normal, u);
    const double  au = mn_dot3(a, u), av = mn_dot3(a, v), bu = mn_dot3(b, u), bv = mn_dot3(b, v);
    const double  inv = 1.0 / (au * bv - bu * av);
    *out              = (mn_in_plane_rest){ { bv * inv, -av * inv }, { -bu * inv, au * inv }, 0.5 * twice };
    if (edges != NULL) edges[0] = au, edges[1] = av, edges[2] = bu, edges[3] = bv;
    return true;
}

void mn_in_plane_tension(const double tau[3], double tension[3])
{
    const double mean = 0.5 * (tau[0] + tau[1]), half = 0.5 * (tau[0] - tau[1]);
    const double radius = sqrt(half * half + tau[2] * tau[2]);
    const double high = mean + radius, low = mean - radius;
    if (low >= 0.0) {
        tension[0] = tau[0], tension[1] = tau[1], tension[2] = tau[2];
    } else if (high <= 0.0) {
        tension[0] = tension[1] = tension[2] = 0.0;
    } else {
        // One eigenvalue of each sign: high times the dyad of its direction, which is (S - low I) / (high - low).
        const double scale = high / (high - low);
        tension[0] = scale * (tau[0] - low), tension[1] = scale * (tau[1] - low), tension[2] = scale * tau[2];
    }
}

void mn_in_plane_block(const double k[9], const mn_in_plane_rest *r, const mn_in_plane_frame *f, const double s[3],
                       int a, int b, double block[9])
{
    const double ua = mn_in_plane_ru(r, a), va = mn_in_plane_rv(r, a), ub = mn_in_plane_ru(r, b),
                 vb = mn_in_plane_rv(r, b);
    // de/dx_a = (ua U, va V, ua V + va U): collected by the dyads of U and V.
    const double uu   = k[0] * ua * ub + k[2] * (ua * vb + va * ub) + k[8] * va * vb;
    const double vv   = k[4] * va * vb + k[5] * (ua * vb + va * ub) + k[8] * ua * ub;
    const double uv   = k[1] * ua * vb + k[2] * ua * ub + k[5] * va * vb + k[8] * va * ub;
    const double vu   = k[1] * va * ub + k[2] * ua * ub + k[5] * va * vb + k[8] * ua * vb;
    const double g    = s[0] * ua * ub + s[1] * va * vb + s[2] * (ua * vb + va * ub);
    const double U[3] = { f->u.x, f->u.y, f->u.z }, V[3] = { f->v.x, f->v.y, f->v.z };
    double       p[3], q[3];
    for (int j = 0; j < 3; j++) p[j] = uu * U[j] + uv * V[j], q[j] = vu * U[j] + vv * V[j];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) block[3 * i + j] = U[i] * p[j] + V[i] * q[j];
        block[4 * i] += g;
    }
}

double mn_in_plane_energy(const double k[9], const mn_in_plane_rest *r, const mn_vec3 x[3])
{
    const mn_in_plane_frame f = mn_in_plane_frame_of(r, x[0], x[1], x[2]);
    double                  e[3], tau[3];
    mn_in_plane_strain(&f, e);
    mn_in_plane_stress(k, e, tau);
    return 0.5 * r->area * (e[0] * tau[0] + e[1] * tau[1] + e[2] * tau[2]);
}

void mn_in_plane_gradient(const double k[9], const mn_in_plane_rest *r, const mn_vec3 x[3], mn_vec3 gradient[3])
{
    const mn_in_plane_frame f = mn_in_plane_frame_of(r, x[0], x[1], x[2]);
    double                  e[3], tau[3];
    mn_in_plane_strain(&f, e);
    mn_in_plane_stress(k, e, tau);
    const mn_vec3 pu = mn_scale3(r->area, mn_add3(mn_scale3(tau[0], f.u), mn_scale3(tau[2], f.v)));
    const mn_vec3 pv = mn_scale3(r->area, mn_add3(mn_scale3(tau[2], f.u), mn_scale3(tau[1], f.v)));
    for (int i = 0; i < 3; i++)
        gradient[i] = mn_add3(mn_scale3(mn_in_plane_ru(r, i), pu), mn_scale3(mn_in_plane_rv(r, i), pv));
}

void mn_in_plane_hessian(const double k[9], const mn_in_plane_rest *r, const mn_vec3 x[3], bool projected,
                         double hessian[81])
{
    const mn_in_plane_frame f = mn_in_plane_frame_of(r, x[0], x[1], x[2]);
    double                  e[3], tau[3], s[3], block[9];
    mn_in_plane_strain(&f, e);
    mn_in_plane_stress(k, e, tau);
    if (projected) mn_in_plane_tension(tau, s);
    else s[0] = tau[0], s[1] = tau[1], s[2] = tau[2];
    // Only pairs a <= b are computed; the rest is their mirror image, so that the matrix is symmetric to the bit.
    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++) {
            mn_in_plane_block(k, r, &f, s, a, b, block);
            for (int i = 0; i < 3; i++)
                for (int j = a == b ? i : 0; j < 3; j++)
                    hessian[9 * (3 * a + i) + 3 * b + j] = hessian[9 * (3 * b + j) + 3 * a + i] = r->area *
                                                                                                  block[3 * i + j];
        }
}
