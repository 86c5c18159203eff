// SPDX-License-Identifier: MPL-2.0
// stain/cloth.c - what a stain is on: vertices and triangles when it is added, and where they are later.
#include "stain/stains_private.h"

#include <stdio.h>
#include <string.h>

// --- where it is -----------------------------------------------------------------------------------------------------

/// Positions that files give, of the vertices that the film has.
static mn_status cloth_of_files(mn_context *c, const mn_stained_cloth *s, double time, mn_vec3 *out)
{
    double(*all)[3] = mn_alloc(c, mn_array_bytes(mn_mesh_sequence_mesh(s->files)->vertex_count, sizeof *all));
    if (all == NULL) return MN_ERR_MEMORY;
    const mn_status status = mn_mesh_sequence_at(s->files, time, all, NULL, NULL);
    for (int64_t v = 0; status == MN_OK && v < s->film->surface->vertex_count; v++)
        out[v] = mn_v3_from(all[s->mesh_vertex[v]]);
    mn_free(c, all);
    return status;
}

mn_status mn_stain_cloth_at(mn_context *c, const mn_stained_cloth *s, const mn_stain_carrier *on, double time,
                            mn_vec3 *out)
{
    const int64_t n    = s->film->surface->vertex_count;
    const mn_pose pose = mn_motion_pose(s->motion, time);
    if (s->files != NULL) return cloth_of_files(c, s, time, out);
    for (int64_t v = 0; v < n && on->number >= 0; v++) {
        const int32_t i = s->mesh_vertex[v];
        out[v]          = mn_v3(on->position[0][i], on->position[1][i], on->position[2][i]);
    }
    for (int64_t v = 0; v < n && on->number < 0; v++) out[v] = mn_pose_point(&pose, s->rest[v]);
    return MN_OK;
}

// --- its mesh --------------------------------------------------------------------------------------------------------

static mn_status number_vertices(mn_arena *arena, mn_stain_cloth *k)
{
    const mn_thin_mesh *m = k->mesh;
    k->number             = mn_arena_array(arena, int32_t, m->vertex_count);
    k->x                  = mn_arena_array(arena, mn_vec3, m->vertex_count);
    k->triangle           = mn_arena_take(arena, mn_array_bytes(m->triangle_count, sizeof *k->triangle));
    if (k->number == NULL || k->x == NULL || k->triangle == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < m->vertex_count; v++) k->number[v] = -1;
    for (int64_t t = 0; t < m->triangle_count; t++)
        for (int i = 0; i < 3; i++) k->number[m->triangle[t][i]] = 0;
    for (int64_t v = 0; v < m->vertex_count; v++) {
        if (k->number[v] < 0) continue;
        k->x[k->vertex_count] = mn_v3_from(m->vertex[v]);
        k->number[v]          = (int32_t)k->vertex_count++;
    }
    for (int64_t t = 0; t < m->triangle_count; t++)
        for (int i = 0; i < 3; i++) k->triangle[t][i] = k->number[m->triangle[t][i]];
    return MN_OK;
}

static mn_status list_vertices(mn_context *c, mn_stained_cloth *s, mn_arena *arena, mn_stain_cloth *k)
{
    MN_TRY(number_vertices(arena, k));
    s->mesh_vertex = mn_alloc_array(c, int32_t, k->vertex_count);
    if (s->mesh_vertex == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < k->mesh->vertex_count; v++)
        if (k->number[v] >= 0) s->mesh_vertex[k->number[v]] = (int32_t)v;
    return MN_OK;
}

static mn_status take_files(mn_context *c, mn_stained_cloth *s, const mn_stain_def *def, mn_arena *arena,
                            mn_stain_cloth *k)
{
    const mn_mesh_sequence_def files = { .path  = def->files,
                                         .mesh  = def->files_mesh,
                                         .rate  = def->files_rate,
                                         .start = def->files_start,
                                         .scale = def->files_scale };
    MN_TRY(mn_mesh_sequence_open(c, &files, &s->files));
    const mn_mesh *first = mn_mesh_sequence_mesh(s->files);
    mn_thin_mesh  *mesh  = mn_arena_take_zero(arena, sizeof *mesh);
    if (mesh == NULL) return MN_ERR_MEMORY;
    const mn_mesh_texture *uv = mn_mesh_sequence_texture(s->files);
    *mesh                     = (mn_thin_mesh){ .vertex_count   = first->vertex_count,
                                                .vertex         = first->vertex,
                                                .triangle_count = first->triangle_count,
                                                .triangle       = first->triangle,
                                                .texture_count  = uv->count,
                                                .texture        = uv->at,
                                                .texture_corner = uv->corner };
    k->mesh                   = mesh;
    return list_vertices(c, s, arena, k);
}

static mn_status take_mesh(mn_context *c, mn_stained_cloth *s, const mn_stain_def *def, mn_arena *arena,
                           mn_stain_cloth *k)
{
    if (def->mesh == NULL || def->mesh->triangle_count == 0)
        return mn_fail(c, MN_ERR_ARGUMENT, "stain '%s' needs a fabric to be on, or a mesh with triangles", def->name);
    k->mesh = def->mesh;
    MN_TRY(number_vertices(arena, k));
    s->rest = mn_alloc_array(c, mn_vec3, k->vertex_count);
    if (s->rest == NULL) return MN_ERR_MEMORY;
    mn_mat3 turn = mn_mat3_identity();
    if (def->angle != 0.0) turn = mn_rotation3(mn_unit3(mn_v3_from(def->axis), mn_v3(0.0, 1.0, 0.0)), def->angle);
    for (int64_t v = 0; v < k->vertex_count; v++)
        s->rest[v] = k->x[v] = mn_add3(mn_mul3(turn, k->x[v]), mn_v3_from(def->at));
    mn_motion_def motion = def->motion;
    for (int a = 0; a < 3; a++) motion.pivot[a] += def->at[a];
    MN_TRY(mn_motion_create(c, &motion, &s->motion));
    if (mn_motion_is_still(s->motion)) mn_motion_destroy(c, &s->motion);
    return MN_OK;
}

// --- texture coordinates ---------------------------------------------------------------------------------------------

static mn_status copy_texture(mn_context *c, const mn_thin_mesh *mesh, mn_mesh_texture *out)
{
    *out = (mn_mesh_texture){ .count  = mesh->texture_count,
                              .at     = mn_alloc(c, mn_array_bytes(mesh->texture_count, sizeof *out->at)),
                              .corner = mn_alloc(c, mn_array_bytes(mesh->triangle_count, sizeof *out->corner)) };
    if (out->at == NULL || out->corner == NULL) return MN_ERR_MEMORY;
    memcpy(out->at, mesh->texture, (size_t)mesh->texture_count * sizeof *out->at);
    memcpy(out->corner, mesh->texture_corner, (size_t)mesh->triangle_count * sizeof *out->corner);
    return MN_OK;
}

/// Whether any corner has coordinates: a file may list some that no face names.
static bool has_texture(const mn_thin_mesh *m)
{
    for (int64_t t = 0; m->texture_count > 0 && t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            if (m->texture_corner[t][k] >= 0) return true;
    return false;
}

/// Those of the mesh, or where it is flat its plane.
static mn_status take_texture(mn_context *c, mn_stained_cloth *s, const mn_stain_cloth *k)
{
    const mn_thin_mesh *m = k->mesh;
    if (s->def.texture == 0) return MN_OK;
    mn_status status = has_texture(m)
                           ? copy_texture(c, m, &s->texture)
                           : mn_mesh_texture_flat(c, (const double(*)[3])k->x, k->vertex_count,
                                                  (const int32_t(*)[3])k->triangle, m->triangle_count, &s->texture);
    if (status == MN_OK) status = mn_mesh_texture_check(c, &s->texture, m->triangle_count);
    if (status != MN_ERR_ARGUMENT) return status;
    char why[512];
    snprintf(why, sizeof why, "%s", mn_context_error(c));
    return mn_fail(c, status, "stain '%s' cannot be drawn as a texture: %s", s->def.name, why);
}

mn_status mn_stain_cloth_take(mn_context *c, mn_stained_cloth *s, const mn_stain_def *def, mn_arena *arena,
                              mn_stain_cloth *out)
{
    out->mesh = s->carrier.mesh;
    MN_TRY(s->carrier.number >= 0 ? list_vertices(c, s, arena, out)
           : def->files != NULL   ? take_files(c, s, def, arena, out)
                                  : take_mesh(c, s, def, arena, out));
    return take_texture(c, s, out);
}
