// SPDX-License-Identifier: MPL-2.0
// verify/stain/a6_weave.c - A6.1, A6.2 and A6.4: homogenised tensors of laminates, chessboards and random weaves.
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

/// Largest difference of two tensors over the size of the first.
static double difference(mn_tensor2 a, mn_tensor2 b)
{
    return fmax(fabs(a.xx - b.xx), fmax(fabs(a.xy - b.xy), fabs(a.yy - b.yy))) / (a.xx + a.yy);
}

static mn_status board(mn_context *c, mn_verify_report *r)
{
    mn_tensor2 cell[] = { { 1, 0, 1 }, { 100, 0, 100 }, { 100, 0, 100 }, { 1, 0, 1 } };
    char       text[96];
    for (int finest = 8; finest <= 64; finest *= 2) {
        mn_weave_result w;
        MN_TRY(homogenise(c, 2, 2, cell, finest, 1e-6, &w));
        snprintf(text, sizeof text, "chessboard 1:100 on %d nodes across", 2 * finest);
        mn_verify_value(r, text, w.tensor.xx, 10.0, difference(w.tensor, (mn_tensor2){ 10.0, 0.0, 10.0 }), 1e-9, 1e-6);
        snprintf(text, sizeof text, "the same: bounds beyond 10");
        mn_verify_at_most(r, text,
                          (w.upper.xx < 10.0) + (w.upper.yy < 10.0) + (w.lower.xx > 10.0) + (w.lower.yy > 10.0), 0.0,
                          0.0);
        snprintf(text, sizeof text, "the same: gap between the bounds");
        if (finest == 64) mn_verify_at_most(r, text, w.gap, 0.1, 0.3);  // an even mesh of this size: 1.74
    }
    return MN_OK;
}

static mn_status chessboard(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    MN_TRY(board(c, r));
    // Keller: with its phases swapped, any pattern of two has ab times the dual tensor.
    const double a = 2.0, b = 300.0;
    double       worst = 0.0;
    const int    tiles = tier == MN_TIER_BUILD ? 10 : 100;
    for (int id = 0; id < tiles; id++) {
        mn_tensor2 cell[16], swapped[16];
        for (int k = 0; k < 16; k++) {
            const bool first = mn_random(3, (uint64_t)id, 0, (uint64_t)k) < 0.5;
            cell[k]          = first ? (mn_tensor2){ a, 0, a } : (mn_tensor2){ b, 0, b };
            swapped[k]       = first ? (mn_tensor2){ b, 0, b } : (mn_tensor2){ a, 0, a };
        }
        mn_weave_result w, s;
        MN_TRY(homogenise(c, 4, 4, cell, 8, 0.01, &w));
        MN_TRY(homogenise(c, 4, 4, swapped, 8, 0.01, &s));
        worst = fmax(worst, difference(s.tensor, mn_tensor2_scale(a * b, mn_tensor2_dual(w.tensor))));
    }
    mn_verify_at_most(r, "random patterns of 2 and 300, 4 x 4: largest error of the duality", worst, 1e-8, 1e-2);
    return MN_OK;
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
    mn_verify_at_most(r, "what a quarter turn changes, as a share", turned_by, 1e-12, 1e-10);
    return MN_OK;
}

const mn_verify_case mn_verify_a6_weave[] = {
    { "A6.1", "effective tensor of a laminate", .run = laminate, .library = true },
    { "A6.2", "effective tensor of a chessboard, and duality", .run = chessboard, .library = true },
    { "A6.4", "random weaves stay between their bounds", .run = random_weaves, .library = true },
    { 0 },
};
