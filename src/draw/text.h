// SPDX-License-Identifier: MPL-2.0
// draw/text.h - small letters and boxes drawn into a picture of 8-bit sRGB.
#ifndef MN_DRAW_TEXT_H
#define MN_DRAW_TEXT_H

#include "draw/colormap.h"

typedef struct mn_image {
    unsigned char *rows;  ///< three bytes a pixel, top row first
    int            width, height;
} mn_image;

typedef struct mn_ink {
    unsigned char r, g, b;
} mn_ink;

/// Letters are 5 x 7 dots of `scale` pixels, 6 apart.
#define MN_TEXT_ADVANCE 6
#define MN_TEXT_HEIGHT  7

/// Mix ink into a box, `share` 1: cover it. What lies outside the image is left out.
void mn_image_box(mn_image *image, int x, int y, int width, int height, mn_ink ink, double share);
/// Text from its left upper corner. Capitals are drawn as small letters, unknown ones as a box.
void mn_image_text(mn_image *image, int x, int y, int scale, const char *text, mn_ink ink);
int  mn_text_width(const char *text, int scale);

/// The bar of colours with numbers and unit, at the right of the picture.
void mn_image_legend(mn_image *image, const char *field, const mn_ticks *ticks);

#endif
