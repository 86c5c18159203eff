// SPDX-License-Identifier: MPL-2.0
// elastic/rod_network.c - making a network of strands: topology, tables of who meets whom, memory.
#include "elastic/rod_network_private.h"

#include <string.h>

static const mn_field edge_fields[] = {
#define X(type, n, name, unit, flags, help) MN_FIELD(mn_rod_edges, type, n, name, unit, flags, help),
    MN_ROD_EDGE_FIELDS(X)
#undef X
};
static const mn_field corner_fields[] = {
#define X(type, n, name, unit, flags, help) MN_FIELD(mn_rod_corners, type, n, name, unit, flags, help),
    MN_ROD_CORNER_FIELDS(X)
#undef X
};
const mn_field_table mn_rod_edge_table   = { "rod_edge", edge_fields, sizeof edge_fields / sizeof *edge_fields };
const mn_field_table mn_rod_corner_table = { "rod_corner", corner_fields,
                                             sizeof corner_fields / sizeof *corner_fields };

static mn_status check_material(mn_context *c, int32_t strand, const mn_rod_material *m)
{
    const struct {
        const char *name;
        double      value;
        bool        zero_allowed;
    } all[] = {
        { "radius", m->radius, false },      { "young", m->young, false },
        { "shear", m->shear, false },        { "density", m->density, false },
        { "viscosity", m->viscosity, true }, { "stretch_factor", m->stretch_factor, false },
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (!isfinite(all[k].value) || all[k].value < 0.0 || (all[k].value == 0.0 && !all[k].zero_allowed))
            return mn_fail(c, MN_ERR_ARGUMENT, "strand %d: %s is %g, it must be %s", strand, all[k].name, all[k].value,
                           all[k].zero_allowed ? "at least 0" : "above 0");
    return MN_OK;
}

static mn_status check_strand(mn_context *c, const mn_rod_network_def *def, int32_t s)
{
    const mn_rod_strand_def *d = &def->strands[s];
    if (d->count < (d->closed ? 3 : 2))
        return mn_fail(c, MN_ERR_ARGUMENT, "strand %d has %d vertices, %s needs at least %d", s, d->count,
                       d->closed ? "a closed one" : "an open one", d->closed ? 3 : 2);
    if (!(d->curl >= 0.0 && d->curl <= 1.0))
        return mn_fail(c, MN_ERR_ARGUMENT, "strand %d: curl is %g, it must lie in [0, 1]", s, d->curl);
    MN_TRY(check_material(c, s, &d->material));
    for (int32_t i = 0; i < d->count; i++)
        if (d->vertex[i] < 0 || d->vertex[i] >= def->vertex_count)
            return mn_fail(c, MN_ERR_ARGUMENT, "strand %d: vertex %d is not in [0, %d)", s, d->vertex[i],
                           def->vertex_count);
    for (int32_t i = 0; i < d->count - !d->closed; i++) {
        const double length = mn_norm3(mn_sub3(def->rest[d->vertex[(i + 1) % d->count]], def->rest[d->vertex[i]]));
        if (!(length > 2.0 * d->material.radius))
            return mn_fail(c, MN_ERR_ARGUMENT, "strand %d: edge %d is %g cm long, it must exceed its diameter of %g cm",
                           s, i, length, 2.0 * d->material.radius);
    }
    return MN_OK;
}

static mn_status copy_strands(const mn_rod_network_def *def, mn_rod_network *net)
{
    int64_t vertices = 0, edges = 0;
    for (int32_t s = 0; s < def->strand_count; s++) {
        MN_TRY(check_strand(net->context, def, s));
        vertices += def->strands[s].count;
        edges += def->strands[s].count - !def->strands[s].closed;
    }
    if (vertices > INT32_MAX / 8)
        return mn_fail(net->context, MN_ERR_ARGUMENT, "the strands have %lld vertices, at most %d are possible",
                       (long long)vertices, INT32_MAX / 8);
    net->strand        = mn_alloc_array(net->context, mn_rod_strand_def, def->strand_count);
    net->strand_vertex = mn_alloc_array(net->context, int32_t, vertices);
    net->first_edge    = mn_alloc_array(net->context, int32_t, (int64_t)def->strand_count + 1);
    net->first_corner  = mn_alloc_array(net->context, int32_t, (int64_t)def->strand_count + 1);
    net->edge          = mn_alloc_array(net->context, mn_rod_edge, edges);
    if (net->strand == NULL || net->strand_vertex == NULL || net->first_edge == NULL || net->first_corner == NULL ||
        net->edge == NULL)
        return MN_ERR_MEMORY;
    int32_t at = 0, e = 0;
    for (int32_t s = 0; s < def->strand_count; s++) {
        mn_rod_strand_def *d = &net->strand[s];
        *d                   = def->strands[s];
        d->vertex            = memcpy(net->strand_vertex + at, d->vertex, (size_t)d->count * sizeof *d->vertex);
        at += d->count;
        for (int32_t i = 0; i < d->count - !d->closed; i++, e++) {
            const int32_t a = d->vertex[i], b = d->vertex[(i + 1) % d->count];
            net->edge[e] = (mn_rod_edge){ .vertex = { a, b },
                                          .strand = s,
                                          .length = mn_norm3(mn_sub3(def->rest[b], def->rest[a])) };
        }
        net->first_edge[s + 1] = e;
    }
    return MN_OK;
}

/// Corners inside strands, leaving out vertices that are junctions. With `out` NULL only counted.
static int32_t own_corners(mn_rod_network *net, const mn_rod_meeting *m, mn_rod_joint *out)
{
    int32_t made = 0;
    for (int32_t s = 0; s < net->strand_count; s++) {
        const mn_rod_strand_def *d     = &net->strand[s];
        const int32_t            edges = net->first_edge[s + 1] - net->first_edge[s];
        net->first_corner[s]           = made;
        for (int32_t i = d->closed ? 0 : 1; i < edges; i++) {
            if (mn_rod_is_junction(net, m, d->vertex[i])) continue;
            const int32_t before = net->first_edge[s] + (i + edges - 1) % edges, after = net->first_edge[s] + i;
            if (out != NULL)
                out[made] = (mn_rod_joint){ .vertex = { net->edge[before].vertex[0], d->vertex[i],
                                                        net->edge[after].vertex[1] },
                                            .edge   = { before, after },
                                            .sign   = { 1, 1 },
                                            .strand = s,
                                            .length = 0.5 * (net->edge[before].length + net->edge[after].length) };
            made++;
        }
    }
    net->first_corner[net->strand_count] = made;
    return made;
}

static mn_status make_corners(mn_rod_network *net, const mn_rod_meeting *m, const mn_vec3 *rest)
{
    int64_t count = own_corners(net, m, NULL);
    for (int32_t v = 0; v < net->vertex_count; v++)
        if (mn_rod_is_junction(net, m, v)) count += m->start[v + 1] - m->start[v] - 1;
    net->joint = mn_alloc_array(net->context, mn_rod_joint, count);
    if (net->joint == NULL) return MN_ERR_MEMORY;
    int32_t made = own_corners(net, m, net->joint);
    for (int32_t v = 0; v < net->vertex_count; v++)
        if (mn_rod_is_junction(net, m, v)) made += mn_rod_junction_joints(net, m, v, rest, net->joint + made);
    MN_TRY(mn_fields_reserve(net->context, &mn_rod_corner_table, &net->corners, 0, &net->corners.capacity, made));
    net->corners.count = made;
    return MN_OK;
}

/// Item of element `use` (element * roles + role), for tables of who uses an item.
typedef int32_t item_fn(const mn_rod_network *net, int32_t use);
static int32_t  vertex_of_corner(const mn_rod_network *net, int32_t use) { return net->joint[use / 3].vertex[use % 3]; }
static int32_t  vertex_of_edge(const mn_rod_network *net, int32_t use) { return net->edge[use / 2].vertex[use % 2]; }
static int32_t  edge_of_corner(const mn_rod_network *net, int32_t use) { return net->joint[use / 2].edge[use % 2]; }

static mn_status make_uses(mn_rod_network *net, int32_t items, const int32_t *place, int32_t uses, item_fn *item,
                           mn_rod_uses *out)
{
    out->start = mn_alloc_array(net->context, int32_t, (int64_t)items + 1);
    out->list  = mn_alloc_array(net->context, int32_t, uses);
    if (out->start == NULL || out->list == NULL) return MN_ERR_MEMORY;
    for (int32_t u = 0; u < uses; u++) out->start[(place != NULL ? place[item(net, u)] : item(net, u)) + 1]++;
    for (int32_t i = 0; i < items; i++) out->start[i + 1] += out->start[i];
    // Filled from behind: start[i] ends at its own place, and every list ascends.
    for (int32_t u = uses - 1; u >= 0; u--)
        out->list[--out->start[(place != NULL ? place[item(net, u)] : item(net, u)) + 1]] = u;
    for (int32_t i = 0; i < items; i++) out->start[i] = out->start[i + 1];
    out->start[items] = uses;
    return MN_OK;
}

static mn_status make_tables(mn_rod_network *net)
{
    const int32_t edges = (int32_t)net->edges.count, corners = (int32_t)net->corners.count;
    int32_t      *place = mn_alloc_array(net->context, int32_t, net->vertex_count);
    if (place == NULL) return MN_ERR_MEMORY;
    for (int32_t e = 0; e < edges; e++) place[net->edge[e].vertex[0]] = place[net->edge[e].vertex[1]] = 1;
    for (int32_t v = 0; v < net->vertex_count; v++) net->touched_count += place[v];
    net->touched     = mn_alloc_array(net->context, int32_t, net->touched_count);
    mn_status status = net->touched != NULL ? MN_OK : MN_ERR_MEMORY;
    for (int32_t v = 0, n = 0; v < net->vertex_count && status == MN_OK; v++)
        if (place[v] != 0) net->touched[n] = v, place[v] = n++;
    if (status == MN_OK)
        status = make_uses(net, net->touched_count, place, 3 * corners, vertex_of_corner, &net->vertex_corners);
    if (status == MN_OK)
        status = make_uses(net, net->touched_count, place, 2 * edges, vertex_of_edge, &net->vertex_edges);
    if (status == MN_OK) status = make_uses(net, edges, NULL, 2 * corners, edge_of_corner, &net->edge_corners);
    mn_free(net->context, place);
    return status;
}

static mn_status make_workspace(mn_rod_network *net)
{
    mn_context   *c     = net->context;
    const int64_t edges = net->edges.count, corners = net->corners.count;
    const int64_t most = edges > corners ? edges : corners;
    net->edge_factor   = mn_alloc_array(c, double, edges);
    net->start_length  = mn_alloc_array(c, double, edges);
    net->start_strain  = mn_alloc_array(c, mn_rod_strain, corners);
    net->side          = mn_alloc_array(c, mn_rod_side, edges);
    net->stretch       = mn_alloc_array(c, mn_rod_stretch, edges);
    net->across        = mn_alloc_array(c, double, edges);
    net->gradient      = mn_alloc_array(c, mn_rod_gradient, corners);
    net->block         = mn_alloc_array(c, mn_rod_block, corners);
    net->twist_hessian = mn_alloc(c, mn_array_bytes(corners, sizeof *net->twist_hessian));
    net->partial       = mn_alloc(c, mn_array_bytes(most / MN_ROD_BLOCK + 1, sizeof *net->partial));
    if (net->edge_factor == NULL || net->start_length == NULL || net->start_strain == NULL || net->side == NULL ||
        net->stretch == NULL || net->across == NULL || net->gradient == NULL || net->block == NULL ||
        net->twist_hessian == NULL || net->partial == NULL)
        return MN_ERR_MEMORY;
    mn_rod_network_set_stiffness(net, NULL);
    return MN_OK;
}

static mn_status build(mn_rod_network *net, const mn_rod_network_def *def)
{
    MN_TRY(copy_strands(def, net));
    const int32_t edges = net->first_edge[net->strand_count];
    MN_TRY(mn_fields_reserve(net->context, &mn_rod_edge_table, &net->edges, 0, &net->edges.capacity, edges));
    net->edges.count       = edges;
    mn_rod_meeting meeting = { 0 };
    mn_status      status  = mn_rod_meetings(net, &meeting);
    if (status == MN_OK) status = make_corners(net, &meeting, def->rest);
    mn_free(net->context, meeting.start);
    mn_free(net->context, meeting.edge);
    MN_TRY(status);
    MN_TRY(make_tables(net));
    MN_TRY(make_workspace(net));
    MN_TRY(mn_rod_elimination_create(net));
    mn_rod_rest_from(net, def->rest);
    return MN_OK;
}

mn_status mn_rod_network_create(mn_context *c, const mn_rod_network_def *def, mn_rod_network *out)
{
    *out = (mn_rod_network){ .context = c, .strand_count = def->strand_count, .vertex_count = def->vertex_count };
    const mn_status status = build(out, def);
    if (status != MN_OK) mn_rod_network_destroy(out);
    return status;
}

void mn_rod_network_destroy(mn_rod_network *net)
{
    mn_context *c = net->context;
    if (c == NULL) return;
    mn_rod_elimination_destroy(net);
    mn_fields_free(c, &mn_rod_edge_table, &net->edges);
    mn_fields_free(c, &mn_rod_corner_table, &net->corners);
    void *blocks[] = { net->strand,
                       net->strand_vertex,
                       net->first_edge,
                       net->first_corner,
                       net->edge,
                       net->joint,
                       net->edge_factor,
                       net->touched,
                       net->vertex_corners.start,
                       net->vertex_corners.list,
                       net->vertex_edges.start,
                       net->vertex_edges.list,
                       net->edge_corners.start,
                       net->edge_corners.list,
                       net->start_length,
                       net->start_strain,
                       net->side,
                       net->stretch,
                       net->across,
                       net->gradient,
                       net->block,
                       net->twist_hessian,
                       net->partial };
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) mn_free(c, blocks[k]);
    *net = (mn_rod_network){ .context = NULL };
}

void mn_rod_network_set_stiffness(mn_rod_network *net, const double *edge_factor)
{
    for (int64_t e = 0; e < net->edges.count; e++) net->edge_factor[e] = edge_factor != NULL ? edge_factor[e] : 1.0;
}
