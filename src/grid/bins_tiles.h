// SPDX-License-Identifier: MPL-2.0
// grid/bins_tiles.h - the tiles that particles ask for, and which of them do. For bins*.c only.
#ifndef MN_GRID_BINS_TILES_H
#define MN_GRID_BINS_TILES_H

#include "grid/bins_cells.h"

#include <stdatomic.h>

/// A box of tiles around all particles.
typedef struct tile_box {
    cell_finder finder;
    int32_t     low[3], size[3], period[3];  // tiles
    int64_t     count;
} tile_box;

static inline int64_t place_of_tile(const tile_box *box, int32_t x, int32_t y, int32_t z)
{
    const int64_t i = wrap_cell(x, box->period[0]) - box->low[0];
    const int64_t j = wrap_cell(y, box->period[1]) - box->low[1];
    const int64_t k = wrap_cell(z, box->period[2]) - box->low[2];
    return (k * box->size[1] + j) * box->size[0] + i;
}

/// The particles that are among many (bins_crowd.c), by blocks of 2 x 2 x 2 cells.
typedef struct tile_crowd {
    _Atomic int32_t *tile;   // per tile of the box: particles in it, then its number among those that count, or 0
    _Atomic int32_t *held;   // per such tile and block: particles in it
    uint64_t        *dense;  // per such tile: a bit for each block whose particles are among many; NULL: all are
} tile_crowd;

/// Blocks along an edge of a tile, and of a tile.
#define BLOCK_EDGE  (MN_TILE / 2)
#define TILE_BLOCKS (BLOCK_EDGE * BLOCK_EDGE * BLOCK_EDGE)

static inline int64_t own_place(const tile_box *box, const group_cells *g, int lane)
{
    return place_of_tile(box, mn_tile_of_cell(g->cell[0][lane]), mn_tile_of_cell(g->cell[1][lane]),
                         mn_tile_of_cell(g->cell[2][lane]));
}

static inline int own_block(const group_cells *g, int lane)
{
    const int x = g->cell[0][lane] >> 1 & 3, y = g->cell[1][lane] >> 1 & 3, z = g->cell[2][lane] >> 1 & 3;
    return (z * BLOCK_EDGE + y) * BLOCK_EDGE + x;
}

static inline bool is_in_crowd(const tile_crowd *crowd, const tile_box *box, const group_cells *g, int lane)
{
    if (crowd->dense == NULL) return true;
    const int32_t number = crowd->tile[own_place(box, g, lane)];
    return number != 0 && (crowd->dense[number - 1] >> own_block(g, lane) & 1) != 0;
}

/// Find the particles that have at least `fewest` in some cube of 2 x 2 x 2 blocks around them, their own included.
mn_status mn_bins_find_crowd(mn_context *c, mn_arena *arena, const tile_box *box, int64_t count, int fewest,
                             tile_crowd *out);

/// The coordinates of all tiles that the wish names, each once, in an array of the arena. count > 0.
mn_status mn_bins_list_tiles(mn_context *c, mn_arena *arena, const mn_grid_def *def, const cell_finder *finder,
                             int64_t count, const mn_bins_wish *wish, mn_tile_coord **wanted, int64_t *wanted_count);

#endif
