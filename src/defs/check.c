// SPDX-License-Identifier: MPL-2.0
// defs/check.c - holding definitions made in C to the rows that scenes are read by.
#include "defs/check.h"

#include "base/context.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- one value -------------------------------------------------------------------------------------------------------

/// How a definition says that a value is left open.
static bool is_absent(const mn_setting *s, double v)
{
    if (!(s->flags & (MN_SET_OPTIONAL | MN_SET_OPEN))) return false;
    return mn_setting_in_range(s, 0.0) ? v < 0.0 : v == 0.0;
}

/// `key` is that of the row, with the number of a component behind it.
static mn_status check_value(mn_context *c, const mn_setting *s, const char *key, double v, const char *front)
{
    char accepted[MN_RANGE_BYTES];
    if (mn_setting_in_range(s, v)) return MN_OK;
    if (!isfinite(v) && !(s->flags & MN_SET_INFINITE && !isnan(v)))
        return mn_fail(c, MN_ERR_ARGUMENT, "%s%s is %g; it must be a finite number", front, key, v);
    mn_setting_accepted(s, accepted);
    return mn_fail(c, MN_ERR_ARGUMENT, "%s%s is %.10g; it must be %s", front, key, mn_setting_shown(s, v), accepted);
}

static mn_status check_number(mn_context *c, const mn_setting *s, double v, const char *front)
{
    return is_absent(s, v) ? MN_OK : check_value(c, s, s->key, v, front);
}

static mn_status check_numbers(mn_context *c, const mn_setting *s, const double *v, int count, const char *front)
{
    char key[80];
    for (int k = 0; k < count; k++) {
        snprintf(key, sizeof key, "%s[%d]", s->key, k);
        if (!is_absent(s, v[k])) MN_TRY(check_value(c, s, key, v[k], front));
    }
    if (s->flags & MN_SET_RISING && !(v[1] > v[0]))
        return mn_fail(c, MN_ERR_ARGUMENT, "%s%s is [%g, %g]; the second number must be above the first", front, s->key,
                       v[0], v[1]);
    if (s->flags & MN_SET_DIRECTION && !(s->flags & MN_SET_OPTIONAL) && !mn_direction_fits(v))
        return mn_fail(c, MN_ERR_ARGUMENT, "%s%s is (%g, %g, %g); it is a direction and must not be zero", front,
                       s->key, v[0], v[1], v[2]);
    return MN_OK;
}

static mn_status check_choice(mn_context *c, const mn_setting *s, int choice, const char *front)
{
    char words[256] = "";
    int  count      = 0;
    for (size_t used = 0; s->choices[count] != NULL; count++) {
        if (used >= sizeof words) continue;
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%d (%s)", count > 0 ? ", " : "", count,
                                 s->choices[count]);
    }
    if (choice >= 0 && choice < count) return MN_OK;
    return mn_fail(c, MN_ERR_ARGUMENT, "%s%s is %d; it must be one of %s", front, s->key, choice, words);
}

// --- sections --------------------------------------------------------------------------------------------------------

static mn_status check_section(mn_context *c, const mn_section *section, const char *def, size_t bytes,
                               const char *front);

static mn_status check_below(mn_context *c, const mn_setting *s, const char *at, size_t bytes, const char *front)
{
    char longer[160];
    if (s->section == &mn_section_turn && ((const mn_turn *)(const void *)at)->angle == 0.0) return MN_OK;
    snprintf(longer, sizeof longer, "%s%s.", front, s->key);
    return check_section(c, s->section, at, bytes, longer);
}

static mn_status check_row(mn_context *c, const mn_setting *s, const char *at, size_t bytes, const char *front)
{
    const void *value = at;
    switch (s->type) {
    case MN_SET_NUMBER:
    case MN_SET_EVAPORATION: return check_number(c, s, *(const double *)value, front);
    case MN_SET_INTEGER: return check_number(c, s, *(const int *)value, front);
    case MN_SET_COUNT: return check_number(c, s, (double)*(const int64_t *)value, front);
    case MN_SET_VECTOR: return check_numbers(c, s, value, 3, front);
    case MN_SET_PAIR: return check_numbers(c, s, value, 2, front);
    case MN_SET_CHOICE: return check_choice(c, s, *(const int *)value, front);
    case MN_SET_SECTION: return check_below(c, s, at, bytes, front);
    case MN_SET_STIFFNESS: {
        const mn_pin_def *pin = value;
        return pin->kind == MN_PIN_SOFT ? check_number(c, s, pin->stiffness, front) : MN_OK;
    }
    default: return MN_OK;  // words, names, things with checks of their own
    }
}

static mn_status check_section(mn_context *c, const mn_section *section, const char *def, size_t bytes,
                               const char *front)
{
    for (int k = 0; k < section->count; k++) {
        const mn_setting *s = &section->settings[k];
        if (s->flags & MN_SET_LATER || s->offset >= bytes) continue;
        MN_TRY(check_row(c, s, def + s->offset, bytes - s->offset, front));
    }
    return MN_OK;
}

mn_status mn_defs_check(mn_context *c, const mn_section *section, const void *def, const char *front)
{
    MN_ASSERT(section->bytes > 0);
    return check_section(c, section, def, section->bytes, front);
}

mn_status mn_defs_check_number(mn_context *c, const mn_section *section, const char *path, double value,
                               const char *front)
{
    return check_value(c, mn_section_row(section, path), path, value, front);
}

mn_status mn_defs_check_kind(mn_context *c, const mn_group *group, int kind, const char *front)
{
    if (kind >= 0 && kind < group->count) return MN_OK;
    return mn_fail(c, MN_ERR_ARGUMENT, "%sthe kind is %d; it must be from 0 to %d", front, kind, group->count - 1);
}

// --- motions and solutes ---------------------------------------------------------------------------------------------

mn_status mn_defs_check_motion(mn_context *c, const mn_motion_def *def, const char *front)
{
    char key[160];
    MN_TRY(mn_defs_check(c, &mn_section_motion, def, front));
    if (def->key_count < 0 || (def->key_count > 0 && def->keys == NULL))
        return mn_fail(c, MN_ERR_ARGUMENT, "%skey_count is %d; it must be the number of keys given", front,
                       def->key_count);
    for (int k = 0; k < def->key_count; k++) {
        snprintf(key, sizeof key, "%skeys[%d].", front, k);
        MN_TRY(mn_defs_check(c, &mn_section_motion_key, &def->keys[k], key));
        if (k == 0) continue;
        const mn_misfit misfit = mn_key_misfit(&def->keys[k - 1], &def->keys[k]);
        snprintf(key, sizeof key, "%skeys[%d]: ", front, k);
        MN_TRY(mn_misfit_fail(c, &misfit, key));
    }
    return MN_OK;
}

mn_status mn_defs_check_solutes(mn_context *c, const mn_solutes *s, const char *front)
{
    const mn_setting *row = mn_section_row(&mn_section_liquid_material, "solutes");
    char              name[160];
    if (s->count < 0 || s->count > MN_PIGMENTS_MOST)
        return mn_fail(c, MN_ERR_ARGUMENT, "%s%d pigments are brought; at most %d are possible", front, s->count,
                       MN_PIGMENTS_MOST);
    for (int k = 0; k < s->count; k++) {
        snprintf(name, sizeof name, "the concentration of '%s'", s->pigment[k].name);
        MN_TRY(check_value(c, row, name, s->concentration[k], front));
        snprintf(name, sizeof name, "%spigment '%s': ", front, s->pigment[k].name);
        MN_TRY(mn_defs_check(c, &mn_section_pigment, &s->pigment[k], name));
    }
    return MN_OK;
}
