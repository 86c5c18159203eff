// SPDX-License-Identifier: MPL-2.0
// scene/pairs.c - what belongs to two materials: friction and cohesion of a fabric with itself, contact angles.
#include "scene/reader.h"

#include <stdio.h>
#include <string.h>

// --- reading ---------------------------------------------------------------------------------------------------------

mn_status mn_read_name_pair(mn_reader *r, const mn_setting *s, const mn_node *node, char out[2][MN_NAME_BYTES],
                            mn_node **resolved)
{
    if (node->kind != MN_NODE_LIST || node->count != 2)
        return mn_fail_at(r->context, node->place, "'%s' expects a list of two names", s->key);
    *resolved = mn_node_branch(r->arena, node->place, MN_NODE_LIST);
    if (*resolved == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < 2; k++) {
        const mn_node *name = node->items[k];
        if (name->kind != MN_NODE_TEXT || mn_node_is_nothing(name)) {
            return mn_fail_at(r->context, name->place, "'%s' expects names, not %s", s->key, mn_node_kind_text(name));
        }
        MN_TRY(mn_check_name(r, name));
        snprintf(out[k], MN_NAME_BYTES, "%s", name->value);
        mn_node *item = mn_quoted_node(r, name->place, name->value);
        if (item == NULL) return MN_ERR_MEMORY;
        MN_TRY(mn_node_add(r->arena, *resolved, NULL, item));
    }
    return MN_OK;
}

mn_status mn_read_pairs(mn_reader *r, const mn_setting *s, const mn_node *node, mn_node **resolved)
{
    *resolved = NULL;
    if (mn_node_is_nothing(node)) return MN_OK;
    if (node->kind != MN_NODE_LIST)
        return mn_fail_at(r->context, node->place, "'%s' expects a list of maps, not %s", s->key,
                          mn_node_kind_text(node));
    r->data->pairs = mn_arena_array_zero(r->arena, mn_pair_entry, node->count);
    *resolved      = mn_node_branch(r->arena, node->place, MN_NODE_LIST);
    if (r->data->pairs == NULL || *resolved == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < node->count; k++) {
        mn_node       *item;
        mn_pair_entry *pair = &r->data->pairs[k];
        pair->friction = pair->cohesion = pair->contact_angle = -1.0;
        if (mn_node_is_nothing(node->items[k]))
            return mn_fail_at(r->context, node->items[k]->place, "a pair expects a map with keys, not nothing");
        MN_TRY(mn_read_section(r, s->section, node->items[k], node->place, pair, &item));
        MN_TRY(mn_node_add(r->arena, *resolved, NULL, item));
    }
    r->data->pair_count = node->count;
    return MN_OK;
}

// --- checking --------------------------------------------------------------------------------------------------------

enum { ANY = -1 };  // besides the values of mn_material_kind

static mn_status kind_of(mn_reader *r, const mn_node *name, int *kind)
{
    *kind = ANY;
    if (strcmp(name->value, "any") == 0) return MN_OK;
    mn_material_kind found;
    MN_TRY(mn_read_material_kind(r, name, &found));
    *kind = (int)found;
    if (found == MN_MATERIAL_FABRIC || found == MN_MATERIAL_LIQUID) return MN_OK;
    return mn_fail_at(r->context, name->place,
                      "this version does not have pairs with a material of kind %s yet, and '%s' is one",
                      mn_group_word(&mn_group_material, (int)found), name->value);
}

/// Friction and cohesion are of layers of one fabric.
static mn_status check_layers(mn_reader *r, const mn_node *pair, const mn_node *of, const int kind[2])
{
    static const char *const keys[] = { "friction", "cohesion" };
    for (int k = 0; k < 2; k++) {
        const mn_node *value = mn_node_find(pair, keys[k]);
        if (value == NULL) continue;
        if (kind[0] == MN_MATERIAL_LIQUID || kind[1] == MN_MATERIAL_LIQUID) {
            return mn_fail_at(r->context, value->place,
                              "'%s' belongs to one fabric twice, or to [any, any]; a liquid and a fabric have a "
                              "'contact_angle'",
                              keys[k]);
        }
        if (strcmp(of->items[0]->value, of->items[1]->value) == 0) continue;
        return mn_fail_at(r->context, of->place,
                          "this version does not have %s between different fabrics yet: "
                          "a pair is of one fabric twice, or of [any, any]",
                          keys[k]);
    }
    return MN_OK;
}

static mn_status check_pair(mn_reader *r, const mn_node *pair)
{
    const mn_node *of = mn_node_find(pair, "of"), *angle = mn_node_find(pair, "contact_angle");
    int            kind[2];
    MN_TRY(kind_of(r, of->items[0], &kind[0]));
    MN_TRY(kind_of(r, of->items[1], &kind[1]));
    if (kind[0] == MN_MATERIAL_LIQUID && kind[1] == MN_MATERIAL_LIQUID) {
        return mn_fail_at(r->context, of->place,
                          "this version does not have pairs of two liquids yet, and '%s' and '%s' are liquids",
                          of->items[0]->value, of->items[1]->value);
    }
    if (pair->count < 2)
        return mn_fail_at(r->context, pair->place,
                          "this pair says nothing: give 'friction', 'cohesion' or 'contact_angle'");
    MN_TRY(check_layers(r, pair, of, kind));
    if (angle != NULL && kind[0] == MN_MATERIAL_FABRIC && kind[1] == MN_MATERIAL_FABRIC)
        return mn_fail_at(r->context, angle->place,
                          "'contact_angle' belongs to a liquid and a fabric, and both of this pair are fabrics");
    return MN_OK;
}

mn_status mn_check_pairs(mn_reader *r, const mn_node *list)
{
    for (int k = 0; k < r->data->pair_count; k++) MN_TRY(check_pair(r, list->items[k]));
    return MN_OK;
}

// --- using -----------------------------------------------------------------------------------------------------------

mn_liquid_material mn_scene_liquid(const mn_reader *r)
{
    const mn_liquid_def *liquids = r->data->liquids.items;
    for (int k = 0; k < r->data->liquids.count; k++)
        if (liquids[k].role != MN_LIQUID_SINK) return liquids[k].material;
    return mn_liquid_def_default().material;
}

static bool is_any(const char *name) { return strcmp(name, "any") == 0; }
static bool fits(const char *name, const char *wanted) { return is_any(name) || strcmp(name, wanted) == 0; }

static void apply_pair(const mn_pair_entry *p, const char *liquid, mn_fabric_material *m)
{
    if (fits(p->of[0], m->name) && fits(p->of[1], m->name)) {
        if (p->friction >= 0.0) m->friction = p->friction;
        if (p->cohesion >= 0.0) m->cohesion = p->cohesion;
    }
    const bool wets = (fits(p->of[0], liquid) && fits(p->of[1], m->name)) ||
                      (fits(p->of[1], liquid) && fits(p->of[0], m->name));
    if (wets && p->contact_angle >= 0.0) m->contact_angle = p->contact_angle;
}

/// Names win over `any`, and of pairs alike a later one wins over an earlier one.
void mn_apply_pairs(const mn_reader *r, mn_fabric_material *m)
{
    const mn_liquid_material liquid = mn_scene_liquid(r);
    for (int unnamed = 2; unnamed >= 0; unnamed--) {
        for (int k = 0; k < r->data->pair_count; k++) {
            const mn_pair_entry *p = &r->data->pairs[k];
            if (is_any(p->of[0]) + is_any(p->of[1]) == unnamed) apply_pair(p, liquid.name, m);
        }
    }
}
