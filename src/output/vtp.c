// SPDX-License-Identifier: MPL-2.0
// output/vtp.c - VTK XML PolyData, header UInt64, little endian: the head is text, the arrays follow as raw bytes.
#include "output/vtp.h"

#include <stdio.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the raw arrays are written as they are in memory, little endian"
#endif

mn_frame_array mn_frame_array_packed(const char *name, mn_type type, int components, const void *values)
{
    mn_frame_array a = { .name = name, .type = type, .components = components, .stride = components };
    for (int k = 0; values != NULL && k < components; k++)
        a.component[k] = (const char *)values + (size_t)k * mn_type_size(type);
    return a;
}

mn_frame_array mn_frame_array_split(const char *name, const double *x, const double *y, const double *z)
{
    return (
        mn_frame_array){ .name = name, .type = MN_TYPE_double, .components = 3, .stride = 1, .component = { x, y, z } };
}

mn_frame_array mn_frame_array_single(const char *name, mn_type type, const void *values)
{
    return (mn_frame_array){ .name = name, .type = type, .components = 1, .stride = 1, .component = { values } };
}

mn_frame_array mn_frame_array_of_field(mn_frame_array array, mn_output_field field)
{
    array.field = 1 + (int)field;
    return array;
}

void mn_xml_text(mn_buffer *out, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&': mn_buffer_text(out, "&amp;"); break;
        case '<': mn_buffer_text(out, "&lt;"); break;
        case '>': mn_buffer_text(out, "&gt;"); break;
        case '"': mn_buffer_text(out, "&quot;"); break;
        default: mn_buffer_add(out, text, 1);
        }
    }
}

// ---- the head ------------------------------------------------------------------------------------------------------

static const char *vtk_type(mn_type type)
{
    switch (type) {
    case MN_TYPE_int32_t: return "Int32";
    case MN_TYPE_int64_t: return "Int64";
    default: return "Float32";
    }
}

static size_t vtk_size(mn_type type) { return type == MN_TYPE_int64_t ? 8 : 4; }

/// The head counts where each array will lie.
typedef struct head {
    mn_buffer *out;
    uint64_t   offset;
} head;

static void declare(head *h, const char *type, const char *name, int components, uint64_t bytes)
{
    mn_buffer_print(h->out, "        <DataArray type=\"%s\" Name=\"", type);
    mn_xml_text(h->out, name);
    mn_buffer_print(h->out, "\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n", components,
                    (unsigned long long)h->offset);
    h->offset += sizeof(uint64_t) + bytes;
}

static void declare_array(head *h, const mn_frame_array *a, const char *name, int64_t count)
{
    declare(h, vtk_type(a->type), name, a->components, (uint64_t)count * (uint64_t)a->components * vtk_size(a->type));
}

static int corners_of(mn_frame_cells kind) { return kind == MN_CELLS_VERTICES ? 1 : kind == MN_CELLS_LINES ? 2 : 3; }

static int64_t cell_count(const mn_frame_part *p)
{
    return p->kind == MN_CELLS_VERTICES && p->cells == NULL ? p->point_count : p->cell_count;
}

static int64_t corner_count(const mn_frame_part *p)
{
    if (p->ends != NULL) return p->cell_count > 0 ? p->ends[p->cell_count - 1] : 0;
    return cell_count(p) * corners_of(p->kind);
}

static void declare_cells(head *h, const mn_frame_part *p)
{
    static const char *const names[] = { "Verts", "Lines", "Polys" };
    const uint64_t           count   = (uint64_t)cell_count(p);
    mn_buffer_print(h->out, "      <%s>\n", names[p->kind]);
    declare(h, "Int32", "connectivity", 1, (uint64_t)corner_count(p) * sizeof(int32_t));
    declare(h, "Int32", "offsets", 1, count * sizeof(int32_t));
    mn_buffer_print(h->out, "      </%s>\n", names[p->kind]);
}

/// What holds for the part as a whole. A text is, to VTK, the codes of its letters and a zero.
static void write_field_data(head *h, const mn_frame_part *p)
{
    mn_buffer_text(h->out, "    <FieldData>\n");
    if (!p->timeless)
        mn_buffer_print(h->out,
                        "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">"
                        "%.17g</DataArray>\n",
                        p->time);
    mn_buffer_text(h->out, "      <Array type=\"String\" Name=\"look\" NumberOfTuples=\"1\" format=\"ascii\">");
    for (const char *letter = mn_look_name(p->look); *letter != '\0'; letter++) mn_buffer_print(h->out, "%d ", *letter);
    mn_buffer_text(h->out, "0</Array>\n    </FieldData>\n");
}

static void write_head(head *h, const mn_frame_part *p)
{
    const long long cells = (long long)cell_count(p);
    mn_buffer_text(h->out,
                   "<?xml version=\"1.0\"?>\n"
                   "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
                   "  <PolyData>\n");
    write_field_data(h, p);
    mn_buffer_print(h->out,
                    "    <Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" NumberOfLines=\"%lld\" "
                    "NumberOfStrips=\"0\" "
                    "NumberOfPolys=\"%lld\">\n      <Points>\n",
                    (long long)p->point_count, p->kind == MN_CELLS_VERTICES ? cells : 0,
                    p->kind == MN_CELLS_LINES ? cells : 0, p->kind == MN_CELLS_TRIANGLES ? cells : 0);
    declare_array(h, &p->points, "Points", p->point_count);
    mn_buffer_text(h->out, "      </Points>\n");
    declare_cells(h, p);
    bool normals = false;
    for (int a = 0; a < p->array_count; a++) normals = normals || strcmp(p->arrays[a].name, "normals") == 0;
    mn_buffer_text(h->out, normals ? "      <PointData Normals=\"normals\">\n" : "      <PointData>\n");
    for (int a = 0; a < p->array_count; a++) declare_array(h, &p->arrays[a], p->arrays[a].name, p->point_count);
    mn_buffer_text(h->out, "      </PointData>\n    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_");
}

// ---- the arrays ----------------------------------------------------------------------------------------------------

static void *add_block(mn_buffer *out, uint64_t bytes)
{
    mn_buffer_add(out, &bytes, sizeof bytes);
    return mn_buffer_extend(out, bytes);
}

// The place of a raw array in the file has any alignment, so values are put there by memcpy.
#define COPY_COMPONENT(source_type, file_type)                                             \
    do {                                                                                   \
        const source_type *from = a->component[k];                                         \
        for (int64_t i = 0; i < count; i++) {                                              \
            const file_type value = (file_type)from[i * a->stride];                        \
            memcpy(to + ((size_t)i * n + (size_t)k) * sizeof value, &value, sizeof value); \
        }                                                                                  \
    } while (0)

static void write_array(mn_buffer *out, const mn_frame_array *a, int64_t count)
{
    const size_t n  = (size_t)a->components;
    char        *to = add_block(out, (uint64_t)count * n * vtk_size(a->type));
    for (int k = 0; to != NULL && k < a->components; k++) {
        switch (a->type) {
        case MN_TYPE_double: COPY_COMPONENT(double, float); break;
        case MN_TYPE_float: COPY_COMPONENT(float, float); break;
        case MN_TYPE_int32_t: COPY_COMPONENT(int32_t, int32_t); break;
        case MN_TYPE_int64_t: COPY_COMPONENT(int64_t, int64_t); break;
        }
    }
}

static void write_cells(mn_buffer *out, const mn_frame_part *p)
{
    const int      corners = corners_of(p->kind);
    const int64_t  count   = cell_count(p);
    const uint64_t bytes   = (uint64_t)corner_count(p) * sizeof(int32_t);
    char          *to      = add_block(out, bytes);
    if (to != NULL && p->cells != NULL && count > 0) memcpy(to, p->cells, bytes);
    for (int32_t i = 0; to != NULL && p->cells == NULL && i < count; i++)
        memcpy(to + (size_t)i * sizeof i, &i, sizeof i);
    to = add_block(out, (uint64_t)count * sizeof(int32_t));
    for (int64_t i = 0; to != NULL && i < count; i++) {
        const int32_t end = p->ends != NULL ? p->ends[i] : (int32_t)((i + 1) * corners);
        memcpy(to + (size_t)i * sizeof end, &end, sizeof end);
    }
}

mn_status mn_vtp_make(const mn_frame_part *p, mn_buffer *out)
{
    MN_ASSERT(p->ends == NULL || p->kind == MN_CELLS_LINES);
    MN_ASSERT(p->points.components == 3 && (p->cells != NULL || p->kind == MN_CELLS_VERTICES || p->cell_count == 0));
    if (p->point_count > INT32_MAX || cell_count(p) > INT32_MAX / 3)
        return mn_fail(out->context, MN_ERR_ARGUMENT,
                       "part %s: %lld points and %lld cells are more than a frame file can number", p->name,
                       (long long)p->point_count, (long long)cell_count(p));
    head h = { .out = out };
    write_head(&h, p);
    mn_buffer_reserve(out, h.offset + 64);
    write_array(out, &p->points, p->point_count);
    write_cells(out, p);
    for (int a = 0; a < p->array_count; a++) write_array(out, &p->arrays[a], p->point_count);
    mn_buffer_text(out, "\n  </AppendedData>\n</VTKFile>\n");
    return mn_buffer_status(out);
}
