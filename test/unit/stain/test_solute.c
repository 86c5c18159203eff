// SPDX-License-Identifier: MPL-2.0
// Pigments: carried by any flows, exchanged at a vertex (stain.C17 to C19).
#include "testing.h"

#include "base/random.h"
#include "stain/advect.h"
#include "stain/exchange.h"
#include "stain/matrix.h"
#include "verify/stain/stain_meshes.h"

#include <stdlib.h>
#include <string.h>

typedef struct cloth {
    mn_context       *c;
    mn_arena         *arena;
    mn_stain_mesh     mesh;
    mn_stain_surface *s;
    mn_stain_solute  *q;
    double           *free, *held, *gone, *flow;
} cloth;

static cloth cloth_make(int n, int pigments)
{
    const mn_stain_square_def def = { .nx        = n,
                                      .ny        = n,
                                      .spacing   = 1.0,
                                      .jitter    = 0.3,
                                      .diagonals = MN_DIAGONALS_RANDOM,
                                      .seed      = 4 };
    cloth                     a   = { .c = test_context(2) };
    assert_int_equal(mn_arena_create(a.c, &a.arena), MN_OK);
    assert_int_equal(mn_stain_mesh_square(a.c, &def, &a.mesh), MN_OK);
    assert_int_equal(mn_stain_mesh_surface(a.c, &a.mesh, &a.s), MN_OK);
    assert_int_equal(mn_stain_solute_create(a.c, a.s->vertex_count, pigments, &a.q), MN_OK);
    a.free = calloc((size_t)a.s->vertex_count, sizeof(double));
    a.held = calloc((size_t)a.s->vertex_count, sizeof(double));
    a.gone = calloc((size_t)a.s->vertex_count, sizeof(double));
    a.flow = calloc((size_t)a.s->edges.count, sizeof(double));
    return a;
}

static void cloth_end(cloth *a)
{
    free(a->free), free(a->held), free(a->gone), free(a->flow);
    mn_stain_solute_destroy(&a->q);
    mn_stain_surface_destroy(&a->s);
    mn_stain_mesh_free(a->c, &a->mesh);
    mn_arena_destroy(&a->arena);
    test_context_end(&a->c);
}

static void wet(cloth *a, double free, double pigment)
{
    for (int64_t v = 0; v < a->s->vertex_count; v++) {
        a->free[v]                                         = free * a->s->area[v];
        mn_stain_solute_of(a->q, MN_STAIN_DISSOLVED, 0)[v] = pigment * a->s->area[v];
    }
}

static void exchange(cloth *a, const mn_stain_pigment *p, const mn_stain_exchange_def *def, double h, int steps)
{
    const mn_stain_liquid liquid = { .surface = a->s, .free = a->free, .held = a->held };
    for (int k = 0; k < steps; k++) assert_int_equal(mn_stain_exchange(&liquid, a->q, p, def, h, a->gone), MN_OK);
}

/// Any flows that liquid could make: random amounts, limited to what is there; some vertices dry, some filled and
/// emptied at once.
static void random_flows(cloth *a, double *liquid, uint64_t seed)
{
    for (int64_t v = 0; v < a->s->vertex_count; v++)
        liquid[v] = mn_random(seed, (uint64_t)v, 0, 0) < 0.3 ? 0.0 : mn_random(seed, (uint64_t)v, 0, 1);
    for (int64_t e = 0; e < a->s->edges.count; e++) a->flow[e] = mn_random(seed, (uint64_t)e, 1, 0) - 0.5;
    double *moved = malloc((size_t)a->s->vertex_count * sizeof *moved);
    for (int64_t v = 0; v < a->s->vertex_count; v++) moved[v] = liquid[v];
    assert_int_equal(mn_stain_move(mn_context_pool(a->c), &a->s->edges, a->flow, moved, a->arena), MN_OK);
    for (int64_t v = 0; v < a->s->vertex_count; v++) assert_true(moved[v] >= 0.0);
    free(moved);
}

static void pigment_follows_any_flow_without_loss(void **state)
{
    (void)state;
    cloth   a = cloth_make(12, 2);
    double *p = mn_stain_solute_of(a.q, MN_STAIN_DISSOLVED, 0), *u = mn_stain_solute_of(a.q, MN_STAIN_DISSOLVED, 1);
    for (uint64_t seed = 0; seed < 20; seed++) {
        random_flows(&a, a.free, seed);
        for (int64_t v = 0; v < a.s->vertex_count; v++)
            p[v] = a.free[v] * mn_random(seed, (uint64_t)v, 2, 0), u[v] = 0.25 * a.free[v];
        const double before = mn_stain_solute_total(a.q, 0);
        assert_int_equal(mn_stain_carry(a.q, &a.s->edges, a.flow, a.free, a.arena), MN_OK);
        mn_stain_gather(mn_context_pool(a.c), &a.s->edges, a.flow, a.free);
        for (int64_t v = 0; v < a.s->vertex_count; v++) {
            assert_true(p[v] >= 0.0);
            assert_near(u[v], 0.25 * a.free[v], 1e-12);  // a uniform concentration stays so
        }
        assert_near(mn_stain_solute_total(a.q, 0) / before, 1.0, 1e-13);
    }
    cloth_end(&a);
}

static void pigment_diffuses_in_liquid_only(void **state)
{
    (void)state;
    cloth                 a = cloth_make(12, 1);
    mn_stain_operator    *op;
    mn_stain_tensor      *s = malloc((size_t)a.s->triangle_count * sizeof *s);
    mn_stain_solve_report report;
    for (int64_t t = 0; t < a.s->triangle_count; t++) s[t] = (mn_stain_tensor){ 1.0, 0.0, 1.0 };
    assert_int_equal(mn_stain_operator_create(a.s, &(mn_stain_operator_def){ .tensor = s, .keep_edges = true }, &op),
                     MN_OK);
    double *p = mn_stain_solute_of(a.q, MN_STAIN_DISSOLVED, 0);
    for (int64_t v = 0; v < a.s->vertex_count; v++)
        a.free[v] = a.mesh.x[v].x < 0.7 ? a.s->area[v] * (2.0 + a.mesh.x[v].y / 6.0) : 0.0;
    p[5 * 12 + 4] = 1.0;
    for (int k = 0; k < 50; k++)
        assert_int_equal(mn_stain_diffuse_solute(a.q, 0, op, a.free, a.s->area, 10.0, 1e-10, a.arena, &report), MN_OK);
    double liquid = 0.0, sum = 0.0;
    for (int64_t v = 0; v < a.s->vertex_count; v++) liquid += a.free[v], sum += p[v];
    assert_near(sum, 1.0, 1e-13);
    for (int64_t v = 0; v < a.s->vertex_count; v++)
        assert_near(p[v], a.free[v] / liquid, 1e-6);  // uniform in the liquid, none outside
    mn_stain_operator_destroy(&op);
    free(s);
    cloth_end(&a);
}

static void absorption_is_exact_at_any_step(void **state)
{
    (void)state;
    const mn_stain_exchange_def def = { .absorb_rate = 0.2, .hold = 0.2 };
    const mn_stain_pigment      p   = { .solubility = 1.0 };
    for (int k = 0; k < 3; k++) {
        cloth a = cloth_make(4, 1);
        wet(&a, 1.0, 0.1);
        exchange(&a, &p, &def, 7.0 / (double)(1 << k), 1 << k);
        for (int64_t v = 0; v < a.s->vertex_count; v++) {
            const double held = 0.2 * (1.0 - exp(-1.4));
            assert_near(a.held[v] / a.s->area[v], held, 1e-12);
            assert_near(a.q->mass[MN_STAIN_HELD][v] / a.s->area[v], 0.1 * held, 1e-12);
        }
        cloth_end(&a);
    }
    cloth a = cloth_make(4, 1);  // less than fits
    wet(&a, 0.05, 0.01);
    exchange(&a, &p, &def, 5.0, 20);
    for (int64_t v = 0; v < a.s->vertex_count; v++) {
        assert_true(a.free[v] == 0.0);
        assert_near(a.held[v] / a.s->area[v], 0.05, 1e-15);
    }
    cloth_end(&a);
}

static void adsorption_follows_its_laws(void **state)
{
    (void)state;
    const mn_stain_exchange_def def    = { .dry = 1e-12, .wet = 1e-6 };
    const mn_stain_pigment      linear = { .rate = 0.3, .capacity = 0.02, .solubility = 1.0 };
    cloth                       a      = cloth_make(4, 1);
    wet(&a, 1.0, 0.5);
    exchange(&a, &linear, &def, 0.5, 8);
    for (int64_t v = 0; v < a.s->vertex_count; v++)
        assert_near(a.q->mass[MN_STAIN_ADSORBED][v] / a.s->area[v], 0.02 * (1.0 - exp(-1.2)), 1e-12);
    cloth_end(&a);
    // Langmuir with c that hardly changes: covered part towards k_a c / (k_a c + k_-).
    for (double c = 1e-3; c < 11.0; c *= 10.0) {
        const mn_stain_pigment p    = { .adsorption = MN_STAIN_LANGMUIR,
                                        .capacity   = 1e-13 * c,
                                        .attach     = 2.0,
                                        .detach     = 0.7 };
        const double           rate = 2.0 * c + 0.7, full = p.capacity * 2.0 * c / rate;
        assert_near(mn_stain_langmuir(&p, 0.0, c, 0.9) / full, 1.0 - exp(-rate * 0.9), 1e-12);
        assert_near(mn_stain_langmuir(&p, 0.0, c, 1e6) / full, 1.0, 1e-12);
    }
    // A closed cell: against small steps of the law itself, and two steps make one.
    const mn_stain_pigment p = { .adsorption = MN_STAIN_LANGMUIR, .capacity = 0.7, .attach = 3.0, .detach = 0.2 };
    double                 x = 0.1;
    for (int k = 0; k < 200000; k++) {
        const double mid = x + 0.5 * 1e-5 * (3.0 * (1.0 - x) * (0.7 - x) - 0.2 * x);
        x += 1e-5 * (3.0 * (1.0 - mid) * (0.7 - mid) - 0.2 * mid);
    }
    assert_near(mn_stain_langmuir(&p, 0.1, 1.0, 2.0), x, 1e-10);
    assert_near(mn_stain_langmuir(&p, mn_stain_langmuir(&p, 0.1, 1.0, 0.8), 1.0, 1.2), x, 1e-10);
    const mn_stain_pigment stays = { .adsorption = MN_STAIN_LANGMUIR, .capacity = 1.0, .attach = 3.0 };  // double root
    assert_near(mn_stain_langmuir(&stays, 0.0, 1.0, 2.0), 1.0 - 1.0 / 7.0, 1e-9);
}

static void films_dry_and_dissolve_again(void **state)
{
    (void)state;
    const mn_stain_exchange_def def = { .evaporation = 1e-3, .rim_factor = 3.0, .dry = 1e-10, .wet = 1e-4 };
    const mn_stain_pigment      p   = { .solubility = 0.5, .dissolve = 2.0 };
    cloth                       a   = cloth_make(5, 1);
    wet(&a, 0.01, 0.001);
    exchange(&a, &p, &def, 0.1, 50);
    for (int64_t v = 0; v < a.s->vertex_count; v++)
        assert_near(a.free[v] / a.s->area[v], 0.005, 1e-14);  // all wet: no rim
    exchange(&a, &p, &def, 0.1, 52);
    for (int64_t v = 0; v < a.s->vertex_count; v++) {
        assert_true(a.free[v] == 0.0 && a.q->mass[MN_STAIN_DISSOLVED][v] == 0.0);
        assert_near(a.q->mass[MN_STAIN_DRIED][v] / a.s->area[v], 0.001, 1e-16);
    }
    const mn_stain_exchange_def calm = { .dry = 1e-10, .wet = 1e-4 };
    for (int64_t v = 0; v < a.s->vertex_count; v++) a.free[v] = 0.01 * a.s->area[v];
    exchange(&a, &p, &calm, 0.1, 5);
    for (int64_t v = 0; v < a.s->vertex_count; v++)
        assert_near(a.q->mass[MN_STAIN_DISSOLVED][v] / a.s->area[v], 0.001 * (1.0 - exp(-1.0)), 1e-15);
    assert_near(mn_stain_solute_total(a.q, 0), 0.001 * 16.0, 1e-16);
    cloth_end(&a);
}

/// stain.C19: the factor of the rim acts on wet vertices with a dry neighbour, and on no others.
static void the_rim_alone_dries_faster(void **state)
{
    (void)state;
    const mn_stain_exchange_def def = { .evaporation = 1e-3, .rim_factor = 3.0, .dry = 1e-10, .wet = 1e-4 };
    const mn_stain_pigment      p   = { .solubility = 0.5 };
    cloth                       a   = cloth_make(9, 1);
    int                         rim = 0, inner = 0;
    for (int64_t v = 0; v < a.s->vertex_count; v++) a.free[v] = a.mesh.x[v].x < 0.5 ? 0.01 * a.s->area[v] : 0.0;
    uint8_t beside[81] = { 0 };
    assert_int_equal(a.s->vertex_count, 81);
    for (int64_t e = 0; e < a.s->edges.count; e++)
        for (int i = 0; i < 2; i++)
            if (a.free[a.s->edges.end[e][i]] == 0.0) beside[a.s->edges.end[e][1 - i]] = 1;
    for (int64_t v = 0; v < a.s->vertex_count; v++)
        rim += a.free[v] > 0.0 && beside[v], inner += a.free[v] > 0.0 && !beside[v];
    assert_true(rim > 3 && inner > 3);
    double *before = malloc((size_t)a.s->vertex_count * sizeof *before);
    memcpy(before, a.free, (size_t)a.s->vertex_count * sizeof *before);
    exchange(&a, &p, &def, 0.1, 1);
    for (int64_t v = 0; v < a.s->vertex_count; v++)
        assert_near((before[v] - a.free[v]) / a.s->area[v], before[v] == 0.0 ? 0.0 : beside[v] ? 3e-4 : 1e-4, 1e-15);
    free(before);
    cloth_end(&a);
}

static void what_cannot_stay_dissolved_falls_out(void **state)
{
    (void)state;
    const mn_stain_exchange_def def = { .dry = 1e-10, .wet = 1e-4 };
    const mn_stain_pigment      p   = { .solubility = 0.5, .dissolve = 2.0 };
    cloth                       a   = cloth_make(4, 1);
    wet(&a, 0.01, 0.008);
    exchange(&a, &p, &def, 0.1, 3);
    for (int64_t v = 0; v < a.s->vertex_count; v++) {
        assert_near(a.q->mass[MN_STAIN_DISSOLVED][v] / a.s->area[v], 0.005, 1e-16);
        assert_near(a.q->mass[MN_STAIN_DRIED][v] / a.s->area[v], 0.003, 1e-16);
    }
    cloth_end(&a);
}

/// A tilted square wave in a uniform stream: positive, whole, and sharper with slopes.
static double moved_peak(bool second_order)
{
    cloth         a = cloth_make(41, 0);
    mn_stain_vec *u = calloc((size_t)a.s->vertex_count, sizeof *u);
    double *speed = malloc((size_t)a.s->edges.count * sizeof *speed), before = 0.0, after = 0.0, x = 0.0, peak = 0.0;
    for (int64_t v = 0; v < a.s->vertex_count; v++) {
        const mn_vec3 e = mn_sub3(a.mesh.x[a.s->edges.neighbour[a.s->edges.start[v]]], a.mesh.x[v]);
        u[v]            = (mn_stain_vec){ e.x / mn_norm3(e), -e.y / mn_norm3(e) };
        a.free[v]       = a.s->area[v] *
                    exp(-0.5 * ((a.mesh.x[v].x + 8.0) * (a.mesh.x[v].x + 8.0) + a.mesh.x[v].y * a.mesh.x[v].y) / 4.0);
        before += a.free[v];
    }
    mn_stain_edge_speeds(a.s, u, speed);
    const int parts = mn_stain_advect_parts(a.s, speed, 12.0, second_order);
    for (int k = 0; k < parts; k++) {
        assert_int_equal(mn_stain_advect_flows(a.s, speed, 12.0 / parts, second_order, a.free, a.flow, a.arena), MN_OK);
        mn_stain_gather(mn_context_pool(a.c), &a.s->edges, a.flow, a.free);
        for (int64_t v = 0; v < a.s->vertex_count; v++) assert_true(a.free[v] >= 0.0);
    }
    for (int64_t v = 0; v < a.s->vertex_count; v++) {
        after += a.free[v];
        x += a.free[v] * a.mesh.x[v].x;
        peak = fmax(peak, a.free[v] / a.s->area[v]);
    }
    assert_near(after / before, 1.0, 1e-13);
    assert_near(x / after, 4.0, 0.2);  // 12 cm further; vertices are not the middles of their cells
    free(u), free(speed);
    cloth_end(&a);
    return peak;
}

static void streams_move_liquid_without_loss(void **state)
{
    (void)state;
    const double first = moved_peak(false), second = moved_peak(true);
    assert_less(0.2, first);
    assert_less(first + 0.15, second);
    assert_less(second, 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pigment_follows_any_flow_without_loss), cmocka_unit_test(pigment_diffuses_in_liquid_only),
        cmocka_unit_test(absorption_is_exact_at_any_step),       cmocka_unit_test(adsorption_follows_its_laws),
        cmocka_unit_test(films_dry_and_dissolve_again),          cmocka_unit_test(the_rim_alone_dries_faster),
        cmocka_unit_test(what_cannot_stay_dissolved_falls_out),  cmocka_unit_test(streams_move_liquid_without_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
