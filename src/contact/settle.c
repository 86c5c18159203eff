// SPDX-License-Identifier: MPL-2.0
// contact/settle.c - repeating a solve until friction on solids has settled (wet-fabric 5.4).
#include "contact/settle.h"

/// Which points stick and slide is settled by repeating the solve (wet-fabric 5.4): first roughly, to ten times the
/// tolerance, then to the tolerance, until friction changes by no more than a share of itself, at most this often in
/// all.
#define ROUGHLY       10.0
#define ROUGH_PASSES  2
#define TOUCH_PASSES  5
#define TOUCH_SETTLED 1e-3  ///< the share, or this many times the tolerance if that is more:
#define TOUCH_SLACK   30.0

/// The largest change of friction among the matters.
static double update(const mn_settling *of, int count, double dt)
{
    double most = 0.0;
    for (int k = 0; k < count; k++) most = fmax(most, mn_touch_update(of[k].touches, of[k].velocity, dt));
    return most;
}

mn_status mn_settle(const mn_settling *of, int count, double dt, double tolerance, mn_settle_fn *solve, void *context)
{
    const double settled = fmax(TOUCH_SETTLED, TOUCH_SLACK * tolerance);
    bool         rough = false, usable = true;
    for (int k = 0; k < count; k++) rough = rough || of[k].touches->count > 0;
    for (int pass = 0; pass < TOUCH_PASSES && usable; pass++) {
        MN_TRY(solve(rough ? ROUGHLY : 1.0, context, &usable));
        const bool at_rest = update(of, count, dt) <= settled;
        if (at_rest && !rough) break;
        rough = rough && !at_rest && pass < ROUGH_PASSES - 1;
    }
    return MN_OK;
}
