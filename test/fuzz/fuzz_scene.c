// SPDX-License-Identifier: MPL-2.0
// Any bytes as a scene: never a crash, never a leak, and a scene that is accepted resolves to itself.
//
// The input is cut at zero bytes: the scene text, then the name of a variant (if not empty), then settings of the
// command line. The scene must not name files.
#include "scene/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SETTINGS_MOST 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good, const char *what, const char *detail)
{
    if (good) return;
    fprintf(stderr, "fuzz_scene: %s\n%s\n", what, detail);
    abort();
}

/// Meshes of fabric may be as large as a scene asks: blocks above this are refused, which a scene must survive.
#define BLOCK_MOST ((size_t)4 << 20)

static void *resize_small(void *block, size_t bytes, void *user)
{
    (void)user;
    if (bytes == 0) {
        free(block);
        return NULL;
    }
    return bytes <= BLOCK_MOST ? realloc(block, bytes) : NULL;
}

static mn_context *make_context(void)
{
    mn_context_def def     = mn_context_def_default();
    mn_context    *context = NULL;
    def.threads            = 1;
    def.resize             = resize_small;
    check(mn_context_create(&def, &context) == MN_OK, "no context", "");
    return context;
}

static void check_again(mn_context *context, const mn_scene *scene)
{
    const char           *resolved = mn_scene_resolved(scene);
    const mn_scene_source source   = { .name = "resolved", .text = resolved, .bytes = strlen(resolved) };
    mn_scene             *again    = NULL;
    if (mn_scene_load_files(context, &source, false, &again) != MN_OK)
        check(false, mn_context_error(context), resolved);
    check(strcmp(resolved, mn_scene_resolved(again)) == 0, "the resolved scene resolves to something else", resolved);
    check(mn_scene_identity(scene) == mn_scene_identity(again), "the identity changed", resolved);
    mn_scene_destroy(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = malloc(size + 1);
    check(copy != NULL, "no memory", "");
    if (size > 0) memcpy(copy, data, size);
    copy[size] = '\0';
    const char     *set[SETTINGS_MOST];
    mn_scene_source source = { .name = "fuzz", .text = copy, .bytes = strlen(copy), .set = set };
    const char     *at = copy + source.bytes + 1, *end = copy + size;
    for (int part = 0; at < end && source.set_count < SETTINGS_MOST; part++, at += strlen(at) + 1) {
        if (part == 0) {
            source.variant = at[0] != '\0' ? at : NULL;
        } else {
            set[source.set_count++] = at;
        }
    }
    static mn_context *context = NULL;  // one for all inputs: nothing of an input may stay in it
    if (context == NULL) context = make_context();
    mn_scene     *scene  = NULL;
    const int64_t blocks = mn_context_memory(context).blocks_now;
    if (mn_scene_load_files(context, &source, false, &scene) == MN_OK) check_again(context, scene);
    mn_scene_destroy(&scene);
    check(mn_context_memory(context).blocks_now == blocks, "blocks were left", mn_context_error(context));
    free(copy);
    return 0;
}
