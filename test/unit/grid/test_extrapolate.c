// SPDX-License-Identifier: MPL-2.0
// Face values beyond the liquid (liquid 5.5).
#include "clouds.h"

#include "base/hash.h"
#include "grid/extrapolate.h"

static double linear(int axis, const double x[3]) { return 0.7 + axis + 1.3 * x[0] - 0.8 * x[1] + 2.1 * x[2]; }

typedef double field_fn(int axis, const double x[3]);

static double constant(int axis, const double x[3])
{
    (void)x;
    return 3.0 - axis;
}

/// Tiles over a block of cells -8 .. 16, and faces of `fn` known within `radius` cells of (4.2, 3.9, 4.4).
typedef struct ball {
    cloud    s;
    double  *u[3];
    uint8_t *known[3];
} ball;

static double distance_from_middle(const cloud *s, const double x[3])
{
    const double middle[3] = { 4.2, 3.9, 4.4 };
    double       square    = 0.0;
    for (int a = 0; a < s->def.dimension; a++) {
        const double d = (x[a] - mn_get3(s->def.origin, a)) / s->def.cell - middle[a];
        square += d * d;
    }
    return sqrt(square);
}

static ball make_ball(int threads, mn_grid_def def, double radius, field_fn *fn)
{
    const double low[3] = { 0, 0, 0 }, high[3] = { 8, 8, 8 };
    ball         b = { .s = random_cloud(threads, def, 1, 500, low, high) };
    cloud       *s = &b.s;
    assert_int_equal(mn_bins_build(s->context, s->arena, &def, cloud_position(s), s->q.count, 8, &s->tiles, &s->bins),
                     MN_OK);
    const int64_t n = (int64_t)s->tiles.count * s->tiles.cells;
    for (int a = 0; a < 3; a++) {
        b.u[a]     = cloud_field(s);
        b.known[a] = mn_arena_array_zero(s->arena, uint8_t, n);
        for (int64_t i = s->tiles.cells; i < n; i++) {
            double x[3];
            node_position(&s->tiles, a, (int32_t)(i / s->tiles.cells), (int32_t)(i % s->tiles.cells), x);
            b.known[a][i] = distance_from_middle(s, x) < radius;
            if (b.known[a][i]) b.u[a][i] = fn(a, x);
        }
    }
    return b;
}

/// How many faces carry each number; values wherever there is one agree with `fn`.
static void check_field(const ball *b, field_fn *fn, double tolerance, int64_t layer_count[16])
{
    const cloud *s = &b->s;
    memset(layer_count, 0, 16 * sizeof *layer_count);
    for (int a = 0; a < s->def.dimension; a++)
        for (int64_t i = s->tiles.cells; i < (int64_t)s->tiles.count * s->tiles.cells; i++) {
            assert_true(b->known[a][i] < 16);
            layer_count[b->known[a][i]]++;
            if (b->known[a][i] == 0) {
                assert_true(isnan(b->u[a][i]));  // not touched
                continue;
            }
            double x[3];
            node_position(&s->tiles, a, (int32_t)(i / s->tiles.cells), (int32_t)(i % s->tiles.cells), x);
            assert_near(b->u[a][i], fn(a, x), tolerance);
        }
}

static void linear_fields_are_continued_exactly(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        ball b = make_ball(2, dimension == 3 ? grid_3d(0.3) : grid_2d(0.3), 4.6, linear);
        assert_int_equal(mn_extrapolate_faces(b.s.context, b.s.arena, &b.s.tiles, MN_EXTRAPOLATE_LINEAR, 4, b.u,
                                              b.known),
                         MN_OK);
        int64_t count[16];
        check_field(&b, linear, 1e-12, count);
        for (int k = 1; k <= 5; k++) assert_true(count[k] > 20);
        for (int k = 6; k < 16; k++) assert_int_equal(count[k], 0);
        cloud_end(&b.s);
    }
}

static void averages_continue_constants_but_not_slopes(void **state)
{
    (void)state;
    int64_t count[16];
    for (int dimension = 2; dimension <= 3; dimension++) {
        ball b = make_ball(2, dimension == 3 ? grid_3d(0.3) : grid_2d(0.3), 3.1, constant);
        assert_int_equal(mn_extrapolate_faces(b.s.context, b.s.arena, &b.s.tiles, MN_EXTRAPOLATE_AVERAGE, 3, b.u,
                                              b.known),
                         MN_OK);
        check_field(&b, constant, 1e-14, count);
        assert_true(count[4] > 0 && count[5] == 0);
        cloud_end(&b.s);
    }
    // One layer of a plane through a known half space repeats the last value.
    ball    b       = make_ball(1, grid_2d(1.0), 3.0, linear);
    int64_t checked = 0;
    uint8_t before[3][4096];
    for (int a = 0; a < 2; a++) memcpy(before[a], b.known[a], (size_t)b.s.tiles.count * (size_t)b.s.tiles.cells);
    assert_int_equal(mn_extrapolate_faces(b.s.context, b.s.arena, &b.s.tiles, MN_EXTRAPOLATE_AVERAGE, 1, b.u, b.known),
                     MN_OK);
    for (int a = 0; a < 2; a++)
        for (int y = -4; y < 12; y++)
            for (int x = -4; x < 12; x++) {
                const int64_t here = cloud_place(&b.s, x, y, 0);
                if (b.known[a][here] != 2) continue;
                const int64_t side[4] = { cloud_place(&b.s, x - 1, y, 0), cloud_place(&b.s, x + 1, y, 0),
                                          cloud_place(&b.s, x, y - 1, 0), cloud_place(&b.s, x, y + 1, 0) };
                double        sum     = 0.0;
                int           n       = 0;
                for (int k = 0; k < 4; k++)
                    if (before[a][side[k]]) {
                        sum += b.u[a][side[k]];
                        n++;
                    }
                assert_true(n > 0);
                assert_near(b.u[a][here], sum / n, 1e-14);
                checked++;
            }
    assert_true(checked > 20);
    cloud_end(&b.s);
}

static void a_period_is_crossed(void **state)
{
    (void)state;
    mn_grid_def def     = grid_2d(1.0);
    def.period[0]       = 1;
    const double low[3] = { 0, 3, 0 }, high[3] = { 8, 5, 0 };
    cloud        s = random_cloud(1, def, 3, 50, low, high);
    assert_int_equal(mn_bins_build(s.context, s.arena, &def, cloud_position(&s), s.q.count, 2, &s.tiles, &s.bins),
                     MN_OK);
    const int64_t n    = (int64_t)s.tiles.count * s.tiles.cells;
    double       *u[3] = { cloud_field(&s), cloud_field(&s), NULL };
    uint8_t *known[3]  = { mn_arena_array_zero(s.arena, uint8_t, n), mn_arena_array_zero(s.arena, uint8_t, n), NULL };
    u[0][cloud_place(&s, 0, 4, 0)]     = 5.0;
    known[0][cloud_place(&s, 0, 4, 0)] = 1;
    assert_int_equal(mn_extrapolate_faces(s.context, s.arena, &s.tiles, MN_EXTRAPOLATE_LINEAR, 2, u, known), MN_OK);
    assert_int_equal(known[0][cloud_place(&s, 7, 4, 0)], 2);
    assert_int_equal(known[0][cloud_place(&s, 6, 4, 0)], 3);
    assert_int_equal(known[0][cloud_place(&s, 5, 4, 0)], 0);
    assert_true(u[0][cloud_place(&s, 7, 4, 0)] == 5.0);
    cloud_end(&s);
}

static uint64_t hash_of_extension(int threads)
{
    ball b = make_ball(threads, grid_3d(0.3), 3.7, linear);
    assert_int_equal(mn_extrapolate_faces(b.s.context, b.s.arena, &b.s.tiles, MN_EXTRAPOLATE_LINEAR, 4, b.u, b.known),
                     MN_OK);
    uint64_t     hash = MN_HASH_SEED;
    const size_t n    = (size_t)b.s.tiles.count * (size_t)b.s.tiles.cells;
    for (int a = 0; a < 3; a++) {
        for (size_t i = 0; i < n; i++)
            if (b.known[a][i] == 0) b.u[a][i] = 0.0;
        hash = mn_hash_bytes(mn_hash_bytes(hash, b.u[a], n * sizeof(double)), b.known[a], n);
    }
    cloud_end(&b.s);
    return hash;
}

static void bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    const uint64_t one = hash_of_extension(1);
    assert_true(hash_of_extension(2) == one);
    assert_true(hash_of_extension(3) == one);
    assert_true(hash_of_extension(8) == one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_fields_are_continued_exactly),
        cmocka_unit_test(averages_continue_constants_but_not_slopes),
        cmocka_unit_test(a_period_is_crossed),
        cmocka_unit_test(bits_do_not_depend_on_threads),
    };
    return cmocka_run_group_tests_name("extrapolate", tests, NULL, NULL);
}
