// SPDX-License-Identifier: MPL-2.0
// fabric/solve.c - the implicit velocity of dry fabric on the grid (wet-fabric 5.9), with friction on solids:
//
//     A u = D u* + h W^T f
#include "fabric/operator.h"

#include "base/pool.h"

typedef struct side {
    const mn_fabric *q;
    double          *b, *u;
    const double    *load;
    mn_solve_report *report;
    bool             started;
} side;

static void add_momentum(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const side *x = context;
    for (int64_t i = begin; i < end; i++) x->b[i] = x->load[i] + x->q->step.momentum[i];
}

static mn_status solve_once(mn_fabric_operator *op, const double *load, double ease, void *context, bool *usable)
{
    side                *x      = context;
    const mn_solver_def *solver = &x->q->model.solver;
    x->load                     = load;
    mn_parallel_for(mn_context_pool(x->q->context), op->faces->count, MN_BLOCK, add_momentum, x);
    if (!x->started) mn_fabric_operator_start(op, op->dt, x->q->step.momentum, x->b, x->u);
    x->started = true;
    mn_fabric_operator_solve(op, x->b, x->u, ease * solver->solid_tolerance, solver->solid_iterations, x->report);
    mn_fabric_operator_keep_momentum(op, x->b, x->u);
    *usable = x->report->outcome > 0;
    return MN_OK;
}

mn_status mn_fabric_solve(mn_fabric *q, mn_arena *arena, const mn_solid *solids, int solid_count, double dt, mn_solve_report *report)
{
    mn_fabric_operator op;
    mn_touches         touches;
    q->step.velocity = mn_fabric_faces_array(arena, &q->step.faces);
    const mn_arena_mark mark = mn_arena_begin(arena);
    side x = { .q = q, .b = mn_fabric_faces_array(arena, &q->step.faces), .u = q->step.velocity, .report = report };
    if (x.b == NULL || x.u == NULL) return MN_ERR_MEMORY;
    MN_TRY(mn_fabric_operator_prepare(q, arena, q->step.mass, &op));
    *report = (mn_solve_report){ .outcome = MN_SOLVE_CONVERGED };
    MN_TRY(mn_fabric_settle(&op, arena, solids, solid_count, dt, solve_once, &x, &touches));
    mn_fabric_operator_keep_start(&op, &touches, dt, x.u);
    mn_arena_end(arena, mark);
    return MN_OK;
}
