// SPDX-License-Identifier: MPL-2.0
// Whole steps of a film: budgets, patterns, reaction on the cloth, and the same bits on any number of threads
// (stain.C20 to C24).
#include "testing.h"

#include "base/hash.h"
#include "failing_memory.h"
#include "stain/film.h"
#include "verify/stain/stain_meshes.h"

#include <stdlib.h>

typedef struct cloth {
    mn_context            *c;
    mn_arena              *arena;
    mn_stain_mesh          mesh;
    mn_stain_tensor       *tensor;
    mn_stain_film_def      def;
    mn_stain_pigment       pigment[2];
    const mn_stain_tensor *mix[2];
    mn_stain_film         *f;
    mn_vec3               *x;
} cloth;

static void cloth_mesh(cloth *q, mn_stain_square_def def)
{
    assert_int_equal(mn_stain_mesh_square(q->c, &def, &q->mesh), MN_OK);
}

/// The mesh is in place: one tensor for all, no gravity, nothing exchanged; to be changed before cloth_film.
static void cloth_prepare(cloth *q, mn_stain_tensor tensor)
{
    const int64_t n = q->mesh.triangle_count;
    assert_int_equal(mn_arena_create(q->c, &q->arena), MN_OK);
    q->tensor = malloc((size_t)n * sizeof *q->tensor);
    q->x      = malloc((size_t)q->mesh.vertex_count * sizeof *q->x);
    for (int64_t t = 0; t < n; t++) q->tensor[t] = mn_stain_tensor_at(tensor, mn_stain_mesh_angle(&q->mesh, t));
    q->def                = mn_stain_film_def_default();
    q->def.vertex_count   = q->mesh.vertex_count;
    q->def.triangle_count = n;
    q->def.x              = q->mesh.x;
    q->def.triangle       = q->mesh.triangle;
    q->def.spread         = q->tensor;
    q->def.gravity        = mn_v3(0.0, 0.0, 0.0);
    q->def.pigments       = 1;
    q->def.pigment        = q->pigment;
    q->def.exchange       = (mn_stain_exchange_def){ .rim_factor = 1.0, .dry = 1e-10, .wet = 1e-4 };
    for (int k = 0; k < 2; k++) q->pigment[k] = (mn_stain_pigment){ .solubility = 1e4 };
}

static void cloth_film(cloth *q) { assert_int_equal(mn_stain_film_create(q->c, &q->def, &q->f), MN_OK); }

static void cloth_end(cloth *q)
{
    mn_stain_film_destroy(&q->f);
    free(q->tensor);
    free(q->x);
    mn_stain_mesh_free(q->c, &q->mesh);
    mn_arena_destroy(&q->arena);
    test_context_end(&q->c);
}

static void drop(cloth *q, double radius, double density, double concentration)
{
    for (int64_t v = 0; v < q->mesh.vertex_count; v++) {
        const double liquid     = density * q->f->surface->area[v],
                     pigment[2] = { concentration * liquid, 0.5 * concentration * liquid };
        if (mn_norm3(q->mesh.x[v]) < radius) mn_stain_film_add(q->f, v, liquid, pigment, (mn_stain_vec){ 0.0, 0.0 });
    }
}

static void run(cloth *q, int steps)
{
    mn_stain_step_report report;
    for (int k = 0; k < steps; k++) {
        assert_int_equal(mn_stain_film_step(q->f, NULL, q->arena, &report), MN_OK);
        assert_true(report.converged);
    }
}

/// All that is left of pigment 0 at a vertex, per area.
static double stain(const cloth *q, int64_t v)
{
    double sum = 0.0;
    for (int k = 0; k < MN_STAIN_STATES; k++) sum += mn_stain_solute_of(q->f->solute, (mn_stain_state)k, 0)[v];
    return sum / q->f->surface->area[v];
}

#define RINGS 24
#define WET   20

/// Pigment of a round drop after it has dried: outermost wet ring over the middle.
static double rim_ratio(double rim_factor, bool evaporates, bool carry, int steps)
{
    cloth q = { .c = test_context(1) };
    assert_int_equal(mn_stain_mesh_disc(q.c, 2.4, RINGS, &q.mesh), MN_OK);
    cloth_prepare(&q, (mn_stain_tensor){ 4.0, 0.0, 4.0 });
    q.def.exchange.evaporation = evaporates ? 1e-3 : 0.0;
    q.def.exchange.rim_factor  = rim_factor;
    q.def.exchange.wet         = 1e-6;
    q.def.h                    = 12.0 / steps;
    q.def.pin                  = 1e9;
    q.def.no_carry             = !carry;
    cloth_film(&q);
    drop(&q, 2.0 + 0.05, 0.01, 0.01);
    run(&q, steps);
    double rim = 0.0, middle = 0.0;
    for (int i = 0; i < 6 * WET; i++) rim += stain(&q, 1 + 3 * WET * (WET - 1) + i) / (6 * WET);
    for (int i = 0; i < 6 * 3; i++) middle += stain(&q, 1 + 3 * 3 * 2 + i) / 18.0;
    const mn_stain_sums s = mn_stain_film_sums(q.f);
    assert_near((s.free + s.held + s.evaporated) / s.added, 1.0, 1e-12);
    assert_near(mn_stain_solute_total(q.f->solute, 0) / q.f->pigment_added[0], 1.0, 1e-12);
    if (evaporates) assert_true(s.free == 0.0);
    cloth_end(&q);
    return rim / middle;
}

static void drying_drops_leave_dark_rims(void **state)
{
    (void)state;
    // The concentration grows as liquid vanishes, so the rim darkens with the logarithm of the steps until it is dry.
    const double weak = rim_ratio(1.2, true, true, 600), middle = rim_ratio(2.0, true, true, 300),
                 strong = rim_ratio(3.0, true, true, 300);
    assert_less(2.0, weak);
    assert_less(weak, middle);
    assert_less(middle, strong);
    assert_less(rim_ratio(1.2, false, false, 300), 1.02);  // no evaporation, no rim
    assert_less(rim_ratio(1.2, true, false, 300), 1.02);   // pigment that takes no notice of the liquid: none either
}

/// Radius (of equal area) of what is darker than `level`, and the width over which the stain goes from 90 to 10 %.
typedef struct size {
    double radius, width;
} size;

static double radius_above(const cloth *q, const double *density, double level)
{
    double area = 0.0;
    for (int64_t v = 0; v < q->mesh.vertex_count; v++)
        if (density[v] > level) area += q->f->surface->area[v];
    return sqrt(area / MN_PI);
}

static void soak(double rate, double hold, size *liquid, size *pigment)
{
    cloth q = { .c = test_context(1) };
    cloth_mesh(&q, (mn_stain_square_def){ .nx = 61, .ny = 61, .spacing = 0.2, .diagonals = MN_DIAGONALS_ALTERNATING });
    cloth_prepare(&q, (mn_stain_tensor){ 0.3, 0.0, 0.3 });
    q.def.exchange.absorb_rate = rate;
    q.def.exchange.hold        = hold;
    q.pigment[0].rate          = 0.5;
    q.pigment[0].capacity      = 0.02;
    q.def.h                    = 0.05;
    cloth_film(&q);
    drop(&q, 1.0, 1.0, 0.1);
    run(&q, 200);
    double *a = malloc((size_t)q.mesh.vertex_count * sizeof *a), *b = malloc((size_t)q.mesh.vertex_count * sizeof *b),
           most = 0.0, dark = 0.0;
    for (int64_t v = 0; v < q.mesh.vertex_count; v++) {
        a[v] = (q.f->free[v] + q.f->held[v]) / q.f->surface->area[v];
        b[v] = stain(&q, v);
        most = fmax(most, a[v]);
        dark = fmax(dark, b[v]);
    }
    *liquid  = (size){ radius_above(&q, a, 0.1 * most),
                       radius_above(&q, a, 0.1 * most) - radius_above(&q, a, 0.9 * most) };
    *pigment = (size){ radius_above(&q, b, 0.1 * dark), 0.0 };
    free(a), free(b);
    cloth_end(&q);
}

static void capacity_and_speed_of_uptake_shape_the_stain(void **state)
{
    (void)state;
    size small, large, slow, fast, pigment;
    soak(1.0, 0.2, &small, &pigment);
    assert_less(pigment.radius, small.radius);  // liquid runs ahead of what sticks
    soak(1.0, 0.8, &large, &pigment);
    assert_less(large.radius, small.radius);
    soak(0.1, 0.2, &slow, &pigment);
    soak(2.0, 0.2, &fast, &pigment);
    assert_less(fast.width, slow.width);
}

/// Half an axis of the contour at e^-2 of the middle; `stride` leads from vertex to vertex along it.
static double half_axis(const cloth *q, int64_t stride)
{
    const int64_t middle = q->mesh.vertex_count / 2;
    for (int64_t k = 0; k < 60; k++) {
        const double here = q->f->free[middle + k * stride] / q->f->free[middle] - exp(-2.0);
        const double next = q->f->free[middle + (k + 1) * stride] / q->f->free[middle] - exp(-2.0);
        if (here > 0.0 && next <= 0.0) return (double)k + here / (here - next);
    }
    return 0.0;
}

static void stripes_make_ellipses(void **state)
{
    (void)state;
    cloth q = { .c = test_context(1) };
    cloth_mesh(&q, (mn_stain_square_def){ .nx = 121, .ny = 41, .spacing = 1.0, .diagonals = MN_DIAGONALS_ALTERNATING });
    cloth_prepare(&q, (mn_stain_tensor){ 50.5, 0.0, 1.980198 });
    q.def.h = 0.05;
    cloth_film(&q);
    drop(&q, 0.5, 1.0, 0.1);
    run(&q, 50);
    const double along = half_axis(&q, 1), across = half_axis(&q, 121);
    assert_near(along / across, 5.05, 0.5);
    cloth_end(&q);
}

/// Area of a stain on the corner of three weaves, and the largest jump of its density over an edge between patches.
static double corner_area(int n)
{
    cloth    q = { .c = test_context(1) };
    int32_t *patch;
    cloth_mesh(&q, (mn_stain_square_def){ .nx        = n,
                                          .ny        = n,
                                          .spacing   = 8.0 / (n - 1),
                                          .diagonals = MN_DIAGONALS_ALTERNATING });
    cloth_prepare(&q, (mn_stain_tensor){ 0.2, 0.0, 0.2 });
    patch = malloc((size_t)q.mesh.triangle_count * sizeof *patch);
    for (int64_t t = 0; t < q.mesh.triangle_count; t++) {
        double x = 0.0, y = 0.0;
        for (int k = 0; k < 3; k++) x += q.mesh.x[q.mesh.triangle[t][k]].x, y += q.mesh.x[q.mesh.triangle[t][k]].y;
        patch[t] = y > 0.0 ? 0 : x < 0.0 ? 1 : 2;
        if (patch[t] > 0)
            q.tensor[t] = mn_stain_tensor_at((mn_stain_tensor){ 0.6, 0.0, 0.03 },
                                             (patch[t] == 1 ? 0.7 : -0.4) + mn_stain_mesh_angle(&q.mesh, t));
    }
    q.def.patch = patch;
    q.def.h     = 0.02;
    cloth_film(&q);
    for (int64_t v = 0; v < q.mesh.vertex_count;
         v++) {  // a smooth drop, so that its own size does not depend on the mesh
        const double liquid = exp(-2.0 * mn_dot3(q.mesh.x[v], q.mesh.x[v])) * q.f->surface->area[v];
        mn_stain_film_add(q.f, v, liquid, (double[]){ 0.1 * liquid }, (mn_stain_vec){ 0.0, 0.0 });
    }
    run(&q, 60);
    double area = 0.0;
    for (int64_t t = 0; t < q.mesh.triangle_count;
         t++) {  // where the piecewise linear density is above a level, by 16 samples
        const int32_t *v = q.mesh.triangle[t];
        double         d[3];
        for (int k = 0; k < 3; k++) d[k] = q.f->free[v[k]] / q.f->surface->area[v[k]];
        for (int i = 0; i < 16; i++) {
            const double a = (i % 4 + 0.5) / 4.0, b = (1.0 - a) * (i / 4 + 0.5) / 4.0;
            if (a * d[0] + b * d[1] + (1.0 - a - b) * d[2] > 0.05)
                area += q.f->surface->triangle_area[t] * 2.0 * (1.0 - a) / 16.0;
        }
    }
    const mn_stain_sums s = mn_stain_film_sums(q.f);
    assert_near(s.free / s.added, 1.0, 1e-12);
    free(patch);
    cloth_end(&q);
    return area;
}

static void three_weaves_meet(void **state)
{
    (void)state;
    const double coarse = corner_area(41), middle = corner_area(81), fine = corner_area(161);
    assert_near(coarse / fine, 1.0, 0.03);
    assert_near(middle / fine, 1.0, 0.01);
}

static void waving(const cloth *q, double t, mn_vec3 *x)
{
    for (int64_t v = 0; v < q->mesh.vertex_count; v++) {
        const mn_vec3 p = q->mesh.x[v];
        x[v]            = mn_v3(p.x, p.y, 1.5 * sin(0.8 * p.x + 9.0 * t));
    }
}

static uint64_t state_after(int threads)
{
    cloth q = { .c = test_context(threads) };
    cloth_mesh(&q, (mn_stain_square_def){ .nx        = 70,
                                          .ny        = 70,
                                          .spacing   = 0.2,
                                          .jitter    = 0.3,
                                          .diagonals = MN_DIAGONALS_RANDOM,
                                          .seed      = 9 });
    cloth_prepare(&q, (mn_stain_tensor){ 0.5, 0.1, 0.05 });
    q.mix[0] = q.mix[1] = q.tensor;
    q.def.mix           = q.mix;
    q.def.friction      = q.tensor;
    q.def.pigments      = 2;
    q.def.gravity       = mn_v3(0.0, -980.0, 0.0);
    q.def.second_order  = true;
    q.def.exchange      = mn_stain_exchange_def_default();
    q.pigment[0] = q.pigment[1] = mn_stain_pigment_default();
    cloth_film(&q);
    drop(&q, 4.0, 0.05, 0.1);
    mn_stain_step_report report;
    int64_t              calls = 0;
    for (int k = 1; k <= 6; k++) {
        waving(&q, k * q.def.h, q.x);
        assert_int_equal(mn_arena_reset(q.arena), MN_OK);
        if (k == 6) calls = mn_context_memory(q.c).calls;
        assert_int_equal(mn_stain_film_step(q.f, q.x, q.arena, &report), MN_OK);
    }
    assert_true(mn_context_memory(q.c).calls == calls);  // a settled step does not touch the heap
    assert_true(report.fastest > 1.0 && report.parts > 1);
    const size_t n    = (size_t)q.mesh.vertex_count;
    uint64_t     hash = mn_hash_bytes(MN_HASH_SEED, q.f->free, n * sizeof(double));
    hash              = mn_hash_bytes(hash, q.f->u, n * sizeof *q.f->u);
    for (int k = 0; k < MN_STAIN_STATES; k++) hash = mn_hash_bytes(hash, q.f->solute->mass[k], 2 * n * sizeof(double));
    cloth_end(&q);
    return hash;
}

static void bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    const uint64_t one = state_after(1);
    assert_true(state_after(2) == one);
    assert_true(state_after(3) == one);
    assert_true(state_after(8) == one);
}

static void friction_pushes_the_cloth(void **state)
{
    (void)state;
    cloth q = { .c = test_context(1) };
    cloth_mesh(&q, (mn_stain_square_def){ .nx = 21, .ny = 21, .spacing = 1.0, .diagonals = MN_DIAGONALS_ALTERNATING });
    cloth_prepare(&q, (mn_stain_tensor){ 0.0, 0.0, 0.0 });
    q.def.drag    = 3.0;
    q.def.gravity = mn_v3(100.0, 0.0, 0.0);
    cloth_film(&q);
    drop(&q, 4.0, 0.1, 0.1);
    run(&q, 1);
    // From rest u' = g - drag u: what is left of g h is g (1 - exp(-drag h)) / drag, and the rest was given to the
    // cloth.
    const double given  = 100.0 * q.def.h - 100.0 * (1.0 - exp(-3.0 * q.def.h)) / 3.0;
    double       pushed = 0.0, mass[441], load = 0.0;
    for (int64_t v = 0; v < 441; v++) pushed += q.f->impulse[v].x;
    // Liquid that just arrived at dry vertices had no push.
    assert_near(pushed / (mn_stain_film_sums(q.f).free * given), 1.0, 0.01);
    mn_stain_film_load(q.f, mass);
    for (int64_t v = 0; v < 441; v++) load += mass[v];
    assert_near(load, 1.1 * q.f->added, 1e-12);
    cloth_end(&q);
}

static void steps_of_other_lengths_feel_the_same_motion(void **state)
{
    (void)state;
    cloth q = { .c = test_context(1) };
    cloth_mesh(&q, (mn_stain_square_def){ .nx = 9, .ny = 9, .spacing = 1.0, .diagonals = MN_DIAGONALS_ALTERNATING });
    cloth_prepare(&q, (mn_stain_tensor){ 0.1, 0.0, 0.1 });
    cloth_film(&q);
    for (int64_t v = 0; v < 81; v++) mn_stain_film_add(q.f, v, 0.1, (double[]){ 0.0 }, (mn_stain_vec){ 0.0, 0.0 });
    // Accelerating along x at 50: seen from the cloth liquid gains -50 t, in steps of any length.
    double               t = 0.0;
    mn_stain_step_report report;
    static const double  lengths[4] = { 0.01, 0.004, 0.02, 0.001 };
    for (int64_t v = 0; v < 81; v++) q.x[v] = mn_v3(q.mesh.x[v].x + 25.0 * 1e-4, q.mesh.x[v].y, 0.0);
    assert_int_equal(mn_stain_film_place(q.f, q.x, q.mesh.x), MN_OK);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(mn_stain_film_set_step(q.f, lengths[k]), MN_OK);
        t += lengths[k];
        for (int64_t v = 0; v < 81; v++) q.x[v] = mn_v3(q.mesh.x[v].x + 25.0 * t * t, q.mesh.x[v].y, 0.0);
        assert_int_equal(mn_stain_film_step(q.f, q.x, q.arena, &report), MN_OK);
    }
    const mn_stain_frame *f = &q.f->frame[1][40];  // the middle, which the rim has not reached
    assert_near(f->x.x * q.f->u[40].x + mn_stain_frame_y(f).x * q.f->u[40].y, -50.0 * t, 1e-8);
    assert_int_equal(mn_stain_film_set_step(q.f, -1.0), MN_ERR_ARGUMENT);
    cloth_end(&q);
}

/// A film that leans to one side swings back at the speed of shallow water.
static void films_of_a_density_level_out(void **state)
{
    (void)state;
    cloth q = { .c = test_context(1) };
    cloth_mesh(&q, (mn_stain_square_def){ .nx = 81, .ny = 3, .spacing = 0.25, .diagonals = MN_DIAGONALS_ALTERNATING });
    cloth_prepare(&q, (mn_stain_tensor){ 0.0, 0.0, 0.0 });
    q.def.gravity      = mn_v3(0.0, 0.0, -980.0);
    q.def.density      = 1.0;
    q.def.second_order = true;
    q.def.h            = 0.005;
    cloth_film(&q);
    for (int64_t v = 0; v < q.mesh.vertex_count; v++)  // 0.1 cm of water in a trough of 20 cm, its first mode
        mn_stain_film_add(q.f, v, q.f->surface->area[v] * 0.1 * (1.0 + 0.02 * sin(MN_PI * q.mesh.x[v].x / 20.0)),
                          (double[]){ 0.0 }, (mn_stain_vec){ 0.0, 0.0 });
    double t = 0.0, last = 1.0, crossed = 0.0;
    while (t < 3.0 && crossed == 0.0) {
        run(&q, 1);
        t += q.def.h;
        double tilt = 0.0;
        for (int64_t v = 0; v < q.mesh.vertex_count; v++) tilt += q.f->free[v] * sin(MN_PI * q.mesh.x[v].x / 20.0);
        if (tilt < 0.0) crossed = t - q.def.h * tilt / (tilt - last);
        last = tilt;
    }
    assert_near(crossed / (0.5 * 20.0 / sqrt(980.0 * 0.1)), 1.0, 0.03);  // a quarter of the period 2 L / sqrt(g H)
    cloth_end(&q);
}

static void stretched_cloth_keeps_masses_and_velocities(void **state)
{
    (void)state;
    cloth q = { .c = test_context(1) };
    cloth_mesh(&q, (mn_stain_square_def){ .nx        = 9,
                                          .ny        = 9,
                                          .spacing   = 1.0,
                                          .jitter    = 0.2,
                                          .diagonals = MN_DIAGONALS_RANDOM,
                                          .seed      = 1 });
    cloth_prepare(&q, (mn_stain_tensor){ 0.1, 0.0, 0.1 });
    cloth_film(&q);
    const mn_mat3 turn = mn_rotation3(mn_v3(0.6, 0.8, 0.0), 1.1);
    for (int64_t v = 0; v < 81; v++)
        q.x[v] = mn_mul3(turn, mn_v3(1.5 * q.mesh.x[v].x + 0.3 * q.mesh.x[v].y, q.mesh.x[v].y, 0.0));
    assert_int_equal(mn_stain_film_place(q.f, NULL, q.x), MN_OK);
    const mn_vec3 flow = mn_mul3(turn, mn_v3(3.0, -2.0, 0.0));
    double        before[81];
    for (int64_t v = 0; v < 81; v++) {
        const mn_stain_frame *f = &q.f->frame[1][v];
        mn_stain_film_add(q.f, v, 0.1, (double[]){ 0.0 },
                          (mn_stain_vec){ mn_dot3(f->x, flow), mn_dot3(mn_stain_frame_y(f), flow) });
        before[v] = 0.1 / q.f->surface->area[v];
    }
    assert_int_equal(mn_stain_film_stretch(q.f, q.x, &q.def), MN_OK);
    for (int64_t v = 0; v < 81; v++) {
        const mn_stain_frame *f = &q.f->frame[1][v];
        const mn_vec3         u = mn_add3(mn_scale3(q.f->u[v].x, f->x), mn_scale3(q.f->u[v].y, mn_stain_frame_y(f)));
        assert_near(mn_norm3(mn_sub3(u, flow)), 0.0, 1e-12);
        assert_near(q.f->free[v] / q.f->surface->area[v] * 1.5, before[v], 1e-13);
    }
    cloth_end(&q);
}

static void sources_are_booked(void **state)
{
    (void)state;
    cloth q = { .c = test_context(1) };
    cloth_mesh(&q, (mn_stain_square_def){ .nx        = 15,
                                          .ny        = 15,
                                          .spacing   = 0.5,
                                          .jitter    = 0.3,
                                          .diagonals = MN_DIAGONALS_RANDOM,
                                          .seed      = 1 });
    cloth_prepare(&q, (mn_stain_tensor){ 0.5, 0.2, 0.2 });
    q.def.exchange = mn_stain_exchange_def_default();
    q.pigment[0]   = mn_stain_pigment_default();
    q.mix[0]       = q.tensor;
    q.def.mix      = q.mix;
    cloth_film(&q);
    for (int k = 0; k < 100; k++) {
        mn_stain_film_prescribe(q.f, 7 * 15 + 7, 0.1, (double[]){ 0.02 });
        run(&q, 1);
    }
    const mn_stain_sums s = mn_stain_film_sums(q.f);
    assert_true(s.added > 0.1);
    assert_near((s.free + s.held + s.evaporated) / s.added, 1.0, 1e-13);
    assert_near(mn_stain_solute_total(q.f->solute, 0) / q.f->pigment_added[0], 1.0, 1e-13);
    cloth_end(&q);
}

/// A source that holds next to nothing where another held much: the budget is held against all that came, not against
/// what is left.
static void what_a_source_takes_away_is_booked_apart(void **state)
{
    (void)state;
    cloth q = { .c = test_context(1) };
    cloth_mesh(&q, (mn_stain_square_def){ .nx = 3, .ny = 3, .spacing = 0.5 });
    cloth_prepare(&q, (mn_stain_tensor){ 0.5, 0.2, 0.2 });
    q.pigment[0] = mn_stain_pigment_default();
    q.mix[0]     = q.tensor;
    q.def.mix    = q.mix;
    cloth_film(&q);
    mn_stain_film_prescribe(q.f, 4, 1e-6, (double[]){ 1e-8 });
    mn_stain_film_prescribe(q.f, 4, 1000.0 / 3.0, (double[]){ 10.0 / 3.0 });
    mn_stain_film_prescribe(q.f, 4, 3e-6, (double[]){ 3e-8 });
    const mn_stain_sums s = mn_stain_film_sums(q.f);
    assert_near((s.free - s.added + s.removed) / s.added, 0.0, 1e-15);
    assert_true(s.added > 300.0 * q.f->surface->area[4] && s.removed > 0.999 * s.added);
    assert_near((mn_stain_solute_total(q.f->solute, 0) - q.f->pigment_added[0] + q.f->pigment_removed[0]) /
                    q.f->pigment_added[0],
                0.0, 1e-15);
    cloth_end(&q);
}

static void bad_definitions_are_refused(void **state)
{
    (void)state;
    cloth q = { .c = test_context(1) };
    cloth_mesh(&q, (mn_stain_square_def){ .nx = 3, .ny = 3, .spacing = 0.5 });
    cloth_prepare(&q, (mn_stain_tensor){ 0.5, 0.2, 0.2 });
    q.def.h = 0.0;
    assert_int_equal(mn_stain_film_create(q.c, &q.def, &q.f), MN_ERR_ARGUMENT);
    assert_null(q.f);
    q.def.h           = 0.01;
    q.pigment[0].rate = -1.0;
    assert_int_equal(mn_stain_film_create(q.c, &q.def, &q.f), MN_ERR_ARGUMENT);
    q.pigment[0].rate = 0.0;
    q.tensor[1].xx    = NAN;
    assert_int_equal(mn_stain_film_create(q.c, &q.def, &q.f), MN_ERR_ARGUMENT);
    cloth_end(&q);
}

/// A film and a step, with memory that refuses from a request on.
static mn_status film_and_step(failing_memory *memory, void *user)
{
    (void)user;
    mn_context          *c     = NULL;
    mn_arena            *arena = NULL;
    mn_stain_mesh        mesh  = { 0 };
    mn_stain_film       *f     = NULL;
    mn_stain_step_report report;
    mn_stain_tensor      tensor[32];
    mn_status            st = failing_context_create(memory, 1, &c);
    if (st != MN_OK) return st;
    const mn_stain_square_def square = { .nx        = 5,
                                         .ny        = 5,
                                         .spacing   = 1.0,
                                         .jitter    = 0.3,
                                         .diagonals = MN_DIAGONALS_RANDOM,
                                         .seed      = 3 };
    st                               = mn_stain_mesh_square(c, &square, &mesh);
    if (st == MN_OK) st = mn_arena_create(c, &arena);
    for (int k = 0; k < 32; k++) tensor[k] = (mn_stain_tensor){ 1.0, 0.0, 0.01 };
    mn_stain_film_def      d       = mn_stain_film_def_default();
    const mn_stain_pigment pigment = mn_stain_pigment_default();
    const mn_stain_tensor *mix[1]  = { tensor };
    d.vertex_count = mesh.vertex_count, d.triangle_count = mesh.triangle_count, d.x = mesh.x,
    d.triangle = mesh.triangle;
    d.spread = d.friction = tensor, d.pigments = 1, d.pigment = &pigment, d.mix = mix, d.second_order = true;
    if (st == MN_OK) st = mn_stain_film_create(c, &d, &f);
    if (st == MN_OK) {
        mn_stain_film_add(f, 12, 0.1, (double[]){ 0.01 }, (mn_stain_vec){ 30.0, 20.0 });
        st = mn_stain_film_step(f, mesh.x, arena, &report);
    }
    mn_stain_film_destroy(&f);
    mn_stain_mesh_free(c, &mesh);
    mn_arena_destroy(&arena);
    mn_context_destroy(&c);
    return st;
}

static void memory_that_runs_out_is_reported(void **state)
{
    (void)state;
    failing_memory memory = PLENTY_OF_MEMORY;
    assert_true(survives_every_failing_allocation(&memory, film_and_step, NULL, NULL) > 49);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drying_drops_leave_dark_rims),
        cmocka_unit_test(capacity_and_speed_of_uptake_shape_the_stain),
        cmocka_unit_test(stripes_make_ellipses),
        cmocka_unit_test(three_weaves_meet),
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(friction_pushes_the_cloth),
        cmocka_unit_test(steps_of_other_lengths_feel_the_same_motion),
        cmocka_unit_test(films_of_a_density_level_out),
        cmocka_unit_test(stretched_cloth_keeps_masses_and_velocities),
        cmocka_unit_test(sources_are_booked),
        cmocka_unit_test(what_a_source_takes_away_is_booked_apart),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(memory_that_runs_out_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
