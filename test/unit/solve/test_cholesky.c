// SPDX-License-Identifier: MPL-2.0
// test/unit/solve/test_cholesky.c - direct factors of block matrices.
#include "testing.h"

#include "base/random.h"
#include "solve/cholesky.h"

static mn_block_clique chain(int64_t k, void *context)
{
    int32_t *pair = context;
    pair[0] = (int32_t)k, pair[1] = (int32_t)((k * 7 + 3) % 30 == k ? (k + 1) % 30 : (k * 7 + 3) % 30);
    return (mn_block_clique){ pair, 2 };
}

/// A random symmetric matrix, made dominant by its diagonal.
static void fill(mn_block_matrix *m, double dominance)
{
    for (int32_t i = 0; i < m->rows; i++) {
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++) {
            const int32_t j = m->column[e], low = i < j ? i : j, high = i < j ? j : i;
            for (int k = 0; k < 9; k++) {
                const int lane      = i < j ? k : 3 * (k % 3) + k / 3;
                m->block[9 * e + k] = mn_random(1, (uint64_t)(low * 100 + high), 0, (uint64_t)lane) - 0.5;
            }
        }
        for (int k = 0; k < 9; k++) m->diagonal[9 * i + k] = k % 4 == 0 ? dominance : 0.1;
    }
}

static void solution_has_no_residual(void **state)
{
    (void)state;
    mn_context     *c = test_context(1);
    mn_block_matrix m;
    mn_cholesky    *ch;
    int32_t         pair[2];
    uint8_t         fixed[90] = { 0 };
    double          b[90], x[90], y[90], add[90];
    bool            positive;
    assert_int_equal(mn_block_matrix_create(c, 30, 30, chain, pair, false, &m), MN_OK);
    fill(&m, 8.0);
    for (int k = 0; k < 90; k++) fixed[k] = k % 7 == 0, b[k] = mn_random(2, (uint64_t)k, 0, 0) - 0.5, add[k] = 0.01 * k;
    assert_int_equal(mn_cholesky_create(c, &m, fixed, &ch), MN_OK);
    assert_int_equal(mn_cholesky_solve(ch, b, x), MN_ERR_STATE);
    assert_int_equal(mn_cholesky_factor(ch, &m, add, &positive), MN_OK);
    assert_true(positive);
    assert_int_equal(mn_cholesky_solve(ch, b, x), MN_OK);
    mn_block_matrix_multiply(c, &m, x, y);
    for (int k = 0; k < 90; k++) {
        if (fixed[k]) assert_true(x[k] == 0.0);
        else assert_near(y[k] + add[k] * x[k], b[k], 1e-14);
    }
    fill(&m, -1.0);
    assert_int_equal(mn_cholesky_factor(ch, &m, NULL, &positive), MN_OK);
    assert_false(positive);
    mn_cholesky_destroy(&ch);
    mn_block_matrix_destroy(c, &m);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(solution_has_no_residual) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
