// SPDX-License-Identifier: MPL-2.0
// fabric/touches.c - the vertices of fabric as points that touch solids (wet-fabric 5.4).
#include "fabric/operator.h"

#include "base/pool.h"

/// Friction of the fabric that a vertex belongs to.
static double friction_at(const mn_fabric *q, int32_t v)
{
    const mn_fabric_element *e = &q->elements[q->element_of[q->element_start[v]]];
    return q->pieces[e->piece].cloth.friction;
}

static mn_touching points_of(mn_fabric *q)
{
    return (mn_touching){ .context = q->context,
                          .count   = q->vertices.count,
                          .x       = q->step.x,
                          .pinned  = q->step.pinned,
                          .volume  = q->volume,
                          .cell    = q->model.grid.cell,
                          .touched = q->vertices.touched[0],
                          .anchor  = q->vertices.anchor };
}

typedef struct listing {
    const mn_fabric *q;
    double          *v;
} listing;

static void list_velocities(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const listing *job = context;
    for (int64_t i = begin; i < end; i++)
        for (int a = 0; a < 3; a++) job->v[3 * i + a] = job->q->vertices.velocity[a][i];
}

mn_status mn_fabric_find_touches(mn_fabric *q, const mn_step *step, double *v, mn_touches *out)
{
    // The velocity of the last step already carries what the solids pushed then: the best guess of what they push now.
    const mn_touching points = points_of(q);
    mn_parallel_for(mn_context_pool(q->context), q->vertices.count, MN_BLOCK, list_velocities, &(listing){ q, v });
    const double speed = mn_fabric_max_speed(q) + step->dt * mn_norm3(q->model.gravity);
    MN_TRY(mn_touch_find(&points, step, speed * step->dt, out));
    for (int64_t k = 0; k < out->count; k++)
        if (out->list[k].friction < 0.0) out->list[k].friction = friction_at(q, out->list[k].point);
    mn_touch_update(out, v, step->dt);
    return MN_OK;
}

void mn_fabric_keep_touches(mn_fabric *q, const mn_step *step, const double *v, const mn_touches *touches)
{
    const mn_touching points = points_of(q);
    mn_touch_keep(&points, touches, step->solids, v, step->dt);
}
