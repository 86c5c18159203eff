// SPDX-License-Identifier: MPL-2.0
// scene/things.h - the things of a scene: how each kind is read, put into a world, and freed.
#ifndef MN_SCENE_THINGS_H
#define MN_SCENE_THINGS_H

#include "scene/reader.h"

/// Read all things in the order of the keys of a scene, which is that in which they may name each other; `named` gets
/// the resolved map of each, at the place of its key.
mn_status mn_read_things(mn_reader *r, const mn_node *root, mn_node **named);
/// The entry of the thing ("fabric") that a name stands for, among those that are read. `out` may be NULL.
mn_status mn_find_thing(mn_reader *r, const mn_node *name, const char *word, const void **out);
/// Put all things into a world, in the same order. A failure has the place of the thing it is about.
mn_status mn_add_things(mn_context *context, const mn_scene_data *data, const mn_node *root, mn_world *world);
void      mn_release_things(mn_context *context, mn_scene_data *data);

// For each kind: what an entry is before it is read, and whether it may be here at all; then, when its rows are read,
// what they are to each other and to the rest of the scene.
mn_status mn_begin_obstacle(mn_reader *r, const mn_node *key, void *entry);
mn_status mn_finish_obstacle(mn_reader *r, const mn_node *node, void *entry, mn_node *resolved);
mn_status mn_begin_liquid(mn_reader *r, const mn_node *key, void *entry);
mn_status mn_finish_liquid(mn_reader *r, const mn_node *node, void *entry, mn_node *resolved);
mn_status mn_begin_fabric(mn_reader *r, const mn_node *key, void *entry);
mn_status mn_finish_fabric(mn_reader *r, const mn_node *node, void *entry, mn_node *resolved);
void      mn_release_fabric(mn_context *context, void *entry);
mn_status mn_begin_stain(mn_reader *r, const mn_node *key, void *entry);
mn_status mn_finish_stain(mn_reader *r, const mn_node *node, void *entry, mn_node *resolved);
void      mn_release_stain(mn_context *context, void *entry);
mn_status mn_begin_probe(mn_reader *r, const mn_node *key, void *entry);
mn_status mn_finish_probe(mn_reader *r, const mn_node *node, void *entry, mn_node *resolved);

#endif
