// SPDX-License-Identifier: MPL-2.0
// draw/colormap.c - a perceptually even scale of colours.
//
// Control points in sRGB whose CIE lightness L* rises in even steps from 15 to 90 while the hue goes once from violet
// over blue and green to yellow: readable in gray and by most colour-blind eyes. test_render.c holds the evenness.
#include "draw/colormap.h"

#include "draw/colour.h"

#include <string.h>

static const double control[][3] = { { 0.267, 0.005, 0.329 }, { 0.282, 0.141, 0.458 }, { 0.253, 0.265, 0.530 },
                                     { 0.207, 0.372, 0.553 }, { 0.164, 0.471, 0.558 }, { 0.128, 0.567, 0.551 },
                                     { 0.135, 0.659, 0.518 }, { 0.267, 0.749, 0.441 }, { 0.478, 0.821, 0.318 },
                                     { 0.741, 0.873, 0.150 }, { 0.993, 0.906, 0.144 } };
#define STEPS ((int)(sizeof control / sizeof control[0]) - 1)

mn_f3 mn_colormap(double t)
{
    const double x = t > 0.0 ? (t < 1.0 ? t : 1.0) * STEPS : 0.0;
    const int    k = x < STEPS ? (int)x : STEPS - 1;
    const double f = x - k;
    double       rgb[3];
    for (int a = 0; a < 3; a++) rgb[a] = mn_srgb_decode(control[k][a] + f * (control[k + 1][a] - control[k][a]));
    return mn_f3_of((float)rgb[0], (float)rgb[1], (float)rgb[2]);
}

mn_ticks mn_ticks_round(double low, double high)
{
    if (!(high > low)) {
        const double size = fmax(fabs(low), 1.0);
        low -= 0.5 * size;
        high += 0.5 * size;
    }
    const double raw = (high - low) / 5.0, power = pow(10.0, floor(log10(raw))), lead = raw / power;
    mn_ticks     t = { .step = (lead > 5.0 ? 10.0 : lead > 2.0 ? 5.0 : lead > 1.0 ? 2.0 : 1.0) * power };
    t.low          = floor(low / t.step + 1e-9) * t.step;
    t.high         = ceil(high / t.step - 1e-9) * t.step;
    t.count        = (int)lround((t.high - t.low) / t.step) + 1;
    return t;
}

const char *mn_field_unit(const char *name)
{
    static const struct {
        const char *name, *unit;
    } units[] = { { "velocity", "cm/s" },  { "speed", "cm/s" },  { "volume", "cm^3" },
                  { "held", "cm^3" },      { "radius", "cm" },   { "pressure", "dyn/cm^2" },
                  { "wetness", "g/cm^2" }, { "film", "g/cm^2" }, { "stain", "g/cm^2" } };
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (strcmp(name, units[k].name) == 0) return units[k].unit;
    return "";
}
