// SPDX-License-Identifier: MPL-2.0
// draw/colour.h - linear light, the codes of sRGB, what water does to light.
#ifndef MN_DRAW_COLOUR_H
#define MN_DRAW_COLOUR_H

typedef struct mn_colour {
    double r, g, b;
} mn_colour;

/// Share of diffuse light that the surface of water reflects inward: 1 - (1 - 0.066) / 1.333^2.
#define MN_COLOUR_INWARD 0.474

/// One channel: linear light in [0, 1] to the code of sRGB in [0, 1], and back.
double        mn_srgb_encode(double linear);
double        mn_srgb_decode(double code);
unsigned char mn_srgb_byte(double linear);
mn_colour     mn_colour_srgb(mn_colour linear);

#endif
