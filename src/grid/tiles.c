// SPDX-License-Identifier: MPL-2.0
// grid/tiles.c - building the set of tiles.
//
// An integer index over the bounding box of the tiles gives neighbours in constant time. The box costs 4 bytes per
// 512 cells; only two drops hundreds of metres apart would make it large, and then the build fails with a sentence.
#include "grid/tiles.h"

#include <string.h>

static int32_t wrap(int32_t i, int32_t period)
{
    if (period == 0) return i;
    const int32_t r = i % period;
    return r < 0 ? r + period : r;
}

mn_tile_coord mn_tile_wrap(const mn_grid_def *def, mn_tile_coord at)
{
    if (def->dimension == 2) at.z = 0;
    return (mn_tile_coord){ wrap(at.x, def->period[0]), wrap(at.y, def->period[1]), wrap(at.z, def->period[2]) };
}

int32_t mn_tiles_find(const mn_tiles *t, mn_tile_coord at)
{
    at              = mn_tile_wrap(&t->def, at);
    const int64_t x = (int64_t)at.x - t->low.x, y = (int64_t)at.y - t->low.y, z = (int64_t)at.z - t->low.z;
    if (x < 0 || y < 0 || z < 0 || x >= t->size.x || y >= t->size.y || z >= t->size.z) return 0;
    return t->index[(z * t->size.y + y) * t->size.x + x];
}

mn_status mn_tiles_build(mn_arena *arena, const mn_grid_def *def, mn_tile_coord *wanted, int64_t wanted_count,
                         mn_tiles *out)
{
    const int32_t tile_z = def->dimension == 2 ? 1 : MN_TILE;
    *out                 = (mn_tiles){ .def = *def, .tile_z = tile_z, .cells = MN_TILE * MN_TILE * tile_z, .count = 1 };

    mn_tile_coord low = { 0, 0, 0 }, high = { -1, -1, -1 };
    for (int64_t k = 0; k < wanted_count; k++) {
        const mn_tile_coord w = wanted[k];
        if (k == 0) low = high = w;
        if (w.x < low.x) low.x = w.x;
        if (w.y < low.y) low.y = w.y;
        if (w.z < low.z) low.z = w.z;
        if (w.x > high.x) high.x = w.x;
        if (w.y > high.y) high.y = w.y;
        if (w.z > high.z) high.z = w.z;
    }
    out->low  = low;
    out->size = (mn_tile_coord){ high.x - low.x + 1, high.y - low.y + 1, high.z - low.z + 1 };
    if ((double)out->size.x * out->size.y * out->size.z > (double)MN_TILES_BOX_MOST)
        return MN_ERR_MEMORY;  // the caller says which matter has flown how far
    const int64_t box = (int64_t)out->size.x * out->size.y * out->size.z;

    out->index = mn_arena_array_zero(arena, int32_t, box);
    if (out->index == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < wanted_count; k++)
        out->index[((int64_t)(wanted[k].z - low.z) * out->size.y + (wanted[k].y - low.y)) * out->size.x +
                   (wanted[k].x - low.x)] = 1;
    for (int64_t k = 0; k < box; k++)
        if (out->index[k] != 0) out->index[k] = out->count++;

    out->coord    = mn_arena_array(arena, mn_tile_coord, out->count);
    out->neighbor = mn_arena_take(arena, (size_t)out->count * sizeof *out->neighbor);
    if (out->coord == NULL || out->neighbor == NULL) return MN_ERR_MEMORY;
    out->coord[0] = (mn_tile_coord){ 0, 0, 0 };
    memset(out->neighbor[0], 0, sizeof *out->neighbor);
    int64_t place = 0;
    for (int32_t z = 0; z < out->size.z; z++)
        for (int32_t y = 0; y < out->size.y; y++)
            for (int32_t x = 0; x < out->size.x; x++, place++)
                if (out->index[place] != 0)
                    out->coord[out->index[place]] = (mn_tile_coord){ low.x + x, low.y + y, low.z + z };
    for (int32_t t = 1; t < out->count; t++) {
        const mn_tile_coord at = out->coord[t];
        for (int n = 0; n < 27; n++)
            out->neighbor[t][n] = mn_tiles_find(out, (mn_tile_coord){ at.x + n % 3 - 1, at.y + n / 3 % 3 - 1,
                                                                      at.z + n / 9 - 1 });
    }
    return MN_OK;
}
