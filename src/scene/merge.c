// SPDX-License-Identifier: MPL-2.0
// scene/merge.c - one map laid over another, as includes, variants and --set do.
#include "scene/merge.h"

#include <string.h>

mn_guide mn_guide_section(const mn_section *section) { return (mn_guide){ .section = section }; }

static mn_guide guide_of_setting(const mn_setting *s)
{
    switch (s->type) {
    case MN_SET_SECTION: return (mn_guide){ .section = s->section };
    case MN_SET_NAMED: return (mn_guide){ .named = s };
    case MN_SET_SHAPE: return (mn_guide){ .group = &mn_group_shape };
    case MN_SET_MOTION: return (mn_guide){ .section = &mn_section_motion };
    default: return (mn_guide){ .section = NULL };
    }
}

mn_guide mn_guide_below(mn_guide guide, const char *key)
{
    if (guide.named != NULL) return (mn_guide){ .section = guide.named->section, .group = guide.named->group };
    if (guide.section != NULL) {
        const mn_setting *s = mn_section_find(guide.section, key);
        return s != NULL ? guide_of_setting(s) : (mn_guide){ .section = NULL };
    }
    for (int k = 0; guide.group != NULL && k < guide.group->count; k++) {
        const mn_setting *s = mn_section_find(guide.group->kinds[k], key);
        if (s != NULL) return guide_of_setting(s);
    }
    return (mn_guide){ .section = NULL };
}

/// Whether `key` of the base tells a kind that `over` replaces by another.
static bool kind_replaced(mn_guide guide, const char *key, const mn_node *over)
{
    if (guide.group == NULL || guide.group->words != NULL || mn_group_find(guide.group, key) < 0) return false;
    for (int k = 0; k < over->count; k++) {
        if (mn_group_find(guide.group, over->keys[k]->value) >= 0 && strcmp(over->keys[k]->value, key) != 0)
            return true;
    }
    return false;
}

static mn_status merge(mn_arena *arena, mn_guide guide, mn_node *base, mn_node *over, mn_node **out)
{
    *out = over;
    if (base == NULL || base->kind != MN_NODE_MAP || over->kind != MN_NODE_MAP) return MN_OK;
    mn_node *both = mn_node_branch(arena, over->place, MN_NODE_MAP);
    if (both == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < base->count; k++) {
        mn_node  *key = base->keys[k], *item = base->items[k];
        const int again = mn_node_index(over, key->value);
        if (again < 0 && kind_replaced(guide, key->value, over)) continue;
        if (again >= 0) {
            key = over->keys[again];
            MN_TRY(merge(arena, mn_guide_below(guide, key->value), item, over->items[again], &item));
        }
        MN_TRY(mn_node_add(arena, both, key, item));
    }
    for (int k = 0; k < over->count; k++) {
        if (mn_node_index(base, over->keys[k]->value) < 0)
            MN_TRY(mn_node_add(arena, both, over->keys[k], over->items[k]));
    }
    *out = both;
    return MN_OK;
}

mn_status mn_merge(mn_arena *arena, const mn_section *section, mn_node *base, mn_node *over, mn_node **out)
{
    return merge(arena, mn_guide_section(section), base, over, out);
}
