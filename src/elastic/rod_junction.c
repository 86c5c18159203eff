// SPDX-License-Identifier: MPL-2.0
// elastic/rod_junction.c - which edges meet where, and which pairs of them bend together at a junction (elastic-rods
// 9).
#include "elastic/rod_network_private.h"

mn_status mn_rod_meetings(mn_rod_network *net, mn_rod_meeting *out)
{
    const int32_t edges = net->first_edge[net->strand_count];
    out->start          = mn_alloc_array(net->context, int32_t, (int64_t)net->vertex_count + 1);
    out->edge           = mn_alloc_array(net->context, int32_t, 2 * (int64_t)edges);
    int32_t *fill       = mn_alloc_array(net->context, int32_t, net->vertex_count);
    if (out->start == NULL || out->edge == NULL || fill == NULL) {
        mn_free(net->context, fill);
        return MN_ERR_MEMORY;
    }
    for (int32_t e = 0; e < edges; e++)
        for (int end = 0; end < 2; end++) out->start[net->edge[e].vertex[end] + 1]++;
    for (int32_t v = 0; v < net->vertex_count; v++) {
        out->start[v + 1] += out->start[v];
        fill[v] = out->start[v];
    }
    for (int32_t e = 0; e < edges; e++)
        for (int end = 0; end < 2; end++) out->edge[fill[net->edge[e].vertex[end]]++] = 2 * e + end;
    mn_free(net->context, fill);
    return MN_OK;
}

/// Whether two edge ends at a vertex follow each other inside one strand.
static bool follow(const mn_rod_network *net, int32_t a, int32_t b)
{
    const int32_t in = a % 2 == 1 ? a / 2 : b / 2, away = a % 2 == 1 ? b / 2 : a / 2;
    if (a % 2 == b % 2) return false;
    const int32_t s = net->edge[in].strand, first = net->first_edge[s], last = net->first_edge[s + 1] - 1;
    return net->edge[away].strand == s && (away == in + 1 || (net->strand[s].closed && in == last && away == first));
}

bool mn_rod_is_junction(const mn_rod_network *net, const mn_rod_meeting *m, int32_t vertex)
{
    const int32_t *at = m->edge + m->start[vertex], count = m->start[vertex + 1] - m->start[vertex];
    return count > 2 || (count == 2 && !follow(net, at[0], at[1]));
}

/// Direction of an edge end, pointing away from the vertex.
static mn_vec3 outward(const mn_rod_network *net, int32_t use, const mn_vec3 *rest)
{
    const int32_t *v = net->edge[use / 2].vertex;
    const mn_vec3  d = mn_sub3(rest[v[1 - use % 2]], rest[v[use % 2]]);
    return mn_scale3(1.0 / mn_norm3(d), d);
}

/// The pair as one corner in through `in` and out through `out`.
static mn_rod_joint joint_of(const mn_rod_network *net, int32_t vertex, int32_t in, int32_t out)
{
    const mn_rod_edge *a = &net->edge[in / 2], *b = &net->edge[out / 2];
    mn_rod_joint       j      = { .vertex = { a->vertex[1 - in % 2], vertex, b->vertex[1 - out % 2] },
                                  .edge   = { in / 2, out / 2 } };
    j.sign[0]                 = in % 2 == 1 ? 1 : -1;  // an edge that ends here runs in forwards
    j.sign[1]                 = out % 2 == 0 ? 1 : -1;
    j.length                  = 0.5 * (a->length + b->length);
    const mn_rod_material *ma = &net->strand[a->strand].material, *mb = &net->strand[b->strand].material;
    j.strand = mb->radius < ma->radius ? b->strand : a->strand;
    return j;
}

int32_t mn_rod_junction_joints(const mn_rod_network *net, const mn_rod_meeting *m, int32_t vertex, const mn_vec3 *rest,
                               mn_rod_joint *out)
{
    const int32_t *at = m->edge + m->start[vertex], count = m->start[vertex + 1] - m->start[vertex];
    int32_t        through[2]  = { 0, 1 };
    double         straightest = 2.0;  // cosine between outward directions, -1 for a straight pair
    for (int32_t a = 0; a < count; a++)
        for (int32_t b = a + 1; b < count; b++) {
            const double cosine = mn_dot3(outward(net, at[a], rest), outward(net, at[b], rest));
            if (cosine < straightest) straightest = cosine, through[0] = a, through[1] = b;
        }
    out[0]        = joint_of(net, vertex, at[through[0]], at[through[1]]);
    out[0].mended = count == 2;
    int32_t made  = 1;
    for (int32_t k = 0; k < count; k++) {
        if (k == through[0] || k == through[1]) continue;
        const mn_vec3 d      = outward(net, at[k], rest);
        const bool    second = mn_dot3(d, outward(net, at[through[1]], rest)) <
                            mn_dot3(d, outward(net, at[through[0]], rest));
        out[made++] = joint_of(net, vertex, at[through[second ? 1 : 0]], at[k]);
    }
    return made;
}
