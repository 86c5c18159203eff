// SPDX-License-Identifier: MPL-2.0
// verify/thin/crossing.c - exact crossing of triangles: a filter in doubles, expansions where it does not decide.
//
// An expansion is a sum of doubles that do not overlap, smallest first; adding a double to it loses nothing, and its
// sign is that of its last part that is not zero (Shewchuk, Adaptive precision floating-point arithmetic, 1997).
#include "verify/thin/crossing.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

// Exact sign

/// The determinant has 24 products of three coordinates, and each is at most four doubles.
#define MOST_PARTS 96

typedef struct expansion {
    double part[MOST_PARTS];
    int    count;
} expansion;

/// Add a double: every sum is split into what a double can hold and what it loses.
static void grow(expansion *e, double b)
{
    double carry = b;
    for (int i = 0; i < e->count; i++) {
        const double a = e->part[i], sum = carry + a, of_a = sum - carry;
        e->part[i] = (carry - (sum - of_a)) + (a - of_a);
        carry      = sum;
    }
    e->part[e->count++] = carry;
}

/// Add sign x y z. fma gives what a product loses.
static void add_product(expansion *e, double sign, double x, double y, double z)
{
    const double xy = sign * x * y, xy_lost = fma(sign * x, y, -xy);
    const double high = xy * z, low = xy_lost * z;
    grow(e, fma(xy_lost, z, -low));
    grow(e, low);
    grow(e, fma(xy, z, -high));
    grow(e, high);
}

/// Add sign det(a, b, c).
static void add_determinant(expansion *e, double sign, mn_vec3 a, mn_vec3 b, mn_vec3 c)
{
    add_product(e, sign, a.x, b.y, c.z);
    add_product(e, sign, a.y, b.z, c.x);
    add_product(e, sign, a.z, b.x, c.y);
    add_product(e, -sign, a.x, b.z, c.y);
    add_product(e, -sign, a.y, b.x, c.z);
    add_product(e, -sign, a.z, b.y, c.x);
}

/// det(a - d, b - d, c - d) = det(a,b,c) - det(b,c,d) + det(c,d,a) - det(d,a,b), in coordinates as they are given.
static int exact_orientation(mn_vec3 a, mn_vec3 b, mn_vec3 c, mn_vec3 d)
{
    expansion e = { .count = 0 };
    add_determinant(&e, 1.0, a, b, c);
    add_determinant(&e, -1.0, b, c, d);
    add_determinant(&e, 1.0, c, d, a);
    add_determinant(&e, -1.0, d, a, b);
    for (int i = e.count - 1; i >= 0; i--)
        if (e.part[i] != 0.0) return e.part[i] > 0.0 ? 1 : -1;
    return 0;
}

int mn_orientation(mn_vec3 a, mn_vec3 b, mn_vec3 c, mn_vec3 d)
{
    const mn_vec3 p = mn_sub3(a, d), q = mn_sub3(b, d), r = mn_sub3(c, d);
    const double  det  = p.x * (q.y * r.z - q.z * r.y) + p.y * (q.z * r.x - q.x * r.z) + p.z * (q.x * r.y - q.y * r.x);
    const double  size = fabs(p.x) * (fabs(q.y * r.z) + fabs(q.z * r.y)) +
                        fabs(p.y) * (fabs(q.z * r.x) + fabs(q.x * r.z)) +
                        fabs(p.z) * (fabs(q.x * r.y) + fabs(q.y * r.x));
    // Three roundings of differences, five of products and sums: 8 units of half an epsilon, and room for second order.
    if (fabs(det) > 5.0 * DBL_EPSILON * size) return det > 0.0 ? 1 : -1;
    return exact_orientation(a, b, c, d);
}

// Crossing

/// The segment p q passes through triangle t: its ends lie on different sides, and the line leaves all edges on one
/// side.
static bool edge_crosses(mn_vec3 p, mn_vec3 q, const mn_vec3 t[3])
{
    const int side_p = mn_orientation(t[0], t[1], t[2], p), side_q = mn_orientation(t[0], t[1], t[2], q);
    if (side_p * side_q >= 0) return false;
    bool left = false, right = false;
    for (int k = 0; k < 3; k++) {
        const int s = mn_orientation(p, q, t[k], t[(k + 1) % 3]);
        left |= s > 0, right |= s < 0;
    }
    return !(left && right);
}

bool mn_triangles_cross(const mn_vec3 a[3], const mn_vec3 b[3])
{
    for (int k = 0; k < 3; k++)
        if (edge_crosses(a[k], a[(k + 1) % 3], b) || edge_crosses(b[k], b[(k + 1) % 3], a)) return true;
    return false;
}

// Pairs whose boxes meet, by a sweep along x

typedef struct box {
    mn_vec3 low, high;
    int32_t triangle;
} box;

static int by_low(const void *a, const void *b)
{
    const box *p = a, *q = b;
    if (p->low.x != q->low.x) return p->low.x < q->low.x ? -1 : 1;
    return p->triangle < q->triangle ? -1 : p->triangle > q->triangle;
}

static bool share_vertex(const int32_t a[3], const int32_t b[3])
{
    for (int i = 0; i < 3; i++)
        if (a[i] == b[0] || a[i] == b[1] || a[i] == b[2]) return true;
    return false;
}

mn_status mn_count_crossings(mn_context *c, const mn_vec3 *x, const int32_t (*triangle)[3], int64_t count,
                             int64_t *crossings)
{
    box *boxes = mn_alloc_array(c, box, count);
    if (boxes == NULL) return MN_ERR_MEMORY;
    for (int64_t t = 0; t < count; t++) {
        const mn_vec3 p = x[triangle[t][0]], q = x[triangle[t][1]], r = x[triangle[t][2]];
        boxes[t] = (box){ .triangle = (int32_t)t,
                          .low = mn_v3(fmin(p.x, fmin(q.x, r.x)), fmin(p.y, fmin(q.y, r.y)), fmin(p.z, fmin(q.z, r.z))),
                          .high = mn_v3(fmax(p.x, fmax(q.x, r.x)), fmax(p.y, fmax(q.y, r.y)),
                                        fmax(p.z, fmax(q.z, r.z))) };
    }
    if (count > 1) qsort(boxes, (size_t)count, sizeof *boxes, by_low);
    *crossings = 0;
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = i + 1; j < count && boxes[j].low.x <= boxes[i].high.x; j++) {
            if (boxes[j].low.y > boxes[i].high.y || boxes[j].high.y < boxes[i].low.y ||
                boxes[j].low.z > boxes[i].high.z || boxes[j].high.z < boxes[i].low.z)
                continue;
            const int32_t *s = triangle[boxes[i].triangle], *t = triangle[boxes[j].triangle];
            if (share_vertex(s, t)) continue;
            const mn_vec3 a[3] = { x[s[0]], x[s[1]], x[s[2]] }, b[3] = { x[t[0]], x[t[1]], x[t[2]] };
            *crossings += mn_triangles_cross(a, b);
        }
    mn_free(c, boxes);
    return MN_OK;
}
