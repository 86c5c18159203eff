// SPDX-License-Identifier: MPL-2.0
// grid/levelset_kernel.c - the distribution function of the quadratic B-spline, its smoothed form, and both inverses.
//
// All are piecewise cubic and odd about (0, 1/2), so that only the lower half is inverted: by a cube root in the last
// cell of the support, by Newton steps elsewhere. F is convex there, the steps from these starts need no safeguard;
// their number is what reaches the last digit, test_levelset.c measures it.
// Differs from liquid 5.7: F2 is inverted from a cubic start, which is as quick as a table of 256 entries and needs
// none.
#include "grid/levelset.h"

#include <math.h>

double mn_density_below(double z)
{
    if (z > 0.5) return 1.0 - mn_density_below(-z);
    if (z >= -0.5) return 0.5 + 0.75 * z - z * z * z / 3.0;
    const double rest = z + 1.5;
    return rest <= 0.0 ? 0.0 : rest * rest * rest / 6.0;
}

double mn_density_below_slope(double z)
{
    const double t = fabs(z), a = fmax(0.0, 1.5 - t), b = fmax(0.0, 0.5 - t);
    return 0.5 * a * a - 1.5 * b * b;
}

double mn_depth_of_density(double density)
{
    if (density >= 1.0) return 1.5;
    if (density <= 0.0) return -1.5;
    if (density > 5.0 / 6.0) return 1.5 - cbrt(6.0 * (1.0 - density));
    if (density < 1.0 / 6.0) return cbrt(6.0 * density) - 1.5;
    const double s = (density - 0.5) * (4.0 / 3.0);
    double       z = s + s * s * s * (4.0 / 9.0);  // two terms of the series of the inverse
    for (int k = 0; k < 3; k++) z -= (0.5 + 0.75 * z - z * z * z / 3.0 - density) / (0.75 - z * z);
    return z;
}

double mn_density_below_wide(double z)
{
    // From the nearer end, so that a small density keeps its digits.
    if (z > 0.0) return 1.0 - mn_density_below_wide(-z);
    return 0.25 * mn_density_below(z - 1.0) + 0.5 * mn_density_below(z) + 0.25 * mn_density_below(z + 1.0);
}

double mn_density_below_wide_slope(double z)
{
    return 0.25 * mn_density_below_slope(z - 1.0) + 0.5 * mn_density_below_slope(z) +
           0.25 * mn_density_below_slope(z + 1.0);
}

/// F2^-1 between F2(-3/2) = 1/24 and F2(0) = 1/2.
static double invert_wide_middle(double density)
{
    const double low = 1.0 / 24.0, width = 11.0 / 24.0;
    const double slope_low  = 8.0 * width,
                 slope_high = width / 0.4375;  // dz/dt at the ends, t = (density - low) / width
    const double t = (density - low) / width, s = 1.0 - t;
    double       z = -1.5 * s * s * (1.0 + 2.0 * t) + slope_low * t * s * s - slope_high * t * t * s;  // Hermite cubic
    for (int k = 0; k < 4; k++) z -= (mn_density_below_wide(z) - density) / mn_density_below_wide_slope(z);
    return z;
}

double mn_depth_of_wide_density(double density)
{
    if (density >= 1.0) return 2.5;
    if (density <= 0.0) return -2.5;
    if (density > 0.5) return -mn_depth_of_wide_density(1.0 - density);
    return density < 1.0 / 24.0 ? cbrt(24.0 * density) - 2.5 : invert_wide_middle(density);
}
