// SPDX-License-Identifier: MPL-2.0
// grid/solid/solid_still.c - what solids at rest cover of tiles that a moving one touches as well.
//
// The fields of such a tile must be made anew whenever the moving solid has moved, but the sums over faces and half
// cells begin with those of the solids at rest before it in the list, and these do not change. They are kept row by
// row: rows that nothing covers take no room, and tiles with equal sums share theirs, as all along a flat wall.
#include "grid/solid/solid_private.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

#define EXT    MN_SOLID_EXT
#define HALVES MN_SOLID_HALVES
/// Bytes that are remembered at most.
#define MOST_BYTES ((size_t)64 << 20)

typedef struct still_tile {
    mn_tile_coord at;
    int32_t       sums;  // which; 0: place not used
} still_tile;

typedef struct still_sums {
    uint64_t hash;
    float   *values;
    uint8_t *row;
    size_t   bytes;
    bool     anything, divided;
} still_sums;

struct mn_solid_still {
    uint64_t    key;
    still_tile *table;  // open addressing, a power of two
    int64_t     table_size, tile_count;
    still_sums *sums;  // from 1 on
    int64_t     sums_count, sums_capacity;
    size_t      bytes;
};

mn_status mn_solid_still_create(mn_context *c, mn_solid_still **out)
{
    *out = mn_alloc(c, sizeof **out);
    return *out != NULL ? MN_OK : MN_ERR_MEMORY;
}

static void forget(mn_context *c, mn_solid_still *s)
{
    for (int64_t k = 1; k <= s->sums_count; k++) {
        mn_free(c, s->sums[k].values);
        mn_free(c, s->sums[k].row);
    }
    s->sums_count = s->tile_count = 0;
    s->bytes                      = 0;
    if (s->table != NULL) memset(s->table, 0, (size_t)s->table_size * sizeof *s->table);
}

void mn_solid_still_destroy(mn_context *c, mn_solid_still **still)
{
    if (*still == NULL) return;
    forget(c, *still);
    mn_free(c, (*still)->table);
    mn_free(c, (*still)->sums);
    mn_free(c, *still);
    *still = NULL;
}

size_t mn_solid_still_bytes(const mn_solid_still *s)
{
    return s->bytes + (size_t)s->table_size * sizeof *s->table + (size_t)s->sums_capacity * sizeof *s->sums;
}

void mn_solid_still_begin(mn_context *c, mn_solid_still *s, uint64_t key)
{
    if (s->key == key) return;
    forget(c, s);
    s->key = key;
}

static still_tile *find(still_tile *table, int64_t size, mn_tile_coord at)
{
    int64_t k = mn_tile_slot(at, size);
    while (table[k].sums != 0 && !mn_tile_same(table[k].at, at)) k = (k + 1) & (size - 1);
    return &table[k];
}

// The arrays of the sums, in one order for counting, packing and unpacking.

typedef void piece_fn(float *piece, size_t count, void *context);

static void for_each_piece(const mn_solid_frame *f, mn_solid_work *w, piece_fn *fn, void *context)
{
    const size_t cells = (size_t)f->cells_z * EXT * EXT;
    for (int a = 0; a < 3; a++) fn(w->face[a], cells, context);
    for (int a = 0; a < 3 && w->divided; a++) fn(w->shut[a], cells, context);
    if (w->divided) fn(w->lost, cells, context);
    for (int r = 0; r < f->halves_z * HALVES; r++)
        for (int k = 0; k < (w->row[r] == 0 ? 0 : w->row[r] == 1 ? 1 : MN_SOLID_MOMENTS); k++)
            fn(w->moment[k] + r * HALVES, HALVES, context);
}

static void count_piece(float *piece, size_t count, void *context)
{
    (void)piece;
    *(size_t *)context += count;
}

static void pack_piece(float *piece, size_t count, void *context)
{
    float **to = context;
    memcpy(*to, piece, count * sizeof *piece);
    *to += count;
}

static void unpack_piece(float *piece, size_t count, void *context)
{
    const float **from = context;
    memcpy(piece, *from, count * sizeof *piece);
    *from += count;
}

bool mn_solid_still_has(const mn_solid_still *s, mn_tile_coord at)
{
    return s->tile_count > 0 && find(s->table, s->table_size, at)->sums != 0;
}

bool mn_solid_still_get(const mn_solid_still *s, const mn_solid_frame *f, mn_tile_coord at, mn_solid_work *w)
{
    if (!mn_solid_still_has(s, at)) return false;
    const still_sums *sums = &s->sums[find(s->table, s->table_size, at)->sums];
    const float      *from = sums->values;
    w->anything            = sums->anything;
    w->divided             = sums->divided;
    memcpy(w->row, sums->row, (size_t)f->halves_z * HALVES);
    for_each_piece(f, w, unpack_piece, &from);
    return true;
}

static mn_status reserve_table(mn_context *c, mn_solid_still *s)
{
    if (2 * (s->tile_count + 1) <= s->table_size) return MN_OK;
    const int64_t size  = s->table_size > 0 ? 2 * s->table_size : 64;
    still_tile   *table = mn_alloc_array(c, still_tile, size);
    if (table == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < s->table_size; k++)
        if (s->table[k].sums != 0) *find(table, size, s->table[k].at) = s->table[k];
    mn_free(c, s->table);
    s->table      = table;
    s->table_size = size;
    return MN_OK;
}

static bool same_sums(const still_sums *a, const still_sums *b, size_t rows)
{
    return a->hash == b->hash && a->bytes == b->bytes && a->anything == b->anything && a->divided == b->divided &&
           memcmp(a->row, b->row, rows) == 0 && memcmp(a->values, b->values, a->bytes) == 0;
}

/// The sums of `w` as kept; those kept already if they are equal.
static mn_status keep_sums(mn_context *c, mn_solid_still *s, const mn_solid_frame *f, mn_solid_work *w, int32_t *out)
{
    const size_t rows  = (size_t)f->halves_z * HALVES;
    size_t       count = 0;
    MN_TRY(mn_array_reserve(c, &s->sums, &s->sums_capacity, s->sums_count + 2, sizeof *s->sums));
    for_each_piece(f, w, count_piece, &count);
    still_sums made = { .values   = mn_alloc(c, count * sizeof(float)),
                        .row      = mn_alloc(c, rows),
                        .bytes    = count * sizeof(float),
                        .anything = w->anything,
                        .divided  = w->divided };
    if (made.values == NULL || made.row == NULL) {
        mn_free(c, made.values);
        mn_free(c, made.row);
        return MN_ERR_MEMORY;
    }
    float *to = made.values;
    for_each_piece(f, w, pack_piece, &to);
    memcpy(made.row, w->row, rows);
    made.hash = mn_hash_bytes(mn_hash_bytes(MN_HASH_SEED, made.values, made.bytes), made.row, rows);
    *out      = 1;
    while (*out <= s->sums_count && !same_sums(&s->sums[*out], &made, rows)) ++*out;
    if (*out <= s->sums_count) {
        mn_free(c, made.values);
        mn_free(c, made.row);
        return MN_OK;
    }
    s->sums[++s->sums_count] = made;
    s->bytes += made.bytes + rows;
    return MN_OK;
}

bool mn_solid_still_is_full(const mn_solid_still *s) { return mn_solid_still_bytes(s) > MOST_BYTES; }

mn_status mn_solid_still_put(mn_context *c, mn_solid_still *s, const mn_solid_frame *f, mn_tile_coord at,
                             mn_solid_work *w)
{
    int32_t sums;
    MN_TRY(reserve_table(c, s));
    MN_TRY(keep_sums(c, s, f, w, &sums));
    *find(s->table, s->table_size, at) = (still_tile){ at, sums };
    s->tile_count++;
    return MN_OK;
}
