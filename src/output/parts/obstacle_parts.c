// SPDX-License-Identifier: MPL-2.0
// output/parts/obstacle_parts.c - the meshes of obstacles, made at rest and moved to where they stand.
#include "output/parts/obstacle_parts.h"

#include "base/context.h"
#include "geom/solid/creases.h"
#include "geom/solid/shape_mesh.h"

#include <math.h>
#include <string.h>

/// Edges that turn by more than this (rad) are sharp: those of pictures, page and add-on are, too.
#define CREASE 0.7

typedef struct obstacle_parts {
    mn_context    *context;
    mn_world      *world;
    mn_frame_array array[2];
    mn_mesh        rest;  // all obstacles in one mesh: at rest, and as they stand now
    double (*normal)[3];
    double (*posed)[3];
    double (*turned)[3];
    int32_t *owner;  // obstacle of each vertex
    int64_t  vertex_capacity, triangle_capacity;
} obstacle_parts;

mn_status mn_make_obstacles(void *state, mn_frame_part *out)
{
    obstacle_parts *p        = state;
    int             obstacle = -1;
    mn_pose         pose     = { .rotation = mn_mat3_identity() };
    for (int64_t v = 0; v < p->rest.vertex_count; v++) {
        if (p->owner[v] != obstacle) pose = mn_world_obstacle_pose(p->world, obstacle = p->owner[v]);
        const mn_vec3 x = mn_pose_point(&pose, mn_v3_from(p->rest.vertex[v]));
        const mn_vec3 n = mn_mul3(pose.rotation, mn_v3_from(p->normal[v]));
        p->posed[v][0] = x.x, p->posed[v][1] = x.y, p->posed[v][2] = x.z;
        p->turned[v][0] = n.x, p->turned[v][1] = n.y, p->turned[v][2] = n.z;
    }
    p->array[0] = mn_frame_array_single("obstacle", MN_TYPE_int32_t, p->owner);
    p->array[1] = mn_frame_array_packed("normals", MN_TYPE_double, 3, p->turned);
    *out        = (mn_frame_part){ .point_count = p->rest.vertex_count,
                                   .kind        = MN_CELLS_TRIANGLES,
                                   .cells       = p->rest.triangle[0],
                                   .cell_count  = p->rest.triangle_count,
                                   .arrays      = p->array,
                                   .array_count = 2 };
    out->points = mn_frame_array_packed("", MN_TYPE_double, 3, p->posed);
    return MN_OK;
}

// ---- where endless shapes end --------------------------------------------------------------------------------------

static mn_world_box box_join(mn_world_box a, mn_world_box b)
{
    return (mn_world_box){ mn_v3(fmin(a.low.x, b.low.x), fmin(a.low.y, b.low.y), fmin(a.low.z, b.low.z)),
                           mn_v3(fmax(a.high.x, b.high.x), fmax(a.high.y, b.high.y), fmax(a.high.z, b.high.z)) };
}

static mn_world_box box_meet(mn_world_box a, mn_world_box b)
{
    return (mn_world_box){ mn_v3(fmax(a.low.x, b.low.x), fmax(a.low.y, b.low.y), fmax(a.low.z, b.low.z)),
                           mn_v3(fmin(a.high.x, b.high.x), fmin(a.high.y, b.high.y), fmin(a.high.z, b.high.z)) };
}

static mn_world_box box_grown(mn_world_box a, double margin)
{
    const mn_vec3 m = mn_v3(margin, margin, margin);
    return (mn_world_box){ mn_sub3(a.low, m), mn_add3(a.high, m) };
}

static double box_longest(mn_world_box a)
{
    const mn_vec3 e = mn_sub3(a.high, a.low);
    return fmax(e.x, fmax(e.y, e.z));
}

static mn_world_box shape_box(const mn_shape *shape)
{
    double low[3], high[3];
    mn_shape_bounds(shape, low, high);
    return (mn_world_box){ mn_v3_from(low), mn_v3_from(high) };
}

/// Where a shape without end (a plane) is cut: the domain, or else what has an end, with some room around.
static mn_world_box view_box(const mn_world *world)
{
    const mn_domain_def *d = &mn_world_definition(world)->domain;
    if (d->bounded) {
        mn_world_box bounds = { mn_v3_from(d->bounds[0]), mn_v3_from(d->bounds[1]) };
        if (d->dimension == 2) bounds.low.z = 0.0, bounds.high.z = 1.0;
        return box_grown(bounds, 0.04 * box_longest(bounds));
    }
    mn_world_box all = { mn_v3(INFINITY, INFINITY, INFINITY), mn_v3(-INFINITY, -INFINITY, -INFINITY) };
    mn_world_view_box(world, &all);
    for (int k = 0; k < mn_world_obstacle_count(world); k++) {
        const mn_world_box b = shape_box(mn_world_obstacle_shape(world, k));
        if (isfinite(box_longest(b))) all = box_join(all, b);
    }
    if (!isfinite(box_longest(all))) return box_grown((mn_world_box){ mn_v3(0, 0, 0), mn_v3(0, 0, 0) }, 50.0 * d->cell);
    return box_grown(all, 0.5 * box_longest(all) + d->cell);
}

// ---- the obstacles at rest -----------------------------------------------------------------------------------------

/// The box seen from an obstacle at rest.
static mn_world_box box_at_rest(mn_world_box view, const mn_pose *pose)
{
    mn_world_box rest = { mn_v3(INFINITY, INFINITY, INFINITY), mn_v3(-INFINITY, -INFINITY, -INFINITY) };
    for (int n = 0; n < 8; n++) {
        const mn_vec3 corner = mn_v3(n & 1 ? view.high.x : view.low.x, n & 2 ? view.high.y : view.low.y,
                                     n & 4 ? view.high.z : view.low.z);
        const mn_vec3 x = mn_pose_rest(pose, corner);
        rest            = box_join(rest, (mn_world_box){ x, x });
    }
    return rest;
}

static mn_status reserve(obstacle_parts *p, int64_t vertices, int64_t triangles)
{
    const struct {
        void  *array;
        size_t size;
    } of_vertices[] = {
        { &p->rest.vertex, sizeof *p->rest.vertex }, { &p->normal, sizeof *p->normal }, { &p->posed, sizeof *p->posed },
        { &p->turned, sizeof *p->turned },           { &p->owner, sizeof *p->owner },
    };
    int64_t capacity = p->vertex_capacity;
    for (size_t k = 0; k < sizeof of_vertices / sizeof *of_vertices; k++) {
        capacity = p->vertex_capacity;
        MN_TRY(mn_array_reserve(p->context, of_vertices[k].array, &capacity, vertices, of_vertices[k].size));
    }
    p->vertex_capacity = capacity;
    return mn_array_reserve(p->context, &p->rest.triangle, &p->triangle_capacity, triangles, sizeof *p->rest.triangle);
}

static mn_status append_mesh(obstacle_parts *p, const mn_mesh *m, const double (*normal)[3], int32_t obstacle)
{
    mn_mesh      *r        = &p->rest;
    const int64_t vertices = r->vertex_count + m->vertex_count, triangles = r->triangle_count + m->triangle_count;
    if (vertices > INT32_MAX / 4 || triangles > INT32_MAX / 4)
        return mn_fail(p->context, MN_ERR_ARGUMENT,
                       "the meshes of the obstacles have %lld triangles together; a frame has room for 2^29",
                       (long long)triangles);
    MN_TRY(reserve(p, vertices, triangles));
    for (int64_t v = 0; v < m->vertex_count; v++) {
        memcpy(r->vertex[r->vertex_count + v], m->vertex[v], sizeof *r->vertex);
        memcpy(p->normal[r->vertex_count + v], normal[v], sizeof *p->normal);
        p->owner[r->vertex_count + v] = obstacle;
    }
    for (int64_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            r->triangle[r->triangle_count + t][k] = m->triangle[t][k] + (int32_t)r->vertex_count;
    r->vertex_count   = vertices;
    r->triangle_count = triangles;
    return MN_OK;
}

static mn_status add_obstacle(obstacle_parts *p, int obstacle, mn_world_box view)
{
    const mn_shape *shape = mn_world_obstacle_shape(p->world, obstacle);
    const mn_pose   pose  = mn_world_obstacle_pose(p->world, obstacle);
    mn_world_box    b     = shape_box(shape);
    if (!isfinite(box_longest(b))) b = box_meet(b, box_at_rest(view, &pose));
    mn_mesh mesh;
    bool    clear;
    double(*normal)[3] = NULL;
    MN_TRY(mn_shape_mesh(p->context, shape, b.low, b.high, &mesh, &clear));
    if (!clear)
        mn_log(p->context, MN_LOG_WARNING, "obstacle_rounded",
               "the parts of obstacle '%s' cannot be cut by each other (a mesh of it may cross itself): its picture is "
               "made on a lattice, with rounded edges",
               mn_world_obstacle_name(p->world, obstacle));
    mn_status status = mn_mesh_crease(p->context, &mesh, CREASE, &normal);
    if (status == MN_OK) status = append_mesh(p, &mesh, (const double(*)[3])normal, obstacle);
    mn_free(p->context, normal);
    mn_mesh_free(p->context, &mesh);
    return status;
}

static void destroy(void **state)
{
    obstacle_parts *p = *state;
    if (p == NULL) return;
    mn_mesh_free(p->context, &p->rest);
    mn_free(p->context, p->normal);
    mn_free(p->context, p->posed);
    mn_free(p->context, p->turned);
    mn_free(p->context, p->owner);
    mn_free(p->context, p);
    *state = NULL;
}

/// There may be obstacles of which nothing is to be seen.
static mn_status create(mn_context *c, mn_world *world, const mn_output_def *output, void **state)
{
    (void)output;
    if (mn_world_obstacle_count(world) == 0) return MN_OK;
    obstacle_parts *p = *state = mn_alloc(c, sizeof *p);
    if (p == NULL) return MN_ERR_MEMORY;
    p->context              = c;
    p->world                = world;
    const mn_world_box view = view_box(world);
    for (int k = 0; k < mn_world_obstacle_count(world); k++) MN_TRY(add_obstacle(p, k, view));
    if (p->rest.triangle_count == 0) destroy(state);
    return MN_OK;
}

const mn_part_source mn_obstacle_source = { .create = create, .destroy = destroy };
