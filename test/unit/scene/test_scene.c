// SPDX-License-Identifier: MPL-2.0
// Scenes that are good: what is read, resolved and built from them.
#include "scene_testing.h"

#include "base/random.h"

static const char everything[] =
    "format: 1\n"
    "name: \"wine \\\"on\\\" a table: \\u00e9\\t\\x01\"\n"
    "domain: {dimension: 3, cell: \"2 mm\", gravity: [0, \"-9.81 m/s2\", 0], up: y,\n"
    "         bounds: [[-20, -5, -20], [20, 25, 18.4]], boundary: {x: open, y: wall, z: periodic}}\n"
    "time: {end: 4.0, frame_rate: 60, dt_max: 2e-3, dt_min: 1e-8, cfl: 1.0, seed: 18446744073709551615}\n"
    "materials:\n"
    "  wine:   {kind: liquid, from: water, viscosity: \"1.6 mPa s\", surface_tension: \"48 mN/m\"}\n"
    "  stained: {from: wine, solutes: {tannin: \"2 g/l\"}}\n"
    "  cream:  {kind: liquid, density: 0.275, rheology: {yield: 693, consistency: 32.2, exponent: 0.27, shear_modulus: "
    "1.6e4, bulk_modulus: 1.09e6}}\n"
    "  cotton: {kind: fabric, thickness: \"0.36 mm\", fiber_diameter: \"100 um\", solid_fraction: 0.4, density: 1.32,\n"
    "           youngs_modulus: 1.83e7, poisson: 0.2, internal_viscosity: 2.78e4, drag: {law: nonlinear, exponent: "
    "1.6}, weave: plain}\n"
    "  hair:   {kind: fibre, radius: \"37 um\", youngs_modulus: 3.9e10, poisson: 0.35, density: 1.32}\n"
    "  steel:  {kind: solid, density: 7.9}\n"
    "  foam:   {kind: solid, density: 0.5, youngs_modulus: \"50 kPa\", poisson: 0.3, damping: {stiffness: 0.01}}\n"
    "  tannin: {kind: pigment, absorbance: [0.2, 0.9, 0.7], adsorption: {law: langmuir, rate: 5, release: 0.05, "
    "capacity: \"8 g/m2\"}}\n"
    "shapes:\n"
    "  funnel: {difference: [{cone: {radius: [4, 1], height: 6}}, {cone: {radius: [3.8, 0.8], height: 6.1}}]}\n"
    "  later: early\n"
    "  early: {union: [{capsule: {height: 1, radius: 0.5}, rotate: {axis: [1, 2, 3], angle: 33.3}}, {torus: {radius: "
    "[3, 1]}}]}\n"
    "  cut: {intersection: [later, {cylinder: {radius: 9, height: 9}}, {plane: {}}]}\n"
    "motions:\n"
    "  pour: {keys: [{t: 0, rotate: {axis: [0, 0, 1], angle: 0}}, {t: 1, rotate: {axis: [0, 0, 1], angle: 95}}], ease: "
    "smooth}\n"
    "  shake: {oscillate: {amplitude: [0.6, 0, 0], frequency: \"1.89 Hz\", phase: 17}, spin: [0, 12.34, 0], pivot: [1, "
    "2, 3]}\n"
    "obstacles:\n"
    "  table:  {shape: {box: {center: [0, -1, 0], size: [40, 2, 40]}}, wall: no_slip}\n"
    "  goblet: {shape: funnel, at: [0, 12, 0], motion: pour}\n"
    "  ball:   {shape: {sphere: {radius: 3}}, at: [-6, 8, -6], motion: {spin: [0, \"30 rpm\", 0]}}\n"
    "liquids:\n"
    "  pool:  {material: wine, fill: {inside: cut, below: 16}, particles_per_cell: 27, velocity: [0, 0, 1], sampling: "
    "lattice}\n"
    "  tap:   {material: wine, source: {shape: {disc: {radius: 0.4}}, at: [0, 18, 0], velocity: [0, -80, 0], rate: "
    "\"20 ml/s\", during: [0, 1.5]}}\n"
    "  drain: {sink: {shape: {box: {center: [0, -4, 0], size: [40, 1, 40]}}, motion: shake}}\n"
    "solver: {pressure: {tolerance: 1e-8}, extrapolation: linear}\n"
    "output: {parts: [surface, particles], fields: [velocity], checkpoint: {every: 7}}\n"
    "camera: {from: [30, 25, 30], to: [0, 2, 0], angle: 35.7, size: [640, 480]}\n"
    "probes: {passed: {volume_beyond: {point: [0, -0.3, 0], normal: [0, -1, 0]}}, push: {force: {of: ball}}, top: "
    "{speed: {}},\n"
    "         level: {height: {point: [1, 0, 0]}}, reach: {front: {}}, through: {flux: {}}, held: {volume_in: {shape: "
    "funnel}}}\n"
    "variants: {paper: {domain.cell: \"1 mm\", time.dt_max: 2e-4}, small: {domain: {cell: \"4 mm\"}}}\n";

static void a_resolved_scene_resolves_to_itself(void **state)
{
    (void)state;
    mn_context *c     = test_context(1);
    mn_scene   *scene = load_text(c, everything), *again = load_text(c, mn_scene_resolved(scene));
    assert_string_equal(mn_scene_name(scene), "wine \"on\" a table: \xc3\xa9\t\x01");
    assert_string_equal(mn_scene_name(scene), mn_scene_name(again));
    assert_string_equal(mn_scene_resolved(scene), mn_scene_resolved(again));
    assert_int_equal(mn_scene_identity(scene), mn_scene_identity(again));
    const mn_time_def   t = mn_scene_time(scene), u = mn_scene_time(again);
    const mn_camera_def v = mn_scene_camera(scene), w = mn_scene_camera(again);
    assert_memory_equal(&t, &u, sizeof t);
    assert_true(v.angle == w.angle && v.given && w.given && v.size[0] == 640);
    mn_scene_destroy(&again);
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

static void values_arrive_in_cgs_and_radians(void **state)
{
    (void)state;
    mn_context         *c      = test_context(1);
    mn_scene           *scene  = load_text(c, everything);
    const mn_domain_def domain = mn_scene_domain(scene);
    const mn_output_def output = mn_scene_output(scene);
    assert_true(domain.cell == 0.2 && domain.gravity[1] == -981.0 && domain.bounded && domain.bounds[1][2] == 18.4);
    assert_true(domain.boundary[0] == MN_BOUNDARY_OPEN && domain.boundary[1] == MN_BOUNDARY_WALL &&
                domain.boundary[2] == MN_BOUNDARY_PERIODIC);
    assert_true(mn_scene_time(scene).seed == UINT64_MAX && mn_scene_time(scene).dt_max == 2e-3);
    assert_near(mn_scene_camera(scene).angle, 35.7 * 3.14159265358979323846 / 180.0, 1e-15);
    assert_true(output.part[MN_OUTPUT_PARTICLES] && output.part[MN_OUTPUT_SURFACE] &&
                !output.part[MN_OUTPUT_OBSTACLES]);
    assert_true(output.field[MN_OUTPUT_VELOCITY] && !output.field[MN_OUTPUT_VOLUME]);
    assert_true(output.checkpoint_every == 7 && output.checkpoint_keep == 3 && output.disk_reserve == 200.0);
    assert_resolved(scene, "viscosity: 0.016\n    surface_tension: 48\n");
    assert_resolved(scene, "tannin: 0.002\n");
    assert_resolved(scene, "rate: 20\n");
    assert_resolved(scene, "capacity: 0.0008\n");
    assert_resolved(scene, "spin: [0, 180, 0]\n");
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

static void an_empty_map_is_a_scene_of_defaults(void **state)
{
    (void)state;
    mn_context         *c      = test_context(1);
    mn_scene           *scene  = load_text(c, "{}");
    const mn_domain_def domain = mn_scene_domain(scene);
    const mn_time_def   time   = mn_scene_time(scene);
    assert_true(domain.dimension == 3 && domain.cell == 0.5 && domain.up == 1 && !domain.bounded &&
                domain.gravity[1] == -981.0);
    assert_true(time.end == 1.0 && time.frame_rate == 60.0 && time.dt_max == 1.0 / 60.0 && time.dt_min == 1e-8 &&
                time.cfl == 1.0 && time.seed == 1);
    assert_false(mn_scene_camera(scene).given);
    assert_string_equal(mn_scene_name(scene), "");
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

static void every_double_survives_being_resolved(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    for (uint64_t k = 0; k < 300; k++) {
        char         text[256];
        const double value = exp(60.0 * mn_random(3, k, 0, 0) - 40.0), angle = 179.0 * mn_random(3, k, 1, 0);
        snprintf(text, sizeof text,
                 "domain: {gravity: [%.17g, -%.17g, 0]}\ncamera: {angle: %.17g}\nmotions: {a: {spin: [%.17g, 0, 0]}}\n",
                 value, value, angle + 1e-9, angle);
        mn_scene           *scene = load_text(c, text), *again = load_text(c, mn_scene_resolved(scene));
        const mn_domain_def domain = mn_scene_domain(scene), domain_again = mn_scene_domain(again);
        assert_true(domain.gravity[0] == value && domain.gravity[1] == -value);
        assert_memory_equal(domain.gravity, domain_again.gravity, sizeof domain.gravity);
        assert_true(mn_scene_camera(scene).angle == mn_scene_camera(again).angle);
        assert_string_equal(mn_scene_resolved(scene), mn_scene_resolved(again));
        mn_scene_destroy(&again);
        mn_scene_destroy(&scene);
    }
    test_context_end(&c);
}

static void variants_and_settings_come_in_order(void **state)
{
    (void)state;
    mn_context       *c      = test_context(1);
    const char *const set[]  = { "domain.cell=\"1 cm\"", "obstacles.table.at=[0, 1, 0]", "time.end=2 ms",
                                 "domain.gravity=[0, 0, 0]", "name=a b" };
    mn_scene_source   source = { .name = "text", .text = everything, .bytes = strlen(everything), .variant = "paper" };
    mn_scene         *scene  = load_source(c, &source);
    assert_true(mn_scene_domain(scene).cell == 0.1 && mn_scene_time(scene).dt_max == 2e-4);
    mn_scene_destroy(&scene);
    source.variant = "small";
    scene          = load_source(c, &source);
    assert_true(mn_scene_domain(scene).cell == 0.4 && mn_scene_domain(scene).gravity[1] == -981.0 &&
                mn_scene_time(scene).dt_max == 2e-3);
    mn_scene_destroy(&scene);
    source.set       = set;
    source.set_count = 5;
    source.text = "domain: {cell: 3}\nobstacles: {table: {shape: {sphere: {radius: 1}}}}\nvariants: {small: {time.end: "
                  "9, "
                  "domain.cell: 7}}\n";
    source.bytes = strlen(source.text);
    scene        = load_source(c, &source);
    assert_true(mn_scene_domain(scene).cell == 1.0 && mn_scene_time(scene).end == 0.002 &&
                mn_scene_domain(scene).gravity[1] == 0.0);
    assert_string_equal(mn_scene_name(scene), "a b");
    assert_resolved(scene, "    at: [0, 1, 0]\n");
    assert_not_resolved(scene, "variants");
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

static void a_new_kind_replaces_the_old_one(void **state)
{
    (void)state;
    mn_context       *c     = test_context(1);
    const char *const set[] = { "shapes.a={sphere: {radius: 2}}", "liquids.pool.sink={shape: a}",
                                "obstacles.sphere.shape={box: {size: [1, 1, 1]}}" };
    const char *text = "shapes: {a: {box: {size: [1, 2, 3]}, at: [1, 1, 1]}}\nliquids: {pool: {fill: {inside: a}}}\n"
                       "obstacles: {box: {shape: a}, sphere: {shape: {sphere: {radius: 1}}}}\n";
    mn_scene_source source = { .name = "text", .text = text, .bytes = strlen(text), .set = set, .set_count = 3 };
    mn_scene       *scene  = load_source(c, &source);
    assert_resolved(scene, "  a:\n    sphere:\n      center: [0, 0, 0]\n      radius: 2\n    at: [1, 1, 1]\n");
    assert_resolved(scene, "  box:\n    shape: \"a\"\n");  // the obstacle called box is no kind
    assert_resolved(scene, "  sphere:\n    shape:\n      box:\n");
    assert_resolved(scene, "  pool:\n    sink:\n");
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

static void materials_build_on_one_another(void **state)
{
    (void)state;
    mn_context *c     = test_context(1);
    mn_scene   *scene = load_text(c, "materials: {b: {from: a, density: 2}, a: {from: honey, viscosity: 3}, water: "
                                       "{from: water, density: 0.5}}\n"
                                       "liquids: {pool: {material: b, fill: {inside: {sphere: {radius: 1}}}}}\n");
    assert_resolved(scene, "  b:\n    kind: liquid\n    density: 2\n    viscosity: 3\n    surface_tension: 55\n");
    assert_resolved(scene, "  water:\n    kind: liquid\n    density: 0.5\n    viscosity: 0.0089\n");
    assert_resolved(scene, "  honey:\n    kind: liquid\n    density: 1.42\n    viscosity: 80\n");
    assert_not_resolved(scene, "from");
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

static void built_in_materials_are_good(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char       *listing;
    assert_int_equal(mn_scene_materials(c, &listing), MN_OK);
    int count = 0;
    for (const char *line = listing; *line != '\0'; line = strchr(line, '\n') + 1, count++) {
        char text[256];
        snprintf(text, sizeof text, "materials: {mine: {from: %.*s}}", (int)strcspn(line, " "), line);
        mn_scene *scene = load_text(c, text);
        mn_scene_destroy(&scene);
    }
    assert_true(count >= 8);
    mn_text_free(c, &listing);
    assert_null(listing);
    test_context_end(&c);
}

static void two_dimensions_may_leave_z_out(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_scene *
        scene = load_text(c, "domain: {dimension: 2, gravity: [0, -5], bounds: [[0, 0], [8, 4]], boundary: open}\n"
                             "liquids: {pool: {material: water, fill: {inside: {box: {size: [1, 2]}}}, at: [1, 1]}}\n");
    const mn_domain_def domain = mn_scene_domain(scene);
    assert_true(domain.gravity[2] == 0.0 && domain.bounds[1][1] == 4.0 &&
                domain.bounds[1][2] - domain.bounds[0][2] == 1.0);
    assert_true(domain.boundary[0] == MN_BOUNDARY_OPEN && domain.boundary[2] == MN_BOUNDARY_WALL);
    assert_resolved(scene, "particles_per_cell: 4\n");
    assert_resolved(scene, "z: periodic\n");
    mn_scene *again = load_text(c, mn_scene_resolved(scene));
    assert_string_equal(mn_scene_resolved(scene), mn_scene_resolved(again));
    mn_scene_destroy(&again);
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

static void aliases_stand_for_their_anchors(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_scene *
        scene = load_text(c,
                          "shapes: {a: &ball {sphere: {radius: &r 2}}, b: {union: [*ball, {sphere: {radius: *r}}]}}\n");
    assert_resolved(scene, "    union: [{sphere: {center: [0, 0, 0], radius: 2}");
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

static void the_identity_is_what_steers_the_run(void **state)
{
    (void)state;
    mn_context    *c     = test_context(1);
    const uint64_t first = identity_of(c, "domain: {cell: 1}\nobstacles: {a: {shape: {sphere: {radius: 1}}}}\n");
    assert_true(first ==
                identity_of(c,
                            "name: x\ndescription: y\ntime: {end: 9}\noutput: {parts: [surface]}\ncamera: {angle: 20}\n"
                            "domain: {cell: \"1 cm\"}\nobstacles: {a: {shape: {sphere: {radius: \"10 mm\"}}}}\n"));
    assert_true(first !=
                identity_of(c, "domain: {cell: 1.0000000000000002}\nobstacles: {a: {shape: {sphere: {radius: 1}}}}\n"));
    assert_true(first != identity_of(c, "domain: {cell: 1}\nobstacles: {a: {shape: {sphere: {radius: 2}}}}\n"));
    assert_true(first != identity_of(c, "domain: {cell: 1}\nobstacles: {b: {shape: {sphere: {radius: 1}}}}\n"));
    assert_true(first !=
                identity_of(c, "time: {seed: 2}\ndomain: {cell: 1}\nobstacles: {a: {shape: {sphere: {radius: 1}}}}\n"));
    test_context_end(&c);
}

static void a_source_needs_a_path_or_a_text(void **state)
{
    (void)state;
    mn_context *c     = test_context(1);
    mn_scene   *scene = NULL;
    assert_int_equal(mn_scene_load(c, &(mn_scene_source){ .name = "x" }, &scene), MN_ERR_ARGUMENT);
    assert_null(scene);
    assert_int_equal(mn_scene_load(c, &(mn_scene_source){ .path = "no-such-folder/scene.yaml" }, &scene), MN_ERR_SCENE);
    assert_string_equal(mn_context_error(c), "no-such-folder/scene.yaml:1:1: the file 'no-such-folder/scene.yaml' "
                                             "cannot be read: No such file or directory");
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

static void a_mark_that_says_utf_8_changes_nothing(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    assert_true(identity_of(c, "\xef\xbb\xbf"
                               "domain: {cell: 2}\n") == identity_of(c, "domain: {cell: 2}\n"));
    assert_true(identity_of(c, "\xef\xbb\xbf# a scene\ndomain: {cell: 2}\n") == identity_of(c, "domain: {cell: 2}\n"));
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mark_that_says_utf_8_changes_nothing),
        cmocka_unit_test(a_resolved_scene_resolves_to_itself),
        cmocka_unit_test(values_arrive_in_cgs_and_radians),
        cmocka_unit_test(an_empty_map_is_a_scene_of_defaults),
        cmocka_unit_test(every_double_survives_being_resolved),
        cmocka_unit_test(variants_and_settings_come_in_order),
        cmocka_unit_test(a_new_kind_replaces_the_old_one),
        cmocka_unit_test(materials_build_on_one_another),
        cmocka_unit_test(built_in_materials_are_good),
        cmocka_unit_test(two_dimensions_may_leave_z_out),
        cmocka_unit_test(aliases_stand_for_their_anchors),
        cmocka_unit_test(the_identity_is_what_steers_the_run),
        cmocka_unit_test(a_source_needs_a_path_or_a_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
