// SPDX-License-Identifier: MPL-2.0
// Homogenised weaves: laminates, chessboards, bounds, turns and shifts, and a blob on the weave itself (stain.C1 - C5).
#include "testing.h"

#include "failing_memory.h"

#include "base/random.h"
#include "stain/weave/weave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64

static mn_weave_result homogenise(mn_context *c, const mn_weave_tile *tile, const mn_weave_def *def)
{
    mn_weave_result r;
    if (mn_weave_homogenise(c, tile, def, &r) != MN_OK) fail_msg("%s", mn_context_error(c));
    return r;
}

static mn_weave_result of_tensors(mn_context *c, int columns, int rows, mn_tensor2 *tensor, int finest, double gap)
{
    const mn_weave_tile tile = { .columns = columns, .rows = rows, .tensor = tensor };
    mn_weave_def        def  = mn_weave_def_default();
    def.finest               = finest;
    def.gap                  = gap;
    return homogenise(c, &tile, &def);
}

static mn_tensor2 round_tensor(double d) { return (mn_tensor2){ d, 0.0, d }; }

static void assert_tensor(mn_tensor2 a, mn_tensor2 b, double tolerance)
{
    assert_near(a.xx, b.xx, tolerance);
    assert_near(a.xy, b.xy, tolerance);
    assert_near(a.yy, b.yy, tolerance);
}

static void a_laminate_is_exact(void **state)  // stain.C1, A6.1
{
    (void)state;
    mn_context      *c         = test_context(1);
    mn_tensor2       columns[] = { round_tensor(1.0), round_tensor(100.0) };
    const mn_tensor2 expected  = { 200.0 / 101.0, 0.0, 50.5 };
    for (int finest = 2; finest <= 32; finest *= 4) {
        const mn_weave_result r = of_tensors(c, 2, 1, columns, finest, 1e-300);
        assert_tensor(r.tensor, expected, 1e-10);
        assert_tensor(r.upper, expected, 1e-10);
        assert_tensor(r.lower, expected, 1e-10);
        assert_less(r.gap, 1e-10);
        assert_near(r.angle, 0.5 * 3.14159265358979323846, 1e-12);
    }
    test_context_end(&c);
}

static double primal(mn_context *c, const mn_tensor2 *cell, int pieces, double grading)
{
    mn_torus       t = { .context = NULL };
    mn_weave_bound b;
    assert_int_equal(mn_weave_upper(c, cell, 2, 2, pieces, grading, &t, &b), MN_OK);
    assert_near(b.tensor.xx, b.tensor.yy, 1e-11 * b.tensor.xx);
    assert_near(b.tensor.xy, 0.0, 1e-11 * b.tensor.xx);
    mn_torus_destroy(&t);
    return b.tensor.xx;
}

static void a_chessboard_is_the_geometric_mean(void **state)  // stain.C2, A6.2
{
    (void)state;
    mn_context      *c       = test_context(1);
    const mn_tensor2 four[4] = { { 1, 0, 1 }, { 4, 0, 4 }, { 4, 0, 4 }, { 1, 0, 1 } };
    // The values of the prototype, on even meshes of 16 and 32 nodes across the tile.
    assert_near(primal(c, four, 8, 1.0), 2.057, 0.001);
    assert_near(primal(c, four, 16, 1.0), 2.025, 0.001);
    mn_tensor2   hundred[4] = { { 1, 0, 1 }, { 100, 0, 100 }, { 100, 0, 100 }, { 1, 0, 1 } };
    const double even[]     = { 29.8, 24.4, 20.8 };
    double       before     = 1e9;
    for (int k = 0; k < 3; k++) {
        const double value = primal(c, hundred, 4 << k, 1.0);
        assert_near(value, even[k], 0.06);
        assert_less(value, before);
        before = value;
    }
    for (int finest = 2; finest <= 64; finest *= 2) {
        const mn_weave_result r = of_tensors(c, 2, 2, hundred, finest, 0.01);
        assert_tensor(r.tensor, round_tensor(10.0), 1e-9);  // wanted 1e-6
        assert_true(r.upper.xx >= 10.0 && r.lower.xx <= 10.0 && r.upper.yy >= 10.0 && r.lower.yy <= 10.0);
        if (finest == 64) assert_less(r.gap, 0.07);  // an even mesh: 1.7
    }
    test_context_end(&c);
}

/// What passes nothing is floored: an island, or a wall all around, still has a tensor.
static void cells_that_pass_nothing_are_floored(void **state)
{
    (void)state;
    mn_context           *c      = test_context(1);
    mn_tensor2            wall[] = { round_tensor(0.0), round_tensor(1.0) };
    const mn_weave_result r      = of_tensors(c, 2, 1, wall, 16, 0.05);
    assert_near(r.tensor.xx, 2e-8, 1e-14);
    assert_near(r.tensor.yy, 0.5, 1e-7);
    mn_tensor2            island[9] = { [4] = { 1, 0, 1 } };
    const mn_weave_result i         = of_tensors(c, 3, 3, island, 16, 0.05);
    assert_true(i.tensor.xx > 1e-8 && i.tensor.xx < 1.3e-8);  // inclusions of 1/9: (1 + 1/9) / (1 - 1/9) = 1.25
    mn_tensor2            line[1] = { { 1.0, 1.0, 1.0 } };    // passes along one diagonal only
    const mn_weave_result l       = of_tensors(c, 1, 1, line, 4, 0.05);
    assert_near(l.principal[0], 2.0, 1e-7);  // 1 - 1 in its determinant costs half the digits
    assert_near(l.principal[1], 2e-8, 1e-14);
    test_context_end(&c);
}

static double chance(uint64_t id, uint64_t lane) { return mn_random(11, id, 0, lane); }

/// Tiles of up to 4 x 4 cells: types, round tensors of two values, or tensors of any direction, contrasts to 10^4.
static int random_tile(uint64_t id, int *columns, int *rows, mn_tensor2 cell[16])
{
    *columns           = 1 + (int)(4.0 * chance(id, 0));
    *rows              = 1 + (int)(4.0 * chance(id, 1));
    const int    kind  = (int)(3.0 * chance(id, 2));
    const double reach = 4.0 * chance(id, 3);
    for (int k = 0; k < *columns * *rows; k++) {
        const double u = chance(id, 10 + 3 * (uint64_t)k), v = chance(id, 11 + 3 * (uint64_t)k),
                     w = chance(id, 12 + 3 * (uint64_t)k);
        const double a = pow(10.0, kind == 1 ? reach * (u < 0.5) : reach * u), b = kind == 0   ? pow(10.0, reach * v)
                                                                                   : kind == 1 ? a
                                                                                               : pow(10.0, reach * v);
        const double x = kind == 2 ? cos(6.3 * w) : 1.0, y = kind == 2 ? sin(6.3 * w) : 0.0;
        cell[k] = (mn_tensor2){ a * x * x + b * y * y, (a - b) * x * y, a * y * y + b * x * x };
    }
    return kind;
}

/// The tile turned by 90 degrees against the clock.
static void turn(int columns, int rows, const mn_tensor2 *cell, mn_tensor2 *out)
{
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++) {
            const mn_tensor2 s             = cell[j * columns + i];
            out[i * rows + (rows - 1 - j)] = (mn_tensor2){ s.yy, -s.xy, s.xx };
        }
}

/// a <= b as matrices, to round-off.
static bool below(mn_tensor2 a, mn_tensor2 b)
{
    double ratio[2];
    mn_tensor2_ratio(a, b, ratio);
    return ratio[0] <= 1.0 + 1e-10;
}

static double difference(mn_tensor2 a, mn_tensor2 b)
{
    const mn_tensor2 d = mn_tensor2_add(a, mn_tensor2_scale(-1.0, b));
    return fmax(fabs(d.xx), fmax(fabs(d.xy), fabs(d.yy))) / (a.xx + a.yy);
}

static void ten_thousand_random_weaves(void **state)  // A6.4, stain.C3, stain.C4
{
    (void)state;
    mn_context *c         = test_context(1);
    int         failures  = 0;
    double      turned_by = 0.0, dual_by = 0.0;
    for (uint64_t id = 0; id < 10000; id++) {
        mn_tensor2 cell[16], turned[16], dual[16];
        int        columns, rows;
        const int  finest = id % 8 == 0 ? 4 : 2;
        random_tile(id, &columns, &rows, cell);
        const mn_weave_result r = of_tensors(c, columns, rows, cell, finest, 0.05);
        turn(columns, rows, cell, turned);
        for (int k = 0; k < columns * rows; k++) dual[k] = mn_tensor2_dual(cell[k]);
        const mn_weave_result t = of_tensors(c, rows, columns, turned, finest, 0.05),
                              d = of_tensors(c, columns, rows, dual, finest, 0.05);
        const mn_tensor2 back   = { t.tensor.yy, -t.tensor.xy, t.tensor.xx };
        const double     e = difference(r.tensor, back), f = difference(r.tensor, mn_tensor2_dual(d.tensor));
        turned_by = fmax(turned_by, e), dual_by = fmax(dual_by, f);
        const bool good = r.principal[1] > 0.0 && mn_tensor2_det(r.tensor) > 0.0 && below(r.harmonic, r.lower) &&
                          below(r.lower, r.tensor) && below(r.tensor, r.upper) && below(r.upper, r.arithmetic) &&
                          e <= 1e-12 && f <= 1e-10;
        failures += !good;
    }
    print_message("10^4 random weaves: %d failures; turning changes %.1e, the dual %.1e\n", failures, turned_by,
                  dual_by);
    assert_int_equal(failures, 0);
    test_context_end(&c);
}

static void shifts_and_even_tiles_change_nothing(void **state)  // stain.C4
{
    (void)state;
    mn_context *c = test_context(1);
    for (uint64_t id = 0; id < 40; id++) {
        mn_tensor2 cell[16], moved[16];
        int        columns, rows;
        random_tile(id, &columns, &rows, cell);
        const int right = (int)(chance(id, 5) * columns), up = (int)(chance(id, 6) * rows);
        for (int k = 0; k < columns * rows; k++)
            moved[(k / columns + up) % rows * columns + (k % columns + right) % columns] = cell[k];
        const mn_weave_result a = of_tensors(c, columns, rows, cell, 16, 0.01),
                              b = of_tensors(c, columns, rows, moved, 16, 0.01);
        assert_less(difference(a.tensor, b.tensor), 1e-10);
        assert_int_equal(a.pieces, b.pieces);
    }
    mn_tensor2 even[6];
    for (int k = 0; k < 6; k++) even[k] = (mn_tensor2){ 3.0, 1.0, 2.0 };
    const mn_weave_result r = of_tensors(c, 3, 2, even, 8, 0.05);
    assert_tensor(r.tensor, even[0], 1e-12);
    assert_less(r.gap, 1e-12);
    test_context_end(&c);
}

/// Any two-phase pattern: the tensor of swapped phases is ab times the dual one (Keller).
static void swapped_phases_obey_duality(void **state)  // A6.2
{
    (void)state;
    mn_context *c = test_context(1);
    for (uint64_t id = 0; id < 20; id++) {
        mn_tensor2   cell[16], swapped[16];
        const double a = 3.0, b = 50.0;
        for (int k = 0; k < 16; k++) {
            const bool first = chance(id, 100 + (uint64_t)k) < 0.5;
            cell[k] = round_tensor(first ? a : b), swapped[k] = round_tensor(first ? b : a);
        }
        const mn_weave_result r = of_tensors(c, 4, 4, cell, 16, 0.01), s = of_tensors(c, 4, 4, swapped, 16, 0.01);
        assert_less(difference(s.tensor, mn_tensor2_scale(a * b, mn_tensor2_dual(r.tensor))), 1e-8);
    }
    test_context_end(&c);
}

// --- tiles of cells
// ---------------------------------------------------------------------------------------------------

static void presets_are_what_they_are_called(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        bool        gaps;
        int         columns, rows;
        const char *cells;
    } table[] = {
        // from the bottom
        { "plain", false, 2, 2, "|--|" },
        { "plain", true, 4, 4, "|---|.|.--|-|.|." },
        { "twill", false, 4, 4, "|--|||---||---||" },
        { "twill:2/1", false, 3, 3, "|-|||--||" },
        { "satin", false, 5, 5, "-||||||-||||||-|-||||||-|" },
        { "knit", false, 4, 4, "|.|.|.|.---.|.|-" },
        { "cells:|-./---", false, 3, 2, "---|-." },
    };
    mn_context *c = test_context(1);
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        mn_weave_tile tile;
        assert_int_equal(mn_weave_tile_make(c, table[k].words, table[k].gaps, &tile), MN_OK);
        assert_int_equal(tile.columns, table[k].columns);
        assert_int_equal(tile.rows, table[k].rows);
        for (int q = 0; q < tile.columns * tile.rows; q++)
            if (".-|"[tile.cell[q]] != table[k].cells[q])
                fail_msg("%s: cell %d is %c, not %c", table[k].words, q, ".-|"[tile.cell[q]], table[k].cells[q]);
        mn_weave_tile_free(c, &tile);
    }
    test_context_end(&c);
}

static mn_weave_result of_words(mn_context *c, const char *words, bool gaps, mn_weave_pair pair)
{
    mn_weave_tile tile;
    mn_weave_def  def = mn_weave_def_default();
    def.pair          = pair;
    if (mn_weave_tile_make(c, words, gaps, &tile) != MN_OK) fail_msg("%s", mn_context_error(c));
    const mn_weave_result r = homogenise(c, &tile, &def);
    mn_weave_tile_free(c, &tile);
    return r;
}

static void pair_rules_have_known_values(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    // Plain: every neighbour is of the other kind. Columns: along them 500 and 100, across 200 throughout.
    assert_tensor(of_words(c, "plain", false, MN_WEAVE_ARITH).tensor, round_tensor(200.0), 1e-10);
    assert_tensor(of_words(c, "plain", false, MN_WEAVE_NETWORK).tensor, round_tensor(200.0), 1e-10);
    for (int pair = MN_WEAVE_ARITH; pair <= MN_WEAVE_NETWORK; pair++)
        assert_tensor(of_words(c, "cells:|-", false, (mn_weave_pair)pair).tensor, (mn_tensor2){ 200.0, 0.0, 300.0 },
                      1e-9);
    // Stripes of two: across them links of 500, 200, 100, 200 in series; the means of two sides differ.
    const double network = 4.0 / (1.0 / 500.0 + 1.0 / 200.0 + 1.0 / 100.0 + 1.0 / 200.0);
    assert_near(of_words(c, "cells:||--", false, MN_WEAVE_NETWORK).tensor.xx, network, 1e-10 * network);
    assert_near(of_words(c, "cells:||--", false, MN_WEAVE_ARITH).tensor.xx, 4.0 / (2.0 / 350.0 + 2.0 / 150.0), 1e-9);
    const double warp = 2.0 / (1.0 / 500.0 + 1.0 / 200.0), weft = 2.0 / (1.0 / 100.0 + 1.0 / 200.0);
    assert_near(of_words(c, "cells:||--", false, MN_WEAVE_HARM).tensor.xx, 4.0 / (2.0 / warp + 2.0 / weft), 1e-9);
    assert_near(4.0 / (2.0 / warp + 2.0 / weft), network, 1e-10);  // the reason to prefer it
    // A twill has a direction of its own: 45 degrees, where the network has its diagonals.
    const mn_weave_result twill = of_words(c, "twill:2/2", false, MN_WEAVE_NETWORK);
    assert_near(twill.tensor.xx, twill.tensor.yy, 1e-9);
    assert_true(twill.tensor.xy > 1.0);
    assert_near(twill.angle, 0.25 * 3.14159265358979323846, 1e-10);
    test_context_end(&c);
}

/// Cells twice as high as wide are two square cells, one above the other. Means stay what they are.
static void cells_may_be_higher_than_wide(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    for (uint64_t id = 0; id < 20; id++) {
        mn_tensor2 cell[16], twice[32];
        int        columns, rows;
        random_tile(id, &columns, &rows, cell);
        for (int k = 0; k < 2 * columns * rows; k++) twice[k] = cell[k / columns / 2 * columns + k % columns];
        const mn_weave_tile high = { .columns = columns, .rows = rows, .tensor = cell, .aspect = 2.0 };
        mn_weave_def        def  = mn_weave_def_default();
        def.finest               = 8;
        const mn_weave_result a = homogenise(c, &high, &def), b = of_tensors(c, columns, 2 * rows, twice, 8, 0.01);
        assert_less(difference(a.tensor, b.tensor), 0.5 * (a.gap + b.gap) + 1e-12);
        assert_true(below(a.lower, b.upper) && below(b.lower, a.upper));
        assert_less(difference(a.arithmetic, b.arithmetic), 1e-13);
        assert_less(difference(a.harmonic, b.harmonic), 1e-11);
    }
    // A ladder of resistors that can be solved by hand: 2/2 stripes along x, so that only series and parallel remain.
    mn_weave_tile tile;
    mn_weave_def  def = mn_weave_def_default();
    def.pair          = MN_WEAVE_NETWORK;
    assert_int_equal(mn_weave_tile_make(c, "cells:||--", false, &tile), MN_OK);
    tile.aspect             = 3.0;
    const mn_weave_result r = homogenise(c, &tile, &def);
    assert_near(r.tensor.yy, 300.0, 1e-9);
    assert_near(r.tensor.xx, 4.0 / (1.0 / 500.0 + 1.0 / 200.0 + 1.0 / 100.0 + 1.0 / 200.0), 1e-9);
    tile.aspect = 0.001;
    mn_weave_result none;
    assert_int_equal(mn_weave_homogenise(c, &tile, &def, &none), MN_ERR_ARGUMENT);
    mn_weave_tile_free(c, &tile);
    test_context_end(&c);
}

static void every_preset_is_bounded_well(void **state)
{
    (void)state;
    static const char *const words[] = { "plain", "twill", "twill:3/1", "satin", "satin:8/3", "knit" };
    mn_context              *c       = test_context(1);
    for (int k = 0; k < 6; k++)
        for (int gaps = 0; gaps < 2; gaps++) {
            if (gaps && strcmp(words[k], "knit") == 0) continue;
            const mn_weave_result r = of_words(c, words[k], gaps, MN_WEAVE_ARITH);
            print_message("%-10s %s: %9.4f %9.4f %9.4f, gap %.3f on %d pieces, %d iterations\n", words[k],
                          gaps ? "gaps" : "    ", r.tensor.xx, r.tensor.xy, r.tensor.yy, r.gap, r.pieces, r.iterations);
            assert_less(r.gap, 0.08);
            assert_less(r.residual, 1e-8);
            assert_true(below(r.harmonic, r.tensor) && below(r.tensor, r.arithmetic));
        }
    test_context_end(&c);
}

// --- the resolved weave
// -----------------------------------------------------------------------------------------------

typedef struct sheet {
    int     nodes[2];  // of a box that no liquid reaches the rim of
    double  h;         // cells
    double *now, *next;
    double *east, *north;  // of each node: diffusivity of the link to the next
} sheet;

/// Diffusivity of the square right of and above node (i, j).
static mn_tensor2 square(const sheet *s, const mn_weave_tile *tile, int i, int j)
{
    const int x = (int)floor((i + 0.5) * s->h) % tile->columns, y = (int)floor((j + 0.5) * s->h) % tile->rows;
    return tile->tensor[y * tile->columns + x];
}

/// Links of linear elements: the mean of the squares on both sides.
static void link_nodes(sheet *s, const mn_weave_tile *tile)
{
    for (int j = 1; j < s->nodes[1]; j++)
        for (int i = 1; i < s->nodes[0]; i++) {
            const mn_tensor2 here         = square(s, tile, i, j);
            s->east[j * s->nodes[0] + i]  = 0.5 * (here.xx + square(s, tile, i, j - 1).xx);
            s->north[j * s->nodes[0] + i] = 0.5 * (here.yy + square(s, tile, i - 1, j).yy);
        }
}

/// One explicit step with lumped masses.
static void step(sheet *s, double dt)
{
    const int    w = s->nodes[0];
    const double f = dt / (s->h * s->h);
    for (int j = 2; j + 1 < s->nodes[1]; j++) {
        const double *u = s->now + (size_t)j * (size_t)w, *e = s->east + (size_t)j * (size_t)w,
                     *n = s->north + (size_t)j * (size_t)w;
        double *to      = s->next + (size_t)j * (size_t)w;
        for (int i = 2; i + 1 < w; i++)
            to[i] = u[i] + f * (e[i] * (u[i + 1] - u[i]) + e[i - 1] * (u[i - 1] - u[i]) + n[i] * (u[i + w] - u[i]) +
                                n[i - w] * (u[i - w] - u[i]));
    }
    double *swap = s->now;
    s->now       = s->next;
    s->next      = swap;
}

/// Mass, and variances of the blob.
static void moments(const sheet *s, double *mass, double variance[2])
{
    double m = 0.0, mx = 0.0, my = 0.0, xx = 0.0, yy = 0.0;
    for (int k = 0; k < s->nodes[0] * s->nodes[1]; k++) {
        const double x = k % s->nodes[0] * s->h, y = k / s->nodes[0] * s->h, u = s->now[k];
        m += u, mx += u * x, my += u * y, xx += u * x * x, yy += u * y * y;
    }
    *mass       = m;
    variance[0] = xx / m - mx * mx / (m * m);
    variance[1] = yy / m - my * my / (m * m);
}

/// Spread a blob until it covers eight tiles; half the growth of its variances over time is the tensor it saw.
static mn_tensor2 spread(const mn_weave_tile *tile, mn_tensor2 guess, int across, int along, int per_cell,
                         double largest)
{
    sheet     s     = { .nodes = { across * per_cell + 1, along * per_cell + 1 }, .h = 1.0 / per_cell };
    const int n     = s.nodes[0] * s.nodes[1];
    double  **all[] = { &s.now, &s.next, &s.east, &s.north };
    for (int k = 0; k < 4; k++) *all[k] = test_calloc((size_t)n, sizeof **all[k]);
    link_nodes(&s, tile);
    const double start = 1.75 * tile->columns, width = 2.0 * tile->columns;  // +- 2 widths are eight tiles
    for (int k = 0; k < n; k++) {
        const double x = k % s.nodes[0] * s.h - 0.5 * across, y = k / s.nodes[0] * s.h - 0.5 * along;
        s.now[k] = exp(-0.5 * (x * x + y * y * guess.xx / guess.yy) / (start * start));
    }
    double       mass[2], first[2], last[2];
    const double dt    = 0.2 * s.h * s.h / largest;
    const int    steps = (int)((width * width - start * start) / (2.0 * guess.xx * dt));
    for (int k = 0; k < steps / 4; k++) step(&s, dt);  // the blob takes on the ripples of the weave
    moments(&s, &mass[0], first);
    for (int k = steps / 4; k < steps; k++) step(&s, dt);
    moments(&s, &mass[1], last);
    assert_near(mass[1], mass[0], 1e-3 * mass[0]);
    for (int k = 0; k < 4; k++) test_free(*all[k]);
    const double time = (steps - steps / 4) * dt;
    return (mn_tensor2){ (last[0] - first[0]) / (2.0 * time), 0.0, (last[1] - first[1]) / (2.0 * time) };
}

static void a_blob_spreads_as_the_tensor_says(void **state)  // stain.C5: T1 and T2
{
    (void)state;
    mn_context           *c         = test_context(1);
    mn_tensor2            columns[] = { round_tensor(1.0), round_tensor(100.0) };
    const mn_weave_result laminate  = of_tensors(c, 2, 1, columns, 8, 0.05);
    const mn_weave_tile   stripes   = { .columns = 2, .rows = 1, .tensor = columns };
    const mn_tensor2      t2        = spread(&stripes, laminate.tensor, 40, 200, 2, 100.0);
    print_message("T2: blob %.4f %.4f, tensor %.4f %.4f\n", t2.xx, t2.yy, laminate.tensor.xx, laminate.tensor.yy);
    assert_near(t2.xx / laminate.tensor.xx, 1.0, 0.05);
    assert_near(t2.yy / laminate.tensor.yy, 1.0, 0.05);

    mn_weave_tile tile;
    mn_tensor2    cell[16];
    mn_weave_def  def = mn_weave_def_default();
    assert_int_equal(mn_weave_tile_make(c, "knit", false, &tile), MN_OK);
    assert_int_equal(mn_weave_tensors(c, &tile, &def, cell), MN_OK);
    const mn_weave_result knit   = homogenise(c, &tile, &def);
    const mn_weave_tile   stitch = { .columns = 4, .rows = 4, .tensor = cell };
    const mn_tensor2      t1     = spread(&stitch, knit.tensor, 72, 112, 4, 500.0);
    print_message("T1: blob %.4f %.4f, tensor %.4f %.4f (mean of cells %.4f %.4f)\n", t1.xx, t1.yy, knit.tensor.xx,
                  knit.tensor.yy, knit.arithmetic.xx, knit.arithmetic.yy);
    assert_near(t1.xx / knit.tensor.xx, 1.0, 0.05);
    assert_near(t1.yy / knit.tensor.yy, 1.0, 0.05);
    mn_weave_tile_free(c, &tile);
    test_context_end(&c);
}

// --- what can be wrong
// ------------------------------------------------------------------------------------------------

static void wrong_words_get_a_sentence(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        bool        gaps;
        const char *said;
    } table[] = {
        { "twill:2", false, "twill:N/M" },
        { "twill:0/2", false, "twill:N/M" },
        { "twill:40/40", false, "up to 64" },
        { "twill:20/20", true, "up to 32" },
        { "satin:4/1", false, "from 5" },
        { "satin:8/2", false, "share no divisor" },
        { "satin:6/2", false, "no satin of 6" },
        { "satin:5/4", false, "from 2 to 3" },
        { "cells:", false, "1 to 64" },
        { "cells:|-/|", false, "row 2" },
        { "cells:|x", false, "'x'" },
        { "knit", true, "has its own" },
        { "plan", false, "neither a weave" },
        { "", false, "neither a weave" },
        { "plain:2/2", false, "neither a weave" },
    };
    mn_context   *c      = test_context(1);
    const int64_t before = mn_context_memory(c).blocks_now;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        mn_weave_tile tile;
        assert_int_equal(mn_weave_tile_make(c, table[k].words, table[k].gaps, &tile), MN_ERR_ARGUMENT);
        if (strstr(mn_context_error(c), table[k].said) == NULL)
            fail_msg("'%s': '%s' does not say '%s'", table[k].words, mn_context_error(c), table[k].said);
        assert_null(tile.cell);
    }
    assert_int_equal(mn_context_memory(c).blocks_now, before);
    test_context_end(&c);
}

static void files_are_read_and_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } bad[] = {
        { "", "w:1:1: the file must begin" },
        { "knit\n", "w:1:1: the file must begin" },
        { "cells\n", "w:2:1: the file holds no rows" },
        { "cells\n|-\n|-|\n", "w:3:1: the row has 3 cells; the first has 2" },
        { "cells\n|o\n", "w:2:2: 'o' is no cell" },
        { "tensors 2\n", "w:2:1: a number is missing" },
        { "tensors 0 1\n", "w:1:9: the number of columns is 0" },
        { "tensors 1 1.5\n", "w:1:11: the number of rows is 1.5" },
        { "tensors 2 1\n1 0 1\n1 0", "w:3:4: the file ends in tensor 2 of 2" },
        { "tensors 1 1\n1 0 x", "w:2:5: 'x' is not a number" },
        { "tensors 1 1\n1 2 1\n", "w:2:1: the tensor 1 2 1 has a negative eigenvalue" },
        { "tensors 1 1\n1 0 -1\n", "w:2:1: the tensor 1 0 -1 has a negative eigenvalue" },
        { "tensors 1 1\n1 0 nan\n", "w:2:5: the value 'nan' is not finite" },
        { "tensors 1 1\n1 0 1\n7\n", "w:3:1: the file goes on" },
    };
    mn_context   *c      = test_context(1);
    const int64_t before = mn_context_memory(c).blocks_now;
    mn_weave_tile tile;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(mn_weave_tile_parse(c, "w", bad[k].text, strlen(bad[k].text), &tile), MN_ERR_FILE);
        if (strncmp(mn_context_error(c), bad[k].said, strlen(bad[k].said)) != 0)
            fail_msg("case %zu: '%s' is not '%s'", k, mn_context_error(c), bad[k].said);
        assert_true(tile.cell == NULL && tile.tensor == NULL);
    }
    const char *cells = "# a tile\ncells\n|-.  # top\n---\n", *tensors = "tensors 2 1 1 0 1\n100 0.5 100";
    assert_int_equal(mn_weave_tile_parse(c, "w", cells, strlen(cells), &tile), MN_OK);
    assert_true(tile.columns == 3 && tile.rows == 2 && tile.cell[0] == MN_WEAVE_WEFT && tile.cell[3] == MN_WEAVE_WARP &&
                tile.cell[5] == MN_WEAVE_GAP);
    mn_weave_tile_free(c, &tile);
    assert_int_equal(mn_weave_tile_parse(c, "w", tensors, strlen(tensors), &tile), MN_OK);
    assert_true(tile.columns == 2 && tile.rows == 1 && tile.tensor[1].xy == 0.5);
    mn_weave_tile_free(c, &tile);
    assert_int_equal(mn_context_memory(c).blocks_now, before);
    test_context_end(&c);
}

static void wrong_definitions_get_a_sentence(void **state)
{
    (void)state;
    mn_context     *c    = test_context(1);
    mn_weave_tile   tile = { .columns = 2, .rows = 1, .cell = (uint8_t[]){ MN_WEAVE_WARP, MN_WEAVE_GAP } };
    mn_weave_result r;
    mn_weave_def    def = mn_weave_def_default();
    def.table.gap_warp  = -1.0;
    assert_int_equal(mn_weave_homogenise(c, &tile, &def, &r), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "gap_warp is -1"));
    def       = mn_weave_def_default();
    def.table = (mn_weave_table){ .gap_gap = 0.0 };
    assert_int_equal(mn_weave_homogenise(c, &tile, &def, &r), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "largest diffusivity"));
    def.pair = MN_WEAVE_NETWORK;
    assert_int_equal(mn_weave_homogenise(c, &tile, &def, &r), MN_ERR_ARGUMENT);
    def = (mn_weave_def){ .gap = 0.05 };
    assert_int_equal(mn_weave_homogenise(c, &tile, &def, &r), MN_ERR_ARGUMENT);
    def        = mn_weave_def_default();
    def.finest = 1;
    assert_int_equal(mn_weave_homogenise(c, &tile, &def, &r), MN_ERR_ARGUMENT);
    tile.cell = (uint8_t[]){ 7, 0 };
    def       = mn_weave_def_default();
    assert_int_equal(mn_weave_homogenise(c, &tile, &def, &r), MN_ERR_ARGUMENT);
    test_context_end(&c);
}

static mn_status homogenise_twill(failing_memory *m, void *context)
{
    mn_weave_tile   tile;
    mn_weave_result r;
    mn_weave_def    def    = mn_weave_def_default();
    mn_status       status = mn_weave_tile_make(context, "twill:2/1", true, &tile);
    (void)m;
    if (status == MN_OK) status = mn_weave_homogenise(context, &tile, &def, &r);
    mn_weave_tile_free(context, &tile);
    return status;
}

static void a_weave_survives_every_failing_allocation(void **state)
{
    (void)state;
    failing_memory memory = PLENTY_OF_MEMORY;
    mn_context    *c      = failing_context(&memory);
    assert_true(survives_every_failing_allocation(&memory, homogenise_twill, c, NULL) > 4);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_laminate_is_exact),
        cmocka_unit_test(a_chessboard_is_the_geometric_mean),
        cmocka_unit_test(cells_that_pass_nothing_are_floored),
        cmocka_unit_test(ten_thousand_random_weaves),
        cmocka_unit_test(shifts_and_even_tiles_change_nothing),
        cmocka_unit_test(swapped_phases_obey_duality),
        cmocka_unit_test(presets_are_what_they_are_called),
        cmocka_unit_test(pair_rules_have_known_values),
        cmocka_unit_test(cells_may_be_higher_than_wide),
        cmocka_unit_test(every_preset_is_bounded_well),
        cmocka_unit_test(a_blob_spreads_as_the_tensor_says),
        cmocka_unit_test(wrong_words_get_a_sentence),
        cmocka_unit_test(files_are_read_and_refused),
        cmocka_unit_test(wrong_definitions_get_a_sentence),
        cmocka_unit_test(a_weave_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
