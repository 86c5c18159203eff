// SPDX-License-Identifier: MPL-2.0
// render/denoise.c - a few passes of a small kernel with growing gaps (a trous, Dammertz et al. 2010).
//
// What is averaged is the light on a surface, not its colour: the film is divided by the colour met first and
// multiplied by it again. Neighbours count by how alike their normals, distances and light are; light by the noise of
// the two pixels, so that a pixel that is known already stays as it is.
#include "render/film.h"

#include <stdlib.h>

#define PASSES 4
/// Light that differs by more than the root of so many variances is different light. What is seen through liquid has
/// edges of its own, which the liquid's shape does not tell.
#define DULL_REACH  10.0f
#define CLEAR_REACH 6.0f

typedef struct pass_job {
    const mn_film *film;
    const mn_f3   *from;
    mn_f3         *to;
    const float   *noise;   // smoothed
    float         *spread;  // what is left of it after this pass
    int            gap;
} pass_job;

static mn_f3 ground_of(mn_f3 color)
{
    return mn_f3_of(mn_maxf(color.x, 0.02f), mn_maxf(color.y, 0.02f), mn_maxf(color.z, 0.02f));
}

static mn_f3 divided(mn_f3 a, mn_f3 b) { return mn_f3_of(a.x / b.x, a.y / b.y, a.z / b.z); }

/// How far two places are from being alike: 0 on one flat surface.
static float unlikeness(const mn_first_f *a, const mn_first_f *b, int gap)
{
    if (!isfinite(b->distance)) return INFINITY;
    const float turned = 1.0f - mn_f3_dot(a->normal, b->normal);
    const float apart  = fabsf(mn_f3_dot(a->normal, mn_f3_sub(b->at, a->at))) / (a->distance * 0.003f * (float)gap);
    const mn_f3 tint   = mn_f3_sub(a->color, b->color);
    return 16.0f * turned + apart + 20.0f * mn_f3_dot(tint, tint);
}

static void filter_pixel(const pass_job *job, int x, int y)
{
    static const float kernel[3] = { 0.375f, 0.25f, 0.0625f };
    const mn_film     *f         = job->film;
    const int64_t      i         = (int64_t)y * f->width + x;
    const float        here      = mn_f3_luminance(job->from[i]);
    mn_f3              sum       = job->from[i];
    float              weights = 1.0f, noise = job->noise[i];
    const float        reach = f->first[i].clear > 0.0f ? CLEAR_REACH : DULL_REACH;
    for (int dy = -2; dy <= 2 && isfinite(f->first[i].distance); dy++)
        for (int dx = -2; dx <= 2; dx++) {
            const int px = x + dx * job->gap, py = y + dy * job->gap;
            if ((dx == 0 && dy == 0) || px < 0 || py < 0 || px >= f->width || py >= f->height) continue;
            const int64_t n    = (int64_t)py * f->width + px;
            const float   step = mn_f3_luminance(job->from[n]) - here;
            const float   far  = step * step / (reach * (job->noise[i] + job->noise[n]) + 1e-7f) +
                              unlikeness(&f->first[i], &f->first[n], job->gap);
            if (far > 8.0f) continue;
            const float w = kernel[abs(dx)] * kernel[abs(dy)] / (kernel[0] * kernel[0]) * expf(-far);
            sum           = mn_f3_along(sum, w, job->from[n]);
            weights += w;
            noise += w * w * job->noise[n];
        }
    job->to[i]     = mn_f3_scale(1.0f / weights, sum);
    job->spread[i] = noise / (weights * weights);
}

static void filter_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const pass_job *job = context;
    for (int64_t y = begin; y < end; y++)
        for (int x = 0; x < job->film->width; x++) filter_pixel(job, x, (int)y);
}

typedef struct smooth_job {
    const mn_film *film;
    float         *out;
} smooth_job;

/// The variance of few samples is itself uncertain: the mean over the neighbours, of light without colour.
static void smooth_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const smooth_job *job = context;
    const mn_film    *f   = job->film;
    for (int y = (int)begin; y < (int)end; y++)
        for (int x = 0; x < f->width; x++) {
            float sum = 0.0f, count = 0.0f;
            for (int py = y > 1 ? y - 2 : 0; py <= y + 2 && py < f->height; py++)
                for (int px = x > 1 ? x - 2 : 0; px <= x + 2 && px < f->width; px++) {
                    const int64_t n     = (int64_t)py * f->width + px;
                    const float   color = mn_f3_luminance(ground_of(f->first[n].color));
                    sum += f->noise[n] / (color * color);
                    count += 1.0f;
                }
            job->out[(int64_t)y * f->width + x] = sum / count;
        }
}

mn_status mn_film_denoise(mn_film *f)
{
    const int64_t pixels = (int64_t)f->width * f->height;
    mn_f3        *a = mn_alloc_array(f->context, mn_f3, pixels), *b = mn_alloc_array(f->context, mn_f3, pixels);
    float    *noise = mn_alloc_array(f->context, float, pixels), *spread = mn_alloc_array(f->context, float, pixels);
    mn_status status = a != NULL && b != NULL && noise != NULL && spread != NULL ? MN_OK : MN_ERR_MEMORY;
    if (status == MN_OK) {
        smooth_job smooth = { f, noise };
        mn_parallel_for(mn_context_pool(f->context), f->height, 8, smooth_rows, &smooth);
        for (int64_t i = 0; i < pixels; i++) a[i] = divided(f->light[i], ground_of(f->first[i].color));
        for (int pass = 0; pass < PASSES; pass++) {
            pass_job job = { f, a, b, noise, spread, 1 << pass };
            mn_parallel_for(mn_context_pool(f->context), f->height, 8, filter_rows, &job);
            mn_f3 *const light = a;
            float *const left  = noise;
            a = b, b = light, noise = spread, spread = left;
        }
        for (int64_t i = 0; i < pixels; i++) f->light[i] = mn_f3_mul(a[i], ground_of(f->first[i].color));
    }
    void *const blocks[] = { a, b, noise, spread };
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) mn_free(f->context, blocks[k]);
    return status;
}
