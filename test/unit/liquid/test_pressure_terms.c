// SPDX-License-Identifier: MPL-2.0
// What other matter adds to the projection: jumps of a surface under tension, and rows of something that is pushed.
#include "../world/worlds.h"

#include "liquid/project.h"

#include <string.h>

#define DT 1e-3

/// A ball of liquid at rest in nothing, up to the stage of the forces.
static mn_world *ball_world(mn_context *c, int dimension, double viscosity)
{
    mn_world_def def              = mn_world_def_default();
    def.domain.dimension          = dimension;
    def.domain.cell               = 0.125;
    def.domain.gravity[1]         = 0.0;
    def.solver.pressure_tolerance = 1e-13;
    mn_world *w                   = NULL;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_liquid_def blob      = mn_liquid_def_default();
    blob.shape              = test_shape(c, MN_SHAPE_SPHERE, 0.01, 0.02, 0.03, 1.0);
    blob.material.viscosity = viscosity;
    assert_int_equal(mn_world_add_liquid(w, &blob), MN_OK);
    mn_shape_release(&blob.shape);
    assert_int_equal(mn_arena_reset(w->arena), MN_OK);
    const mn_step step = { .arena = w->arena, .solids = w->solids, .dt = DT };
    assert_int_equal(mn_liquid_activate(&w->liquid, &step), MN_OK);
    assert_int_equal(mn_liquid_gather(&w->liquid, &step), MN_OK);
    return w;
}

static void project(mn_world *w, mn_solve_report *report)
{
    const mn_step   step = { .arena = w->arena, .solids = w->solids, .dt = DT };
    mn_force_report forces;
    double          divergence;
    assert_int_equal(mn_liquid_forces(&w->liquid, &step, &forces), MN_OK);
    assert_true(forces.pressure.outcome > 0 && forces.viscosity.outcome > 0);
    assert_int_equal(mn_liquid_project(&w->liquid, &step, report, &divergence), MN_OK);
    assert_true(report->outcome > 0);
}

/// Faces between liquid and air: the pressure is higher by `jump` on the side of the liquid, by `below` on its
/// underside.
static mn_pressure_terms surface_jumps(mn_world *w, double jump, double below)
{
    const mn_liquid_scratch *s    = &w->liquid.grid;
    const int64_t            n    = (int64_t)s->tiles.count * s->tiles.cells;
    mn_pressure_jump        *list = mn_arena_array(w->arena, mn_pressure_jump, n * s->tiles.def.dimension);
    mn_pressure_terms        t    = { .jump = list };
    for (int64_t i = s->tiles.cells; i < n; i++)
        for (int a = 0; a < s->tiles.def.dimension; a++) {
            const bool low = s->wet[mn_cell_next(&s->tiles, (int32_t)(i / s->tiles.cells),
                                                 (int32_t)(i % s->tiles.cells), a, -1)];
            if (s->wet[i] != low)
                list[t.jumps++] = (mn_pressure_jump){ .face = i,
                                                      .axis = a,
                                                      .jump = low      ? -jump
                                                              : a == 1 ? below
                                                                       : jump };
        }
    return t;
}

/// Laplace: the pressure inside is tension times curvature, and nothing moves; with the projection before the viscosity
/// as well.
static void a_drop_under_tension_stays_at_rest(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        const int    dimension = 2 + k % 2;
        const double viscosity = k < 2 ? 0.0 : 80.0, tension = 72.8, curvature = dimension - 1.0;
        mn_context  *c       = test_context(2);
        mn_world    *w       = ball_world(c, dimension, viscosity);
        const double unit    = DT / (w->liquid.model.material.density * w->grid.cell);
        w->liquid.grid.terms = surface_jumps(w, unit * tension * curvature, unit * tension * curvature);
        assert_true(w->liquid.grid.terms.jumps > 50);
        mn_solve_report report;
        project(w, &report);
        const mn_liquid_scratch *s = &w->liquid.grid;
        assert_int_equal(s->first_pressure != NULL, viscosity > 0.0);
        for (int64_t i = 0; i < (int64_t)s->tiles.count * s->tiles.cells; i++) {
            if (s->wet[i]) assert_near(s->pressure[i] / unit, tension * curvature, 1e-9 * tension);
            for (int a = 0; a < dimension; a++)
                if (s->known[a][i]) assert_near(s->velocity[a][i], 0.0, 1e-9);
        }
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

/// Without the jumps at the update the drop would fly apart: they act on the velocities with the coefficient of the
/// matrix. A jump on one half alone drives it as a whole, and leaves no divergence.
static void a_lopsided_jump_drives_the_drop(void **state)
{
    (void)state;
    mn_context *c        = test_context(1);
    mn_world   *w        = ball_world(c, 2, 0.0);
    w->liquid.grid.terms = surface_jumps(w, 1.0, 2.0);
    mn_solve_report report;
    project(w, &report);
    double                   outflow = 0.0, up = 0.0;
    const mn_liquid_scratch *s = &w->liquid.grid;
    for (int64_t i = 0; i < (int64_t)s->tiles.count * s->tiles.cells; i++) {
        if (!s->wet[i]) continue;
        double sum = 0.0;
        for (int a = 0; a < 2; a++)
            sum += s->velocity[a][mn_cell_next(&s->tiles, (int32_t)(i / s->tiles.cells), (int32_t)(i % s->tiles.cells),
                                               a, 1)] -
                   s->velocity[a][i];
        outflow = fmax(outflow, fabs(sum));
        up += s->velocity[1][i];
    }
    assert_less(outflow, 1e-9);
    assert_true(up > 1.0);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// Something that takes from one cell what it gives to another, with a velocity of its own.
typedef struct pump {
    int64_t cell[2];
    double  velocity, inverse, impulse;
    int     told;
} pump;

static void push(void *owner, const double *impulse)
{
    pump *p = owner;
    p->impulse += *impulse;
    p->velocity += p->inverse * *impulse;
    p->told++;
}

static void what_is_pushed_moves_as_the_liquid_says(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        mn_context              *c   = test_context(1);
        mn_world                *w   = ball_world(c, 2, k == 0 ? 0.0 : 80.0);
        const mn_liquid_scratch *s   = &w->liquid.grid;
        int64_t                  wet = 0, at[2] = { 0 };
        for (int64_t i = 0; i < (int64_t)s->tiles.count * s->tiles.cells; i++)
            if (s->wet[i] && ++wet % 60 == 0 && wet < 180) at[wet / 60 - 1] = i;
        pump                   p   = { .cell = { at[0], at[1] }, .velocity = 3.0, .inverse = 0.5 };
        const double           q[] = { 1.0, -1.0 };
        const mn_pressure_term t   = { .rows     = 1,
                                       .cells    = 2,
                                       .cell     = p.cell,
                                       .row      = q,
                                       .inverse  = &p.inverse,
                                       .velocity = &p.velocity,
                                       .react    = push,
                                       .owner    = &p };
        w->liquid.grid.terms       = (mn_pressure_terms){ .term = &t, .count = 1 };
        w->liquid.model.material.viscosity *= 1e-3;  // enough for two projections, not to do anything
        mn_solve_report report;
        project(w, &report);
        assert_int_equal(p.told, s->first_pressure != NULL ? 2 : 1);
        assert_near(p.velocity, 3.0 + p.inverse * p.impulse, 1e-12);
        assert_true(p.velocity > 0.1 && p.velocity < 2.5);  // the liquid bears against it
        for (int n = 0; n < 2; n++) {
            double outflow = 0.0;
            for (int a = 0; a < 2; a++)
                outflow += s->velocity[a][mn_cell_next(&s->tiles, (int32_t)(at[n] / s->tiles.cells),
                                                       (int32_t)(at[n] % s->tiles.cells), a, 1)] -
                           s->velocity[a][at[n]];
            assert_near(outflow, -q[n] * p.velocity, k == 0 ? 1e-9 : 0.3);
        }
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drop_under_tension_stays_at_rest),
        cmocka_unit_test(a_lopsided_jump_drives_the_drop),
        cmocka_unit_test(what_is_pushed_moves_as_the_liquid_says),
    };
    return cmocka_run_group_tests_name("pressure_terms", tests, NULL, NULL);
}
