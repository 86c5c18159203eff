// SPDX-License-Identifier: MPL-2.0
// scene/fabrics.c - fabrics: their meshes, groups of vertices and pins.
#include "scene/things.h"

#include "base/hash.h"
#include "fabric/material.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- meshes ----------------------------------------------------------------------------------------------------------

static bool is_patch(mn_yarn_pattern p) { return p >= MN_YARN_PLAIN; }

/// What 0 means depends on the pattern.
static void choose_yarn(const mn_reader *r, const mn_fabric_material *material, mn_yarn_def *y)
{
    const double cell = r->data->domain.cell;
    if (y->radius == 0.0) y->radius = material->radius;
    if (y->pitch == 0.0) {
        switch (y->pattern) {
        case MN_YARN_CURLY:
        case MN_YARN_HELIX: y->pitch = 4.0 * y->curl; break;
        case MN_YARN_BUNDLE: y->pitch = 2.02 * y->radius; break;
        case MN_YARN_KNIT: y->pitch = 10.0 * y->radius; break;
        case MN_YARN_NET: y->pitch = 20.0 * y->radius; break;
        default: y->pitch = 5.0 * y->radius; break;
        }
    }
    if (y->spacing > 0.0) return;
    y->spacing = 0.5 * cell;
    if (y->pattern == MN_YARN_KNIT) y->spacing = fmin(y->spacing, y->pitch / 8.0);
    if (y->pattern >= MN_YARN_PLAIN && y->pattern <= MN_YARN_SATIN) y->spacing = fmin(y->spacing, y->pitch / 2.0);
    if (y->pattern >= MN_YARN_CURLY && y->pattern <= MN_YARN_RING && y->curl > 0.0)
        y->spacing = fmin(y->spacing, y->curl / 2.0);
}

static mn_status check_yarn_size(mn_reader *r, const mn_yarn_def *y, const mn_node *map)
{
    const mn_node *size = mn_node_find(map, "size"), *length = mn_node_find(map, "length");
    if (is_patch(y->pattern) && length != NULL)
        return mn_fail_at(r->context, length->place, "a patch of yarn has a 'size', not a 'length'");
    if (is_patch(y->pattern) && size == NULL)
        return mn_fail_at(r->context, map->place, "a patch of yarn needs the key 'size' (along x and z)");
    if (is_patch(y->pattern) || y->pattern == MN_YARN_RING) return MN_OK;
    if (size != NULL) return mn_fail_at(r->context, size->place, "yarn that is no patch has a 'length', not a 'size'");
    if (length == NULL)
        return mn_fail_at(r->context, map->place, "yarn that is no patch needs the key 'length' (along x)");
    return MN_OK;
}

mn_status mn_make_fabric_mesh(mn_reader *r, mn_fabric_entry *f, const mn_node *map)
{
    const double cell = r->data->domain.cell;
    switch (f->kind) {
    case MN_FABRIC_SHEET:
    case MN_FABRIC_DISC:
    case MN_FABRIC_HEXAGON:
        f->cloth.outline = (mn_cloth_outline)f->kind;
        if (f->cloth.spacing == 0.0) f->cloth.spacing = 0.5 * cell;
        return mn_cloth_generate(r->context, &f->cloth, &f->mesh);
    case MN_FABRIC_MESH:
        if (f->file.radius == 0.0) f->file.radius = f->def.material.radius;
        return mn_thin_mesh_read(r->context, f->file.path, f->file.scale, f->file.radius, &f->mesh);
    case MN_FABRIC_YARN:
        MN_TRY(check_yarn_size(r, &f->yarn, map));
        choose_yarn(r, &f->def.material, &f->yarn);
        return mn_yarn_generate(r->context, &f->yarn, &f->mesh);
    case MN_FABRIC_HAIR: break;
    }
    if (f->hair.radius == 0.0) f->hair.radius = f->def.material.radius;
    return mn_hair_generate(r->context, &f->hair, &f->mesh);
}

static mn_status add_pile(mn_reader *r, mn_fabric_entry *f, const mn_node *map)
{
    if (map == NULL) return MN_OK;
    if (f->pile.radius == 0.0) f->pile.radius = f->def.material.radius;
    if (f->pile.spacing == 0.0) f->pile.spacing = f->pile.length / 3.0;
    const mn_status status = mn_pile_add(r->context, &f->pile, &f->mesh);
    return status == MN_OK ? MN_OK : mn_fail_behind(r->context, map->place, status, "this pile cannot be made");
}

// --- groups ----------------------------------------------------------------------------------------------------------

static mn_status map_expected(mn_reader *r, const char *what, const mn_node *map)
{
    if (map->kind == MN_NODE_MAP) return MN_OK;
    return mn_fail_at(r->context, map->place, "'%s' expects a map from names to things, not %s", what,
                      mn_node_kind_text(map));
}

static mn_status add_group(mn_reader *r, mn_fabric_entry *f, const mn_node *key, const mn_node *map, mn_node **resolved)
{
    mn_vertices_entry e = { .distance = 0.0 };
    char              name[MN_NAME_BYTES];
    int               kind;
    MN_TRY(mn_check_name(r, key));
    MN_TRY(mn_read_group_kind(r, &mn_group_vertices, map, &kind));
    MN_TRY(mn_read_section(r, mn_group_vertices.kinds[kind], map, map->place, &e, resolved));
    const char *word = mn_group_word(&mn_group_vertices, kind);
    // A group of the scene may widen one of the mesh that has the same name: `corners: {corners: 0.5}`.
    mn_vertex_group *known = (mn_vertex_group *)mn_thin_find_group(&f->mesh, key->value);
    snprintf(name, sizeof name, "%s", key->value);
    const bool widens = known != NULL && strcmp(word, key->value) == 0;
    if (widens) snprintf(name, sizeof name, "%s", " ");  // no name of a scene
    mn_status status;
    if (kind == 0) {
        status = mn_thin_group_box(r->context, name, e.box[0], e.box[1], &f->mesh);
    } else if (kind == 1) {
        status = mn_thin_group_ball(r->context, name, e.center, e.radius, &f->mesh);
    } else {
        status = mn_thin_group_near(r->context, name, word, e.distance, &f->mesh);
    }
    if (status != MN_OK) return mn_fail_behind(r->context, map->place, status, "this group cannot be made");
    if (!widens) return MN_OK;
    mn_vertex_group *wide = &f->mesh.group[--f->mesh.group_count];
    known                 = (mn_vertex_group *)mn_thin_find_group(&f->mesh, key->value);
    mn_free(r->context, known->vertex);
    known->vertex = wide->vertex;
    known->count  = wide->count;
    return MN_OK;
}

static mn_status add_groups(mn_reader *r, mn_fabric_entry *f, const mn_node *map, mn_node *resolved)
{
    if (map == NULL || mn_node_is_nothing(map)) return MN_OK;
    MN_TRY(map_expected(r, "groups", map));
    mn_node *all = mn_node_branch(r->arena, map->place, MN_NODE_MAP);
    if (all == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < map->count; k++) {
        mn_node *written;
        MN_TRY(add_group(r, f, map->keys[k], map->items[k], &written));
        MN_TRY(mn_node_put(r->arena, all, map->keys[k]->value, written));
    }
    return mn_node_put(r->arena, resolved, "groups", all);
}

// --- pins ------------------------------------------------------------------------------------------------------------

mn_status mn_read_stiffness(mn_reader *r, const mn_setting *s, const mn_node *node, mn_pin_def *out, mn_node **resolved)
{
    if (mn_node_is_word(node, "hard")) {
        out->kind = MN_PIN_HARD;
        *resolved = mn_plain_node(r, node->place, "hard");
        return *resolved == NULL ? MN_ERR_MEMORY : MN_OK;
    }
    mn_setting number = *s;
    number.type       = MN_SET_NUMBER;
    number.offset     = offsetof(mn_pin_def, stiffness);
    out->kind         = MN_PIN_SOFT;
    return mn_read_value(r, &number, node, out, resolved);
}

mn_status mn_check_vertex_group(mn_reader *r, const mn_fabric_entry *f, const mn_node *key)
{
    if (mn_thin_find_group(&f->mesh, key->value) != NULL) return MN_OK;
    const char **names = mn_arena_array(r->arena, const char *, f->mesh.group_count + 1);
    char         hint[MN_HINT_BYTES], excerpt[MN_EXCERPT_BYTES];
    if (names == NULL) return MN_ERR_MEMORY;
    for (int64_t g = 0; g < f->mesh.group_count; g++) names[g] = f->mesh.group[g].name;
    names[f->mesh.group_count] = NULL;
    mn_spelling_hint(key->value, names, hint);
    return mn_fail_at(r->context, key->place, "the fabric '%s' has no group '%s'%s", f->def.name,
                      mn_excerpt(key->value, excerpt), hint);
}

static mn_status add_pins(mn_reader *r, mn_fabric_entry *f, const mn_node *map, mn_node *resolved)
{
    if (map == NULL || mn_node_is_nothing(map)) return MN_OK;
    MN_TRY(map_expected(r, "pins", map));
    mn_pin_def *pins = mn_arena_array_zero(r->arena, mn_pin_def, map->count);
    mn_node    *all  = mn_node_branch(r->arena, map->place, MN_NODE_MAP);
    if (pins == NULL || all == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < map->count; k++) {
        mn_node *written;
        pins[k] = mn_pin_def_default();
        MN_TRY(mn_check_vertex_group(r, f, map->keys[k]));
        MN_TRY(mn_read_section(r, &mn_section_pin, map->items[k], map->keys[k]->place, &pins[k], &written));
        snprintf(pins[k].group, sizeof pins[k].group, "%s", map->keys[k]->value);
        MN_TRY(mn_node_put(r->arena, all, map->keys[k]->value, written));
    }
    f->def.pins      = pins;
    f->def.pin_count = map->count;
    return mn_node_put(r->arena, resolved, "pins", all);
}

// --- fabrics ---------------------------------------------------------------------------------------------------------

static mn_status complete_fabric(mn_reader *r, mn_fabric_entry *f, const mn_node *node, mn_node *resolved)
{
    const char    *word = mn_group_word(&mn_group_fabric, (int)f->kind);
    const mn_node *map  = mn_node_find(node, word);
    char           what[64];
    snprintf(what, sizeof what, "this %s cannot be made", word);
    const mn_status status = mn_make_fabric_mesh(r, f, map);
    if (status == MN_ERR_SCENE) return status;
    if (status != MN_OK) return mn_fail_behind(r->context, map->place, status, what);
    MN_TRY(add_pile(r, f, mn_node_find(node, "pile")));
    MN_TRY(add_groups(r, f, mn_node_find(node, "groups"), resolved));
    MN_TRY(add_pins(r, f, mn_node_find(node, "pins"), resolved));
    MN_TRY(mn_read_wetness(r, f, node, resolved));
    if (f->kind == MN_FABRIC_MESH) {
        // The file may change under the scene: its contents belong to what the run is.
        r->shape_hash = mn_hash_bytes(r->shape_hash, f->mesh.vertex,
                                      (size_t)f->mesh.vertex_count * sizeof *f->mesh.vertex);
        if (f->mesh.triangle_count > 0) {
            r->shape_hash = mn_hash_bytes(r->shape_hash, f->mesh.triangle,
                                          (size_t)f->mesh.triangle_count * sizeof *f->mesh.triangle);
        }
    }
    f->def.mesh = &f->mesh;
    return MN_OK;
}

mn_status mn_begin_fabric(mn_reader *r, const mn_node *key, void *entry)
{
    mn_fabric_entry *f = entry;
    const mn_misfit  m = mn_fabric_domain_misfit(&r->data->domain);
    f->def             = mn_fabric_def_default();
    return m.key != NULL ? mn_fail_at(r->context, key->place, "%s", m.sentence) : MN_OK;
}

mn_status mn_finish_fabric(mn_reader *r, const mn_node *node, void *entry, mn_node *resolved)
{
    mn_fabric_entry *f         = entry;
    const double     viscosity = mn_scene_liquid(r).viscosity;
    mn_misfit        m         = mn_drag_misfit(&f->def.material, viscosity);
    MN_TRY(mn_check_fit(r, &m, node));
    m = mn_pores_misfit(&f->def.material, viscosity, false);
    MN_TRY(mn_check_fit(r, &m, node));
    const mn_fabric_material material = mn_fabric_material_resolved(&f->def.material, false);
    m                                 = mn_bending_misfit(&material);
    MN_TRY(mn_check_fit(r, &m, node));
    MN_TRY(complete_fabric(r, f, node, resolved));
    m = mn_pores_misfit(&f->def.material, viscosity, f->def.saturation != NULL);
    return mn_check_fit(r, &m, node);
}

void mn_release_fabric(mn_context *context, void *entry)
{
    mn_fabric_entry *f = entry;
    mn_thin_mesh_free(context, &f->mesh);
}
