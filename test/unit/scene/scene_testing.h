// SPDX-License-Identifier: MPL-2.0
// Scenes from texts, for tests.
#ifndef MN_TEST_SCENE_TESTING_H
#define MN_TEST_SCENE_TESTING_H

#include "testing.h"

#include "meniscus/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline mn_scene *load_source(mn_context *c, const mn_scene_source *source)
{
    mn_scene *scene = NULL;
    if (mn_scene_load(c, source, &scene) != MN_OK) fail_msg("%s", mn_context_error(c));
    return scene;
}

static inline mn_scene *load_text(mn_context *c, const char *text)
{
    return load_source(c, &(mn_scene_source){ .name = "text", .text = text, .bytes = strlen(text) });
}

/// Whether the resolved scene holds a piece of text.
static inline void assert_resolved(const mn_scene *scene, const char *piece)
{
    if (strstr(mn_scene_resolved(scene), piece) == NULL) fail_msg("'%s' is not in\n%s", piece, mn_scene_resolved(scene));
}

static inline void assert_not_resolved(const mn_scene *scene, const char *piece)
{
    if (strstr(mn_scene_resolved(scene), piece) != NULL) fail_msg("'%s' is in\n%s", piece, mn_scene_resolved(scene));
}

static inline uint64_t identity_of(mn_context *c, const char *text)
{
    mn_scene      *scene    = load_text(c, text);
    const uint64_t identity = mn_scene_identity(scene);
    mn_scene_destroy(&scene);
    return identity;
}

#endif
