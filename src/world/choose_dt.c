// SPDX-License-Identifier: MPL-2.0
// world/choose_dt.c - how long a step may be: what each kind of matter allows, obstacles, and the time it is to end.
#include "world/matter.h"

/// Longest step that all matter allows; `left` if it all has steps of its own.
static double matter_limit(mn_world *w, double left, bool *own_steps)
{
    double limit   = fmin(w->def.time.dt_max, w->now.dt_limit);
    bool   limited = false, paced = false;
    MN_EACH_MATTER (w, m) {
        paced   = paced || m->has_own_steps;
        limited = limited || m->dt_limit != NULL;
        if (m->dt_limit != NULL) limit = fmin(limit, m->dt_limit(w));
    }
    *own_steps = paced && !limited;
    return *own_steps ? left : limit;
}

/// Longest step that speeds, gravity and the acceleration of obstacles allow now.
static double dt_allowed(mn_world *w, double until)
{
    const double left = until - w->now.time;
    bool         own_steps;
    double       limit = matter_limit(w, left, &own_steps);
    if (own_steps) return limit;
    // A motion that starts inside the step shows its speed only at the end of it.
    const double solid = fmax(mn_world_solid_speed(w, w->now.time),
                              mn_world_solid_speed(w, w->now.time + fmin(limit, left)));
    if (solid > 0.0) limit = fmin(limit, w->def.time.cfl * w->grid.cell / solid);
    // Liquid that rides on an obstacle feels gravity less the acceleration of the obstacle, g_eff of (E9).
    return fmin(limit, mn_liquid_surface_dt(&w->liquid, mn_world_pull(w, w->now.time, fmin(limit, left))));
}

mn_status mn_world_choose_dt(mn_world *w, double until, double *dt)
{
    const double left = until - w->now.time, limit = dt_allowed(w, until);
    if (limit < w->def.time.dt_min)
        return mn_fail(w->context, MN_ERR_SOLVE,
                       "the run stopped at %.9g s: what moves is so fast that a step may last %.3g s, below "
                       "time.dt_min = %.3g s",
                       w->now.time, limit, w->def.time.dt_min);
    const double parts = ceil(left / limit * (1.0 - 1e-12));
    *dt                = isfinite(parts) ? left / parts : limit;
    if (w->now.time + *dt > w->now.time) return MN_OK;
    return mn_fail(w->context, MN_ERR_SOLVE,
                   "the run stopped at %.9g s: a step may last %.3g s, which is nothing beside that time", w->now.time,
                   *dt);
}
