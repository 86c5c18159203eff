// SPDX-License-Identifier: MPL-2.0
// scene/import/mesh.c - a fabric of an imported scene as OBJ: faces, lines, and points in groups for its pins.
#include "scene/import/import.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct held {
    int     pin;
    int64_t vertex;
} held;

static int compare_held(const void *a, const void *b)
{
    const held *s = a, *t = b;
    if (s->pin != t->pin) return s->pin < t->pin ? -1 : 1;
    return (s->vertex > t->vertex) - (s->vertex < t->vertex);
}

mn_status mn_import_pins(const mn_import *m, int fabric, mn_import_pin **out, int64_t *count)
{
    int64_t n = 0;
    *count    = 0;
    for (int64_t v = 0; v < m->vertex_count; v++)
        n += m->vertex[v].fabric == fabric && mn_import_pin_of(m, &m->vertex[v]) >= 0;
    held    *all    = mn_arena_array(m->arena, held, n);
    int64_t *vertex = mn_arena_array(m->arena, int64_t, n);
    *out            = mn_arena_array(m->arena, mn_import_pin, n);
    if (all == NULL || vertex == NULL || *out == NULL) return MN_ERR_MEMORY;
    n = 0;
    for (int64_t v = 0; v < m->vertex_count; v++) {
        const int pin = m->vertex[v].fabric == fabric ? mn_import_pin_of(m, &m->vertex[v]) : -1;
        if (pin >= 0) all[n++] = (held){ pin, v };
    }
    if (n > 1) qsort(all, (size_t)n, sizeof *all, compare_held);
    for (int64_t k = 0; k < n; k++) {
        vertex[k] = all[k].vertex;
        if (k == 0 || all[k].pin != all[k - 1].pin) (*out)[(*count)++] = (mn_import_pin){ all[k].pin, 0, &vertex[k] };
        (*out)[*count - 1].count++;
    }
    return MN_OK;
}

void mn_import_pin_name(int pin, char name[MN_IMPORT_PIN_BYTES])
{
    snprintf(name, MN_IMPORT_PIN_BYTES, "pin%d%s", pin / 2, pin % 2 == 1 ? "-twist" : "");
}

static void add_group(const mn_import_pin *pin, const int64_t *number, mn_text *t)
{
    char name[MN_IMPORT_PIN_BYTES];
    int  on_line = 0;
    mn_import_pin_name(pin->pin, name);
    mn_text_add(t, "g %s\n", name);
    for (int64_t k = 0; k < pin->count; k++) {
        mn_text_add(t, "%s%lld", on_line == 0 ? "p " : " ", (long long)number[pin->vertex[k]]);
        if (++on_line == 16) mn_text_add(t, "\n"), on_line = 0;
    }
    if (on_line > 0) mn_text_add(t, "\n");
}

void mn_import_write_mesh(const mn_import *m, int fabric, mn_text *t)
{
    int64_t       *number = m->number, next = 1, pin_count;
    mn_import_pin *pin;
    if (mn_import_pins(m, fabric, &pin, &pin_count) != MN_OK) {
        t->failed = true;
        return;
    }
    for (int64_t v = 0; v < m->vertex_count; v++) {
        if (m->vertex[v].fabric != fabric) continue;
        number[v] = next++;
        mn_text_add(t, "v");
        for (int a = 0; a < 3; a++) {
            mn_text_add(t, " ");
            mn_import_add_number(t, m->vertex[v].x[a]);
        }
        mn_text_add(t, "\n");
    }
    for (int64_t f = 0; f < m->face_count; f++) {
        const int *c = m->face[f].vertex;
        if (m->vertex[c[0]].fabric == fabric)
            mn_text_add(t, "f %lld %lld %lld\n", (long long)number[c[0]], (long long)number[c[1]],
                        (long long)number[c[2]]);
    }
    for (int64_t s = 0; s < m->strand_count; s++) {
        const int *vertex = m->strand_vertex + m->strand[s].first;
        if (m->vertex[vertex[0]].fabric != fabric) continue;
        mn_text_add(t, "l");
        for (int64_t k = 0; k < m->strand[s].count; k++) mn_text_add(t, " %lld", (long long)number[vertex[k]]);
        mn_text_add(t, "\n");
    }
    for (int64_t k = 0; k < pin_count; k++) add_group(&pin[k], number, t);
}
