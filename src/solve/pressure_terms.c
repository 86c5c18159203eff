// SPDX-License-Identifier: MPL-2.0
// solve/pressure_terms.c - jumps on the right-hand side.
#include "solve/pressure_terms.h"

void mn_pressure_add_jumps(const mn_tiles *tiles, float *const b[3], const uint8_t *unknown,
                           const mn_pressure_jump *jumps, int64_t count, double *rhs)
{
    for (int64_t k = 0; k < count; k++) {  // two faces may share a cell: in order
        const mn_pressure_jump *j    = &jumps[k];
        const int32_t           tile = (int32_t)(j->face / tiles->cells), cell = (int32_t)(j->face % tiles->cells);
        const int64_t           low  = mn_cell_next(tiles, tile, cell, j->axis, -1);
        const double            push = (double)b[j->axis][j->face] * j->jump;
        if (unknown[j->face]) rhs[j->face] += push;
        if (unknown[low]) rhs[low] -= push;
    }
}
