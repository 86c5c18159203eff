// SPDX-License-Identifier: MPL-2.0
// A run of liquid, cloth and yarn in a folder of its own, for the tests of every format.
#ifndef MN_TEST_SMALL_RUN_H
#define MN_TEST_SMALL_RUN_H

#include "meniscus/run.h"
#include "output/run_read.h"
#include "testing.h"
#include "unit/output/folder.h"

static const char
    small_scene[] = "format: 1\n"
                    "name: export\n"
                    "domain: {cell: 0.4, up: z, gravity: [0, 0, -981]}\n"
                    "time: {end: 0.02, frame_rate: 100, dt_max: 0.005}\n"
                    "liquids: {ball: {material: water, fill: {inside: {sphere: {center: [0, 0, 6], radius: 0.8}}}}}\n"
                    "fabrics:\n"
                    "  sheet: {material: cotton, sheet: {size: [2, 2], spacing: 0.2}}\n"
                    "  thread: {material: cotton, yarn: {pattern: straight, length: 2, spacing: 0.2}, at: [0, 0, 3]}\n";

/// The run in `out`, three frames.
static inline void make_run(mn_context *c, const char *out)
{
    mn_scene *scene = NULL;
    mn_run   *run   = NULL;
    if (mn_scene_load(c, &(mn_scene_source){ .name = "small", .text = small_scene, .bytes = sizeof small_scene - 1 },
                      &scene) != MN_OK)
        fail_msg("%s", mn_context_error(c));
    mn_run_def def = mn_run_def_default();
    def.out        = out;
    if (mn_run_create(c, scene, &def, &run) != MN_OK || mn_run_advance(run) != MN_OK)
        fail_msg("%s", mn_context_error(c));
    assert_int_equal(mn_run_destroy(&run), MN_OK);
    mn_scene_destroy(&scene);
}

typedef struct fixture {
    mn_context *context;
    char        base[64], out[100], to[100];
} fixture;

static inline fixture set_up(void)
{
    fixture f = { .context = test_context(1) };
    test_folder(f.base);
    snprintf(f.out, sizeof f.out, "%s/run", f.base);
    snprintf(f.to, sizeof f.to, "%s/to", f.base);
    make_run(f.context, f.out);
    return f;
}

static inline void tear_down(fixture *f)
{
    test_folder_remove(f->base);
    test_context_end(&f->context);
}

static inline char *read_text(fixture *f, const char *folder, const char *name, size_t *bytes)
{
    char           path[256];
    unsigned char *data;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (mn_file_read(f->context, path, ANY_FILE, &data, bytes) != MN_OK) fail_msg("%s", mn_context_error(f->context));
    return (char *)data;
}

static inline mn_vtp_part *read_frame_file(fixture *f, const char *name)
{
    char         path[256];
    mn_vtp_part *part = NULL;
    snprintf(path, sizeof path, "%s/frames/%s", f->out, name);
    if (mn_vtp_read(f->context, path, &part) != MN_OK) fail_msg("%s", mn_context_error(f->context));
    return part;
}

#endif
