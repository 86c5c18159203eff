// SPDX-License-Identifier: MPL-2.0
// fuzz_mesh - the first byte picks the format, the rest is the file. Whatever it holds: a mesh or a sentence, memory in
// proportion, and for small closed meshes finite distances whose closest points are where they say.
#include "base/memory.h"
#include "geom/mesh.h"

#include <stdlib.h>
#include <string.h>

static void require(int condition)
{
    if (!condition) abort();
}

static void look_at_distances(mn_context *c, const mn_mesh *mesh)
{
    static const double places[][3] = { { 0, 0, 0 }, { 0.3, -0.2, 0.9 }, { 1e3, 1, -1e4 }, { -0.5, 0.5, 0.5 } };
    mn_mesh_distance   *tree        = NULL;
    if (mn_mesh_distance_create(c, mesh, &tree) != MN_OK) return;
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        mn_vec3       closest, gradient;
        const mn_vec3 x = mn_v3_from(places[k]);
        const double  d = mn_mesh_distance_at(tree, x, &closest), length = mn_norm3(mn_sub3(x, closest));
        require(isfinite(d) && fabs(fabs(d) - length) <= 1e-9 * (1.0 + length));
        require(mn_mesh_distance_normal(tree, x, &gradient) == d);
        require(fabs(mn_norm3(gradient) - 1.0) < 1e-6);
    }
    mn_mesh_distance_destroy(c, &tree);
}

/// With texture coordinates a file is the same mesh, or is refused for them alone.
static void look_at_texture(mn_context *c, const uint8_t *data, size_t size, mn_mesh_format format,
                            const mn_mesh *plain)
{
    mn_mesh         mesh;
    mn_mesh_texture uv;
    if (format == MN_MESH_STL || mn_mesh_parse_textured(c, "mesh", data, size, format, &mesh, &uv) != MN_OK) return;
    require(plain->triangle_count == mesh.triangle_count &&
            memcmp(mesh.triangle, plain->triangle, (size_t)mesh.triangle_count * sizeof *mesh.triangle) == 0);
    for (int64_t t = 0; t < mesh.triangle_count; t++)
        for (int k = 0; k < 3; k++) require(uv.corner[t][k] >= -1 && uv.corner[t][k] < uv.count);
    mn_mesh_texture_free(c, &uv);
    mn_mesh_free(c, &mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) return 0;
    mn_context_def def = mn_context_def_default();
    mn_context    *c   = NULL;
    def.threads        = 1;
    require(mn_context_create(&def, &c) == MN_OK);
    const int64_t blocks = mn_context_memory(c).blocks_now, bytes = mn_context_memory(c).bytes_now;
    mn_mesh       mesh;
    if (mn_mesh_parse(c, "mesh", data + 1, size - 1, (mn_mesh_format)(data[0] % 3), &mesh) == MN_OK) {
        require(mesh.triangle_count > 0);
        look_at_texture(c, data + 1, size - 1, (mn_mesh_format)(data[0] % 3), &mesh);
        for (int64_t t = 0; t < mesh.triangle_count; t++)
            for (int k = 0; k < 3; k++) require(mesh.triangle[t][k] >= 0 && mesh.triangle[t][k] < mesh.vertex_count);
        if (mn_mesh_check_closed(c, "mesh", &mesh) == MN_OK && mesh.triangle_count <= 64) {
            mn_mesh_turn_outward(&mesh);
            require(mn_mesh_volume(&mesh) >= 0.0);
            look_at_distances(c, &mesh);
        }
        mn_mesh_free(c, &mesh);
    } else {
        require(strncmp(mn_context_error(c), "mesh:", 5) == 0);
    }
    require(mn_context_memory(c).blocks_now == blocks);
    require(mn_context_memory(c).bytes_peak - bytes <= 65536 + 400 * (int64_t)size);
    mn_context_destroy(&c);
    return 0;
}
