// SPDX-License-Identifier: MPL-2.0
// fabric/prepare.c - constants of the whole fabric: masses, elements of contact, the pattern of the stiffness.
#include "fabric/fabric.h"

#include "fabric/material.h"
#include "fabric/pores/flow_private.h"

#include <string.h>

/// Give `share` of a bulk volume, and the fibre in it, to a vertex of a piece.
static void give(mn_fabric *q, const mn_fabric_piece *p, const mn_fabric_material *m, int32_t vertex, double volume)
{
    const double fiber = mn_fabric_fraction_at_rest(p, m, vertex - p->first_vertex) * volume;
    q->volume[vertex] += volume;
    q->fiber[vertex] += fiber;
    q->mass[vertex] += m->density * fiber;
}

double mn_fabric_triangle_volume(const mn_fabric_piece *p, int64_t triangle)
{
    const int32_t *v = p->mesh.triangle[triangle];
    const mn_vec3  a = mn_v3_from(p->mesh.vertex[v[0]]);
    return 0.5 * p->cloth.thickness *
           mn_norm3(
               mn_cross3(mn_sub3(mn_v3_from(p->mesh.vertex[v[1]]), a), mn_sub3(mn_v3_from(p->mesh.vertex[v[2]]), a)));
}

double mn_fabric_segment_volume(const mn_fabric_piece *p, int64_t segment)
{
    const mn_rod_edge *edge   = &p->rods.edge[segment];
    const double       radius = p->mesh.strand_radius[edge->strand];
    return 3.14159265358979323846 * radius * radius * edge->length;
}

static void add_triangles(mn_fabric *q, int32_t piece)
{
    const mn_fabric_piece *p      = &q->pieces[piece];
    const double           factor = mn_fabric_stiffness_factor(&p->cloth);
    for (int64_t t = 0; t < p->mesh.triangle_count; t++) {
        const double       volume = mn_fabric_triangle_volume(p, t);
        mn_fabric_element *e      = &q->elements[p->first_triangle + t];
        *e                        = (mn_fabric_element){ .piece = piece, .volume = factor * volume };
        for (int i = 0; i < 3; i++) {
            e->vertex[i] = (int32_t)p->first_vertex + p->mesh.triangle[t][i];
            give(q, p, &p->cloth, e->vertex[i], volume / 3.0);
            q->sheet[e->vertex[i]] += (float)(volume / 3.0);
        }
    }
}

static void add_segments(mn_fabric *q, int32_t piece)
{
    const mn_fabric_piece *p      = &q->pieces[piece];
    const double           factor = mn_fabric_stiffness_factor(&p->yarn);
    for (int64_t s = 0; s < mn_rod_network_edges(&p->rods); s++) {
        const mn_rod_edge *edge                                = &p->rods.edge[s];
        const double       volume                              = mn_fabric_segment_volume(p, s);
        q->elements[q->triangles.count + p->first_segment + s] = (mn_fabric_element){ .vertex = { edge->vertex[0],
                                                                                                  edge->vertex[1], -1 },
                                                                                      .piece  = piece,
                                                                                      .volume = factor * volume };
        for (int i = 0; i < 2; i++) give(q, p, &p->yarn, edge->vertex[i], 0.5 * volume);
    }
}

/// Number sheets and strands through; a root of pile belongs to its sheet.
static void name_parts(mn_fabric *q)
{
    int32_t next = 0;
    for (int64_t i = 0; i < q->piece_count; i++) {
        const mn_fabric_piece *p     = &q->pieces[i];
        const mn_thin_mesh    *m     = &p->mesh;
        const int32_t          sheet = next;
        next += m->triangle_count > 0;
        for (int64_t v = 0; v < m->vertex_count; v++) {
            q->part[p->first_vertex + v] = -1;
            for (int a = 0; a < 3; a++) q->rest[a][p->first_vertex + v] = (float)m->vertex[v][a];
        }
        for (int64_t t = 0; t < m->triangle_count; t++)
            for (int k = 0; k < 3; k++) q->part[p->first_vertex + m->triangle[t][k]] = sheet;
        for (int64_t s = 0; s < m->strand_count; s++, next++)
            for (int64_t k = m->strand_start[s]; k < m->strand_start[s + 1]; k++) {
                int32_t *part = &q->part[p->first_vertex + m->strand_vertex[k]];
                if (*part < 0) *part = next;
            }
    }
}

static mn_status list_elements(mn_fabric *q)
{
    q->element_start = mn_alloc_array(q->context, int64_t, q->vertices.count + 1);
    if (q->element_start == NULL) return MN_ERR_MEMORY;
    for (int64_t e = 0; e < q->element_count; e++)
        for (int i = 0; i < 3 && q->elements[e].vertex[i] >= 0; i++) q->element_start[q->elements[e].vertex[i] + 1]++;
    for (int64_t v = 0; v < q->vertices.count; v++) q->element_start[v + 1] += q->element_start[v];
    q->element_of = mn_alloc_array(q->context, int32_t, q->element_start[q->vertices.count]);
    int64_t *next = mn_alloc_array(q->context, int64_t, q->vertices.count);
    if (q->element_of != NULL && next != NULL) {
        memcpy(next, q->element_start, (size_t)q->vertices.count * sizeof *next);
        for (int64_t e = 0; e < q->element_count; e++)
            for (int i = 0; i < 3 && q->elements[e].vertex[i] >= 0; i++)
                q->element_of[next[q->elements[e].vertex[i]]++] = (int32_t)e;
    }
    const bool ok = q->element_of != NULL && next != NULL;
    mn_free(q->context, next);
    return ok ? MN_OK : MN_ERR_MEMORY;
}

/// Cliques of all pieces, one after the other: patches of triangles, corners and edges of yarn, junctions of the two.
typedef struct clique_walk {
    mn_fabric     *q;
    mn_shell_patch patch;
} clique_walk;

static mn_block_clique next_clique(int64_t k, void *context)
{
    clique_walk *w = context;
    for (int64_t i = 0; i < w->q->piece_count; i++) {
        mn_fabric_piece *p = &w->q->pieces[i];
        if (k < p->mesh.triangle_count) {
            w->patch.shell     = p->shell;
            w->patch.first_row = p->first_vertex;
            return mn_shell_clique(k, &w->patch);
        }
        k -= p->mesh.triangle_count;
        if (p->mesh.strand_count == 0) continue;
        if (k < mn_rod_network_cliques(&p->rods)) return mn_rod_network_clique(k, &p->rods);
        k -= mn_rod_network_cliques(&p->rods);
        if (k < p->junctions.count) return mn_cloth_junctions_clique(k, &p->junctions);
        k -= p->junctions.count;
    }
    return (mn_block_clique){ NULL, 0 };
}

static mn_status make_stiffness(mn_fabric *q)
{
    int64_t cliques = 0;
    for (int64_t i = 0; i < q->piece_count; i++) {
        cliques += q->pieces[i].mesh.triangle_count + q->pieces[i].junctions.count;
        if (q->pieces[i].mesh.strand_count > 0) cliques += mn_rod_network_cliques(&q->pieces[i].rods);
    }
    clique_walk walk = { .q = q };
    MN_TRY(mn_block_matrix_create_half(q->context, q->vertices.count, cliques, next_clique, &walk, &q->stiffness));
    for (int64_t i = 0; i < q->piece_count; i++)
        if (q->pieces[i].shell != NULL)
            MN_TRY(mn_shell_bind(q->pieces[i].shell, &q->stiffness, q->pieces[i].first_vertex));
    return MN_OK;
}

static mn_status reserve_before(mn_fabric *q)
{
    mn_context *c = q->context;
    MN_TRY(mn_fields_reserve(c, mn_fabric_table_of(&q->vertices_before), &q->vertices_before, 0,
                             &q->vertices_before.capacity, q->vertices.count));
    MN_TRY(mn_fields_reserve(c, &mn_fabric_triangle_table, &q->triangles_before, 0, &q->triangles_before.capacity,
                             q->triangles.count));
    return mn_fields_reserve(c, &mn_fabric_segment_table, &q->segments_before, 0, &q->segments_before.capacity,
                             q->segments.count);
}

/// What an earlier attempt left.
static void forget_constants(mn_fabric *q)
{
    void *const arrays[] = { q->mass,    q->volume, q->fiber,    q->sheet,         q->rest[0],   q->rest[1],
                             q->rest[2], q->part,   q->elements, q->element_start, q->element_of };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) mn_free(q->context, arrays[k]);
    mn_block_matrix_destroy(q->context, &q->stiffness);
    mn_flow_links_destroy(q->context, &q->links);
    q->mass = q->volume = q->fiber = NULL;
    q->sheet                       = NULL;
    q->rest[0] = q->rest[1] = q->rest[2] = NULL;
    q->part                              = NULL;
    q->elements                          = NULL;
    q->element_start                     = NULL;
    q->element_of                        = NULL;
}

mn_status mn_fabric_prepare(mn_fabric *q)
{
    if (q->ready) return MN_OK;
    forget_constants(q);
    q->element_count = q->triangles.count + q->segments.count;
    q->mass          = mn_alloc_array(q->context, double, q->vertices.count);
    q->volume        = mn_alloc_array(q->context, double, q->vertices.count);
    q->fiber         = mn_alloc_array(q->context, double, q->vertices.count);
    q->sheet         = mn_alloc_array(q->context, float, q->vertices.count);
    q->elements      = mn_alloc_array(q->context, mn_fabric_element, q->element_count);
    q->part          = mn_alloc_array(q->context, int32_t, q->vertices.count);
    for (int a = 0; a < 3; a++)
        if ((q->rest[a] = mn_alloc_array(q->context, float, q->vertices.count)) == NULL) return MN_ERR_MEMORY;
    if (q->mass == NULL || q->volume == NULL || q->fiber == NULL || q->sheet == NULL || q->elements == NULL ||
        q->part == NULL)
        return MN_ERR_MEMORY;
    name_parts(q);
    for (int32_t i = 0; i < (int32_t)q->piece_count; i++) {
        add_triangles(q, i);
        add_segments(q, i);
    }
    for (int64_t v = 0; v < q->vertices.count; v++) {
        if (!(q->mass[v] > 0.0))
            return mn_fail(q->context, MN_ERR_ARGUMENT,
                           "a vertex of the fabric belongs to no triangle and no strand (number %lld)", (long long)v);
        q->sheet[v] = fminf(1.0f, q->sheet[v] / (float)q->volume[v]);
    }
    MN_TRY(list_elements(q));
    MN_TRY(make_stiffness(q));
    MN_TRY(reserve_before(q));
    q->ready = true;
    return MN_OK;
}
