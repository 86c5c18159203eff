// SPDX-License-Identifier: MPL-2.0
// Coarse levels as graphs: more colours than there are, and who has a parent.
#include "testing.h"

#include "base/random.h"
#include "solve/mg_graph.h"
#include "solve/mg_level.h"

#include <string.h>

enum { HUBS = MN_MG_COLOURS - 1, ROWS = HUBS + 4000 };

/// Hubs coupled to all, and the rest also in a chain: hubs use up the colours but one, and so the chain has to share
/// that.
static bool is_coupled(int32_t i, int32_t j) { return i != j && (i < HUBS || j < HUBS || i - j == 1 || j - i == 1); }

static void make_hubs(mn_mg_graph *g, mn_pool *pool, mn_arena *arena)
{
    *g = (mn_mg_graph){ .count = ROWS };
    assert_int_equal(mn_mg_graph_rows(g, arena), MN_OK);
    for (int32_t i = 0; i < ROWS; i++) {
        g->e[i] = 0.01f;
        for (int32_t j = 0; j < ROWS; j++) g->begin[i + 1] += is_coupled(i, j);
    }
    assert_int_equal(mn_mg_graph_links(g, arena), MN_OK);
    for (int32_t i = 0; i < ROWS; i++) {
        int32_t at = g->begin[i];
        for (int32_t j = 0; j < ROWS; j++) {
            if (!is_coupled(i, j)) continue;
            g->to[at]     = j;
            g->axis[at]   = 0;
            g->weight[at] = i < HUBS || j < HUBS ? 0.01f : 1.0f;
            at++;
        }
    }
    mn_mg_sums *sums = mn_arena_array_zero(arena, mn_mg_sums, ROWS);
    assert_non_null(sums);
    assert_int_equal(mn_mg_graph_finish(g, sums, pool, arena), MN_OK);
}

static float entry(int32_t i, int lane) { return (float)(mn_random(5, (uint64_t)i, 0, (uint64_t)lane) - 0.5); }

/// x = V(b) of the graph as the only level, for a right-hand side of random numbers.
static void cycle_hubs(int threads, int lane, float x[ROWS])
{
    static mn_mg_graphs graphs;
    mn_context         *c     = test_context(threads);
    mn_arena           *arena = NULL;
    mn_mg_graph        *g     = &graphs.level[0];
    assert_int_equal(mn_arena_create(c, &arena), MN_OK);
    graphs.levels = 1;
    make_hubs(g, mn_context_pool(c), arena);
    assert_int_equal(g->colours, MN_MG_COLOURS);
    assert_int_equal(g->colour_begin[MN_MG_COLOURS] - g->colour_begin[MN_MG_COLOURS - 1], ROWS - HUBS);
    for (int32_t i = 0; i < ROWS; i++) g->b[i] = entry(i, lane);
    mn_mg_graph_cycle(&graphs, mn_context_pool(c), 2);
    memcpy(x, g->x, ROWS * sizeof *x);
    mn_arena_destroy(&arena);
    test_context_end(&c);
}

static void too_many_colours_have_the_same_bits_for_any_threads(void **state)
{
    (void)state;
    static float one[ROWS], more[ROWS];
    cycle_hubs(1, 0, one);
    for (int threads = 2; threads <= 4; threads++) {
        cycle_hubs(threads, 0, more);
        assert_memory_equal(more, one, sizeof one);
    }
}

/// Of single precision, and sums of some thousand terms.
static void too_many_colours_leave_the_cycle_symmetric(void **state)
{
    (void)state;
    static float x[ROWS], y[ROWS];
    double       xy = 0.0, yx = 0.0, size = 0.0;
    cycle_hubs(2, 0, x);
    cycle_hubs(2, 1, y);
    for (int32_t i = 0; i < ROWS; i++) {
        xy += (double)x[i] * entry(i, 1);
        yx += (double)y[i] * entry(i, 0);
        size += fabs((double)x[i] * entry(i, 1));
    }
    assert_less(fabs(xy - yx), 1e-5 * size);
}

/// A cell whose only neighbour is held by known values alone: that one needs no parent, but the cell does.
static void a_cell_beside_a_dropped_one_has_a_parent(void **state)
{
    (void)state;
    mn_context   *c          = test_context(1);
    mn_arena     *arena      = NULL;
    int32_t       near[2][6] = { { 0 } };
    mn_tile_coord coord[2]   = { { 0 } };
    float         c_x[128] = { 0.0f }, c_y[128] = { 0.0f }, e[128] = { 0.0f };
    mn_mg_natural natural = { .c = { c_x, c_y, NULL }, .e = e };
    mn_mg_level   l       = { .count = 2, .nz = 1, .cells = 64, .half = 32, .coord = coord, .near = near };
    mn_mg_graphs  graphs  = { 0 };
    c_x[64 + 1]           = 1.0f;  // between cells 0 and 1
    e[64]                 = 0.5f;
    e[64 + 1]             = 100.0f;
    assert_int_equal(mn_arena_create(c, &arena), MN_OK);
    assert_int_equal(mn_mg_first_graph(&graphs, mn_context_pool(c), &l, &natural, arena), MN_OK);
    assert_int_equal(graphs.level[0].count, 1);
    assert_int_equal(graphs.parent[64], 0);
    assert_int_equal(graphs.parent[64 + 32], 1);  // none: the first cell of the other colour
    assert_true(graphs.level[0].e[0] == 1.5f);    // the dropped one counts as known
    mn_arena_destroy(&arena);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_many_colours_have_the_same_bits_for_any_threads),
        cmocka_unit_test(too_many_colours_leave_the_cycle_symmetric),
        cmocka_unit_test(a_cell_beside_a_dropped_one_has_a_parent),
    };
    return cmocka_run_group_tests_name("mg_graph", tests, NULL, NULL);
}
