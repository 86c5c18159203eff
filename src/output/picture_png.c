// SPDX-License-Identifier: MPL-2.0
// output/picture_png.c - the canvas as a PNG in memory.
#include "output/picture_private.h"

#include "output/png.h"

#include <math.h>

typedef struct encode_job {
    const mn_canvas *canvas;
    unsigned char   *rows;
    int              width;
} encode_job;

static unsigned char to_srgb(float linear)
{
    const float x = mn_saturate(linear);
    const float y = x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1.0f / 2.4f) - 0.055f;
    return (unsigned char)(255.0f * y + 0.5f);
}

static void average_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const encode_job *job = context;
    const mn_canvas  *c   = job->canvas;
    for (int64_t y = begin; y < end; y++)
        for (int x = 0; x < job->width; x++) {
            mn_rgb sum = { 0, 0, 0 };
            for (int k = 0; k < MN_PICTURE_SAMPLES * MN_PICTURE_SAMPLES; k++) {
                const mn_rgb *p = &c->color[(y * MN_PICTURE_SAMPLES + k / MN_PICTURE_SAMPLES) * c->width + x * MN_PICTURE_SAMPLES
                                            + k % MN_PICTURE_SAMPLES];
                sum.r += p->r, sum.g += p->g, sum.b += p->b;
            }
            const float    share = 1.0f / (MN_PICTURE_SAMPLES * MN_PICTURE_SAMPLES);
            unsigned char *to    = job->rows + (y * job->width + x) * 3;
            to[0] = to_srgb(share * sum.r), to[1] = to_srgb(share * sum.g), to[2] = to_srgb(share * sum.b);
        }
}

mn_status mn_picture_png(mn_canvas *c, mn_buffer *out)
{
    const int  width = c->width / MN_PICTURE_SAMPLES, height = c->height / MN_PICTURE_SAMPLES;
    encode_job job   = { .canvas = c, .width = width };
    job.rows         = mn_alloc(c->context, (size_t)width * (size_t)height * 3);
    if (job.rows == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(c->pool, height, 16, average_rows, &job);
    const mn_status status = mn_png_encode(c->context, job.rows, width, height, out);
    mn_free(c->context, job.rows);
    return status;
}
