// SPDX-License-Identifier: MPL-2.0
// liquid/thin.c - threads and sheets too thin for the density to reach one half. liquid 5.9
//
// What holds such liquid together, without surface tension, is viscosity alone. Where it is weak the particles fly
// (spray), which is the right motion of thin inviscid liquid: its pressure is that of the air. Where viscosity spreads
// over a cell faster than anything moves through it, the cells that hold the particles stay liquid cells instead: the
// viscosity sees them with mass and stress from the same level set, so that a thread stretches by its own weight
// whatever its width, and the pressure draws it in as it does.
#include "grid/levelset.h"
#include "liquid/liquid.h"

/// Gravity by which viscosity is judged where there is none, cm/s^2.
#define GRAVITY_STANDARD 981.0

bool mn_liquid_holds(const mn_liquid_model *m)
{
    const double g = mn_norm3(m->gravity), dx = m->grid.cell, kinematic = m->material.viscosity / m->material.density;
    return kinematic >= dx * sqrt((g > 0.0 ? g : GRAVITY_STANDARD) * dx);  // Reynolds number of a cell below 1
}

typedef struct thin_job {
    mn_liquid *q;
    uint8_t   *whole;
} thin_job;

static void whole_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const thin_job          *job = context;
    const mn_liquid_scratch *s   = &job->q->grid;
    for (int64_t i = begin * s->tiles.cells; i < end * s->tiles.cells; i++)
        job->whole[i] = s->density[i] >= MN_DENSITY_WHOLE;
}

/// Thin: liquid that has nothing whole within two cells.
static void thin_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_liquid_scratch *s = &((const thin_job *)context)->q->grid;
    for (int64_t i = begin * s->tiles.cells; i < end * s->tiles.cells; i++)
        s->thin[i] = !s->thin[i] && s->density[i] >= MN_DENSITY_HELD;
}

mn_status mn_liquid_find_thin(mn_liquid *q, mn_arena *arena)
{
    const mn_arena_mark mark = mn_arena_begin(arena);
    mn_liquid_scratch  *s    = &q->grid;
    mn_pool            *pool = mn_context_pool(q->context);
    thin_job  job    = { .q = q, .whole = mn_arena_array(arena, uint8_t, (int64_t)s->tiles.count * s->tiles.cells) };
    mn_status status = job.whole != NULL ? MN_OK : MN_ERR_MEMORY;
    if (status == MN_OK) mn_parallel_for(pool, s->tiles.count, 4, whole_tiles, &job);
    if (status == MN_OK) status = mn_cells_near(q->context, arena, &s->tiles, job.whole, s->thin);
    if (status == MN_OK) mn_parallel_for(pool, s->tiles.count, 4, thin_tiles, &job);
    mn_arena_end(arena, mark);
    return status;
}
