// SPDX-License-Identifier: MPL-2.0
// liquid/room.c - who else takes room in the cells of the liquid, and faces where the drag of such an owner ties the
// liquid to it: what that does to liquid that is about to enter, and to the shift of positions. Without both, liquid
// would pass a sheet that lets none through, by faces it has not reached yet.
#include "base/pool.h"
#include "grid/transfer.h"
#include "liquid/liquid.h"

#include <string.h>

// --- who owns what ---

void mn_liquid_room_clear(mn_liquid *q) { q->room.owners = 0; }

void mn_liquid_room_vacate(mn_liquid *q)
{
    for (int k = 0; k < q->room.owners; k++) q->room.owner[k].share = NULL;
}

/// Copies of tiles share their arrays.
static bool same_tiles(const mn_tiles *a, const mn_tiles *b) { return a->coord == b->coord; }

mn_room_owner *mn_liquid_room_of(mn_liquid *q, const mn_tiles *tiles)
{
    for (int k = 0; k < q->room.owners; k++)
        if (same_tiles(q->room.owner[k].tiles, tiles) && q->room.owner[k].share != NULL) return &q->room.owner[k];
    return NULL;
}

typedef struct near_job {
    const mn_liquid_particles *p;
    double                     low[3], high[3];
} near_job;

static double any_inside(int64_t begin, int64_t end, void *context)
{
    const near_job *job = context;
    for (int64_t i = begin; i < end; i++) {
        bool inside = true;
        for (int a = 0; a < 3; a++)
            inside = inside && job->p->position[a][i] > job->low[a] && job->p->position[a][i] < job->high[a];
        if (inside) return 1.0;
    }
    return 0.0;
}

bool mn_liquid_is_near(mn_liquid *q, const mn_tiles *t)
{
    near_job      job    = { .p = mn_liquid_now(q) };
    const double  size   = MN_TILE * t->def.cell;
    const int32_t low[3] = { t->low.x, t->low.y, t->low.z }, extent[3] = { t->size.x, t->size.y, t->size.z };
    for (int a = 0; a < 3; a++) {
        job.low[a]  = mn_get3(t->def.origin, a) + size * low[a];
        job.high[a] = job.low[a] + size * extent[a];
    }
    return mn_parallel_max(mn_context_pool(q->context), job.p->count, any_inside, &job) > 0.0;
}

/// The place of an owner in the list: that of the same tiles, if there is one.
static mn_room_owner *place_of(mn_liquid *q, const mn_tiles *tiles)
{
    mn_liquid_room *r = &q->room;
    for (int k = 0; k < r->owners; k++)
        if (same_tiles(r->owner[k].tiles, tiles)) return &r->owner[k];
    if (r->owners == MN_ROOM_OWNERS) return NULL;
    r->owner[r->owners] = (mn_room_owner){ .tiles = tiles };
    return &r->owner[r->owners++];
}

mn_status mn_liquid_room_add(mn_liquid *q, mn_arena *arena, const mn_room_points *points, double *share)
{
    const mn_tiles *t     = points->tiles;
    const int64_t   cells = (int64_t)t->count * t->cells;
    mn_room_owner  *owner = place_of(q, t);
    if (owner == NULL)
        return mn_fail(q->context, MN_ERR_ARGUMENT, "more than %d matters take room in the liquid", MN_ROOM_OWNERS);
    MN_TRY(mn_particles_to_cells(q->context, arena, t, points->bins, points->position, points->volume, share));
    for (int64_t i = 0; owner->share != NULL && i < cells; i++) share[i] += owner->share[i];
    owner->share = share;
    return MN_OK;
}

const double *mn_liquid_room_taken(const mn_liquid *q, int32_t tile, double sum[MN_TILE * MN_TILE * MN_TILE])
{
    const double *taken = NULL;
    for (int k = 0; k < q->room.owners && tile > 0; k++) {
        const mn_room_owner *owner = &q->room.owner[k];
        const int32_t        at    = owner->share != NULL ? mn_tiles_find(owner->tiles, q->grid.tiles.coord[tile]) : 0;
        if (at == 0) continue;
        const double *own = owner->share + (int64_t)at * owner->tiles->cells;
        for (int32_t i = 0; taken != NULL && i < q->grid.tiles.cells; i++) sum[i] = taken[i] + own[i];
        taken = taken != NULL ? sum : own;
    }
    return taken;
}

// --- where they tie the liquid ---

typedef struct tie_job {
    mn_liquid           *q;
    const mn_room_owner *owner;
    double *const       *field;
    bool                 follow;  // towards the velocity of the owner; else towards rest
} tie_job;

/// Ties below this are left open, above one less this closed: the multigrid need not know of the last thousandth.
#define TIE_LEAST 1e-3

/// The tile of the owner that lies on a tile of the liquid; 0: none.
static int32_t tile_of_owner(const tie_job *job, int32_t tile)
{
    return tile > 0 ? mn_tiles_find(job->owner->tiles, job->q->grid.tiles.coord[tile]) : 0;
}

static void close_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const tie_job     *job = context;
    mn_liquid_scratch *s   = &job->q->grid;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++) {
        const int32_t at = tile_of_owner(job, t);
        for (int a = 0; at > 0 && a < 3; a++) {
            const float *tie = job->owner->tie[a] + (int64_t)at * s->tiles.cells;
            float       *b   = s->coefficient[a] + (int64_t)t * s->tiles.cells;
            for (int32_t k = 0; k < s->tiles.cells; k++)
                if (tie[k] > (float)TIE_LEAST) b[k] = tie[k] > 1.0f - (float)TIE_LEAST ? 0.0f : b[k] * (1.0f - tie[k]);
        }
    }
}

static void lead_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const tie_job     *job = context;
    mn_liquid_scratch *s   = &job->q->grid;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++) {
        const int32_t at = tile_of_owner(job, t);
        for (int a = 0; at > 0 && a < 3; a++) {
            const int64_t from = (int64_t)at * s->tiles.cells, to = (int64_t)t * s->tiles.cells;
            for (int32_t k = 0; k < s->tiles.cells; k++) {
                const double tie = (double)job->owner->tie[a][from + k];
                if (tie == 0.0 || s->known[a][to + k] == 1) continue;
                const double lead = job->follow ? (double)job->owner->lead[a][from + k] : 0.0;
                job->field[a][to + k] += tie * (lead - job->field[a][to + k]);
            }
        }
    }
}

/// Over the tiles of the liquid, once for each owner that is there and ties.
static void for_each_tie(tie_job *job, mn_range_fn *fn)
{
    mn_liquid *q = job->q;
    for (int k = 0; k < q->room.owners; k++) {
        job->owner = &q->room.owner[k];
        if (job->owner->share == NULL || job->owner->tie[0] == NULL) continue;
        mn_parallel_for(mn_context_pool(q->context), q->grid.tiles.count, 4, fn, job);
    }
}

void mn_liquid_room_close(mn_liquid *q)
{
    tie_job job = { .q = q };
    for_each_tie(&job, close_tiles);
}

void mn_liquid_room_lead(mn_liquid *q, double *const field[3], bool follow)
{
    tie_job job = { .q = q, .field = field, .follow = follow };
    for_each_tie(&job, lead_tiles);
}
