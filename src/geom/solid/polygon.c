// SPDX-License-Identifier: MPL-2.0
// geom/solid/polygon.c - ear clipping; a hole is first joined to the loop around it by a bridge that is passed both
// ways.
//
// A point on a straight side must stay a corner of triangles, or the mesh has a gap there: an ear needs some area. Only
// when no such ear is left are flat ones cut, and in the end any, so that the rim of the triangles is always the loops.
#include "geom/solid/polygon.h"

#include "base/context.h"

#include <math.h>
#include <stdlib.h>

/// An ear whose area is below this share of the square of the polygon's size is flat.
#define FLAT 1e-13

typedef struct corner {
    double  x, y;
    int32_t point, before, after;
} corner;

typedef struct loop {
    int32_t any;       // a corner of it
    int32_t leftmost;  // corner
    double  area;      // twice it
    int32_t into;      // the loop that a hole is in; itself if it is no hole
} loop;

typedef struct filler {
    mn_context *context;
    corner     *corner;
    int32_t     count, first_count;
    loop       *loops;
    int32_t     loop_count;
    int32_t (*triangle)[3];
    int64_t triangle_count;
    double  flat;  // twice the area of an ear that is flat
} filler;

static double turn(const corner *a, const corner *b, const corner *c)
{
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

static bool same_place(const corner *a, const corner *b) { return a->x == b->x && a->y == b->y; }

// ---- holes ---------------------------------------------------------------------------------------------------------

/// Whether the way from corner p towards q begins inside the polygon.
static bool starts_inside(const filler *f, const corner *p, const corner *q)
{
    const corner *before = &f->corner[p->before], *after = &f->corner[p->after];
    if (turn(before, p, after) >= 0.0) return turn(p, q, after) <= 0.0 && turn(p, before, q) <= 0.0;
    return !(turn(p, q, before) <= 0.0 && turn(p, after, q) <= 0.0);
}

/// Whether the segments ab and cd share a point.
static bool meet(const corner *a, const corner *b, const corner *c, const corner *d)
{
    if (fmax(a->x, b->x) < fmin(c->x, d->x) || fmax(c->x, d->x) < fmin(a->x, b->x)) return false;
    if (fmax(a->y, b->y) < fmin(c->y, d->y) || fmax(c->y, d->y) < fmin(a->y, b->y)) return false;
    const double abc = turn(a, b, c), abd = turn(a, b, d), cda = turn(c, d, a), cdb = turn(c, d, b);
    return !(abc > 0.0 && abd > 0.0) && !(abc < 0.0 && abd < 0.0) && !(cda > 0.0 && cdb > 0.0) &&
           !(cda < 0.0 && cdb < 0.0);
}

static bool sees(const filler *f, const corner *p, const corner *q)
{
    if (!starts_inside(f, p, q) || !starts_inside(f, q, p)) return false;
    for (int32_t k = 0; k < f->count; k++) {
        const corner *a = &f->corner[k], *b = &f->corner[a->after];
        if (same_place(a, p) || same_place(a, q) || same_place(b, p) || same_place(b, q)) continue;
        if (meet(p, q, a, b)) return false;
    }
    return true;
}

static double apart(const corner *p, const corner *q)
{
    return (p->x - q->x) * (p->x - q->x) + (p->y - q->y) * (p->y - q->y);
}

/// The nearest corner of the ring that corner `from` of a hole sees; the nearest of all if it sees none.
static int32_t bridge_end(const filler *f, int32_t ring, int32_t from)
{
    int32_t nearest = -1, last = -1;
    for (double beyond = -1.0;;) {  // each round looks at the next corner by distance, and corners have an order
        int32_t best = -1, k = ring;
        do {
            const double d     = apart(&f->corner[k], &f->corner[from]);
            const bool   later = d > beyond || (d == beyond && k > last);
            if (later && (best < 0 || d < apart(&f->corner[best], &f->corner[from]) ||
                          (d == apart(&f->corner[best], &f->corner[from]) && k < best)))
                best = k;
            k = f->corner[k].after;
        } while (k != ring);
        if (best < 0) return nearest;
        if (nearest < 0) nearest = best;
        if (sees(f, &f->corner[best], &f->corner[from])) return best;
        beyond = apart(&f->corner[best], &f->corner[from]);
        last   = best;
    }
}

static int32_t double_corner(filler *f, int32_t k)
{
    f->corner[f->count] = f->corner[k];
    return f->count++;
}

static void join_after(filler *f, int32_t a, int32_t b)
{
    f->corner[a].after  = b;
    f->corner[b].before = a;
}

/// p of the ring and q of the hole become two corners each, one on either side of the bridge.
static void build_bridge(filler *f, int32_t p, int32_t q)
{
    const int32_t p2 = double_corner(f, p), q2 = double_corner(f, q);
    const int32_t after_p = f->corner[p].after, before_q = f->corner[q].before;
    join_after(f, p, q);
    join_after(f, before_q, q2);
    join_after(f, q2, p2);
    join_after(f, p2, after_p);
}

static bool is_inside(const filler *f, int32_t ring, const corner *x)
{
    bool    inside = false;
    int32_t k      = ring;
    do {
        const corner *a = &f->corner[k], *b = &f->corner[a->after];
        if ((a->y > x->y) != (b->y > x->y) && x->x < a->x + (b->x - a->x) * (x->y - a->y) / (b->y - a->y))
            inside = !inside;
        k = a->after;
    } while (k != ring);
    return inside;
}

static void find_owners(filler *f)
{
    for (int32_t k = 0; k < f->loop_count; k++) {
        loop *hole = &f->loops[k];
        hole->into = k;
        if (hole->area > 0.0) continue;
        for (int32_t n = 0; n < f->loop_count; n++) {
            const loop *outer   = &f->loops[n];
            const bool  smaller = hole->into == k || outer->area < f->loops[hole->into].area;
            if (outer->area > 0.0 && smaller && is_inside(f, outer->any, &f->corner[hole->leftmost])) hole->into = n;
        }
    }
}

/// From left to right: what is to the left of a hole's leftmost corner is then already of the ring.
static mn_status join_holes(filler *f)
{
    find_owners(f);
    for (int32_t done = 0; done < f->loop_count; done++) {
        int32_t next = -1;
        for (int32_t k = 0; k < f->loop_count; k++)
            if (f->loops[k].into != k && f->loops[k].into >= 0 &&
                (next < 0 || f->corner[f->loops[k].leftmost].x < f->corner[f->loops[next].leftmost].x))
                next = k;
        if (next < 0) return MN_OK;
        MN_TRY(mn_check_interrupt(f->context, "the mesh of a solid"));
        loop *hole = &f->loops[next];
        build_bridge(f, bridge_end(f, f->loops[hole->into].any, hole->leftmost), hole->leftmost);
        hole->into = -1;  // is no loop any more
    }
    return MN_OK;
}

// ---- ears ----------------------------------------------------------------------------------------------------------

typedef enum care { CLEAN, FLAT_TOO, ANY } care;

static bool is_ear(const filler *f, const corner *b, care how)
{
    const corner *a = &f->corner[b->before], *c = &f->corner[b->after];
    if (how == ANY) return true;
    const double least = how == CLEAN ? f->flat : 0.0;
    if (!(turn(a, b, c) > least)) return false;
    const double low_x = fmin(a->x, fmin(b->x, c->x)), high_x = fmax(a->x, fmax(b->x, c->x));
    const double low_y = fmin(a->y, fmin(b->y, c->y)), high_y = fmax(a->y, fmax(b->y, c->y));
    for (const corner *p = &f->corner[c->after]; p != a; p = &f->corner[p->after]) {
        if (p->x < low_x || p->x > high_x || p->y < low_y || p->y > high_y) continue;
        if (same_place(p, a) || same_place(p, b) || same_place(p, c)) continue;
        const double ab = turn(a, b, p), bc = turn(b, c, p), ca = turn(c, a, p);
        if (how == CLEAN ? ab >= -f->flat && bc >= -f->flat && ca >= -f->flat : ab > 0.0 && bc > 0.0 && ca > 0.0)
            return false;
    }
    return true;
}

static mn_status clip_ring(filler *f, int32_t ring)
{
    int32_t left = 1, at = ring, stop = ring;
    care    how = CLEAN;
    for (int32_t k = f->corner[ring].after; k != ring; k = f->corner[k].after) left++;
    while (left >= 3) {
        const corner *b = &f->corner[at];
        if (left > 3 && !is_ear(f, b, how)) {
            at = b->after;
            if (at == stop) how++;
            continue;
        }
        MN_TRY(mn_check_interrupt(f->context, "the mesh of a solid"));
        int32_t *t = f->triangle[f->triangle_count++];
        t[0] = f->corner[b->before].point, t[1] = b->point, t[2] = f->corner[b->after].point;
        join_after(f, b->before, b->after);
        at = stop = f->corner[b->after].after;  // not the neighbour at once: fans make long triangles
        left--;
        if (how == ANY) how = FLAT_TOO;
    }
    return MN_OK;
}

// ---- all of it -----------------------------------------------------------------------------------------------------

static void take_loops(filler *f, const double (*point)[2], const int32_t *first)
{
    double size = 0.0;
    for (int32_t k = 0; k < f->loop_count; k++) {
        loop *l = &f->loops[k];
        l->any = l->leftmost = first[k];
        for (int32_t i = first[k]; i < first[k + 1]; i++) {
            f->corner[i] = (corner){ point[i][0], point[i][1], i, i - 1, i + 1 };
            if (point[i][0] < f->corner[l->leftmost].x) l->leftmost = i;
            size = fmax(size, fmax(fabs(point[i][0] - point[0][0]), fabs(point[i][1] - point[0][1])));
        }
        f->corner[first[k]].before        = first[k + 1] - 1;
        f->corner[first[k + 1] - 1].after = first[k];
        for (int32_t i = first[k] + 1; i + 1 < first[k + 1]; i++)
            l->area += turn(&f->corner[first[k]], &f->corner[i], &f->corner[i + 1]);
    }
    f->count = first[f->loop_count];
    f->flat  = FLAT * size * size;
}

static mn_status fill(filler *f, const double (*point)[2], const int32_t *first)
{
    take_loops(f, point, first);
    MN_TRY(join_holes(f));
    for (int32_t k = 0; k < f->loop_count; k++)
        if (f->loops[k].into == k) MN_TRY(clip_ring(f, f->loops[k].any));
    return MN_OK;
}

mn_status mn_polygon_fill(mn_context *c, const double (*point)[2], const int32_t *first, int32_t loops,
                          int32_t (**triangle)[3], int64_t *count)
{
    const int64_t corners = (int64_t)first[loops] + 2 * (int64_t)loops;
    filler        f       = { .context = c, .loop_count = loops };
    f.corner              = mn_alloc_array(c, corner, corners);
    f.loops               = mn_alloc_array(c, loop, loops);
    f.triangle            = mn_alloc(c, mn_array_bytes(corners, sizeof *f.triangle));
    mn_status status      = f.corner != NULL && f.loops != NULL && f.triangle != NULL ? fill(&f, point, first)
                                                                                      : MN_ERR_MEMORY;
    mn_free(c, f.corner);
    mn_free(c, f.loops);
    if (status != MN_OK) {
        mn_free(c, f.triangle);
        f.triangle = NULL;
    }
    *triangle = f.triangle;
    *count    = f.triangle_count;
    return status;
}
