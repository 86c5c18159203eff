// SPDX-License-Identifier: MPL-2.0
// geom/mesh_stl.c - STL, as text and binary. Corners that coincide are joined; the normals given are not used.
#include "geom/mesh_reader.h"

#include "base/hash.h"

#include <string.h>

#define HEAD_BYTES  84
#define FACET_BYTES 50

/// Finds the vertex at a place. Open addressing; slots hold vertex + 1.
typedef struct joiner {
    int32_t *slot;
    int64_t  size;  // a power of two, at least twice the vertices
} joiner;

static uint64_t hash_place(const double x[3])
{
    uint64_t bits[3];
    memcpy(bits, x, sizeof bits);
    return mn_hash_mix(mn_hash_mix(mn_hash_mix(bits[0]) ^ bits[1]) ^ bits[2]);
}

static int64_t find_slot(const joiner *j, const mn_mesh *mesh, const double x[3])
{
    int64_t s = (int64_t)(hash_place(x) & (uint64_t)(j->size - 1));
    while (j->slot[s] != 0) {
        const double *v = mesh->vertex[j->slot[s] - 1];
        if (v[0] == x[0] && v[1] == x[1] && v[2] == x[2]) break;
        s = (s + 1) & (j->size - 1);
    }
    return s;
}

static mn_status grow(mn_mesh_reader *r, joiner *j)
{
    joiner larger = { .size = j->size > 0 ? 2 * j->size : 64 };
    larger.slot   = mn_alloc_array(r->context, int32_t, larger.size);
    if (larger.slot == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < r->mesh.vertex_count; v++)
        larger.slot[find_slot(&larger, &r->mesh, r->mesh.vertex[v])] = (int32_t)v + 1;
    mn_free(r->context, j->slot);
    *j = larger;
    return MN_OK;
}

static mn_status add_corner(mn_mesh_reader *r, joiner *j, size_t place, const double corner[3])
{
    const double x[3] = { corner[0] + 0.0, corner[1] + 0.0, corner[2] + 0.0 };  // -0 becomes 0
    if (2 * (r->mesh.vertex_count + 1) > j->size) MN_TRY(grow(r, j));
    const int64_t s = find_slot(j, &r->mesh, x);
    if (j->slot[s] == 0) {
        MN_TRY(mn_mesh_add_vertex(r, place, x));
        j->slot[s] = (int32_t)r->mesh.vertex_count;
    }
    return mn_mesh_add_corner(r, j->slot[s] - 1);
}

static uint32_t read_u32(const unsigned char *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static mn_status read_binary(mn_mesh_reader *r, joiner *j)
{
    const uint64_t claimed = read_u32(r->data + 80), whole = HEAD_BYTES + claimed * FACET_BYTES;
    r->binary = true;
    if (whole != r->bytes)
        return mn_mesh_error(r, 80, "the header claims %llu triangles, which take %llu bytes; the file has %zu",
                             (unsigned long long)claimed, (unsigned long long)whole, r->bytes);
    for (size_t at = HEAD_BYTES; at < r->bytes; at += FACET_BYTES) {
        for (int corner = 0; corner < 3; corner++) {
            const size_t place = at + 12 + 12 * (size_t)corner;
            double       x[3];
            for (int a = 0; a < 3; a++) {
                const uint32_t bits = read_u32(r->data + place + 4 * (size_t)a);
                float          f;
                memcpy(&f, &bits, sizeof f);
                x[a] = (double)f;
            }
            MN_TRY(add_corner(r, j, place, x));
        }
        MN_TRY(mn_mesh_end_face(r, at));
    }
    return MN_OK;
}

static mn_status expect(mn_mesh_reader *r, const char *word)
{
    const mn_token found = mn_text_word_anywhere(r);
    if (mn_text_is_any_case(r, found, word)) return MN_OK;
    if (found.length == 0) return mn_mesh_error(r, found.begin, "the file ends where '%s' is expected", word);
    return mn_mesh_error(r, found.begin, "'%.*s' found where '%s' is expected",
                         found.length < 40 ? (int)found.length : 40, (const char *)r->data + found.begin, word);
}

static mn_status read_three(mn_mesh_reader *r, double x[3])
{
    for (int a = 0; a < 3; a++) MN_TRY(mn_text_number(r, mn_text_word_anywhere(r), &x[a]));
    return MN_OK;
}

/// Normals are often written as nan by programs that do not compute them: only the words are passed over.
static mn_status skip_normal(mn_mesh_reader *r)
{
    MN_TRY(expect(r, "normal"));
    for (int a = 0; a < 3; a++) {
        const mn_token word = mn_text_word_anywhere(r);
        if (word.length == 0) return mn_mesh_error(r, word.begin, "the file ends inside a normal");
    }
    return MN_OK;
}

static mn_status read_facet(mn_mesh_reader *r, joiner *j, size_t place)
{
    MN_TRY(skip_normal(r));
    MN_TRY(expect(r, "outer"));
    MN_TRY(expect(r, "loop"));
    for (int corner = 0; corner < 3; corner++) {
        double x[3];
        MN_TRY(expect(r, "vertex"));
        const size_t at = r->at;
        MN_TRY(read_three(r, x));
        MN_TRY(add_corner(r, j, at, x));
    }
    MN_TRY(expect(r, "endloop"));
    MN_TRY(expect(r, "endfacet"));
    return mn_mesh_end_face(r, place);
}

static mn_status read_text(mn_mesh_reader *r, joiner *j)
{
    bool inside = false;
    for (;;) {
        const mn_token word = mn_text_word_anywhere(r);
        if (word.length == 0) break;
        if (!inside && mn_text_is_any_case(r, word, "solid")) {
            inside = true;
            mn_text_next_line(r);  // the rest is a name
        } else if (inside && mn_text_is_any_case(r, word, "facet")) {
            MN_TRY(read_facet(r, j, word.begin));
        } else if (inside && mn_text_is_any_case(r, word, "endsolid")) {
            inside = false;
            mn_text_next_line(r);
        } else {
            return mn_mesh_error(r, word.begin, "'%.*s' found where '%s' is expected",
                                 word.length < 40 ? (int)word.length : 40, (const char *)r->data + word.begin,
                                 inside ? "facet' or 'endsolid" : "solid");
        }
    }
    return inside ? mn_mesh_error(r, r->bytes, "the file ends before 'endsolid'") : MN_OK;
}

mn_status mn_mesh_parse_stl(mn_mesh_reader *r)
{
    const mn_token first   = mn_text_word_anywhere(r);
    const bool     solid   = mn_text_is_any_case(r, first, "solid");
    const bool     matches = r->bytes >= HEAD_BYTES &&
                         HEAD_BYTES + (uint64_t)read_u32(r->data + 80) * FACET_BYTES == r->bytes;
    joiner    j = { 0 };
    mn_status status;
    r->at = 0;
    if (matches || (!solid && r->bytes >= HEAD_BYTES)) status = read_binary(r, &j);
    else status = read_text(r, &j);
    mn_free(r->context, j.slot);
    return status;
}
