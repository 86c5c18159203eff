// SPDX-License-Identifier: MPL-2.0
// scene/reader.h - the pieces that turn a tree of nodes into definitions, guided by the table.
//
// Everything read gives two results: the value in its struct, and a resolved node that says the same in scene text
// with every default written out. The resolved scene is made of those nodes.
#ifndef MN_SCENE_READER_H
#define MN_SCENE_READER_H

#include "defs/check.h"
#include "scene/merge.h"
#include "scene/node.h"
#include "scene/settings.h"

/// Something with a name that others refer to: read when it is first needed, so that the order in the file is free.
typedef struct mn_named {
    const char    *name;
    const mn_node *key, *node;  ///< where it is written
    enum { MN_NAMED_UNREAD, MN_NAMED_READING, MN_NAMED_READ } state;
    const mn_node *resolved;
    union {
        mn_shape        *shape;
        mn_motion_def    motion;
        mn_material_data material;
    } data;
} mn_named;

typedef struct mn_named_list {
    mn_named *items;
    int64_t   count, capacity;  ///< heap, because built-in materials join while others are being read
} mn_named_list;

/// A shape made for the scene, and what limits its use.
typedef struct mn_made_shape {
    mn_shape *shape;
    int       parts, levels;  ///< simple shapes it is made of, and how deeply nested
    bool      flat;           ///< without volume
} mn_made_shape;

/// What a shape may be made of, counting parts behind names every time: each costs at every query.
#define MN_SHAPE_PARTS_MOST  4096
#define MN_SHAPE_LEVELS_MOST 32

typedef struct mn_reader {
    mn_context    *context;
    mn_arena      *arena;
    mn_scene_data *data;
    bool           files;  ///< whether the scene may name files
    mn_named_list  shapes, motions, materials;
    mn_made_shape *made;  ///< every shape made for this scene, released with it
    int64_t        made_count, made_capacity;
    uint64_t       shape_hash;                     ///< over everything made so far, file contents included
    int            shape_levels, material_levels;  ///< names being followed right now
} mn_reader;

/// Read a map by its section into the struct `base`. `map` NULL (or nothing) takes every default; `parent` is then
/// the place for messages.
mn_status mn_read_section(mn_reader *r, const mn_section *section, const mn_node *map, mn_place parent, void *base,
                          mn_node **resolved);
/// Which kind of a group a map is.
mn_status mn_read_group_kind(mn_reader *r, const mn_group *group, const mn_node *map, int *kind);
/// Read one value of a type that is neither section nor map of names.
mn_status mn_read_value(mn_reader *r, const mn_setting *s, const mn_node *node, void *base, mn_node **resolved);

mn_status mn_read_shape(mn_reader *r, const mn_node *node, mn_shape **out, mn_node **resolved);
mn_status mn_read_shape_list(mn_reader *r, const mn_setting *s, const mn_node *node, mn_shape_def *def,
                             mn_node **resolved);
mn_status mn_read_motion(mn_reader *r, const mn_node *node, mn_motion_def *out, mn_node **resolved);
mn_status mn_read_motion_keys(mn_reader *r, const mn_setting *s, const mn_node *node, mn_motion_def *def,
                              mn_node **resolved);
mn_status mn_read_liquid_material(mn_reader *r, const mn_node *node, mn_liquid_material *out, mn_node **resolved);
mn_status mn_read_fabric_material(mn_reader *r, const mn_node *node, mn_fabric_material *out, mn_node **resolved);
/// Textile data of a fabric become the numbers the library takes; *resolved is then written in those. `own` is what the
/// material says itself, `map` is that and what it takes over by `from`.
mn_status mn_settle_fabric_material(mn_reader *r, const mn_node *own, const mn_node *map, mn_material_data *data,
                                    mn_node **resolved);
mn_status mn_read_stiffness(mn_reader *r, const mn_setting *s, const mn_node *node, mn_pin_def *out,
                            mn_node **resolved);
mn_status mn_read_name_pair(mn_reader *r, const mn_setting *s, const mn_node *node, char out[2][MN_NAME_BYTES],
                            mn_node **resolved);
mn_status mn_read_pairs(mn_reader *r, const mn_setting *s, const mn_node *node, mn_node **resolved);
mn_status mn_read_pigments(mn_reader *r, const mn_setting *s, const mn_node *node, mn_stain_entry *out,
                           mn_node **resolved);
/// The pigment that a name stands for.
mn_status mn_read_pigment(mn_reader *r, const mn_node *name, mn_pigment *out);
/// A map from pigments to concentrations; `out` may be NULL.
mn_status mn_read_solutes(mn_reader *r, const mn_setting *s, const mn_node *node, mn_solutes *out, mn_node **resolved);

/// Read everything with a name, whether it is used or not; *resolved is a map of all of them.
mn_status mn_read_shapes(mn_reader *r, const mn_node *map, mn_node **resolved);
mn_status mn_read_motions(mn_reader *r, const mn_node *map, mn_node **resolved);
/// What was noted when a shape was made.
const mn_made_shape *mn_find_made(const mn_reader *r, const mn_shape *shape);
/// Materials: collect the names first; the map of all that are written or used is made last.
mn_status mn_index_materials(mn_reader *r, const mn_node *map);
mn_status mn_resolve_materials(mn_reader *r, mn_node **resolved);

/// Built-in materials, written in the scene language; ended by an entry without name.
typedef struct mn_builtin_material {
    const char *name, *text;
} mn_builtin_material;
extern const mn_builtin_material mn_builtin_materials[];

/// Collect the names of a map of names into a list.
mn_status mn_index_names(mn_reader *r, const char *what, const mn_node *map, mn_named_list *list);
mn_named *mn_find_named(const mn_named_list *list, const char *name);
/// Names of a list as words for a hint, from the arena.
mn_status mn_names_of(mn_reader *r, const mn_named_list *list, const char *const *more, const char *const **out);
/// Names are made of letters, digits, '_' and '-': they become names of files and of keys on the command line.
mn_status mn_check_name(mn_reader *r, const mn_node *key);

/// Number as the shortest text that reads back to the same bits; angles in degrees if that is possible.
#define MN_NUMBER_BYTES 48
void     mn_number_text(double value, char out[MN_NUMBER_BYTES]);
void     mn_setting_number_text(const mn_setting *s, double value, char out[MN_NUMBER_BYTES]);
mn_node *mn_plain_node(mn_reader *r, mn_place place, const char *text);
mn_node *mn_quoted_node(mn_reader *r, mn_place place, const char *text);

/// Path of a file written at `place`, to be opened from the working folder. From the arena; NULL without memory.
const char *mn_path_from(mn_arena *arena, mn_place place, const char *path);

/// The mesh of a fabric whose section has been read.
mn_status mn_make_fabric_mesh(mn_reader *r, mn_fabric_entry *fabric, const mn_node *map);
/// Pairs name materials; to be called when those are indexed.
mn_status mn_check_pairs(mn_reader *r, const mn_node *list);
/// What the pairs of the scene say about a fabric and the liquid of the scene.
void mn_apply_pairs(const mn_reader *r, mn_fabric_material *material);
/// The material of a name, brought in if it is a built-in one.
mn_status mn_read_material_kind(mn_reader *r, const mn_node *name, mn_material_kind *kind);
/// The liquid that fabrics of the scene get wet with: that of its liquids, or water.
mn_liquid_material mn_scene_liquid(const mn_reader *r);

mn_status mn_read_evaporation(mn_reader *r, const mn_setting *s, const mn_node *node, double *out, mn_node **resolved);
/// Saturation and solid fraction of every vertex of a fabric whose mesh and groups are made.
mn_status mn_read_wetness(mn_reader *r, mn_fabric_entry *fabric, const mn_node *map, mn_node *resolved);
mn_status mn_check_vertex_group(mn_reader *r, const mn_fabric_entry *fabric, const mn_node *key);

/// Checks of domain, time and camera that concern several settings at once; settles what follows from them.
mn_status mn_settle_domain(mn_reader *r, const mn_node *root);

/// Whether the values of a map fit each other; if not, the failure has the place of the value that is to change.
mn_status mn_check_fit(mn_reader *r, const mn_misfit *misfit, const mn_node *map);

#endif
