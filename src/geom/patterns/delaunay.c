// SPDX-License-Identifier: MPL-2.0
// geom/patterns/delaunay.c - points are put in one by one: walk to the triangle, cut it in three, flip edges until
// every circle around a triangle is empty (Lawson).
//
// The large triangle around everything stays at a finite distance: the points fill a convex region so densely that the
// circles of all triangles wanted are small, so that its corners lie outside them.
#include "geom/patterns/delaunay.h"

#include <math.h>
#include <string.h>

typedef struct work {
    mn_context  *context;
    mn_delaunay *d;
    double (*x)[2];  // with the three corners behind
    int32_t *stack;  // edges to look at: 4 * triangle + corner opposite
    int64_t  stack_count, stack_room;
} work;

static double area2(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Above 0 if p lies inside the circle through the anticlockwise triangle a, b, c.
static double in_circle(const double a[2], const double b[2], const double c[2], const double p[2])
{
    const double ax = a[0] - p[0], ay = a[1] - p[1], bx = b[0] - p[0], by = b[1] - p[1], cx = c[0] - p[0],
                 cy = c[1] - p[1];
    const double a2 = ax * ax + ay * ay, b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
    return a2 * (bx * cy - by * cx) - b2 * (ax * cy - ay * cx) + c2 * (ax * by - ay * bx);
}

static int corner_across(const mn_delaunay *d, int32_t t, int32_t from)
{
    for (int k = 0; k < 3; k++) {
        if (d->across[t][k] == from) return k;
    }
    return 0;
}

static void relink(mn_delaunay *d, int32_t t, int32_t was, int32_t is)
{
    if (t >= 0) d->across[t][corner_across(d, t, was)] = is;
}

void mn_delaunay_flip(mn_delaunay *d, int32_t t, int k)
{
    // t = (p, a, b) and u = (q, b, a) become (p, a, q) and (q, b, p).
    const int32_t u = d->across[t][k];
    const int     l = corner_across(d, u, t);
    const int32_t p = d->triangle[t][k], a = d->triangle[t][(k + 1) % 3], b = d->triangle[t][(k + 2) % 3],
                  q  = d->triangle[u][l];
    const int32_t pa = d->across[t][(k + 2) % 3], bp = d->across[t][(k + 1) % 3];
    const int32_t aq = d->across[u][(l + 1) % 3], qb = d->across[u][(l + 2) % 3];
    const int32_t first[3] = { p, a, q }, second[3] = { q, b, p }, first_across[3] = { aq, u, pa },
                  second_across[3] = { bp, t, qb };
    memcpy(d->triangle[t], first, sizeof first);
    memcpy(d->triangle[u], second, sizeof second);
    memcpy(d->across[t], first_across, sizeof first_across);
    memcpy(d->across[u], second_across, sizeof second_across);
    relink(d, aq, u, t);
    relink(d, bp, t, u);
}

/// The triangle that holds a point, by walking there.
static int32_t locate(const work *w, int32_t from, const double p[2])
{
    const mn_delaunay *d = w->d;
    int32_t            t = from;
    for (int64_t step = 0; step < d->count + 8; step++) {
        bool inside = true;
        for (int k = 0; k < 3 && inside; k++) {
            // The first edge looked at changes from step to step, so that a walk cannot go round for ever.
            const int      c = (int)((k + step) % 3);
            const int32_t *v = d->triangle[t];
            if (area2(w->x[v[(c + 1) % 3]], w->x[v[(c + 2) % 3]], p) >= 0.0 || d->across[t][c] < 0) continue;
            t      = d->across[t][c];
            inside = false;
        }
        if (inside) return t;
    }
    return t;
}

static mn_status push(work *w, int32_t t, int k)
{
    MN_TRY(mn_array_reserve(w->context, &w->stack, &w->stack_room, w->stack_count + 1, sizeof *w->stack));
    w->stack[w->stack_count++] = 4 * t + k;
    return MN_OK;
}

/// Cut the triangle t in three around the point p; corner 0 of all three is p.
static mn_status split(work *w, int32_t t, int32_t p)
{
    mn_delaunay  *d      = w->d;
    const int32_t second = (int32_t)d->count, third = second + 1;
    d->count += 2;
    int32_t corner[3], across[3];
    memcpy(corner, d->triangle[t], sizeof corner);
    memcpy(across, d->across[t], sizeof across);
    const int32_t pieces[3] = { t, second, third };
    for (int k = 0; k < 3; k++) {
        const int32_t v[3] = { p, corner[(k + 1) % 3], corner[(k + 2) % 3] };
        const int32_t n[3] = { across[k], pieces[(k + 1) % 3], pieces[(k + 2) % 3] };
        memcpy(d->triangle[pieces[k]], v, sizeof v);
        memcpy(d->across[pieces[k]], n, sizeof n);
    }
    relink(d, across[1], t, second);
    relink(d, across[2], t, third);
    for (int k = 0; k < 3; k++) MN_TRY(push(w, pieces[k], 0));
    return MN_OK;
}

static mn_status legalise(work *w)
{
    mn_delaunay *d = w->d;
    while (w->stack_count > 0) {
        const int32_t edge = w->stack[--w->stack_count], t = edge / 4, u = d->across[t][edge % 4];
        const int     k = edge % 4;
        if (u < 0) continue;
        const int32_t *v = d->triangle[u], p = d->triangle[t][k];
        if (!(in_circle(w->x[v[0]], w->x[v[1]], w->x[v[2]], w->x[p]) > 0.0)) continue;
        mn_delaunay_flip(d, t, k);
        // The new point is corner 0 of t and corner 2 of u.
        MN_TRY(push(w, t, 0));
        MN_TRY(push(w, u, 2));
    }
    return MN_OK;
}

static void surround(work *w, const double (*point)[2], int64_t count)
{
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
    for (int64_t i = 0; i < count; i++) {
        for (int a = 0; a < 2; a++) {
            w->x[i][a] = point[i][a];
            low[a]     = fmin(low[a], point[i][a]);
            high[a]    = fmax(high[a], point[i][a]);
        }
    }
    const double reach     = 8.0 * fmax(high[0] - low[0], high[1] - low[1]);
    const double mid[2]    = { 0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]) };
    const double far[3][2] = { { mid[0] - 2.0 * reach, mid[1] - reach },
                               { mid[0] + 2.0 * reach, mid[1] - reach },
                               { mid[0], mid[1] + 2.0 * reach } };
    memcpy(w->x[count], far, sizeof far);
    for (int k = 0; k < 3; k++) {
        w->d->triangle[0][k] = (int32_t)count + k;
        w->d->across[0][k]   = -1;
    }
    w->d->count = 1;
}

mn_status mn_delaunay_make(mn_context *context, const double (*point)[2], int64_t count, mn_delaunay *out)
{
    const int64_t room = 2 * count + 1;
    *out               = (mn_delaunay){ .points = count };
    out->triangle      = mn_alloc(context, mn_array_bytes(room, sizeof *out->triangle));
    out->across        = mn_alloc(context, mn_array_bytes(room, sizeof *out->across));
    work      w      = { .context = context, .d = out, .x = mn_alloc(context, mn_array_bytes(count + 3, sizeof *w.x)) };
    mn_status status = out->triangle != NULL && out->across != NULL && w.x != NULL ? MN_OK : MN_ERR_MEMORY;
    if (status == MN_OK) surround(&w, point, count);
    for (int64_t i = 0; i < count && status == MN_OK; i++) {
        status = split(&w, locate(&w, (int32_t)out->count - 1, w.x[i]), (int32_t)i);
        if (status == MN_OK) status = legalise(&w);
    }
    mn_free(context, w.x);
    mn_free(context, w.stack);
    if (status != MN_OK) mn_delaunay_free(context, out);
    return status;
}

void mn_delaunay_free(mn_context *context, mn_delaunay *d)
{
    mn_free(context, d->triangle);
    mn_free(context, d->across);
    *d = (mn_delaunay){ 0 };
}
