// SPDX-License-Identifier: MPL-2.0
// elastic/hinge.h - the angle between two triangles that share an edge, with its derivatives. Pure functions.
//
// x[0], x[1] are the ends of the edge, x[2] completes the triangle (x0, x1, x2) and x[3] the triangle (x1, x0, x3). The
// angle is 0 when flat, positive when x[2] and x[3] lie on the side their normals point to, in (-pi, pi].
#ifndef MN_ELASTIC_HINGE_H
#define MN_ELASTIC_HINGE_H

#include "elastic/shell_material.h"
#include "math/vec.h"

double mn_hinge_angle(const mn_vec3 x[4]);
/// Angle and gradient.
double mn_hinge_gradient(const mn_vec3 x[4], mn_vec3 gradient[4]);
/// Hessian, 12 x 12 row by row, symmetric to the bit.
void mn_hinge_hessian(const mn_vec3 x[4], double hessian[144]);

/// The measure m of an angle: value, and first and second derivative.
static inline double mn_hinge_measure(mn_bend_measure measure, double angle, double *first, double *second)
{
    if (measure == MN_BEND_ANGLE) {
        *first = 1.0, *second = 0.0;
        return angle;
    }
    const double t = tan(0.5 * angle);
    *first         = 1.0 + t * t;
    *second        = t * *first;
    return 2.0 * t;
}

#endif
