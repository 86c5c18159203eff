// SPDX-License-Identifier: MPL-2.0
// world/audit.c - is the new state fit to be kept?
#include "world/world.h"

/// A particle may cross this many times the CFL distance before the step counts as blown up.
#define SPEED_SLACK 4.0

static double farthest_block(int64_t begin, int64_t end, void *context)
{
    const double *restrict x = context;
    double farthest          = 0.0;
    for (int64_t i = begin; i < end; i++) farthest = fmax(farthest, fabs(x[i]));
    return farthest;
}

static bool audit_fabric(mn_world *w, const mn_step *s)
{
    mn_pool        *pool = mn_context_pool(w->context);
    const mn_field *field;
    int             component;
    int64_t         item;
    if (mn_fields_find_not_finite(pool, mn_fabric_table_of(&w->fabric.vertices), &w->fabric.vertices,
                                  w->fabric.vertices.count, &field, &component, &item))
        return mn_reject(s, "%s[%d] of fabric vertex %lld is not finite", field->name, component, (long long)item);
    const double speed = mn_fabric_max_speed(&w->fabric), cells = speed * s->dt / w->grid.cell;
    if (cells > w->def.time.cfl) return mn_reject(s, "fabric reached %.3g cm/s, %.3g cells in one step", speed, cells);
    for (int a = 0; a < 3; a++) {
        const double far = mn_parallel_max(pool, w->fabric.vertices.count, farthest_block,
                                           w->fabric.vertices.position[a]);
        if (far > (double)MN_FARTHEST_CELL * w->grid.cell)
            return mn_reject(s, "fabric is %.3g cm from the origin, farther than the grid can reach", far);
    }
    return true;
}

bool mn_world_audit(mn_world *w, const mn_step *s)
{
    if (w->fabric.piece_count > 0 && !audit_fabric(w, s)) return false;
    if (!w->has_liquid) return true;
    mn_pool             *pool = mn_context_pool(w->context);
    mn_liquid_particles *p    = mn_liquid_now(&w->liquid);
    const mn_field      *field;
    int                  component;
    int64_t              item;
    if (mn_fields_find_not_finite(pool, mn_liquid_table_of(p), p, p->count, &field, &component, &item))
        return mn_reject(s, "%s[%d] of liquid particle %lld is not finite", field->name, component,
                         (long long)p->id[0][item]);
    double speed;
    mn_liquid_dt_limit(&w->liquid, &speed);
    const double cells = speed * s->dt / w->grid.cell;
    if (cells > SPEED_SLACK * w->def.time.cfl)
        return mn_reject(s, "liquid reached %.3g cm/s, %.3g cells in one step", speed, cells);
    for (int a = 0; a < 3; a++) {
        const double far = mn_parallel_max(pool, p->count, farthest_block, p->position[a]);
        if (far > (double)MN_FARTHEST_CELL * w->grid.cell)
            return mn_reject(s,
                             "liquid is %.3g cm from the origin, farther than the grid can reach; "
                             "give the domain bounds with an open boundary",
                             far);
    }
    return true;
}
