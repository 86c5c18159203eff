// SPDX-License-Identifier: MPL-2.0
// scene/text.c - a text that grows, and scenes written into it.
#include "scene/text.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

void mn_text_add_bytes(mn_text *t, const char *bytes, size_t count)
{
    if (t->failed) return;
    if (mn_array_reserve(t->context, &t->bytes, &t->capacity, t->count + (int64_t)count + 1, 1) != MN_OK) {
        t->failed = true;
        return;
    }
    memcpy(t->bytes + t->count, bytes, count);
    t->count += (int64_t)count;
    t->bytes[t->count] = '\0';
}

void mn_text_add(mn_text *t, const char *format, ...)
{
    char    piece[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    MN_ASSERT(strlen(piece) < sizeof piece - 1);  // longer texts, of users, go through mn_text_add_bytes
    mn_text_add_bytes(t, piece, strlen(piece));
}

void mn_text_add_quoted(mn_text *t, const char *value)
{
    mn_text_add_bytes(t, "\"", 1);
    for (const char *at = value; *at != '\0'; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c == '"' || c == '\\') {
            mn_text_add(t, "\\%c", c);
        } else if (c == '\n') {
            mn_text_add_bytes(t, "\\n", 2);
        } else if (c == '\t') {
            mn_text_add_bytes(t, "\\t", 2);
        } else if (c < 0x20 || c == 0x7f) {
            mn_text_add(t, "\\u%04x", c);
        } else if (c == 0xc2 && (unsigned char)at[1] >= 0x80 && (unsigned char)at[1] < 0xa0) {
            mn_text_add(t, "\\u%04x", (unsigned char)*++at);  // control characters of Latin-1, which YAML refuses
        } else if (strncmp(at, "\xe2\x80\xa8", 3) == 0 || strncmp(at, "\xe2\x80\xa9", 3) == 0) {
            mn_text_add(t, at[2] == '\xa8' ? "\\u2028" : "\\u2029");  // YAML folds these as ends of lines
            at += 2;
        } else if (strncmp(at, "\xef\xbb\xbf", 3) == 0) {
            mn_text_add(t, "\\ufeff");  // a byte order mark is refused inside a scene
            at += 2;
        } else if (strncmp(at, "\xef\xbf\xbe", 3) == 0 || strncmp(at, "\xef\xbf\xbf", 3) == 0) {
            mn_text_add(t, at[2] == '\xbe' ? "\\ufffe" : "\\uffff");
            at += 2;
        } else {
            mn_text_add_bytes(t, at, 1);
        }
    }
    mn_text_add_bytes(t, "\"", 1);
}

mn_status mn_text_finish(mn_text *t, char **out)
{
    mn_text_add_bytes(t, "", 0);
    *out = t->failed ? NULL : t->bytes;
    if (t->failed) mn_free(t->context, t->bytes);
    t->bytes = NULL;
    return t->failed ? MN_ERR_MEMORY : MN_OK;
}

// --- scenes ----------------------------------------------------------------------------------------------------------

/// A value in flow style. `key` is the one it stands under, or NULL.
static void add_value(mn_text *t, const char *key, const mn_node *node, bool without_files)
{
    if (node->kind == MN_NODE_TEXT) {
        if (without_files && key != NULL && strcmp(key, "mesh") == 0) {
            mn_text_add(t, "\"\"");
        } else if (node->quoted) {
            mn_text_add_quoted(t, node->value);
        } else {
            mn_text_add_bytes(t, node->value, strlen(node->value));
        }
        return;
    }
    const bool is_map = node->kind == MN_NODE_MAP;
    mn_text_add(t, is_map ? "{" : "[");
    for (int k = 0; k < node->count; k++) {
        if (k > 0) mn_text_add(t, ", ");
        if (is_map) mn_text_add(t, "%s: ", node->keys[k]->value);
        add_value(t, is_map ? node->keys[k]->value : NULL, node->items[k], without_files);
    }
    mn_text_add(t, is_map ? "}" : "]");
}

static void add_map(mn_text *t, const mn_node *map, int indent, bool without_files)
{
    for (int k = 0; k < map->count; k++) {
        const mn_node *item = map->items[k];
        mn_text_add(t, "%*s%s:", indent, "", map->keys[k]->value);
        if (item->kind == MN_NODE_MAP && item->count > 0) {
            mn_text_add(t, "\n");
            add_map(t, item, indent + 2, without_files);
            continue;
        }
        mn_text_add(t, " ");
        add_value(t, map->keys[k]->value, item, without_files);
        mn_text_add(t, "\n");
    }
}

void mn_text_add_scene(mn_text *t, const mn_node *map, bool without_files) { add_map(t, map, 0, without_files); }
