// SPDX-License-Identifier: MPL-2.0
// Tiles around particles and particles by cell.
#include "clouds.h"

static int64_t key_of(const cloud *s, int64_t p)
{
    int32_t cell[3] = { 0, 0, 0 };
    for (int a = 0; a < s->def.dimension; a++)
        cell[a] = (int32_t)floor((s->q.position[a][p] - mn_get3(s->def.origin, a)) * (1.0 / s->def.cell));
    return cloud_place(s, cell[0], cell[1], cell[2]);
}

/// Every particle is in its cell, once, in the order of the numbers.
static void check_bins(const cloud *s)
{
    const int64_t cells = (int64_t)s->tiles.count * s->tiles.cells;
    assert_int_equal(s->bins.start[0], 0);
    assert_int_equal(s->bins.start[cells], s->bins.count);
    int64_t seen = 0;
    for (int64_t k = 0; k < cells; k++)
        for (int32_t j = s->bins.start[k]; j < s->bins.start[k + 1]; j++, seen++) {
            assert_int_equal(key_of(s, s->bins.order[j]), k);
            if (j > s->bins.start[k]) assert_true(s->bins.order[j] > s->bins.order[j - 1]);
        }
    assert_int_equal(seen, s->bins.count);
}

/// Each cell within `margin` of a particle is in a tile, and no tile is there for nothing.
static void check_tiles(const cloud *s, int margin)
{
    const int depth = s->def.dimension == 3 ? margin : 0;
    char     *used  = calloc((size_t)s->tiles.count, 1);
    for (int64_t p = 0; p < s->q.count; p++) {
        int32_t cell[3] = { 0, 0, 0 };
        for (int a = 0; a < s->def.dimension; a++)
            cell[a] = (int32_t)floor((s->q.position[a][p] - mn_get3(s->def.origin, a)) * (1.0 / s->def.cell));
        for (int k = -depth; k <= depth; k++)
            for (int j = -margin; j <= margin; j++)
                for (int i = -margin; i <= margin; i++) {
                    const int64_t place = cloud_place(s, cell[0] + i, cell[1] + j, cell[2] + k);
                    assert_true(place >= s->tiles.cells);
                    used[place / s->tiles.cells] = 1;
                }
    }
    for (int32_t t = 1; t < s->tiles.count; t++) assert_true(used[t]);
    free(used);
}

static void particles_are_in_their_cells_and_tiles_around_them(void **state)
{
    (void)state;
    const double low[3] = { -30, -20, -10 }, high[3] = { 25, 30, 12 };
    for (int k = 0; k < 24; k++) {
        mn_grid_def def = k % 2 == 0 ? grid_3d(0.21) : grid_2d(0.21);
        if (k % 3 == 1) {
            def.period[0] = 7;
            def.period[1] = 1 + k % 5;
        }
        if (k % 6 == 4) def.period[2] = 3;
        // Positions outside the period count as their images.
        cloud     s      = random_cloud(1 + k % 3, def, (uint64_t)k, k < 4 ? 1 : k < 12 ? 100 : 20000, low, high);
        const int margin = k % 5;
        assert_int_equal(mn_bins_build(s.context, s.arena, &def, cloud_position(&s), s.q.count, margin, &s.tiles,
                                       &s.bins),
                         MN_OK);
        assert_int_equal(s.bins.count, s.q.count);
        check_bins(&s);
        if (s.q.count <= 100) check_tiles(&s, margin);
        cloud_end(&s);
    }
}

static void refreshed_bins_follow_moved_particles_and_count_the_lost(void **state)
{
    (void)state;
    const double low[3] = { 0, 0, 0 }, high[3] = { 8, 8, 8 };
    cloud        s = random_cloud(2, grid_3d(1.0), 8, 9000, low, high);
    assert_int_equal(mn_bins_build(s.context, s.arena, &s.def, cloud_position(&s), s.q.count, 1, &s.tiles, &s.bins),
                     MN_OK);
    int64_t lost = -1;
    for (int64_t p = 0; p < s.q.count; p++)
        for (int a = 0; a < 3; a++) s.q.position[a][p] += between(9, (uint64_t)p, (uint64_t)a, -1.0, 1.0);
    const int32_t *start = s.bins.start, *order = s.bins.order;
    assert_int_equal(mn_bins_refresh(s.context, s.arena, &s.tiles, cloud_position(&s), s.q.count, &s.bins, &lost),
                     MN_OK);
    assert_int_equal(lost, 0);
    assert_ptr_equal(start, s.bins.start);
    assert_ptr_equal(order, s.bins.order);
    check_bins(&s);

    s.q.position[1][7]    = 1e3;
    s.q.position[0][8]    = (double)NAN;
    s.q.position[2][8999] = -1e300;
    assert_int_equal(mn_bins_refresh(s.context, s.arena, &s.tiles, cloud_position(&s), s.q.count, &s.bins, &lost),
                     MN_OK);
    assert_int_equal(lost, 3);
    assert_int_equal(s.bins.count, s.q.count - 3);
    check_bins(&s);

    mn_bins fresh = { 0 };  // arrays are made when there are none
    assert_int_equal(mn_bins_refresh(s.context, s.arena, &s.tiles, cloud_position(&s), s.q.count, &fresh, &lost),
                     MN_OK);
    assert_memory_equal(fresh.order, s.bins.order, (size_t)fresh.count * sizeof(int32_t));
    cloud_end(&s);
}

static void positions_without_a_place_are_refused_with_a_sentence(void **state)
{
    (void)state;
    const double low[3] = { 0, 0, 0 }, high[3] = { 8, 8, 8 };
    cloud        s        = random_cloud(2, grid_3d(1.0), 8, 9000, low, high);
    s.q.position[1][5077] = (double)NAN;
    assert_int_equal(mn_bins_build(s.context, s.arena, &s.def, cloud_position(&s), s.q.count, 1, &s.tiles, &s.bins),
                     MN_ERR_NOT_FINITE);
    assert_non_null(strstr(mn_context_error(s.context), "particle 5077"));
    s.q.position[1][5077] = 1e5;
    s.q.position[0][77]   = 1e5;
    s.q.position[2][78]   = -1e5;
    assert_int_equal(mn_bins_build(s.context, s.arena, &s.def, cloud_position(&s), s.q.count, 1, &s.tiles, &s.bins),
                     MN_ERR_SOLVE);
    assert_non_null(strstr(mn_context_error(s.context), "tiles"));
    cloud_end(&s);
}

static int32_t wrapped(int32_t i, int32_t period) { return period == 0 ? i : (i % period + period) % period; }

/// The tile, block of two cells, or cell (shift 3, 1, 0) of a particle along an axis, inside the period.
static int32_t part_of(const cloud *s, int64_t p, int a, int shift)
{
    if (a >= s->def.dimension) return 0;
    const int32_t cell = (int32_t)floor((s->q.position[a][p] - mn_get3(s->def.origin, a)) * (1.0 / s->def.cell));
    return wrapped(cell, 8 * s->def.period[a]) >> shift;
}

static int64_t held_by_tile(const cloud *s, int64_t p)
{
    int64_t held = 0;
    for (int64_t q = 0; q < s->q.count; q++) {
        bool same = true;
        for (int a = 0; a < s->def.dimension; a++) same = same && part_of(s, p, a, 3) == part_of(s, q, a, 3);
        held += same;
    }
    return held;
}

/// Particles of tiles that count in the fullest of the cubes of four cells around particle p, which begin at every
/// second cell.
static int64_t held_by_cube(const cloud *s, int64_t p, const bool *counts)
{
    int64_t most = 0;
    for (int k = 0; k < (s->def.dimension == 3 ? 8 : 4); k++) {
        int64_t held = 0;
        for (int64_t q = 0; q < s->q.count; q++) {
            bool in = counts[q];
            for (int a = 0; a < s->def.dimension; a++) {
                const int32_t first = part_of(s, p, a, 1) - (k >> a & 1);
                in                  = in && wrapped(part_of(s, q, a, 1) - first, 4 * s->def.period[a]) >> 1 == 0;
            }
            held += in;
        }
        if (held > most) most = held;
    }
    return most;
}

/// The cells around a particle that asks, and around where it goes, are in tiles; these are noted.
static void check_reach(const cloud *s, int64_t p, const mn_bins_wish *wish, char *used)
{
    int32_t low[3] = { 0, 0, 0 }, high[3] = { 0, 0, 0 };
    for (int a = 0; a < s->def.dimension; a++) {
        const double from = (s->q.position[a][p] - mn_get3(s->def.origin, a)) * (1.0 / s->def.cell);
        const double d = s->q.velocity[a][p] * wish->dt / s->def.cell, slack = wish->velocity != NULL ? 0.1 : 0.0;
        low[a]  = (int32_t)floor(from + fmax(-wish->farthest, fmin(d, 0.0) - slack)) - wish->margin;
        high[a] = (int32_t)floor(from + fmin(wish->farthest, fmax(d, 0.0) + slack)) + wish->margin;
    }
    for (int32_t k = low[2]; k <= high[2]; k++)
        for (int32_t j = low[1]; j <= high[1]; j++)
            for (int32_t i = low[0]; i <= high[0]; i++) {
                const int64_t place = cloud_place(s, i, j, k);
                assert_true(place >= s->tiles.cells);
                used[place / s->tiles.cells] = 1;
            }
}

/// Whether all cells around a particle are in tiles.
static bool is_surrounded(const cloud *s, int64_t p, int margin)
{
    bool      all   = true;
    const int depth = s->def.dimension == 3 ? margin : 0;
    for (int k = -depth; k <= depth; k++)
        for (int j = -margin; j <= margin; j++)
            for (int i = -margin; i <= margin; i++)
                all = all && cloud_place(s, part_of(s, p, 0, 0) + i, part_of(s, p, 1, 0) + j,
                                         part_of(s, p, 2, 0) + k) >= s->tiles.cells;
    return all;
}

/// Against counting by hand: particles among many get the tiles around them and where they go, and nothing else does;
/// those that tiles do not surround come last, in their order.
static void what_flies_alone_asks_for_no_tiles_and_comes_last(void **state)
{
    (void)state;
    enum { ALL = 1800, FEWEST = 12 };
    const double low[3] = { 0, 0, 0 }, high[3] = { 60, 60, 60 };
    for (int k = 0; k < 6; k++) {
        mn_grid_def def = k % 2 == 0 ? grid_3d(0.21) : grid_2d(0.21);
        if (k >= 4) def.period[0] = 8, def.period[1] = 1 + k % 2;
        cloud s = random_cloud(1 + k % 3, def, 4 + (uint64_t)k, ALL, low, high);
        for (int64_t p = 0; p < ALL; p++)  // denser and denser towards the origin of the grid
            for (int a = 0; a < def.dimension; a++) {
                const double origin = mn_get3(def.origin, a), away = (s.q.position[a][p] - origin) / (60.0 * def.cell);
                s.q.position[a][p] = origin + 60.0 * def.cell * pow(away, def.dimension == 3 ? 2.6 : 1.6);
            }
        const mn_bins_wish wish = { .margin   = 2,
                                    .velocity = (const double *const *)s.q.velocity,
                                    .dt       = 0.15,
                                    .farthest = 1,
                                    .fewest   = FEWEST };
        assert_int_equal(mn_bins_build_wish(s.context, s.arena, &def, cloud_position(&s), ALL, &wish, &s.tiles,
                                            &s.bins),
                         MN_OK);
        check_bins(&s);

        bool counts[ALL];
        char seen[ALL] = { 0 }, *used = calloc((size_t)s.tiles.count, 1);
        for (int64_t p = 0; p < ALL; p++) counts[p] = 8 * held_by_tile(&s, p) >= FEWEST;
        int64_t asking = 0;
        for (int64_t p = 0; p < ALL; p++) {
            if (!counts[p] || held_by_cube(&s, p, counts) < FEWEST) continue;
            asking++;
            check_reach(&s, p, &wish, used);
        }
        assert_in_range(asking, ALL / 16, k < 4 ? ALL - ALL / 16 : ALL);  // round a narrow period all may be dense
        for (int32_t t = 1; t < s.tiles.count; t++) assert_true(used[t]);
        free(used);

        for (int64_t i = 0; i < ALL; i++) seen[s.bins.order[i]]++;
        for (int64_t p = 0; p < ALL; p++) assert_int_equal(seen[p], 1);
        assert_in_range(s.bins.count, asking, ALL);
        for (int64_t i = 0; i < s.bins.count; i++) assert_true(is_surrounded(&s, s.bins.order[i], wish.margin));
        for (int64_t i = s.bins.count; i < ALL; i++) {
            assert_false(is_surrounded(&s, s.bins.order[i], wish.margin));
            if (i > s.bins.count) assert_true(s.bins.order[i] > s.bins.order[i - 1]);
        }
        cloud_end(&s);
    }
}

/// A jet of three cells across and a sheet of a cell and a quarter ask for tiles wherever they lie on the grid, if a
/// quarter of a cube is enough (liquid.c): eight particles a cell, on a lattice. Of the jet its core does.
static void jets_and_sheets_ask_wherever_they_lie(void **state)
{
    (void)state;
    enum { EDGE = 32, MOST = EDGE * EDGE * EDGE };  // half cells
    for (int k = 0; k < 24; k++) {
        const bool   jet   = k % 2 == 0;
        const double at[2] = { between(77, (uint64_t)k, 0, 6.0, 10.0), between(77, (uint64_t)k, 1, 6.0, 10.0) };
        mn_grid_def  def   = grid_3d(1.0);
        cloud        s     = cloud_begin(1, def, MOST);
        char        *core  = calloc(MOST, 1);
        int64_t      count = 0;
        for (int i = 0; i < MOST; i++) {
            const double x = 0.5 * (i % EDGE) - 7.75, y = 0.5 * (i / EDGE % EDGE) - 7.75,
                         z    = 0.5 * (i / (EDGE * EDGE)) + 0.25;
            const double away = jet ? hypot(x, y) : fabs(x) * 1.5 / 0.625;
            if (away >= 1.5) continue;
            const double place[3] = { x + at[0], y + at[1], z };
            for (int a = 0; a < 3; a++) s.q.position[a][count] = mn_get3(def.origin, a) + place[a];
            core[count++] = away < 1.0 && (jet || fabs(y) < 5.0);  // not the rim of the sheet
        }
        const mn_bins_wish wish = { .margin = 2, .fewest = 128 };
        assert_int_equal(mn_bins_build_wish(s.context, s.arena, &def, cloud_position(&s), count, &wish, &s.tiles,
                                            &s.bins),
                         MN_OK);
        char *used = calloc((size_t)s.tiles.count, 1);
        for (int64_t p = 0; p < count; p++)
            if (core[p]) check_reach(&s, p, &wish, used);
        free(used);
        free(core);
        cloud_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_are_in_their_cells_and_tiles_around_them),
        cmocka_unit_test(refreshed_bins_follow_moved_particles_and_count_the_lost),
        cmocka_unit_test(positions_without_a_place_are_refused_with_a_sentence),
        cmocka_unit_test(what_flies_alone_asks_for_no_tiles_and_comes_last),
        cmocka_unit_test(jets_and_sheets_ask_wherever_they_lie),
    };
    return cmocka_run_group_tests_name("bins", tests, NULL, NULL);
}
