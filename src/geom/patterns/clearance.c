// SPDX-License-Identifier: MPL-2.0
// geom/patterns/clearance.c - distances between segments and between strands.
#include "geom/patterns/clearance.h"

#include <stdbool.h>

static double clamp01(double t) { return fmin(1.0, fmax(0.0, t)); }

double mn_segment_distance(mn_vec3 a0, mn_vec3 a1, mn_vec3 b0, mn_vec3 b1)
{
    const mn_vec3 u = mn_sub3(a1, a0), v = mn_sub3(b1, b0), w = mn_sub3(a0, b0);
    const double  uu = mn_dot3(u, u), uv = mn_dot3(u, v), vv = mn_dot3(v, v), uw = mn_dot3(u, w), vw = mn_dot3(v, w);
    const double  det = uu * vv - uv * uv;
    // The nearest point of the first line, kept on its segment; of parallel ones any will do.
    double s = det > 1e-14 * uu * vv ? clamp01((uv * vw - vv * uw) / det) : 0.0;
    double t = vv > 0.0 ? (uv * s + vw) / vv : 0.0;
    if (!(t >= 0.0 && t <= 1.0)) {
        t = clamp01(t);
        s = uu > 0.0 ? clamp01((uv * t - uw) / uu) : 0.0;
    }
    const mn_vec3 gap = mn_add3(w, mn_sub3(mn_scale3(s, u), mn_scale3(t, v)));
    return mn_norm3(gap);
}

static int64_t segment_count(const mn_thin_mesh *m, int64_t strand)
{
    const int64_t vertices = m->strand_start[strand + 1] - m->strand_start[strand];
    return m->strand_closed[strand] ? vertices : vertices - 1;
}

static void segment_of(const mn_thin_mesh *m, int64_t strand, int64_t k, mn_vec3 out[2])
{
    const int64_t first = m->strand_start[strand], vertices = m->strand_start[strand + 1] - first;
    for (int end = 0; end < 2; end++) out[end] = mn_v3_from(m->vertex[m->strand_vertex[first + (k + end) % vertices]]);
}

/// Whether the boxes of two segments are farther apart than `limit` along an axis: no need to look closer.
static bool is_far(const mn_vec3 a[2], const mn_vec3 b[2], double limit)
{
    for (int axis = 0; axis < 3; axis++) {
        const double p = mn_get3(a[0], axis), q = mn_get3(a[1], axis), r = mn_get3(b[0], axis), s = mn_get3(b[1], axis);
        if (fmin(p, q) - fmax(r, s) > limit || fmin(r, s) - fmax(p, q) > limit) return true;
    }
    return false;
}

static double strand_length(const mn_thin_mesh *m, int64_t strand)
{
    double length = 0.0;
    for (int64_t k = 0; k < segment_count(m, strand); k++) {
        mn_vec3 a[2];
        segment_of(m, strand, k, a);
        length += mn_norm3(mn_sub3(a[1], a[0]));
    }
    return length;
}

/// Nearest that segment k of strand s comes to the segments behind it in the list of all.
static double clearance_of(const mn_thin_mesh *m, int64_t s, int64_t k, double around, double apart, double best)
{
    mn_vec3 a[2], b[2];
    segment_of(m, s, k, a);
    const double own = mn_norm3(mn_sub3(a[1], a[0]));
    for (int64_t other = s; other < m->strand_count; other++) {
        double along = 0.0;  // yarn between the two segments
        for (int64_t j = other == s ? k + 1 : 0; j < segment_count(m, other); j++) {
            segment_of(m, other, j, b);
            const double length = mn_norm3(mn_sub3(b[1], b[0]));
            // A closed yarn has two ways from one to the other.
            const double between = m->strand_closed[s] ? fmin(along, around - along - length - own) : along;
            along += length;
            if (other == s && between <= apart) continue;
            if (!is_far(a, b, best)) best = fmin(best, mn_segment_distance(a[0], a[1], b[0], b[1]));
        }
    }
    return best;
}

double mn_strand_clearance(const mn_thin_mesh *m, double apart, double most)
{
    double best = most;
    for (int64_t s = 0; s < m->strand_count; s++) {
        const double around = strand_length(m, s);
        for (int64_t k = 0; k < segment_count(m, s); k++) best = clearance_of(m, s, k, around, apart, best);
    }
    return best;
}
