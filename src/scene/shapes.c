// SPDX-License-Identifier: MPL-2.0
// scene/shapes.c - shapes by name or as maps.
#include "geom/shape.h"

#include "base/hash.h"
#include "scene/reader.h"

#include <stdio.h>
#include <string.h>

const mn_made_shape *mn_find_made(const mn_reader *r, const mn_shape *shape)
{
    for (int64_t k = r->made_count - 1; k >= 0; k--) {
        if (r->made[k].shape == shape) return &r->made[k];
    }
    return NULL;
}

/// What follows for a shape from its parts. The shape itself comes later.
static mn_status describe_parts(mn_reader *r, const mn_shape_def *def, mn_place place, mn_made_shape *out)
{
    *out = (mn_made_shape){ .parts = 1, .levels = 1, .flat = def->kind == MN_SHAPE_DISC };
    if (def->kind < MN_SHAPE_UNION) return MN_OK;
    out->parts = 0;
    for (int k = 0; k < def->part_count; k++) {
        const mn_made_shape *part = mn_find_made(r, def->parts[k]);
        out->parts += part->parts;
        if (part->levels >= out->levels) out->levels = part->levels + 1;
        if (k == 0) out->flat = part->flat;
        if (k > 0 && def->kind == MN_SHAPE_UNION) out->flat = out->flat && part->flat;
        if (k > 0 && def->kind == MN_SHAPE_INTERSECTION) out->flat = out->flat || part->flat;
        if (out->parts > MN_SHAPE_PARTS_MOST)
            return mn_fail_at(r->context, place, "the shape is made of more than %d parts", MN_SHAPE_PARTS_MOST);
    }
    if (out->levels > MN_SHAPE_LEVELS_MOST)
        return mn_fail_at(r->context, place, "shapes are nested deeper than %d levels", MN_SHAPE_LEVELS_MOST);
    return MN_OK;
}

static bool is_placed(const mn_shape_entry *e)
{
    return e->angle != 0.0 || e->at[0] != 0.0 || e->at[1] != 0.0 || e->at[2] != 0.0;
}

static mn_status make_shape(mn_reader *r, const mn_shape_entry *entry, mn_place place, mn_shape **out)
{
    mn_made_shape made;
    char          what[96];
    MN_TRY(describe_parts(r, &entry->def, place, &made));
    MN_TRY(mn_array_reserve(r->context, &r->made, &r->made_capacity, r->made_count + 2, sizeof *r->made));
    snprintf(what, sizeof what, "this %s cannot be used", mn_group_word(&mn_group_shape, (int)entry->def.kind));
    mn_status status = mn_shape_create(r->context, &entry->def, &made.shape);
    if (status != MN_OK) return mn_fail_behind(r->context, place, status, what);
    r->made[r->made_count++] = made;
    if (is_placed(entry)) {
        status = mn_shape_placed(r->context, made.shape, entry->axis, entry->angle, entry->at, &made.shape);
        if (status != MN_OK) return mn_fail_behind(r->context, place, status, what);
        r->made[r->made_count++] = made;
    }
    r->shape_hash = mn_hash_mix(r->shape_hash ^ mn_shape_hash(made.shape));
    *out          = made.shape;
    return MN_OK;
}

static mn_status read_shape_map(mn_reader *r, const mn_node *map, mn_shape **out, mn_node **resolved)
{
    int kind;
    MN_TRY(mn_read_group_kind(r, &mn_group_shape, map, &kind));
    mn_shape_entry entry = { .def = mn_shape_def_default((mn_shape_kind)kind) };
    MN_TRY(mn_read_section(r, mn_group_shape.kinds[kind], map, map->place, &entry, resolved));
    const mn_node  *body = mn_node_find(map, mn_group_word(&mn_group_shape, kind));
    const mn_misfit fit  = mn_shape_misfit(&entry.def);
    MN_TRY(mn_check_fit(r, &fit, body));
    return make_shape(r, &entry, body->place, out);
}

static mn_status read_named(mn_reader *r, mn_named *named, mn_place place)
{
    if (named->state == MN_NAMED_READ) return MN_OK;
    if (named->state == MN_NAMED_READING)
        return mn_fail_at(r->context, place, "the shape '%s' is made of itself", named->name);
    if (r->shape_levels == MN_SHAPE_LEVELS_MOST)
        return mn_fail_at(r->context, place, "shapes are nested deeper than %d levels", MN_SHAPE_LEVELS_MOST);
    named->state = MN_NAMED_READING;
    r->shape_levels++;
    mn_node *resolved;
    MN_TRY(mn_read_shape(r, named->node, &named->data.shape, &resolved));
    r->shape_levels--;
    named->resolved = resolved;
    named->state    = MN_NAMED_READ;
    return MN_OK;
}

mn_status mn_read_shape(mn_reader *r, const mn_node *node, mn_shape **out, mn_node **resolved)
{
    char excerpt[MN_EXCERPT_BYTES], hint[MN_HINT_BYTES];
    if (node->kind != MN_NODE_TEXT) return read_shape_map(r, node, out, resolved);
    if (mn_node_is_nothing(node))
        return mn_fail_at(r->context, node->place, "a shape is the name of one or a map, not nothing");
    mn_named *named = mn_find_named(&r->shapes, node->value);
    if (named == NULL) {
        const char *const *names;
        MN_TRY(mn_names_of(r, &r->shapes, NULL, &names));
        mn_spelling_hint(node->value, names, hint);
        return mn_fail_at(r->context, node->place, "there is no shape '%s'%s", mn_excerpt(node->value, excerpt), hint);
    }
    MN_TRY(read_named(r, named, node->place));
    *out      = named->data.shape;
    *resolved = mn_quoted_node(r, node->place, node->value);
    return *resolved == NULL ? MN_ERR_MEMORY : MN_OK;
}

mn_status mn_read_shape_list(mn_reader *r, const mn_setting *s, const mn_node *node, mn_shape_def *def,
                             mn_node **resolved)
{
    if (node->kind != MN_NODE_LIST || node->count == 0) {
        return mn_fail_at(r->context, node->place, "'%s' expects a list of shapes, not %s", s->key,
                          node->kind == MN_NODE_LIST ? "an empty one" : mn_node_kind_text(node));
    }
    mn_shape **parts = mn_arena_array(r->arena, mn_shape *, node->count);
    *resolved        = mn_node_branch(r->arena, node->place, MN_NODE_LIST);
    if (parts == NULL || *resolved == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < node->count; k++) {
        mn_node *item;
        MN_TRY(mn_read_shape(r, node->items[k], &parts[k], &item));
        MN_TRY(mn_node_add(r->arena, *resolved, NULL, item));
    }
    def->parts      = parts;
    def->part_count = node->count;
    return MN_OK;
}

mn_status mn_read_shapes(mn_reader *r, const mn_node *map, mn_node **resolved)
{
    MN_TRY(mn_index_names(r, "shapes", map, &r->shapes));
    *resolved = NULL;
    if (r->shapes.count == 0) return MN_OK;
    *resolved = mn_node_branch(r->arena, map->place, MN_NODE_MAP);
    if (*resolved == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < r->shapes.count; k++) {
        mn_named *named = &r->shapes.items[k];
        MN_TRY(read_named(r, named, named->key->place));
        MN_TRY(mn_node_put(r->arena, *resolved, named->name, (mn_node *)named->resolved));
    }
    return MN_OK;
}
