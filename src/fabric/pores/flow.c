// SPDX-License-Identifier: MPL-2.0
// fabric/pores/flow.c - liquid inside the fabric over one step: the flow in parts that converge, exchange of volume and
// momentum, drying.
#include "fabric/pores/flow_private.h"

#include "base/pool.h"

#include <string.h>

/// The step is halved where Newton's method fails, down to this share of it; that part is then taken as it came out.
#define PART_LEAST (1.0 / 256.0)
/// Passes that give vertices no more than they get, before the strict bound.
#define LIMIT_PASSES 16
/// Below this saturation the last of the liquid dries at once.
#define DRIED 1e-6
/// The velocity that leaves a vertex is known to this share of what it was changed by.
#define MIXING        1e-3
#define MIXING_SWEEPS 64

// --- volume
// ------------------------------------------------------------------------------------------------------------

/// What flows into a vertex and out of it.
static void exchange_at(const mn_flow *f, int64_t v, double *in, double *out)
{
    const mn_flow_links *l = f->links;
    *in = *out = 0.0;
    for (int64_t i = l->around_start[v]; i < l->around_start[v + 1]; i++) {
        const double leaves = l->around[i] % 2 == 0 ? f->flux[l->around[i] / 2] : -f->flux[l->around[i] / 2];
        if (leaves > 0.0) *out += leaves;
        else *in -= leaves;
    }
}

/// Vertices that would give more than they have; `held` becomes what they have in the end.
static void balance(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_flow *f        = context;
    double         short_of = 0.0;
    for (int64_t v = begin; v < end; v++) {
        double in, out;
        exchange_at(f, v, &in, &out);
        const double all = f->before[v] + in, left = all - out;
        f->limit[v] = 1.0;
        if (left < -1e-15 * all) {
            f->limit[v] = all / out;
            short_of    = 1.0;
        }
        f->held[v] = fmax(0.0, left);  // round-off only, once no vertex is short
    }
    f->partial[begin / MN_FLOW_BLOCK] = short_of;
}

/// The bound that needs no further pass: no vertex gives more than it held, whatever comes in.
static void bound_strictly(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_flow *f = context;
    for (int64_t v = begin; v < end; v++) {
        double in, out;
        exchange_at(f, v, &in, &out);
        f->limit[v] = out > f->before[v] ? f->before[v] / out : 1.0;
    }
}

static void scale_links(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_flow *f = context;
    for (int64_t k = begin; k < end; k++) f->flux[k] *= f->limit[f->links->end[k][f->flux[k] < 0.0]];
}

/// Fluxes as they came out of the solve, less where a vertex would be left with less than nothing; then what each
/// holds.
static void settle_fluxes(mn_flow *f)
{
    const int64_t n = f->q->vertices.count;
    for (int pass = 0; mn_flow_sum(f, n, balance) > 0.0 && pass <= LIMIT_PASSES; pass++) {
        if (pass == LIMIT_PASSES) mn_parallel_for(f->pool, n, MN_FLOW_BLOCK, bound_strictly, f);
        mn_parallel_for(f->pool, f->links->count, MN_FLOW_BLOCK, scale_links, f);
    }
}

// --- momentum
// ----------------------------------------------------------------------------------------------------------

/// Velocity with which liquid leaves the vertices: that after mixing with what comes in. m u = m_before u_before + sum
/// of what comes with the velocity of where it comes from, a mean with positive weights; a few sweeps find it.
typedef struct mixing {
    mn_flow *f;
    mn_vec3 *now, *next;
} mixing;

static double mass_before(const mn_flow *f, int64_t v)
{
    return f->q->mass[v] + f->q->model.liquid.density * f->before[v];
}

static mn_vec3 velocity_of(const mn_fabric *q, int64_t v)
{
    return mn_v3(q->vertices.velocity[0][v], q->vertices.velocity[1][v], q->vertices.velocity[2][v]);
}

static double share_from_outside(int64_t begin, int64_t end, void *context)
{
    const mn_flow *f    = context;
    double         most = 0.0, in, out;
    for (int64_t v = begin; v < end; v++) {
        exchange_at(f, v, &in, &out);
        in *= f->q->model.liquid.density;
        most = fmax(most, in / (mass_before(f, v) + in));
    }
    return most;
}

/// Momentum that comes in with velocities `u`, minus what leaves, and the mass that comes in; g.
static mn_vec3 brought(const mn_flow *f, const mn_vec3 *u, int64_t v, double *in, double *out)
{
    const mn_flow_links *l   = f->links;
    mn_vec3              sum = { 0.0, 0.0, 0.0 };
    *in = *out = 0.0;
    for (int64_t i = l->around_start[v]; i < l->around_start[v + 1]; i++) {
        const int32_t k = l->around[i] / 2, side = l->around[i] % 2;
        const double  leaves = f->q->model.liquid.density * (side == 0 ? f->flux[k] : -f->flux[k]);
        if (leaves > 0.0) *out += leaves;
        else if (leaves < 0.0) {
            *in -= leaves;
            sum = mn_sub3(sum, mn_scale3(leaves, u[l->end[k][1 - side]]));
        }
    }
    return sum;
}

static void mix(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mixing *m = context;
    for (int64_t v = begin; v < end; v++) {
        double        in, out;
        const mn_vec3 with = brought(m->f, m->now, v, &in, &out);
        const double  mass = mass_before(m->f, v);
        m->next[v] = in > 0.0 ? mn_scale3(1.0 / (mass + in), mn_add3(mn_scale3(mass, velocity_of(m->f->q, v)), with))
                              : velocity_of(m->f->q, v);
    }
}

/// Every flux takes rho F u of the vertex it leaves from there to the other: once with each sign.
static void hand_over(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mixing *m = context;
    mn_fabric    *q = m->f->q;
    for (int64_t v = begin; v < end; v++) {
        double        in, out;
        const mn_vec3 with = brought(m->f, m->now, v, &in, &out);
        if (!(in + out > 0.0)) continue;
        const mn_vec3 left = mn_sub3(mn_add3(mn_scale3(mass_before(m->f, v), velocity_of(q, v)), with),
                                     mn_scale3(out, m->now[v]));
        const double  mass = q->mass[v] + q->model.liquid.density * m->f->held[v];
        m->next[v]         = mn_scale3(1.0 / mass, left);
        for (int a = 0; a < 3; a++) q->vertices.velocity[a][v] = mn_get3(m->next[v], a);
    }
}

static void list_velocities(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mixing *m = context;
    for (int64_t v = begin; v < end; v++) m->now[v] = velocity_of(m->f->q, v);
}

static void move_momentum(mn_flow *f, mixing *m)
{
    const int64_t n     = f->q->vertices.count;
    const double  share = mn_parallel_max(f->pool, n, share_from_outside, f);
    double        left  = share;
    mn_parallel_for(f->pool, n, MN_FLOW_BLOCK, list_velocities, m);
    for (int k = 0; k < MIXING_SWEEPS && (k == 0 || left > MIXING); k++) {  // each sweep leaves `share` of the error
        mn_parallel_for(f->pool, n, MN_FLOW_BLOCK, mix, m);
        mn_vec3 *swap = m->now;
        m->now = m->next, m->next = swap;
        left *= share;
    }
    mn_parallel_for(f->pool, n, MN_FLOW_BLOCK, hand_over, m);
}

// --- drying
// ------------------------------------------------------------------------------------------------------------

double mn_drying_left(double held, double pores, double rate, double seconds)
{
    if (!(rate > 0.0)) return held;
    const double critical = MN_DRYING_CRITICAL * pores;
    if (held > critical) {  // the surface stays wet: a constant rate
        const double until = (held - critical) / rate;
        if (until >= seconds) return held - rate * seconds;
        held = critical;
        seconds -= until;
    }
    const double left = held * exp(-rate * seconds / critical);
    return left > DRIED * pores ? left : 0.0;
}

typedef struct drying {
    mn_fabric *q;
    double     dt;
    double    *taken;  ///< cm^3 per block
} drying;

static void dry(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const drying *d   = context;
    mn_fabric    *q   = d->q;
    double        sum = 0.0;
    for (int64_t v = begin; v < end; v++) {
        const double rate = q->pieces[q->elements[q->element_of[q->element_start[v]]].piece].evaporation,
                     held = q->vertices.held[0][v];
        if (!(rate > 0.0) || !(held > 0.0)) continue;
        const double left      = mn_drying_left(held, mn_fabric_pores(q, v), rate * q->links->surface[v], d->dt);
        q->vertices.held[0][v] = left;
        sum += held - left;
    }
    d->taken[begin / MN_FLOW_BLOCK] = sum;
}

static mn_status evaporate(mn_fabric *q, mn_arena *arena, double dt, double *evaporated)
{
    bool any = false;
    for (int64_t k = 0; k < q->piece_count; k++) any = any || q->pieces[k].evaporation > 0.0;
    if (!any) return MN_OK;
    const int64_t n = q->vertices.count;
    drying        d = { .q = q, .dt = dt, .taken = mn_arena_array(arena, double, n / MN_FLOW_BLOCK + 1) };
    if (d.taken == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(q->context), n, MN_FLOW_BLOCK, dry, &d);
    for (int64_t b = 0; b * MN_FLOW_BLOCK < n; b++) *evaporated += d.taken[b];
    return MN_OK;
}

// --- the step
// ----------------------------------------------------------------------------------------------------------

/// One part of the step, of length f->dt: fluxes, what they leave behind, and the momentum that goes with them.
static void finish_part(mn_flow *f, mixing *m)
{
    settle_fluxes(f);
    if (f->q->step.moved != NULL)
        for (int64_t k = 0; k < f->links->count; k++) f->q->step.moved[k] += f->flux[k];
    move_momentum(f, m);
    memcpy(f->before, f->held, (size_t)f->q->vertices.count * sizeof(double));
}

static mn_status flow_along(mn_flow *f, mn_arena *arena)
{
    const int64_t n = f->q->vertices.count;
    mixing        m = { .f = f, .now = mn_arena_array(arena, mn_vec3, n), .next = mn_arena_array(arena, mn_vec3, n) };
    if (m.now == NULL || m.next == NULL) return MN_ERR_MEMORY;
    MN_TRY(mn_flow_begin(f, arena));
    memcpy(f->before, f->q->vertices.held[0], (size_t)n * sizeof(double));
    int64_t       at = 0, part = (int64_t)(1.0 / PART_LEAST);  // in shares of PART_LEAST: all parts add up to the step
    const int64_t whole = part;
    while (at < whole) {
        MN_TRY(mn_check_interrupt(f->q->context, "the flow in fabric"));
        if (at + part > whole) part = whole - at;
        f->dt            = f->whole * (double)part * PART_LEAST;
        const bool exact = mn_flow_solve(f);
        if (!exact && part > 1) {
            part /= 2;
            continue;
        }
        f->report.exact = f->report.exact && exact;
        f->report.parts++;
        finish_part(f, &m);
        at += part;
    }
    memcpy(f->q->vertices.held[0], f->before, (size_t)n * sizeof(double));
    return MN_OK;
}

static double wettest(int64_t begin, int64_t end, void *context)
{
    const mn_fabric *q    = context;
    double           most = 0.0;
    for (int64_t v = begin; v < end; v++) most = fmax(most, q->vertices.held[0][v]);
    return most;
}

/// Laws of the pieces, and a table of nonlinear drag for each exponent among them.
static mn_status make_laws(mn_flow *f, mn_arena *arena)
{
    const mn_fabric      *q     = f->q;
    mn_pore_law          *law   = mn_arena_array(arena, mn_pore_law, q->piece_count);
    const mn_drag_table **table = mn_arena_array(arena, const mn_drag_table *, q->piece_count);
    if (law == NULL || table == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < q->piece_count; k++) {
        law[k]   = mn_pore_law_of(&q->pieces[k].cloth, &q->model.liquid);
        table[k] = NULL;
        if (law[k].law != MN_DRAG_NONLINEAR) continue;
        for (int64_t i = 0; i < k && table[k] == NULL; i++)
            if (table[i] != NULL && table[i]->exponent == law[k].exponent) table[k] = table[i];
        if (table[k] != NULL) continue;
        mn_drag_table *made = mn_arena_array(arena, mn_drag_table, 1);
        if (made == NULL) return MN_ERR_MEMORY;
        mn_drag_table_make(law[k].exponent, made);
        table[k] = made;
    }
    f->law   = law;
    f->table = table;
    return MN_OK;
}

static mn_status run_flow(mn_fabric *q, mn_arena *arena, double dt, double *evaporated, mn_flow_report *report)
{
    mn_flow f = { .q      = q,
                  .pool   = mn_context_pool(q->context),
                  .links  = q->links,
                  .whole  = dt,
                  .report = { .exact = true } };
    MN_TRY(make_laws(&f, arena));
    MN_TRY(flow_along(&f, arena));
    *report = f.report;
    return evaporate(q, arena, dt, evaporated);
}

/// Room for what flows along links in the whole step, for those who carry pigment with it.
static mn_status watch_flow(mn_fabric *q, mn_arena *arena)
{
    const int64_t n     = q->vertices.count;
    q->step.moved       = mn_arena_array_zero(arena, double, q->links->count + 1);
    q->step.flowed_from = mn_arena_array(arena, double, n);
    if (q->step.moved == NULL || q->step.flowed_from == NULL) return MN_ERR_MEMORY;
    memcpy(q->step.flowed_from, q->vertices.held[0], (size_t)n * sizeof(double));
    return MN_OK;
}

mn_status mn_fabric_flow_reported(mn_fabric *q, mn_arena *arena, double dt, double *evaporated, mn_flow_report *report)
{
    *evaporated   = 0.0;
    *report       = (mn_flow_report){ .exact = true };
    q->step.moved = q->step.flowed_from = NULL;
    if (!(mn_parallel_max(mn_context_pool(q->context), q->vertices.count, wettest, q) > 0.0)) return MN_OK;
    if (!(q->model.liquid.viscosity > 0.0))
        return mn_fail(q->context, MN_ERR_ARGUMENT,
                       "liquid '%s' has a viscosity of %g P; liquid in the pores of a fabric needs one above 0",
                       q->model.liquid.name, q->model.liquid.viscosity);
    MN_TRY(mn_flow_links_make(q));
    if (q->vertices.pigments > 0) MN_TRY(watch_flow(q, arena));
    const mn_arena_mark mark   = mn_arena_begin(arena);
    const mn_status     status = run_flow(q, arena, dt, evaporated, report);
    mn_arena_end(arena, mark);
    return status;
}

mn_status mn_fabric_flow(mn_fabric *q, const mn_step *step, double *evaporated)
{
    mn_flow_report report;
    *evaporated = 0.0;
    if (!mn_fabric_may_be_wet(q)) return MN_OK;
    return mn_fabric_flow_reported(q, step->arena, step->dt, evaporated, &report);
}
