// SPDX-License-Identifier: MPL-2.0
// The stages of the liquid, each against what it must keep.
#include "../world/worlds.h"

#include "grid/transfer.h"
#include "liquid/project.h"

#include <string.h>

static mn_world *free_world(mn_context *c, int dimension, double gravity, double viscosity, mn_shape_kind kind,
                            double size, double spin)
{
    mn_world_def def         = mn_world_def_default();
    def.domain.dimension     = dimension;
    def.domain.cell          = 0.25;
    def.domain.gravity[1]    = gravity;
    def.time.dt_max          = 0.002;
    def.solver.extrapolation = MN_EXTRAPOLATION_LINEAR;
    mn_world *w              = NULL;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_liquid_def blob      = mn_liquid_def_default();
    blob.shape              = test_shape(c, kind, 0, 0, 0, size);
    blob.material.viscosity = viscosity;
    blob.sampling           = MN_SAMPLING_LATTICE;
    blob.spin[2]            = spin;
    assert_int_equal(mn_world_add_liquid(w, &blob), MN_OK);
    mn_shape_release(&blob.shape);
    return w;
}

static void run(mn_world *w, double until)
{
    while (mn_world_time(w) < until) assert_int_equal(mn_world_step(w, until), MN_OK);
}

static void a_lone_drop_of_spray_falls_freely(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    // Eight particles, one to a cell: far too little to be a liquid cell.
    mn_world *w = free_world(c, 3, -981.0, 0.0089, MN_SHAPE_BOX, 0.13, 0.0);
    assert_true(mn_world_liquid(w).count >= 1);
    const double y = mn_world_liquid(w).position.y[0];
    run(w, 0.1);
    assert_near(mn_world_liquid(w).velocity.y[0], -98.1, 1e-9);
    assert_near(mn_world_liquid(w).position.y[0] - y, -4.905, 98.1 * 0.5 * 0.002 + 1e-9);  // Euler: one half step late
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// Along a wall down to the floor: in the edge between the two the wall is as near as the floor, and must not hide it.
static void spray_comes_to_rest_where_a_wall_meets_the_floor(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++)
        for (int wall = MN_WALL_SLIP; wall <= MN_WALL_NO_SLIP; wall++) {
            mn_context   *c   = test_context(1);
            mn_world_def  def = mn_world_def_default();
            mn_liquid_def one = mn_liquid_def_default();
            mn_world     *w   = NULL;
            def.domain.cell = 0.25, def.domain.bounded = true, def.domain.wall = (mn_wall)wall;
            for (int a = 0; a < 3; a++) def.domain.bounds[0][a] = -1.0, def.domain.bounds[1][a] = 1.0;
            assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
            one.shape = test_shape(c, MN_SHAPE_BOX, 0.0625, 0.0625, 0.0625, 0.1), one.sampling = MN_SAMPLING_LATTICE;
            assert_int_equal(mn_world_add_liquid(w, &one), MN_OK);
            mn_shape_release(&one.shape);
            mn_liquid_particles *p = mn_liquid_now(&w->liquid);
            assert_int_equal(p->count, 1);
            p->position[0][0] = side ? 0.999 : -0.999;  // on the wall
            run(w, 0.2);                                // 0.045 s down to the floor
            p = mn_liquid_now(&w->liquid);
            assert_near(p->position[1][0], -0.995, 1e-6);
            assert_less(fabs(p->velocity[1][0]), 1e-9);
            mn_world_destroy(&w);
            test_context_end(&c);
        }
}

/// What lies on a plate that sinks goes down with it: it is not held up by where the plate was.
static void spray_goes_with_a_plate_that_sinks(void **state)
{
    (void)state;
    for (int wall = MN_WALL_SLIP; wall <= MN_WALL_NO_SLIP; wall++) {
        mn_context     *c     = test_context(1);
        mn_world_def    def   = mn_world_def_default();
        mn_liquid_def   one   = mn_liquid_def_default();
        mn_obstacle_def plate = mn_obstacle_def_default();
        mn_world       *w     = NULL;
        def.domain.cell       = 0.25;
        assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
        plate.shape              = test_shape(c, MN_SHAPE_BOX, 0.0, -1.0, 0.0, 2.0);
        plate.motion.velocity[1] = -50.0;
        plate.wall               = (mn_wall)wall;
        assert_int_equal(mn_world_add_obstacle(w, &plate), MN_OK);
        mn_shape_release(&plate.shape);
        one.shape = test_shape(c, MN_SHAPE_BOX, 0.0625, 0.0625, 0.0625, 0.1), one.sampling = MN_SAMPLING_LATTICE;
        one.velocity[1] = -50.0;
        assert_int_equal(mn_world_add_liquid(w, &one), MN_OK);
        mn_shape_release(&one.shape);
        mn_liquid_particles *p = mn_liquid_now(&w->liquid);
        assert_int_equal(p->count, 1);
        p->volume[0][0] *= 0.05;
        p->position[1][0] = 0.005;
        for (int k = 1; k <= 20; k++) {
            run(w, 0.005 * k);
            p = mn_liquid_now(&w->liquid);
            assert_near(p->velocity[1][0], -50.0, 1e-6);
            assert_near(p->position[1][0], 0.005 - 50.0 * mn_world_time(w), 1e-6);
        }
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

/// A duct of walls with slip, full: what flows along it flows on, also in its edges, whether sides of the domain or
/// obstacles make them.
static void a_plug_flow_in_a_square_duct_stays(void **state)
{
    (void)state;
    for (int obstacles = 0; obstacles < 2; obstacles++) {
        mn_context   *c   = test_context(2);
        mn_world_def  def = mn_world_def_default();
        mn_liquid_def all = mn_liquid_def_default();
        mn_world     *w   = NULL;
        def.domain.cell = 0.25, def.domain.bounded = true;
        def.domain.boundary[0]  = MN_BOUNDARY_PERIODIC;
        def.domain.bounds[1][0] = 2.0, def.domain.bounds[1][1] = 1.5, def.domain.bounds[1][2] = 1.5;
        for (int a = 0; a < 3; a++) def.domain.gravity[a] = 0.0;
        assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
        for (int k = 0; k < 2 * obstacles; k++) {
            mn_obstacle_def bar = mn_obstacle_def_default();
            mn_shape_def    box = mn_shape_def_default(MN_SHAPE_BOX);
            snprintf(bar.name, sizeof bar.name, "bar %d", k);
            box.center[1] = box.center[2] = 0.75, box.center[1 + k] = 0.1;
            box.size[0] = 10.0, box.size[1] = box.size[2] = 3.0, box.size[1 + k] = 0.5;
            assert_int_equal(mn_shape_create(c, &box, &bar.shape), MN_OK);
            assert_int_equal(mn_world_add_obstacle(w, &bar), MN_OK);
            mn_shape_release(&bar.shape);
        }
        all.velocity[0] = 100.0;
        assert_int_equal(mn_world_add_liquid(w, &all), MN_OK);
        for (int k = 0; k < 20; k++) assert_int_equal(mn_world_step(w, 1.0), MN_OK);
        const mn_liquid_view v = mn_world_liquid(w);
        for (int64_t i = 0; i < v.count; i++) assert_near(v.velocity.x[i], 100.0, 1e-6);
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

/// A hundred particles in the corner of a box, as spray leaves them there: a puddle after a while.
static void particles_in_one_place_are_taken_apart(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int threads = 1; threads <= 2; threads++) {
        mn_context   *c   = test_context(threads);
        mn_world_def  def = mn_world_def_default();
        mn_liquid_def all = mn_liquid_def_default();
        mn_world     *w   = NULL;
        def.domain.cell = 0.25, def.domain.bounded = true;
        for (int a = 0; a < 3; a++) def.domain.bounds[1][a] = 2.0;
        assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
        all.below = 0.5;
        assert_int_equal(mn_world_add_liquid(w, &all), MN_OK);
        mn_liquid_particles *p = mn_liquid_now(&w->liquid);
        for (int64_t i = 0; i < 100; i++)
            for (int a = 0; a < 3; a++) p->position[a][i] = 0.005;
        run(w, 0.5);
        p             = mn_liquid_now(&w->liquid);
        int in_corner = 0;
        for (int64_t i = 0; i < p->count; i++)
            in_corner += p->position[0][i] < 0.25 && p->position[1][i] < 0.25 && p->position[2][i] < 0.25;
        assert_less(in_corner, 17);
        hash[threads - 1] = mn_world_hash(w);
        mn_world_destroy(&w);
        test_context_end(&c);
    }
    assert_true(hash[0] == hash[1]);
}

static void a_falling_block_falls_as_one(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_world   *w = free_world(c, 3, -981.0, 0.0089, MN_SHAPE_BOX, 2.0, 0.0);
    run(w, 0.05);
    const mn_liquid_view v = mn_world_liquid(w);
    for (int64_t i = 0; i < v.count; i++) {
        assert_near(v.velocity.y[i], -981.0 * 0.05, 1e-6);
        assert_near(v.velocity.x[i], 0.0, 1e-6);
    }
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// A block and a crumb that is too small to ask for tiles, wherever it lies beside those of the block: nothing pulls at
/// either.
static void a_crumb_beside_a_block_flies_with_it(void **state)
{
    (void)state;
    const double velocity[3] = { 30.0, 20.0, 10.0 };
    for (int k = 0; k < 12; k++) {
        mn_context   *c     = test_context(1);
        mn_world     *w     = free_world(c, 3, 0.0, 0.0089, MN_SHAPE_BOX, 1.0, 0.0);
        mn_liquid_def crumb = mn_liquid_def_default();
        const double  away  = 1.0 + 0.25 * k;
        crumb.shape         = test_shape(c, MN_SHAPE_BOX, away, k % 2 == 0 ? away : 0.0, 0.0, 0.5);
        crumb.sampling      = MN_SAMPLING_LATTICE;
        assert_int_equal(mn_world_add_liquid(w, &crumb), MN_OK);
        mn_shape_release(&crumb.shape);
        mn_liquid_particles *p = mn_liquid_now(&w->liquid);
        for (int a = 0; a < 3; a++)
            for (int64_t i = 0; i < p->count; i++) p->velocity[a][i] = velocity[a];
        run(w, 0.02);
        p = mn_liquid_now(&w->liquid);
        for (int a = 0; a < 3; a++)
            for (int64_t i = 0; i < p->count; i++) assert_near(p->velocity[a][i], velocity[a], 1e-9);
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

/// Rigid rotation has no rate of strain: viscosity must leave it alone, however large, with a free surface all round.
static void viscosity_does_not_slow_a_rigid_rotation(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        mn_context *c = test_context(2);
        mn_world   *w = free_world(c, dimension, 0.0, 1e4, MN_SHAPE_SPHERE, 2.0, 5.0);
        assert_int_equal(mn_arena_reset(w->arena), MN_OK);
        assert_int_equal(mn_world_place_solids(w, 0.0), MN_OK);
        assert_int_equal(mn_liquid_activate(&w->liquid,
                                            &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = 0.0 }),
                         MN_OK);
        assert_int_equal(mn_liquid_gather(&w->liquid, &(mn_step){ .arena = w->arena }), MN_OK);
        const mn_liquid_scratch *s      = &w->liquid.grid;
        const int64_t            n      = (int64_t)s->tiles.count * s->tiles.cells;
        mn_liquid_particles     *p      = mn_liquid_now(&w->liquid);
        mn_particle_arrays       arrays = { .count = p->count, .volume = p->volume[0] };
        double                  *before[2], *weight[3], *momentum[3];
        memcpy(arrays.position, p->position, sizeof arrays.position);
        memcpy(arrays.velocity, p->velocity, sizeof arrays.velocity);
        memcpy(arrays.affine, p->affine, sizeof arrays.affine);
        for (int a = 0; a < 3; a++) {
            weight[a]   = mn_arena_array(w->arena, double, n);
            momentum[a] = mn_arena_array(w->arena, double, n);
        }
        assert_int_equal(mn_particles_to_faces(c, w->arena, &s->tiles, &s->bins, &arrays, weight, momentum), MN_OK);
        for (int a = 0; a < 2; a++) {
            before[a] = mn_arena_array(w->arena, double, n);
            memcpy(before[a], s->velocity[a], (size_t)n * sizeof(double));
        }
        mn_force_report report;
        assert_int_equal(mn_liquid_forces(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = 0.01 },
                                          &report),
                         MN_OK);
        assert_true(report.pressure.outcome > 0 && report.viscosity.outcome > 0);
        double change = 0.0;
        for (int a = 0; a < 2; a++)
            for (int64_t i = 0; i < n; i++)
                if (weight[a][i] > 1e-6 * w->liquid.model.reference_volume)
                    change = fmax(change, fabs(s->velocity[a][i] - before[a][i]));
        assert_less(change, 1e-5 * 10.0);  // of a rim speed of 10 cm/s; the solve stops at 1e-8
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

static void the_density_correction_touches_positions_only(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_world   *w = busy_world(c, 3);
    for (int k = 0; k < 5; k++) assert_int_equal(mn_world_step(w, mn_world_time(w) + 0.01), MN_OK);
    assert_int_equal(mn_arena_reset(w->arena), MN_OK);
    assert_int_equal(mn_world_place_solids(w, mn_world_time(w)), MN_OK);
    assert_int_equal(mn_liquid_activate(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = 0.0 }),
                     MN_OK);
    mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    double              *x = mn_arena_array(w->arena, double, p->count);
    memcpy(x, p->position[1], (size_t)p->count * sizeof(double));
    // Every other field under one hash: the table without its first row, the position.
    const mn_field_table rest = { "rest", mn_liquid_table.fields + 1, mn_liquid_table.count - 1 };
    assert_string_equal(mn_liquid_table.fields[0].name, "position");
    const uint64_t  before = mn_fields_hash(&rest, p, p->count, 1);
    mn_solve_report report;
    assert_int_equal(mn_liquid_even_out(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = 0.005 },
                                        &report),
                     MN_OK);
    assert_true(mn_fields_hash(&rest, p, p->count, 1) == before);
    double moved = 0.0;
    for (int64_t i = 0; i < p->count; i++) moved = fmax(moved, fabs(p->position[1][i] - x[i]));
    assert_true(moved > 0.0);
    assert_less(moved, 0.1 * w->grid.cell + 0.05 * w->grid.cell);  // the longest shift, and a push out of a solid
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void projection_leaves_the_divergence_it_was_asked_for(void **state)
{
    (void)state;
    mn_context *c                             = test_context(2);
    mn_world   *w                             = busy_world(c, 3);
    w->liquid.model.solver.pressure_tolerance = 1e-10;
    for (int k = 0; k < 5; k++) {
        assert_int_equal(mn_world_step(w, mn_world_time(w) + 0.01), MN_OK);
        // Left over, relative to the speed over a cell: S2.5 asks 1e-8.
        assert_less(w->now.frame_divergence * w->grid.cell / 100.0, 1e-8);
    }
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void a_stream_carries_its_rate_exactly(void **state)
{
    (void)state;
    mn_context  *c   = test_context(1);
    mn_world    *w   = NULL;
    mn_world_def def = mn_world_def_default();
    def.domain.cell  = 0.3;
    def.time.dt_max  = 0.003;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_liquid_def tap = mn_liquid_def_default();
    tap.role          = MN_LIQUID_SOURCE;
    tap.shape         = test_shape(c, MN_SHAPE_DISC, 0, 0, 0, 1.0);
    tap.velocity[1]   = -50.0;
    tap.rate          = 200.0;  // more than pi cm2 at 50 cm/s
    assert_int_equal(mn_world_add_liquid(w, &tap), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "carries at most"));
    tap.rate      = 60.0;
    tap.during[1] = 0.2;
    assert_int_equal(mn_world_add_liquid(w, &tap), MN_OK);
    mn_shape_release(&tap.shape);
    run(w, 0.3);
    const mn_ledger l = mn_world_ledger(w);
    // 0.2 s in whole layers: a layer is 60 cm3/s for 0.15 cm / 50 cm/s.
    assert_near(l.liquid_added, 12.0, 60.0 * 0.15 / 50.0);
    assert_less(fabs(l.liquid_error), 1e-14);
    assert_true(l.particles > 1000);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// The liquid weighs on the floor it stands on: rho g V, measured by the pressure on an obstacle.
static void the_floor_carries_the_weight(void **state)
{
    (void)state;
    mn_context  *c          = test_context(2);
    mn_world    *w          = NULL;
    mn_world_def def        = mn_world_def_default();
    def.domain.cell         = 0.5;
    def.domain.bounded      = true;
    def.domain.bounds[1][0] = def.domain.bounds[1][2] = 6.0, def.domain.bounds[1][1] = 9.0;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_obstacle_def floor = mn_obstacle_def_default();
    snprintf(floor.name, sizeof floor.name, "floor");
    mn_shape_def box = mn_shape_def_default(MN_SHAPE_BOX);
    box.size[0] = box.size[2] = 20.0, box.size[1] = 4.0;
    assert_int_equal(mn_shape_create(c, &box, &floor.shape), MN_OK);  // top at y = 2
    assert_int_equal(mn_world_add_obstacle(w, &floor), MN_OK);
    mn_shape_release(&floor.shape);
    mn_liquid_def pool = mn_liquid_def_default();
    pool.below         = 5.0;
    pool.sampling      = MN_SAMPLING_LATTICE;
    assert_int_equal(mn_world_add_liquid(w, &pool), MN_OK);
    mn_probe_def probe = mn_probe_def_default();
    probe.kind         = MN_PROBE_FORCE;
    snprintf(probe.of, sizeof probe.of, "floor");
    probe.normal[0] = 0.0, probe.normal[1] = -1.0;
    assert_int_equal(mn_world_add_probe(w, &probe), MN_OK);
    probe.kind = MN_PROBE_HEIGHT, probe.point[0] = probe.point[2] = 3.0, probe.point[1] = 0.0;
    assert_int_equal(mn_world_add_probe(w, &probe), MN_OK);
    run(w, 0.1);
    mn_world_end_frame(w);
    run(w, 0.3);
    const double weight = 981.0 * mn_world_ledger(w).liquid_total;
    assert_near(mn_world_probe_value(w, 0) / weight, 1.0, 0.01);
    assert_near(mn_world_probe_value(w, 1), 5.0, 0.1 * 0.5);  // a tenth of a cell
    mn_world_destroy(&w);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lone_drop_of_spray_falls_freely),
        cmocka_unit_test(spray_comes_to_rest_where_a_wall_meets_the_floor),
        cmocka_unit_test(spray_goes_with_a_plate_that_sinks),
        cmocka_unit_test(a_plug_flow_in_a_square_duct_stays),
        cmocka_unit_test(particles_in_one_place_are_taken_apart),
        cmocka_unit_test(a_falling_block_falls_as_one),
        cmocka_unit_test(a_crumb_beside_a_block_flies_with_it),
        cmocka_unit_test(viscosity_does_not_slow_a_rigid_rotation),
        cmocka_unit_test(the_density_correction_touches_positions_only),
        cmocka_unit_test(projection_leaves_the_divergence_it_was_asked_for),
        cmocka_unit_test(a_stream_carries_its_rate_exactly),
        cmocka_unit_test(the_floor_carries_the_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
