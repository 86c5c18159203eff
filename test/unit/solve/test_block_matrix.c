// SPDX-License-Identifier: MPL-2.0
// test/unit/solve/test_block_matrix.c - half matrices are what the full ones are.
#include "testing.h"

#include "base/random.h"
#include "solve/block_matrix.h"
#include "solve/cholesky.h"

#define ROWS 1000

/// Near neighbours and far ones, within a part and between parts.
static mn_block_clique three(int64_t k, void *context)
{
    int32_t *v = context;
    v[0] = (int32_t)k, v[1] = (int32_t)((k + 1) % ROWS), v[2] = (int32_t)((k * 37 + 11) % ROWS);
    return (mn_block_clique){ v, 3 };
}

static void fill(mn_block_matrix *m)
{
    for (int32_t i = 0; i < m->rows; i++)
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++) {
            const int32_t j = m->column[e], low = i < j ? i : j, high = i < j ? j : i;
            for (int k = 0; k < 9; k++) {
                const int lane        = i < j ? k : 3 * (k % 3) + k / 3;
                m->block_f[9 * e + k] = (float)(mn_random(1, (uint64_t)(low * ROWS + high), 0, (uint64_t)lane) - 0.5);
            }
        }
}

static void half_matrix_is_the_full_one(void **state)
{
    (void)state;
    static double   x[3 * ROWS + 1], y[2][3 * ROWS];
    mn_context     *c = test_context(3);
    mn_block_matrix full, half;
    mn_cholesky    *ch;
    int32_t         v[3];
    assert_int_equal(mn_block_matrix_create(c, ROWS, ROWS, three, v, true, &full), MN_OK);
    assert_int_equal(mn_block_matrix_create_half(c, ROWS, ROWS, three, v, &half), MN_OK);
    assert_true(half.start[ROWS] < full.start[ROWS]);
    assert_true(mn_block_matrix_parts(&half) > 2);
    for (int32_t i = 0; i < ROWS; i++)
        for (int64_t e = full.start[i]; e < full.start[i + 1]; e++)
            assert_true((mn_block_matrix_find(&half, i, full.column[e]) < 0) ==
                        mn_block_matrix_is_implied(&half, i, full.column[e]));
    fill(&full), fill(&half);
    mn_block_matrix_balance(c, &full), mn_block_matrix_balance(c, &half);
    for (int k = 0; k < 9 * ROWS; k++) assert_near(half.diagonal[k], full.diagonal[k], 1e-14);
    for (int k = 0; k < 3 * ROWS; k++) x[k] = mn_random(2, (uint64_t)k, 0, 0) - 0.5;
    mn_block_matrix_multiply(c, &full, x, y[0]);
    mn_block_matrix_multiply(c, &half, x, y[1]);
    for (int k = 0; k < 3 * ROWS; k++) assert_near(y[1][k], y[0][k], 1e-13);
    assert_int_equal(mn_cholesky_create(c, &half, NULL, &ch), MN_ERR_ARGUMENT);
    mn_block_matrix_destroy(c, &full);
    mn_block_matrix_destroy(c, &half);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(half_matrix_is_the_full_one) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
