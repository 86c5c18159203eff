// SPDX-License-Identifier: MPL-2.0
// Liquid and fabric in one tank: rest, buoyancy, sinking (fab.C13, C23, C24).
#include "mixture_worlds.h"

#define G 981.0

static double largest_speed(mn_world *w)
{
    return mn_liquid_sum(&w->liquid).max_speed;
}

static double mean_height(const mn_fabric *q)
{
    double sum = 0.0;
    for (int64_t v = 0; v < q->vertices.count; v++) sum += q->vertices.position[1][v];
    return sum / (double)q->vertices.count;
}

static double mean_velocity(const mn_fabric *q)
{
    double sum = 0.0;
    for (int64_t v = 0; v < q->vertices.count; v++) sum += q->vertices.velocity[1][v];
    return sum / (double)q->vertices.count;
}

/// fab.C13: a fixed, submerged, saturated sheet leaves the tank at rest.
static void tank_with_a_fixed_sheet_stays_at_rest(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    for (int k = 0; k < 2; k++) {
        tank t = tank_default();
        sheet s = sheet_default();
        s.pinned = true;
        mn_world *w = tank_world(c, &t);
        if (k == 1) add_sheet(c, w, &s);
        for (int i = 0; i < 10; i++) {
            steps_of(w, 10, t.dt);
            print_message("%d sheets, %g s: largest speed %.3g of sqrt(g dx), divergence %.2g, sheet %.4g\n", k, mn_world_time(w), largest_speed(w) / sqrt(G * t.cell), w->now.frame_divergence, k ? mean_velocity(&w->fabric) : 0.0);
        }
        assert_less(largest_speed(w), 1e-3 * sqrt(G * t.cell));
        mn_world_destroy(&w);
    }
    test_context_end(&c);
}

static double velocity_after(mn_context *c, double density, bool buoyancy, double time)
{
    tank  t = tank_default();
    sheet s = sheet_default();
    s.material.density = density;
    mn_world *w = tank_world(c, &t);
    w->liquid.model.solver.buoyancy = w->fabric.model.solver.buoyancy = buoyancy;
    add_sheet(c, w, &s);
    const double start = mean_height(&w->fabric);
    for (int k = 0; k < 5; k++) {
        steps_of(w, (int)lround(time / t.dt / 5), t.dt);
        print_message("density %g: t %g, velocity %g, moved %g, liquid %g, div %g, it %lld %lld\n", density, mn_world_time(w), mean_velocity(&w->fabric), mean_height(&w->fabric) - start, largest_speed(w), w->now.frame_divergence,
            (long long)w->now.frame_pressure_iterations, (long long)w->now.frame_solid_iterations);
    }
    const double v = mean_velocity(&w->fabric);
    mn_world_destroy(&w);
    return v;
}

static void light_fabric_rises_and_heavy_sinks(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    velocity_after(c, 0.25, true, 0.2);
    velocity_after(c, 1.0, true, 0.2);
    velocity_after(c, 4.0, true, 0.2);
    velocity_after(c, 0.25, false, 0.05);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tank_with_a_fixed_sheet_stays_at_rest),
        cmocka_unit_test(light_fabric_rises_and_heavy_sinks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
