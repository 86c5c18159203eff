// SPDX-License-Identifier: MPL-2.0
// Broken scenes: each is refused with a sentence at the right place, and leaves no memory behind.
//
// Every file of test/data/broken says on its first line what is expected: `# expect: LINE:COLUMN: part of the message`.
// Further comment lines may choose a variant (`# variant: NAME`) or a setting (`# set: key=value`).
#include "failing_memory.h"
#include "testing.h"

#include "meniscus/scene.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES 4096

/// "LINE:COLUMN: fragment" against "file:LINE:COLUMN: sentence": the place as it is, the fragment anywhere behind it.
static bool message_fits(const char *message, const char *expected)
{
    const char *fragment = strchr(strchr(expected, ':') + 1, ':') + 2;
    char        place[64];
    snprintf(place, sizeof place, ":%.*s", (int)(fragment - expected), expected);
    const char *at = strstr(message, place);
    return at != NULL && strstr(at + strlen(place), fragment) != NULL;
}

/// Load, and build what loads: expect a failure with nothing left.
static void expect_refused(mn_context *c, const mn_scene_source *source, const char *name, const char *expected)
{
    const int64_t blocks = mn_context_memory(c).blocks_now, bytes = mn_context_memory(c).bytes_now;
    mn_scene     *scene  = NULL;
    mn_world     *world  = NULL;
    mn_status     status = mn_scene_load(c, source, &scene);
    if (status == MN_OK) status = mn_scene_build(scene, &world);
    else assert_null(scene);
    mn_world_destroy(&world);
    mn_scene_destroy(&scene);
    if (status == MN_OK) fail_msg("%s was accepted", name);
    assert_int_equal(status, MN_ERR_SCENE);
    if (!message_fits(mn_context_error(c), expected))
        fail_msg("%s\n  expected %s\n  got      %s", name, expected, mn_context_error(c));
    assert_int_equal(mn_context_memory(c).blocks_now, blocks);
    assert_int_equal(mn_context_memory(c).bytes_now, bytes);
}

typedef struct expectation {
    char expected[LINE_BYTES], variant[LINE_BYTES], set[LINE_BYTES];
} expectation;

static bool take_comment(const char *line, const char *word, char out[LINE_BYTES])
{
    const size_t length = strlen(word);
    if (strncmp(line, word, length) != 0) return false;
    snprintf(out, LINE_BYTES, "%s", line + length);
    out[strcspn(out, "\n")] = '\0';
    return true;
}

static void read_expectation(const char *path, expectation *e)
{
    char  line[LINE_BYTES];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    memset(e, 0, sizeof *e);
    while (fgets(line, sizeof line, file) != NULL && line[0] == '#') {
        if (!take_comment(line, "# expect: ", e->expected) && !take_comment(line, "# variant: ", e->variant))
            take_comment(line, "# set: ", e->set);
    }
    fclose(file);
    if (e->expected[0] == '\0') fail_msg("%s does not say what is expected", path);
}

static void every_broken_scene_is_refused_at_its_place(void **state)
{
    (void)state;
    mn_context *c      = test_context(1);
    DIR        *folder = opendir(MN_TEST_DATA "/broken");
    int         count  = 0;
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        const char *ending = strrchr(entry->d_name, '.');
        if (ending == NULL || strcmp(ending, ".yaml") != 0) continue;
        char        path[LINE_BYTES];
        expectation e;
        snprintf(path, sizeof path, MN_TEST_DATA "/broken/%s", entry->d_name);
        read_expectation(path, &e);
        const char           *set    = e.set;
        const mn_scene_source source = { .path      = path,
                                         .variant   = e.variant[0] != '\0' ? e.variant : NULL,
                                         .set       = &set,
                                         .set_count = e.set[0] != '\0' };
        expect_refused(c, &source, entry->d_name, e.expected);
        count++;
    }
    closedir(folder);
    assert_true(count >= 150);
    test_context_end(&c);
}

static void texts_that_are_no_scenes_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        size_t      bytes;
        const char *expected;
    } rows[] = {
        { "empty", "", 0, "1:1: the scene is empty" },
        { "blank", "  \n\n", 4, "1:1: the scene is empty" },
        { "null", "~\n", 2, "1:1: the scene is empty" },
        { "zero byte", "domain:\n  cell: \0", 17, "2:9: the control character 0x00" },
        { "bell", "name: \a\n", 8, "1:7: the control character 0x07" },
        { "picture", "\x89PNG\r\n\x1a\n", 8, "1:1: the byte 0x89 is not UTF-8" },
        { "archive", "PK\x03\x04", 4, "1:3: the control character 0x03" },
        { "utf-16",
          "\xff\xfe"
          "d\0o\0m\0",
          8, "1:1: the byte 0xff is not UTF-8" },
        { "latin-1", "name: caf\xe9\n", 11, "1:10: the byte 0xe9 is not UTF-8" },
        { "overlong", "name: \xc0\xaf\n", 9, "1:7: the byte 0xc0 is not UTF-8" },
        { "surrogate", "name: \xed\xa0\x80\n", 10, "1:7: the byte 0xed is not UTF-8" },
        { "cut character", "name: \xe2\x82", 8, "1:7: the byte 0xe2 is not UTF-8" },
        { "late mark", "name: a\xef\xbb\xbf\n", 11, "1:8: a byte order mark may stand" },
        { "mark alone", "\xef\xbb\xbf", 3, "1:1: the scene is empty" },
        { "two marks", "\xef\xbb\xbf\xef\xbb\xbf{}", 8, "1:1: a byte order mark may stand" },
        { "behind a mark", "\xef\xbb\xbfname: caf\xe9\n", 14, "1:10: the byte 0xe9 is not UTF-8" },
        { "directive", "%YAML 9.9\n---\n{}\n", 17, "1:1: found incompatible YAML document" },
        { "anchor", "&a\n*a\n", 6, "2:1: " },
    };
    mn_context *c = test_context(1);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const mn_scene_source source = { .name = rows[k].name, .text = rows[k].text, .bytes = rows[k].bytes };
        expect_refused(c, &source, rows[k].name, rows[k].expected);
    }
    test_context_end(&c);
}

static void a_hundred_megabytes_of_nonsense_are_refused_at_once(void **state)
{
    (void)state;
    enum { BYTES = 100 << 20 };
    mn_context *c    = test_context(1);
    char       *text = malloc(BYTES);
    assert_non_null(text);
    for (size_t k = 0; k < BYTES; k++) text[k] = "[{:,&*!|>'\"%@`x \n"[(k * 2654435761u >> 7) % 17];
    const int64_t   peak   = mn_context_memory(c).bytes_peak;
    mn_scene_source source = { .name = "huge", .text = text, .bytes = BYTES };
    expect_refused(c, &source, "huge", "1:1: the file has 104857600 bytes; a scene file has 16777216 at most");

    char      path[] = "huge-scene-XXXXXX";
    const int handle = mkstemp(path);
    assert_true(handle >= 0);
    assert_int_equal(write(handle, text, BYTES), BYTES);
    close(handle);
    source = (mn_scene_source){ .path = path };
    expect_refused(c, &source, "huge file", "1:1: the file");
    unlink(path);
    assert_true(mn_context_memory(c).bytes_peak < peak + (1 << 20));  // it was not read
    free(text);
    test_context_end(&c);
}

/// Sixteen megabytes that are allowed by size but hold too much: the number of values is bounded, and so the memory.
static void many_values_are_refused_before_they_fill_the_memory(void **state)
{
    (void)state;
    enum { BYTES = 16 << 20 };
    mn_context *c    = test_context(1);
    char       *text = malloc(BYTES);
    assert_non_null(text);
    static const char *const fillings[] = { "a,", "[],", "- a\n" };
    for (int f = 0; f < 3; f++) {
        const char  *piece  = fillings[f];
        const size_t length = strlen(piece);
        text[0]             = '[';
        for (size_t k = 1; k < BYTES; k++) text[k] = piece[(k - 1) % length];
        if (piece[0] == '-') text[0] = '\n';
        const mn_scene_source source = { .name = "many", .text = text, .bytes = BYTES };
        mn_scene             *scene  = NULL;
        assert_int_equal(mn_scene_load(c, &source, &scene), MN_ERR_SCENE);
        assert_non_null(strstr(mn_context_error(c), "the scene holds more than 500000 values"));
    }
    assert_true(mn_context_memory(c).bytes_peak < (int64_t)256 << 20);
    free(text);
    test_context_end(&c);
}

static const char full_scene
    [] = "materials: {wine: {from: red_wine, density: 1.1}}\n"
         "shapes: {cup: {difference: [{sphere: {radius: 2}}, {box: {size: [1, 1, 1]}, at: [0, 1, 0]}]}}\n"
         "motions: {pour: {keys: [{t: 0}, {t: 1, rotate: {axis: [0, 0, 1], angle: 95}}], ease: smooth}}\n"
         "obstacles: {cup: {shape: cup, motion: pour}}\n"
         "liquids: {pool: {material: wine, fill: {inside: cup}}}\n"
         "fabrics: {a: {material: silk, sheet: {size: [2, 2], spacing: 0.5}, saturation: {left: 1, all: 0.1}, "
         "evaporation: 10 g/m2/s,\n"
         "              solid_fraction_noise: {amplitude: 0.1, length: 1}, pins: {left: {}}}}\n"
         "pairs: [{of: [wine, any], contact_angle: 30}, {of: [silk, silk], cohesion: 0.1}]\n"
         "probes: {w: {wet_area: {of: a}}, f: {pin_force: {of: a, group: left}}}\n"
         "variants: {small: {domain.cell: 1}}\n";

static mn_status load_full_scene(failing_memory *m, void *context)
{
    const mn_scene_source source = { .name    = "text",
                                     .text    = full_scene,
                                     .bytes   = sizeof full_scene - 1,
                                     .variant = "small" };
    mn_scene             *scene  = NULL;
    const mn_status       status = mn_scene_load(context, &source, &scene);
    grant_all(m);
    mn_scene_destroy(&scene);
    return status;
}

static void a_load_survives_every_failing_allocation(void **state)
{
    (void)state;
    failing_memory memory = PLENTY_OF_MEMORY;
    mn_context    *c      = failing_context(&memory);
    assert_true(survives_every_failing_allocation(&memory, load_full_scene, c, NULL) > 4);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_broken_scene_is_refused_at_its_place),
        cmocka_unit_test(texts_that_are_no_scenes_are_refused),
        cmocka_unit_test(a_hundred_megabytes_of_nonsense_are_refused_at_once),
        cmocka_unit_test(many_values_are_refused_before_they_fill_the_memory),
        cmocka_unit_test(a_load_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
