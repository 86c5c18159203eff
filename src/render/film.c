// SPDX-License-Identifier: MPL-2.0
// render/film.c - exposing a film tile by tile.
#include "render/film.h"

#define TILE 16
/// A sample brighter than this counts as this: a mirrored sun seen by one sample in many would be a white dot.
#define BRIGHTEST 6.0f
/// Distances of the samples of a pixel that differ by more show an edge.
#define EDGE 1.03f

mn_status mn_film_create(mn_context *c, int width, int height, mn_film *out)
{
    const int64_t pixels = (int64_t)width * height;
    *out                 = (mn_film){ .context = c,
                                      .width   = width,
                                      .height  = height,
                                      .light   = mn_alloc_array(c, mn_f3, pixels),
                                      .noise   = mn_alloc_array(c, float, pixels),
                                      .first   = mn_alloc_array(c, mn_first_f, pixels) };
    if (out->light != NULL && out->noise != NULL && out->first != NULL) return MN_OK;
    mn_film_free(out);
    return MN_ERR_MEMORY;
}

void mn_film_free(mn_film *f)
{
    mn_free(f->context, f->light);
    mn_free(f->context, f->noise);
    mn_free(f->context, f->first);
    *f = (mn_film){ .context = f->context };
}

typedef struct expose_job {
    mn_film          *film;
    const mn_stage_f *stage;
    const mn_camera  *camera;
    mn_exposure       exposure;
    int               tiles_across;
} expose_job;

/// Weight falls linearly from the middle of a pixel to that of the next.
static float tent(float u) { return u < 0.5f ? sqrtf(2.0f * u) - 1.0f : 1.0f - sqrtf(2.0f - 2.0f * u); }

static mn_f3 bounded(mn_f3 light)
{
    const float most = mn_f3_most(light);
    if (!isfinite(light.x + light.y + light.z))
        return mn_f3_gray(0.0f);  // off a triangle too large for its normal to be a number
    return most > BRIGHTEST ? mn_f3_scale(BRIGHTEST / most, light) : light;
}

static mn_f3 take_sample(const expose_job *job, int x, int y, int n, mn_first_f *first)
{
    mn_sampler sampler = mn_sampler_begin((uint32_t)x, (uint32_t)y, (uint32_t)n);
    float      u, v;
    mn_sampler_pair(&sampler, &u, &v);
    const mn_f3 d = mn_camera_ray(job->camera, (float)x + 0.5f + tent(u), (float)y + 0.5f + tent(v));
    return bounded(mn_path_radiance(job->stage, job->camera->at, d, &sampler, first));
}

/// Noise shows by its share of the brightness as the eye has it, which is flatter in the dark.
static bool is_settled(float sum, float squares, int n, float tolerance)
{
    const float mean = sum / (float)n, variance = mn_maxf(0.0f, squares / (float)n - mean * mean) / (float)(n - 1);
    return variance <= tolerance * tolerance * (mean + 0.05f);
}

/// What the samples of a pixel met first: one surface, or several.
typedef struct meeting {
    mn_first_f sum;
    float      seen, near, far;        // of distances
    float      plane_low, plane_high;  // of the places along their normals: the same on a plane, however slanted
} meeting;

static void add_meeting(meeting *m, const mn_first_f *first)
{
    m->sum.color = mn_f3_add(m->sum.color, first->color);
    m->near = mn_minf(m->near, first->distance), m->far = mn_maxf(m->far, first->distance);
    if (!isfinite(first->distance)) return;
    const float plane = mn_f3_dot(first->normal, first->at);
    m->plane_low = mn_minf(m->plane_low, plane), m->plane_high = mn_maxf(m->plane_high, plane);
    m->sum.normal = mn_f3_add(m->sum.normal, first->normal);
    m->sum.at     = mn_f3_add(m->sum.at, first->at);
    m->sum.distance += first->distance;
    m->sum.clear += first->clear;
    m->seen += 1.0f;
}

/// A pixel on an edge shows two things and is like neither of its neighbours.
static bool is_edge(const meeting *m, int n)
{
    const bool apart = m->far > EDGE * m->near && m->plane_high - m->plane_low > 0.1f * (EDGE - 1.0f) * m->near;
    return m->seen > 0.0f && (m->seen < (float)n || apart || mn_f3_norm(m->sum.normal) < 0.9f * m->seen);
}

static mn_first_f mean_meeting(const meeting *m, int n)
{
    const bool  edge = m->seen <= 0.0f || is_edge(m, n);
    const float each = m->seen > 0.0f ? 1.0f / m->seen : 0.0f;
    return (mn_first_f){ .color    = mn_f3_scale(1.0f / (float)n, m->sum.color),
                         .normal   = mn_f3_unit(m->sum.normal, mn_f3_gray(0.0f)),
                         .at       = mn_f3_scale(each, m->sum.at),
                         .clear    = each * m->sum.clear,
                         .distance = edge ? INFINITY : each * m->sum.distance };
}

static void expose_pixel(const expose_job *job, int x, int y)
{
    mn_f3   light = mn_f3_gray(0.0f);
    meeting met   = { .near = INFINITY, .plane_low = INFINITY, .plane_high = -INFINITY };
    float   sum = 0.0f, squares = 0.0f;
    int     n = 0;
    while (n < job->exposure.most || (n < job->exposure.edges && is_edge(&met, n))) {
        mn_first_f  first;
        const mn_f3 sample = take_sample(job, x, y, n++, &first);
        const float value  = mn_f3_luminance(sample);
        light              = mn_f3_add(light, sample);
        sum += value;
        squares += value * value;
        add_meeting(&met, &first);
        if (n >= job->exposure.least && n % 4 == 0 && is_settled(sum, squares, n, job->exposure.tolerance) &&
            (n >= job->exposure.edges || !is_edge(&met, n)))
            break;
    }
    const int64_t i    = (int64_t)y * job->film->width + x;
    const float   each = 1.0f / (float)n, average = sum * each;
    job->film->light[i] = mn_f3_scale(each, light);
    job->film->noise[i] = n > 1 ? mn_maxf(0.0f, squares * each - average * average) / (float)(n - 1)
                                : average * average;
    job->film->first[i] = mean_meeting(&met, n);
}

static void expose_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const expose_job *job = context;
    for (int64_t t = begin; t < end && !mn_must_end(job->film->context); t++) {
        const int x0 = (int)(t % job->tiles_across) * TILE, y0 = (int)(t / job->tiles_across) * TILE;
        for (int y = y0; y < y0 + TILE && y < job->film->height; y++)
            for (int x = x0; x < x0 + TILE && x < job->film->width; x++) expose_pixel(job, x, y);
    }
}

mn_status mn_film_expose(mn_film *film, const mn_stage_f *stage, const mn_camera *camera, mn_exposure exposure)
{
    const int  across = (film->width + TILE - 1) / TILE, down = (film->height + TILE - 1) / TILE;
    expose_job job = { film, stage, camera, exposure, across };
    mn_parallel_for(mn_context_pool(film->context), (int64_t)across * down, 1, expose_tiles, &job);
    return mn_check_interrupt(film->context, "a picture");
}
