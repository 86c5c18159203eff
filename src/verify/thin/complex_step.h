// SPDX-License-Identifier: MPL-2.0
// verify/thin/complex_step.h - energies of triangles and hinges written for complex arguments: their derivatives
// without differences.
#ifndef MN_VERIFY_COMPLEX_STEP_H
#define MN_VERIFY_COMPLEX_STEP_H

#include "elastic/in_plane.h"

#include <complex.h>
#include <stdint.h>

#define MN_COMPLEX_STEP 1e-30

typedef struct mn_cvec {
    double complex x, y, z;
} mn_cvec;

static inline mn_cvec        mn_csub(mn_cvec a, mn_cvec b) { return (mn_cvec){ a.x - b.x, a.y - b.y, a.z - b.z }; }
static inline double complex mn_cdot(mn_cvec a, mn_cvec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline mn_cvec        mn_ccross(mn_cvec a, mn_cvec b)
{
    return (mn_cvec){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

/// The angle of elastic/hinge.h, written as 2 atan(sin/(1 + cos)).
static inline double complex mn_complex_hinge(const mn_cvec x[4])
{
    const mn_cvec e = mn_csub(x[1], x[0]), n = mn_ccross(e, mn_csub(x[2], x[0])), m = mn_ccross(mn_csub(x[3], x[0]), e);
    const double complex size = csqrt(mn_cdot(n, n)) * csqrt(mn_cdot(m, m));
    return 2.0 * catan(mn_cdot(mn_ccross(m, n), e) / csqrt(mn_cdot(e, e)) / (size + mn_cdot(n, m)));
}

static inline double complex mn_complex_membrane(const double k[9], const mn_in_plane_rest *r, const mn_cvec x[3])
{
    const mn_cvec        a = mn_csub(x[1], x[0]), b = mn_csub(x[2], x[0]);
    const mn_cvec        U    = { r->ru[0] * a.x + r->ru[1] * b.x, r->ru[0] * a.y + r->ru[1] * b.y,
                                  r->ru[0] * a.z + r->ru[1] * b.z };
    const mn_cvec        V    = { r->rv[0] * a.x + r->rv[1] * b.x, r->rv[0] * a.y + r->rv[1] * b.y,
                                  r->rv[0] * a.z + r->rv[1] * b.z };
    const double complex e[3] = { 0.5 * (mn_cdot(U, U) - 1.0), 0.5 * (mn_cdot(V, V) - 1.0), mn_cdot(U, V) };
    double complex       sum  = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum += 0.5 * r->area * e[i] * k[3 * i + j] * e[j];
    return sum;
}

/// Positions with a step in component step % 3 of point step / 3; below 0: none.
static inline void mn_to_complex(const mn_vec3 *x, int64_t n, int64_t step, mn_cvec *out)
{
    for (int64_t i = 0; i < n; i++) out[i] = (mn_cvec){ x[i].x, x[i].y, x[i].z };
    if (step < 0) return;
    double complex *c[3] = { &out[step / 3].x, &out[step / 3].y, &out[step / 3].z };
    *c[step % 3] += MN_COMPLEX_STEP * I;
}

#endif
