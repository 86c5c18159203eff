// SPDX-License-Identifier: MPL-2.0
// base/timer.c - seconds of the wall clock and of the processors.
#include "base/timer.h"

#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double mn_seconds(void) { return read_clock(CLOCK_MONOTONIC); }
double mn_cpu_seconds(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }
