// SPDX-License-Identifier: MPL-2.0
// grid/spline.h - quadratic B-spline weights of the three nodes nearest to a point.
#ifndef MN_GRID_SPLINE_H
#define MN_GRID_SPLINE_H

/// Weights of the nodes at -1, 0 and 1 for a point at t cells from the middle one, |t| <= 1/2.
static inline void mn_spline_weights(double t, double w[3])
{
    const double low = 0.5 - t, high = 0.5 + t;
    w[0] = 0.5 * low * low;
    w[1] = 0.75 - t * t;
    w[2] = 0.5 * high * high;
}

#endif
