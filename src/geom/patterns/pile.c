// SPDX-License-Identifier: MPL-2.0
// geom/patterns/pile.c - strands that stand on cloth.
#include "defs/check.h"
#include "geom/patterns/builder.h"

#include <string.h>

static mn_status check_pile(mn_context *c, const mn_pile_def *def, const mn_thin_mesh *mesh)
{
    MN_TRY(mn_defs_check(c, &mn_section_pile, def, "pile: "));
    MN_TRY(mn_pattern_given(c, "pile: radius", def->radius));
    MN_TRY(mn_pattern_given(c, "pile: spacing", def->spacing));
    if (def->radius > 0.5 * def->length) {
        return mn_fail(c, MN_ERR_ARGUMENT, "the pile is %g cm long and %g cm thick; it must be longer than thick",
                       def->length, 2.0 * def->radius);
    }
    if (mesh->triangle_count == 0)
        return mn_fail(c, MN_ERR_ARGUMENT, "pile stands on cloth, and the fabric has no triangles");
    return MN_OK;
}

/// Sum of the normals of the triangles around every vertex, weighted by area.
static mn_status vertex_normals(mn_context *c, const mn_thin_mesh *m, mn_vec3 **out)
{
    mn_vec3 *normal = mn_alloc_array(c, mn_vec3, m->vertex_count);
    *out            = normal;
    if (normal == NULL) return MN_ERR_MEMORY;
    for (int64_t t = 0; t < m->triangle_count; t++) {
        const int32_t *v = m->triangle[t];
        const mn_vec3 a = mn_v3_from(m->vertex[v[0]]), b = mn_v3_from(m->vertex[v[1]]), d = mn_v3_from(m->vertex[v[2]]);
        const mn_vec3 n = mn_cross3(mn_sub3(b, a), mn_sub3(d, a));
        for (int k = 0; k < 3; k++) normal[v[k]] = mn_add3(normal[v[k]], n);
    }
    return MN_OK;
}

static void add_strand(mn_pattern_builder *b, const mn_pile_def *def, int64_t root, mn_vec3 direction, int64_t segments)
{
    const mn_vec3 foot = mn_v3_from(b->mesh.vertex[root]);
    mn_build_strand_begin(b, def->radius);
    mn_build_strand_add(b, (int32_t)root);
    for (int64_t k = 1; k <= segments; k++) {
        const double along = def->length * (double)k / (double)segments;
        mn_build_strand_add(b, mn_build_vertex(b, mn_add3(foot, mn_scale3(along, direction))));
    }
    mn_build_strand_end(b, false);
}

static void add_strands(mn_pattern_builder *b, const mn_pile_def *def, const mn_vec3 *normal, int64_t roots,
                        int64_t segments)
{
    for (int64_t v = 0; v < roots; v += def->every) {
        if (!(mn_norm3(normal[v]) > 0.0)) continue;  // a vertex of yarn, on which nothing can stand
        const mn_vec3 up = mn_unit3(normal[v], mn_v3(0, 1, 0));
        add_strand(b, def, v, up, segments);
        if (def->both_sides) add_strand(b, def, v, mn_scale3(-1.0, up), segments);
    }
}

/// Whose number is not below the first of the pile.
static bool is_pile(const mn_thin_mesh *m, int64_t v, const void *user)
{
    (void)m;
    return v >= *(const int64_t *)user;
}

static void extend_all(mn_pattern_builder *b)
{
    for (int64_t g = 0; g < b->mesh.group_count && b->status == MN_OK; g++) {
        mn_vertex_group *group = &b->mesh.group[g];
        if (strcmp(group->name, "all") != 0) continue;
        int32_t *all = mn_resize(b->context, group->vertex, mn_array_bytes(b->mesh.vertex_count, sizeof *all));
        if (all == NULL) {
            b->status = MN_ERR_MEMORY;
            return;
        }
        group->vertex = all;
        for (int64_t v = group->count; v < b->mesh.vertex_count; v++) all[v] = (int32_t)v;
        group->count = b->mesh.vertex_count;
    }
}

mn_status mn_pile_add(mn_context *context, const mn_pile_def *def, mn_thin_mesh *mesh)
{
    MN_TRY(check_pile(context, def, mesh));
    int64_t  segments = 1;
    mn_vec3 *normal;
    MN_TRY(mn_pattern_count(context, "a strand of the pile", def->length, def->spacing, &segments));
    MN_TRY(vertex_normals(context, mesh, &normal));
    mn_pattern_builder b       = { .context     = context,
                                   .mesh        = *mesh,
                                   .vertex_room = mesh->vertex_count,
                                   .group_room  = mesh->group_count };
    const int64_t      strands = mesh->strand_count, vertices = mesh->vertex_count, groups = mesh->group_count;
    if (strands > 0) {
        b.start_room  = strands + 1;
        b.closed_room = b.radius_room = strands;
        b.strand_vertex_room          = mesh->strand_start[strands];
    }
    add_strands(&b, def, normal, vertices, segments);
    mn_build_group(&b, "pile", is_pile, &vertices);
    extend_all(&b);
    mn_free(context, normal);
    *mesh = b.mesh;  // arrays may have moved even if something failed
    if (b.status == MN_OK) return MN_OK;
    for (int64_t g = groups; g < mesh->group_count; g++) mn_free(context, mesh->group[g].vertex);
    mesh->vertex_count = vertices;
    mesh->strand_count = strands;
    mesh->group_count  = groups;
    return b.status;
}
