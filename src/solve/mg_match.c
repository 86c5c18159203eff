// SPDX-License-Identifier: MPL-2.0
// solve/mg_match.c - which unknowns of a block become one unknown of the next level.
//
// Links are contracted one by one, the best first. The measure is that of pairwise aggregation with a bound on its
// quality (Napov and Notay 2012): weight times the sum of the inverse diagonals. A soft unknown beside a hard one can
// join it; two hard ones across a soft one cannot, since what has been joined counts with all its couplings.
#include "solve/mg_match.h"

static float inverse_of(float v) { return v > 0.0f ? 1.0f / v : 0.0f; }

void mn_mg_match_begin(mn_mg_match *m, int nodes)
{
    m->nodes = nodes;
    m->links = 0;
    for (int a = 0; a < nodes; a++) {
        m->outside[a] = 0.0f;
        m->slot[a]    = -1;
    }
}

void mn_mg_match_link(mn_mg_match *m, int a, int b, float weight)
{
    int k = m->slot[b];
    if (k < 0 || m->a[k] != a) {
        if (m->links == MN_MG_MATCH_LINKS) return;
        k            = m->links++;
        m->a[k]      = (uint16_t)a;
        m->b[k]      = (uint16_t)b;
        m->weight[k] = 0.0f;
        m->slot[b]   = (int16_t)k;
    }
    m->weight[k] += weight;
}

/// The best link, or -1 if none is good enough.
static int best_link(const mn_mg_match *m, const float *inverse, float least)
{
    float best  = least;
    int   found = -1;
    for (int k = 0; k < m->links; k++) {
        const float quality = m->weight[k] * (inverse[m->a[k]] + inverse[m->b[k]]);
        if (quality > best) {
            best  = quality;
            found = k;
        }
    }
    return found;
}

static void remove_link(mn_mg_match *m, int k)
{
    const int last = --m->links;
    m->a[k]        = m->a[last];
    m->b[k]        = m->b[last];
    m->weight[k]   = m->weight[last];
}

/// The other end of link k, or -1 if it does not touch the node.
static int other_end(const mn_mg_match *m, int k, int node)
{
    return m->a[k] == node ? m->b[k] : m->b[k] == node ? m->a[k] : -1;
}

/// Make one end of a link a part of the other: its links become those of `kept`.
static void join(mn_mg_match *m, int link, int kept, int gone, float *inverse)
{
    m->outside[kept] += m->outside[gone] - 2.0f * m->weight[link];
    inverse[kept] = inverse_of(m->outside[kept]);
    remove_link(m, link);
    for (int k = 0; k < m->links; k++)
        if (other_end(m, k, gone) >= 0) *(m->a[k] == gone ? &m->a[k] : &m->b[k]) = (uint16_t)kept;
    for (int a = 0; a < m->nodes; a++) m->slot[a] = -1;
    for (int k = 0; k < m->links;) {
        const int other = other_end(m, k, kept), same = other >= 0 ? m->slot[other] : -1;
        if (other >= 0 && same < 0) m->slot[other] = (int16_t)k;
        if (same >= 0) {
            m->weight[same] += m->weight[k];
            remove_link(m, k);
        } else {
            k++;
        }
    }
}

int mn_mg_match_run(mn_mg_match *m)
{
    float inverse[MN_MG_MATCH_NODES];
    int   owner[MN_MG_MATCH_NODES], groups = 0;
    for (int a = 0; a < m->nodes; a++) {
        inverse[a] = inverse_of(m->outside[a]);
        owner[a]   = a;
    }
    for (int k; (k = best_link(m, inverse, MN_MG_MATCH_LEAST)) >= 0;) {
        const int kept = m->a[k] < m->b[k] ? m->a[k] : m->b[k], gone = m->a[k] < m->b[k] ? m->b[k] : m->a[k];
        owner[gone] = kept;
        join(m, k, kept, gone, inverse);
    }
    for (int a = 0; a < m->nodes; a++) {  // an owner comes before what it owns
        m->group[a] = owner[a] == a ? (uint16_t)groups : m->group[owner[a]];
        groups += owner[a] == a;
    }
    return groups;
}
