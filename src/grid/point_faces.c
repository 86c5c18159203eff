// SPDX-License-Identifier: MPL-2.0
// grid/point_faces.c - which faces points see, their numbers, and where the points stand among them.
#include "grid/point_faces.h"

#include "base/pool.h"

#include <stdatomic.h>
#include <string.h>

#define VERTICES_PER_BLOCK 512
#define ROWS               64  ///< rows of eight cells in a tile

typedef struct building {
    mn_point_faces *f;
    const double   *position[3];
    const int32_t  *group_start;     ///< first tile of each run of tiles with equal y and z
    int64_t        *group_faces[3];  ///< faces of each group, then the number of its first
} building;

/// Cell of a vertex, its place in it, and coordinates of the first of three nodes, per axis and kind.
typedef struct stencil {
    int32_t base[3][2];
    double  place[3];
    int32_t cell[3];
} stencil;

static stencil find_stencil(const building *b, int32_t vertex)
{
    const mn_grid_def *g         = &b->f->tiles.def;
    const double       origin[3] = { g->origin.x, g->origin.y, g->origin.z }, inverse = 1.0 / g->cell;
    stencil            s;
    for (int a = 0; a < 3; a++) {
        const double place = mn_place_in_cells(b->position[a][vertex], origin[a], inverse);
        s.cell[a]          = mn_cell_floor(place);
        s.place[a]         = place - (double)s.cell[a];
        s.base[a][0]       = s.cell[a] - (s.place[a] < 0.5);
        s.base[a][1]       = s.cell[a] - 1;
    }
    return s;
}

/// The tile of the node at cell coordinate `at`, seen from the tile of the vertex, as a step of -1, 0 or 1.
static int tile_step(int32_t at, int32_t cell) { return mn_tile_of_cell(at) - mn_tile_of_cell(cell); }

/// Walk the rows of three faces of one axis, `rows_y` by `rows_z`: `body` gets the row's tile, its place in the tile,
/// its first x, and its number.
#define FOR_ROWS(f, s, axis, tile, rows_y, rows_z, body)                                                \
    for (int z_ = 0; z_ < (rows_z); z_++)                                                               \
        for (int y_ = 0; y_ < (rows_y); y_++) {                                                         \
            const int32_t ny_ = (s).base[1][(axis) != 1] + y_, nz_ = (s).base[2][(axis) != 2] + z_;     \
            const int32_t nx  = (s).base[0][(axis) != 0];                                               \
            const int     at_ = 13 + 9 * tile_step(nz_, (s).cell[2]) + 3 * tile_step(ny_, (s).cell[1]); \
            const int32_t low = (f)->tiles.neighbor[tile][at_ + tile_step(nx, (s).cell[0])];            \
            const int32_t row = (nz_ & 7) * MN_TILE + (ny_ & 7), index = (rows_y)*z_ + y_;              \
            body                                                                                        \
        }

static int32_t tile_of(const mn_point_faces *f, const stencil *s)
{
    return mn_tiles_find(&f->tiles, (mn_tile_coord){ mn_tile_of_cell(s->cell[0]), mn_tile_of_cell(s->cell[1]),
                                                     mn_tile_of_cell(s->cell[2]) });
}

static void mark(uint8_t *bits, uint8_t mask)
{
    // An "or" gives the same bits in any order of the threads.
    if ((atomic_load_explicit((_Atomic uint8_t *)bits, memory_order_relaxed) & mask) != mask)
        atomic_fetch_or_explicit((_Atomic uint8_t *)bits, mask, memory_order_relaxed);
}

static bool same_cell(const stencil *a, const stencil *b) { return memcmp(a->cell, b->cell, sizeof a->cell) == 0; }

/// Mark what vertices see, and the first vertex of each cell.
static void mark_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const building *b    = context;
    mn_point_faces *f    = b->f;
    stencil         last = { 0 };
    if (begin > 0) last = find_stencil(b, f->order[begin - 1]);
    for (int64_t k = begin; k < end; k++) {
        const stencil s     = find_stencil(b, f->order[k]);
        const int32_t tile  = tile_of(f, &s);
        f->stencils[k].cell = k == 0 || !same_cell(&s, &last);
        last                = s;
        for (int a = 0; a < 3; a++)
            FOR_ROWS(f, s, a, tile, 3, 3, {
                const unsigned mask = 7u << (nx & 7);
                (void)index;
                mark(&f->bits[a][low * ROWS + row], (uint8_t)(mask & 255u));
                if (mask > 255u) {
                    const int32_t high = f->tiles.neighbor[low][14];
                    mark(&f->bits[a][high * ROWS + row], (uint8_t)(mask >> 8));
                }
            })
    }
}

/// Number the cells that hold vertices.
static mn_status number_cells(mn_arena *arena, mn_point_faces *f)
{
    int32_t cells = 0;
    for (int64_t k = 0; k < f->vertices; k++) {
        cells += f->stencils[k].cell;
        f->stencils[k].cell = cells - 1;
    }
    f->cells = mn_arena_array(arena, mn_cell_rows, cells);
    return f->cells != NULL ? MN_OK : MN_ERR_MEMORY;
}

static void count_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const building *b = context;
    for (int64_t g = begin; g < end; g++)
        for (int a = 0; a < 3; a++) {
            int64_t faces = 0;
            for (int64_t r = (int64_t)b->group_start[g] * ROWS; r < (int64_t)b->group_start[g + 1] * ROWS; r++)
                faces += __builtin_popcount(b->f->bits[a][r]);
            b->group_faces[a][g] = faces;
        }
}

static void number_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const building *b = context;
    for (int64_t g = begin; g < end; g++)
        for (int a = 0; a < 3; a++) {
            int32_t next = (int32_t)b->group_faces[a][g];
            for (int row = 0; row < ROWS; row++)
                for (int32_t tile = b->group_start[g]; tile < b->group_start[g + 1]; tile++) {
                    b->f->first[a][tile * ROWS + row] = next;
                    next += __builtin_popcount(b->f->bits[a][tile * ROWS + row]);
                }
        }
}

/// All rows that vertices of a cell may see, whether they do or not.
static void list_rows(const mn_point_faces *f, const stencil *at, mn_cell_rows *out)
{
    static const int first[3] = { 0, 9, 21 }, rows_y[3] = { 3, 4, 3 }, rows_z[3] = { 3, 3, 4 };
    stencil          s    = *at;
    const int32_t    tile = tile_of(f, at);
    s.base[0][0]          = s.cell[0];
    s.base[1][0]          = s.cell[1] - 1;
    s.base[2][0]          = s.cell[2] - 1;
    for (int a = 0; a < 3; a++)
        FOR_ROWS(f, s, a, tile, rows_y[a], rows_z[a], {
            const int32_t spot         = low * ROWS + row;
            out->row[first[a] + index] = f->first[a][spot] +
                                         __builtin_popcount(f->bits[a][spot] & ((1u << (nx & 7)) - 1u));
        })
}

static void pack_vertices(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const building *b = context;
    mn_point_faces *f = b->f;
    for (int64_t k = begin; k < end; k++) {
        mn_point_stencil *v = &f->stencils[k];
        const stencil     s = find_stencil(b, f->order[k]);
        for (int a = 0; a < 3; a++) v->place[a] = s.place[a];
        if (k == 0 || f->stencils[k - 1].cell != v->cell) list_rows(f, &s, &f->cells[v->cell]);
    }
}

/// Runs of tiles with equal y and z: their rows go on from tile to tile.
static mn_status find_groups(mn_arena *arena, const mn_tiles *t, int32_t **start, int32_t *groups)
{
    *start = mn_arena_array(arena, int32_t, t->count + 1);
    if (*start == NULL) return MN_ERR_MEMORY;
    *groups = 0;
    for (int32_t i = 1; i < t->count; i++)
        if (i == 1 || t->coord[i].y != t->coord[i - 1].y || t->coord[i].z != t->coord[i - 1].z)
            (*start)[(*groups)++] = i;
    (*start)[*groups] = t->count;
    return MN_OK;
}

static mn_status number_all(mn_context *c, mn_arena *arena, building *b)
{
    mn_point_faces *f = b->f;
    int32_t        *start, groups;
    MN_TRY(find_groups(arena, &f->tiles, &start, &groups));
    b->group_start = start;
    for (int a = 0; a < 3; a++) {
        b->group_faces[a] = mn_arena_array(arena, int64_t, groups + 1);
        if (b->group_faces[a] == NULL) return MN_ERR_MEMORY;
    }
    mn_parallel_for(mn_context_pool(c), groups, 1, count_faces, b);
    int64_t next = 0;
    for (int a = 0; a < 3; a++) {
        f->axis_start[a] = (int32_t)next;
        for (int32_t g = 0; g < groups; g++) {
            const int64_t faces  = b->group_faces[a][g];
            b->group_faces[a][g] = next;
            next += faces;
        }
    }
    f->axis_start[3] = f->count = (int32_t)next;
    if (next > INT32_MAX - 4)
        return mn_fail(c, MN_ERR_MEMORY, "vertices see more than 2^31 faces of the grid; make domain.cell larger");
    mn_parallel_for(mn_context_pool(c), groups, 1, number_faces, b);
    return MN_OK;
}

/// Tiles whose coordinates have the same parities lie at least a tile apart and share no face.
static mn_status color_tiles(mn_arena *arena, mn_point_faces *f)
{
    const mn_tiles *t = &f->tiles;
    f->color_tiles    = mn_arena_array(arena, int32_t, t->count);
    if (f->color_tiles == NULL) return MN_ERR_MEMORY;
    int32_t next = 0;
    for (int color = 0; color < 8; color++) {
        f->color_start[color] = next;
        for (int32_t i = 1; i < t->count; i++) {
            const int32_t cell = i * t->cells;
            if (f->bins.start[cell] == f->bins.start[cell + t->cells]) continue;
            if (((t->coord[i].x & 1) | (t->coord[i].y & 1) << 1 | (t->coord[i].z & 1) << 2) == color)
                f->color_tiles[next++] = i;
        }
    }
    f->color_start[8] = next;
    return MN_OK;
}

mn_status mn_point_faces_build(mn_context *c, mn_arena *arena, const mn_grid_def *grid, const double *const position[3],
                               int64_t count, mn_point_faces *out)
{
    mn_point_faces *f = out;
    memset(f, 0, sizeof *f);
    MN_TRY(mn_bins_build(c, arena, grid, position, count, 2, &f->tiles, &f->bins));
    f->vertices = count;
    f->order    = f->bins.order;
    f->stencils = mn_arena_array(arena, mn_point_stencil, count);
    if (f->stencils == NULL) return MN_ERR_MEMORY;
    for (int a = 0; a < 3; a++) {
        f->bits[a]  = mn_arena_array_zero(arena, uint8_t, (int64_t)f->tiles.count * ROWS);
        f->first[a] = mn_arena_array_zero(arena, int32_t, (int64_t)f->tiles.count * ROWS);
        if (f->bits[a] == NULL || f->first[a] == NULL) return MN_ERR_MEMORY;
    }
    building b = { .f = f, .position = { position[0], position[1], position[2] } };
    mn_parallel_for(mn_context_pool(c), count, VERTICES_PER_BLOCK, mark_faces, &b);
    MN_TRY(number_all(c, arena, &b));
    MN_TRY(number_cells(arena, f));
    mn_parallel_for(mn_context_pool(c), count, VERTICES_PER_BLOCK, pack_vertices, &b);
    return color_tiles(arena, f);
}

mn_status mn_point_faces_part(mn_arena *arena, const mn_point_faces *all, int64_t first, int64_t count,
                              mn_point_faces *out)
{
    mn_point_faces *f     = out;
    const int64_t   cells = (int64_t)all->tiles.count * all->tiles.cells;
    int32_t        *order = mn_arena_array(arena, int32_t, count), next = 0;
    *f          = *all;
    f->vertices = count;
    f->order = f->bins.order = order;
    f->bins.count = f->bins.capacity = count;
    f->stencils                      = mn_arena_array(arena, mn_point_stencil, count);
    f->bins.start                    = mn_arena_array(arena, int32_t, cells + 1);
    if (order == NULL || f->stencils == NULL || f->bins.start == NULL) return MN_ERR_MEMORY;
    for (int64_t cell = 0; cell < cells; cell++) {
        f->bins.start[cell] = next;
        for (int32_t k = all->bins.start[cell]; k < all->bins.start[cell + 1]; k++) {
            const int64_t point = all->order[k] - first;
            if (point < 0 || point >= count) continue;
            f->stencils[next] = all->stencils[k];
            order[next++]     = (int32_t)point;
        }
    }
    f->bins.start[cells] = next;
    return MN_OK;
}

double *mn_point_faces_array(mn_arena *arena, const mn_point_faces *f)
{
    return mn_arena_array_zero(arena, double, f->count + 4);
}
