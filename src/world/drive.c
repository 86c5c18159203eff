// SPDX-License-Identifier: MPL-2.0
// world/drive.c - scripted things: where obstacles are, what sources let in, what sinks and open sides take out.
#include "base/sum.h"
#include "geom/images.h"
#include "world/world.h"

int mn_world_solid_count(const mn_world *w) { return w->wall_count + (int)w->obstacle_count + w->nozzle_count; }

static bool stream_runs(const mn_world_tap *tap, double t) { return t >= tap->stream.begin && t <= tap->stream.end; }

/// The end of a nozzle moves with the stream while that runs.
static void move_with_stream(const mn_world_tap *tap, double t, mn_solid *nozzle)
{
    if (stream_runs(tap, t))
        nozzle->pose.linear = mn_add3(nozzle->pose.linear, mn_mul3(nozzle->pose.rotation, tap->stream.velocity));
}

/// The nozzle of a source stands where the source does.
static mn_solid nozzle_solid(const mn_world_tap *tap, double t)
{
    mn_solid s = { .shape    = tap->nozzle,
                   .pose     = mn_motion_pose(tap->motion, t),
                   .moving   = stream_runs(tap, t) || !mn_motion_is_still(tap->motion),
                   .no_slip  = true,
                   .object   = -1,
                   .friction = -1.0 };
    move_with_stream(tap, t, &s);
    return s;
}

/// Speed times distance over viscosity up to which a ghost inside a no-slip wall stands for a layer that the grid
/// resolves: beyond, it would brake more than the liquid's own viscosity (liquid 5.5).
#define LAYER_REYNOLDS 4.0

void mn_world_solids(const mn_world *w, double t, mn_solid *out)
{
    const mn_liquid_material *m      = &w->liquid.model.material;
    const double              layer  = mn_liquid_present(&w->liquid) ? LAYER_REYNOLDS * m->viscosity / m->density : 0.0;
    const bool                sticks = layer > 0.0;  // a liquid without viscosity slides on every wall
    mn_solid                 *nozzle = out + w->wall_count + w->obstacle_count;
    for (int64_t k = 0; k < w->tap_count; k++)
        if (w->taps[k].nozzle != NULL) *nozzle++ = nozzle_solid(&w->taps[k], t);
    for (int k = 0; k < w->wall_count; k++)
        out[k] = (mn_solid){ .shape    = w->walls[k],
                             .pose     = mn_motion_pose(NULL, t),
                             .no_slip  = sticks && w->def.domain.wall == MN_WALL_NO_SLIP,
                             .layer    = layer,
                             .object   = -1,
                             .friction = -1.0 };
    for (int k = 0; k < (int)w->obstacle_count; k++) {
        const mn_world_obstacle *o = &w->obstacles[k];
        out[w->wall_count + k]     = (mn_solid){ .shape    = o->shape,
                                                 .pose     = mn_motion_pose(o->motion, t),
                                                 .moving   = !mn_motion_is_still(o->motion),
                                                 .no_slip  = sticks && o->wall == MN_WALL_NO_SLIP,
                                                 .layer    = layer,
                                                 .object   = k,
                                                 .friction = o->friction,
                                                 .period   = { w->period.x, w->period.y, w->period.z } };
    }
    for (int k = 0; k < mn_world_solid_count(w); k++) out[k].flat = w->def.domain.dimension == 2;
}

mn_status mn_world_place_solids(mn_world *w, double t)
{
    const int count = mn_world_solid_count(w);
    w->placed       = mn_arena_array(w->arena, mn_solid, count + 1);
    if (w->placed == NULL) return MN_ERR_MEMORY;
    w->solids = (mn_solids){ w->placed, count };
    mn_world_solids(w, t, w->placed);
    return MN_OK;
}

/// The velocity that takes a solid from where it is at t to where it is at t + dt.
static void velocity_over_step(const mn_motion *motion, double t, double dt, mn_solid *s)
{
    if (!s->moving) return;
    const mn_pose before = mn_motion_pose(motion, t), after = mn_motion_pose(motion, t + dt);
    s->pose.linear  = mn_scale3(1.0 / dt, mn_sub3(after.center, before.center));
    s->pose.angular = mn_motion_pose(motion, t + 0.5 * dt).angular;
}

void mn_world_solids_over_step(mn_world *w, double t, double dt)
{
    mn_world_solids(w, t, w->placed);
    mn_solid *s = w->placed + w->wall_count;
    for (int64_t k = 0; k < w->obstacle_count; k++) velocity_over_step(w->obstacles[k].motion, w->now.time, dt, s++);
    for (int64_t k = 0; k < w->tap_count; k++) {
        if (w->taps[k].nozzle == NULL) continue;
        velocity_over_step(w->taps[k].motion, w->now.time, dt, s);
        move_with_stream(&w->taps[k], t, s++);
    }
}

/// Of an obstacle without end (a plane) the part that matters is in the domain; in a domain without end, where it
/// turns.
static double endless_speed(const mn_world *w, const mn_pose *pose)
{
    const mn_domain_def *d       = &w->def.domain;
    double               largest = mn_norm3(pose->linear);
    for (int c = 0; d->bounded && c < 8; c++) {
        const mn_vec3 corner = mn_v3(d->bounds[c & 1][0], d->bounds[c >> 1 & 1][1],
                                     d->dimension == 3 ? d->bounds[c >> 2 & 1][2] : 0.0);
        largest              = fmax(largest, mn_norm3(mn_pose_velocity(pose, corner)));
    }
    return largest;
}

double mn_world_solid_speed(const mn_world *w, double t)
{
    double largest = 0.0;
    for (int64_t k = 0; k < w->obstacle_count; k++) {
        const mn_world_obstacle *o = &w->obstacles[k];
        if (mn_motion_is_still(o->motion)) continue;
        const mn_pose pose = mn_motion_pose(o->motion, t);
        if (!o->bounded) largest = fmax(largest, endless_speed(w, &pose));
        for (int c = 0; o->bounded && c < 8; c++)
            largest = fmax(largest, mn_norm3(mn_pose_velocity(&pose, mn_pose_point(&pose, o->corner[c]))));
    }
    return largest;
}

/// Largest |g - a| over the corners of an obstacle, a the change of a corner's velocity between two poses over dt.
static double pull_of_corners(const mn_pose *before, const mn_pose *after, double dt, mn_vec3 gravity,
                              const mn_vec3 corner[8])
{
    double largest = 0.0;
    for (int c = 0; c < 8; c++) {
        const mn_vec3 from = mn_pose_velocity(before, mn_pose_point(before, corner[c]));
        const mn_vec3 to   = mn_pose_velocity(after, mn_pose_point(after, corner[c]));
        largest            = fmax(largest, mn_norm3(mn_sub3(gravity, mn_scale3(1.0 / dt, mn_sub3(to, from)))));
    }
    return largest;
}

/// Of an obstacle without end the corners of the domain as it holds them at the moment; its centre in one without
/// bounds.
static void endless_corners(const mn_world *w, const mn_pose *pose, mn_vec3 corner[8])
{
    const mn_domain_def *d = &w->def.domain;
    for (int c = 0; c < 8; c++) {
        const mn_vec3 x = mn_v3(d->bounds[c & 1][0], d->bounds[c >> 1 & 1][1],
                                d->dimension == 3 ? d->bounds[c >> 2 & 1][2] : 0.0);
        corner[c]       = mn_pose_rest(pose, d->bounded ? x : pose->center);
    }
}

double mn_world_pull(const mn_world *w, double t, double dt)
{
    const mn_vec3 gravity = w->liquid.model.gravity;
    double        largest = mn_norm3(gravity);
    for (int64_t k = 0; k < w->obstacle_count; k++) {
        const mn_world_obstacle *o = &w->obstacles[k];
        if (mn_motion_is_still(o->motion)) continue;
        const mn_pose before = mn_motion_pose(o->motion, t), after = mn_motion_pose(o->motion, t + dt);
        mn_vec3       endless[8];
        if (!o->bounded) endless_corners(w, &before, endless);
        largest = fmax(largest, pull_of_corners(&before, &after, dt, gravity, o->bounded ? o->corner : endless));
    }
    return largest;
}

mn_status mn_world_check_source(mn_world *w, const char *name, const mn_liquid_stream *stream, const mn_motion *motion)
{
    MN_TRY(mn_arena_reset(w->arena));
    MN_TRY(mn_world_place_solids(w, stream->begin));
    int which, count = 0;
    for (int k = 0; k < w->wall_count + (int)w->obstacle_count; k++)
        if (!w->placed[k].moving) w->placed[count++] = w->placed[k];
    const double covered = mn_liquid_stream_covered(&w->liquid.model, stream, motion, (mn_solids){ w->placed, count },
                                                    &which);
    if (covered <= 0.5) return MN_OK;
    const int object = w->solids.list[which].object;
    if (object < 0)
        return mn_fail(w->context, MN_ERR_ARGUMENT,
                       "source '%s': %.0f %% of its cross-section lies beyond the walls of the domain when it begins. "
                       "Move it inside, or make that side open",
                       name, 100.0 * covered);
    return mn_fail(w->context, MN_ERR_ARGUMENT,
                   "source '%s': %.0f %% of its cross-section lies inside the obstacle '%s' when it begins, "
                   "where liquid has no room. Move one of them",
                   name, 100.0 * covered, w->obstacles[object].name);
}

mn_status mn_world_run_sources(mn_world *w, double dt)
{
    for (int64_t k = 0; k < w->tap_count; k++) {
        const mn_world_tap *tap = &w->taps[k];
        if (tap->sink) continue;
        double added = 0.0;
        MN_TRY(mn_liquid_stream_emit(&w->liquid, &tap->stream, tap->motion, w->now.time, dt, &w->now.next_id, &added));
        mn_add_carry(&w->now.liquid_added, &w->now.liquid_added_carry, added);
        mn_solutes_came(&w->solutes, added, tap->stream.concentration);
    }
    return MN_OK;
}

typedef struct gone_job {
    const mn_world *world;
    mn_images       sink;
} gone_job;

static bool inside_sink(mn_vec3 x, void *context)
{
    return mn_images_inside(&((const gone_job *)context)->sink, x, NULL);
}

static bool beyond_open_side(mn_vec3 x, void *context)
{
    const mn_domain_def *d = &((const gone_job *)context)->world->def.domain;
    for (int a = 0; a < d->dimension; a++)
        if (d->boundary[a] == MN_BOUNDARY_OPEN && (mn_get3(x, a) < d->bounds[0][a] || mn_get3(x, a) >= d->bounds[1][a]))
            return true;
    return false;
}

static bool has_open_side(const mn_domain_def *d)
{
    bool open = false;
    for (int a = 0; a < d->dimension; a++) open = open || d->boundary[a] == MN_BOUNDARY_OPEN;
    return d->bounded && open;
}

mn_status mn_world_run_sinks(mn_world *w)
{
    const double begin = w->now.time, end = begin + w->dt;
    double       removed = 0.0, pigment[MN_PIGMENTS_MOST] = { 0.0 };
    for (int64_t k = 0; k < w->tap_count; k++) {
        const mn_world_tap *tap = &w->taps[k];
        // A step that the time of the sink meets counts, so that one shorter than a step still works.
        if (!tap->sink || end < tap->begin || !(begin < tap->end)) continue;
        const mn_pose pose = mn_motion_pose(tap->motion, end);
        gone_job      job  = { .world = w, .sink = mn_images_of(tap->shape, &pose, w->period) };
        removed += mn_liquid_remove(&w->liquid, inside_sink, &job, pigment);
    }
    if (has_open_side(&w->def.domain)) {
        gone_job job = { .world = w };
        removed += mn_liquid_remove(&w->liquid, beyond_open_side, &job, pigment);
    }
    mn_add_carry(&w->now.liquid_removed, &w->now.liquid_removed_carry, removed);
    mn_solutes_left(&w->solutes, pigment);
    return MN_OK;
}
