// SPDX-License-Identifier: MPL-2.0
// verify/liquid/outlet.h - a 2D tank that drains through its side wall at x = 0, and how much does against a theory.
#ifndef MN_VERIFY_OUTLET_H
#define MN_VERIFY_OUTLET_H

#include "verify/verify.h"
#include "world/world.h"

#define MN_OUTLET_LIP 64

/// The tank is `width` long, and filled to `head` above `middle`. A lip is a convex line of points about the middle of
/// the opening, the solid to its left and the liquid to its right; above the opening, and mirrored below it.
typedef struct mn_outlet {
    double cell, width, middle, head;
    int    points;
    double lip[MN_OUTLET_LIP][2];
    bool   open_above;  ///< a weir: there is the lip below only
    double feed;        ///< cm/s, of the wall away from the opening, which pushes the water; and of that at the start
    double settled, end;
    double jet[2];                                                ///< between these x the jet's thickness is measured
    double (*flux)(const struct mn_outlet *outlet, double head);  ///< theory, cm^3/s
} mn_outlet;

typedef struct mn_outlet_result {
    double flux;  ///< what drained over what the theory lets drain at the heads that were, from `settled` to `end`
    double jet;   ///< mean thickness, cm
} mn_outlet_result;

mn_status mn_outlet_run(mn_context *c, const mn_outlet *outlet, mn_outlet_result *out);

#endif
