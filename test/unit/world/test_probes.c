// SPDX-License-Identifier: MPL-2.0
// Probes against worlds whose numbers are known.
#include "worlds.h"

typedef struct tank {
    int         dimension;
    mn_boundary side;
    mn_sampling sampling;
    double      level;
} tank;

/// A box of 8 cm filled to a level, cells of 0.5 cm, with one height probe at (x, 1, z).
static double height_in(mn_context *c, const tank *t, double x, double z)
{
    mn_world_def def       = mn_world_def_default();
    def.domain.dimension   = t->dimension;
    def.domain.bounded     = true;
    def.domain.boundary[0] = def.domain.boundary[2] = t->side;
    for (int a = 0; a < 3; a++) def.domain.bounds[1][a] = 8.0;
    mn_world *w = NULL;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_liquid_def pool = mn_liquid_def_default();
    pool.below         = t->level;
    pool.sampling      = t->sampling;
    assert_int_equal(mn_world_add_liquid(w, &pool), MN_OK);
    mn_probe_def probe = mn_probe_def_default();
    probe.kind         = MN_PROBE_HEIGHT;
    probe.point[0] = x, probe.point[1] = 1.0, probe.point[2] = z;
    assert_int_equal(mn_world_add_probe(w, &probe), MN_OK);
    const double height = mn_world_probe_value(w, 0);
    mn_world_destroy(&w);
    return height;
}

static void the_height_is_the_same_in_the_middle_and_at_a_wall(void **state)
{
    (void)state;
    mn_context  *c       = test_context(1);
    const double place[] = { 4.0, 0.0, 8.0, 0.2, 7.7 };
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int side = 0; side < 3; side++)
            for (int k = 0; k < 5; k++) {
                const tank   still = { dimension, (mn_boundary)side, MN_SAMPLING_LATTICE, 4.0 };
                const double z     = dimension == 3 ? place[k < 3 ? 2 - k : 7 - k] : 0.0;
                // Two particles to a cell sample the kernel to 0.01 of a cell (liquid 5.2) where the column holds whole
                // numbers of them; a tenth of a cell elsewhere.
                assert_near(height_in(c, &still, place[k], z), 3.0, k < 3 ? 0.005 : 0.05);
                const tank shaken = { dimension, (mn_boundary)side, MN_SAMPLING_JITTER, 4.0 };
                assert_near(height_in(c, &shaken, place[k], z), 3.0, 0.1);
            }
    test_context_end(&c);
}

static void a_dry_column_has_no_height(void **state)
{
    (void)state;
    mn_context *c   = test_context(1);
    const tank  dry = { 3, MN_BOUNDARY_WALL, MN_SAMPLING_LATTICE, 0.0 };
    assert_near(height_in(c, &dry, 4.0, 4.0), 0.0, 0.0);
    test_context_end(&c);
}

static mn_world *weightless(mn_context *c, int dimension, mn_boundary side)
{
    mn_world_def def       = mn_world_def_default();
    def.domain.dimension   = dimension;
    def.domain.cell        = 0.5;
    def.domain.bounded     = true;
    def.domain.boundary[0] = side;
    for (int a = 0; a < 3; a++) def.domain.bounds[1][a] = 4.0, def.domain.gravity[a] = 0.0;
    mn_world *w = NULL;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    return w;
}

static void add_flux(mn_world *w, double x, double normal)
{
    mn_probe_def probe = mn_probe_def_default();
    probe.kind         = MN_PROBE_FLUX;
    probe.point[0]     = x;
    probe.normal[0]    = normal;
    assert_int_equal(mn_world_add_probe(w, &probe), MN_OK);
}

static void go_to(mn_world *w, double time)
{
    while (mn_world_time(w) < time) assert_int_equal(mn_world_step(w, time), MN_OK);
}

/// Liquid that goes round passes every plane, also the seam, at the same rate, though the volume beyond never changes.
static void flux_counts_what_goes_round_a_periodic_axis(void **state)
{
    (void)state;
    mn_context  *c       = test_context(1);
    const double place[] = { 2.0, 0.0, 4.0, 3.9 };
    for (int dimension = 2; dimension <= 3; dimension++) {
        mn_world     *w    = weightless(c, dimension, MN_BOUNDARY_PERIODIC);
        mn_liquid_def ring = mn_liquid_def_default();
        ring.velocity[0]   = 40.0;
        assert_int_equal(mn_world_add_liquid(w, &ring), MN_OK);
        for (int k = 0; k < 4; k++) add_flux(w, place[k], 1.0), add_flux(w, place[k], -1.0);
        go_to(w, 0.25);  // two and a half times round
        const double area = dimension == 3 ? 16.0 : 4.0;
        for (int k = 0; k < 4; k++) {
            assert_near(mn_world_probe_value(w, 2 * k) / (40.0 * area), 1.0, 0.02);
            assert_near(mn_world_probe_value(w, 2 * k) + mn_world_probe_value(w, 2 * k + 1), 0.0, 1e-6);
        }
        mn_world_end_frame(w);
        go_to(w, 0.35);  // once more: a frame of its own
        for (int k = 0; k < 4; k++) assert_near(mn_world_probe_value(w, 2 * k) / (40.0 * area), 1.0, 0.02);
        mn_world_destroy(&w);
    }
    test_context_end(&c);
}

/// A jet from a source to an open side: nothing passes behind the source, all of it in front, also when as much leaves.
static void flux_is_not_what_is_added_or_removed_beyond(void **state)
{
    (void)state;
    mn_context   *c   = test_context(1);
    mn_world     *w   = weightless(c, 2, MN_BOUNDARY_OPEN);
    mn_liquid_def tap = mn_liquid_def_default();
    tap.role          = MN_LIQUID_SOURCE;
    tap.shape         = test_shape(c, MN_SHAPE_BOX, 1.0, 2.0, 0.0, 1.0);
    tap.velocity[0]   = 40.0;
    assert_int_equal(mn_world_add_liquid(w, &tap), MN_OK);
    mn_shape_release(&tap.shape);
    add_flux(w, 0.3, 1.0);
    add_flux(w, 3.0, 1.0);
    go_to(w, 0.15);  // it has reached the open side
    mn_world_end_frame(w);
    const double let_in = mn_world_ledger(w).liquid_added;
    go_to(w, 0.3);
    const double rate = (mn_world_ledger(w).liquid_added - let_in) / 0.15;
    assert_true(mn_world_ledger(w).liquid_removed > 0.0 && rate > 20.0);
    assert_near(mn_world_probe_value(w, 0), 0.0, 0.0);
    assert_near(mn_world_probe_value(w, 1) / rate, 1.0, 0.03);
    mn_world_destroy(&w);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_height_is_the_same_in_the_middle_and_at_a_wall),
        cmocka_unit_test(a_dry_column_has_no_height),
        cmocka_unit_test(flux_counts_what_goes_round_a_periodic_axis),
        cmocka_unit_test(flux_is_not_what_is_added_or_removed_beyond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
