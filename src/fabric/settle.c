// SPDX-License-Identifier: MPL-2.0
// fabric/settle.c - friction on solids settled by repeating the implicit solve, whichever that is (wet-fabric 5.4).
#include "fabric/operator.h"

#include "base/pool.h"

/// Which vertices stick and slide is settled by repeating the solve (wet-fabric 5.4): first roughly, to ten times the
/// tolerance, then to the tolerance, until friction changes by no more than a share of itself, at most this often in
/// all.
#define ROUGHLY       10.0
#define ROUGH_PASSES  2
#define TOUCH_PASSES  5
#define TOUCH_SETTLED 1e-3  ///< the share, or this many times the tolerance if that is more:
#define TOUCH_SLACK   30.0

static void list_velocities(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_fabric_operator *op = context;
    for (int64_t i = begin; i < end; i++)
        for (int a = 0; a < 3; a++) op->v[3 * i + a] = op->q->vertices.velocity[a][i];
}

mn_status mn_fabric_find_touches(mn_fabric *q, const mn_step *step, double *v, mn_touches *out)
{
    // The velocity of the last step already carries what the step->solids pushed then: the best guess of what they push
    // now.
    mn_fabric_operator op = { .q = q, .v = v };
    mn_parallel_for(mn_context_pool(q->context), q->vertices.count, MN_BLOCK, list_velocities, &op);
    const double speed = mn_fabric_max_speed(q) + step->dt * mn_norm3(q->model.gravity);
    MN_TRY(mn_touch_find(q, step, speed * step->dt, out));
    mn_touch_update(out, v, step->dt);
    return MN_OK;
}

mn_status mn_fabric_settle(mn_fabric_operator *op, const mn_step *step, mn_fabric_pass_fn *solve, void *context,
                           mn_touches *touches)
{
    mn_fabric   *q       = op->q;
    const double settled = fmax(TOUCH_SETTLED, TOUCH_SLACK * q->model.solver.solid_tolerance);
    double      *load    = mn_point_faces_array(step->arena, op->faces);
    if (load == NULL) return MN_ERR_MEMORY;
    MN_TRY(mn_fabric_find_touches(q, step, op->v, touches));

    bool rough = touches->count > 0, usable = true;
    for (int pass = 0; pass < TOUCH_PASSES && usable; pass++) {
        mn_fabric_operator_load(op, touches, step->dt, load);
        MN_TRY(solve(op, load, rough ? ROUGHLY : 1.0, context, &usable));
        const bool at_rest = mn_touch_update(touches, op->v, step->dt) <= settled;
        if (at_rest && !rough) break;
        rough = rough && !at_rest && pass < ROUGH_PASSES - 1;
    }
    mn_touch_keep(q, touches, step->solids, op->v, step->dt);
    return MN_OK;
}
