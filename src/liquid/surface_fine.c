// SPDX-License-Identifier: MPL-2.0
// liquid/surface_fine.c - levels at nodes of half the spacing, between those at the corners of the cells.
//
// Every second fine node is a corner; between two of them the level of the liquid is that of the cubic through the four
// corners on the line, so that a surface that bends over a few cells comes out round. The level of what cuts the liquid
// is asked for at every fine node close to it; farther away its sign is enough.
#include "liquid/surface_mesh_private.h"

#include "base/pool.h"
#include "grid/around.h"

#include <string.h>

/// Corners of the cells along an axis that the nodes of a fine tile need: those in it, one before, two after.
#define SIDE 7
#define HALF (MN_TILE / 2)
/// Distance from what cuts the liquid, in cells, within which it is asked for at fine nodes: an edge of theirs may
/// cross it, and what is read between corners is wrong by less than the rest.
#define SOLID_NEAR 0.75

double mn_surface_level_at(const mn_tiles *tiles, const double *level, mn_vec3 x)
{
    const mn_cells_around around = mn_tiles_around(tiles, x);
    double                sum    = 0.0;
    for (int k = 0; k < around.count; k++)
        sum += around.weight[k] *
               (around.tile[k] != 0 ? level[mn_around_place(tiles, &around, k)] : MN_SURFACE_FAR * tiles->def.cell);
    return sum;
}

// ---- which tiles ---------------------------------------------------------------------------------------------------

typedef struct wish {
    const mn_surface_mesh *mesh;
    uint8_t               *octants;  // per coarse tile: those with a fine tile
} wish;

/// Whether a part of a coarse tile, with two nodes around, sees liquid.
static bool sees_liquid(const mn_surface_mesh *m, int32_t tile, int octant)
{
    const mn_tiles *t     = &m->coarse.tiles;
    const bool      flat  = t->tile_z == 1;
    const int       at[3] = { HALF * (octant & 1), HALF * (octant >> 1 & 1), flat ? 0 : HALF * (octant >> 2) };
    for (int z = flat ? 0 : at[2] - 1; z <= (flat ? 0 : at[2] + HALF); z++)
        for (int y = at[1] - 1; y <= at[1] + HALF; y++)
            for (int x = at[0] - 1; x <= at[0] + HALF; x++) {
                const int hop = (x >> 3) + 3 * (y >> 3) + (flat ? 0 : 9 * (z >> 3));
                const int own = t->neighbor[tile][13 + hop];
                if (m->weight[(int64_t)own * t->cells + mn_cell_in_tile(x & 7, y & 7, flat ? 0 : z & 7)] > 0.0)
                    return true;
            }
    return false;
}

static void wish_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const wish *w = context;
    for (int64_t t = begin; t < end; t++) {
        w->octants[t] = 0;
        for (int n = 0; t > 0 && n < 1 << w->mesh->coarse.tiles.def.dimension; n++)
            w->octants[t] |= (uint8_t)(sees_liquid(w->mesh, (int32_t)t, n) << n);
    }
}

static mn_status make_tiles(mn_surface_mesh *m)
{
    const mn_tiles *t = &m->coarse.tiles;
    wish            w = { m, mn_arena_array(m->arena, uint8_t, t->count) };
    if (w.octants == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(m->context), t->count, 4, wish_tiles, &w);
    int64_t count = 0;
    for (int32_t k = 0; k < t->count; k++)
        for (int n = 0; n < 8; n++) count += w.octants[k] >> n & 1;
    mn_tile_coord *wanted = mn_arena_array(m->arena, mn_tile_coord, count + 1);
    if (wanted == NULL) return MN_ERR_MEMORY;
    count = 0;
    for (int32_t k = 1; k < t->count; k++)
        for (int n = 0; n < 8; n++) {
            if (!(w.octants[k] >> n & 1)) continue;
            const mn_tile_coord at = t->coord[k];
            wanted[count++]        = (mn_tile_coord){ 2 * at.x + (n & 1), 2 * at.y + (n >> 1 & 1),
                                               t->tile_z == 1 ? 0 : 2 * at.z + (n >> 2) };
        }
    // Node 2 i of the fine grid is node i of the coarse one.
    mn_grid_def  g       = t->def;
    const double quarter = 0.25 * g.cell;
    g.cell *= 0.5;
    g.origin = mn_add3(g.origin, mn_v3(quarter, quarter, g.dimension == 3 ? quarter : 0.0));
    if (g.dimension == 3) g.depth = g.cell;
    return mn_tiles_build(m->arena, &g, wanted, count, &m->fine.tiles);
}

// ---- levels --------------------------------------------------------------------------------------------------------

/// Values of the corners around a fine tile, then of ever more of its nodes. `sure` is 1 where a value says something.
typedef struct block {
    double  value[SIDE + 1][SIDE + 1][SIDE + 1];  // z, y, x
    uint8_t sure[SIDE + 1][SIDE + 1][SIDE + 1];
} block;

/// Between b and c, with a before and d behind them; those that say nothing leave it to the others.
static double between(double a, double b, double c, double d, unsigned sure, bool cubic)
{
    if ((sure & 6) == 2) return b;
    if ((sure & 6) == 4) return c;
    if (!cubic || (sure & 6) == 0) return 0.5 * (b + c);
    if (!(sure & 1)) a = 2.0 * b - c;
    if (!(sure & 8)) d = 2.0 * c - b;
    return (9.0 * (b + c) - (a + d)) / 16.0;
}

/// From the 7 corners of a line to the 8 nodes.
static void refine_line(double *value, uint8_t *sure, int stride, bool cubic)
{
    double  v[SIDE];
    uint8_t s[SIDE];
    for (int k = 0; k < SIDE; k++) v[k] = value[k * stride], s[k] = sure[k * stride];
    for (int k = 0; k < HALF; k++) {
        const unsigned known        = s[k] | s[k + 1] << 1u | s[k + 2] << 2u | s[k + 3] << 3u;
        value[2 * k * stride]       = v[k + 1];
        sure[2 * k * stride]        = s[k + 1];
        value[(2 * k + 1) * stride] = between(v[k], v[k + 1], v[k + 2], v[k + 3], known, cubic);
        sure[(2 * k + 1) * stride]  = s[k + 1] | s[k + 2];
    }
}

static void refine_block(block *b, int dimension, bool cubic)
{
    const int row = SIDE + 1, layer = row * row, layers = dimension == 3 ? SIDE : 1;
    for (int z = 0; z < layers; z++)
        for (int y = 0; y < SIDE; y++) refine_line(b->value[z][y], b->sure[z][y], 1, cubic);
    for (int z = 0; z < layers; z++)
        for (int x = 0; x < MN_TILE; x++) refine_line(&b->value[z][0][x], &b->sure[z][0][x], row, cubic);
    for (int y = 0; y < MN_TILE && dimension == 3; y++)
        for (int x = 0; x < MN_TILE; x++) refine_line(&b->value[0][y][x], &b->sure[0][y][x], layer, cubic);
}

/// The coarse tile that a fine tile lies in, and where the corner before its first one is.
static int32_t coarse_of(const mn_surface_mesh *m, int32_t tile, int first[3])
{
    const mn_tiles     *t  = &m->coarse.tiles;
    const mn_tile_coord at = m->fine.tiles.coord[tile];
    first[0] = HALF * (at.x & 1) - 1, first[1] = HALF * (at.y & 1) - 1, first[2] = HALF * (at.z & 1) - 1;
    if (t->tile_z == 1) return first[2] = 0, mn_tiles_find(t, (mn_tile_coord){ at.x >> 1, at.y >> 1, 0 });
    return mn_tiles_find(t, (mn_tile_coord){ at.x >> 1, at.y >> 1, at.z >> 1 });
}

static int64_t corner_place(const mn_tiles *t, int32_t tile, const int first[3], int x, int y, int z)
{
    const int i = first[0] + x, j = first[1] + y, k = first[2] + z;
    const int hop = (i >> 3) + 3 * (j >> 3) + 9 * (k >> 3);
    return (int64_t)t->neighbor[tile][13 + hop] * t->cells + mn_cell_in_tile(i & 7, j & 7, k & 7);
}

static void load(const mn_surface_nodes *n, int32_t tile, const int first[3], const double *field, double otherwise,
                 block *b)
{
    const int layers = n->tiles.tile_z == 1 ? 1 : SIDE;
    for (int z = 0; z < layers; z++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                const int64_t i   = corner_place(&n->tiles, tile, first, x, y, z);
                const bool    any = i >= n->tiles.cells;
                b->value[z][y][x] = any ? field[i] : otherwise;
                b->sure[z][y][x]  = !any || !n->unsure[i];
            }
}

typedef struct refine_job {
    mn_surface_mesh         *mesh;
    const mn_surface_source *source;
} refine_job;

static void refine_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const refine_job *job       = context;
    mn_surface_mesh  *m         = job->mesh;
    mn_surface_nodes *f         = &m->fine;
    const int         dimension = f->tiles.def.dimension;
    const double      far       = MN_SURFACE_FAR * m->coarse.tiles.def.cell;
    for (int64_t t = begin; t < end; t++) {
        block   level, solid;
        int     first[3] = { 0, 0, 0 };
        int32_t tile     = t > 0 ? coarse_of(m, (int32_t)t, first) : 0;
        if (t > 0) {
            load(&m->coarse, tile, first, m->coarse.level, far, &level);
            load(&m->coarse, tile, first, m->coarse.solid, -INFINITY, &solid);
            memset(solid.sure, 1, sizeof solid.sure);
            refine_block(&level, dimension, true);
            refine_block(&solid, dimension, false);
        }
        for (int32_t k = 0; k < f->tiles.cells; k++) {
            const int     x = k % MN_TILE, y = k / MN_TILE % MN_TILE, z = k / (MN_TILE * MN_TILE);
            const int64_t i = t * f->tiles.cells + k;
            f->level[i]     = t > 0 ? level.value[z][y][x] : far;
            f->solid[i]     = t > 0 ? solid.value[z][y][x] : -INFINITY;
            f->unsure[i]    = t > 0 && !level.sure[z][y][x];
            if (fabs(f->solid[i]) < SOLID_NEAR * m->coarse.tiles.def.cell)
                f->solid[i] = mn_surface_cutting_level(job->source, mn_surface_node(&f->tiles, (int32_t)t, x, y, z),
                                                       true);
        }
    }
}

mn_status mn_surface_refine(mn_surface_mesh *m, const mn_surface_source *s)
{
    MN_TRY(make_tiles(m));
    const int64_t n = (int64_t)m->fine.tiles.count * m->fine.tiles.cells;
    m->fine.level   = mn_arena_array(m->arena, double, n);
    m->fine.solid   = mn_arena_array(m->arena, double, n);
    m->fine.unsure  = mn_arena_array(m->arena, uint8_t, n);
    m->inside       = mn_arena_array(m->arena, uint8_t, n);
    m->region       = mn_arena_array(m->arena, int32_t, n);
    if (!m->fine.level || !m->fine.solid || !m->fine.unsure || !m->inside || !m->region) return MN_ERR_MEMORY;
    refine_job job = { m, s };
    mn_parallel_for(mn_context_pool(m->context), m->fine.tiles.count, 4, refine_tiles, &job);
    return MN_OK;
}
