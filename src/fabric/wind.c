// SPDX-License-Identifier: MPL-2.0
// fabric/wind.c - drag of moving air on triangles and segments.
#include "fabric/forces.h"

#include "base/pool.h"
#include "base/random.h"
#include "contact/hold.h"

typedef struct blowing {
    mn_fabric *q;
    double     time, dt;
    double     phase[4];
} blowing;

static mn_vec3 speed(const mn_fabric *q, int32_t v)
{
    return mn_v3(q->vertices.velocity[0][v], q->vertices.velocity[1][v], q->vertices.velocity[2][v]);
}

/// Gusts are carried along by the wind: waves of speed and of direction that travel with it.
static mn_vec3 wind_at(const blowing *b, mn_vec3 x)
{
    const mn_wind_def *w    = &b->q->model.wind;
    const mn_vec3      mean = mn_v3_from(w->velocity);
    const double       size = mn_norm3(mean);
    if (w->gust == 0.0 || size == 0.0) return mean;
    const mn_vec3 along = mn_scale3(1.0 / size, mean);
    const double  t     = b->time - mn_dot3(along, x) / size;
    const double  swell = 0.6 * sin(2.0 * t + b->phase[0]) + 0.4 * sin(7.3 * t + b->phase[1]);
    const double  turn  = 0.6 * sin(3.1 * t + b->phase[2]) + 0.4 * sin(11.0 * t + b->phase[3]);
    const mn_vec3 side  = mn_unit3(mn_cross3(b->q->model.gravity, along),
                                  fabs(along.x) < 0.9 ? mn_v3(1, 0, 0) : mn_v3(0, 1, 0));
    return mn_add3(mn_scale3(1.0 + w->gust * swell, mean), mn_scale3(w->gust * turn * size, side));
}

/// Share of one vertex in the drag of an element: coefficients across and along a direction n, g/s.
typedef struct drag {
    mn_vec3 n;
    double  along, across;
} drag;

static drag triangle_drag(const blowing *b, const mn_fabric_element *e, mn_vec3 wind)
{
    const mn_fabric          *q = b->q;
    const mn_fabric_material *m = &q->pieces[e->piece].cloth;
    const mn_vec3             a = q->step.x[e->vertex[0]];
    const mn_vec3 cross         = mn_cross3(mn_sub3(q->step.x[e->vertex[1]], a), mn_sub3(q->step.x[e->vertex[2]], a));
    const double  area          = 0.5 * mn_norm3(cross);
    const mn_vec3 n             = mn_unit3(cross, mn_v3(0, 1, 0));
    const mn_vec3 u             = mn_scale3(1.0 / 3.0, mn_add3(mn_add3(speed(q, e->vertex[0]), speed(q, e->vertex[1])),
                                                               speed(q, e->vertex[2])));
    const mn_vec3 past          = mn_sub3(wind, u);
    const double  through = mn_dot3(past, n), beside = mn_norm3(mn_sub3(past, mn_scale3(through, n)));
    const double  half = 0.5 * q->model.wind.density * area / 3.0;
    return (drag){ n, half * m->air_drag * fabs(through), 2.0 * half * m->air_friction * beside };
}

static drag segment_drag(const blowing *b, const mn_fabric_element *e, int64_t element, mn_vec3 wind)
{
    const mn_fabric       *q      = b->q;
    const mn_fabric_piece *p      = &q->pieces[e->piece];
    const int64_t          s      = element - q->triangles.count - p->first_segment;
    const double           radius = p->mesh.strand_radius[p->rods.edge[s].strand];
    const mn_vec3 d = mn_sub3(q->step.x[e->vertex[1]], q->step.x[e->vertex[0]]), t = mn_unit3(d, mn_v3(1, 0, 0));
    const mn_vec3 u      = mn_scale3(0.5, mn_add3(speed(q, e->vertex[0]), speed(q, e->vertex[1])));
    const mn_vec3 past   = mn_sub3(wind, u);
    const double  beside = mn_dot3(past, t), through = mn_norm3(mn_sub3(past, mn_scale3(beside, t)));
    const double  half = 0.5 * q->model.wind.density * mn_norm3(d) * radius / 2.0;
    return (drag){ t, 6.283185307179586 * half * p->yarn.air_friction * fabs(beside),
                   2.0 * half * p->yarn.air_drag * through };
}

static void blow(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const blowing *b = context;
    mn_fabric     *q = b->q;
    for (int64_t v = begin; v < end; v++) {
        const mn_vec3 wind = wind_at(b, q->step.x[v]);
        for (int64_t k = q->element_start[v]; k < q->element_start[v + 1]; k++) {
            const int32_t            element = q->element_of[k];
            const mn_fabric_element *e       = &q->elements[element];
            const drag    d     = e->vertex[2] >= 0 ? triangle_drag(b, e, wind) : segment_drag(b, e, element, wind);
            const double  w_n   = mn_dot3(wind, d.n);
            const mn_vec3 force = mn_add3(mn_scale3(d.across, wind), mn_scale3((d.along - d.across) * w_n, d.n));
            q->step.force[v]    = mn_add3(q->step.force[v], force);
            mn_hold(q->step.point + 6 * v, b->dt * d.along, d.n, b->dt * d.across);
        }
    }
}

void mn_fabric_wind(mn_fabric *q, double time, double dt)
{
    blowing b = { .q = q, .time = time, .dt = dt };
    for (uint64_t k = 0; k < 4; k++) b.phase[k] = 6.283185307179586 * mn_random(q->model.seed, k, 0, 17);
    mn_parallel_for(mn_context_pool(q->context), q->vertices.count, 512, blow, &b);
}
