// SPDX-License-Identifier: MPL-2.0
// grid/solid/solid_points.c - distance to solids at points, and bringing points out of them.
#include "grid/solid/solid_private.h"

/// Points that are looked at together when asking whether a solid is near.
#define GROUP 64
/// Most solids near a group that are picked out; where there are more, all are asked.
#define MAX_NEAR 8
/// One push settles a point at a wall, two or three in a corner; round and many-sided places converge by a factor a
/// push.
#define MAX_PUSHES 32

/// The place of x in the cell of the periodic world that is centred at the solid.
static mn_vec3 nearest_image(const mn_solid *s, mn_vec3 x)
{
    double low[3], high[3], p[3] = { x.x, x.y, x.z };
    mn_shape_bounds(s->shape, low, high);
    for (int a = 0; a < 3; a++)
        if (!isfinite(low[a]) || !isfinite(high[a])) return x;
    const mn_vec3 middle = mn_pose_point(&s->pose, mn_scale3(0.5, mn_add3(mn_v3_from(low), mn_v3_from(high))));
    for (int a = 0; a < 3; a++)
        if (s->period[a] > 0.0) p[a] -= s->period[a] * round((p[a] - mn_get3(middle, a)) / s->period[a]);
    return mn_v3_from(p);
}

static bool is_periodic(const mn_solid *s) { return s->period[0] > 0.0 || s->period[1] > 0.0 || s->period[2] > 0.0; }

mn_vec3 mn_solid_rest(const mn_solid *s, mn_vec3 x)
{
    return mn_pose_rest(&s->pose, is_periodic(s) ? nearest_image(s, x) : x);
}

mn_vec3 mn_solid_velocity(const mn_solid *s, mn_vec3 x)
{
    if (!s->moving) return mn_v3(0, 0, 0);
    return mn_pose_velocity(&s->pose, is_periodic(s) ? nearest_image(s, x) : x);
}

bool mn_solids_move(mn_solids solids)
{
    for (int k = 0; k < solids.count; k++)
        if (solids.list[k].moving) return true;
    return false;
}

/// Smallest distance and whose it is; solids that are certainly farther than `enough` may be passed over.
static double nearest_solid(mn_solids solids, mn_vec3 x, double enough, int *which)
{
    double least = INFINITY;
    *which       = -1;
    for (int k = 0; k < solids.count; k++) {
        const mn_vec3 rest = mn_solid_rest(&solids.list[k], x);
        if (mn_shape_signed_bound(solids.list[k].shape, rest) > (least < enough ? least : enough)) continue;
        const double d = mn_shape_at(solids.list[k].shape, rest);
        if (d < least) {
            least  = d;
            *which = k;
        }
    }
    return least;
}

static mn_vec3 normal_of(const mn_solid *s, mn_vec3 x)
{
    mn_vec3 g;
    mn_shape_normal(s->shape, mn_solid_rest(s, x), &g);
    const mn_vec3 n = mn_mul3(s->pose.rotation, g);
    return s->flat ? mn_unit3(mn_v3(n.x, n.y, 0.0), mn_v3(0, 1, 0)) : n;
}

double mn_solids_distance(mn_solids solids, mn_vec3 x, mn_vec3 *normal, int *which)
{
    int          best;
    const double d = nearest_solid(solids, x, INFINITY, &best);
    if (which != NULL) *which = best;
    if (normal != NULL) *normal = best >= 0 ? normal_of(&solids.list[best], x) : mn_v3(0, 1, 0);
    return d;
}

/// The shortest way that gains `way` along n without giving up what was gained along `last`: in a corner of two walls,
/// along the first one. Two pushes settle a corner of any angle but the sharpest.
static mn_vec3 push_along(mn_vec3 n, double way, mn_vec3 last)
{
    const double c = mn_dot3(n, last), room = 1.0 - c * c;
    if (c >= 0.0 || room < 1e-4) return mn_scale3(way, n);
    return mn_scale3(way / room, mn_sub3(n, mn_scale3(c, last)));
}

bool mn_solids_push_out(mn_solids solids, double stand_off, mn_vec3 *x)
{
    const double goal = stand_off * (1.0 + 1e-6);  // a hair more, so that rounding asks for no further push
    mn_vec3      last = { 0.0, 0.0, 0.0 };
    for (int push = 0; push < MAX_PUSHES; push++) {
        int          which;
        const double d = nearest_solid(solids, *x, stand_off, &which);
        if (!(d < stand_off)) return true;
        const mn_vec3 n = normal_of(&solids.list[which], *x);
        *x              = mn_add3(*x, push_along(n, goal - d, last));
        last            = n;
    }
    int which;
    return !(nearest_solid(solids, *x, stand_off, &which) < stand_off);
}

typedef struct push_job {
    mn_solids      solids;
    double         stand_off;
    double *const *x;
} push_job;

/// Some points that are neighbours: their middle, and how far they reach from it.
typedef struct point_group {
    int64_t begin, end;
    mn_vec3 center;
    double  radius;
} point_group;

static point_group group_of(const push_job *job, int64_t begin, int64_t end)
{
    double low[3], high[3];
    for (int a = 0; a < 3; a++) {
        low[a] = high[a] = job->x[a][begin];
        for (int64_t i = begin + 1; i < end; i++) {
            const double v = job->x[a][i];
            low[a]         = v < low[a] ? v : low[a];
            high[a]        = v > high[a] ? v : high[a];
        }
    }
    const mn_vec3 half = mn_scale3(0.5, mn_sub3(mn_v3_from(high), mn_v3_from(low)));
    return (point_group){ begin, end, mn_scale3(0.5, mn_add3(mn_v3_from(low), mn_v3_from(high))),
                          mn_norm3(half) * (1.0 + 1e-9) };
}

/// Whether the points of a group may have different images of a solid as their nearest ones.
static bool straddles(const mn_solid *s, const point_group *g)
{
    if (!is_periodic(s)) return false;
    double low[3], high[3];
    mn_shape_bounds(s->shape, low, high);
    const mn_vec3 middle = mn_pose_point(&s->pose, mn_scale3(0.5, mn_add3(mn_v3_from(low), mn_v3_from(high))));
    const mn_vec3 x      = nearest_image(s, g->center);
    for (int a = 0; a < 3; a++)
        if (s->period[a] > 0.0 && fabs(mn_get3(x, a) - mn_get3(middle, a)) + g->radius > 0.5 * s->period[a])
            return true;
    return false;
}

/// The solids that some point of the group may be too close to. Returns how many; more than MAX_NEAR: all must be
/// asked.
static int solids_near(const push_job *job, const point_group *g, mn_solid near[MAX_NEAR])
{
    int count = 0;
    for (int k = 0; k < job->solids.count; k++) {
        const mn_solid *s   = &job->solids.list[k];
        const bool      far = mn_shape_signed_bound(s->shape, mn_solid_rest(s, g->center)) - job->stand_off > g->radius;
        if (far && !straddles(s, g)) continue;
        if (count < MAX_NEAR) near[count] = *s;
        count++;
    }
    return count;
}

/// Push the points of a group out of all solids, once those near it say that one is too close. Returns how many are
/// stuck.
static int64_t push_group(const push_job *job, const point_group *g)
{
    mn_solid        some[MAX_NEAR];
    const int       found = solids_near(job, g, some);
    const mn_solids near  = found <= MAX_NEAR ? (mn_solids){ some, found } : job->solids;
    int64_t         stuck = 0;
    for (int64_t i = g->begin; i < g->end && found > 0; i++) {
        mn_vec3 x = mn_v3(job->x[0][i], job->x[1][i], job->x[2][i]);
        int     which;
        if (!(nearest_solid(near, x, job->stand_off, &which) < job->stand_off)) continue;
        stuck += !mn_solids_push_out(job->solids, job->stand_off, &x);
        job->x[0][i] = x.x;
        job->x[1][i] = x.y;
        job->x[2][i] = x.z;
    }
    return stuck;
}

static double push_range(int64_t begin, int64_t end, void *context)
{
    const push_job *job   = context;
    int64_t         stuck = 0;
    for (int64_t at = begin; at < end; at += GROUP) {
        const point_group g = group_of(job, at, at + GROUP < end ? at + GROUP : end);
        stuck += push_group(job, &g);
    }
    return (double)stuck;
}

int64_t mn_solids_push_out_particles(mn_pool *pool, mn_solids solids, double stand_off, double *const x[3], int64_t n)
{
    push_job job = { solids, stand_off, x };
    return solids.count > 0 ? (int64_t)mn_parallel_sum(pool, n, push_range, &job) : 0;
}
