// SPDX-License-Identifier: MPL-2.0
// geom/mesh_ply.c - PLY, as text and binary of either byte order. Elements other than vertex and face are passed over.
#include "geom/mesh_reader.h"

#include <string.h>

/// More than any program writes; a header beyond it is refused rather than stored.
#define MAX_PROPERTIES 256
#define MAX_ELEMENTS   64

typedef enum value_type { INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT32, FLOAT64, TYPE_COUNT } value_type;

static const struct {
    const char *name, *other_name;
    size_t      bytes;
    double      low, high;
} types[TYPE_COUNT] = {
    [INT8]    = { "char", "int8", 1, -128.0, 127.0 },
    [UINT8]   = { "uchar", "uint8", 1, 0.0, 255.0 },
    [INT16]   = { "short", "int16", 2, -32768.0, 32767.0 },
    [UINT16]  = { "ushort", "uint16", 2, 0.0, 65535.0 },
    [INT32]   = { "int", "int32", 4, -2147483648.0, 2147483647.0 },
    [UINT32]  = { "uint", "uint32", 4, 0.0, 4294967295.0 },
    [FLOAT32] = { "float", "float32", 4, 0.0, 0.0 },
    [FLOAT64] = { "double", "float64", 8, 0.0, 0.0 },
};

/// What a value of an element is used for.
typedef enum meaning { NOTHING, COORDINATE_X, COORDINATE_Y, COORDINATE_Z, TEXTURE_U, TEXTURE_V, CORNERS } meaning;

typedef struct property {
    value_type type, count_type;
    bool       list;
    meaning    meaning;
} property;

typedef struct element {
    uint64_t count;
    int      first, last;  // properties [first, last)
    size_t   place;
    bool     is_vertex, is_face;
} element;

typedef struct header {
    enum { TEXT, LITTLE, BIG } format;
    element  elements[MAX_ELEMENTS];
    int      element_count;
    property properties[MAX_PROPERTIES];
    int      property_count;
    bool     textured;  // the vertices have texture coordinates, and they are wanted
} header;

static bool is_integer(value_type t) { return t != FLOAT32 && t != FLOAT64; }

static mn_status bad_word(const mn_mesh_reader *r, mn_token word, const char *expected)
{
    if (word.length == 0) return mn_mesh_error(r, word.begin, "%s is missing", expected);
    return mn_mesh_error(r, word.begin, "'%.*s' found where %s is expected", word.length < 40 ? (int)word.length : 40,
                         (const char *)r->data + word.begin, expected);
}

static mn_status read_type(mn_mesh_reader *r, mn_token word, value_type *out)
{
    for (int t = 0; t < TYPE_COUNT; t++)
        if (mn_text_is(r, word, types[t].name) || mn_text_is(r, word, types[t].other_name)) {
            *out = (value_type)t;
            return MN_OK;
        }
    return bad_word(r, word, "a type (char, uchar, short, ushort, int, uint, float or double)");
}

static mn_status read_format(mn_mesh_reader *r, header *h)
{
    const mn_token word = mn_text_word(r), version = mn_text_word(r);
    if (mn_text_is(r, word, "ascii")) h->format = TEXT;
    else if (mn_text_is(r, word, "binary_little_endian")) h->format = LITTLE;
    else if (mn_text_is(r, word, "binary_big_endian")) h->format = BIG;
    else return bad_word(r, word, "ascii, binary_little_endian or binary_big_endian");
    return mn_text_is(r, version, "1.0") ? MN_OK : bad_word(r, version, "the version 1.0");
}

static mn_status read_element(mn_mesh_reader *r, header *h, size_t place)
{
    if (h->element_count == MAX_ELEMENTS)
        return mn_mesh_error(r, place, "more than %d elements are declared", MAX_ELEMENTS);
    const mn_token name = mn_text_word(r), count = mn_text_word(r);
    double         n = 0.0;
    if (name.length == 0) return bad_word(r, name, "the name of an element");
    MN_TRY(mn_text_number(r, count, &n));
    if (!(n >= 0.0 && n <= 9007199254740992.0) || n != floor(n)) return bad_word(r, count, "a count");
    h->elements[h->element_count++] = (element){ .count     = (uint64_t)n,
                                                 .first     = h->property_count,
                                                 .last      = h->property_count,
                                                 .place     = place,
                                                 .is_vertex = mn_text_is(r, name, "vertex"),
                                                 .is_face   = mn_text_is(r, name, "face") };
    return MN_OK;
}

static meaning meaning_of(const mn_mesh_reader *r, const element *e, const property *p, mn_token name)
{
    if (e->is_vertex && !p->list) {
        if (mn_text_is(r, name, "x")) return COORDINATE_X;
        if (mn_text_is(r, name, "y")) return COORDINATE_Y;
        if (mn_text_is(r, name, "z")) return COORDINATE_Z;
        if (r->textured && (mn_text_is(r, name, "s") || mn_text_is(r, name, "u") || mn_text_is(r, name, "texture_u")))
            return TEXTURE_U;
        if (r->textured && (mn_text_is(r, name, "t") || mn_text_is(r, name, "v") || mn_text_is(r, name, "texture_v")))
            return TEXTURE_V;
    }
    if (e->is_face && p->list && (mn_text_is(r, name, "vertex_indices") || mn_text_is(r, name, "vertex_index")))
        return CORNERS;
    return NOTHING;
}

static mn_status read_property(mn_mesh_reader *r, header *h, size_t place)
{
    if (h->element_count == 0) return mn_mesh_error(r, place, "a property stands before the first element");
    if (h->property_count == MAX_PROPERTIES)
        return mn_mesh_error(r, place, "more than %d properties are declared", MAX_PROPERTIES);
    element *e    = &h->elements[h->element_count - 1];
    property p    = { 0 };
    mn_token word = mn_text_word(r);
    if (mn_text_is(r, word, "list")) {
        p.list = true;
        word   = mn_text_word(r);
        MN_TRY(read_type(r, word, &p.count_type));
        if (!is_integer(p.count_type))
            return mn_mesh_error(r, word.begin, "the length of a list must have an integer type");
        word = mn_text_word(r);
    }
    MN_TRY(read_type(r, word, &p.type));
    const mn_token name = mn_text_word(r);
    if (name.length == 0) return bad_word(r, name, "the name of a property");
    p.meaning = meaning_of(r, e, &p, name);
    if (p.meaning == CORNERS && !is_integer(p.type))
        return mn_mesh_error(r, word.begin, "vertex indices must have an integer type");
    for (int k = e->first; k < e->last; k++)
        if (p.meaning != NOTHING && h->properties[k].meaning == p.meaning)
            return mn_mesh_error(r, name.begin, "the property '%.*s' is declared twice",
                                 name.length < 40 ? (int)name.length : 40, (const char *)r->data + name.begin);
    h->properties[h->property_count++] = p;
    e->last                            = h->property_count;
    return MN_OK;
}

static mn_status check_header(const mn_mesh_reader *r, header *h)
{
    int vertices = 0, faces = 0, texture = 0;
    for (int k = 0; k < h->element_count; k++) {
        const element *e   = &h->elements[k];
        int            use = 0;
        for (int q = e->first; q < e->last; q++) {
            const bool is_texture = h->properties[q].meaning == TEXTURE_U || h->properties[q].meaning == TEXTURE_V;
            use += h->properties[q].meaning != NOTHING && !is_texture;
            texture += is_texture;
        }
        if (e->first == e->last && e->count > 0) return mn_mesh_error(r, e->place, "the element has no properties");
        if (e->is_vertex && use != 3)
            return mn_mesh_error(r, e->place, "the element vertex needs the properties x, y and z");
        if (e->is_face && use != 1) return mn_mesh_error(r, e->place, "the element face needs the list vertex_indices");
        if (e->is_face && vertices == 0)
            return mn_mesh_error(r, e->place, "the element face stands before the element vertex");
        vertices += e->is_vertex;
        faces += e->is_face;
        if (vertices > 1 || faces > 1) return mn_mesh_error(r, e->place, "the element is declared twice");
    }
    if (vertices == 0 || faces == 0)
        return mn_mesh_error(r, r->at, "the header must declare the elements vertex and face");
    h->textured = texture == 2;
    return MN_OK;
}

static mn_status read_header(mn_mesh_reader *r, header *h)
{
    const mn_token magic     = mn_text_word(r);
    bool           formatted = false;
    if (!mn_text_is(r, magic, "ply")) return bad_word(r, magic, "'ply'");
    for (;;) {
        mn_text_next_line(r);
        if (r->at >= r->bytes) return mn_mesh_error(r, r->bytes, "the file ends before 'end_header'");
        const mn_token key = mn_text_word(r);
        if (mn_text_is(r, key, "end_header")) break;
        if (mn_text_is(r, key, "format")) {
            MN_TRY(read_format(r, h));
            formatted = true;
        } else if (mn_text_is(r, key, "element")) {
            MN_TRY(read_element(r, h, key.begin));
        } else if (mn_text_is(r, key, "property")) {
            MN_TRY(read_property(r, h, key.begin));
        } else if (key.length > 0 && !mn_text_is(r, key, "comment") && !mn_text_is(r, key, "obj_info")) {
            return bad_word(r, key, "format, element, property, comment or end_header");
        }
    }
    if (!formatted) return mn_mesh_error(r, 0, "the header has no line 'format'");
    mn_text_next_line(r);
    return check_header(r, h);
}

/// One binary value of either byte order.
static double decode(const unsigned char *b, value_type type, bool big)
{
    const size_t n    = types[type].bytes;
    uint64_t     bits = 0;
    for (size_t k = 0; k < n; k++) bits |= (uint64_t)b[big ? n - 1 - k : k] << (8 * k);
    if (type == FLOAT64) {
        double d;
        memcpy(&d, &bits, sizeof d);
        return d;
    }
    if (type == FLOAT32) {
        const uint32_t low = (uint32_t)bits;
        float          f;
        memcpy(&f, &low, sizeof f);
        return (double)f;
    }
    const double unsigned_value = (double)bits, range = types[type].high - types[type].low + 1.0;
    return unsigned_value > types[type].high ? unsigned_value - range : unsigned_value;
}

static mn_status read_value(mn_mesh_reader *r, const header *h, value_type type, double *out)
{
    if (h->format == TEXT) {
        const mn_token word = mn_text_word_anywhere(r);
        if (word.length == 0) return mn_mesh_error(r, word.begin, "the file ends before its last value");
        MN_TRY(mn_text_number(r, word, out));
        if (is_integer(type) && (*out != floor(*out) || *out < types[type].low || *out > types[type].high))
            return bad_word(r, word, types[type].name);
        return MN_OK;
    }
    if (r->bytes - r->at < types[type].bytes) return mn_mesh_error(r, r->at, "the file ends before its last value");
    *out = decode(r->data + r->at, type, h->format == BIG);
    r->at += types[type].bytes;
    return MN_OK;
}

/// Where the next value stands, for errors.
static size_t value_place(const mn_mesh_reader *r, const header *h)
{
    if (h->format != TEXT) return r->at;
    mn_mesh_reader look = *r;
    return mn_text_word_anywhere(&look).begin;
}

static mn_status read_list(mn_mesh_reader *r, const header *h, const property *p, int64_t vertices)
{
    const size_t place = value_place(r, h);
    double       n, value;
    MN_TRY(read_value(r, h, p->count_type, &n));
    if (n < 0.0) return mn_mesh_error(r, place, "the length of a list is %g; it must be 0 or more", n);
    for (uint64_t k = 0; k < (uint64_t)n; k++) {
        const size_t at = p->meaning == CORNERS ? value_place(r, h) : 0;
        MN_TRY(read_value(r, h, p->type, &value));
        if (p->meaning != CORNERS) continue;
        if (value < 0.0 || value >= (double)vertices)
            return mn_mesh_error(r, at, "vertex %.0f does not exist; the file has %lld (counted from 0)", value,
                                 (long long)vertices);
        MN_TRY(mn_mesh_add_corner(r, (int32_t)value));
        if (r->textured) MN_TRY(mn_mesh_texture_corner(r, h->textured ? (int32_t)value : -1));
    }
    return MN_OK;
}

static mn_status add_texture(mn_mesh_reader *r, size_t place, const double at[2])
{
    mn_mesh_texture *t = &r->texture;
    if (!(isfinite(at[0]) && isfinite(at[1])))
        return mn_mesh_error(r, place, "a texture coordinate of the vertex is not finite");
    MN_TRY(mn_array_reserve(r->context, &t->at, &r->texture_capacity, t->count + 1, sizeof *t->at));
    memcpy(t->at[t->count++], at, 2 * sizeof *at);
    return MN_OK;
}

static mn_status read_item(mn_mesh_reader *r, const header *h, const element *e)
{
    const size_t place = value_place(r, h);
    double       x[5]  = { 0.0, 0.0, 0.0, 0.0, 0.0 }, value;  // coordinates, then those of the texture
    for (int q = e->first; q < e->last; q++) {
        const property *p = &h->properties[q];
        if (p->list) {
            MN_TRY(read_list(r, h, p, r->mesh.vertex_count));
            continue;
        }
        MN_TRY(read_value(r, h, p->type, &value));
        if (p->meaning != NOTHING) x[p->meaning - COORDINATE_X] = value;
    }
    if (e->is_vertex && h->textured) MN_TRY(add_texture(r, place, x + 3));
    if (e->is_vertex) return mn_mesh_add_vertex(r, place, x);
    return e->is_face ? mn_mesh_end_face(r, place) : MN_OK;
}

static mn_status read_body(mn_mesh_reader *r, const header *h)
{
    r->binary = h->format != TEXT;
    for (int k = 0; k < h->element_count; k++)
        for (uint64_t item = 0; item < h->elements[k].count; item++) MN_TRY(read_item(r, h, &h->elements[k]));
    return MN_OK;
}

mn_status mn_mesh_parse_ply(mn_mesh_reader *r)
{
    header *h = mn_alloc(r->context, sizeof *h);
    if (h == NULL) return MN_ERR_MEMORY;
    mn_status status = read_header(r, h);
    if (status == MN_OK) status = read_body(r, h);
    mn_free(r->context, h);
    return status;
}
