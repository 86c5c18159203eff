// SPDX-License-Identifier: MPL-2.0
// scene/yaml.h - from YAML text to a tree of nodes.
#ifndef MN_SCENE_YAML_H
#define MN_SCENE_YAML_H

#include "scene/node.h"

#define MN_SCENE_BYTES_MOST ((size_t)16 << 20)  ///< of one file
#define MN_SCENE_DEPTH_MOST 64                  ///< levels of lists and maps
#define MN_SCENE_NODES_MOST 500000              ///< values of one scene, counting aliases as often as they are used
#define MN_SCENE_KEYS_MOST  4096                ///< keys of one map

/// Read one document. `first_column` is the column of the first byte, for texts that are part of a line (--set).
/// Refused with a place: bytes that are not UTF-8 text, several documents, tags, merge keys, repeated keys, too
/// much of anything. *out is NULL for an empty document.
mn_status mn_yaml_read(mn_context *context, mn_arena *arena, const mn_scene_text *text, const char *bytes, size_t count,
                       int first_column, mn_node **out);

#endif
