// SPDX-License-Identifier: MPL-2.0
// output/frames.c - filling the parts of a frame from a world.
#include "output/frames.h"

#include "geom/isosurface.h"
#include "liquid/surface_mesh.h"
#include "output/fabric_parts.h"
#include "output/stain_parts.h"

#include <math.h>
#include <string.h>

/// Cells along the longest side of an obstacle: enough to look round, at most a few megabytes.
#define OBSTACLE_CELLS 72

typedef mn_status fill_fn(mn_frames *f, mn_frame_part *out);

struct mn_frames {
    mn_context      *context;
    mn_world        *world;
    mn_output_def    output;
    const char      *names[MN_FRAME_PARTS_MAX];
    fill_fn         *fill[MN_FRAME_PARTS_MAX];
    int              count;
    mn_frame_array   particle_arrays[4 + MN_PIGMENTS_MOST], surface_arrays[2 + MN_PIGMENTS_MOST], obstacle_arrays[1];
    mn_surface_mesh *surface;  // NULL: there is no liquid
    mn_solid        *solids;
    double          *concentration[MN_PIGMENTS_MOST];  // g/cm^3, of each particle
    int64_t          concentration_capacity[MN_PIGMENTS_MOST];
    double          *pressure[2];  // dyn/cm^2, of particles and of the surface
    int64_t          pressure_capacity[2];
    mn_fabric_parts *fabric_parts;
    mn_stain_parts  *stain_parts;  // NULL: there are no stains
    mn_fabric_view  *fabrics;      // as they stand now
    int              fabric_count;
    bool             has_cloth, has_yarn;
    // All obstacles in one mesh: at rest, and as they stand now.
    mn_mesh rest;
    double (*posed)[3];
    int32_t *owner;  // obstacle of each vertex
    int64_t  vertex_capacity, triangle_capacity;
};

/// Concentrations of the pigments in the particles, by name.
static mn_status add_concentrations(mn_frames *f, const mn_liquid_view *v, int *n)
{
    for (int k = 0; k < v->pigment_count; k++) {
        MN_TRY(mn_array_reserve(f->context, &f->concentration[k], &f->concentration_capacity[k], v->count,
                                sizeof *f->concentration[k]));
        for (int64_t i = 0; i < v->count; i++) f->concentration[k][i] = v->pigment[k][i] / v->volume[i];
        f->particle_arrays[(*n)++] = mn_frame_array_single(v->pigments[k].name, MN_TYPE_double, f->concentration[k]);
    }
    return MN_OK;
}

/// The pressure at the points of a part of the liquid.
static mn_status add_pressure(mn_frames *f, int which, const double *const position[3], int stride, int64_t count,
                              mn_frame_array *arrays, int *n)
{
    MN_TRY(mn_array_reserve(f->context, &f->pressure[which], &f->pressure_capacity[which], count,
                            sizeof *f->pressure[which]));
    mn_world_pressure(f->world, position, stride, count, f->pressure[which]);
    arrays[(*n)++] = mn_frame_array_single("pressure", MN_TYPE_double, f->pressure[which]);
    return MN_OK;
}

/// Which values a part of the liquid carries, besides its pigments.
typedef struct liquid_fields {
    bool velocity, volume, pressure;
} liquid_fields;

static mn_status fill_particles_with(mn_frames *f, liquid_fields wanted, mn_frame_part *out)
{
    const mn_liquid_view v = mn_world_liquid(f->world);
    *out                   = (mn_frame_part){ .name        = "particles",
                                              .point_count = v.count,
                                              .kind        = MN_CELLS_VERTICES,
                                              .time        = mn_world_time(f->world) };
    out->points            = mn_frame_array_split("", v.position.x, v.position.y, v.position.z);
    int n                  = 0;
    if (wanted.velocity)
        f->particle_arrays[n++] = mn_frame_array_split("velocity", v.velocity.x, v.velocity.y, v.velocity.z);
    if (wanted.volume) f->particle_arrays[n++] = mn_frame_array_single("volume", MN_TYPE_double, v.volume);
    f->particle_arrays[n++]   = mn_frame_array_single("id", MN_TYPE_int64_t, v.id);
    const double *const at[3] = { v.position.x, v.position.y, v.position.z };
    if (wanted.pressure) MN_TRY(add_pressure(f, 0, at, 1, v.count, f->particle_arrays, &n));
    MN_TRY(add_concentrations(f, &v, &n));
    out->arrays      = f->particle_arrays;
    out->array_count = n;
    return MN_OK;
}

static mn_status fill_surface_with(mn_frames *f, liquid_fields wanted, mn_frame_part *out)
{
    mn_surface_view      mesh;
    const mn_liquid_view v = mn_world_liquid(f->world);
    mn_surface_source    s = { .grid          = mn_world_grid(f->world),
                               .volume        = v.volume,
                               .count         = v.count,
                               .solids        = { f->solids, mn_world_solid_count(f->world) },
                               .position      = { v.position.x, v.position.y, v.position.z },
                               .velocity      = { v.velocity.x, v.velocity.y, v.velocity.z },
                               .held          = mn_world_holds_thin(f->world),
                               .pigment_count = v.pigment_count };
    memcpy(s.pigment, v.pigment, sizeof s.pigment);
    *out = (mn_frame_part){ .name = "surface", .time = mn_world_time(f->world) };
    mn_world_solids(f->world, out->time, f->solids);
    MN_TRY(mn_surface_mesh_make(f->surface, &s, &mesh));
    out->kind        = mesh.corners == 2 ? MN_CELLS_LINES : MN_CELLS_TRIANGLES;
    out->point_count = mesh.point_count;
    out->cells       = mesh.cells;
    out->cell_count  = mesh.cell_count;
    out->points      = mn_frame_array_packed("", MN_TYPE_double, 3, mesh.position);
    if (wanted.velocity)
        f->surface_arrays[out->array_count++] = mn_frame_array_packed("velocity", MN_TYPE_double, 3, mesh.velocity);
    const double *const at[3] = { (const double *)mesh.position, (const double *)mesh.position + 1,
                                  (const double *)mesh.position + 2 };
    if (wanted.pressure) MN_TRY(add_pressure(f, 1, at, 3, mesh.point_count, f->surface_arrays, &out->array_count));
    for (int k = 0; k < v.pigment_count; k++)
        f->surface_arrays[out->array_count++] = mn_frame_array_single(v.pigments[k].name, MN_TYPE_double,
                                                                      mesh.concentration[k]);
    out->arrays = f->surface_arrays;
    return MN_OK;
}

static liquid_fields fields_of(const mn_output_def *o)
{
    return (liquid_fields){ .velocity = o->velocity, .volume = o->volume, .pressure = o->pressure };
}

static mn_status fill_particles(mn_frames *f, mn_frame_part *out)
{
    return fill_particles_with(f, fields_of(&f->output), out);
}

static mn_status fill_surface(mn_frames *f, mn_frame_part *out)
{
    return fill_surface_with(f, fields_of(&f->output), out);
}

static mn_status fill_obstacles(mn_frames *f, mn_frame_part *out)
{
    int     obstacle = -1;
    mn_pose pose     = { .rotation = mn_mat3_identity() };
    for (int64_t v = 0; v < f->rest.vertex_count; v++) {
        if (f->owner[v] != obstacle) pose = mn_world_obstacle_pose(f->world, obstacle = f->owner[v]);
        const mn_vec3 x = mn_pose_point(&pose, mn_v3_from(f->rest.vertex[v]));
        f->posed[v][0] = x.x, f->posed[v][1] = x.y, f->posed[v][2] = x.z;
    }
    *out                  = (mn_frame_part){ .name        = "obstacles",
                                             .point_count = f->rest.vertex_count,
                                             .kind        = MN_CELLS_TRIANGLES,
                                             .timeless    = true,
                                             .cells       = f->rest.triangle_count > 0 ? f->rest.triangle[0] : NULL,
                                             .cell_count  = f->rest.triangle_count };
    out->points           = mn_frame_array_packed("", MN_TYPE_double, 3, f->posed);
    f->obstacle_arrays[0] = mn_frame_array_single("obstacle", MN_TYPE_int32_t, f->owner);
    out->arrays           = f->obstacle_arrays;
    out->array_count      = 1;
    return MN_OK;
}

// ---- fabrics -------------------------------------------------------------------------------------------------------

typedef mn_status fabric_fn(mn_fabric_parts *parts, const mn_fabric_view *fabrics, int count, mn_fabric_fields fields,
                            mn_frame_part *out);

static mn_status fill_fabric_with(mn_frames *f, fabric_fn *make, mn_fabric_fields fields, mn_frame_part *out)
{
    for (int k = 0; k < f->fabric_count; k++) f->fabrics[k] = mn_world_fabric(f->world, k);
    MN_TRY(make(f->fabric_parts, f->fabrics, f->fabric_count, fields, out));
    out->time = mn_world_time(f->world);
    return MN_OK;
}

static mn_status fill_fabric(mn_frames *f, fabric_fn *make, mn_frame_part *out)
{
    const mn_output_def   *o      = &f->output;
    const mn_fabric_fields fields = { .velocity       = o->velocity,
                                      .saturation     = o->saturation,
                                      .solid_fraction = o->solid_fraction,
                                      .held           = o->held };
    return fill_fabric_with(f, make, fields, out);
}

static mn_status fill_cloth(mn_frames *f, mn_frame_part *out) { return fill_fabric(f, mn_fabric_parts_cloth, out); }

static mn_status fill_yarn(mn_frames *f, mn_frame_part *out) { return fill_fabric(f, mn_fabric_parts_yarn, out); }

static mn_status fill_tubes(mn_frames *f, mn_frame_part *out) { return fill_fabric(f, mn_fabric_parts_tubes, out); }

static mn_status fill_stains(mn_frames *f, mn_frame_part *out)
{
    return mn_stain_parts_fill(f->stain_parts, f->world, out);
}

static mn_status prepare_fabrics(mn_frames *f)
{
    f->fabric_count = mn_world_fabric_count(f->world);
    if (f->fabric_count == 0) return MN_OK;
    f->fabrics = mn_alloc_array(f->context, mn_fabric_view, f->fabric_count);
    if (f->fabrics == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < f->fabric_count; k++) {
        const mn_fabric_view v = mn_world_fabric(f->world, k);
        f->has_cloth           = f->has_cloth || v.triangle_count > 0;
        f->has_yarn            = f->has_yarn || v.strand_count > 0;
    }
    return mn_fabric_parts_create(f->context, &f->fabric_parts);
}

// ---- the obstacles at rest -----------------------------------------------------------------------------------------

typedef struct box {
    mn_vec3 low, high;
} box;

static box box_join(box a, box b)
{
    return (box){ mn_v3(fmin(a.low.x, b.low.x), fmin(a.low.y, b.low.y), fmin(a.low.z, b.low.z)),
                  mn_v3(fmax(a.high.x, b.high.x), fmax(a.high.y, b.high.y), fmax(a.high.z, b.high.z)) };
}

static box box_meet(box a, box b)
{
    return (box){ mn_v3(fmax(a.low.x, b.low.x), fmax(a.low.y, b.low.y), fmax(a.low.z, b.low.z)),
                  mn_v3(fmin(a.high.x, b.high.x), fmin(a.high.y, b.high.y), fmin(a.high.z, b.high.z)) };
}

static box box_grown(box a, double margin)
{
    const mn_vec3 m = mn_v3(margin, margin, margin);
    return (box){ mn_sub3(a.low, m), mn_add3(a.high, m) };
}

static double box_longest(box a)
{
    const mn_vec3 e = mn_sub3(a.high, a.low);
    return fmax(e.x, fmax(e.y, e.z));
}

static box shape_box(const mn_shape *shape)
{
    double low[3], high[3];
    mn_shape_bounds(shape, low, high);
    return (box){ mn_v3_from(low), mn_v3_from(high) };
}

static box join_points(box all, const mn_view3 *points)
{
    for (int64_t i = 0; i < points->count; i++) {
        const mn_vec3 x = mn_v3(points->x[i], points->y[i], points->z[i]);
        all             = box_join(all, (box){ x, x });
    }
    return all;
}

/// Where a shape without end (a plane) is cut: the domain, or else what has an end, with some room around.
static box view_box(const mn_world *world)
{
    const mn_domain_def *d = &mn_world_definition(world)->domain;
    if (d->bounded) {
        box bounds = { mn_v3_from(d->bounds[0]), mn_v3_from(d->bounds[1]) };
        if (d->dimension == 2) bounds.low.z = 0.0, bounds.high.z = 1.0;
        return box_grown(bounds, 0.04 * box_longest(bounds));
    }
    box                  all    = { mn_v3(INFINITY, INFINITY, INFINITY), mn_v3(-INFINITY, -INFINITY, -INFINITY) };
    const mn_liquid_view liquid = mn_world_liquid(world);
    all                         = join_points(all, &liquid.position);
    for (int k = 0; k < mn_world_fabric_count(world); k++) {
        const mn_fabric_view fabric = mn_world_fabric(world, k);
        all                         = join_points(all, &fabric.position);
    }
    for (int k = 0; k < mn_world_stain_count(world); k++) {
        const mn_stain_view stain = mn_world_stain(world, k);
        for (int64_t v = 0; v < stain.vertex_count; v++)
            all = box_join(all, (box){ mn_v3_from(stain.position[v]), mn_v3_from(stain.position[v]) });
    }
    for (int k = 0; k < mn_world_obstacle_count(world); k++) {
        const box b = shape_box(mn_world_obstacle_shape(world, k));
        if (isfinite(box_longest(b))) all = box_join(all, b);
    }
    if (!isfinite(box_longest(all))) return box_grown((box){ mn_v3(0, 0, 0), mn_v3(0, 0, 0) }, 50.0 * d->cell);
    return box_grown(all, 0.5 * box_longest(all) + d->cell);
}

/// The box seen from an obstacle at rest.
static box box_at_rest(box view, const mn_pose *pose)
{
    box rest = { mn_v3(INFINITY, INFINITY, INFINITY), mn_v3(-INFINITY, -INFINITY, -INFINITY) };
    for (int n = 0; n < 8; n++) {
        const mn_vec3 corner = mn_v3(n & 1 ? view.high.x : view.low.x, n & 2 ? view.high.y : view.low.y,
                                     n & 4 ? view.high.z : view.low.z);
        const mn_vec3 x = mn_pose_rest(pose, corner);
        rest            = box_join(rest, (box){ x, x });
    }
    return rest;
}

static mn_status append_mesh(mn_frames *f, const mn_mesh *m, int32_t obstacle)
{
    mn_mesh      *r        = &f->rest;
    const int64_t vertices = r->vertex_count + m->vertex_count, triangles = r->triangle_count + m->triangle_count;
    int64_t       capacity = f->vertex_capacity;
    MN_TRY(mn_array_reserve(f->context, &r->vertex, &capacity, vertices, sizeof *r->vertex));
    capacity = f->vertex_capacity;
    MN_TRY(mn_array_reserve(f->context, &f->posed, &capacity, vertices, sizeof *f->posed));
    capacity = f->vertex_capacity;
    MN_TRY(mn_array_reserve(f->context, &f->owner, &capacity, vertices, sizeof *f->owner));
    f->vertex_capacity = capacity;
    MN_TRY(mn_array_reserve(f->context, &r->triangle, &f->triangle_capacity, triangles, sizeof *r->triangle));
    for (int64_t v = 0; v < m->vertex_count; v++) {
        memcpy(r->vertex[r->vertex_count + v], m->vertex[v], sizeof *r->vertex);
        f->owner[r->vertex_count + v] = obstacle;
    }
    for (int64_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            r->triangle[r->triangle_count + t][k] = m->triangle[t][k] + (int32_t)r->vertex_count;
    r->vertex_count   = vertices;
    r->triangle_count = triangles;
    return MN_OK;
}

static mn_status add_obstacle(mn_frames *f, int obstacle, box view)
{
    const mn_shape *shape = mn_world_obstacle_shape(f->world, obstacle);
    const mn_pose   pose  = mn_world_obstacle_pose(f->world, obstacle);
    box             b     = shape_box(shape);
    if (!isfinite(box_longest(b))) b = box_meet(b, box_at_rest(view, &pose));
    const mn_vec3 e = mn_sub3(b.high, b.low);
    if (!(e.x > 0.0 && e.y > 0.0 && e.z > 0.0)) return MN_OK;  // flat, or out of view
    mn_mesh mesh;
    MN_TRY(mn_shape_surface(f->context, shape, b.low, b.high, OBSTACLE_CELLS, &mesh));
    const mn_status status = append_mesh(f, &mesh, obstacle);
    mn_mesh_free(f->context, &mesh);
    return status;
}

// ---- the table -----------------------------------------------------------------------------------------------------

static mn_status prepare_surface(mn_frames *f)
{
    if (!mn_world_has_liquid(f->world)) return MN_OK;
    f->solids = mn_alloc_array(f->context, mn_solid, mn_world_solid_count(f->world) + 1);
    if (f->solids == NULL) return MN_ERR_MEMORY;
    return mn_surface_mesh_create(f->context, &f->surface);
}

static void choose_parts(mn_frames *f)
{
    const bool liquid = mn_world_has_liquid(f->world);
    const struct {
        const char *name;
        fill_fn    *fill;
        bool        wanted;
    } parts[] = {
        { "particles", fill_particles, f->output.particles && liquid },
        { "surface", fill_surface, f->output.surface && liquid },
        { "obstacles", fill_obstacles, f->output.obstacles && f->rest.triangle_count > 0 },
        { "cloth", fill_cloth, f->output.cloth && f->has_cloth },
        { "yarn", fill_yarn, f->output.yarn && f->has_yarn },
        { "tubes", fill_tubes, f->output.tubes && f->has_yarn },
        { "stains", fill_stains, f->output.stains && f->stain_parts != NULL },
    };
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        if (!parts[k].wanted) continue;
        f->names[f->count]  = parts[k].name;
        f->fill[f->count++] = parts[k].fill;
    }
}

mn_status mn_frames_create(mn_context *c, mn_world *world, const mn_output_def *output, mn_frames **out)
{
    *out         = NULL;
    mn_frames *f = mn_alloc(c, sizeof *f);
    if (f == NULL) return MN_ERR_MEMORY;
    f->context       = c;
    f->world         = world;
    f->output        = *output;
    const box view   = view_box(world);
    mn_status status = MN_OK;
    for (int k = 0; status == MN_OK && k < mn_world_obstacle_count(world); k++) status = add_obstacle(f, k, view);
    if (status == MN_OK) status = prepare_surface(f);
    if (status == MN_OK) status = prepare_fabrics(f);
    if (status == MN_OK && mn_world_stain_count(world) > 0) status = mn_stain_parts_create(c, &f->stain_parts);
    if (status != MN_OK) {
        mn_frames_destroy(&f);
        return status;
    }
    choose_parts(f);
    *out = f;
    return MN_OK;
}

void mn_frames_destroy(mn_frames **frames)
{
    mn_frames *f = *frames;
    if (f == NULL) return;
    mn_mesh_free(f->context, &f->rest);
    mn_surface_mesh_destroy(&f->surface);
    mn_free(f->context, f->solids);
    for (int k = 0; k < MN_PIGMENTS_MOST; k++) mn_free(f->context, f->concentration[k]);
    for (int k = 0; k < 2; k++) mn_free(f->context, f->pressure[k]);
    mn_fabric_parts_destroy(&f->fabric_parts);
    mn_stain_parts_destroy(&f->stain_parts);
    mn_free(f->context, f->fabrics);
    mn_free(f->context, f->posed);
    mn_free(f->context, f->owner);
    mn_free(f->context, f);
    *frames = NULL;
}

int mn_frames_count(const mn_frames *f) { return f->count; }

const char *const *mn_frames_names(const mn_frames *f) { return f->names; }

mn_status mn_frames_part(mn_frames *f, int part, mn_frame_part *out)
{
    MN_ASSERT(part >= 0 && part < f->count);
    return f->fill[part](f, out);
}

mn_status mn_frames_shown(mn_frames *f, mn_frame_part out[MN_FRAME_SHOWN_MAX], int *count)
{
    const bool liquid = mn_world_has_liquid(f->world), solid = mn_world_definition(f->world)->domain.dimension == 3;
    const mn_fabric_fields seen  = { .saturation = true };
    const liquid_fields    sizes = { .volume = true };
    int                    n     = 0;
    if (f->rest.triangle_count > 0) MN_TRY(fill_obstacles(f, &out[n++]));
    if (liquid) MN_TRY(fill_particles_with(f, sizes, &out[n++]));
    if (liquid && solid) MN_TRY(fill_surface_with(f, sizes, &out[n++]));
    if (f->stain_parts != NULL) MN_TRY(fill_stains(f, &out[n++]));
    if (f->has_cloth) MN_TRY(fill_fabric_with(f, mn_fabric_parts_cloth, seen, &out[n++]));
    if (f->has_yarn) MN_TRY(fill_fabric_with(f, mn_fabric_parts_yarn, seen, &out[n++]));
    *count = n;
    return MN_OK;
}
