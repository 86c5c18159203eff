// SPDX-License-Identifier: MPL-2.0
// output/look.c - the words for looks.
#include "output/look.h"

#include <string.h>

static const char *const names[MN_LOOK_COUNT] = {
#define X(look, name) name,
    MN_LOOK_LIST(X)
#undef X
};

const char *mn_look_name(mn_look look) { return names[look]; }

bool mn_look_find(const char *name, mn_look *out)
{
    for (int k = 0; k < MN_LOOK_COUNT; k++)
        if (strcmp(names[k], name) == 0) return *out = (mn_look)k, true;
    return false;
}
