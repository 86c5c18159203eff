// SPDX-License-Identifier: MPL-2.0
// Liquid and fabric in one tank: rest, buoyancy, sinking (fab.C13, C23, C24).
#include "mixture_worlds.h"

#include "fabric/pins.h"

#define G 981.0

static double largest_speed(mn_world *w) { return mn_liquid_sum(&w->liquid).max_speed; }

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

/// Largest error of the pressure in liquid cells over the pressure at the floor, one step on.
static double pressure_error(mn_world *w, const tank *t)
{
    mn_mixture        m;
    mn_mixture_report report;
    stages_to_faces(w, t->dt, &m);
    if (m.meets) {
        assert_int_equal(mn_mixture_solve(&m, &(mn_step){ .arena = w->arena, .solids = w->solids }, &report), MN_OK);
    } else {
        mn_solve_report plain;
        double          divergence;
        assert_int_equal(mn_liquid_project(&w->liquid, &(mn_step){ .arena = w->arena, .dt = t->dt }, &plain,
                                           &divergence),
                         MN_OK);
    }
    const mn_liquid_scratch *s     = &w->liquid.grid;
    double                   worst = 0.0;
    for (int64_t i = s->tiles.cells; i < (int64_t)s->tiles.count * s->tiles.cells; i++) {
        if (!s->wet[i]) continue;
        const double y = (cell_in_domain(w, i, 1) + 0.5) * t->cell;
        const double p = s->pressure[i] * t->cell / t->dt;
        worst          = fmax(worst, fabs(p - G * (t->fill - y)));
    }
    mn_fabric_roll_back(&w->fabric);
    return worst / (G * t->fill);
}

/// fab.C13: a fixed, submerged, saturated sheet leaves the tank at rest. The lattice of particles is not quite even at
/// walls and moves by itself; the sheet must not add to that.
static void tank_with_a_fixed_sheet_stays_at_rest(void **state)
{
    (void)state;
    mn_context *c        = test_context(2);
    double      speed[3] = { 0.0 }, pressure[3];
    for (int k = 0; k < 3; k++) {
        tank  t     = tank_default();
        sheet s     = sheet_default();
        s.pinned    = true;
        s.angle     = 0.3;
        t.way       = k == 2 ? MN_MIXTURE_COUPLED : MN_MIXTURE_SPLIT;
        mn_world *w = tank_world(c, &t);
        if (k > 0) add_sheet(c, w, &s);
        for (int i = 0; i < 100; i++) {
            steps_of(w, 1, t.dt);
            speed[k] = fmax(speed[k], largest_speed(w) / sqrt(G * t.cell));
        }
        if (k == 0) {  // a sheet far above, so that the stages have one
            s.at[1]    = 20.0;
            w->started = false;
            add_sheet(c, w, &s);
        }
        pressure[k] = pressure_error(w, &t);
        mn_world_destroy(&w);
    }
    for (int k = 0; k < 3; k++) {
        print_message("%s: largest speed %.2e sqrt(g dx), pressure error over depth %.2e\n",
                      k == 0   ? "no sheet"
                      : k == 1 ? "split"
                               : "coupled",
                      speed[k], pressure[k]);
        assert_less(speed[k], speed[0] + 1e-3);
        assert_less(pressure[k], 0.01);
    }
    test_context_end(&c);
}

static double velocity_after(mn_context *c, double density, bool buoyancy, double time, double *moved)
{
    tank  t                         = tank_default();
    sheet s                         = sheet_default();
    s.material.density              = density;
    t.tolerance                     = 1e-3;
    mn_world *w                     = tank_world(c, &t);
    w->liquid.model.solver.buoyancy = w->fabric.model.solver.buoyancy = buoyancy;
    add_sheet(c, w, &s);
    const double start = mean_height(&w->fabric);
    steps_of(w, (int)lround(time / t.dt), t.dt);
    const double v = mean_velocity(&w->fabric);
    *moved         = mean_height(&w->fabric) - start;
    print_message("density %g, buoyancy %d: %.3g cm/s after %g s, moved %.3g cm\n", density, buoyancy, v, time, *moved);
    mn_world_destroy(&w);
    return v;
}

/// fab.C24.
static void light_fabric_rises_and_heavy_sinks(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    double      moved;
    assert_true(velocity_after(c, 0.25, true, 0.1, &moved) > 0.1);
    assert_true(velocity_after(c, 4.0, true, 0.1, &moved) < -0.1);
    velocity_after(c, 1.0, true, 0.2, &moved);
    assert_less(fabs(moved), 0.01);  // 0.1 cm in a second are allowed
    for (int k = 0; k < 3; k++)
        assert_true(velocity_after(c, k == 0 ? 0.25 : k == 1 ? 1.0 : 4.0, false, 0.02, &moved) < -0.1);
    test_context_end(&c);
}

/// The density correction knows of the room that fabric takes: a tank full of sheets is no hole, and stays still.
static void submerged_sheets_are_no_hole(void **state)
{
    (void)state;
    mn_context *c  = test_context(2);
    tank        t  = tank_default();
    sheet       s  = sheet_default();
    t.density_rate = 0.2, t.sampling = MN_SAMPLING_JITTER, t.tolerance = 1e-3;
    s.pinned = true, s.spacing = 0.2;
    mn_world *w = tank_world(c, &t);
    for (int k = 0; k < 5; k++) {
        s.at[1] = 0.8 + 0.1 * k;
        add_sheet(c, w, &s);
    }
    steps_of(w, 150, t.dt);
    const double             speed = largest_speed(w);
    const mn_liquid_scratch *g     = &w->liquid.grid;
    int                      holes = 0;
    double                   taken = 0.0;
    mn_mixture               m;
    stages_to_faces(w, t.dt, &m);
    for (int64_t i = g->tiles.cells; i < (int64_t)g->tiles.count * g->tiles.cells; i++) {
        const int32_t tile = (int32_t)(i / g->tiles.cells), k = (int32_t)(i % g->tiles.cells),
                      y = cell_in_domain(w, i, 1);
        double        room[MN_TILE * MN_TILE * MN_TILE];
        const double *share = mn_liquid_room_taken(&w->liquid, tile, room);
        if (share != NULL) taken = fmax(taken, share[k]);
        if (y >= 0 && y < 9 && g->solid.volume_open[i] > 0.0f && !g->wet[i]) holes++;
    }
    mn_fabric_roll_back(&w->fabric);
    print_message("sheets take up to %.2f of a cell; %d cells below the surface are not liquid; largest speed %.3g "
                  "cm/s\n",
                  taken, holes, speed);
    assert_true(taken > 0.25);
    assert_int_equal(holes, 0);
    assert_less(speed, 0.05 * sqrt(G * t.fill));
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// fab.C24: what holds a submerged sheet carries its weight less that of the liquid its fibres displace.
static void submerged_sheet_weighs_what_it_does_not_displace(void **state)
{
    (void)state;
    mn_context *c      = test_context(2);
    tank        t      = tank_default();
    sheet       s      = sheet_default();
    s.pinned           = true;
    s.material.density = 4.0;
    mn_world *w        = tank_world(c, &t);
    add_sheet(c, w, &s);
    steps_of(w, 100, t.dt);
    const mn_fabric *q     = &w->fabric;
    double           fibre = 0.0;
    for (int64_t v = 0; v < q->vertices.count; v++) {
        fibre += q->fiber[v];
    }
    const double held = -mn_fabric_pin_force(q, &q->pieces[0], 0, mn_world_time(w)).y;
    print_message("pins carry %.5g of V (rho_s - rho_f) g\n", held / (fibre * 3.0 * G));
    assert_near(held / (fibre * 3.0 * G), 1.0, 0.02);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// Mean vertical velocity of the sheet in the middle of a channel four cells wide.
static double sinking(const mn_world *w)
{
    double sum   = 0.0;
    int    count = 0;
    for (int64_t v = 0; v < w->fabric.vertices.count; v++) {
        const double x = w->fabric.vertices.position[0][v] / w->grid.cell - 2.0,
                     z = w->fabric.vertices.position[2][v] / w->grid.cell - 2.0;
        if (fabs(x) < 1.0 && fabs(z) < 1.0) sum += w->fabric.vertices.velocity[1][v], count++;
    }
    return sum / count;
}

/// A step of a sheet that fills a channel beyond its walls: no touches, and what of it lies in the walls goes along.
static void step_in_channel(mn_world *w, double dt)
{
    mn_mixture        m;
    mn_mixture_report report;
    int64_t           crushed;
    const double      along = sinking(w);
    stages_to_faces(w, dt, &m);
    assert_true(m.meets);
    mn_fabric_scratch *s = &w->fabric.step;
    for (int32_t i = s->faces.axis_start[1]; i < s->faces.axis_start[2]; i++)
        if (m.place[i] == 0 || w->liquid.grid.solid.open[1][m.place[i]] == 0.0f) s->momentum[i] = s->mass[i] * along;
    assert_int_equal(mn_mixture_solve(&m, &(mn_step){ .arena = w->arena }, &report), MN_OK);
    assert_int_equal(mn_liquid_scatter(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = dt }),
                     MN_OK);
    assert_int_equal(mn_fabric_scatter(&w->fabric, &(mn_step){ .arena = w->arena }), MN_OK);
    assert_int_equal(mn_liquid_move(&w->liquid, &(mn_step){ .solids = w->solids, .dt = dt }), MN_OK);
    assert_int_equal(mn_fabric_move(&w->fabric, &(mn_step){ .dt = dt }, &crushed), MN_OK);
    mn_fabric_turn_yarn(&w->fabric, &(mn_step){ .dt = dt });
}

/// fab.C23: sinking through liquid that has to pass, at the speed where drag carries the weight, C(u) u = phi (rho_s -
/// rho_f) g.
static void sheet_sinks_through_a_closed_column_at_its_terminal_speed(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    for (int k = 0; k < 3; k++) {
        tank  t = tank_default();
        sheet s = sheet_default();
        t.cell = k == 1 ? 0.3 : 0.2, t.fill = INFINITY;
        t.way     = k == 2 ? MN_MIXTURE_COUPLED : MN_MIXTURE_SPLIT;
        t.size[0] = t.size[2] = 4.0 * t.cell, t.size[1] = 12.0 * t.cell;
        s.size[0] = s.size[1] = 10.0 * t.cell, s.spacing = 0.5 * t.cell;
        s.at[0] = s.at[2] = 2.0 * t.cell, s.at[1] = 6.1 * t.cell;
        s.material.density = 4.0;
        mn_world *w        = tank_world(c, &t);
        add_sheet(c, w, &s);
        double low = INFINITY, high = 0.0;
        for (int i = 0; i < 60; i++) {
            step_in_channel(w, t.dt);
            const double u = -sinking(w);
            if (i >= 30) low = fmin(low, u), high = fmax(high, u);
        }
        print_message("cell %g, %s: sinks at %.4f to %.4f cm/s\n", t.cell, k == 2 ? "coupled" : "split", low, high);
        assert_near(0.5 * (low + high), 0.2243, 0.02 * 0.2243);
        mn_world_destroy(&w);
    }
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tank_with_a_fixed_sheet_stays_at_rest),
        cmocka_unit_test(submerged_sheets_are_no_hole),
        cmocka_unit_test(light_fabric_rises_and_heavy_sinks),
        cmocka_unit_test(submerged_sheet_weighs_what_it_does_not_displace),
        cmocka_unit_test(sheet_sinks_through_a_closed_column_at_its_terminal_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
