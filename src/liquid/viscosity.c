// SPDX-License-Identifier: MPL-2.0
// liquid/viscosity.c - implicit viscosity on the staggered grid. liquid 5.12
//
// The new velocity minimises  1/2 sum m |u - u*|^2 + h sum w mu |D u|^2 : inertia of the faces against the rate of
// dissipation, sampled as normal rates at cells and shear rates at edges. The matrix is m + k D^T w D by construction
// symmetric and positive definite, and two conditions come by themselves: no stress where the weight w ends (free
// surface), and no shear at a slip wall (its samples have weight 0). At a no-slip wall the rate between a liquid face
// at distance d and the wall is (u - u_wall) / d with the weight d / cell of the part that is liquid, which makes a
// plane wall second order wherever it cuts the cells.
//
// The matrix is in viscosity_matrix.c; here it is solved, tile by tile where something takes part.
#include "liquid/viscosity_private.h"

#include <string.h>

typedef struct cg_job {
    mn_viscosity_matrix *m;
    double              *residual[3], *direction[3], *ax[3];
    double *const       *target;                // u*
    double              *dot, *r2, *rz;         // per tile
    double               alpha, beta;
} cg_job;

/// residual = m u* - A u at the liquid faces, with the velocity as it stands; no direction yet.
static void residual_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cg_job   *cg = context;
    const mn_tiles *t  = &cg->m->q->grid.tiles;
    for (int64_t at = begin; at < end; at++) {
        const int32_t tile = cg->m->list[at];
        double        r2 = 0.0, rz = 0.0;
        for (int a = 0; a < t->def.dimension; a++)
            for (int64_t i = (int64_t)tile * t->cells; i < (int64_t)(tile + 1) * t->cells; i++) {
                const bool   liquid = cg->m->kind[a][i] == MN_FACE_LIQUID;
                const double r      = liquid ? (double)cg->m->mass[a][i] * cg->target[a][i] - cg->ax[a][i] : 0.0;
                cg->residual[a][i]  = r;
                r2 += r * r;
                if (liquid) rz += r * r / cg->m->diagonal[a][i];
            }
        cg->r2[tile] = r2, cg->rz[tile] = rz;
    }
}

/// u += alpha p, r -= alpha A p; sums of r.r and r.z per tile.
static void advance_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cg_job            *cg = context;
    const mn_liquid_scratch *s  = &cg->m->q->grid;
    for (int64_t at = begin; at < end; at++) {
        const int32_t tile = cg->m->list[at];
        double        r2 = 0.0, rz = 0.0;
        for (int a = 0; a < s->tiles.def.dimension; a++)
            for (int64_t i = (int64_t)tile * s->tiles.cells; i < (int64_t)(tile + 1) * s->tiles.cells; i++) {
                if (cg->m->kind[a][i] != MN_FACE_LIQUID) continue;
                s->velocity[a][i] += cg->alpha * cg->direction[a][i];
                const double r = cg->residual[a][i] - cg->alpha * cg->ax[a][i];
                cg->residual[a][i] = r;
                r2 += r * r;
                rz += r * r / cg->m->diagonal[a][i];
            }
        cg->r2[tile] = r2, cg->rz[tile] = rz;
    }
}

/// p = r / diagonal + beta p.
static void direct_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cg_job   *cg = context;
    const mn_tiles *t  = &cg->m->q->grid.tiles;
    for (int64_t at = begin; at < end; at++)
        for (int a = 0; a < t->def.dimension; a++)
            for (int64_t i = (int64_t)cg->m->list[at] * t->cells; i < (int64_t)(cg->m->list[at] + 1) * t->cells; i++)
                cg->direction[a][i] = cg->m->kind[a][i] == MN_FACE_LIQUID
                                          ? cg->residual[a][i] / cg->m->diagonal[a][i] + cg->beta * cg->direction[a][i] : 0.0;
}

/// The momentum of u*, squared, per tile into r2.
static void momentum_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cg_job   *cg = context;
    const mn_tiles *t  = &cg->m->q->grid.tiles;
    for (int64_t at = begin; at < end; at++) {
        double sum = 0.0;
        for (int a = 0; a < t->def.dimension; a++)
            for (int64_t i = (int64_t)cg->m->list[at] * t->cells; i < (int64_t)(cg->m->list[at] + 1) * t->cells; i++) {
                if (cg->m->kind[a][i] != MN_FACE_LIQUID) continue;
                const double momentum = (double)cg->m->mass[a][i] * cg->target[a][i];
                sum += momentum * momentum;
            }
        cg->r2[cg->m->list[at]] = sum;
    }
}

static double sum_tiles(const mn_viscosity_matrix *m, const double *partial)
{
    double sum = 0.0;
    for (int32_t at = 0; at < m->list_count; at++) sum += partial[m->list[at]];
    return sum;
}

static void loop(const cg_job *cg, mn_range_fn *fn)
{
    mn_parallel_for(mn_context_pool(cg->m->q->context), cg->m->list_count, 4, fn, (void *)(uintptr_t)cg);
}

static void true_residual(cg_job *cg)
{
    mn_viscosity_apply(cg->m, cg->m->q->grid.velocity, cg->ax, cg->dot);
    loop(cg, residual_tiles);
}

static mn_status take(cg_job *cg, mn_arena *arena)
{
    const mn_tiles *tiles = &cg->m->q->grid.tiles;
    const int64_t   n     = (int64_t)tiles->count * tiles->cells;
    bool            ok    = true;
    for (int a = 0; a < tiles->def.dimension; a++) {
        ok = ok && (cg->residual[a] = mn_arena_array(arena, double, n)) && (cg->ax[a] = mn_arena_array(arena, double, n));
        ok = ok && (cg->direction[a] = mn_arena_array_zero(arena, double, n));      // and 0 outside the busy tiles
    }
    ok = ok && (cg->dot = mn_arena_array(arena, double, tiles->count)) && (cg->r2 = mn_arena_array(arena, double, tiles->count));
    ok = ok && (cg->rz = mn_arena_array(arena, double, tiles->count));
    return ok ? MN_OK : MN_ERR_MEMORY;
}

/// Conjugate gradients with diagonal scaling from u*, whose residual is there; it is measured against the momentum of u*.
static void solve(cg_job *cg, double scale, mn_solve_report *report)
{
    const mn_solver_def *solver = &cg->m->q->model.solver;
    const double         bound  = solver->viscosity_tolerance * scale;
    const int            most   = 10 * solver->pressure_iterations;
    double               rz     = sum_tiles(cg->m, cg->rz);
    report->residual_first      = sqrt(sum_tiles(cg->m, cg->r2)) / scale;
    cg->beta                    = 0.0;
    while (sqrt(sum_tiles(cg->m, cg->r2)) > bound && report->iterations < most) {
        loop(cg, direct_tiles);
        mn_viscosity_apply(cg->m, cg->direction, cg->ax, cg->dot);
        const double curvature = sum_tiles(cg->m, cg->dot);
        if (!(curvature > 0.0)) break;
        cg->alpha = rz / curvature;
        loop(cg, advance_tiles);
        const double next = sum_tiles(cg->m, cg->rz);
        cg->beta          = next / rz;
        rz                = next;
        report->iterations++;
    }
    true_residual(cg);
    report->residual_last = sqrt(sum_tiles(cg->m, cg->r2)) / scale;
    report->outcome       = report->residual_last <= 2.0 * solver->viscosity_tolerance ? 1 : -1;
}

static mn_status run(mn_viscosity_matrix *m, mn_arena *arena, mn_solve_report *report)
{
    const mn_liquid_scratch *s  = &m->q->grid;
    cg_job                   cg = { .m = m, .target = s->weight };       // the weights have done their work
    MN_TRY(take(&cg, arena));
    MN_TRY(mn_viscosity_setup(m, arena, cg.ax[0]));
    for (int a = 0; a < s->tiles.def.dimension; a++)
        memcpy(s->weight[a], s->velocity[a], mn_array_bytes((int64_t)s->tiles.count * s->tiles.cells, sizeof(double)));
    loop(&cg, momentum_tiles);
    const double momentum2 = sum_tiles(m, cg.r2);
    // A wall alone may move liquid at rest: then its own pull is the scale.
    true_residual(&cg);
    const double scale = sqrt(fmax(momentum2, sum_tiles(m, cg.r2)));
    if (scale > 0.0) solve(&cg, scale, report);
    return MN_OK;
}

mn_status mn_liquid_viscosity(mn_liquid *q, mn_arena *arena, const mn_solid *solids, int solid_count, double dt, mn_solve_report *report)
{
    *report = (mn_solve_report){ .outcome = 1 };
    if (q->model.material.viscosity == 0.0) return MN_OK;
    const double        dx     = q->model.grid.cell;
    mn_viscosity_matrix m      = { .q = q, .solids = solids, .solid_count = solid_count,
                                   .k = dt * q->model.material.viscosity / (q->model.material.density * dx * dx) };
    const mn_arena_mark mark   = mn_arena_begin(arena);
    const mn_status     status = run(&m, arena, report);
    mn_arena_end(arena, mark);
    return status;
}
