// SPDX-License-Identifier: MPL-2.0
// liquid/surface_cut.c - marching cubes (in two dimensions squares) over the tiles that the surface passes through.
//
// A tile owns the cubes that begin at its nodes and the edges that begin there, three per node. Tiles are worked on
// alone: first each counts its crossings and cells, then, with sums of the counts before it, it fills in its points and
// at last its cells, which look up points of its neighbours. Numbers follow the order of tiles, not that of threads.
#include "liquid/surface_mesh_private.h"

#include "base/pool.h"
#include "grid/around.h"

#include <string.h>

#define TILE_BLOCK 4
#define SIDE       (MN_TILE + 1)  // nodes of a tile and the first of the next
#define NODES      (SIDE * SIDE * SIDE)

/// Shortest piece of an edge between a node and a crossing, so that triangles keep an area when a level is all but
/// zero.
#define NEAREST 1e-3

typedef struct cut_job {
    mn_surface_mesh *mesh;
    int32_t         *slot;            // per tile: where its numbers are in `point_of`; -1: it has no crossing
    int64_t         *points, *cells;  // per tile: counts, then sums of those before
    int32_t (*point_of)[3];           // per slot and node: number of the crossing along each axis
} cut_job;

static inline int node_at(int x, int y, int z) { return (z * SIDE + y) * SIDE + x; }

/// The tile which holds node x, y, z (each up to 8) of `tile`, and where.
static inline int32_t node_owner(const mn_tiles *t, int32_t tile, int x, int y, int z, int32_t *cell)
{
    const int over = (x == MN_TILE) + 3 * (y == MN_TILE) + 9 * (z == MN_TILE);
    *cell          = mn_cell_in_tile(x & (MN_TILE - 1), y & (MN_TILE - 1), z & (MN_TILE - 1));
    return over == 0 ? tile : t->neighbor[tile][13 + over];
}

/// The nodes of a tile with those of the next; false if the surface passes through none of its cubes.
static bool load_inside(const mn_surface_mesh *m, int32_t tile, uint8_t in[NODES])
{
    const mn_tiles *t      = &m->fine.tiles;
    const int       planes = t->tile_z == 1 ? 1 : SIDE;
    const uint8_t  *own    = m->inside + (int64_t)tile * t->cells;
    unsigned        any = 0, all = 1;
    for (int z = 0; z < planes; z++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                int32_t       cell;
                const int32_t owner  = node_owner(t, tile, x, y, z, &cell);
                const uint8_t value  = owner == tile ? own[cell] : m->inside[(int64_t)owner * t->cells + cell];
                in[node_at(x, y, z)] = value;
                any |= value, all &= value;
            }
    return any != all;
}

static unsigned cube_case(const uint8_t in[NODES], int x, int y, int z, int corners)
{
    unsigned bits = 0;
    for (int n = 0; n < corners; n++) bits |= (unsigned)in[node_at(x + (n & 1), y + (n >> 1 & 1), z + (n >> 2))] << n;
    return bits;
}

/// The nodes of a tile alone.
#define FOR_NODES(t, x, y, z)             \
    for (int z = 0; z < (t)->tile_z; z++) \
        for (int y = 0; y < MN_TILE; y++) \
            for (int x = 0; x < MN_TILE; x++)

static bool crosses(const uint8_t in[NODES], int x, int y, int z, int axis)
{
    return in[node_at(x, y, z)] != in[node_at(x + (axis == 0), y + (axis == 1), z + (axis == 2))];
}

static int cells_of_case(const mn_surface_mesh *m, unsigned bits)
{
    return m->fine.tiles.tile_z == 1 ? m->cases.square[bits].count : m->cases.cube[bits].count;
}

// ---- counting ------------------------------------------------------------------------------------------------------

static void count_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    cut_job               *job       = context;
    const mn_surface_mesh *m         = job->mesh;
    const int              dimension = m->fine.tiles.def.dimension;
    uint8_t                in[NODES];
    for (int64_t t = begin; t < end; t++) {
        job->points[t] = job->cells[t] = 0;
        if (t == 0 || !load_inside(m, (int32_t)t, in)) continue;
        FOR_NODES(&m->fine.tiles, x, y, z)
        {
            for (int a = 0; a < dimension; a++) job->points[t] += crosses(in, x, y, z, a);
            job->cells[t] += cells_of_case(m, cube_case(in, x, y, z, 1 << dimension));
        }
    }
}

/// Sums of the counts before each tile, and places for the numbers.
static mn_status number_tiles(cut_job *job)
{
    mn_surface_mesh *m     = job->mesh;
    int32_t          slots = 0;
    for (int32_t t = 0; t < m->fine.tiles.count; t++) {
        const int64_t points = job->points[t], cells = job->cells[t];
        job->slot[t]   = points > 0 ? slots++ : -1;
        job->points[t] = m->point_count;
        job->cells[t]  = m->cell_count;
        m->point_count += points;
        m->cell_count += cells;
    }
    if (m->point_count > INT32_MAX || m->cell_count > INT32_MAX)
        return mn_fail(m->context, MN_ERR_MEMORY, "the surface of the liquid has %lld points; a frame holds at most %d",
                       (long long)m->point_count, INT32_MAX);
    job->point_of = mn_arena_take(m->arena,
                                  mn_array_bytes((int64_t)slots * m->fine.tiles.cells, sizeof *job->point_of));
    if (job->point_of == NULL) return MN_ERR_MEMORY;
    MN_TRY(mn_array_reserve(m->context, &m->position, &m->position_capacity, m->point_count, sizeof *m->position));
    MN_TRY(mn_array_reserve(m->context, &m->velocity, &m->velocity_capacity, m->point_count, sizeof *m->velocity));
    m->on_solid  = mn_arena_array(m->arena, uint8_t, m->point_count);
    m->region_of = mn_arena_array(m->arena, int32_t, m->point_count);
    if (m->on_solid == NULL || m->region_of == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < m->pigment_count; k++)
        MN_TRY(mn_array_reserve(m->context, &m->concentration[k], &m->concentration_capacity[k], m->point_count,
                                sizeof *m->concentration[k]));
    return mn_array_reserve(m->context, &m->cells, &m->cells_capacity, m->cell_count * m->fine.tiles.def.dimension,
                            sizeof *m->cells);
}

// ---- points --------------------------------------------------------------------------------------------------------

/// Share of the way from p to q at which the surface is: the first crossing met on the way out. Says whether that is
/// one of what cuts the liquid.
static double crossing(const mn_surface_mesh *m, int64_t p, int64_t q, uint8_t *on_solid)
{
    const mn_surface_nodes *f  = &m->fine;
    const int64_t           in = m->inside[p] ? p : q, out = m->inside[p] ? q : p;
    const bool              cut = f->solid[out] >= 0.0;
    double                  way = 1.0;
    if (f->level[out] >= 0.0 && !(cut && f->unsure[out])) way = f->level[in] / (f->level[in] - f->level[out]);
    const double wall = cut && isfinite(f->solid[in]) ? f->solid[in] / (f->solid[in] - f->solid[out]) : 1.0;
    *on_solid         = cut && wall <= way;
    way               = fmax(NEAREST, fmin(1.0 - NEAREST, fmin(way, wall)));
    return m->inside[p] ? way : 1.0 - way;
}

/// What the liquid carries, from the corners of the cells around.
static void carry_to_point(mn_surface_mesh *m, int64_t number)
{
    const mn_tiles       *t      = &m->coarse.tiles;
    const mn_cells_around around = mn_tiles_around(t, mn_v3_from(m->position[number]));
    double                weight = 0.0;
    for (int k = 0; k < m->pigment_count; k++) m->concentration[k][number] = 0.0;
    for (int a = 0; a < 3; a++) m->velocity[number][a] = 0.0;
    for (int n = 0; n < around.count; n++) {
        const int64_t i = mn_around_place(t, &around, n);
        weight += around.weight[n] * m->weight[i];
        for (int k = 0; k < m->pigment_count; k++) m->concentration[k][number] += around.weight[n] * m->dissolved[k][i];
        for (int a = 0; a < 3; a++) m->velocity[number][a] += around.weight[n] * m->momentum[a][i];
    }
    const double one = weight > 0.0 ? 1.0 / weight : 0.0;
    for (int k = 0; k < m->pigment_count; k++) m->concentration[k][number] *= one;
    for (int a = 0; a < 3; a++) m->velocity[number][a] *= one;
}

static void make_point(mn_surface_mesh *m, int64_t number, mn_vec3 x, int axis, int64_t p, int64_t q)
{
    const double step      = crossing(m, p, q, &m->on_solid[number]) * m->fine.tiles.def.cell;
    m->position[number][0] = x.x + (axis == 0 ? step : 0.0);
    m->position[number][1] = x.y + (axis == 1 ? step : 0.0);
    m->position[number][2] = x.z + (axis == 2 ? step : 0.0);
    m->region_of[number]   = m->region[m->inside[p] ? p : q];
    carry_to_point(m, number);
}

static void point_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cut_job   *job = context;
    mn_surface_mesh *m   = job->mesh;
    const mn_tiles  *t   = &m->fine.tiles;
    uint8_t          in[NODES];
    for (int32_t tile = (int32_t)begin; tile < (int32_t)end; tile++) {
        if (job->slot[tile] < 0) continue;
        int32_t(*point_of)[3] = job->point_of + (int64_t)job->slot[tile] * t->cells;
        int64_t number        = job->points[tile];
        (void)load_inside(m, tile, in);
        FOR_NODES(t, x, y, z)
        for (int a = 0; a < t->def.dimension; a++) {
            if (!crosses(in, x, y, z, a)) continue;
            int32_t       cell;
            const int32_t owner = node_owner(t, tile, x + (a == 0), y + (a == 1), z + (a == 2), &cell);
            const int32_t own   = mn_cell_in_tile(x, y, z);
            point_of[own][a]    = (int32_t)number;
            make_point(m, number++, mn_surface_node(t, tile, x, y, z), a, (int64_t)tile * t->cells + own,
                       (int64_t)owner * t->cells + cell);
        }
    }
}

// ---- cells ---------------------------------------------------------------------------------------------------------

static int32_t edge_point(const cut_job *job, int32_t tile, int x, int y, int z, int edge)
{
    const mn_tiles *t   = &job->mesh->fine.tiles;
    const int       low = mn_cube_edge_low(edge);
    int32_t         cell;
    const int32_t   owner = node_owner(t, tile, x + (low & 1), y + (low >> 1 & 1), z + (low >> 2), &cell);
    return job->point_of[(int64_t)job->slot[owner] * t->cells + cell][edge / 4];
}

static void cell_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cut_job   *job     = context;
    mn_surface_mesh *m       = job->mesh;
    const mn_tiles  *t       = &m->fine.tiles;
    const int        corners = t->def.dimension;
    uint8_t          in[NODES];
    for (int32_t tile = (int32_t)begin; tile < (int32_t)end; tile++) {
        const int64_t last = tile + 1 < t->count ? job->cells[tile + 1] : m->cell_count;
        if (tile == 0 || job->cells[tile] == last) continue;
        int32_t *out = m->cells + job->cells[tile] * corners;
        (void)load_inside(m, tile, in);
        FOR_NODES(t, x, y, z)
        {
            const unsigned bits = cube_case(in, x, y, z, 1 << corners);
            const int8_t  *edge = corners == 2 ? m->cases.square[bits].edge[0] : m->cases.cube[bits].edge[0];
            const int      used = cells_of_case(m, bits) * corners;
            for (int k = 0; k < used; k++) *out++ = edge_point(job, tile, x, y, z, edge[k]);
        }
    }
}

mn_status mn_surface_cut(mn_surface_mesh *m)
{
    mn_pool *pool = mn_context_pool(m->context);
    cut_job  job  = { .mesh = m };
    job.slot      = mn_arena_array(m->arena, int32_t, m->fine.tiles.count);
    job.points    = mn_arena_array(m->arena, int64_t, m->fine.tiles.count);
    job.cells     = mn_arena_array(m->arena, int64_t, m->fine.tiles.count);
    if (job.slot == NULL || job.points == NULL || job.cells == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, m->fine.tiles.count, TILE_BLOCK, count_tiles, &job);
    MN_TRY(number_tiles(&job));
    mn_parallel_for(pool, m->fine.tiles.count, TILE_BLOCK, point_tiles, &job);
    mn_parallel_for(pool, m->fine.tiles.count, TILE_BLOCK, cell_tiles, &job);
    return MN_OK;
}
