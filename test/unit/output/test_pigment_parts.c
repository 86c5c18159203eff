// SPDX-License-Identifier: MPL-2.0
// Pigment of the liquid in the parts of a frame: concentrations of particles, densities and colours of fabric.
#include "testing.h"

#include "output/frames.h"
#include "stain/colour.h"

#include <meniscus/meniscus.h>

#include <string.h>

static const char text
    [] = "format: 1\ndomain: {cell: \"5 mm\", gravity: [0, 0, 0]}\ntime: {end: 1, frame_rate: 10, dt_max: 0.01}\n"
         "materials:\n  red: {kind: pigment, absorbance: [0, 0.2, 0.1]}\n  wine: {kind: liquid, from: water, solutes: "
         "{red: \"10 g/l\"}}\n"
         "liquids: {ball: {material: wine, fill: {inside: {sphere: {center: [0, 5, 0], radius: 1}}}}}\n"
         "fabrics:\n"
         "  cloth: {material: cotton, sheet: {size: [4, 4], spacing: 0.25}, pins: {all: {}}, colour: [0.8, 0.7, 0.6]}\n"
         "  thread: {material: cotton, yarn: {pattern: bundle, length: 3, count: 2, pitch: 0.2, radius: 0.05}, at: [0, "
         "0, 5], pins: {all: {}}}\n"
         "stains: {spot: {on: cloth, carrier: fabric, pigments: [red], drops: {a: {inside: {sphere: {radius: 1}}, "
         "density: \"100 g/m2\", solutes: {red: \"30 g/l\"}}}}}\n"
         "output: {parts: [particles, surface, cloth, yarn, tubes]}\n";

static const mn_frame_array *find(const mn_frame_part *part, const char *name)
{
    for (int a = 0; a < part->array_count; a++)
        if (strcmp(part->arrays[a].name, name) == 0) return &part->arrays[a];
    fail_msg("part %s has no array %s", part->name, name);
    return NULL;
}

static double at(const mn_frame_array *a, int component, int64_t i)
{
    return ((const double *)a->component[component])[i * a->stride];
}

static void check_particles(const mn_frame_part *part)
{
    const mn_frame_array *red = find(part, "red");
    assert_true(part->point_count > 100);
    for (int64_t i = 0; i < part->point_count; i++) assert_near(at(red, 0, i), 0.01, 1e-15);
}

/// All liquid has the same, so the surface has it too.
static void check_surface(const mn_frame_part *part)
{
    const mn_frame_array *red = find(part, "red");
    assert_true(part->point_count > 20);
    for (int64_t i = 0; i < part->point_count; i++) assert_near(at(red, 0, i), 0.01, 1e-14);
}

/// The sum over the cloth is what the ledger has; where there is none the cloth is as it is clean.
static void check_cloth(const mn_frame_part *part, const mn_world *w)
{
    const mn_frame_array *red = find(part, "red"), *color = find(part, "color");
    const mn_fabric_view  f       = mn_world_fabric(w, 0);
    double                sum     = 0.0;
    int                   stained = 0, clean = 0;
    assert_int_equal(part->point_count, f.position.count);
    for (int64_t i = 0; i < part->point_count; i++) {
        sum += at(red, 0, i) * 0.5 * f.surface[i];
        if (f.held[i] == 0.0) {
            clean++;
            const double own[3] = { 0.8, 0.7, 0.6 };
            for (int k = 0; k < 3; k++) assert_near(at(color, k, i), mn_srgb_encode(own[k]), 1e-12);
        } else if (at(red, 0, i) > 1e-4) {
            stained++;
            assert_true(at(color, 1, i) < 0.9 * mn_srgb_encode(0.7) &&
                        at(color, 1, i) < at(color, 2, i));  // green most of all
        }
    }
    assert_true(stained > 10 && clean > 10);
    assert_near(sum, mn_world_ledger(w).solute_fabric, 1e-12 * sum);
}

static void parts_show_pigment(void **state)
{
    (void)state;
    mn_context     *c      = test_context(1);
    mn_scene_source source = { .text = text, .bytes = sizeof text - 1 };
    mn_scene       *scene  = NULL;
    mn_world       *w      = NULL;
    mn_frames      *frames = NULL;
    if (mn_scene_load(c, &source, &scene) != MN_OK || mn_scene_build(scene, &w) != MN_OK)
        fail_msg("%s", mn_context_error(c));
    for (int k = 0; k < 3; k++) assert_int_equal(mn_world_step(w, mn_world_time(w) + 0.01), MN_OK);
    const mn_output_def output = mn_scene_output(scene);
    assert_int_equal(mn_frames_create(c, w, &output, &frames), MN_OK);
    int seen = 0;
    for (int again = 0; again < 2; again++, mn_frames_begin(frames))
        for (int k = 0; k < mn_frames_count(frames); k++) {
            mn_frame_part part;
            assert_int_equal(mn_frames_part(frames, k, &part), MN_OK);
            if (strcmp(part.name, "particles") == 0) check_particles(&part), seen |= 1;
            if (strcmp(part.name, "surface") == 0) check_surface(&part), seen |= 16;
            if (strcmp(part.name, "cloth") == 0) check_cloth(&part, w), seen |= 2;
            if (strcmp(part.name, "yarn") != 0 && strcmp(part.name, "tubes") != 0) continue;
            seen |= part.name[0] == 'y' ? 4 : 8;
            for (int64_t i = 0; i < part.point_count; i++) {
                assert_true(at(find(&part, "red"), 0, i) == 0.0);
                assert_near(at(find(&part, "color"), 0, i), mn_srgb_encode(0.9), 1e-12);
            }
        }
    assert_int_equal(seen, 31);
    mn_frames_destroy(&frames);
    mn_world_destroy(&w);
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(parts_show_pigment) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
