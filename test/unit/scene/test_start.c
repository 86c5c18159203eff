// SPDX-License-Identifier: MPL-2.0
// What will go badly from the start is said when the world is made, with its place; what is meant is not.
#include "testing.h"

#include <meniscus/meniscus.h>

#include <stdio.h>
#include <string.h>

typedef struct said {
    int  count;
    char event[8][48], text[8][768];
} said;

static void listen(mn_log_level level, const char *event, const char *text, void *user)
{
    said *s = user;
    if (level < MN_LOG_WARNING || strncmp(event, "start_", 6) != 0 || s->count == 8) return;
    snprintf(s->event[s->count], sizeof s->event[0], "%s", event);
    snprintf(s->text[s->count++], sizeof s->text[0], "%s", text);
}

/// What is said about the start of a scene with these things, in a closed box of 8 cm with cells of 5 mm.
static said start_of(const char *things)
{
    char text[2048];
    said s = { .count = 0 };
    snprintf(text, sizeof text,
             "format: 1\ndomain: {cell: 0.5, bounds: [[-4, -4, -4], [4, 4, 4]]}\ntime: {end: 1, frame_rate: 10}\n%s",
             things);
    mn_context_def def     = mn_context_def_default();
    mn_context    *c       = NULL;
    mn_scene      *scene   = NULL;
    mn_world      *world   = NULL;
    def.threads            = 1;
    def.log                = listen;
    def.log_user           = &s;
    mn_scene_source source = { .text = text, .bytes = strlen(text) };
    assert_int_equal(mn_context_create(&def, &c), MN_OK);
    if (mn_scene_load(c, &source, &scene) != MN_OK || mn_scene_build(scene, &world) != MN_OK)
        fail_msg("%s", mn_context_error(c));
    mn_world_destroy(&world);
    mn_scene_destroy(&scene);
    mn_context_destroy(&c);
    return s;
}

/// One warning of this kind, that has all these words.
static void assert_said(const char *things, const char *event, const char *place, const char *words)
{
    const said s = start_of(things);
    if (s.count != 1 || strcmp(s.event[0], event) != 0 || strstr(s.text[0], place) == NULL ||
        strstr(s.text[0], words) == NULL)
        fail_msg("%d warnings, the first %s: %s; expected %s at %s with '%s'", s.count, s.event[0], s.text[0], event,
                 place, words);
}

static void assert_silent(const char *things)
{
    const said s = start_of(things);
    if (s.count != 0) fail_msg("%s: %s", s.event[0], s.text[0]);
}

static const char
    sheet[] = "fabrics:\n  a: {material: cotton, sheet: {size: [4, 4], spacing: 0.25}, at: [0, %s, 0]%s}\n";

static void fabric_inside_an_obstacle_is_said(void **state)
{
    (void)state;
    char        text[512], things[1024];
    const char *ball = "obstacles:\n  ball: {shape: {sphere: {radius: 1}}}\n";
    // The sheet lies 0.5 cm above the middle: half a radius is inside.
    snprintf(text, sizeof text, sheet, "0.5", "");
    snprintf(things, sizeof things, "%s%s", ball, text);
    assert_said(things, "start_fabric_in_obstacle", ":7:3:", "fabric 'a' starts inside obstacle 'ball', up to 0.49");
    // On the ball, above it, and held by pins that are meant: nothing to say.
    snprintf(text, sizeof text, sheet, "1.0", "");
    snprintf(things, sizeof things, "%s%s", ball, text);
    assert_silent(things);
    snprintf(text, sizeof text, sheet, "0.5", ", pins: {all: {}}");
    snprintf(things, sizeof things, "%s%s", ball, text);
    assert_silent(things);
    // Only the middles of triangles are inside: a post thinner than the mesh is fine.
    snprintf(text, sizeof text, "fabrics: {a: {material: cotton, sheet: {size: [4, 4], spacing: 1}}}\n");
    snprintf(things, sizeof things, "obstacles: {post: {shape: {box: {size: [0.9, 6, 0.9]}}, at: [0.5, 0, 0.5]}}\n%s",
             text);
    assert_said(things, "start_fabric_in_obstacle", ":5:11:", "inside obstacle 'post'");
}

static void a_moving_obstacle_counts_where_it_begins(void **state)
{
    (void)state;
    char text[512], things[1024];
    snprintf(text, sizeof text, sheet, "0.5", "");
    snprintf(things, sizeof things,
             "obstacles: {ball: {shape: {sphere: {radius: 1}}, motion: {keys: [{t: 0, translate: [0, 2.6, 0]}, {t: "
             "1}]}}}\n%s",
             text);
    assert_silent(things);
    snprintf(text, sizeof text, sheet, "2.6", "");
    snprintf(things, sizeof things,
             "obstacles: {ball: {shape: {sphere: {radius: 1}}, motion: {keys: [{t: 0, translate: [0, 2.6, 0]}, {t: "
             "1}]}}}\n%s",
             text);
    assert_said(things, "start_fabric_in_obstacle", ":6:3:", "up to 0.9");
}

static void fabric_beyond_a_wall_is_said(void **state)
{
    (void)state;
    char text[512];
    snprintf(text, sizeof text, sheet, "4.5", "");
    assert_said(text, "start_fabric_in_wall", ":5:3:", "beyond a wall of the domain, up to 0.5 cm (1 cells) deep");
    snprintf(text, sizeof text, sheet, "4.0", "");
    assert_silent(text);
}

static void liquid_inside_an_obstacle_is_said(void **state)
{
    (void)state;
    assert_said("obstacles: {rock: {shape: {sphere: {radius: 2}}}}\nliquids:\n  drop: {material: water, fill: {inside: "
                "{sphere: {radius: 1}}}, at: [1.5, 0, 0]}\n",
                "start_liquid_in_obstacle", ":6:3:", "of what liquid 'drop' fills is inside obstacles");
    // A pool around a rock is no mistake, nor is a vessel that is filled by a box around it.
    assert_silent(
        "obstacles: {rock: {shape: {sphere: {radius: 2}}}}\nliquids: {pool: {material: water, fill: {below: 1}}}\n");
    assert_silent(
        "obstacles: {rock: {shape: {sphere: {radius: 2}}}}\nliquids: {pool: {material: water, fill: {inside: {box: "
        "{size: [8, 4, 8]}}}}}\n");
}

static void liquid_smaller_than_a_cell_is_said(void **state)
{
    (void)state;
    assert_said("liquids:\n  drop: {material: water, fill: {inside: {sphere: {radius: 0.2}}}, at: [0.1, 0.1, 0.1]}\n",
                "start_liquid_too_small", ":5:3:", "is 0.4 cm wide, 0.8 cells");
    assert_said("liquids:\n  film: {material: water, fill: {inside: {box: {size: [4, 0.3, 4]}}}}\n",
                "start_liquid_too_small", ":5:3:", "is 0.3 cm wide, 0.6 cells");
    assert_said("liquids:\n  tap: {material: water, source: {shape: {disc: {radius: 0.24}}, velocity: [0, -60, 0]}}\n",
                "start_liquid_too_small", ":5:3:", "is 0.48 cm wide");
    // A rate that the velocity carries through less narrows the stream: 6 cm3/s at 40 cm/s is a jet of 0.44 cm.
    assert_said("liquids:\n  tap: {material: water, source: {shape: {disc: {radius: 1}}, velocity: [0, -40, 0], rate: "
                "6}}\n",
                "start_liquid_too_small", ":5:3:", "is 0.437 cm wide");
    assert_silent(
        "liquids: {drop: {material: water, fill: {inside: {sphere: {radius: 0.25}}}, at: [0.1, 0.1, 0.1]}}\n");
    assert_silent("liquids: {tap: {material: water, source: {shape: {disc: {radius: 0.3}}, velocity: [0, -60, 0]}}}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fabric_inside_an_obstacle_is_said),
        cmocka_unit_test(a_moving_obstacle_counts_where_it_begins),
        cmocka_unit_test(fabric_beyond_a_wall_is_said),
        cmocka_unit_test(liquid_inside_an_obstacle_is_said),
        cmocka_unit_test(liquid_smaller_than_a_cell_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
