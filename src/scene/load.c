// SPDX-License-Identifier: MPL-2.0
// scene/load.c - reading scene files and what they include.
#include "scene/load.h"

#include "base/file.h"
#include "scene/yaml.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INCLUDE_LEVELS_MOST 16
#define INCLUDE_FILES_MOST  64

/// The files being read right now, from the innermost outwards.
typedef struct open_file {
    const struct open_file *outer;
    const char             *absolute;
    int                     level;
} open_file;

typedef struct file_loader {
    mn_reader *reader;
    int        files;
} file_loader;

static char *copy_string(mn_arena *arena, const char *text, size_t bytes)
{
    char *copy = mn_arena_take(arena, bytes + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    return copy;
}

const char *mn_path_from(mn_arena *arena, mn_place place, const char *path)
{
    const char  *folder = place.text->folder;
    const size_t front = path[0] == '/' ? 0 : strlen(folder), back = strlen(path);
    char        *joined = mn_arena_take(arena, front + back + 2);
    if (joined == NULL) return NULL;
    snprintf(joined, front + back + 2, "%.*s%s%s", (int)front, folder, front > 0 && folder[front - 1] != '/' ? "/" : "",
             path);
    return joined;
}

static mn_status make_text(mn_arena *arena, const char *name, const char *path, mn_scene_text **out)
{
    const char  *slash  = path != NULL ? strrchr(path, '/') : NULL;
    const size_t length = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    *out                = mn_arena_take(arena, sizeof **out);
    if (*out == NULL) return MN_ERR_MEMORY;
    (*out)->name   = copy_string(arena, name, strlen(name));
    (*out)->folder = copy_string(arena, path != NULL ? path : "", length);
    return (*out)->name == NULL || (*out)->folder == NULL ? MN_ERR_MEMORY : MN_OK;
}

/// Read a file whole. `place` is where it was asked for.
static mn_status read_bytes(mn_reader *r, const char *path, mn_place place, char **out, size_t *count)
{
    static const mn_file_kind kind = { "a scene file", (int64_t)MN_SCENE_BYTES_MOST };
    mn_file_source            s;
    mn_file_error             error;
    mn_status                 status = mn_file_open(&s, path, &kind, &error);
    if (status == MN_OK) {
        *count = (size_t)s.bytes;
        *out   = mn_arena_take(r->arena, *count + 1);
        status = *out != NULL ? mn_file_read_at(&s, path, 0, *out, *count, &error) : MN_ERR_MEMORY;
        mn_file_close(&s);
    }
    if (status != MN_ERR_FILE) return status;
    return mn_fail_at(r->context, place, "the file '%s' cannot be read: %s", path, mn_file_reason(&error));
}

static mn_status add_includes(file_loader *l, mn_node *own, const open_file *inside, mn_node **out);

static mn_status read_tree(file_loader *l, const mn_scene_text *text, const char *bytes, size_t count,
                           const open_file *inside, mn_node **out)
{
    mn_reader *r = l->reader;
    mn_node   *own;
    MN_TRY(mn_yaml_read(r->context, r->arena, text, bytes, count, 1, &own));
    const mn_place start = { text, 1, 1 };
    if (own == NULL || mn_node_is_nothing(own)) return mn_fail_at(r->context, start, "the scene is empty");
    if (own->kind != MN_NODE_MAP) {
        return mn_fail_at(r->context, own->place, "a scene is a map with keys such as 'domain' and 'liquids', not %s",
                          mn_node_kind_text(own));
    }
    return add_includes(l, own, inside, out);
}

static mn_status include_file(file_loader *l, const mn_node *name, const open_file *outer, mn_node **out)
{
    mn_reader *r = l->reader;
    char       excerpt[MN_EXCERPT_BYTES], absolute[PATH_MAX];
    if (name->kind != MN_NODE_TEXT || name->value[0] == '\0') {
        return mn_fail_at(r->context, name->place,
                          "'include' expects the path of a scene file or a list of them, not %s",
                          mn_node_kind_text(name));
    }
    if (!r->files)
        return mn_fail_at(r->context, name->place, "this scene must not name files, and '%s' is one",
                          mn_excerpt(name->value, excerpt));
    const char *path = mn_path_from(r->arena, name->place, name->value);
    if (path == NULL) return MN_ERR_MEMORY;
    char  *bytes;
    size_t count;
    MN_TRY(read_bytes(r, path, name->place, &bytes, &count));
    if (realpath(path, absolute) == NULL)
        return mn_fail_at(r->context, name->place, "the file '%s' cannot be found: %s", path, strerror(errno));
    for (const open_file *f = outer; f != NULL; f = f->outer) {
        if (f->absolute != NULL && strcmp(f->absolute, absolute) == 0)
            return mn_fail_at(r->context, name->place, "the file '%s' includes itself", path);
    }
    const open_file here = { .outer = outer, .absolute = absolute, .level = outer->level + 1 };
    if (here.level > INCLUDE_LEVELS_MOST)
        return mn_fail_at(r->context, name->place, "files include one another more than %d levels deep",
                          INCLUDE_LEVELS_MOST);
    if (++l->files > INCLUDE_FILES_MOST)
        return mn_fail_at(r->context, name->place, "the scene includes more than %d files", INCLUDE_FILES_MOST);
    mn_scene_text *text;
    MN_TRY(make_text(r->arena, path, path, &text));
    return read_tree(l, text, bytes, count, &here, out);
}

/// A map without one of its keys.
static mn_status without_key(mn_arena *arena, const mn_node *map, const char *key, mn_node **out)
{
    *out = mn_node_branch(arena, map->place, MN_NODE_MAP);
    if (*out == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < map->count; k++) {
        if (strcmp(map->keys[k]->value, key) != 0) MN_TRY(mn_node_add(arena, *out, map->keys[k], map->items[k]));
    }
    return MN_OK;
}

static mn_status add_includes(file_loader *l, mn_node *own, const open_file *inside, mn_node **out)
{
    mn_reader *r       = l->reader;
    mn_node   *include = mn_node_find(own, "include");
    *out               = own;
    if (include == NULL) return MN_OK;
    mn_node  *all   = NULL, *rest;
    const int count = include->kind == MN_NODE_LIST ? include->count : 1;
    for (int k = 0; k < count; k++) {
        mn_node *name = include->kind == MN_NODE_LIST ? include->items[k] : include, *tree;
        MN_TRY(include_file(l, name, inside, &tree));
        MN_TRY(mn_merge(r->arena, &mn_section_scene, all, tree, &all));
        if (all->weight > MN_SCENE_NODES_MOST)
            return mn_fail_at(r->context, name->place, "the scene holds more than %d values", MN_SCENE_NODES_MOST);
    }
    MN_TRY(without_key(r->arena, own, "include", &rest));
    return mn_merge(r->arena, &mn_section_scene, all, rest, out);
}

mn_status mn_load_tree(mn_reader *r, const mn_scene_source *source, mn_node **out)
{
    char           absolute[PATH_MAX];
    file_loader    loader    = { .reader = r };
    open_file      outermost = { .level = 0 };
    mn_scene_text *text;
    char          *bytes = NULL;
    size_t         count = source->bytes;
    if (source->path != NULL) {
        MN_TRY(make_text(r->arena, source->path, source->path, &text));
        MN_TRY(read_bytes(r, source->path, (mn_place){ text, 1, 1 }, &bytes, &count));
        if (realpath(source->path, absolute) != NULL) outermost.absolute = absolute;
    } else {
        MN_TRY(make_text(r->arena, source->name != NULL ? source->name : "scene", NULL, &text));
    }
    mn_node *root;
    MN_TRY(read_tree(&loader, text, bytes != NULL ? bytes : source->text, count, &outermost, &root));
    return mn_apply_changes(r, source, root, out);
}
