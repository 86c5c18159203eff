// SPDX-License-Identifier: MPL-2.0
// Fabric as a wall: every vertex pinned, with the drag of cotton and with the most there is (mix.X6, second half). The
// wall to compare with has no velocity on any face of the fabric.
#include "mixture_worlds.h"

#include "couple/mixture_private.h"
#include "verify/liquid/tube.h"

#define DT       1e-3
#define CELL     0.25
#define PRODUCTS 200000  // the closed wall takes 5e4, far more than a step may cost

typedef struct wall {
    mn_world         *w;
    mn_mixture        m;
    mn_mixture_report r;
    double           *seen;     ///< per cell of the liquid: 1 where a face of the fabric meets it
    double            flux;     ///< through the middle of the sheet, cm^3/s, upwards
    double            fastest;  ///< vertex of it, cm/s
} wall;

/// A duct of water over a pool, both at rest, and a pinned sheet that seals the duct (verify/liquid/tube.h).
/// `viscosity` is that in the pores; the bulk stays water.
static mn_world *sealed_duct(mn_context *c, double viscosity)
{
    mn_tube      t = { .cell = CELL, .head = 2.0, .material = mn_fabric_material_default() };
    mn_thin_mesh mesh;
    mn_world    *w           = NULL;
    t.material.contact_angle = 0.5 * MN_PI;
    t.material.capture       = 0.0;
    assert_int_equal(mn_tube_sheet(c, &t, &mesh), MN_OK);
    if (mn_tube_make(c, &t, &mesh, &w) != MN_OK) fail_msg("%s", mn_context_error(c));
    mn_thin_mesh_free(c, &mesh);
    w->fabric.model.liquid.viscosity = viscosity;
    mn_solver_def *const solvers[]   = { &w->liquid.model.solver, &w->fabric.model.solver };
    for (int k = 0; k < 2; k++) {
        solvers[k]->solid_tolerance = solvers[k]->pressure_tolerance = 1e-6;
        solvers[k]->solid_iterations                                 = PRODUCTS;
        solvers[k]->pressure_iterations                              = 3000;
    }
    return w;
}

/// The wall itself: no face of the fabric moves, and no pin is asked.
static void nail(mn_fabric *q, const mn_mixture *m)
{
    q->step.hold_count = 0;
    for (int32_t i = 0; i < m->count; i++) {
        q->step.mass[i]     = 1e9;
        q->step.momentum[i] = 0.0;
    }
}

static void look_at(wall *s)
{
    mn_world                *w = s->w;
    const mn_liquid_scratch *g = &w->liquid.grid;
    const int64_t            n = w->fabric.vertices.count;
    double                  *v = mn_arena_array(w->arena, double, 3 * n + 1);
    s->seen                    = mn_arena_array_zero(w->arena, double, (int64_t)g->tiles.count * g->tiles.cells);
    assert_true(v != NULL && s->seen != NULL);
    mn_points_collect(w->context, &w->fabric.step.faces, w->fabric.step.velocity, v, NULL);
    for (int64_t i = 0; i < 3 * n; i++) s->fastest = fmax(s->fastest, fabs(v[i]));
    for (int32_t i = 0; i < s->m.count; i++) {
        const int     a  = mn_mixture_axis(&s->m, i);
        const int64_t at = s->m.place[i];
        if (at == 0) continue;
        s->seen[at] = s->seen[mn_mixture_below(&s->m, a, at)] = 1.0;
        if (a != 1 || s->m.liquid_volume[i] == 0.0 || cell_in_domain(w, at, 1) != (int)floor(MN_TUBE_SHEET / CELL))
            continue;
        s->flux += (s->m.liquid_volume[i] * g->velocity[1][at] + s->m.solid_volume[i] * w->fabric.step.velocity[i]) /
                   CELL;
    }
}

static wall solve_wall(mn_context *c, double viscosity, bool nailed)
{
    wall s       = { .w = sealed_duct(c, viscosity) };
    s.w->started = true;
    stages_to_faces(s.w, DT, &s.m);
    if (nailed) nail(&s.w->fabric, &s.m);
    assert_int_equal(mn_mixture_solve_coupled(&s.m, &(mn_step){ .arena = s.w->arena }, &s.r), MN_OK);
    assert_int_equal(s.r.pressure.outcome, MN_SOLVE_CONVERGED);
    look_at(&s);
    return s;
}

/// Largest differences of pressure and velocity away from the sheet, as shares of the largest there.
static void apart(const wall *a, const wall *b, double *pressure, double *velocity)
{
    const mn_liquid_scratch *g = &a->w->liquid.grid, *h = &b->w->liquid.grid;
    double                   p = 0.0, u = 0.0, size_p = 0.0, size_u = 0.0;
    for (int64_t i = 0; i < (int64_t)g->tiles.count * g->tiles.cells; i++) {
        if (a->seen[i] != 0.0) continue;
        p      = fmax(p, fabs(g->pressure[i] - h->pressure[i]));
        size_p = fmax(size_p, fabs(h->pressure[i]));
        for (int k = 0; k < 3; k++) {
            if (!h->known[k][i]) continue;
            u      = fmax(u, fabs(g->velocity[k][i] - h->velocity[k][i]));
            size_u = fmax(size_u, fabs(h->velocity[k][i]));
        }
    }
    *pressure = p / size_p;
    *velocity = u / size_u;
}

static void say(const char *what, const wall *s, const wall *nailed)
{
    double p, u;
    apart(s, nailed, &p, &u);
    print_message("%s: flux %.4g of %.4g cm^3/s, vertices %.1e cm/s, away from it p %.1e, u %.1e apart; %d / %d\n",
                  what, s->flux, nailed->flux, s->fastest, p, u, s->r.products, s->r.cycles);
}

/// Cotton that pins hold lets as much through as a fixed wall of its pores does.
static void held_fabric_is_a_porous_wall(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    double      p, u;
    wall        nailed = solve_wall(c, 0.0089, true), held = solve_wall(c, 0.0089, false);
    say("pinned cotton", &held, &nailed);
    apart(&held, &nailed, &p, &u);
    assert_less(held.fastest, 1e-5 * fabs(nailed.flux));
    assert_near(held.flux / nailed.flux, 1.0, 1e-5);
    assert_less(p, 1e-5);
    assert_less(u, 1e-5);
    mn_world_destroy(&nailed.w);
    mn_world_destroy(&held.w);
    test_context_end(&c);
}

/// With the drag at its cap nothing passes, in the first step already.
static void with_the_most_drag_the_wall_is_closed(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    double      p, u;
    wall        nailed = solve_wall(c, 1e12, true), held = solve_wall(c, 1e12, false);
    say("most drag", &held, &nailed);
    apart(&held, &nailed, &p, &u);
    assert_less(fabs(nailed.flux), 1e-8);
    assert_less(fabs(held.flux), 2e-5);
    assert_less(p, 1e-3);
    assert_less(u, 2e-3);
    mn_world_destroy(&nailed.w);
    mn_world_destroy(&held.w);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(held_fabric_is_a_porous_wall),
        cmocka_unit_test(with_the_most_drag_the_wall_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
