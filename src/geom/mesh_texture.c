// SPDX-License-Identifier: MPL-2.0
// geom/mesh_texture.c - texture coordinates: checking them, and making those of a flat sheet.
#include "geom/mesh.h"

#include <string.h>

#define OUTSIDE 1e-6  // by which a coordinate may be beyond the image: round-off of what wrote it
#define UNEVEN  1e-6  // of its extent that a flat sheet may leave its plane

void mn_mesh_texture_free(mn_context *c, mn_mesh_texture *texture)
{
    mn_free(c, texture->at);
    mn_free(c, texture->corner);
    *texture = (mn_mesh_texture){ 0 };
}

mn_status mn_mesh_texture_check(mn_context *c, const mn_mesh_texture *uv, int64_t triangle_count)
{
    if (uv->count == 0 || uv->corner == NULL)
        return mn_fail(c, MN_ERR_ARGUMENT, "the mesh has no texture coordinates, which a texture needs");
    for (int64_t t = 0; t < triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            if (uv->corner[t][k] < 0) continue;
            const double *at = uv->at[uv->corner[t][k]];
            if (!(fmin(at[0], at[1]) >= -OUTSIDE && fmax(at[0], at[1]) <= 1.0 + OUTSIDE))
                return mn_fail(c, MN_ERR_ARGUMENT,
                               "triangle %lld (counted from 1) has the texture coordinates %g, %g; a stain needs a map "
                               "without repetition, within 0 to 1",
                               (long long)t + 1, at[0], at[1]);
        }
    return MN_OK;
}

/// The plane seen from its upper side, so that the image is not mirrored: (x, y), (y, z), or (x, -z) of a sheet that
/// lies.
static void axes_of(const double (*vertex)[3], const int32_t (*triangle)[3], int64_t triangle_count, mn_vec3 *u,
                    mn_vec3 *v, mn_vec3 *normal)
{
    mn_vec3 n = mn_v3(0.0, 0.0, 0.0);
    for (int64_t t = 0; t < triangle_count; t++) {
        const mn_vec3 a   = mn_v3_from(vertex[triangle[t][0]]);
        const mn_vec3 own = mn_cross3(mn_sub3(mn_v3_from(vertex[triangle[t][1]]), a),
                                      mn_sub3(mn_v3_from(vertex[triangle[t][2]]), a));
        n                 = mn_dot3(n, own) < 0.0 ? mn_sub3(n, own) : mn_add3(n, own);
    }
    n              = mn_unit3(n, mn_v3(0.0, 1.0, 0.0));
    const double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z), top = y >= x && y >= z ? n.y : z >= x ? n.z : n.x;
    if (top < 0.0) n = mn_scale3(-1.0, n);
    const mn_vec3 along = x > 0.9 ? mn_v3(0.0, 1.0, 0.0) : mn_v3(1.0, 0.0, 0.0);
    *u                  = mn_unit3(mn_sub3(along, mn_scale3(mn_dot3(along, n), n)), along);
    *v                  = mn_cross3(n, *u);
    *normal             = n;
}

mn_status mn_mesh_texture_flat(mn_context *c, const double (*vertex)[3], int64_t vertex_count,
                               const int32_t (*triangle)[3], int64_t triangle_count, mn_mesh_texture *out)
{
    mn_vec3 axis[3];
    double  low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    *out = (mn_mesh_texture){ .count = vertex_count };
    axes_of(vertex, triangle, triangle_count, &axis[0], &axis[1], &axis[2]);
    for (int64_t v = 0; v < vertex_count; v++)
        for (int a = 0; a < 3; a++) {
            const double at = mn_dot3(mn_v3_from(vertex[v]), axis[a]);
            low[a] = fmin(low[a], at), high[a] = fmax(high[a], at);
        }
    const double size = fmax(high[0] - low[0], high[1] - low[1]);
    if (!(vertex_count > 0 && size > 0.0))
        return mn_fail(c, MN_ERR_ARGUMENT, "a sheet without extent has no texture coordinates");
    if (!(high[2] - low[2] <= UNEVEN * size))
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "the mesh has no texture coordinates (vt of OBJ), and it is not flat, which would do without");
    out->at     = mn_alloc(c, mn_array_bytes(vertex_count, sizeof *out->at));
    out->corner = mn_alloc(c, mn_array_bytes(triangle_count, sizeof *out->corner));
    if (out->at == NULL || out->corner == NULL) {
        mn_mesh_texture_free(c, out);
        return MN_ERR_MEMORY;
    }
    for (int64_t v = 0; v < vertex_count; v++)
        for (int a = 0; a < 2; a++) out->at[v][a] = (mn_dot3(mn_v3_from(vertex[v]), axis[a]) - low[a]) / size;
    memcpy(out->corner, triangle, (size_t)triangle_count * sizeof *out->corner);
    return MN_OK;
}
