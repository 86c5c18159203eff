// SPDX-License-Identifier: MPL-2.0
// fabric/solve.c - the implicit velocity of dry fabric on the grid (wet-fabric 5.9), with friction on solids:
//
//     A u = D u* + h W^T f
#include "fabric/operator.h"

#include "base/pool.h"

/// Which vertices stick and slide is settled by repeating the solve (wet-fabric 5.4): first roughly, to ten times the
/// tolerance, then to the tolerance, until friction changes by no more than a share of itself, at most this often in all.
#define ROUGHLY       10.0
#define ROUGH_PASSES  2
#define TOUCH_PASSES  5
#define TOUCH_SETTLED 1e-3     ///< the share, or this many times the tolerance if that is more:
#define TOUCH_SLACK   30.0

typedef struct side {
    const mn_fabric *q;
    double          *b, *u;
} side;

static void add_momentum(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const side *x = context;
    for (int64_t i = begin; i < end; i++) x->b[i] += x->q->step.momentum[i];
}

static void list_velocities(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const side *x = context;
    for (int64_t i = begin; i < end; i++)
        for (int a = 0; a < 3; a++) x->u[3 * i + a] = x->q->vertices.velocity[a][i];
}

mn_status mn_fabric_find_touches(mn_fabric *q, mn_arena *arena, const mn_solid *solids, int solid_count, double dt, double *v, mn_touches *out)
{
    // The velocity of the last step already carries what the solids pushed then: the best guess of what they push now.
    side x = { .q = q, .u = v };
    mn_parallel_for(mn_context_pool(q->context), q->vertices.count, MN_BLOCK, list_velocities, &x);
    const double speed = mn_fabric_max_speed(q) + dt * mn_norm3(q->model.gravity);
    MN_TRY(mn_touch_find(q, arena, solids, solid_count, dt, speed * dt, out));
    mn_touch_update(out, v, dt);
    return MN_OK;
}

mn_status mn_fabric_solve(mn_fabric *q, mn_arena *arena, const mn_solid *solids, int solid_count, double dt, mn_solve_report *report)
{
    const double       tolerance = q->model.solver.solid_tolerance;
    mn_pool           *pool      = mn_context_pool(q->context);
    mn_fabric_operator op;
    mn_touches         touches;
    q->step.velocity = mn_fabric_faces_array(arena, &q->step.faces);
    const mn_arena_mark mark = mn_arena_begin(arena);
    side x = { .q = q, .b = mn_fabric_faces_array(arena, &q->step.faces), .u = q->step.velocity };
    if (x.b == NULL || x.u == NULL) return MN_ERR_MEMORY;
    MN_TRY(mn_fabric_operator_prepare(q, arena, q->step.mass, &op));
    MN_TRY(mn_fabric_find_touches(q, arena, solids, solid_count, dt, op.v, &touches));

    *report = (mn_solve_report){ .outcome = MN_SOLVE_CONVERGED };
    bool rough = touches.count > 0;
    for (int pass = 0; pass < TOUCH_PASSES && report->outcome > 0; pass++) {
        mn_fabric_operator_load(&op, &touches, dt, x.b);
        mn_parallel_for(pool, op.faces->count, MN_BLOCK, add_momentum, &x);
        if (pass == 0) mn_fabric_operator_start(&op, dt, q->step.momentum, x.b, x.u);
        mn_fabric_operator_solve(&op, x.b, x.u, rough ? ROUGHLY * tolerance : tolerance, q->model.solver.solid_iterations, report);
        mn_fabric_operator_keep_momentum(&op, x.b, x.u);
        const bool settled = mn_touch_update(&touches, op.v, dt) <= fmax(TOUCH_SETTLED, TOUCH_SLACK * tolerance);
        if (settled && !rough) break;
        rough = rough && !settled && pass < ROUGH_PASSES - 1;
    }
    mn_touch_keep(q, &touches, solids, op.v, dt);
    mn_fabric_operator_keep_start(&op, &touches, dt, x.u);
    mn_arena_end(arena, mark);
    return MN_OK;
}
