// SPDX-License-Identifier: MPL-2.0
// Fabric as a whole: conservation, free fall, hanging, wind, solids that move.
#include "fabric_worlds.h"

#include <string.h>

static const double no_gravity[3] = { 0.0, 0.0, 0.0 };

/// What momentum is measured against: it may be zero in total.
static double size_of_motion(const mn_fabric *q)
{
    double sum = 0.0;
    for (int64_t i = 0; i < q->vertices.count; i++)
        sum += q->mass[i] *
               mn_norm3(mn_v3(q->vertices.velocity[0][i], q->vertices.velocity[1][i], q->vertices.velocity[2][i]));
    return sum;
}

typedef struct drift {
    double  momentum, angular, energy;
    int64_t contacts;
} drift;

/// Relative change of the sums over some steps, the largest on the way; and how far energy grew.
static drift run_and_compare(mn_world *w, int count, double dt)
{
    mn_fabric *q = &w->fabric;
    drift      d = { 0 };
    assert_int_equal(mn_fabric_prepare(q), MN_OK);
    const mn_fabric_sums first  = mn_fabric_sum(q);
    const double         motion = size_of_motion(q), elastic = mn_world_ledger(w).energy_elastic,
                 angular = mn_norm3(first.angular);
    for (int k = 0; k < count; k++) {
        steps_of(w, 1, dt);
        const mn_fabric_sums now = mn_fabric_sum(q);
        const mn_ledger      l   = mn_world_ledger(w);
        d.momentum               = fmax(d.momentum, mn_norm3(mn_sub3(now.momentum, first.momentum)) / motion);
        d.angular                = mn_norm3(mn_sub3(now.angular, first.angular)) / angular;
        d.energy = fmax(d.energy, (l.energy_kinetic + l.energy_elastic) / (first.kinetic + elastic) - 1.0);
        d.contacts += q->contact_count;
    }
    return d;
}

static mn_world *colliding_bundles(mn_context *c, double dt)
{
    mn_world *w = fabric_world(c, 0.3, dt, no_gravity);
    for (int k = 0; k < 2; k++) {
        mn_thin_mesh  mesh;
        mn_fabric_def def = mn_fabric_def_default();
        make_bundle(c, 2.4, 7, 0.15, &mesh);
        def.axis[1]              = 1.0;
        def.angle                = k * 0.5 * MN_PI;
        def.at[1]                = 0.7 * k;
        def.velocity[1]          = k == 0 ? 5.0 : -15.0;
        def.spin[k == 0 ? 0 : 2] = 20.0;
        assert_int_equal(add_mesh(c, w, &def, &mesh), MN_OK);
    }
    return w;
}

static void colliding_yarn_keeps_its_momentum(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    double      angular[2];
    for (int k = 0; k < 2; k++) {
        const double dt    = k == 0 ? 1e-3 : 5e-4;
        mn_world    *w     = colliding_bundles(c, dt);
        const drift  found = run_and_compare(w, k == 0 ? 100 : 200, dt);
        print_message("yarn, dt %g: momentum %.2g, angular %.3g, energy %.2g, contacts %lld\n", dt, found.momentum,
                      found.angular, found.energy, (long long)found.contacts);
        assert_true(found.contacts > 100);
        assert_less(found.momentum, 1e-12);
        assert_less(found.angular, 0.2);
        assert_less(found.energy, 1e-3);
        angular[k] = found.angular;
        mn_world_destroy(&w);
    }
    // Implicit forces act where the step began: their torque vanishes with the step, measured as its power 1.7.
    assert_less(angular[1], 0.5 * angular[0]);
    test_context_end(&c);
}

static void colliding_cloth_keeps_its_momentum_and_gains_no_energy(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    double      angular[2];
    for (int k = 0; k < 2; k++) {
        const double dt = k == 0 ? 1e-3 : 5e-4;
        mn_world    *w  = fabric_world(c, 0.3, dt, no_gravity);
        for (int i = 0; i < 2; i++) {
            mn_thin_mesh  mesh;
            mn_fabric_def def = mn_fabric_def_default();
            make_sheet(c, 1.8, 1.8, 0.15, &mesh);
            def.axis[0] = 1.0, def.axis[1] = 0.0;
            def.angle = i == 0 ? 0.0 : 0.2;
            def.at[0] = 0.6 * i, def.at[1] = 0.8 * i;
            def.velocity[1] = i == 0 ? 8.0 : -12.0;
            assert_int_equal(add_mesh(c, w, &def, &mesh), MN_OK);
        }
        const drift found = run_and_compare(w, k == 0 ? 100 : 200, dt);
        print_message("cloth, dt %g: momentum %.2g, angular %.3g, energy %.2g, contacts %lld\n", dt, found.momentum,
                      found.angular, found.energy, (long long)found.contacts);
        assert_true(found.contacts > 100);
        assert_less(found.momentum, 1e-12);
        assert_less(found.angular, 0.2);
        assert_less(found.energy, 1e-3);
        angular[k] = found.angular;
        mn_world_destroy(&w);
    }
    assert_less(angular[1], 0.5 * angular[0]);
    test_context_end(&c);
}

static void free_fall_is_rigid(void **state)
{
    (void)state;
    const double  g[3]  = { 100.0, -981.0, 50.0 };
    mn_context   *c     = test_context(2);
    mn_world     *w     = fabric_world(c, 0.4, 2e-3, g);
    mn_fabric_def sheet = mn_fabric_def_default(), yarn = mn_fabric_def_default();
    mn_thin_mesh  mesh;
    make_sheet(c, 2.0, 2.0, 0.2, &mesh);
    assert_int_equal(add_mesh(c, w, &sheet, &mesh), MN_OK);
    make_bundle(c, 2.0, 3, 0.2, &mesh);
    yarn.at[1] = 5.0;
    assert_int_equal(add_mesh(c, w, &yarn, &mesh), MN_OK);
    mn_fabric *q = &w->fabric;
    double     begin[3][2];
    for (int a = 0; a < 3; a++)
        begin[a][0] = q->vertices.position[a][0], begin[a][1] = q->vertices.position[a][q->vertices.count - 1];
    while (mn_world_time(w) < 0.2) steps_of(w, 1, 0.2 - mn_world_time(w));
    const double speed = 0.2 * sqrt(100.0 * 100.0 + 981.0 * 981.0 + 50.0 * 50.0);
    for (int a = 0; a < 3; a++) {
        for (int64_t i = 0; i < q->vertices.count; i++)
            assert_near(q->vertices.velocity[a][i], 0.2 * g[a], 1e-12 * speed);
        const double apart = q->vertices.position[a][q->vertices.count - 1] - q->vertices.position[a][0];
        assert_near(apart, begin[a][1] - begin[a][0], 1e-11);
    }
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// A strip along gravity, held at its upper end.
static void a_hanging_strip_carries_its_weight(void **state)
{
    (void)state;
    const double  g[3] = { 981.0, 0.0, 0.0 }, length = 4.0;
    mn_context   *c   = test_context(2);
    mn_world     *w   = fabric_world(c, 0.4, 2e-3, g);
    mn_fabric_def def = mn_fabric_def_default();
    mn_pin_def    pin = mn_pin_def_default();
    mn_thin_mesh  mesh;
    w->fabric.model.solver.solid_tolerance = 1e-9;
    make_sheet(c, length, 0.8, 0.2, &mesh);
    snprintf(pin.group, sizeof pin.group, "left");
    pin.kind      = MN_PIN_SOFT;
    pin.stiffness = 1e4;
    def.pins = &pin, def.pin_count = 1;
    def.material.poisson = 0.0;
    def.damping          = 20.0;
    assert_int_equal(add_mesh(c, w, &def, &mesh), MN_OK);
    while (mn_world_time(w) < 0.5) steps_of(w, 1, 0.5 - mn_world_time(w));

    const mn_fabric       *q    = &w->fabric;
    const mn_fabric_piece *p    = &q->pieces[0];
    double                 pull = 0.0, weight = 0.0, top = 0.0, bottom = 0.0;
    int                    lowest = 0;
    for (int64_t k = 0; k < p->pins[0].count; k++) {
        const double moved = q->vertices.position[0][p->pins[0].vertex[k]] - p->pins[0].home[k].x;
        pull += pin.stiffness * moved;
        top += moved / (double)p->pins[0].count;
    }
    for (int64_t i = 0; i < q->vertices.count; i++) {
        weight += 981.0 * q->mass[i];
        if ((double)q->rest[0][i] > 0.5 * length - 1e-6)
            bottom += q->vertices.position[0][i] - (double)q->rest[0][i], lowest++;
    }
    const double modulus = def.material.solid_fraction * def.material.solid_fraction * 1.83e7,
                 density = def.material.density * def.material.solid_fraction;
    const double longer = bottom / lowest - top, expected = density * 981.0 * length * length / (2.0 * modulus);
    print_message("strip: pull / weight - 1 = %.2g, elongation %.5g cm, theory %.5g cm\n", pull / weight - 1.0, longer,
                  expected);
    assert_near(pull / weight, 1.0, 1e-6);
    assert_near(longer / expected, 1.0, 0.02);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// A sheet that swings from one edge. Returns the iterations of its last steps; `cold`: each without what the steps
/// before left.
static int64_t swing(mn_context *c, bool cold, double tip[3])
{
    const double  g[3] = { 0.0, -981.0, 0.0 };
    mn_world     *w    = fabric_world(c, 0.4, 1e-3, g);
    mn_fabric_def def  = mn_fabric_def_default();
    mn_pin_def    pin  = mn_pin_def_default();
    mn_thin_mesh  mesh;
    make_sheet(c, 3.0, 3.0, 0.2, &mesh);
    snprintf(pin.group, sizeof pin.group, "left");
    def.pins = &pin, def.pin_count = 1;
    assert_int_equal(add_mesh(c, w, &def, &mesh), MN_OK);
    const mn_fabric_vertices *v = &w->fabric.vertices;
    for (int k = 0; k < 60; k++) {
        if (k == 40) mn_world_end_frame(w);
        for (int a = 0; a < 3 && cold; a++)
            for (int64_t i = 0; i < v->count; i++) v->pull[a][i] = v->pull_before[a][i] = 0.0f;
        steps_of(w, 1, 1e-3);
    }
    const int64_t iterations = mn_world_ledger(w).solid_iterations;
    for (int a = 0; a < 3; a++) tip[a] = v->position[a][v->count - 1];
    mn_world_destroy(&w);
    return iterations;
}

static void a_solve_starts_from_the_forces_of_the_last_steps(void **state)
{
    (void)state;
    mn_context   *c = test_context(2);
    double        warm_tip[3], cold_tip[3];
    const int64_t warm = swing(c, false, warm_tip), cold = swing(c, true, cold_tip);
    print_message("swing: %lld iterations, %lld without a start\n", (long long)warm, (long long)cold);
    assert_true(10 * warm < 8 * cold);
    for (int a = 0; a < 3; a++) assert_near(warm_tip[a], cold_tip[a], 5e-3);
    test_context_end(&c);
}

/// A sheet of which every vertex is pinned, or that lies on a floor, after it has come to rest: iterations of ten more
/// steps, and where its vertices then are (x, y, z one behind the other; the caller frees).
static int64_t rest_of(mn_context *c, bool pinned, double tolerance, double **out, int64_t *count)
{
    const double  g[3] = { 0.0, -981.0, 0.0 };
    mn_world     *w    = fabric_world(c, 0.2, 1e-3, g);
    mn_fabric_def def  = mn_fabric_def_default();
    mn_pin_def    pin  = mn_pin_def_default();
    mn_thin_mesh  mesh;
    w->fabric.model.solver.solid_tolerance = tolerance;
    make_sheet(c, 1.6, 1.6, 0.1, &mesh);
    snprintf(pin.group, sizeof pin.group, "all");
    if (pinned) def.pins = &pin, def.pin_count = 1;
    else add_floor(c, w, 0.0), def.at[1] = 0.0499;
    def.damping = 20.0;
    assert_int_equal(add_mesh(c, w, &def, &mesh), MN_OK);
    steps_of(w, 150, 1e-3);
    mn_world_end_frame(w);
    steps_of(w, 10, 1e-3);
    const int64_t             iterations = mn_world_ledger(w).solid_iterations;
    const mn_fabric_vertices *v          = &w->fabric.vertices;
    *count                               = 3 * v->count;
    *out                                 = mn_alloc_array(c, double, *count);
    assert_non_null(*out);
    for (int a = 0; a < 3; a++) memcpy(*out + a * v->count, v->position[a], (size_t)v->count * sizeof **out);
    mn_world_destroy(&w);
    return iterations;
}

/// Weight and what carries it cancel: no solve is spent on what is left of them, and the sheet is where a far closer
/// one has it.
static void a_sheet_at_rest_costs_no_solve(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    for (int pinned = 0; pinned < 2; pinned++) {
        double       *loose, *close, apart = 0.0;
        int64_t       n;
        const int64_t spent   = rest_of(c, pinned == 1, 1e-3, &loose, &n),
                      closely = rest_of(c, pinned == 1, 1e-9, &close, &n);
        for (int64_t i = 0; i < n; i++) apart = fmax(apart, fabs(loose[i] - close[i]));
        print_message("%s: %lld iterations in ten steps, %lld of a close solve; %.1e cm apart\n",
                      pinned ? "all pinned" : "on a floor", (long long)spent, (long long)closely, apart);
        assert_int_equal(spent, 0);
        assert_less(apart, 1e-7);
        mn_free(c, loose);
        mn_free(c, close);
    }
    test_context_end(&c);
}

static void a_sheet_falls_as_fast_as_the_air_lets_it(void **state)
{
    (void)state;
    mn_context   *c     = test_context(2);
    mn_world_def  def   = mn_world_def_default();
    mn_world     *w     = NULL;
    mn_fabric_def sheet = mn_fabric_def_default();
    mn_thin_mesh  mesh;
    def.domain.cell            = 0.4;
    def.time.dt_max            = 2e-3;
    def.wind.density           = 0.012;
    def.solver.solid_tolerance = 1e-9;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    make_sheet(c, 1.6, 1.6, 0.2, &mesh);
    assert_int_equal(add_mesh(c, w, &sheet, &mesh), MN_OK);
    while (mn_world_time(w) < 0.5) steps_of(w, 1, 0.5 - mn_world_time(w));
    const mn_fabric_material *m = &sheet.material;
    const double terminal = sqrt(2.0 * m->thickness * m->density * m->solid_fraction * 981.0 / (0.012 * m->air_drag));
    for (int64_t i = 0; i < w->fabric.vertices.count; i++)
        assert_near(w->fabric.vertices.velocity[1][i], -terminal, 1e-6 * terminal);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// The layer of a floor that rises carries cloth as that of a floor at rest does: it meets the floor where it will be.
static void a_rising_floor_lifts_cloth(void **state)
{
    (void)state;
    const double g[3] = { 0.0, -981.0, 0.0 }, cell = 0.4;
    const double speed[2] = { 0.0, 30.0 };
    double       gap[2];
    mn_context  *c = test_context(2);
    for (int k = 0; k < 2; k++) {
        mn_world     *w     = fabric_world(c, cell, 2e-3, g);
        mn_fabric_def sheet = mn_fabric_def_default();
        mn_thin_mesh  mesh;
        w->fabric.model.solver.solid_tolerance = 1e-9;
        add_floor(c, w, speed[k]);
        make_sheet(c, 1.2, 1.2, 0.2, &mesh);
        sheet.at[1]       = 0.25 * cell - 1e-6;
        sheet.velocity[1] = speed[k];
        assert_int_equal(add_mesh(c, w, &sheet, &mesh), MN_OK);
        while (mn_world_time(w) < 0.1) steps_of(w, 1, 0.1 - mn_world_time(w));
        gap[k] = 1e9;
        for (int64_t i = 0; i < w->fabric.vertices.count; i++)
            gap[k] = fmin(gap[k], w->fabric.vertices.position[1][i] - 0.1 * speed[k]);
        mn_world_destroy(&w);
    }
    assert_near(gap[0], 0.25 * cell, 1e-5);
    assert_near(gap[1], gap[0], 1e-5);
    test_context_end(&c);
}

/// A ball that reaches no vertex but those of a hard pin changes nothing: what the pin holds goes where the pin goes.
/// A sheet on a pinned one, with friction of 20 degrees and gravity turned by a slope: how far it has gone after 0.1 s,
/// cm, and its speed in the second half of that over what Coulomb's law would have added to it.
static double slide_on_sheet(mn_context *c, double slope, double *share)
{
    const double cell = 0.4, dt = 1e-3, angle = 20.0 / 180.0 * MN_PI,
                 g[3]   = { 981.0 * sin(slope), -981.0 * cos(slope), 0.0 };
    mn_world     *w     = fabric_world(c, cell, dt, g);
    mn_fabric_def lower = mn_fabric_def_default(), upper = mn_fabric_def_default();
    mn_pin_def    pin = mn_pin_def_default();
    mn_thin_mesh  mesh;
    snprintf(pin.group, sizeof pin.group, "all");
    lower.pins = &pin, lower.pin_count = 1;
    lower.material.friction = upper.material.friction = tan(angle);
    make_sheet(c, 10 * cell, 6 * cell, 0.5 * cell, &mesh);
    assert_int_equal(add_mesh(c, w, &lower, &mesh), MN_OK);
    make_sheet(c, 4 * cell, 4 * cell, 0.5 * cell, &mesh);
    upper.at[0] = -2.0 * cell, upper.at[1] = 0.95 * cell;
    assert_int_equal(add_mesh(c, w, &upper, &mesh), MN_OK);
    const mn_fabric_vertices *v     = &w->fabric.vertices;
    const int64_t             first = w->fabric.pieces[1].first_vertex;
    double                    x = 0.0, speed[2] = { 0.0 };
    for (int half = 0; half < 2; half++) {
        steps_of(w, 50, dt);
        for (int64_t i = first; i < v->count; i++) speed[half] += v->velocity[0][i] / (double)(v->count - first);
    }
    for (int64_t i = first; i < v->count; i++) x += (v->position[0][i] + 2.0 * cell) / (double)(v->count - first);
    *share = (speed[1] - speed[0]) / (0.05 * 981.0 * (sin(slope) - tan(angle) * cos(slope)));
    mn_world_destroy(&w);
    return x;
}

/// fab.C29, as far as one velocity field of the grid can have it: below the angle of friction it sticks, far above it
/// slides. It slides far too slowly (docs/systems/wet-fabric.md, gap sheet-on-sheet): the layers are less than a kernel
/// apart, and share faces.
static void a_sheet_sticks_to_a_sheet_and_slides_when_it_is_steep(void **state)
{
    (void)state;
    mn_context  *c = test_context(1);
    double       share;
    const double stuck = slide_on_sheet(c, 18.0 / 180.0 * MN_PI, &share),
                 slid  = slide_on_sheet(c, 40.0 / 180.0 * MN_PI, &share);
    print_message("sheet on sheet, friction 20 degrees: %.4f cm in 0.1 s at 18 degrees, %.4f cm at 40; gains %.2f of "
                  "the speed of Coulomb's law\n",
                  stuck, slid, share);
    assert_less(stuck, 0.04 * 0.4);
    assert_true(slid > 20.0 * stuck);
    assert_true(share > 0.05 && share < 1.0);
    test_context_end(&c);
}

/// A pinned sheet and a free one so many cells above it; gravity draws it down or there is none. Steps of `dt` for 0.4
/// s.
static mn_world *two_layers(mn_context *c, double cells, double gravity, double dt)
{
    const double  g[3] = { 0.0, gravity, 0.0 }, cell = 0.4;
    mn_world     *w     = fabric_world(c, cell, dt, g);
    mn_fabric_def lower = mn_fabric_def_default(), upper = mn_fabric_def_default();
    mn_pin_def    pin = mn_pin_def_default();
    mn_thin_mesh  mesh;
    snprintf(pin.group, sizeof pin.group, "all");
    lower.pins = &pin, lower.pin_count = 1;
    make_sheet(c, 6 * cell, 6 * cell, 0.5 * cell, &mesh);
    assert_int_equal(add_mesh(c, w, &lower, &mesh), MN_OK);
    make_sheet(c, 4 * cell, 4 * cell, 0.5 * cell, &mesh);
    upper.at[1] = cells * cell;
    assert_int_equal(add_mesh(c, w, &upper, &mesh), MN_OK);
    while (mn_world_time(w) < 0.4 - 1e-9) steps_of(w, 1, fmin(dt, 0.4 - mn_world_time(w)));
    return w;
}

/// fab.C30: ten times the explicit limit of wet-fabric 5.16 is no limit, and layers that are apart do not feel each
/// other.
static void contact_is_implicit_and_ends_where_it_should(void **state)
{
    (void)state;
    mn_context  *c       = test_context(1);
    const double poisson = 0.202, shear = 0.04 * 1.83e7 / (2.0 * (1.0 + poisson)),
                 lambda              = 2.0 * shear * poisson / (1.0 - 2.0 * poisson);  // of the default cloth
    const double              limit  = 0.5 * 0.4 * sqrt(1.32 / (0.4 * (2.0 * shear + lambda)));
    mn_world                 *w      = two_layers(c, 1.4, -981.0, 10.0 * limit);
    const mn_fabric_vertices *v      = &w->fabric.vertices;
    double                    lowest = INFINITY, fastest = 0.0;
    for (int64_t i = 0; i < v->count; i++) {
        if (i >= w->fabric.pieces[1].first_vertex) lowest = fmin(lowest, v->position[1][i]);
        fastest = fmax(fastest, fabs(v->velocity[1][i]));
    }
    print_message("two layers, steps of %.2g s: %.2f cells apart, fastest %.2g cm/s\n", 10.0 * limit, lowest / 0.4,
                  fastest);
    assert_true(lowest > 0.5 * 0.4);
    assert_less(fastest, 0.5);
    mn_world_destroy(&w);

    w = two_layers(c, 3.5, 0.0, 4e-3);
    v = &w->fabric.vertices;
    for (int64_t i = 0; i < v->count; i++)
        for (int a = 0; a < 3; a++) assert_less(fabs(v->velocity[a][i]), 1e-12);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void a_pin_inside_a_solid_stays_where_it_is(void **state)
{
    (void)state;
    const double g[3] = { 0.0, -981.0, 0.0 };
    mn_context  *c    = test_context(2);
    mn_world    *w[2];
    for (int k = 0; k < 2; k++) {
        mn_fabric_def sheet = mn_fabric_def_default();
        mn_pin_def    pin   = mn_pin_def_default();
        mn_thin_mesh  mesh;
        w[k]                                      = fabric_world(c, DRAPE_CELL, 2e-3, g);
        w[k]->fabric.model.solver.solid_tolerance = 1e-9;
        if (k == 1) add_ball(c, w[k], 0.22);
        snprintf(pin.group, sizeof pin.group, "left");
        sheet.pins = &pin, sheet.pin_count = 1;
        sheet.at[0]              = 1.2;
        const mn_cloth_def cloth = { .outline = MN_CLOTH_RECTANGLE,
                                     .size    = { 2.4, 0.4 },
                                     .spacing = DRAPE_CELL,
                                     .mesh    = MN_CLOTH_STRUCTURED };
        assert_int_equal(mn_cloth_generate(c, &cloth, &mesh), MN_OK);
        assert_int_equal(add_mesh(c, w[k], &sheet, &mesh), MN_OK);
        steps_of(w[k], 5, 2e-3);  // no other vertex comes near meanwhile
    }
    const mn_fabric *q = &w[1]->fabric;
    assert_true(q->pieces[0].pins[0].count > 0);
    for (int64_t v = 0; v < q->vertices.count; v++)
        for (int a = 0; a < 3; a++)
            assert_near(q->vertices.position[a][v], w[0]->fabric.vertices.position[a][v], 1e-6 * DRAPE_CELL);
    for (int64_t j = 0; j < q->pieces[0].pins[0].count; j++) {
        const int32_t v = q->pieces[0].pins[0].vertex[j];
        const mn_vec3 x = mn_v3(q->vertices.position[0][v], q->vertices.position[1][v], q->vertices.position[2][v]);
        assert_true(mn_norm3(x) < 0.22);  // it is inside
    }
    for (int k = 0; k < 2; k++) mn_world_destroy(&w[k]);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colliding_yarn_keeps_its_momentum),
        cmocka_unit_test(colliding_cloth_keeps_its_momentum_and_gains_no_energy),
        cmocka_unit_test(free_fall_is_rigid),
        cmocka_unit_test(a_hanging_strip_carries_its_weight),
        cmocka_unit_test(a_solve_starts_from_the_forces_of_the_last_steps),
        cmocka_unit_test(a_sheet_at_rest_costs_no_solve),
        cmocka_unit_test(a_sheet_falls_as_fast_as_the_air_lets_it),
        cmocka_unit_test(a_rising_floor_lifts_cloth),
        cmocka_unit_test(a_sheet_sticks_to_a_sheet_and_slides_when_it_is_steep),
        cmocka_unit_test(contact_is_implicit_and_ends_where_it_should),
        cmocka_unit_test(a_pin_inside_a_solid_stays_where_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
