// SPDX-License-Identifier: MPL-2.0
// Band matrices: factor and solution against dense elimination, fixed entries, counted eigenvalues (rod.C18).
#include "testing.h"

#include "base/random.h"
#include "solve/banded.h"

#include <string.h>

enum { MOST = 200 };
static double uniform(uint64_t id, uint64_t lane) { return 2.0 * mn_random(3, id, 0, lane) - 1.0; }

/// Diagonally dominant, so positive definite; `sign` may turn rows negative definite.
static void fill(mn_banded *m, double dense[MOST][MOST], uint64_t seed)
{
    memset(dense, 0, sizeof(double) * MOST * MOST);
    mn_banded_zero(m);
    for (int32_t i = 0; i < m->size; i++)
        for (int32_t j = i > m->half ? i - m->half : 0; j <= i; j++) {
            const double v = i == j ? 2.0 * m->half + 1.0 : uniform(seed, (uint64_t)(i * MOST + j));
            mn_banded_add(m, i % 2 ? i : j, i % 2 ? j : i, v);
            dense[i][j] = dense[j][i] = v;
        }
}

static void solve_dense(int n, double a[MOST][MOST], double *x)
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            const double f = a[i][k] / a[k][k];
            for (int j = k; j < n; j++) a[i][j] -= f * a[k][j];
            x[i] -= f * x[k];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) x[i] -= a[i][j] * x[j];
        x[i] /= a[i][i];
    }
}

static void band_and_dense_solutions_agree(void **state)
{
    (void)state;
    static double        dense[MOST][MOST], value[MOST * 20];
    static const int32_t sizes[] = { 3, 4, 11, 12, 39, 40, 199, 200 }, halves[] = { 1, 10, 19 };
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (size_t h = 0; h < 3; h++) {
            const int32_t n = sizes[k];
            mn_banded     m = { n, halves[h] < n ? halves[h] : n - 1, value };
            double        x[MOST], y[MOST], product[MOST];
            fill(&m, dense, k * 10 + h);
            for (int32_t i = 0; i < n; i++) x[i] = y[i] = uniform(77, (uint64_t)i);
            mn_banded_multiply(&m, x, product);
            for (int32_t i = 0; i < n; i++) {
                double sum = 0.0;
                for (int32_t j = 0; j < n; j++) sum += dense[i][j] * x[j];
                assert_near(product[i], sum, 1e-12);
            }
            // Hold one entry at 0.3: the dense system with that row replaced.
            mn_banded_fix(&m, n / 2, 0.3, x);
            for (int32_t j = 0; j < n; j++) dense[n / 2][j] = j == n / 2;
            y[n / 2]                      = 0.3;
            const mn_banded_pivots pivots = mn_banded_factor(&m);
            assert_false(pivots.broken);
            assert_int_equal(pivots.negative, 0);
            mn_banded_solve(&m, x);
            solve_dense(n, dense, y);
            for (int32_t i = 0; i < n; i++) assert_near(x[i], y[i], 1e-10);
        }
}

static void negative_pivots_count_negative_eigenvalues(void **state)
{
    (void)state;
    // The second difference on n points has eigenvalues 2 - 2 cos(k pi / (n + 1)); shifted down, k of them are
    // negative.
    enum { N = 50 };
    double value[N * 2];
    for (int k = 0; k <= 10; k++) {
        mn_banded    m     = { N, 1, value };
        const double shift = 2.0 - 2.0 * cos((k + 0.5) * 3.14159265358979 / (N + 1));
        mn_banded_zero(&m);
        for (int32_t i = 0; i < N; i++) {
            mn_banded_add(&m, i, i, 2.0 - shift);
            if (i > 0) mn_banded_add(&m, i, i - 1, -1.0);
        }
        assert_int_equal(mn_banded_factor(&m).negative, k);
    }
    mn_banded zero = { 2, 1, value };
    mn_banded_zero(&zero);
    assert_true(mn_banded_factor(&zero).broken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(band_and_dense_solutions_agree),
        cmocka_unit_test(negative_pivots_count_negative_eigenvalues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
