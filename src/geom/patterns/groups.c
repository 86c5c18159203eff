// SPDX-License-Identifier: MPL-2.0
// geom/patterns/groups.c - the life of a thin mesh, and named sets of its vertices.
#include "geom/patterns/builder.h"

#include <stdio.h>
#include <string.h>

void mn_thin_mesh_free(mn_context *context, mn_thin_mesh *mesh)
{
    for (int64_t g = 0; g < mesh->group_count; g++) mn_free(context, mesh->group[g].vertex);
    mn_free(context, mesh->group);
    mn_free(context, mesh->vertex);
    mn_free(context, mesh->triangle);
    mn_free(context, mesh->warp);
    mn_free(context, mesh->strand_start);
    mn_free(context, mesh->strand_vertex);
    mn_free(context, mesh->strand_closed);
    mn_free(context, mesh->strand_radius);
    mn_free(context, mesh->texture);
    mn_free(context, mesh->texture_corner);
    *mesh = (mn_thin_mesh){ 0 };
}

const mn_vertex_group *mn_thin_find_group(const mn_thin_mesh *mesh, const char *name)
{
    for (int64_t g = 0; g < mesh->group_count; g++) {
        if (strcmp(mesh->group[g].name, name) == 0) return &mesh->group[g];
    }
    return NULL;
}

static mn_status check_group_name(mn_context *context, const mn_thin_mesh *mesh, const char *name)
{
    const size_t length = strlen(name);
    if (length == 0 || length >= MN_NAME_BYTES) {
        return mn_fail(context, MN_ERR_ARGUMENT, "the name of a group of vertices has 1 to %d bytes, not %zu",
                       MN_NAME_BYTES - 1, length);
    }
    if (mn_thin_find_group(mesh, name) != NULL) {
        return mn_fail(context, MN_ERR_ARGUMENT, "the fabric already has a group '%s'", name);
    }
    return MN_OK;
}

mn_status mn_thin_mesh_add_group(mn_context *context, mn_thin_mesh *mesh, const char *name, const int32_t *vertex,
                                 int64_t count)
{
    MN_TRY(check_group_name(context, mesh, name));
    int32_t *copy = mn_alloc_array(context, int32_t, count);
    if (copy == NULL) return MN_ERR_MEMORY;
    mn_vertex_group *groups = mesh->group == NULL
                                  ? mn_alloc_array(context, mn_vertex_group, 1)
                                  : mn_resize(context, mesh->group,
                                              mn_array_bytes(mesh->group_count + 1, sizeof *mesh->group));
    if (groups == NULL) {
        mn_free(context, copy);
        return MN_ERR_MEMORY;
    }
    if (count > 0) memcpy(copy, vertex, (size_t)count * sizeof *copy);
    mesh->group        = groups;
    mn_vertex_group *g = &groups[mesh->group_count++];
    *g                 = (mn_vertex_group){ .count = count, .vertex = copy };
    snprintf(g->name, sizeof g->name, "%s", name);
    return MN_OK;
}

/// A region of the rest shape.
typedef struct region {
    enum { REGION_BOX, REGION_BALL, REGION_NEAR } kind;
    double                 low[3], high[3], center[3], radius;
    const mn_thin_mesh    *mesh;
    const mn_vertex_group *of;
} region;

static double distance2(const double a[3], const double b[3])
{
    const mn_vec3 d = mn_sub3(mn_v3_from(a), mn_v3_from(b));
    return mn_dot3(d, d);
}

static bool is_inside(const region *r, const double x[3])
{
    switch (r->kind) {
    case REGION_BOX:
        for (int axis = 0; axis < 3; axis++) {
            if (!(x[axis] >= r->low[axis] && x[axis] <= r->high[axis])) return false;
        }
        return true;
    case REGION_BALL: return distance2(x, r->center) <= r->radius * r->radius;
    case REGION_NEAR: break;
    }
    for (int64_t k = 0; k < r->of->count; k++) {
        if (distance2(x, r->mesh->vertex[r->of->vertex[k]]) <= r->radius * r->radius) return true;
    }
    return false;
}

static mn_status add_region(mn_context *context, const char *name, const region *r, mn_thin_mesh *mesh)
{
    MN_TRY(check_group_name(context, mesh, name));
    int32_t *list  = mn_alloc_array(context, int32_t, mesh->vertex_count);
    int64_t  count = 0;
    if (list == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < mesh->vertex_count; v++) {
        if (is_inside(r, mesh->vertex[v])) list[count++] = (int32_t)v;
    }
    const mn_status status = count > 0 ? mn_thin_mesh_add_group(context, mesh, name, list, count)
                                       : mn_fail(context, MN_ERR_ARGUMENT,
                                                 "the group '%s' would hold no vertex of the fabric", name);
    mn_free(context, list);
    return status;
}

mn_status mn_thin_group_box(mn_context *context, const char *name, const double low[3], const double high[3],
                            mn_thin_mesh *mesh)
{
    for (int axis = 0; axis < 3; axis++) {
        if (low[axis] <= high[axis]) continue;
        return mn_fail(context, MN_ERR_ARGUMENT,
                       "the box of the group '%s' has no inside: in %c it goes from %g to %g cm", name, "xyz"[axis],
                       low[axis], high[axis]);
    }
    const region r = { .kind = REGION_BOX, .low = { low[0], low[1], low[2] }, .high = { high[0], high[1], high[2] } };
    return add_region(context, name, &r, mesh);
}

mn_status mn_thin_group_ball(mn_context *context, const char *name, const double center[3], double radius,
                             mn_thin_mesh *mesh)
{
    if (!(radius >= 0.0)) {
        return mn_fail(context, MN_ERR_ARGUMENT, "the radius of the group '%s' is %g cm, and must be at least 0", name,
                       radius);
    }
    const region r = { .kind = REGION_BALL, .center = { center[0], center[1], center[2] }, .radius = radius };
    return add_region(context, name, &r, mesh);
}

mn_status mn_thin_group_near(mn_context *context, const char *name, const char *of, double distance, mn_thin_mesh *mesh)
{
    const mn_vertex_group *other = mn_thin_find_group(mesh, of);
    if (other == NULL) {
        return mn_fail(context, MN_ERR_ARGUMENT, "the group '%s' is to lie near '%s', and the fabric has no such group",
                       name, of);
    }
    if (!(distance >= 0.0)) {
        return mn_fail(context, MN_ERR_ARGUMENT, "the distance of the group '%s' is %g cm, and must be at least 0",
                       name, distance);
    }
    const region r = { .kind = REGION_NEAR, .radius = distance, .mesh = mesh, .of = other };
    return add_region(context, name, &r, mesh);
}
