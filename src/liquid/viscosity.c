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
    double              *residual[3], *direction[3];
    double *const       *target;                // u*
    double              *dot, *r2, *rz;         // per tile
    double               alpha, beta;
} cg_job;

typedef struct row_sums { double r2[MN_TILE], rz[MN_TILE]; } row_sums;

/// Keep the residual of a row and add to the sums of r.r and r.z.
static void keep_residual(const cg_job *cg, int a, int64_t at, const double r[MN_TILE], row_sums *sums)
{
    for (int x = 0; x < MN_TILE; x++) {
        const double r2 = r[x] * r[x];
        cg->residual[a][at + x] = r[x];
        sums->r2[x] += r2;
        sums->rz[x] += cg->m->kind[a][at + x] == MN_FACE_LIQUID ? r2 / (double)cg->m->diagonal[a][at + x] : 0.0;
    }
}

static void keep_sums(const cg_job *cg, int32_t tile, const row_sums *sums)
{
    cg->r2[tile] = cg->rz[tile] = 0.0;
    for (int x = 0; x < MN_TILE; x++) {
        cg->r2[tile] += sums->r2[x];
        cg->rz[tile] += sums->rz[x];
    }
}

/// residual = m u* - A u at the liquid faces, with the velocity as it stands.
static void residual_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cg_job            *cg = context;
    const mn_liquid_scratch *s  = &cg->m->q->grid;
    for (int64_t k = begin; k < end; k++) {
        row_sums sums = { { 0.0 }, { 0.0 } };
        for (int32_t row = 0; row < mn_rows_of(&s->tiles); row++) {
            const mn_row_places at = mn_row_find(&s->tiles, cg->m->list[k], row);
            for (int a = 0; a < s->tiles.def.dimension; a++) {
                double r[MN_TILE];
                mn_viscosity_row(cg->m, &at, a, s->velocity[a], r);
                for (int x = 0; x < MN_TILE; x++) {
                    const double momentum = (double)cg->m->mass[a][at.at + x] * cg->target[a][at.at + x];
                    r[x] = cg->m->kind[a][at.at + x] == MN_FACE_LIQUID ? momentum - r[x] : 0.0;
                }
                keep_residual(cg, a, at.at, r, &sums);
            }
        }
        keep_sums(cg, cg->m->list[k], &sums);
    }
}

/// u += alpha p, r -= alpha A p; sums of r.r and r.z per tile.
static void advance_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cg_job            *cg = context;
    const mn_liquid_scratch *s  = &cg->m->q->grid;
    for (int64_t k = begin; k < end; k++) {
        row_sums sums = { { 0.0 }, { 0.0 } };
        for (int32_t row = 0; row < mn_rows_of(&s->tiles); row++) {
            const mn_row_places at = mn_row_find(&s->tiles, cg->m->list[k], row);
            for (int a = 0; a < s->tiles.def.dimension; a++) {
                double r[MN_TILE];
                mn_viscosity_row(cg->m, &at, a, cg->direction[a], r);
                for (int x = 0; x < MN_TILE; x++) {
                    r[x] = cg->residual[a][at.at + x] - cg->alpha * r[x];
                    s->velocity[a][at.at + x] += cg->alpha * cg->direction[a][at.at + x];      // 0 on faces that are not liquid
                }
                keep_residual(cg, a, at.at, r, &sums);
            }
        }
        keep_sums(cg, cg->m->list[k], &sums);
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
                                          ? cg->residual[a][i] / (double)cg->m->diagonal[a][i] + cg->beta * cg->direction[a][i] : 0.0;
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
    mn_viscosity_apply(cg->m, cg->m->q->grid.velocity, NULL);
    loop(cg, residual_tiles);
}

/// Weights, density and pressure have done their work or are yet to be made: they lend their room.
static mn_status take(cg_job *cg, mn_arena *arena)
{
    const mn_liquid_scratch *s  = &cg->m->q->grid;
    const int64_t            n  = (int64_t)s->tiles.count * s->tiles.cells;
    bool                     ok = true;
    cg->target      = s->weight;
    cg->residual[0] = s->density;
    cg->residual[1] = s->pressure;
    if (s->tiles.def.dimension == 3) ok = (cg->residual[2] = mn_arena_array(arena, double, n)) != NULL;
    for (int a = 0; a < s->tiles.def.dimension; a++)
        ok = ok && (cg->direction[a] = mn_arena_array_zero(arena, double, n));      // and 0 outside the busy tiles
    ok = ok && (cg->dot = mn_arena_array(arena, double, s->tiles.count)) && (cg->r2 = mn_arena_array(arena, double, s->tiles.count));
    ok = ok && (cg->rz = mn_arena_array(arena, double, s->tiles.count));
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
        mn_viscosity_apply(cg->m, cg->direction, cg->dot);
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
    cg_job                   cg = { .m = m };
    MN_TRY(take(&cg, arena));
    MN_TRY(mn_viscosity_setup(m, arena, cg.residual[0]));
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
