// SPDX-License-Identifier: MPL-2.0
// grid/solid/solid_again.c - the fields of tiles that one moving solid touches, for the next build with all solids in
// the same place.
//
// A step ends with the solids where the next one begins: what the density correction saw of them is what the next step
// needs, but for the velocities. These follow from the covered parts of the faces, which are kept for that. Tiles that
// two moving solids touch, or with a cell that a solid divides, are left out.
#include "grid/solid/solid_private.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

/// Bytes that are kept at most.
#define MOST_BYTES ((size_t)64 << 20)
#define CELLS      (MN_TILE * MN_TILE * MN_TILE)

typedef struct again_tile {
    mn_tile_coord at;
    bool          made;
    uint8_t       touched;
    int           solid;  // the one that moves
    float         open[3][CELLS], kernel_open[CELLS], volume_open[CELLS];
    float         face[3][CELLS];   // covered by all solids
    double        moved[3][CELLS];  // covered by the one that moves
} again_tile;

struct mn_solid_again {
    uint64_t    key;
    again_tile *tiles;
    int64_t     count, capacity;
    int32_t    *table;       // open addressing by coordinate: place in `tiles` + 1
    int64_t     table_size;  // a power of two, at least twice the tiles
};

mn_status mn_solid_again_create(mn_context *c, mn_solid_again **out)
{
    *out = mn_alloc(c, sizeof **out);
    return *out != NULL ? MN_OK : MN_ERR_MEMORY;
}

void mn_solid_again_destroy(mn_context *c, mn_solid_again **again)
{
    if (*again == NULL) return;
    mn_free(c, (*again)->tiles);
    mn_free(c, (*again)->table);
    mn_free(c, *again);
    *again = NULL;
}

size_t mn_solid_again_bytes(const mn_solid_again *s)
{
    return s == NULL ? 0 : (size_t)s->capacity * sizeof *s->tiles + (size_t)s->table_size * sizeof *s->table;
}

static int32_t *find(const mn_solid_again *s, mn_tile_coord at)
{
    int64_t k = mn_tile_slot(at, s->table_size);
    while (s->table[k] != 0 && !mn_tile_same(s->tiles[s->table[k] - 1].at, at)) k = (k + 1) & (s->table_size - 1);
    return &s->table[k];
}

/// The tile that is kept for a coordinate; NULL if there is none.
static again_tile *tile_at(const mn_solid_again *s, mn_tile_coord at)
{
    const int32_t place = s->count > 0 ? *find(s, at) : 0;
    return place > 0 ? &s->tiles[place - 1] : NULL;
}

static uint64_t key_of(uint64_t key, const mn_solid_list *list)
{
    for (int k = list->rest; k < list->count; k++) {
        const mn_solid *s     = &list->list[k];
        const uint64_t  shape = mn_shape_hash(s->shape);
        key                   = mn_hash_bytes(key, &shape, sizeof shape);
        key                   = mn_hash_bytes(key, &s->pose.rotation, sizeof s->pose.rotation);
        key                   = mn_hash_bytes(key, &s->pose.translation, sizeof s->pose.translation);
        key                   = mn_hash_bytes(key, &s->pose.center, sizeof s->pose.center);
    }
    return key;
}

static bool one_moves_near(const mn_tiles *t, int32_t tile, const mn_solid_list *list)
{
    int near = 0;
    for (int k = list->rest; k < list->count && near < 2; k++)
        near += list->list[k].moving && mn_solid_tile_reach(t, tile, &list->list[k]) != MN_SOLID_AWAY;
    return near == 1;
}

static mn_status make_room(mn_context *c, mn_solid_again *s, int64_t wanted)
{
    int64_t size = s->table_size > 0 ? s->table_size : 64;
    while (size < 2 * wanted) size *= 2;
    if (wanted > s->capacity) {  // nothing in it is of use any more
        mn_free(c, s->tiles);
        s->capacity = 0;
        s->tiles    = mn_alloc_array(c, again_tile, wanted + wanted / 8);
        if (s->tiles == NULL) return MN_ERR_MEMORY;
        s->capacity = wanted + wanted / 8;
    }
    if (size > s->table_size) {
        mn_free(c, s->table);
        s->table_size = 0;
        s->table      = mn_alloc_array(c, int32_t, size);
        if (s->table == NULL) return MN_ERR_MEMORY;
        s->table_size = size;
    }
    memset(s->table, 0, (size_t)s->table_size * sizeof *s->table);
    return MN_OK;
}

mn_status mn_solid_again_begin(mn_context *c, mn_solid_again *s, uint64_t rest_key, const mn_tiles *t,
                               const mn_solid_list *list)
{
    const uint64_t key = key_of(rest_key, list);
    if (key == s->key && s->count > 0) return MN_OK;
    int64_t wanted = 0;
    for (int32_t k = 1; k < t->count; k++) wanted += one_moves_near(t, k, list);
    if ((size_t)wanted > MOST_BYTES / sizeof *s->tiles) wanted = (int64_t)(MOST_BYTES / sizeof *s->tiles);
    s->count = 0;
    s->key   = key;
    if (wanted == 0) return MN_OK;
    MN_TRY(make_room(c, s, wanted));
    for (int32_t k = 1; k < t->count && s->count < wanted; k++) {
        if (!one_moves_near(t, k, list)) continue;
        s->tiles[s->count].at   = t->coord[k];
        s->tiles[s->count].made = false;
        *find(s, t->coord[k])   = (int32_t)++s->count;
    }
    return MN_OK;
}

/// Place in the work of cell k of the tile.
static int cell_in_work(const mn_solid_frame *f, int32_t k)
{
    return mn_solid_cell_at(k % MN_TILE + 1, k / MN_TILE % MN_TILE + 1, k / (MN_TILE * MN_TILE) + (f->flat ? 0 : 1));
}

void mn_solid_again_put(const mn_solid_again *s, const mn_tiles *t, int32_t tile, const mn_solid_frame *f,
                        const mn_solid_work *w, int solid, const mn_solid_fields *fields)
{
    again_tile *to = tile_at(s, t->coord[tile]);
    if (to == NULL || w->divided) return;
    const int64_t base  = (int64_t)tile * t->cells;
    const size_t  bytes = (size_t)t->cells * sizeof(float);
    for (int a = 0; a < 3; a++) {
        memcpy(to->open[a], fields->open[a] + base, bytes);
        for (int32_t k = 0; k < t->cells; k++) {
            to->face[a][k]  = w->face[a][cell_in_work(f, k)];
            to->moved[a][k] = w->moved[a][cell_in_work(f, k)];
        }
    }
    memcpy(to->kernel_open, fields->kernel_open + base, bytes);
    memcpy(to->volume_open, fields->volume_open + base, bytes);
    to->touched = fields->touched[tile];
    to->solid   = solid;
    to->made    = true;
}

/// Velocity of the low faces of one axis, as mn_solid_tile has it where no cell is divided: there every face that is
/// not open is covered itself.
static void write_velocity(const mn_solid_frame *f, const again_tile *from, const mn_solid *solid, int axis,
                           int32_t cells, float *to)
{
    for (int32_t k = 0; k < cells; k++) {
        const int c[3] = { k % MN_TILE + 1, k / MN_TILE % MN_TILE + 1, k / (MN_TILE * MN_TILE) + (f->flat ? 0 : 1) };
        to[k]          = 0.0f;
        if (!(from->open[axis][k] < 1.0f) || !(from->moved[axis][k] > 0.0) || (f->flat && axis == 2)) continue;
        to[k] = (0.0f + mn_solid_face_rate(f, solid, axis, c, from->moved[axis][k])) /
                from->face[axis][k];  // a sum of one
    }
}

bool mn_solid_again_get(const mn_solid_again *s, const mn_tiles *t, int32_t tile, const mn_solid_list *list,
                        mn_solid_fields *out)
{
    const again_tile *from = tile_at(s, t->coord[tile]);
    if (from == NULL || !from->made) return false;
    const mn_solid_frame f     = mn_solid_frame_of(t, tile);
    const int64_t        base  = (int64_t)tile * t->cells;
    const size_t         bytes = (size_t)t->cells * sizeof(float);
    for (int a = 0; a < 3; a++) {
        memcpy(out->open[a] + base, from->open[a], bytes);
        write_velocity(&f, from, &list->list[from->solid], a, t->cells, out->velocity[a] + base);
    }
    memcpy(out->kernel_open + base, from->kernel_open, bytes);
    memcpy(out->volume_open + base, from->volume_open, bytes);
    out->touched[tile] = from->touched;
    return true;
}
