// SPDX-License-Identifier: MPL-2.0
// Flexible GMRES: answers, restarts, preconditioners that change, outcomes, bits.
#include "testing.h"

#include "base/arena.h"
#include "base/random.h"
#include "solve/fgmres.h"

#include <string.h>

#define N 9000

/// A convection-diffusion row: not symmetric, and larger towards the end.
typedef struct row_system {
    int64_t n;
    int     calls;  ///< of the preconditioner
    bool    loose;  ///< it differs from call to call
    double  spoil;  ///< put into one product; NaN, for one
} row_system;

static double entry(int64_t i) { return 2.5 + 3.0 * (double)i / N; }

static mn_status apply(const double *x, double *y, void *context)
{
    const row_system *s = context;
    for (int64_t i = 0; i < s->n; i++)
        y[i] = entry(i) * x[i] - (i > 0 ? 1.4 * x[i - 1] : 0.0) - (i + 1 < s->n ? 0.6 * x[i + 1] : 0.0);
    y[0] += s->spoil;
    return MN_OK;
}

/// Jacobi sweeps, as many as the call says if it is to be loose.
static mn_status precondition(const double *r, double *z, double *kz, void *context)
{
    row_system *s      = context;
    const int   sweeps = s->loose ? 1 + s->calls % 3 : 1;
    for (int64_t i = 0; i < s->n; i++) z[i] = r[i] / entry(i);
    for (int k = 1; k < sweeps; k++) {
        MN_TRY(apply(z, kz, s));
        for (int64_t i = 0; i < s->n; i++) z[i] += (r[i] - kz[i]) / entry(i);
    }
    s->calls++;
    return apply(z, kz, s);
}

static void fill(double *x, uint64_t seed)
{
    for (int64_t i = 0; i < N; i++) x[i] = mn_random(seed, (uint64_t)i, 0, 0) - 0.5;
}

typedef struct solved {
    mn_solve_report report;
    double         *x;
    double          error;  ///< largest, against the answer
} solved;

static solved solve(mn_context *c, mn_arena *arena, row_system s, int restart, int iterations, double goal)
{
    solved  out    = { .x = mn_arena_array_zero(arena, double, N) };
    double *answer = mn_arena_array(arena, double, N), *rhs = mn_arena_array(arena, double, N),
           *weight = mn_arena_array(arena, double, N);
    fill(answer, 3);
    for (int64_t i = 0; i < N; i++) weight[i] = i % 2 == 0 ? 1.0 : 4.0;
    assert_int_equal(apply(answer, rhs, &s), MN_OK);
    if (s.spoil != 0.0) fill(rhs, 4);
    const mn_fgmres_problem p = { .count        = s.n,
                                  .weight       = weight,
                                  .precondition = precondition,
                                  .apply        = apply,
                                  .context      = &s,
                                  .restart      = restart,
                                  .iterations   = iterations };
    assert_int_equal(mn_fgmres_solve(c, arena, &p, rhs, out.x, goal, &out.report), MN_OK);
    for (int64_t i = 0; i < N; i++) out.error = fmax(out.error, fabs(out.x[i] - answer[i]));
    // The residual it reports is the true one, in the norm of the weights.
    double *kx = mn_arena_array(arena, double, N), sum = 0.0;
    assert_int_equal(apply(out.x, kx, &s), MN_OK);
    for (int64_t i = 0; i < N; i++) sum += weight[i] * (rhs[i] - kx[i]) * (rhs[i] - kx[i]);
    if (s.spoil == 0.0) assert_near(sqrt(sum), out.report.residual_last, 1e-12 * out.report.residual_first);
    return out;
}

static void finds_the_answer_with_and_without_restarts(void **state)
{
    (void)state;
    mn_context *c     = test_context(2);
    mn_arena   *arena = NULL;
    assert_int_equal(mn_arena_create(c, &arena), MN_OK);
    int iterations[4];
    for (int k = 0; k < 4; k++) {
        const solved s = solve(c, arena, (row_system){ .n = N, .loose = k & 1 }, k < 2 ? 100 : 4, 300, 1e-9);
        assert_int_equal(s.report.outcome, MN_SOLVE_CONVERGED);
        assert_less(s.error, 1e-9);
        iterations[k] = s.report.iterations;
    }
    print_message("iterations %d, loose %d; restarted %d, loose %d\n", iterations[0], iterations[1], iterations[2],
                  iterations[3]);
    assert_true(iterations[1] < iterations[0]);  // more sweeps a call
    assert_true(iterations[2] > 4 && iterations[2] >= iterations[0]);
    mn_arena_destroy(&arena);
    test_context_end(&c);
}

static void says_how_it_ended(void **state)
{
    (void)state;
    mn_context *c     = test_context(2);
    mn_arena   *arena = NULL;
    assert_int_equal(mn_arena_create(c, &arena), MN_OK);
    assert_int_equal(solve(c, arena, (row_system){ .n = N }, 10, 7, 1e-9).report.outcome, MN_SOLVE_ITERATIONS);
    assert_int_equal(solve(c, arena, (row_system){ .n = N }, 10, 7, 1e-9).report.iterations, 7);
    assert_int_equal(solve(c, arena, (row_system){ .n = N }, 10, 500, 1e-30).report.outcome, MN_SOLVE_STALLED);
    assert_int_equal(solve(c, arena, (row_system){ .n = N, .spoil = NAN }, 10, 7, 1e-9).report.outcome,
                     MN_SOLVE_NOT_FINITE);
    // Nothing to do is done without a call.
    const solved done = solve(c, arena, (row_system){ .n = N }, 10, 7, 1e9);
    assert_int_equal(done.report.outcome, MN_SOLVE_CONVERGED);
    assert_int_equal(done.report.iterations, 0);
    mn_solve_report         report;
    const mn_fgmres_problem none = { .restart = 0 };
    assert_int_equal(mn_fgmres_solve(c, arena, &none, NULL, NULL, 1.0, &report), MN_ERR_ARGUMENT);
    mn_arena_destroy(&arena);
    test_context_end(&c);
}

/// The residual of the recursion is the true one, and a solve goes on from it without a product.
static void residual_is_kept_and_goes_on(void **state)
{
    (void)state;
    mn_context *c     = test_context(2);
    mn_arena   *arena = NULL;
    assert_int_equal(mn_arena_create(c, &arena), MN_OK);
    row_system s = { .n = N, .loose = true };
    double    *x = mn_arena_array_zero(arena, double, N), *rhs = mn_arena_array(arena, double, N),
           *weight = mn_arena_array(arena, double, N);
    double *left = mn_arena_array(arena, double, N), *kx = mn_arena_array(arena, double, N), first = 0.0;
    fill(rhs, 5);
    for (int64_t i = 0; i < N; i++) weight[i] = i % 2 == 0 ? 1.0 : 4.0;
    mn_fgmres_problem p = { .count        = N,
                            .weight       = weight,
                            .precondition = precondition,
                            .apply        = apply,
                            .context      = &s,
                            .residual     = left,
                            .restart      = 5,
                            .iterations   = 300 };
    for (int k = 0; k < 3; k++) {
        mn_solve_report report;
        assert_int_equal(mn_fgmres_solve(c, arena, &p, rhs, x, k == 0 ? 1.0 : k == 1 ? 1e-3 : 1e-9, &report), MN_OK);
        assert_int_equal(report.outcome, MN_SOLVE_CONVERGED);
        if (k == 0) first = report.residual_first;
        assert_int_equal(apply(x, kx, &s), MN_OK);
        double sum = 0.0;
        for (int64_t i = 0; i < N; i++) {
            sum += weight[i] * (rhs[i] - kx[i]) * (rhs[i] - kx[i]);
            assert_near(left[i], rhs[i] - kx[i], 1e-13 * first);
        }
        assert_near(sqrt(sum), report.residual_last, 1e-12 * first);
        p.known = true;
        p.apply = NULL;  // not needed any more
    }
    mn_arena_destroy(&arena);
    test_context_end(&c);
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    double     *first = NULL;
    mn_context *keep  = test_context(1);
    mn_arena   *room  = NULL;
    assert_int_equal(mn_arena_create(keep, &room), MN_OK);
    for (int threads = 1; threads <= 5; threads += 2) {
        mn_context *c     = test_context(threads);
        mn_arena   *arena = NULL;
        assert_int_equal(mn_arena_create(c, &arena), MN_OK);
        const solved s = solve(c, arena, (row_system){ .n = N, .loose = true }, 20, 100, 1e-6);
        if (first == NULL) {
            first = mn_arena_array(room, double, N);
            memcpy(first, s.x, N * sizeof *first);
        }
        assert_memory_equal(first, s.x, N * sizeof *first);
        mn_arena_destroy(&arena);
        test_context_end(&c);
    }
    mn_arena_destroy(&room);
    test_context_end(&keep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_answer_with_and_without_restarts),
        cmocka_unit_test(says_how_it_ended),
        cmocka_unit_test(residual_is_kept_and_goes_on),
        cmocka_unit_test(threads_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
