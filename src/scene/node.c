// SPDX-License-Identifier: MPL-2.0
// scene/node.c - building and searching trees, and errors that carry a place.
#include "scene/node.h"

#include <stdio.h>
#include <string.h>

mn_node *mn_node_text(mn_arena *arena, mn_place place, const char *value, size_t bytes)
{
    // One block for the node and its text: arenas round every block up.
    mn_node *n = mn_arena_take(arena, sizeof *n + bytes + 1);
    if (n == NULL) return NULL;
    char *copy = (char *)(n + 1);
    memcpy(copy, value, bytes);
    copy[bytes] = '\0';
    *n          = (mn_node){ .kind = MN_NODE_TEXT, .height = 1, .weight = 1, .place = place, .value = copy };
    return n;
}

mn_node *mn_node_branch(mn_arena *arena, mn_place place, mn_node_kind kind)
{
    mn_node *n = mn_arena_take(arena, sizeof *n);
    if (n != NULL) *n = (mn_node){ .kind = kind, .height = 1, .weight = 1, .place = place };
    return n;
}

/// Room for one more item: at 4, 8, 16 ... the arrays are copied to blocks of twice the size.
static mn_status make_room(mn_arena *arena, mn_node *branch)
{
    const int n = branch->count;
    if (n != 0 && (n < 4 || (n & (n - 1)) != 0)) return MN_OK;
    const int64_t capacity = n < 4 ? 4 : 2 * (int64_t)n;
    mn_node     **items    = mn_arena_array(arena, mn_node *, 2 * capacity);
    if (items == NULL) return MN_ERR_MEMORY;
    mn_node **keys = items + capacity;
    if (n > 0) {
        memcpy(items, branch->items, (size_t)n * sizeof *items);
        memcpy(keys, branch->keys, (size_t)n * sizeof *keys);
    }
    branch->items = items;
    branch->keys  = keys;
    return MN_OK;
}

mn_status mn_node_add(mn_arena *arena, mn_node *branch, mn_node *key, mn_node *item)
{
    MN_TRY(make_room(arena, branch));
    branch->items[branch->count] = item;
    branch->keys[branch->count]  = key;
    branch->count++;
    branch->weight += item->weight;
    if (item->height + 1 > branch->height) branch->height = item->height + 1;
    return MN_OK;
}

mn_status mn_node_put(mn_arena *arena, mn_node *map, const char *key, mn_node *item)
{
    if (item == NULL) return MN_ERR_MEMORY;
    mn_node *name = mn_node_text(arena, item->place, key, strlen(key));
    return name == NULL ? MN_ERR_MEMORY : mn_node_add(arena, map, name, item);
}

int mn_node_index(const mn_node *map, const char *key)
{
    for (int k = 0; k < map->count; k++) {
        if (strcmp(map->keys[k]->value, key) == 0) return k;
    }
    return -1;
}

mn_node *mn_node_find(const mn_node *map, const char *key)
{
    if (map == NULL || map->kind != MN_NODE_MAP) return NULL;
    const int k = mn_node_index(map, key);
    return k < 0 ? NULL : map->items[k];
}

bool mn_node_is_nothing(const mn_node *n)
{
    if (n->kind != MN_NODE_TEXT || n->quoted) return false;
    return n->value[0] == '\0' || strcmp(n->value, "~") == 0 || strcmp(n->value, "null") == 0;
}

bool mn_node_is_word(const mn_node *n, const char *word)
{
    return n->kind == MN_NODE_TEXT && strcmp(n->value, word) == 0;
}

const char *mn_node_kind_text(const mn_node *n)
{
    if (n->kind == MN_NODE_LIST) return "a list";
    if (n->kind == MN_NODE_MAP) return "a map";
    return mn_node_is_nothing(n) ? "nothing" : "a text";
}

mn_status mn_fail_at(mn_context *c, mn_place place, const char *format, ...)
{
    char    sentence[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return mn_fail(c, MN_ERR_SCENE, "%.1024s:%d:%d: %s", place.text->name, place.line, place.column, sentence);
}

mn_status mn_fail_behind(mn_context *c, mn_place place, mn_status status, const char *what)
{
    if (status == MN_ERR_MEMORY || status == MN_ERR_INTERRUPTED) return status;  // not the fault of the scene
    char reason[1536];
    snprintf(reason, sizeof reason, "%s", mn_context_error(c));
    return mn_fail_at(c, place, "%s: %s", what, reason);
}

int mn_edit_distance(const char *a, const char *b)
{
    enum { MOST = 63 };
    const int n = (int)strlen(a), m = (int)strlen(b);
    if (n > MOST || m > MOST) return n > m ? n : m;
    int row[3][MOST + 1];  // the last two rows and the one being made
    for (int j = 0; j <= m; j++) row[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *now = row[i % 3], *before = row[(i + 2) % 3], *two_before = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            int best = before[j - 1] + (a[i - 1] != b[j - 1]);
            if (before[j] + 1 < best) best = before[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && two_before[j - 2] + 1 < best) best = two_before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[n % 3][m];
}

void mn_spelling_hint(const char *wrong, const char *const *words, char out[MN_HINT_BYTES])
{
    const char *nearest = NULL;
    int         least   = 0;
    for (int k = 0; words[k] != NULL; k++) {
        const int distance = mn_edit_distance(wrong, words[k]);
        if (nearest == NULL || distance < least) {
            nearest = words[k];
            least   = distance;
        }
    }
    out[0] = '\0';
    if (nearest == NULL) return;
    const int length = (int)strlen(wrong);
    if (least <= (length < 4 ? 1 : length / 2)) {
        snprintf(out, MN_HINT_BYTES, "; did you mean '%s'?", nearest);
        return;
    }
    size_t used = (size_t)snprintf(out, MN_HINT_BYTES, "; known are");
    for (int k = 0; words[k] != NULL && used < MN_HINT_BYTES - 80; k++) {
        used += (size_t)snprintf(out + used, MN_HINT_BYTES - used, "%s %s", k > 0 ? "," : "", words[k]);
    }
}

const char *mn_excerpt(const char *text, char out[MN_EXCERPT_BYTES])
{
    size_t used = 0;
    for (; text[used] != '\0' && used < MN_EXCERPT_BYTES - 4; used++) {
        const unsigned char c = (unsigned char)text[used];
        out[used]             = c < 0x20 || c == 0x7f ? ' ' : (char)c;
    }
    if (text[used] != '\0') {
        // Cut before a character that would be left in halves.
        while (used > 0 && ((unsigned char)text[used] & 0xc0) == 0x80) used--;
        memcpy(out + used, "...", 4);
    } else {
        out[used] = '\0';
    }
    return out;
}
