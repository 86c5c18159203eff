// SPDX-License-Identifier: MPL-2.0
// Twist of yarn on the grid (wet-fabric 5.6, E5.10): rates from the grid, torques to it, the two together.
#include "fabric_worlds.h"

#include "fabric/twist.h"

static const double no_gravity[3] = { 0.0, 0.0, 0.0 };

#define CELL   0.2
#define LENGTH 4.0

/// One yarn with twist on the grid, turned so that it lies along no axis.
static mn_world *yarn_world(mn_context *c, mn_yarn_pattern pattern, const mn_fabric_def *like)
{
    mn_world         *w    = fabric_world(c, CELL, 1e-3, no_gravity);
    mn_fabric_def     def  = *like;
    const mn_yarn_def yarn = { .pattern = pattern,
                               .size    = { LENGTH, 0.0 },
                               .radius  = 0.048,
                               .pitch   = 1.0,
                               .curl    = 0.4,
                               .spacing = 0.5 * CELL };
    mn_thin_mesh      mesh;
    def.twist                              = MN_TWIST_GRID;
    w->fabric.model.solver.solid_tolerance = 1e-10;
    if (mn_yarn_generate(c, &yarn, &mesh) != MN_OK) fail_msg("%s", mn_context_error(c));
    assert_int_equal(add_mesh(c, w, &def, &mesh), MN_OK);
    return w;
}

static mn_fabric_def turned(void)
{
    mn_fabric_def def = mn_fabric_def_default();
    def.axis[0] = 0.3, def.axis[1] = -0.7, def.axis[2] = 0.5;
    def.angle = 0.8;
    return def;
}

static mn_vec3 tangent(const mn_fabric_piece *p, int64_t s)
{
    return mn_v3(p->rods.edges.tangent[0][s], p->rods.edges.tangent[1][s], p->rods.edges.tangent[2][s]);
}

static mn_vec3 along(const mn_fabric_def *def)
{
    return mn_mul3(mn_rotation3(mn_unit3(mn_v3_from(def->axis), mn_v3(0, 1, 0)), def->angle), mn_v3(1, 0, 0));
}

static void yarn_that_spins_about_its_axis_twists_as_fast(void **state)
{
    (void)state;
    mn_context   *c     = test_context(2);
    mn_fabric_def def   = turned();
    const mn_vec3 t     = along(&def);
    const double  omega = 7.0;
    for (int a = 0; a < 3; a++) def.spin[a] = omega * mn_get3(t, a), def.velocity[a] = 1.0 + a;
    mn_world              *w     = yarn_world(c, MN_YARN_STRAIGHT, &def);
    const mn_fabric_piece *p     = &w->fabric.pieces[0];
    double                 worst = 0.0, turn = 0.0;
    int                    steps = 0;
    for (; steps < 20; steps++) steps_of(w, 1, 1e-3);
    for (int64_t s = 0; s < p->segment_count; s++) {
        worst = fmax(worst, fabs(p->rods.edges.angle_rate[0][s] - omega));
        turn  = fmax(turn, fabs(p->rods.edges.angle[0][s] - omega * mn_world_time(w)));
    }
    print_message("spin: rate off by %.2g, angle by %.2g after %d steps\n", worst, turn, steps);
    assert_less(worst, 1e-10 * omega);
    assert_less(turn, 1e-10 * omega);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// Curved yarn: each segment twists by what of the rotation is along it, and feels no torque from turning as a whole.
static void yarn_that_turns_as_a_whole_is_not_twisted(void **state)
{
    (void)state;
    mn_context   *c     = test_context(2);
    mn_fabric_def def   = turned();
    const mn_vec3 omega = mn_v3(20.0, -11.0, 5.0);
    double        torque[2];
    for (int a = 0; a < 3; a++) def.spin[a] = mn_get3(omega, a);
    def.material.internal_viscosity = 1e5;
    for (int k = 0; k < 2; k++) {
        const double           dt     = k == 0 ? 1e-4 : 5e-5;
        mn_world              *w      = yarn_world(c, MN_YARN_HELIX, &def);
        mn_fabric             *q      = &w->fabric;
        const mn_fabric_piece *p      = &q->pieces[0];
        double                 faster = 0.0, section = 0.0;
        assert_int_equal(mn_fabric_activate(q, &(mn_step){ .arena = w->arena }), MN_OK);
        assert_int_equal(mn_fabric_forces(q, &(mn_step){ .arena = w->arena, .time = 0.0, .dt = dt }), MN_OK);
        mn_fabric_twist_from_grid(q);  // the gradients at the start are those of the rotation
        torque[k] = 0.0;
        for (int64_t s = 0; s < p->segment_count; s++) {
            assert_near(q->step.twist_rate[s], mn_dot3(omega, tangent(p, s)), 1e-12 * mn_norm3(omega));
            torque[k] = fmax(torque[k], fabs(q->step.torque[s]));
            if (s > 0) faster = fmax(faster, fabs(q->step.twist_rate[s] - q->step.twist_rate[s - 1]));
            section = fmax(section, mn_rod_network_angle_bound(&p->rods, (int32_t)s).viscous);
        }
        print_message("helix, dt %g: largest torque %.3g dyn cm; viscosity of the angles alone would make %.3g\n", dt,
                      torque[k], 0.25 * section * faster);
        assert_less(torque[k], 1e-2 * 0.25 * section * faster);
        mn_fabric_roll_back(q);
        mn_world_destroy(&w);
    }
    assert_less(torque[1], 0.6 * torque[0]);
    test_context_end(&c);
}

/// Sum of forces on the faces, and of their moments about a point.
static void sum_faces(const mn_fabric *q, const double *on_faces, mn_vec3 about, mn_vec3 *force, mn_vec3 *moment)
{
    const mn_point_faces *f = &q->step.faces;
    *force = *moment = mn_v3(0, 0, 0);
    for (int a = 0; a < 3; a++)
        for (int32_t t = 1; t < f->tiles.count; t++)
            for (int row = 0; row < 64; row++)
                for (int x = 0, k = 0; x < 8; x++) {
                    if (!(f->bits[a][t * 64 + row] >> x & 1)) continue;
                    const double value   = on_faces[f->first[a][t * 64 + row] + k++];
                    const int    cell[3] = { f->tiles.coord[t].x * 8 + x, f->tiles.coord[t].y * 8 + row % 8,
                                             f->tiles.coord[t].z * 8 + row / 8 };
                    double       at[3];
                    for (int b = 0; b < 3; b++)
                        at[b] = mn_get3(q->model.grid.origin, b) +
                                q->model.grid.cell * (cell[b] + (b == a ? 0.0 : 0.5));
                    const mn_vec3 one = mn_v3(a == 0 ? value : 0.0, a == 1 ? value : 0.0, a == 2 ? value : 0.0);
                    *force            = mn_add3(*force, one);
                    *moment           = mn_add3(*moment, mn_cross3(mn_sub3(mn_v3_from(at), about), one));
                }
}

static void a_torque_reaches_the_grid_whole(void **state)
{
    (void)state;
    const double           dt = 1e-4, given = 3.0;
    mn_context            *c   = test_context(2);
    mn_fabric_def          def = turned();
    mn_world              *w   = yarn_world(c, MN_YARN_HELIX, &def);
    mn_fabric             *q   = &w->fabric;
    const mn_fabric_piece *p   = &q->pieces[0];
    assert_int_equal(mn_fabric_activate(q, &(mn_step){ .arena = w->arena }), MN_OK);
    assert_int_equal(mn_fabric_forces(q, &(mn_step){ .arena = w->arena, .time = 0.0, .dt = dt }), MN_OK);
    for (int64_t s = 0; s < p->segment_count; s++) q->step.torque[s] = 0.0;
    for (int64_t s = 0; s < p->segment_count; s += 3) {
        mn_vec3 force, moment;
        q->step.torque[s] = given;
        assert_int_equal(mn_fabric_gather(q, &(mn_step){ .arena = w->arena, .dt = dt }), MN_OK);
        sum_faces(q, q->step.momentum, q->step.x[p->rods.edge[s].vertex[0]], &force, &moment);
        assert_less(mn_norm3(force), 1e-10 * dt * given / CELL);
        assert_less(mn_norm3(mn_sub3(moment, mn_scale3(dt * given, tangent(p, s)))), 1e-10 * dt * given);
        q->step.torque[s] = 0.0;
    }
    mn_fabric_roll_back(q);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static double twist_energy(mn_fabric *q) { return mn_rod_network_energy(&q->pieces[0].rods, q->step.x, NULL).twist; }

/// What angular momentum along the yarn is measured against: its own total is zero.
static double size_of_spin(const mn_fabric *q)
{
    double sum = 0.0;
    for (int64_t s = 0; s < q->pieces[0].segment_count; s++) sum += fabs(q->pieces[0].rods.edges.angle_rate[0][s]);
    return sum / (double)q->pieces[0].segment_count * 0.5 * CELL * CELL * q->mass[1] *
           (double)q->pieces[0].segment_count;
}

typedef struct relaxing {
    uint64_t hash;
    double   lost, angular, period;
} relaxing;

/// A straight yarn, wound in its lowest mode and let go.
static relaxing unwind(int threads, double viscosity, double angle, mn_fabric_def def)
{
    mn_context *c                   = test_context(threads);
    def.material.internal_viscosity = viscosity;
    mn_world              *w        = yarn_world(c, MN_YARN_STRAIGHT, &def);
    mn_fabric             *q        = &w->fabric;
    const mn_fabric_piece *p        = &q->pieces[0];
    relaxing               r        = { 0 };
    for (int64_t s = 0; s < p->segment_count; s++)
        p->rods.edges.angle[0][s] = angle * cos(MN_PI * ((double)s + 0.5) / (double)p->segment_count);
    steps_of(w, 1, 1e-5);
    const double first  = twist_energy(q);
    double       before = p->rods.edges.angle[0][0], spin = 0.0, drift = 0.0;
    while (mn_world_time(w) < 0.05) {
        steps_of(w, 1, 0.05 - mn_world_time(w));
        const double now = p->rods.edges.angle[0][0];
        if (r.period == 0.0 && now <= 0.0 && before > 0.0) r.period = 4.0 * mn_world_time(w);
        before = now;
        spin   = fmax(spin, size_of_spin(q));
        drift  = fmax(drift, mn_norm3(mn_fabric_sum(q).angular));
    }
    r.lost    = 1.0 - twist_energy(q) / first;
    r.angular = drift / spin;
    r.hash    = mn_world_hash(w);
    mn_world_destroy(&w);
    test_context_end(&c);
    return r;
}

static void a_wound_yarn_unwinds_and_keeps_its_angular_momentum(void **state)
{
    (void)state;
    const mn_fabric_material m      = mn_fabric_material_default();
    const double             factor = m.solid_fraction * m.solid_fraction, shear = factor * 6.6e7 / 2.7,
                 section      = MN_PI * pow(0.048, 4.0) / 2.0;
    const double   per_length = m.density * m.solid_fraction * MN_PI * 0.048 * 0.048 * 0.5 * CELL * CELL;
    const double   period     = 2.0 * LENGTH / sqrt(shear * section / per_length);
    const relaxing free = unwind(1, 0.0, 0.3, turned()), damped = unwind(2, 1e3, 0.3, turned()),
                   again  = unwind(1, 1e3, 0.3, turned());
    const relaxing little = unwind(1, 1e3, 0.03, turned()), straight = unwind(1, 1e3, 0.3, mn_fabric_def_default());
    print_message("unwinding: period %.4g s, theory %.4g s; energy lost %.4g, with viscosity %.4g\n", free.period,
                  period, free.lost, damped.lost);
    print_message("angular momentum off, of what turns: %.2g along an axis of the grid, oblique %.2g, with viscosity "
                  "%.2g\n",
                  straight.angular, free.angular, damped.angular);
    assert_near(free.period / period, 1.0, 0.1);
    // Oblique yarn moves a little aside as it turns, and implicit forces act where the step began: an error of second
    // order.
    assert_less(straight.angular, 1e-13);
    assert_less(fmax(free.angular, damped.angular), 1e-5);
    assert_less(little.angular, 0.2 * damped.angular);
    assert_true(damped.lost > 0.9 && free.lost > 0.0);
    assert_true(damped.hash == again.hash);
}

/// The end that a turning pin holds turns with it; the rest follows.
static void a_pin_turns_what_it_holds(void **state)
{
    (void)state;
    mn_context   *c   = test_context(2);
    mn_fabric_def def = turned();
    mn_pin_def    pin = mn_pin_def_default();
    const mn_vec3 t   = along(&def);
    snprintf(pin.group, sizeof pin.group, "left");
    for (int a = 0; a < 3; a++) pin.motion.spin[a] = 5.0 * mn_get3(t, a);
    def.pins = &pin, def.pin_count = 1;
    mn_world              *w = yarn_world(c, MN_YARN_STRAIGHT, &def);
    const mn_fabric_piece *p = &w->fabric.pieces[0];
    while (mn_world_time(w) < 0.2) {
        steps_of(w, 1, 0.2 - mn_world_time(w));
        assert_near(p->rods.edges.angle_rate[0][0], 5.0, 1e-8);
    }
    assert_near(p->rods.edges.angle[0][0], 1.0, 1e-8);
    print_message("pin: held end turned by %.4g, free end by %.4g rad\n", p->rods.edges.angle[0][0],
                  p->rods.edges.angle[0][p->segment_count - 1]);
    assert_near(p->rods.edges.angle[0][p->segment_count - 1], 1.0, 0.2);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static mn_world *swinging_helix(mn_context *c)
{
    mn_fabric_def def = turned();
    mn_pin_def    pin = mn_pin_def_default();
    snprintf(pin.group, sizeof pin.group, "left");
    pin.motion.spin[0] = 30.0;
    def.pins = &pin, def.pin_count = 1;
    mn_world *w             = yarn_world(c, MN_YARN_HELIX, &def);
    w->fabric.model.gravity = mn_v3(0.0, -981.0, 0.0);
    return w;
}

/// Limits and torques follow from what is saved; a refused step leaves no trace.
static void a_saved_state_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    const char *path = "test_twist.state";
    mn_context *c    = test_context(2);
    mn_world   *a = swinging_helix(c), *b = swinging_helix(c);
    steps_of(a, 40, 1e-3);
    assert_int_equal(mn_world_save(a, path), MN_OK);
    assert_int_equal(mn_world_load(b, path), MN_OK);
    assert_int_equal(mn_fabric_activate(&b->fabric, &(mn_step){ .arena = b->arena }), MN_OK);
    assert_int_equal(mn_fabric_forces(&b->fabric,
                                      &(mn_step){ .arena = b->arena, .time = mn_world_time(b), .dt = 1e-4 }),
                     MN_OK);
    mn_fabric_roll_back(&b->fabric);
    steps_of(a, 40, 1e-3);
    steps_of(b, 40, 1e-3);
    assert_true(mn_world_hash(a) == mn_world_hash(b));
    mn_world_destroy(&a);
    mn_world_destroy(&b);
    test_context_end(&c);
    remove(path);
}

/// Only twist on the grid asks for short steps, and for shorter ones the stiffer it is: h ~ sqrt(I / K).
static void twist_on_the_grid_limits_the_step(void **state)
{
    (void)state;
    mn_context   *c   = test_context(1);
    mn_fabric_def def = turned();
    double        limit[2];
    def.material.internal_viscosity = 0.0;
    for (int k = 0; k < 2; k++) {
        def.material.youngs_modulus       = k == 0 ? 1e7 : 4e7;
        mn_world *w                       = yarn_world(c, MN_YARN_STRAIGHT, &def);
        limit[k]                          = mn_fabric_twist_dt_limit(&w->fabric);
        w->fabric.pieces[0].twist_on_grid = false;
        assert_true(mn_fabric_twist_dt_limit(&w->fabric) == INFINITY);
        mn_world_destroy(&w);
    }
    const double factor = def.material.solid_fraction * def.material.solid_fraction,
                 twist  = factor * 1e7 / 2.7 * MN_PI * pow(0.048, 4.0) / 2.0 / (0.5 * CELL);
    const double mass   = def.material.density * def.material.solid_fraction * MN_PI * 0.048 * 0.048 * 0.5 * CELL;
    assert_near(limit[0] / sqrt(0.5 * mass * CELL * CELL / (4.0 * twist)), 1.0, 1e-6);
    assert_near(limit[0] / limit[1], 2.0, 1e-12);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(yarn_that_spins_about_its_axis_twists_as_fast),
        cmocka_unit_test(yarn_that_turns_as_a_whole_is_not_twisted),
        cmocka_unit_test(a_torque_reaches_the_grid_whole),
        cmocka_unit_test(a_wound_yarn_unwinds_and_keeps_its_angular_momentum),
        cmocka_unit_test(a_pin_turns_what_it_holds),
        cmocka_unit_test(a_saved_state_goes_on_with_the_same_bits),
        cmocka_unit_test(twist_on_the_grid_limits_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
