// SPDX-License-Identifier: MPL-2.0
// grid/transfer_pad.h - a tile with its rim of nodes from the neighbours, as kernels want it.
//
// A particle of a tile touches nodes -1 .. 8 of each axis, along the staggered axis -1 .. 9. A padded tile holds all
// of them in one small array. What falls on the rim belongs to the 26 neighbours: the rim is cut into one region per
// direction, each stored in one piece, and in a second pass every tile adds the regions its neighbours made for it.
// That needs no colours of tiles, and a periodic axis of one tile (which is its own neighbour) needs no special case.
#ifndef MN_GRID_TRANSFER_PAD_H
#define MN_GRID_TRANSFER_PAD_H

#include "grid/bins.h"

/// Nodes -1 .. 10 in x (rows of four nodes may be read from node 7), -1 .. 9 in y and z.
#define MN_PAD_X    12
#define MN_PAD_Y    11
#define MN_PAD_Z    11
#define MN_PAD_SIZE (MN_PAD_X * MN_PAD_Y * MN_PAD_Z)

/// Place of a node in a padded tile; coordinates count from the first cell of the tile. In 2D z is 0.
static inline int32_t mn_pad_place(int32_t x, int32_t y, int32_t z)
{
    return ((z + 1) * MN_PAD_Y + (y + 1)) * MN_PAD_X + (x + 1);
}

typedef struct mn_pad_region {
    int32_t begin[3], extent[3];  // nodes, from the first cell of the tile
    int32_t offset;               // in the stored rim
} mn_pad_region;

typedef struct mn_pad_layout {
    mn_pad_region region[27];  // by direction as mn_tiles.neighbor; 13 is the tile itself and not part of the rim
    int32_t       size[3];     // cells of a tile
    int32_t       rim;         // nodes of the rim
} mn_pad_layout;

/// `staggered` is the axis of the faces, or -1 for cell centres.
mn_pad_layout mn_pad_layout_make(const mn_tiles *tiles, int staggered);

/// Zero the nodes of a padded tile.
void mn_pad_clear(const mn_pad_layout *layout, double *pad);
/// Cut a padded tile into the values of the tile itself and its rim.
void mn_pad_split(const mn_pad_layout *layout, const double *pad, double *inside, double *rim);
/// The padded tile of a field.
void mn_pad_load(const mn_pad_layout *layout, const mn_tiles *tiles, int32_t tile, const double *field, double *pad);

/// The rims of all tiles with particles.
typedef struct mn_pad_rims {
    mn_pad_layout  layout;
    const int32_t *slot;    // per tile: its place among the tiles with particles, or -1
    double        *values;  // [slots][fields][layout.rim]
    int            fields;
} mn_pad_rims;

/// Add to the values of `tile` what its neighbours have put on its nodes.
void mn_pad_add_rims(const mn_pad_rims *rims, int field, const mn_tiles *tiles, int32_t tile, double *inside);

/// The tiles with particles: list[0..count), and for every tile its place in the list or -1. From the arena.
typedef struct mn_busy_tiles {
    int32_t *list, *slot;
    int32_t  count;
} mn_busy_tiles;

mn_status mn_busy_tiles_find(mn_arena *arena, const mn_tiles *tiles, const mn_bins *bins, mn_busy_tiles *out);

#endif
