// SPDX-License-Identifier: MPL-2.0
// grid/solid/solid_cache.c - the fields of tiles that only solids at rest touch.
//
// A table from tile coordinate to slot; a slot holds the eight values of every cell, unless the tile is all open or all
// solid, which the table says itself. Tiles of equal contents share a slot: along a flat wall they all do, and what is
// remembered does not grow with the wall. The table is read by many threads and written between loops by one.
#include "grid/solid/solid_private.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdatomic.h>
#include <string.h>

#define DEFAULT_BYTES ((size_t)256 << 20)
#define VALUES        5

typedef struct entry {
    mn_tile_coord at;
    int32_t       slot;  // in `values`, of a mixed tile
    uint8_t       used, touched;
} entry;

struct mn_solid_cache {
    size_t          max_bytes;
    uint64_t        key;    // of grid and solids at rest
    entry          *table;  // open addressing, a power of two
    int64_t         table_size;
    int32_t         tile_count, slot_count;
    float          *values;  // slot_capacity * slot_floats
    int64_t         slot_capacity;
    int32_t         slot_floats;
    uint64_t       *content;  // hash of each slot
    int64_t         content_capacity;
    int32_t        *same;       // open addressing by that hash: slot + 1
    int64_t         same_size;  // a power of two, above twice the slots
    mn_solid_still *still;
    mn_solid_again *again;  // NULL: moving solids are not remembered
    _Atomic int32_t hits;
};

mn_status mn_solid_cache_create(mn_context *c, size_t max_bytes, mn_solid_cache **out)
{
    *out                  = NULL;
    mn_solid_cache *cache = mn_alloc(c, sizeof *cache);
    if (cache == NULL) return MN_ERR_MEMORY;
    cache->max_bytes       = max_bytes > 0 ? max_bytes : DEFAULT_BYTES;
    const mn_status status = mn_solid_still_create(c, &cache->still);
    if (status != MN_OK) mn_solid_cache_destroy(c, &cache);
    *out = cache;
    return status;
}

mn_status mn_solid_cache_keep_moving(mn_context *c, mn_solid_cache *cache)
{
    return cache->again != NULL ? MN_OK : mn_solid_again_create(c, &cache->again);
}

void mn_solid_cache_destroy(mn_context *c, mn_solid_cache **cache)
{
    if (*cache == NULL) return;
    mn_free(c, (*cache)->table);
    mn_free(c, (*cache)->values);
    mn_free(c, (*cache)->content);
    mn_free(c, (*cache)->same);
    mn_solid_still_destroy(c, &(*cache)->still);
    mn_solid_again_destroy(c, &(*cache)->again);
    mn_free(c, *cache);
    *cache = NULL;
}

mn_solid_still *mn_solid_cache_still(mn_solid_cache *cache) { return cache->still; }
mn_solid_again *mn_solid_cache_again(mn_solid_cache *cache) { return cache->again; }
uint64_t        mn_solid_cache_key(const mn_solid_cache *cache) { return cache->key; }
int32_t         mn_solid_cache_tiles(const mn_solid_cache *cache) { return cache->tile_count; }
int32_t mn_solid_cache_hits(const mn_solid_cache *cache) { return atomic_load(&((mn_solid_cache *)cache)->hits); }

size_t mn_solid_cache_bytes(const mn_solid_cache *cache)
{
    return (size_t)cache->table_size * sizeof(entry) +
           (size_t)cache->slot_capacity * (size_t)cache->slot_floats * sizeof(float) +
           (size_t)cache->content_capacity * sizeof *cache->content + (size_t)cache->same_size * sizeof *cache->same +
           mn_solid_still_bytes(cache->still) + mn_solid_again_bytes(cache->again);
}

static uint64_t key_of(const mn_tiles *t, mn_solids solids)
{
    const mn_grid_def *g    = &t->def;
    const double       d[6] = { g->dimension, g->cell, g->depth, g->origin.x, g->origin.y, g->origin.z };
    uint64_t           key  = mn_hash_bytes(MN_HASH_SEED, d, sizeof d);
    for (int k = 0; k < solids.count; k++) {
        if (solids.list[k].moving) continue;
        const uint64_t shape = mn_shape_hash(solids.list[k].shape);
        key                  = mn_hash_bytes(key, &shape, sizeof shape);
        key                  = mn_hash_bytes(key, &solids.list[k].pose.rotation, sizeof solids.list[k].pose.rotation);
        key = mn_hash_bytes(key, &solids.list[k].pose.translation, sizeof solids.list[k].pose.translation);
    }
    return key;
}

static void forget(mn_solid_cache *cache)
{
    cache->tile_count = cache->slot_count = 0;
    if (cache->table != NULL) memset(cache->table, 0, (size_t)cache->table_size * sizeof *cache->table);
    if (cache->same != NULL) memset(cache->same, 0, (size_t)cache->same_size * sizeof *cache->same);
}

void mn_solid_cache_begin(mn_solid_cache *cache, const mn_tiles *t, mn_solids solids)
{
    const uint64_t key = key_of(t, solids);
    atomic_store(&cache->hits, 0);
    if (key == cache->key) return;
    cache->key = key;
    forget(cache);
    if (cache->slot_floats != VALUES * t->cells)
        cache->slot_capacity = cache->slot_capacity * cache->slot_floats / (VALUES * t->cells);
    cache->slot_floats = VALUES * t->cells;
}

static entry *find(entry *table, int64_t size, mn_tile_coord at)
{
    int64_t s = mn_tile_slot(at, size);
    while (table[s].used && !mn_tile_same(table[s].at, at)) s = (s + 1) & (size - 1);
    return &table[s];
}

/// The arrays of a tile's fields that are remembered; the velocity of solids at rest is 0.
static void tile_arrays(const mn_tiles *t, int32_t tile, const mn_solid_fields *f, float *out[VALUES])
{
    const int64_t base = (int64_t)tile * t->cells;
    for (int a = 0; a < 3; a++) out[a] = f->open[a] + base;
    out[3] = f->kernel_open + base;
    out[4] = f->volume_open + base;
}

bool mn_solid_cache_get(mn_solid_cache *cache, const mn_tiles *t, int32_t tile, mn_solid_fields *out)
{
    if (cache->tile_count == 0) return false;
    const entry *e = find(cache->table, cache->table_size, t->coord[tile]);
    if (!e->used) return false;
    atomic_fetch_add_explicit(&cache->hits, 1, memory_order_relaxed);
    if (e->touched != 1) {
        mn_solid_tile_fill(t, tile, e->touched == 2, out);
        return true;
    }
    float *to[VALUES];
    tile_arrays(t, tile, out, to);
    const float *from = cache->values + (size_t)e->slot * (size_t)cache->slot_floats;
    for (int k = 0; k < VALUES; k++)
        memcpy(to[k], from + (size_t)k * (size_t)t->cells, (size_t)t->cells * sizeof(float));
    for (int a = 0; a < 3 && out->velocity_mask == -1; a++)
        memset(out->velocity[a] + (int64_t)tile * t->cells, 0, (size_t)t->cells * sizeof(float));
    out->touched[tile] = 1;
    return true;
}

static int64_t power_of_two_above(int64_t n)
{
    int64_t size = 64;
    while (size < n) size *= 2;
    return size;
}

/// Room for further tiles in the table, which stays at most half full.
static mn_status reserve_table(mn_context *c, mn_solid_cache *cache, int64_t tiles)
{
    const int64_t size = power_of_two_above(2 * tiles);
    if (size <= cache->table_size) return MN_OK;
    entry *table = mn_alloc_array(c, entry, size);
    if (table == NULL) return MN_ERR_MEMORY;
    for (int64_t s = 0; s < cache->table_size; s++)
        if (cache->table[s].used) *find(table, size, cache->table[s].at) = cache->table[s];
    mn_free(c, cache->table);
    cache->table      = table;
    cache->table_size = size;
    return MN_OK;
}

static size_t bytes_for(const mn_solid_cache *cache, int64_t tiles, int64_t slots)
{
    return (size_t)power_of_two_above(2 * tiles) * sizeof(entry) +
           (size_t)slots * (size_t)cache->slot_floats * sizeof(float);
}

static void enter_same(int32_t *same, int64_t size, uint64_t hash, int32_t slot)
{
    int64_t k = (int64_t)(hash & (uint64_t)(size - 1));
    while (same[k] != 0) k = (k + 1) & (size - 1);
    same[k] = slot + 1;
}

/// Room for one more slot.
static mn_status reserve_slot(mn_context *c, mn_solid_cache *cache)
{
    const int64_t slots = (int64_t)cache->slot_count + 1, size = power_of_two_above(2 * slots);
    MN_TRY(
        mn_array_reserve(c, &cache->values, &cache->slot_capacity, slots, (size_t)cache->slot_floats * sizeof(float)));
    MN_TRY(mn_array_reserve(c, &cache->content, &cache->content_capacity, slots, sizeof *cache->content));
    if (size <= cache->same_size) return MN_OK;
    int32_t *same = mn_alloc_array(c, int32_t, size);
    if (same == NULL) return MN_ERR_MEMORY;
    for (int32_t k = 0; k < cache->slot_count; k++) enter_same(same, size, cache->content[k], k);
    mn_free(c, cache->same);
    cache->same      = same;
    cache->same_size = size;
    return MN_OK;
}

static bool slot_holds(const mn_solid_cache *cache, int32_t slot, const mn_tiles *t, float *const from[VALUES])
{
    const float *values = cache->values + (size_t)slot * (size_t)cache->slot_floats;
    for (int k = 0; k < VALUES; k++)
        if (memcmp(values + (size_t)k * (size_t)t->cells, from[k], (size_t)t->cells * sizeof(float)) != 0) return false;
    return true;
}

/// The slot with the fields of a mixed tile, made if there is none.
static mn_status find_slot(mn_context *c, mn_solid_cache *cache, const mn_tiles *t, int32_t tile,
                           const mn_solid_fields *fields, int32_t *out)
{
    const size_t bytes = (size_t)t->cells * sizeof(float);
    uint64_t     hash  = MN_HASH_SEED;
    float       *from[VALUES];
    tile_arrays(t, tile, fields, from);
    for (int k = 0; k < VALUES; k++) hash = mn_hash_bytes(hash, from[k], bytes);
    MN_TRY(reserve_slot(c, cache));
    for (int64_t k = (int64_t)(hash & (uint64_t)(cache->same_size - 1)); cache->same[k] != 0;
         k         = (k + 1) & (cache->same_size - 1)) {
        *out = cache->same[k] - 1;
        if (cache->content[*out] == hash && slot_holds(cache, *out, t, from)) return MN_OK;
    }
    *out      = cache->slot_count++;
    float *to = cache->values + (size_t)*out * (size_t)cache->slot_floats;
    for (int k = 0; k < VALUES; k++) memcpy(to + (size_t)k * (size_t)t->cells, from[k], bytes);
    cache->content[*out] = hash;
    enter_same(cache->same, cache->same_size, hash, *out);
    return MN_OK;
}

static mn_status put_tile(mn_context *c, mn_solid_cache *cache, const mn_tiles *t, int32_t tile,
                          const mn_solid_fields *fields)
{
    entry *e = find(cache->table, cache->table_size, t->coord[tile]);
    if (e->used) return MN_OK;
    entry made = { .at = t->coord[tile], .used = 1, .touched = fields->touched[tile] };
    if (made.touched == 1) MN_TRY(find_slot(c, cache, t, tile, fields, &made.slot));
    *e = made;
    cache->tile_count++;
    return MN_OK;
}

mn_status mn_solid_cache_put(mn_context *c, mn_solid_cache *cache, const mn_tiles *t, const uint8_t *new_tile,
                             const mn_solid_fields *fields)
{
    int64_t tiles = 0, slots = 0;
    for (int32_t k = 1; k < t->count; k++) {
        tiles += new_tile[k] != 0;
        slots += new_tile[k] != 0 && fields->touched[k] == 1;
    }
    if (tiles == 0) return MN_OK;
    if (bytes_for(cache, cache->tile_count + tiles, cache->slot_count + slots) > cache->max_bytes) {
        // Full. Begin anew if most of what is remembered was not asked for; else the working set is too large: keep it.
        if (2 * mn_solid_cache_hits(cache) >= cache->tile_count) return MN_OK;
        forget(cache);
        if (bytes_for(cache, tiles, slots) > cache->max_bytes) return MN_OK;
    }
    MN_TRY(reserve_table(c, cache, cache->tile_count + tiles));
    for (int32_t k = 1; k < t->count; k++)
        if (new_tile[k]) MN_TRY(put_tile(c, cache, t, k, fields));
    return MN_OK;
}
