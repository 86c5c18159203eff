// SPDX-License-Identifier: MPL-2.0
// verify/liquid/pressure_jumps.c - the box of S2.4 with coefficients that jump by 1:1000 in many layouts (S2.6).
#include "verify/liquid/pressure_jumps.h"

#include "base/random.h"

#define SOFT          1e-3f
#define SHEET_SPACING 16.0

const mn_jump_layout mn_jump_layouts[] = {
    { "half the box", MN_JUMP_HALF, 0, 0 },
    { "ball", MN_JUMP_BALL, 0, 0 },
    { "four stripes", MN_JUMP_QUARTERS, 0, 0 },
    { "stripes across x, width 1", MN_JUMP_STRIPES, 0, 1 },
    { "stripes across x, width 2", MN_JUMP_STRIPES, 0, 2 },
    { "stripes across x, width 3", MN_JUMP_STRIPES, 0, 3 },
    { "stripes across x, width 4", MN_JUMP_STRIPES, 0, 4 },
    { "stripes across x, width 8", MN_JUMP_STRIPES, 0, 8 },
    { "stripes across y, width 1", MN_JUMP_STRIPES, 1, 1 },
    { "stripes across y, width 2", MN_JUMP_STRIPES, 1, 2 },
    { "stripes across y, width 4", MN_JUMP_STRIPES, 1, 4 },
    { "stripes across y, width 8", MN_JUMP_STRIPES, 1, 8 },
    { "stripes across z, width 1", MN_JUMP_STRIPES, 2, 1 },
    { "stripes across z, width 2", MN_JUMP_STRIPES, 2, 2 },
    { "stripes across z, width 4", MN_JUMP_STRIPES, 2, 4 },
    { "stripes across z, width 8", MN_JUMP_STRIPES, 2, 8 },
    { "checkerboard of blocks of 2", MN_JUMP_BLOCKS, 0, 2 },
    { "checkerboard of blocks of 3", MN_JUMP_BLOCKS, 0, 3 },
    { "checkerboard of blocks of 4", MN_JUMP_BLOCKS, 0, 4 },
    { "checkerboard of blocks of 8", MN_JUMP_BLOCKS, 0, 8 },
    { "soft sheets at 30 degrees, 1 cell", MN_JUMP_SHEETS, 0, 1 },
    { "soft sheets at 30 degrees, 2 cells", MN_JUMP_SHEETS, 0, 2 },
    { "hard sheets at 30 degrees, 1 cell", MN_JUMP_PLATES, 0, 1 },
    { "hard sheets at 30 degrees, 2 cells", MN_JUMP_PLATES, 0, 2 },
    { "lognormal faces", MN_JUMP_LOGNORMAL, 0, 0 },
    { NULL, MN_JUMP_NONE, 0, 0 },
};

static bool in_ball(int32_t n, const int32_t at[3])
{
    const double x = (at[0] + 0.5) / n - 0.47, y = (at[1] + 0.5) / n - 0.52, z = (at[2] + 0.5) / n - 0.4;
    return x * x + y * y + z * z < 0.09;
}

/// Distance in cells to the middle of the nearest sheet, whose normal is turned by 30 degrees from z about both other
/// axes.
static double sheet_distance(const int32_t at[3])
{
    const double s = 0.5, c = 0.8660254037844386;
    const double across = s * (at[0] + 0.5) + c * (s * (at[1] + 0.5) + c * (at[2] + 0.5));
    return fabs(across - SHEET_SPACING * round(across / SHEET_SPACING));
}

static bool is_soft(int32_t n, const mn_jump_layout *l, const int32_t at[3])
{
    switch (l->kind) {
    case MN_JUMP_NONE: return false;
    case MN_JUMP_HALF: return at[0] >= n / 2;
    case MN_JUMP_BALL: return in_ball(n, at);
    case MN_JUMP_QUARTERS: return at[0] / (n / 4) % 2 == 1;
    case MN_JUMP_STRIPES: return at[l->axis] / l->width % 2 == 1;
    case MN_JUMP_BLOCKS: return (at[0] / l->width + at[1] / l->width + at[2] / l->width) % 2 == 1;
    case MN_JUMP_SHEETS: return sheet_distance(at) <= 0.5 * l->width;
    case MN_JUMP_PLATES: return sheet_distance(at) > 0.5 * l->width;
    case MN_JUMP_LOGNORMAL: return false;
    }
    return false;
}

/// A standard normal number of the face.
static double normal_of(const int32_t at[3], int axis)
{
    const uint64_t id = (uint64_t)at[0] + ((uint64_t)at[1] << 20) + ((uint64_t)at[2] << 40);
    const double   u = mn_random(17, id, (uint64_t)axis, 0), v = mn_random(17, id, (uint64_t)axis, 1);
    return sqrt(-2.0 * log(1.0 - u)) * cos(2.0 * MN_PI * v);
}

mn_status mn_pressure_case_jump(mn_arena *arena, int32_t n, const mn_jump_layout *layout, mn_pressure_case *c)
{
    MN_TRY(mn_pressure_case_box(arena, n, c));
    const double deviation = log(1.0 / SOFT) / 4.0;
    for (int32_t k = 0; k < n; k++)
        for (int32_t j = 0; j < n; j++)
            for (int32_t i = 0; i < n; i++) {
                const int32_t at[3] = { i, j, k };
                const int64_t v     = mn_pressure_case_at(c, i, j, k);
                const bool    soft  = is_soft(n, layout, at);
                for (int axis = 0; axis < 3; axis++) {
                    if (soft) c->b[axis][v] *= SOFT;
                    if (layout->kind == MN_JUMP_LOGNORMAL) c->b[axis][v] *= (float)exp(deviation * normal_of(at, axis));
                }
            }
    return MN_OK;
}
