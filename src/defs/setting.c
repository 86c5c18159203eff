// SPDX-License-Identifier: MPL-2.0
// defs/setting.c - searching rows, and their ranges in numbers and words.
#include "defs/setting.h"

#include "base/context.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- searching -------------------------------------------------------------------------------------------------------

const mn_setting *mn_section_find(const mn_section *section, const char *key)
{
    for (int k = 0; k < section->count; k++) {
        if (strcmp(section->settings[k].key, key) == 0) return &section->settings[k];
    }
    return NULL;
}

const mn_setting *mn_section_row(const mn_section *section, const char *path)
{
    for (int k = 0; k < section->count; k++) {
        const mn_setting *s      = &section->settings[k];
        const size_t      length = strlen(s->key);
        if (strncmp(s->key, path, length) != 0) continue;
        if (path[length] == '\0') return s;
        if (path[length] == '.') return mn_section_row(s->section, path + length + 1);
    }
    MN_ASSERT(!"a row of the table");
    return NULL;
}

const char *mn_group_word(const mn_group *group, int k)
{
    return group->words != NULL ? group->words[k] : group->kinds[k]->settings[0].key;
}

int mn_group_find(const mn_group *group, const char *word)
{
    for (int k = 0; k < group->count; k++) {
        if (strcmp(mn_group_word(group, k), word) == 0) return k;
    }
    return -1;
}

// --- ranges ----------------------------------------------------------------------------------------------------------

static bool has_range(const mn_setting *s) { return s->low != 0.0 || s->high != 0.0; }

bool mn_setting_is_angle(const mn_setting *s) { return s->unit != NULL && strncmp(s->unit, "deg", 3) == 0; }

double mn_setting_shown(const mn_setting *s, double value)
{
    return mn_setting_is_angle(s) ? value * 180.0 / MN_PI : value;
}

bool mn_setting_in_range(const mn_setting *s, double v)
{
    if (isinf(v) && !(s->flags & MN_SET_INFINITE)) return false;
    if (s->flags & MN_SET_OR_ZERO && v == 0.0) return true;
    if (!has_range(s)) return fabs(v) <= MN_NUMBER_FARTHEST || isinf(v);
    const bool low_fits  = s->flags & MN_SET_ABOVE ? v > s->low : v >= s->low;
    const bool high_fits = s->flags & MN_SET_UNDER ? v < s->high : v <= s->high;
    return low_fits && high_fits;
}

bool mn_direction_fits(const double v[3])
{
    const double length = hypot(hypot(v[0], v[1]), v[2]);
    return length >= MN_LENGTH_SHORTEST && isfinite(length);
}

void mn_setting_range(const mn_setting *s, char out[MN_RANGE_BYTES])
{
    const double low = mn_setting_shown(s, s->low), high = mn_setting_shown(s, s->high);
    const bool   above = s->flags & MN_SET_ABOVE, under = s->flags & MN_SET_UNDER;
    const char  *front = s->flags & MN_SET_OR_ZERO ? "0 or " : "";
    out[0]             = '\0';
    if (!has_range(s)) return;
    if (low == high) {
        snprintf(out, MN_RANGE_BYTES, "%s%.6g", front, low);
    } else if (isinf(high)) {
        snprintf(out, MN_RANGE_BYTES, "%s%s %.6g", front, above ? "above" : "at least", low);
    } else if (above && under) {
        snprintf(out, MN_RANGE_BYTES, "%sabove %.6g and below %.6g", front, low, high);
    } else if (above) {
        snprintf(out, MN_RANGE_BYTES, "%sabove %.6g and at most %.6g", front, low, high);
    } else {
        snprintf(out, MN_RANGE_BYTES, "%sfrom %.6g %s %.6g", front, low, under ? "to below" : "to", high);
    }
}

void mn_setting_accepted(const mn_setting *s, char out[MN_RANGE_BYTES])
{
    mn_setting_range(s, out);
    if (out[0] == '\0') {
        const double far = mn_setting_shown(s, MN_NUMBER_FARTHEST);
        snprintf(out, MN_RANGE_BYTES, "a number from %.6g to %.6g", -far, far);
    }
    const size_t used = strlen(out);
    if (s->unit != NULL) snprintf(out + used, MN_RANGE_BYTES - used, " %s", s->unit);
}
