// SPDX-License-Identifier: MPL-2.0
// elastic/rod_twist.c - the implicit twist system of a network: sparse L D L^T over the angles of all edges.
//
// Angles are linked by corners: chains along strands, rings along closed ones, trees at junctions. Angles with at most
// two links left go first, in order; eliminating one of them joins its two neighbours and fills nothing else, so a
// strand is the tridiagonal algorithm, a closed one the cyclic one, a branch is folded onto its junction. Only nets of
// junctions leave a core, which goes by least degree. The order and the place of every update are found once; a step
// only computes.
#include "elastic/rod_network_private.h"

#include <string.h>

typedef struct mn_rod_elimination {
    int32_t *order;                  ///< edge eliminated at each place
    int64_t *start;                  ///< links of a place to later ones: start[p] .. start[p+1]-1
    int32_t *later;                  ///< the later edge of each link
    int64_t *first_update, *update;  ///< per place: link that each pair of its links changes
    int64_t *corner_link;            ///< link that each corner adds to
    double  *pivot, *link, *rhs;
} mn_rod_elimination;

// --- Order ---

typedef struct node {
    int32_t *near;             ///< edges not yet eliminated that this one is linked to
    int64_t  count, capacity;  ///< capacity 0: `near` lies in the shared slab, with room for `count` at the start
    int64_t  room;
} node;

typedef struct ordering {
    mn_context *context;
    node       *nodes;
    int32_t    *slab, *queue;
    uint8_t    *state;  ///< 0 waiting, 1 queued, 2 eliminated
    int64_t     queued, links, pairs;
    int64_t     link_capacity;
} ordering;

static bool is_near(const node *n, int32_t e)
{
    for (int64_t k = 0; k < n->count; k++)
        if (n->near[k] == e) return true;
    return false;
}

static void forget(node *n, int32_t e)
{
    for (int64_t k = 0; k < n->count; k++)
        if (n->near[k] == e) {
            n->near[k] = n->near[--n->count];
            return;
        }
}

static mn_status join(ordering *o, int32_t a, int32_t b)
{
    node *n = &o->nodes[a];
    if (is_near(n, b)) return MN_OK;
    if (n->count == n->room) {
        int32_t *grown = mn_alloc_array(o->context, int32_t, 2 * n->room + 4);
        if (grown == NULL) return MN_ERR_MEMORY;
        if (n->count > 0) memcpy(grown, n->near, (size_t)n->count * sizeof *grown);
        if (n->capacity > 0) mn_free(o->context, n->near);
        n->near = grown;
        n->room = n->capacity = 2 * n->room + 4;
    }
    n->near[n->count++] = b;
    return MN_OK;
}

static mn_status begin_ordering(const mn_rod_network *net, ordering *o)
{
    const int32_t edges = (int32_t)net->edges.count;
    o->nodes            = mn_alloc_array(o->context, node, edges);
    o->slab             = mn_alloc_array(o->context, int32_t, 2 * net->corners.count);
    o->queue            = mn_alloc_array(o->context, int32_t, edges);
    o->state            = mn_alloc_array(o->context, uint8_t, edges);
    if (o->nodes == NULL || o->slab == NULL || o->queue == NULL || o->state == NULL) return MN_ERR_MEMORY;
    for (int32_t e = 0; e < edges; e++) {
        const int32_t first = net->edge_corners.start[e], last = net->edge_corners.start[e + 1];
        o->nodes[e] = (node){ .near = o->slab + first, .room = last - first };
        for (int32_t n = first; n < last; n++) {
            const int32_t use = net->edge_corners.list[n];
            MN_TRY(join(o, e, net->joint[use / 2].edge[1 - use % 2]));
        }
    }
    return MN_OK;
}

static void enqueue(ordering *o, int32_t e)
{
    if (o->state[e] != 0 || o->nodes[e].count > 2) return;
    o->state[e]           = 1;
    o->queue[o->queued++] = e;
}

/// Take edge e out: its neighbours become neighbours of one another.
static mn_status eliminate(ordering *o, int32_t e)
{
    node *n     = &o->nodes[e];
    o->state[e] = 2;
    for (int64_t a = 0; a < n->count; a++) forget(&o->nodes[n->near[a]], e);
    for (int64_t a = 0; a < n->count; a++)
        for (int64_t b = 0; b < n->count; b++)
            if (a != b) MN_TRY(join(o, n->near[a], n->near[b]));
    for (int64_t a = 0; a < n->count; a++) enqueue(o, n->near[a]);
    o->links += n->count;
    o->pairs += n->count * (n->count - 1) / 2;
    return MN_OK;
}

static mn_status find_order(const mn_rod_network *net, ordering *o, int32_t *order)
{
    const int32_t edges = (int32_t)net->edges.count;
    for (int32_t e = 0; e < edges; e++) enqueue(o, e);
    for (int64_t at = 0, done = 0; done < edges; done++) {
        int32_t best = -1;
        if (at < o->queued) best = o->queue[at++];
        else
            for (int32_t e = 0; e < edges; e++)
                if (o->state[e] == 0 && (best < 0 || o->nodes[e].count < o->nodes[best].count)) best = e;
        order[done] = best;
        MN_TRY(eliminate(o, best));
    }
    return MN_OK;
}

static void end_ordering(ordering *o)
{
    for (int64_t e = 0; o->nodes != NULL && o->state != NULL && e < o->link_capacity; e++)
        if (o->nodes[e].capacity > 0) mn_free(o->context, o->nodes[e].near);
    mn_free(o->context, o->nodes);
    mn_free(o->context, o->slab);
    mn_free(o->context, o->queue);
    mn_free(o->context, o->state);
}

// --- Places of links and updates ---

static int64_t link_between(const mn_rod_elimination *el, const int32_t *place, int32_t a, int32_t b)
{
    const int32_t first = place[a] < place[b] ? a : b, second = first == a ? b : a;
    for (int64_t k = el->start[place[first]]; k < el->start[place[first] + 1]; k++)
        if (el->later[k] == second) return k;
    return -1;
}

static mn_status record(mn_rod_network *net, const ordering *o, mn_rod_elimination *el)
{
    const int64_t edges = net->edges.count;
    el->start           = mn_alloc_array(o->context, int64_t, edges + 1);
    el->later           = mn_alloc_array(o->context, int32_t, o->links);
    el->first_update    = mn_alloc_array(o->context, int64_t, edges + 1);
    el->update          = mn_alloc_array(o->context, int64_t, o->pairs);
    el->corner_link     = mn_alloc_array(o->context, int64_t, net->corners.count);
    el->pivot           = mn_alloc_array(o->context, double, edges);
    el->link            = mn_alloc_array(o->context, double, o->links);
    el->rhs             = mn_alloc_array(o->context, double, edges);
    int32_t *place      = mn_alloc_array(o->context, int32_t, edges);
    if (el->start == NULL || el->later == NULL || el->first_update == NULL || el->update == NULL ||
        el->corner_link == NULL || el->pivot == NULL || el->link == NULL || el->rhs == NULL || place == NULL) {
        mn_free(o->context, place);
        return MN_ERR_MEMORY;
    }
    // What was near an edge when it went are exactly its links to later ones.
    for (int64_t p = 0; p < edges; p++) {
        const node *n       = &o->nodes[el->order[p]];
        place[el->order[p]] = (int32_t)p;
        for (int64_t k = 0; k < n->count; k++) el->later[el->start[p] + k] = n->near[k];
        el->start[p + 1] = el->start[p] + n->count;
    }
    int64_t made = 0;
    for (int64_t p = 0; p < edges; p++) {
        el->first_update[p] = made;
        for (int64_t a = el->start[p]; a < el->start[p + 1]; a++)
            for (int64_t b = el->start[p]; b < a; b++)
                el->update[made++] = link_between(el, place, el->later[a], el->later[b]);
    }
    el->first_update[edges] = made;
    for (int64_t k = 0; k < net->corners.count; k++)
        el->corner_link[k] = link_between(el, place, net->joint[k].edge[0], net->joint[k].edge[1]);
    mn_free(o->context, place);
    return MN_OK;
}

mn_status mn_rod_elimination_create(mn_rod_network *net)
{
    mn_rod_elimination *el = mn_alloc(net->context, sizeof *el);
    if (el == NULL) return MN_ERR_MEMORY;
    net->elimination = el;
    ordering  o      = { .context = net->context, .link_capacity = net->edges.count };
    mn_status status = MN_ERR_MEMORY;
    el->order        = mn_alloc_array(net->context, int32_t, net->edges.count);
    if (el->order != NULL) status = begin_ordering(net, &o);
    if (status == MN_OK) status = find_order(net, &o, el->order);
    if (status == MN_OK) status = record(net, &o, el);
    end_ordering(&o);
    return status;
}

void mn_rod_elimination_destroy(mn_rod_network *net)
{
    mn_rod_elimination *el = net->elimination;
    if (el == NULL) return;
    void *blocks[] = { el->order,       el->start, el->later, el->first_update, el->update,
                       el->corner_link, el->pivot, el->link,  el->rhs };
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) mn_free(net->context, blocks[k]);
    mn_free(net->context, el);
    net->elimination = NULL;
}

// --- A step ---

static double dry_inertia(const mn_rod_network *net, int64_t e)
{
    const mn_rod_material *m = &net->strand[net->edge[e].strand].material;
    return 0.5 * m->density * MN_PI * pow(m->radius, 4.0) * net->edge[e].length;
}

static void assemble(mn_rod_network *net, const mn_rod_twist_def *def)
{
    mn_rod_elimination *el = net->elimination;
    const double        h  = def->h;
    mn_rod_network_torques(net, el->rhs);
    for (int64_t e = 0; e < net->edges.count; e++) {
        const double inertia = def->inertia != NULL ? def->inertia[e] : dry_inertia(net, e);
        el->pivot[e]         = inertia;
        el->rhs[e]           = inertia * net->edges.angle_rate[0][e] +
                     h * (el->rhs[e] + (def->external != NULL ? def->external[e] : 0.0));
    }
    memset(el->link, 0, (size_t)el->start[net->edges.count] * sizeof *el->link);
    for (int64_t k = 0; k < net->corners.count; k++) {
        const mn_rod_joint *j = &net->joint[k];
        const double       *t = net->twist_hessian[k], coupling = -h * h * t[0] * j->sign[0] * j->sign[1];
        bool                held = false;
        for (int n = 0; n < 2; n++) {
            el->pivot[j->edge[n]] += h * h * (t[0] + t[1 + n]);
            if (def->held == NULL || !def->held[j->edge[n]]) continue;
            el->rhs[j->edge[1 - n]] -= coupling * net->edges.angle_rate[0][j->edge[n]];
            held = true;
        }
        if (!held) el->link[el->corner_link[k]] += coupling;
    }
    for (int64_t e = 0; def->held != NULL && e < net->edges.count; e++)
        if (def->held[e]) el->pivot[e] = 1.0, el->rhs[e] = net->edges.angle_rate[0][e];
}

/// Forward elimination with the right-hand side, then back.
static mn_status factor_and_solve(mn_rod_network *net, double *rate)
{
    mn_rod_elimination *el = net->elimination;
    for (int64_t p = 0; p < net->edges.count; p++) {
        const int32_t e = el->order[p];
        const double  d = el->pivot[e];
        if (!(d > 0.0) || !isfinite(d))
            return mn_fail(net->context, MN_ERR_SOLVE, "the twist system has the pivot %g at edge %d", d, e);
        int64_t update = el->first_update[p];
        for (int64_t a = el->start[p]; a < el->start[p + 1]; a++) {
            const double l = el->link[a] / d;
            for (int64_t b = el->start[p]; b < a; b++, update++)
                el->link[el->update[update]] -= el->link[a] * el->link[b];  // b holds L already
            el->pivot[el->later[a]] -= l * el->link[a];
            el->rhs[el->later[a]] -= l * el->rhs[e];
            el->link[a] = l;
        }
    }
    for (int64_t p = net->edges.count - 1; p >= 0; p--) {
        const int32_t e   = el->order[p];
        double        sum = el->rhs[e] / el->pivot[e];
        for (int64_t a = el->start[p]; a < el->start[p + 1]; a++) sum -= el->link[a] * rate[el->later[a]];
        rate[e] = sum;
    }
    return MN_OK;
}

mn_status mn_rod_network_solve_twist(mn_rod_network *net, const mn_rod_twist_def *def, double *rate)
{
    assemble(net, def);
    return factor_and_solve(net, rate);
}
