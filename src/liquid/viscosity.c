// SPDX-License-Identifier: MPL-2.0
// liquid/viscosity.c - implicit viscosity on the staggered grid. liquid 5.12
//
// The new velocity minimises  1/2 sum m |u - u*|^2 + h sum w mu |D u|^2 : inertia of the faces against the rate of
// dissipation, sampled as normal rates at cells and shear rates at edges. The matrix is m + k D^T w D by construction
// symmetric and positive definite, and two conditions come by themselves: no stress beyond the surface, where the
// weight w is the liquid's share of the sample's volume, and no shear at a slip wall (its samples have weight 0). At a
// no-slip wall the rate between a liquid face at distance d and the wall is (u - u_wall) / d with the weight d / cell
// of the part that is liquid, which makes a plane wall second order wherever it cuts the cells.
//
// Solved for the change of u*, by conjugate gradients in double around a V-cycle in float. The residual of u* is its
// stress alone: what has none is not touched.
#include "liquid/viscosity_private.h"

#include "solve/mg_vector.h"

#include <float.h>

typedef struct cg_job {
    mn_viscosity_matrix *m;
    mn_viscosity_level  *l;
    double              *start;  // u*
    double              *residual, *direction, *product, *change;
    double              *dot;  // per block of rows
    double               alpha, beta, scale;
} cg_job;

static void loop(const cg_job *cg, mn_range_fn *fn)
{
    mn_parallel_for(mn_context_pool(cg->m->q->context), cg->l->count, MN_ROW_BLOCK, fn, (void *)(uintptr_t)cg);
}

static double sum_blocks(const cg_job *cg)
{
    double sum = 0.0;
    for (int32_t b = 0; b < mn_row_blocks(cg->l); b++) sum += cg->dot[b];
    return sum;
}

// Between the grid and the rows

static void read_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cg_job            *cg = context;
    const mn_liquid_scratch *s  = &cg->m->q->grid;
    for (int32_t r = (int32_t)begin; r < (int32_t)end; r++)
        for (int a = 0; a < cg->l->dimension && r > 0; a++)
            memcpy(cg->start + mn_row_face(cg->l, r, a), s->velocity[a] + (int64_t)cg->l->place[r] * MN_TILE,
                   MN_TILE * sizeof(double));
}

static void write_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cg_job            *cg = context;
    const mn_liquid_scratch *s  = &cg->m->q->grid;
    for (int32_t r = (int32_t)begin; r < (int32_t)end; r++)
        for (int a = 0; a < cg->l->dimension && r > 0; a++) {
            double      *u = s->velocity[a] + (int64_t)cg->l->place[r] * MN_TILE;
            const size_t i = mn_row_face(cg->l, r, a);
            mn_d8_write(u, mn_d8_load(cg->start + i) + cg->scale * mn_d8_load(cg->change + i));
        }
}

// Vectors

#define FOR_VECTORS(cg, i, begin, end)                                                                      \
    for (size_t i = mn_row_face((cg)->l, (int32_t)(begin), 0); i < mn_row_face((cg)->l, (int32_t)(end), 0); \
         i += MN_TILE)

/// The momentum of u*, squared.
static void momentum_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cg_job *cg  = context;
    mn_d8         sum = { 0 };
    FOR_VECTORS(cg, i, begin, end)
    {
        const mn_d8 momentum = mn_d8_of(mn_f8_load(cg->l->mass + i)) * mn_d8_load(cg->start + i);
        sum += momentum * momentum;
    }
    cg->dot[begin / MN_ROW_BLOCK] = mn_d8_sum(sum);
}

/// start + scale * change into the direction.
static void present_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cg_job *cg = context;
    FOR_VECTORS(cg, i, begin, end)
    mn_d8_store(cg->direction + i, mn_d8_load(cg->start + i) + cg->scale * mn_d8_load(cg->change + i));
}

/// residual = -(stress of the present velocity) / scale - mass * change; the cycle's right-hand side; r.r.
static void residual_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cg_job *cg  = context;
    mn_d8         sum = { 0 };
    FOR_VECTORS(cg, i, begin, end)
    {
        const mn_d8 r = -mn_d8_load(cg->product + i) / cg->scale -
                        mn_d8_of(mn_f8_load(cg->l->mass + i)) * mn_d8_load(cg->change + i);
        mn_d8_store(cg->residual + i, r);
        mn_f8_store(cg->l->b + i, mn_f8_of(r));
        sum += r * r;
    }
    cg->dot[begin / MN_ROW_BLOCK] = mn_d8_sum(sum);
}

static void r_dot_z_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cg_job *cg  = context;
    mn_d8         sum = { 0 };
    FOR_VECTORS(cg, i, begin, end) sum += mn_d8_load(cg->residual + i) * mn_d8_of(mn_f8_load(cg->l->x + i));
    cg->dot[begin / MN_ROW_BLOCK] = mn_d8_sum(sum);
}

static void direct_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cg_job *cg = context;
    FOR_VECTORS(cg, i, begin, end)
    mn_d8_store(cg->direction + i, mn_d8_of(mn_f8_load(cg->l->x + i)) + cg->beta * mn_d8_load(cg->direction + i));
}

static void advance_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cg_job *cg  = context;
    mn_d8         sum = { 0 };
    FOR_VECTORS(cg, i, begin, end)
    {
        const mn_d8 r = mn_d8_load(cg->residual + i) - cg->alpha * mn_d8_load(cg->product + i);
        mn_d8_store(cg->change + i, mn_d8_load(cg->change + i) + cg->alpha * mn_d8_load(cg->direction + i));
        mn_d8_store(cg->residual + i, r);
        mn_f8_store(cg->l->b + i, mn_f8_of(r));
        sum += r * r;
    }
    cg->dot[begin / MN_ROW_BLOCK] = mn_d8_sum(sum);
}

/// The residual from the velocity itself; its norm. The direction is lost.
static double true_residual(cg_job *cg)
{
    loop(cg, present_rows);
    mn_viscosity_apply(cg->m, cg->direction, cg->product, true, NULL);
    loop(cg, residual_rows);
    return sqrt(sum_blocks(cg));
}

// Conjugate gradients (solve/cg.h)

static double cg_residual(void *self) { return true_residual(self); }

static double cg_precondition(void *self, bool first)
{
    (void)first;
    cg_job *cg = self;
    mn_viscosity_cycle(cg->m);
    loop(cg, r_dot_z_rows);
    return sum_blocks(cg);
}

static double cg_direct(void *self, bool first, double beta)
{
    (void)first;
    cg_job *cg = self;
    cg->beta   = beta;
    loop(cg, direct_rows);
    mn_viscosity_apply(cg->m, cg->direction, cg->product, false, cg->dot);
    return sum_blocks(cg);
}

static double cg_advance(void *self, double alpha)
{
    cg_job *cg = self;
    cg->alpha  = alpha;
    loop(cg, advance_rows);
    return sqrt(sum_blocks(cg));
}

static int solve(cg_job *job, mn_solve_report *report)
{
    const mn_solver_def *solver = &job->m->q->model.solver;
    const mn_cg          cg     = { .self         = job,
                                    .residual     = cg_residual,
                                    .precondition = cg_precondition,
                                    .direct       = cg_direct,
                                    .advance      = cg_advance,
                                    .pool         = mn_context_pool(job->m->q->context) };
    const mn_cg_stop     stop   = { .tolerance  = solver->viscosity_tolerance,
                                    .margin     = 0.999,
                                    .gain       = 0.5,
                                    .iterations = solver->pressure_iterations,
                                    .restarts   = INT_MAX };
    return mn_cg_solve(&cg, true_residual(job), &stop, report);
}

static mn_status take(cg_job *cg, mn_arena *arena)
{
    const int64_t n  = mn_row_values(cg->l);
    bool          ok = (cg->start = mn_arena_array_zero(arena, double, n)) &&
              (cg->change = mn_arena_array_zero(arena, double, n));
    ok = ok && (cg->residual = mn_arena_array_zero(arena, double, n)) &&
         (cg->direction = mn_arena_array_zero(arena, double, n));
    ok = ok && (cg->product = mn_arena_array_zero(arena, double, n)) &&
         (cg->dot = mn_arena_array(arena, double, mn_row_blocks(cg->l)));
    return ok ? MN_OK : MN_ERR_MEMORY;
}

static mn_status run(mn_viscosity_matrix *m, mn_arena *arena, mn_solve_report *report)
{
    cg_job cg = { .m = m, .l = &m->level[0], .scale = 1.0 };
    MN_TRY(mn_viscosity_weights(m, arena));
    MN_TRY(mn_viscosity_levels(m, arena));
    MN_TRY(take(&cg, arena));
    loop(&cg, read_rows);
    loop(&cg, momentum_rows);
    const double momentum = sqrt(sum_blocks(&cg)), stress = true_residual(&cg);
    // A wall alone may move liquid at rest: then its own pull is the scale. Not below what single precision can carry.
    cg.scale = fmax(momentum, stress);
    if (cg.scale < DBL_MIN) {
        report->outcome = MN_SOLVE_NOTHING;
        return MN_OK;
    }
    if (!isfinite(momentum) || !isfinite(stress)) {
        report->outcome        = MN_SOLVE_NOT_FINITE;
        report->residual_first = report->residual_last = cg.scale;
        return MN_OK;
    }
    report->outcome = solve(&cg, report);
    if (report->outcome != MN_SOLVE_NOT_FINITE) loop(&cg, write_rows);
    return MN_OK;
}

mn_status mn_liquid_viscosity(mn_liquid *q, const mn_step *step, mn_solve_report *report)
{
    *report = (mn_solve_report){ .outcome = MN_SOLVE_NOTHING };
    if (q->model.material.viscosity == 0.0) return MN_OK;
    const double        dx     = q->model.grid.cell;
    mn_viscosity_matrix m      = { .q      = q,
                                   .solids = step->solids,
                                   .k = step->dt * q->model.material.viscosity / (q->model.material.density * dx * dx) };
    const mn_arena_mark mark   = mn_arena_begin(step->arena);
    const mn_status     status = run(&m, step->arena, report);
    mn_arena_end(step->arena, mark);
    return status;
}
