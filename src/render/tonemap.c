// SPDX-License-Identifier: MPL-2.0
// render/tonemap.c - from light to the codes of a picture.
#include "draw/colour.h"
#include "render/film.h"

/// Up to this the film is straight, so that colours stay what they are; above, it bends and never reaches white.
#define STRAIGHT 0.55f
#define EXPOSURE 0.80f

float mn_tone(float light)
{
    const float x = EXPOSURE * light;
    if (x <= STRAIGHT) return x > 0.0f ? x : 0.0f;
    return STRAIGHT + (1.0f - STRAIGHT) * (1.0f - expf(-(x - STRAIGHT) / (1.0f - STRAIGHT)));
}

static void develop_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    struct {
        const mn_film *film;
        unsigned char *rows;
    } *job = context;
    for (int64_t y = begin; y < end; y++)
        for (int64_t i = y * job->film->width; i < (y + 1) * job->film->width; i++) {
            const mn_f3 c        = job->film->light[i];
            job->rows[3 * i]     = mn_srgb_byte((double)mn_tone(c.x));
            job->rows[3 * i + 1] = mn_srgb_byte((double)mn_tone(c.y));
            job->rows[3 * i + 2] = mn_srgb_byte((double)mn_tone(c.z));
        }
}

void mn_film_develop(const mn_film *film, unsigned char *rows)
{
    struct {
        const mn_film *film;
        unsigned char *rows;
    } job = { film, rows };
    mn_parallel_for(mn_context_pool(film->context), film->height, 16, develop_rows, &job);
}
