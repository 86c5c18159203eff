// SPDX-License-Identifier: MPL-2.0
// output/parts/texture.h - colours of vertices as an image in the texture coordinates of a mesh.
#ifndef MN_OUTPUT_PARTS_TEXTURE_H
#define MN_OUTPUT_PARTS_TEXTURE_H

#include "draw/colour.h"
#include "geom/mesh.h"
#include "meniscus/stain.h"
#include "output/buffer.h"

#define MN_TEXTURE_LEAST MN_STAIN_TEXTURE_LEAST
#define MN_TEXTURE_MOST  MN_STAIN_TEXTURE_MOST
/// Pixels around every patch that take its colour on, so that a filter at its rim meets no background.
#define MN_TEXTURE_GUTTER 4

/// Square images of `size` pixels; top row first, v = 1 at the top.
typedef struct mn_texture {
    int size;
    float (*pixel)[3];  ///< linear light
    uint8_t *cover;     ///< 1: inside a triangle, 2 .. gutter + 1: that many pixels outside, 0: background
} mn_texture;

/// Draw triangles with colours at their vertices, interpolated in linear light; those with a corner that has no texture
/// coordinate are left out. Where triangles overlap, the last one counts. A corner outside of [0, 1]^2 is
/// MN_ERR_ARGUMENT: an image that repeats cannot hold a stain. The same bits for any number of threads.
mn_status mn_texture_draw(mn_context *context, const mn_mesh_texture *uv, const int32_t (*triangle)[3],
                          int64_t triangle_count, const mn_colour *color, int size, mn_colour background,
                          mn_texture *out);
void      mn_texture_free(mn_context *context, mn_texture *texture);

/// The image as PNG, 8-bit sRGB.
mn_status mn_texture_png(mn_context *context, const mn_texture *texture, mn_buffer *png);

#endif
