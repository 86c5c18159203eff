// SPDX-License-Identifier: MPL-2.0
// export/ply.c - Stanford PLY, binary: a row of values a point, then the faces or edges.
#include "export/formats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum column_type { COLUMN_FLOAT, COLUMN_INT, COLUMN_DOUBLE, COLUMN_BYTE } column_type;

/// One value of every point.
typedef struct column {
    const mn_frame_array *array;
    int                   component;
    column_type           type;
    char                  name[80];
} column;

#define COLUMNS_MAX (3 + 9 * MN_VTP_ARRAYS_MAX)

typedef struct table {
    column column[COLUMNS_MAX];
    int    count;
    size_t row_bytes;
} table;

static const char *const type_names[] = { "float", "int", "double", "uchar" };
static const size_t      type_bytes[] = { 4, 4, 8, 1 };

static column_type type_of(mn_type type)
{
    return type == MN_TYPE_int32_t ? COLUMN_INT : type == MN_TYPE_int64_t ? COLUMN_DOUBLE : COLUMN_FLOAT;
}

static void add_column(table *t, const mn_frame_array *a, int component, column_type type, const char *name)
{
    if (t->count == COLUMNS_MAX) return;
    column *c = &t->column[t->count++];
    *c        = (column){ .array = a, .component = component, .type = type };
    // A property is one word.
    snprintf(c->name, sizeof c->name, "%s", name);
    for (char *letter = c->name; *letter != '\0'; letter++)
        if (*letter == ' ' || *letter == '\t' || *letter == '\n' || *letter == '\r') *letter = '_';
    t->row_bytes += type_bytes[type];
}

static void add_vector(table *t, const mn_frame_array *a, column_type type, const char *const names[3])
{
    for (int k = 0; k < 3; k++) add_column(t, a, k, type, names[k]);
}

static void add_array(table *t, const mn_frame_array *a)
{
    static const char *const normals[] = { "nx", "ny", "nz" }, *const velocity[] = { "vx", "vy", "vz" },
                             *const color[] = { "red", "green", "blue" };
    if (a->components == 3 && strcmp(a->name, "normals") == 0) add_vector(t, a, COLUMN_FLOAT, normals);
    else if (a->components == 3 && strcmp(a->name, "velocity") == 0) add_vector(t, a, COLUMN_FLOAT, velocity);
    else if (a->components == 3 && strcmp(a->name, "color") == 0) add_vector(t, a, COLUMN_BYTE, color);
    else if (a->components == 1) add_column(t, a, 0, type_of(a->type), a->name);
    else
        for (int k = 0; k < a->components; k++) {
            char name[96];
            snprintf(name, sizeof name, "%.70s_%d", a->name, k);
            add_column(t, a, k, type_of(a->type), name);
        }
}

static table plan(const mn_frame_part *p)
{
    static const char *const xyz[] = { "x", "y", "z" };
    table                    t     = { .count = 0 };
    add_vector(&t, &p->points, COLUMN_FLOAT, xyz);
    for (int a = 0; a < p->array_count; a++) add_array(&t, &p->arrays[a]);
    return t;
}

static unsigned char byte_of(double value) { return (unsigned char)(255.0 * fmin(fmax(value, 0.0), 1.0) + 0.5); }

static unsigned char *put(unsigned char *to, const column *c, int64_t i)
{
    const double value = mn_frame_array_value(c->array, i, c->component);
    switch (c->type) {
    case COLUMN_FLOAT: {
        const float x = (float)value;
        memcpy(to, &x, 4);
        break;
    }
    case COLUMN_INT: {
        const int32_t x = (int32_t)value;
        memcpy(to, &x, 4);
        break;
    }
    case COLUMN_DOUBLE: memcpy(to, &value, 8); break;
    case COLUMN_BYTE: *to = byte_of(value); break;
    }
    return to + type_bytes[c->type];
}

static void write_head(mn_buffer *out, const mn_frame_part *p, const table *t, int64_t edges)
{
    mn_buffer_print(out,
                    "ply\nformat binary_little_endian 1.0\ncomment lengths in cm, time %.9g s\nelement vertex %lld\n",
                    p->timeless ? 0.0 : p->time, (long long)p->point_count);
    for (int k = 0; k < t->count; k++)
        mn_buffer_print(out, "property %s %s\n", type_names[t->column[k].type], t->column[k].name);
    if (p->kind == MN_CELLS_TRIANGLES)
        mn_buffer_print(out, "element face %lld\nproperty list uchar int vertex_indices\n", (long long)p->cell_count);
    if (p->kind == MN_CELLS_LINES)
        mn_buffer_print(out, "element edge %lld\nproperty int vertex1\nproperty int vertex2\n", (long long)edges);
    mn_buffer_text(out, "end_header\n");
}

static void write_faces(mn_buffer *out, const mn_frame_part *p)
{
    unsigned char *to = mn_buffer_extend(out, (size_t)p->cell_count * 13);
    for (int64_t f = 0; to != NULL && f < p->cell_count; f++, to += 13) {
        to[0] = 3;
        memcpy(to + 1, p->cells + 3 * f, 12);
    }
}

mn_status mn_ply_make(const mn_frame_part *p, mn_buffer *out)
{
    const table t     = plan(p);
    int32_t    *edges = NULL;
    int64_t     count = 0;
    MN_TRY(mn_part_edges(out->context, p, &edges, &count));
    write_head(out, p, &t, count);
    unsigned char *to = mn_buffer_extend(out, (size_t)p->point_count * t.row_bytes);
    for (int64_t i = 0; to != NULL && i < p->point_count; i++)
        for (int k = 0; k < t.count; k++) to = put(to, &t.column[k], i);
    if (p->kind == MN_CELLS_TRIANGLES) write_faces(out, p);
    if (edges != NULL) mn_buffer_add(out, edges, (size_t)count * 8);
    mn_free(out->context, edges);
    return mn_buffer_status(out);
}
