// SPDX-License-Identifier: MPL-2.0
// The state of fabric: the same bits for any number of threads, saved and loaded, taken back, and without memory.
#include "fabric_worlds.h"

#include "failing_memory.h"
#include "world/matter.h"

#include <stdlib.h>
#include <string.h>

#define DT 2e-3

static int64_t touching(const mn_world *w)
{
    int64_t count = 0;
    for (int64_t i = 0; i < w->fabric.vertices.count; i++) count += w->fabric.vertices.touched[0][i] > 0;
    return count;
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    const int threads[] = { 1, 2, 8 };
    uint64_t  first     = 0;
    for (int k = 0; k < 3; k++) {
        mn_context *c = test_context(threads[k]);
        mn_world   *w = drape_world(c);
        steps_of(w, 30, DT);
        assert_true(touching(w) > 0);
        assert_true(w->fabric.contact_count > 0);
        if (k == 0) first = mn_world_hash(w);
        assert_true(mn_world_hash(w) == first);
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

static void step_save_load_step_is_step_step(void **state)
{
    (void)state;
    const char *path = "test_fabric_state.state";
    mn_context *c    = test_context(2);
    mn_world   *a    = drape_world(c);
    steps_of(a, 15, DT);
    for (int k = 0; k < 5; k++) {
        mn_world *fresh = drape_world(c);
        assert_int_equal(mn_world_save(a, path), MN_OK);
        assert_int_equal(mn_world_load(fresh, path), MN_OK);
        assert_true(mn_world_hash(a) == mn_world_hash(fresh));
        steps_of(a, 3, DT);
        steps_of(fresh, 3, DT);
        assert_true(mn_world_hash(a) == mn_world_hash(fresh));
        mn_world_destroy(&fresh);
    }
    assert_true(touching(a) > 0);
    assert_true(a->fabric.contact_count > 0);
    mn_world_destroy(&a);
    test_context_end(&c);
    remove(path);
}

/// Hash as if no step had been refused.
static uint64_t hash_without_refusals(mn_world *w, const mn_world_scalars *before)
{
    w->now.dt_limit       = before->dt_limit;
    w->now.frame_rejected = before->frame_rejected;
    return mn_world_hash(w);
}

static void a_rejected_step_leaves_the_state_as_it_was(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_world   *w = drape_world(c), *same = drape_world(c);
    steps_of(w, 20, DT);
    steps_of(same, 20, DT);
    const uint64_t         before = mn_world_hash(w);
    const mn_world_scalars now    = w->now;
    // A step that fails before fabric has its turn takes back nothing: the last one stands.
    assert_int_equal(mn_world_keep(w), MN_OK);
    assert_int_equal(mn_world_take_back(w), MN_OK);
    assert_true(mn_world_hash(w) == before);
    const mn_solver_def good                = w->fabric.model.solver;
    w->fabric.model.solver.solid_iterations = 1;
    w->fabric.model.solver.solid_tolerance  = 1e-15;
    assert_int_equal(mn_world_step(w, mn_world_time(w) + DT), MN_ERR_SOLVE);
    assert_non_null(strstr(mn_context_error(c), "solid_solve"));
    assert_true(w->now.frame_rejected > 10);
    assert_true(hash_without_refusals(w, &now) == before);
    // It goes on as if nothing had happened.
    w->fabric.model.solver = good;
    steps_of(w, 5, DT);
    steps_of(same, 5, DT);
    assert_true(mn_world_hash(w) == mn_world_hash(same));
    mn_world_destroy(&w);
    mn_world_destroy(&same);
    test_context_end(&c);
}

// ---- refused memory: one request, and those behind it are granted again
// ----------------------------------------------

/// The meshes are made and both fabrics added.
static mn_status add_drape(failing_memory *m, void *user)
{
    (void)user;
    const double    g[3] = { 0.0, -981.0, 0.0 };
    const long long left = m->left;
    grant_all(m);
    mn_context *c = failing_context(m);
    mn_world   *w = fabric_world(c, DRAPE_CELL, DT, g);
    add_ball(c, w, 1.0);
    m->left                = left;
    const mn_status status = try_drape(c, w);
    const bool      met    = m->refused > 0;
    grant_all(m);
    assert_int_equal(status, met ? MN_ERR_MEMORY : MN_OK);
    mn_world_destroy(&w);
    mn_context_destroy(&c);
    return status;
}

/// A step that is refused memory leaves the state as it was, and the next comes to the same end.
static mn_status step_drape(failing_memory *m, void *user)
{
    const uint64_t  expected = *(const uint64_t *)user;
    const long long left     = m->left;
    grant_all(m);
    mn_context    *c       = failing_context(m);
    mn_world      *w       = drape_world(c);
    const uint64_t start   = mn_world_hash(w);
    m->left                = left;
    const mn_status status = mn_world_step(w, DT);
    grant_all(m);
    if (status != MN_OK) {
        assert_true(mn_world_hash(w) == start);
        steps_of(w, 1, DT);
    }
    assert_true(mn_world_hash(w) == expected);
    mn_world_destroy(&w);
    mn_context_destroy(&c);
    return status;
}

static void memory_that_is_refused_is_no_leak(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_world   *w = drape_world(c);
    steps_of(w, 1, DT);
    uint64_t expected = mn_world_hash(w);
    mn_world_destroy(&w);
    test_context_end(&c);
    failing_memory memory = { .left = INT64_MAX, .once = true };
    const int64_t  adding = survives_every_failing_allocation(&memory, add_drape, NULL, NULL),
                  stepped = survives_every_failing_allocation(&memory, step_drape, &expected, NULL);
    print_message("%lld and %lld refusals\n", (long long)adding, (long long)stepped);
    assert_true(adding > 50 && stepped > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(step_save_load_step_is_step_step),
        cmocka_unit_test(a_rejected_step_leaves_the_state_as_it_was),
        cmocka_unit_test(memory_that_is_refused_is_no_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
