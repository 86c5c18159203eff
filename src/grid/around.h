// SPDX-License-Identifier: MPL-2.0
// grid/around.h - the cells whose centres are around a point, with their weights in linear interpolation.
#ifndef MN_GRID_AROUND_H
#define MN_GRID_AROUND_H

#include "grid/tiles.h"

/// Cells from low to high, whole numbers, along each axis. A search about a point goes through them, or, where they are
/// more than there are points, through the points: it is never longer than the grid or the matter, however far it
/// reaches.
typedef struct mn_cell_box {
    double low[3], high[3];
} mn_cell_box;

static inline double mn_cell_box_count(const mn_cell_box *b)
{
    return (b->high[0] - b->low[0] + 1.0) * (b->high[1] - b->low[1] + 1.0) * (b->high[2] - b->low[2] + 1.0);
}

/// Whether a place, in cells, is in one of them.
static inline bool mn_cell_box_has(const mn_cell_box *b, const double place[3])
{
    bool in = true;
    for (int a = 0; a < 3; a++) in = in && place[a] >= b->low[a] && place[a] < b->high[a] + 1.0;
    return in;
}

typedef struct mn_cells_around {
    int     count;      ///< 4 in 2D, else 8
    int32_t tile[8];    ///< 0: that cell does not exist
    int32_t cell[8];    ///< inside its tile
    double  weight[8];  ///< their sum is 1
} mn_cells_around;

mn_cells_around mn_tiles_around(const mn_tiles *t, mn_vec3 x);

/// Place of one of them in a field.
static inline int64_t mn_around_place(const mn_tiles *t, const mn_cells_around *around, int k)
{
    return (int64_t)around->tile[k] * t->cells + around->cell[k];
}

#endif
