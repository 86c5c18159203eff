// SPDX-License-Identifier: MPL-2.0
// fabric/forces.c - what acts on vertices: elasticity and its stiffness, pins, air, contact (wet-fabric 5.1-5.5).
#include "fabric/forces.h"
#include "fabric/contact.h"
#include "fabric/pins.h"
#include "fabric/twist.h"

#include "base/pool.h"

/// Residual to which the mid-edge normals follow the vertices, and the most iterations spent on it in a step.
#define RELAX_TOLERANCE  1e-5
#define RELAX_ITERATIONS 200

static mn_shell_pose pose_of(const mn_fabric *q, const mn_fabric_piece *p)
{
    return (mn_shell_pose){ .x = q->step.x + p->first_vertex };
}

static mn_status shell_forces(mn_fabric *q, mn_arena *arena, double dt)
{
    for (int64_t i = 0; i < q->piece_count; i++) {
        mn_fabric_piece *p = &q->pieces[i];
        if (p->shell == NULL) continue;
        mn_shell_relax_report relaxed;
        MN_TRY(mn_shell_begin_still_step(p->shell, dt));
        p->shell_began = true;
        MN_TRY(mn_shell_relax(p->shell, pose_of(q, p), RELAX_TOLERANCE, RELAX_ITERATIONS, arena, &relaxed));
        MN_TRY(mn_shell_add_forces(p->shell, pose_of(q, p), arena, q->step.force + p->first_vertex, NULL));
    }
    return MN_OK;
}

/// The diagonal is made from the other blocks at the end: it lends its memory, too.
static mn_status shell_stiffness(mn_fabric *q, mn_arena *arena, double dt)
{
    mn_block_matrix *m      = &q->stiffness;
    mn_status        status = MN_OK;
    mn_arena_lend(arena, m->diagonal, (size_t)(9 * m->rows) * sizeof *m->diagonal);
    for (int64_t i = 0; i < q->piece_count && status == MN_OK; i++) {
        const mn_fabric_piece *p = &q->pieces[i];
        if (p->shell != NULL) status = mn_shell_add_stiffness(p->shell, pose_of(q, p), dt * dt, arena, m, NULL);
    }
    mn_arena_take_back(arena);
    return status;
}

static mn_status elastic_forces(mn_fabric *q, mn_arena *arena, double dt)
{
    mn_fabric_scratch *s = &q->step;
    mn_block_matrix   *m = &q->stiffness;
    // The values of the matrix are yet to come: until then its memory serves the forces.
    mn_arena_lend(arena, m->block_f, (size_t)(9 * m->start[m->rows]) * sizeof *m->block_f);
    const mn_status forces = shell_forces(q, arena, dt);
    mn_arena_take_back(arena);
    if (forces != MN_OK) return forces;
    mn_block_matrix_zero(q->context, m);
    MN_TRY(shell_stiffness(q, arena, dt));
    for (int64_t i = 0; i < q->piece_count; i++) {
        mn_fabric_piece *p = &q->pieces[i];
        if (p->mesh.strand_count > 0) {
            mn_rod_network_begin(&p->rods, s->x, dt);
            mn_rod_network_evaluate(&p->rods, s->x, NULL, MN_ROD_TENSION, NULL);
            mn_rod_network_add_forces(&p->rods, s->force);
            MN_TRY(mn_rod_network_add_blocks(&p->rods, dt * dt, &q->stiffness));
        }
        if (p->junctions.count > 0) {
            mn_cloth_junctions_begin(&p->junctions, s->x, dt);
            mn_cloth_junctions_evaluate(&p->junctions, s->x);
            mn_cloth_junctions_add_forces(&p->junctions, s->force);
            MN_TRY(mn_cloth_junctions_add_blocks(&p->junctions, dt * dt, &q->stiffness));
        }
    }
    mn_block_matrix_balance(q->context, &q->stiffness);
    return MN_OK;
}

mn_status mn_fabric_forces(mn_fabric *q, const mn_step *step)
{
    if (!mn_fabric_present(q)) return MN_OK;
    mn_fabric_scratch *s = &q->step;
    s->force             = mn_arena_array_zero(step->arena, mn_vec3, q->vertices.count);
    if (s->force == NULL) return MN_ERR_MEMORY;
    MN_TRY(elastic_forces(q, step->arena, step->dt));
    s->point  = mn_arena_array_zero(step->arena, double, 6 * q->vertices.count);
    s->pinned = mn_arena_array_zero(step->arena, uint8_t, q->vertices.count);
    if (s->point == NULL || s->pinned == NULL) return MN_ERR_MEMORY;
    MN_TRY(mn_fabric_twist_begin(q, step->arena, step->time, step->dt));
    MN_TRY(mn_fabric_pins_find(q, step));
    if (q->model.wind.density > 0.0) mn_fabric_wind(q, step->time, step->dt);
    MN_TRY(mn_fabric_contact_begin(q, step->arena, step->dt));
    return mn_fabric_pins_take(q, step);
}
