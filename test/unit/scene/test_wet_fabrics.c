// SPDX-License-Identifier: MPL-2.0
// Wet fabrics in scenes: pores, drag, pairs with liquids, saturation, evaporation, noise of the solid fraction, solver
// switches.
#include "scene_testing.h"

#include <math.h>

#define SHEET "sheet: {size: [4, 2], spacing: 0.25, mesh: structured}"

static const mn_fabric_def *first(const mn_scene *s) { return mn_scene_fabric(s, 0); }

static mn_scene *load_material(mn_context *c, const char *body)
{
    char text[1024];
    snprintf(text, sizeof text, "materials: {m: {kind: fabric, %s}}\nfabrics: {a: {material: m, " SHEET "}}\n", body);
    return load_text(c, text);
}

static mn_scene *load_fabric(mn_context *c, const char *body, const char *more)
{
    char text[2048];
    snprintf(text, sizeof text, "fabrics: {a: {material: cotton, " SHEET ", %s}}\n%s", body, more);
    return load_text(c, text);
}

// --- materials -------------------------------------------------------------------------------------------------------

static void any_two_numbers_give_the_pores(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        double      diameter, fraction, radius;
    } rows[] = {
        // wet-fabric 3.2: one fabric, all six pairs.
        { "fiber_diameter: 0.01, solid_fraction: 0.4", 0.01, 0.4, 0.0 },
        { "fiber_diameter: 0.01, capillary_radius: 0.0061237243569579", 0.01, 0.4, 0.0061237243569579 },
        { "fiber_diameter: 0.01, thread_count: 465.7010", 0.01, 0.4, 0.0 },
        { "capillary_radius: 0.0061237243569579, solid_fraction: 0.4", 0.01, 0.4, 0.0061237243569579 },
        { "capillary_radius: 0.0061237243569579, thread_count: 465.7010", 0.01, 0.4, 0.0061237243569579 },
        { "thread_count: 465.7010, solid_fraction: 0.4", 0.01, 0.4, 0.0 },
        // One alone: what it leaves open is the default.
        { "fiber_diameter: 0.02", 0.02, 0.4, 0.0 },
        { "solid_fraction: 0.2", 0.01, 0.2, 0.0 },
        { "thread_count: 232.8505", 0.01, 0.2, 0.0 },
        { "capillary_radius: 0.0122474487139159", 0.02, 0.4, 0.0122474487139159 },
        // More that agree, and a weight in place of the fraction.
        { "fiber_diameter: 0.01, solid_fraction: 0.4, thread_count: 468, capillary_radius: 61 um", 0.01, 0.4, 0.0061 },
        { "areal_weight: 0.0190080, capillary_radius: 0.0061237243569579", 0.01, 0.4, 0.0061237243569579 },
        // Above what is taken over: cotton has a diameter of 100 um and a fraction of 0.4.
        { "from: cotton, capillary_radius: 0.0122474487139159", 0.02, 0.4, 0.0122474487139159 },
        { "from: cotton, thread_count: 232.8505", 0.01, 0.2, 0.0 },
        { "from: cotton, areal_weight: 0.0095040", 0.01, 0.2, 0.0 },
        { "from: cotton, thread_count: 465.7010, capillary_radius: 0.0061237243569579", 0.01, 0.4, 0.0061237243569579 },
    };
    mn_context *c = test_context(1);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        mn_scene                 *s = load_material(c, rows[k].body), *again = load_text(c, mn_scene_resolved(s));
        const mn_fabric_material *m = &first(s)->material;
        if (fabs(m->fiber_diameter - rows[k].diameter) > 1e-5 * rows[k].diameter ||
            fabs(m->solid_fraction - rows[k].fraction) > 1e-5 || m->capillary_radius != rows[k].radius)
            fail_msg("%s: diameter %.8g, fraction %.8g, radius %.8g", rows[k].body, m->fiber_diameter,
                     m->solid_fraction, m->capillary_radius);
        assert_same_material(m, &first(again)->material);
        mn_scene_destroy(&again);
        mn_scene_destroy(&s);
    }
    test_context_end(&c);
}

static void drag_and_pores_arrive(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_scene *s = load_material(c, "drag: {law: off, exponent: 1.25, axes: published, darcy: published}, capture: 2.5, "
                                   "compression: 0.02, vary_porosity: false");
    const mn_fabric_material *m = &first(s)->material;
    assert_true(m->drag_law == MN_DRAG_OFF && m->drag_exponent == 1.25 && m->drag_axes_published && m->darcy_published);
    assert_true(m->capture == 2.5 && m->compression == 0.02 && !m->vary_porosity);
    mn_scene *again = load_text(c, mn_scene_resolved(s));
    assert_same_material(m, &first(again)->material);
    mn_scene_destroy(&again);
    mn_scene_destroy(&s);
    s = load_material(c, "drag: {law: linear}");
    assert_true(first(s)->material.drag_law == MN_DRAG_LINEAR && !first(s)->material.drag_axes_published &&
                first(s)->material.vary_porosity);
    mn_scene_destroy(&s);
    test_context_end(&c);
}

static void pairs_say_how_liquid_meets_fabric(void **state)
{
    (void)state;
    static const char pool[] = "liquids: {pool: {material: milk, fill: {inside: {box: {size: [2, 2, 2]}}}}}\n";
    static const struct {
        const char *pairs;
        bool        milk;
        double      angle, cohesion, friction;
    } rows[] = {
        { "pairs: [{of: [milk, cotton], contact_angle: 60}]", true, 60, 0.01, 0.577 },
        { "pairs: [{of: [cotton, milk], contact_angle: 60}]", true, 60, 0.01, 0.577 },
        { "pairs: [{of: [water, cotton], contact_angle: 60}]", true, 40.8, 0.01, 0.577 },
        { "pairs: [{of: [water, cotton], contact_angle: 60}]", false, 60, 0.01, 0.577 },  // wet without liquids: water
        { "pairs: [{of: [milk, linen], contact_angle: 60}]", true, 40.8, 0.01, 0.577 },
        { "pairs: [{of: [any, cotton], contact_angle: 60}]", true, 60, 0.01, 0.577 },
        { "pairs: [{of: [milk, any], contact_angle: 60}]", true, 60, 0.01, 0.577 },
        // A name wins over any, wherever it stands.
        { "pairs: [{of: [milk, cotton], contact_angle: 60}, {of: [any, any], contact_angle: 50, cohesion: 0.5, "
          "friction: 0.2}]",
          true, 60, 0.5, 0.2 },
        { "pairs: [{of: [any, any], contact_angle: 50}, {of: [milk, any], contact_angle: 70}, {of: [any, any], "
          "contact_angle: 20}]",
          true, 70, 0.01, 0.577 },
        { "pairs: [{of: [cotton, cotton], cohesion: 0.3}, {of: [any, any], friction: 0.2}]", true, 40.8, 0.3, 0.2 },
    };
    mn_context *c = test_context(1);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        char text[1024];
        snprintf(text, sizeof text, "%s%s\n", rows[k].milk ? pool : "", rows[k].pairs);
        mn_scene *s = load_fabric(c, "saturation: 0.5", text), *again = load_text(c, mn_scene_resolved(s));
        const mn_fabric_material *m = &first(s)->material;
        if (fabs(m->contact_angle * 57.29577951308232 - rows[k].angle) > 1e-9 || m->cohesion != rows[k].cohesion ||
            m->friction != rows[k].friction)
            fail_msg("%s: angle %g, cohesion %g, friction %g", rows[k].pairs, m->contact_angle * 57.29577951308232,
                     m->cohesion, m->friction);
        assert_same_material(m, &first(again)->material);
        mn_scene_destroy(&again);
        mn_scene_destroy(&s);
    }
    test_context_end(&c);
}

// --- fabrics ---------------------------------------------------------------------------------------------------------

static void saturation_is_a_number_or_a_map_of_groups(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_scene   *s = load_fabric(c, "saturation: 0.25", "");
    for (int64_t v = 0; v < first(s)->mesh->vertex_count; v++) assert_true(first(s)->saturation[v] == 0.25);
    mn_scene_destroy(&s);
    s = load_fabric(c, "damping: 0", "");
    assert_null(first(s)->saturation);
    mn_scene_destroy(&s);
    s = load_fabric(c, "groups: {spot: {ball: {radius: 0.6}}}, saturation: {spot: 1, right: 0.75, all: 0.2}", "");
    const mn_fabric_def *f    = first(s);
    int                  full = 0, right = 0;
    for (int64_t v = 0; v < f->mesh->vertex_count; v++) {
        const double *x = f->mesh->vertex[v], wanted = x[0] * x[0] + x[2] * x[2] <= 0.36 ? 1.0
                                                       : x[0] > 1.99                     ? 0.75
                                                                                         : 0.2;
        assert_true(f->saturation[v] == wanted);
        full += wanted == 1.0;
        right += wanted == 0.75;
    }
    assert_true(full > 10 && right == 9);
    mn_scene *again = load_text(c, mn_scene_resolved(s));
    assert_memory_equal(f->saturation, first(again)->saturation, (size_t)f->mesh->vertex_count * sizeof(double));
    assert_string_equal(mn_scene_resolved(s), mn_scene_resolved(again));
    mn_scene_destroy(&again);
    mn_scene_destroy(&s);
    // Vertices of no group are dry.
    s       = load_fabric(c, "saturation: {left: 1}", "");
    int wet = 0;
    for (int64_t v = 0; v < first(s)->mesh->vertex_count; v++) wet += first(s)->saturation[v] == 1.0;
    assert_int_equal(wet, 9);
    mn_world *world;
    assert_int_equal(mn_scene_build(s, &world), MN_OK);
    assert_true(mn_world_ledger(world).liquid_fabric > 0.0);
    mn_world_destroy(&world);
    mn_scene_destroy(&s);
    test_context_end(&c);
}

static void evaporation_is_of_volume_or_of_mass(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_scene   *s = load_fabric(c, "evaporation: 2 um/s", "");
    assert_true(first(s)->evaporation == 2e-4);
    mn_scene_destroy(&s);
    s = load_fabric(c, "evaporation: \"10 g/m2/s\"",
                    "liquids: {pool: {material: milk, fill: {inside: {box: {size: [2, 2, 2]}}}}}\n");
    assert_near(first(s)->evaporation, 1e-3 / 1.03, 1e-18);
    mn_scene *again = load_text(c, mn_scene_resolved(s));
    assert_true(first(again)->evaporation == first(s)->evaporation);
    mn_scene_destroy(&again);
    mn_scene_destroy(&s);
    s = load_fabric(c, "evaporation: 10 g/m2/s", "");  // water
    assert_near(first(s)->evaporation, 1e-3, 1e-18);
    mn_scene_destroy(&s);
    test_context_end(&c);
}

static void noise_of_the_solid_fraction_is_smooth_and_in_range(void **state)
{
    (void)state;
    mn_context       *c      = test_context(1);
    static const char wide[] = "fabrics: {a: {material: cotton, sheet: {size: [20, 20], spacing: 0.1}, "
                               "solid_fraction_noise: {amplitude: 0.1, length: 1 cm, seed: %d}}}\n";
    char              text[512];
    snprintf(text, sizeof text, wide, 3);
    mn_scene            *s   = load_text(c, text);
    const mn_fabric_def *f   = first(s);
    double               low = 1.0, high = 0.0, sum = 0.0, steepest = 0.0;
    for (int64_t v = 0; v < f->mesh->vertex_count; v++) {
        low  = fmin(low, f->solid_fraction[v]);
        high = fmax(high, f->solid_fraction[v]);
        sum += f->solid_fraction[v];
    }
    for (int64_t t = 0; t < f->mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const int32_t i = f->mesh->triangle[t][k], j = f->mesh->triangle[t][(k + 1) % 3];
            const double *a = f->mesh->vertex[i], *b = f->mesh->vertex[j];
            steepest = fmax(steepest,
                            fabs(f->solid_fraction[i] - f->solid_fraction[j]) / hypot(a[0] - b[0], a[2] - b[2]));
        }
    assert_true(low >= 0.3 && low < 0.33 && high <= 0.5 && high > 0.47);
    assert_near(sum / (double)f->mesh->vertex_count, 0.4, 0.01);
    assert_true(steepest > 0.05 &&
                steepest < 0.1 * 2.0 * 1.875 * sqrt(2.0));  // the steepest slope of the polynomial is 15/8
    snprintf(text, sizeof text, wide, 4);
    mn_scene *other = load_text(c, text), *again = load_text(c, mn_scene_resolved(s));
    assert_memory_equal(f->solid_fraction, first(again)->solid_fraction,
                        (size_t)f->mesh->vertex_count * sizeof(double));
    assert_memory_not_equal(f->solid_fraction, first(other)->solid_fraction,
                            (size_t)f->mesh->vertex_count * sizeof(double));
    mn_scene_destroy(&again);
    mn_scene_destroy(&other);
    mn_scene_destroy(&s);
    test_context_end(&c);
}

static void wet_fields_are_written_where_fabric_and_liquid_meet(void **state)
{
    (void)state;
    static const char pool[] = "liquids: {pool: {material: milk, fill: {inside: {box: {size: [2, 2, 2]}}}}}\n";
    const struct {
        const char *body, *more;
        bool        saturation, held;
    } rows[] = {
        { "damping: 0", "", false, false },
        { "damping: 0", pool, true, true },
        { "saturation: 1", "", true, true },
        { "saturation: 0", "", false, false },
        { "saturation: 1", "output: {fields: [velocity, held]}\n", false, true },
        { "damping: 0", "output: {fields: [saturation]}\n", true, false },
        { "damping: 0", "output: {checkpoint: {keep: 2}}\nliquids: {out: {sink: {shape: {box: {size: [2, 2, 2]}}}}}\n",
          false, false },
    };
    mn_context *c = test_context(1);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        mn_scene           *s = load_fabric(c, rows[k].body, rows[k].more), *again = load_text(c, mn_scene_resolved(s));
        const mn_output_def both[] = { mn_scene_output(s), mn_scene_output(again) };
        for (int n = 0; n < 2; n++) {
            assert_int_equal(both[n].field[MN_OUTPUT_SATURATION], rows[k].saturation);
            assert_int_equal(both[n].field[MN_OUTPUT_HELD], rows[k].held);
        }
        assert_string_equal(mn_scene_resolved(s), mn_scene_resolved(again));
        mn_scene_destroy(&again);
        mn_scene_destroy(&s);
    }
    test_context_end(&c);
}

static void the_solver_knows_mixture_and_buoyancy(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_scene   *s = load_text(c, "solver: {mixture: split, buoyancy: false}");
    assert_resolved(s, "mixture: split");
    assert_resolved(s, "buoyancy: false");
    mn_scene_destroy(&s);
    s = load_text(c, "name: a");
    assert_resolved(s, "mixture: auto");
    assert_resolved(s, "buoyancy: true");
    mn_scene_destroy(&s);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_two_numbers_give_the_pores),
        cmocka_unit_test(drag_and_pores_arrive),
        cmocka_unit_test(pairs_say_how_liquid_meets_fabric),
        cmocka_unit_test(saturation_is_a_number_or_a_map_of_groups),
        cmocka_unit_test(evaporation_is_of_volume_or_of_mass),
        cmocka_unit_test(noise_of_the_solid_fraction_is_smooth_and_in_range),
        cmocka_unit_test(wet_fields_are_written_where_fabric_and_liquid_meet),
        cmocka_unit_test(the_solver_knows_mixture_and_buoyancy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
