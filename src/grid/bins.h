// SPDX-License-Identifier: MPL-2.0
// grid/bins.h - which tiles the particles need, and which particles lie in which cell.
#ifndef MN_GRID_BINS_H
#define MN_GRID_BINS_H

#include "grid/tiles.h"

/// Particles by cell: those of cell k (tile * cells + cell) are order[start[k]] .. order[start[k+1]-1].
typedef struct mn_bins {
    int32_t *start;     ///< tiles.count * cells + 1
    int32_t *order;     ///< particle numbers, `count` of them; NULL: the particles are sorted, order[i] would be i
    int64_t  count;     ///< particles that lie in a tile
    int64_t  capacity;  ///< room in `order`
    int      reach;     ///< cells around a particle that are in tiles, or else it counts as outside every tile
} mn_bins;

/// Build tiles around every particle (each cell within `margin` cells of a particle lies in an active tile), and the
/// particles by cell. Inside a cell the order is that of the particle numbers. A position outside the period of a
/// periodic axis counts as its image inside. Arrays of both come from `arena` and live until it is reset.
/// MN_ERR_NOT_FINITE names the first particle whose position is no number, or 2^30 cells from the origin.
mn_status mn_bins_build(mn_context *c, mn_arena *arena, const mn_grid_def *def, const double *const position[3],
                        int64_t count, int margin, mn_tiles *tiles, mn_bins *bins);

/// Which tiles particles ask for.
typedef struct mn_bins_wish {
    int                  margin;    ///< each cell within so many cells of a particle that asks lies in an active tile,
    const double *const *velocity;  ///< and of the place where this takes it
    double               dt;        ///< in so many seconds, if not NULL,
    int                  farthest;  ///< but within so many cells of where it is
    int                  fewest;    ///< who has fewer than so many around it flies alone and asks for none
} mn_bins_wish;

/// The same for those particles that ask: who is, with at least `fewest`, in one of the cubes of 4 x 4 x 4 cells that
/// lie at every second cell. The others lie in a tile only where others asked for all that is around them: where a
/// neighbour is missing the grid knows but a part of them. Those that lie in none come last in the order, behind
/// bins->count.
mn_status mn_bins_build_wish(mn_context *c, mn_arena *arena, const mn_grid_def *def, const double *const position[3],
                             int64_t count, const mn_bins_wish *wish, mn_tiles *tiles, mn_bins *bins);

/// The same for moved particles on tiles that exist already. Reuses the arrays of `bins` (made for the same tiles, or
/// all zero to have them made). A particle outside every tile, or nowhere, is left out and counted in *lost.
mn_status mn_bins_refresh(mn_context *c, mn_arena *arena, const mn_tiles *tiles, const double *const position[3],
                          int64_t count, mn_bins *bins, int64_t *lost);

/// The cells within `distance` cells of a particle along every axis, as bits: one byte per row of eight cells, bit x
/// for cell x (grid/rows.h). From the arena.
mn_status mn_bins_reach(mn_context *c, mn_arena *arena, const mn_tiles *tiles, const mn_bins *bins, int distance,
                        const uint8_t **out);

/// Place along an axis in cells. Bins and transfers must find cells by this very expression, to the bit.
static inline double mn_place_in_cells(double x, double origin, double inverse_cell)
{
    return (x - origin) * inverse_cell;
}

/// floor() of a place of less than 2^30 cells, as a number of a cell.
static inline int32_t mn_cell_floor_near(double place)
{
    const int32_t i = (int32_t)place;
    return i - (place < (double)i);
}

/// The same of any place. What is absurd, in a step that has exploded, comes to lie at 2^30 cells: no tile is there,
/// and numbers of its neighbours are numbers still.
static inline int32_t mn_cell_floor(double place)
{
    const double most = 1 << 30;
    place             = place > -most ? place : -most;  // NaN, too
    return mn_cell_floor_near(place < most ? place : most);
}

#endif
