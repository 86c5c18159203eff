// SPDX-License-Identifier: MPL-2.0
// scene/changes.c - variants and --set: settings laid over a scene.
#include "scene/load.h"
#include "scene/yaml.h"

#include <stdio.h>
#include <string.h>

#define SET_TEXT_MOST 65536  // bytes of one --set
#define WORDS_MOST    128
#define CHANGES_MOST  256  // keys of one map of a variant

/// A map of one key around `item`, once for every word of the dotted path, innermost last.
static mn_status nest(mn_reader *r, mn_place place, const char *path, size_t bytes, mn_node *item, mn_node **out)
{
    size_t begin  = bytes;
    int    levels = 0;
    while (begin > 0 && path[begin - 1] != '.') begin--;
    for (;; levels++) {
        mn_place at = place;
        at.column += (int)begin;
        if (bytes == begin) return mn_fail_at(r->context, at, "a key is missing between dots");
        if (levels == MN_SCENE_DEPTH_MOST)
            return mn_fail_at(r->context, at, "the path of keys is longer than %d", MN_SCENE_DEPTH_MOST);
        mn_node *key = mn_node_text(r->arena, at, path + begin, bytes - begin),
                *map = mn_node_branch(r->arena, at, MN_NODE_MAP);
        if (key == NULL || map == NULL) return MN_ERR_MEMORY;
        MN_TRY(mn_node_add(r->arena, map, key, item));
        item = map;
        if (begin == 0) break;
        bytes = begin - 1;
        begin = bytes;
        while (begin > 0 && path[begin - 1] != '.') begin--;
    }
    if (item->height > 2 * MN_SCENE_DEPTH_MOST)
        return mn_fail_at(r->context, place, "the keys are nested deeper than %d levels", 2 * MN_SCENE_DEPTH_MOST);
    *out = item;
    return MN_OK;
}

/// A map in which keys such as `domain.cell` have become maps in maps.
static mn_status expand(mn_reader *r, mn_node *map, mn_node **out)
{
    if (map->count > CHANGES_MOST)
        return mn_fail_at(r->context, map->place, "a map of a variant holds %d keys at most", CHANGES_MOST);
    mn_node *all = mn_node_branch(r->arena, map->place, MN_NODE_MAP);
    if (all == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < map->count; k++) {
        const mn_node *key  = map->keys[k];
        mn_node       *item = map->items[k], *nested;
        if (item->kind == MN_NODE_MAP) MN_TRY(expand(r, item, &item));
        MN_TRY(nest(r, key->place, key->value, strlen(key->value), item, &nested));
        MN_TRY(mn_merge(r->arena, NULL, all, nested, &all));
    }
    *out = all;
    return MN_OK;
}

// --- variants --------------------------------------------------------------------------------------------------------

static int add_section_words(const mn_section *section, const char *words[WORDS_MOST], int count)
{
    for (int k = 0; k < section->count && count < WORDS_MOST - 1; k++) words[count++] = section->settings[k].key;
    return count;
}

static bool guide_knows(mn_guide guide, const char *key)
{
    if (guide.section != NULL) return mn_section_find(guide.section, key) != NULL;
    for (int k = 0; k < guide.group->count; k++) {
        if (mn_section_find(guide.group->kinds[k], key) != NULL) return true;
    }
    return false;
}

/// The keys of a variant must exist, also of one that is not chosen. Values are checked when it is.
static mn_status check_known(mn_reader *r, mn_guide guide, const mn_node *map)
{
    if (map->kind != MN_NODE_MAP) return MN_OK;
    for (int k = 0; k < map->count; k++) {
        const mn_node *key = map->keys[k];
        if ((guide.section != NULL || guide.group != NULL) && !guide_knows(guide, key->value)) {
            const char *words[WORDS_MOST];
            char        hint[MN_HINT_BYTES], excerpt[MN_EXCERPT_BYTES];
            int         count = 0;
            if (guide.section != NULL) count = add_section_words(guide.section, words, 0);
            for (int j = 0; guide.group != NULL && j < guide.group->count; j++)
                count = add_section_words(guide.group->kinds[j], words, count);
            words[count] = NULL;
            mn_spelling_hint(key->value, words, hint);
            return mn_fail_at(r->context, key->place, "'%s' is not a key of %s%s", mn_excerpt(key->value, excerpt),
                              guide.section != NULL ? guide.section->title : guide.group->thing, hint);
        }
        MN_TRY(check_known(r, mn_guide_below(guide, key->value), map->items[k]));
    }
    return MN_OK;
}

static mn_status read_variant(mn_reader *r, const mn_node *key, mn_node *node, mn_node **out)
{
    static const char *const fixed[] = { "format", "include", "variants" };
    MN_TRY(mn_check_name(r, key));
    if (mn_node_is_nothing(node)) node = mn_node_branch(r->arena, node->place, MN_NODE_MAP);
    if (node == NULL) return MN_ERR_MEMORY;
    if (node->kind != MN_NODE_MAP) {
        return mn_fail_at(r->context, node->place, "a variant expects a map from keys to values, not %s",
                          mn_node_kind_text(node));
    }
    MN_TRY(expand(r, node, out));
    for (int k = 0; k < 3; k++) {
        const int found = mn_node_index(*out, fixed[k]);
        if (found >= 0)
            return mn_fail_at(r->context, (*out)->keys[found]->place, "a variant cannot change '%s'", fixed[k]);
    }
    return check_known(r, mn_guide_section(&mn_section_scene), *out);
}

static mn_status unknown_variant(mn_reader *r, const mn_node *variants, mn_place place, const char *wanted)
{
    const char *words[WORDS_MOST];
    char        hint[MN_HINT_BYTES], excerpt[MN_EXCERPT_BYTES];
    int         count = 0;
    for (; variants != NULL && count < variants->count && count < WORDS_MOST - 1; count++)
        words[count] = variants->keys[count]->value;
    words[count] = NULL;
    mn_spelling_hint(wanted, words, hint);
    return mn_fail_at(r->context, variants != NULL ? variants->place : place, "the scene has no variant '%s'%s",
                      mn_excerpt(wanted, excerpt), hint);
}

static mn_status apply_variant(mn_reader *r, const char *wanted, mn_node *root, mn_node **out)
{
    mn_node *variants = mn_node_find(root, "variants"), *chosen = NULL;
    if (variants != NULL && mn_node_is_nothing(variants)) variants = NULL;
    if (variants != NULL && variants->kind != MN_NODE_MAP) {
        return mn_fail_at(r->context, variants->place, "'variants' expects a map from names to settings, not %s",
                          mn_node_kind_text(variants));
    }
    for (int k = 0; variants != NULL && k < variants->count; k++) {
        mn_node *changes;
        MN_TRY(read_variant(r, variants->keys[k], variants->items[k], &changes));
        if (wanted != NULL && strcmp(wanted, variants->keys[k]->value) == 0) chosen = changes;
    }
    *out = root;
    if (wanted == NULL) return MN_OK;
    if (chosen == NULL) return unknown_variant(r, variants, root->place, wanted);
    return mn_merge(r->arena, &mn_section_scene, root, chosen, out);
}

// --- settings of the command line ------------------------------------------------------------------------------------

static mn_status apply_set(mn_reader *r, int number, const char *assignment, mn_node *root, mn_node **out)
{
    char name[32];
    snprintf(name, sizeof name, "--set %d", number);
    const mn_node *copy  = mn_node_text(r->arena, (mn_place){ 0 }, name, strlen(name));
    mn_scene_text *text  = mn_arena_take(r->arena, sizeof *text);
    const char    *equal = strchr(assignment, '=');
    if (copy == NULL || text == NULL) return MN_ERR_MEMORY;
    *text                = (mn_scene_text){ .name = copy->value, .folder = "" };
    const mn_place place = { text, 1, 1 };
    if (equal == NULL || equal == assignment) {
        char excerpt[MN_EXCERPT_BYTES];
        return mn_fail_at(r->context, place, "a setting is written key.key=value, not '%s'",
                          mn_excerpt(assignment, excerpt));
    }
    const size_t value_bytes = strlen(equal + 1);
    if (value_bytes + (size_t)(equal - assignment) > SET_TEXT_MOST)
        return mn_fail_at(r->context, place, "a setting has %d bytes at most", SET_TEXT_MOST);
    mn_node *value, *nested;
    MN_TRY(mn_yaml_read(r->context, r->arena, text, equal + 1, value_bytes, (int)(equal - assignment) + 2, &value));
    if (value == NULL) value = mn_node_text(r->arena, (mn_place){ text, 1, (int)(equal - assignment) + 2 }, "", 0);
    if (value == NULL) return MN_ERR_MEMORY;
    MN_TRY(nest(r, place, assignment, (size_t)(equal - assignment), value, &nested));
    static const char *const fixed[] = { "include", "variants" };
    for (int k = 0; k < 2; k++) {
        if (mn_node_find(nested, fixed[k]) != NULL)
            return mn_fail_at(r->context, place, "'%s' cannot be set", fixed[k]);
    }
    return mn_merge(r->arena, &mn_section_scene, root, nested, out);
}

mn_status mn_apply_changes(mn_reader *r, const mn_scene_source *source, mn_node *root, mn_node **out)
{
    MN_TRY(apply_variant(r, source->variant, root, &root));
    for (int k = 0; k < source->set_count; k++) MN_TRY(apply_set(r, k + 1, source->set[k], root, &root));
    *out = root;
    return MN_OK;
}
