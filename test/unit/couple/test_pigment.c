// SPDX-License-Identifier: MPL-2.0
// Pigment where liquid meets fabric: capture, dripping, flow in the pores, fibres and drying (stain 2, 5.5, 5.7).
#include "wet_worlds.h"

#include "couple/pigment.h"
#include "verify/fabric/wet_sample.h"

#include <stdlib.h>

/// A bath with two pigments about a tilted sheet.
static mn_world *coloured_bath(mn_context *c, double cell, double spacing, double size)
{
    mn_world     *w    = fabric_world(c, cell, 1e-3, no_gravity);
    mn_shape_def  box  = mn_shape_def_default(MN_SHAPE_BOX);
    mn_liquid_def bath = mn_liquid_def_default();
    mn_fabric_def def  = mn_fabric_def_default();
    box.size[0] = box.size[2] = size, box.size[1] = fmin(size, 3.0);
    bath.material.solutes.count = 2;
    for (int k = 0; k < 2; k++) {
        bath.material.solutes.pigment[k] = mn_pigment_default();
        snprintf(bath.material.solutes.pigment[k].name, MN_NAME_BYTES, "dye %d", k);
        bath.material.solutes.concentration[k] = k == 0 ? 0.02 : 0.003;
    }
    assert_int_equal(mn_shape_create(c, &box, &bath.shape), MN_OK);
    assert_int_equal(mn_world_add_liquid(w, &bath), MN_OK);
    mn_shape_release(&bath.shape);
    add_sheet(c, w, 2.0, spacing, def);
    return w;
}

static long double pigment_of(mn_world *w, int k)
{
    const mn_liquid_particles *p   = mn_liquid_now(&w->liquid);
    const mn_fabric_vertices  *v   = &w->fabric.vertices;
    long double                sum = 0.0L;
    for (int64_t i = 0; i < p->count; i++) sum += p->pigment[k][i];
    for (int64_t i = 0; i < v->count; i++) sum += (long double)v->dissolved[k][i] + v->adsorbed[k][i] + v->dried[k][i];
    return sum;
}

/// Largest distance of any concentration from c, relative.
static double unevenness(mn_world *w, int k, double c)
{
    const mn_liquid_particles *p    = mn_liquid_now(&w->liquid);
    const mn_fabric_vertices  *v    = &w->fabric.vertices;
    double                     most = 0.0;
    for (int64_t i = 0; i < p->count; i++) most = fmax(most, fabs(p->pigment[k][i] / p->volume[0][i] / c - 1.0));
    for (int64_t i = 0; i < v->count; i++)
        if (v->held[0][i] > 0.0) most = fmax(most, fabs(v->dissolved[k][i] / v->held[0][i] / c - 1.0));
    return most;
}

static void capture_takes_pigment_with_the_volume(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_world   *w = coloured_bath(c, 0.25, 0.12, 6.0);
    ready(w);
    const long double first[2] = { pigment_of(w, 0), pigment_of(w, 1) };
    for (int round = 0; round < 30; round++) {
        const long double before = pigment_of(w, 0);
        capture_once(w, 2e-5);
        assert_near((double)((pigment_of(w, 0) - before) / before), 0.0, 1e-15);
    }
    assert_true(held_in(w) > 0.05);
    for (int k = 0; k < 2; k++) assert_near((double)((pigment_of(w, k) - first[k]) / first[k]), 0.0, 1e-14);
    assert_less(unevenness(w, 0, 0.02), 1e-12);
    assert_less(unevenness(w, 1, 0.003), 1e-12);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// Particles that give all they have give all their pigment, too.
static void a_small_drop_goes_in_with_all_its_pigment(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_world   *w = coloured_bath(c, 0.25, 0.12, 0.25);
    ready(w);
    const long double first    = pigment_of(w, 0);
    int64_t           consumed = 0;
    for (int k = 0; k < 400 && mn_liquid_now(&w->liquid)->count > 0; k++) consumed += capture_once(w, 1e-3).consumed;
    assert_true(consumed > 0);
    assert_near((double)((pigment_of(w, 0) - first) / first), 0.0, 1e-14);
    assert_less(unevenness(w, 0, 0.02), 1e-12);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// Where concentrations differ, what is captured is a mean of them, and so is what drips.
static void capture_and_drips_make_no_new_extremes(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_world   *w = coloured_bath(c, 0.25, 0.12, 6.0);
    ready(w);
    mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    for (int64_t i = 0; i < p->count; i++) p->pigment[0][i] = p->volume[0][i] * (p->position[0][i] > 0.0 ? 0.05 : 0.01);
    for (int round = 0; round < 20; round++) capture_once(w, 2e-5);
    // Press the pores together until they drip.
    for (int64_t v = 0; v < w->fabric.vertices.count; v++) w->fabric.vertices.swelling[0][v] = 0.5;
    const long double before = pigment_of(w, 0);
    int64_t           drops  = 0;
    for (int round = 0; round < 5; round++) drops += drip_once(w, round).drops;
    assert_true(drops > 20);
    assert_near((double)((pigment_of(w, 0) - before) / before), 0.0, 1e-14);
    p          = mn_liquid_now(&w->liquid);
    double low = INFINITY, high = 0.0;
    for (int64_t i = 0; i < p->count; i++)
        low = fmin(low, p->pigment[0][i] / p->volume[0][i]), high = fmax(high, p->pigment[0][i] / p->volume[0][i]);
    for (int64_t v = 0; v < w->fabric.vertices.count; v++) {
        const double conc = w->fabric.vertices.dissolved[0][v] / w->fabric.vertices.held[0][v];
        low = fmin(low, conc), high = fmax(high, conc);
    }
    assert_true(low > 0.01 * (1.0 - 1e-12) && high < 0.05 * (1.0 + 1e-12));
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void drips_of_an_even_liquid_are_like_it(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_world   *w = coloured_bath(c, 0.25, 0.12, 6.0);
    ready(w);
    for (int round = 0; round < 20; round++) capture_once(w, 5e-5);
    for (int64_t v = 0; v < w->fabric.vertices.count; v++) w->fabric.vertices.swelling[0][v] = 0.5;
    int64_t drops = 0;
    for (int round = 0; round < 5; round++) drops += drip_once(w, round).drops;
    assert_true(drops > 20);
    assert_less(unevenness(w, 0, 0.02), 1e-12);
    mn_world_destroy(&w);
    test_context_end(&c);
}

// ---- in the fabric -------------------------------------------------------------------------------------------------

static mn_wet_sample yarn_sample(mn_context *c, double length, double spacing, int pigments)
{
    mn_thin_mesh      mesh;
    mn_wet_sample     s;
    mn_fabric_def     def = mn_fabric_def_default();
    const mn_yarn_def d = { .pattern = MN_YARN_STRAIGHT, .size = { length, 0.0 }, .radius = 0.002, .spacing = spacing };
    const mn_liquid_material water = mn_wet_sample_water();
    def.material                   = mn_wet_sample_f0();
    snprintf(def.name, sizeof def.name, "sample");
    assert_int_equal(mn_yarn_generate(c, &d, &mesh), MN_OK);
    if (mn_wet_sample_make(c, &mesh, &def, &water, mn_v3(0, 0, 0), &s) != MN_OK) fail_msg("%s", mn_context_error(c));
    assert_int_equal(mn_fabric_set_pigments(&s.fabric, pigments), MN_OK);
    return s;
}

static mn_wet_sample sheet_sample(mn_context *c, double side, double spacing, int pigments)
{
    mn_thin_mesh             mesh;
    mn_wet_sample            s;
    mn_fabric_def            def   = mn_fabric_def_default();
    const mn_cloth_def       d     = { .outline = MN_CLOTH_RECTANGLE, .size = { side, side }, .spacing = spacing };
    const mn_liquid_material water = mn_wet_sample_water();
    def.material                   = mn_wet_sample_f0();
    snprintf(def.name, sizeof def.name, "sample");
    assert_int_equal(mn_cloth_generate(c, &d, &mesh), MN_OK);
    for (int64_t v = 0; v < mesh.vertex_count; v++)
        for (int a = 0; a < 3; a += 2)
            mesh.vertex[v][a] += 0.3 * spacing * (2.0 * mn_random(3, (uint64_t)v, 0, (uint64_t)a) - 1.0);
    if (mn_wet_sample_make(c, &mesh, &def, &water, mn_v3(0, 0, -981.0), &s) != MN_OK)
        fail_msg("%s", mn_context_error(c));
    assert_int_equal(mn_fabric_set_pigments(&s.fabric, pigments), MN_OK);
    return s;
}

static void flow(mn_wet_sample *s, const mn_stain_pigment *law, double dt)
{
    if (mn_wet_sample_flow(s, dt) != MN_OK) fail_msg("%s", mn_context_error(s->fabric.context));
    assert_int_equal(mn_fabric_pigment_step(&s->fabric, law, &(mn_step){ .arena = s->arena, .dt = dt }), MN_OK);
}

static mn_stain_pigment free_law(void)
{
    mn_stain_pigment law = mn_stain_pigment_default();
    law.capacity         = 0.0;
    return law;
}

#define DYE 0.1  // g/cm^3

/// The last place, from the middle on, with half the concentration.
static double half_way(const mn_wet_sample *s)
{
    const mn_fabric_vertices *v  = &s->fabric.vertices;
    double                    at = 0.0, before_x = 0.0, before_c = 1.0;
    for (int64_t i = 0; i < v->count; i++) {
        const double x = mn_wet_sample_at(s, i).x;
        assert_true(v->dissolved[0][i] >= 0.0 && v->dissolved[0][i] <= DYE * v->held[0][i] * (1.0 + 1e-12));
        if (x < 0.0 || !(v->held[0][i] > 0.0)) continue;
        const double conc = v->dissolved[0][i] / (DYE * v->held[0][i]);
        if (conc <= 0.5 && before_c > 0.5) at = before_x + (x - before_x) * (before_c - 0.5) / (before_c - conc);
        before_x = x, before_c = conc;
    }
    return at;
}

/// A wet stretch of yarn that spreads after Barenblatt stretches evenly: what is at x goes with x (t + t0)^(1/3).
/// Pigment in the inner half of it stays in the inner half. Returns where half the concentration is, over where it must
/// be.
static double front_of(mn_context *c, int per_radius)
{
    const double           b = 0.25, radius = sqrt(12.0 * b), inner = 0.5 * radius;
    const mn_stain_pigment law = free_law();
    mn_wet_sample          s   = yarn_sample(c, 7.0 * radius, radius / per_radius, 1);
    const mn_fabric_def    def = { .material = mn_wet_sample_f0() };
    const double           d0  = mn_wet_sample_diffusivity(&def.material, &s.fabric.model.liquid);
    mn_fabric_vertices    *v   = &s.fabric.vertices;
    for (int64_t i = 0; i < v->count; i++) {
        const double x = mn_wet_sample_at(&s, i).x;
        mn_wet_sample_fill(&s, i, fmax(0.0, b - x * x / 12.0));
        v->dissolved[0][i] = fabs(x) < inner ? DYE * v->held[0][i] : 0.0;
    }
    const double first = mn_fabric_pigment_sum(&s.fabric, 0), begun = half_way(&s);
    double       tau = 1.0;
    while (tau < 10.0) {
        flow(&s, &law, 0.005 * tau * 2.0 / d0);
        tau *= 1.005;
    }
    assert_near(mn_fabric_pigment_sum(&s.fabric, 0), first, 1e-13 * first);
    const double went = half_way(&s) / begun;
    mn_wet_sample_destroy(&s);
    return went / cbrt(tau);
}

static void pigment_goes_as_far_as_its_liquid(void **state)
{
    (void)state;
    mn_context  *c     = test_context(1);
    const double rough = front_of(c, 20), fine = front_of(c, 40);
    print_message("    front of pigment over that of its liquid: %.4f and %.4f with twice the vertices\n", rough, fine);
    assert_near(rough, 1.0, 0.02);
    assert_near(fine, 1.0, 0.01);
    test_context_end(&c);
}

/// On a shaken mesh, with gravity along it, from a spot: an even concentration stays even, sums are kept, nothing is
/// below zero.
static void flow_keeps_even_what_is_even(void **state)
{
    (void)state;
    mn_context            *c      = test_context(2);
    const mn_stain_pigment law[2] = { free_law(), free_law() };
    mn_wet_sample          s      = sheet_sample(c, 4.0, 0.2, 2);
    mn_fabric_vertices    *v      = &s.fabric.vertices;
    for (int64_t i = 0; i < v->count; i++) {
        const mn_vec3 x = mn_wet_sample_at(&s, i);
        mn_wet_sample_fill(&s, i, hypot(x.x, x.z) < 1.0 ? 0.9 : 0.0);
        v->dissolved[0][i] = 0.02 * v->held[0][i];
        v->dissolved[1][i] = x.x > 0.0 ? 0.02 * v->held[0][i] : 0.0;  // half of it
    }
    const double first[2] = { mn_fabric_pigment_sum(&s.fabric, 0), mn_fabric_pigment_sum(&s.fabric, 1) };
    int64_t      wet      = 0;
    double       most     = 0.0;
    for (int k = 0; k < 200; k++) flow(&s, law, k % 7 == 0 ? 0.2 : 0.01);
    for (int64_t i = 0; i < v->count; i++) {
        for (int p = 0; p < 2; p++)
            assert_true(v->dissolved[p][i] >= 0.0 && v->adsorbed[p][i] == 0.0 && v->dried[p][i] >= 0.0);
        if (v->held[0][i] < 1e-6 * mn_fabric_pores(&s.fabric, i)) continue;
        wet++;
        most = fmax(most, fabs(v->dissolved[0][i] / v->held[0][i] / 0.02 - 1.0));
        assert_true(v->dissolved[1][i] <= v->dissolved[0][i] * (1.0 + 1e-9));
    }
    print_message("    concentrations differ by %.1e after 200 steps at %d wet vertices\n", most, (int)wet);
    assert_true(wet > 100);
    assert_less(most, 1e-12);
    for (int p = 0; p < 2; p++) assert_near(mn_fabric_pigment_sum(&s.fabric, p), first[p], 1e-13 * first[p]);
    mn_wet_sample_destroy(&s);
    test_context_end(&c);
}

/// In a closed, even sheet fibres take pigment as Langmuir's law says, and drying leaves all of it behind.
static void fibres_and_drying_keep_all_of_it(void **state)
{
    (void)state;
    mn_context      *c   = test_context(1);
    mn_stain_pigment law = free_law();
    law.adsorption = MN_STAIN_LANGMUIR, law.capacity = 1e-4, law.attach = 2e4, law.detach = 0.5;
    mn_wet_sample       s  = sheet_sample(c, 2.0, 0.2, 1);
    mn_fabric_vertices *v  = &s.fabric.vertices;
    s.fabric.model.gravity = mn_v3(0, 0, 0);
    for (int64_t i = 0; i < v->count; i++) {
        mn_wet_sample_fill(&s, i, 0.5);
        v->dissolved[0][i] = 0.01 * v->held[0][i];
    }
    const double first = mn_fabric_pigment_sum(&s.fabric, 0);
    for (int k = 0; k < 20; k++) flow(&s, &law, 0.05);
    const double area = mn_fabric_pigment_area(&s.fabric, 0), total = v->dissolved[0][0] + v->adsorbed[0][0];
    assert_near(v->adsorbed[0][0] / area, mn_stain_langmuir(&law, 0.0, total / area, 1.0), 1e-9 * total / area);
    assert_true(v->adsorbed[0][0] > 0.1 * total);
    // Now it dries out: what is not on fibres is residue.
    s.fabric.pieces[0].evaporation = 1e-2;
    for (int k = 0; k < 400; k++) flow(&s, &law, 0.05);
    for (int64_t i = 0; i < v->count; i++)
        assert_true(v->held[0][i] == 0.0 && v->dissolved[0][i] == 0.0 && v->dried[0][i] > 0.0);
    assert_near(mn_fabric_pigment_sum(&s.fabric, 0), first, 1e-13 * first);
    // And new liquid dissolves it again.
    s.fabric.pieces[0].evaporation = 0.0;
    for (int64_t i = 0; i < v->count; i++) mn_wet_sample_fill(&s, i, 0.5);
    for (int k = 0; k < 100; k++) flow(&s, &law, 0.05);
    assert_true(v->dissolved[0][0] > 0.0 && v->dried[0][0] < 0.01 * total);
    assert_near(mn_fabric_pigment_sum(&s.fabric, 0), first, 1e-13 * first);
    mn_wet_sample_destroy(&s);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capture_takes_pigment_with_the_volume),
        cmocka_unit_test(a_small_drop_goes_in_with_all_its_pigment),
        cmocka_unit_test(capture_and_drips_make_no_new_extremes),
        cmocka_unit_test(drips_of_an_even_liquid_are_like_it),
        cmocka_unit_test(pigment_goes_as_far_as_its_liquid),
        cmocka_unit_test(flow_keeps_even_what_is_even),
        cmocka_unit_test(fibres_and_drying_keep_all_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
