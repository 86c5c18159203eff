// SPDX-License-Identifier: MPL-2.0
// grid/around.c - finding the cells around a point.
#include "grid/around.h"

#include "grid/bins.h"

mn_cells_around mn_tiles_around(const mn_tiles *t, mn_vec3 x)
{
    const mn_grid_def *g       = &t->def;
    mn_cells_around    around  = { .count = 1 << g->dimension };
    int32_t            low[3]  = { 0, 0, 0 };
    double             part[3] = { 0.0, 0.0, 0.0 };
    for (int a = 0; a < g->dimension; a++) {
        const double r = (mn_get3(x, a) - mn_get3(g->origin, a)) / g->cell - 0.5;
        low[a]         = mn_cell_floor(r);
        part[a]        = r - low[a];
    }
    const int32_t first = mn_tiles_find(t, (mn_tile_coord){ low[0] >> 3, low[1] >> 3, low[2] >> 3 });
    for (int k = 0; k < around.count; k++) {
        const int     d[3] = { k & 1, k >> 1 & 1, k >> 2 & 1 };
        const int32_t i[3] = { low[0] + d[0], low[1] + d[1], low[2] + d[2] };
        double        w    = 1.0;
        for (int a = 0; a < 3; a++) w *= d[a] ? part[a] : 1.0 - part[a];
        const bool there = (i[0] ^ low[0]) >> 3 == 0 && (i[1] ^ low[1]) >> 3 == 0 && (i[2] ^ low[2]) >> 3 == 0;
        around.tile[k]   = there ? first : mn_tiles_find(t, (mn_tile_coord){ i[0] >> 3, i[1] >> 3, i[2] >> 3 });
        around.cell[k]   = mn_cell_in_tile(i[0] & 7, i[1] & 7, i[2] & 7);
        around.weight[k] = w;
    }
    return around;
}
