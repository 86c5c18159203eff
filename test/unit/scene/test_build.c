// SPDX-License-Identifier: MPL-2.0
// From a scene to a world: what the scene says is what the world holds.
#include "scene_testing.h"

#include <glob.h>

static mn_world *build(mn_context *c, mn_scene *scene)
{
    mn_world *world = NULL;
    if (mn_scene_build(scene, &world) != MN_OK) fail_msg("%s", mn_context_error(c));
    return world;
}

static const char block[] =
    "domain: {cell: 0.5, bounds: [[0, 0, 0], [8, 8, 8]]}\n"
    "materials: {heavy: {from: water, density: 2}}\n"
    "shapes: {cube: {box: {size: [2, 2, 2]}}}\n"
    "obstacles: {ball: {shape: {sphere: {radius: 1}}, at: [2, 2, 2], motion: {spin: [0, 90, 0]}}}\n"
    "liquids:\n"
    "  block: {material: heavy, fill: {inside: cube}, at: [5, 5, 5], velocity: [3, 0, 0]}\n"
    "  tap: {material: heavy, source: {shape: {disc: {radius: 0.5}}, at: [2, 7, 2], rate: 1, velocity: [0, -10, 0]}}\n"
    "  drain: {sink: {shape: {box: {size: [8, 0.5, 8]}}, at: [4, 0.25, 4]}}\n"
    "probes:\n"
    "  inside: {volume_in: {shape: {box: {center: [5, 5, 5], size: [3, 3, 3]}}}}\n"
    "  above: {volume_beyond: {point: [0, 5, 0], normal: [0, 1, 0]}}\n"
    "  push: {force: {of: ball, normal: [0, 1, 0]}}\n"
    "  fastest: {speed: {}}\n";

static void a_world_holds_what_its_scene_says(void **state)
{
    (void)state;
    mn_context          *c      = test_context(2);
    mn_scene            *scene  = load_text(c, block);
    mn_world            *world  = build(c, scene);
    const mn_liquid_view liquid = mn_world_liquid(world);
    const mn_ledger      ledger = mn_world_ledger(world);
    assert_int_equal(liquid.count, 4 * 4 * 4 * 8);           // a cube of 4 cells, 8 particles each
    assert_near(ledger.liquid_total, 8.0, 1e-12);            // cm^3
    assert_near(ledger.momentum_x, 8.0 * 2.0 * 3.0, 1e-10);  // volume * density * velocity
    for (int64_t k = 0; k < liquid.count; k++)
        assert_true(fabs(liquid.position.x[k] - 5.0) <= 1.0 && liquid.velocity.x[k] == 3.0);
    assert_int_equal(mn_world_probe_count(world), 4);
    assert_string_equal(mn_world_probe_name(world, 0), "inside");
    assert_string_equal(mn_world_probe_name(world, 2), "push");
    mn_world_destroy(&world);
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

static void a_resolved_scene_builds_the_same_bits(void **state)
{
    (void)state;
    mn_context *c     = test_context(2);
    mn_scene   *scene = load_text(c, block), *again = load_text(c, mn_scene_resolved(scene));
    mn_world   *first = build(c, scene), *second = build(c, again);
    for (int step = 0; step < 3; step++) {
        assert_int_equal(mn_world_hash(first), mn_world_hash(second));
        assert_int_equal(mn_world_step(first, 1.0), MN_OK);
        assert_int_equal(mn_world_step(second, 1.0), MN_OK);
    }
    assert_int_equal(mn_world_hash(first), mn_world_hash(second));
    mn_world_destroy(&second);
    mn_world_destroy(&first);
    mn_scene_destroy(&again);
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

static mn_status load_file(mn_context *c, const char *path, const char *text, mn_scene **out)
{
    const mn_scene_source source = { .path  = text == NULL ? path : NULL,
                                     .name  = path,
                                     .text  = text,
                                     .bytes = text == NULL ? 0 : strlen(text) };
    return mn_scene_load(c, &source, out);
}

/// What a run writes as its scene is what it is resumed from: default values that are written out must be allowed.
static void every_scene_of_the_project_is_read_back_as_it_was_resolved(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    glob_t      files;
    assert_int_equal(glob(MN_SOURCE_DIR "/scenes/*/*.yaml", 0, NULL, &files), 0);
    assert_true(files.gl_pathc > 20);
    for (size_t k = 0; k < files.gl_pathc; k++) {
        mn_scene *scene = NULL, *again = NULL;
        if (load_file(c, files.gl_pathv[k], NULL, &scene) != MN_OK) fail_msg("%s", mn_context_error(c));
        if (load_file(c, files.gl_pathv[k], mn_scene_resolved(scene), &again) != MN_OK)
            fail_msg("%s", mn_context_error(c));
        assert_string_equal(mn_scene_resolved(scene), mn_scene_resolved(again));
        assert_true(mn_scene_identity(scene) == mn_scene_identity(again));
        mn_scene_destroy(&again);
        mn_scene_destroy(&scene);
    }
    globfree(&files);
    test_context_end(&c);
}

/// The shapes belong to both: the world goes on when its scene is gone.
static void a_world_outlives_its_scene(void **state)
{
    (void)state;
    mn_context *c      = test_context(1);
    int64_t     blocks = 0;
    for (int round = 0; round < 3; round++) {
        mn_scene *scene = load_text(c, block);
        mn_world *world = build(c, scene);
        mn_scene_destroy(&scene);
        assert_int_equal(mn_world_step(world, 1.0), MN_OK);
        mn_world_destroy(&world);
        if (round == 0) blocks = mn_context_memory(c).blocks_now;  // the pool keeps its scratch from the first loop on
        assert_int_equal(mn_context_memory(c).blocks_now, blocks);
    }
    test_context_end(&c);
}

static void flat_scenes_build(void **state)
{
    (void)state;
    mn_context *c     = test_context(1);
    mn_scene   *scene = load_text(c, "domain: {dimension: 2, cell: 0.5, bounds: [[0, 0], [8, 8]]}\n"
                                       "liquids: {pool: {material: water, fill: {below: 2}}}\n");
    mn_world   *world = build(c, scene);
    assert_int_equal(mn_world_liquid(world).count, 16 * 4 * 4);
    assert_near(mn_world_ledger(world).liquid_total, 16.0, 1e-12);  // 8 x 2 x 1 cm
    mn_world_destroy(&world);
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_holds_what_its_scene_says),
        cmocka_unit_test(a_resolved_scene_builds_the_same_bits),
        cmocka_unit_test(every_scene_of_the_project_is_read_back_as_it_was_resolved),
        cmocka_unit_test(a_world_outlives_its_scene),
        cmocka_unit_test(flat_scenes_build),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
