// SPDX-License-Identifier: MPL-2.0
// grid/step.c - saying no to a step.
#include "grid/step.h"

#include <stdarg.h>
#include <stdio.h>

bool mn_reject(const mn_step *step, const char *format, ...)
{
    if (mn_is_refused(step)) return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(step->verdict->reason, sizeof step->verdict->reason, format, arguments);
    va_end(arguments);
    return false;
}
