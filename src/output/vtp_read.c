// SPDX-License-Identifier: MPL-2.0
// output/vtp_read.c - the head of a frame file is read as XML, then its arrays are copied out of the raw bytes.
#include "output/vtp_read.h"

#include "base/locale.h"
#include "output/folder.h"

#include <errno.h>
#include <expat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The text before the raw bytes is at most this long: some hundred bytes an array.
#define HEAD_MOST ((size_t)1 << 20)

typedef enum section { NOWHERE, POINTS, VERTS, LINES, POLYS, POINT_DATA, OTHER } section;

/// What the head says of one array.
typedef struct declared {
    section  at;
    char     name[64];
    mn_type  type;
    int      components;
    uint64_t offset;
} declared;

/// What stands in the head itself.
typedef struct said {
    char   letters[64];
    size_t length;
} said;

#define DECLARED_MOST (MN_VTP_ARRAYS_MAX + 16)

typedef struct reader {
    mn_context          *context;
    const char          *path;
    const unsigned char *raw;  // the bytes after the underscore
    uint64_t             raw_bytes, used;
    XML_Parser           parser;
    mn_status            status;
    section              at;
    bool                 polydata, piece;
    said                 time, look, *inside;  // of field data, and which of them is being read
    int64_t              points, cells[3];     // as declared: vertices, lines, triangles
    declared             array[DECLARED_MOST];
    int                  count;
    mn_vtp_part         *out;
} reader;

static mn_status damaged(reader *r, const char *what)
{
    if (r->status == MN_OK) r->status = mn_fail(r->context, MN_ERR_FILE, "%s: %s", r->path, what);
    if (r->parser != NULL) XML_StopParser(r->parser, XML_FALSE);
    return r->status;
}

// ---- the head ------------------------------------------------------------------------------------------------------

static const char *attribute(const char **attributes, const char *name)
{
    for (; attributes[0] != NULL; attributes += 2)
        if (strcmp(attributes[0], name) == 0) return attributes[1];
    return NULL;
}

/// A whole number in [0, most].
static bool read_count(const char *text, uint64_t most, uint64_t *out)
{
    if (text == NULL || *text < '0' || *text > '9') return false;
    char *end;
    errno = 0;
    *out  = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && *out <= most;
}

static void begin_file(reader *r, const char **attributes)
{
    const char *type = attribute(attributes, "type"), *order = attribute(attributes, "byte_order"),
               *header = attribute(attributes, "header_type");
    if (type == NULL || strcmp(type, "PolyData") != 0) (void)damaged(r, "not a VTK file of type PolyData");
    else if (order == NULL || strcmp(order, "LittleEndian") != 0)
        (void)damaged(r, "its byte order is not LittleEndian");
    else if (header == NULL || strcmp(header, "UInt64") != 0) (void)damaged(r, "its header type is not UInt64");
    else if (attribute(attributes, "compressor") != NULL)
        (void)damaged(r, "its arrays are compressed, which is not read");
    else r->polydata = true;
}

static void begin_piece(reader *r, const char **attributes)
{
    static const char *const names[] = { "NumberOfVerts", "NumberOfLines", "NumberOfPolys" };
    uint64_t                 number;
    if (r->piece) {
        (void)damaged(r, "it holds more than one piece");
        return;
    }
    r->piece = true;
    if (!read_count(attribute(attributes, "NumberOfPoints"), INT32_MAX, &number)) {
        (void)damaged(r, "its number of points cannot be read");
        return;
    }
    r->points = (int64_t)number;
    for (int k = 0; k < 3; k++) {
        if (!read_count(attribute(attributes, names[k]), INT32_MAX / 3, &number)) {
            (void)damaged(r, "its number of cells cannot be read");
            return;
        }
        r->cells[k] = (int64_t)number;
    }
}

static bool read_type(const char *text, mn_type *out)
{
    static const struct {
        const char *name;
        mn_type     type;
    } types[] = { { "Float32", MN_TYPE_float },
                  { "Float64", MN_TYPE_double },
                  { "Int32", MN_TYPE_int32_t },
                  { "Int64", MN_TYPE_int64_t } };
    for (size_t k = 0; text != NULL && k < sizeof types / sizeof *types; k++) {
        *out = types[k].type;
        if (strcmp(text, types[k].name) == 0) return true;
    }
    return false;
}

/// What a part says of itself as a whole.
static void begin_field(reader *r, const char *name)
{
    if (r->at != OTHER || name == NULL) return;
    if (strcmp(name, "TimeValue") == 0) r->inside = &r->time;
    if (strcmp(name, "look") == 0) r->inside = &r->look;
}

static void begin_array(reader *r, const char **attributes)
{
    const char *name = attribute(attributes, "Name"), *format = attribute(attributes, "format"),
               *parts    = attribute(attributes, "NumberOfComponents");
    declared *d          = &r->array[r->count];
    uint64_t  components = 1;
    if (r->at == NOWHERE || r->at == OTHER) {
        begin_field(r, name);
        return;
    }
    if (r->count == DECLARED_MOST) (void)damaged(r, "it declares more arrays than are read");
    else if (name == NULL || strlen(name) >= sizeof d->name)
        (void)damaged(r, "an array has no name, or one that is too long");
    else if (format == NULL || strcmp(format, "appended") != 0)
        (void)damaged(r, "an array is not among the appended raw data");
    else if (!read_type(attribute(attributes, "type"), &d->type))
        (void)damaged(r, "an array has a type that is not read");
    else if (parts != NULL && (!read_count(parts, 9, &components) || components == 0))
        (void)damaged(r, "an array has components that are not 1 to 9");
    else if (!read_count(attribute(attributes, "offset"), UINT64_MAX, &d->offset))
        (void)damaged(r, "an array has no offset");
    else {
        d->at         = r->at;
        d->components = (int)components;
        strcpy(d->name, name);
        r->count++;
    }
}

static section section_of(const char *name)
{
    static const struct {
        const char *name;
        section     at;
    } sections[] = { { "Points", POINTS },        { "Verts", VERTS },     { "Lines", LINES },    { "Polys", POLYS },
                     { "PointData", POINT_DATA }, { "FieldData", OTHER }, { "CellData", OTHER }, { "Strips", OTHER } };
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++)
        if (strcmp(name, sections[k].name) == 0) return sections[k].at;
    return NOWHERE;
}

static void begin_element(void *user, const XML_Char *name, const XML_Char **attributes)
{
    reader *r = user;
    if (r->status != MN_OK) return;
    if (strcmp(name, "VTKFile") == 0) begin_file(r, attributes);
    else if (strcmp(name, "Piece") == 0) begin_piece(r, attributes);
    else if (strcmp(name, "DataArray") == 0) begin_array(r, attributes);
    else if (strcmp(name, "Array") == 0) begin_field(r, attribute(attributes, "Name"));
    else if (section_of(name) != NOWHERE) r->at = section_of(name);
}

static void end_element(void *user, const XML_Char *name)
{
    reader *r = user;
    r->inside = NULL;
    if (section_of(name) != NOWHERE) r->at = NOWHERE;
}

static void characters(void *user, const XML_Char *letters, int length)
{
    reader *r = user;
    for (int k = 0; r->inside != NULL && k < length && r->inside->length + 1 < sizeof r->inside->letters; k++)
        r->inside->letters[r->inside->length++] = letters[k];
}

/// Our heads declare no document type; one could make a small file large.
static void begin_doctype(void *user, const XML_Char *name, const XML_Char *system, const XML_Char *public_id,
                          int internal)
{
    (void)name, (void)system, (void)public_id, (void)internal;
    (void)damaged(user, "it declares a document type");
}

static mn_status parse_head(reader *r, const unsigned char *data, size_t bytes)
{
    r->parser = XML_ParserCreate(NULL);
    if (r->parser == NULL) return mn_fail_memory(r->context, bytes);
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, begin_element, end_element);
    XML_SetCharacterDataHandler(r->parser, characters);
    XML_SetStartDoctypeDeclHandler(r->parser, begin_doctype);
    const enum XML_Status done = XML_Parse(r->parser, (const char *)data, (int)bytes, 0);
    const enum XML_Error  why  = XML_GetErrorCode(r->parser);
    XML_ParserFree(r->parser);
    r->parser = NULL;
    if (r->status != MN_OK) return r->status;
    if (done != XML_STATUS_OK && why == XML_ERROR_NO_MEMORY) return mn_fail_memory(r->context, bytes);
    if (done != XML_STATUS_OK) return damaged(r, XML_ErrorString(why));
    if (!r->polydata || !r->piece) return damaged(r, "not a frame file: no piece of PolyData is in its head");
    return MN_OK;
}

/// Where the raw bytes begin: after the first underscore behind the tag of the appended data.
static mn_status find_raw(reader *r, const unsigned char *data, size_t bytes, size_t *head)
{
    static const char tag[] = "<AppendedData";
    const size_t      n = sizeof tag - 1, most = bytes < HEAD_MOST ? bytes : HEAD_MOST;
    size_t            at = 0;
    while (at + n <= most && memcmp(data + at, tag, n) != 0) at++;
    if (at + n > most) return damaged(r, "not a frame file, or cut off before its data");
    *head = at;
    while (at < bytes && data[at] != '>') at++;
    while (at < bytes && data[at] != '_') at++;
    if (at >= bytes) return damaged(r, "cut off before its data");
    r->raw       = data + at + 1;
    r->raw_bytes = bytes - at - 1;
    return MN_OK;
}

// ---- the arrays ----------------------------------------------------------------------------------------------------

/// The declared array of a section; NULL if there is none. The empty name is any.
static const declared *find(const reader *r, section at, const char *name)
{
    for (int k = 0; k < r->count; k++)
        if (r->array[k].at == at && (*name == '\0' || strcmp(r->array[k].name, name) == 0)) return &r->array[k];
    return NULL;
}

/// Bytes of an array, inside the raw bytes; NULL with a sentence if they are not there.
static const unsigned char *bytes_of(reader *r, const declared *d, uint64_t *bytes)
{
    char what[160];
    if (d->offset > r->raw_bytes || r->raw_bytes - d->offset < sizeof *bytes) {
        snprintf(what, sizeof what, "cut off before its array '%s'", d->name);
        return (void)damaged(r, what), NULL;
    }
    memcpy(bytes, r->raw + d->offset, sizeof *bytes);
    if (*bytes > r->raw_bytes - d->offset - sizeof *bytes) {
        snprintf(what, sizeof what, "cut off inside its array '%s'", d->name);
        return (void)damaged(r, what), NULL;
    }
    // Arrays that lie upon each other would make a small file fill the memory.
    r->used += *bytes + sizeof *bytes;
    if (r->used > r->raw_bytes) {
        snprintf(what, sizeof what, "its array '%s' lies upon another", d->name);
        return (void)damaged(r, what), NULL;
    }
    return r->raw + d->offset + sizeof *bytes;
}

static void *own_block(reader *r, size_t bytes)
{
    void *block = mn_alloc(r->context, bytes);
    if (block == NULL) r->status = MN_ERR_MEMORY;
    else r->out->block[r->out->block_count++] = block;
    return block;
}

/// A copy of `count` values, which is what the file must hold of them; NULL with the status set.
static void *copy_array(reader *r, const declared *d, uint64_t count)
{
    uint64_t             bytes;
    const unsigned char *from = bytes_of(r, d, &bytes);
    if (from == NULL) return NULL;
    if (bytes != count * (uint64_t)d->components * mn_type_size(d->type)) {
        char what[160];
        snprintf(what, sizeof what, "its array '%s' does not hold a value for each of %llu items", d->name,
                 (unsigned long long)count);
        return (void)damaged(r, what), NULL;
    }
    void *to = own_block(r, bytes);
    if (to != NULL && bytes > 0) memcpy(to, from, bytes);
    return to;
}

static mn_status read_points(reader *r)
{
    const declared *d = find(r, POINTS, "");
    if (d == NULL || d->components != 3 || d->type != MN_TYPE_float)
        return damaged(r, "its points are not declared as three Float32 each");
    const float *values = copy_array(r, d, (uint64_t)r->points);
    if (values == NULL) return r->status;
    for (int64_t i = 0; i < 3 * r->points; i++)
        if (!isfinite(values[i])) return damaged(r, "a point lies at infinity or nowhere");
    r->out->part.points      = mn_frame_array_packed("", MN_TYPE_float, 3, values);
    r->out->part.point_count = r->points;
    return MN_OK;
}

static mn_status check_corners(reader *r, const int32_t *corner, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (corner[i] < 0 || corner[i] >= r->points)
            return damaged(r, "a cell has a corner that is none of its points");
    return MN_OK;
}

/// Polylines may have any length from two points on; other cells have `corners` each.
static mn_status check_ends(reader *r, const int32_t *end, int64_t count, int corners, bool lines)
{
    int64_t before = 0;
    for (int64_t i = 0; i < count; before = end[i++])
        if (lines ? end[i] < before + 2 : end[i] != before + corners)
            return damaged(r, "its cells do not have the corners that their kind has");
    return MN_OK;
}

static bool counts_up(const int32_t *corner, int64_t count)
{
    int64_t i = 0;
    while (i < count && corner[i] == i) i++;
    return i == count;
}

static mn_status read_cells(reader *r)
{
    static const section at[] = { VERTS, LINES, POLYS };
    mn_frame_part       *p    = &r->out->part;
    int                  kind = -1;
    for (int k = 0; k < 3; k++) {
        const bool declared_here = find(r, at[k], "") != NULL;
        if (r->cells[k] > 0 && !declared_here) return damaged(r, "it counts cells that it does not declare");
        if (declared_here && kind >= 0) return damaged(r, "it holds more than one kind of cells");
        if (declared_here) kind = k;
    }
    if (kind < 0) return damaged(r, "it declares no cells");
    const declared *corners = find(r, at[kind], "connectivity"), *ends = find(r, at[kind], "offsets");
    if (corners == NULL || ends == NULL || corners->type != MN_TYPE_int32_t || ends->type != MN_TYPE_int32_t ||
        corners->components != 1 || ends->components != 1)
        return damaged(r, "its cells are not declared as Int32");
    const int64_t  count = r->cells[kind];
    const int32_t *end   = copy_array(r, ends, (uint64_t)count);
    if (end == NULL) return r->status;
    MN_TRY(check_ends(r, end, count, kind + 1, kind == MN_CELLS_LINES));
    const int64_t  total  = count > 0 ? end[count - 1] : 0;
    const int32_t *corner = copy_array(r, corners, (uint64_t)total);
    if (corner == NULL) return r->status;
    MN_TRY(check_corners(r, corner, total));
    p->kind       = (mn_frame_cells)kind;
    p->cell_count = count;
    p->ends       = kind == MN_CELLS_LINES ? end : NULL;
    p->cells      = kind == MN_CELLS_VERTICES && count == r->points && counts_up(corner, total) ? NULL : corner;
    return MN_OK;
}

static mn_status read_values(reader *r)
{
    mn_vtp_part *out = r->out;
    int          n   = 0;
    for (int k = 0; k < r->count; k++) {
        const declared *d = &r->array[k];
        if (d->at != POINT_DATA) continue;
        if (n == MN_VTP_ARRAYS_MAX) return damaged(r, "it declares more arrays than are read");
        const void *values = copy_array(r, d, (uint64_t)r->points);
        if (values == NULL) return r->status;
        strcpy(out->array_name[n], d->name);
        out->arrays[n] = mn_frame_array_packed(out->array_name[n], d->type, d->components, values);
        n++;
    }
    out->part.arrays      = out->arrays;
    out->part.array_count = n;
    return MN_OK;
}

static mn_status read_time(reader *r)
{
    r->out->part.timeless = r->time.length == 0;
    if (r->out->part.timeless) return MN_OK;
    char                 *end;
    const mn_plain_locale plain = mn_plain_locale_begin();
    r->out->part.time           = strtod(r->time.letters, &end);
    mn_plain_locale_end(plain);
    return end != r->time.letters && isfinite(r->out->part.time) ? MN_OK : damaged(r, "its time cannot be read");
}

/// The look of files from before it was written into them: it followed from the name of the part, and of others from
/// their cells. The table is for those files alone and does not grow.
static mn_look look_of_older(const mn_frame_part *p)
{
    static const struct {
        const char *name;
        mn_look     look;
    } older[] = { { "surface", MN_LOOK_LIQUID }, { "particles", MN_LOOK_SPRAY }, { "cloth", MN_LOOK_CLOTH },
                  { "yarn", MN_LOOK_FIBRE },     { "tubes", MN_LOOK_FIBRE },     { "stains", MN_LOOK_STAIN } };
    for (size_t k = 0; k < sizeof older / sizeof *older; k++)
        if (strcmp(p->name, older[k].name) == 0) return older[k].look;
    return p->kind == MN_CELLS_LINES ? MN_LOOK_FIBRE : p->kind == MN_CELLS_VERTICES ? MN_LOOK_SPRAY : MN_LOOK_SOLID;
}

/// The codes of its letters, and a zero.
static mn_status read_look(reader *r)
{
    mn_frame_part *p  = &r->out->part;
    const char    *at = r->look.letters;
    char           name[sizeof r->look.letters];
    size_t         length = 0;
    if (r->look.length == 0) {
        p->look = look_of_older(p);
        return MN_OK;
    }
    for (char *end; length + 1 < sizeof name; at = end) {
        const long code = strtol(at, &end, 10);
        if (end == at || code <= 0 || code > 127) break;
        name[length++] = (char)code;
    }
    name[length] = '\0';
    return mn_look_find(name, &p->look) ? MN_OK : damaged(r, "its look is none that this version knows");
}

/// What follows the raw bytes; without it the file was cut off between them and its end.
static mn_status check_tail(reader *r)
{
    static const char tail[] = "</VTKFile>";
    const size_t      n      = sizeof tail - 1;
    uint64_t          length = r->raw_bytes;
    while (length > 0 && (r->raw[length - 1] == '\n' || r->raw[length - 1] == '\r' || r->raw[length - 1] == ' '))
        length--;
    return length >= n && memcmp(r->raw + length - n, tail, n) == 0 ? MN_OK : damaged(r, "cut off before its end");
}

// ---- the whole -----------------------------------------------------------------------------------------------------

static void name_part(mn_vtp_part *out, const char *path)
{
    const char *slash = strrchr(path, '/');
    snprintf(out->name, sizeof out->name, "%s", slash == NULL ? path : slash + 1);
    out->name[strcspn(out->name, ".")] = '\0';
    out->part.name                     = out->name;
}

static mn_status parse_all(reader *r, const unsigned char *data, size_t bytes)
{
    size_t head = 0;
    MN_TRY(find_raw(r, data, bytes, &head));
    MN_TRY(parse_head(r, data, head));
    MN_TRY(check_tail(r));
    MN_TRY(read_time(r));
    MN_TRY(read_points(r));
    MN_TRY(read_cells(r));
    MN_TRY(read_look(r));
    return read_values(r);
}

mn_status mn_vtp_parse(mn_context *c, const char *path, const unsigned char *data, size_t bytes, mn_vtp_part **out)
{
    *out      = NULL;
    reader *r = mn_alloc(c, sizeof *r);
    if (r == NULL) return MN_ERR_MEMORY;
    r->context = c;
    r->path    = path;
    r->out     = mn_alloc(c, sizeof *r->out);
    if (r->out == NULL) {
        mn_free(c, r);
        return MN_ERR_MEMORY;
    }
    name_part(r->out, path);
    const mn_status status = parse_all(r, data, bytes);
    if (status == MN_OK) *out = r->out;
    else mn_vtp_part_destroy(c, &r->out);
    mn_free(c, r);
    return status;
}

mn_status mn_vtp_read(mn_context *c, const char *path, mn_vtp_part **out)
{
    unsigned char *data;
    size_t         bytes;
    *out = NULL;
    MN_TRY(mn_file_read(c, path, &mn_frame_file, &data, &bytes));
    const mn_status status = mn_vtp_parse(c, path, data, bytes, out);
    mn_free(c, data);
    return status;
}

void mn_vtp_part_destroy(mn_context *c, mn_vtp_part **part)
{
    mn_vtp_part *p = *part;
    if (p == NULL) return;
    for (int k = 0; k < p->block_count; k++) mn_free(c, p->block[k]);
    mn_free(c, p);
    *part = NULL;
}

const mn_frame_array *mn_frame_array_find(const mn_frame_part *part, const char *name)
{
    for (int k = 0; k < part->array_count; k++)
        if (strcmp(part->arrays[k].name, name) == 0) return &part->arrays[k];
    return NULL;
}

double mn_frame_array_value(const mn_frame_array *a, int64_t i, int k)
{
    const int64_t at = i * a->stride;
    switch (a->type) {
    case MN_TYPE_float: return (double)((const float *)a->component[k])[at];
    case MN_TYPE_int32_t: return (double)((const int32_t *)a->component[k])[at];
    case MN_TYPE_int64_t: return (double)((const int64_t *)a->component[k])[at];
    default: return ((const double *)a->component[k])[at];
    }
}
