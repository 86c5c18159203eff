// SPDX-License-Identifier: MPL-2.0
// grid/extrapolate.c - layer by layer into the air (liquid 5.5).
//
// A layer reads the mask of the layers before it and writes a second one: no face sees another of its own layer, so the
// order of the tiles does not matter. Values are read at known faces and written at unknown ones only.
#include "grid/extrapolate.h"

#include "base/pool.h"

#include <string.h>

#define TILE_BLOCK 4
/// A tile of the mask with two cells of its neighbours on every side.
#define RIM 2
#define SIDE (MN_TILE + 2 * RIM)

typedef struct layer_job {
    const mn_tiles  *tiles;
    mn_extrapolate_mode mode;
    uint8_t          number;       // given to the faces of this layer
    double          *velocity;
    const uint8_t   *before;
    uint8_t         *after;
} layer_job;

static int32_t mask_place(int32_t x, int32_t y, int32_t z)
{
    return ((z + RIM) * SIDE + (y + RIM)) * SIDE + (x + RIM);
}

/// -1, 0 or 1: in which tile along an axis lies cell i, counted from the tile at hand.
static int32_t side_of(int32_t i, int32_t size)
{
    return i < 0 ? -1 : i >= size;
}

/// Place in a field of a cell at most one tile away; in 2D z is 0.
static int64_t place_near(const mn_tiles *t, int32_t tile, int32_t x, int32_t y, int32_t z)
{
    const int32_t i = side_of(x, MN_TILE), j = side_of(y, MN_TILE), k = side_of(z, t->tile_z);
    const int32_t to = t->neighbor[tile][(k + 1) * 9 + (j + 1) * 3 + i + 1];
    return (int64_t)to * t->cells + mn_cell_in_tile(x - i * MN_TILE, y - j * MN_TILE, z - k * t->tile_z);
}

static void load_mask(const layer_job *job, int32_t tile, uint8_t mask[SIDE * SIDE * SIDE])
{
    const mn_tiles *t   = job->tiles;
    const int32_t   rim = t->tile_z == 1 ? 0 : RIM;
    for (int32_t z = -rim; z < t->tile_z + rim; z++)
        for (int32_t y = -RIM; y < MN_TILE + RIM; y++) {
            memcpy(mask + mask_place(-RIM, y, z), job->before + place_near(t, tile, -RIM, y, z), RIM);
            memcpy(mask + mask_place(0, y, z), job->before + place_near(t, tile, 0, y, z), MN_TILE);
            memcpy(mask + mask_place(MN_TILE, y, z), job->before + place_near(t, tile, MN_TILE, y, z), RIM);
        }
}

/// The new value of an unknown face; false if no neighbour is known.
static bool extend(const layer_job *job, const uint8_t *mask, int32_t tile, const int32_t at[3], double *out)
{
    static const int32_t stride[3] = { 1, SIDE, SIDE * SIDE };
    const uint8_t       *here      = mask + mask_place(at[0], at[1], at[2]);
    double               mean = 0.0, line = 0.0;
    int                  means = 0, lines = 0;
    for (int a = 0; a < job->tiles->def.dimension; a++)
        for (int32_t side = -1; side <= 1; side += 2) {
            if (here[side * stride[a]] == 0) continue;
            int32_t next[3] = { at[0], at[1], at[2] };
            next[a] += side;
            const double u1 = job->velocity[place_near(job->tiles, tile, next[0], next[1], next[2])];
            mean += u1;
            means++;
            if (job->mode != MN_EXTRAPOLATE_LINEAR || here[2 * side * stride[a]] == 0) continue;
            next[a] += side;
            line += 2.0 * u1 - job->velocity[place_near(job->tiles, tile, next[0], next[1], next[2])];
            lines++;
        }
    if (means == 0) return false;
    *out = lines > 0 ? line / lines : mean / means;
    return true;
}

/// Eight faces of the mask at once.
static uint64_t mask_row(const uint8_t *from)
{
    uint64_t row;
    memcpy(&row, from, sizeof row);
    return row;
}

/// Has a row of eight faces an unknown one beside a known one? May say yes for a row whose unknown faces have none.
static bool row_can_grow(const mn_tiles *t, const uint8_t *here)
{
    const uint64_t row = mask_row(here), ones = 0x0101010101010101u;
    if (((row - ones) & ~row & (ones << 7)) == 0) return false;      // no byte is 0
    uint64_t beside = mask_row(here - 1) | mask_row(here + 1) | mask_row(here - SIDE) | mask_row(here + SIDE);
    if (t->tile_z > 1) beside |= mask_row(here - SIDE * SIDE) | mask_row(here + SIDE * SIDE);
    return beside != 0;
}

static void extend_tile(const layer_job *job, int32_t tile)
{
    const mn_tiles *t     = job->tiles;
    const int64_t   first = (int64_t)tile * t->cells;
    memcpy(job->after + first, job->before + first, (size_t)t->cells);
    if (tile == 0 || memchr(job->before + first, 0, (size_t)t->cells) == NULL) return;      // nothing unknown
    uint8_t mask[SIDE * SIDE * SIDE];
    load_mask(job, tile, mask);
    for (int32_t z = 0; z < t->tile_z; z++)
        for (int32_t y = 0; y < MN_TILE; y++) {
            const uint8_t *row = mask + mask_place(0, y, z);
            if (!row_can_grow(t, row)) continue;
            for (int32_t x = 0; x < MN_TILE; x++) {
                double value;
                if (row[x] != 0 || !extend(job, mask, tile, (const int32_t[3]){ x, y, z }, &value)) continue;
                job->velocity[first + mn_cell_in_tile(x, y, z)] = value;
                job->after[first + mn_cell_in_tile(x, y, z)]    = job->number;
            }
        }
}

static void extend_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    for (int64_t t = begin; t < end; t++) extend_tile(context, (int32_t)t);
}

mn_status mn_extrapolate_faces(mn_context *c, mn_arena *arena, const mn_tiles *tiles, mn_extrapolate_mode mode, int layers,
                               double *const velocity[3], uint8_t *const known[3])
{
    MN_ASSERT(layers >= 0 && layers <= 254);
    const mn_arena_mark mark   = mn_arena_begin(arena);
    const size_t        bytes  = (size_t)tiles->count * (size_t)tiles->cells;
    uint8_t            *second = mn_arena_take(arena, bytes);
    if (second == NULL) return MN_ERR_MEMORY;
    for (int a = 0; a < tiles->def.dimension; a++) {
        uint8_t *before = known[a], *after = second;
        for (int k = 1; k <= layers; k++) {
            layer_job job = { tiles, mode, (uint8_t)(k + 1), velocity[a], before, after };
            mn_parallel_for(mn_context_pool(c), tiles->count, TILE_BLOCK, extend_tiles, &job);
            uint8_t *swap = before;
            before        = after;
            after         = swap;
        }
        if (before != known[a]) memcpy(known[a], before, bytes);
    }
    mn_arena_end(arena, mark);
    return MN_OK;
}
