// SPDX-License-Identifier: MPL-2.0
// scene/materials.c - materials of the scene and the built-in ones, and `from`.
#include "scene/reader.h"
#include "scene/yaml.h"

#include <stdio.h>
#include <string.h>

#define LEVELS_MOST 32  // of materials made from materials

static const mn_scene_text builtin_text = { .name = "built-in materials", .folder = "" };

mn_status mn_index_materials(mn_reader *r, const mn_node *map)
{
    return mn_index_names(r, "materials", map, &r->materials);
}

static mn_status builtin_node(mn_reader *r, const char *name, mn_node **out)
{
    *out = NULL;
    for (const mn_builtin_material *b = mn_builtin_materials; b->name != NULL; b++) {
        if (strcmp(b->name, name) == 0)
            return mn_yaml_read(r->context, r->arena, &builtin_text, b->text, strlen(b->text), 1, out);
    }
    return MN_OK;
}

static mn_status unknown_material(mn_reader *r, const mn_node *node)
{
    const char        *builtin[64];
    const char *const *names;
    char               excerpt[MN_EXCERPT_BYTES], hint[MN_HINT_BYTES];
    int                count = 0;
    for (; mn_builtin_materials[count].name != NULL && count < 63; count++)
        builtin[count] = mn_builtin_materials[count].name;
    builtin[count] = NULL;
    MN_TRY(mn_names_of(r, &r->materials, builtin, &names));
    mn_spelling_hint(node->value, names, hint);
    return mn_fail_at(r->context, node->place, "there is no material '%s'%s", mn_excerpt(node->value, excerpt), hint);
}

static mn_status name_expected(mn_reader *r, const mn_node *node)
{
    if (node->kind == MN_NODE_TEXT && !mn_node_is_nothing(node)) return MN_OK;
    return mn_fail_at(r->context, node->place, "a material is named here, not written as %s", mn_node_kind_text(node));
}

static mn_status read_material(mn_reader *r, int64_t index, mn_place place);

/// The place of a material in the list, read; a built-in one joins the list when it is first named.
static mn_status find_material(mn_reader *r, const mn_node *node, int64_t *out)
{
    MN_TRY(name_expected(r, node));
    const mn_named *named = mn_find_named(&r->materials, node->value);
    if (named == NULL) {
        mn_node *written;
        MN_TRY(builtin_node(r, node->value, &written));
        if (written == NULL) return unknown_material(r, node);
        MN_TRY(mn_array_reserve(r->context, &r->materials.items, &r->materials.capacity, r->materials.count + 1,
                                sizeof *named));
        r->materials.items[r->materials.count] = (mn_named){ .name = node->value, .key = node, .node = written };
        named                                  = &r->materials.items[r->materials.count++];
    }
    *out = named - r->materials.items;
    return read_material(r, *out, node->place);
}

static mn_status same_kind(mn_reader *r, const mn_node *base, const mn_node *over, const char *from)
{
    const mn_node *was = mn_node_find(base, "kind"), *is = mn_node_find(over, "kind");
    if (is == NULL || was == NULL || is->kind != MN_NODE_TEXT || was->kind != MN_NODE_TEXT ||
        strcmp(was->value, is->value) == 0)
        return MN_OK;
    return mn_fail_at(r->context, is->place, "'kind' differs from that of '%s', which is %s", from, was->value);
}

/// The map of a material with what it takes over by `from`.
static mn_status complete_node(mn_reader *r, int64_t index, mn_node **out)
{
    const mn_named named = r->materials.items[index];
    mn_node       *base  = NULL;
    *out                 = (mn_node *)named.node;
    if (named.node->kind != MN_NODE_MAP) {
        return mn_fail_at(r->context, named.node->place, "a material expects a map with keys, not %s",
                          mn_node_kind_text(named.node));
    }
    const mn_node *from = mn_node_find(named.node, "from");
    if (from == NULL) return MN_OK;
    MN_TRY(name_expected(r, from));
    if (strcmp(from->value, named.name) == 0) {
        // A material may refine the built-in one of its own name.
        MN_TRY(builtin_node(r, from->value, &base));
        if (base == NULL)
            return mn_fail_at(r->context, from->place, "the material '%s' is made from itself", named.name);
    } else {
        int64_t other;
        MN_TRY(find_material(r, from, &other));
        base = (mn_node *)r->materials.items[other].node;
    }
    MN_TRY(same_kind(r, base, named.node, from->value));
    return mn_merge(r->arena, NULL, base, (mn_node *)named.node, out);
}

static mn_status material_kind(mn_reader *r, const mn_node *map, int *kind)
{
    const mn_section *any  = mn_group_material.kinds[0];
    const mn_node    *word = mn_node_find(map, "kind");
    mn_node          *resolved;
    mn_material_data  data;
    if (word == NULL)
        return mn_fail_at(r->context, map->place,
                          "a material needs the key 'kind' (liquid, fabric, fibre, solid or pigment) or 'from'");
    MN_TRY(mn_read_value(r, mn_section_find(any, "kind"), word, &data, &resolved));
    *kind = (int)data.kind;
    return MN_OK;
}

static mn_status read_material(mn_reader *r, int64_t index, mn_place place)
{
    mn_named *named = &r->materials.items[index];
    if (named->state == MN_NAMED_READ) return MN_OK;
    if (named->state == MN_NAMED_READING)
        return mn_fail_at(r->context, place, "the material '%s' is made from itself", named->name);
    if (r->material_levels == LEVELS_MOST)
        return mn_fail_at(r->context, place, "more than %d materials are made from one another", LEVELS_MOST);
    named->state = MN_NAMED_READING;
    r->material_levels++;
    mn_node         *map, *resolved;
    mn_material_data data;
    int              kind = 0;
    MN_TRY(complete_node(r, index, &map));
    MN_TRY(material_kind(r, map, &kind));
    memset(&data, 0, sizeof data);
    if (kind == MN_MATERIAL_FABRIC) data.fabric = mn_fabric_material_default();
    MN_TRY(mn_read_section(r, mn_group_material.kinds[kind], map, map->place, &data, &resolved));
    named = &r->materials.items[index];  // the list may have moved
    if (data.kind == MN_MATERIAL_FABRIC) MN_TRY(mn_settle_fabric_material(r, named->node, map, &data, &resolved));
    if (kind == MN_MATERIAL_LIQUID) snprintf(data.liquid.name, sizeof data.liquid.name, "%s", named->name);
    if (kind == MN_MATERIAL_FABRIC) snprintf(data.fabric.name, sizeof data.fabric.name, "%s", named->name);
    if (kind == MN_MATERIAL_PIGMENT) snprintf(data.pigment.name, sizeof data.pigment.name, "%s", named->name);
    named->node          = map;
    named->resolved      = resolved;
    named->data.material = data;
    named->state         = MN_NAMED_READ;
    r->material_levels--;
    return MN_OK;
}

static mn_status wrong_kind(mn_reader *r, const mn_node *node, const mn_named *named, mn_material_kind wanted)
{
    return mn_fail_at(r->context, node->place, "'%s' is a material of kind %s, and a %s is needed here", named->name,
                      mn_group_word(&mn_group_material, (int)named->data.material.kind),
                      mn_group_word(&mn_group_material, (int)wanted));
}

mn_status mn_read_liquid_material(mn_reader *r, const mn_node *node, mn_liquid_material *out, mn_node **resolved)
{
    int64_t index;
    MN_TRY(find_material(r, node, &index));
    const mn_named *named = &r->materials.items[index];
    if (named->data.material.kind != MN_MATERIAL_LIQUID) return wrong_kind(r, node, named, MN_MATERIAL_LIQUID);
    if (mn_node_find(named->resolved, "rheology") != NULL)
        return mn_fail_at(r->context, node->place,
                          "the material '%s' has 'rheology', and this version does not have liquids with rheology yet",
                          named->name);
    *out      = named->data.material.liquid;
    *resolved = mn_quoted_node(r, node->place, node->value);
    return *resolved == NULL ? MN_ERR_MEMORY : MN_OK;
}

mn_status mn_read_fabric_material(mn_reader *r, const mn_node *node, mn_fabric_material *out, mn_node **resolved)
{
    int64_t index;
    MN_TRY(find_material(r, node, &index));
    const mn_named *named = &r->materials.items[index];
    if (named->data.material.kind != MN_MATERIAL_FABRIC) return wrong_kind(r, node, named, MN_MATERIAL_FABRIC);
    *out = named->data.material.fabric;
    mn_apply_pairs(r, out);
    *resolved = mn_quoted_node(r, node->place, node->value);
    return *resolved == NULL ? MN_ERR_MEMORY : MN_OK;
}

mn_status mn_read_material_kind(mn_reader *r, const mn_node *name, mn_material_kind *kind)
{
    int64_t index;
    MN_TRY(find_material(r, name, &index));
    *kind = r->materials.items[index].data.material.kind;
    return MN_OK;
}

mn_status mn_read_pigment(mn_reader *r, const mn_node *name, mn_pigment *out)
{
    int64_t index;
    MN_TRY(find_material(r, name, &index));
    const mn_named *named = &r->materials.items[index];
    if (named->data.material.kind != MN_MATERIAL_PIGMENT) return wrong_kind(r, name, named, MN_MATERIAL_PIGMENT);
    *out = named->data.material.pigment;
    return MN_OK;
}

mn_status mn_read_solutes(mn_reader *r, const mn_setting *s, const mn_node *node, mn_solutes *out, mn_node **resolved)
{
    if (node->kind != MN_NODE_MAP) {
        return mn_fail_at(r->context, node->place, "'%s' expects a map from pigments to concentrations, not %s", s->key,
                          mn_node_kind_text(node));
    }
    if (node->count > MN_PIGMENTS_MOST)
        return mn_fail_at(r->context, node->place, "at most %d pigments are possible, not %d", MN_PIGMENTS_MOST,
                          node->count);
    *resolved = mn_node_branch(r->arena, node->place, MN_NODE_MAP);
    if (*resolved == NULL) return MN_ERR_MEMORY;
    if (out != NULL) out->count = node->count;
    for (int k = 0; k < node->count; k++) {
        const mn_node *key = node->keys[k];
        int64_t        index;
        double         concentration;
        mn_node       *value;
        MN_TRY(find_material(r, key, &index));
        const mn_named *named = &r->materials.items[index];
        if (named->data.material.kind != MN_MATERIAL_PIGMENT) return wrong_kind(r, key, named, MN_MATERIAL_PIGMENT);
        if (out != NULL) MN_TRY(mn_read_pigment(r, key, &out->pigment[k]));
        mn_setting one = *s;
        one.type       = MN_SET_NUMBER;
        one.key        = key->value;
        one.offset     = 0;
        MN_TRY(mn_read_value(r, &one, node->items[k], &concentration, &value));
        if (out != NULL) out->concentration[k] = concentration;
        MN_TRY(mn_node_put(r->arena, *resolved, key->value, value));
    }
    return MN_OK;
}

mn_status mn_resolve_materials(mn_reader *r, mn_node **resolved)
{
    *resolved = NULL;
    for (int64_t k = 0; k < r->materials.count; k++) {  // the list may grow meanwhile
        const mn_node *key = r->materials.items[k].key;
        MN_TRY(read_material(r, k, key->place));
        const mn_named *named = &r->materials.items[k];
        if (*resolved == NULL) *resolved = mn_node_branch(r->arena, key->place, MN_NODE_MAP);
        if (*resolved == NULL) return MN_ERR_MEMORY;
        MN_TRY(mn_node_put(r->arena, *resolved, named->name, (mn_node *)named->resolved));
    }
    return MN_OK;
}
