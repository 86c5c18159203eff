// SPDX-License-Identifier: MPL-2.0
// Conjugate gradients: steps on small dense systems, the ways to end, and what the driver asks of its owner.
#include "testing.h"

#include "base/random.h"
#include "solve/cg.h"
#include "solve/mg_ritz.h"

#include <string.h>

#define N 12

/// A dense system, with the diagonal as preconditioner, or none.
typedef struct dense {
    double   a[N][N], b[N], x[N], r[N], z[N], p[N], q[N];
    double   lie;    ///< the recursion of r is this much too small
    bool     plain;  ///< no preconditioner; the size is r.r
    int      residuals, finished;
    mn_pool *pool;  ///< whose context may be interrupted
} dense;

static double dot(const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++) sum += a[i] * b[i];
    return sum;
}

static double size_of(dense *s)
{
    for (int i = 0; i < N; i++) s->z[i] = s->plain ? s->r[i] : s->r[i] / s->a[i][i];
    return s->plain ? dot(s->r, s->r) : sqrt(dot(s->r, s->r));
}

static double residual(void *self)
{
    dense *s = self;
    s->residuals++;
    for (int i = 0; i < N; i++) s->r[i] = s->b[i] - dot(s->a[i], s->x);
    return size_of(s);
}

static double precondition(void *self, bool first)
{
    (void)first;
    dense *s = self;
    return dot(s->r, s->z);
}

static double direct(void *self, bool first, double beta)
{
    dense *s = self;
    assert_true(first == (beta == 0.0));
    for (int i = 0; i < N; i++) s->p[i] = s->z[i] + beta * (first ? 0.0 : s->p[i]);
    for (int i = 0; i < N; i++) s->q[i] = dot(s->a[i], s->p);
    return dot(s->p, s->q);
}

static double advance(void *self, double alpha)
{
    dense *s = self;
    for (int i = 0; i < N; i++) s->x[i] += alpha * s->p[i], s->r[i] -= alpha * s->q[i] + s->lie * s->r[i];
    return size_of(s);
}

static void finish(void *self) { ((dense *)self)->finished++; }

/// Eigenvalues between 1 and about 2 N.
static void make(dense *s)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < N; i++) {
        s->b[i]    = mn_random(1, (uint64_t)i, 0, 0) - 0.5;
        s->a[i][i] = 1.0 + i;
        for (int j = 0; j < i; j++) {
            s->a[i][j] = s->a[j][i] = 0.5 * (mn_random(2, (uint64_t)i, (uint64_t)j, 0) - 0.5);
            s->a[i][i] += fabs(s->a[i][j]);
            s->a[j][j] += fabs(s->a[i][j]);
        }
    }
}

static int solve(dense *s, mn_cg_stop stop, mn_cg_record *record, mn_solve_report *report)
{
    const mn_cg cg = { .pool         = s->pool,
                       .self         = s,
                       .residual     = residual,
                       .precondition = s->plain ? NULL : precondition,
                       .direct       = direct,
                       .advance      = advance,
                       .finish       = finish,
                       .record       = record };
    *report        = (mn_solve_report){ 0 };
    return mn_cg_solve(&cg, residual(s), &stop, report);
}

static const mn_cg_stop usual = {
    .tolerance = 1e-10, .margin = 0.999, .gain = 0.5, .iterations = 100, .restarts = INT_MAX
};

static void it_ends_after_as_many_steps_as_there_are_unknowns(void **state)
{
    (void)state;
    for (int plain = 0; plain < 2; plain++) {
        dense           s;
        mn_solve_report report;
        make(&s);
        s.plain         = plain;
        mn_cg_stop stop = usual;
        if (plain) stop.tolerance *= stop.tolerance;  // sizes are squares there
        assert_int_equal(solve(&s, stop, NULL, &report), MN_SOLVE_CONVERGED);
        assert_true(report.iterations <= N + 1);
        assert_true(report.residual_first > 0.1 && report.residual_last <= stop.tolerance);
        assert_true(report.residual_last == residual(&s));  // the residual itself, not the recursion
        assert_int_equal(s.finished, 1);
    }
}

static void an_interrupt_ends_it_within_an_iteration(void **state)
{
    (void)state;
    dense           s;
    mn_solve_report report;
    mn_context     *c = test_context(1);
    make(&s);
    s.pool = mn_context_pool(c);
    mn_context_interrupt(c, true);
    assert_int_equal(solve(&s, usual, NULL, &report), MN_SOLVE_INTERRUPTED);
    assert_int_equal(report.iterations, 0);
    assert_int_equal(s.finished, 1);
    mn_context_interrupt(c, false);
    assert_int_equal(solve(&s, usual, NULL, &report), MN_SOLVE_CONVERGED);
    test_context_end(&c);
}

static void a_recursion_that_lies_is_found_out_and_a_new_run_begun(void **state)
{
    (void)state;
    dense           s;
    mn_solve_report report;
    make(&s);
    s.lie = 1e-3;
    assert_int_equal(solve(&s, usual, NULL, &report), MN_SOLVE_CONVERGED);
    assert_true(s.residuals > 2 && s.finished == s.residuals - 1);
    assert_true(residual(&s) <= usual.tolerance);

    make(&s);  // believed at once
    s.lie           = 1e-3;
    mn_cg_stop stop = usual;
    stop.restarts   = 0;
    assert_int_equal(solve(&s, stop, NULL, &report), MN_SOLVE_CONVERGED);
    assert_true(s.residuals == 1 && residual(&s) > 10.0 * stop.tolerance);
}

static void every_end_has_its_name(void **state)
{
    (void)state;
    dense           s;
    mn_solve_report report;
    mn_cg_stop      stop = usual;
    make(&s);
    stop.iterations = 3;
    assert_int_equal(solve(&s, stop, NULL, &report), MN_SOLVE_ITERATIONS);
    assert_int_equal(report.iterations, 3);
    assert_true(report.residual_last == residual(&s));

    make(&s);
    stop = usual, stop.tolerance = 1e-30;
    assert_int_equal(solve(&s, stop, NULL, &report), MN_SOLVE_STALLED);
    assert_true(report.residual_last < 1e-14);

    make(&s);
    s.a[3][3] = -5.0;
    s.plain   = true;
    assert_int_equal(solve(&s, usual, NULL, &report), MN_SOLVE_INDEFINITE);

    make(&s);
    s.a[2][5] = s.a[5][2] = NAN;
    s.x[0]                = 1.0;
    assert_int_equal(solve(&s, usual, NULL, &report), MN_SOLVE_NOT_FINITE);
    assert_int_equal(report.iterations, 0);

    make(&s);  // nothing to do
    memset(s.b, 0, sizeof s.b);
    assert_int_equal(solve(&s, usual, NULL, &report), MN_SOLVE_CONVERGED);
    assert_true(report.iterations == 0 && s.finished == 0);
}

/// As many steps as unknowns show the whole spectrum: its product is the determinant.
static void the_record_shows_the_spectrum(void **state)
{
    (void)state;
    dense           s;
    mn_solve_report report;
    mn_cg_record    record;
    make(&s);
    memset(s.a, 0, sizeof s.a);
    for (int i = 0; i < N; i++) s.a[i][i] = 1.0 + 0.5 * i;
    s.plain         = true;
    mn_cg_stop stop = usual;
    stop.tolerance  = 1e-24;
    assert_int_equal(solve(&s, stop, &record, &report), MN_SOLVE_CONVERGED);
    assert_int_equal(record.steps, N);
    for (int i = 0; i < N; i++) assert_true(fabs(mn_mg_ritz(&record, i) - 1.0 - 0.5 * i) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_ends_after_as_many_steps_as_there_are_unknowns),
        cmocka_unit_test(an_interrupt_ends_it_within_an_iteration),
        cmocka_unit_test(a_recursion_that_lies_is_found_out_and_a_new_run_begun),
        cmocka_unit_test(every_end_has_its_name),
        cmocka_unit_test(the_record_shows_the_spectrum),
    };
    return cmocka_run_group_tests_name("cg", tests, NULL, NULL);
}
