// SPDX-License-Identifier: MPL-2.0
// output/png.h - pixels as a PNG in memory.
#ifndef MN_OUTPUT_PNG_H
#define MN_OUTPUT_PNG_H

#include "output/buffer.h"

/// Add an image of 8-bit sRGB, three bytes a pixel, top row first, to a buffer.
mn_status mn_png_encode(mn_context *context, const unsigned char *rows, int width, int height, mn_buffer *out);

#endif
