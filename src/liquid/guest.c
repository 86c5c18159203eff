// SPDX-License-Identifier: MPL-2.0
// liquid/guest.c - faces where the drag of a guest ties the liquid to it: what it does to liquid that is about to
// enter, and to the shift of positions. Without both, liquid would pass a sheet that lets none through, by faces it has
// not reached yet.
#include "liquid/liquid.h"

#include "base/pool.h"

typedef struct tie_job {
    mn_liquid     *q;
    double *const *field;
    bool           follow;  // towards the velocity of the guest; else towards rest
} tie_job;

/// Ties below this are left open, above one less this closed: the multigrid need not know of the last thousandth.
#define TIE_LEAST 1e-3

/// The tile of the guest that lies on a tile of the liquid; 0: none.
static int32_t guest_tile(const mn_liquid *q, int32_t tile)
{
    return tile > 0 ? mn_tiles_find(q->guest.tiles, q->grid.tiles.coord[tile]) : 0;
}

static void close_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_liquid         *q = ((const tie_job *)context)->q;
    mn_liquid_scratch *s = &q->grid;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++) {
        const int32_t at = guest_tile(q, t);
        for (int a = 0; at > 0 && a < 3; a++) {
            const float *tie = q->guest.tie[a] + (int64_t)at * s->tiles.cells;
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
    mn_liquid         *q   = job->q;
    mn_liquid_scratch *s   = &q->grid;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++) {
        const int32_t at = guest_tile(q, t);
        for (int a = 0; at > 0 && a < 3; a++) {
            const int64_t from = (int64_t)at * s->tiles.cells, to = (int64_t)t * s->tiles.cells;
            for (int32_t k = 0; k < s->tiles.cells; k++) {
                const double tie = (double)q->guest.tie[a][from + k];
                if (tie == 0.0 || s->known[a][to + k] == 1) continue;
                const double lead = job->follow ? (double)q->guest.lead[a][from + k] : 0.0;
                job->field[a][to + k] += tie * (lead - job->field[a][to + k]);
            }
        }
    }
}

void mn_liquid_guest_close(mn_liquid *q)
{
    if (q->guest.tiles == NULL || q->guest.tie[0] == NULL) return;
    tie_job job = { .q = q };
    mn_parallel_for(mn_context_pool(q->context), q->grid.tiles.count, 4, close_tiles, &job);
}

void mn_liquid_guest_lead(mn_liquid *q, double *const field[3], bool follow)
{
    if (q->guest.tiles == NULL || q->guest.tie[0] == NULL) return;
    tie_job job = { .q = q, .field = field, .follow = follow };
    mn_parallel_for(mn_context_pool(q->context), q->grid.tiles.count, 4, lead_tiles, &job);
}
