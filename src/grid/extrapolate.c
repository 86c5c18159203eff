// SPDX-License-Identifier: MPL-2.0
// grid/extrapolate.c - layer by layer into the air (liquid 5.5).
//
// A layer reads the set of the faces known before it and writes a second one: no face sees another of its own layer, so
// the order of the tiles does not matter. Sets are bits, one byte per row of faces: the faces that can grow follow from
// a few shifts, and only those are visited. Values are read at known faces and written at unknown ones only.
#include "grid/extrapolate.h"

#include "base/pool.h"
#include "grid/rows.h"

#define TILE_BLOCK 4

typedef struct layer_job {
    const mn_tiles     *tiles;
    mn_extrapolate_mode mode;
    uint8_t             number;  // given to the faces of this layer
    double             *velocity;
    uint8_t            *known;
    const uint8_t      *before;  // bits
    uint8_t            *after;
} layer_job;

/// The cell two beyond the one of `tile` along an axis.
static int64_t next_but_one(const mn_tiles *t, int64_t next, int axis, int side)
{
    return mn_cell_next(t, (int32_t)(next / t->cells), (int32_t)(next % t->cells), axis, side);
}

/// The new value of an unknown face that has a known neighbour.
static double extend(const layer_job *job, const mn_row_places *row, int32_t x)
{
    double mean = 0.0, line = 0.0;
    int    means = 0, lines = 0;
    for (int a = 0; a < job->tiles->def.dimension; a++)
        for (int side = -1; side <= 1; side += 2) {
            const int64_t next = side < 0 ? mn_row_low(row, a, x) : mn_row_high(row, a, x);
            if (!mn_bits_has(job->before, next)) continue;
            const double u1 = job->velocity[next];
            mean += u1;
            means++;
            if (job->mode != MN_EXTRAPOLATE_LINEAR) continue;
            const int64_t second = next_but_one(job->tiles, next, a, side);
            if (!mn_bits_has(job->before, second)) continue;
            line += 2.0 * u1 - job->velocity[second];
            lines++;
        }
    return lines > 0 ? line / lines : mean / means;
}

/// Unknown faces of a row with a known neighbour.
static uint8_t growth_of(const layer_job *job, const mn_row_places *row)
{
    const uint8_t here = job->before[row->at / MN_TILE];
    if (here == UINT8_MAX) return 0;
    uint8_t beside = 0;
    for (int a = 0; a < job->tiles->def.dimension; a++)
        beside |= mn_bits_lower(job->before, row, a) | mn_bits_higher(job->before, row, a);
    return (uint8_t)(beside & ~here);
}

/// Whether a tile and those it shares sides with hold no known face at all, or it holds no unknown one.
static bool nothing_to_do(const layer_job *job, int32_t tile)
{
    const mn_tiles  *t       = job->tiles;
    const int32_t    rows    = mn_rows_of(t);
    static const int side[7] = { 13, 12, 14, 10, 16, 4, 22 };
    uint8_t          any = 0, all = UINT8_MAX;
    for (int32_t r = 0; r < rows; r++) all &= job->before[(int64_t)tile * rows + r];
    if (all == UINT8_MAX) return true;
    for (int n = 0; n < 7 && any == 0; n++)
        for (int32_t r = 0; r < rows; r++) any |= job->before[(int64_t)t->neighbor[tile][side[n]] * rows + r];
    return any == 0;
}

static void extend_tile(const layer_job *job, int32_t tile)
{
    const mn_tiles *t     = job->tiles;
    const int32_t   rows  = mn_rows_of(t);
    const int64_t   first = (int64_t)tile * rows;
    memcpy(job->after + first, job->before + first, (size_t)rows);
    if (tile == 0 || nothing_to_do(job, tile)) return;
    for (int32_t r = 0; r < rows; r++) {
        const mn_row_places row  = mn_row_find(t, tile, r);
        const uint8_t       grow = growth_of(job, &row);
        for (int32_t x = 0; x < MN_TILE && grow >> x != 0; x++) {
            if ((grow >> x & 1) == 0) continue;
            job->velocity[row.at + x] = extend(job, &row, x);
            job->known[row.at + x]    = job->number;
        }
        job->after[first + r] |= grow;
    }
}

static void extend_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    for (int64_t t = begin; t < end; t++) extend_tile(context, (int32_t)t);
}

static void pack_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const layer_job *job = context;
    for (int64_t r = begin; r < end; r++) job->after[r] = mn_row_bits(job->known, r * MN_TILE);
}

mn_status mn_extrapolate_faces(mn_context *c, mn_arena *arena, const mn_tiles *tiles, mn_extrapolate_mode mode,
                               int layers, double *const velocity[3], uint8_t *const known[3])
{
    MN_ASSERT(layers >= 0 && layers <= 254);
    const mn_arena_mark mark   = mn_arena_begin(arena);
    const int64_t       rows   = (int64_t)tiles->count * mn_rows_of(tiles);
    uint8_t            *set[2] = { mn_arena_array(arena, uint8_t, rows), mn_arena_array(arena, uint8_t, rows) };
    if (set[0] == NULL || set[1] == NULL) return MN_ERR_MEMORY;
    for (int a = 0; a < tiles->def.dimension; a++) {
        layer_job job = { .tiles = tiles, .mode = mode, .velocity = velocity[a], .known = known[a], .after = set[0] };
        mn_parallel_for(mn_context_pool(c), rows, MN_BLOCK, pack_rows, &job);
        for (int k = 1; k <= layers; k++) {
            job.number = (uint8_t)(k + 1);
            job.before = set[(k + 1) % 2];
            job.after  = set[k % 2];
            mn_parallel_for(mn_context_pool(c), tiles->count, TILE_BLOCK, extend_tiles, &job);
        }
    }
    mn_arena_end(arena, mark);
    return MN_OK;
}
