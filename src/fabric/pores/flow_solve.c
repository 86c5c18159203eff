// SPDX-License-Identifier: MPL-2.0
// fabric/pores/flow_solve.c - the flow through the fabric over one step, by Newton's method.
//
// Unknown: what each vertex holds at the end of the step. A link from i to j, i the one with the higher potential Psi,
// carries within dt
//     F = G m (Psi_i - Psi_j),    G = dt sum over its elements of K (1 - phi)^2 / C,    m the saturation that flows.
// With p the suction at j, Psi_i - Psi_j = p (S_i - S_j) + a splits into suction and the rest, and
//     S_i <  S_j           m = S_i                                   (the flow goes into the wetter one)
//     S_i >= S_j, a < 0    m = (S_i + S_j) / 2                       (suction against the rest)
//     S_i >= S_j, a >= 0   m = mean for the part of suction, S_i for the rest.
// F is continuous, grows with what i holds, falls with what j holds, is zero where i is dry and where Psi_i = Psi_j.
// The matrix of Newton's method is therefore an M-matrix whose columns add up to 1: the step has one solution, it is
// not negative, and its error is at most the sum of |residual|. Suction alone is second order in space, rest profiles
// are exact.
//
// The drag C follows the gradient of Psi in each element (E4.9) and is taken from the latest iterate. Links between
// obtuse angles have G < 0; their fluxes are taken from the latest iterate, too, and limited to what the vertex held
// before.
#include "fabric/pores/flow_private.h"

#include "base/pool.h"

/// Below this a vertex counts as dry.
#define DRY 1e-14
/// Sum of |residual| over what is held where Newton's method stops: a bound of the error of the step.
#define TOLERANCE 1e-10
/// Below this share nothing moves. Above it one solve is made in any case: fluxes of the state before the step alone
/// would be an explicit step, whose noise grows from step to step.
#define STILL      1e-14
#define NEWTON_MAX 60
/// Steps in a row that may fail to make the residual smaller.
#define PATIENCE 12

double mn_flow_sum(mn_flow *f, int64_t n, mn_range_fn *fn)
{
    mn_parallel_for(f->pool, n, MN_FLOW_BLOCK, fn, f);
    double sum = 0.0;
    for (int64_t b = 0; b * MN_FLOW_BLOCK < n; b++) sum += f->partial[b];
    return sum;
}

static void wet_vertices(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_flow *f = context;
    for (int64_t v = begin; v < end; v++) {
        const double s   = f->held[v] / f->pores[v];
        f->saturation[v] = s < DRY ? 0.0 : fmin(1.0, s);
        f->slope[v]      = s <= 1.0 ? 1.0 / f->pores[v] : 0.0;
        f->pull[v]       = f->suction[v] * f->saturation[v];
    }
}

static void step_links(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_flow *f = context;
    for (int64_t l = begin; l < end; l++) {
        const int32_t *v = f->links->end[l];
        f->step[l]       = f->pull[v[0]] - f->pull[v[1]] + f->drive[l];
    }
}

/// Drag of an element that has become wet: linear, and where it starts to grow. Without drag on faces liquid still
/// moves through the pores against the linear one.
static void wet_element(const mn_flow *f, int64_t i, const mn_pore_law *law)
{
    mn_pore_law resists = *law;
    if (law->law == MN_DRAG_OFF) resists.law = MN_DRAG_LINEAR;
    const mn_pore_drag drag = mn_pore_drag_along(&resists, 1.0 - f->open[i]);
    f->slow[i]              = f->open[i] * f->open[i] / drag.linear;
    f->offset[i] = drag.growth > 0.0 ? log(drag.growth / drag.linear) + law->exponent * log(f->open[i] / drag.linear)
                                     : 0.0;
}

static void move_elements(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_flow *f    = context;
    int64_t        like = -1;  // the last element that became wet
    for (int64_t i = begin; i < end; i++) {
        const mn_fabric_element *e     = &f->q->elements[i];
        const int                sides = e->vertex[2] < 0 ? 1 : 3;
        const mn_drag_table     *table = f->table[e->piece];
        double                   wet   = f->saturation[e->vertex[0]] + f->saturation[e->vertex[1]];
        if (sides == 3) wet += f->saturation[e->vertex[2]];
        f->mobility[i] = 0.0;
        if (!(wet > 0.0)) continue;
        if (!(f->slow[i] > 0.0)) {
            if (like >= 0 && f->open[like] == f->open[i] && f->q->elements[like].piece == e->piece)
                f->slow[i] = f->slow[like], f->offset[i] = f->offset[like];
            else wet_element(f, i, &f->law[e->piece]);
            like = i;
        }
        f->mobility[i] = f->slow[i];
        if (table == NULL) continue;
        double gradient2 = 0.0;  // |grad Psi|^2 V_e = sum over sides of K (Psi_i - Psi_j)^2
        for (int k = 0; k < sides; k++) {
            const double step = f->step[f->links->of_element[3 * i + k]];
            gradient2 += f->shape[i][k] * step * step;
        }
        if (gradient2 > 0.0)
            f->mobility[i] *= mn_drag_table_at(table,
                                               f->offset[i] + 0.5 * table->exponent * log(gradient2 / f->volume[i]));
    }
}

/// What flows at unit G from i to j, psi = Psi_i - Psi_j >= 0, and its derivatives by the two saturations.
static double carried(double psi, double si, double sj, double pi, double pj, double by[2])
{
    if (si < sj) {
        by[0] = psi + si * pi;
        by[1] = -si * pj;
        return si * psi;
    }
    const double mean = 0.5 * (si + sj), rest = psi - pj * (si - sj);
    if (rest < 0.0) {
        by[0] = 0.5 * psi + mean * pi;
        by[1] = 0.5 * psi - mean * pj;
        return mean * psi;
    }
    by[0] = pi * si + rest;
    by[1] = -pj * sj;
    return mean * pj * (si - sj) + si * rest;
}

static void flow_links(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_flow       *f      = context;
    const mn_flow_links *l      = f->links;
    double               obtuse = 0.0;
    for (int64_t k = begin; k < end; k++) {
        const int32_t *v  = l->end[k];
        const double   s0 = f->saturation[v[0]], s1 = f->saturation[v[1]], step = f->step[k];
        f->flux[k] = f->by[k][0] = f->by[k][1] = 0.0;
        if (!(s0 + s1 > 0.0)) continue;
        double g = 0.0;
        for (int64_t i = l->slot_start[k]; i < l->slot_start[k + 1]; i++)
            g += f->shape[l->slot[i] / 3][l->slot[i] % 3] * f->mobility[l->slot[i] / 3];
        g *= f->dt;
        f->conductance[k] = g;
        if (g < 0.0) {
            // It leaves the lower end, if that holds anything; the mean is as exact as for the other links of the
            // triangle.
            f->flux[k] = (step > 0.0 ? s1 : s0) > 0.0 ? 0.5 * (s0 + s1) * g * step : 0.0;
            obtuse     = 1.0;
            continue;
        }
        const int    up = step < 0.0;
        double       by[2];
        const double carries = up ? carried(-step, s1, s0, f->suction[v[1]], f->suction[v[0]], by)
                                  : carried(step, s0, s1, f->suction[v[0]], f->suction[v[1]], by);
        f->flux[k]           = up ? -g * carries : g * carries;
        f->by[k][up]         = (up ? -g : g) * by[0] * f->slope[v[up]];
        f->by[k][1 - up]     = (up ? -g : g) * by[1] * f->slope[v[1 - up]];
    }
    f->partial[begin / MN_FLOW_BLOCK] = obtuse;
}

static bool against(const mn_flow *f, int64_t link) { return f->flux[link] != 0.0 && f->conductance[link] < 0.0; }

/// How much of what it would give against the potential a vertex has.
static void limit_vertices(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_flow       *f = context;
    const mn_flow_links *l = f->links;
    for (int64_t v = begin; v < end; v++) {
        double given = 0.0;
        for (int64_t i = l->around_start[v]; i < l->around_start[v + 1]; i++) {
            const int32_t k = l->around[i] / 2;
            if (against(f, k)) given += fmax(0.0, l->around[i] % 2 == 0 ? f->flux[k] : -f->flux[k]);
        }
        f->limit[v] = given > f->before[v] ? f->before[v] / given : 1.0;
    }
}

static void limit_links(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_flow *f = context;
    for (int64_t k = begin; k < end; k++)
        if (against(f, k)) f->flux[k] *= f->limit[f->links->end[k][f->flux[k] < 0.0]];
}

static void sum_vertices(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_flow       *f   = context;
    const mn_flow_links *l   = f->links;
    double               sum = 0.0;
    for (int64_t v = begin; v < end; v++) {
        double out = 0.0, diagonal = 1.0;
        for (int64_t i = l->around_start[v]; i < l->around_start[v + 1]; i++) {
            const int32_t k = l->around[i] / 2, side = l->around[i] % 2;
            out += side == 0 ? f->flux[k] : -f->flux[k];
            diagonal += side == 0 ? f->by[k][0] : -f->by[k][1];
        }
        f->residual[v] = f->held[v] - f->before[v] + out;
        f->inverse[v]  = 1.0 / diagonal;
        sum += fabs(f->residual[v]);
    }
    f->partial[begin / MN_FLOW_BLOCK] = sum;
}

double mn_flow_evaluate(mn_flow *f)
{
    const int64_t n = f->q->vertices.count;
    mn_parallel_for(f->pool, n, MN_FLOW_BLOCK, wet_vertices, f);
    mn_parallel_for(f->pool, f->links->count, MN_FLOW_BLOCK, step_links, f);
    mn_parallel_for(f->pool, f->q->element_count, MN_FLOW_BLOCK, move_elements, f);
    if (mn_flow_sum(f, f->links->count, flow_links) > 0.0) {
        mn_parallel_for(f->pool, n, MN_FLOW_BLOCK, limit_vertices, f);
        mn_parallel_for(f->pool, f->links->count, MN_FLOW_BLOCK, limit_links, f);
    }
    return mn_flow_sum(f, n, sum_vertices);
}

static void sum_before(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_flow *f   = context;
    double         sum = 0.0;
    for (int64_t v = begin; v < end; v++) {
        f->held[v] = f->before[v];
        sum += f->before[v];
    }
    f->partial[begin / MN_FLOW_BLOCK] = sum;
}

/// Newton's step, stopped where a vertex becomes dry or full: there the slope changes.
static void step_vertices(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_flow *f = context;
    for (int64_t v = begin; v < end; v++) {
        const double from = f->held[v], to = from + f->work[0][v], full = f->pores[v];
        f->held[v] = to <= 0.0 ? 0.0 : (from < full && to > full) || (from > full && to < full) ? full : to;
    }
}

bool mn_flow_solve(mn_flow *f)
{
    const int64_t n    = f->q->vertices.count;
    const double  held = mn_flow_sum(f, n, sum_before), enough = TOLERANCE * held;
    double        error = mn_flow_evaluate(f), best = error;
    int           failed    = 0;
    double       *direction = f->work[0];
    for (int k = 0; k < NEWTON_MAX && error > (k == 0 ? STILL * held : enough); k++) {
        if (!mn_flow_direction(f, direction)) return false;
        f->report.solves++;
        mn_parallel_for(f->pool, n, MN_FLOW_BLOCK, step_vertices, f);
        error = mn_flow_evaluate(f);
        if (error < best) best = error, failed = 0;
        else if (++failed > PATIENCE) return false;
    }
    return error <= enough;
}
