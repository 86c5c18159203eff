// SPDX-License-Identifier: MPL-2.0
// The state of fabric: the same bits for any number of threads, saved and loaded, taken back, and without memory.
#include "fabric_worlds.h"

#include <stdatomic.h>
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
    const char *path = "test_fabric_state.h5";
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
    mn_fabric_roll_back(&w->fabric);
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

// Memory that is refused, in the manner of test/robust/faults.c

typedef struct refusal {
    atomic_llong calls, held;
    long long    at;  // 0: none
} refusal;

static void *refusing_resize(void *block, size_t bytes, void *user)
{
    refusal *r = user;
    if (bytes == 0) {
        if (block != NULL) atomic_fetch_sub(&r->held, 1);
        free(block);
        return NULL;
    }
    if (atomic_fetch_add(&r->calls, 1) + 1 == r->at) return NULL;
    void *grown = realloc(block, bytes);
    if (block == NULL && grown != NULL) atomic_fetch_add(&r->held, 1);
    return grown;
}

static mn_context *refusing_context(refusal *r)
{
    mn_context_def def = mn_context_def_default();
    mn_context    *c   = NULL;
    def.threads        = 1;
    def.resize         = refusing_resize;
    def.resize_user    = r;
    assert_int_equal(mn_context_create(&def, &c), MN_OK);
    return c;
}

/// The meshes are made and both fabrics added while the k-th request is refused. Then they are added without refusals,
/// a step is made with the k-th request refused, and again without. True while there was something to refuse.
static bool refuse(long long k, uint64_t expected)
{
    const double g[3] = { 0.0, -981.0, 0.0 };
    refusal      r    = { .at = 0 };
    mn_context  *c    = refusing_context(&r);
    mn_world    *w    = fabric_world(c, DRAPE_CELL, DT, g);
    add_ball(c, w, 1.0);
    const long long before = atomic_load(&r.calls);
    r.at                   = before + k;
    const mn_status added  = try_drape(c, w);
    bool            met    = atomic_load(&r.calls) >= r.at;
    r.at                   = 0;
    assert_int_equal(added, met ? MN_ERR_MEMORY : MN_OK);
    mn_world_destroy(&w);
    mn_context_destroy(&c);
    assert_int_equal(atomic_load(&r.held), 0);

    c                     = refusing_context(&r);
    w                     = drape_world(c);
    r.at                  = atomic_load(&r.calls) + k;
    const uint64_t  start = mn_world_hash(w);
    const mn_status first = mn_world_step(w, DT);
    met                   = met || atomic_load(&r.calls) >= r.at;
    r.at                  = 0;
    assert_true(first == MN_OK || first == MN_ERR_MEMORY);
    if (first != MN_OK) {
        assert_true(mn_world_hash(w) == start);
        steps_of(w, 1, DT);
    }
    assert_true(mn_world_hash(w) == expected);
    mn_world_destroy(&w);
    mn_context_destroy(&c);
    assert_int_equal(atomic_load(&r.held), 0);
    return met;
}

static void memory_that_is_refused_is_no_leak(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_world   *w = drape_world(c);
    steps_of(w, 1, DT);
    const uint64_t expected = mn_world_hash(w);
    mn_world_destroy(&w);
    test_context_end(&c);
    long long k = 1;
    while (refuse(k, expected)) k++;
    assert_true(k > 50);
    print_message("%lld refusals\n", k - 1);
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
