// SPDX-License-Identifier: MPL-2.0
// Dripping (fab.C21), the budget over many exchanges (fab.C20), and that a step taken back leaves no trace of either.
#include "wet_worlds.h"

#include "liquid/resample.h"

#include <stdlib.h>
#include <string.h>

/// Pores that hold `fill` times what fits, varying over the sheet.
static void overfill(mn_world *w, double fill)
{
    for (int64_t v = 0; v < w->fabric.vertices.count; v++)
        w->fabric.vertices.held[0][v] = fill * mn_fabric_pores(&w->fabric, v) * (0.5 + mn_random(8, (uint64_t)v, 0, 0));
}

static mn_world *wet_sheet(mn_context *c, uint64_t seed)
{
    mn_world *w          = fabric_world(c, 0.25, 1e-3, no_gravity);
    w->fabric.model.seed = seed;
    add_bath(c, w, 0.5, 0.5, 0.5);
    mn_fabric_def def = mn_fabric_def_default();
    add_sheet(c, w, 3.0, 0.12, def);
    ready(w);
    stir(w);
    overfill(w, 3.0);
    return w;
}

static void drops_keep_volume_and_momentum(void **state)
{
    (void)state;
    mn_context              *c      = test_context(2);
    mn_world                *w      = wet_sheet(c, 1);
    const both               before = sum_both(w);
    const double             held = held_in(w), quantum = 0.0356 * 0.25 * 0.25 * 0.25;
    const int64_t            count = mn_liquid_now(&w->liquid)->count, first_id = w->now.next_id;
    const mn_exchange_report r     = drip_once(w, 7);
    const both               after = sum_both(w);
    assert_kept(&before, &after, 1e-14);
    assert_true(r.drops > 50 && r.blocked == 0);
    assert_near(held - held_in(w), r.dripped, 1e-13);
    const mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    assert_int_equal(p->count, count + r.drops);
    assert_int_equal(w->now.next_id, first_id + r.drops);
    int64_t whole = 0;
    for (int64_t i = count; i < p->count; i++) {
        assert_true(p->volume[0][i] >= 0.1 * quantum * (1.0 - 1e-15) && p->volume[0][i] <= quantum);
        whole += p->volume[0][i] == quantum;
        assert_int_equal(p->id[0][i], first_id + i - count);
        for (int k = 0; k < 9; k++) assert_true(p->affine[k][i] == 0.0);
    }
    assert_true(whole > r.drops / 4);
    for (int64_t v = 0; v < w->fabric.vertices.count; v++)
        assert_true(w->fabric.vertices.held[0][v] >= mn_fabric_pores(&w->fabric, v) * 0.5);
    // What is left over in a cell is less than a drop: nothing more comes.
    assert_int_equal(drip_once(w, 8).drops, 0);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// Drops lie on the sheet, spread over all of it.
static void drops_lie_on_the_fabric(void **state)
{
    (void)state;
    mn_context   *c     = test_context(1);
    mn_world     *w     = wet_sheet(c, 1);
    const int64_t count = mn_liquid_now(&w->liquid)->count;
    drip_once(w, 7);
    const mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    const mn_fabric_vertices  *v = &w->fabric.vertices;
    // The plane of the sheet, from three of its vertices.
    const mn_vec3 x0     = mn_v3(v->position[0][0], v->position[1][0], v->position[2][0]);
    mn_vec3       far[2] = { x0, x0 }, n = { 0, 0, 0 };
    for (int64_t i = 0; i < v->count; i++) {
        const mn_vec3 x = mn_v3(v->position[0][i], v->position[1][i], v->position[2][i]);
        if (mn_norm3(mn_sub3(x, x0)) > mn_norm3(mn_sub3(far[0], x0))) far[0] = x;
        const mn_vec3 area = mn_cross3(mn_sub3(far[0], x0), mn_sub3(x, x0));
        if (mn_norm3(area) > mn_norm3(n)) n = area, far[1] = x;
    }
    n            = mn_unit3(n, mn_v3(0, 1, 0));
    mn_vec3 mean = { 0, 0, 0 };
    for (int64_t i = count; i < p->count; i++) {
        const mn_vec3 x = mn_v3(p->position[0][i], p->position[1][i], p->position[2][i]);
        assert_near(mn_dot3(n, mn_sub3(x, x0)), 0.0, 1e-12);
        mean = mn_add3(mean, mn_scale3(1.0 / (double)(p->count - count), x));
    }
    assert_near(mn_norm3(mean), 0.0, 0.2);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void seed_and_step_decide_and_threads_do_not(void **state)
{
    (void)state;
    const int      threads[] = { 1, 2, 8, 1, 1 };
    const uint64_t seed[]    = { 1, 1, 1, 2, 1 };
    const int64_t  step[]    = { 7, 7, 7, 7, 8 };
    uint64_t       hash[5];
    for (int k = 0; k < 5; k++) {
        mn_context *c = test_context(threads[k]);
        mn_world   *w = wet_sheet(c, seed[k]);
        drip_once(w, step[k]);
        hash[k] = hash_of(w);
        mn_world_destroy(&w);
        test_context_end(&c);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
    assert_true(hash[0] != hash[3] && hash[0] != hash[4]);
}

/// On a floor through the sheet no drop is inside it, and between walls that leave no room none is made.
static void drops_appear_outside_solids(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_world   *w = fabric_world(c, 0.25, 1e-3, no_gravity);
    add_floor(c, w, 0.0);
    mn_fabric_def def = mn_fabric_def_default();
    double        full[4000];
    for (int k = 0; k < 4000; k++) full[k] = 1.0;
    def.saturation = full;
    add_sheet(c, w, 3.0, 0.12, def);
    ready(w);
    overfill(w, 3.0);
    const both               before = sum_both(w);
    const mn_exchange_report r      = drip_once(w, 3);
    const both               after  = sum_both(w);
    assert_true(r.drops > 50 && r.blocked == 0);
    assert_kept(&before, &after, 1e-14);
    const mn_liquid_particles *p      = mn_liquid_now(&w->liquid);
    int64_t                    pushed = 0;
    for (int64_t i = 0; i < p->count; i++) {
        assert_true(p->position[1][i] >= 0.02 * 0.25 * (1.0 - 1e-9));
        pushed += p->position[1][i] < 0.0201 * 0.25;
    }
    assert_true(pushed > 10);
    mn_world_destroy(&w);

    w = fabric_world(c, 0.25, 1e-3, no_gravity);
    add_floor(c, w, 0.0);
    mn_shape_def    plane = mn_shape_def_default(MN_SHAPE_PLANE);
    mn_obstacle_def lid   = mn_obstacle_def_default();
    plane.axis[0] = 0.0, plane.axis[1] = -1.0, plane.axis[2] = 0.0;
    assert_int_equal(mn_shape_create(c, &plane, &lid.shape), MN_OK);
    assert_int_equal(mn_world_add_obstacle(w, &lid), MN_OK);
    mn_shape_release(&lid.shape);
    add_sheet(c, w, 1.0, 0.12, def);
    ready(w);
    overfill(w, 3.0);
    const uint64_t           hash = hash_of(w);
    const mn_exchange_report none = drip_once(w, 3);
    assert_true(none.drops == 0 && none.blocked > 0);
    assert_true(hash_of(w) == hash);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// Wring and let soak, over and over, with particles joined as they come. A1.9
static void the_budget_holds_over_many_exchanges(void **state)
{
    (void)state;
    mn_context   *c   = test_context(1);
    mn_fabric_def def = mn_fabric_def_default();
    mn_world     *w   = fabric_world(c, 0.4, 1e-3, no_gravity);
    add_bath(c, w, 2.4, 1.2, 2.4);
    add_sheet(c, w, 1.6, 0.2, def);
    ready(w);
    stir(w);
    const both first    = sum_both(w);
    double     captured = 0.0, dripped = 0.0, worst = 0.0, worst_momentum = 0.0;
    int64_t    drops = 0, consumed = 0, joins = 0, most = 0;
    for (int round = 0; round < 1500; round++) {
        mn_exchange_report r = { 0 };
        mn_resample_report s;
        ready(w);
        for (int64_t v = 0; v < w->fabric.vertices.count; v++)
            w->fabric.vertices.swelling[0][v] = round % 2 == 0
                                                    ? 1.0
                                                    : 0.6 + 0.2 * mn_random(3, (uint64_t)v, (uint64_t)round, 0);
        assert_int_equal(mn_capture(&w->liquid, &w->fabric, &(mn_step){ .arena = w->arena, .dt = 1e-3 }, &r), MN_OK);
        assert_int_equal(mn_drip(&w->liquid, &w->fabric,
                                 &(mn_step){ .arena = w->arena, .solids = w->solids, .number = round }, &w->now.next_id,
                                 &r),
                         MN_OK);
        assert_int_equal(mn_liquid_resample(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids },
                                            &w->now.next_id, &s),
                         MN_OK);
        captured += r.captured, dripped += r.dripped;
        drops += r.drops, consumed += r.consumed, joins += s.joins;
        const both now = sum_both(w);
        worst          = fmax(worst, fabs(volume_off(&first, &now)));
        worst_momentum = fmax(worst_momentum, momentum_off(&first, &now));
        if (mn_liquid_now(&w->liquid)->count > most) most = mn_liquid_now(&w->liquid)->count;
    }
    print_message("    %.3g of the liquid went in and %.3g out, %lld drops, %lld joined, %lld consumed, at most %lld "
                  "particles; volume off by at most %.1e, "
                  "momentum by %.1e\n",
                  captured / (double)first.volume, dripped / (double)first.volume, (long long)drops, (long long)joins,
                  (long long)consumed, (long long)most, worst, worst_momentum);
    assert_true(drops > 10000 && captured > 2.0 * (double)first.volume);
    // A walk of roundings: 1500 exchanges of 0.1 % of the liquid leave it this near, so that 1e5 stay below 1e-12.
    assert_true(worst < 1e-15 && worst_momentum < 1e-15);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// A blob that falls on a wet sheet: capture, dripping and everything else of a step.
static mn_world *splash(mn_context *c)
{
    const double  g[3] = { 0.0, -981.0, 0.0 };
    mn_world     *w    = fabric_world(c, 0.3, 1e-3, g);
    mn_shape_def  ball = mn_shape_def_default(MN_SHAPE_SPHERE);
    mn_liquid_def blob = mn_liquid_def_default();
    mn_fabric_def def  = mn_fabric_def_default();
    add_floor(c, w, 0.0);
    ball.radius[0]   = 0.8;
    blob.at[1]       = 2.0;
    blob.velocity[1] = -100.0;
    assert_int_equal(mn_shape_create(c, &ball, &blob.shape), MN_OK);
    assert_int_equal(mn_world_add_liquid(w, &blob), MN_OK);
    mn_shape_release(&blob.shape);
    def.at[1] = 1.5;
    add_sheet(c, w, 2.5, 0.15, def);
    overfill(w, 2.0);
    w->now.liquid_initial = mn_world_ledger(w).liquid_total;
    return w;
}

static void a_step_taken_back_leaves_no_trace(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_world   *w = splash(c), *same = splash(c);
    steps_of(w, 3, 1e-3);
    steps_of(same, 3, 1e-3);
    const int64_t          count  = mn_liquid_now(&w->liquid)->count;
    const uint64_t         before = mn_world_hash(w);
    const mn_world_scalars now    = w->now;
    const double           good   = w->liquid.model.solver.density_tolerance;
    // Refused after the exchange, in stage upkeep. More than fits is held before, so that there is much to take back.
    for (int k = 0; k < 2; k++) {
        mn_world *each = k == 0 ? w : same;
        for (int64_t v = 0; v < each->fabric.vertices.count; v++) each->fabric.vertices.held[0][v] *= 1.5;
    }
    const uint64_t soaked = mn_world_hash(w);
    assert_true(soaked != before);
    w->liquid.model.solver.density_tolerance = 1e-40;
    assert_int_equal(mn_world_step(w, mn_world_time(w) + 1e-3), MN_ERR_SOLVE);
    assert_non_null(strstr(mn_context_error(c), "upkeep"));
    assert_true(w->now.frame_rejected > 5);
    w->now.dt_limit = now.dt_limit, w->now.frame_rejected = now.frame_rejected;
    assert_true(mn_world_hash(w) == soaked);
    assert_int_equal(mn_liquid_now(&w->liquid)->count, count);
    // It goes on as if nothing had happened.
    w->liquid.model.solver.density_tolerance = good;
    steps_of(w, 5, 1e-3);
    steps_of(same, 5, 1e-3);
    assert_true(mn_world_hash(w) == mn_world_hash(same));
    print_message("    %lld particles, then %lld\n", (long long)count, (long long)mn_liquid_now(&w->liquid)->count);
    assert_true(mn_liquid_now(&w->liquid)->count > count + 10);  // drops came
    mn_world_destroy(&w);
    mn_world_destroy(&same);
    test_context_end(&c);
}

static void worlds_keep_their_liquid_and_do_not_see_threads(void **state)
{
    (void)state;
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
        mn_context  *c     = test_context(k == 2 ? 8 : k + 1);
        mn_world    *w     = splash(c);
        const double held  = held_in(w);
        double       worst = 0.0;
        for (int step = 0; step < 100; step++) {
            steps_of(w, 1, 1e-3);
            worst = fmax(worst, fabs(mn_world_ledger(w).liquid_error));
        }
        assert_true(worst <= 1e-13);
        assert_true(fabs(held_in(w) / held - 1.0) > 0.01);
        hash[k] = mn_world_hash(w);
        mn_world_destroy(&w);
        test_context_end(&c);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drops_keep_volume_and_momentum),
        cmocka_unit_test(drops_lie_on_the_fabric),
        cmocka_unit_test(seed_and_step_decide_and_threads_do_not),
        cmocka_unit_test(drops_appear_outside_solids),
        cmocka_unit_test(the_budget_holds_over_many_exchanges),
        cmocka_unit_test(a_step_taken_back_leaves_no_trace),
        cmocka_unit_test(worlds_keep_their_liquid_and_do_not_see_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
