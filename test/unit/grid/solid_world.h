// SPDX-License-Identifier: MPL-2.0
// A small world of tiles and solids for the tests of grid/solid/solid.h.
#ifndef MN_TEST_SOLID_WORLD_H
#define MN_TEST_SOLID_WORLD_H

#include "grid/solid/solid.h"

#include <string.h>

typedef struct world {
    mn_context *c;
    mn_arena   *arena;
    mn_tiles    tiles;
    mn_solid    solids[8];
    mn_shape   *shapes[8];
    int         count;
} world;

static inline void begin(world *w, int threads)
{
    memset(w, 0, sizeof *w);
    w->c = test_context(threads);
    assert_int_equal(mn_arena_create(w->c, &w->arena), MN_OK);
}

static inline void end(world *w)
{
    for (int k = 0; k < w->count; k++) mn_shape_release(&w->shapes[k]);
    mn_arena_destroy(&w->arena);
    test_context_end(&w->c);
}

static inline void make_tiles(world *w, int dimension, double cell, mn_vec3 origin, mn_tile_coord low,
                              mn_tile_coord high)
{
    const mn_grid_def    def = { .dimension = dimension,
                                 .cell      = cell,
                                 .depth     = dimension == 2 ? 1.0 : cell,
                                 .origin    = origin };
    static mn_tile_coord wanted[8192];
    int64_t              n = 0;
    for (int z = low.z; z < high.z; z++)
        for (int y = low.y; y < high.y; y++)
            for (int x = low.x; x < high.x; x++) wanted[n++] = (mn_tile_coord){ x, y, z };
    assert_int_equal(mn_tiles_build(w->arena, &def, wanted, n, &w->tiles), MN_OK);
}

static inline mn_solid *add_solid(world *w, const mn_shape_def *def)
{
    assert_int_equal(mn_shape_create(w->c, def, &w->shapes[w->count]), MN_OK);
    w->solids[w->count] = (mn_solid){ .shape = w->shapes[w->count], .pose = mn_motion_pose(NULL, 0.0) };
    return &w->solids[w->count++];
}

static inline mn_solid *add_plane(world *w, mn_vec3 at, mn_vec3 normal)
{
    mn_shape_def d = mn_shape_def_default(MN_SHAPE_PLANE);
    d.center[0] = at.x, d.center[1] = at.y, d.center[2] = at.z;
    d.axis[0] = normal.x, d.axis[1] = normal.y, d.axis[2] = normal.z;
    return add_solid(w, &d);
}

static inline mn_solid *add_box(world *w, mn_vec3 low, mn_vec3 high)
{
    mn_shape_def d = mn_shape_def_default(MN_SHAPE_BOX);
    for (int a = 0; a < 3; a++) {
        d.center[a] = 0.5 * (mn_get3(low, a) + mn_get3(high, a));
        d.size[a]   = mn_get3(high, a) - mn_get3(low, a);
    }
    return add_solid(w, &d);
}

static inline mn_solid *add_sphere(world *w, mn_vec3 center, double radius)
{
    mn_shape_def d = mn_shape_def_default(MN_SHAPE_SPHERE);
    d.center[0] = center.x, d.center[1] = center.y, d.center[2] = center.z;
    d.radius[0] = radius;
    return add_solid(w, &d);
}

static inline mn_solid_fields build(world *w, mn_solid_cache *cache)
{
    mn_solid_fields f;
    assert_int_equal(mn_solid_fields_build(w->c, w->arena, &w->tiles, (mn_solids){ w->solids, w->count }, cache, &f),
                     MN_OK);
    return f;
}

/// Visit every cell: its index and its place in the grid.
typedef struct cell_walk {
    int32_t tile;
    int     inside;
    int64_t i;
    int     at[3];
} cell_walk;

static inline bool next_cell(const mn_tiles *t, cell_walk *k)
{
    if (k->tile == 0) *k = (cell_walk){ .tile = 1, .inside = 0 };
    else k->inside++;
    if (k->inside == t->cells) {
        k->inside = 0;
        k->tile++;
    }
    if (k->tile >= t->count) return false;
    k->i     = (int64_t)k->tile * t->cells + k->inside;
    k->at[0] = 8 * t->coord[k->tile].x + (k->inside & 7);
    k->at[1] = 8 * t->coord[k->tile].y + (k->inside >> 3 & 7);
    k->at[2] = t->tile_z * t->coord[k->tile].z + (k->inside >> 6);
    return true;
}

#endif
