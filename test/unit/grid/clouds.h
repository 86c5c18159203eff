// SPDX-License-Identifier: MPL-2.0
// test/unit/grid/clouds.h - clouds of particles on tiles, for the tests of transfers and level sets.
#ifndef MN_TEST_GRID_CLOUDS_H
#define MN_TEST_GRID_CLOUDS_H

#include "testing.h"

#include "base/random.h"
#include "grid/transfer.h"

#include <stdlib.h>
#include <string.h>

enum { CLOUD_ARRAYS = 16 };  // position 3, velocity 3, affine 9, volume

typedef struct cloud {
    mn_context        *context;
    mn_arena          *arena;
    mn_grid_def        def;
    mn_tiles           tiles;
    mn_bins            bins;
    mn_particle_arrays q;
    double            *storage;
} cloud;

static inline double *cloud_array(const cloud *s, int k) { return s->storage + (int64_t)k * (s->q.count + 1); }

static inline const double *const *cloud_position(const cloud *s) { return (const double *const *)s->q.position; }

/// Room for `count` particles, everything 0.
static inline cloud cloud_begin(int threads, mn_grid_def def, int64_t count)
{
    cloud s   = { .context = test_context(threads), .def = def };
    s.q.count = count;
    s.storage = calloc((size_t)(count + 1) * CLOUD_ARRAYS, sizeof(double));
    assert_non_null(s.storage);
    for (int a = 0; a < 3; a++) {
        s.q.position[a] = cloud_array(&s, a);
        s.q.velocity[a] = cloud_array(&s, 3 + a);
    }
    for (int a = 0; a < 9; a++) s.q.affine[a] = cloud_array(&s, 6 + a);
    s.q.volume = cloud_array(&s, 15);
    assert_int_equal(mn_arena_create(s.context, &s.arena), MN_OK);
    return s;
}

/// Tiles and bins, and the particles put in their order.
static inline void cloud_sort(cloud *s, int margin)
{
    assert_int_equal(mn_bins_build(s->context, s->arena, &s->def, cloud_position(s), s->q.count, margin, &s->tiles,
                                   &s->bins),
                     MN_OK);
    assert_int_equal(s->bins.count, s->q.count);
    double *sorted = calloc((size_t)s->q.count + 1, sizeof(double));
    assert_non_null(sorted);
    for (int k = 0; k < CLOUD_ARRAYS; k++) {
        double *x = cloud_array(s, k);
        for (int64_t i = 0; i < s->q.count; i++) sorted[i] = x[s->bins.order[i]];
        memcpy(x, sorted, (size_t)s->q.count * sizeof(double));
    }
    free(sorted);
    for (int64_t i = 0; i < s->q.count; i++) s->bins.order[i] = (int32_t)i;
}

static inline void cloud_end(cloud *s)
{
    free(s->storage);
    mn_arena_destroy(&s->arena);
    test_context_end(&s->context);
}

/// A field over the tiles, filled with NaN so that a value nobody wrote is seen.
static inline double *cloud_field(const cloud *s)
{
    const int64_t n = (int64_t)s->tiles.count * s->tiles.cells;
    double       *x = mn_arena_array(s->arena, double, n);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++) x[i] = (double)NAN;
    return x;
}

static inline double between(uint64_t seed, uint64_t id, uint64_t lane, double low, double high)
{
    return low + (high - low) * mn_random(seed, id, 0, lane);
}

static inline mn_grid_def grid_3d(double cell)
{
    return (mn_grid_def){ .dimension = 3, .cell = cell, .depth = cell, .origin = { 0.31, -0.72, 0.13 } };
}

static inline mn_grid_def grid_2d(double cell)
{
    return (mn_grid_def){ .dimension = 2, .cell = cell, .depth = 2.5, .origin = { 0.31, -0.72, 0.0 } };
}

/// Random particles in a box of cells, with random velocity, affine matrix and volume.
static inline cloud random_cloud(int threads, mn_grid_def def, uint64_t seed, int64_t count, const double low[3],
                                 const double high[3])
{
    cloud s = cloud_begin(threads, def, count);
    for (int64_t i = 0; i < count; i++) {
        for (int a = 0; a < def.dimension; a++) {
            s.q.position[a][i] = mn_get3(def.origin, a) +
                                 def.cell * between(seed, (uint64_t)i, (uint64_t)a, low[a], high[a]);
            s.q.velocity[a][i] = between(seed, (uint64_t)i, 3 + (uint64_t)a, -2.0, 2.0);
            for (int b = 0; b < def.dimension; b++)
                s.q.affine[3 * a + b][i] = between(seed, (uint64_t)i, 6 + (uint64_t)(3 * a + b), -5.0, 5.0);
        }
        s.q.volume[i] = between(seed, (uint64_t)i, 15, 0.5, 2.0);
    }
    return s;
}

/// Value of a field at a cell counted from the origin (wrapped); 0 where there is no tile.
static inline int64_t cloud_place(const cloud *s, int32_t x, int32_t y, int32_t z)
{
    const int32_t cell[3] = { x, y, z };
    int32_t       tile[3], inside[3];
    for (int a = 0; a < 3; a++) {
        const int32_t size = a == 2 ? s->tiles.tile_z : MN_TILE;
        inside[a]          = ((cell[a] % size) + size) % size;
        tile[a]            = (cell[a] - inside[a]) / size;
    }
    const int32_t t = mn_tiles_find(&s->tiles, (mn_tile_coord){ tile[0], tile[1], tile[2] });
    return t == 0 ? -1 : (int64_t)t * s->tiles.cells + mn_cell_in_tile(inside[0], inside[1], inside[2]);
}

/// Position of a face (axis 0..2) or of a cell centre (axis -1).
static inline void node_position(const mn_tiles *t, int axis, int32_t tile, int32_t cell, double x[3])
{
    const int32_t at[3] = { t->coord[tile].x * MN_TILE + cell % MN_TILE,
                            t->coord[tile].y * MN_TILE + cell / MN_TILE % MN_TILE,
                            t->coord[tile].z * t->tile_z + cell / (MN_TILE * MN_TILE) };
    for (int a = 0; a < 3; a++)
        x[a] = mn_get3(t->def.origin, a) + t->def.cell * ((double)at[a] + (a == axis ? 0.0 : 0.5));
    if (t->def.dimension == 2) x[2] = 0.0;
}

#endif
