// SPDX-License-Identifier: MPL-2.0
// scene/things.c - the keys of a scene; of things, one row says what they are and how they are read, added and freed.
#include "scene/things.h"

#include "defs/rows.h"

#include <stdio.h>
#include <string.h>

// --- the keys of a scene ---------------------------------------------------------------------------------------------

// In the order in which a resolved scene is written. KEY is any row; PART a section of the world, stored as such;
// NAMED definitions that things name; THING(key, word, entry, kind, release, of, help): `word` names the functions that
// read and add it, `kind` is where an entry of a group holds its kind, `of` is its section or group; LATER what this
// version does not have, and refuses.
// clang-format off
#define KEYS(KEY, PART, NAMED, THING, LATER) \
    KEY("format", MN_SET_INTEGER, AT(mn_scene_data, format), NULL, 1, 1, .standard = "1", \
        .help = "version of the scene language") \
    KEY("name", MN_SET_TEXT, AT(mn_scene_data, name), .standard = "", .help = "what the scene is called") \
    KEY("description", MN_SET_TEXT, AT(mn_scene_data, description), .standard = "", .help = "what it shows") \
    KEY("include", MN_SET_APART, 0, .flags = MN_SET_OPTIONAL, \
        .help = "a scene file or a list of them, read first; what is written here wins") \
    PART(domain, 0, "space and grid") \
    PART(time, 0, "time and steps") \
    NAMED(materials, .group = &mn_group_material, "what things are made of") \
    NAMED(shapes, .group = &mn_group_shape, "shapes with names") \
    NAMED(motions, .section = &mn_section_motion, "motions with names") \
    THING(obstacles, obstacle, mn_obstacle_def, 0, NULL, .section = &mn_section_obstacle, \
          "solids that move as the scene says") \
    THING(liquids, liquid, mn_liquid_def, AT(mn_liquid_def, role), NULL, .group = &mn_group_liquid, \
          "liquid at the start, sources and sinks") \
    THING(fabrics, fabric, mn_fabric_entry, AT(mn_fabric_entry, kind), mn_release_fabric, .group = &mn_group_fabric, \
          "cloth, yarn and hair") \
    LATER(strands, "hair and fibres") \
    LATER(bodies, "rigid and soft bodies") \
    LATER(membranes, "liquid surfaces that carry bodies") \
    THING(stains, stain, mn_stain_entry, AT(mn_stain_entry, kind), mn_release_stain, .group = &mn_group_stain, \
          "coloured liquid on cloth") \
    KEY("pairs", MN_SET_PAIRS, 0, .section = &mn_section_pair, .flags = MN_SET_OPTIONAL, \
        .help = "list of what belongs to two materials") \
    PART(wind, MN_SET_OPTIONAL, "moving air; without it there is no air") \
    PART(solver, 0, "accuracy of the solves") \
    PART(output, 0, "what is written") \
    PART(camera, 0, "the view of pictures") \
    THING(probes, probe, mn_probe_def, AT(mn_probe_def, kind), NULL, .group = &mn_group_probe, \
          "named numbers measured every frame") \
    KEY("variants", MN_SET_APART, 0, .flags = MN_SET_OPTIONAL, \
        .help = "named sets of changes: a map from names to settings, whose keys may be dotted")

#define NO_THING(...)
#define KEY_ROW(...) { __VA_ARGS__ },
#define PART_ROW(key, flags_, text) \
    { #key, MN_SET_SECTION, AT(mn_scene_data, key), .section = &mn_section_##key, .flags = flags_, .help = text },
#define NAMED_ROW(key, of, text) { #key, MN_SET_NAMED, 0, of, .flags = MN_SET_OPTIONAL, .help = text },
#define THING_ROW(key, word, entry, kind, release, of, text) NAMED_ROW(key, of, text)
#define LATER_ROW(key, text) { #key, MN_SET_SECTION, 0, .flags = MN_SET_LATER, .help = text },
// clang-format on

static const mn_setting scene_rows[]     = { KEYS(KEY_ROW, PART_ROW, NAMED_ROW, THING_ROW, LATER_ROW) };
const mn_section        mn_section_scene = SECTION("a scene", scene_rows);

// --- the things ------------------------------------------------------------------------------------------------------

/// An entry begins with the definition of the library, and that with the name of the thing.
typedef struct mn_thing {
    const char *key, *word;
    size_t      at;    // of its mn_things in the data of the scene
    size_t      size;  // of an entry
    size_t      kind;  // where an entry of a group holds its kind
    mn_status (*begin)(mn_reader *r, const mn_node *key, void *entry);
    mn_status (*finish)(mn_reader *r, const mn_node *node, void *entry, mn_node *resolved);
    mn_status (*add)(mn_world *world, const void *entry);
    void (*release)(mn_context *context, void *entry);  // NULL: an entry owns nothing
} mn_thing;

// clang-format off
#define ADD(key, word, entry, kind, release, of, text) \
    static mn_status add_##word(mn_world *world, const void *def) { return mn_world_add_##word(world, def); }
KEYS(NO_THING, NO_THING, NO_THING, ADD, NO_THING)

#define THING(key, word, entry, kind, release, of, text) \
    { #key, #word, AT(mn_scene_data, key), sizeof(entry), kind, \
      mn_begin_##word, mn_finish_##word, add_##word, release },
// clang-format on

static const mn_thing things[] = { KEYS(NO_THING, NO_THING, NO_THING, THING, NO_THING) };
enum { THING_COUNT = sizeof things / sizeof things[0] };

static mn_things *list_of(mn_scene_data *data, const mn_thing *t)
{
    return (mn_things *)(void *)((char *)data + t->at);
}

static void *entry_of(const mn_things *list, const mn_thing *t, int k)
{
    return (char *)list->items + (size_t)k * t->size;
}

// --- reading ---------------------------------------------------------------------------------------------------------

static mn_status read_thing(mn_reader *r, const mn_thing *t, const mn_setting *s, const mn_node *key,
                            const mn_node *node, void *entry, mn_node **resolved)
{
    const mn_section *section = s->section;
    int               kind;
    MN_TRY(mn_check_name(r, key));
    MN_TRY(t->begin(r, key, entry));
    snprintf(entry, MN_NAME_BYTES, "%s", key->value);
    if (s->group != NULL) {
        MN_TRY(mn_read_group_kind(r, s->group, node, &kind));
        memcpy((char *)entry + t->kind, &kind, sizeof kind);
        section = s->group->kinds[kind];
    }
    MN_TRY(mn_read_section(r, section, node, node->place, entry, resolved));
    const mn_status status = t->finish(r, node, entry, *resolved);
    if (status != MN_OK && t->release != NULL) t->release(r->context, entry);
    return status;
}

/// Counted one by one, so that a thing can be held against those before it, and after a failure all that are complete
/// are released.
static mn_status read_map(mn_reader *r, const mn_thing *t, const mn_setting *s, const mn_node *map, mn_node **resolved)
{
    mn_things *list = list_of(r->data, t);
    if (map == NULL || mn_node_is_nothing(map)) return MN_OK;
    if (map->kind != MN_NODE_MAP) {
        return mn_fail_at(r->context, map->place, "'%s' expects a map from names to things, not %s", t->key,
                          mn_node_kind_text(map));
    }
    list->items = mn_arena_take_zero(r->arena, mn_array_bytes(map->count, t->size));
    *resolved   = mn_node_branch(r->arena, map->place, MN_NODE_MAP);
    if (list->items == NULL || *resolved == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < map->count; k++) {
        mn_node *written;
        MN_TRY(read_thing(r, t, s, map->keys[k], map->items[k], entry_of(list, t, k), &written));
        list->count = k + 1;
        MN_TRY(mn_node_put(r->arena, *resolved, map->keys[k]->value, written));
    }
    return MN_OK;
}

mn_status mn_read_things(mn_reader *r, const mn_node *root, mn_node **named)
{
    for (int k = 0; k < THING_COUNT; k++) {
        const mn_setting *s = mn_section_find(&mn_section_scene, things[k].key);
        MN_TRY(read_map(r, &things[k], s, mn_node_find(root, s->key), &named[s - scene_rows]));
    }
    return MN_OK;
}

mn_status mn_find_thing(mn_reader *r, const mn_node *name, const char *word, const void **out)
{
    const mn_thing *t = things;
    while (strcmp(t->word, word) != 0) t++;
    const mn_things *list  = list_of(r->data, t);
    const char     **names = mn_arena_array(r->arena, const char *, list->count + 1);
    char             hint[MN_HINT_BYTES];
    if (names == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < list->count; k++) {
        names[k] = entry_of(list, t, k);
        if (out != NULL) *out = names[k];
        if (strcmp(names[k], name->value) == 0) return MN_OK;
    }
    names[list->count] = NULL;
    mn_spelling_hint(name->value, names, hint);
    return mn_fail_at(r->context, name->place, "there is no %s '%s'%s", word, name->value, hint);
}

// --- building and freeing --------------------------------------------------------------------------------------------

mn_status mn_add_things(mn_context *context, const mn_scene_data *data, const mn_node *root, mn_world *world)
{
    for (int i = 0; i < THING_COUNT; i++) {
        const mn_thing  *t    = &things[i];
        const mn_things *list = (const mn_things *)(const void *)((const char *)data + t->at);
        for (int k = 0; k < list->count; k++) {
            mn_status status = mn_check_interrupt(context, "the making of the world");
            if (status == MN_OK) status = t->add(world, entry_of(list, t, k));
            if (status == MN_OK) continue;
            const mn_node *key = mn_node_find(root, t->key)->keys[k];
            return mn_fail_behind(context, key->place, status, key->value);
        }
    }
    return MN_OK;
}

void mn_release_things(mn_context *context, mn_scene_data *data)
{
    for (int i = 0; i < THING_COUNT; i++) {
        const mn_thing *t    = &things[i];
        mn_things      *list = list_of(data, t);
        for (int k = 0; t->release != NULL && k < list->count; k++) t->release(context, entry_of(list, t, k));
        list->count = 0;
    }
}
