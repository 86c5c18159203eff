// SPDX-License-Identifier: MPL-2.0
// Hard pins through the step of a world: cantilevers against the heavy elastica, where pins put their vertices, and the
// balance of momentum with what they say they bear.
#include "worlds.h"

#include "fabric/pins.h"

/// A strip or a yarn along x from 0 on, of which the first `rows` rows of vertices are held.
typedef struct beam {
    bool   yarn;
    int    rows;
    double spacing, length, cell, dt;  ///< length: behind the last held row
    double gamma;                      ///< w g L^3 / D
    double damped;                     ///< times the frequency of its first mode
    double tolerance;
} beam;

#define RADIUS 0.02
#define YOUNG  1.96e7
#define PHI    0.5

/// The clamp of a held piece is in the middle of the last edge between held vertices, where the tangent is known.
static double free_length(const beam *b) { return b->length + 0.5 * b->spacing; }
static double mass_of(const beam *b) { return PHI * 1.32 * (b->yarn ? MN_PI * RADIUS * RADIUS : 0.036); }
static double bend_of(const beam *b)
{
    return PHI * PHI * YOUNG * (b->yarn ? MN_PI * pow(RADIUS, 4.0) / 4.0 : pow(0.036, 3.0) / 12.0);
}
static double frequency(const beam *b)
{
    return 3.51602 * sqrt(bend_of(b) / mass_of(b)) / (free_length(b) * free_length(b));
}

static mn_thin_mesh beam_mesh(mn_context *c, const beam *b)
{
    const double whole = b->length + (b->rows - 1) * b->spacing, last = (b->rows - 1 + 0.1) * b->spacing;
    const double low[3] = { -1e9, -1e9, -1e9 }, high[3] = { last - 0.5 * whole, 1e9, 1e9 };
    mn_thin_mesh mesh = { 0 };
    if (b->yarn) {
        const mn_yarn_def def = { .pattern = MN_YARN_STRAIGHT,
                                  .size    = { whole, 0.0 },
                                  .radius  = RADIUS,
                                  .spacing = b->spacing };
        assert_int_equal(mn_yarn_generate(c, &def, &mesh), MN_OK);
    } else {
        const mn_cloth_def def = { .size    = { whole, 3.0 * b->spacing },
                                   .spacing = b->spacing,
                                   .mesh    = MN_CLOTH_STRUCTURED };
        assert_int_equal(mn_cloth_generate(c, &def, &mesh), MN_OK);
    }
    assert_int_equal(mn_thin_group_box(c, "clamp", low, high, &mesh), MN_OK);
    return mesh;
}

static mn_world *beam_world(mn_context *c, const beam *b, const mn_pin_def *from)
{
    mn_world_def  def                  = mn_world_def_default();
    mn_fabric_def fabric               = mn_fabric_def_default();
    mn_pin_def    pin                  = *from;
    mn_world     *w                    = NULL;
    mn_thin_mesh  mesh                 = beam_mesh(c, b);
    def.domain.cell                    = b->cell;
    def.domain.gravity[1]              = -b->gamma * bend_of(b) / (mass_of(b) * pow(free_length(b), 3.0));
    def.time.dt_max                    = b->dt;
    def.solver.solid_tolerance         = b->tolerance;
    fabric.material.youngs_modulus     = YOUNG;
    fabric.material.solid_fraction     = PHI;
    fabric.material.poisson            = 0.0;
    fabric.material.internal_viscosity = 0.0;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    snprintf(fabric.name, sizeof fabric.name, "beam");
    snprintf(pin.group, sizeof pin.group, "clamp");
    fabric.mesh = &mesh;
    fabric.pins = &pin, fabric.pin_count = 1;
    fabric.damping = b->damped * frequency(b);
    fabric.at[0] = 0.137, fabric.at[1] = 0.0713, fabric.at[2] = 0.021;  // nowhere in particular on the grid
    if (mn_world_add_fabric(w, &fabric) != MN_OK) fail_msg("%s", mn_context_error(c));
    mn_thin_mesh_free(c, &mesh);
    return w;
}

static void step_to(mn_world *w, double until)
{
    while (mn_world_time(w) < until)
        if (mn_world_step(w, until) != MN_OK) fail_msg("%s", mn_context_error(w->context));
}

/// Mean of the far rim along an axis.
static double tip_of(const mn_world *w, double *const field[3], int axis)
{
    const mn_fabric *q   = &w->fabric;
    float            far = -INFINITY;
    double           sum = 0.0;
    int              n   = 0;
    for (int64_t v = 0; v < q->vertices.count; v++) far = fmaxf(far, q->rest[0][v]);
    for (int64_t v = 0; v < q->vertices.count; v++)
        if (q->rest[0][v] > far - 1e-4f) sum += field[axis][v], n++;
    return sum / n;
}

/// Vertices that are not, to the bit, where the motion has them now.
static int astray(const mn_world *w)
{
    const mn_fabric_pin *pin  = &w->fabric.pieces[0].pins[0];
    const mn_pose        pose = mn_motion_pose(pin->motion, mn_world_time(w));
    int                  n    = 0;
    for (int64_t j = 0; j < pin->count; j++) {
        const mn_vec3 is = mn_fabric_at(&w->fabric, pin->vertex[j]), goal = mn_pose_point(&pose, pin->home[j]);
        n += is.x != goal.x || is.y != goal.y || is.z != goal.z;
    }
    return n;
}

/// Heavy elastica at w g L^3 / D = 1: its tip drops by 0.123471 L.
static void cantilevers_droop_as_the_heavy_elastica(void **state)
{
    (void)state;
    static const int    rows[3]    = { 2, 3, 5 };
    static const double spacing[3] = { 0.2, 0.4 / 3.0, 0.1 };
    mn_context         *c          = test_context(1);
    const mn_pin_def    pin        = mn_pin_def_default();
    for (int k = 0; k < 18; k++) {
        const beam   b    = { .yarn      = k >= 9,
                              .rows      = rows[k % 3],
                              .spacing   = spacing[k / 3 % 3],
                              .length    = 4.0,
                              .cell      = 0.2,
                              .dt        = 1e-2,
                              .gamma     = 1.0,
                              .damped    = 1.4,
                              .tolerance = 1e-5 };
        mn_world    *w    = beam_world(c, &b, &pin);
        const double high = tip_of(w, w->fabric.vertices.position, 1);
        step_to(w, 14.0 / frequency(&b));
        const double drop = (high - tip_of(w, w->fabric.vertices.position, 1)) / free_length(&b);
        print_message("%s held by %d rows, edges of %.3g cm: drop / L %.6f, %.4f of theory\n",
                      b.yarn ? "yarn" : "cloth", b.rows, b.spacing, drop, drop / 0.123471);
        assert_near(drop / 0.123471, 1.0, 0.01);
        assert_int_equal(astray(w), 0);
        mn_world_destroy(&w);
    }
    test_context_end(&c);
}

/// Let go straight under little weight, a clamped piece swings about its rest with the period of its first mode.
static void clamped_fabric_swings_in_its_period(void **state)
{
    (void)state;
    mn_context      *c   = test_context(1);
    const mn_pin_def pin = mn_pin_def_default();
    for (int yarn = 0; yarn < 2; yarn++) {
        beam b        = { .yarn = yarn == 1, .rows = 3, .spacing = 0.1, .length = 3.0, .cell = 0.2, .gamma = 0.01 };
        b.tolerance   = 1e-5;
        b.dt          = 0.02 / frequency(&b);
        mn_world *w   = beam_world(c, &b, &pin);
        double    was = -1.0, period = 0.0;
        bool      low = false;
        for (int k = 1; period == 0.0 && k < 400; k++) {
            step_to(w, k * b.dt);
            const double now = tip_of(w, w->fabric.vertices.velocity, 1);
            if (now > 0.0) low = true;
            if (low && now < 0.0) period = (k - now / (now - was)) * b.dt;
            was = now;
        }
        // Velocities of a step are those of its middle; backward Euler is slow by (omega h)^2 / 3.
        const double ratio = (period - 0.5 * b.dt) * frequency(&b) / (2.0 * MN_PI);
        print_message("%s: period %.4f of theory\n", yarn ? "yarn" : "cloth", ratio);
        assert_near(ratio, 1.0, 0.01);
        mn_world_destroy(&w);
    }
    test_context_end(&c);
}

/// However loose the solve, what a pin bears is weight and the change of momentum, also where it carries its vertices
/// to and fro; and they are where it puts them.
static void pins_bear_weight_and_the_change_of_momentum(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    for (int k = 0; k < 4; k++) {
        const beam b   = { .yarn      = k % 2 == 1,
                           .rows      = 3,
                           .spacing   = 0.1,
                           .length    = 2.0,
                           .cell      = 0.2,
                           .dt        = 2e-3,
                           .gamma     = 50.0,
                           .tolerance = 1e-3 };
        mn_pin_def pin = mn_pin_def_default();
        if (k >= 2) {
            for (int a = 0; a < 3; a++) pin.motion.amplitude[a] = 0.2 + 0.1 * a;
            pin.motion.frequency = 3.0;
            pin.motion.spin[0] = 2.0, pin.motion.spin[2] = 5.0;
        }
        mn_world     *w      = beam_world(c, &b, &pin);
        const mn_vec3 g      = mn_v3_from(w->def.domain.gravity);
        double        weight = 0.0, worst = 0.0;
        mn_vec3       before = mn_fabric_sum(&w->fabric).momentum;
        for (int n = 0; n < 60; n++) {
            const double begin = mn_world_time(w);
            if (mn_world_step(w, 0.0017 * (n + 1)) != MN_OK) fail_msg("%s", mn_context_error(c));
            const double  dt        = mn_world_time(w) - begin;
            const mn_vec3 now       = mn_fabric_sum(&w->fabric).momentum;
            const mn_vec3 by_fabric = mn_fabric_pin_force(&w->fabric, &w->fabric.pieces[0], 0, mn_world_time(w));
            for (int64_t v = 0; n == 0 && v < w->fabric.vertices.count; v++) weight += w->fabric.mass[v];
            const mn_vec3 gain = mn_sub3(now, before), due = mn_scale3(dt, mn_sub3(mn_scale3(weight, g), by_fabric));
            worst = fmax(worst, mn_norm3(mn_sub3(gain, due)) / (dt * (weight * mn_norm3(g) + mn_norm3(by_fabric))));
            assert_int_equal(astray(w), 0);
            before = now;
        }
        print_message("%s, pins %s: balance of momentum off by %.1e\n", b.yarn ? "yarn" : "cloth",
                      k < 2 ? "at rest" : "that move", worst);
        assert_less(worst, 1e-10);
        mn_world_destroy(&w);
    }
    test_context_end(&c);
}

/// A pin that begins later takes its vertices home from where they have fallen, within its steps.
static void a_late_pin_brings_its_vertices_home(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    const beam
        b = { .rows = 3, .spacing = 0.1, .length = 2.0, .cell = 0.2, .dt = 2e-3, .gamma = 50.0, .tolerance = 1e-3 };
    mn_pin_def pin = mn_pin_def_default();
    pin.during[0] = 0.05, pin.during[1] = 0.2;
    mn_world *w = beam_world(c, &b, &pin);
    step_to(w, 0.04);
    assert_true(astray(w) > 0);
    assert_true(mn_norm3(mn_fabric_pin_force(&w->fabric, &w->fabric.pieces[0], 0, mn_world_time(w))) == 0.0);
    step_to(w, 0.1);
    assert_int_equal(astray(w), 0);
    assert_true(mn_fabric_pin_force(&w->fabric, &w->fabric.pieces[0], 0, mn_world_time(w)).y != 0.0);
    step_to(w, 0.25);
    assert_true(astray(w) > 0);
    mn_world_destroy(&w);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cantilevers_droop_as_the_heavy_elastica),
        cmocka_unit_test(clamped_fabric_swings_in_its_period),
        cmocka_unit_test(pins_bear_weight_and_the_change_of_momentum),
        cmocka_unit_test(a_late_pin_brings_its_vertices_home),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
