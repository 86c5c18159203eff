// SPDX-License-Identifier: MPL-2.0
// export/obj.c - Wavefront OBJ: a line of text a point, then the faces, lines or points by number from 1.
#include "export/formats.h"
#include "export/number.h"

#include <string.h>

/// Words of a line of text, gathered and handed over in pieces.
typedef struct lines {
    mn_buffer *out;
    char       text[1 << 14];
    char      *end;
} lines;

static void flush(lines *l)
{
    mn_buffer_add(l->out, l->text, (size_t)(l->end - l->text));
    l->end = l->text;
}

static void begin(lines *l, const char *word)
{
    if (l->end - l->text > (int)sizeof l->text - 8 * MN_NUMBER_BYTES) flush(l);
    const size_t n = strlen(word);
    memcpy(l->end, word, n);
    l->end += n;
}

static void add_values(lines *l, const mn_frame_array *a, int64_t i)
{
    for (int k = 0; k < 3; k++) {
        *l->end++ = ' ';
        l->end    = mn_write_float(l->end, (float)mn_frame_array_value(a, i, k));
    }
}

/// " 7" or " 7//7"
static void add_corner(lines *l, int32_t point, bool normals)
{
    if (l->end - l->text > (int)sizeof l->text - 4 * MN_NUMBER_BYTES) flush(l);
    *l->end++ = ' ';
    l->end    = mn_write_whole(l->end, (int64_t)point + 1);
    if (!normals) return;
    *l->end++ = '/';
    *l->end++ = '/';
    l->end    = mn_write_whole(l->end, (int64_t)point + 1);
}

static void add_cells(lines *l, const mn_frame_part *p, bool normals)
{
    static const char *const words[] = { "p", "l", "f" };
    const int                corners = p->kind == MN_CELLS_VERTICES ? 1 : p->kind == MN_CELLS_LINES ? 2 : 3;
    const int64_t            count = p->kind == MN_CELLS_VERTICES && p->cells == NULL ? p->point_count : p->cell_count;
    for (int64_t cell = 0, at = 0; cell < count; cell++) {
        const int64_t end = p->ends != NULL ? p->ends[cell] : at + corners;
        begin(l, words[p->kind]);
        for (; at < end; at++)
            add_corner(l, p->cells != NULL ? p->cells[at] : (int32_t)at, normals && p->kind == MN_CELLS_TRIANGLES);
        *l->end++ = '\n';
    }
}

mn_status mn_obj_make(const mn_frame_part *p, mn_buffer *out)
{
    const mn_frame_array *normals = mn_frame_array_find(p, "normals"), *color = mn_frame_array_find(p, "color");
    if (normals != NULL && normals->components != 3) normals = NULL;
    if (color != NULL && color->components != 3) color = NULL;
    lines l = { .out = out };
    l.end   = l.text;
    mn_buffer_print(out, "# lengths in cm, time %.9g s\no %s\n", p->timeless ? 0.0 : p->time, p->name);
    for (int64_t i = 0; i < p->point_count; i++) {
        begin(&l, "v");
        add_values(&l, &p->points, i);
        if (color != NULL) add_values(&l, color, i);
        *l.end++ = '\n';
    }
    for (int64_t i = 0; normals != NULL && i < p->point_count; i++) {
        begin(&l, "vn");
        add_values(&l, normals, i);
        *l.end++ = '\n';
    }
    add_cells(&l, p, normals != NULL);
    flush(&l);
    return mn_buffer_status(out);
}
