// SPDX-License-Identifier: MPL-2.0
// Shapes of fills, sinks and probes across periodic sides; fills and sources that come to nothing are told.
#include "worlds.h"

#include "geom/images.h"
#include "meniscus/scene.h"

#include <string.h>

typedef struct heard {
    int  warnings;
    char event[64], text[512];
} heard;

static void listen(mn_log_level level, const char *event, const char *text, void *user)
{
    heard *h = user;
    if (level < MN_LOG_WARNING) return;
    h->warnings++;
    snprintf(h->event, sizeof h->event, "%s", event);
    snprintf(h->text, sizeof h->text, "%s", text);
}

static mn_status build(mn_context *c, const char *text, mn_world **w)
{
    const mn_scene_source source = { .name = "text", .text = text, .bytes = strlen(text) };
    mn_scene             *scene  = NULL;
    mn_status             status = mn_scene_load(c, &source, &scene);
    if (status == MN_OK) status = mn_scene_build(scene, w);
    mn_scene_destroy(&scene);
    return status;
}

static mn_world *built(mn_context *c, const char *text)
{
    mn_world *w = NULL;
    if (build(c, text, &w) != MN_OK) fail_msg("%s", mn_context_error(c));
    return w;
}

#define TORUS(rest)                                                                                                 \
    "domain: {dimension: 2, cell: 0.125, gravity: [0, 0, 0], bounds: [[0, 0], [4, 4]], boundary: {x: periodic, y: " \
    "periodic}}\n" rest

/// A ball that is filled over the corner of the domain has as many particles as one in its middle, and turns as one.
static void a_fill_crosses_periodic_sides(void **state)
{
    (void)state;
    mn_context *c    = test_context(1);
    mn_world *middle = built(c, TORUS("liquids: {w: {material: water, at: [2, 2, 0], spin: [0, 0, 90], fill: {inside: "
                                      "{sphere: {radius: 1}}}}}\n"));
    mn_world *corner = built(c, TORUS("liquids: {w: {material: water, at: [4, 0, 0], spin: [0, 0, 90], fill: {inside: "
                                      "{sphere: {radius: 1}}}}}\n"));
    mn_world *beyond = built(c, TORUS("liquids: {w: {material: water, at: [-8, 12, 0], fill: {inside: {sphere: "
                                      "{radius: 1}}}}}\n"));
    const int64_t count = mn_world_liquid(middle).count;
    assert_near(mn_world_ledger(middle).liquid_total / MN_PI, 1.0, 0.02);
    assert_int_equal(mn_world_liquid(corner).count, count);
    assert_int_equal(mn_world_liquid(beyond).count, count);
    const mn_liquid_view q = mn_world_liquid(corner);
    for (int64_t i = 0; i < count;
         i++) {  // the speed is the spin times the distance from the nearest image of the centre
        const double x = remainder(q.position.x[i], 4.0), y = remainder(q.position.y[i], 4.0);
        assert_true(q.position.x[i] > 0.0 && q.position.x[i] < 4.0 && q.position.y[i] > 0.0 && q.position.y[i] < 4.0);
        assert_near(q.velocity.x[i], -0.5 * MN_PI * y, 1e-12);
        assert_near(q.velocity.y[i], 0.5 * MN_PI * x, 1e-12);
    }
    mn_world_destroy(&beyond);
    mn_world_destroy(&corner);
    mn_world_destroy(&middle);
    test_context_end(&c);
}

/// A band longer than the period lies over itself and counts once.
static void a_probe_crosses_periodic_sides(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_world   *w = built(c, TORUS("liquids: {w: {material: water, fill: {}}}\n"
                                     "probes:\n"
                                     "  seam: {volume_in: {shape: {sphere: {center: [0, 2, 0], radius: 1}}}}\n"
                                     "  far: {volume_in: {shape: {sphere: {center: [12, -2, 0], radius: 1}}}}\n"
                                     "  band: {volume_in: {shape: {box: {center: [1, 4, 0], size: [11, 1]}}}}\n"
                                     "  half: {volume_in: {shape: {plane: {point: [1, 0, 0], normal: [1, 0, 0]}}}}\n"));
    assert_near(mn_world_probe_value(w, 0) / MN_PI, 1.0, 0.02);
    assert_near(mn_world_probe_value(w, 1) / MN_PI, 1.0, 0.02);
    assert_near(mn_world_probe_value(w, 2), 4.0, 0.1);
    assert_near(mn_world_probe_value(w, 3), 4.0, 0.1);  // a plane has no end and no images
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// The time of the sink is shorter than the step that it falls into.
static void a_sink_crosses_periodic_sides_however_short_it_works(void **state)
{
    (void)state;
    static const char scene[] =
        "domain: {dimension: 2, cell: 0.25, gravity: [0, 0, 0], bounds: [[0, 0], [4, 4]], boundary: {x: periodic}}\n"
        "time: {dt_max: 0.05}\n"
        "liquids:\n"
        "  w: {material: water, sampling: lattice, fill: {below: 2}}\n"
        "  k: {sink: {shape: {box: {center: [0, 1, 0], size: [1, 1]}}, during: [0.05, 0.06]}}\n";
    mn_context *c = test_context(1);
    mn_world   *w = built(c, scene);
    assert_int_equal(mn_world_step(w, 0.04), MN_OK);
    assert_near(mn_world_ledger(w).liquid_removed, 0.0, 0.0);
    while (mn_world_time(w) < 0.2) assert_int_equal(mn_world_step(w, 0.2), MN_OK);
    assert_near(mn_world_ledger(w).liquid_removed, 1.0, 0.07);
    assert_near(mn_world_ledger(w).liquid_total + mn_world_ledger(w).liquid_removed, 8.0, 1e-12);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// Of a turned shape too, about which the box is wider than the shape.
static void images_follow_the_pose(void **state)
{
    (void)state;
    mn_context     *c    = test_context(1);
    mn_shape       *box  = test_shape(c, MN_SHAPE_BOX, 0, 0, 0, 1.0);
    const mn_pose   pose = { .rotation    = mn_rotation3(mn_v3(0, 0, 1), 0.25 * MN_PI),
                             .translation = mn_v3(4.0, 1.0, 0.0) };
    const mn_images m    = mn_images_of(box, &pose, mn_v3(4.0, 0.0, 0.0));
    mn_vec3         shift;
    assert_true(mn_images_inside(&m, mn_v3(0.6, 1.0, 0.0), &shift) && shift.x == 4.0);
    assert_true(mn_images_inside(&m, mn_v3(3.4, 1.0, 0.0), &shift) && shift.x == 0.0);
    assert_true(mn_images_inside(&m, mn_v3(-4.6, 1.0, 0.0), &shift) && shift.x == 8.0);
    assert_false(mn_images_inside(&m, mn_v3(0.6, 1.6, 0.0), &shift));
    assert_false(mn_images_inside(&m, mn_v3(0.8, 1.0, 0.0), NULL));
    assert_false(mn_images_inside(&m, mn_v3(0.0, 5.0, 0.0), NULL));  // y is not periodic
    mn_shape_release(&box);
    test_context_end(&c);
}

#define BLOCK                                                        \
    "domain: {dimension: 2, cell: 0.25, bounds: [[0, 0], [8, 8]]}\n" \
    "obstacles: {rock: {shape: {box: {center: [4, 4, 0], size: [3, 3]}}%s}}\n"

static void a_source_inside_an_obstacle_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *motion, *place, *text;
    } cases[] = {
        { "", "4, 4, 0", "inside the obstacle 'rock'" },
        { "", "5.2, 4, 0", "75 % of its cross-section lies inside" },
        { "", "5.6, 4, 0", NULL },  // two fifths: allowed
        { "", "4, -2, 0", "beyond the walls" },
        { ", motion: {velocity: [10, 0, 0]}", "4, 4, 0", NULL },  // it leaves
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        mn_context *c = test_context(1);
        mn_world   *w = NULL;
        char        text[1024];
        snprintf(text, sizeof text,
                 BLOCK "liquids:\n  tap: {material: water, source: {shape: {box: {size: [1, 0.5]}}, at: [%s], "
                       "velocity: [0, -30, 0]}}\n",
                 cases[k].motion, cases[k].place);
        const mn_status status = build(c, text, &w);
        if (cases[k].text == NULL && status != MN_OK) fail_msg("%s", mn_context_error(c));
        if (cases[k].text != NULL) {
            assert_int_equal(status, MN_ERR_SCENE);
            if (strstr(mn_context_error(c), cases[k].text) == NULL) fail_msg("%s", mn_context_error(c));
            assert_non_null(strstr(mn_context_error(c), "text:4:3: tap: "));
        }
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

static void a_fill_of_nothing_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *place;
        int         warnings;
    } cases[] = { { "4, 4, 0", 1 }, { "20, 2, 0", 1 }, { "1, 1, 0", 0 } };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        heard          h   = { 0 };
        mn_context_def def = mn_context_def_default();
        mn_context    *c   = NULL;
        char           text[1024];
        def.threads = 1, def.log = listen, def.log_user = &h;
        assert_int_equal(mn_context_create(&def, &c), MN_OK);
        snprintf(text, sizeof text,
                 BLOCK "liquids: {pond: {material: water, at: [%s], fill: {inside: {box: {size: [1, 1]}}}}}\n", "",
                 cases[k].place);
        mn_world *w = built(c, text);
        assert_int_equal(h.warnings, cases[k].warnings);
        assert_true(h.warnings == 0 || (strcmp(h.event, "fill_empty") == 0 && strstr(h.text, "'pond'") != NULL));
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fill_crosses_periodic_sides),
        cmocka_unit_test(a_probe_crosses_periodic_sides),
        cmocka_unit_test(a_sink_crosses_periodic_sides_however_short_it_works),
        cmocka_unit_test(images_follow_the_pose),
        cmocka_unit_test(a_source_inside_an_obstacle_is_refused),
        cmocka_unit_test(a_fill_of_nothing_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
