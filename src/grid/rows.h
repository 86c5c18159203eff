// SPDX-License-Identifier: MPL-2.0
// grid/rows.h - loops over the grid by rows: the eight cells of a tile that follow each other in x, and what lies
// beside.
//
// A loop over single cells asks mn_cell_next for every neighbour. A row asks once: its neighbours along y and z are
// eight values in a row themselves, and along x the same eight values shifted by one. Inner loops of fixed length over
// plain arrays are what compilers make vectors of.
//
// A set of cells or faces as bits is an array of one byte per row, bit x for cell x; its place is that of the row / 8.
#ifndef MN_GRID_ROWS_H
#define MN_GRID_ROWS_H

#include "grid/tiles.h"

#include <string.h>

/// Places in a field. low[1], low[2], high[1], high[2]: the first cells of the rows beside; low[0] and high[0]: the one
/// cell before the first and the one behind the last.
typedef struct mn_row_places {
    int64_t at, low[3], high[3];
} mn_row_places;

static inline int32_t mn_rows_of(const mn_tiles *t) { return t->cells / MN_TILE; }

static inline mn_row_places mn_row_find(const mn_tiles *t, int32_t tile, int32_t row)
{
    const int32_t *beside = t->neighbor[tile], y = row % MN_TILE, z = row / MN_TILE, cell = row * MN_TILE;
    const int32_t  plane = MN_TILE * MN_TILE, last_y = plane - MN_TILE, last_z = (t->tile_z - 1) * plane;
    const int64_t  here = (int64_t)tile * t->cells + cell;
    mn_row_places  r    = { .at = here };
    r.low[0]            = (int64_t)beside[12] * t->cells + cell + MN_TILE - 1;
    r.high[0]           = (int64_t)beside[14] * t->cells + cell;
    r.low[1]            = y > 0 ? here - MN_TILE : (int64_t)beside[10] * t->cells + cell + last_y;
    r.high[1]           = y < MN_TILE - 1 ? here + MN_TILE : (int64_t)beside[16] * t->cells + cell - last_y;
    r.low[2]            = z > 0 ? here - plane : (int64_t)beside[4] * t->cells + cell + last_z;
    r.high[2]           = z < t->tile_z - 1 ? here + plane : (int64_t)beside[22] * t->cells + cell - last_z;
    return r;
}

/// Place of the cell beside cell x of a row.
static inline int64_t mn_row_low(const mn_row_places *r, int axis, int32_t x)
{
    if (axis != 0) return r->low[axis] + x;
    return x > 0 ? r->at + x - 1 : r->low[0];
}

static inline int64_t mn_row_high(const mn_row_places *r, int axis, int32_t x)
{
    if (axis != 0) return r->high[axis] + x;
    return x < MN_TILE - 1 ? r->at + x + 1 : r->high[0];
}

/// Values of a field one cell lower or higher along an axis than the cells of the row. `room` is used along x.
#define MN_ROW_VALUES(type, name)                                                                       \
    static inline const type *mn_row_lower_##name(const type *field, const mn_row_places *r, int axis,  \
                                                  type room[MN_TILE])                                   \
    {                                                                                                   \
        if (axis != 0) return field + r->low[axis];                                                     \
        room[0] = field[r->low[0]];                                                                     \
        memcpy(room + 1, field + r->at, (MN_TILE - 1) * sizeof *room);                                  \
        return room;                                                                                    \
    }                                                                                                   \
    static inline const type *mn_row_higher_##name(const type *field, const mn_row_places *r, int axis, \
                                                   type room[MN_TILE])                                  \
    {                                                                                                   \
        if (axis != 0) return field + r->high[axis];                                                    \
        memcpy(room, field + r->at + 1, (MN_TILE - 1) * sizeof *room);                                  \
        room[MN_TILE - 1] = field[r->high[0]];                                                          \
        return room;                                                                                    \
    }
MN_ROW_VALUES(double, doubles)
MN_ROW_VALUES(float, floats)
MN_ROW_VALUES(uint8_t, bytes)
#undef MN_ROW_VALUES

/// Whether any of the eight bytes of a row is not 0.
static inline bool mn_row_any(const uint8_t *field, int64_t at)
{
    uint64_t row;
    memcpy(&row, field + at, sizeof row);
    return row != 0;
}

/// Eight bytes of 0 and others as eight bits.
static inline uint8_t mn_row_bits(const uint8_t *field, int64_t at)
{
    uint8_t bits = 0;
    for (int x = 0; x < MN_TILE; x++) bits |= (uint8_t)((field[at + x] != 0) << x);
    return bits;
}

/// The bits of the cells one lower and one higher along an axis than those of the row.
static inline uint8_t mn_bits_lower(const uint8_t *bits, const mn_row_places *r, int axis)
{
    if (axis != 0) return bits[r->low[axis] / MN_TILE];
    return (uint8_t)(bits[r->at / MN_TILE] << 1 | bits[r->low[0] / MN_TILE] >> (MN_TILE - 1));
}

static inline uint8_t mn_bits_higher(const uint8_t *bits, const mn_row_places *r, int axis)
{
    if (axis != 0) return bits[r->high[axis] / MN_TILE];
    return (uint8_t)(bits[r->at / MN_TILE] >> 1 | bits[r->high[0] / MN_TILE] << (MN_TILE - 1));
}

static inline bool mn_bits_has(const uint8_t *bits, int64_t place)
{
    return bits[place / MN_TILE] >> (place % MN_TILE) & 1;
}

#endif
