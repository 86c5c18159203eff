// SPDX-License-Identifier: MPL-2.0
// geom/primitive.c - exact signed distances of the simple solids.
//
// Solids of revolution are evaluated in their half plane: r >= 0 from the axis, z along it from the centre. The profile
// gives the distance and its gradient (g.r, g.z) there, and the gradient is turned back into space.
#include "geom/primitive.h"

typedef struct half_plane {
    double r, z;
} half_plane;

static double box_at(const mn_primitive *p, mn_vec3 x, mn_vec3 *gradient)
{
    const mn_vec3 from = mn_sub3(x, p->center);
    const double  q[3] = { fabs(from.x) - p->half.x, fabs(from.y) - p->half.y, fabs(from.z) - p->half.z };
    const double  s[3] = { copysign(1.0, from.x), copysign(1.0, from.y), copysign(1.0, from.z) };
    int           most = 0;  // the side that is nearest from inside
    for (int a = 1; a < 3; a++)
        if (q[a] > q[most]) most = a;
    double g[3] = { 0.0, 0.0, 0.0 }, d = q[most];
    g[most] = s[most];
    if (q[most] > 0.0) {
        double out[3];
        for (int a = 0; a < 3; a++) out[a] = q[a] > 0.0 ? q[a] : 0.0;
        const double length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
        if (length > d) {  // beyond an edge or a corner
            d = length;
            for (int a = 0; a < 3; a++) g[a] = s[a] * out[a] / length;
        }
    }
    if (gradient != NULL) *gradient = mn_v3_from(g);
    return d;
}

static double round_at(half_plane x, half_plane center, double radius, half_plane *g)
{
    const double r = x.r - center.r, z = x.z - center.z, length = sqrt(r * r + z * z);
    *g = length > 0.0 ? (half_plane){ r / length, z / length } : (half_plane){ 1.0, 0.0 };
    return length - radius;
}

static double capsule_profile(const mn_primitive *p, half_plane x, half_plane *g)
{
    const double h = p->half_height;
    const double z = x.z > h ? h : x.z < -h ? -h : x.z;
    return round_at(x, (half_plane){ 0.0, z }, p->radius[0], g);
}

static double disc_profile(const mn_primitive *p, half_plane x, half_plane *g)
{
    if (x.r > p->radius[0]) return round_at(x, (half_plane){ p->radius[0], 0.0 }, 0.0, g);
    *g = (half_plane){ 0.0, copysign(1.0, x.z) };
    return fabs(x.z);
}

/// Distance to the segment from a to b, whose outward normal is n; *g grows away from the segment on the side of x.
/// Between the ends the result is signed by the side of n.
static double segment_at(half_plane x, half_plane a, half_plane b, half_plane n, half_plane *g)
{
    const half_plane e = { b.r - a.r, b.z - a.z }, f = { x.r - a.r, x.z - a.z };
    const double     t = (f.r * e.r + f.z * e.z) / (e.r * e.r + e.z * e.z);
    if (t > 0.0 && t < 1.0) {
        *g = n;
        return f.r * n.r + f.z * n.z;
    }
    const half_plane end = t <= 0.0 ? a : b;
    if (x.r == end.r && x.z == end.z) {
        *g = n;
        return 0.0;
    }
    return round_at(x, end, 0.0, g);
}

/// Cylinder and cone: the convex figure between the axis, two lids and the side.
static double frustum_profile(const mn_primitive *p, half_plane x, half_plane *g)
{
    const double h = p->half_height, low = p->radius[0], high = p->kind == MN_SHAPE_CONE ? p->radius[1] : p->radius[0];
    const double slant      = sqrt((high - low) * (high - low) + 4.0 * h * h);
    const half_plane normal = { 2.0 * h / slant, (low - high) / slant };
    const double     side = (x.r - low) * normal.r + (x.z + h) * normal.z, lid = fabs(x.z) - h;
    const double     end = x.z > 0.0 ? high : low, up = copysign(1.0, x.z);

    if (side <= 0.0 && lid <= 0.0) {  // inside a convex figure the nearest side decides
        *g = side > lid ? normal : (half_plane){ 0.0, up };
        return side > lid ? side : lid;
    }
    if (lid >= 0.0 && x.r <= end) {
        *g = (half_plane){ 0.0, up };
        return lid;
    }
    return segment_at(x, (half_plane){ low, -h }, (half_plane){ high, h }, normal, g);
}

static double profile_at(const mn_primitive *p, half_plane x, half_plane *g)
{
    switch (p->kind) {
    case MN_SHAPE_CAPSULE: return capsule_profile(p, x, g);
    case MN_SHAPE_TORUS: return round_at(x, (half_plane){ p->radius[0], 0.0 }, p->radius[1], g);
    case MN_SHAPE_DISC: return disc_profile(p, x, g);
    default: return frustum_profile(p, x, g);
    }
}

static double revolved_at(const mn_primitive *p, mn_vec3 x, mn_vec3 *gradient)
{
    const mn_vec3 from   = mn_sub3(x, p->center);
    const double  z      = mn_dot3(from, p->axis);
    const mn_vec3 radial = mn_sub3(from, mn_scale3(z, p->axis));
    const double  r      = mn_norm3(radial);
    half_plane    g;
    const double  d = profile_at(p, (half_plane){ r, z }, &g);
    if (gradient != NULL) {
        const mn_vec3 outward = r > 0.0 ? mn_scale3(1.0 / r, radial) : p->across;
        *gradient             = mn_add3(mn_scale3(g.r, outward), mn_scale3(g.z, p->axis));
    }
    return d;
}

double mn_primitive_at(const mn_primitive *p, mn_vec3 x, mn_vec3 *gradient)
{
    switch (p->kind) {
    case MN_SHAPE_BOX: return box_at(p, x, gradient);
    case MN_SHAPE_PLANE:
        if (gradient != NULL) *gradient = p->axis;
        return mn_dot3(mn_sub3(x, p->center), p->axis);
    case MN_SHAPE_SPHERE: {
        const mn_vec3 from = mn_sub3(x, p->center);
        const double  r    = mn_norm3(from);
        if (gradient != NULL) *gradient = r > 0.0 ? mn_scale3(1.0 / r, from) : p->axis;
        return r - p->radius[0];
    }
    default: return revolved_at(p, x, gradient);
    }
}

/// Half the extent along a direction whose cosine with the axis is `along`.
static void extent(const mn_primitive *p, double along, double *low, double *high)
{
    const double across = sqrt(fmax(0.0, 1.0 - along * along)), end = p->half_height * along;
    switch (p->kind) {
    case MN_SHAPE_SPHERE: *high = p->radius[0]; break;
    case MN_SHAPE_CAPSULE: *high = fabs(end) + p->radius[0]; break;
    case MN_SHAPE_CYLINDER: *high = fabs(end) + p->radius[0] * across; break;
    case MN_SHAPE_TORUS: *high = p->radius[0] * across + p->radius[1]; break;
    case MN_SHAPE_DISC: *high = p->radius[0] * across; break;
    case MN_SHAPE_CONE:
        *high = fmax(p->radius[0] * across - end, p->radius[1] * across + end);
        *low  = fmin(-p->radius[0] * across - end, -p->radius[1] * across + end);
        return;
    default: *high = INFINITY; break;
    }
    *low = -*high;
}

void mn_primitive_bounds(const mn_primitive *p, mn_vec3 *low, mn_vec3 *high)
{
    if (p->kind == MN_SHAPE_BOX) {
        *low  = mn_sub3(p->center, p->half);
        *high = mn_add3(p->center, p->half);
        return;
    }
    double l[3], h[3];
    for (int a = 0; a < 3; a++) extent(p, mn_get3(p->axis, a), &l[a], &h[a]);
    *low  = mn_add3(p->center, mn_v3_from(l));
    *high = mn_add3(p->center, mn_v3_from(h));
}
