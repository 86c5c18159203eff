// SPDX-License-Identifier: MPL-2.0
// verify/thin/s3.c - discrete shells: the cases of group S3, and what they share.
#include "verify/thin/s3.h"
#include "verify/thin/cusick.h"

#include <string.h>

const mn_verify_case mn_verify_s3[] = {
    { "S3.1", "membrane: patch test", .run = mn_s3_patch, .library = true },
    { "S3.2", "bending: developed cylinder on four meshes", .run = mn_s3_cylinder, .library = true },
    { "S3.3", "cantilever plate with end shear", .run = mn_s3_cantilever, .library = true },
    { "S3.4", "Peirce cantilever", .run = mn_s3_peirce },
    { "S3.5", "heavy elastica", .run = mn_s3_elastica },
    { "S3.6", "vibration of a simply supported plate", .run = mn_s3_vibration },
    { "S3.7", "buckling of a clamped strip", .run = mn_s3_euler },
    { "S3.9", "drape test of Cusick", .run = mn_s3_cusick },
    { "S3.10", "derivatives and symmetries", .run = mn_s3_derivatives, .library = true },
    { 0 },
};

static mn_status fill_rig(mn_s3_rig *r, const mn_shell_material *material)
{
    mn_context *c = r->context;
    r->x          = mn_alloc_array(c, mn_vec3, r->sheet.vertices);
    r->load       = mn_alloc_array(c, mn_vec3, r->sheet.vertices);
    r->area       = mn_alloc_array(c, double, r->sheet.vertices);
    r->fixed      = mn_alloc_array(c, uint8_t, 3 * r->sheet.vertices);
    if (r->x == NULL || r->load == NULL || r->area == NULL || r->fixed == NULL) return MN_ERR_MEMORY;
    MN_TRY(mn_arena_create(c, &r->arena));
    const mn_shell_def def = { .rest           = r->sheet.x,
                               .vertex_count   = r->sheet.vertices,
                               .triangle       = (const int32_t(*)[3])r->sheet.triangle,
                               .triangle_count = r->sheet.triangles,
                               .material       = *material };
    MN_TRY(mn_shell_create(c, &def, &r->shell));
    memcpy(r->x, r->sheet.x, (size_t)r->sheet.vertices * sizeof *r->x);
    mn_shell_vertex_areas(r->shell, r->area);
    return MN_OK;
}

mn_status mn_s3_rig_make(mn_context *c, mn_sheet *sheet, const mn_shell_material *material, mn_s3_rig *out)
{
    *out               = (mn_s3_rig){ .context = c, .sheet = *sheet };
    *sheet             = (mn_sheet){ 0 };
    const mn_status st = fill_rig(out, material);
    if (st != MN_OK) mn_s3_rig_end(out);
    return st;
}

void mn_s3_rig_end(mn_s3_rig *r)
{
    if (r->context == NULL) return;
    mn_shell_drive_destroy(&r->drive);
    mn_shell_destroy(&r->shell);
    mn_arena_destroy(&r->arena);
    mn_sheet_free(r->context, &r->sheet);
    mn_free(r->context, r->x), mn_free(r->context, r->load), mn_free(r->context, r->area),
        mn_free(r->context, r->fixed);
    *r = (mn_s3_rig){ 0 };
}

mn_shell_material mn_s3_material(double rigidity, double stretch, double poisson)
{
    mn_shell_material m = mn_shell_material_default();
    m.thickness         = 0.01;
    m.young_warp = m.young_weft = stretch / m.thickness;
    m.poisson                   = poisson;
    m.bend_warp = m.bend_weft = rigidity;
    m.viscosity               = 0.0;
    return m;
}

mn_status mn_s3_clamp_line(mn_s3_rig *r, double at, mn_vec3 outward)
{
    const mn_shell_edge *edge  = mn_shell_edge_list(r->shell);
    const int64_t        edges = mn_shell_full_rows(r->shell) - r->sheet.vertices;
    for (int64_t v = 0; v < r->sheet.vertices; v++)
        if (fabs(r->sheet.x[v].x - at) < 1e-9) memset(r->fixed + 3 * v, 1, 3);
    for (int64_t e = 0; e < edges; e++)
        if (edge[e].vertex[3] < 0 && fabs(r->sheet.x[edge[e].vertex[0]].x - at) < 1e-9 &&
            fabs(r->sheet.x[edge[e].vertex[1]].x - at) < 1e-9)
            MN_TRY(mn_shell_clamp(r->shell, e, outward));
    return MN_OK;
}

mn_status mn_s3_drive(mn_s3_rig *r, double tolerance)
{
    const mn_shell_drive_def def = { .shell          = r->shell,
                                     .load           = r->load,
                                     .fixed          = r->fixed,
                                     .mass           = r->area,
                                     .tolerance      = tolerance,
                                     .max_iterations = 300 };
    return mn_shell_drive_create(r->context, &def, &r->drive);
}

mn_status mn_s3_rest(mn_s3_rig *r)
{
    mn_shell_drive_report report;
    MN_TRY(mn_shell_drive_rest(r->drive, r->x, &report));
    if (report.converged) return MN_OK;
    return mn_fail(r->context, MN_ERR_SOLVE,
                   "a shell did not come to rest in %d Newton steps; the last moved it by %g cm", report.iterations,
                   report.last_step);
}
