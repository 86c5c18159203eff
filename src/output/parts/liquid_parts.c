// SPDX-License-Identifier: MPL-2.0
// output/parts/liquid_parts.c - the liquid's particles as they are, and the surface meshed from them.
#include "output/parts/liquid_parts.h"

#include "liquid/surface_mesh.h"

#include <string.h>

typedef struct liquid_parts {
    mn_context      *context;
    mn_world        *world;
    mn_output_def    output;
    mn_frame_array   particle_arrays[4 + MN_PIGMENTS_MOST], surface_arrays[2 + MN_PIGMENTS_MOST];
    mn_surface_mesh *surface;
    mn_solid        *solids;
    double          *concentration[MN_PIGMENTS_MOST];  // g/cm^3, of each particle
    int64_t          concentration_capacity[MN_PIGMENTS_MOST];
    double          *pressure[2];  // dyn/cm^2, of particles and of the surface
    int64_t          pressure_capacity[2];
} liquid_parts;

static void destroy(void **state)
{
    liquid_parts *p = *state;
    if (p == NULL) return;
    mn_surface_mesh_destroy(&p->surface);
    mn_free(p->context, p->solids);
    for (int k = 0; k < MN_PIGMENTS_MOST; k++) mn_free(p->context, p->concentration[k]);
    for (int k = 0; k < 2; k++) mn_free(p->context, p->pressure[k]);
    mn_free(p->context, p);
    *state = NULL;
}

static mn_status create(mn_context *c, mn_world *world, const mn_output_def *output, void **state)
{
    if (!mn_world_has_liquid(world)) return MN_OK;
    liquid_parts *p = *state = mn_alloc(c, sizeof *p);
    if (p == NULL) return MN_ERR_MEMORY;
    p->context = c;
    p->world   = world;
    p->output  = *output;
    p->solids  = mn_alloc_array(c, mn_solid, mn_world_solid_count(world) + 1);
    return p->solids == NULL ? MN_ERR_MEMORY : mn_surface_mesh_create(c, &p->surface);
}

const mn_part_source mn_liquid_source = { .create = create, .destroy = destroy };

/// Concentrations of the pigments in the particles, by name.
static mn_status add_concentrations(liquid_parts *p, const mn_liquid_view *v, int *n)
{
    for (int k = 0; k < v->pigment_count; k++) {
        MN_TRY(mn_array_reserve(p->context, &p->concentration[k], &p->concentration_capacity[k], v->count,
                                sizeof *p->concentration[k]));
        for (int64_t i = 0; i < v->count; i++) p->concentration[k][i] = v->pigment[k][i] / v->volume[i];
        p->particle_arrays[(*n)++] = mn_frame_array_single(v->pigments[k].name, MN_TYPE_double, p->concentration[k]);
    }
    return MN_OK;
}

/// The pressure at the points of a part of the liquid. It is looked up in the grid point by point, so only for files.
static mn_status add_pressure(liquid_parts *p, mn_output_part part, const double *const position[3], int stride,
                              int64_t count, mn_frame_array *arrays, int *n)
{
    if (!p->output.part[part] || !p->output.field[MN_OUTPUT_PRESSURE]) return MN_OK;
    const int which = part == MN_OUTPUT_SURFACE;
    MN_TRY(mn_array_reserve(p->context, &p->pressure[which], &p->pressure_capacity[which], count,
                            sizeof *p->pressure[which]));
    mn_world_pressure(p->world, position, stride, count, p->pressure[which]);
    const mn_frame_array array = mn_frame_array_single("pressure", MN_TYPE_double, p->pressure[which]);
    arrays[(*n)++]             = mn_frame_array_of_field(array, MN_OUTPUT_PRESSURE);
    return MN_OK;
}

mn_status mn_make_particles(void *state, mn_frame_part *out)
{
    liquid_parts        *p    = state;
    const mn_liquid_view v    = mn_world_liquid(p->world);
    const double *const  at[] = { v.position.x, v.position.y, v.position.z };
    mn_frame_array      *a    = p->particle_arrays;
    int                  n    = 0;
    a[n++] = mn_frame_array_of_field(mn_frame_array_split("velocity", v.velocity.x, v.velocity.y, v.velocity.z),
                                     MN_OUTPUT_VELOCITY);
    a[n++] = mn_frame_array_of_field(mn_frame_array_single("volume", MN_TYPE_double, v.volume), MN_OUTPUT_VOLUME);
    a[n++] = mn_frame_array_single("id", MN_TYPE_int64_t, v.id);
    MN_TRY(add_pressure(p, MN_OUTPUT_PARTICLES, at, 1, v.count, a, &n));
    MN_TRY(add_concentrations(p, &v, &n));
    *out        = (mn_frame_part){ .point_count = v.count, .kind = MN_CELLS_VERTICES, .arrays = a, .array_count = n };
    out->points = mn_frame_array_split("", at[0], at[1], at[2]);
    return MN_OK;
}

static mn_status make_mesh(liquid_parts *p, const mn_liquid_view *v, mn_surface_view *mesh)
{
    mn_surface_source s = { .grid          = mn_world_grid(p->world),
                            .volume        = v->volume,
                            .count         = v->count,
                            .solids        = { p->solids, mn_world_solid_count(p->world) },
                            .position      = { v->position.x, v->position.y, v->position.z },
                            .velocity      = { v->velocity.x, v->velocity.y, v->velocity.z },
                            .pigment_count = v->pigment_count };
    memcpy(s.pigment, v->pigment, sizeof s.pigment);
    mn_world_solids(p->world, mn_world_time(p->world), p->solids);
    return mn_surface_mesh_make(p->surface, &s, mesh);
}

mn_status mn_make_surface(void *state, mn_frame_part *out)
{
    liquid_parts        *p = state;
    const mn_liquid_view v = mn_world_liquid(p->world);
    mn_surface_view      mesh;
    MN_TRY(make_mesh(p, &v, &mesh));
    const double        *first = (const double *)mesh.position;
    const double *const  at[]  = { first, first + 1, first + 2 };
    mn_frame_array      *a     = p->surface_arrays;
    int                  n     = 0;
    const mn_frame_array speed = mn_frame_array_packed("velocity", MN_TYPE_double, 3, mesh.velocity);
    a[n++]                     = mn_frame_array_of_field(speed, MN_OUTPUT_VELOCITY);
    MN_TRY(add_pressure(p, MN_OUTPUT_SURFACE, at, 3, mesh.point_count, a, &n));
    for (int k = 0; k < v.pigment_count; k++)
        a[n++] = mn_frame_array_single(v.pigments[k].name, MN_TYPE_double, mesh.concentration[k]);
    *out        = (mn_frame_part){ .point_count = mesh.point_count,
                                   .kind        = mesh.corners == 2 ? MN_CELLS_LINES : MN_CELLS_TRIANGLES,
                                   .cells       = mesh.cells,
                                   .cell_count  = mesh.cell_count,
                                   .arrays      = a,
                                   .array_count = n };
    out->points = mn_frame_array_packed("", MN_TYPE_double, 3, mesh.position);
    return MN_OK;
}
