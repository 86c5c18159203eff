// SPDX-License-Identifier: MPL-2.0
// Faces that points see: numbering, weights, W and its transpose, the same bits for any number of threads.
#include "testing.h"

#include "base/random.h"
#include "grid/point_faces.h"

#include <stdlib.h>
#include <string.h>

#define N 3000

typedef struct points {
    double x[3][N];
} points;

static void spread_out(points *p)
{
    for (int i = 0; i < N; i++)
        for (int a = 0; a < 3; a++)
            p->x[a][i] = (a == 1 ? 3.0 : 11.0) * (mn_random(5, (uint64_t)i, 0, (uint64_t)a) - 0.5);
    for (int a = 0; a < 3; a++) p->x[a][0] = 0.0;  // exactly on a corner of a tile
}

static mn_point_faces build(mn_context *c, mn_arena *arena, const points *p)
{
    const mn_grid_def   grid  = { .dimension = 3, .cell = 0.3, .depth = 0.3, .origin = { 0.01, -0.02, 0.0 } };
    const double *const at[3] = { p->x[0], p->x[1], p->x[2] };
    mn_point_faces      f;
    assert_int_equal(mn_point_faces_build(c, arena, &grid, at, N, &f), MN_OK);
    return f;
}

/// Every number is used once, and a linear field is reproduced with its gradient.
static void linear_fields_are_reproduced(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_arena   *arena;
    assert_int_equal(mn_arena_create(c, &arena), MN_OK);
    points *p = malloc(sizeof *p);
    spread_out(p);
    mn_point_faces f         = build(c, arena, p);
    double        *u         = mn_point_faces_array(arena, &f);
    const double   origin[3] = { 0.01, -0.02, 0.0 }, A[3][3] = { { 1, 2, -1 }, { 0.5, -2, 3 }, { 4, 0.1, 1 } },
                 b[3] = { 1, -2, 5 };
    int32_t numbered  = 0;
    for (int a = 0; a < 3; a++)
        for (int32_t t = 1; t < f.tiles.count; t++)
            for (int row = 0; row < 64; row++)
                for (int x = 0, k = 0; x < 8; x++) {
                    if (!(f.bits[a][t * 64 + row] >> x & 1)) continue;
                    const int32_t number  = f.first[a][t * 64 + row] + k++;
                    const int     cell[3] = { f.tiles.coord[t].x * 8 + x, f.tiles.coord[t].y * 8 + row % 8,
                                              f.tiles.coord[t].z * 8 + row / 8 };
                    assert_true(number >= f.axis_start[a] && number < f.axis_start[a + 1]);
                    assert_true(u[number] == 0.0);
                    double value = b[a] + 1e3;  // away from zero, so that a number used twice is seen
                    for (int k2 = 0; k2 < 3; k2++)
                        value += A[a][k2] * (origin[k2] + 0.3 * (cell[k2] + (k2 == a ? 0.0 : 0.5)));
                    u[number] = value;
                    numbered++;
                }
    assert_int_equal(numbered, f.count);
    double *v = mn_arena_array(arena, double, 3 * N), *m = mn_arena_array(arena, double, 9 * N),
           *v2 = mn_arena_array(arena, double, 3 * N);
    mn_points_collect(c, &f, u, v, m);
    mn_points_collect(c, &f, u, v2, NULL);
    for (int i = 0; i < N; i++)
        for (int a = 0; a < 3; a++) {
            double value = b[a] + 1e3;
            for (int k = 0; k < 3; k++) value += A[a][k] * p->x[k][i];
            assert_near(v[3 * i + a], value, 1e-11);
            assert_near(v2[3 * i + a], value, 1e-11);
            for (int k = 0; k < 3; k++) assert_near(m[9 * i + 3 * a + k] * 4.0 / 0.09, A[a][k], 1e-8);
        }
    free(p);
    mn_arena_destroy(&arena);
    test_context_end(&c);
}

static void spread_is_the_transpose_of_collect(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_arena   *arena;
    assert_int_equal(mn_arena_create(c, &arena), MN_OK);
    points *p = malloc(sizeof *p);
    spread_out(p);
    mn_point_faces f = build(c, arena, p);
    double        *u = mn_point_faces_array(arena, &f), *g = mn_point_faces_array(arena, &f);
    double        *v = mn_arena_array(arena, double, 3 * N), *m = mn_arena_array(arena, double, 9 * N);
    double        *force = mn_arena_array(arena, double, 3 * N), *stress = mn_arena_array(arena, double, 9 * N);
    for (int32_t i = 0; i < f.count; i++) u[i] = mn_random(1, (uint64_t)i, 0, 0) - 0.5;
    for (int i = 0; i < 3 * N; i++) force[i] = mn_random(2, (uint64_t)i, 0, 0) - 0.5;
    for (int i = 0; i < 9 * N; i++) stress[i] = mn_random(3, (uint64_t)i, 0, 0) - 0.5;
    mn_points_collect(c, &f, u, v, m);
    mn_points_spread(c, &f, force, stress, g);
    double left = 0.0, right = 0.0, sum[3] = { 0 }, total[3] = { 0 };
    for (int i = 0; i < 3 * N; i++) left += v[i] * force[i];
    for (int i = 0; i < 9 * N; i++) left += m[i] * stress[i];
    for (int32_t i = 0; i < f.count; i++) right += u[i] * g[i];
    assert_near(left, right, 1e-11);
    // A stress exerts no net force.
    for (int a = 0; a < 3; a++) {
        for (int32_t i = f.axis_start[a]; i < f.axis_start[a + 1]; i++) sum[a] += g[i];
        for (int i = 0; i < N; i++) total[a] += force[3 * i + a];
        assert_near(sum[a], total[a], 1e-11);
    }
    // Without stress: the same as with a stress of zero.
    memset(stress, 0, 9 * N * sizeof *stress);
    double *g2 = mn_point_faces_array(arena, &f);
    mn_points_spread(c, &f, force, stress, g);
    mn_points_spread(c, &f, force, NULL, g2);
    for (int32_t i = 0; i < f.count; i++) assert_near(g[i], g2[i], 1e-15);
    free(p);
    mn_arena_destroy(&arena);
    test_context_end(&c);
}

static void threads_do_not_change_a_bit(void **state)
{
    (void)state;
    double *first = NULL;
    int32_t count = 0;
    points *p     = malloc(sizeof *p);
    spread_out(p);
    for (int threads = 1; threads <= 8; threads *= 2) {
        mn_context *c = test_context(threads);
        mn_arena   *arena;
        assert_int_equal(mn_arena_create(c, &arena), MN_OK);
        mn_point_faces f     = build(c, arena, p);
        double        *force = mn_arena_array(arena, double, 3 * N), *g = mn_point_faces_array(arena, &f);
        for (int i = 0; i < 3 * N; i++) force[i] = mn_random(2, (uint64_t)i, 0, 0) - 0.5;
        mn_points_spread(c, &f, force, NULL, g);
        if (first == NULL) {
            count = f.count;
            first = malloc((size_t)count * sizeof *first);
            memcpy(first, g, (size_t)count * sizeof *first);
        }
        assert_int_equal(f.count, count);
        assert_memory_equal(first, g, (size_t)count * sizeof *first);
        mn_arena_destroy(&arena);
        test_context_end(&c);
    }
    free(first);
    free(p);
}

/// Points in two parts, each by itself on the faces of all: they see what they saw, and what they give adds up.
static void parts_see_the_faces_of_all(void **state)
{
    (void)state;
    const int64_t split = 1100;
    mn_context   *c     = test_context(2);
    mn_arena     *arena;
    assert_int_equal(mn_arena_create(c, &arena), MN_OK);
    points *p = malloc(sizeof *p);
    spread_out(p);
    mn_point_faces f = build(c, arena, p), part[2];
    assert_int_equal(mn_point_faces_part(arena, &f, 0, split, &part[0]), MN_OK);
    assert_int_equal(mn_point_faces_part(arena, &f, split, N - split, &part[1]), MN_OK);
    double *u = mn_point_faces_array(arena, &f), *g = mn_point_faces_array(arena, &f),
           *parts = mn_point_faces_array(arena, &f), *v = mn_arena_array(arena, double, 3 * N),
           *own = mn_arena_array(arena, double, 3 * N);
    for (int32_t i = 0; i < f.count; i++) u[i] = mn_random(3, (uint64_t)i, 0, 0);
    mn_points_collect(c, &f, u, v, NULL);
    mn_points_spread(c, &f, v, NULL, g);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(part[k].count, f.count);
        mn_points_collect(c, &part[k], u, own + 3 * k * split, NULL);
        mn_points_spread_add(c, &part[k], own + 3 * k * split, NULL, parts);
    }
    assert_memory_equal(v, own, 3 * N * sizeof *v);
    for (int32_t i = 0; i < f.count; i++) assert_near(parts[i], g[i], 1e-12);
    free(p);
    mn_arena_destroy(&arena);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_fields_are_reproduced),
        cmocka_unit_test(spread_is_the_transpose_of_collect),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(parts_see_the_faces_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
