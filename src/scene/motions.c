// SPDX-License-Identifier: MPL-2.0
// scene/motions.c - motions by name, as maps, or the word `fixed`.
#include "scene/reader.h"

#include <string.h>

static const char *const fixed_word[] = { "fixed", NULL };

static mn_status read_motion_map(mn_reader *r, const mn_node *map, mn_motion_def *out, mn_node **resolved)
{
    *out = (mn_motion_def){ .key_count = 0 };
    return mn_read_section(r, &mn_section_motion, map, map->place, out, resolved);
}

mn_status mn_read_motion_keys(mn_reader *r, const mn_setting *s, const mn_node *node, mn_motion_def *def,
                              mn_node **resolved)
{
    if (node->kind != MN_NODE_LIST || node->count == 0) {
        return mn_fail_at(r->context, node->place, "'%s' expects a list of keys, not %s", s->key,
                          node->kind == MN_NODE_LIST ? "an empty one" : mn_node_kind_text(node));
    }
    mn_motion_key *keys = mn_arena_array_zero(r->arena, mn_motion_key, node->count);
    *resolved           = mn_node_branch(r->arena, node->place, MN_NODE_LIST);
    if (keys == NULL || *resolved == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < node->count; k++) {
        mn_node *item;
        MN_TRY(mn_read_section(r, &mn_section_motion_key, node->items[k], node->place, &keys[k], &item));
        MN_TRY(mn_node_add(r->arena, *resolved, NULL, item));
        if (k == 0) continue;
        const mn_misfit fit = mn_key_misfit(&keys[k - 1], &keys[k]);
        MN_TRY(mn_check_fit(r, &fit, node->items[k]));
    }
    def->keys      = keys;
    def->key_count = node->count;
    return MN_OK;
}

mn_status mn_read_motion(mn_reader *r, const mn_node *node, mn_motion_def *out, mn_node **resolved)
{
    char excerpt[MN_EXCERPT_BYTES], hint[MN_HINT_BYTES];
    if (node->kind == MN_NODE_MAP) return read_motion_map(r, node, out, resolved);
    if (node->kind != MN_NODE_TEXT || mn_node_is_nothing(node)) {
        return mn_fail_at(r->context, node->place, "a motion is the name of one, a map or 'fixed', not %s",
                          mn_node_kind_text(node));
    }
    const mn_named *named = mn_find_named(&r->motions, node->value);
    if (named != NULL) {
        *out = named->data.motion;
    } else if (strcmp(node->value, fixed_word[0]) == 0) {
        *out = (mn_motion_def){ .key_count = 0 };
    } else {
        const char *const *names;
        MN_TRY(mn_names_of(r, &r->motions, fixed_word, &names));
        mn_spelling_hint(node->value, names, hint);
        return mn_fail_at(r->context, node->place, "there is no motion '%s'%s", mn_excerpt(node->value, excerpt), hint);
    }
    *resolved = mn_quoted_node(r, node->place, node->value);
    return *resolved == NULL ? MN_ERR_MEMORY : MN_OK;
}

mn_status mn_read_motions(mn_reader *r, const mn_node *map, mn_node **resolved)
{
    MN_TRY(mn_index_names(r, "motions", map, &r->motions));
    *resolved = NULL;
    if (r->motions.count == 0) return MN_OK;
    *resolved = mn_node_branch(r->arena, map->place, MN_NODE_MAP);
    if (*resolved == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < r->motions.count; k++) {
        mn_named *named = &r->motions.items[k];
        if (strcmp(named->name, fixed_word[0]) == 0) {
            return mn_fail_at(r->context, named->key->place, "'fixed' means no motion and cannot be the name of one");
        }
        mn_node *written;
        MN_TRY(read_motion_map(r, named->node, &named->data.motion, &written));
        named->resolved = written;
        named->state    = MN_NAMED_READ;
        MN_TRY(mn_node_put(r->arena, *resolved, named->name, written));
    }
    return MN_OK;
}
