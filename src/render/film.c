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
    *out = (mn_film){ .context = c, .width = width, .height = height, .light = mn_alloc_array(c, mn_f3, pixels), .noise = mn_alloc_array(c, float, pixels),
                      .first = mn_alloc_array(c, mn_first_f, pixels) };
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
static float tent(float u)
{
    return u < 0.5f ? sqrtf(2.0f * u) - 1.0f : 1.0f - sqrtf(2.0f - 2.0f * u);
}

static mn_f3 bounded(mn_f3 light)
{
    const float most = mn_f3_most(light);
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
    const float mean = sum / (float)n, variance = fmaxf(0.0f, squares / (float)n - mean * mean) / (float)(n - 1);
    return variance <= tolerance * tolerance * (mean + 0.05f);
}

static void expose_pixel(const expose_job *job, int x, int y)
{
    mn_f3      light = mn_f3_gray(0.0f);
    mn_first_f mean  = { .distance = 0.0f };
    float      sum = 0.0f, squares = 0.0f, seen = 0.0f, near = INFINITY, far = 0.0f;
    int        n = 0;
    while (n < job->exposure.most) {
        mn_first_f  first;
        const mn_f3 sample = take_sample(job, x, y, n++, &first);
        const float value  = mn_f3_luminance(sample);
        light              = mn_f3_add(light, sample);
        sum += value;
        squares += value * value;
        mean.color = mn_f3_add(mean.color, first.color);
        near = fminf(near, first.distance), far = fmaxf(far, first.distance);
        if (isfinite(first.distance)) {
            mean.normal = mn_f3_add(mean.normal, first.normal);
            mean.at     = mn_f3_add(mean.at, first.at);
            mean.distance += first.distance;
            seen += 1.0f;
        }
        if (n >= job->exposure.least && n % 4 == 0 && is_settled(sum, squares, n, job->exposure.tolerance)) break;
    }
    const int64_t i    = (int64_t)y * job->film->width + x;
    const float   each = 1.0f / (float)n, average = sum * each;
    job->film->light[i] = mn_f3_scale(each, light);
    job->film->noise[i] = n > 1 ? fmaxf(0.0f, squares * each - average * average) / (float)(n - 1) : average * average;
    // A pixel on an edge shows two things and is like neither of its neighbours.
    const bool edge = far > EDGE * near || mn_f3_norm(mean.normal) < 0.9f * seen;
    job->film->first[i] = (mn_first_f){ .color = mn_f3_scale(each, mean.color), .normal = mn_f3_unit(mean.normal, mn_f3_gray(0.0f)),
                                        .at = mn_f3_scale(seen > 0.0f ? 1.0f / seen : 0.0f, mean.at), .distance = seen > 0.0f && !edge ? mean.distance / seen : INFINITY };
}

static void expose_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const expose_job *job = context;
    for (int64_t t = begin; t < end; t++) {
        const int x0 = (int)(t % job->tiles_across) * TILE, y0 = (int)(t / job->tiles_across) * TILE;
        for (int y = y0; y < y0 + TILE && y < job->film->height; y++)
            for (int x = x0; x < x0 + TILE && x < job->film->width; x++) expose_pixel(job, x, y);
    }
}

void mn_film_expose(mn_film *film, const mn_stage_f *stage, const mn_camera *camera, mn_exposure exposure)
{
    const int  across = (film->width + TILE - 1) / TILE, down = (film->height + TILE - 1) / TILE;
    expose_job job    = { film, stage, camera, exposure, across };
    mn_parallel_for(mn_context_pool(film->context), (int64_t)across * down, 1, expose_tiles, &job);
}
