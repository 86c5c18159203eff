// SPDX-License-Identifier: MPL-2.0
// What particles keep of a velocity that the faces do not see (liquid 5.1): transfers alone, loss at steps of any
// length, rest.
#include "../world/worlds.h"

#include "base/random.h"
#include "liquid/liquid.h"

#define PI 3.14159265358979323846

/// A box of water in the plane, full up to a share of its height, with walls that let it slip.
static mn_world *box_world(mn_context *c, double memory, double gravity, double fill, double dt)
{
    mn_world_def def      = mn_world_def_default();
    mn_world    *w        = NULL;
    def.domain.dimension  = 2;
    def.domain.cell       = 0.125;
    def.domain.bounded    = true;
    def.domain.gravity[1] = gravity;
    for (int a = 0; a < 2; a++) def.domain.bounds[1][a] = 2.0;
    def.time.dt_max            = dt;
    def.solver.velocity_memory = memory;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_liquid_def water      = mn_liquid_def_default();
    water.below              = 2.0 * fill;
    water.material.viscosity = 0.0;
    if (mn_world_add_liquid(w, &water) != MN_OK) fail_msg("%s", mn_context_error(c));
    return w;
}

static double energy_of(mn_world *w)
{
    const mn_liquid_particles *p   = mn_liquid_now(&w->liquid);
    double                     sum = 0.0;
    for (int64_t i = 0; i < p->count; i++)
        sum += 0.5 * p->volume[0][i] * (p->velocity[0][i] * p->velocity[0][i] + p->velocity[1][i] * p->velocity[1][i]);
    return sum;
}

// --- transfers alone
// --------------------------------------------------------------------------------------------------------

typedef struct momenta {
    double linear[3], angular[3];
} momenta;

/// Sums over the particles; the affine matrix carries V cell^2 / 4 times its curl (what (E1) gives the faces).
static momenta momenta_of(mn_world *w)
{
    const mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    const double               d = 0.25 * w->grid.cell * w->grid.cell;
    momenta                    m = { { 0 }, { 0 } };
    for (int64_t i = 0; i < p->count; i++)
        for (int a = 0; a < 3; a++) {
            const int    b = (a + 1) % 3, e = (a + 2) % 3;
            const double curl = p->affine[3 * e + b][i] - p->affine[3 * b + e][i];
            m.linear[a] += p->volume[0][i] * p->velocity[a][i];
            m.angular[a] += p->volume[0][i] *
                            (p->position[b][i] * p->velocity[e][i] - p->position[e][i] * p->velocity[b][i] + d * curl);
        }
    return m;
}

/// A ball of water whose particles have velocities of any kind.
static mn_world *stirred_ball(mn_context *c, double memory)
{
    mn_world_def def           = mn_world_def_default();
    mn_world    *w             = NULL;
    def.domain.cell            = 0.25;
    def.domain.gravity[1]      = 0.0;
    def.solver.velocity_memory = memory;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_liquid_def ball = mn_liquid_def_default();
    ball.shape         = test_shape(c, MN_SHAPE_SPHERE, 0, 0, 0, 1.0);
    assert_int_equal(mn_world_add_liquid(w, &ball), MN_OK);
    mn_shape_release(&ball.shape);
    mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    for (int64_t i = 0; i < p->count; i++) {
        for (uint64_t a = 0; a < 3; a++) p->velocity[a][i] = 10.0 * mn_random(3, (uint64_t)i, 0, a) - 3.0;
        for (uint64_t a = 0; a < 9; a++) p->affine[a][i] = 8.0 * mn_random(3, (uint64_t)i, 1, a) - 4.0;
    }
    return w;
}

/// To the faces and back, and no force between; positions stay.
static void transfer(mn_world *w, double dt)
{
    assert_int_equal(mn_arena_reset(w->arena), MN_OK);
    assert_int_equal(mn_liquid_activate(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = 0.0 }),
                     MN_OK);
    assert_int_equal(mn_liquid_gather(&w->liquid, &(mn_step){ .arena = w->arena }), MN_OK);
    assert_int_equal(mn_liquid_scatter(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = dt }),
                     MN_OK);
    mn_liquid_recall(&w->liquid);
}

static void what_is_kept_has_no_momentum(void **state)
{
    (void)state;
    const double memory[] = { 0.0, 1e-3, 1e9 };
    for (int k = 0; k < 3; k++) {
        mn_context   *c      = test_context(2);
        mn_world     *w      = stirred_ball(c, memory[k]);
        const momenta first  = momenta_of(w);
        const double  energy = energy_of(w);
        for (int n = 0; n < 5; n++) transfer(w, 1e-3);
        const momenta last = momenta_of(w);
        print_message("    memory %g s: energy %.6f of what it was after five transfers\n", memory[k],
                      energy_of(w) / energy);
        for (int a = 0; a < 3; a++) {
            assert_near(last.linear[a], first.linear[a], 1e-11 * fabs(first.linear[0]));
            assert_near(last.angular[a], first.angular[a], 1e-11 * fabs(first.linear[0]));
        }
        if (k == 0) assert_less(energy_of(w), 0.9 * energy);
        if (k == 2) assert_near(energy_of(w), energy, 1e-9 * energy);  // nothing is forgotten
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

// --- the whole step
// ---------------------------------------------------------------------------------------------------------

/// Share of the kinetic energy of four eddies that is left after they have turned for a while.
static double energy_left(double memory, double dt)
{
    mn_context          *c = test_context(1);
    mn_world            *w = box_world(c, memory, 0.0, 1.0, dt);
    mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    for (int64_t i = 0; i < p->count; i++) {
        const double x = PI * p->position[0][i], y = PI * p->position[1][i];
        p->velocity[0][i] = 10.0 * sin(x) * cos(y);
        p->velocity[1][i] = -10.0 * cos(x) * sin(y);
    }
    const double first = energy_of(w);
    while (mn_world_time(w) < 0.1) assert_int_equal(mn_world_step(w, 0.1), MN_OK);
    const double left = energy_of(w) / first;
    mn_world_destroy(&w);
    test_context_end(&c);
    return left;
}

/// Without a memory four times as many transfers take about three times as much off the logarithm of the energy.
static void loss_does_not_grow_with_the_number_of_steps(void **state)
{
    (void)state;
    const double plain[2] = { energy_left(0.0, 2e-3), energy_left(0.0, 5e-4) },
                 kept[2]  = { energy_left(1e-2, 2e-3), energy_left(1e-2, 5e-4) };
    print_message("    lost without memory: %.4f in 50 steps, %.4f in 200; with 10 ms: %.4f and %.4f\n", 1.0 - plain[0],
                  1.0 - plain[1], 1.0 - kept[0], 1.0 - kept[1]);
    assert_less(log(plain[1]), 2.0 * log(plain[0]));
    assert_less(fabs(kept[1] - kept[0]), 0.2 * fabs(plain[1] - plain[0]));
}

/// A FLIP share of the velocity alone feeds motion at rest (liquid 5.1); this must not.
static void water_at_rest_stays_at_rest(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_world   *w = box_world(c, 2e-2, -981.0, 0.6, 1e-3);
    while (mn_world_time(w) < 0.6) assert_int_equal(mn_world_step(w, 0.6), MN_OK);
    double speed;
    mn_liquid_dt_limit(&w->liquid, &speed);
    print_message("    fastest particle after 0.6 s: %.2g sqrt(g H)\n", speed / sqrt(981.0 * 1.2));
    assert_less(speed, 0.03 * sqrt(981.0 * 1.2));
    mn_world_destroy(&w);
    test_context_end(&c);
}

static uint64_t bits_of(int threads)
{
    mn_context *c = test_context(threads);
    mn_world   *w = stirred_ball(c, 5e-3);
    for (int k = 0; k < 6; k++) assert_int_equal(mn_world_step(w, mn_world_time(w) + 1e-3), MN_OK);
    const uint64_t hash = mn_world_hash(w);
    mn_world_destroy(&w);
    test_context_end(&c);
    return hash;
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    const uint64_t one = bits_of(1);
    assert_true(bits_of(2) == one);
    assert_true(bits_of(8) == one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_has_no_momentum),
        cmocka_unit_test(loss_does_not_grow_with_the_number_of_steps),
        cmocka_unit_test(water_at_rest_stays_at_rest),
        cmocka_unit_test(threads_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
