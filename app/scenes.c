// SPDX-License-Identifier: MPL-2.0
// app/scenes.c - `meniscus scenes`: the example scenes, found beside the program or in the source tree.
#include "app.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES 4096

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/// PREFIX/share/meniscus/scenes of the PREFIX/bin this program lies in.
static bool installed_scenes(char *path, size_t bytes)
{
    char          program[PATH_BYTES / 2];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) return false;
    program[length] = '\0';
    for (int level = 0; level < 2; level++) {
        char *slash = strrchr(program, '/');
        if (slash == NULL) return false;
        *slash = '\0';
    }
    snprintf(path, bytes, "%s/share/meniscus/scenes", program);
    return is_folder(path);
}

/// The folder of scenes: what MENISCUS_SCENES says; else beside the installed program; else the source tree it was
/// built from. False when there is none.
static bool find_scenes(char *path, size_t bytes)
{
    const char *wanted = getenv("MENISCUS_SCENES");
    if (wanted != NULL && wanted[0] != '\0') {
        snprintf(path, bytes, "%s", wanted);
        return is_folder(path);
    }
    if (installed_scenes(path, bytes)) return true;
    static const char *const known[] = { MN_SCENES_INSTALLED, MN_SCENES_SOURCE };
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        snprintf(path, bytes, "%s", known[k]);
        if (is_folder(path)) return true;
    }
    return false;
}

/// Copy the value of a top-level key, which stands on its line or indented below it, without quotes.
static void top_level_value(const char *text, const char *key, char *value, size_t bytes)
{
    value[0]            = '\0';
    const size_t length = strlen(key);
    const char  *line   = text;
    while (line != NULL && !(strncmp(line, key, length) == 0 && line[length] == ':')) {
        line = strchr(line, '\n');
        if (line != NULL) line++;
    }
    if (line == NULL) return;
    const char *p = line + length + 1;
    p += strspn(p, " ");
    if (*p == '>' || *p == '|' || *p == '\n') {  // a block: its first line says enough
        p = strchr(p, '\n');
        if (p == NULL) return;
        p += strspn(p, " \n");
    }
    size_t n = strcspn(p, "\n");
    if (n >= 2 && (p[0] == '"' || p[0] == '\'') && p[n - 1] == p[0]) {
        p++;
        n -= 2;
    }
    snprintf(value, bytes, "%.*s", (int)n, p);
}

typedef struct scene_list {
    char **path;
    int    count, capacity;
} scene_list;

static bool add_scene(scene_list *list, const char *path)
{
    if (list->count == list->capacity) {
        const int wanted = list->capacity * 2 + 16;
        char    **grown  = realloc(list->path, (size_t)wanted * sizeof *grown);
        if (grown == NULL) return false;
        list->path     = grown;
        list->capacity = wanted;
    }
    list->path[list->count] = strdup(path);
    return list->path[list->count++] != NULL;
}

/// Every *.yaml below the folder, `levels` deep.
static bool collect_scenes(scene_list *list, const char *folder, int levels)
{
    DIR *open = opendir(folder);
    if (open == NULL) return errno != ENOMEM;  // a folder that may not be read has no scenes for us
    bool good = true;
    for (struct dirent *entry = readdir(open); entry != NULL && good; entry = readdir(open)) {
        if (entry->d_name[0] == '.') continue;
        char path[PATH_BYTES];
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path) continue;
        const size_t length = strlen(path);
        if (is_folder(path)) good = levels == 0 || collect_scenes(list, path, levels - 1);
        else if (length > 5 && strcmp(path + length - 5, ".yaml") == 0) good = add_scene(list, path);
    }
    closedir(open);
    return good;
}

static int compare_paths(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static bool print_scenes(const scene_list *list)
{
    for (int k = 0; k < list->count; k++) {
        char  name[128], description[160];
        char *text = app_read_text(list->path[k]);
        if (text == NULL) {
            fprintf(stderr, "%s: %s\n", list->path[k], strerror(errno));
            return false;
        }
        top_level_value(text, "name", name, sizeof name);
        top_level_value(text, "description", description, sizeof description);
        printf("%s\n    %s%s%s\n", list->path[k], name, description[0] != '\0' ? ": " : "", description);
        free(text);
    }
    return true;
}

int app_scenes(const app_args *args)
{
    (void)args;
    char folder[PATH_BYTES];
    if (!find_scenes(folder, sizeof folder)) {
        fprintf(stderr, "meniscus: no folder of scenes was found (looked for %s); set MENISCUS_SCENES to it\n", folder);
        return APP_FAILED;
    }
    scene_list list   = { .count = 0 };
    int        status = APP_DONE;
    if (!collect_scenes(&list, folder, 3)) {
        fprintf(stderr, "meniscus: %s\n", mn_status_text(MN_ERR_MEMORY));
        status = APP_FAILED;
    } else {
        if (list.count > 0) qsort(list.path, (size_t)list.count, sizeof *list.path, compare_paths);
        if (!print_scenes(&list)) status = APP_FAILED;
    }
    for (int k = 0; k < list.count; k++) free(list.path[k]);
    free(list.path);
    return status;
}
