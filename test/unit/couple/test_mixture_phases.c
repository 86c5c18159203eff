// SPDX-License-Identifier: MPL-2.0
// Several phases in one liquid: fabric that enters in parts is the fabric that enters whole, and two matters that the
// drag of the liquid ties to each other are solved with it.
#include "coupled_scene.h"

#include "couple/mixture_private.h"

/// A part of the fabric: so much of its mass, volume, drag, forces and stiffness, all with the same velocity as the
/// rest of it, but for what the solve makes of them.
typedef struct part {
    const mn_phase    *whole;
    double             share;
    mn_step            step;
    const double      *inertia;
    mn_fabric_operator op;
    mn_touches         none;
    double            *mass, *momentum, *scaled, *divided;  ///< on faces
} part;

static mn_fabric *fabric_of(const part *x) { return ((mn_fabric_phase *)x->whole->matter)->q; }
static int32_t    faces_of(const part *x) { return x->whole->faces->count; }

static mn_status bring(void *matter, mn_arena *arena, mn_phase_brings *out)
{
    part *x = matter;
    MN_TRY(x->whole->answers->bring(x->whole->matter, arena, out));
    double *const all[] = { out->volume, out->bulk, out->normal, out->drag_linear, out->drag_growth, out->exponent };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (int32_t i = 0; i < faces_of(x); i++) all[k][i] *= x->share;
    return MN_OK;
}

static mn_status begin(void *matter, const mn_step *step, const double *inertia, mn_settling *out)
{
    part *x    = matter;
    x->step    = *step;
    x->inertia = inertia;
    x->divided = mn_point_faces_array(step->arena, x->whole->faces);
    x->scaled  = mn_point_faces_array(step->arena, x->whole->faces);
    assert_non_null(x->divided);
    assert_non_null(x->scaled);
    *out = (mn_settling){ .touches = &x->none, .velocity = NULL };
    return mn_fabric_operator_prepare(fabric_of(x), step->arena, x->divided, &x->op);
}

static void scale(const part *x, double *v)
{
    for (int32_t i = 0; i < faces_of(x); i++) v[i] *= x->share;
}

/// The equations of the part over its share: those of the whole fabric with another inertia.
static void divide(part *x, const double *b)
{
    for (int32_t i = 0; i < faces_of(x); i++) {
        x->divided[i] = x->inertia[i] / x->share;
        x->scaled[i]  = b[i] / x->share;
    }
}

static void load(void *matter, double *to)
{
    part *x = matter;
    mn_fabric_operator_load(&x->op, &x->none, x->step.dt, to);
    scale(x, to);
}

static void multiply(void *matter, const double *from, double *to)
{
    part *x = matter;
    mn_fabric_operator_multiply(&x->op, from, to);
    scale(x, to);
}

static mn_status diagonal(void *matter, mn_arena *arena, double *out)
{
    part *x = matter;
    MN_TRY(mn_fabric_operator_diagonal(&x->op, arena, out));
    scale(x, out);
    return MN_OK;
}

static bool foresee(void *matter, double *to)
{
    part      *x     = matter;
    const bool known = mn_fabric_operator_foresee(&x->op, x->step.dt, to);
    scale(x, to);
    return known;
}

static void collect(void *matter, const double *u) { (void)matter, (void)u; }

static void keep_momentum(void *matter, const double *b, double *u)
{
    part *x = matter;
    divide(x, b);
    mn_fabric_operator_keep_momentum(&x->op, x->scaled, u);
}

static void solve(void *matter, const double *impulse, double *b, bool first, double ease, double *u,
                  mn_solve_report *report)
{
    part                *x      = matter;
    const mn_solver_def *solver = &fabric_of(x)->model.solver;
    for (int32_t i = 0; i < faces_of(x); i++) b[i] += impulse[i];
    divide(x, b);
    assert_true(first);
    mn_fabric_operator_solve(&x->op, x->scaled, u, ease * solver->solid_tolerance, solver->solid_iterations, report);
    mn_fabric_operator_keep_momentum(&x->op, x->scaled, u);
}

static void settled(void *matter) { (void)matter; }
static void keep(void *matter, const double *u) { (void)matter, (void)u; }

static const mn_phase_answers ANSWERS = { .bring         = bring,
                                          .begin         = begin,
                                          .load          = load,
                                          .multiply      = multiply,
                                          .diagonal      = diagonal,
                                          .foresee       = foresee,
                                          .collect       = collect,
                                          .keep_momentum = keep_momentum,
                                          .solve         = solve,
                                          .settled       = settled,
                                          .keep          = keep };

/// The scene solved with the fabric in parts, and what came out.
typedef struct divided {
    mn_context       *c;
    mn_world         *w;
    mn_mixture        m, whole;
    mn_mixture_report report;
    part              parts[MN_MIXTURE_PHASES];
    double           *velocity[MN_MIXTURE_PHASES];
} divided;

static void enter_part(divided *d, int k, double share)
{
    part           *x     = &d->parts[k];
    const mn_phase *q     = &d->whole.phase[0];
    mn_phase        phase = *q;
    *x                    = (part){ .whole = q, .share = share };
    x->mass               = mn_point_faces_array(d->w->arena, q->faces);
    x->momentum           = mn_point_faces_array(d->w->arena, q->faces);
    assert_non_null(x->mass);
    assert_non_null(x->momentum);
    for (int32_t i = 0; i < q->faces->count; i++)
        x->mass[i] = share * q->mass[i], x->momentum[i] = share * q->momentum[i];
    phase.answers  = &ANSWERS;
    phase.matter   = x;
    phase.mass     = x->mass;
    phase.momentum = x->momentum;
    phase.velocity = &d->velocity[k];
    assert_int_equal(mn_mixture_enter(&d->m, d->c, &phase), MN_OK);
}

static void solve_divided(divided *d, const scene *s, bool stiff, bool together, const double *shares, int parts)
{
    d->c = test_context(s->threads);
    d->w = scene_world(d->c, s);
    reach_solve(d->w, s->dt, &d->whole);
    if (!stiff) mn_block_matrix_zero(d->c, &d->w->fabric.stiffness);
    d->m = (mn_mixture){ .meets = false };
    for (int k = 0; k < parts; k++) enter_part(d, k, shares[k]);
    const mn_step step = { .arena = d->w->arena, .solids = d->w->solids, .dt = s->dt };
    assert_int_equal(mn_mixture_faces(&d->m, &d->w->liquid, &step), MN_OK);
    assert_true(d->m.meets);
    assert_int_equal((together ? mn_mixture_solve_coupled : mn_mixture_solve_split)(&d->m, &step, &d->report), MN_OK);
    assert_true(d->report.pressure.outcome > 0 && d->report.solid.outcome > 0);
}

static void end_divided(divided *d)
{
    mn_world_destroy(&d->w);
    test_context_end(&d->c);
}

/// Largest difference of the velocities of liquid and phases, and of the pressure, over their sizes. Where a phase has
/// next to no mass its velocity says nothing: kinetic energy weighs it.
static double worst_difference(const divided *one, const divided *more)
{
    const mn_liquid_scratch *a = &one->w->liquid.grid, *b = &more->w->liquid.grid;
    const int64_t            n     = (int64_t)a->tiles.count * a->tiles.cells;
    double                   worst = 0.0, error = 0.0, size = 0.0;
    assert_int_equal(a->tiles.count, b->tiles.count);
    for (int axis = 0; axis < 3; axis++)
        for (int64_t i = 0; i < n; i++) {
            if (!a->known[axis][i]) continue;
            error = fmax(error, fabs(a->velocity[axis][i] - b->velocity[axis][i]));
            size  = fmax(size, fabs(a->velocity[axis][i]));
        }
    worst = error / size, error = size = 0.0;
    for (int64_t i = 0; i < n; i++) {
        error = fmax(error, a->wet[i] ? fabs(a->pressure[i] - b->pressure[i]) : 0.0);
        size  = fmax(size, a->wet[i] ? fabs(a->pressure[i]) : 0.0);
    }
    worst = fmax(worst, error / size);
    for (int k = 0; k < more->m.phases; k++) {
        error = size = 0.0;
        for (int32_t i = 0; i < one->m.count; i++) {
            const double u = one->velocity[0][i], mass = one->m.phase[0].mass[i];
            error += mass * (u - more->velocity[k][i]) * (u - more->velocity[k][i]);
            size += mass * u * u;
        }
        worst = fmax(worst, sqrt(error / size));
    }
    return worst;
}

/// Whole, in halves, and in three unequal parts: the same liquid, the same velocity of each part, by either way of
/// solving, from liquid that hardly holds on to the fabric to liquid that ties all of it. To the split, parts with
/// stiffness are explicit to each other, which the whole is not to itself.
static void parts_of_a_fabric_are_the_fabric(void **state)
{
    (void)state;
    static const double shares[][MN_MIXTURE_PHASES] = { { 1.0 }, { 0.5, 0.5 }, { 0.2, 0.5, 0.3 } };
    static const double pores[][2]                  = { { 0.0089, 0.01 }, { 0.8, 0.01 }, { 80.0, 0.002 } };
    for (int way = 0; way < 2; way++)
        for (int stiff = 0; stiff < 1 + way; stiff++)
            for (int k = 0; k < 3; k++) {
                scene s              = scene_default();
                s.cell               = 0.36;
                s.viscosity          = pores[k][0];
                s.fiber              = pores[k][1];
                s.pinned             = stiff;
                s.solid_tolerance    = 1e-10;
                s.pressure_tolerance = 1e-10;
                divided of[3];
                for (int n = 0; n < 3; n++) solve_divided(&of[n], &s, stiff, way == 1, shares[n], n + 1);
                for (int n = 1; n < 3; n++) {
                    const double worst = worst_difference(&of[0], &of[n]);
                    print_message("%s, %s stiffness, %g P, %d parts: %.1e apart, %d / %d for %d / %d\n",
                                  way ? "together" : "split", stiff ? "with" : "no", s.viscosity, n + 1, worst,
                                  of[n].report.products, of[n].report.cycles, of[0].report.products,
                                  of[0].report.cycles);
                    assert_less(worst, stiff ? 1e-8 : 1e-10);
                    assert_less(of[n].report.products, 2 * of[0].report.products + 20);
                }
                for (int n = 0; n < 3; n++) end_divided(&of[n]);
            }
}

/// K of two phases is symmetric.
static void system_of_two_phases_is_symmetric(void **state)
{
    (void)state;
    const double shares[] = { 0.3, 0.7 };
    scene        s        = scene_default();
    divided      d;
    s.cell      = 0.36;
    s.viscosity = 0.8;
    solve_divided(&d, &s, true, true, shares, 2);
    mn_coupled    x;
    const mn_step step = { .arena = d.w->arena, .solids = d.w->solids };
    assert_int_equal(mn_coupled_prepare(&d.m, &step, &x), MN_OK);
    double *load = mn_mixture_vector(d.w->arena, &d.m);
    assert_non_null(load);
    for (int k = 0; k < 2; k++) d.m.phase[k].answers->load(d.m.phase[k].matter, load + k * d.m.stride);
    mn_coupled_assemble(&x);
    double *v[4];
    for (int k = 0; k < 4; k++) assert_non_null(v[k] = mn_arena_array_zero(d.w->arena, double, x.count));
    for (int k = 0; k < 2; k++)
        for (int64_t i = 0; i < x.count; i++) {
            const bool unknown = i < x.pressure_at ? x.rows.inertia[i] > 0.0 : d.w->liquid.grid.wet[i - x.pressure_at];
            v[k][i]            = unknown ? mn_random(11 + (uint64_t)k, (uint64_t)i, 0, 0) - 0.5 : 0.0;
        }
    for (int k = 0; k < 2; k++) assert_int_equal(mn_coupled_apply(v[k], v[2 + k], &x), MN_OK);
    double difference = 0.0, size = 0.0;
    for (int64_t i = 0; i < x.count; i++) {
        difference += v[1][i] * v[2][i] - v[0][i] * v[3][i];
        size += fabs(v[1][i] * v[2][i]);
    }
    print_message("asymmetry %.1e\n", fabs(difference) / size);
    assert_less(fabs(difference), 1e-13 * size);
    end_divided(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_a_fabric_are_the_fabric),
        cmocka_unit_test(system_of_two_phases_is_symmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
