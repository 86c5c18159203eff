// SPDX-License-Identifier: MPL-2.0
// export/page_part.c - which numbers of a part a page has, and how they lie in a block.
#include "export/page_part.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool mn_page_lists(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *word = list; word != NULL; word = strchr(word, ',')) {
        word += *word == ',';
        if (strcspn(word, ",") == length && strncmp(word, name, length) == 0) return true;
    }
    return list == NULL;
}

static void add_column(mn_page_part *p, const char *name, const char *array, int component, bool is_field)
{
    mn_page_column *c = &p->column[p->column_count++];
    *c                = (mn_page_column){ .component = component, .is_field = is_field };
    snprintf(c->name, sizeof c->name, "%s", name);
    snprintf(c->array, sizeof c->array, "%s", array);
}

static void add_components(mn_page_part *p, const char *const names[3], const char *array)
{
    for (int k = 0; k < 3; k++) add_column(p, names[k], array, k, false);
}

static bool is_drawn_with(const mn_frame_part *part, const char *array)
{
    return strcmp(array, "radius") == 0 || (strcmp(array, "volume") == 0 && part->kind == MN_CELLS_VERTICES);
}

mn_page_part mn_page_part_plan(const mn_frame_part *part, const char *fields)
{
    static const char *const xyz[3] = { "x", "y", "z" }, *const rgb[3] = { "color_0", "color_1", "color_2" };
    mn_page_part p = { .kind = part->kind, .look = part->look };
    add_components(&p, xyz, "");
    const mn_frame_array *color = mn_frame_array_find(part, "color");
    if (color != NULL && color->components == 3) add_components(&p, rgb, "color");
    for (int k = 0; k < part->array_count; k++) {
        const char *array = part->arrays[k].name, *name = strcmp(array, "velocity") == 0 ? "speed" : array;
        if (strcmp(array, "normals") == 0 || strcmp(array, "id") == 0 || strcmp(array, "color") == 0) continue;
        if (mn_page_lists(fields, name) || is_drawn_with(part, array))
            add_column(&p, name, array, -1, mn_page_lists(fields, name));
    }
    return p;
}

static double value_of(const mn_frame_array *a, const mn_page_column *c, int64_t i)
{
    if (a == NULL || c->component >= a->components) return NAN;
    if (c->component >= 0) return mn_frame_array_value(a, i, c->component);
    if (a->components == 1) return mn_frame_array_value(a, i, 0);
    double sum = 0.0;
    for (int k = 0; k < a->components; k++) sum += mn_frame_array_value(a, i, k) * mn_frame_array_value(a, i, k);
    return sqrt(sum);
}

static void add_count(mn_buffer *out, int64_t count)
{
    const uint32_t four = (uint32_t)count;
    mn_buffer_add(out, &four, sizeof four);
}

mn_status mn_page_add_points(mn_buffer *out, const mn_page_part *plan, const mn_frame_part *now, mn_pack_range *ranges)
{
    const int64_t n      = now->point_count;
    double       *value  = mn_alloc_array(out->context, double, n);
    uint32_t     *codes  = mn_alloc_array(out->context, uint32_t, n);
    mn_status     status = value != NULL && codes != NULL ? MN_OK : MN_ERR_MEMORY;
    add_count(out, n);
    for (int k = 0; k < plan->column_count && status == MN_OK; k++) {
        const mn_page_column *c = &plan->column[k];
        const mn_frame_array *a = c->array[0] == '\0' ? &now->points : mn_frame_array_find(now, c->array);
        for (int64_t i = 0; i < n; i++) value[i] = value_of(a, c, i);
        const mn_pack_range r = mn_pack_reals(out, value, n, codes);
        ranges[k]             = (mn_pack_range){ fmin(ranges[k].low, r.low), fmax(ranges[k].high, r.high) };
        status                = mn_buffer_status(out);
    }
    mn_free(out->context, value);
    mn_free(out->context, codes);
    return status;
}

mn_status mn_page_add_shape(mn_buffer *out, const mn_frame_part *now)
{
    const bool    lines = now->kind == MN_CELLS_LINES && now->ends != NULL;
    const int64_t cells = now->cell_count, ends = lines ? cells : 0;
    const int64_t corners = cells == 0 ? 0
                            : lines    ? now->ends[cells - 1]
                                       : (now->kind == MN_CELLS_LINES ? 2 : 3) * cells;
    add_count(out, corners);
    add_count(out, ends);
    mn_pack_whole(out, (const uint32_t *)now->cells, corners, 4);
    mn_pack_whole(out, (const uint32_t *)now->ends, ends, 4);
    return mn_buffer_status(out);
}
