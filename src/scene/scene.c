// SPDX-License-Identifier: MPL-2.0
// scene/scene.c - the life of a scene: load, look at, build a world, destroy.
#include "base/hash.h"
#include "base/locale.h"
#include "scene/load.h"
#include "scene/start.h"
#include "scene/text.h"
#include "scene/things.h"
#include "scene/yaml.h"
#include "world/state.h"

#include <string.h>

struct mn_scene {
    mn_context    *context;
    mn_arena      *arena;
    mn_scene_data  data;
    mn_reader      reader;  // keeps the shapes
    const mn_node *root;    // as written, for the places of objects
    char          *resolved;
    uint64_t       identity;
};

// --- reading ---------------------------------------------------------------------------------------------------------

static int row_of(const char *key)
{
    return (int)(mn_section_find(&mn_section_scene, key) - mn_section_scene.settings);
}

/// Everything with a name, in the order in which it can be understood; `named` holds one resolved map per row.
static mn_status read_named(mn_reader *r, const mn_node *root, mn_node **named)
{
    MN_TRY(mn_index_materials(r, mn_node_find(root, "materials")));
    MN_TRY(mn_check_pairs(r, mn_node_find(root, "pairs")));
    MN_TRY(mn_read_shapes(r, mn_node_find(root, "shapes"), &named[row_of("shapes")]));
    MN_TRY(mn_read_motions(r, mn_node_find(root, "motions"), &named[row_of("motions")]));
    MN_TRY(mn_read_things(r, root, named));
    // Last, because liquids and fabrics bring in built-in materials.
    return mn_resolve_materials(r, &named[row_of("materials")]);
}

/// Where fabric and liquid may meet, the fields of wet fabric are written unless the scene says what it wants.
static mn_status settle_output(mn_reader *r, const mn_node *root, mn_node *plain)
{
    static const struct {
        mn_output_field field;
        const char     *word;
    } of_wet[]                     = { { MN_OUTPUT_SATURATION, "saturation" },
                                       { MN_OUTPUT_SOLID_FRACTION, "solid_fraction" },
                                       { MN_OUTPUT_HELD, "held" } };
    const mn_liquid_def   *liquids = r->data->liquids.items;
    const mn_fabric_entry *fabrics = r->data->fabrics.items;
    bool                   wet     = false;
    if (r->data->fabrics.count == 0 || mn_node_find(mn_node_find(root, "output"), "fields") != NULL) return MN_OK;
    for (int k = 0; k < r->data->liquids.count; k++) wet = wet || liquids[k].role != MN_LIQUID_SINK;
    for (int k = 0; k < r->data->fabrics.count; k++) wet = wet || fabrics[k].def.saturation != NULL;
    if (!wet) return MN_OK;
    mn_node *fields = mn_node_find(mn_node_find(plain, "output"), "fields");
    for (int k = 0; k < 3; k++) {
        r->data->output.field[of_wet[k].field] = true;
        mn_node *word                          = mn_plain_node(r, fields->place, of_wet[k].word);
        if (word == NULL) return MN_ERR_MEMORY;
        MN_TRY(mn_node_add(r->arena, fields, NULL, word));
    }
    return MN_OK;
}

static mn_status read_scene(mn_reader *r, const mn_node *root, mn_node **out)
{
    mn_node *plain, *named[32] = { NULL };
    MN_ASSERT(mn_section_scene.count <= 32);
    MN_TRY(mn_read_section(r, &mn_section_scene, root, root->place, r->data, &plain));
    MN_TRY(mn_settle_domain(r, root));
    MN_TRY(read_named(r, root, named));
    MN_TRY(settle_output(r, root, plain));
    *out = mn_node_branch(r->arena, root->place, MN_NODE_MAP);
    if (*out == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < mn_section_scene.count; k++) {
        const char *key   = mn_section_scene.settings[k].key;
        mn_node    *value = named[k] != NULL ? named[k] : mn_node_find(plain, key);
        if (value != NULL) MN_TRY(mn_node_put(r->arena, *out, key, value));
    }
    return MN_OK;
}

// --- what follows from the resolved scene ----------------------------------------------------------------------------

/// Copy of a map without the keys that do not steer the simulation.
static mn_status without(mn_arena *arena, const mn_node *map, const char *const *keys, mn_node **out)
{
    *out = mn_node_branch(arena, map->place, MN_NODE_MAP);
    if (*out == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < map->count; k++) {
        bool dropped = false;
        for (int j = 0; keys[j] != NULL; j++) dropped = dropped || strcmp(keys[j], map->keys[k]->value) == 0;
        if (!dropped) MN_TRY(mn_node_add(arena, *out, map->keys[k], map->items[k]));
    }
    return MN_OK;
}

static mn_status find_identity(mn_scene *s, const mn_node *resolved)
{
    static const char *const not_steering[] = { "name", "description", "output", "camera", "time", NULL };
    static const char *const not_timing[]   = { "end", NULL };
    mn_node                 *steering, *timing;
    char                    *text;
    mn_text                  t = { .context = s->context };
    MN_TRY(without(s->arena, resolved, not_steering, &steering));
    MN_TRY(without(s->arena, mn_node_find(resolved, "time"), not_timing, &timing));
    mn_text_add_scene(&t, steering, true);
    mn_text_add_scene(&t, timing, true);
    MN_TRY(mn_text_finish(&t, &text));
    s->identity = mn_hash_mix(mn_hash_bytes(MN_HASH_SEED, text, strlen(text)) ^ s->reader.shape_hash);
    mn_free(s->context, text);
    return MN_OK;
}

/// The resolved scene, with every default written out, must itself be a scene that can be read.
static mn_status check_resolved(mn_scene *s, const mn_node *root, const mn_node *resolved)
{
    const size_t bytes = strlen(s->resolved);
    if (resolved->weight > MN_SCENE_NODES_MOST) {
        return mn_fail_at(s->context, root->place,
                          "the scene would hold %lld values with every default written out; at most %d are possible",
                          (long long)resolved->weight, MN_SCENE_NODES_MOST);
    }
    if (resolved->height > MN_SCENE_DEPTH_MOST) {
        return mn_fail_at(s->context, root->place,
                          "with every default written out the scene would be nested deeper than %d levels",
                          MN_SCENE_DEPTH_MOST);
    }
    if (bytes > MN_SCENE_BYTES_MOST) {
        return mn_fail_at(s->context, root->place,
                          "the scene would have %zu bytes with every default written out; at most %zu are possible",
                          bytes, MN_SCENE_BYTES_MOST);
    }
    return MN_OK;
}

static mn_status load(mn_scene *s, const mn_scene_source *source, bool files)
{
    s->data.domain.dimension = 3;  // until the scene says otherwise
    s->reader                = (mn_reader){ .context    = s->context,
                                            .arena      = s->arena,
                                            .data       = &s->data,
                                            .files      = files,
                                            .shape_hash = MN_HASH_SEED };
    mn_node *root, *resolved;
    MN_TRY(mn_load_tree(&s->reader, source, &root));
    s->root = root;
    MN_TRY(read_scene(&s->reader, root, &resolved));
    MN_TRY(find_identity(s, resolved));
    mn_text t = { .context = s->context };
    mn_text_add_scene(&t, resolved, false);
    MN_TRY(mn_text_finish(&t, &s->resolved));
    return check_resolved(s, root, resolved);
}

mn_status mn_scene_load_files(mn_context *context, const mn_scene_source *source, bool files, mn_scene **out)
{
    *out = NULL;
    if (source->path == NULL && source->text == NULL)
        return mn_fail(context, MN_ERR_ARGUMENT, "a scene source needs a path or a text");
    if (source->set_count < 0 || (source->set_count > 0 && source->set == NULL)) {
        return mn_fail(context, MN_ERR_ARGUMENT, "the %d settings of a scene source are missing", source->set_count);
    }
    mn_scene *s = mn_alloc(context, sizeof *s);
    if (s == NULL) return MN_ERR_MEMORY;
    s->context       = context;
    mn_status status = mn_arena_create(context, &s->arena);
    if (status == MN_OK) {
        const mn_plain_locale plain = mn_plain_locale_begin();
        status                      = load(s, source, files);
        mn_plain_locale_end(plain);
    }
    if (status == MN_OK) {
        *out = s;
    } else {
        mn_scene_destroy(&s);
    }
    return status;
}

mn_status mn_scene_load(mn_context *context, const mn_scene_source *source, mn_scene **out)
{
    return mn_scene_load_files(context, source, true, out);
}

void mn_scene_destroy(mn_scene **scene)
{
    mn_scene *s = *scene;
    if (s == NULL) return;
    for (int64_t k = s->reader.made_count - 1; k >= 0; k--) mn_shape_release(&s->reader.made[k].shape);
    mn_release_things(s->context, &s->data);
    mn_free(s->context, s->reader.made);
    mn_free(s->context, s->reader.shapes.items);
    mn_free(s->context, s->reader.motions.items);
    mn_free(s->context, s->reader.materials.items);
    mn_free(s->context, s->resolved);
    mn_arena_destroy(&s->arena);
    mn_free(s->context, s);
    *scene = NULL;
}

// --- building --------------------------------------------------------------------------------------------------------

mn_status mn_scene_build(mn_scene *s, mn_world **out)
{
    *out             = NULL;
    mn_world_def def = mn_world_def_default();
    def.domain       = s->data.domain;
    def.time         = s->data.time;
    def.solver       = s->data.solver;
    def.wind         = s->data.wind;
    mn_world *world  = NULL;
    mn_status status = mn_world_create(s->context, &def, &world);
    if (status != MN_OK)
        return mn_fail_behind(s->context, s->root->place, status, "the world of this scene cannot be made");
    mn_world_set_identity(world, s->identity);
    status = mn_add_things(s->context, &s->data, s->root, world);
    if (status == MN_OK) status = mn_scene_look_at_start(s->context, &s->data, s->root, world);
    if (status == MN_OK) {
        *out = world;
    } else {
        mn_world_destroy(&world);
    }
    return status;
}

// --- looking ---------------------------------------------------------------------------------------------------------

const char *mn_scene_name(const mn_scene *s) { return s->data.name; }

const char *mn_scene_resolved(const mn_scene *s) { return s->resolved; }

uint64_t mn_scene_identity(const mn_scene *s) { return s->identity; }

mn_domain_def mn_scene_domain(const mn_scene *s) { return s->data.domain; }

mn_time_def mn_scene_time(const mn_scene *s) { return s->data.time; }

mn_output_def mn_scene_output(const mn_scene *s) { return s->data.output; }

mn_camera_def mn_scene_camera(const mn_scene *s) { return s->data.camera; }

int mn_scene_fabric_count(const mn_scene *s) { return s->data.fabrics.count; }

const mn_fabric_def *mn_scene_fabric(const mn_scene *s, int fabric)
{
    const mn_fabric_entry *fabrics = s->data.fabrics.items;
    return &fabrics[fabric].def;
}

void mn_scene_liquid_colour(const mn_scene *s, double colour[3])
{
    const mn_liquid_material liquid = mn_scene_liquid(&s->reader);
    memcpy(colour, liquid.colour, sizeof liquid.colour);
}

int mn_scene_pigments(const mn_scene *s, const mn_pigment **out, int most)
{
    const mn_liquid_def  *liquids = s->data.liquids.items;
    const mn_stain_entry *stains  = s->data.stains.items;
    int                   count   = 0;
    for (int k = 0; k < s->data.liquids.count; k++) {
        const mn_solutes *brought = &liquids[k].material.solutes;
        for (int p = 0; p < brought->count && count < most; p++) out[count++] = &brought->pigment[p];
    }
    for (int k = 0; k < s->data.stains.count; k++)
        for (int p = 0; p < stains[k].def.pigment_count && count < most; p++) out[count++] = &stains[k].pigments[p];
    return count;
}

void mn_text_free(mn_context *context, char **text)
{
    mn_free(context, *text);
    *text = NULL;
}
