// SPDX-License-Identifier: MPL-2.0
// couple/mixture_coupled.c - one solve for the velocities of the phases and the pressure of the liquid in them
// (mixture-solve 7).
//
// The start has the forces in the phases go on as in the last two steps, and the pressure that the surrogate then asks
// for: none is kept, as the cells of the liquid are other cells in every step. The drag is foreseen face by face; where
// a rough solve misses the law by more than a tenth in sum, one step of Newton corrects it before the rest is solved.
//
// Differs from mixture-solve 5: both rows are solved together only as far as the phases are asked for. The divergence
// that is left then is taken out by the V-cycles alone, with the diagonal answer of the phases that is in the
// surrogate: products with A are where the time goes, and this needs none.
#include "couple/mixture_coupled.h"
#include "couple/mixture_drag.h"
#include "couple/mixture_private.h"

#include "base/pool.h"
#include "liquid/project.h"

#include <string.h>

#define RESTART 60
/// Mismatch of the drag, in sum, above which it is corrected (mixture-solve 4).
#define MISMATCH 0.1
/// How far the drag is looked at, in tolerances.
#define ROUGHLY 30.0
/// Turns of taking out the divergence and making up the momentum.
#define POLISHES 3
/// Share of the divergence that the start leaves.
#define START_DIVERGENCE 0.2
/// Least divergence that residuals are measured against, in fluxes: what cancels further than this is rounding.
#define LEAST_DIVERGENCE 1e-4

typedef struct coupled_solve {
    mn_coupled         x;
    const mn_step     *step;
    double            *u_f, *impulse;   ///< of the liquid and of the drag: values per face
    double            *load;            ///< of the forces and touches of the phases, a vector
    double            *out;             ///< room for a vector
    double            *rest;            ///< room for a vector of the system
    double            *correction;      ///< of the pressure
    double             size_u, size_p;  ///< what residuals of the two blocks are measured against
    bool               ready;           ///< coefficients and preconditioner stand
    bool               corrected;
    bool               known;  ///< x.left is the residual at x.x
    mn_mixture_report *report;
} coupled_solve;

// --- start, drag and what residuals are measured against ---

static void start_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    coupled_solve    *s = context;
    const mn_mixture *m = s->x.m;
    for (int k = 0; k < m->phases; k++)
        for (int64_t i = begin; i < end; i++)
            s->x.x[k * m->stride + i] = m->phase[k].momentum[i] * mn_inverse_mass(m->phase[k].mass[i]);
    for (int64_t i = begin; i < end; i++) s->u_f[i] = m->liquid_impulse[i] * mn_inverse_mass(m->liquid_mass[i]);
}

/// Inertia of the phases at each face with their stiffness, in `out`, and their velocities without drag, in product.
static void foresee_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    coupled_solve    *s = context;
    const mn_mixture *m = s->x.m;
    for (int k = 0; k < m->phases; k++)
        for (int64_t i = begin; i < end; i++) {
            const int64_t at     = k * m->stride + i;
            s->out[at]           = m->phase[k].mass[i] + s->x.pre.stiffness[at];
            s->x.pre.product[at] = s->x.x[at] + (s->load[at] + m->solid_suction[at]) * mn_inverse_mass(s->out[at]);
        }
}

static mn_status foresee_drag(coupled_solve *s)
{
    MN_TRY(mn_coupled_find_stiffness(&s->x, s->step->arena));
    mn_parallel_for(s->x.pool, s->x.m->count, MN_BLOCK, foresee_faces, s);
    return mn_mixture_drag_predict(s->x.m, s->step->arena, s->u_f, s->x.pre.product, s->out);
}

static double square_of_faces(int64_t begin, int64_t end, void *context)
{
    const coupled_solve *s   = context;
    const mn_mixture    *m   = s->x.m;
    double               sum = 0.0;
    for (int k = 0; k < m->phases; k++)
        for (int64_t i = begin; i < end; i++) {
            const int64_t at = k * m->stride + i;
            if (m->phase[k].given != NULL && m->phase[k].given[i]) continue;  // their momentum would be all there is
            sum += s->out[at] * s->out[at] * mn_inverse_mass(s->x.rows.inertia[at]);
        }
    return sum;
}

static double square_of_cells(int64_t begin, int64_t end, void *context)
{
    const coupled_solve *s    = context;
    const double        *rest = s->rest + s->x.pressure_at;
    double               sum  = 0.0;
    for (int64_t i = begin; i < end; i++) sum += rest[i] * rest[i];
    return sum;
}

static void subtract_from_rhs(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    coupled_solve *s = context;
    for (int64_t i = begin; i < end; i++) s->rest[i] = s->x.rhs[i] - s->rest[i];
}

static double norm_of_faces(coupled_solve *s, const double *v)
{
    memcpy(s->out, v, (size_t)s->x.pressure_at * sizeof *v);
    return sqrt(mn_parallel_sum(s->x.pool, s->x.m->count, square_of_faces, s));
}

static double norm_of_cells(coupled_solve *s)
{
    return sqrt(mn_parallel_sum(s->x.pool, s->x.cells, square_of_cells, s));
}

/// Residual of the cells, in `rest`: the divergence, times rho v cell.
static void residual_of_cells(coupled_solve *s)
{
    mn_coupled *x = &s->x;
    memset(s->rest, 0, (size_t)x->pressure_at * sizeof *s->rest);
    mn_coupled_rows_of_cells(x, x->x, x->x + x->pressure_at, s->rest + x->pressure_at);
    mn_parallel_for(x->pool, x->count, MN_BLOCK, subtract_from_rhs, s);
}

static void weigh(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    coupled_solve       *s      = context;
    const mn_solver_def *solver = &s->x.m->liquid->model.solver;
    const mn_coupled    *x      = &s->x;
    const double         u      = 1.0 / (solver->solid_tolerance * s->size_u);
    const double         p      = 1.0 / (fmax(solver->pressure_tolerance, solver->solid_tolerance) * s->size_p);
    for (int64_t i = begin; i < end; i++)
        x->weight[i] = i < x->pressure_at                           ? u * u * mn_inverse_mass(x->rows.inertia[i])
                       : x->m->liquid->grid.wet[i - x->pressure_at] ? p * p
                                                                    : 0.0;
}

static double square_of_flux(int64_t begin, int64_t end, void *context)
{
    const coupled_solve *s   = context;
    const uint8_t       *wet = s->x.m->liquid->grid.wet;
    double               sum = 0.0;
    for (int a = 0; a < 3; a++)
        for (int64_t i = begin; i < end; i++) sum += wet[i] ? s->x.rows.flux[a][i] * s->x.rows.flux[a][i] : 0.0;
    return sum;
}

/// Of the flux that was set last, over the liquid cells.
static double norm_of_flux(coupled_solve *s) { return sqrt(mn_parallel_sum(s->x.pool, s->x.cells, square_of_flux, s)); }

/// Blocks are measured against the impulse of the phases and the divergence before, if that is more than the rounding
/// of the fluxes that make it (liquid and phases that move as one have none); where there is nothing at all, against 1.
static void measure(coupled_solve *s)
{
    s->size_u           = norm_of_faces(s, s->x.rhs);
    const double liquid = norm_of_flux(s);  // of the right-hand side
    residual_of_cells(s);
    const double solid = norm_of_flux(s);
    s->size_p          = fmax(norm_of_cells(s), LEAST_DIVERGENCE * (liquid + solid));
    if (!(s->size_u > 0.0)) s->size_u = 1.0;
    if (!(s->size_p > 0.0)) s->size_p = 1.0;
    mn_parallel_for(s->x.pool, s->x.count, MN_BLOCK, weigh, s);
}

/// The answer of the phases to a pressure alone, as the surrogate has it.
static void answer_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    coupled_solve    *s = context;
    const mn_mixture *m = s->x.m;
    double           *z = s->x.pre.direction;
    for (int64_t i = begin; i < end; i++) mn_coupled_answer(&s->x, &s->x.pre.answer, i, s->out, z);
    for (int k = 0; k < m->phases; k++)
        for (int64_t i = k * m->stride + begin; i < k * m->stride + end; i++) s->x.x[i] -= z[i];
}

static void answer_cells(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    coupled_solve *s = context;
    double        *p = s->x.x + s->x.pressure_at;
    for (int64_t i = begin; i < end; i++) p[i] += s->correction[i];
}

static void scale_cells(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    coupled_solve *s    = context;
    double        *rest = s->rest + s->x.pressure_at;
    for (int64_t i = begin; i < end; i++) rest[i] *= -1.0 / s->x.unit;
}

/// Take the divergence in `rest` out with the surrogate alone, to this share of it.
static mn_status take_out_divergence(coupled_solve *s, double share)
{
    mn_coupled     *x = &s->x;
    mn_solve_report found;
    mn_parallel_for(x->pool, x->cells, MN_BLOCK, scale_cells, s);
    memset(s->correction, 0, (size_t)x->cells * sizeof *s->correction);
    MN_TRY(mn_multigrid_solve(x->m->liquid->multigrid, s->rest + x->pressure_at, s->correction, share,
                              x->m->liquid->model.solver.pressure_iterations, &found));
    x->cycles += found.iterations;
    if (found.outcome < 0) s->report->pressure.outcome = found.outcome;
    mn_coupled_gradient(x, s->correction, s->out);
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, answer_faces, s);
    mn_parallel_for(x->pool, x->cells, MN_BLOCK, answer_cells, s);
    return MN_OK;
}

/// Velocity of faces that get the forces in `out` besides everything else, without pressure.
static void driven_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    coupled_solve    *s = context;
    const mn_mixture *m = s->x.m;
    for (int k = 0; k < m->phases; k++)
        for (int64_t i = k * m->stride + begin; i < k * m->stride + end; i++)
            s->x.x[i] = (s->x.rhs[i] - s->load[i] + s->out[i]) * mn_inverse_mass(s->x.rows.inertia[i]);
}

/// Where the solve starts: forces that go on as they did, and the pressure that takes out the divergence they leave.
static mn_status foresee_start(coupled_solve *s)
{
    mn_coupled       *x        = &s->x;
    const mn_mixture *m        = x->m;
    bool              foreseen = true;
    for (int k = 0; k < m->phases; k++)
        foreseen = m->phase[k].answers->foresee(m->phase[k].matter, s->out + k * m->stride) && foreseen;
    if (!foreseen) return MN_OK;
    mn_parallel_for(x->pool, m->count, MN_BLOCK, driven_faces, s);
    residual_of_cells(s);
    return take_out_divergence(s, START_DIVERGENCE);
}

// --- one solve ---

static void drag_impulse_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    coupled_solve    *s = context;
    const mn_coupled *x = &s->x;
    const mn_mixture *m = x->m;
    const double     *p = x->x + x->pressure_at, rho = m->liquid->model.material.density;
    // From the row of the liquid: c (u_f - u_s) has no digits left where c is large (trap 2).
    for (int64_t i = begin; i < end; i++)
        s->impulse[i] = m->liquid_impulse[i] - rho * m->liquid_volume[i] * (p[m->place[i]] - p[x->rows.low[i]]) -
                        m->liquid_mass[i] * s->u_f[i];
}

static mn_status solve_system(coupled_solve *s, double ease)
{
    mn_coupled             *x = &s->x;
    mn_solve_report         found;
    const mn_fgmres_problem problem = { .count        = x->count,
                                        .weight       = x->weight,
                                        .precondition = mn_coupled_precondition,
                                        .apply        = mn_coupled_apply,
                                        .context      = x,
                                        .residual     = x->left,
                                        .known        = s->known,
                                        .restart      = RESTART,
                                        .iterations   = x->m->liquid->model.solver.pressure_iterations };
    mn_multigrid_remove_means(x->m->liquid->multigrid, x->rhs + x->pressure_at, NULL);
    x->most = x->products + x->m->liquid->model.solver.solid_iterations;
    MN_TRY(mn_fgmres_solve(x->m->liquid->context, s->step->arena, &problem, x->rhs, x->x, ease, &found));
    s->known                    = true;
    s->report->pressure.outcome = s->report->solid.outcome = found.outcome;
    mn_coupled_liquid_velocity(x, x->x, x->x + x->pressure_at, s->u_f);
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, drag_impulse_faces, s);
    return mn_mixture_drag_mismatch(x->m, s->step->arena, s->u_f, x->x, s->impulse, &s->report->mismatch);
}

static mn_status prepare_pass(coupled_solve *s)
{
    if (!s->ready) {
        mn_parallel_for(s->x.pool, s->x.m->count, MN_BLOCK, start_faces, s);
        MN_TRY(foresee_drag(s));
        mn_coupled_assemble(&s->x);
        MN_TRY(mn_coupled_precondition_setup(&s->x, s->step->arena));
    }
    mn_coupled_right_side(&s->x, s->load);
    if (s->ready) return MN_OK;
    s->report->pressure.pocket_mean = mn_multigrid_remove_means(s->x.m->liquid->multigrid, s->x.rhs + s->x.pressure_at,
                                                                &s->report->pressure.pockets) /
                                      s->x.unit;
    measure(s);
    s->ready = true;
    return foresee_start(s);
}

/// Impulses on the phases: all but what their inertia and their stiffness answer.
static void without_pressure(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    coupled_solve    *s = context;
    const mn_coupled *x = &s->x;
    const mn_mixture *m = x->m;
    for (int k = 0; k < m->phases; k++)
        for (int64_t i = begin; i < end; i++)
            s->out[k * m->stride + i] = x->rhs[k * m->stride + i] - s->out[k * m->stride + i] +
                                        mn_coupled_from_others(x, k, i, x->x);
}

/// Momentum to rounding, by a common velocity along which A is known (trap 9).
static void keep_momentum(coupled_solve *s)
{
    const mn_mixture *m = s->x.m;
    mn_coupled_gradient(&s->x, s->x.x + s->x.pressure_at, s->out);
    mn_parallel_for(s->x.pool, m->count, MN_BLOCK, without_pressure, s);
    for (int k = 0; k < m->phases; k++)
        m->phase[k].answers->keep_momentum(m->phase[k].matter, s->out + k * m->stride, s->x.x + k * m->stride);
}

/// Take out the divergence that is left, and the momentum that is missing, in turns: either hardly disturbs the other.
static mn_status polish(coupled_solve *s, double ease)
{
    mn_coupled          *x      = &s->x;
    const mn_solver_def *solver = &x->m->liquid->model.solver;
    for (int k = 0; k < POLISHES; k++) {
        keep_momentum(s);
        residual_of_cells(s);
        const double left = norm_of_cells(s), goal = ease * solver->pressure_tolerance * s->size_p;
        if (left <= goal) return MN_OK;
        MN_TRY(take_out_divergence(s, fmin(0.5, goal / left)));
    }
    return MN_OK;
}

/// What inertia, drag and pressure make of the row of a phase at a face; B p is in `out`.
static double known_part(const coupled_solve *s, int phase, int64_t i)
{
    const mn_coupled *x  = &s->x;
    const int64_t     at = phase * x->m->stride + i;
    return x->rows.inertia[at] * x->x[at] - mn_coupled_from_others(x, phase, i, x->x);
}

/// W^T (h^2 H + P) W u from the residual, in product; and the residual from that, once the coefficients have changed.
static void elastic_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const coupled_solve *s = context;
    const mn_coupled    *x = &s->x;
    for (int k = 0; k < x->m->phases; k++)
        for (int64_t i = begin; i < end; i++) {
            const int64_t at   = k * x->m->stride + i;
            x->pre.product[at] = x->rhs[at] - x->left[at] - known_part(s, k, i) - s->out[at];
        }
}

static void left_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const coupled_solve *s = context;
    const mn_coupled    *x = &s->x;
    for (int k = 0; k < x->m->phases; k++)
        for (int64_t i = begin; i < end; i++) {
            const int64_t at = k * x->m->stride + i;
            x->left[at]      = x->rhs[at] - x->pre.product[at] - known_part(s, k, i) - s->out[at];
        }
}

/// One step of Newton for the drag. What it changes are diagonals, so that the residual is known without a product.
static mn_status correct_drag(coupled_solve *s)
{
    mn_coupled   *x = &s->x;
    const double *p = x->x + x->pressure_at;
    mn_coupled_gradient(x, p, s->out);
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, elastic_faces, s);
    MN_TRY(mn_mixture_drag_linearise(x->m, s->step->arena, s->u_f, x->x, x->rows.shift));
    mn_coupled_assemble(x);
    MN_TRY(mn_coupled_precondition_setup(x, s->step->arena));
    mn_coupled_right_side(x, s->load);
    mn_multigrid_remove_means(x->m->liquid->multigrid, x->rhs + x->pressure_at, NULL);
    mn_coupled_gradient(x, p, s->out);
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, left_faces, s);
    residual_of_cells(s);
    memcpy(x->left + x->pressure_at, s->rest + x->pressure_at, (size_t)x->cells * sizeof *x->left);
    s->corrected = true;
    return MN_OK;
}

/// A rough pass serves the drag and the friction at once, and its divergence is nobody's concern: those behind it go
/// on.
static mn_status solve_once(double ease, void *context, bool *usable)
{
    coupled_solve *s      = context;
    mn_mixture    *m      = s->x.m;
    bool           enough = false;
    s->known              = false;
    for (int k = 0; k < m->phases; k++) m->phase[k].answers->load(m->phase[k].matter, s->load + k * m->stride);
    MN_TRY(prepare_pass(s));
    if (!s->corrected) {
        MN_TRY(solve_system(s, fmax(ease, ROUGHLY)));
        if (s->report->mismatch > MISMATCH && s->report->pressure.outcome > 0) MN_TRY(correct_drag(s));
        enough = ease > 1.0;
    }
    if (!enough) MN_TRY(solve_system(s, ease));
    *usable = s->report->pressure.outcome > 0;
    if (ease > 1.0) {
        for (int k = 0; k < m->phases; k++) m->phase[k].answers->collect(m->phase[k].matter, s->x.x + k * m->stride);
        return MN_OK;
    }
    MN_TRY(polish(s, ease));
    keep_momentum(s);
    *usable = s->report->pressure.outcome > 0;
    return MN_OK;
}

// --- what the solve leaves to the stages behind ---

static void liquid_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_liquid         *q = ((coupled_solve *)context)->x.m->liquid;
    mn_liquid_scratch *g = &q->grid;
    mn_liquid_face_gradient(q, begin, end, g->pressure, -1.0, g->velocity, true);
    mn_liquid_known_faces(q, begin, end);
}

/// The faces of the phases take (M2), those of spray as well: what changes there is the kick that it gets.
static void liquid_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const coupled_solve *s = context;
    const mn_mixture    *m = s->x.m;
    for (int64_t i = begin; i < end; i++)
        if (m->liquid_mass[i] > 0.0) m->liquid->grid.velocity[mn_mixture_axis(m, i)][m->place[i]] = s->u_f[i];
}

static void closed_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_liquid_scratch *g = &((coupled_solve *)context)->x.m->liquid->grid;
    for (int a = 0; a < 3; a++)
        for (int64_t i = begin * g->tiles.cells; i < end * g->tiles.cells; i++)
            if (g->known[a][i] && g->solid.open[a][i] == 0.0f)
                g->velocity[a][i] = mn_solid_face_velocity(&g->solid, a, i);
}

static double largest_of_cells(int64_t begin, int64_t end, void *context)
{
    const coupled_solve *s    = context;
    double               most = 0.0;
    for (int64_t i = begin; i < end; i++) most = fmax(most, fabs(s->rest[s->x.pressure_at + i]));
    return most;
}

/// Residuals of both blocks as they are in the end.
static mn_status report_residuals(coupled_solve *s)
{
    mn_coupled        *x = &s->x;
    mn_mixture_report *r = s->report;
    MN_TRY(mn_coupled_apply(x->x, s->rest, x));
    mn_parallel_for(x->pool, x->count, MN_BLOCK, subtract_from_rhs, s);
    r->divergence = mn_parallel_max(x->pool, x->cells, largest_of_cells, s) / (x->unit * x->m->liquid->model.grid.cell);
    r->divergence_share       = norm_of_cells(s) / s->size_p;
    r->pressure.residual_last = r->divergence_share;
    r->solid.residual_last    = norm_of_faces(s, s->rest) / s->size_u;
    return MN_OK;
}

static mn_status finish(coupled_solve *s, double *u)
{
    mn_coupled   *x     = &s->x;
    const int64_t tiles = x->m->liquid->grid.tiles.count;
    memcpy(u, x->x, (size_t)x->pressure_at * sizeof(double));
    memcpy(x->m->liquid->grid.pressure, x->x + x->pressure_at, (size_t)x->cells * sizeof(double));
    mn_coupled_liquid_velocity(x, x->x, x->x + x->pressure_at, s->u_f);
    mn_parallel_for(x->pool, tiles, 4, liquid_tiles, s);
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, liquid_faces, s);
    mn_parallel_for(x->pool, tiles, 4, closed_tiles, s);
    MN_TRY(report_residuals(s));
    s->report->pressure.iterations = s->report->cycles = (int)x->cycles;
    s->report->solid.iterations = s->report->products = (int)x->products;
    return MN_OK;
}

static mn_status solve(coupled_solve *s, mn_mixture *m, double *u)
{
    mn_arena *arena = s->step->arena;
    MN_TRY(mn_coupled_prepare(m, s->step, &s->x));
    s->u_f        = mn_point_faces_array(arena, m->faces);
    s->impulse    = mn_point_faces_array(arena, m->faces);
    s->load       = mn_mixture_vector(arena, m);
    s->out        = mn_mixture_vector(arena, m);
    s->rest       = mn_arena_array(arena, double, s->x.count);
    s->correction = mn_arena_array(arena, double, s->x.cells);
    if (s->correction == NULL || s->u_f == NULL || s->impulse == NULL || s->load == NULL || s->out == NULL ||
        s->rest == NULL)
        return MN_ERR_MEMORY;
    MN_TRY(mn_mixture_settle(m, solve_once, s));
    MN_TRY(finish(s, u));
    mn_mixture_keep(m);
    return MN_OK;
}

mn_status mn_mixture_solve_coupled(mn_mixture *m, const mn_step *step, mn_mixture_report *report)
{
    double       *u;
    coupled_solve s = { .step = step, .report = report };
    *report         = (mn_mixture_report){ .coupled = true };
    if (m->liquid->grid.terms.count > 0 || m->liquid->grid.terms.jumps > 0)
        return mn_fail(m->liquid->context, MN_ERR_STATE,
                       "the coupled solve of liquid and fabric does not know what else is in the pressure; "
                       "use solver.mixture: split");
    MN_TRY(mn_mixture_take_velocities(m, step->arena, &u));
    mn_liquid_lend_particles(m->liquid, step->arena);
    const mn_arena_mark mark   = mn_arena_begin(step->arena);
    const mn_status     status = solve(&s, m, u);
    mn_arena_end(step->arena, mark);
    mn_arena_take_back(step->arena);
    return status;
}
