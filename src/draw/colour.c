// SPDX-License-Identifier: MPL-2.0
// draw/colour.c - the curve of sRGB.
#include "draw/colour.h"

#include <math.h>

double mn_srgb_encode(double linear)
{
    const double x = linear > 0.0 ? (linear < 1.0 ? linear : 1.0) : 0.0;
    return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055;
}

double mn_srgb_decode(double code)
{
    const double x = code > 0.0 ? (code < 1.0 ? code : 1.0) : 0.0;
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

unsigned char mn_srgb_byte(double linear) { return (unsigned char)(255.0 * mn_srgb_encode(linear) + 0.5); }

mn_colour mn_colour_srgb(mn_colour c)
{
    return (mn_colour){ mn_srgb_encode(c.r), mn_srgb_encode(c.g), mn_srgb_encode(c.b) };
}
