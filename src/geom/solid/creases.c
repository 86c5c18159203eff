// SPDX-License-Identifier: MPL-2.0
// geom/solid/creases.c - corners of triangles that meet at a smooth edge are of one vertex.
#include "geom/solid/creases.h"

#include <stdlib.h>
#include <string.h>

typedef struct side {
    int32_t low, high, face;
    int     corner;  // the side runs from it to the next
} side;

static int by_ends(const void *p, const void *q)
{
    const side *a = p, *b = q;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->face < b->face ? -1 : a->face > b->face;
}

typedef struct creaser {
    mn_mesh *mesh;
    side    *side;
    mn_vec3 *across;  // of each triangle: its normal, twice its area long
    int32_t *first;   // of each corner: the corner that stands for its vertex, in the end
} creaser;

static int32_t top_of(int32_t *first, int32_t k)
{
    while (first[k] != k) k = first[k] = first[first[k]];
    return k;
}

static void join(int32_t *first, int32_t a, int32_t b)
{
    a = top_of(first, a), b = top_of(first, b);
    if (a < b) first[b] = a;
    else first[a] = b;
}

/// Of a triangle at its corner: two halves of a square count there as the whole does, and a sliver as nothing.
static double corner_angle(const mn_mesh *m, int32_t t, int k)
{
    const int32_t *v = m->triangle[t];
    const mn_vec3  x = mn_v3_from(m->vertex[v[k]]);
    const mn_vec3  e = mn_sub3(mn_v3_from(m->vertex[v[(k + 1) % 3]]), x),
                  f  = mn_sub3(mn_v3_from(m->vertex[v[(k + 2) % 3]]), x);
    return atan2(mn_norm3(mn_cross3(e, f)), mn_dot3(e, f));
}

static void prepare(creaser *w)
{
    const mn_mesh *m = w->mesh;
    for (int32_t t = 0; t < m->triangle_count; t++) {
        const int32_t *v = m->triangle[t];
        const mn_vec3  a = mn_v3_from(m->vertex[v[0]]);
        w->across[t]     = mn_cross3(mn_sub3(mn_v3_from(m->vertex[v[1]]), a), mn_sub3(mn_v3_from(m->vertex[v[2]]), a));
        for (int k = 0; k < 3; k++) {
            const int32_t p = v[k], q = v[(k + 1) % 3];
            w->side[3 * t + k]  = (side){ p < q ? p : q, p < q ? q : p, t, k };
            w->first[3 * t + k] = 3 * t + k;
        }
    }
    qsort(w->side, (size_t)(3 * m->triangle_count), sizeof *w->side, by_ends);
}

/// Two triangles at an edge that run through it in opposite directions and turn by less than the angle share both ends.
static void join_smooth(creaser *w, const side *a, const side *b, double cosine)
{
    const int32_t *v = w->mesh->triangle[a->face], *u = w->mesh->triangle[b->face];
    const mn_vec3  n = w->across[a->face], o = w->across[b->face];
    if (v[a->corner] == u[b->corner] || mn_dot3(n, o) < cosine * mn_norm3(n) * mn_norm3(o)) return;
    join(w->first, 3 * a->face + a->corner, 3 * b->face + (b->corner + 1) % 3);
    join(w->first, 3 * a->face + (a->corner + 1) % 3, 3 * b->face + b->corner);
}

static void join_all(creaser *w, double angle)
{
    const int64_t n = 3 * w->mesh->triangle_count;
    for (int64_t k = 0; k + 1 < n; k++)
        if (w->side[k].low == w->side[k + 1].low && w->side[k].high == w->side[k + 1].high)
            join_smooth(w, &w->side[k], &w->side[k + 1], cos(angle));
}

static mn_status split(mn_context *c, creaser *w, double (**normal)[3])
{
    mn_mesh      *m       = w->mesh;
    const int64_t corners = 3 * m->triangle_count;
    int32_t      *number  = mn_alloc_array(c, int32_t, corners);
    double(*vertex)[3]    = mn_alloc(c, mn_array_bytes(corners, sizeof *vertex));
    double(*sum)[3]       = mn_alloc(c, mn_array_bytes(corners, sizeof *sum));
    if (number == NULL || vertex == NULL || sum == NULL) {
        mn_free(c, number);
        mn_free(c, vertex);
        mn_free(c, sum);
        return MN_ERR_MEMORY;
    }
    int32_t count = 0;
    for (int32_t k = 0; k < corners; k++) {
        const int32_t top = top_of(w->first, k);
        if (top == k) {
            number[k] = count;
            memcpy(vertex[count++], m->vertex[m->triangle[k / 3][k % 3]], sizeof *vertex);
        }
        const double angle = corner_angle(m, k / 3, k % 3);
        for (int a = 0; a < 3; a++) sum[number[top]][a] += angle * mn_get3(w->across[k / 3], a);
    }
    for (int32_t k = 0; k < corners; k++) m->triangle[k / 3][k % 3] = number[top_of(w->first, k)];
    for (int32_t v = 0; v < count; v++) {
        const mn_vec3 n = mn_unit3(mn_v3_from(sum[v]), mn_v3(0, 1, 0));
        sum[v][0] = n.x, sum[v][1] = n.y, sum[v][2] = n.z;
    }
    mn_free(c, number);
    mn_free(c, m->vertex);
    m->vertex       = vertex;
    m->vertex_count = count;
    *normal         = sum;
    return MN_OK;
}

mn_status mn_mesh_crease(mn_context *c, mn_mesh *mesh, double angle, double (**normal)[3])
{
    *normal          = NULL;
    const int64_t n  = mesh->triangle_count;
    creaser       w  = { .mesh = mesh };
    w.side           = mn_alloc_array(c, side, 3 * n);
    w.across         = mn_alloc_array(c, mn_vec3, n);
    w.first          = mn_alloc_array(c, int32_t, 3 * n);
    mn_status status = w.side != NULL && w.across != NULL && w.first != NULL ? MN_OK : MN_ERR_MEMORY;
    if (status == MN_OK) {
        prepare(&w);
        join_all(&w, angle);
        status = split(c, &w, normal);
    }
    mn_free(c, w.side);
    mn_free(c, w.across);
    mn_free(c, w.first);
    return status;
}
