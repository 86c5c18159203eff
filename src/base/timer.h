// SPDX-License-Identifier: MPL-2.0
// base/timer.h - wall-clock seconds. Never steers a result.
#ifndef MN_BASE_TIMER_H
#define MN_BASE_TIMER_H

/// Seconds of a clock that only goes forward.
double mn_seconds(void);

#endif
