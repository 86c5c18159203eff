// SPDX-License-Identifier: MPL-2.0
// How far a splash on free fabric keeps its momentum when the grid is refined (fab.C27).
#include "mixture_worlds.h"

/// A drop of 1 cm comes down on a free, tilted, soaked sheet. Steps are as long as the cells, half a cell for half the
/// cells.
static mn_world *drop_on_sheet(mn_context *c, double cell)
{
    mn_world_def  def     = mn_world_def_default();
    mn_shape_def  ball    = mn_shape_def_default(MN_SHAPE_SPHERE);
    mn_liquid_def drop    = mn_liquid_def_default();
    sheet         s       = sheet_default();
    mn_world     *w       = NULL;
    def.domain.cell       = cell;
    def.domain.gravity[1] = 0.0;
    def.time.dt_max       = 5e-3 * cell;
    def.solver.mixture    = MN_MIXTURE_COUPLED;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    ball.radius[0]   = 0.5;
    drop.at[1]       = 0.9;
    drop.velocity[1] = -60.0;
    assert_int_equal(mn_shape_create(c, &ball, &drop.shape), MN_OK);
    if (mn_world_add_liquid(w, &drop) != MN_OK) fail_msg("%s", mn_context_error(c));
    mn_shape_release(&drop.shape);
    s.at[0] = s.at[1] = s.at[2] = 0.0;
    s.spacing                   = 0.5 * cell;
    s.angle                     = 0.2;
    add_sheet(c, w, &s);
    return w;
}

static mn_vec3 momentum_of(mn_world *w)
{
    return mn_add3(mn_scale3(w->liquid.model.material.density, mn_liquid_sum(&w->liquid).momentum),
                   mn_fabric_sum(&w->fabric).momentum);
}

/// Drift of the momentum of both in the impact, over what the sheet has got by then.
static double drift_in_impact(double cell)
{
    mn_context   *c     = test_context(2);
    mn_world     *w     = drop_on_sheet(c, cell);
    const mn_vec3 first = momentum_of(w), fabric = mn_fabric_sum(&w->fabric).momentum;
    double        worst = 0.0;
    for (int k = 1; k <= 10; k++) {
        while (mn_world_time(w) < 1e-3 * k - 1e-12) assert_int_equal(mn_world_step(w, 1e-3 * k), MN_OK);
        worst = fmax(worst, mn_norm3(mn_sub3(momentum_of(w), first)));
    }
    const double exchanged = mn_norm3(mn_sub3(mn_fabric_sum(&w->fabric).momentum, fabric));
    assert_true(exchanged > 1.0);
    mn_world_destroy(&w);
    test_context_end(&c);
    return worst / exchanged;
}

/// The grid weighs liquid at its surface by theta, the particles by their volume: an error of the surface cells, which
/// the drag and the pressure of a face make with opposite signs. It falls with the square of the cells: at 20 of them
/// 0.016.
static void drift_falls_with_the_square_of_the_cells(void **state)
{
    (void)state;
    const double coarse = drift_in_impact(0.2), fine = drift_in_impact(0.1);
    print_message("    drift in the impact: %.3f of what is exchanged at 5 cells, %.3f at 10: order %.2f\n", coarse,
                  fine, log2(coarse / fine));
    assert_less(fine, 0.08);
    assert_true(log2(coarse / fine) > 1.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(drift_falls_with_the_square_of_the_cells) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
