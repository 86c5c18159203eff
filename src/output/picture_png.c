// SPDX-License-Identifier: MPL-2.0
// output/picture_png.c - the canvas as a PNG in memory.
#include "output/picture_private.h"

#include <png.h>

#include <math.h>

static void *png_block(png_structp png, png_alloc_size_t bytes)
{
    return mn_alloc(png_get_mem_ptr(png), bytes);
}

static void png_block_free(png_structp png, void *block)
{
    mn_free(png_get_mem_ptr(png), block);
}

static void png_bytes(png_structp png, png_bytep data, size_t bytes)
{
    mn_buffer *out = png_get_io_ptr(png);
    mn_buffer_add(out, data, bytes);
    if (mn_buffer_status(out) != MN_OK) png_error(png, "no memory");
}

static void png_nothing(png_structp png)
{
    (void)png;
}

/// libpng reports trouble by a long jump; nothing but `png` and `info` lives across it.
static bool encode(png_structp png, png_infop info, const unsigned char *rows, int width, int height)
{
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_filter(png, 0, PNG_FILTER_UP | PNG_FILTER_PAETH);
    png_set_compression_level(png, 4);
    png_write_info(png, info);
    for (int y = 0; y < height; y++) png_write_row(png, rows + (size_t)y * (size_t)width * 3);
    png_write_end(png, info);
    return true;
}

static void png_fail(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

/// Without one of ours libpng prints.
static void png_quiet(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

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
    png_structp png  = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, NULL, png_fail, png_quiet, c->context, png_block, png_block_free);
    png_infop   info = png != NULL ? png_create_info_struct(png) : NULL;
    if (png != NULL) png_set_write_fn(png, out, png_bytes, png_nothing);
    const bool good = info != NULL && encode(png, info, job.rows, width, height);
    png_destroy_write_struct(&png, &info);
    mn_free(c->context, job.rows);
    return good ? MN_OK : mn_fail(c->context, MN_ERR_MEMORY, "memory for a picture of %d x %d pixels could not be obtained", width, height);
}
