// SPDX-License-Identifier: MPL-2.0
// grid/transfer_pad.c - padded tiles and their rims.
#include "grid/transfer_pad.h"

#include <string.h>

mn_pad_layout mn_pad_layout_make(const mn_tiles *tiles, int staggered)
{
    mn_pad_layout out = { .size = { MN_TILE, MN_TILE, tiles->tile_z } };
    for (int n = 0; n < 27; n++) {
        const int32_t  direction[3] = { n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1 };
        mn_pad_region *r            = &out.region[n];
        int32_t        nodes        = 1;
        for (int a = 0; a < 3; a++) {
            r->begin[a]  = direction[a] < 0 ? -1 : direction[a] == 0 ? 0 : out.size[a];
            r->extent[a] = direction[a] == 0 ? out.size[a] : direction[a] > 0 && a == staggered ? 2 : 1;
            if (a == 2 && direction[a] != 0 && tiles->tile_z == 1) r->extent[a] = 0;
            nodes *= r->extent[a];
        }
        if (n == 13) continue;
        r->offset = out.rim;
        out.rim += nodes;
    }
    return out;
}

void mn_pad_clear(const mn_pad_layout *l, double *pad)
{
    const int32_t planes = l->size[2] == 1 ? 1 : MN_PAD_Z, first = l->size[2] == 1 ? 1 : 0;
    const size_t  plane = (size_t)MN_PAD_X * MN_PAD_Y;
    memset(pad + (size_t)first * plane, 0, (size_t)planes * plane * sizeof *pad);
}

void mn_pad_split(const mn_pad_layout *l, const double *pad, double *inside, double *rim)
{
    for (int32_t z = 0; z < l->size[2]; z++)
        for (int32_t y = 0; y < MN_TILE; y++)
            memcpy(inside + mn_cell_in_tile(0, y, z), pad + mn_pad_place(0, y, z), MN_TILE * sizeof *pad);
    for (int n = 0; n < 27; n++) {
        if (n == 13) continue;
        const mn_pad_region *r   = &l->region[n];
        double              *out = rim + r->offset;
        for (int32_t z = 0; z < r->extent[2]; z++)
            for (int32_t y = 0; y < r->extent[1]; y++) {
                const double *row = pad + mn_pad_place(r->begin[0], r->begin[1] + y, r->begin[2] + z);
                for (int32_t x = 0; x < r->extent[0]; x++) *out++ = row[x];
            }
    }
}

void mn_pad_load(const mn_pad_layout *l, const mn_tiles *tiles, int32_t tile, const double *field, double *pad)
{
    for (int n = 0; n < 27; n++) {
        const mn_pad_region *r    = &l->region[n];
        const double        *from = field + (int64_t)tiles->neighbor[tile][n] * tiles->cells;
        // The same node as the neighbour counts it: its first cell lies `size` cells along the direction.
        const int32_t x0 = r->begin[0] - l->size[0] * (n % 3 - 1);
        const int32_t y0 = r->begin[1] - l->size[1] * (n / 3 % 3 - 1);
        const int32_t z0 = r->begin[2] - l->size[2] * (n / 9 - 1);
        for (int32_t z = 0; z < r->extent[2]; z++)
            for (int32_t y = 0; y < r->extent[1]; y++) {
                const double *in  = from + mn_cell_in_tile(x0, y0 + y, z0 + z);
                double       *out = pad + mn_pad_place(r->begin[0], r->begin[1] + y, r->begin[2] + z);
                for (int32_t x = 0; x < r->extent[0]; x++) out[x] = in[x];
            }
    }
}

void mn_pad_add_rims(const mn_pad_rims *rims, int field, const mn_tiles *tiles, int32_t tile, double *inside)
{
    const mn_pad_layout *l = &rims->layout;
    for (int n = 0; n < 27; n++) {
        if (n == 13) continue;
        const int32_t slot = rims->slot[tiles->neighbor[tile][n]];
        if (slot < 0) continue;
        // What the neighbour in direction n put on this tile lies on its rim in the opposite direction.
        const mn_pad_region *r  = &l->region[26 - n];
        const double        *in = rims->values + ((int64_t)slot * rims->fields + field) * l->rim + r->offset;
        const int32_t        x0 = r->begin[0] + l->size[0] * (n % 3 - 1);
        const int32_t        y0 = r->begin[1] + l->size[1] * (n / 3 % 3 - 1);
        const int32_t        z0 = r->begin[2] + l->size[2] * (n / 9 - 1);
        for (int32_t z = 0; z < r->extent[2]; z++)
            for (int32_t y = 0; y < r->extent[1]; y++) {
                double *out = inside + mn_cell_in_tile(x0, y0 + y, z0 + z);
                for (int32_t x = 0; x < r->extent[0]; x++) out[x] += *in++;
            }
    }
}

mn_status mn_busy_tiles_find(mn_arena *arena, const mn_tiles *tiles, const mn_bins *bins, mn_busy_tiles *out)
{
    *out      = (mn_busy_tiles){ 0 };
    out->list = mn_arena_array(arena, int32_t, tiles->count);
    out->slot = mn_arena_array(arena, int32_t, tiles->count);
    if (out->list == NULL || out->slot == NULL) return MN_ERR_MEMORY;
    for (int32_t t = 0; t < tiles->count; t++) {
        const int64_t first = (int64_t)t * tiles->cells;
        out->slot[t]        = bins->start[first] == bins->start[first + tiles->cells] ? -1 : out->count;
        if (out->slot[t] >= 0) out->list[out->count++] = t;
    }
    return MN_OK;
}
