// SPDX-License-Identifier: MPL-2.0
// scene/section.c - reading maps by their section of the table: unknown keys, defaults, nested sections, kinds, names.
#include "scene/reader.h"

#include <stdio.h>
#include <string.h>

#define WORDS_MOST 64

// --- unknown keys ----------------------------------------------------------------------------------------------------

static mn_status unknown_key(mn_reader *r, const mn_node *key, const char *title, const char *const *words)
{
    char hint[MN_HINT_BYTES], excerpt[MN_EXCERPT_BYTES];
    mn_spelling_hint(key->value, words, hint);
    return mn_fail_at(r->context, key->place, "'%s' is not a key of %s%s", mn_excerpt(key->value, excerpt), title,
                      hint);
}

static mn_status check_keys(mn_reader *r, const mn_section *section, const mn_node *map)
{
    for (int k = 0; k < map->count; k++) {
        const mn_setting *s = mn_section_find(section, map->keys[k]->value);
        if (s == NULL) {
            const char *words[WORDS_MOST];
            int         count = 0;
            for (int j = 0; j < section->count && count < WORDS_MOST - 1; j++)
                words[count++] = section->settings[j].key;
            words[count] = NULL;
            return unknown_key(r, map->keys[k], section->title, words);
        }
        if (s->flags & MN_SET_LATER) {
            return mn_fail_at(r->context, map->keys[k]->place, "this version does not have '%s' yet (%s)", s->key,
                              s->help);
        }
    }
    return MN_OK;
}

// --- defaults --------------------------------------------------------------------------------------------------------

/// The default of a setting as a node: a text, or a list of texts such as "[0, 1, 0]".
static mn_node *standard_node(mn_reader *r, mn_place place, const char *text)
{
    if (text[0] != '[') return mn_plain_node(r, place, text);
    mn_node *list = mn_node_branch(r->arena, place, MN_NODE_LIST);
    for (const char *at = text + 1; list != NULL && *at != ']';) {
        const size_t bytes = strcspn(at, ",]");
        mn_node     *item  = mn_node_text(r->arena, place, at, bytes);
        if (item == NULL || mn_node_add(r->arena, list, NULL, item) != MN_OK) return NULL;
        at += bytes;
        at += strspn(at, ", ");
    }
    return list;
}

static const char *standard_of(const mn_reader *r, const mn_setting *s)
{
    return r->data->domain.dimension == 2 && s->standard_2d != NULL && s->standard != NULL ? s->standard_2d
                                                                                           : s->standard;
}

// --- sections --------------------------------------------------------------------------------------------------------

static mn_status missing_key(mn_reader *r, const mn_section *section, const mn_setting *s, mn_place place)
{
    return mn_fail_at(r->context, place, "%s needs the key '%s' (%s)", section->title, s->key, s->help);
}

static mn_status read_setting(mn_reader *r, const mn_section *section, const mn_setting *s, const mn_node *given,
                              mn_place parent, void *base, mn_node **resolved)
{
    *resolved = NULL;
    if (s->flags & MN_SET_LATER || s->type == MN_SET_APART || s->type == MN_SET_NAMED || s->type == MN_SET_AMOUNTS)
        return MN_OK;
    if (given == NULL && s->flags & MN_SET_REQUIRED) return missing_key(r, section, s, parent);
    if (given == NULL && s->flags & MN_SET_OPTIONAL) return MN_OK;
    if (s->type == MN_SET_SECTION)
        return mn_read_section(r, s->section, given, parent, (char *)base + s->offset, resolved);
    if (given == NULL) {
        given = standard_node(r, parent, standard_of(r, s));
        if (given == NULL) return MN_ERR_MEMORY;
    }
    return mn_read_value(r, s, given, base, resolved);
}

mn_status mn_read_section(mn_reader *r, const mn_section *section, const mn_node *map, mn_place parent, void *base,
                          mn_node **resolved)
{
    const mn_place place  = map != NULL ? map->place : parent;
    const bool     single = map != NULL && section->spread && map->kind == MN_NODE_TEXT && !mn_node_is_nothing(map);
    if (map != NULL && mn_node_is_nothing(map)) map = NULL;
    if (map != NULL && map->kind != MN_NODE_MAP && !single) {
        return mn_fail_at(r->context, place, "%s expects a map with keys, not %s", section->title,
                          mn_node_kind_text(map));
    }
    if (map != NULL && !single) MN_TRY(check_keys(r, section, map));
    *resolved = mn_node_branch(r->arena, place, MN_NODE_MAP);
    if (*resolved == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < section->count; k++) {
        const mn_setting *s     = &section->settings[k];
        const mn_node    *given = single ? map : mn_node_find(map, s->key);
        if (single && r->data->domain.dimension == 2 && s->standard_2d != NULL) given = NULL;
        mn_node *value;
        MN_TRY(read_setting(r, section, s, given, place, base, &value));
        if (value != NULL) MN_TRY(mn_node_put(r->arena, *resolved, s->key, value));
    }
    return MN_OK;
}

// --- kinds -----------------------------------------------------------------------------------------------------------

static void group_words(const mn_group *group, const char *words[WORDS_MOST])
{
    int count = 0;
    for (; count < group->count; count++) words[count] = mn_group_word(group, count);
    words[count] = NULL;
}

static mn_status no_kind(mn_reader *r, const mn_group *group, const mn_node *map)
{
    const char *words[WORDS_MOST];
    group_words(group, words);
    // A key that no kind knows is most likely the kind, misspelt.
    for (int k = 0; k < map->count; k++) {
        bool known = false;
        for (int j = 0; j < group->count; j++)
            known = known || mn_section_find(group->kinds[j], map->keys[k]->value) != NULL;
        if (!known) return unknown_key(r, map->keys[k], group->thing, words);
    }
    char   list[256];
    size_t used = 0;
    for (int k = 0; words[k] != NULL && used < sizeof list; k++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? ", " : "", words[k]);
    }
    return mn_fail_at(r->context, map->place, "%s needs one of the keys %s", group->thing, list);
}

mn_status mn_read_group_kind(mn_reader *r, const mn_group *group, const mn_node *map, int *kind)
{
    if (map->kind != MN_NODE_MAP) {
        return mn_fail_at(r->context, map->place, "%s expects a map with keys, not %s", group->thing,
                          mn_node_kind_text(map));
    }
    *kind = -1;
    for (int k = 0; k < map->count; k++) {
        const int found = mn_group_find(group, map->keys[k]->value);
        if (found < 0) continue;
        if (*kind >= 0) {
            return mn_fail_at(r->context, map->keys[k]->place, "%s has one kind, and both '%s' and '%s' are given",
                              group->thing, mn_group_word(group, *kind), map->keys[k]->value);
        }
        *kind = found;
    }
    return *kind >= 0 ? MN_OK : no_kind(r, group, map);
}

// --- names -----------------------------------------------------------------------------------------------------------

mn_status mn_check_name(mn_reader *r, const mn_node *key)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const size_t      length    = strlen(key->value);
    char              excerpt[MN_EXCERPT_BYTES];
    if (length == 0 || length >= MN_NAME_BYTES || strspn(key->value, letters) != length || key->value[0] == '-') {
        return mn_fail_at(r->context, key->place,
                          "'%s' is not a name: names have 1 to %d letters of a-z, digits, '_' and '-'",
                          mn_excerpt(key->value, excerpt), MN_NAME_BYTES - 1);
    }
    return MN_OK;
}

mn_status mn_index_names(mn_reader *r, const char *what, const mn_node *map, mn_named_list *list)
{
    if (map == NULL || mn_node_is_nothing(map)) return MN_OK;
    if (map->kind != MN_NODE_MAP) {
        return mn_fail_at(r->context, map->place, "'%s' expects a map from names to things, not %s", what,
                          mn_node_kind_text(map));
    }
    MN_TRY(mn_array_reserve(r->context, &list->items, &list->capacity, list->count + map->count, sizeof *list->items));
    for (int k = 0; k < map->count; k++) {
        MN_TRY(mn_check_name(r, map->keys[k]));
        list->items[list->count++] = (mn_named){ .name = map->keys[k]->value,
                                                 .key  = map->keys[k],
                                                 .node = map->items[k] };
    }
    return MN_OK;
}

mn_named *mn_find_named(const mn_named_list *list, const char *name)
{
    for (int64_t k = 0; k < list->count; k++) {
        if (strcmp(list->items[k].name, name) == 0) return &list->items[k];
    }
    return NULL;
}

mn_status mn_names_of(mn_reader *r, const mn_named_list *list, const char *const *more, const char *const **out)
{
    int64_t extra = 0;
    while (more != NULL && more[extra] != NULL) extra++;
    const char **words = mn_arena_array(r->arena, const char *, list->count + extra + 1);
    if (words == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < list->count; k++) words[k] = list->items[k].name;
    for (int64_t k = 0; k < extra; k++) words[list->count + k] = more[k];
    words[list->count + extra] = NULL;
    *out                       = words;
    return MN_OK;
}
