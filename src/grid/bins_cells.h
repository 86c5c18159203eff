// SPDX-License-Identifier: MPL-2.0
// grid/bins_cells.h - the cells of particles, eight particles at a time. For bins*.c only.
#ifndef MN_GRID_BINS_CELLS_H
#define MN_GRID_BINS_CELLS_H

#include "grid/bins.h"
#include "grid/transfer_kernel.h"

#define MAX_PLACE 0x1p30

typedef struct cell_finder {
    const double *const *position;
    int                  dimension;
    double               origin[3], inverse_cell;
    int32_t              period[3];  // cells; 0: not periodic
} cell_finder;

static inline cell_finder make_finder(const mn_grid_def *def, const double *const position[3])
{
    cell_finder f = { .position = position, .dimension = def->dimension, .inverse_cell = 1.0 / def->cell };
    for (int a = 0; a < 3; a++) {
        f.origin[a] = mn_get3(def->origin, a);
        f.period[a] = def->period[a] * MN_TILE;
    }
    return f;
}

static inline int32_t wrap_cell(int32_t i, int32_t period)
{
    if (period == 0 || (uint32_t)i < (uint32_t)period) return i;
    const int32_t r = i % period;
    return r < 0 ? r + period : r;
}

// Particles are looked at in groups of eight, in plain loops of fixed length that compilers make vectors of. Sorted
// particles mostly agree in their tile, and then one look serves the group.

#define GROUP 8

typedef struct group_cells {
    int32_t cell[3][GROUP];  // lanes behind the last particle repeat the first
    int     count;           // particles
    bool    all_somewhere;   // else some position is no number or too far out, and its cell is 0
} group_cells;

static inline bool is_somewhere(const cell_finder *f, int64_t p)
{
    for (int a = 0; a < f->dimension; a++)
        if (!(fabs(mn_place_in_cells(f->position[a][p], f->origin[a], f->inverse_cell)) < MAX_PLACE)) return false;
    return true;
}

/// Cells along axis `a` of eight particles at x; true if all are somewhere.
MN_INLINE bool find_axis(const cell_finder *f, int a, const double x[GROUP], int32_t cell[GROUP])
{
    double       whole[GROUP];
    mn_lane_mask bad = { 0 };
    for (int at = 0; at < GROUP; at += MN_LANES) {
        const mn_lanes     place = (mn_load_lanes(x + at) - f->origin[a]) * f->inverse_cell;
        const mn_lane_mask good  = (mn_lane_mask)(place < MAX_PLACE) & (mn_lane_mask)(place > -MAX_PLACE);
        bad |= ~good;
        mn_store_lanes(whole + at, mn_floor_lanes((mn_lanes)((mn_lane_mask)place & good)));
    }
    for (int l = 0; l < GROUP; l++) cell[l] = (int32_t)whole[l];
    int64_t any = 0, lane[MN_LANES];
    memcpy(lane, &bad, sizeof bad);
    for (int l = 0; l < MN_LANES; l++) any |= lane[l];
    return any == 0;
}

/// The cells of particles p .. end, at most eight.
MN_INLINE group_cells find_cells(const cell_finder *f, int64_t p, int64_t end)
{
    group_cells g = { .count = end - p < GROUP ? (int)(end - p) : GROUP, .all_somewhere = true };
    for (int a = 0; a < f->dimension; a++) {
        const double *x = f->position[a] + p;
        double        some[GROUP];
        if (g.count < GROUP) {
            for (int l = 0; l < GROUP; l++) some[l] = x[l < g.count ? l : 0];
            x = some;
        }
        if (!find_axis(f, a, x, g.cell[a])) g.all_somewhere = false;
        if (f->period[a] != 0)
            for (int l = 0; l < GROUP; l++) g.cell[a][l] = wrap_cell(g.cell[a][l], f->period[a]);
    }
    return g;
}

#endif
