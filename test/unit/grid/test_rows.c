// SPDX-License-Identifier: MPL-2.0
// Rows of cells against single cells, the cells near particles against a search, and shifting against interpolating
// between single faces.
#include "clouds.h"

#include "grid/rows.h"

/// A sparse cloud, so that many tiles lack neighbours; `period` in tiles.
static cloud sparse_cloud(int dimension, int32_t period, int64_t count, int margin)
{
    mn_grid_def  def    = dimension == 3 ? grid_3d(0.3) : grid_2d(0.3);
    const double low[3] = { 0, 0, 0 }, high[3] = { 40, 32, 24 };
    def.period[1] = period;
    cloud s       = random_cloud(2, def, 7, count, low, high);
    cloud_sort(&s, margin);
    return s;
}

static void check_row(const mn_tiles *t, int32_t tile, int32_t r, const double *d, const float *f, const uint8_t *b,
                      const uint8_t *bits)
{
    const mn_row_places row = mn_row_find(t, tile, r);
    assert_int_equal(row.at, (int64_t)tile * t->cells + r * MN_TILE);
    for (int a = 0; a < 3; a++) {
        double        room_d[2][MN_TILE];
        float         room_f[2][MN_TILE];
        uint8_t       room_b[2][MN_TILE];
        const double *low_d   = mn_row_lower_doubles(d, &row, a, room_d[0]),
                     *high_d  = mn_row_higher_doubles(d, &row, a, room_d[1]);
        const float *low_f    = mn_row_lower_floats(f, &row, a, room_f[0]),
                    *high_f   = mn_row_higher_floats(f, &row, a, room_f[1]);
        const uint8_t *low_b  = mn_row_lower_bytes(b, &row, a, room_b[0]),
                      *high_b = mn_row_higher_bytes(b, &row, a, room_b[1]);
        for (int32_t x = 0; x < MN_TILE; x++) {
            const int64_t low  = mn_cell_next(t, tile, r * MN_TILE + x, a, -1),
                          high = mn_cell_next(t, tile, r * MN_TILE + x, a, 1);
            assert_int_equal(mn_row_low(&row, a, x), low);
            assert_int_equal(mn_row_high(&row, a, x), high);
            assert_true(low_d[x] == d[low] && high_d[x] == d[high]);
            assert_true(low_f[x] == f[low] && high_f[x] == f[high]);
            assert_true(low_b[x] == b[low] && high_b[x] == b[high]);
            assert_int_equal(mn_bits_lower(bits, &row, a) >> x & 1, b[low] != 0);
            assert_int_equal(mn_bits_higher(bits, &row, a) >> x & 1, b[high] != 0);
            assert_int_equal(mn_bits_has(bits, low), b[low] != 0);
        }
    }
}

static void rows_agree_with_cells(int dimension, int32_t period)
{
    cloud           s    = sparse_cloud(dimension, period, 60, 1);
    const mn_tiles *t    = &s.tiles;
    const int64_t   n    = (int64_t)t->count * t->cells;
    double         *d    = mn_arena_array(s.arena, double, n);
    float          *f    = mn_arena_array(s.arena, float, n);
    uint8_t        *b    = mn_arena_array(s.arena, uint8_t, n);
    uint8_t        *bits = mn_arena_array(s.arena, uint8_t, n / MN_TILE);
    for (int64_t i = 0; i < n; i++) {
        d[i] = (double)i;
        f[i] = (float)(i % 65536);
        b[i] = i < t->cells ? 0 : mn_random(3, (uint64_t)i, 0, 0) < 0.4 ? 5 : 0;
    }
    for (int64_t r = 0; r < n / MN_TILE; r++) {
        bits[r] = mn_row_bits(b, r * MN_TILE);
        assert_int_equal(mn_row_any(b, r * MN_TILE), bits[r] != 0);
    }
    for (int32_t tile = 1; tile < t->count; tile++)
        for (int32_t r = 0; r < mn_rows_of(t); r++) check_row(t, tile, r, d, f, b, bits);
    cloud_end(&s);
}

static void test_rows(void **state)
{
    (void)state;
    rows_agree_with_cells(3, 0);
    rows_agree_with_cells(3, 4);
    rows_agree_with_cells(2, 0);
    rows_agree_with_cells(2, 4);
}

/// Whether a cell with particles lies within `distance` cells of a cell.
static bool particle_near(const cloud *s, int32_t tile, int32_t cell, int distance)
{
    const mn_tiles *t     = &s->tiles;
    const int32_t   at[3] = { t->coord[tile].x * MN_TILE + cell % MN_TILE,
                              t->coord[tile].y * MN_TILE + cell / MN_TILE % MN_TILE,
                              t->coord[tile].z * t->tile_z + cell / (MN_TILE * MN_TILE) };
    const int       deep  = t->def.dimension == 3 ? distance : 0;
    for (int32_t z = -deep; z <= deep; z++)
        for (int32_t y = -distance; y <= distance; y++)
            for (int32_t x = -distance; x <= distance; x++) {
                const int64_t place = cloud_place(s, at[0] + x, at[1] + y, at[2] + z);
                if (place >= 0 && s->bins.start[place] != s->bins.start[place + 1]) return true;
            }
    return false;
}

static void check_reach(int dimension, int32_t period, int distance)
{
    cloud          s = sparse_cloud(dimension, period, 60, 3);
    const uint8_t *near;
    int64_t        inside = 0, outside = 0;
    assert_int_equal(mn_bins_reach(s.context, s.arena, &s.tiles, &s.bins, distance, &near), MN_OK);
    for (int64_t i = 0; i < s.tiles.cells; i++) assert_false(mn_bits_has(near, i));
    for (int64_t i = s.tiles.cells; i < (int64_t)s.tiles.count * s.tiles.cells; i++) {
        const bool expected = particle_near(&s, (int32_t)(i / s.tiles.cells), (int32_t)(i % s.tiles.cells), distance);
        assert_int_equal(mn_bits_has(near, i), expected);
        inside += expected, outside += !expected;
    }
    assert_true(inside > 60 && outside > 60);
    cloud_end(&s);
}

static void test_reach(void **state)
{
    (void)state;
    check_reach(3, 0, 1);
    check_reach(3, 4, 2);
    check_reach(2, 0, 2);
    check_reach(2, 4, 1);
}

/// A field between the faces of one axis at particle p, from the 4 or 8 around it; 0 where there is no tile.
static double value_at(const cloud *s, int axis, const double *field, int64_t p)
{
    const int dimension = s->def.dimension;
    int32_t   first[3]  = { 0, 0, 0 };
    double    part[3], sum = 0.0;
    for (int a = 0; a < dimension; a++) {
        const double place = (s->q.position[a][p] - mn_get3(s->def.origin, a)) / s->def.cell - (a == axis ? 0.0 : 0.5);
        first[a]           = (int32_t)floor(place);
        part[a]            = place - floor(place);
    }
    for (int k = 0; k < 1 << dimension; k++) {
        const int64_t at = cloud_place(s, first[0] + (k & 1), first[1] + (k >> 1 & 1), first[2] + (k >> 2));
        double        w  = 1.0;
        for (int a = 0; a < dimension; a++) w *= k >> a & 1 ? part[a] : 1.0 - part[a];
        if (at >= 0) sum += w * field[at];
    }
    return sum;
}

/// Shifted by the interpolated value, or by `longest` along it where that is longer.
static void check_shift(int dimension, int32_t period, int margin)
{
    cloud        s = sparse_cloud(dimension, period, 400, margin);
    double      *field[3], *moved[3];
    const double longest = 0.05;
    int          limited = 0, whole = 0;
    for (int a = 0; a < 3; a++) {
        field[a] = cloud_field(&s);
        moved[a] = mn_arena_array(s.arena, double, s.q.count);
        memcpy(moved[a], s.q.position[a], (size_t)s.q.count * sizeof(double));
        for (int64_t i = 0; i < (int64_t)s.tiles.count * s.tiles.cells; i++)
            field[a][i] = i < s.tiles.cells ? 0.0 : between(11, (uint64_t)i, (uint64_t)a, -0.1, 0.1);
    }
    mn_faces_shift_points(s.context, &s.tiles, &s.bins, (const double *const *)field, longest, moved);
    for (int64_t i = 0; i < s.q.count; i++) {
        double value[3] = { 0.0, 0.0, 0.0 };
        for (int a = 0; a < dimension; a++) value[a] = value_at(&s, a, field[a], i);
        const double length = sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2]);
        const double share  = length > longest ? longest / length : 1.0;
        for (int a = 0; a < 3; a++) assert_near(moved[a][i], s.q.position[a][i] + share * value[a], 1e-14);
        limited += length > longest, whole += length <= longest;
    }
    assert_true(limited > 20 && whole > 20);
    cloud_end(&s);
}

static void test_shift(void **state)
{
    (void)state;
    check_shift(3, 0, 2);
    check_shift(2, 0, 2);
    check_shift(3, 4, 0);
    check_shift(2, 4, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows), cmocka_unit_test(test_reach),
                                        cmocka_unit_test(test_shift) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
