// SPDX-License-Identifier: MPL-2.0
// scene/load.h - from a source to one tree: files, includes, variants, --set.
#ifndef MN_SCENE_LOAD_H
#define MN_SCENE_LOAD_H

#include "scene/reader.h"

/// The whole tree of a scene with its includes, the chosen variant and the settings of the command line.
mn_status mn_load_tree(mn_reader *r, const mn_scene_source *source, mn_node **out);

/// The chosen variant and the settings of the command line laid over `root`; also checks the keys of every variant.
mn_status mn_apply_changes(mn_reader *r, const mn_scene_source *source, mn_node *root, mn_node **out);

/// mn_scene_load, with a say in whether the scene may name files at all.
mn_status mn_scene_load_files(mn_context *context, const mn_scene_source *source, bool files, mn_scene **out);

#endif
