// SPDX-License-Identifier: MPL-2.0
// contact/settle.h - friction on solids settled by repeating an implicit solve, whichever that is (wet-fabric 5.4).
#ifndef MN_CONTACT_SETTLE_H
#define MN_CONTACT_SETTLE_H

#include "contact/touch.h"

/// Touches of one matter, and the velocities of its points (3 each) as the last solve left them.
typedef struct mn_settling {
    mn_touches   *touches;
    const double *velocity;
} mn_settling;

/// One solve with the touches as they stand, to `ease` times its tolerance. Leaves the velocities of the points where
/// mn_settling has them; an outcome that is not usable ends the passes.
typedef mn_status mn_settle_fn(double ease, void *context, bool *usable);

/// Repeat a solve until friction has settled: first roughly, then to the tolerance, until it changes by no more than a
/// share of itself, or as often as is worth it. All of the matters that are solved together settle together.
mn_status mn_settle(const mn_settling *of, int count, double dt, double tolerance, mn_settle_fn *solve, void *context);

#endif
