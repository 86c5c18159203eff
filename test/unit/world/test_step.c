// SPDX-License-Identifier: MPL-2.0
// The step: determinism, saving, taking back, memory, the liquid budget.
#include "worlds.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

static void steps(mn_world *w, int count)
{
    for (int k = 0; k < count; k++) assert_int_equal(mn_world_step(w, mn_world_time(w) + 0.01), MN_OK);
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        uint64_t  first     = 0;
        const int threads[] = { 1, 2, 3, 8 };
        for (int k = 0; k < 4; k++) {
            mn_context *c = test_context(threads[k]);
            mn_world   *w = busy_world(c, dimension);
            steps(w, 12);
            if (k == 0) first = mn_world_hash(w);
            assert_true(mn_world_hash(w) == first);
            mn_world_destroy(&w);
            test_context_end(&c);
        }
    }
}

static void step_save_load_step_is_step_step(void **state)
{
    (void)state;
    const char *path = "test_step_state.state";
    for (int dimension = 2; dimension <= 3; dimension++) {
        mn_context *c = test_context(2);
        mn_world   *a = busy_world(c, dimension), *b = busy_world(c, dimension);
        // Save after every step: the places a checkpoint can fall on, with frames ending in between.
        for (int k = 0; k < 10; k++) {
            steps(a, 1);
            if (k % 3 == 2) mn_world_end_frame(a);
            assert_int_equal(mn_world_save(a, path), MN_OK);
            assert_int_equal(mn_world_load(b, path), MN_OK);
            assert_true(mn_world_hash(a) == mn_world_hash(b));
            steps(b, 1);
            mn_world *again = busy_world(c, dimension);
            assert_int_equal(mn_world_load(again, path), MN_OK);
            steps(again, 1);
            assert_true(mn_world_hash(again) == mn_world_hash(b));
            for (int probe = 0; probe < 3; probe++)
                assert_true(mn_world_probe_value(again, probe) == mn_world_probe_value(b, probe));
            mn_world_destroy(&again);
        }
        // The world that was never loaded ends like the one that was.
        steps(a, 1);
        assert_true(mn_world_hash(a) == mn_world_hash(b));
        mn_world_destroy(&a);
        mn_world_destroy(&b);
        test_context_end(&c);
    }
    remove(path);
}

static uint64_t particle_hash(mn_world *w)
{
    mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    return mn_fields_hash(&mn_liquid_table, p, p->count, (uint64_t)p->count);
}

static void a_rejected_step_leaves_the_state_as_it_was(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_world   *w = busy_world(c, 3);
    steps(w, 5);
    const uint64_t         before              = particle_hash(w);
    const double           time                = mn_world_time(w);
    const mn_world_scalars now                 = w->now;
    w->liquid.model.solver.pressure_tolerance  = 1e-15;  // cannot be reached in one iteration
    w->liquid.model.solver.pressure_iterations = 1;
    assert_int_equal(mn_world_step(w, time + 0.01), MN_ERR_SOLVE);
    assert_non_null(strstr(mn_context_error(c), "coupled_solve"));
    assert_non_null(strstr(mn_context_error(c), "time.dt_min"));
    assert_true(particle_hash(w) == before);
    assert_true(mn_world_time(w) == time);
    assert_true(w->now.frame_rejected > 10);
    mn_world_scalars after = w->now;
    after.dt_limit = now.dt_limit, after.frame_rejected = now.frame_rejected;
    assert_memory_equal(&after, &now, sizeof now);
    // With a solver that works it goes on, and the step grows back.
    w->liquid.model.solver.pressure_tolerance  = 1e-6;
    w->liquid.model.solver.pressure_iterations = 200;
    const double small                         = w->now.dt_limit;
    steps(w, 5);
    assert_true(w->now.dt_limit > 2.0 * small);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void a_rejected_step_does_not_show_in_the_result(void **state)
{
    (void)state;
    // Same path of steps, one with a rejection in between whose retry is the same length: the particles agree.
    mn_context *c = test_context(1);
    mn_world   *a = busy_world(c, 2), *b = busy_world(c, 2);
    steps(a, 3);
    steps(b, 3);
    const double good = b->liquid.model.solver.pressure_tolerance, floor = b->def.time.dt_min;
    b->liquid.model.solver.pressure_tolerance  = 1e-15;
    b->liquid.model.solver.pressure_iterations = 1;
    b->def.time.dt_min                         = 1e-3;
    assert_int_equal(mn_world_step(b, mn_world_time(b) + 0.01), MN_ERR_SOLVE);
    b->liquid.model.solver.pressure_tolerance  = good;
    b->liquid.model.solver.pressure_iterations = 200;
    b->def.time.dt_min                         = floor;
    b->now.dt_limit                            = a->now.dt_limit;
    steps(a, 3);
    steps(b, 3);
    assert_true(particle_hash(a) == particle_hash(b));
    mn_world_destroy(&a);
    mn_world_destroy(&b);
    test_context_end(&c);
}

static void a_settled_step_allocates_nothing(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        mn_context *c = test_context(2);
        mn_world   *w = quiet_world(c, dimension);
        steps(w, 30);
        const int64_t calls = mn_context_memory(c).calls;
        steps(w, 30);
        assert_int_equal(mn_context_memory(c).calls, calls);
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

static void the_liquid_budget_is_exact(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_world   *w = busy_world(c, 3);
    steps(w, 150);
    const mn_ledger l = mn_world_ledger(w);
    assert_true(l.liquid_added > 1.0);
    assert_true(l.liquid_removed > 1.0);
    assert_less(fabs(l.liquid_error), 1e-13);
    // pi 0.8^2 cm2 at 100 cm/s: the fine count of the cross-section is good to a percent.
    assert_near(l.liquid_added / mn_world_time(w), MN_PI * 0.64 * 100.0, 0.01 * MN_PI * 64.0);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void no_particle_ends_inside_a_solid(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        mn_context *c = test_context(2);
        mn_world   *w = busy_world(c, dimension);
        for (int k = 0; k < 100; k++) {
            steps(w, 1);
            const mn_liquid_particles *p = mn_liquid_now(&w->liquid);
            assert_int_equal(mn_arena_reset(w->arena), MN_OK);
            assert_int_equal(mn_world_place_solids(w, mn_world_time(w)), MN_OK);
            for (int64_t i = 0; i < p->count; i++) {
                mn_vec3      normal;
                int          which;
                const double d = mn_solids_distance(w->solids,
                                                    mn_v3(p->position[0][i], p->position[1][i], p->position[2][i]),
                                                    &normal, &which);
                if (d <= 0.0) fail_msg("particle %d is %g cm inside solid %d after step %d", (int)i, -d, which, k);
            }
        }
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

static void a_step_without_an_end_is_refused(void **state)
{
    (void)state;
    mn_context    *c       = test_context(1);
    mn_world      *w       = busy_world(c, 2);
    const double   never[] = { INFINITY, NAN, -INFINITY, 0.0 };
    const uint64_t before  = mn_world_hash(w);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(mn_world_step(w, never[k]), MN_ERR_ARGUMENT);
        assert_non_null(strstr(mn_context_error(c), "a step must end after"));
    }
    assert_true(mn_world_hash(w) == before);
    // As late as one likes, it is a step of the usual length.
    assert_int_equal(mn_world_step(w, DBL_MAX), MN_OK);
    assert_true(mn_world_time(w) > 0.0 && mn_world_time(w) < 1.0);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void a_step_can_be_undone_until_its_frame_ends(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_world   *w = busy_world(c, 3);
    steps(w, 3);
    const uint64_t before = mn_world_hash(w);
    steps(w, 1);
    const uint64_t after = mn_world_hash(w);
    assert_int_equal(mn_world_undo(w), MN_OK);
    assert_true(mn_world_hash(w) == before);
    assert_int_equal(mn_world_undo(w), MN_ERR_STATE);  // one is all there is
    steps(w, 1);
    assert_true(mn_world_hash(w) == after);
    mn_world_end_frame(w);
    assert_int_equal(mn_world_undo(w), MN_ERR_STATE);
    steps(w, 1);
    mn_world_release_spare(w);
    assert_int_equal(mn_world_undo(w), MN_ERR_STATE);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void nothing_is_added_after_the_start(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_world   *w = quiet_world(c, 2);
    steps(w, 1);
    mn_liquid_def more = mn_liquid_def_default();
    assert_int_equal(mn_world_add_liquid(w, &more), MN_ERR_STATE);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void definitions_out_of_range_are_refused_with_a_sentence(void **state)
{
    (void)state;
    mn_context  *c   = test_context(1);
    mn_world    *w   = NULL;
    mn_world_def def = mn_world_def_default();
    def.domain.cell  = -1.0;
    assert_int_equal(mn_world_create(c, &def, &w), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "domain.cell is -1"));
    def                     = mn_world_def_default();
    def.domain.bounded      = true;
    def.domain.bounds[1][0] = def.domain.bounds[1][1] = def.domain.bounds[1][2] = 6.3;
    def.domain.boundary[0]                                                      = MN_BOUNDARY_PERIODIC;
    assert_int_equal(mn_world_create(c, &def, &w), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "multiple of 8 cells"));
    def.cookie = 0;
    assert_int_equal(mn_world_create(c, &def, &w), MN_ERR_ARGUMENT);
    assert_null(w);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(step_save_load_step_is_step_step),
        cmocka_unit_test(a_rejected_step_leaves_the_state_as_it_was),
        cmocka_unit_test(a_rejected_step_does_not_show_in_the_result),
        cmocka_unit_test(a_settled_step_allocates_nothing),
        cmocka_unit_test(the_liquid_budget_is_exact),
        cmocka_unit_test(no_particle_ends_inside_a_solid),
        cmocka_unit_test(a_step_without_an_end_is_refused),
        cmocka_unit_test(a_step_can_be_undone_until_its_frame_ends),
        cmocka_unit_test(nothing_is_added_after_the_start),
        cmocka_unit_test(definitions_out_of_range_are_refused_with_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
