// SPDX-License-Identifier: MPL-2.0
// verify/stain/a6_weave.c - A6.1, A6.2, A6.4: homogenised tensors of laminates, chessboards and random weaves. PA6.5, a
// case that the page of numbers does not have: of stripes of threads, by each of the pair rules.
#include "verify/verify.h"

#include "base/random.h"
#include "stain/weave/weave.h"

#include <stdio.h>

static mn_status homogenise(mn_context *c, int columns, int rows, mn_tensor2 *cell, int finest, double gap,
                            mn_weave_result *out)
{
    const mn_weave_tile tile = { .columns = columns, .rows = rows, .tensor = cell };
    mn_weave_def        def  = mn_weave_def_default();
    def.finest               = finest;
    def.gap                  = gap;
    return mn_weave_homogenise(c, &tile, &def, out);
}

/// Columns of 1 and 100: resistors in series across them, side by side along them. Linear elements are exact.
static mn_status laminate(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    mn_tensor2      cell[] = { { 1, 0, 1 }, { 100, 0, 100 } };
    mn_weave_result w;
    MN_TRY(homogenise(c, 2, 1, cell, 8, 0.01, &w));
    mn_verify_value(r, "across the columns", w.tensor.xx, 200.0 / 101.0, w.tensor.xx / (200.0 / 101.0) - 1.0, 1e-10,
                    1e-10);
    mn_verify_value(r, "along the columns", w.tensor.yy, 50.5, w.tensor.yy / 50.5 - 1.0, 1e-10, 1e-10);
    mn_verify_value(r, "off the diagonal", w.tensor.xy, 0.0, w.tensor.xy, 1e-10, 1e-10);
    return MN_OK;
}

/// Each bound alone, with 16, 32 and 64 squares across a cell, which is as far as weaves are refined, and what the
/// three lead to. Their geometric mean is exact on any mesh that looks the same from both colours, so it says nothing.
static mn_status board(mn_context *c, mn_verify_report *r)
{
    mn_tensor2 cell[] = { { 1, 0, 1 }, { 100, 0, 100 }, { 100, 0, 100 }, { 1, 0, 1 } };
    double     bound[2][3];
    for (int k = 0; k < 3; k++) {
        mn_weave_result w;
        MN_TRY(homogenise(c, 2, 2, cell, 16 << k, 1e-6, &w));
        bound[0][k] = w.upper.xx, bound[1][k] = w.lower.xx;
    }
    for (int k = 0; k < 2; k++) {
        const double *b = bound[k], one = b[1] - b[0], two = b[2] - b[1], end = b[2] - two * two / (two - one);
        char          text[96];
        snprintf(text, sizeof text, "chessboard 1:100, cells of 64 x 64 squares: %s bound", k == 0 ? "upper" : "lower");
        mn_verify_value(r, text, b[2], 10.0, b[2] / 10.0 - 1.0, 0.05, 0.15);
        snprintf(text, sizeof text, "the same, extrapolated from 16, 32 and 64 squares");
        mn_verify_value(r, text, end, 10.0, end / 10.0 - 1.0, 0.005, 0.015);
    }
    mn_verify_at_most(r, "bounds on the wrong side of 10", (bound[0][2] < 10.0) + (bound[1][2] > 10.0), 0.0, 0.0);
    return MN_OK;
}

/// Keller: S_x(a, b) S_y(b, a) = a b for any pattern of two. The two are solved on meshes of different fineness, by
/// upper bounds alone, or by the mean of both bounds: on equal meshes the second would be the dual of the first to
/// round-off.
static mn_status duality(mn_context *c, int tiles, mn_verify_report *r)
{
    const double a = 2.0, b = 20.0;
    double       mean = 0.0, upper = 0.0;
    for (int id = 0; id < tiles; id++) {
        mn_tensor2      cell[16], swapped[16];
        mn_weave_result w, s;
        for (int k = 0; k < 16; k++) {
            const bool first = mn_random(3, (uint64_t)id, 0, (uint64_t)k) < 0.5;
            cell[k]          = first ? (mn_tensor2){ a, 0, a } : (mn_tensor2){ b, 0, b };
            swapped[k]       = first ? (mn_tensor2){ b, 0, b } : (mn_tensor2){ a, 0, a };
        }
        MN_TRY(homogenise(c, 4, 4, cell, 32, 1e-6, &w));
        MN_TRY(homogenise(c, 4, 4, swapped, 64, 1e-6, &s));
        // Principal values: the tensors need not lie along the axes.
        double p[2], q[2], angle;
        mn_tensor2_principal(w.tensor, p, &angle), mn_tensor2_principal(s.tensor, q, &angle);
        mean = fmax(mean, fmax(fabs(p[0] * q[1] / (a * b) - 1.0), fabs(p[1] * q[0] / (a * b) - 1.0)));
        mn_tensor2_principal(w.upper, p, &angle), mn_tensor2_principal(s.upper, q, &angle);
        upper = fmax(upper, fmax(fabs(p[0] * q[1] / (a * b) - 1.0), fabs(p[1] * q[0] / (a * b) - 1.0)));
    }
    mn_verify_at_most(r, "random patterns of 2 and 20, 4 x 4: error of the duality, two meshes, upper bounds", upper,
                      0.01 / 3.0, 0.01);
    mn_verify_at_most(r, "the same, by the means of bounds", mean, 0.01 / 3.0, 0.01);
    return MN_OK;
}

static mn_status chessboard(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    MN_TRY(board(c, r));
    return duality(c, tier == MN_TIER_BUILD ? 3 : 30, r);
}

/// Largest difference of two tensors over the size of the first.
static double difference(mn_tensor2 a, mn_tensor2 b)
{
    return fmax(fabs(a.xx - b.xx), fmax(fabs(a.xy - b.xy), fabs(a.yy - b.yy))) / (a.xx + a.yy);
}

/// A tile of up to 4 x 4 cells whose tensors have any direction, contrasts up to 10^4.
static void random_tile(uint64_t id, int *columns, int *rows, mn_tensor2 cell[16])
{
    *columns           = 1 + (int)(4.0 * mn_random(5, id, 0, 0));
    *rows              = 1 + (int)(4.0 * mn_random(5, id, 0, 1));
    const double reach = 4.0 * mn_random(5, id, 0, 2), skew = mn_random(5, id, 0, 3) < 0.5 ? 0.0 : 2.0 * MN_PI;
    for (int k = 0; k < *columns * *rows; k++) {
        const double a     = pow(10.0, reach * mn_random(5, id, 1, (uint64_t)k)),
                     b     = pow(10.0, reach * mn_random(5, id, 2, (uint64_t)k));
        const double angle = skew * mn_random(5, id, 3, (uint64_t)k), x = cos(angle), y = sin(angle);
        cell[k] = (mn_tensor2){ a * x * x + b * y * y, (a - b) * x * y, a * y * y + b * x * x };
    }
}

/// a <= b in every direction, to round-off.
static bool below(mn_tensor2 a, mn_tensor2 b)
{
    double ratio[2];
    mn_tensor2_ratio(a, b, ratio);
    return ratio[0] <= 1.0 + 1e-10;
}

static mn_status random_weaves(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const int count  = tier == MN_TIER_BUILD ? 1000 : 10000;
    double    beyond = 0.0, indefinite = 0.0, turned_by = 0.0;
    for (int id = 0; id < count; id++) {
        mn_tensor2      cell[16], turned[16];
        mn_weave_result w, t;
        int             columns, rows;
        random_tile((uint64_t)id, &columns, &rows, cell);
        for (int k = 0; k < columns * rows; k++)
            turned[k % columns * rows + rows - 1 - k / columns] = (mn_tensor2){ cell[k].yy, -cell[k].xy, cell[k].xx };
        MN_TRY(homogenise(c, columns, rows, cell, 4, 0.05, &w));
        MN_TRY(homogenise(c, rows, columns, turned, 4, 0.05, &t));
        beyond += !(below(w.harmonic, w.lower) && below(w.lower, w.tensor) && below(w.tensor, w.upper) &&
                    below(w.upper, w.arithmetic));
        indefinite += !(w.principal[1] > 0.0 && mn_tensor2_det(w.tensor) > 0.0);
        turned_by = fmax(turned_by, difference(w.tensor, (mn_tensor2){ t.tensor.yy, -t.tensor.xy, t.tensor.xx }));
    }
    char text[96];
    snprintf(text, sizeof text, "%d random weaves: tensors beyond harmonic or arithmetic mean", count);
    mn_verify_at_most(r, text, beyond, 0.0, 0.0);
    mn_verify_at_most(r, "tensors that are not positive definite", indefinite, 0.0, 0.0);
    mn_verify_at_most(r, "what a quarter turn changes, as a share", turned_by, 1e-12, 1e-12);
    return MN_OK;
}

/// What passes between two cells of the stripes of PA6.5.
#define WARPS 500.0
#define WEFTS 100.0
#define MIXED 200.0

static mn_status stripes(mn_context *c, const char *words, mn_weave_pair pair, mn_tensor2 *out)
{
    mn_weave_tile   tile = { 0 };
    mn_weave_result w    = { 0 };
    mn_weave_def    def  = mn_weave_def_default();
    def.pair             = pair;
    def.finest           = 8;
    def.table            = (mn_weave_table){ .weft_weft = WEFTS, .warp_warp = WARPS, .weft_warp = MIXED };
    mn_status st         = mn_weave_tile_make(c, words, false, &tile);
    if (st == MN_OK) st = mn_weave_homogenise(c, &tile, &def, &w);
    mn_weave_tile_free(c, &tile);
    *out = w.tensor;
    return st;
}

static void same(mn_verify_report *r, const char *text, double value, double exact)
{
    mn_verify_value(r, text, value, exact, value / exact - 1.0, 1e-10, 1e-10);
}

/// Two columns of warp, two of weft: each cell has a neighbour of its kind and one of the other. Across them liquid
/// passes four resistors in series: warp to warp, warp to weft, weft to weft, weft to warp. Half of each lies in either
/// cell, so that cells with the harmonic mean of their two sides have the resistance of the four, and so has the
/// network. The published mean has another: cells of (500 + 200) / 2 and (100 + 200) / 2. Along the stripes, which lie
/// side by side, all rules are one.
static mn_status pairs(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const double series = 4.0 / (1.0 / WARPS + 1.0 / MIXED + 1.0 / WEFTS + 1.0 / MIXED),
                 arith = 2.0 / (2.0 / (WARPS + MIXED) + 2.0 / (WEFTS + MIXED)), along = 0.5 * (WARPS + WEFTS);
    const struct {
        mn_weave_pair rule;
        const char   *name;
        double        across;
    } rules[] = { { MN_WEAVE_HARM, "harmonic pairs", series },
                  { MN_WEAVE_NETWORK, "network", series },
                  { MN_WEAVE_ARITH, "arithmetic pairs", arith } };
    (void)tier;
    for (int k = 0; k < 3; k++) {
        mn_tensor2 columns, rows;
        char       text[96];
        MN_TRY(stripes(c, "cells:||--", rules[k].rule, &columns));
        MN_TRY(stripes(c, "cells:|/|/-/-", rules[k].rule, &rows));
        snprintf(text, sizeof text, "stripes two cells wide, %s: across columns", rules[k].name);
        same(r, text, columns.xx, rules[k].across);
        same(r, "... along columns", columns.yy, along);
        same(r, "... across rows", rows.yy, rules[k].across);
        same(r, "... along rows", rows.xx, along);
    }
    return MN_OK;
}

const mn_verify_case mn_verify_a6_weave[] = {
    { "A6.1", "effective tensor of a laminate", .run = laminate, .library = true },
    { "A6.2", "effective tensor of a chessboard, and duality", .run = chessboard, .library = true },
    { "A6.4", "random weaves stay between their bounds", .run = random_weaves, .library = true },
    { "PA6.5", "what two neighbours make of a cell of a weave", .run = pairs, .library = true },
    { 0 },
};
