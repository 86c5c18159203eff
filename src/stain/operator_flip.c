// SPDX-License-Identifier: MPL-2.0
// stain/operator_flip.c - Lawson's flips in the metric of a diffusion tensor, on lengths alone.
//
// Two triangles are laid into one plane; if the sum of what they give their common edge is negative, the other diagonal
// has a positive sum. With one tensor on a flat patch this ends in its Delaunay triangulation. Where tensors differ
// within a patch (a weft that turns) the two are averaged by area; the number of flips is then bounded, and what
// remains is left to the limiter.
#include "stain/operator_flip.h"

/// Flips per side at most; uniform patches end far below (ratio 1e6 on a jittered square of 61 x 61: 6 per side).
#define MOST_FLIPS 400

double mn_stain_side_conductance(const mn_stain_vec p[3], mn_stain_tensor s, int k)
{
    mn_stain_vec g[3];
    mn_stain_gradients(p, g);
    const mn_stain_vec a = g[k], b = g[(k + 1) % 3];
    const double       area = 0.5 * ((p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x));
    return -area * (a.x * (s.xx * b.x + s.xy * b.y) + a.y * (s.xy * b.x + s.yy * b.y));
}

static double twice_area(mn_stain_vec a, mn_stain_vec b, mn_stain_vec c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Sides that wait to be looked at.
typedef struct stack {
    mn_context *context;
    int32_t    *slot;
    int64_t     count, capacity;
} stack;

static mn_status push(stack *s, int32_t slot)
{
    MN_TRY(mn_array_reserve(s->context, &s->slot, &s->capacity, s->count + 1, sizeof *s->slot));
    s->slot[s->count++] = slot;
    return MN_OK;
}

/// The fourth corner of the triangle beyond, in the frame of this one, and the angle between the two frames.
typedef struct unfolded {
    mn_stain_vec d;
    double       angle;
} unfolded;

static unfolded unfold(const mn_stain_flipped *f, int32_t slot, int32_t other)
{
    const mn_stain_vec *p = f->corner[slot / 3], *q = f->corner[other / 3];
    const mn_stain_vec  pa = p[slot % 3], pb = p[(slot % 3 + 1) % 3];
    const mn_stain_vec  qb = q[other % 3], qa = q[(other % 3 + 1) % 3], qd = q[(other % 3 + 2) % 3];
    const mn_stain_vec  e = { pa.x - pb.x, pa.y - pb.y }, o = { qa.x - qb.x, qa.y - qb.y };
    const double        c = e.x * o.x + e.y * o.y, s = e.y * o.x - e.x * o.y, n = sqrt(c * c + s * s);
    const mn_stain_turn r = { c / n, s / n };
    const mn_stain_vec  d = mn_stain_turned(r, (mn_stain_vec){ qd.x - qb.x, qd.y - qb.y });
    return (unfolded){ { pb.x + d.x, pb.y + d.y }, atan2(r.s, r.c) };
}

static void point_at(mn_stain_flipped *f, int32_t slot, int32_t outer)
{
    f->across[slot / 3][slot % 3] = outer;
    if (outer >= 0) f->across[outer / 3][outer % 3] = slot;
}

/// Both triangles get the mean of their tensors, in the frame of the first.
static void average(mn_stain_tensor *tensor, int32_t t, int32_t o, double angle, double w1, double w2)
{
    const mn_stain_tensor a = tensor[t], b = mn_stain_tensor_at(tensor[o], angle);
    const double          w = w1 + w2;
    tensor[t] = tensor[o] = (mn_stain_tensor){ (w1 * a.xx + w2 * b.xx) / w, (w1 * a.xy + w2 * b.xy) / w,
                                               (w1 * a.yy + w2 * b.yy) / w };
}

/// Replace edge ab of abc and bad by cd: triangles cad and dbc.
static void flip(mn_stain_flipped *f, int32_t slot, int32_t other, const unfolded *u)
{
    const int32_t      t = slot / 3, k = slot % 3, o = other / 3, l = other % 3;
    const mn_stain_vec pa = f->corner[t][k], pb = f->corner[t][(k + 1) % 3], pc = f->corner[t][(k + 2) % 3];
    const int32_t      a = f->triangle[t][k], b = f->triangle[t][(k + 1) % 3], c = f->triangle[t][(k + 2) % 3],
                  d  = f->triangle[o][(l + 2) % 3];
    const int32_t ca = f->across[t][(k + 2) % 3], bc = f->across[t][(k + 1) % 3], ad = f->across[o][(l + 1) % 3],
                  db = f->across[o][(l + 2) % 3];
    const double w1 = twice_area(pa, pb, pc), w2 = twice_area(pb, pa, u->d);
    average(f->tensor, t, o, u->angle, w1, w2);
    average(f->metric, t, o, u->angle, w1, w2);
    const int32_t      first[3] = { c, a, d }, second[3] = { d, b, c };
    const mn_stain_vec p1[3] = { pc, pa, u->d }, p2[3] = { u->d, pb, pc };
    for (int i = 0; i < 3; i++) {
        f->triangle[t][i] = first[i], f->triangle[o][i] = second[i];
        f->corner[t][i] = p1[i], f->corner[o][i] = p2[i];
    }
    point_at(f, 3 * t, ca);
    point_at(f, 3 * t + 1, ad);
    point_at(f, 3 * o, db);
    point_at(f, 3 * o + 1, bc);
    point_at(f, 3 * t + 2, 3 * o + 2);
    f->flips++;
}

/// True when the edge was flipped.
static bool mend(mn_stain_flipped *f, int32_t slot)
{
    const int32_t other = f->across[slot / 3][slot % 3];
    if (other < 0 || other / 3 == slot / 3) return false;
    if (f->patch != NULL && f->patch[slot / 3] != f->patch[other / 3]) return false;
    const double w1 = mn_stain_side_conductance(f->corner[slot / 3], f->metric[slot / 3], slot % 3);
    const double w2 = mn_stain_side_conductance(f->corner[other / 3], f->metric[other / 3], other % 3);
    if (w1 + w2 >= -1e-12 * (fabs(w1) + fabs(w2))) return false;
    const mn_stain_vec *p = f->corner[slot / 3];
    const unfolded      u = unfold(f, slot, other);
    const mn_stain_vec  a = p[slot % 3], b = p[(slot % 3 + 1) % 3], c = p[(slot % 3 + 2) % 3];
    const double        whole = twice_area(a, b, c) + twice_area(b, a, u.d);
    if (twice_area(c, a, u.d) <= 1e-9 * whole || twice_area(u.d, b, c) <= 1e-9 * whole) return false;  // not convex
    flip(f, slot, other, &u);
    return true;
}

mn_status mn_stain_flip_edges(mn_stain_flipped *f)
{
    const int64_t sides = 3 * f->triangle_count;
    stack         s     = { .context = f->context };
    mn_status     st    = MN_OK;
    for (int32_t k = (int32_t)sides - 1; k >= 0 && st == MN_OK; k--)
        if (f->across[k / 3][k % 3] > k) st = push(&s, k);
    while (s.count > 0 && st == MN_OK && f->flips < MOST_FLIPS * sides) {
        const int32_t slot = s.slot[--s.count], other = f->across[slot / 3][slot % 3];
        if (!mend(f, slot)) continue;
        for (int k = 0; k < 2 && st == MN_OK; k++) {
            st = push(&s, slot / 3 * 3 + k);
            if (st == MN_OK) st = push(&s, other / 3 * 3 + k);
        }
    }
    mn_free(f->context, s.slot);
    return st;
}
