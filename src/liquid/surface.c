// SPDX-License-Identifier: MPL-2.0
// liquid/surface.c - where the liquid is: density, level set, liquid cells, matrix coefficients. (E2)-(E4)
#include "grid/levelset.h"
#include "grid/transfer.h"
#include "liquid/liquid.h"

/// Smallest free-surface fraction; 0.001 and 0.05 give the same rest and the same wave (liquid 3).
#define THETA_MIN 1e-3

static void level_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_liquid         *q  = context;
    mn_liquid_scratch *s  = &q->grid;
    const double       dx = q->model.grid.cell;
    const int          dimension = q->model.grid.dimension;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++)
        for (int32_t c = 0; c < s->tiles.cells; c++) {
            const int64_t i    = (int64_t)t * s->tiles.cells + c;
            const double  open = t > 0 ? (double)s->solid.kernel_open[i] : 0.0;
            s->density[i]      = open > MN_OPEN_MIN ? s->density[i] / open : 0.0;
            s->level[i]        = -dx * mn_depth_of_density(s->density[i]);
            bool reachable     = false;
            if (s->level[i] < 0.0)
                for (int a = 0; a < dimension && !reachable; a++)
                    reachable = s->solid.open[a][i] > 0.0f || s->solid.open[a][mn_cell_next(&s->tiles, t, c, a, 1)] > 0.0f;
            s->wet[i] = reachable;
        }
}

/// b = omega / theta on every face with a liquid cell on one side at least.
static void coefficient_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_liquid         *q = context;
    mn_liquid_scratch *s = &q->grid;
    for (int a = 0; a < q->model.grid.dimension; a++)
        for (int32_t t = (int32_t)begin; t < (int32_t)end; t++)
            for (int32_t c = 0; c < s->tiles.cells; c++) {
                const int64_t i = (int64_t)t * s->tiles.cells + c, l = mn_cell_next(&s->tiles, t, c, a, -1);
                float         b = 0.0f;
                if (t > 0 && (s->wet[i] || s->wet[l])) {
                    double theta = 1.0;
                    if (s->wet[i] != s->wet[l]) {
                        const double in = s->wet[i] ? s->level[i] : s->level[l], out = s->wet[i] ? s->level[l] : s->level[i];
                        // A cell that is not liquid for want of an open face may still read negative: then the surface is at its side.
                        theta = out > in ? in / (in - out) : 1.0;
                        theta = theta < THETA_MIN ? THETA_MIN : theta > 1.0 ? 1.0 : theta;
                    }
                    b = (float)((double)s->solid.open[a][i] / theta);
                }
                s->coefficient[a][i] = b;
            }
}

mn_status mn_liquid_surface(mn_liquid *q, mn_arena *arena)
{
    mn_liquid_scratch         *s    = &q->grid;
    const mn_liquid_particles *p    = mn_liquid_now(q);
    mn_pool                   *pool = mn_context_pool(q->context);
    MN_TRY(mn_particles_to_cells(q->context, arena, &s->tiles, &s->bins, (const double *const *)p->position, p->volume[0], s->density));
    mn_parallel_for(pool, s->tiles.count, 4, level_tiles, q);
    mn_parallel_for(pool, s->tiles.count, 4, coefficient_tiles, q);
    return MN_OK;
}
