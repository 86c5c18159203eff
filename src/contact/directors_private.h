// SPDX-License-Identifier: MPL-2.0
// contact/directors_private.h - the triangular factor of three directors, shared by stress and return mapping.
#ifndef MN_CONTACT_DIRECTORS_PRIVATE_H
#define MN_CONTACT_DIRECTORS_PRIVATE_H

#include "contact/directors.h"

/// Beyond these a layer or yarn counts as crushed flat (wet-fabric T16, T17); the return mapping says when it happens.
#define MN_CLOTH_THINNEST   0.05
#define MN_YARN_STRETCH_MIN 0.05
#define MN_YARN_STRETCH_MAX 20.0

/// d = Q R: orthonormal q, upper triangular r with r[0][0], r[1][1] >= 0.
typedef struct mn_director_frame {
    mn_vec3 q[3];
    double  r[3][3];
} mn_director_frame;
mn_director_frame mn_director_factor(const mn_directors *d);

/// Transverse block of yarn: U diag(s) V^T, and the logarithms of s.
typedef struct mn_yarn_block {
    double u[2][2], v[2][2], s[2], e[2];
} mn_yarn_block;
mn_yarn_block mn_yarn_factor(double a, double b, double c, double e);

#endif
