// SPDX-License-Identifier: MPL-2.0
// stain/exchange.c - exact sub-steps at each vertex, in the order of stain 5.7.
#include "stain/exchange.h"

mn_stain_exchange_def mn_stain_exchange_def_default(void)
{
    return (mn_stain_exchange_def){ .absorb_rate = 0.05,
                                    .hold        = 0.2,
                                    .evaporation = 1e-3,
                                    .rim_factor  = 1.2,
                                    .dry         = 1e-10,
                                    .wet         = 1e-4 };
}

double mn_stain_langmuir(const mn_stain_pigment *p, double a0, double total, double h)
{
    // da/dt = k_a (T - a)(V - a) - k_- a = k_a (a - low)(a - high)
    const double ka = p->attach, v = p->capacity, t = total;
    if (!(ka > 0.0)) return a0 * exp(-p->detach * h);
    const double b = t + v + p->detach / ka, root = sqrt(fmax(b * b - 4.0 * t * v, 0.0)), high = 0.5 * (b + root);
    const double low = high > 0.0 ? t * v / high : 0.0;
    if (!(root > 1e-9 * b)) {  // no detaching and T = V: a double root
        const double gap = low - a0;
        return low - gap / (1.0 + gap * ka * h);
    }
    const double fade = exp(-ka * root * h), q = (a0 - low) / (high - a0) * fade;
    return (low + q * high) / (1.0 + q);
}

typedef struct job {
    const mn_stain_liquid       *liquid;
    mn_stain_solute             *q;
    const mn_stain_pigment      *pigment;
    const mn_stain_exchange_def *def;
    double                       h, absorbed_part;
    double                      *evaporated;
} job;

/// Masses at one vertex; those of pigments by state.
typedef struct cell {
    int64_t v;
    double  area, *free, *held;
    double *m[MN_STAIN_STATES];
} cell;

static cell cell_of(const job *j, int64_t v, double *no_held)
{
    cell c = { .v    = v,
               .area = j->liquid->surface->area[v],
               .free = &j->liquid->free[v],
               .held = j->liquid->held != NULL ? &j->liquid->held[v] : no_held };
    for (int k = 0; k < MN_STAIN_STATES; k++) c.m[k] = &j->q->mass[k][v];
    return c;
}

/// Pigment p of the cell.
static double *state(const job *j, const cell *c, mn_stain_state k, int p)
{
    return c->m[k] + (int64_t)p * j->q->vertex_count;
}

static void move(double *from, double *to, double amount)
{
    *from -= amount;
    *to += amount;
}

/// What cannot stay dissolved falls out.
static void cap(const job *j, const cell *c)
{
    for (int p = 0; p < j->q->pigments; p++) {
        double      *s    = state(j, c, MN_STAIN_DISSOLVED, p);
        const double most = j->pigment[p].solubility * *c->free;
        if (*s > most) move(s, state(j, c, MN_STAIN_DRIED, p), *s - most);
    }
}

static void absorb(const job *j, const cell *c)
{
    if (j->liquid->held == NULL || !(*c->free > 0.0)) return;
    const double room = fmax(j->def->hold * c->area - *c->held, 0.0), before = *c->free;
    const double taken = fmin(j->absorbed_part * room, before);
    for (int p = 0; p < j->q->pigments; p++) {
        double *s = state(j, c, MN_STAIN_DISSOLVED, p);
        move(s, state(j, c, MN_STAIN_HELD, p), taken < before ? *s * (taken / before) : *s);
    }
    move(c->free, c->held, taken);
}

/// Pigment sticks to wet fibres, from free and held liquid in proportion, or comes off into the free liquid if there is
/// some.
static void adsorb(const job *j, const cell *c)
{
    if (*c->free + *c->held <= j->def->dry * c->area) return;
    for (int p = 0; p < j->q->pigments; p++) {
        const mn_stain_pigment *k = &j->pigment[p];
        double                 *s = state(j, c, MN_STAIN_DISSOLVED, p), *held = state(j, c, MN_STAIN_HELD, p),
               *a           = state(j, c, MN_STAIN_ADSORBED, p);
        const double supply = *s + *held;
        double       gain   = -expm1(-k->rate * j->h) * (k->capacity * c->area - *a);
        if (k->adsorption == MN_STAIN_LANGMUIR)
            gain = mn_stain_langmuir(k, *a / c->area, (*a + supply) / c->area, j->h) * c->area - *a;
        if (gain <= 0.0) {
            move(a, *c->free > j->def->dry * c->area ? s : held, fmin(-gain, *a));
        } else if (supply > 0.0) {
            const double part = fmin(gain / supply, 1.0), from_held = part * *held;
            move(s, a, part * *s);
            move(held, a, from_held);
        }
    }
}

static bool is_wet(const job *j, int64_t v)
{
    const mn_stain_liquid *l = j->liquid;
    return l->free[v] + (l->held != NULL ? l->held[v] : 0.0) > j->def->wet * l->surface->area[v];
}

/// The rim factor where a wet vertex has a neighbour that is not.
static double drying_factor(const job *j, int64_t v)
{
    if (j->liquid->dries != NULL && j->liquid->dries[v] >= 0.0) return j->liquid->dries[v];
    const mn_stain_links *l = &j->liquid->surface->edges;
    if (is_wet(j, v))
        for (int32_t i = l->start[v]; i < l->start[v + 1]; i++)
            if (!is_wet(j, l->neighbour[i])) return j->def->rim_factor;
    return 1.0;
}

static void evaporate(const job *j, const cell *c)
{
    const double wanted = j->evaporated[c->v] * j->def->evaporation * j->h * c->area;  // the factor was left there
    const double first = fmin(wanted, *c->free), second = fmin(wanted - first, *c->held);
    *c->free -= first;
    *c->held -= second;
    j->evaporated[c->v] = first + second;
}

/// Where liquid is gone its pigment stays as residue; where it is back, residue dissolves.
static void dry_and_dissolve(const job *j, const cell *c)
{
    for (int p = 0; p < j->q->pigments; p++) {
        const mn_stain_pigment *k = &j->pigment[p];
        double                 *s = state(j, c, MN_STAIN_DISSOLVED, p), *held = state(j, c, MN_STAIN_HELD, p),
               *d = state(j, c, MN_STAIN_DRIED, p);
        if (*c->free < j->def->dry * c->area) move(s, d, *s);
        if (*c->held < j->def->dry * c->area) move(held, d, *held);
        if (*c->free > j->def->wet * c->area && *d > 0.0)
            move(d, s, fmin(-expm1(-k->dissolve * j->h) * *d, fmax(k->solubility * *c->free - *s, 0.0)));
    }
}

static void factors_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const job *j = context;
    for (int64_t v = begin; v < end; v++) j->evaporated[v] = drying_factor(j, v);
}

static void exchange_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const job *j = context;
    for (int64_t v = begin; v < end; v++) {
        double     none = 0.0;
        const cell c    = cell_of(j, v, &none);
        cap(j, &c);
        absorb(j, &c);
        adsorb(j, &c);
        evaporate(j, &c);
        dry_and_dissolve(j, &c);
    }
}

mn_status mn_stain_exchange(const mn_stain_liquid *liquid, mn_stain_solute *q, const mn_stain_pigment *pigment,
                            const mn_stain_exchange_def *def, double h, double *evaporated)
{
    job      j    = { liquid, q, pigment, def, h, -expm1(-def->absorb_rate * h), evaporated };
    mn_pool *pool = mn_context_pool(q->context);
    mn_parallel_for(pool, q->vertex_count, MN_STAIN_BLOCK, factors_block, &j);
    mn_parallel_for(pool, q->vertex_count, MN_STAIN_BLOCK, exchange_block, &j);
    return MN_OK;
}
