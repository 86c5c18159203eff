// SPDX-License-Identifier: MPL-2.0
// scene/text.h - a text that grows, and scenes written into it.
#ifndef MN_SCENE_TEXT_H
#define MN_SCENE_TEXT_H

#include "scene/node.h"

/// Start from { .context = ... }. After a failed addition the rest is ignored, so that one check at the end is enough.
typedef struct mn_text {
    mn_context *context;
    char       *bytes;
    int64_t     count, capacity;
    bool        failed;
} mn_text;

void mn_text_add(mn_text *text, const char *format, ...) MN_PRINTF(2, 3);
void mn_text_add_bytes(mn_text *text, const char *bytes, size_t count);
/// In double quotes, with escapes that YAML and JSON share.
void mn_text_add_quoted(mn_text *text, const char *value);
/// Hand the text over (to be freed with mn_free), or free it and return MN_ERR_MEMORY if an addition failed.
mn_status mn_text_finish(mn_text *text, char **out);

/// Write a map as YAML in block style, lists in flow style. With `without_files` the paths of meshes are left empty.
void mn_text_add_scene(mn_text *text, const mn_node *map, bool without_files);

#endif
