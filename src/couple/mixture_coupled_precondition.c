// SPDX-License-Identifier: MPL-2.0
// couple/mixture_coupled_precondition.c - the right block-triangular preconditioner of the coupled system
// (mixture-solve 5):
//
//     z_p = - V-cycle(r_p),  z_u = loose conjugate gradients on A z_u = r_u - B z_p.
//
// What the inner solve leaves of its residual says what A z_u is, so that K z costs no product of its own.
#include "couple/mixture_coupled.h"

#include "base/pool.h"
#include "solve/cg.h"

#include <string.h>

/// Residual that the inner solves leave, as a share in the norm of their Jacobi. Looser than mixture-solve 5 has it:
/// where an inner solve also brings its product, a further outer iteration costs no more than the V-cycle.
#define INNER_TOLERANCE 0.5
/// Products of one inner solve, at most.
#define INNER_MOST 200
/// Most that the Jacobi adds to D_s, in units of it (mixture-solve 5).
#define STIFFNESS_SEEN 10.0

static void surrogate_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_coupled *x     = context;
    const int64_t     cells = x->m->liquid->grid.tiles.cells;
    for (int a = 0; a < 3; a++)
        for (int64_t i = begin * cells; i < end * cells; i++)
            x->pre.surrogate[a][i] = x->m->liquid->grid.coefficient[a][i];
}

/// A sheet moves freely along its normal and hardly in its plane: N_aa says how much of which answers the pressure.
static double inverse_of_answer(const mn_coupled *x, int64_t at, double pivot)
{
    return x->m->normal[at] * mn_inverse_mass(pivot) +
           (1.0 - x->m->normal[at]) * mn_inverse_mass(pivot + x->pre.stiffness[at]);
}

static double inverse_of_smoother(const mn_coupled *x, int64_t at, double pivot)
{
    return pivot > 0.0 ? 1.0 / (pivot + x->pre.alpha * x->pre.stiffness[at]) : 0.0;
}

/// Factors at a face, phase by phase: to each the liquid is what it is with the earlier ones dragged along, and held by
/// the later ones. Its inertia then, without cancellation, is the pivot.
static void factor_face(const mn_coupled *x, int64_t i, mn_coupled_factors *f,
                        double (*inverse)(const mn_coupled *, int64_t, double))
{
    const mn_mixture *m      = x->m;
    double            liquid = m->liquid_mass[i];
    for (int k = 0; k < m->phases; k++) {
        const int64_t at   = k * m->stride + i;
        const double  drag = m->drag[at], mass = m->phase[k].mass[i];
        double        around = liquid;
        for (int j = k + 1; j < m->phases; j++) around += m->drag[j * m->stride + i];
        const double share = around + drag > 0.0 ? drag / (around + drag) : 0.0;
        f->inverse[at]     = inverse(x, at, mass + share * around);
        if (m->phases == 1) return;
        f->lift[at]      = share * f->inverse[at];
        const double own = f->inverse[at] > 0.0 ? fmax(mass, 1.0 / f->inverse[at] - share * around) : mass;
        liquid += drag > 0.0 ? drag / (own + drag) * own : 0.0;
    }
}

static void smoother_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_coupled *x = context;
    for (int64_t i = begin; i < end; i++) factor_face(x, i, &x->pre.smoother, inverse_of_smoother);
}

/// V~^T (answer of the phases) V~ of a face, times rho^2.
static double answer_to_pressure(const mn_coupled *x, int64_t i)
{
    const mn_mixture *m        = x->m;
    const double     *coupling = x->rows.coupling;
    if (m->phases == 1) return coupling[i] * coupling[i] * x->pre.answer.inverse[i];
    double sum = 0.0, *z = x->pre.direction;
    mn_coupled_answer(x, &x->pre.answer, i, coupling, z);
    for (int k = 0; k < m->phases; k++) sum += coupling[k * m->stride + i] * z[k * m->stride + i];
    return sum;
}

static void surrogate_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_coupled       *x = context;
    const mn_mixture *m = x->m;
    for (int64_t i = begin; i < end; i++) {
        factor_face(x, i, &x->pre.answer, inverse_of_answer);
        if (m->place[i] == 0) continue;
        x->pre.surrogate[mn_mixture_axis(m, i)][m->place[i]] = (float)((x->rows.response[i] +
                                                                        answer_to_pressure(x, i)) /
                                                                       x->unit);
    }
}

static double stiffest(int64_t begin, int64_t end, void *context)
{
    const mn_coupled *x    = context;
    const mn_mixture *m    = x->m;
    double            most = 1.0;
    for (int k = 0; k < m->phases; k++)
        for (int64_t i = k * m->stride + begin; i < k * m->stride + end; i++)
            most = fmax(most, x->pre.stiffness[i] * mn_inverse_mass(x->rows.inertia[i]));
    return most;
}

mn_status mn_coupled_find_stiffness(mn_coupled *x, mn_arena *arena)
{
    for (int k = 0; k < x->m->phases; k++) {
        const mn_phase *q = &x->m->phase[k];
        MN_TRY(q->answers->diagonal(q->matter, arena, x->pre.stiffness + k * x->m->stride));
    }
    return MN_OK;
}

mn_status mn_coupled_precondition_setup(mn_coupled *x, mn_arena *arena)
{
    mn_liquid               *q      = x->m->liquid;
    mn_coupled_inner        *pre    = &x->pre;
    const mn_pressure_system system = { .tiles   = &q->grid.tiles,
                                        .b       = { pre->surrogate[0], pre->surrogate[1], pre->surrogate[2] },
                                        .unknown = q->grid.wet };
    pre->alpha                      = fmin(1.0, STIFFNESS_SEEN / mn_parallel_max(x->pool, x->m->count, stiffest, x));
    pre->tolerance                  = INNER_TOLERANCE;
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, smoother_faces, x);
    mn_parallel_for(x->pool, q->grid.tiles.count, 4, surrogate_tiles, x);
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, surrogate_faces, x);
    return mn_multigrid_setup(q->multigrid, &system, arena);
}

// --- conjugate gradients (solve/cg.h) on A, from zero; sizes are r.z ---

/// Several phases at a face answer together: z = M r of a range of faces, in `together`. Sum of r z.
static double answer_together(const mn_coupled *x, int64_t begin, int64_t end)
{
    const mn_mixture       *m   = x->m;
    const mn_coupled_inner *pre = &x->pre;
    double                  sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        mn_coupled_answer(x, &pre->smoother, i, pre->residual, pre->together);
        for (int k = 0; k < m->phases; k++) sum += pre->residual[k * m->stride + i] * pre->together[k * m->stride + i];
    }
    return sum;
}

static void turn_inner(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_coupled       *x   = context;
    const mn_mixture       *m   = x->m;
    const mn_coupled_inner *pre = &x->pre;
    if (m->phases == 1)
        for (int64_t i = begin; i < end; i++)
            pre->direction[i] = pre->smoother.inverse[i] * pre->residual[i] + pre->beta * pre->direction[i];
    for (int k = 0; m->phases > 1 && k < m->phases; k++)
        for (int64_t i = k * m->stride + begin; i < k * m->stride + end; i++)
            pre->direction[i] = pre->together[i] + pre->beta * pre->direction[i];
}

static double begin_inner(int64_t begin, int64_t end, void *context)
{
    const mn_coupled       *x   = context;
    const mn_mixture       *m   = x->m;
    const mn_coupled_inner *pre = &x->pre;
    double                  sum = 0.0;
    for (int k = 0; k < m->phases; k++)
        for (int64_t i = k * m->stride + begin; i < k * m->stride + end; i++) {
            pre->residual[i]  = x->from[i] - pre->residual[i];  // r_u - B z_p
            pre->direction[i] = pre->smoother.inverse[i] * pre->residual[i];
            x->to[i]          = 0.0;
            sum += pre->residual[i] * pre->direction[i];
        }
    if (m->phases == 1) return sum;
    sum = answer_together(x, begin, end);
    for (int k = 0; k < m->phases; k++)
        memcpy(pre->direction + k * m->stride + begin, pre->together + k * m->stride + begin,
               (size_t)(end - begin) * sizeof *pre->direction);
    return sum;
}

static double finish_product(int64_t begin, int64_t end, void *context)
{
    const mn_coupled       *x   = context;
    const mn_mixture       *m   = x->m;
    const mn_coupled_inner *pre = &x->pre;
    double                  sum = 0.0;
    for (int k = 0; m->phases > 1 && k < m->phases; k++)
        for (int64_t i = begin; i < end; i++)
            pre->product[k * m->stride + i] -= mn_coupled_from_others(x, k, i, pre->direction);
    for (int k = 0; k < m->phases; k++)
        for (int64_t i = k * m->stride + begin; i < k * m->stride + end; i++) {
            pre->product[i] += x->rows.inertia[i] * pre->direction[i];
            sum += pre->product[i] * pre->direction[i];
        }
    return sum;
}

static double advance_inner(int64_t begin, int64_t end, void *context)
{
    const mn_coupled       *x   = context;
    const mn_mixture       *m   = x->m;
    const mn_coupled_inner *pre = &x->pre;
    double                  sum = 0.0;
    for (int k = 0; k < m->phases; k++)
        for (int64_t i = k * m->stride + begin; i < k * m->stride + end; i++) {
            x->to[i] += pre->alpha * pre->direction[i];
            pre->residual[i] -= pre->alpha * pre->product[i];
            sum += pre->residual[i] * pre->residual[i] * pre->smoother.inverse[i];
        }
    return m->phases == 1 ? sum : answer_together(x, begin, end);
}

static double direct_inner(void *self, bool first, double beta)
{
    mn_coupled *x = self;
    x->pre.beta   = beta;
    if (!first) mn_parallel_for(x->pool, x->m->count, MN_BLOCK, turn_inner, x);
    mn_coupled_multiply(x, x->pre.direction, x->pre.product);
    x->products++;
    return mn_parallel_sum(x->pool, x->m->count, finish_product, x);
}

static double step_inner(void *self, double alpha)
{
    mn_coupled *x = self;
    x->pre.alpha  = alpha;
    return mn_parallel_sum(x->pool, x->m->count, advance_inner, x);
}

/// A z = from - residual, loosely; what is left of it stays in `residual`. However it ends, that is a preconditioner.
static void solve_inner(mn_coupled *x, const double *from, double *z)
{
    x->from                 = from;
    x->to                   = z;
    const double     size   = mn_parallel_sum(x->pool, x->m->count, begin_inner, x);
    const int64_t    left   = x->most - x->products;
    const mn_cg      cg     = { .self = x, .direct = direct_inner, .advance = step_inner, .pool = x->pool };
    const mn_cg_stop stop   = { .tolerance  = x->pre.tolerance * x->pre.tolerance * size,
                                .margin     = 1.0,
                                .gain       = INFINITY,
                                .iterations = left < INNER_MOST ? (int)left : INNER_MOST };
    mn_solve_report  report = { 0 };
    (void)mn_cg_solve(&cg, size, &stop, &report);
}

// --- the preconditioner ---

typedef struct scaling {
    const double *from;
    double       *to, factor;
} scaling;

static void scale_range(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const scaling *s = context;
    for (int64_t i = begin; i < end; i++) s->to[i] = s->factor * s->from[i];
}

static void known_product(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_coupled *x = context;
    for (int k = 0; k < x->m->phases; k++)
        for (int64_t i = k * x->m->stride + begin; i < k * x->m->stride + end; i++)
            x->to[i] = x->from[i] - x->pre.residual[i];
}

mn_status mn_coupled_precondition(const double *r, double *z, double *kz, void *coupled)
{
    mn_coupled       *x   = coupled;
    const mn_mixture *m   = x->m;
    mn_multigrid     *mg  = m->liquid->multigrid;
    double           *z_p = z + x->pressure_at, *kz_p = kz + x->pressure_at;
    scaling           s = { .from = r + x->pressure_at, .to = kz_p, .factor = -1.0 / x->unit };
    mn_parallel_for(x->pool, x->cells, MN_BLOCK, scale_range, &s);
    MN_TRY(mn_multigrid_cycle(mg, kz_p, z_p));
    mn_multigrid_remove_means(mg, z_p, NULL);
    x->cycles++;

    mn_coupled_gradient(x, z_p, x->pre.residual);
    solve_inner(x, r, z);
    x->from = r;
    x->to   = kz;
    mn_parallel_for(x->pool, m->count, MN_BLOCK, known_product, x);
    for (int k = 0; k < m->phases; k++)
        for (int64_t i = k * m->stride + m->count; i < (k + 1) * m->stride; i++) z[i] = kz[i] = 0.0;
    mn_coupled_rows_of_cells(x, z, z_p, kz_p);
    return MN_OK;
}
