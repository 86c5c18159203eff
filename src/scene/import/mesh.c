// SPDX-License-Identifier: MPL-2.0
// scene/import/mesh.c - a fabric of an imported scene as OBJ: faces, lines, and points in groups for its pins.
#include "scene/import/import.h"

#include <stdio.h>
#include <stdlib.h>

static int compare_whole(const void *a, const void *b)
{
    const int s = *(const int *)a, t = *(const int *)b;
    return (s > t) - (s < t);
}

int *mn_import_pins(const mn_import *m, int fabric)
{
    int64_t count = 0;
    for (int64_t v = 0; v < m->vertex_count; v++)
        count += m->vertex[v].fabric == fabric && mn_import_pin_of(m, &m->vertex[v]) >= 0;
    int *pin = mn_arena_array(m->arena, int, count + 1);
    if (pin == NULL) return NULL;
    count = 0;
    for (int64_t v = 0; v < m->vertex_count; v++)
        if (m->vertex[v].fabric == fabric && mn_import_pin_of(m, &m->vertex[v]) >= 0)
            pin[count++] = mn_import_pin_of(m, &m->vertex[v]);
    qsort(pin, (size_t)count, sizeof *pin, compare_whole);
    int64_t distinct = 0;
    for (int64_t k = 0; k < count; k++)
        if (k == 0 || pin[k] != pin[distinct - 1]) pin[distinct++] = pin[k];
    pin[distinct] = -1;
    return pin;
}

void mn_import_pin_name(int pin, char name[MN_IMPORT_PIN_BYTES])
{
    snprintf(name, MN_IMPORT_PIN_BYTES, "pin%d%s", pin / 2, pin % 2 == 1 ? "-twist" : "");
}

static void add_group(const mn_import *m, int fabric, int pin, const int64_t *number, mn_text *t)
{
    char name[MN_IMPORT_PIN_BYTES];
    int  on_line = 0;
    mn_import_pin_name(pin, name);
    mn_text_add(t, "g %s\n", name);
    for (int64_t v = 0; v < m->vertex_count; v++) {
        if (m->vertex[v].fabric != fabric || mn_import_pin_of(m, &m->vertex[v]) != pin) continue;
        mn_text_add(t, "%s%lld", on_line == 0 ? "p " : " ", (long long)number[v]);
        if (++on_line == 16) mn_text_add(t, "\n"), on_line = 0;
    }
    if (on_line > 0) mn_text_add(t, "\n");
}

void mn_import_write_mesh(const mn_import *m, int fabric, mn_text *t)
{
    int64_t *number = mn_arena_array(m->arena, int64_t, m->vertex_count), next = 1;
    int     *pin = mn_import_pins(m, fabric);
    if (number == NULL || pin == NULL) {
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
    for (int k = 0; pin[k] >= 0; k++) add_group(m, fabric, pin[k], number, t);
}
