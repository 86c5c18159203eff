// SPDX-License-Identifier: MPL-2.0
// grid/around.h - the cells whose centres are around a point, with their weights in linear interpolation.
#ifndef MN_GRID_AROUND_H
#define MN_GRID_AROUND_H

#include "grid/tiles.h"

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
