// SPDX-License-Identifier: MPL-2.0
// contact/hold.h - what holds points to the world: springs and drags that a solve sees at its end, six values a point.
#ifndef MN_CONTACT_HOLD_H
#define MN_CONTACT_HOLD_H

#include "math/vec.h"

/// Add along * n n^T + across * (I - n n^T) to what holds one point: xx, yy, zz, yz, xz, xy in g, impulse per velocity.
static inline void mn_hold(double point[6], double along, mn_vec3 n, double across)
{
    const double d = along - across;
    point[0] += across + d * n.x * n.x;
    point[1] += across + d * n.y * n.y;
    point[2] += across + d * n.z * n.z;
    point[3] += d * n.y * n.z;
    point[4] += d * n.x * n.z;
    point[5] += d * n.x * n.y;
}

#endif
