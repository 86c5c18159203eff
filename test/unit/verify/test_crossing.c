// SPDX-License-Identifier: MPL-2.0
// Exact crossing of triangles: the sign against whole-number arithmetic, known pairs, and the count over many.
#include "testing.h"

#include "base/random.h"
#include "verify/thin/crossing.h"

/// Whole coordinates up to 2^30: the determinant fits into 128 bits.
static int whole_orientation(const int64_t p[4][3])
{
    __extension__ typedef __int128 wide;
    wide                           m[3][3];
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 3; a++) m[i][a] = p[i][a] - p[3][a];
    const wide det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) +
                     m[0][1] * (m[1][2] * m[2][0] - m[1][0] * m[2][2]) +
                     m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    return (det > 0) - (det < 0);
}

static void the_sign_is_exact(void **state)
{
    (void)state;
    int zeros = 0, near = 0;
    for (uint64_t k = 0; k < 20000; k++) {
        int64_t p[4][3];
        mn_vec3 x[4];
        for (int i = 0; i < 3; i++)
            for (int a = 0; a < 3; a++) p[i][a] = (int64_t)((mn_random(5, k, (uint64_t)(3 * i + a), 1) - 0.5) * 0x1p29);
        // The fourth point in the plane of the others, or one unit away from it.
        const int64_t u = (int64_t)(4.0 * mn_random(5, k, 20, 1)) - 2, v = (int64_t)(4.0 * mn_random(5, k, 21, 1)) - 2;
        for (int a = 0; a < 3; a++) p[3][a] = p[0][a] + u * (p[1][a] - p[0][a]) + v * (p[2][a] - p[0][a]);
        p[3][k % 3] += (int64_t)(k / 3 % 3) - 1;
        // Scaled by a power of two: products still are exact only as expansions.
        for (int i = 0; i < 4; i++)
            x[i] = mn_v3(0x1p-27 * (double)p[i][0], 0x1p-27 * (double)p[i][1], 0x1p-27 * (double)p[i][2]);
        const int expected = whole_orientation((const int64_t(*)[3])p);
        assert_int_equal(mn_orientation(x[0], x[1], x[2], x[3]), expected);
        assert_int_equal(mn_orientation(x[1], x[0], x[2], x[3]), -expected);
        zeros += expected == 0, near += expected != 0;
    }
    assert_true(zeros > 1000 && near > 1000);
}

static void known_pairs(void **state)
{
    (void)state;
    const mn_vec3 flat[3]    = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 1 } };
    const mn_vec3 through[3] = { { 0.2, -1, 0.2 }, { 0.3, 1, 0.2 }, { 5, 1, 5 } };
    const mn_vec3 beside[3]  = { { 1.2, -1, 0.2 }, { 1.3, 1, 0.2 }, { 5, 1, 5 } };
    const mn_vec3 touches[3] = { { 0.2, 0, 0.2 }, { 0.3, 1, 0.2 }, { 0.2, 1, 0.4 } };
    const mn_vec3 same[3]    = { { 0.1, 0, 0.1 }, { 0.5, 0, 0.1 }, { 0.1, 0, 0.5 } };
    const mn_vec3 above[3]   = { { 0, 1e-300, 0 }, { 1, 1e-300, 0 }, { 0, 1e-300, 1 } };
    assert_true(mn_triangles_cross(flat, through));
    assert_true(mn_triangles_cross(through, flat));
    assert_false(mn_triangles_cross(flat, beside));
    assert_false(mn_triangles_cross(flat, touches));
    assert_false(mn_triangles_cross(flat, same));
    assert_false(mn_triangles_cross(flat, above));
    // An edge through a corner, and through an edge.
    const mn_vec3 corner[3] = { { 0, -1, 0 }, { 0, 1, 0 }, { -1, 1, -1 } },
                  edge[3]   = { { 0.5, -1, 0 }, { 0.5, 1, 0 }, { 0.5, 1, -1 } };
    assert_true(mn_triangles_cross(flat, corner));
    assert_true(mn_triangles_cross(flat, edge));
}

static void the_sweep_finds_every_pair(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    static mn_vec3 x[3 * COUNT];
    static int32_t t[COUNT][3];
    mn_context    *c = test_context(1);
    for (int32_t k = 0; k < COUNT; k++)
        for (int i = 0; i < 3; i++) {
            const uint64_t v = (uint64_t)(3 * k + i), of = (uint64_t)k;
            t[k][i] = 3 * k + i;
            x[v]    = mn_v3(mn_random(7, of, 0, 1) + 0.3 * mn_random(7, v, 1, 2),
                            mn_random(7, of, 0, 3) + 0.3 * mn_random(7, v, 1, 4),
                            mn_random(7, of, 0, 5) + 0.3 * mn_random(7, v, 1, 6));
        }
    int64_t expected = 0, found = -1;
    for (int i = 0; i < COUNT; i++)
        for (int j = i + 1; j < COUNT; j++) expected += mn_triangles_cross(x + 3 * i, x + 3 * j);
    assert_int_equal(mn_count_crossings(c, x, (const int32_t(*)[3])t, COUNT, &found), MN_OK);
    assert_true(expected > 20);
    assert_int_equal(found, expected);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sign_is_exact),
        cmocka_unit_test(known_pairs),
        cmocka_unit_test(the_sweep_finds_every_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
