// SPDX-License-Identifier: MPL-2.0
// geom/nearest.h - nearest points of a segment and of a triangle, as weights of their corners.
#ifndef MN_GEOM_NEAREST_H
#define MN_GEOM_NEAREST_H

#include "math/vec.h"

static inline void mn_nearest_on_segment(mn_vec3 p, const mn_vec3 x[2], double weight[2])
{
    const mn_vec3 e       = mn_sub3(x[1], x[0]);
    const double  length2 = mn_dot3(e, e), s = length2 > 0.0 ? mn_dot3(mn_sub3(p, x[0]), e) / length2 : 0.0;
    weight[1] = s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
    weight[0] = 1.0 - weight[1];
}

/// A triangle without area is taken for its edges.
static inline void mn_nearest_on_triangle(mn_vec3 p, const mn_vec3 x[3], double weight[3])
{
    const mn_vec3 a = mn_sub3(x[1], x[0]), b = mn_sub3(x[2], x[0]), d = mn_sub3(p, x[0]);
    const double  aa = mn_dot3(a, a), ab = mn_dot3(a, b), bb = mn_dot3(b, b), ad = mn_dot3(a, d), bd = mn_dot3(b, d);
    const double  area2 = aa * bb - ab * ab;
    weight[1]           = bb * ad - ab * bd;
    weight[2]           = aa * bd - ab * ad;
    weight[0]           = area2 - weight[1] - weight[2];
    if (area2 > 0.0 && weight[0] >= 0.0 && weight[1] >= 0.0 && weight[2] >= 0.0) {
        for (int i = 0; i < 3; i++) weight[i] /= area2;
        return;
    }
    double nearest = INFINITY;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        double    w[2];
        mn_nearest_on_segment(p, (const mn_vec3[2]){ x[i], x[j] }, w);
        const mn_vec3 r = mn_sub3(p, mn_add3(mn_scale3(w[0], x[i]), mn_scale3(w[1], x[j])));
        if (mn_dot3(r, r) >= nearest) continue;
        nearest             = mn_dot3(r, r);
        weight[i]           = w[0];
        weight[j]           = w[1];
        weight[(i + 2) % 3] = 0.0;
    }
}

#endif
