// SPDX-License-Identifier: MPL-2.0
// scene/stains.c - stains: their cloth, pigments, weaves, drops and sources.
#include "scene/things.h"

#include "base/file.h"
#include "base/hash.h"
#include "geom/mesh_sequence.h"
#include "stain/weave/weave.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- pigments --------------------------------------------------------------------------------------------------------

mn_status mn_read_pigments(mn_reader *r, const mn_setting *s, const mn_node *node, mn_stain_entry *e,
                           mn_node **resolved)
{
    if (node->kind != MN_NODE_LIST)
        return mn_fail_at(r->context, node->place, "'%s' expects a list of pigments, as in [ink], not %s", s->key,
                          mn_node_kind_text(node));
    if (node->count > MN_PIGMENTS_MOST)
        return mn_fail_at(r->context, node->place, "a stain has at most %d pigments, not %d", MN_PIGMENTS_MOST,
                          node->count);
    *resolved = mn_node_branch(r->arena, node->place, MN_NODE_LIST);
    if (*resolved == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < node->count; k++) {
        MN_TRY(mn_read_pigment(r, node->items[k], &e->pigments[k]));
        mn_node *name = mn_quoted_node(r, node->items[k]->place, node->items[k]->value);
        if (name == NULL) return MN_ERR_MEMORY;
        MN_TRY(mn_node_add(r->arena, *resolved, NULL, name));
        e->def.pigment_count = k + 1;
    }
    return MN_OK;
}

/// Concentrations of a drop as shares of its liquid.
static mn_status read_shares(mn_reader *r, const mn_stain_entry *e, const mn_node *map, mn_stain_drop *d)
{
    const mn_setting number = { "solutes", MN_SET_NUMBER, 0, "g/cm^3", 0.0, 1e6, .help = "" };
    for (int k = 0; map != NULL && k < map->count; k++) {
        const char *names[MN_PIGMENTS_MOST + 1] = { NULL };
        char        hint[MN_HINT_BYTES];
        double      concentration;
        mn_node    *written;
        int         p = 0;
        for (; p < e->def.pigment_count && strcmp(e->pigments[p].name, map->keys[k]->value) != 0; p++)
            names[p] = e->pigments[p].name;
        for (int q = p; q < e->def.pigment_count; q++) names[q] = e->pigments[q].name;
        mn_spelling_hint(map->keys[k]->value, names, hint);
        if (p == e->def.pigment_count)
            return mn_fail_at(r->context, map->keys[k]->place, "'%s' is not among the pigments of the stain%s",
                              map->keys[k]->value, hint);
        MN_TRY(mn_read_value(r, &number, map->items[k], &concentration, &written));
        d->share[p] = concentration / e->def.density;
    }
    return MN_OK;
}

// --- weaves ----------------------------------------------------------------------------------------------------------

/// A weave is a word or a file, which is looked for beside the scene first; the resolved scene then has its absolute
/// path.
static mn_status find_weave_file(mn_reader *r, const mn_node *node, mn_node *resolved, const char **pattern)
{
    char        absolute[PATH_MAX];
    const char *path = mn_path_from(r->arena, node->place, node->value);
    if (path == NULL) return MN_ERR_MEMORY;
    if (!r->files || strpbrk(node->value, "./") == NULL || !mn_file_exists(path) || realpath(path, absolute) == NULL)
        return MN_OK;
    mn_node *name = mn_quoted_node(r, node->place, absolute);
    if (name == NULL) return MN_ERR_MEMORY;
    resolved->items[mn_node_index(resolved, "weave")] = name;
    *pattern                                          = path;
    return MN_OK;
}

/// The tensors of the cells, for threads that are resolved.
static mn_status take_cells(mn_reader *r, const mn_weave_tile *tile, const mn_weave_def *def, mn_stain_patch *out)
{
    mn_tensor2 *cells = mn_arena_array(r->arena, mn_tensor2, tile->columns * tile->rows);
    if (cells == NULL) return MN_ERR_MEMORY;
    MN_TRY(mn_weave_tensors(r->context, tile, def, cells));
    r->shape_hash = mn_hash_bytes(r->shape_hash, cells, (size_t)(tile->columns * tile->rows) * sizeof *cells);
    out->cells    = cells;
    out->columns  = tile->columns;
    out->rows     = tile->rows;
    return MN_OK;
}

static mn_status weave_patch(mn_reader *r, mn_stain_patch_entry *e, const mn_node *map, mn_node *resolved,
                             mn_stain_patch *out)
{
    *out                   = e->def;
    const mn_node *threads = mn_node_find(map, "threads");
    if (e->pattern == NULL) {
        if (out->threads > 0.0)
            return mn_fail_at(r->context, threads->place,
                              "'threads' belong to a 'weave', which this patch does not have");
        out->weave = (mn_tensor2){ e->rates[0], 0.0, e->rates[1] };
        return MN_OK;
    }
    const mn_node     *node = mn_node_find(map, "weave");
    const mn_weave_def def  = mn_weave_def_default();
    mn_weave_tile      tile;
    mn_weave_result    result;
    MN_TRY(find_weave_file(r, node, resolved, &e->pattern));
    mn_status status = mn_weave_tile_make(r->context, e->pattern, e->gaps, &tile);
    if (status != MN_OK) return mn_fail_behind(r->context, node->place, status, "this weave cannot be made");
    status = mn_weave_homogenise(r->context, &tile, &def, &result);
    if (status == MN_OK && out->threads > 0.0) status = take_cells(r, &tile, &def, out);
    mn_weave_tile_free(r->context, &tile);
    if (status != MN_OK) return mn_fail_behind(r->context, node->place, status, "this weave has no tensor");
    out->weave    = result.tensor;
    r->shape_hash = mn_hash_bytes(r->shape_hash, &result.tensor,
                                  sizeof result.tensor);  // a pattern may be a file, which can change
    return MN_OK;
}

// --- maps of things --------------------------------------------------------------------------------------------------

/// Room for the things of a map, and for what is resolved of them. False: there are none.
static mn_status begin_map(mn_reader *r, const char *what, const mn_node *map, size_t size, void **items, mn_node **all)
{
    if (map->kind != MN_NODE_MAP)
        return mn_fail_at(r->context, map->place, "'%s' expects a map from names to things, not %s", what,
                          mn_node_kind_text(map));
    *items = mn_arena_take_zero(r->arena, mn_array_bytes(map->count, size));
    *all   = mn_node_branch(r->arena, map->place, MN_NODE_MAP);
    return *items != NULL && *all != NULL ? MN_OK : MN_ERR_MEMORY;
}

/// Several directions of the weft of a patch.
static mn_status read_wefts(mn_reader *r, const mn_node *node, mn_stain_patch *patch, mn_node *resolved)
{
    const mn_node *map = mn_node_find(node, "wefts"), *one = mn_node_find(node, "weft");
    if (map == NULL || mn_node_is_nothing(map)) return MN_OK;
    if (one != NULL) return mn_fail_at(r->context, one->place, "a patch has one 'weft' or several 'wefts', not both");
    void    *items;
    mn_node *all;
    MN_TRY(begin_map(r, "wefts", map, sizeof(mn_weft_direction), &items, &all));
    mn_weft_direction *directions = items;
    for (int k = 0; k < map->count; k++) {
        mn_node *written;
        MN_TRY(mn_check_name(r, map->keys[k]));
        MN_TRY(
            mn_read_section(r, &mn_section_stain_weft, map->items[k], map->items[k]->place, &directions[k], &written));
        MN_TRY(mn_node_put(r->arena, all, map->keys[k]->value, written));
    }
    patch->directions      = directions;
    patch->direction_count = map->count;
    return mn_node_put(r->arena, resolved, "wefts", all);
}

static mn_status read_patches(mn_reader *r, mn_stain_entry *e, const mn_node *map, mn_node *resolved)
{
    if (map == NULL || mn_node_is_nothing(map)) return MN_OK;
    void    *items;
    mn_node *all;
    MN_TRY(begin_map(r, "patches", map, sizeof(mn_stain_patch), &items, &all));
    mn_stain_patch *patches = items;
    for (int k = 0; k < map->count; k++) {
        mn_stain_patch_entry p = { .pattern = NULL, .def.weft = { 1.0, 0.0, 0.0 } };
        mn_node             *written;
        MN_TRY(mn_check_name(r, map->keys[k]));
        MN_TRY(mn_read_section(r, &mn_section_stain_patch, map->items[k], map->items[k]->place, &p, &written));
        MN_TRY(weave_patch(r, &p, map->items[k], written, &patches[k]));
        MN_TRY(read_wefts(r, map->items[k], &patches[k], written));
        MN_TRY(mn_node_put(r->arena, all, map->keys[k]->value, written));
    }
    e->def.patches     = patches;
    e->def.patch_count = map->count;
    return mn_node_put(r->arena, resolved, "patches", all);
}

/// A pinned drop has a place, and stands still in it; an angle belongs to a pinned drop. Values count, not keys: a
/// resolved scene has them all.
static mn_status check_pinned(mn_reader *r, const mn_node *node, const mn_stain_drop *d)
{
    if (!d->pinned)
        return d->contact_angle == 0.0 ? MN_OK
                                       : mn_fail_at(r->context, mn_node_find(node, "contact_angle")->place,
                                                    "'contact_angle' belongs to a drop that is 'pinned'");
    if (d->shape == NULL)
        return mn_fail_at(r->context, node->place, "a 'pinned' drop needs 'inside', which says where its circle is");
    const struct {
        const char *key;
        bool        is_set;
    } moving[] = { { "velocity", mn_norm3(mn_v3_from(d->velocity)) != 0.0 },
                   { "outward", d->outward != 0.0 },
                   { "ragged", d->ragged != 0.0 } };
    for (size_t k = 0; k < sizeof moving / sizeof *moving; k++)
        if (moving[k].is_set)
            return mn_fail_at(r->context, mn_node_find(node, moving[k].key)->place,
                              "a 'pinned' drop stands still at first; it has no '%s'", moving[k].key);
    return MN_OK;
}

/// Drops or sources, put behind those that are there.
static mn_status read_drops(mn_reader *r, mn_stain_entry *e, const mn_section *section, const char *what,
                            const mn_node *map, mn_stain_drop *drops, mn_node *resolved)
{
    if (map == NULL || mn_node_is_nothing(map)) return MN_OK;
    void    *unused;
    mn_node *all;
    MN_TRY(begin_map(r, what, map, 1, &unused, &all));
    for (int k = 0; k < map->count; k++) {
        mn_stain_drop *d = &drops[e->def.drop_count];
        mn_node       *written;
        *d        = mn_stain_drop_default();
        d->source = section == &mn_section_stain_source;
        MN_TRY(mn_check_name(r, map->keys[k]));
        MN_TRY(mn_read_section(r, section, map->items[k], map->items[k]->place, d, &written));
        MN_TRY(read_shares(r, e, mn_node_find(map->items[k], "solutes"), d));
        MN_TRY(check_pinned(r, map->items[k], d));
        MN_TRY(mn_node_put(r->arena, all, map->keys[k]->value, written));
        e->def.drop_count++;
    }
    return mn_node_put(r->arena, resolved, what, all);
}

static mn_status read_liquid(mn_reader *r, mn_stain_entry *e, const mn_node *node, mn_node *resolved)
{
    const mn_node *drops = mn_node_find(node, "drops"), *sources = mn_node_find(node, "sources");
    const int      most = (drops != NULL ? drops->count : 0) + (sources != NULL ? sources->count : 0);
    mn_stain_drop *all  = mn_arena_array_zero(r->arena, mn_stain_drop, most + 1);
    if (all == NULL) return MN_ERR_MEMORY;
    MN_TRY(read_drops(r, e, &mn_section_stain_drop, "drops", drops, all, resolved));
    MN_TRY(read_drops(r, e, &mn_section_stain_source, "sources", sources, all, resolved));
    e->def.drops = all;
    return MN_OK;
}

// --- stains ----------------------------------------------------------------------------------------------------------

/// Files may change under the scene: their contents belong to what the run is.
static void hash_mesh(mn_reader *r, const mn_thin_mesh *m)
{
    r->shape_hash = mn_hash_bytes(r->shape_hash, m->vertex, (size_t)m->vertex_count * sizeof *m->vertex);
    if (m->triangle_count > 0)
        r->shape_hash = mn_hash_bytes(r->shape_hash, m->triangle, (size_t)m->triangle_count * sizeof *m->triangle);
}

static mn_status hash_files(mn_reader *r, const mn_stain_def *d, const mn_node *map)
{
    const mn_mesh_sequence_def files = { .path  = d->files,
                                         .mesh  = d->files_mesh,
                                         .rate  = d->files_rate,
                                         .start = d->files_start,
                                         .scale = d->files_scale };
    uint64_t                   hash;
    const mn_status            status = mn_mesh_sequence_hash(r->context, &files, &hash);
    if (status != MN_OK) return mn_fail_behind(r->context, map->place, status, "these files cannot be taken");
    r->shape_hash = mn_hash_mix(r->shape_hash ^ hash);
    return MN_OK;
}

/// The fabric of a stain, or the mesh of its own.
static mn_status find_cloth(mn_reader *r, mn_stain_entry *e, const mn_node *node)
{
    const char *word = mn_group_word(&mn_group_stain, (int)e->kind);
    if (e->kind == MN_STAIN_FILES) return hash_files(r, &e->def, mn_node_find(node, word));  // opened with the world
    if (e->kind != MN_STAIN_ON) {
        const mn_node *map     = mn_node_find(node, word);
        e->cloth.kind          = (mn_fabric_kind)(e->kind - MN_STAIN_SHEET);
        const mn_status status = mn_make_fabric_mesh(r, &e->cloth, map);
        if (status == MN_OK) e->def.mesh = &e->cloth.mesh;
        if (status == MN_OK && e->kind == MN_STAIN_MESH) hash_mesh(r, &e->cloth.mesh);
        return status == MN_OK || status == MN_ERR_SCENE
                   ? status
                   : mn_fail_behind(r->context, map->place, status, "this cloth cannot be made");
    }
    return mn_find_thing(r, mn_node_find(node, "on"), "fabric", NULL);
}

static mn_status allow_keys(mn_reader *r, const mn_node *map, const char *const *allowed, const char *what)
{
    for (int k = 0; k < map->count; k++) {
        int i = 0;
        while (allowed[i] != NULL && strcmp(allowed[i], map->keys[k]->value) != 0) i++;
        if (allowed[i] == NULL)
            return mn_fail_at(r->context, map->keys[k]->place,
                              "'%s' belongs to a film; %s carried by the liquid of a fabric does not have it",
                              map->keys[k]->value, what);
    }
    return MN_OK;
}

/// Without a film only what goes into the pores at the start is left to say; all else is the fabric's and its liquid's.
static mn_status check_carrier(mn_reader *r, mn_stain_entry *e, const mn_node *node)
{
    static const char *const of_stain[] = { "on", "pigments", "carrier", "drops", NULL }, *const of_drop[] = {
        "inside", "density", "solutes", NULL
    };
    if (!e->def.in_fabric) return MN_OK;
    if (e->kind != MN_STAIN_ON)
        return mn_fail_at(r->context, mn_node_find(node, "carrier")->place,
                          "only a stain 'on' a fabric can be carried by the liquid in its pores");
    MN_TRY(allow_keys(r, node, of_stain, "a stain"));
    const mn_node *drops = mn_node_find(node, "drops");
    for (int k = 0; drops != NULL && drops->kind == MN_NODE_MAP && k < drops->count; k++)
        MN_TRY(allow_keys(r, drops->items[k], of_drop, "a drop"));
    return MN_OK;
}

mn_status mn_begin_stain(mn_reader *r, const mn_node *key, void *entry)
{
    mn_stain_entry *e     = entry;
    const mn_misfit m     = mn_stain_domain_misfit(&r->data->domain);
    e->def                = mn_stain_def_default();
    e->cloth.def.material = mn_fabric_material_default();
    return m.key != NULL ? mn_fail_at(r->context, key->place, "%s", m.sentence) : MN_OK;
}

mn_status mn_finish_stain(mn_reader *r, const mn_node *node, void *entry, mn_node *resolved)
{
    mn_stain_entry *e = entry;
    MN_TRY(check_carrier(r, e, node));
    MN_TRY(find_cloth(r, e, node));
    MN_TRY(read_patches(r, e, mn_node_find(node, "patches"), resolved));
    MN_TRY(read_liquid(r, e, node, resolved));
    e->def.pigments = e->pigments;
    return MN_OK;
}

void mn_release_stain(mn_context *context, void *entry)
{
    mn_stain_entry *e = entry;
    mn_thin_mesh_free(context, &e->cloth.mesh);
}
