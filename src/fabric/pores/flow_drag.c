// SPDX-License-Identifier: MPL-2.0
// fabric/pores/flow_drag.c - the drag law of the pores solved for a given force, as a table.
#include "fabric/pores/flow_private.h"

/// y (1 + b y^c) = 1. From the smaller of two upper bounds; the function is convex, Newton falls towards the root.
static double root(double b, double exponent)
{
    double y = fmin(1.0, pow(b, -1.0 / (exponent + 1.0)));
    for (int k = 0; k < 50; k++) {
        const double extra  = b * pow(y, exponent),
                     change = ((1.0 + extra) * y - 1.0) / (1.0 + (exponent + 1.0) * extra);
        y -= change;
        if (fabs(change) <= 1e-15 * y) break;
    }
    return y;
}

void mn_drag_table_make(double exponent, mn_drag_table *out)
{
    out->exponent = exponent;
    for (int k = 0; k < MN_DRAG_ENTRIES; k++) {
        const double b = exp(MN_DRAG_FIRST + k * MN_DRAG_STEP), y = root(b, exponent), extra = b * pow(y, exponent);
        out->y[k]     = y;
        out->slope[k] = -MN_DRAG_STEP * extra * y / (1.0 + (exponent + 1.0) * extra);
    }
}

double mn_drag_table_at(const mn_drag_table *t, double log_b)
{
    const double place = (log_b - MN_DRAG_FIRST) / MN_DRAG_STEP;
    if (!(place >= 0.0)) return 1.0;                                             // b < 4e-11
    if (place >= MN_DRAG_ENTRIES - 1) return exp(-log_b / (t->exponent + 1.0));  // b > 2e17
    const int    k = (int)place;
    const double x = place - k, x2 = x * x, x3 = x2 * x;
    return (2.0 * x3 - 3.0 * x2 + 1.0) * t->y[k] + (3.0 * x2 - 2.0 * x3) * t->y[k + 1] +
           (x3 - 2.0 * x2 + x) * t->slope[k] + (x3 - x2) * t->slope[k + 1];
}
