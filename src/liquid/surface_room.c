// SPDX-License-Identifier: MPL-2.0
// liquid/surface_room.c - the room inside the levels as the corners of the cells see it, with the kernel of the
// density.
//
// That kernel, a quadratic B-spline, has at half its spacing the values 1, 4, 6, 4, 1 over 16 (with the half spacing
// itself: their sum is 1), so a corner sees five nodes along each axis. A fine tile has the 4 x 4 x 4 corners in it.
#include "liquid/surface_mesh_private.h"

#include "base/pool.h"

#define HALF   (MN_TILE / 2)
#define AROUND (MN_TILE + 3)  // nodes that the corners of a tile see along an axis: two before, one after

/// How full the cell of a node is.
static double filled(const mn_surface_nodes *f, int64_t i)
{
    const double level = fmax(f->level[i], f->solid[i]) / f->tiles.def.cell;
    return level >= 0.5 ? 0.0 : fmin(1.0, 0.5 - level);
}

/// The five nodes around every second one along a line; in place, the result in the first four.
static void see_line(double *line, int stride)
{
    for (int k = 0; k < HALF; k++) {
        const double *v  = line + 2 * k * stride;
        line[k * stride] = (v[0] + v[4 * stride] + 4.0 * (v[stride] + v[3 * stride]) + 6.0 * v[2 * stride]) / 16.0;
    }
}

static void see_tile(mn_surface_mesh *m, int32_t tile)
{
    const mn_tiles       *f = &m->fine.tiles, *c = &m->coarse.tiles;
    const mn_tile_coord   at   = f->coord[tile];
    const int             flat = f->tile_z == 1, layers = flat ? 1 : AROUND, corners = flat ? 1 : HALF;
    const mn_surface_spot first = { tile, 0, 0, 0 };
    double                value[AROUND][AROUND][AROUND];
    for (int z = 0; z < layers; z++)
        for (int y = 0; y < AROUND; y++)
            for (int x = 0; x < AROUND; x++) {
                const int64_t i = mn_surface_beside(f, &first, x - 2, y - 2, flat ? 0 : z - 2);
                value[z][y][x]  = i == 0 ? 0.0 : filled(&m->fine, i);
            }
    for (int z = 0; z < layers; z++)
        for (int y = 0; y < AROUND; y++) see_line(value[z][y], 1);
    for (int z = 0; z < layers; z++)
        for (int x = 0; x < HALF; x++) see_line(&value[z][0][x], AROUND);
    for (int y = 0; y < HALF && !flat; y++)
        for (int x = 0; x < HALF; x++) see_line(&value[0][y][x], AROUND * AROUND);
    const int32_t own = mn_tiles_find(c, (mn_tile_coord){ at.x >> 1, at.y >> 1, flat ? 0 : at.z >> 1 });
    for (int z = 0; z < corners; z++)
        for (int y = 0; y < HALF; y++)
            for (int x = 0; x < HALF; x++)
                m->room[(int64_t)own * c->cells + mn_cell_in_tile(HALF * (at.x & 1) + x, HALF * (at.y & 1) + y,
                                                                  flat ? 0 : HALF * (at.z & 1) + z)] = value[z][y][x];
}

static void see_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_surface_mesh *m = context;
    for (int64_t t = begin; t < end; t++)
        if (m->joined[t]) see_tile(m, (int32_t)t);
}

mn_status mn_surface_see_room(mn_surface_mesh *m)
{
    m->room = mn_arena_array_zero(m->arena, double, (int64_t)m->coarse.tiles.count * m->coarse.tiles.cells);
    if (m->room == NULL) return MN_ERR_MEMORY;
    if (m->drop_count > 0) mn_parallel_for(mn_context_pool(m->context), m->fine.tiles.count, 4, see_tiles, m);
    return MN_OK;
}
