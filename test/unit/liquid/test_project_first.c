// SPDX-License-Identifier: MPL-2.0
// The projection before the viscosity: viscous liquid at rest stays at rest and weighs what it weighs, free fall stays
// free.
#include "../world/worlds.h"

#include "liquid/project.h"

#include <string.h>

#define CELL    0.25
#define DENSITY 1.42
#define DEPTH   5.0
#define SIDE    2.0  // of the block in the tank, which stands 1 cm above the floor

static mn_world *tank(mn_context *c, int dimension, double viscosity, mn_wall wall)
{
    mn_world_def def     = mn_world_def_default();
    def.domain.dimension = dimension;
    def.domain.cell      = CELL;
    def.domain.wall      = wall;
    def.domain.bounded   = true;
    for (int a = 0; a < 3; a++) def.domain.bounds[1][a] = 6.0;
    mn_world *w = NULL;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_obstacle_def block = mn_obstacle_def_default();
    snprintf(block.name, sizeof block.name, "block");
    block.wall  = wall;
    block.shape = test_shape(c, MN_SHAPE_BOX, 3.0, 2.0, dimension == 3 ? 3.0 : 0.0, SIDE);
    assert_int_equal(mn_world_add_obstacle(w, &block), MN_OK);
    mn_shape_release(&block.shape);
    mn_liquid_def pool      = mn_liquid_def_default();
    pool.below              = DEPTH;
    pool.sampling           = MN_SAMPLING_LATTICE;
    pool.material.density   = DENSITY;
    pool.material.viscosity = viscosity;
    assert_int_equal(mn_world_add_liquid(w, &pool), MN_OK);
    mn_probe_def lift = mn_probe_def_default();
    snprintf(lift.name, sizeof lift.name, "lift");
    snprintf(lift.of, sizeof lift.of, "block");
    lift.kind      = MN_PROBE_FORCE;
    lift.normal[0] = 0.0, lift.normal[1] = 1.0;
    assert_int_equal(mn_world_add_probe(w, &lift), MN_OK);
    return w;
}

static void run(mn_world *w, double until)
{
    while (mn_world_time(w) < until) assert_int_equal(mn_world_step(w, until), MN_OK);
}

/// Before the pressure acted first it turned at 2 to 3 cm/s.
static void liquid_at_rest_stays_at_rest_and_weighs_what_it_weighs(void **state)
{
    (void)state;
    static const double viscosities[] = { 0.81, 80.0 };  // oil, honey
    for (int k = 0; k < 5; k++) {
        const int   dimension = k < 4 ? 2 : 3;
        mn_context *c         = test_context(2);
        mn_world   *w         = tank(c, dimension, viscosities[k < 4 ? k % 2 : 1],
                           k < 2 || k == 4 ? MN_WALL_NO_SLIP : MN_WALL_SLIP);
        run(w, 0.2);
        assert_less(mn_liquid_sum(&w->liquid).max_speed, 0.05);
        const double x = 1.0, y = 0.5 * CELL, z = dimension == 3 ? 3.0 : 0.0,
                     volume          = SIDE * SIDE * (dimension == 3 ? SIDE : w->grid.depth);
        const double *const place[3] = { &x, &y, &z };
        double              p;
        mn_world_pressure(w, place, 1, 1, &p);
        assert_near(p / (DENSITY * 981.0 * (DEPTH - y)), 1.0, 0.01);
        assert_near(mn_world_probe_value(w, 0) / (DENSITY * 981.0 * volume), 1.0, 0.01);
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

static mn_world *blob(mn_context *c, int dimension, double spin)
{
    mn_world_def def         = mn_world_def_default();
    def.domain.dimension     = dimension;
    def.domain.cell          = CELL;
    def.time.dt_max          = 0.002;
    def.solver.extrapolation = MN_EXTRAPOLATION_LINEAR;
    mn_world *w              = NULL;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_liquid_def ball      = mn_liquid_def_default();
    ball.shape              = test_shape(c, MN_SHAPE_SPHERE, 0.03, 0.05, 0.0, 2.0);
    ball.material.viscosity = 80.0;
    ball.spin[2]            = spin;
    assert_int_equal(mn_world_add_liquid(w, &ball), MN_OK);
    mn_shape_release(&ball.shape);
    return w;
}

static void free_fall_stays_free(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        mn_context *c = test_context(2);
        mn_world   *w = blob(c, dimension, 0.0);
        run(w, 0.05);
        assert_true(w->liquid.grid.first_pressure != NULL);
        const mn_liquid_view v = mn_world_liquid(w);
        for (int64_t i = 0; i < v.count; i++) {
            assert_near(v.velocity.y[i], -981.0 * 0.05, 1e-9);
            assert_near(v.velocity.x[i], 0.0, 1e-9);
        }
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

/// About the middle of all volume, per volume.
static double spin_of(const mn_liquid_view *v)
{
    double sum[5] = { 0.0 }, spin = 0.0;
    for (int64_t i = 0; i < v->count; i++) {
        const double values[5] = { 1.0, v->position.x[i], v->position.y[i], v->velocity.x[i], v->velocity.y[i] };
        for (int k = 0; k < 5; k++) sum[k] += v->volume[i] * values[k];
    }
    for (int64_t i = 0; i < v->count; i++)
        spin += v->volume[i] * ((v->position.x[i] - sum[1] / sum[0]) * (v->velocity.y[i] - sum[4] / sum[0]) -
                                (v->position.y[i] - sum[2] / sum[0]) * (v->velocity.x[i] - sum[3] / sum[0]));
    return spin / sum[0];
}

/// Faces that hold liquid beside no liquid cell must keep what the particles brought.
static void a_spinning_ball_keeps_its_spin(void **state)
{
    (void)state;
    mn_context    *c    = test_context(2);
    mn_world      *w    = blob(c, 2, 10.0);
    mn_liquid_view v    = mn_world_liquid(w);
    const double   spin = spin_of(&v);
    run(w, 0.06);  // a tenth of a turn
    v = mn_world_liquid(w);
    assert_near(spin_of(&v) / spin, 1.0, 0.003);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void only_where_viscosity_does_much(void **state)
{
    (void)state;
    static const struct {
        double  viscosity;
        mn_wall wall;
        bool    first;
    } cases[] = {
        { 80.0, MN_WALL_SLIP, true },     { 0.0089, MN_WALL_SLIP, false }, { 0.0089, MN_WALL_NO_SLIP, true },
        { 1e-4, MN_WALL_NO_SLIP, false }, { 0.0, MN_WALL_NO_SLIP, false },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        mn_context *c = test_context(1);
        mn_world   *w = tank(c, 2, cases[k].viscosity, cases[k].wall);
        assert_int_equal(mn_world_step(w, 0.004), MN_OK);
        assert_int_equal(w->liquid.grid.first_pressure != NULL, cases[k].first);
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

static void bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int threads = 1; threads <= 2; threads++) {
        mn_context *c = test_context(threads);
        mn_world   *w = tank(c, 3, 80.0, MN_WALL_NO_SLIP);
        run(w, 0.01);
        hash[threads - 1] = mn_world_hash(w);
        mn_world_destroy(&w);
        test_context_end(&c);
    }
    assert_true(hash[0] == hash[1]);
}

static void a_solve_that_fails_takes_the_step_back(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_world   *w = tank(c, 2, 80.0, MN_WALL_NO_SLIP);
    run(w, 0.004);
    w->def.time.dt_min                         = 1e-3;
    w->liquid.model.solver.pressure_tolerance  = 1e-15;  // cannot be reached in one iteration
    w->liquid.model.solver.pressure_iterations = 1;
    assert_int_equal(mn_world_step(w, 0.008), MN_ERR_SOLVE);
    assert_non_null(strstr(mn_context_error(c), "the pressure solve before the viscosity"));
    assert_non_null(strstr(mn_context_error(c), "grid_forces"));
    assert_true(mn_world_time(w) == 0.004);
    mn_world_destroy(&w);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(liquid_at_rest_stays_at_rest_and_weighs_what_it_weighs),
        cmocka_unit_test(free_fall_stays_free),
        cmocka_unit_test(a_spinning_ball_keeps_its_spin),
        cmocka_unit_test(only_where_viscosity_does_much),
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(a_solve_that_fails_takes_the_step_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
