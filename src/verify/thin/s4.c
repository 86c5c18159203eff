// SPDX-License-Identifier: MPL-2.0
// verify/thin/s4.c - validation cases S4: discrete elastic rods.
#include "verify/thin/s4.h"

#include <string.h>

mn_status mn_s4_begin(mn_context *c, int32_t count, bool closed, mn_s4_rod *rod)
{
    *rod             = (mn_s4_rod){ .context = c, .count = count, .edges = count - !closed };
    rod->vertex      = mn_alloc_array(c, int32_t, count);
    rod->x           = mn_alloc_array(c, mn_vec3, count);
    rod->v           = mn_alloc_array(c, mn_vec3, count);
    rod->force       = mn_alloc_array(c, mn_vec3, count);
    rod->mass        = mn_alloc_array(c, double, count);
    rod->inertia     = mn_alloc_array(c, double, count);
    rod->held_vertex = mn_alloc_array(c, uint8_t, count);
    rod->held_edge   = mn_alloc_array(c, uint8_t, count);
    if (rod->vertex == NULL || rod->x == NULL || rod->v == NULL || rod->force == NULL || rod->mass == NULL ||
        rod->inertia == NULL || rod->held_vertex == NULL || rod->held_edge == NULL)
        return MN_ERR_MEMORY;
    for (int32_t i = 0; i < count; i++) rod->vertex[i] = i;
    return MN_OK;
}

mn_status mn_s4_build(mn_s4_rod *rod, const mn_rod_material *material, bool closed, mn_rod_rest rest)
{
    const mn_rod_strand_def  strand = { .vertex   = rod->vertex,
                                        .count    = rod->count,
                                        .closed   = closed,
                                        .rest     = rest,
                                        .curl     = 1.0,
                                        .material = *material };
    const mn_rod_network_def def    = { &strand, 1, rod->x, rod->count };
    MN_TRY(mn_rod_network_create(rod->context, &def, &rod->net));
    MN_TRY(mn_rod_drive_create(&rod->net, &rod->drive));
    mn_rod_network_masses(&rod->net, rod->mass, rod->inertia);
    rod->def             = mn_rod_drive_def_default(INFINITY);
    rod->def.mass        = rod->mass;
    rod->def.inertia     = rod->inertia;
    rod->def.force       = rod->force;
    rod->def.held_vertex = rod->held_vertex;
    rod->def.held_edge   = rod->held_edge;
    return MN_OK;
}

void mn_s4_end(mn_s4_rod *rod)
{
    mn_rod_drive_destroy(&rod->drive);
    mn_rod_network_destroy(&rod->net);
    void *blocks[] = { rod->vertex, rod->x,       rod->v,           rod->force,
                       rod->mass,   rod->inertia, rod->held_vertex, rod->held_edge };
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) mn_free(rod->context, blocks[k]);
    *rod = (mn_s4_rod){ 0 };
}

mn_status mn_s4_step(mn_s4_rod *rod)
{
    mn_rod_drive_report report;
    MN_TRY(mn_rod_drive_step(&rod->drive, &rod->def, rod->x, rod->v, &report));
    if (report.failed > 0)
        return mn_fail(rod->context, MN_ERR_SOLVE, "the rod did not converge: %d iterations, last change %g",
                       report.iterations, report.change);
    return MN_OK;
}

void mn_s4_clamp_root(mn_s4_rod *rod)
{
    rod->held_vertex[0] = rod->held_vertex[1] = MN_S4_ALL;
    rod->held_edge[0]                         = 1;
}

mn_status mn_s4_cantilever(mn_context *c, int32_t elements, double length, const mn_rod_material *m, mn_s4_rod *rod)
{
    MN_TRY(mn_s4_begin(c, elements + 2, false, rod));
    const double l = length / (elements + 0.5);
    for (int32_t i = 0; i < rod->count; i++) rod->x[i] = mn_v3((i - 0.5) * l, 0, 0);
    MN_TRY(mn_s4_build(rod, m, false, MN_ROD_REST_STRAIGHT));
    mn_s4_clamp_root(rod);
    return MN_OK;
}

const mn_verify_case mn_verify_s4[] = {
    { "S4.1", "cantilever with an end load", .run = mn_s4_end_load, .library = true },
    { "S4.2", "closed ring wound up until it buckles", .run = mn_s4_ring, .library = true },
    { "S4.4", "column that buckles under its own weight", .run = mn_s4_self_buckling },
    { "S4.5", "frequencies of a hair", .run = mn_s4_frequencies },
    { "S4.6", "uniform twist; twist and writhe", .run = mn_s4_twist, .library = true },
    { "S4.7", "localised buckling of a twisted rod", .run = mn_s4_localised, .library = true },
    { "S4.8", "bends near 180 degrees", .run = mn_s4_fold },
    { "S4.9", "naturally helical rod, started straight", .run = mn_s4_helix, .library = true },
    { "S4.10", "stretch of a hanging rod and the speed of its waves", .run = mn_s4_chain },
    { 0 },
};
