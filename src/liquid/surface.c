// SPDX-License-Identifier: MPL-2.0
// liquid/surface.c - where the liquid is: density, level set, liquid cells, matrix coefficients. (E2)-(E4)
#include "grid/levelset.h"
#include "grid/rows.h"
#include "grid/transfer.h"
#include "liquid/liquid.h"

#include <string.h>

/// Smallest free-surface fraction; 0.001 and 0.05 give the same rest and the same wave (liquid 3).
#define THETA_MIN 1e-3

/// Density over the open part that others leave.
static void divide_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_liquid               *q = context;
    const mn_liquid_scratch *s = &q->grid;
    double                   room[MN_TILE * MN_TILE * MN_TILE];
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++) {
        const double *taken = mn_liquid_room_taken(q, t, room);
        const int64_t first = (int64_t)t * s->tiles.cells;
        for (int32_t k = 0; k < s->tiles.cells; k++) {
            double open = (double)s->solid.kernel_open[first + k];
            if (taken != NULL) open = mn_liquid_room_left(open, taken[k]);
            s->density[first + k] = open > MN_OPEN_MIN ? s->density[first + k] / open : 0.0;
        }
    }
}

/// Whether the level set of a cell will be negative. Next to one half only the inverse itself says so to the last
/// digit.
static bool is_inside(const mn_liquid_scratch *s, int64_t i)
{
    const double density = s->density[i];
    return mn_liquid_is_held(s, i) || (fabs(density - 0.5) > 1e-9 ? density > 0.5 : mn_depth_of_density(density) > 0.0);
}

/// Liquid cells of a row: inside the surface and with an open face.
static void wet_row(const mn_liquid_scratch *s, const mn_row_places *row, int dimension)
{
    uint8_t inside[MN_TILE], any = 0;
    for (int x = 0; x < MN_TILE; x++) any |= inside[x] = is_inside(s, row->at + x);
    if (any) {
        uint8_t reachable[MN_TILE] = { 0 };
        for (int a = 0; a < dimension; a++) {
            float        room[MN_TILE];
            const float *low = s->solid.open[a] + row->at, *high = mn_row_higher_floats(s->solid.open[a], row, a, room);
            for (int x = 0; x < MN_TILE; x++) reachable[x] |= low[x] > 0.0f || high[x] > 0.0f;
        }
        for (int x = 0; x < MN_TILE; x++) inside[x] &= reachable[x];
    }
    memcpy(s->wet + row->at, inside, sizeof inside);
}

static void wet_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_liquid         *q = context;
    mn_liquid_scratch *s = &q->grid;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++)
        for (int32_t r = 0; r < mn_rows_of(&s->tiles); r++) {
            const mn_row_places row = mn_row_find(&s->tiles, t, r);
            wet_row(s, &row, q->model.grid.dimension);
        }
}

static void level_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_liquid         *q  = context;
    const mn_liquid_scratch *s  = &q->grid;
    const double             dx = q->model.grid.cell, held = -MN_DEPTH_HELD * dx;
    for (int64_t i = begin * s->tiles.cells; i < end * s->tiles.cells; i++) {
        const double level = -dx * mn_depth_of_density(s->density[i]);
        s->density[i]      = level > held && mn_liquid_is_held(s, i) ? held : level;
    }
}

double mn_liquid_theta(const mn_liquid_scratch *s, int64_t liquid, int64_t other)
{
    const double in = s->level[liquid], out = s->level[other];
    // A cell that is not liquid for want of an open face may still read negative: then the surface is at its side.
    const double theta = out > in ? in / (in - out) : 1.0;
    return theta < THETA_MIN ? THETA_MIN : theta > 1.0 ? 1.0 : theta;
}

/// b of a face between a liquid cell and one that is not.
static float surface_coefficient(const mn_liquid_scratch *s, int64_t i, int64_t l, float open)
{
    return (float)((double)open / (s->wet[i] ? mn_liquid_theta(s, i, l) : mn_liquid_theta(s, l, i)));
}

/// b = omega / theta on every face with a liquid cell on one side at least.
static void coefficient_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_liquid         *q = context;
    mn_liquid_scratch *s = &q->grid;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++)
        for (int32_t r = 0; r < mn_rows_of(&s->tiles); r++) {
            const mn_row_places row = mn_row_find(&s->tiles, t, r);
            for (int a = 0; a < q->model.grid.dimension; a++) {
                const float   *open = s->solid.open[a] + row.at;
                float         *b    = s->coefficient[a] + row.at;
                uint8_t        room[MN_TILE];
                const uint8_t *here = s->wet + row.at, *low = mn_row_lower_bytes(s->wet, &row, a, room);
                uint8_t        surface = 0;
                for (int x = 0; x < MN_TILE; x++) {
                    b[x] = t > 0 && (here[x] | low[x]) ? open[x] : 0.0f;
                    surface |= here[x] ^ low[x];
                }
                for (int x = 0; x < MN_TILE && surface; x++)
                    if (t > 0 && here[x] != low[x])
                        b[x] = surface_coefficient(s, row.at + x, mn_row_low(&row, a, x), open[x]);
            }
        }
}

mn_status mn_liquid_surface(mn_liquid *q, mn_arena *arena)
{
    mn_liquid_scratch         *s    = &q->grid;
    const mn_liquid_particles *p    = mn_liquid_now(q);
    mn_pool                   *pool = mn_context_pool(q->context);
    if (s->density == NULL) s->density = s->level;
    s->level = NULL;
    MN_TRY(mn_particles_to_cells(q->context, arena, &s->tiles, &s->bins, (const double *const *)p->position,
                                 p->volume[0], s->density));
    mn_parallel_for(pool, s->tiles.count, 4, divide_tiles, q);
    if (s->thin != NULL) MN_TRY(mn_liquid_find_thin(q, arena));
    mn_parallel_for(pool, s->tiles.count, 4, wet_tiles, q);
    return MN_OK;
}

void mn_liquid_level(mn_liquid *q)
{
    mn_liquid_scratch *s = &q->grid;
    mn_parallel_for(mn_context_pool(q->context), s->tiles.count, 4, level_tiles, q);
    s->level   = s->density;
    s->density = NULL;
}

void mn_liquid_coefficients(mn_liquid *q)
{
    mn_parallel_for(mn_context_pool(q->context), q->grid.tiles.count, 4, coefficient_tiles, q);
}
