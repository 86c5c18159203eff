// SPDX-License-Identifier: MPL-2.0
// scene/node.h - a scene as a tree of texts, lists and maps, each knowing the place it was written at.
#ifndef MN_SCENE_NODE_H
#define MN_SCENE_NODE_H

#include "base/arena.h"

/// A text scenes are read from. Paths written in it are relative to `folder` ("" is the working folder).
typedef struct mn_scene_text {
    const char *name, *folder;
} mn_scene_text;

/// Lines and columns count from 1.
typedef struct mn_place {
    const mn_scene_text *text;
    int                  line, column;
} mn_place;

typedef enum mn_node_kind { MN_NODE_TEXT, MN_NODE_LIST, MN_NODE_MAP } mn_node_kind;

/// Nodes are not changed once they are complete, so that aliases and merged maps may share them.
typedef struct mn_node {
    mn_node_kind     kind;
    bool             quoted;  ///< of a text: written in quotes (or to be written so)
    int              count;   ///< items of a list or map
    int              height;  ///< levels below and including this one
    int64_t          weight;  ///< nodes below and including this one, shared ones counted every time
    mn_place         place;
    const char      *value;  ///< of a text
    struct mn_node **items;  ///< of a list or map
    struct mn_node **keys;   ///< of a map: texts
} mn_node;

/// A text node with a copy of `value`; NULL without memory.
mn_node *mn_node_text(mn_arena *arena, mn_place place, const char *value, size_t bytes);
/// An empty list or map.
mn_node *mn_node_branch(mn_arena *arena, mn_place place, mn_node_kind kind);
/// Append to a list (key NULL) or map. Items are doubled in the arena as they grow.
mn_status mn_node_add(mn_arena *arena, mn_node *branch, mn_node *key, mn_node *item);
/// Append to a map under a key made from a string.
mn_status mn_node_put(mn_arena *arena, mn_node *map, const char *key, mn_node *item);

/// Place of `key` among the keys of a map, or -1.
int mn_node_index(const mn_node *map, const char *key);
/// The value under `key`, or NULL. Accepts a NULL map.
mn_node *mn_node_find(const mn_node *map, const char *key);
/// Whether the node stands for nothing: an unquoted "", "~" or "null".
bool        mn_node_is_nothing(const mn_node *node);
bool        mn_node_is_word(const mn_node *node, const char *word);
const char *mn_node_kind_text(const mn_node *node);  ///< "a list", "a map", "a text" or "nothing"

/// Fail with "file:line:column: sentence".
mn_status mn_fail_at(mn_context *context, mn_place place, const char *format, ...) MN_PRINTF(3, 4);
/// Turn the error that a callee left into one with a place; out of memory stays what it is.
mn_status mn_fail_behind(mn_context *context, mn_place place, mn_status status, const char *what);

/// Letters changed, left out, added or swapped between two words.
int mn_edit_distance(const char *a, const char *b);
/// ": did you mean 'cell'?", or the whole list of words when none is near. `words` ends with NULL.
#define MN_HINT_BYTES 600
void mn_spelling_hint(const char *wrong, const char *const *words, char out[MN_HINT_BYTES]);

/// Printable beginning of a user's text, for messages.
#define MN_EXCERPT_BYTES 48
const char *mn_excerpt(const char *text, char out[MN_EXCERPT_BYTES]);

#endif
