// SPDX-License-Identifier: MPL-2.0
// stain/walk.c - straight ways over a cloth: from triangle to triangle, each laid into the plane of the one before.
#include "stain/velocity.h"

/// Triangles that one way may cross; a way that needs more ends there.
#define MOST_TRIANGLES 10000

/// Where the way is, in barycentric coordinates, and what is left of it, in the frame of the triangle.
typedef struct walker {
    const mn_stain_surface *s;
    int32_t                 triangle;
    double                  at[3];
    mn_stain_vec            way;
    mn_stain_turn           turn;
} walker;

static double       length(mn_stain_vec a) { return sqrt(a.x * a.x + a.y * a.y); }
static mn_stain_vec difference(mn_stain_vec a, mn_stain_vec b) { return (mn_stain_vec){ a.x - b.x, a.y - b.y }; }

/// The rotation that takes direction a to direction b.
static mn_stain_turn turn_between(mn_stain_vec a, mn_stain_vec b)
{
    const double c = a.x * b.x + a.y * b.y, s = a.x * b.y - a.y * b.x, n = sqrt(c * c + s * s);
    return (mn_stain_turn){ c / n, s / n };
}

/// Change of the barycentric coordinates along the way.
static void slopes(const walker *w, double change[3])
{
    mn_stain_vec g[3];
    mn_stain_gradients(w->s->corner[w->triangle], g);
    for (int k = 0; k < 3; k++) change[k] = g[k].x * w->way.x + g[k].y * w->way.y;
}

/// Go on as far as the triangle reaches. The side that stops the way, or -1 at its end.
static int cross(walker *w)
{
    double change[3], part = 1.0;
    int    corner = -1;
    slopes(w, change);
    for (int k = 0; k < 3; k++) {
        if (w->at[k] + change[k] >= 0.0 || change[k] >= 0.0) continue;
        const double t = w->at[k] / -change[k];
        if (corner < 0 || t < part) part = t, corner = k;
    }
    for (int k = 0; k < 3; k++) w->at[k] = fmax(w->at[k] + part * change[k], 0.0);
    if (corner >= 0) w->at[corner] = 0.0;
    w->way = (mn_stain_vec){ (1.0 - part) * w->way.x, (1.0 - part) * w->way.y };
    return corner < 0 ? -1 : (corner + 1) % 3;
}

/// Into the triangle beyond a side.
static void enter(walker *w, int side, int32_t beyond)
{
    const mn_stain_vec *p = w->s->corner[w->triangle], *q = w->s->corner[beyond / 3];
    const int           a = side, b = (side + 1) % 3, c = beyond % 3, d = (beyond % 3 + 1) % 3;
    const mn_stain_turn r    = turn_between(difference(p[b], p[a]), difference(q[c], q[d]));
    const double        at_a = w->at[a], at_b = w->at[b];
    w->at[c]                    = at_b;
    w->at[d]                    = at_a;
    w->at[(beyond % 3 + 2) % 3] = 0.0;
    w->way                      = mn_stain_turned(r, w->way);
    w->turn                     = mn_stain_turn_join(r, w->turn);
    w->triangle                 = beyond / 3;
}

/// What is left of the way goes along a side at the rim, at most to its end.
static void slide(walker *w, int side)
{
    const mn_stain_vec *p = w->s->corner[w->triangle], e = difference(p[(side + 1) % 3], p[side]);
    const double        size = length(e), part = (w->way.x * e.x + w->way.y * e.y) / (size * size);
    const double        to = fmin(fmax(w->at[(side + 1) % 3] + part, 0.0), 1.0 - w->at[(side + 2) % 3]);
    w->at[side]            = 1.0 - w->at[(side + 2) % 3] - to;
    w->at[(side + 1) % 3]  = to;
    w->way                 = (mn_stain_vec){ 0.0, 0.0 };
}

/// The corner of the ring into which a direction points, with the way in the triangle's frame. At the rim a direction
/// that points out of the cloth is taken along the nearer side.
static walker begin(const mn_stain_surface *s, int64_t v, mn_stain_vec way)
{
    const int32_t from = s->edges.start[v], to = s->edges.start[v + 1];
    double        angle = atan2(way.y, way.x), size = length(way);
    if (angle < 0.0) angle += 2.0 * MN_PI;
    int32_t i = from;
    while (i + 1 < to && s->ring_angle[i + 1] <= angle) i++;
    if (s->ring_corner[i] < 0) {
        const double past = angle - s->ring_angle[i], before = 2.0 * MN_PI - angle;
        if (before < past) i = from, angle = 0.0, size *= fmax(cos(before), 0.0);
        else i = to - 2, angle = s->ring_angle[to - 1], size *= fmax(cos(past), 0.0);
    }
    const int32_t       k = s->ring_corner[i];
    const mn_stain_vec *p = s->corner[k / 3], o = p[k % 3], e = difference(p[(k % 3 + 1) % 3], o),
                       f       = difference(p[(k % 3 + 2) % 3], o);
    const double        tip    = atan2(e.x * f.y - e.y * f.x, e.x * f.x + e.y * f.y);
    const double        next   = i + 1 < to ? s->ring_angle[i + 1] : 2.0 * MN_PI;
    const double        across = (angle - s->ring_angle[i]) / (next - s->ring_angle[i]) * tip;  // the ring, unscaled
    const mn_stain_turn r      = mn_stain_turn_by(across);
    const double        e_size = length(e);
    walker              w      = { .s        = s,
                                   .triangle = k / 3,
                                   .way = mn_stain_turned(r, (mn_stain_vec){ e.x / e_size * size, e.y / e_size * size }) };
    w.at[k % 3]                = 1.0;
    // As everywhere in this triangle, not by the direction of the way: on a curved cloth that differs from corner to
    // corner, and a field that goes nowhere would turn a little in every step.
    w.turn = s->corner_turn[k / 3][k % 3];
    return w;
}

mn_stain_place mn_stain_walk(const mn_stain_surface *s, int64_t v, mn_stain_vec way)
{
    walker w = begin(s, v, way);
    for (int k = 0; k < MOST_TRIANGLES; k++) {
        const int side = cross(&w);
        if (side < 0) break;
        const int32_t beyond = s->across[w.triangle][side];
        if (beyond < 0) {
            slide(&w, side);
            break;
        }
        enter(&w, side, beyond);
    }
    const double sum = w.at[0] + w.at[1] + w.at[2];
    return (mn_stain_place){ w.triangle, { w.at[0] / sum, w.at[1] / sum, w.at[2] / sum }, w.turn };
}
