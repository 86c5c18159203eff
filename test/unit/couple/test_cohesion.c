// SPDX-License-Identifier: MPL-2.0
// Cohesion of wet layers and yarns (wet-fabric 5.15): pull, energy, momentum, and where there is none.
#include "wet_worlds.h"

#include "couple/cohesion.h"

#include <stdlib.h>
#include <string.h>

#define CELL 0.3

static void wet(mn_world *w, double saturation)
{
    for (int64_t v = 0; v < w->fabric.vertices.count; v++)
        w->fabric.vertices.held[0][v] = saturation * mn_fabric_pores(&w->fabric, v);
}

/// Two flat sheets, `apart` from each other, the upper one shifted; a little liquid far away.
static mn_world *two_sheets(mn_context *c, double side, double apart, double shift)
{
    mn_world *w = fabric_world(c, CELL, 1e-3, no_gravity);
    for (int k = 0; k < 2; k++) {
        mn_fabric_def def = mn_fabric_def_default();
        mn_thin_mesh  mesh;
        make_sheet(c, side, side, 0.15, &mesh);
        def.at[0] = k * shift, def.at[1] = k * apart, def.at[2] = 0.4 * k * shift;
        assert_int_equal(add_mesh(c, w, &def, &mesh), MN_OK);
    }
    mn_shape_def  box  = mn_shape_def_default(MN_SHAPE_BOX);
    mn_liquid_def drop = mn_liquid_def_default();
    box.size[0] = box.size[1] = box.size[2] = 0.6;
    drop.at[1]                              = 20.0;
    assert_int_equal(mn_shape_create(c, &box, &drop.shape), MN_OK);
    assert_int_equal(mn_world_add_liquid(w, &drop), MN_OK);
    mn_shape_release(&drop.shape);
    return w;
}

/// Forces of cohesion alone.
static mn_cohesion_report forces_of(mn_world *w)
{
    mn_cohesion_report report;
    ready(w);
    assert_int_equal(mn_fabric_activate(&w->fabric, &(mn_step){ .arena = w->arena }), MN_OK);
    assert_int_equal(mn_fabric_forces(&w->fabric, &(mn_step){ .arena = w->arena, .time = 0.0, .dt = 1e-3 }), MN_OK);
    memset(w->fabric.step.force, 0, (size_t)w->fabric.vertices.count * sizeof(mn_vec3));
    assert_int_equal(mn_cohesion(&w->liquid, &w->fabric, &(mn_step){ .arena = w->arena }, &report), MN_OK);
    return report;
}

/// Force and torque about the origin on the vertices from..to.
static void sum_forces(const mn_world *w, int64_t from, int64_t to, mn_vec3 *force, mn_vec3 *torque)
{
    *force = *torque = mn_v3(0, 0, 0);
    for (int64_t v = from; v < to; v++) {
        const mn_vec3 x = mn_v3(w->fabric.vertices.position[0][v], w->fabric.vertices.position[1][v],
                                w->fabric.vertices.position[2][v]);
        *force          = mn_add3(*force, w->fabric.step.force[v]);
        *torque         = mn_add3(*torque, mn_cross3(x, w->fabric.step.force[v]));
    }
}

/// Half full where they touch, which is up to a cell apart; or full, with a gap as wide as both are thick.
static void assert_layers_pull(double apart, double saturation)
{
    mn_context *c = test_context(2);
    mn_world   *w = two_sheets(c, 2.0, apart, 0.0);
    mn_fabric  *q = &w->fabric;
    wet(w, saturation);
    const mn_cohesion_report r         = forces_of(w);
    const int64_t            triangles = q->pieces[0].mesh.triangle_count, half = q->pieces[1].first_vertex;
    double                   expected = 0.0;
    for (int64_t t = 0; t < triangles; t++) {
        const int32_t *v = q->pieces[0].mesh.triangle[t];
        mn_vec3        x[3];
        for (int i = 0; i < 3; i++)
            x[i] = mn_v3(q->vertices.position[0][v[i]], q->vertices.position[1][v[i]], q->vertices.position[2][v[i]]);
        expected += 0.01 * 72.8 * sqrt(0.5 * mn_norm3(mn_cross3(mn_sub3(x[1], x[0]), mn_sub3(x[2], x[0]))));
    }
    mn_vec3 low, high, turn_low, turn_high;
    sum_forces(w, 0, half, &low, &turn_low);
    sum_forces(w, half, q->vertices.count, &high, &turn_high);
    assert_int_equal(r.pairs, 2 * triangles);
    assert_near(low.y, expected, 1e-10 * expected);
    assert_near(mn_norm3(mn_add3(low, high)), 0.0, 1e-13 * expected);
    assert_near(mn_norm3(mn_add3(turn_low, turn_high)), 0.0, 1e-12 * expected);
    assert_near(r.energy, expected * (apart - 0.018), 1e-10 * expected);
    print_message("    two layers of 4 cm^2, %.3f cm apart: %.3f dyn, %.3f of their weight\n", apart, low.y,
                  low.y / (mn_fabric_sum(q).held * 0.5 * 981.0 + 4.0 * 0.036 * 0.4 * 1.32 * 981.0));
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void layers_pull_where_liquid_is_half_way(void **state)
{
    (void)state;
    assert_layers_pull(0.072, 0.5);
    assert_layers_pull(CELL + 0.036, 1.0);
}

/// Crumple both so that no two triangles are parallel.
static void jitter(mn_world *w, double by)
{
    for (int a = 0; a < 3; a++)
        for (int64_t v = 0; v < w->fabric.vertices.count; v++)
            w->fabric.vertices.position[a][v] += by * (mn_random(6, (uint64_t)v, 0, (uint64_t)a) - 0.5);
}

static double energy_of(const mn_world *w, const mn_cohesion_pair *pairs, int64_t count)
{
    double sum = 0.0;
    for (int64_t k = 0; k < count; k++) sum += mn_cohesion_energy(&pairs[k], &w->fabric);
    return sum;
}

/// fab.C5 for cohesion pairs: force = - gradient of the energy, the pairs and their liquid kept.
static void assert_force_is_gradient(mn_world *w)
{
    mn_fabric         *q = &w->fabric;
    mn_cohesion_report r;
    mn_cohesion_pair  *pairs;
    forces_of(w);
    assert_int_equal(mn_cohesion_find(&w->liquid, q, w->arena, &pairs, &r), MN_OK);
    assert_true(r.pairs > 20);
    double largest = 0.0;
    for (int64_t v = 0; v < q->vertices.count; v++) largest = fmax(largest, mn_norm3(q->step.force[v]));
    double worst = 0.0;
    for (int64_t v = 0; v < q->vertices.count; v += 7)
        for (int a = 0; a < 3; a++) {
            const double here = q->vertices.position[a][v], step = 1e-6;
            q->vertices.position[a][v] = here + step;
            const double above         = energy_of(w, pairs, r.pairs);
            q->vertices.position[a][v] = here - step;
            const double below         = energy_of(w, pairs, r.pairs);
            q->vertices.position[a][v] = here;
            worst = fmax(worst, fabs(mn_get3(q->step.force[v], a) + (above - below) / (2.0 * step)));
        }
    print_message("    %lld pairs, force against energy: %.1e\n", (long long)r.pairs, worst / largest);
    assert_true(worst < 1e-6 * largest);
    mn_vec3 force, torque;
    sum_forces(w, 0, q->vertices.count, &force, &torque);
    assert_near(mn_norm3(force), 0.0, 1e-12 * largest);
    assert_near(mn_norm3(torque), 0.0, 1e-12 * largest);
}

static void force_is_the_gradient_of_the_energy(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_world   *w = two_sheets(c, 1.5, CELL + 0.04, 0.05);
    wet(w, 1.0);
    jitter(w, 0.015);
    assert_force_is_gradient(w);
    mn_world_destroy(&w);
    // Layers nearer than their thickness: half full there.
    w = two_sheets(c, 1.5, 0.03, 0.05);
    wet(w, 0.5);
    jitter(w, 0.01);
    assert_force_is_gradient(w);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static mn_world *bundle(mn_context *c, double pitch)
{
    mn_world         *w   = fabric_world(c, CELL, 1e-3, no_gravity);
    mn_fabric_def     def = mn_fabric_def_default();
    mn_thin_mesh      mesh;
    const mn_yarn_def yarn = { .pattern = MN_YARN_BUNDLE,
                               .size    = { 3.0, 0.0 },
                               .radius  = 0.048,
                               .pitch   = pitch,
                               .spacing = 0.15,
                               .count   = 7 };
    if (mn_yarn_generate(c, &yarn, &mesh) != MN_OK) fail_msg("%s", mn_context_error(c));
    assert_int_equal(add_mesh(c, w, &def, &mesh), MN_OK);
    mn_liquid_def tap = mn_liquid_def_default();
    mn_shape_def  box = mn_shape_def_default(MN_SHAPE_BOX);
    box.size[0] = box.size[1] = box.size[2] = 0.6;
    tap.at[1]                               = 20.0;
    assert_int_equal(mn_shape_create(c, &box, &tap.shape), MN_OK);
    assert_int_equal(mn_world_add_liquid(w, &tap), MN_OK);
    mn_shape_release(&tap.shape);
    return w;
}

static void yarns_pull_by_their_bridges(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_world   *w = bundle(c, 0.12);
    wet(w, 0.6);
    mn_cohesion_pair  *pairs;
    mn_cohesion_report r;
    forces_of(w);
    assert_int_equal(mn_cohesion_find(&w->liquid, &w->fabric, w->arena, &pairs, &r), MN_OK);
    assert_true(r.pairs > 100);
    // cos of the wet angle: phi cos(theta) + (1 - phi) (2 S - 1); liquid in the yarns only: fill 0.6 * 0.096 / d.
    const double angle = acos(0.4 * cos(40.8 * 3.14159265358979323846 / 180.0) + 0.6 * 0.2);
    const double pull  = 0.2 * 0.01 * 72.8 * 0.15 * 3.14159265358979323846 * (3.14159265358979323846 - 2.0 * angle) /
                        cos(angle);
    for (int64_t k = 0; k < r.pairs; k++) {
        const double share = pairs[k].full / (pull * (1.0 - fabs(0.6 * 0.096 / pairs[k].distance - 0.5) / 0.2));
        assert_true(fabs(share - 1.0) < 1e-9 || fabs(share - 0.5) < 1e-9);
        assert_true(pairs[k].distance > 0.119 && pairs[k].distance <= 4.0 * 0.048 + 1e-12);
        const mn_fabric_element *a = &w->fabric.elements[pairs[k].from], *b = &w->fabric.elements[pairs[k].to];
        assert_true(w->fabric.part[a->vertex[0]] != w->fabric.part[b->vertex[0]]);
    }
    jitter(w, 0.02);
    assert_force_is_gradient(w);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void the_rim_pulls_and_nothing_else(void **state)
{
    (void)state;
    assert_true(mn_cohesion_rim(0.5) == 1.0 && mn_cohesion_rim(0.0) == 0.0 && mn_cohesion_rim(1.0) == 0.0);
    assert_near(mn_cohesion_rim(0.6), 0.5, 1e-12);
    mn_context *c = test_context(1);
    // Dry: not even looked for. Flooded, nearly dry, too far for what they hold, or alone: no pull.
    mn_world          *w = two_sheets(c, 1.5, CELL + 0.036, 0.0);
    mn_cohesion_report r = forces_of(w);
    assert_true(r.searched == 0 && r.pairs == 0);
    wet(w, 1.0);
    w->fabric.pieces[0].cloth.cohesion = w->fabric.pieces[1].cloth.cohesion                      = w->fabric.pieces[0]
                                                                                  .yarn.cohesion = w->fabric.pieces[1]
                                                                                                       .yarn
                                                                                                       .cohesion = 0.0;
    assert_int_equal(forces_of(w).searched, 0);
    mn_world_destroy(&w);
    for (int k = 0; k < 3; k++) {  // flooded, dry, and a gap that takes more than they hold
        w = two_sheets(c, 1.5, k < 2 ? 0.2 : CELL + 0.1, 0.0);
        wet(w, k == 1 ? 0.2 : 1.0);
        r = forces_of(w);
        assert_true(r.searched > 0 && r.pairs == 0);
        if (k < 2) mn_world_destroy(&w);
    }
    mn_world_destroy(&w);
    w = two_sheets(c, 1.5, 3.0, 0.0);
    wet(w, 1.0);
    assert_int_equal(forces_of(w).searched, 0);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// Two layers 0.24 cm apart, partly in a pool with a surface across them: its rim pulls, pool and air do not.
static void the_edge_of_a_pool_between_layers_pulls(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_world   *w = fabric_world(c, CELL, 1e-3, no_gravity);
    for (int k = 0; k < 2; k++) {
        mn_fabric_def def = mn_fabric_def_default();
        mn_thin_mesh  mesh;
        make_sheet(c, 6.0, 3.0, 0.15, &mesh);
        def.at[1] = -0.12 + 0.24 * k;
        assert_int_equal(add_mesh(c, w, &def, &mesh), MN_OK);
    }
    mn_shape_def  box  = mn_shape_def_default(MN_SHAPE_BOX);
    mn_liquid_def pool = mn_liquid_def_default();
    box.size[0] = 3.0, box.size[1] = 3.0, box.size[2] = 6.0;
    pool.at[0] = -1.5;
    assert_int_equal(mn_shape_create(c, &box, &pool.shape), MN_OK);
    assert_int_equal(mn_world_add_liquid(w, &pool), MN_OK);
    mn_shape_release(&pool.shape);
    wet(w, 0.1);
    const mn_cohesion_report r = forces_of(w);
    assert_true(r.pairs > 20);
    double           pull = 0.0, beyond = 0.0;
    const mn_fabric *q = &w->fabric;
    for (int64_t v = 0; v < q->pieces[1].first_vertex; v++) {
        const double x = q->vertices.position[0][v];
        pull += q->step.force[v].y;
        if (fabs(x) > 2.0 * CELL && fabs(x + 3.0) > 2.0 * CELL) beyond += fabs(q->step.force[v].y);
        assert_true(q->step.force[v].y >= 0.0);
    }
    assert_true(pull > 0.0);
    assert_true(beyond == 0.0);
    print_message("    edge of a pool: %lld pairs, %.3f dyn over 3 cm\n", (long long)r.pairs, pull);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void threads_do_not_change_a_bit(void **state)
{
    (void)state;
    mn_vec3 *first = NULL;
    for (int k = 0; k < 3; k++) {
        mn_context *c = test_context(k == 2 ? 8 : k + 1);
        mn_world   *w = two_sheets(c, 3.0, 0.075, 0.05);
        wet(w, 0.55);
        jitter(w, 0.015);
        forces_of(w);
        const size_t bytes = (size_t)w->fabric.vertices.count * sizeof(mn_vec3);
        if (k == 0) {
            first = malloc(bytes);
            memcpy(first, w->fabric.step.force, bytes);
        }
        assert_memory_equal(first, w->fabric.step.force, bytes);
        mn_world_destroy(&w);
        test_context_end(&c);
    }
    free(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_pull_where_liquid_is_half_way),
        cmocka_unit_test(force_is_the_gradient_of_the_energy),
        cmocka_unit_test(yarns_pull_by_their_bridges),
        cmocka_unit_test(the_rim_pulls_and_nothing_else),
        cmocka_unit_test(the_edge_of_a_pool_between_layers_pulls),
        cmocka_unit_test(threads_do_not_change_a_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
