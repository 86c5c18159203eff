// SPDX-License-Identifier: MPL-2.0
// geom/patterns/mesh_read.c - fabric from files: faces become cloth, polylines yarn, groups of OBJ groups of vertices
// (also by points).
#include "geom/patterns/builder.h"

#include "defs/check.h"
#include "geom/mesh_reader.h"

#include <stdlib.h>
#include <string.h>

/// An OBJ file being read. Polylines and groups are collected beside the mesh.
typedef struct obj {
    mn_mesh_reader     reader;
    mn_pattern_builder b;  // holds strands and groups until the vertices are known
    double             yarn_radius;
    char               group[MN_NAME_BYTES];  // the present one, "": none
    int32_t           *member;                // vertices of it so far, with repetitions
    int64_t            member_count, member_room;
} obj;

// --- groups ----------------------------------------------------------------------------------------------------------

static mn_status note_member(obj *o, int32_t vertex)
{
    if (o->group[0] == '\0') return MN_OK;
    MN_TRY(mn_array_reserve(o->b.context, &o->member, &o->member_room, o->member_count + 1, sizeof *o->member));
    o->member[o->member_count++] = vertex;
    return MN_OK;
}

static int compare_vertices(const void *a, const void *b)
{
    const int32_t s = *(const int32_t *)a, t = *(const int32_t *)b;
    return (s > t) - (s < t);
}

/// The members of a group, once each, in rising order; a group that comes back later goes on.
static mn_status end_group(obj *o)
{
    mn_thin_mesh    *m     = &o->b.mesh;
    mn_vertex_group *known = (mn_vertex_group *)mn_thin_find_group(m, o->group);
    if (o->group[0] == '\0' || o->member_count == 0) return MN_OK;
    for (int64_t k = 0; known != NULL && k < known->count; k++) MN_TRY(note_member(o, known->vertex[k]));
    qsort(o->member, (size_t)o->member_count, sizeof *o->member, compare_vertices);
    int64_t count = 0;
    for (int64_t k = 0; k < o->member_count; k++) {
        if (k == 0 || o->member[k] != o->member[k - 1]) o->member[count++] = o->member[k];
    }
    o->member_count = 0;
    if (known == NULL) return mn_thin_mesh_add_group(o->b.context, m, o->group, o->member, count);
    int32_t *grown = mn_resize(o->b.context, known->vertex, mn_array_bytes(count, sizeof *grown));
    if (grown == NULL) return MN_ERR_MEMORY;
    memcpy(grown, o->member, (size_t)count * sizeof *grown);
    known->vertex = grown;
    known->count  = count;
    return MN_OK;
}

static mn_status read_group(obj *o)
{
    mn_mesh_reader *r = &o->reader;
    MN_TRY(end_group(o));
    const mn_token name = mn_text_word(r);
    if (name.length >= MN_NAME_BYTES) {
        return mn_mesh_error(r, name.begin, "the name of the group has %zu letters; at most %d are possible",
                             name.length, MN_NAME_BYTES - 1);
    }
    memcpy(o->group, r->data + name.begin, name.length);
    o->group[name.length] = '\0';
    // What programs write where there is no group, and the name this library gives to all vertices.
    if (strcmp(o->group, "default") == 0 || strcmp(o->group, "off") == 0 || strcmp(o->group, "all") == 0)
        o->group[0] = '\0';
    return MN_OK;
}

// --- lines -----------------------------------------------------------------------------------------------------------

static mn_status read_polyline(obj *o, size_t place)
{
    mn_mesh_reader *r = &o->reader;
    for (mn_token word = mn_text_word(r); word.length > 0 && r->data[word.begin] != '#'; word = mn_text_word(r))
        MN_TRY(mn_mesh_obj_corner(r, word));
    const int64_t n  = r->polygon_count;
    r->polygon_count = 0;
    if (n < 2) return mn_mesh_error(r, place, "the line has %lld vertices; at least 2 are needed", (long long)n);
    const bool    closed = n > 3 && r->polygon[0] == r->polygon[n - 1];
    const int64_t used   = closed ? n - 1 : n;
    mn_build_strand_begin(&o->b, o->yarn_radius);
    for (int64_t k = 0; k < used && o->b.status == MN_OK; k++) {
        const int32_t v = r->polygon[k];
        if (k > 0 && memcmp(r->mesh.vertex[v], r->mesh.vertex[r->polygon[k - 1]], sizeof *r->mesh.vertex) == 0)
            return mn_mesh_error(r, place, "a segment of the line has no length");
        mn_build_strand_add(&o->b, v);
        MN_TRY(note_member(o, v));
    }
    mn_build_strand_end(&o->b, closed);
    return o->b.status;
}

/// Points belong to the present group and make nothing: groups of vertices that no face or line has for itself.
static mn_status read_points(obj *o)
{
    mn_mesh_reader *r = &o->reader;
    for (mn_token word = mn_text_word(r); word.length > 0 && r->data[word.begin] != '#'; word = mn_text_word(r))
        MN_TRY(mn_mesh_obj_corner(r, word));
    for (int64_t k = 0; k < r->polygon_count; k++) MN_TRY(note_member(o, r->polygon[k]));
    r->polygon_count = 0;
    return MN_OK;
}

static mn_status read_line(obj *o, mn_token key)
{
    mn_mesh_reader *r = &o->reader;
    if (mn_text_is(r, key, "p")) return read_points(o);
    if (mn_text_is(r, key, "l")) return read_polyline(o, key.begin);
    if (mn_text_is(r, key, "g")) return read_group(o);
    const int64_t before = r->mesh.triangle_count;
    MN_TRY(mn_mesh_obj_line(r, key));
    for (int64_t t = before; t < r->mesh.triangle_count; t++) {
        for (int k = 0; k < 3; k++) MN_TRY(note_member(o, r->mesh.triangle[t][k]));
    }
    return MN_OK;
}

static mn_status read_obj(obj *o)
{
    mn_mesh_reader *r = &o->reader;
    while (r->at < r->bytes) {
        MN_TRY(read_line(o, mn_text_word(r)));
        mn_text_next_line(r);
    }
    MN_TRY(end_group(o));
    if (r->mesh.triangle_count == 0 && o->b.mesh.strand_count == 0)
        return mn_mesh_error(r, r->bytes, "the file holds neither faces nor lines");
    return mn_mesh_check_triangles(r);
}

// --- vertices --------------------------------------------------------------------------------------------------------

/// A vertex that belongs to nothing would have no mass.
static mn_status check_used(mn_context *c, const char *path, const mn_thin_mesh *m)
{
    uint8_t *used = mn_alloc_array(c, uint8_t, m->vertex_count);
    if (used == NULL) return MN_ERR_MEMORY;
    for (int64_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++) used[m->triangle[t][k]] = 1;
    const int64_t ends = m->strand_count > 0 ? m->strand_start[m->strand_count] : 0;
    for (int64_t k = 0; k < ends; k++) used[m->strand_vertex[k]] = 1;
    int64_t loose = 0;
    while (loose < m->vertex_count && used[loose]) loose++;
    mn_free(c, used);
    if (loose == m->vertex_count) return MN_OK;
    return mn_fail(c, MN_ERR_FILE, "%s:0:0: the vertex %lld (counted from 1) belongs to no face and to no line", path,
                   (long long)loose + 1);
}

/// Take vertices, triangles and texture coordinates over into the fabric.
static mn_status take_mesh(mn_pattern_builder *b, const char *path, mn_mesh *mesh, mn_mesh_texture *texture,
                           double scale)
{
    mn_thin_mesh *m   = &b->mesh;
    m->vertex_count   = mesh->vertex_count;
    m->vertex         = mesh->vertex;
    m->triangle_count = mesh->triangle_count;
    m->triangle       = mesh->triangle;
    *mesh             = (mn_mesh){ 0 };
    if (texture->count > 0 && m->triangle_count > 0) {
        m->texture_count  = texture->count;
        m->texture        = texture->at;
        m->texture_corner = texture->corner;
        *texture          = (mn_mesh_texture){ 0 };
    }
    for (int64_t v = 0; v < m->vertex_count; v++)
        for (int a = 0; a < 3; a++) m->vertex[v][a] *= scale;
    MN_TRY(check_used(b->context, path, m));
    mn_build_group_all(b);
    return b->status;
}

static bool ends_in_obj(const char *path)
{
    const size_t n = strlen(path);
    return n > 4 && path[n - 4] == '.' && (path[n - 3] | 0x20) == 'o' && (path[n - 2] | 0x20) == 'b' &&
           (path[n - 1] | 0x20) == 'j';
}

mn_status mn_thin_mesh_parse(mn_context *context, const char *name, const unsigned char *data, size_t bytes,
                             double scale, double yarn_radius, mn_thin_mesh *out)
{
    *out             = (mn_thin_mesh){ 0 };
    obj       o      = { .reader      = { .context          = context,
                                          .name             = name,
                                          .data             = data,
                                          .bytes            = bytes,
                                          .textured         = true,
                                          .texture_optional = true },
                         .b           = { .context = context },
                         .yarn_radius = yarn_radius };
    mn_status status = read_obj(&o);
    if (status == MN_OK) status = take_mesh(&o.b, name, &o.reader.mesh, &o.reader.texture, scale);
    o.b.status = status;
    mn_mesh_free(context, &o.reader.mesh);
    mn_mesh_texture_free(context, &o.reader.texture);
    mn_free(context, o.reader.polygon);
    mn_free(context, o.reader.polygon_texture);
    mn_free(context, o.reader.place);
    mn_free(context, o.member);
    return mn_build_finish(&o.b, out);
}

mn_status mn_thin_mesh_read(mn_context *context, const char *path, double scale, double yarn_radius, mn_thin_mesh *out)
{
    *out                    = (mn_thin_mesh){ 0 };
    const mn_mesh_file file = { .path = path, .scale = scale, .radius = yarn_radius };
    MN_TRY(mn_defs_check(context, &mn_section_mesh, &file, "mesh: "));
    MN_TRY(mn_pattern_given(context, "mesh: the radius of yarn", yarn_radius));
    if (!ends_in_obj(path)) {
        mn_pattern_builder b = { .context = context };
        mn_mesh            mesh;
        mn_mesh_texture    texture;
        MN_TRY(mn_mesh_read_textured(context, path, &mesh, &texture));
        b.status = take_mesh(&b, path, &mesh, &texture, scale);
        mn_mesh_texture_free(context, &texture);
        return mn_build_finish(&b, out);
    }
    unsigned char *data   = NULL;
    size_t         bytes  = 0;
    mn_status      status = mn_mesh_read_bytes(context, path, &mn_mesh_kind, &data, &bytes);
    if (status == MN_OK) status = mn_thin_mesh_parse(context, path, data, bytes, scale, yarn_radius, out);
    mn_free(context, data);
    return status;
}
