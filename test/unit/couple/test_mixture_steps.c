// SPDX-License-Identifier: MPL-2.0
// Steps of worlds with liquid and fabric: momentum, the same bits, the same state, weight (fab.C26, C27).
#include "mixture_worlds.h"

#include "fabric/pins.h"

/// A drop that falls on a free, tilted sheet.
static mn_world *splash_world(mn_context *c, mn_mixture_way way, double gravity, double saturation)
{
    mn_world_def def      = mn_world_def_default();
    mn_world    *w        = NULL;
    def.domain.cell       = 0.2;
    def.domain.gravity[1] = gravity;
    def.time.dt_max       = 1e-3;
    def.solver.mixture    = way;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_shape_def  ball = mn_shape_def_default(MN_SHAPE_SPHERE);
    mn_liquid_def drop = mn_liquid_def_default();
    ball.radius[0]     = 0.5;
    drop.at[1]         = 0.9;
    drop.velocity[1]   = -60.0;
    assert_int_equal(mn_shape_create(c, &ball, &drop.shape), MN_OK);
    if (mn_world_add_liquid(w, &drop) != MN_OK) fail_msg("%s", mn_context_error(c));
    mn_shape_release(&drop.shape);
    sheet s = sheet_default();
    s.at[0] = s.at[1] = s.at[2] = 0.0;
    s.saturation                = saturation;
    s.angle                     = 0.2;
    add_sheet(c, w, &s);
    return w;
}

/// A sheet inside a ball of liquid that it moves through.
static mn_world *ball_world(mn_context *c, mn_mixture_way way, double speed)
{
    mn_world_def def      = mn_world_def_default();
    mn_world    *w        = NULL;
    def.domain.cell       = 0.2;
    def.domain.gravity[1] = 0.0;
    def.time.dt_max       = 1e-3;
    def.solver.mixture    = way;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_shape_def  ball = mn_shape_def_default(MN_SHAPE_SPHERE);
    mn_liquid_def drop = mn_liquid_def_default();
    ball.radius[0]     = 1.5;
    assert_int_equal(mn_shape_create(c, &ball, &drop.shape), MN_OK);
    if (mn_world_add_liquid(w, &drop) != MN_OK) fail_msg("%s", mn_context_error(c));
    mn_shape_release(&drop.shape);
    sheet s   = sheet_default();
    s.size[0] = s.size[1] = 1.2;
    s.at[0] = s.at[1] = s.at[2] = 0.0;
    s.angle                     = 0.2;
    add_sheet(c, w, &s);
    for (int64_t v = 0; v < w->fabric.vertices.count; v++) w->fabric.vertices.velocity[1][v] = speed;
    return w;
}

static mn_vec3 momentum_of(mn_world *w)
{
    return mn_add3(mn_scale3(w->liquid.model.material.density, mn_liquid_sum(&w->liquid).momentum),
                   mn_fabric_sum(&w->fabric).momentum);
}

typedef struct momentum_drift {
    double exchanged, worst;
} momentum_drift;

static momentum_drift drift_of(mn_world *w, int steps)
{
    const mn_vec3  first = momentum_of(w), fabric = mn_fabric_sum(&w->fabric).momentum;
    momentum_drift d = { 0.0, 0.0 };
    for (int k = 0; k < steps; k++) {
        steps_of(w, 1, 1e-3);
        d.exchanged = fmax(d.exchanged, mn_norm3(mn_sub3(mn_fabric_sum(&w->fabric).momentum, fabric)));
        d.worst     = fmax(d.worst, mn_norm3(mn_sub3(momentum_of(w), first)));
    }
    mn_world_destroy(&w);
    return d;
}

/// fab.C27. The grid weighs the liquid at the surface by theta, the particles by their volume, and a drop of five cells
/// is mostly surface: such a drop that hits another of three cells drifts by 0.35 of what it gives. Inside a ball the
/// surface costs little.
static void momentum_is_kept_as_well_as_the_surface_allows(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    for (int k = 0; k < 2; k++) {
        const mn_mixture_way way    = k == 0 ? MN_MIXTURE_SPLIT : MN_MIXTURE_COUPLED;
        const momentum_drift splash = drift_of(splash_world(c, way, 0.0, 1.0), 40),
                             ball   = drift_of(ball_world(c, way, 40.0), 20);
        print_message("%s: splash exchanged %.3g, drift %.2g of it; ball %.3g, %.2g\n", k == 0 ? "split" : "coupled",
                      splash.exchanged, splash.worst / splash.exchanged, ball.exchanged, ball.worst / ball.exchanged);
        assert_true(splash.exchanged > 1.0 && ball.exchanged > 1.0);
        assert_less(splash.worst, 0.5 * splash.exchanged);
        assert_less(ball.worst, 0.04 * ball.exchanged);
    }
    test_context_end(&c);
}

static void momentum_of_spray(mn_context *c, mn_mixture_way way)
{
    mn_world            *w    = splash_world(c, way, 0.0, 1.0);
    mn_liquid_particles *p    = mn_liquid_now(&w->liquid);
    int64_t              kept = 0;
    for (int64_t i = 0; i < p->count; i += 97) {  // far apart: no cell is liquid
        mn_fields_copy_item(&mn_liquid_table, p, kept, i);
        for (int a = 0; a < 3; a += 2) p->position[a][kept] *= 1.4;
        kept++;
    }
    p->count            = kept;
    const mn_vec3 first = momentum_of(w), fabric = mn_fabric_sum(&w->fabric).momentum;
    steps_of(w, 30, 1e-3);
    const double exchanged = mn_norm3(mn_sub3(mn_fabric_sum(&w->fabric).momentum, fabric)),
                 drift     = mn_norm3(mn_sub3(momentum_of(w), first));
    print_message("%s, %lld drops: momentum %.4g, exchanged %.3g, drift %.2g\n",
                  way == MN_MIXTURE_SPLIT ? "split" : "coupled", (long long)kept, mn_norm3(first), exchanged, drift);
    assert_true(exchanged > 0.1 * mn_norm3(first));
    assert_less(drift, 1e-10 * mn_norm3(first));
    mn_world_destroy(&w);
}

/// Spray has no pressure: drag alone, and the momentum of the whole is exact.
static void spray_gives_its_momentum_to_the_sheet(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    momentum_of_spray(c, MN_MIXTURE_SPLIT);
    momentum_of_spray(c, MN_MIXTURE_COUPLED);
    test_context_end(&c);
}

/// Liquid and fabric of one velocity have no divergence but rounding, which must not be what the solve is measured
/// against.
static void what_moves_as_one_is_solved(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    for (int k = 0; k < 2; k++) {
        mn_world            *w = ball_world(c, k == 0 ? MN_MIXTURE_SPLIT : MN_MIXTURE_COUPLED, 40.0);
        mn_liquid_particles *p = mn_liquid_now(&w->liquid);
        for (int64_t i = 0; i < p->count; i++) p->velocity[1][i] = 40.0;
        steps_of(w, 3, 1e-3);
        assert_int_equal(w->now.frame_rejected, 0);
        double slip = 0.0;
        for (int64_t v = 0; v < w->fabric.vertices.count; v++)
            slip = fmax(slip, fabs(w->fabric.vertices.velocity[1][v] - 40.0));
        print_message("%s: %lld V-cycles, fabric off by %.2g cm/s\n", k == 0 ? "split" : "coupled",
                      (long long)w->now.frame_pressure_iterations, slip);
        assert_less(slip, 0.4);
        mn_world_destroy(&w);
    }
    test_context_end(&c);
}

static uint64_t bits_of(int threads, mn_mixture_way way, int steps)
{
    mn_context *c = test_context(threads);
    mn_world   *w = splash_world(c, way, -981.0, 0.2);
    steps_of(w, steps, 1e-3);
    const uint64_t hash = mn_world_hash(w);
    mn_world_destroy(&w);
    test_context_end(&c);
    return hash;
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const mn_mixture_way way = k == 0 ? MN_MIXTURE_SPLIT : MN_MIXTURE_AUTO;
        const uint64_t       one = bits_of(1, way, 15);
        assert_true(bits_of(2, way, 15) == one);
        assert_true(bits_of(8, way, 15) == one);
    }
}

static void step_save_load_step_is_step_step(void **state)
{
    (void)state;
    const char *path = "test_mixture_steps.state";
    mn_context *c    = test_context(2);
    mn_world   *a    = splash_world(c, MN_MIXTURE_SPLIT, -981.0, 0.2);
    steps_of(a, 8, 1e-3);
    for (int k = 0; k < 3; k++) {
        mn_world *fresh = splash_world(c, MN_MIXTURE_SPLIT, -981.0, 0.2);
        assert_int_equal(mn_world_save(a, path), MN_OK);
        assert_int_equal(mn_world_load(fresh, path), MN_OK);
        steps_of(a, 3, 1e-3);
        steps_of(fresh, 3, 1e-3);
        assert_true(mn_world_hash(a) == mn_world_hash(fresh));
        mn_world_destroy(&fresh);
    }
    mn_world_destroy(&a);
    test_context_end(&c);
    remove(path);
}

/// A step that the solver refuses leaves everything as it was.
static void a_rejected_step_leaves_the_state_as_it_was(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_world   *w = splash_world(c, MN_MIXTURE_SPLIT, -981.0, 0.2);
    steps_of(w, 8, 1e-3);
    const uint64_t         before              = mn_world_hash(w);
    const mn_world_scalars now                 = w->now;
    const mn_solver_def    good                = w->liquid.model.solver;
    w->liquid.model.solver.pressure_tolerance  = 1e-15;
    w->liquid.model.solver.pressure_iterations = 1;
    assert_int_equal(mn_world_step(w, mn_world_time(w) + 1e-3), MN_ERR_SOLVE);
    assert_true(w->now.frame_rejected > now.frame_rejected);
    w->now                 = now;
    w->liquid.model.solver = good;
    assert_true(mn_world_hash(w) == before);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// Fabric that no liquid is near goes on as if there were none, to the bit; so does the liquid.
static void apart_each_goes_its_own_way(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    sheet       s = sheet_default();
    tank        t = tank_default();
    s.saturation  = 0.0;
    s.at[1]       = 8.0;
    t.size[1] = 12.0, t.fill = 1.2;
    mn_world *both = tank_world(c, &t), *liquid = tank_world(c, &t), *fabric = tank_world(c, &t);
    mn_liquid_now(&fabric->liquid)->count = 0;
    add_sheet(c, both, &s);
    add_sheet(c, fabric, &s);
    steps_of(both, 10, t.dt);
    steps_of(liquid, 10, t.dt);
    steps_of(fabric, 10, t.dt);
    const mn_liquid_particles *p = mn_liquid_now(&both->liquid), *r = mn_liquid_now(&liquid->liquid);
    for (int a = 0; a < 3; a++) {
        assert_memory_equal(p->position[a], r->position[a], (size_t)p->count * sizeof(double));
        assert_memory_equal(both->fabric.vertices.position[a], fabric->fabric.vertices.position[a],
                            (size_t)fabric->fabric.vertices.count * sizeof(double));
    }
    mn_world_destroy(&both);
    mn_world_destroy(&liquid);
    mn_world_destroy(&fabric);
    test_context_end(&c);
}

/// fab.C26: wet fabric at rest in the air pulls with the weight of fibre and liquid.
static void wet_sheet_pulls_on_its_pins_with_all_its_weight(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    sheet       s = sheet_default();
    tank        t = tank_default();
    s.pinned      = true;
    s.saturation  = 0.7;
    s.at[1]       = 2.0;
    t.fill        = 0.4;
    t.tolerance   = 1e-9;
    mn_world *w   = tank_world(c, &t);
    add_sheet(c, w, &s);
    steps_of(w, 60, t.dt);
    const mn_fabric *q      = &w->fabric;
    double           weight = 0.0;
    for (int64_t v = 0; v < q->vertices.count; v++) {
        weight += (q->mass[v] + q->vertices.held[0][v]) * 981.0;
    }
    const double held = -mn_fabric_pin_force(q, &q->pieces[0], 0, mn_world_time(w)).y;
    print_message("pins carry %.9f of the weight\n", held / weight);
    assert_near(held / weight, 1.0, 1e-6);
    mn_world_destroy(&w);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_is_kept_as_well_as_the_surface_allows),
        cmocka_unit_test(spray_gives_its_momentum_to_the_sheet),
        cmocka_unit_test(what_moves_as_one_is_solved),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(step_save_load_step_is_step_step),
        cmocka_unit_test(a_rejected_step_leaves_the_state_as_it_was),
        cmocka_unit_test(apart_each_goes_its_own_way),
        cmocka_unit_test(wet_sheet_pulls_on_its_pins_with_all_its_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
