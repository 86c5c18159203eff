// SPDX-License-Identifier: MPL-2.0
// base/timer.c - wall-clock seconds.
#include "base/timer.h"

#include <time.h>

double mn_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
