// SPDX-License-Identifier: MPL-2.0
// stain/diffuse.c - one implicit step: a sharp and a monotone solution, and as much of their difference as keeps
// densities in bounds.
//
// Fluxes of both solutions are formed per pair of vertices; the low ones are applied, the difference passes Zalesak's
// limiter several times (stain 5.5: one pass is far too diffusive). Without negative conductances the two are one, and
// nothing is limited.
#include "stain/diffuse.h"

#include "solve/direct.h"
#include "stain/matrix.h"

#include <string.h>

/// Above this stiffness, and up to this many vertices, two triangular solves are faster than iterations on two threads.
/// At 35 000 vertices, both solves and the limiter: 17 ms with factors (0.2 s to make them), 23, 54, 126, 386 ms of
/// processor time with iterations at stiffness 0.9, 9, 90, 900.
#define DIRECT_STIFFNESS 4.0
#define DIRECT_VERTICES  200000

struct mn_stain_diffusion {
    const mn_stain_operator *op;
    const double            *area;
    double                   h;
    mn_stain_diffusion_def   def;
    mn_direct               *factor[2];  ///< of the whole and of the monotone matrix; NULL: iterate
};

mn_stain_diffusion_def mn_stain_diffusion_def_default(void)
{
    return (mn_stain_diffusion_def){ .scheme         = MN_STAIN_POSITIVE,
                                     .solver         = MN_STAIN_AUTOMATIC,
                                     .passes         = 4,
                                     .tolerance      = 1e-10,
                                     .max_iterations = 4000 };
}

void mn_stain_diffusion_destroy(mn_stain_diffusion **diffusion)
{
    mn_stain_diffusion *d = *diffusion;
    if (d == NULL) return;
    for (int k = 0; k < 2; k++) mn_direct_destroy(&d->factor[k]);
    mn_free(d->op->context, d);
    *diffusion = NULL;
}

/// Lower half of M + h K by rows.
static mn_status factor(mn_stain_diffusion *d, const double *conductance, mn_direct **out)
{
    mn_context           *c      = d->op->context;
    const mn_stain_links *l      = &d->op->links;
    int32_t              *start  = mn_alloc_array(c, int32_t, l->vertex_count + 1);
    int32_t              *column = mn_alloc_array(c, int32_t, l->vertex_count + l->count);
    double               *value  = mn_alloc_array(c, double, l->vertex_count + l->count);
    mn_status             st     = start != NULL && column != NULL && value != NULL ? MN_OK : MN_ERR_MEMORY;
    int32_t               at     = 0;
    for (int32_t v = 0; st == MN_OK && v < l->vertex_count; v++) {
        double sum = 0.0;
        start[v]   = at;
        // Links are ordered by their smaller end, so those to smaller neighbours come in ascending order.
        for (int32_t i = l->start[v]; i < l->start[v + 1]; i++) {
            const double w = conductance[l->around[i] >> 1];
            sum += w;
            if (l->neighbour[i] < v) column[at] = l->neighbour[i], value[at++] = -d->h * w;
        }
        column[at] = v, value[at++] = d->area[v] + d->h * sum;
    }
    if (st == MN_OK) {
        start[l->vertex_count] = at;
        st                     = mn_direct_create(c, &(mn_direct_matrix){ l->vertex_count, start, column, value }, out);
    }
    mn_free(c, start);
    mn_free(c, column);
    mn_free(c, value);
    return st;
}

static bool wants_factor(const mn_stain_diffusion *d)
{
    if (d->def.solver != MN_STAIN_AUTOMATIC) return d->def.solver == MN_STAIN_DIRECT;
    return d->op->links.vertex_count <= DIRECT_VERTICES &&
           mn_stain_operator_stiffness(d->op, d->area, d->h) > DIRECT_STIFFNESS;
}

mn_status mn_stain_diffusion_create(const mn_stain_operator *op, const double *area, double h,
                                    const mn_stain_diffusion_def *def, mn_stain_diffusion **out)
{
    *out = NULL;
    if (!(h > 0.0) || def->passes < 0)
        return mn_fail(op->context, MN_ERR_ARGUMENT, "diffusion was asked for a step of %g s and %d limiter passes", h,
                       def->passes);
    mn_stain_diffusion *d = mn_alloc(op->context, sizeof *d);
    if (d == NULL) return MN_ERR_MEMORY;
    *d           = (mn_stain_diffusion){ .op = op, .area = area, .h = h, .def = *def };
    mn_status st = MN_OK;
    if (wants_factor(d)) {
        if (def->scheme != MN_STAIN_MONOTONE) st = factor(d, op->conductance, &d->factor[0]);
        if (st == MN_OK && def->scheme != MN_STAIN_GALERKIN && (op->negative > 0 || d->factor[0] == NULL))
            st = factor(d, op->low, &d->factor[1]);
    }
    if (st != MN_OK) mn_stain_diffusion_destroy(&d);
    *out = d;
    return st;
}

/// Solve with one of the matrices and form its flows; x is the start and the answer.
static mn_status solve(mn_stain_diffusion *d, bool low, const double *mass, double *x, double *flow, mn_arena *arena,
                       mn_stain_diffusion_report *report)
{
    mn_pool        *pool  = mn_context_pool(d->op->context);
    mn_stain_matrix m     = { .links       = &d->op->links,
                              .conductance = low ? d->op->low : d->op->conductance,
                              .capacity    = d->area,
                              .h           = d->h };
    double          floor = -HUGE_VAL;
    if (d->factor[low] != NULL) {
        MN_TRY(mn_direct_solve(d->factor[low], mass, x));
        report->direct = true;
    } else {
        mn_stain_solve_report solved;
        MN_TRY(mn_stain_matrix_prepare(pool, &m, arena));
        const mn_stain_system system = mn_stain_matrix_system(&m);
        MN_TRY(mn_stain_conjugate(pool, &system, mass, x, d->def.tolerance, d->def.max_iterations, arena, &solved));
        report->iterations += solved.iterations;
        report->converged = report->converged && solved.converged;
        report->residual  = fmax(report->residual, solved.residual);
        // Undershoots of the sharp solution belong to it, and are the limiter's business.
        if (low || (d->op->negative == 0 && d->def.scheme != MN_STAIN_GALERKIN))
            floor = d->def.tolerance * mn_stain_largest(pool, m.links->vertex_count, x);
    }
    mn_stain_matrix_flows(pool, &m, x, floor, flow);
    return MN_OK;
}

/// The limiter. Densities start from the monotone solution.
typedef struct limiter {
    const mn_stain_links *l;
    const double         *area, *before;
    double               *x;  ///< densities so far
    double               *least, *most;
    double               *gain, *give;      ///< share of what wants in or out that a vertex can take
    double               *wanted, *passed;  ///< per link: still rejected, and let through in the last pass
    double               *flow;
} limiter;

static void bounds_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const limiter *s = context;
    for (int64_t v = begin; v < end; v++) {
        double lo = fmin(s->x[v], s->before[v]), hi = fmax(s->x[v], s->before[v]);
        for (int32_t i = s->l->start[v]; i < s->l->start[v + 1]; i++) {
            const int32_t o = s->l->neighbour[i];
            lo              = fmin(lo, fmin(s->x[o], s->before[o]));
            hi              = fmax(hi, fmax(s->x[o], s->before[o]));
        }
        s->least[v] = fmax(lo, 0.0);
        s->most[v]  = hi;
    }
}

static void shares_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const limiter *s = context;
    for (int64_t v = begin; v < end; v++) {
        double in = 0.0, out = 0.0, came = 0.0;
        for (int32_t i = s->l->start[v]; i < s->l->start[v + 1]; i++) {
            const int32_t k    = s->l->around[i] >> 1;
            const double  sign = s->l->around[i] & 1 ? 1.0 : -1.0, gain = sign * s->wanted[k];
            came += sign * s->passed[k];
            in += gain > 0.0 ? gain : 0.0;
            out -= gain < 0.0 ? gain : 0.0;
        }
        s->x[v] += came / s->area[v];
        const double room  = s->area[v] * fmax(s->most[v] - s->x[v], 0.0),
                     stock = s->area[v] * fmax(s->x[v] - s->least[v], 0.0);
        s->gain[v]         = in > room ? room / in : 1.0;
        s->give[v]         = out > stock ? stock / out : 1.0;
    }
}

static void pass_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const limiter *s = context;
    for (int64_t k = begin; k < end; k++) {
        const int32_t *e   = s->l->end[k];
        const double   w   = s->wanted[k],
                     share = w > 0.0 ? fmin(s->give[e[0]], s->gain[e[1]]) : fmin(s->gain[e[0]], s->give[e[1]]);
        s->passed[k]       = share * w;
        s->wanted[k]       = w - s->passed[k];
        s->flow[k] += s->passed[k];
    }
}

static mn_status limit(mn_stain_diffusion *d, limiter *s, mn_arena *arena)
{
    const int64_t n    = s->l->vertex_count;
    mn_pool      *pool = mn_context_pool(d->op->context);
    s->least           = mn_arena_array(arena, double, n);
    s->most            = mn_arena_array(arena, double, n);
    s->gain            = mn_arena_array(arena, double, n);
    s->give            = mn_arena_array(arena, double, n);
    s->passed          = mn_arena_array_zero(arena, double, s->l->count);
    if (s->least == NULL || s->most == NULL || s->gain == NULL || s->give == NULL || s->passed == NULL)
        return MN_ERR_MEMORY;
    mn_parallel_for(pool, n, MN_STAIN_BLOCK, bounds_block, s);
    for (int pass = 0; pass < d->def.passes; pass++) {
        mn_parallel_for(pool, n, MN_STAIN_BLOCK, shares_block, s);
        mn_parallel_for(pool, s->l->count, 4 * MN_STAIN_BLOCK, pass_block, s);
    }
    return MN_OK;
}

/// Sharp flows where bounds allow them; `flow` holds the monotone ones on entry.
static mn_status correct(mn_stain_diffusion *d, const double *mass, const double *before, double *sharp, double *flow,
                         mn_arena *arena)
{
    const mn_stain_links *l = &d->op->links;
    limiter               s = { .l      = l,
                                .area   = d->area,
                                .before = before,
                                .flow   = flow,
                                .wanted = sharp,
                                .x      = mn_arena_array(arena, double, l->vertex_count) };
    if (s.x == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < l->count; k++) s.wanted[k] -= flow[k];
    for (int64_t v = 0; v < l->vertex_count; v++) s.x[v] = mass[v];
    mn_stain_gather(mn_context_pool(d->op->context), l, flow, s.x);
    for (int64_t v = 0; v < l->vertex_count; v++) s.x[v] /= d->area[v];
    return limit(d, &s, arena);
}

static mn_status step(mn_stain_diffusion *d, double *mass, double *flow, mn_arena *arena,
                      mn_stain_diffusion_report *report)
{
    const mn_stain_links *l      = &d->op->links;
    double               *before = mn_arena_array(arena, double, l->vertex_count),
           *x                    = mn_arena_array(arena, double, l->vertex_count);
    double *sharp                = mn_arena_array(arena, double, l->count);
    if (before == NULL || x == NULL || sharp == NULL) return MN_ERR_MEMORY;
    if (flow == NULL && (flow = mn_arena_array(arena, double, l->count)) == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < l->vertex_count; v++) before[v] = x[v] = mass[v] / d->area[v];
    if (d->def.scheme != MN_STAIN_MONOTONE) MN_TRY(solve(d, false, mass, x, flow, arena, report));
    if (d->def.scheme == MN_STAIN_GALERKIN) {
        mn_stain_gather(mn_context_pool(d->op->context), l, flow, mass);
        return MN_OK;
    }
    if (d->op->negative > 0 || d->def.scheme == MN_STAIN_MONOTONE) {
        if (d->def.scheme == MN_STAIN_POSITIVE) memcpy(sharp, flow, (size_t)l->count * sizeof *sharp);
        MN_TRY(solve(d, true, mass, x, flow, arena, report));
        if (d->def.scheme == MN_STAIN_POSITIVE) MN_TRY(correct(d, mass, before, sharp, flow, arena));
    }
    return mn_stain_move(mn_context_pool(d->op->context), l, flow, mass, arena);
}

mn_status mn_stain_diffuse(mn_stain_diffusion *d, double *mass, double *flow, mn_arena *arena,
                           mn_stain_diffusion_report *report)
{
    const mn_arena_mark mark = mn_arena_begin(arena);
    *report                  = (mn_stain_diffusion_report){ .converged = true };
    const mn_status st       = step(d, mass, flow, arena, report);
    mn_arena_end(arena, mark);
    return st;
}
