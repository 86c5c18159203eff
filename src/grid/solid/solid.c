// SPDX-License-Identifier: MPL-2.0
// grid/solid/solid.c - building the geometry fields, tile by tile.
#include "grid/solid/solid_private.h"

#include "base/hash.h"
#include "geom/images.h"

#include <string.h>

/// The images of a solid along periodic axes that come near a box, itself included. Returns how many; writes them if
/// `out` is not NULL. Along an axis where the solid meets its own images they are one: it stays periodic there, and the
/// image nearest to a point counts. To add what each of them covers would cover it several times.
static int images_near(const mn_solid *s, mn_vec3 box_low, mn_vec3 box_high, mn_solid *out)
{
    mn_vec3    low, high;
    const bool finite    = mn_posed_bounds(s->shape, &s->pose, &low, &high);
    double     period[3] = { 0.0, 0.0, 0.0 };
    int        from[3] = { 0, 0, 0 }, to[3] = { 0, 0, 0 }, count = 0;
    for (int a = 0; a < 3 && finite; a++) {
        if (mn_get3(high, a) - mn_get3(low, a) >= s->period[a]) period[a] = s->period[a];
        if (!(s->period[a] > 0.0) || period[a] > 0.0) continue;
        from[a] = (int)ceil((mn_get3(box_low, a) - mn_get3(high, a)) / s->period[a]);
        to[a]   = (int)floor((mn_get3(box_high, a) - mn_get3(low, a)) / s->period[a]);
    }
    for (int z = from[2]; z <= to[2]; z++)
        for (int y = from[1]; y <= to[1]; y++)
            for (int x = from[0]; x <= to[0]; x++, count++) {
                if (out == NULL) continue;
                const mn_vec3 shift = mn_v3(x * s->period[0], y * s->period[1], z * s->period[2]);
                out[count]          = *s;
                memcpy(out[count].period, period, sizeof period);
                out[count].pose.translation = mn_add3(s->pose.translation, shift);
                out[count].pose.center      = mn_add3(s->pose.center, shift);
            }
    return count;
}

/// All solids and their images that may touch the tiles.
static mn_status expand_images(mn_arena *arena, const mn_tiles *t, mn_solids solids, mn_solid **out, int *out_count)
{
    const double  side = MN_TILE * t->def.cell, depth = t->def.dimension == 2 ? t->def.depth : side, edge = t->def.cell;
    const mn_vec3 low  = mn_add3(t->def.origin,
                                 mn_v3(side * t->low.x - edge, side * t->low.y - edge, depth * t->low.z - edge));
    const mn_vec3 size = mn_v3(side * t->size.x + 2 * edge, side * t->size.y + 2 * edge, depth * t->size.z + 2 * edge);
    const mn_vec3 high = mn_add3(low, size);
    int           n    = 0;
    for (int k = 0; k < solids.count; k++) n += images_near(&solids.list[k], low, high, NULL);
    *out = mn_arena_array(arena, mn_solid, n);
    if (*out == NULL) return MN_ERR_MEMORY;
    *out_count = 0;
    for (int k = 0; k < solids.count; k++) *out_count += images_near(&solids.list[k], low, high, *out + *out_count);
    return MN_OK;
}

typedef struct build_job {
    const mn_tiles       *tiles;
    mn_solid_list         list;
    mn_solid_cache       *cache;
    const mn_solid_still *still;      // NULL: nothing moves
    const mn_solid_again *again;      // NULL: neither, or not asked for
    uint8_t              *reach;      // per worker, one per solid
    mn_solid_work        *work;       // per worker
    uint8_t              *new_tile;   // tiles the cache may take
    uint8_t              *new_still;  // tiles of which it may take what the solids at rest cover
    mn_solid_fields      *out;
} build_job;

static bool any_in_reach(const uint8_t *reach, int count)
{
    for (int k = 0; k < count; k++)
        if (reach[k] != MN_SOLID_AWAY) return true;
    return false;
}

static void build_tile(build_job *job, int32_t tile, uint8_t *reach, mn_solid_work *work)
{
    const mn_solid_list *list  = &job->list;
    int                  moves = 0, last = -1;
    for (int k = list->rest; k < list->count; k++) {
        if (!list->list[k].moving) continue;
        reach[k] = (uint8_t)mn_solid_tile_reach(job->tiles, tile, &list->list[k]);
        if (reach[k] != MN_SOLID_AWAY) moves++, last = k;
    }
    if (moves == 0 && job->cache != NULL && mn_solid_cache_get(job->cache, job->tiles, tile, job->out)) return;
    if (moves == 1 && job->again != NULL && mn_solid_again_get(job->again, job->tiles, tile, list, job->out)) return;
    for (int k = 0; k < list->count; k++)
        if (!list->list[k].moving) reach[k] = (uint8_t)mn_solid_tile_reach(job->tiles, tile, &list->list[k]);
    const mn_solid_still *still = moves > 0 && any_in_reach(reach, list->rest) ? job->still : NULL;
    job->new_tile[tile]         = moves == 0;
    job->new_still[tile]        = still != NULL && !mn_solid_still_has(still, job->tiles->coord[tile]);
    mn_solid_tile(job->tiles, tile, list, reach, still, work, job->out);
    if (moves != 1 || job->again == NULL) return;
    const mn_solid_frame f = mn_solid_frame_of(job->tiles, tile);
    mn_solid_again_put(job->again, job->tiles, tile, &f, work, last, job->out);
}

static void build_range(int64_t begin, int64_t end, int worker, void *context)
{
    build_job *job = context;
    for (int64_t tile = begin > 0 ? begin : 1; tile < end; tile++)
        build_tile(job, (int32_t)tile, job->reach + (size_t)worker * (size_t)job->list.count, job->work + worker);
}

/// The arrays of the fields. Where nothing moves one tile of zeros serves as all velocities.
static mn_status take_fields(mn_arena *arena, const mn_tiles *t, bool moving, mn_solid_fields *out)
{
    const int64_t n         = (int64_t)t->count * t->cells;
    float       **arrays[7] = { &out->open[0],     &out->open[1],     &out->open[2],    &out->kernel_open,
                                &out->velocity[0], &out->velocity[1], &out->velocity[2] };
    for (int k = 0; k < (moving ? 7 : 5); k++) {
        *arrays[k] = mn_arena_array(arena, float, k == 3 ? 2 * n : moving || k < 3 ? n : t->cells);
        if (*arrays[k] == NULL) return MN_ERR_MEMORY;
        memset(*arrays[k], 0, (size_t)t->cells * sizeof(float));  // the null tile
    }
    out->volume_open = out->kernel_open + n;
    memset(out->volume_open, 0, (size_t)t->cells * sizeof(float));
    if (!moving) out->velocity[1] = out->velocity[2] = out->velocity[0];
    out->velocity_mask = moving ? -1 : t->cells - 1;  // cells of a tile are a power of two
    out->touched       = mn_arena_array_zero(arena, uint8_t, t->count);
    return out->touched != NULL ? MN_OK : MN_ERR_MEMORY;
}

/// Number of solids before the first that moves.
static int count_rest(mn_solids solids)
{
    int rest = 0;
    while (rest < solids.count && !solids.list[rest].moving) rest++;
    return rest;
}

static mn_status keep_still(mn_context *c, build_job *job)
{
    for (int32_t t = 1; t < job->tiles->count; t++) {
        if (!job->new_still[t] || mn_solid_still_is_full(mn_solid_cache_still(job->cache))) continue;
        const mn_solid_frame f = mn_solid_frame_of(job->tiles, t);
        mn_solid_tile_still(job->tiles, t, &job->list, job->work);
        MN_TRY(mn_solid_still_put(c, mn_solid_cache_still(job->cache), &f, job->tiles->coord[t], job->work));
    }
    return MN_OK;
}

static mn_status build_all(mn_context *c, mn_arena *arena, build_job *job, mn_solids solids)
{
    const int      workers = mn_pool_workers(mn_context_pool(c));
    mn_solid_list *list    = &job->list;
    mn_solid      *images;
    MN_TRY(expand_images(arena, job->tiles, solids, &images, &list->count));
    list->list     = images;
    list->rest     = count_rest((mn_solids){ images, list->count });
    job->reach     = mn_arena_array(arena, uint8_t, (int64_t)workers * list->count);
    job->work      = mn_arena_array(arena, mn_solid_work, workers);
    job->new_tile  = mn_arena_array_zero(arena, uint8_t, job->tiles->count);
    job->new_still = mn_arena_array_zero(arena, uint8_t, job->tiles->count);
    if (job->reach == NULL || job->work == NULL || job->new_tile == NULL || job->new_still == NULL)
        return MN_ERR_MEMORY;
    if (job->cache != NULL) mn_solid_cache_begin(job->cache, job->tiles, (mn_solids){ images, list->count });
    if (job->cache != NULL && list->rest < list->count) {
        job->still = mn_solid_cache_still(job->cache);
        mn_solid_still_begin(c, mn_solid_cache_still(job->cache),
                             mn_solid_cache_key(job->cache) ^ mn_hash_mix((uint64_t)list->rest));
        job->again = mn_solid_cache_again(job->cache);
        if (job->again != NULL)
            MN_TRY(mn_solid_again_begin(c, mn_solid_cache_again(job->cache), mn_solid_cache_key(job->cache), job->tiles,
                                        list));
    }
    mn_parallel_for(mn_context_pool(c), job->tiles->count, 4, build_range, job);
    if (job->cache == NULL) return MN_OK;
    MN_TRY(keep_still(c, job));
    return mn_solid_cache_put(c, job->cache, job->tiles, job->new_tile, job->out);
}

mn_status mn_solid_fields_build(mn_context *c, mn_arena *arena, const mn_tiles *tiles, mn_solids solids,
                                mn_solid_cache *cache, mn_solid_fields *out)
{
    *out = (mn_solid_fields){ 0 };
    MN_TRY(take_fields(arena, tiles, mn_solids_move(solids), out));
    const mn_arena_mark mark   = mn_arena_begin(arena);
    build_job           job    = { .tiles = tiles, .cache = cache, .out = out };
    const mn_status     status = build_all(c, arena, &job, solids);
    mn_arena_end(arena, mark);
    return status;
}
