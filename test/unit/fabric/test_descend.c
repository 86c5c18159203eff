// SPDX-License-Identifier: MPL-2.0
// A solve of dry fabric settles its touches of solids with the velocity.
#include "fabric_worlds.h"

#include "fabric/operator.h"

#define DT 1e-3

static double size_over_mass(const mn_fabric_operator *op, const double *b)
{
    double sum = 0.0;
    for (int64_t i = 0; i < op->faces->count; i++) sum += b[i] * b[i] * mn_inverse_mass(op->mass[i]);
    return sqrt(sum);
}

/// Residual over what drives, with the touches as the velocity itself makes them: friction is not behind.
static double residual_of(mn_fabric_operator *op, mn_arena *arena, mn_touches *touches, const double *impulse,
                          const double *u)
{
    double *b = mn_point_faces_array(arena, op->faces), *au = mn_point_faces_array(arena, op->faces);
    mn_fabric_operator_collect(op, u);
    for (int64_t k = 0; k < touches->count; k++) {
        mn_touch     *t = &touches->list[k];
        const double *v = op->v + 3 * (int64_t)t->point;
        mn_touch_at(t, mn_v3(v[0], v[1], v[2]), -1.0, DT, t);
    }
    mn_fabric_operator_load(op, touches, DT, b);
    for (int64_t i = 0; i < op->faces->count; i++) b[i] += impulse[i];
    mn_fabric_operator_multiply(op, u, au);
    const double size = size_over_mass(op, b);
    for (int64_t i = 0; i < op->faces->count; i++) b[i] -= au[i] + op->mass[i] * u[i];
    return size_over_mass(op, b) / size;
}

/// A sheet that lands on a turning ball, its solve taken apart.
static void friction_is_settled_with_the_velocity(void **state)
{
    (void)state;
    mn_context   *c = test_context(2);
    mn_world     *w = fabric_world(c, 0.3, DT, (const double[3]){ 0.0, -981.0, 0.0 });
    mn_thin_mesh  mesh;
    mn_fabric_def def = mn_fabric_def_default();
    add_ball(c, w, 4.0);
    make_sheet(c, 3.0, 3.0, 0.15, &mesh);
    def.at[1]       = 4.1;
    def.velocity[1] = -20.0;
    assert_int_equal(add_mesh(c, w, &def, &mesh), MN_OK);
    steps_of(w, 12, DT);

    mn_fabric         *q = &w->fabric;
    mn_fabric_operator op;
    mn_touches         touches;
    mn_solve_report    report = { .outcome = MN_SOLVE_CONVERGED };
    mn_world_solids_over_step(w, mn_world_time(w), DT);
    assert_int_equal(mn_fabric_activate(q, &(mn_step){ .arena = w->arena }), MN_OK);
    assert_int_equal(mn_fabric_forces(q, &(mn_step){ .arena = w->arena, .time = mn_world_time(w), .dt = DT }), MN_OK);
    assert_int_equal(mn_fabric_gather(q, &(mn_step){ .arena = w->arena, .dt = DT }), MN_OK);
    q->model.solver.solid_tolerance = 1e-5;
    double *u                       = mn_point_faces_array(w->arena, &q->step.faces);
    assert_non_null(u);
    assert_int_equal(mn_fabric_operator_prepare(q, w->arena, q->step.mass, &op), MN_OK);
    assert_int_equal(mn_fabric_find_touches(q, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = DT }, op.v,
                                            &touches),
                     MN_OK);
    assert_int_equal(mn_fabric_operator_descend(&op, w->arena, &touches, DT, q->step.momentum, u, &report), MN_OK);
    int64_t pressed = 0;
    for (int64_t k = 0; k < touches.count; k++) pressed += touches.list[k].press > 0.0;
    const double residual = residual_of(&op, w->arena, &touches, q->step.momentum, u);
    print_message("%lld of %lld touches press, %lld iterations, residual %.3g\n", (long long)pressed,
                  (long long)touches.count, (long long)report.iterations, residual);
    assert_true(pressed > 10);
    assert_int_equal(report.outcome, MN_SOLVE_CONVERGED);
    assert_true(residual <= 1.5e-5);
    mn_world_destroy(&w);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_is_settled_with_the_velocity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
