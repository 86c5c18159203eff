// SPDX-License-Identifier: MPL-2.0
// fabric/fabric.c - the fabrics of a world: adding pieces, and the constants that follow from all of them.
#include "fabric/fabric.h"

#include "defs/check.h"
#include "fabric/material.h"
#include "fabric/pores/flow_private.h"

#include <stdio.h>
#include <string.h>

#define X(type, n, name, unit, flags, help) MN_FIELD(OWNER, type, n, name, unit, flags, help),
#define OWNER                               mn_fabric_vertices
// One table for each number of pigments, of which the first has no fields of pigments.
// clang-format off
#define P(n, name, help) MN_FIELD(mn_fabric_vertices, double, n, name, "g", MN_FIELD_SAVED, help),
#define FIELDS(pigments) { MN_FABRIC_VERTEX_FIELDS(X) MN_FABRIC_PIGMENT_FIELDS(P, pigments) }
// clang-format on
static const mn_field vertex_fields[MN_PIGMENTS_MOST + 1][12] = { FIELDS(0), FIELDS(1), FIELDS(2), FIELDS(3), FIELDS(4),
                                                                  FIELDS(5), FIELDS(6), FIELDS(7), FIELDS(8) };
#undef P
#undef OWNER
#define OWNER mn_fabric_triangles
static const mn_field triangle_fields[] = { MN_FABRIC_TRIANGLE_FIELDS(X) };
#undef OWNER
#define OWNER mn_fabric_segments
static const mn_field segment_fields[] = { MN_FABRIC_SEGMENT_FIELDS(X) };
#undef OWNER
#define OWNER mn_fabric_held
static const mn_field held_fields[] = { MN_FABRIC_HELD_FIELDS(X) };
#undef OWNER
#undef X
#define VERTEX_FIELDS  ((int)(sizeof vertex_fields[0] / sizeof *vertex_fields[0]))
#define PIGMENT_STATES 3
const mn_field_table        mn_fabric_vertex_table = { "fabric", vertex_fields[0], VERTEX_FIELDS - PIGMENT_STATES };
static const mn_field_table pigment_tables[]       = {
          { "fabric", vertex_fields[1], VERTEX_FIELDS }, { "fabric", vertex_fields[2], VERTEX_FIELDS },
          { "fabric", vertex_fields[3], VERTEX_FIELDS }, { "fabric", vertex_fields[4], VERTEX_FIELDS },
          { "fabric", vertex_fields[5], VERTEX_FIELDS }, { "fabric", vertex_fields[6], VERTEX_FIELDS },
          { "fabric", vertex_fields[7], VERTEX_FIELDS }, { "fabric", vertex_fields[8], VERTEX_FIELDS }
};
_Static_assert(MN_PIGMENTS_MOST == 8, "a table for each number of pigments");

const mn_field_table *mn_fabric_table_of(const mn_fabric_vertices *v)
{
    return v->pigments == 0 ? &mn_fabric_vertex_table : &pigment_tables[v->pigments - 1];
}

static mn_status set_pigments(mn_context *c, mn_fabric_vertices *v, int count)
{
    const mn_field *field  = &vertex_fields[MN_PIGMENTS_MOST][VERTEX_FIELDS - PIGMENT_STATES];
    const int       before = v->pigments;
    mn_status       status = MN_OK;
    int             done   = 0;
    for (; status == MN_OK && done < PIGMENT_STATES; done++)
        status = mn_field_set_components(c, &field[done], v, before, count, v->count, v->capacity);
    if (status == MN_OK) v->pigments = count;
    else
        for (int f = 0; f < done - 1; f++)
            mn_field_set_components(c, &field[f], v, count, before, v->count, v->capacity);
    return status;
}

mn_status mn_fabric_set_pigments(mn_fabric *q, int count)
{
    const int before = q->vertices.pigments;
    MN_TRY(set_pigments(q->context, &q->vertices, count));
    const mn_status status = set_pigments(q->context, &q->vertices_before, count);
    if (status != MN_OK) set_pigments(q->context, &q->vertices, before);
    return status;
}
const mn_field_table mn_fabric_triangle_table = { "fabric_triangles", triangle_fields,
                                                  sizeof triangle_fields / sizeof *triangle_fields };
const mn_field_table mn_fabric_segment_table  = { "fabric_segments", segment_fields,
                                                  sizeof segment_fields / sizeof *segment_fields };
const mn_field_table mn_fabric_held_table = { "fabric_held", held_fields, sizeof held_fields / sizeof *held_fields };

void mn_fabric_init(mn_context *c, const mn_fabric_model *model, mn_fabric *q)
{
    memset(q, 0, sizeof *q);
    q->context = c;
    q->model   = *model;
}

static void destroy_piece(mn_context *c, mn_fabric_piece *p)
{
    mn_shell_destroy(&p->shell);
    mn_rod_network_destroy(&p->rods);
    mn_cloth_junctions_destroy(&p->junctions);
    for (int k = 0; k < p->pin_count; k++) {
        mn_motion_destroy(c, &p->pins[k].motion);
        mn_free(c, p->pins[k].vertex);
        mn_free(c, p->pins[k].slot);
        mn_free(c, p->pins[k].home);
    }
    mn_free(c, p->pins);
    mn_fields_free(c, &mn_fabric_held_table, &p->held);
    mn_free(c, p->solid_fraction);
    mn_thin_mesh_free(c, &p->mesh);
    memset(p, 0, sizeof *p);
}

void mn_fabric_destroy(mn_fabric *q)
{
    mn_context *c = q->context;
    if (c == NULL) return;
    for (int64_t k = 0; k < q->piece_count; k++) destroy_piece(c, &q->pieces[k]);
    mn_free(c, q->pieces);
    mn_free(c, q->mass);
    mn_free(c, q->volume);
    mn_free(c, q->fiber);
    mn_free(c, q->sheet);
    mn_free(c, q->part);
    for (int a = 0; a < 3; a++) mn_free(c, q->rest[a]);
    mn_free(c, q->elements);
    mn_free(c, q->element_start);
    mn_free(c, q->element_of);
    mn_block_matrix_destroy(c, &q->stiffness);
    mn_flow_links_destroy(c, &q->links);
    mn_fields_free(c, mn_fabric_table_of(&q->vertices), &q->vertices);
    mn_fields_free(c, &mn_fabric_triangle_table, &q->triangles);
    mn_fields_free(c, &mn_fabric_segment_table, &q->segments);
    mn_fields_free(c, mn_fabric_table_of(&q->vertices_before), &q->vertices_before);
    mn_fields_free(c, &mn_fabric_triangle_table, &q->triangles_before);
    mn_fields_free(c, &mn_fabric_segment_table, &q->segments_before);
    memset(q, 0, sizeof *q);
}

// Adding a piece

static void *copy_of(mn_context *c, const void *from, int64_t count, size_t size)
{
    void *to = mn_alloc(c, mn_array_bytes(count, size));
    if (to != NULL && count > 0) memcpy(to, from, (size_t)count * size);
    return to;
}

static mn_status copy_groups(mn_context *c, const mn_thin_mesh *from, mn_thin_mesh *to)
{
    if (from->group_count == 0) return MN_OK;
    to->group = mn_alloc_array(c, mn_vertex_group, from->group_count);
    if (to->group == NULL) return MN_ERR_MEMORY;
    for (int64_t g = 0; g < from->group_count; g++) {
        mn_vertex_group *own = &to->group[to->group_count++];
        *own                 = from->group[g];
        own->vertex          = copy_of(c, from->group[g].vertex, from->group[g].count, sizeof *own->vertex);
        if (own->vertex == NULL) return MN_ERR_MEMORY;
    }
    return MN_OK;
}

/// The mesh at its place in the world.
static mn_status place_mesh(mn_context *c, const mn_fabric_def *def, mn_thin_mesh *out)
{
    const mn_thin_mesh *from            = def->mesh;
    mn_thin_mesh        m               = { .vertex_count   = from->vertex_count,
                                            .triangle_count = from->triangle_count,
                                            .strand_count   = from->strand_count };
    const int64_t       strand_vertices = from->strand_count > 0 ? from->strand_start[from->strand_count] : 0;
    const mn_mat3       turn            = mn_rotation3(mn_unit3(mn_v3_from(def->axis), mn_v3(0, 1, 0)), def->angle);
    m.vertex                            = copy_of(c, from->vertex, m.vertex_count, sizeof *m.vertex);
    m.triangle                          = copy_of(c, from->triangle, m.triangle_count, sizeof *m.triangle);
    bool ok                             = m.vertex != NULL && m.triangle != NULL;
    if (from->warp != NULL) ok = (m.warp = copy_of(c, from->warp, m.triangle_count, sizeof *m.warp)) != NULL && ok;
    if (from->strand_count > 0) {
        m.strand_start  = copy_of(c, from->strand_start, m.strand_count + 1, sizeof *m.strand_start);
        m.strand_vertex = copy_of(c, from->strand_vertex, strand_vertices, sizeof *m.strand_vertex);
        m.strand_closed = copy_of(c, from->strand_closed, m.strand_count, sizeof *m.strand_closed);
        m.strand_radius = copy_of(c, from->strand_radius, m.strand_count, sizeof *m.strand_radius);
        ok              = ok && m.strand_start != NULL && m.strand_vertex != NULL && m.strand_closed != NULL &&
             m.strand_radius != NULL;
    }
    if (from->texture_count > 0) {
        m.texture_count  = from->texture_count;
        m.texture        = copy_of(c, from->texture, m.texture_count, sizeof *m.texture);
        m.texture_corner = copy_of(c, from->texture_corner, m.triangle_count, sizeof *m.texture_corner);
        ok               = ok && m.texture != NULL && m.texture_corner != NULL;
    }
    if (!ok || copy_groups(c, from, &m) != MN_OK) {
        mn_thin_mesh_free(c, &m);
        return MN_ERR_MEMORY;
    }
    for (int64_t v = 0; v < m.vertex_count; v++) {
        const mn_vec3 x = mn_add3(mn_mul3(turn, mn_v3_from(m.vertex[v])), mn_v3_from(def->at));
        m.vertex[v][0] = x.x, m.vertex[v][1] = x.y, m.vertex[v][2] = x.z;
    }
    for (int64_t t = 0; m.warp != NULL && t < m.triangle_count; t++) {
        const mn_vec3 w = mn_mul3(turn, mn_v3_from(m.warp[t]));
        m.warp[t][0] = w.x, m.warp[t][1] = w.y, m.warp[t][2] = w.z;
    }
    *out = m;
    return MN_OK;
}

/// A number for every vertex, in the range of a key.
static mn_status check_amounts(mn_context *c, const mn_section *section, const char *key, const double *amount,
                               int64_t count, const char *front)
{
    const mn_setting *s = mn_section_row(section, key);
    char              at[MN_NAME_BYTES + 48];
    for (int64_t v = 0; amount != NULL && v < count; v++) {
        if (mn_setting_in_range(s, amount[v])) continue;
        snprintf(at, sizeof at, "%svertex %lld: ", front, (long long)v);
        return mn_defs_check_number(c, section, key, amount[v], at);
    }
    return MN_OK;
}

static mn_status check_mesh(mn_context *c, const mn_fabric_def *def)
{
    char front[MN_NAME_BYTES + 16];
    snprintf(front, sizeof front, "fabric '%s': ", def->name);
    const mn_thin_mesh *m = def->mesh;
    if (m == NULL || m->vertex_count < 2 || (m->triangle_count == 0 && m->strand_count == 0))
        return mn_fail(c, MN_ERR_ARGUMENT, "fabric '%s' has neither triangles nor strands", def->name);
    for (int64_t v = 0; v < m->vertex_count; v++)
        for (int a = 0; a < 3; a++)
            if (!isfinite(m->vertex[v][a]))
                return mn_fail(c, MN_ERR_NOT_FINITE, "fabric '%s': vertex %lld is not finite", def->name, (long long)v);
    for (int64_t t = 0; t < m->triangle_count; t++)
        for (int i = 0; i < 3; i++)
            if (m->triangle[t][i] < 0 || m->triangle[t][i] >= m->vertex_count)
                return mn_fail(c, MN_ERR_ARGUMENT, "fabric '%s': triangle %lld names vertex %d of %lld", def->name,
                               (long long)t, m->triangle[t][i], (long long)m->vertex_count);
    for (int64_t k = 0; m->strand_count > 0 && k < m->strand_start[m->strand_count]; k++)
        if (m->strand_vertex[k] < 0 || m->strand_vertex[k] >= m->vertex_count)
            return mn_fail(c, MN_ERR_ARGUMENT, "fabric '%s': a strand names vertex %d of %lld", def->name,
                           m->strand_vertex[k], (long long)m->vertex_count);
    MN_TRY(mn_defs_check(c, &mn_section_fabric, def, front));
    MN_TRY(check_amounts(c, &mn_section_fabric, "saturation", def->saturation, m->vertex_count, front));
    MN_TRY(
        check_amounts(c, &mn_section_fabric_material, "solid_fraction", def->solid_fraction, m->vertex_count, front));
    return mn_fabric_material_check(c, &def->material);
}

static mn_status make_shell(mn_context *c, mn_fabric_piece *p)
{
    if (p->mesh.triangle_count == 0) return MN_OK;
    const mn_shell_def def = { .rest           = (const mn_vec3 *)p->mesh.vertex,
                               .vertex_count   = p->mesh.vertex_count,
                               .triangle       = (const int32_t(*)[3])p->mesh.triangle,
                               .triangle_count = p->mesh.triangle_count,
                               .warp           = (const mn_vec3 *)p->mesh.warp,
                               .material       = mn_fabric_shell_material(&p->cloth) };
    return mn_shell_create(c, &def, &p->shell);
}

/// Vertices as the whole fabric numbers them, so that the network works on its arrays.
static mn_status make_rods(mn_context *c, mn_fabric_piece *p, double straighten)
{
    const mn_thin_mesh *m = &p->mesh;
    if (m->strand_count == 0) return MN_OK;
    const int64_t      named    = m->strand_start[m->strand_count];
    mn_rod_strand_def *strands  = mn_alloc_array(c, mn_rod_strand_def, m->strand_count);
    int32_t           *vertices = mn_alloc_array(c, int32_t, named);
    mn_vec3           *rest     = mn_alloc_array(c, mn_vec3, p->first_vertex + m->vertex_count);
    mn_status          status   = strands != NULL && vertices != NULL && rest != NULL ? MN_OK : MN_ERR_MEMORY;
    if (status == MN_OK) {
        memcpy(rest + p->first_vertex, m->vertex, (size_t)m->vertex_count * sizeof *rest);
        for (int64_t k = 0; k < named; k++) vertices[k] = m->strand_vertex[k] + (int32_t)p->first_vertex;
        for (int64_t s = 0; s < m->strand_count; s++)
            strands[s] = (mn_rod_strand_def){ .vertex   = vertices + m->strand_start[s],
                                              .count    = (int32_t)(m->strand_start[s + 1] - m->strand_start[s]),
                                              .closed   = m->strand_closed[s] != 0,
                                              .rest     = MN_ROD_REST_POSE,
                                              .curl     = 1.0 - straighten,
                                              .material = mn_fabric_rod_material(&p->yarn, m->strand_radius[s]) };
        const mn_rod_network_def def = { .strands      = strands,
                                         .strand_count = (int32_t)m->strand_count,
                                         .rest         = rest,
                                         .vertex_count = (int32_t)(p->first_vertex + m->vertex_count) };
        status                       = mn_rod_network_create(c, &def, &p->rods);
    }
    mn_free(c, strands);
    mn_free(c, vertices);
    mn_free(c, rest);
    return status;
}

/// Ends of segments that lie in the cloth, one root each.
static int64_t find_roots(const mn_fabric_piece *p, const uint8_t *in_cloth, mn_cloth_root *roots)
{
    int64_t count = 0;
    for (int64_t e = 0; e < mn_rod_network_edges(&p->rods); e++) {
        const mn_rod_edge *edge = &p->rods.edge[e];
        for (int end = 0; end < 2; end++) {
            const int32_t root = edge->vertex[end] - (int32_t)p->first_vertex,
                          tip  = edge->vertex[1 - end] - (int32_t)p->first_vertex;
            if (!in_cloth[root]) continue;
            roots[count++] = (mn_cloth_root){ .root     = root,
                                              .tip      = tip,
                                              .material = p->rods.strand[edge->strand].material };
        }
    }
    return count;
}

static mn_status make_junctions(mn_context *c, mn_fabric_piece *p)
{
    const mn_thin_mesh *m = &p->mesh;
    if (m->strand_count == 0 || m->triangle_count == 0) return MN_OK;
    uint8_t       *in_cloth = mn_alloc_array(c, uint8_t, m->vertex_count);
    mn_cloth_root *roots    = mn_alloc_array(c, mn_cloth_root, 2 * mn_rod_network_edges(&p->rods));
    mn_status      status   = in_cloth != NULL && roots != NULL ? MN_OK : MN_ERR_MEMORY;
    if (status == MN_OK) {
        for (int64_t t = 0; t < m->triangle_count; t++)
            for (int i = 0; i < 3; i++) in_cloth[m->triangle[t][i]] = 1;
        const mn_cloth_junctions_def def = { .rest           = (const mn_vec3 *)m->vertex,
                                             .vertex_count   = m->vertex_count,
                                             .triangle       = (const int32_t(*)[3])m->triangle,
                                             .triangle_count = m->triangle_count,
                                             .roots          = roots,
                                             .root_count     = find_roots(p, in_cloth, roots),
                                             .first_vertex   = p->first_vertex };
        status                           = mn_cloth_junctions_create(c, &def, &p->junctions);
    }
    mn_free(c, in_cloth);
    mn_free(c, roots);
    return status;
}

static mn_status make_pin(mn_context *c, const mn_fabric_def *def, const mn_pin_def *from, const mn_fabric_piece *p,
                          mn_fabric_pin *to)
{
    const mn_vertex_group *group = mn_thin_find_group(def->mesh, from->group);
    if (group == NULL)
        return mn_fail(c, MN_ERR_ARGUMENT, "fabric '%s' has no group '%s' to pin", def->name, from->group);
    char front[2 * MN_NAME_BYTES + 32];
    snprintf(front, sizeof front, "fabric '%s': pin of '%s': ", def->name, from->group);
    MN_TRY(mn_defs_check(c, &mn_section_pin, from, front));
    mn_motion_def motion = from->motion;
    for (int a = 0; a < 3; a++) motion.pivot[a] += def->at[a];
    memcpy(to->group, from->group, sizeof to->group);
    to->stiffness = from->kind == MN_PIN_SOFT ? from->stiffness : 0.0;
    to->twist     = from->twist;
    to->begin     = from->during[0];
    to->end       = from->during[1];
    to->count     = group->count;
    to->vertex    = mn_alloc_array(c, int32_t, group->count);
    to->home      = mn_alloc_array(c, mn_vec3, group->count);
    if (to->vertex == NULL || to->home == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < group->count; k++) {
        to->vertex[k] = group->vertex[k] + (int32_t)p->first_vertex;
        to->home[k]   = mn_v3_from(p->mesh.vertex[group->vertex[k]]);
    }
    return mn_motion_create(c, &motion, &to->motion);
}

/// Tables of the piece's own state. A checkpoint finds them by name, so they carry the number of the piece.
static void name_tables(const mn_fabric *q, mn_fabric_piece *p)
{
    const mn_field_table from[4] = { mn_shell_edge_table, mn_rod_edge_table, mn_rod_corner_table,
                                     mn_fabric_held_table };
    for (int k = 0; k < 4; k++) {
        snprintf(p->table_name[k], sizeof p->table_name[k], "%s_%lld", from[k].name, (long long)q->piece_count);
        p->table[k] = from[k];
    }
    p->edge_count    = p->shell != NULL ? mn_shell_state(p->shell)->count : 0;
    p->segment_count = p->rods.edges.count;
    p->corner_count  = p->rods.corners.count;
}

/// Number the vertices of hard pins.
static mn_status number_held(mn_context *c, mn_fabric_piece *p)
{
    int32_t *number = mn_alloc_array(c, int32_t, p->mesh.vertex_count);
    if (number == NULL) return MN_ERR_MEMORY;
    mn_status status = MN_OK;
    int64_t   count  = 0;
    memset(number, 0xff, (size_t)p->mesh.vertex_count * sizeof *number);
    for (int k = 0; k < p->pin_count && status == MN_OK; k++) {
        mn_fabric_pin *pin = &p->pins[k];
        if (pin->stiffness > 0.0) continue;
        pin->slot = mn_alloc_array(c, int32_t, pin->count);
        if (pin->slot == NULL) status = MN_ERR_MEMORY;
        for (int64_t j = 0; status == MN_OK && j < pin->count; j++) {
            int32_t *own = &number[pin->vertex[j] - p->first_vertex];
            if (*own < 0) *own = (int32_t)count++;
            pin->slot[j] = *own;
        }
    }
    mn_free(c, number);
    if (status == MN_OK && count > 0)
        status = mn_fields_reserve(c, &mn_fabric_held_table, &p->held, 0, &p->held.capacity, count);
    if (status != MN_OK) return status;
    p->held.count = p->held_count = count;
    for (int a = 0; a < 3; a++)
        for (int64_t s = 0; s < count; s++) p->held.force[a][s] = p->held.lag[a][s] = 0.0;
    return MN_OK;
}

/// Triangles that one pin holds by all corners, for good, are bodies: the normals of edges between them do not turn. A
/// clamp then lies in the middle of the last edge it holds, in cloth as in yarn.
static mn_status stiffen_held(mn_context *c, mn_fabric_piece *p)
{
    for (int k = 0; p->shell != NULL && k < p->pin_count; k++) {
        const mn_fabric_pin *pin = &p->pins[k];
        if (pin->slot == NULL || pin->begin > 0.0 || isfinite(pin->end)) continue;
        uint8_t *held = mn_alloc_array(c, uint8_t, p->mesh.vertex_count);
        if (held == NULL) return MN_ERR_MEMORY;
        for (int64_t j = 0; j < pin->count; j++) held[pin->vertex[j] - p->first_vertex] = 1;
        const mn_shell_edge *e = mn_shell_edge_list(p->shell);
        for (int64_t i = 0; i < mn_shell_state(p->shell)->count; i++) {
            const int32_t *v = e[i].vertex;
            if (held[v[0]] && held[v[1]] && held[v[2]] && (v[3] < 0 || held[v[3]]) && mn_shell_xi_is_free(p->shell, i))
                mn_shell_hold_xi(p->shell, i, mn_shell_state(p->shell)->xi[0][i]);
        }
        mn_free(c, held);
    }
    return MN_OK;
}

static mn_status make_piece(mn_fabric *q, const mn_fabric_def *def, mn_fabric_piece *p)
{
    mn_context *c = q->context;
    snprintf(p->name, sizeof p->name, "%s", def->name);
    p->cloth          = mn_fabric_material_resolved(&def->material, false);
    p->yarn           = mn_fabric_material_resolved(&def->material, true);
    p->first_vertex   = q->vertices.count;
    p->first_triangle = q->triangles.count;
    p->first_segment  = q->segments.count;
    p->damping        = def->damping;
    p->evaporation    = def->evaporation;
    for (int k = 0; k < 3; k++) p->colour[k] = def->colour[k];
    p->twist_on_grid = def->twist == MN_TWIST_GRID && def->mesh->strand_count > 0;
    MN_TRY(place_mesh(c, def, &p->mesh));
    if (def->solid_fraction != NULL &&
        (p->solid_fraction = copy_of(c, def->solid_fraction, p->mesh.vertex_count, sizeof(double))) == NULL)
        return MN_ERR_MEMORY;
    MN_TRY(make_shell(c, p));
    MN_TRY(make_rods(c, p, def->straighten));
    MN_TRY(make_junctions(c, p));
    name_tables(q, p);
    p->pins = mn_alloc_array(c, mn_fabric_pin, def->pin_count);
    if (p->pins == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < def->pin_count; k++) {
        p->pin_count++;
        MN_TRY(make_pin(c, def, &def->pins[k], p, &p->pins[k]));
    }
    MN_TRY(number_held(c, p));
    return stiffen_held(c, p);
}

static mn_status reserve(mn_fabric *q, const mn_fabric_piece *p)
{
    mn_context *c = q->context;
    MN_TRY(mn_fields_reserve(c, mn_fabric_table_of(&q->vertices), &q->vertices, q->vertices.count,
                             &q->vertices.capacity, q->vertices.count + p->mesh.vertex_count));
    MN_TRY(mn_fields_reserve(c, &mn_fabric_triangle_table, &q->triangles, q->triangles.count, &q->triangles.capacity,
                             q->triangles.count + p->mesh.triangle_count));
    return mn_fields_reserve(c, &mn_fabric_segment_table, &q->segments, q->segments.count, &q->segments.capacity,
                             q->segments.count + mn_rod_network_edges(&p->rods));
}

static mn_vec3 vertex_of(const mn_fabric_piece *p, int32_t v) { return mn_v3_from(p->mesh.vertex[v]); }

/// Fill the given share of the pores. `place` of wet-fabric 2: a vertex owns a third of its triangles, half of its
/// segments.
static void fill_pores(mn_fabric *q, const double *saturation, const mn_fabric_piece *p)
{
    for (int64_t t = 0; t < p->mesh.triangle_count; t++)
        for (int i = 0; i < 3; i++) {
            const int32_t v = p->mesh.triangle[t][i];
            q->vertices.held[0][p->first_vertex + v] += saturation[v] *
                                                        (1.0 - mn_fabric_fraction_at_rest(p, &p->cloth, v)) *
                                                        mn_fabric_triangle_volume(p, t) / 3.0;
        }
    for (int64_t s = 0; s < mn_rod_network_edges(&p->rods); s++)
        for (int i = 0; i < 2; i++) {
            const int64_t v = p->rods.edge[s].vertex[i] - p->first_vertex;
            q->vertices.held[0][p->first_vertex + v] += saturation[v] *
                                                        (1.0 - mn_fabric_fraction_at_rest(p, &p->yarn, v)) *
                                                        mn_fabric_segment_volume(p, s) / 2.0;
        }
}

/// State at the start: velocity of the definition, liquid in the pores, directors across the elements.
static void begin_state(mn_fabric *q, const mn_fabric_def *def, const mn_fabric_piece *p)
{
    const mn_vec3 spin = mn_v3_from(def->spin), center = mn_v3_from(def->at);
    for (int64_t v = 0; v < p->mesh.vertex_count; v++) {
        const mn_vec3 x = vertex_of(p, (int32_t)v),
                      u = mn_add3(mn_v3_from(def->velocity), mn_cross3(spin, mn_sub3(x, center)));
        const int64_t i = p->first_vertex + v;
        for (int a = 0; a < 3; a++) {
            q->vertices.position[a][i] = mn_get3(x, a);
            q->vertices.velocity[a][i] = mn_get3(u, a);
            q->vertices.anchor[a][i]   = 0.0;
            q->vertices.pull[a][i] = q->vertices.pull_before[a][i] = 0.0f;
        }
        const double turning[9] = { 0.0, -spin.z, spin.y, spin.z, 0.0, -spin.x, -spin.y, spin.x, 0.0 };
        for (int k = 0; k < 9; k++) q->vertices.affine[k][i] = turning[k];
        q->vertices.touched[0][i]  = 0;
        q->vertices.swelling[0][i] = 1.0;
        q->vertices.held[0][i]     = 0.0;
        for (int k = 0; k < q->vertices.pigments; k++)
            q->vertices.dissolved[k][i] = q->vertices.adsorbed[k][i] = q->vertices.dried[k][i] = 0.0;
    }
    if (def->saturation != NULL) fill_pores(q, def->saturation, p);
    for (int64_t t = 0; t < p->mesh.triangle_count; t++) {
        const int32_t *v = p->mesh.triangle[t];
        const mn_vec3  n = mn_unit3(mn_cross3(mn_sub3(vertex_of(p, v[1]), vertex_of(p, v[0])),
                                              mn_sub3(vertex_of(p, v[2]), vertex_of(p, v[0]))),
                                    mn_v3(0, 1, 0));
        for (int a = 0; a < 3; a++) q->triangles.director[a][p->first_triangle + t] = mn_get3(n, a);
    }
    for (int64_t s = 0; s < mn_rod_network_edges(&p->rods); s++) {
        const mn_vec3 d = mn_v3(p->rods.edges.director[0][s], p->rods.edges.director[1][s],
                                p->rods.edges.director[2][s]);
        const mn_vec3 t = mn_v3(p->rods.edges.tangent[0][s], p->rods.edges.tangent[1][s], p->rods.edges.tangent[2][s]),
                      e = mn_cross3(t, d);
        for (int a = 0; a < 3; a++) {
            q->segments.director[a][p->first_segment + s]     = mn_get3(d, a);
            q->segments.director[3 + a][p->first_segment + s] = mn_get3(e, a);
        }
        if (p->twist_on_grid) p->rods.edges.angle_rate[0][s] = mn_dot3(spin, t);
    }
}

mn_status mn_fabric_add(mn_fabric *q, const mn_fabric_def *def)
{
    mn_context *c = q->context;
    MN_TRY(check_mesh(c, def));
    MN_TRY(mn_array_reserve(c, &q->pieces, &q->piece_capacity, q->piece_count + 1, sizeof *q->pieces));
    mn_fabric_piece piece  = { .pin_count = 0 };
    mn_status       status = make_piece(q, def, &piece);
    if (status == MN_OK) status = reserve(q, &piece);
    if (status != MN_OK) {
        destroy_piece(c, &piece);
        return status;
    }
    begin_state(q, def, &piece);
    q->vertices.count += piece.mesh.vertex_count;
    q->triangles.count += piece.mesh.triangle_count;
    q->segments.count += mn_rod_network_edges(&piece.rods);
    mn_fabric_piece *kept = &q->pieces[q->piece_count++];
    *kept                 = piece;
    q->ready              = false;
    return MN_OK;
}

void mn_fabric_remove_last(mn_fabric *q)
{
    mn_fabric_piece *p = &q->pieces[--q->piece_count];
    q->vertices.count  = p->first_vertex;
    q->triangles.count = p->first_triangle;
    q->segments.count  = p->first_segment;
    destroy_piece(q->context, p);
}
