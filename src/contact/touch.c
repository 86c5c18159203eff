// SPDX-License-Identifier: MPL-2.0
// contact/touch.c - contact and friction of points with solids.
#include "contact/touch.h"

#include "base/pool.h"
#include "contact/hold.h"

typedef struct finding {
    const mn_touching *q;
    mn_solids          solids;
    double             dt, reach, layer;
    uint8_t           *reached;  ///< per point
    mn_touch          *list;
} finding;

/// Distance from the nearest solid at the end of the step, if the point stood still: solids stand where they are at
/// its start.
static double distance_left(const finding *f, int64_t v, mn_touch *t)
{
    const mn_vec3 x        = f->q->x[v];
    const double  distance = mn_solids_distance(f->solids, x, &t->normal, &t->solid);
    if (t->solid < 0) return INFINITY;
    t->drift = mn_solid_velocity(&f->solids.list[t->solid], x);
    return distance - f->dt * mn_dot3(t->drift, t->normal);
}

static void look(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const finding *f = context;
    for (int64_t v = begin; v < end; v++)
        f->reached[v] = !f->q->pinned[v] && distance_left(f, v, &(mn_touch){ .point = 0 }) < f->layer + f->reach;
}

static void describe(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const finding     *f = context;
    const mn_touching *q = f->q;
    for (int64_t k = begin; k < end; k++) {
        mn_touch     *t       = &f->list[k];
        const int32_t v       = t->point;
        t->depth              = f->layer - distance_left(f, v, t);
        const mn_solid *solid = &f->solids.list[t->solid];
        t->stiffness          = MN_TOUCH_MODULUS * cbrt(q->volume[v]);
        t->friction           = solid->friction;
        if (q->touched[v] != t->solid + 1) continue;
        const mn_vec3 kept = mn_v3(q->anchor[0][v], q->anchor[1][v], q->anchor[2][v]);
        const mn_vec3 now  = mn_mul3(solid->pose.rotation, kept);
        t->anchor          = mn_sub3(now, mn_scale3(mn_dot3(now, t->normal), t->normal));
    }
}

mn_status mn_touch_find(const mn_touching *q, const mn_step *step, double reach, mn_touches *out)
{
    *out = (mn_touches){ NULL, 0 };
    if (step->solids.count == 0) return MN_OK;
    finding f = { .q       = q,
                  .solids  = step->solids,
                  .dt      = step->dt,
                  .reach   = reach,
                  .layer   = MN_TOUCH_LAYER * q->cell,
                  .reached = mn_arena_array(step->arena, uint8_t, q->count) };
    if (f.reached == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(q->context), q->count, 512, look, &f);
    int64_t count = 0;
    for (int64_t v = 0; v < q->count; v++) count += f.reached[v];
    f.list = mn_arena_array_zero(step->arena, mn_touch, count);
    if (f.list == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < q->count; v++)
        if (f.reached[v]) f.list[out->count++].point = (int32_t)v;
    mn_parallel_for(mn_context_pool(q->context), count, 512, describe, &f);
    out->list = f.list;
    return MN_OK;
}

static mn_vec3 relative(const mn_touch *t, const double *v)
{
    const double *u = v + 3 * (int64_t)t->point;
    return mn_sub3(mn_v3(u[0], u[1], u[2]), t->drift);
}

/// `depth` knows how far the solid comes within the step, so it is the velocity of the point itself that counts.
static double press_of(const mn_touch *t, mn_vec3 u, double dt)
{
    return dt * t->stiffness * (t->depth - dt * (mn_dot3(u, t->normal) + mn_dot3(t->drift, t->normal)));
}

/// Friction while it slides is the bound against the slip, as the return of an elastic trial gives it. Its derivative
/// along the slip is none; across it the force turns with the slip. A point that slows down thus ends on its anchor by
/// itself.
static void slide(mn_touch *t, mn_vec3 slip, double bound, double dt)
{
    const double  length = mn_norm3(slip);
    const mn_vec3 along  = mn_scale3(1.0 / length, slip);
    t->rub               = mn_scale3(-bound, along);
    t->side              = mn_cross3(t->normal, along);
    t->drag              = bound * dt / length;
}

double mn_touch_update(mn_touches *touches, const double *v, double dt)
{
    double changed = 0.0, all = 0.0;
    for (int64_t k = 0; k < touches->count; k++) {
        mn_touch      *t   = &touches->list[k];
        const mn_touch was = *t;
        const mn_vec3  u = relative(t, v), along = mn_sub3(u, mn_scale3(mn_dot3(u, t->normal), t->normal));
        const double   bound = t->friction * fmax(0.0, press_of(t, u, dt));
        const mn_vec3  slip  = mn_add3(t->anchor, mn_scale3(dt, along));
        t->press             = fmax(0.0, press_of(t, u, dt));
        t->state             = !(t->press > 0.0)                             ? MN_TOUCH_APART
                               : dt * t->stiffness * mn_norm3(slip) <= bound ? MN_TOUCH_STICKS
                                                                             : MN_TOUCH_SLIDES;
        // Friction that would push it the other way holds it: the answer lies between.
        if (was.state == MN_TOUCH_SLIDES && t->state == MN_TOUCH_SLIDES && mn_dot3(slip, was.rub) > 0.0)
            t->state = MN_TOUCH_STICKS;
        if (t->state != MN_TOUCH_SLIDES) t->rub = mn_v3(0, 0, 0);
        else slide(t, slip, bound, dt);
        changed += t->state == was.state ? mn_norm3(mn_sub3(t->rub, was.rub)) : fmax(bound, was.friction * was.press);
        all += bound;
    }
    return all > 0.0 ? changed / all : changed > 0.0 ? INFINITY : 0.0;
}

void mn_touch_at(const mn_touch *t, mn_vec3 velocity, double bound, double dt, mn_touch *out)
{
    const mn_vec3 u = mn_sub3(velocity, t->drift), along = mn_sub3(u, mn_scale3(mn_dot3(u, t->normal), t->normal));
    const mn_vec3 slip  = mn_add3(t->anchor, mn_scale3(dt, along));
    const double  press = fmax(0.0, press_of(t, u, dt)), limit = bound < 0.0 ? t->friction * press : bound;
    if (out != t) *out = *t;
    out->velocity = velocity;
    out->press    = press;
    out->bound    = limit;
    out->rub      = mn_v3(0, 0, 0);
    out->answer   = mn_scale3(press, t->normal);
    // A bound that is held rubs on even where nothing presses any more.
    out->state = !(press > 0.0 || limit > 0.0)                 ? MN_TOUCH_APART
                 : dt * t->stiffness * mn_norm3(slip) <= limit ? MN_TOUCH_STICKS
                                                               : MN_TOUCH_SLIDES;
    if (out->state == MN_TOUCH_STICKS) out->answer = mn_sub3(out->answer, mn_scale3(dt * t->stiffness, slip));
    if (out->state != MN_TOUCH_SLIDES) return;
    slide(out, slip, limit, dt);
    out->answer = mn_add3(out->answer, out->rub);
}

double mn_touch_curvature(const mn_touch *t, mn_vec3 p, double dt)
{
    const double block = dt * dt * t->stiffness, into = mn_dot3(p, t->normal), across = mn_dot3(p, t->side);
    const double press = t->press > 0.0 ? block * into * into : 0.0;
    if (t->state == MN_TOUCH_APART) return press;
    return press + (t->state == MN_TOUCH_STICKS ? block * (mn_dot3(p, p) - into * into) : t->drag * across * across);
}

void mn_touch_apply(const mn_touches *touches, double dt, double *impulse, double *hold)
{
    for (int64_t k = 0; k < touches->count; k++) {
        const mn_touch *t = &touches->list[k];
        if (t->state == MN_TOUCH_APART) continue;
        const double  block = dt * dt * t->stiffness;
        const mn_vec3 still = mn_sub3(t->drift, mn_scale3(1.0 / dt, t->anchor));  // the velocity that leaves no slip
        mn_vec3       push  = mn_scale3(dt * t->stiffness * t->depth, t->normal);
        if (t->state == MN_TOUCH_STICKS) {
            push = mn_add3(push, mn_scale3(block, mn_sub3(still, mn_scale3(mn_dot3(still, t->normal), t->normal))));
            mn_hold(hold + 6 * (int64_t)t->point, block, t->normal, block);
        } else {
            push = mn_add3(push, mn_add3(t->rub, mn_scale3(t->drag * mn_dot3(still, t->side), t->side)));
            mn_hold(hold + 6 * (int64_t)t->point, block, t->normal, 0.0);
            mn_hold(hold + 6 * (int64_t)t->point, t->drag, t->side, 0.0);
        }
        double *f = impulse + 3 * (int64_t)t->point;
        f[0] += push.x, f[1] += push.y, f[2] += push.z;
    }
}

void mn_touch_keep(const mn_touching *q, const mn_touches *touches, mn_solids solids, const double *v, double dt)
{
    for (int64_t i = 0; i < q->count; i++) q->touched[i] = 0;
    for (int64_t k = 0; k < touches->count; k++) {
        const mn_touch *t = &touches->list[k];
        if (t->state == MN_TOUCH_APART) continue;
        const mn_vec3 u = relative(t, v), along = mn_sub3(u, mn_scale3(mn_dot3(u, t->normal), t->normal));
        mn_vec3       slip    = mn_add3(t->anchor, mn_scale3(dt, along));
        const double  longest = t->friction * t->press / (dt * t->stiffness), length = mn_norm3(slip);
        if (length > longest) slip = mn_scale3(longest / length, slip);
        const mn_vec3 kept   = mn_mul3_transposed(solids.list[t->solid].pose.rotation, slip);
        q->touched[t->point] = t->solid + 1;
        for (int a = 0; a < 3; a++) q->anchor[a][t->point] = mn_get3(kept, a);
    }
    for (int64_t i = 0; i < q->count; i++)
        if (q->touched[i] == 0)
            for (int a = 0; a < 3; a++) q->anchor[a][i] = 0.0;
}
