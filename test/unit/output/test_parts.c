// SPDX-License-Identifier: MPL-2.0
// The table of the parts of a frame, walked: every part says in its file how it looks, is made once a frame, and has
// the fields that are asked for; every look is known wherever frames are shown.
#include "testing.h"

#include "output/frames.h"
#include "output/parts/parts.h"
#include "output/vtp_read.h"

#include <meniscus/meniscus.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Something of everything there is.
static const char text
    [] = "format: 1\ndomain: {cell: \"5 mm\", gravity: [0, 0, 0]}\ntime: {end: 1, frame_rate: 10, dt_max: 0.01}\n"
         "materials:\n  red: {kind: pigment, absorbance: [0, 0.2, 0.1]}\n  wine: {kind: liquid, from: water, solutes: "
         "{red: \"10 g/l\"}}\n"
         "liquids: {ball: {material: wine, fill: {inside: {sphere: {center: [0, 5, 0], radius: 1}}}}}\n"
         "obstacles: {stone: {shape: {sphere: {center: [8, 0, 0], radius: 1}}}}\n"
         "fabrics:\n"
         "  cloth: {material: cotton, sheet: {size: [4, 4], spacing: 0.25}, pins: {all: {}}}\n"
         "  thread: {material: cotton, yarn: {pattern: bundle, length: 3, count: 2, pitch: 0.2, radius: 0.05}, at: [0, "
         "0, 5], pins: {all: {}}}\n"
         "stains: {spot: {sheet: {size: [4, 4], spacing: 0.5}, at: [20, 0, 0], pigments: [red], drops: {a: {inside: "
         "{sphere: {center: [20, 0, 0], radius: 1}}, density: \"100 g/m2\", solutes: {red: \"30 g/l\"}}}}}\n";

typedef struct stage {
    mn_context   *context;
    mn_scene     *scene;
    mn_world     *world;
    mn_output_def output;
} stage;

static stage set_up(void)
{
    stage           s      = { .context = test_context(1) };
    mn_scene_source source = { .text = text, .bytes = sizeof text - 1 };
    if (mn_scene_load(s.context, &source, &s.scene) != MN_OK || mn_scene_build(s.scene, &s.world) != MN_OK)
        fail_msg("%s", mn_context_error(s.context));
    assert_int_equal(mn_world_step(s.world, 0.01), MN_OK);
    s.output = mn_scene_output(s.scene);
    return s;
}

static void strike(stage *s)
{
    mn_world_destroy(&s->world);
    mn_scene_destroy(&s->scene);
    test_context_end(&s->context);
}

static void every_part_says_how_it_looks(void **state)
{
    (void)state;
    stage      s      = set_up();
    mn_frames *frames = NULL;
    assert_int_equal(mn_frames_create(s.context, s.world, &s.output, &frames), MN_OK);
    assert_int_equal(mn_frames_count(frames), MN_OUTPUT_PART_COUNT);
    for (int k = 0; k < MN_OUTPUT_PART_COUNT; k++) {
        const mn_part_row *row = mn_part_row_of((mn_output_part)k);
        mn_frame_part      part;
        mn_buffer          file;
        mn_vtp_part       *read = NULL;
        mn_buffer_init(&file, s.context);
        assert_int_equal(mn_frames_part(frames, k, &part), MN_OK);
        assert_string_equal(part.name, mn_part_name((mn_output_part)k));
        assert_true(part.point_count > 0 && (part.kind == MN_CELLS_VERTICES || part.cell_count > 0));
        assert_int_equal(mn_vtp_make(&part, &file), MN_OK);
        // The look comes from the file, not from its name.
        assert_int_equal(mn_vtp_parse(s.context, "other.000001.vtp", file.data, file.bytes, &read), MN_OK);
        assert_int_equal(read->part.look, row->look);
        assert_int_equal(read->part.timeless, row->timeless);
        assert_int_equal(mn_frames_is_timeless(frames, k), row->timeless);
        mn_vtp_part_destroy(s.context, &read);
        mn_buffer_free(&file);
    }
    mn_frames_destroy(&frames);
    strike(&s);
}

static bool has_array(const mn_frame_part *part, const char *name) { return mn_frame_array_find(part, name) != NULL; }

static void files_have_the_fields_asked_for_and_pictures_all(void **state)
{
    (void)state;
    static const char *const words[] = {
#define X(name, word) word,
        MN_OUTPUT_FIELD_LIST(X)
#undef X
    };
    stage s               = set_up();
    bool  seen[2][64]     = { { false } };
    bool  pictured_volume = false, pictured_saturation = false;
    for (int wanted = 0; wanted < 2; wanted++) {
        mn_frames           *frames = NULL;
        const mn_frame_part *shown;
        int                  count;
        for (int f = 0; f < MN_OUTPUT_FIELD_COUNT; f++) s.output.field[f] = wanted;
        assert_int_equal(mn_frames_create(s.context, s.world, &s.output, &frames), MN_OK);
        for (int k = 0; k < mn_frames_count(frames); k++) {
            mn_frame_part part;
            assert_int_equal(mn_frames_part(frames, k, &part), MN_OK);
            for (int f = 0; f < MN_OUTPUT_FIELD_COUNT; f++)
                seen[wanted][f] = seen[wanted][f] || has_array(&part, words[f]);
        }
        assert_int_equal(mn_frames_shown(frames, &shown, &count), MN_OK);
        for (int k = 0; k < count; k++) {
            pictured_volume     = pictured_volume || has_array(&shown[k], "volume");
            pictured_saturation = pictured_saturation || has_array(&shown[k], "saturation");
        }
        assert_true(pictured_volume && pictured_saturation);
        mn_frames_destroy(&frames);
    }
    for (int f = 0; f < MN_OUTPUT_FIELD_COUNT; f++) assert_true(!seen[0][f] && seen[1][f]);
    strike(&s);
}

/// Each part a number: of its cells and points, as they lie in memory.
static int64_t sum_of(const mn_frame_part *p)
{
    double sum = 0.0;
    for (int64_t i = 0; i < p->point_count; i++) sum += mn_frame_array_value(&p->points, i, 0) * (double)(1 + i % 7);
    return (int64_t)(1e6 * sum) + 1000 * p->point_count + p->cell_count;
}

static void a_part_is_made_once_a_frame(void **state)
{
    (void)state;
    stage                s      = set_up();
    mn_frames           *frames = NULL;
    const mn_frame_part *shown;
    int                  count, moved = 0, pictured = 0;
    int64_t              before[MN_OUTPUT_PART_COUNT];
    assert_int_equal(mn_frames_create(s.context, s.world, &s.output, &frames), MN_OK);
    for (int k = 0; k < MN_OUTPUT_PART_COUNT; k++) {
        mn_frame_part part;
        assert_int_equal(mn_frames_part(frames, k, &part), MN_OK);
        before[k] = sum_of(&part);
        pictured += mn_part_row_of((mn_output_part)k)->pictured;
    }
    // Meanwhile the liquid falls; what was made is what is shown, until the next frame begins.
    for (int step = 0; step < 2; step++) {
        if (step == 1) mn_frames_begin(frames);
        assert_int_equal(mn_frames_shown(frames, &shown, &count), MN_OK);
        assert_int_equal(count, pictured);
        for (int k = 0; k < count; k++) {
            int which = 0;
            while (strcmp(mn_part_name((mn_output_part)which), shown[k].name) != 0) which++;
            if (shown[k].kind == MN_CELLS_VERTICES) continue;  // borrowed from the world
            if (step == 0) assert_true(sum_of(&shown[k]) == before[which]);
            else moved += sum_of(&shown[k]) != before[which];
        }
        if (step == 0)
            for (int n = 0; n < 10; n++) assert_int_equal(mn_world_step(s.world, mn_world_time(s.world) + 0.01), MN_OK);
    }
    assert_true(moved >= 1);
    mn_frames_destroy(&frames);
    strike(&s);
}

// ---- looks ---------------------------------------------------------------------------------------------------------

static char *read_source(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL) fail_msg("%s cannot be opened", path);
    char *all = calloc(1, 1 << 20);
    assert_non_null(all);
    assert_true(fread(all, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return all;
}

static void words_for_looks_are_found(void **state)
{
    (void)state;
    mn_look look;
    for (int k = 0; k < MN_LOOK_COUNT; k++) {
        assert_true(mn_look_find(mn_look_name((mn_look)k), &look));
        assert_int_equal(look, k);
    }
    assert_false(mn_look_find("foam", &look));
    assert_false(mn_look_find("", &look));
}

/// Tables of looks in other languages: each has the word, as a key or in quotes.
static void every_look_is_known_to_viewer_paraview_and_blender(void **state)
{
    (void)state;
    static const struct {
        const char *path, *before, *behind;
    } tables[] = { { "viewer/src/parts.js", "\n  ", ": (" },
                   { "viewer/src/colour.js", "\n  ", ": " },
                   { "paraview/meniscus_open.py", "\"", "\"" },
                   { "blender/meniscus_run/vtp.py", "\"", "\"" },
                   { "blender/meniscus_run/materials.py", "\n    \"", "\": lambda" } };
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/integrations/%s", MN_SOURCE_DIR, tables[t].path);
        char *source = read_source(path);
        for (int k = 0; k < MN_LOOK_COUNT; k++) {
            char entry[64];
            snprintf(entry, sizeof entry, "%s%s%s", tables[t].before, mn_look_name((mn_look)k), tables[t].behind);
            if (strstr(source, entry) == NULL) fail_msg("%s does not know the look %s", path, mn_look_name((mn_look)k));
        }
        free(source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_says_how_it_looks),
        cmocka_unit_test(files_have_the_fields_asked_for_and_pictures_all),
        cmocka_unit_test(a_part_is_made_once_a_frame),
        cmocka_unit_test(words_for_looks_are_found),
        cmocka_unit_test(every_look_is_known_to_viewer_paraview_and_blender),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
