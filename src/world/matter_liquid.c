// SPDX-License-Identifier: MPL-2.0
// world/matter_liquid.c - the bulk liquid as the world sees it.
#include "world/matter.h"

#include <stdio.h>

/// A particle may cross this many times the CFL distance before the step counts as blown up.
#define SPEED_SLACK 4.0

static bool present(const mn_world *w) { return mn_liquid_present(&w->liquid); }

static void state(mn_world *w)
{
    mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    mn_state_block      *b = mn_world_add_block(w, mn_liquid_table_of(p), p, &p->count, &p->capacity);
    b->varies              = true;
    b->position            = p->position;
    b->velocity            = p->velocity;
    b->speed_slack         = SPEED_SLACK;
    b->advice              = "; give the domain bounds with an open boundary";
}

static void call(const mn_world *w, const mn_state_block *block, int64_t item, char *out, size_t bytes)
{
    (void)block;
    snprintf(out, bytes, "liquid particle %lld", (long long)w->liquid.particles[w->liquid.current].id[0][item]);
}

static double dt_limit(mn_world *w)
{
    double speed;
    return mn_liquid_dt_limit(&w->liquid, &speed);
}

/// Sorting goes into the spare buffer: which one was the state, and how many there were, is all there is to keep.
static mn_status keep(mn_world *w)
{
    w->before.current = w->liquid.current;
    w->before.count   = mn_liquid_now(&w->liquid)->count;
    return MN_OK;
}

static mn_status take_back(mn_world *w)
{
    w->liquid.current                = w->before.current;
    mn_liquid_now(&w->liquid)->count = w->before.count;
    return MN_OK;
}

static void sums(mn_world *w, mn_ledger *l)
{
    const mn_liquid_sums s = mn_liquid_sum(&w->liquid);
    l->particles           = mn_liquid_now(&w->liquid)->count;
    l->liquid_bulk         = s.volume;
    l->momentum_x += s.momentum.x, l->momentum_y += s.momentum.y, l->momentum_z += s.momentum.z;
    l->energy_kinetic += s.kinetic;
    l->energy_gravity += s.gravity;
    l->max_speed = fmax(l->max_speed, s.max_speed);
}

static void release(mn_world *w) { mn_liquid_drop_spare(&w->liquid); }

static void view_box(const mn_world *w, mn_world_box *box)
{
    const mn_liquid_particles *p = &w->liquid.particles[w->liquid.current];
    for (int64_t i = 0; i < p->count; i++)
        mn_world_box_add(box, mn_v3(p->position[0][i], p->position[1][i], p->position[2][i]));
}

static void destroy(mn_world *w) { mn_liquid_destroy(&w->liquid); }

const mn_matter mn_matter_liquid = { .name      = "liquid",
                                     .present   = present,
                                     .state     = state,
                                     .call      = call,
                                     .dt_limit  = dt_limit,
                                     .sums      = sums,
                                     .release   = release,
                                     .view_box  = view_box,
                                     .destroy   = destroy,
                                     .keep      = keep,
                                     .take_back = take_back };
