// SPDX-License-Identifier: MPL-2.0
// fabric/pores/flow_links.c - pairs of vertices that exchange liquid, and the surface from which vertices dry.
#include "fabric/pores/flow_private.h"

#include "fabric/material.h"

#include <string.h>

void mn_flow_links_destroy(mn_context *c, mn_flow_links **links)
{
    mn_flow_links *l = *links;
    if (l == NULL) return;
    void *const arrays[] = { l->end,    l->of_element, l->slot_start, l->slot, l->around_start,
                             l->around, l->bulk,       l->surface,    l };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) mn_free(c, arrays[k]);
    *links = NULL;
}

/// A side of an element, filed under the smaller of its two vertices.
typedef struct side {
    int32_t other, slot;
} side;

static int sides_of(const mn_fabric_element *e) { return e->vertex[2] < 0 ? 1 : 3; }

static void ends_of(const mn_fabric_element *e, int k, int32_t end[2])
{
    const int32_t a = e->vertex[k], b = e->vertex[sides_of(e) == 1 ? 1 : (k + 1) % 3];
    end[0] = a < b ? a : b;
    end[1] = a < b ? b : a;
}

/// File all sides; start has one more entry than there are vertices.
static void file_sides(const mn_fabric *q, int64_t *start, side *sides)
{
    int32_t end[2];
    for (int64_t e = 0; e < q->element_count; e++)
        for (int k = 0; k < sides_of(&q->elements[e]); k++) {
            ends_of(&q->elements[e], k, end);
            start[end[0] + 1]++;
        }
    for (int64_t v = 0; v < q->vertices.count; v++) start[v + 1] += start[v];
    for (int64_t e = q->element_count - 1; e >= 0; e--)  // from behind: start ends up at the first of each
        for (int k = sides_of(&q->elements[e]) - 1; k >= 0; k--) {
            ends_of(&q->elements[e], k, end);
            sides[--start[end[0] + 1]] = (side){ end[1], (int32_t)(3 * e + k) };
        }
    for (int64_t v = 0; v < q->vertices.count; v++) start[v] = start[v + 1];
}

/// By the other vertex, equal ones in the order of the elements.
static void sort_sides(side *s, int64_t count)
{
    for (int64_t i = 1; i < count; i++) {
        const side x = s[i];
        int64_t    j = i;
        for (; j > 0 && s[j - 1].other > x.other; j--) s[j] = s[j - 1];
        s[j] = x;
    }
}

/// One link per run of equal sides.
static void join_sides(const mn_fabric *q, const int64_t *start, side *sides, int64_t total, mn_flow_links *l)
{
    int64_t slots = 0;
    for (int64_t v = 0; v < q->vertices.count; v++) {
        const int64_t end = v + 1 < q->vertices.count ? start[v + 1] : total;
        sort_sides(sides + start[v], end - start[v]);
        for (int64_t i = start[v]; i < end; i++) {
            const bool again = i > start[v] && sides[i - 1].other == sides[i].other;
            if (!again) {
                l->end[l->count][0]       = (int32_t)v;
                l->end[l->count][1]       = sides[i].other;
                l->slot_start[l->count++] = slots;
            }
            l->of_element[sides[i].slot] = (int32_t)(l->count - 1);
            l->slot[slots++]             = sides[i].slot;
        }
    }
    l->slot_start[l->count] = slots;
}

static void list_around(const mn_fabric *q, mn_flow_links *l)
{
    int64_t *start = l->around_start;
    for (int64_t k = 0; k < l->count; k++)
        for (int i = 0; i < 2; i++) start[l->end[k][i]]++;
    for (int64_t v = 1; v <= q->vertices.count; v++) start[v] += start[v - 1];
    for (int64_t k = l->count - 1; k >= 0; k--)
        for (int i = 1; i >= 0; i--) l->around[--start[l->end[k][i]]] = (int32_t)(2 * k + i);
}

/// Bulk volumes of elements, and twice the volume over thickness or radius: the surface.
static void measure(const mn_fabric *q, mn_flow_links *l)
{
    for (int64_t e = 0; e < q->element_count; e++) {
        const mn_fabric_element *x    = &q->elements[e];
        const mn_fabric_piece   *p    = &q->pieces[x->piece];
        const bool               yarn = x->vertex[2] < 0;
        double                   half = 0.5 * p->cloth.thickness;
        l->bulk[e]                    = x->volume / mn_fabric_stiffness_factor(yarn ? &p->yarn : &p->cloth);
        if (yarn) half = p->mesh.strand_radius[p->rods.edge[e - q->triangles.count - p->first_segment].strand];
        // Both faces of cloth: V / half; mantle of yarn: 2 V / radius.
        const double surface = (yarn ? 2.0 : 1.0) * l->bulk[e] / half;
        for (int i = 0; i < (yarn ? 2 : 3); i++) l->surface[x->vertex[i]] += surface / (yarn ? 2 : 3);
    }
}

mn_status mn_flow_links_make(mn_fabric *q)
{
    if (q->links != NULL) return MN_OK;
    mn_context    *c     = q->context;
    const int64_t  total = 3 * q->triangles.count + q->segments.count, n = q->vertices.count;
    mn_flow_links *l     = mn_alloc(c, sizeof *l);
    int64_t       *start = mn_alloc_array(c, int64_t, n + 1);
    side          *sides = mn_alloc_array(c, side, total);
    if (l != NULL) {
        l->end          = mn_alloc(c, mn_array_bytes(total, sizeof *l->end));
        l->of_element   = mn_alloc_array(c, int32_t, 3 * q->element_count);
        l->slot_start   = mn_alloc_array(c, int64_t, total + 1);
        l->slot         = mn_alloc_array(c, int32_t, total);
        l->around_start = mn_alloc_array(c, int64_t, n + 1);
        l->around       = mn_alloc_array(c, int32_t, 2 * total);
        l->bulk         = mn_alloc_array(c, double, q->element_count);
        l->surface      = mn_alloc_array(c, double, n);
    }
    const bool ok = l != NULL && start != NULL && sides != NULL && l->end != NULL && l->of_element != NULL &&
                    l->slot_start != NULL && l->slot != NULL && l->around_start != NULL && l->around != NULL &&
                    l->bulk != NULL && l->surface != NULL;
    if (ok) {
        file_sides(q, start, sides);
        join_sides(q, start, sides, total, l);
        list_around(q, l);
        measure(q, l);
    }
    mn_free(c, start);
    mn_free(c, sides);
    q->links = l;
    if (!ok) mn_flow_links_destroy(c, &q->links);
    return ok ? MN_OK : MN_ERR_MEMORY;
}
