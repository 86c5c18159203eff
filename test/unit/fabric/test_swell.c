// SPDX-License-Identifier: MPL-2.0
// Room in the pores: stretch, layers that touch, solids, load, and when it stays as it is (wet-fabric 5.5, volume
// change).
#include "testing.h"

#include "fabric/contact.h"
#include "fabric/near.h"
#include "fabric/pores/swell.h"
#include "verify/fabric/wet_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THICKNESS 0.036

static mn_thin_mesh sheet(mn_context *c, double x, double z)
{
    mn_thin_mesh       mesh;
    const mn_cloth_def d = { .outline = MN_CLOTH_RECTANGLE,
                             .size    = { x, z },
                             .spacing = 0.15,
                             .mesh    = MN_CLOTH_STRUCTURED };
    assert_int_equal(mn_cloth_generate(c, &d, &mesh), MN_OK);
    return mesh;
}

static void add(mn_context *c, mn_wet_sample *s, mn_thin_mesh *mesh, mn_fabric_def *def)
{
    snprintf(def->name, sizeof def->name, "piece %d", (int)s->fabric.piece_count);
    def->mesh = mesh;
    assert_int_equal(mn_fabric_add(&s->fabric, def), MN_OK);
    mn_thin_mesh_free(c, mesh);
}

static mn_wet_sample empty(mn_context *c)
{
    const mn_fabric_model model = { .grid   = { .dimension = 3, .cell = 0.3, .depth = 0.3 },
                                    .cfl    = 1.0,
                                    .dt_max = 1.0,
                                    .liquid = mn_wet_sample_water() };
    mn_wet_sample         s;
    memset(&s, 0, sizeof s);
    mn_fabric_init(c, &model, &s.fabric);
    assert_int_equal(mn_arena_create(c, &s.arena), MN_OK);
    return s;
}

/// As at the end of a step in which nothing moved.
static void swell(mn_wet_sample *s, const mn_solid *solids, int count)
{
    assert_int_equal(mn_arena_reset(s->arena), MN_OK);
    assert_int_equal(mn_fabric_activate(&s->fabric, &(mn_step){ .arena = s->arena }), MN_OK);
    assert_int_equal(mn_fabric_find_near(&s->fabric, s->arena), MN_OK);
    assert_int_equal(mn_fabric_swell(&s->fabric, &(mn_step){ .arena = s->arena, .solids = { solids, count } }), MN_OK);
}

static double j_of(const mn_wet_sample *s, int64_t v) { return s->fabric.vertices.swelling[0][v]; }

static void stretch_makes_room_and_dry_worlds_do_not_care(void **state)
{
    (void)state;
    mn_context   *c    = test_context(1);
    mn_wet_sample s    = empty(c);
    mn_thin_mesh  mesh = sheet(c, 1.5, 1.5);
    mn_fabric_def def  = mn_fabric_def_default();
    add(c, &s, &mesh, &def);
    swell(&s, NULL, 0);
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) assert_near(j_of(&s, v), 1.0, 1e-12);
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) s.fabric.vertices.position[0][v] *= 1.1;
    s.fabric.model.liquid.density = 0.0;
    swell(&s, NULL, 0);
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) assert_near(j_of(&s, v), 1.0, 1e-12);
    s.fabric.model.liquid.density          = 1.0;
    s.fabric.pieces[0].cloth.vary_porosity = false;
    swell(&s, NULL, 0);
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) assert_near(j_of(&s, v), 1.0, 1e-12);
    s.fabric.pieces[0].cloth.vary_porosity = true;
    swell(&s, NULL, 0);
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) {
        assert_near(j_of(&s, v), 1.1, 1e-12);
        assert_near(mn_fabric_pores(&s.fabric, v), s.fabric.volume[v] * (1.1 - 0.4), 1e-12 * s.fabric.volume[v]);
    }
    // Limits: fibres do not overlap, and a torn mesh has no more room than twice.
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) s.fabric.vertices.position[0][v] *= 5.0;
    swell(&s, NULL, 0);
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) assert_true(j_of(&s, v) == 2.0);
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) s.fabric.vertices.position[0][v] *= 0.02;
    swell(&s, NULL, 0);
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) assert_near(j_of(&s, v), 1.15 * 0.4, 1e-6);
    mn_wet_sample_destroy(&s);
    test_context_end(&c);
}

/// Two sheets `gap` apart, the upper one smaller and beside the vertices of the lower one: J where they lie on each
/// other.
static void check_layers(double gap, double expected)
{
    mn_context   *c     = test_context(1);
    mn_wet_sample s     = empty(c);
    mn_thin_mesh  lower = sheet(c, 3.0, 3.0), upper = sheet(c, 1.5, 1.5);
    mn_fabric_def def   = mn_fabric_def_default();
    const int64_t first = lower.vertex_count;
    add(c, &s, &lower, &def);
    def.at[0] = 0.043, def.at[1] = gap, def.at[2] = -0.021;
    add(c, &s, &upper, &def);
    swell(&s, NULL, 0);
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) {
        const mn_vec3 x   = mn_wet_sample_at(&s, v);
        const bool    far = fmax(fabs(x.x), fabs(x.z)) > 1.0, inside = fmax(fabs(x.x), fabs(x.z)) < 0.6;
        if (v < first && far) assert_near(j_of(&s, v), 1.0, 1e-9);
        if (v >= first || inside) assert_near(j_of(&s, v), expected, 1e-9);
    }
    mn_wet_sample_destroy(&s);
    test_context_end(&c);
}

static void layers_squeeze_each_other_once_they_touch(void **state)
{
    (void)state;
    check_layers(1.01 * THICKNESS, 1.0);
    check_layers(0.6 * THICKNESS, 0.5 * (1.0 + 0.6));
    check_layers(0.2 * THICKNESS, 0.5 * (1.0 + 0.2));
}

static void a_fold_squeezes_itself(void **state)
{
    (void)state;
    mn_context   *c    = test_context(1);
    mn_wet_sample s    = empty(c);
    mn_thin_mesh  mesh = sheet(c, 6.0, 1.5);
    mn_fabric_def def  = mn_fabric_def_default();
    add(c, &s, &mesh, &def);
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) {
        double *x                        = &s.fabric.vertices.position[0][v];
        s.fabric.vertices.position[1][v] = *x < 0.0 ? 0.009 : -0.009;
        *x                               = fabs(*x);
    }
    for (int64_t t = 0; t < s.fabric.triangles.count; t++)  // directors turn over with their half
        if (s.fabric.vertices.position[1][s.fabric.pieces[0].mesh.triangle[t][0]] > 0.0)
            s.fabric.triangles.director[1][t] *= -1.0;
    swell(&s, NULL, 0);
    int seen = 0;
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) {
        const double x = s.fabric.vertices.position[0][v];
        if (x < 1.6 || x > 2.8) continue;
        assert_near(j_of(&s, v), 0.75, 1e-6);
        seen++;
    }
    assert_true(seen > 50);
    mn_wet_sample_destroy(&s);
    test_context_end(&c);
}

static void a_solid_squeezes_what_touches_it(void **state)
{
    (void)state;
    mn_context   *c     = test_context(1);
    mn_wet_sample s     = empty(c);
    mn_thin_mesh  mesh  = sheet(c, 1.5, 1.5);
    mn_fabric_def def   = mn_fabric_def_default();
    mn_shape_def  plane = mn_shape_def_default(MN_SHAPE_PLANE);
    mn_shape     *shape = NULL;
    plane.axis[0] = 0.0, plane.axis[1] = 1.0, plane.axis[2] = 0.0;
    assert_int_equal(mn_shape_create(c, &plane, &shape), MN_OK);
    const mn_solid floor = { .shape = shape, .pose = { .rotation = mn_mat3_identity() }, .friction = -1.0 };
    def.at[1]            = 0.25 * THICKNESS;
    add(c, &s, &mesh, &def);
    swell(&s, &floor, 1);
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) assert_near(j_of(&s, v), 1.0, 1e-9);  // it is not touched
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) s.fabric.vertices.touched[0][v] = 1;
    swell(&s, &floor, 1);
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) assert_near(j_of(&s, v), 0.75, 1e-9);
    mn_shape_release(&shape);
    mn_wet_sample_destroy(&s);
    test_context_end(&c);
}

static void strands_squeeze_each_other(void **state)
{
    (void)state;
    mn_context       *c   = test_context(1);
    mn_wet_sample     s   = empty(c);
    const mn_yarn_def d   = { .pattern = MN_YARN_STRAIGHT, .size = { 2.0, 0.0 }, .radius = 0.048, .spacing = 0.15 };
    mn_fabric_def     def = mn_fabric_def_default();
    for (int k = 0; k < 2; k++) {
        mn_thin_mesh mesh;
        assert_int_equal(mn_yarn_generate(c, &d, &mesh), MN_OK);
        def.at[0] = 0.03 * k, def.at[1] = 0.06 * k;
        add(c, &s, &mesh, &def);
    }
    swell(&s, NULL, 0);
    for (int64_t v = 0; v < s.fabric.vertices.count; v++)  // one of four sides, 0.06 of 0.096
        if (fabs(mn_wet_sample_at(&s, v).x) < 0.8) assert_near(j_of(&s, v), 0.25 * (3.0 + 0.06 / 0.096), 1e-6);
    mn_wet_sample_destroy(&s);
    test_context_end(&c);
}

/// The numbers of the note for the default cloth.
static void load_follows_van_wyk(void **state)
{
    (void)state;
    const double   modulus = 1.83e7, nu = 0.202, shear = 0.5 * 0.04 * modulus / (1.0 + nu);
    mn_contact_law law = { .mu = shear, .lambda = 2.0 * shear * nu / (1.0 - 2.0 * nu), .friction = 0.5 };
    const struct {
        double r, j;
    } table[] = { { 1.0, 1.0 }, { 0.99, 0.9996 }, { 0.9, 0.965 }, { 0.6, 0.711 } };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const mn_directors d = { { { 0.2, 0, 0 }, { 0.1, 0.3, 0 }, { 0, 0, table[k].r } } };
        assert_near(mn_swell_under_load(0.4, 0.16 * mn_contact_pressure(&law, &d) / (0.01 * modulus)), table[k].j,
                    1e-3);
    }
    law.yarn                   = true;
    const mn_directors apart   = { { { 0.2, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
                       pressed = { { { 0.2, 0, 0 }, { 0, 0.8, 0 }, { 0, 0, 0.8 } } };
    const double e             = log(0.8);
    assert_true(mn_contact_pressure(&law, &apart) == 0.0);
    assert_near(mn_contact_pressure(&law, &pressed), -0.5 * sqrt(2.0) * (2.0 * law.mu + 2.0 * law.lambda) * e / 0.8,
                1e-6 * law.mu);
}

/// Cloth pressed on cloth: the directors carry the load, all vertices that share it have less room.
static void pressed_elements_have_less_room(void **state)
{
    (void)state;
    mn_context   *c     = test_context(1);
    mn_wet_sample s     = empty(c);
    mn_thin_mesh  lower = sheet(c, 1.5, 1.5), upper = sheet(c, 1.5, 1.5);
    mn_fabric_def def = mn_fabric_def_default();
    add(c, &s, &lower, &def);
    def.at[1] = 0.2;
    add(c, &s, &upper, &def);
    for (int64_t t = 0; t < s.fabric.triangles.count; t++)
        for (int a = 0; a < 3; a++) s.fabric.triangles.director[a][t] *= 0.6;
    swell(&s, NULL, 0);
    for (int64_t v = 0; v < s.fabric.vertices.count; v++) assert_near(j_of(&s, v), 0.711, 1e-3);
    mn_wet_sample_destroy(&s);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stretch_makes_room_and_dry_worlds_do_not_care),
        cmocka_unit_test(layers_squeeze_each_other_once_they_touch),
        cmocka_unit_test(a_fold_squeezes_itself),
        cmocka_unit_test(a_solid_squeezes_what_touches_it),
        cmocka_unit_test(strands_squeeze_each_other),
        cmocka_unit_test(load_follows_van_wyk),
        cmocka_unit_test(pressed_elements_have_less_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
