// SPDX-License-Identifier: MPL-2.0
// stain/surface_measure.c - lengths, areas and angles of a cloth, and the rotations that carry vectors (stain 5.2).
#include "stain/surface.h"

void mn_stain_gradients(const mn_stain_vec corner[3], mn_stain_vec gradient[3])
{
    const double ax = corner[1].x - corner[0].x, ay = corner[1].y - corner[0].y, bx = corner[2].x - corner[0].x,
                 by    = corner[2].y - corner[0].y;
    const double twice = ax * by - ay * bx;
    for (int k = 0; k < 3; k++) {  // a quarter turn of the opposite side over twice the area
        const mn_stain_vec p = corner[(k + 1) % 3], q = corner[(k + 2) % 3];
        gradient[k] = (mn_stain_vec){ (p.y - q.y) / twice, (q.x - p.x) / twice };
    }
}

static double tip_angle(const mn_stain_vec corner[3], int k)
{
    const mn_stain_vec o = corner[k], p = corner[(k + 1) % 3], q = corner[(k + 2) % 3];
    const double       ax = p.x - o.x, ay = p.y - o.y, bx = q.x - o.x, by = q.y - o.y;
    return atan2(ax * by - ay * bx, ax * bx + ay * by);
}

static mn_status lay_flat(mn_stain_surface *s, const mn_vec3 *x)
{
    for (int64_t v = 0; v < s->vertex_count; v++) s->area[v] = 0.0;
    for (int64_t t = 0; t < s->triangle_count; t++) {
        const int32_t *v = s->triangle[t];
        const mn_vec3  a = mn_sub3(x[v[1]], x[v[0]]), b = mn_sub3(x[v[2]], x[v[0]]);
        const double   length = mn_norm3(a), twice = mn_norm3(mn_cross3(a, b));
        // Against the longest side, so that the test does not depend on units.
        const double longest = fmax(fmax(mn_dot3(a, a), mn_dot3(b, b)), mn_dot3(mn_sub3(a, b), mn_sub3(a, b)));
        if (!(twice > 1e-10 * longest))
            return mn_fail(s->context, MN_ERR_ARGUMENT, "triangle %lld of a cloth has no area", (long long)t);
        s->corner[t][0]     = (mn_stain_vec){ 0.0, 0.0 };
        s->corner[t][1]     = (mn_stain_vec){ length, 0.0 };
        s->corner[t][2]     = (mn_stain_vec){ mn_dot3(a, b) / length, twice / length };
        s->triangle_area[t] = 0.5 * twice;
        for (int k = 0; k < 3; k++) s->area[v[k]] += twice / 6.0;
    }
    return MN_OK;
}

/// Directions of the edges of a ring: tips laid side by side, stretched to a full turn inside the cloth.
static void spread_ring(mn_stain_surface *s, int64_t v)
{
    const int32_t from = s->edges.start[v], to = s->edges.start[v + 1];
    double        sum = 0.0;
    for (int32_t i = from; i < to; i++) {
        const int32_t k  = s->ring_corner[i];
        s->ring_angle[i] = sum;
        if (k >= 0) sum += tip_angle(s->corner[k / 3], k % 3);
    }
    const double scale = s->rim[v] ? 1.0 : 2.0 * MN_PI / sum;
    for (int32_t i = from; i < to; i++) s->ring_angle[i] *= scale;
    for (int32_t i = from; i < to; i++) {
        const int32_t k = s->ring_corner[i];
        if (k < 0) continue;
        const mn_stain_vec *p = s->corner[k / 3], o = p[k % 3], q = p[(k % 3 + 1) % 3];
        const double        half     = 0.5 * tip_angle(p, k % 3);
        s->corner_turn[k / 3][k % 3] = mn_stain_turn_by(atan2(q.y - o.y, q.x - o.x) + half -
                                                        (s->ring_angle[i] + scale * half));
    }
    s->tangent[v] = (mn_stain_vec){ 0.0, 0.0 };
    if (!s->rim[v]) return;
    // Halfway between the outgoing rim edge and the continuation of the incoming one.
    const double along = 0.5 * (s->ring_angle[from] + s->ring_angle[to - 1] - MN_PI);
    s->tangent[v]      = (mn_stain_vec){ cos(along), sin(along) };
}

/// Borders between cells: in each triangle from the middle of an edge to the centroid. Velocities of the two ends are
/// averaged there.
static void measure_faces(mn_stain_surface *s)
{
    for (int64_t e = 0; e < s->edges.count; e++) s->face[e][0] = s->face[e][1] = (mn_stain_vec){ 0.0, 0.0 };
    for (int64_t t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const mn_stain_vec *p = s->corner[t], a = p[k], b = p[(k + 1) % 3], c = p[(k + 2) % 3];
            const int32_t       e = s->edge_of[t][k], i = s->triangle[t][k] == s->edges.end[e][0] ? 0 : 1;
            // The segment turned clockwise points from a to b; half of it for each end's velocity.
            const mn_stain_vec step   = { c.x / 3.0 - (a.x + b.x) / 6.0, c.y / 3.0 - (a.y + b.y) / 6.0 };
            const double       sign   = i == 0 ? 0.5 : -0.5;
            const mn_stain_vec normal = { sign * step.y, -sign * step.x };
            const mn_stain_vec from   = mn_stain_turned_back(s->corner_turn[t][k], normal),
                               to     = mn_stain_turned_back(s->corner_turn[t][(k + 1) % 3], normal);
            s->face[e][i].x += from.x, s->face[e][i].y += from.y;
            s->face[e][1 - i].x += to.x, s->face[e][1 - i].y += to.y;
        }
}

mn_status mn_stain_surface_measure(mn_stain_surface *s, const mn_vec3 *x)
{
    MN_TRY(lay_flat(s, x));
    for (int64_t v = 0; v < s->vertex_count; v++) spread_ring(s, v);
    measure_faces(s);
    for (int64_t e = 0; e < s->edges.count; e++) s->turn[e] = (mn_stain_turn){ MN_PI, 0.0 };
    for (int64_t v = 0; v < s->vertex_count; v++)
        for (int32_t i = s->edges.start[v]; i < s->edges.start[v + 1]; i++) {
            const int32_t k = s->edges.around[i];
            if (k % 2 == 0) s->turn[k / 2].c += s->ring_angle[i];  // alpha_ij + pi, and below - alpha_ji
            else s->turn[k / 2].s = s->ring_angle[i];
        }
    for (int64_t e = 0; e < s->edges.count; e++) s->turn[e] = mn_stain_turn_by(s->turn[e].c - s->turn[e].s);
    return MN_OK;
}

mn_stain_vec mn_stain_ring_gradient(const mn_stain_surface *s, const double *mass, int64_t v, double *area)
{
    mn_stain_vec sum = { 0.0, 0.0 };
    *area            = 0.0;
    for (int32_t i = s->edges.start[v]; i < s->edges.start[v + 1]; i++) {
        const int32_t k = s->ring_corner[i];
        if (k < 0) continue;
        mn_stain_vec g[3], d = { 0.0, 0.0 };
        mn_stain_gradients(s->corner[k / 3], g);
        for (int n = 0; n < 3; n++) {
            const int32_t w = s->triangle[k / 3][n];
            d.x += g[n].x * mass[w] / s->area[w], d.y += g[n].y * mass[w] / s->area[w];
        }
        d = mn_stain_turned_back(s->corner_turn[k / 3][k % 3], d);
        sum.x += s->triangle_area[k / 3] * d.x, sum.y += s->triangle_area[k / 3] * d.y;
        *area += s->triangle_area[k / 3];
    }
    return sum;
}
