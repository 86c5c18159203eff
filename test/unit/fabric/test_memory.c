// SPDX-License-Identifier: MPL-2.0
// What vertices keep of a velocity that the faces do not see (liquid 5.1): transfers alone, and whole steps of a free
// sheet.
#include "fabric_worlds.h"

#include "base/random.h"
#include "fabric/operator.h"

/// A sheet that flies freely, its vertices with velocities of any kind.
static mn_world *stirred_sheet(mn_context *c, double memory)
{
    const double  none[3] = { 0.0, 0.0, 0.0 };
    mn_world     *w       = fabric_world(c, 0.25, 1e-3, none);
    mn_fabric_def def     = mn_fabric_def_default();
    mn_thin_mesh  mesh;
    make_sheet(c, 2.0, 1.5, 0.12, &mesh);
    if (add_mesh(c, w, &def, &mesh) != MN_OK) fail_msg("%s", mn_context_error(c));
    w->fabric.model.solver.velocity_memory = memory;
    assert_int_equal(mn_fabric_prepare(&w->fabric), MN_OK);
    for (int64_t v = 0; v < w->fabric.vertices.count; v++) {
        for (uint64_t a = 0; a < 3; a++)
            w->fabric.vertices.velocity[a][v] = 6.0 * mn_random(2, (uint64_t)v, 0, a) - 2.0;
        for (uint64_t k = 0; k < 9; k++) w->fabric.vertices.affine[k][v] = 4.0 * mn_random(2, (uint64_t)v, 1, k) - 2.0;
    }
    return w;
}

static double energy_of(const mn_world *w)
{
    double sum = 0.0;
    for (int64_t v = 0; v < w->fabric.vertices.count; v++)
        for (int a = 0; a < 3; a++)
            sum += 0.5 * w->fabric.mass[v] * w->fabric.vertices.velocity[a][v] * w->fabric.vertices.velocity[a][v];
    return sum;
}

/// To the faces and back, and no force between; positions stay.
static void transfer(mn_world *w, double dt)
{
    mn_fabric *q = &w->fabric;
    assert_int_equal(mn_arena_reset(w->arena), MN_OK);
    assert_int_equal(mn_fabric_activate(q, &(mn_step){ .arena = w->arena }), MN_OK);
    assert_int_equal(mn_fabric_gather(q, &(mn_step){ .arena = w->arena, .dt = dt }), MN_OK);
    q->step.velocity = mn_point_faces_array(w->arena, &q->step.faces);
    assert_non_null(q->step.velocity);
    for (int32_t i = 0; i < q->step.faces.count; i++)
        q->step.velocity[i] = q->step.momentum[i] * mn_inverse_mass(q->step.mass[i]);
    assert_int_equal(mn_fabric_scatter(q, &(mn_step){ .arena = w->arena }), MN_OK);
    mn_fabric_recall(q, dt);
}

static void what_is_kept_has_no_momentum(void **state)
{
    (void)state;
    const double memory[] = { 0.0, 1e-3, 1e9 };
    for (int k = 0; k < 3; k++) {
        mn_context   *c      = test_context(2);
        mn_world     *w      = stirred_sheet(c, memory[k]);
        const mn_vec3 first  = mn_fabric_sum(&w->fabric).momentum;
        const double  energy = energy_of(w);
        for (int n = 0; n < 5; n++) transfer(w, 1e-3);
        print_message("    memory %g s: energy %.6f of what it was after five transfers\n", memory[k],
                      energy_of(w) / energy);
        assert_less(mn_norm3(mn_sub3(mn_fabric_sum(&w->fabric).momentum, first)), 1e-12 * mn_norm3(first));
        if (k == 0) assert_less(energy_of(w), 0.9 * energy);
        if (k == 2) assert_near(energy_of(w), energy, 1e-9 * energy);  // nothing is forgotten
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

typedef struct outcome {
    uint64_t hash;
    double   drift;
} outcome;

static outcome flight(int threads)
{
    mn_context   *c      = test_context(threads);
    mn_world     *w      = stirred_sheet(c, 5e-3);
    const mn_vec3 first  = mn_fabric_sum(&w->fabric).momentum;
    const double  energy = energy_of(w);
    steps_of(w, 30, 1e-3);
    const outcome out = { mn_world_hash(w),
                          mn_norm3(mn_sub3(mn_fabric_sum(&w->fabric).momentum, first)) / mn_norm3(first) };
    assert_less(energy_of(w), energy);
    mn_world_destroy(&w);
    test_context_end(&c);
    return out;
}

static void a_free_sheet_keeps_its_momentum_and_threads_change_no_bit(void **state)
{
    (void)state;
    const outcome one = flight(1);
    print_message("    momentum off by %.2g after 30 steps\n", one.drift);
    assert_less(one.drift, 1e-10);
    assert_true(flight(2).hash == one.hash);
    assert_true(flight(8).hash == one.hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_has_no_momentum),
        cmocka_unit_test(a_free_sheet_keeps_its_momentum_and_threads_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
