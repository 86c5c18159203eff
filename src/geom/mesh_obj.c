// SPDX-License-Identifier: MPL-2.0
// geom/mesh_obj.c - Wavefront OBJ: v and f lines, vt where wanted; everything else is passed over.
#include "geom/mesh_reader.h"

/// What a corner without texture coordinates has for their number.
#define NO_TEXTURE INT64_MIN

static mn_status read_vertex(mn_mesh_reader *r, size_t place)
{
    double x[3];
    for (int a = 0; a < 3; a++) MN_TRY(mn_text_number(r, mn_text_word(r), &x[a]));
    return mn_mesh_add_vertex(r, place, x);  // a fourth weight or a colour may follow
}

/// An integer at the front of the word; the number of characters it takes, 0 if there is none.
static size_t read_index(const mn_mesh_reader *r, mn_token word, int64_t *out)
{
    const unsigned char *s        = r->data + word.begin;
    size_t               k        = 0;
    const bool           negative = word.length > 0 && s[0] == '-';
    if (negative || (word.length > 0 && s[0] == '+')) k = 1;
    const size_t first = k;
    int64_t      value = 0;
    for (; k < word.length && s[k] >= '0' && s[k] <= '9'; k++)
        if (value < ((int64_t)1 << 40)) value = value * 10 + (s[k] - '0');
    *out = negative ? -value : value;
    return k > first ? k : 0;
}

static mn_status read_texture(mn_mesh_reader *r)
{
    mn_mesh_texture *t = &r->texture;
    if (!r->textured) return MN_OK;
    if (t->count >= INT32_MAX - 1) return mn_mesh_error(r, r->at, "the mesh has more than 2^31 texture coordinates");
    MN_TRY(mn_array_reserve(r->context, &t->at, &r->texture_capacity, t->count + 1, sizeof *t->at));
    MN_TRY(mn_text_number(r, mn_text_word(r), &t->at[t->count][0]));
    const mn_token second = mn_text_word(r);  // a curve has but one coordinate
    t->at[t->count][1]    = 0.0;
    if (second.length > 0 && r->data[second.begin] != '#') MN_TRY(mn_text_number(r, second, &t->at[t->count][1]));
    t->count++;
    return MN_OK;
}

/// After the vertex: nothing, /vt, //vn or /vt/vn. The number vt, or NO_TEXTURE.
static bool tail_is_well_formed(const mn_mesh_reader *r, mn_token tail, int64_t *texture)
{
    *texture = NO_TEXTURE;
    for (int part = 0; part < 2 && tail.length > 0; part++) {
        if (r->data[tail.begin] != '/') return false;
        tail.begin++;
        tail.length--;
        int64_t      index;
        const size_t used = read_index(r, tail, &index);
        if (used > 0 && part == 0) *texture = index;
        const bool empty = used == 0 && part == 0 && tail.length > 0 && r->data[tail.begin] == '/';
        if (used == 0 && !empty) return false;
        tail.begin += used;
        tail.length -= used;
    }
    return tail.length == 0;
}

static mn_status texture_corner(mn_mesh_reader *r, mn_token word, int64_t index)
{
    if (index == NO_TEXTURE || (r->texture_optional && r->texture.count == 0)) return mn_mesh_texture_corner(r, -1);
    const int64_t count = r->texture.count, at = index < 0 ? count + index : index - 1;
    if (at < 0 || at >= count)
        return mn_mesh_error(r, word.begin, "texture coordinate %lld does not exist; %lld were given before",
                             (long long)index, (long long)count);
    return mn_mesh_texture_corner(r, (int32_t)at);
}

mn_status mn_mesh_obj_corner(mn_mesh_reader *r, mn_token word)
{
    int64_t        index, texture;
    const size_t   used  = read_index(r, word, &index);
    const mn_token tail  = { word.begin + used, word.length - used };
    const int      shown = word.length < 40 ? (int)word.length : 40;
    if (used == 0 || !tail_is_well_formed(r, tail, &texture))
        return mn_mesh_error(r, word.begin, "'%.*s' is not a corner; accepted are v, v/vt, v//vn and v/vt/vn", shown,
                             (const char *)r->data + word.begin);
    const int64_t vertex = index < 0 ? r->mesh.vertex_count + index : index - 1;
    if (vertex < 0 || vertex >= r->mesh.vertex_count)
        return mn_mesh_error(r, word.begin, "vertex %lld does not exist; %lld were given before", (long long)index,
                             (long long)r->mesh.vertex_count);
    MN_TRY(mn_mesh_add_corner(r, (int32_t)vertex));
    return r->textured ? texture_corner(r, word, texture) : MN_OK;
}

static mn_status read_face(mn_mesh_reader *r, size_t place)
{
    for (mn_token word = mn_text_word(r); word.length > 0 && r->data[word.begin] != '#'; word = mn_text_word(r))
        MN_TRY(mn_mesh_obj_corner(r, word));
    return mn_mesh_end_face(r, place);
}

mn_status mn_mesh_obj_line(mn_mesh_reader *r, mn_token key)
{
    if (mn_text_is(r, key, "v")) return read_vertex(r, key.begin);
    if (mn_text_is(r, key, "vt")) return read_texture(r);
    return mn_text_is(r, key, "f") ? read_face(r, key.begin) : MN_OK;
}

mn_status mn_mesh_parse_obj(mn_mesh_reader *r)
{
    while (r->at < r->bytes) {
        MN_TRY(mn_mesh_obj_line(r, mn_text_word(r)));
        mn_text_next_line(r);
    }
    return MN_OK;
}
