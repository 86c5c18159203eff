// SPDX-License-Identifier: MPL-2.0
// fabric/solve.c - the implicit velocity of dry fabric on the grid (wet-fabric 5.9), with friction on solids.
#include "fabric/operator.h"

mn_status mn_fabric_solve(mn_fabric *q, const mn_step *step, mn_solve_report *report)
{
    mn_fabric_operator op;
    mn_touches         touches;
    *report = (mn_solve_report){ .outcome = MN_SOLVE_CONVERGED };
    if (!mn_fabric_present(q)) return MN_OK;
    q->step.velocity = mn_point_faces_array(step->arena, &q->step.faces);
    if (q->step.velocity == NULL) return MN_ERR_MEMORY;
    const mn_arena_mark mark = mn_arena_begin(step->arena);
    MN_TRY(mn_fabric_operator_prepare(q, step->arena, q->step.mass, &op));
    MN_TRY(mn_fabric_find_touches(q, step, op.v, &touches));
    MN_TRY(
        mn_fabric_operator_descend(&op, step->arena, &touches, step->dt, q->step.momentum, q->step.velocity, report));
    mn_fabric_keep_touches(q, step, op.v, &touches);
    mn_fabric_operator_keep_start(&op, &touches, step->dt, q->step.velocity);
    mn_arena_end(step->arena, mark);
    return MN_OK;
}
