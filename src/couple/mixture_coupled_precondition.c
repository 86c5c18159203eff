// SPDX-License-Identifier: MPL-2.0
// couple/mixture_coupled_precondition.c - the right block-triangular preconditioner of the coupled system
// (mixture-solve 5):
//
//     z_p = - V-cycle(r_p),  z_u = loose conjugate gradients on A z_u = r_u - B z_p.
//
// What the inner solve leaves of its residual says what A z_u is, so that K z costs no product of its own.
#include "couple/mixture_coupled.h"

#include "base/pool.h"

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
        for (int64_t i = begin * cells; i < end * cells; i++) x->surrogate[a][i] = x->m->liquid->grid.coefficient[a][i];
}

/// A sheet moves freely along its normal and hardly in its plane: N_aa says how much of which answers the pressure.
static void surrogate_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_coupled *x = context;
    for (int64_t i = begin; i < end; i++) {
        x->answer[i] = x->m->normal[i] * mn_inverse_mass(x->inertia[i]) +
                       (1.0 - x->m->normal[i]) * mn_inverse_mass(x->inertia[i] + x->stiffness[i]);
        if (x->m->place[i] == 0) continue;
        x->surrogate[mn_coupled_axis(x, i)][x->m->place[i]] = (float)((x->response[i] +
                                                                       x->coupling[i] * x->coupling[i] * x->answer[i]) /
                                                                      x->unit);
    }
}

static double stiffest(int64_t begin, int64_t end, void *context)
{
    const mn_coupled *x    = context;
    double            most = 1.0;
    for (int64_t i = begin; i < end; i++) most = fmax(most, x->stiffness[i] * mn_inverse_mass(x->inertia[i]));
    return most;
}

static void smoother_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_coupled *x = context;
    for (int64_t i = begin; i < end; i++)
        x->smoother[i] = x->inertia[i] > 0.0 ? 1.0 / (x->inertia[i] + x->alpha * x->stiffness[i]) : 0.0;
}

mn_status mn_coupled_find_stiffness(mn_coupled *x, mn_arena *arena)
{
    return mn_fabric_operator_diagonal(&x->op, arena, x->stiffness);
}

mn_status mn_coupled_precondition_setup(mn_coupled *x, mn_arena *arena)
{
    mn_liquid               *q      = x->m->liquid;
    const mn_pressure_system system = { .tiles   = &q->grid.tiles,
                                        .b       = { x->surrogate[0], x->surrogate[1], x->surrogate[2] },
                                        .unknown = q->grid.wet };
    x->alpha                        = fmin(1.0, STIFFNESS_SEEN / mn_parallel_max(x->pool, x->m->count, stiffest, x));
    x->inner                        = INNER_TOLERANCE;
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, smoother_faces, x);
    mn_parallel_for(x->pool, q->grid.tiles.count, 4, surrogate_tiles, x);
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, surrogate_faces, x);
    return mn_multigrid_setup(q->multigrid, &system, arena);
}

// --- conjugate gradients (solve/cg.h) on A, from zero; sizes are r.z ---

static double begin_inner(int64_t begin, int64_t end, void *context)
{
    const mn_coupled *x   = context;
    double            sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        x->residual[i]  = x->from[i] - x->residual[i];  // r_u - B z_p
        x->direction[i] = x->smoother[i] * x->residual[i];
        x->to[i]        = 0.0;
        sum += x->residual[i] * x->direction[i];
    }
    return sum;
}

static double finish_product(int64_t begin, int64_t end, void *context)
{
    const mn_coupled *x   = context;
    double            sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        x->product[i] += x->inertia[i] * x->direction[i];
        sum += x->product[i] * x->direction[i];
    }
    return sum;
}

static double advance_inner(int64_t begin, int64_t end, void *context)
{
    const mn_coupled *x   = context;
    double            sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        x->to[i] += x->alpha * x->direction[i];
        x->residual[i] -= x->alpha * x->product[i];
        sum += x->residual[i] * x->residual[i] * x->smoother[i];
    }
    return sum;
}

static void turn_inner(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_coupled *x = context;
    for (int64_t i = begin; i < end; i++) x->direction[i] = x->smoother[i] * x->residual[i] + x->beta * x->direction[i];
}

static double direct_inner(void *self, bool first, double beta)
{
    mn_coupled *x = self;
    x->beta       = beta;
    if (!first) mn_parallel_for(x->pool, x->m->count, MN_BLOCK, turn_inner, x);
    mn_fabric_operator_multiply(&x->op, x->direction, x->product);
    x->products++;
    return mn_parallel_sum(x->pool, x->m->count, finish_product, x);
}

static double step_inner(void *self, double alpha)
{
    mn_coupled *x = self;
    x->alpha      = alpha;
    return mn_parallel_sum(x->pool, x->m->count, advance_inner, x);
}

/// A z = from - residual, loosely; what is left of it stays in `residual`. However it ends, that is a preconditioner.
static void solve_inner(mn_coupled *x, const double *from, double *z)
{
    x->from                 = from;
    x->to                   = z;
    const double     size   = mn_parallel_sum(x->pool, x->m->count, begin_inner, x);
    const int64_t    left   = x->most - x->products;
    const mn_cg      cg     = { .self = x, .direct = direct_inner, .advance = step_inner };
    const mn_cg_stop stop   = { .tolerance  = x->inner * x->inner * size,
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
    for (int64_t i = begin; i < end; i++) x->to[i] = x->from[i] - x->residual[i];
}

mn_status mn_coupled_precondition(const double *r, double *z, double *kz, void *coupled)
{
    mn_coupled   *x   = coupled;
    mn_multigrid *mg  = x->m->liquid->multigrid;
    double       *z_p = z + x->pressure_at, *kz_p = kz + x->pressure_at;
    scaling       s = { .from = r + x->pressure_at, .to = kz_p, .factor = -1.0 / x->unit };
    mn_parallel_for(x->pool, x->cells, MN_BLOCK, scale_range, &s);
    MN_TRY(mn_multigrid_cycle(mg, kz_p, z_p));
    mn_multigrid_remove_means(mg, z_p, NULL);
    x->cycles++;

    mn_coupled_gradient(x, z_p, x->residual);
    solve_inner(x, r, z);
    x->from = r;
    x->to   = kz;
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, known_product, x);
    for (int64_t i = x->m->count; i < x->pressure_at; i++) z[i] = kz[i] = 0.0;
    mn_coupled_rows_of_cells(x, z, z_p, kz_p);
    return MN_OK;
}
