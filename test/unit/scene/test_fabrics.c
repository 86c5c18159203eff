// SPDX-License-Identifier: MPL-2.0
// Fabrics in scenes: materials from textile data, meshes, groups, pins, pairs, wind; the scenes that come with the
// program.
#include "scene_testing.h"

#include <dirent.h>

#define SHEET "fabrics:\n  a: {material: m, sheet: {size: [4, 2], spacing: 0.5, mesh: structured}}\n"

static const mn_fabric_material *material_of(const mn_scene *s) { return &mn_scene_fabric(s, 0)->material; }

static mn_scene *load_material(mn_context *c, const char *body)
{
    char text[1024];
    snprintf(text, sizeof text, "materials: {m: {kind: fabric, %s}}\n" SHEET, body);
    return load_text(c, text);
}

// --- materials -------------------------------------------------------------------------------------------------------

static void a_fabric_without_data_is_the_default_one(void **state)
{
    (void)state;
    mn_context        *c = test_context(1);
    mn_scene          *s = load_text(c, "materials: {m: {kind: fabric}}\n" SHEET);
    mn_fabric_material d = mn_fabric_material_default();
    snprintf(d.name, sizeof d.name, "m");
    assert_same_material(&d, material_of(s));
    mn_scene_destroy(&s);
    test_context_end(&c);
}

static void textile_data_become_numbers_of_the_model(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_scene   *s = load_material(c, "areal_weight: 150 g/m2, thickness: 0.3 mm, density: 1.5, bending_length: 2 cm");
    assert_near(material_of(s)->solid_fraction, 0.015 / (1.5 * 0.03), 1e-15);
    assert_near(material_of(s)->bending_warp, 0.015 * 981.0 * 8.0, 1e-10);
    assert_near(material_of(s)->bending_weft, 0.015 * 981.0 * 8.0, 1e-10);
    assert_not_resolved(s, "areal_weight");
    mn_scene_destroy(&s);
    // wet-fabric 3.2: the default check, both ways.
    s = load_material(c, "thread_count: 465.7, fiber_diameter: 100 um, thickness: 0.36 mm");
    assert_near(material_of(s)->solid_fraction, 0.4, 1e-5);
    mn_scene_destroy(&s);
    s = load_material(c, "thread_count: 465.7, areal_weight: 0.0190080, thickness: 0.36 mm");
    assert_near(material_of(s)->fiber_diameter, 0.01, 1e-6);
    mn_scene_destroy(&s);
    s = load_material(c, "bending_rigidity: 12.5");
    assert_true(material_of(s)->bending_warp == 12.5 && material_of(s)->bending_weft == 12.5);
    mn_scene_destroy(&s);
    // What a material takes over may be refined by its weight.
    s = load_material(c, "from: denim, areal_weight: 300 g/m2");
    assert_near(material_of(s)->solid_fraction, 0.03 / (1.52 * 0.09), 1e-15);
    assert_near(material_of(s)->bending_warp, 0.03 * 981.0 * 27.0, 1e-10);
    mn_scene_destroy(&s);
    test_context_end(&c);
}

static void built_in_fabrics_weigh_and_bend_like_cloth(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double      low, high;
    } rows[] = {
        { "cotton", 0.01, 0.03 }, { "linen", 0.012, 0.035 }, { "denim", 0.03, 0.05 },
        { "silk", 0.003, 0.01 },  { "wool", 0.015, 0.03 },   { "polyester", 0.01, 0.03 },
    };
    mn_context *c = test_context(1);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        char text[256];
        snprintf(text, sizeof text, "fabrics: {a: {material: %s, sheet: {size: [4, 2]}}}", rows[k].name);
        mn_scene                 *s      = load_text(c, text);
        const mn_fabric_material *m      = material_of(s);
        const double              weight = m->solid_fraction * m->density * m->thickness;
        assert_true(weight > rows[k].low && weight < rows[k].high);
        mn_scene_destroy(&s);
    }
    test_context_end(&c);
}

static void pairs_set_the_friction_of_a_fabric(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_scene   *s = load_text(c, "materials: {m: {kind: fabric, friction: 0.2}}\n" SHEET
                                 "pairs: [{of: [any, any], friction: 0.3}, {of: [m, m], friction: 0.7}]\n");
    assert_true(material_of(s)->friction == 0.7);
    mn_scene_destroy(&s);
    s = load_text(c, "materials: {m: {kind: fabric, friction: 0.2}}\n" SHEET
                     "pairs: [{of: [linen, linen], friction: 0.9}]\n");
    assert_true(material_of(s)->friction == 0.2);
    mn_scene_destroy(&s);
    test_context_end(&c);
}

// --- fabrics ---------------------------------------------------------------------------------------------------------

static const char
    many[] = "domain: {cell: 0.4}\n"
             "motions: {up: {velocity: [0, 3, 0]}}\n"
             "wind: {velocity: [1 m/s, 0, 0], gust: 0.2}\n"
             "solver: {solid: {tolerance: 1e-3, iterations: 77}}\n"
             "obstacles: {ball: {shape: {sphere: {radius: 1}}, friction: 0.25}}\n"
             "fabrics:\n"
             "  cloth:\n"
             "    material: cotton\n"
             "    sheet: {size: [4, 2], spacing: 0.5, mesh: structured}\n"
             "    at: [1, 2, 3]\n"
             "    rotate: {axis: [0, 0, 1], angle: 90}\n"
             "    velocity: [0, 1, 0]\n"
             "    spin: [0, 180, 0]\n"
             "    groups: {corners: {corners: 0.6}, strip: {box: {low: [-9, -1, -9], high: [-1.4, 1, 9]}}, spot: "
             "{ball: {radius: 0.6}}, rim: {border: 0.1}}\n"
             "    pins: {corners: {motion: up, stiffness: 50, during: [0, 2]}, strip: {twist: free}}\n"
             "    damping: 0.5\n"
             "  towel: {material: wool, sheet: {size: [4, 2]}, pile: {length: 0.3, radius: 0.018, sides: both}}\n"
             "  disc: {material: silk, disc: {diameter: 6}}\n"
             "  six: {material: silk, hexagon: {diameter: 6, angle: 20}}\n"
             "  knit: {material: wool, yarn: {pattern: knit, size: [2, 2]}}\n"
             "  rope: {material: wool, yarn: {pattern: bundle, length: 6, count: 7}, straighten: 0.5, twist: grid}\n"
             "  spring: {material: wool, yarn: {pattern: helix, length: 6, curl: 0.4}, pins: {ends: {}}}\n"
             "  ring: {material: wool, yarn: {pattern: ring, curl: 2}}\n"
             "  net: {material: wool, yarn: {pattern: net, size: [4, 4], pitch: 1}}\n"
             "  fur: {material: wool, hair: {on: {sphere: {radius: 2}}, count: 40, length: 1, radius: 0.01}, pins: "
             "{roots: {}}}\n";

static void fabrics_arrive_with_meshes_groups_and_pins(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_scene   *s = load_text(c, many);
    assert_int_equal(mn_scene_fabric_count(s), 10);
    const mn_fabric_def *f = mn_scene_fabric(s, 0);
    assert_string_equal(f->name, "cloth");
    assert_int_equal(f->mesh->vertex_count, 45);
    assert_true(f->at[2] == 3.0 && f->axis[2] == 1.0 && f->velocity[1] == 1.0 && f->damping == 0.5);
    assert_near(f->angle, 1.5707963267948966, 1e-15);
    assert_near(f->spin[1], 3.14159265358979323846, 1e-15);
    assert_int_equal(mn_thin_find_group(f->mesh, "corners")->count, 12);
    assert_int_equal(mn_thin_find_group(f->mesh, "strip")->count, 10);
    assert_int_equal(mn_thin_find_group(f->mesh, "spot")->count, 5);
    assert_int_equal(mn_thin_find_group(f->mesh, "rim")->count, 24);
    assert_int_equal(f->pin_count, 2);
    assert_string_equal(f->pins[0].group, "corners");
    assert_true(f->pins[0].kind == MN_PIN_SOFT && f->pins[0].stiffness == 50.0 &&
                f->pins[0].motion.velocity[1] == 3.0 && f->pins[0].twist);
    assert_true(f->pins[0].during[1] == 2.0 && f->pins[1].kind == MN_PIN_HARD && !f->pins[1].twist &&
                isinf(f->pins[1].during[1]));
    assert_true(mn_scene_fabric(s, 1)->mesh->strand_count > 20 && mn_scene_fabric(s, 1)->mesh->triangle_count > 100);
    // Half a cell is the spacing where none is given.
    const mn_fabric_def *disc = mn_scene_fabric(s, 2);
    assert_in_range(disc->mesh->vertex_count, 600, 1100);
    assert_int_equal(mn_scene_fabric(s, 5)->mesh->strand_count, 7);
    assert_true(mn_scene_fabric(s, 5)->straighten == 0.5 && mn_scene_fabric(s, 5)->twist == MN_TWIST_GRID &&
                mn_scene_fabric(s, 4)->twist == MN_TWIST_ROD);
    assert_int_equal(mn_scene_fabric(s, 9)->mesh->strand_count, 40);
    mn_scene_destroy(&s);
    test_context_end(&c);
}

static void a_resolved_scene_with_fabrics_reads_back_the_same(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_scene   *s = load_text(c, many), *again = load_text(c, mn_scene_resolved(s));
    assert_string_equal(mn_scene_resolved(s), mn_scene_resolved(again));
    assert_true(mn_scene_identity(s) == mn_scene_identity(again));
    for (int k = 0; k < mn_scene_fabric_count(s); k++) {
        const mn_fabric_def *a = mn_scene_fabric(s, k), *b = mn_scene_fabric(again, k);
        assert_same_material(&a->material, &b->material);
        assert_int_equal(a->mesh->vertex_count, b->mesh->vertex_count);
        assert_memory_equal(a->mesh->vertex, b->mesh->vertex, (size_t)a->mesh->vertex_count * sizeof *a->mesh->vertex);
        assert_int_equal(a->mesh->group_count, b->mesh->group_count);
        assert_int_equal(a->pin_count, b->pin_count);
    }
    assert_resolved(s, "density: 0.0012");
    assert_resolved(s, "iterations: 77");
    mn_scene_destroy(&again);
    mn_scene_destroy(&s);
    test_context_end(&c);
}

static void fabric_from_a_file_is_part_of_what_a_run_is(void **state)
{
    (void)state;
    mn_context *c    = test_context(1);
    const char *path = "test-fabrics.obj", *text = "fabrics: {a: {material: cotton, mesh: {file: test-fabrics.obj, "
                                                   "scale: 2, radius: 0.1}, pins: {top: {}}}}";
    uint64_t    identity[2];
    for (int k = 0; k < 2; k++) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "v 0 0 0\nv 1 0 0\nv 0 0 %d\nv 0 1 0\ng top\nf 1 3 2\ng tail\nl 1 4\n", k + 1);
        fclose(file);
        mn_scene           *s = load_text(c, text);
        const mn_thin_mesh *m = mn_scene_fabric(s, 0)->mesh;
        assert_true(m->triangle_count == 1 && m->strand_count == 1 && m->strand_radius[0] == 0.1 &&
                    m->vertex[1][0] == 2.0);
        identity[k] = mn_scene_identity(s);
        mn_scene_destroy(&s);
    }
    assert_true(identity[0] != identity[1]);
    remove(path);
    test_context_end(&c);
}

// --- the scenes of the program ---------------------------------------------------------------------------------------

static int64_t vertices_of(const mn_scene *s)
{
    int64_t count = 0;
    for (int k = 0; k < mn_scene_fabric_count(s); k++) count += mn_scene_fabric(s, k)->mesh->vertex_count;
    return count;
}

static void check_scene_file(mn_context *c, const char *path)
{
    static const char *const variants[] = { NULL, "small", "large" };
    static const int64_t     least[] = { 2000, 20, 10000 }, most[] = { 21000, 1500, 400000 };
    for (int k = 0; k < 3; k++) {
        mn_scene *s = load_source(c, &(mn_scene_source){ .path = path, .variant = variants[k] });
        if (vertices_of(s) < least[k] || vertices_of(s) > most[k])
            fail_msg("%s, variant %s: %lld vertices", path, variants[k] != NULL ? variants[k] : "none",
                     (long long)vertices_of(s));
        assert_true(mn_scene_camera(s).given);
        mn_scene_destroy(&s);
    }
}

static void every_scene_of_cloth_and_yarn_loads_in_every_size(void **state)
{
    (void)state;
    static const char *const folders[] = { MN_SOURCE_DIR "/scenes/cloth", MN_SOURCE_DIR "/scenes/yarn" };
    mn_context              *c         = test_context(1);
    int                      count     = 0;
    for (int k = 0; k < 2; k++) {
        DIR *folder = opendir(folders[k]);
        assert_non_null(folder);
        for (struct dirent *e = readdir(folder); e != NULL; e = readdir(folder)) {
            char path[1024];
            if (strstr(e->d_name, ".yaml") == NULL) continue;
            snprintf(path, sizeof path, "%s/%s", folders[k], e->d_name);
            check_scene_file(c, path);
            count++;
        }
        closedir(folder);
    }
    assert_true(count >= 10);
    mn_scene *s = load_source(c, &(mn_scene_source){ .path    = MN_SOURCE_DIR "/scenes/cloth/drape-sphere.yaml",
                                                     .variant = "large" });
    assert_true(mn_scene_fabric(s, 0)->mesh->triangle_count >= 100000);
    mn_scene_destroy(&s);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fabric_without_data_is_the_default_one),
        cmocka_unit_test(textile_data_become_numbers_of_the_model),
        cmocka_unit_test(built_in_fabrics_weigh_and_bend_like_cloth),
        cmocka_unit_test(pairs_set_the_friction_of_a_fabric),
        cmocka_unit_test(fabrics_arrive_with_meshes_groups_and_pins),
        cmocka_unit_test(a_resolved_scene_with_fabrics_reads_back_the_same),
        cmocka_unit_test(fabric_from_a_file_is_part_of_what_a_run_is),
        cmocka_unit_test(every_scene_of_cloth_and_yarn_loads_in_every_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
