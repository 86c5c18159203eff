// SPDX-License-Identifier: MPL-2.0
// output/png.c - pixels as a PNG in memory, through libpng with the context's memory.
#include "output/png.h"

#include <png.h>

static void *png_block(png_structp png, png_alloc_size_t bytes) { return mn_alloc(png_get_mem_ptr(png), bytes); }

static void png_block_free(png_structp png, void *block) { mn_free(png_get_mem_ptr(png), block); }

static void png_bytes(png_structp png, png_bytep data, size_t bytes)
{
    mn_buffer *out = png_get_io_ptr(png);
    mn_buffer_add(out, data, bytes);
    if (mn_buffer_status(out) != MN_OK) png_error(png, "no memory");
}

static void png_nothing(png_structp png) { (void)png; }

/// libpng reports trouble by a long jump; nothing but `png` and `info` lives across it.
static bool encode(png_structp png, png_infop info, const unsigned char *rows, int width, int height)
{
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
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

mn_status mn_png_encode(mn_context *context, const unsigned char *rows, int width, int height, mn_buffer *out)
{
    png_structp png  = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, NULL, png_fail, png_quiet, context, png_block,
                                                 png_block_free);
    png_infop   info = png != NULL ? png_create_info_struct(png) : NULL;
    if (png != NULL) png_set_write_fn(png, out, png_bytes, png_nothing);
    const bool good = info != NULL && encode(png, info, rows, width, height);
    png_destroy_write_struct(&png, &info);
    return good ? MN_OK
                : mn_fail(context, MN_ERR_MEMORY, "memory for a picture of %d x %d pixels could not be obtained", width,
                          height);
}
