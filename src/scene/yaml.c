// SPDX-License-Identifier: MPL-2.0
// scene/yaml.c - from YAML text to a tree of nodes, over libyaml's events.
//
// An alias shares the node of its anchor. A tree of shared nodes can still be too large to walk (ten lines of aliases
// make billions of values), so every node knows its height and its weight with shared parts counted every time, and
// both are bounded while the tree grows.
#include "scene/yaml.h"

#include <string.h>
#include <yaml.h>

#define ANCHORS_MOST 256

typedef struct anchor {
    const char *name;
    mn_node    *node;  // NULL while its value is being read
} anchor;

typedef struct yaml_reader {
    mn_context          *context;
    mn_arena            *arena;
    const mn_scene_text *text;
    const char          *bytes;
    size_t               count;
    int                  first_column;
    yaml_parser_t        parser;
    int64_t              nodes;
    int                  anchor_count;
    anchor               anchors[ANCHORS_MOST];
} yaml_reader;

static mn_place place_of(const yaml_reader *r, yaml_mark_t mark)
{
    const int line   = mark.line < 1000000000 ? (int)mark.line : 1000000000;
    const int column = mark.column < 1000000000 ? (int)mark.column : 1000000000;
    return (mn_place){ r->text, line + 1, column + (line == 0 ? r->first_column : 1) };
}

// --- the bytes themselves ------------------------------------------------------------------------------------------

/// Bytes of the UTF-8 character at `at` and its code; 0 if the bytes are not UTF-8.
static int decode(const unsigned char *at, size_t left, uint32_t *code)
{
    const int n = at[0] < 0x80                    ? 1
                  : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                  : (at[0] & 0xf0) == 0xe0        ? 3
                  : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
                                                  : 0;
    if (n == 0 || (size_t)n > left) return 0;
    *code = n == 1 ? at[0] : at[0] & (0x7fu >> n);
    for (int k = 1; k < n; k++) {
        if ((at[k] & 0xc0) != 0x80) return 0;
        *code = *code << 6 | (at[k] & 0x3fu);
    }
    const bool overlong  = (n == 3 && *code < 0x800) || (n == 4 && *code < 0x10000);
    const bool surrogate = *code >= 0xd800 && *code < 0xe000;
    return overlong || surrogate || *code > 0x10ffff ? 0 : n;
}

static bool is_text(uint32_t code)
{
    if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
    return code != 0x7f && (code < 0x80 || code > 0x9f || code == 0x85) && code != 0xfffe && code != 0xffff;
}

/// libyaml reports such bytes without a line; a scene that is a picture or an archive ends here.
static mn_status check_bytes(yaml_reader *r)
{
    const unsigned char *at    = (const unsigned char *)r->bytes;
    mn_place             place = { r->text, 1, r->first_column };
    size_t               k     = 0;
    while (k < r->count) {
        uint32_t  code = 0;
        const int n    = decode(at + k, r->count - k, &code);
        if (n == 0)
            return mn_fail_at(r->context, place, "the byte 0x%02x is not UTF-8 text: this is not a scene file", at[k]);
        if (!is_text(code)) {
            return mn_fail_at(r->context, place, "the control character 0x%02x does not belong into a scene file",
                              (unsigned)code);
        }
        if (code == 0xfeff) return mn_fail_at(r->context, place, "a byte order mark may stand at the very start only");
        place.column++;
        if (code == '\n') {
            place.line++;
            place.column = 1;
        }
        k += (size_t)n;
    }
    return MN_OK;
}

// --- events ----------------------------------------------------------------------------------------------------------

/// Whether the line of the mark has a tab among its leading blanks. (The index of a mark counts characters, not bytes.)
static bool indented_by_tab(const yaml_reader *r, yaml_mark_t mark)
{
    size_t at = 0;
    for (size_t line = 0; line < mark.line; line++) {
        const char *end = memchr(r->bytes + at, '\n', r->count - at);
        if (end == NULL) return false;
        at = (size_t)(end - r->bytes) + 1;
    }
    for (; at < r->count && (r->bytes[at] == ' ' || r->bytes[at] == '\t'); at++) {
        if (r->bytes[at] == '\t') return true;
    }
    return false;
}

static mn_status parser_failure(yaml_reader *r)
{
    const yaml_parser_t *p = &r->parser;
    if (p->error == YAML_MEMORY_ERROR) return mn_fail_memory(r->context, r->count);
    const mn_place place = place_of(r, p->problem_mark);
    if (indented_by_tab(r, p->problem_mark))
        return mn_fail_at(r->context, place, "a tab cannot indent a line; use spaces");
    const char *problem = p->problem != NULL ? p->problem : "the text is not YAML";
    if (p->context == NULL) return mn_fail_at(r->context, place, "%s", problem);
    const mn_place begun = place_of(r, p->context_mark);
    return mn_fail_at(r->context, place, "%s (%s that began at line %d, column %d)", problem, p->context, begun.line,
                      begun.column);
}

static mn_status next_event(yaml_reader *r, yaml_event_t *event)
{
    return yaml_parser_parse(&r->parser, event) ? MN_OK : parser_failure(r);
}

static mn_status count_node(yaml_reader *r, mn_place place, int64_t weight)
{
    r->nodes += weight;
    if (r->nodes <= MN_SCENE_NODES_MOST) return MN_OK;
    return mn_fail_at(r->context, place, "the scene holds more than %d values (aliases count every time)",
                      MN_SCENE_NODES_MOST);
}

static mn_status reserve_anchor(yaml_reader *r, mn_place place, const yaml_char_t *name, anchor **out)
{
    *out = NULL;
    if (name == NULL) return MN_OK;
    if (r->anchor_count == ANCHORS_MOST)
        return mn_fail_at(r->context, place, "the scene has more than %d anchors", ANCHORS_MOST);
    const mn_node *copy = mn_node_text(r->arena, place, (const char *)name, strlen((const char *)name));
    if (copy == NULL) return MN_ERR_MEMORY;
    *out  = &r->anchors[r->anchor_count++];
    **out = (anchor){ .name = copy->value };
    return MN_OK;
}

static mn_status read_alias(yaml_reader *r, const yaml_event_t *event, int depth, mn_node **out)
{
    const char    *name  = (const char *)event->data.alias.anchor;
    const mn_place place = place_of(r, event->start_mark);
    for (int k = r->anchor_count - 1; k >= 0; k--) {
        mn_node *node = r->anchors[k].node;
        if (strcmp(r->anchors[k].name, name) != 0) continue;
        if (node == NULL) return mn_fail_at(r->context, place, "the alias '*%.40s' stands inside its own anchor", name);
        if (depth + node->height > MN_SCENE_DEPTH_MOST) {
            return mn_fail_at(r->context, place, "lists and maps are nested deeper than %d levels",
                              MN_SCENE_DEPTH_MOST);
        }
        *out = node;
        return count_node(r, place, node->weight);
    }
    return mn_fail_at(r->context, place, "the alias '*%.40s' has no anchor '&%.40s' before it", name, name);
}

static mn_status refuse_tag(yaml_reader *r, mn_place place, const yaml_char_t *tag)
{
    if (tag == NULL) return MN_OK;
    return mn_fail_at(r->context, place, "the tag '%.60s' is not part of the scene language", (const char *)tag);
}

static mn_status read_text(yaml_reader *r, const yaml_event_t *event, mn_node **out)
{
    const mn_place place = place_of(r, event->start_mark);
    const char    *value = (const char *)event->data.scalar.value;
    const size_t   bytes = event->data.scalar.length;
    MN_TRY(refuse_tag(r, place, event->data.scalar.tag));
    if (memchr(value, '\0', bytes) != NULL) return mn_fail_at(r->context, place, "the text holds a zero character");
    MN_TRY(count_node(r, place, 1));
    anchor *named;
    MN_TRY(reserve_anchor(r, place, event->data.scalar.anchor, &named));
    *out = mn_node_text(r->arena, place, value, bytes);
    if (*out == NULL) return MN_ERR_MEMORY;
    (*out)->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    if (named != NULL) named->node = *out;
    return MN_OK;
}

static mn_status read_branch(yaml_reader *r, const yaml_event_t *start, int depth, mn_node **out);

static mn_status read_node(yaml_reader *r, const yaml_event_t *event, int depth, mn_node **out)
{
    if (event->type == YAML_ALIAS_EVENT) return read_alias(r, event, depth, out);
    if (event->type == YAML_SCALAR_EVENT) return read_text(r, event, out);
    return read_branch(r, event, depth, out);
}

/// Read the node that the next event begins; *out stays NULL if the event is `end`.
static mn_status read_next(yaml_reader *r, yaml_event_type_t end, int depth, mn_node **out)
{
    yaml_event_t event;
    *out = NULL;
    MN_TRY(next_event(r, &event));
    const mn_status status = event.type == end ? MN_OK : read_node(r, &event, depth, out);
    yaml_event_delete(&event);
    return status;
}

static mn_status check_key(yaml_reader *r, const mn_node *map, const mn_node *key)
{
    char excerpt[MN_EXCERPT_BYTES];
    if (key->kind != MN_NODE_TEXT)
        return mn_fail_at(r->context, key->place, "a key must be a word, not %s", mn_node_kind_text(key));
    if (strcmp(key->value, "<<") == 0) {
        return mn_fail_at(r->context, key->place,
                          "the merge key '<<' is not part of the scene language; use 'include' or 'from'");
    }
    const int before = mn_node_index(map, key->value);
    if (before >= 0) {
        return mn_fail_at(r->context, key->place, "the key '%s' is repeated; it stands already on line %d",
                          mn_excerpt(key->value, excerpt), map->keys[before]->place.line);
    }
    if (map->count == MN_SCENE_KEYS_MOST)
        return mn_fail_at(r->context, key->place, "a map may hold %d keys at most", MN_SCENE_KEYS_MOST);
    return MN_OK;
}

static mn_status read_items(yaml_reader *r, mn_node *branch, int depth)
{
    for (;;) {
        mn_node *key = NULL, *item = NULL;
        if (branch->kind == MN_NODE_MAP) {
            MN_TRY(read_next(r, YAML_MAPPING_END_EVENT, depth, &key));
            if (key == NULL) return MN_OK;
            MN_TRY(check_key(r, branch, key));
        }
        MN_TRY(read_next(r, YAML_SEQUENCE_END_EVENT, depth, &item));
        if (item == NULL) return MN_OK;
        MN_TRY(mn_node_add(r->arena, branch, key, item));
    }
}

static mn_status read_branch(yaml_reader *r, const yaml_event_t *start, int depth, mn_node **out)
{
    const mn_place place  = place_of(r, start->start_mark);
    const bool     is_map = start->type == YAML_MAPPING_START_EVENT;
    if (depth >= MN_SCENE_DEPTH_MOST) {
        return mn_fail_at(r->context, place, "lists and maps are nested deeper than %d levels", MN_SCENE_DEPTH_MOST);
    }
    MN_TRY(refuse_tag(r, place, is_map ? start->data.mapping_start.tag : start->data.sequence_start.tag));
    MN_TRY(count_node(r, place, 1));
    anchor *named;
    MN_TRY(reserve_anchor(r, place, is_map ? start->data.mapping_start.anchor : start->data.sequence_start.anchor,
                          &named));
    mn_node *branch = mn_node_branch(r->arena, place, is_map ? MN_NODE_MAP : MN_NODE_LIST);
    if (branch == NULL) return MN_ERR_MEMORY;
    MN_TRY(read_items(r, branch, depth + 1));
    if (named != NULL) named->node = branch;
    *out = branch;
    return MN_OK;
}

/// Skip events up to the start of a document; false at the end of the text.
static mn_status find_document(yaml_reader *r, bool *found, mn_place *place)
{
    yaml_event_type_t type;
    do {
        yaml_event_t event;
        MN_TRY(next_event(r, &event));
        type   = event.type;
        *place = place_of(r, event.start_mark);
        yaml_event_delete(&event);
    } while (type == YAML_STREAM_START_EVENT || type == YAML_DOCUMENT_END_EVENT);
    *found = type == YAML_DOCUMENT_START_EVENT;
    return MN_OK;
}

static mn_status read_document(yaml_reader *r, mn_node **out)
{
    bool     found;
    mn_place place;
    MN_TRY(find_document(r, &found, &place));
    if (!found) return MN_OK;
    MN_TRY(read_next(r, YAML_NO_EVENT, 0, out));
    MN_TRY(find_document(r, &found, &place));
    if (found) return mn_fail_at(r->context, place, "a second document begins here; a scene file holds one");
    return MN_OK;
}

mn_status mn_yaml_read(mn_context *context, mn_arena *arena, const mn_scene_text *text, const char *bytes, size_t count,
                       int first_column, mn_node **out)
{
    *out                 = NULL;
    const mn_place start = { text, 1, first_column };
    if (count > MN_SCENE_BYTES_MOST) {
        return mn_fail_at(context, start, "the file has %zu bytes; a scene file has %zu at most", count,
                          MN_SCENE_BYTES_MOST);
    }
    if (count >= 3 &&
        memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {  // a mark that says UTF-8: libyaml would take it for text
        bytes += 3;
        count -= 3;
    }
    yaml_reader *r = mn_arena_take(arena, sizeof *r);
    if (r == NULL) return MN_ERR_MEMORY;
    *r = (yaml_reader){ .context      = context,
                        .arena        = arena,
                        .text         = text,
                        .bytes        = bytes,
                        .count        = count,
                        .first_column = first_column };
    MN_TRY(check_bytes(r));
    if (!yaml_parser_initialize(&r->parser)) return mn_fail_memory(context, sizeof r->parser);
    yaml_parser_set_encoding(&r->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r->parser, (const unsigned char *)bytes, count);
    mn_node        *root   = NULL;
    const mn_status status = read_document(r, &root);
    yaml_parser_delete(&r->parser);
    if (status == MN_OK) *out = root;
    return status;
}
