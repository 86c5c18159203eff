// SPDX-License-Identifier: MPL-2.0
// solve/pressure_terms.c - what terms have on the right-hand side.
#include "solve/pressure_terms.h"

void mn_pressure_add_jumps(const mn_tiles *tiles, float *const b[3], const uint8_t *unknown,
                           const mn_pressure_terms *terms, double *rhs)
{
    for (int64_t k = 0; k < terms->jumps; k++) {  // faces may share a cell: in order
        const mn_pressure_jump *j    = &terms->jump[k];
        const int32_t           tile = (int32_t)(j->face / tiles->cells), cell = (int32_t)(j->face % tiles->cells);
        const int64_t           low  = mn_cell_next(tiles, tile, cell, j->axis, -1);
        const double            push = (double)b[j->axis][j->face] * j->jump;
        if (unknown[j->face]) rhs[j->face] += push;
        if (unknown[low]) rhs[low] -= push;
    }
}

void mn_pressure_add_velocities(const uint8_t *unknown, const mn_pressure_terms *terms, double *rhs)
{
    for (int k = 0; k < terms->count; k++) {
        const mn_pressure_term *t = &terms->term[k];
        for (int64_t c = 0; t->velocity != NULL && c < t->cells; c++) {
            double sum = 0.0;
            for (int32_t j = 0; j < t->rows; j++) sum += t->row[c * t->rows + j] * t->velocity[j];
            if (unknown[t->cell[c]]) rhs[t->cell[c]] -= sum;
        }
    }
}
