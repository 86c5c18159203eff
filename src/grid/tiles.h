// SPDX-License-Identifier: MPL-2.0
// grid/tiles.h - the sparse grid: blocks of 8 x 8 x 8 cells where there is matter, and who their neighbours are.
//
// Cell (i,j,k) spans origin + cell * [i,i+1] x [j,j+1] x [k,k+1]. Tile (I,J,K) holds cells 8I..8I+7 and so on.
// A field over the grid is an array of count * cells values: tile by tile, x fastest, then y, then z.
// Staggered fields are stored on the low side: the x face of cell (i,j,k) is the one at x = origin.x + cell * i.
// Tile 0 is the null tile: it stands for every tile that does not exist, its values are zeros and stay so.
// In two dimensions a tile is 8 x 8 x 1 cells, and its z neighbours are itself (the period in z is one cell).
// A periodic axis wraps after `period` tiles.
#ifndef MN_GRID_TILES_H
#define MN_GRID_TILES_H

#include "base/arena.h"
#include "math/vec.h"

#define MN_TILE 8
/// Largest bounding box of a grid, in tiles (256 MB of index).
#define MN_TILES_BOX_MOST ((int64_t)1 << 26)

typedef struct mn_grid_def {
    int     dimension;  ///< 2 or 3
    double  cell;       ///< cm
    double  depth;      ///< cm, size in z of the one layer of a 2D grid; 3D: equal to cell
    mn_vec3 origin;     ///< a corner of cell (0,0,0)
    int32_t period[3];  ///< in tiles; 0: the axis is not periodic
} mn_grid_def;

typedef struct mn_tile_coord {
    int32_t x, y, z;
} mn_tile_coord;

typedef struct mn_tiles {
    mn_grid_def    def;
    int32_t        tile_z;    ///< cells of a tile in z: 8, or 1 in 2D
    int32_t        cells;     ///< cells per tile: 512, or 64 in 2D
    int32_t        count;     ///< tiles including the null tile 0; real tiles are 1 .. count-1
    mn_tile_coord *coord;     ///< of each tile; sorted by z, then y, then x
    int32_t (*neighbor)[27];  ///< [(dz+1)*9 + (dy+1)*3 + dx+1]; 13 is the tile itself; 0: none
    int32_t      *index;      ///< tile at each place of the bounding box; 0: none
    mn_tile_coord low, size;  ///< bounding box of the real tiles
} mn_tiles;

/// Volume of a cell, cm^3.
static inline double mn_cell_volume(const mn_grid_def *g) { return g->cell * g->cell * g->depth; }

/// The tile that holds the point (in cells from the origin, already wrapped), as a coordinate.
static inline int32_t mn_tile_of_cell(int32_t i) { return i >> 3; }

/// The tile at a coordinate (wrapped if periodic); 0 if there is none.
int32_t mn_tiles_find(const mn_tiles *t, mn_tile_coord at);

/// Build the set of tiles from a list of wanted coordinates (any order, repeats allowed, already wrapped).
/// All arrays come from `arena` and live until it is reset. `wanted` is reordered.
mn_status mn_tiles_build(mn_arena *arena, const mn_grid_def *def, mn_tile_coord *wanted, int64_t wanted_count,
                         mn_tiles *out);

/// Wrap a tile coordinate along the periodic axes.
mn_tile_coord mn_tile_wrap(const mn_grid_def *def, mn_tile_coord at);

/// Index of a cell inside its tile.
static inline int32_t mn_cell_in_tile(int32_t x, int32_t y, int32_t z) { return (z * MN_TILE + y) * MN_TILE + x; }

/// The middle of a cell.
static inline mn_vec3 mn_cell_centre(const mn_tiles *t, int32_t tile, int32_t cell)
{
    const mn_grid_def *g = &t->def;
    return mn_v3(g->origin.x + (t->coord[tile].x * MN_TILE + cell % MN_TILE + 0.5) * g->cell,
                 g->origin.y + (t->coord[tile].y * MN_TILE + cell / MN_TILE % MN_TILE + 0.5) * g->cell,
                 g->origin.z + (t->coord[tile].z * t->tile_z + cell / (MN_TILE * MN_TILE) + 0.5) * g->depth);
}

/// The cell next to `cell` of `tile` along `axis` in direction `dir` (-1 or +1), as a place in a field.
/// A missing neighbour lies in the null tile, where every field is zero.
static inline int64_t mn_cell_next(const mn_tiles *t, int32_t tile, int32_t cell, int axis, int dir)
{
    const int32_t extent = axis == 2 ? t->tile_z : MN_TILE;
    const int32_t stride = axis == 0 ? 1 : axis == 1 ? MN_TILE : MN_TILE * MN_TILE;
    const int32_t place  = cell / stride % MN_TILE + dir;
    if (place >= 0 && place < extent) return (int64_t)tile * t->cells + cell + dir * stride;
    const int32_t hop = axis == 0 ? 1 : axis == 1 ? 3 : 9;
    return (int64_t)t->neighbor[tile][13 + dir * hop] * t->cells + cell - dir * (extent - 1) * stride;
}

#endif
