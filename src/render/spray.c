// SPDX-License-Identifier: MPL-2.0
// render/spray.c - which particles are drops of their own.
#include "render/spray.h"

#include "base/pool.h"

/// A particle whose skin is nearer to the surface than this many of its radii belongs to it.
#define CLOSE 1.2f

typedef struct spray_job {
    const mn_tracer      *tracer;
    const mn_frame_part  *part;
    const mn_frame_array *volume;
    bool                 *keep;
} spray_job;

/// Looks through the glass in between.
static mn_hit nearest_liquid(const mn_tracer *t, mn_f3 from, mn_f3 d, float most)
{
    for (;;) {
        const mn_hit hit = mn_tracer_nearest_clear(t, from, d, most);
        if (hit.thing == NULL || hit.thing->finish == MN_FINISH_LIQUID) return hit;
        const float step = hit.distance + 1e-4f * (1.0f + mn_f3_norm(from));
        from             = mn_f3_along(from, step, d);
        most -= step;
    }
}

static bool is_outside(const spray_job *job, mn_f3 x, float radius)
{
    static const mn_f3 ways[6] = { { 0, 1, 0 }, { 0, -1, 0 }, { 1, 0, 0 }, { -1, 0, 0 }, { 0, 0, 1 }, { 0, 0, -1 } };
    const mn_hit       up      = nearest_liquid(job->tracer, x, ways[0], 1e30f);
    if (up.thing != NULL && up.face.y > 0.0f) return false;  // leaves the liquid: was inside
    for (int k = 0; k < 6; k++)
        if (nearest_liquid(job->tracer, x, ways[k], CLOSE * radius).thing != NULL) return false;
    return true;
}

static void look_at(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const spray_job *job = context;
    for (int64_t i = begin; i < end; i++) {
        const mn_frame_array *p = &job->part->points;
        const mn_f3           x = mn_f3_of((float)mn_shown_value(p, i, 0), (float)mn_shown_value(p, i, 1),
                                           (float)mn_shown_value(p, i, 2));
        const double          v = mn_shown_value(job->volume, i, 0);
        job->keep[i] = v > 0.0 && isfinite(v) && is_outside(job, x, (float)cbrt(v * 0.75 / 3.14159265358979));
    }
}

mn_status mn_spray_make(mn_context *c, const mn_tracer *tracer, const mn_frame_part *part, mn_paint paint,
                        mn_thing *out)
{
    *out          = (mn_thing){ .kind = MN_THING_SPHERES };
    spray_job job = { tracer, part, mn_frame_array_find(part, "volume"), NULL };
    if (job.volume == NULL || part->point_count == 0) return MN_OK;  // drops of unknown size are not shown
    job.keep = mn_alloc_array(c, bool, part->point_count);
    if (job.keep == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(c), part->point_count, 1024, look_at, &job);
    const mn_status status = mn_thing_drops(c, part, job.keep, paint, MN_FINISH_LIQUID, out);
    mn_free(c, job.keep);
    return status;
}
