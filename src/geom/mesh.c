// SPDX-License-Identifier: MPL-2.0
// geom/mesh.c - reading a mesh and what every mesh must satisfy.
#include "geom/mesh_reader.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>

/// Coordinates are kept inside the range in which areas and volumes are ordinary numbers.
#define FARTHEST 1e15
/// A triangle whose height is below this part of its longest side has no usable normal.
#define FLATTEST 1e-12

mn_status mn_mesh_error(const mn_mesh_reader *r, size_t offset, const char *format, ...)
{
    char    text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (r->binary) return mn_fail(r->context, MN_ERR_FILE, "%s:0:0: at byte %zu: %s", r->name, offset, text);
    size_t line = 1, column = 1;
    for (size_t k = 0; k < offset && k < r->bytes; k++) {
        column++;
        if (r->data[k] == '\n') {
            line++;
            column = 1;
        }
    }
    return mn_fail(r->context, MN_ERR_FILE, "%s:%zu:%zu: %s", r->name, line, column, text);
}

mn_status mn_mesh_add_vertex(mn_mesh_reader *r, size_t place, const double x[3])
{
    for (int a = 0; a < 3; a++) {
        if (!isfinite(x[a])) return mn_mesh_error(r, place, "a coordinate of the vertex is not finite");
        if (fabs(x[a]) > FARTHEST)
            return mn_mesh_error(r, place, "a coordinate of the vertex is %g; accepted is -1e15 to 1e15", x[a]);
    }
    mn_mesh *m = &r->mesh;
    if (m->vertex_count >= INT32_MAX - 1) return mn_mesh_error(r, place, "the mesh has more than 2^31 vertices");
    MN_TRY(mn_array_reserve(r->context, &m->vertex, &r->vertex_capacity, m->vertex_count + 1, sizeof *m->vertex));
    memcpy(m->vertex[m->vertex_count++], x, 3 * sizeof *x);
    return MN_OK;
}

mn_status mn_mesh_add_corner(mn_mesh_reader *r, int32_t vertex)
{
    MN_TRY(mn_array_reserve(r->context, &r->polygon, &r->polygon_capacity, r->polygon_count + 1, sizeof *r->polygon));
    r->polygon[r->polygon_count++] = vertex;
    return MN_OK;
}

mn_status mn_mesh_texture_corner(mn_mesh_reader *r, int32_t texture)
{
    MN_TRY(mn_array_reserve(r->context, &r->polygon_texture, &r->polygon_texture_capacity, r->polygon_count,
                            sizeof *r->polygon_texture));
    r->polygon_texture[r->polygon_count - 1] = texture;
    return MN_OK;
}

mn_status mn_mesh_end_face(mn_mesh_reader *r, size_t place)
{
    mn_mesh      *m = &r->mesh;
    const int64_t n = r->polygon_count, more = n - 2;
    r->polygon_count = 0;
    if (n < 3) return mn_mesh_error(r, place, "the face has %lld corners; at least 3 are needed", (long long)n);
    if (m->triangle_count + more >= INT32_MAX / 4)
        return mn_mesh_error(r, place, "the mesh has more than 2^29 triangles");
    MN_TRY(mn_array_reserve(r->context, &m->triangle, &r->triangle_capacity, m->triangle_count + more,
                            sizeof *m->triangle));
    MN_TRY(mn_array_reserve(r->context, &r->place, &r->place_capacity, m->triangle_count + more, sizeof *r->place));
    if (r->textured)
        MN_TRY(mn_array_reserve(r->context, &r->texture.corner, &r->corner_capacity, m->triangle_count + more,
                                sizeof *r->texture.corner));
    for (int64_t k = 0; k < more; k++) {
        const int64_t corner[3] = { 0, k + 1, k + 2 };
        for (int a = 0; a < 3 && r->textured; a++)
            r->texture.corner[m->triangle_count][a] = r->polygon_texture[corner[a]];
        int32_t *t                  = m->triangle[m->triangle_count];
        r->place[m->triangle_count] = place;
        t[0]                        = r->polygon[0];
        t[1]                        = r->polygon[k + 1];
        t[2]                        = r->polygon[k + 2];
        m->triangle_count++;
    }
    return MN_OK;
}

static mn_vec3 corner(const mn_mesh *m, int64_t t, int k) { return mn_v3_from(m->vertex[m->triangle[t][k]]); }

static bool is_flat(const mn_mesh *m, int64_t t)
{
    const mn_vec3 a = corner(m, t, 0), b = corner(m, t, 1), c = corner(m, t, 2);
    const mn_vec3 ab = mn_sub3(b, a), ac = mn_sub3(c, a), bc = mn_sub3(c, b);
    const double  longest = fmax(mn_dot3(ab, ab), fmax(mn_dot3(ac, ac), mn_dot3(bc, bc)));
    return !(mn_norm3(mn_cross3(ab, ac)) > FLATTEST * longest);
}

/// The corners in rising order: the same for every way to write the triangle.
static void sorted_corners(const mn_mesh *m, int64_t t, int32_t out[3])
{
    const int32_t *v = m->triangle[t];
    out[0]           = v[0] < v[1] ? (v[0] < v[2] ? v[0] : v[2]) : (v[1] < v[2] ? v[1] : v[2]);
    out[2]           = v[0] > v[1] ? (v[0] > v[2] ? v[0] : v[2]) : (v[1] > v[2] ? v[1] : v[2]);
    out[1]           = (int32_t)((int64_t)v[0] + v[1] + v[2] - out[0] - out[2]);
}

static int64_t table_size(int64_t entries)
{
    int64_t size = 16;
    while (size < 2 * entries) size *= 2;
    return size;
}

static mn_status check_duplicates(mn_mesh_reader *r)
{
    const mn_mesh *m      = &r->mesh;
    const int64_t  size   = table_size(m->triangle_count);
    int32_t       *slot   = mn_alloc_array(r->context, int32_t, size);  // triangle + 1
    mn_status      status = slot != NULL ? MN_OK : MN_ERR_MEMORY;
    for (int64_t t = 0; t < m->triangle_count && status == MN_OK; t++) {
        int32_t key[3], other[3];
        sorted_corners(m, t, key);
        int64_t s = (int64_t)(mn_hash_bytes(MN_HASH_SEED, key, sizeof key) & (uint64_t)(size - 1));
        for (; slot[s] != 0; s = (s + 1) & (size - 1)) {
            sorted_corners(m, slot[s] - 1, other);
            if (memcmp(key, other, sizeof key) == 0) break;
        }
        if (slot[s] != 0)
            status = mn_mesh_error(r, r->place[t], "triangle %lld has the same corners as triangle %d (counted from 0)",
                                   (long long)t, slot[s] - 1);
        slot[s] = (int32_t)t + 1;
    }
    mn_free(r->context, slot);
    return status;
}

mn_status mn_mesh_check_triangles(mn_mesh_reader *r)
{
    const mn_mesh *m = &r->mesh;
    for (int64_t t = 0; t < m->triangle_count; t++) {
        const int32_t *v = m->triangle[t];
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            return mn_mesh_error(r, r->place[t], "the face uses one vertex twice; its area is zero");
        if (is_flat(m, t)) return mn_mesh_error(r, r->place[t], "a triangle of the face has zero area");
    }
    return check_duplicates(r);
}

/// `texture` may be NULL.
static mn_status parse(mn_context *c, const char *name, const unsigned char *data, size_t bytes, mn_mesh_format format,
                       mn_mesh *out, mn_mesh_texture *texture)
{
    *out             = (mn_mesh){ 0 };
    mn_mesh_reader r = { .context = c, .name = name, .data = data, .bytes = bytes, .textured = texture != NULL };
    mn_status      status;
    switch (format) {
    case MN_MESH_OBJ: status = mn_mesh_parse_obj(&r); break;
    case MN_MESH_PLY: status = mn_mesh_parse_ply(&r); break;
    case MN_MESH_STL: status = mn_mesh_parse_stl(&r); break;
    default:
        status = mn_fail(c, MN_ERR_ARGUMENT, "%s:0:0: the format %d is not one of OBJ, PLY and STL", name, (int)format);
        break;
    }
    if (status == MN_OK && r.mesh.triangle_count == 0)
        status = mn_mesh_error(&r, r.bytes, "the file holds no triangles");
    if (status == MN_OK) status = mn_mesh_check_triangles(&r);
    mn_free(c, r.polygon);
    mn_free(c, r.polygon_texture);
    mn_free(c, r.place);
    if (status == MN_OK) {
        *out = r.mesh;
        if (texture != NULL) *texture = r.texture;
    } else {
        mn_mesh_free(c, &r.mesh);
        mn_mesh_texture_free(c, &r.texture);
    }
    return status;
}

mn_status mn_mesh_parse(mn_context *c, const char *name, const unsigned char *data, size_t bytes, mn_mesh_format format,
                        mn_mesh *out)
{
    return parse(c, name, data, bytes, format, out, NULL);
}

mn_status mn_mesh_parse_textured(mn_context *c, const char *name, const unsigned char *data, size_t bytes,
                                 mn_mesh_format format, mn_mesh *out, mn_mesh_texture *texture)
{
    *out     = (mn_mesh){ 0 };
    *texture = (mn_mesh_texture){ 0 };
    return parse(c, name, data, bytes, format, out, format == MN_MESH_STL ? NULL : texture);
}

static mn_status format_of(mn_context *c, const char *path, mn_mesh_format *out)
{
    static const struct {
        const char    *ending;
        mn_mesh_format format;
    } endings[] = {
        { ".obj", MN_MESH_OBJ },
        { ".ply", MN_MESH_PLY },
        { ".stl", MN_MESH_STL },
    };
    const size_t n = strlen(path);
    for (int k = 0; k < 3; k++) {
        bool same = n > 4;
        for (int i = 0; i < 4 && same; i++) {
            const char p = path[n - 4 + (size_t)i];
            same         = (p >= 'A' && p <= 'Z' ? p + 'a' - 'A' : p) == endings[k].ending[i];
        }
        if (same) {
            *out = endings[k].format;
            return MN_OK;
        }
    }
    return mn_fail(c, MN_ERR_FILE, "%s:0:0: the name must end in .obj, .ply or .stl", path);
}

const mn_file_kind mn_mesh_kind = { "a mesh", (int64_t)1 << 34 };

mn_status mn_mesh_read_bytes(mn_context *c, const char *path, const mn_file_kind *kind, unsigned char **data,
                             size_t *bytes)
{
    mn_file_error   error;
    const mn_status status = mn_file_read_whole(c, path, kind, data, bytes, &error);
    if (status != MN_ERR_FILE) return status;
    return mn_fail(c, MN_ERR_FILE, "%s:0:0: the file cannot be read: %s", path, mn_file_reason(&error));
}

mn_status mn_mesh_read(mn_context *c, const char *path, mn_mesh *out)
{
    *out                  = (mn_mesh){ 0 };
    mn_mesh_format format = MN_MESH_OBJ;
    unsigned char *data   = NULL;
    size_t         bytes  = 0;
    MN_TRY(format_of(c, path, &format));
    mn_status status = mn_mesh_read_bytes(c, path, &mn_mesh_kind, &data, &bytes);
    if (status == MN_OK) status = mn_mesh_parse(c, path, data, bytes, format, out);
    mn_free(c, data);
    return status;
}

mn_status mn_mesh_read_textured(mn_context *c, const char *path, mn_mesh *out, mn_mesh_texture *texture)
{
    *out                  = (mn_mesh){ 0 };
    *texture              = (mn_mesh_texture){ 0 };
    mn_mesh_format format = MN_MESH_OBJ;
    unsigned char *data   = NULL;
    size_t         bytes  = 0;
    MN_TRY(format_of(c, path, &format));
    mn_status status = mn_mesh_read_bytes(c, path, &mn_mesh_kind, &data, &bytes);
    if (status == MN_OK) status = mn_mesh_parse_textured(c, path, data, bytes, format, out, texture);
    mn_free(c, data);
    return status;
}

void mn_mesh_free(mn_context *c, mn_mesh *mesh)
{
    mn_free(c, mesh->vertex);
    mn_free(c, mesh->triangle);
    *mesh = (mn_mesh){ 0 };
}

double mn_mesh_volume(const mn_mesh *m)
{
    double        volume = 0.0;
    const mn_vec3 near   = m->triangle_count > 0 ? corner(m, 0, 0) : mn_v3(0, 0, 0);  // keeps far meshes accurate
    for (int64_t t = 0; t < m->triangle_count; t++) {
        const mn_vec3 a = mn_sub3(corner(m, t, 0), near), b = mn_sub3(corner(m, t, 1), near),
                      c = mn_sub3(corner(m, t, 2), near);
        volume += mn_dot3(a, mn_cross3(b, c));
    }
    return volume / 6.0;
}

void mn_mesh_turn_outward(mn_mesh *m)
{
    if (mn_mesh_volume(m) >= 0.0) return;
    for (int64_t t = 0; t < m->triangle_count; t++) {
        const int32_t second = m->triangle[t][1];
        m->triangle[t][1]    = m->triangle[t][2];
        m->triangle[t][2]    = second;
    }
}

/// How often an edge is passed from its lower to its higher vertex, and back.
typedef struct edge_use {
    int32_t low, high;  // vertex + 1; 0: free
    int32_t up, down;
} edge_use;

static edge_use *find_edge(edge_use *table, int64_t size, int32_t a, int32_t b)
{
    const int32_t low = (a < b ? a : b) + 1, high = (a < b ? b : a) + 1;
    int64_t       s = (int64_t)(mn_hash_mix((uint64_t)(uint32_t)low << 32 | (uint32_t)high) & (uint64_t)(size - 1));
    while (table[s].low != 0 && (table[s].low != low || table[s].high != high)) s = (s + 1) & (size - 1);
    table[s].low  = low;
    table[s].high = high;
    return &table[s];
}

static mn_status check_edge(mn_context *c, const char *name, const edge_use *e)
{
    if (e->up == 1 && e->down == 1) return MN_OK;
    if (e->up + e->down != 2)
        return mn_fail(c, MN_ERR_FILE,
                       "%s:0:0: the mesh is not closed: the edge between vertices %d and %d (counted from 1) belongs "
                       "to %d triangle%s; "
                       "it must belong to exactly 2",
                       name, e->low, e->high, e->up + e->down, e->up + e->down == 1 ? "" : "s");
    return mn_fail(c, MN_ERR_FILE,
                   "%s:0:0: the triangles at the edge between vertices %d and %d (counted from 1) run the same way; "
                   "one of them must be turned round",
                   name, e->low, e->high);
}

mn_status mn_mesh_check_closed(mn_context *c, const char *name, const mn_mesh *m)
{
    const int64_t size  = table_size(3 * m->triangle_count);
    edge_use     *table = mn_alloc_array(c, edge_use, size);
    if (table == NULL) return MN_ERR_MEMORY;
    for (int64_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const int32_t a = m->triangle[t][k], b = m->triangle[t][(k + 1) % 3];
            edge_use     *e = find_edge(table, size, a, b);
            *(a < b ? &e->up : &e->down) += 1;
        }
    mn_status status = MN_OK;
    for (int64_t t = 0; t < m->triangle_count && status == MN_OK; t++)
        for (int k = 0; k < 3 && status == MN_OK; k++)
            status = check_edge(c, name, find_edge(table, size, m->triangle[t][k], m->triangle[t][(k + 1) % 3]));
    mn_free(c, table);
    return status;
}
