// SPDX-License-Identifier: MPL-2.0
// liquid/source.c - streams: layers of particles through the cross-section of a shape.
//
// A layer leaves whenever the stream has travelled one sub-cell: layer k at time begin + k spacing / speed. The layers
// of a step follow from its times alone, so a stream needs no state. A layer is the lattice of sub-cells inside the
// cross-section; its particles share rate * spacing / speed of liquid, so that the rate is met exactly whatever the
// lattice makes of the outline. A rate below what the velocity carries narrows the stream, as a real jet would.
#include "base/random.h"

#include "base/ids.h"
#include "geom/motion.h"
#include "geom/shape.h"
#include "liquid/liquid.h"

static double spacing_of(const mn_liquid_model *m) { return m->grid.cell / m->per_axis; }

/// Whether the point of the plane lies in the narrowed cross-section. A disc is flat: its inside is distance 0, and
/// what lies askew is seen along the velocity.
static bool inside(const mn_liquid_stream *s, double a, double b, double spacing)
{
    const mn_vec3 off  = mn_add3(mn_scale3(a / s->contraction, s->side[0]), mn_scale3(b / s->contraction, s->side[1]));
    const mn_vec3 seen = mn_sub3(off, mn_scale3(mn_dot3(off, s->slant), s->velocity));
    return mn_shape_at(s->shape, mn_add3(s->center, seen)) <= 1e-9 * spacing;
}

typedef void point_fn(double a, double b, void *context);

/// Sub-cells of the rectangle around a cross-section: each is looked at in every layer.
#define LAYER_MOST 1e7

static mn_status check_width(mn_context *c, const mn_liquid_model *m, const char *name, const mn_liquid_stream *s)
{
    const double h = spacing_of(m), across = m->grid.dimension == 2 ? 0.0 : s->reach[1];
    if ((2.0 * s->reach[0] / h + 3.0) * (2.0 * across / h + 3.0) <= LAYER_MOST) return MN_OK;
    return mn_fail(c, MN_ERR_ARGUMENT,
                   "source '%s': its shape is %g cm wide, and its liquid would come in layers of more than %g "
                   "particles that are %g cm apart; make the shape smaller or the cells larger",
                   name, 2.0 * fmax(s->reach[0], across), LAYER_MOST, h);
}

static int64_t for_each_point(const mn_liquid_model *m, const mn_liquid_stream *s, point_fn *fn, void *context)
{
    const double  h       = spacing_of(m);
    const int64_t reach_a = (int64_t)ceil(s->reach[0] / h) + 1,
                  reach_b = m->grid.dimension == 2 ? 0 : (int64_t)ceil(s->reach[1] / h) + 1;
    int64_t count         = 0;
    for (int64_t j = -reach_b; j <= reach_b; j++)
        for (int64_t i = -reach_a; i <= reach_a; i++) {
            // Half a spacing off the axis, so that a thin stream has points on both sides of it.
            const double a = ((double)i + 0.5) * h, b = m->grid.dimension == 2 ? 0.0 : ((double)j + 0.5) * h;
            if (!inside(s, a, b, h)) continue;
            if (fn != NULL) fn(a, b, context);
            count++;
        }
    return count;
}

// --- the area of the cross-section -----------------------------------------------------------------------------------

/// Points along a row, and rows: the ends of rows are found between points, the ends of the figure between rows.
#define AREA_POINTS   500
#define AREA_HALVINGS 40

/// Where along a row the outline lies, between a place inside and one outside.
static double outline_along(const mn_liquid_stream *s, double b, double in, double out, double spacing)
{
    for (int k = 0; k < AREA_HALVINGS; k++) {
        const double middle = 0.5 * (in + out);
        if (inside(s, middle, b, spacing)) in = middle;
        else out = middle;
    }
    return 0.5 * (in + out);
}

/// Length of what a row across the figure holds of it.
static double row_length(const mn_liquid_stream *s, double b, double spacing)
{
    const double step   = 2.0 * s->reach[0] / AREA_POINTS;
    double       length = 0.0, from = 0.0, before = -s->reach[0] - step;  // surely outside
    bool         was = false;
    for (int k = 0; k <= AREA_POINTS; k++) {
        const double a  = k < AREA_POINTS ? -s->reach[0] + (k + 0.5) * step : s->reach[0] + step;
        const bool   is = k < AREA_POINTS && inside(s, a, b, spacing);
        if (is && !was) from = outline_along(s, b, a, before, spacing);
        if (!is && was) length += outline_along(s, b, before, a, spacing) - from;
        was    = is;
        before = a;
    }
    return length;
}

/// The end of the figure across its rows, between a row that meets it and one that does not.
static double outline_across(const mn_liquid_stream *s, double in, double out, double spacing)
{
    for (int k = 0; k < AREA_HALVINGS; k++) {
        const double middle = 0.5 * (in + out);
        if (row_length(s, middle, spacing) > 0.0) in = middle;
        else out = middle;
    }
    return 0.5 * (in + out);
}

/// Area of the cross-section: the lengths of rows by the midpoint rule, from one end of the figure to the other, so
/// that a rectangle along the rows is exact. In 2D one row is all of it.
static double area_of(const mn_liquid_model *m, const mn_liquid_stream *s)
{
    const double h = spacing_of(m), step = 2.0 * s->reach[1] / AREA_POINTS;
    if (m->grid.dimension == 2) return row_length(s, 0.0, h) * m->grid.depth;
    double first = INFINITY, last = -INFINITY, sum = 0.0;
    for (int k = 0; k < AREA_POINTS; k++) {
        const double b = -s->reach[1] + (k + 0.5) * step;
        if (!(row_length(s, b, h) > 0.0)) continue;
        first = fmin(first, b);
        last  = fmax(last, b);
    }
    if (!isfinite(first)) return 0.0;
    const double low = outline_across(s, first, first - step, h), high = outline_across(s, last, last + step, h);
    for (int k = 0; k < AREA_POINTS; k++) sum += row_length(s, low + (k + 0.5) * (high - low) / AREA_POINTS, h);
    return sum * (high - low) / AREA_POINTS;
}

// --- the plane of the stream -----------------------------------------------------------------------------------------

/// Half of the shape's extent along a direction; in 2D in the plane alone, where a shape is cut.
static double reach_along(const mn_liquid_model *m, const double low[3], const double high[3], mn_vec3 side)
{
    double reach = 0.0;
    for (int a = 0; a < m->grid.dimension; a++) reach += 0.5 * fabs(mn_get3(side, a)) * (high[a] - low[a]);
    return reach;
}

/// Cosine between velocity and axis of a disc below which it is seen from its edge.
#define EDGE_ON 1e-3

/// How a disc is seen along the velocity. In 2D one in the plane of the world is cut as a ball would be.
static mn_status face_disc(mn_context *c, const mn_liquid_model *m, const char *name, mn_liquid_stream *s)
{
    mn_vec3 axis;
    s->slant = mn_v3(0, 0, 0);
    if (mn_shape_kind_of(s->shape) != MN_SHAPE_DISC) return MN_OK;
    mn_shape_normal(s->shape, s->center, &axis);
    const double speed = mn_norm3(s->velocity), cosine = mn_dot3(axis, s->velocity) / speed;
    if (1.0 - fabs(cosine) < 1e-12 || (m->grid.dimension == 2 && fabs(axis.z) > 1.0 - 1e-12)) return MN_OK;
    if (fabs(cosine) < EDGE_ON)
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "source '%s': its velocity (%g, %g, %g) runs along the plane of its disc, whose axis is (%g, "
                       "%g, %g), so that nothing passes "
                       "through. Turn the axis of the disc towards the velocity",
                       name, s->velocity.x, s->velocity.y, s->velocity.z, axis.x, axis.y, axis.z);
    s->slant = mn_scale3(1.0 / (cosine * speed), axis);
    return MN_OK;
}

static mn_status find_plane(mn_context *c, const mn_liquid_model *m, const char *name, mn_liquid_stream *s)
{
    const double speed = mn_norm3(s->velocity);
    if (!(speed > 0.0)) return mn_fail(c, MN_ERR_ARGUMENT, "source '%s' needs a velocity", name);
    double low[3], high[3];
    mn_shape_bounds(s->shape, low, high);
    s->center = mn_scale3(0.5, mn_add3(mn_v3_from(low), mn_v3_from(high)));
    if (!isfinite(mn_norm3(mn_sub3(mn_v3_from(high), mn_v3_from(low)))))
        return mn_fail(c, MN_ERR_ARGUMENT, "source '%s' has a shape without end; use a disc, box or sphere", name);
    const mn_vec3 along  = mn_scale3(1.0 / speed, s->velocity);
    mn_vec3       helper = mn_v3(0, 0, 1);
    if (m->grid.dimension == 3 && fabs(along.z) > 0.9) helper = mn_v3(1, 0, 0);
    s->side[0] = mn_unit3(mn_cross3(along, helper), mn_v3(1, 0, 0));
    s->side[1] = mn_cross3(along, s->side[0]);
    for (int k = 0; k < 2; k++) s->reach[k] = reach_along(m, low, high, s->side[k]);
    MN_TRY(check_width(c, m, name, s));
    return face_disc(c, m, name, s);
}

mn_status mn_liquid_stream_prepare(mn_context *c, const mn_liquid_model *m, const char *name, mn_liquid_stream *s)
{
    MN_TRY(find_plane(c, m, name, s));
    s->contraction    = 1.0;
    const double area = area_of(m, s), speed = mn_norm3(s->velocity), carried = area * speed;
    if (!(area > 0.0))
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "source '%s': the plane across its velocity through the middle of its shape meets nothing of "
                       "the shape. "
                       "Use a disc, a box or a ball",
                       name);
    if (s->rate <= 0.0) s->rate = carried;
    if (s->rate > carried * 1.02)
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "source '%s': a velocity of %g cm/s carries at most %g cm3/s through its cross-section of %g "
                       "cm2; "
                       "the rate is %g cm3/s. Raise the velocity or widen the shape",
                       name, speed, carried, area, s->rate);
    const double share = fmin(1.0, s->rate / carried);
    s->contraction     = m->grid.dimension == 2 ? share : sqrt(share);
    s->layer_points    = for_each_point(m, s, NULL, NULL);
    if (s->layer_points == 0)
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "source '%s' is narrower than a particle (%g cm); use smaller cells or a wider shape", name,
                       spacing_of(m));
    return MN_OK;
}

typedef struct covered_job {
    const mn_liquid_stream *stream;
    mn_solids               solids;
    mn_pose                 pose;
    int64_t                 covered;
    int                     by;  // the last solid found over a point
} covered_job;

static void count_covered(double a, double b, void *context)
{
    covered_job            *job = context;
    const mn_liquid_stream *s   = job->stream;
    const mn_vec3           x   = mn_add3(s->center, mn_add3(mn_scale3(a, s->side[0]), mn_scale3(b, s->side[1])));
    int                     which;
    if (mn_solids_distance(job->solids, mn_pose_point(&job->pose, x), NULL, &which) >= 0.0) return;
    job->covered++;
    job->by = which;
}

double mn_liquid_stream_covered(const mn_liquid_model *m, const mn_liquid_stream *s, const mn_motion *motion,
                                mn_solids solids, int *which)
{
    covered_job job = { .stream = s, .solids = solids, .pose = mn_motion_pose(motion, s->begin), .by = -1 };
    for_each_point(m, s, count_covered, &job);
    *which = job.by;
    return (double)job.covered / (double)s->layer_points;
}

/// Length of a nozzle, in cells: its end is what the stream sees of it.
#define NOZZLE_LENGTH 3.0

mn_status mn_liquid_nozzle(mn_context *c, const mn_liquid_model *m, const mn_liquid_stream *s, mn_shape **out)
{
    const double  speed = mn_norm3(s->velocity), area = s->rate / speed, length = NOZZLE_LENGTH * m->grid.cell;
    const mn_vec3 at  = mn_sub3(s->center, mn_scale3(0.5 * length / speed, s->velocity));
    mn_shape_def  def = mn_shape_def_default(MN_SHAPE_CYLINDER);
    def.radius[0]     = m->grid.dimension == 3 ? sqrt(area / MN_PI) : 0.5 * area / m->grid.depth;
    def.height        = length;
    def.center[0] = at.x, def.center[1] = at.y, def.center[2] = at.z;
    def.axis[0] = s->velocity.x, def.axis[1] = s->velocity.y, def.axis[2] = s->velocity.z;
    return mn_shape_create(c, &def, out);
}

typedef struct emit_job {
    mn_liquid              *q;
    const mn_liquid_stream *stream;
    const mn_pose          *pose;
    mn_vec3                 offset, velocity;
    double                  volume, jitter, layer;  // layer: seconds between two
    int64_t                *next_id;
} emit_job;

static void emit_point(double a, double b, void *context)
{
    emit_job               *job = context;
    const mn_liquid_stream *s   = job->stream;
    const mn_liquid_model  *m   = &job->q->model;
    mn_liquid_particles    *p   = mn_liquid_now(job->q);
    const int64_t           at = p->count++, id = mn_new_id(job->next_id);
    a += job->jitter * (mn_random(m->seed, (uint64_t)id, 0, 0) - 0.5);
    if (m->grid.dimension == 3) b += job->jitter * (mn_random(m->seed, (uint64_t)id, 0, 1) - 0.5);
    mn_vec3 x = mn_add3(s->center, mn_add3(mn_scale3(a, s->side[0]), mn_scale3(b, s->side[1])));
    x         = mn_add3(mn_pose_point(job->pose, x), job->offset);
    // Spread over the whole of its layer: layers would come apart, one by one, where the stream is stretched.
    x = mn_add3(x, mn_scale3(job->layer * mn_random(m->seed, (uint64_t)id, 0, 2), job->velocity));
    if (m->grid.dimension == 2) x.z = m->grid.origin.z + 0.5 * m->grid.depth;
    p->position[0][at] = x.x, p->position[1][at] = x.y, p->position[2][at] = x.z;
    p->velocity[0][at] = job->velocity.x, p->velocity[1][at] = job->velocity.y, p->velocity[2][at] = job->velocity.z;
    for (int k = 0; k < 9; k++) p->affine[k][at] = 0.0;
    p->volume[0][at] = job->volume;
    for (int k = 0; k < p->pigments; k++) p->pigment[k][at] = s->concentration[k] * job->volume;
    p->id[0][at] = id;
}

mn_status mn_liquid_stream_emit(mn_liquid *q, const mn_liquid_stream *s, const mn_motion *motion, double t, double dt,
                                int64_t *next_id, double *volume_added)
{
    *volume_added     = 0.0;
    const double from = t > s->begin ? t : s->begin, to = t + dt < s->end ? t + dt : s->end;
    if (!(to > from)) return MN_OK;
    const double  h = spacing_of(&q->model), speed = mn_norm3(s->velocity), period = h / speed;
    const int64_t first = (int64_t)ceil((from - s->begin) / period), last = (int64_t)ceil((to - s->begin) / period);
    const mn_pose pose = mn_motion_pose(motion, t);
    const int64_t more = (last - first) * s->layer_points;
    if (mn_liquid_now(q)->count + more > mn_liquid_now(q)->capacity) mn_liquid_drop_spare(q);
    MN_TRY(mn_liquid_reserve(q, more));
    for (int64_t k = first; k < last; k++) {
        const mn_vec3 u    = mn_mul3(pose.rotation, s->velocity);
        const double  left = s->begin + (double)k * period;  // when this layer passes the plane
        emit_job      job  = { .q        = q,
                               .stream   = s,
                               .pose     = &pose,
                               .velocity = u,
                               .offset   = mn_scale3(t - left, u),
                               .volume   = s->rate * period / (double)s->layer_points,
                               .jitter   = 0.5 * h,
                               .layer    = period,
                               .next_id  = next_id };
        for_each_point(&q->model, s, emit_point, &job);
        *volume_added += job.volume * (double)s->layer_points;
    }
    return MN_OK;
}
