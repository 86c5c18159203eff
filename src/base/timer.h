// SPDX-License-Identifier: MPL-2.0
// base/timer.h - seconds of the wall clock and of the processors. Neither steers a result.
#ifndef MN_BASE_TIMER_H
#define MN_BASE_TIMER_H

/// Seconds of a clock that only goes forward.
double mn_seconds(void);
/// Seconds that all threads of the process have worked: what a busy machine would have needed if left alone.
double mn_cpu_seconds(void);

#endif
