// SPDX-License-Identifier: MPL-2.0
// draw/colormap.h - numbers as colours, and round numbers for a legend.
#ifndef MN_DRAW_COLORMAP_H
#define MN_DRAW_COLORMAP_H

#include "math/vec3f.h"

#define MN_TICKS_MOST 12

/// Colour of t in [0, 1] (outside: the nearer end) as linear light: dark violet over green to yellow, lightness rising
/// evenly.
mn_f3 mn_colormap(double t);

/// Ends and steps of a scale that reads well and holds [low, high].
typedef struct mn_ticks {
    double low, high, step;
    int    count;  ///< values low, low + step ... high
} mn_ticks;
mn_ticks mn_ticks_round(double low, double high);

/// The unit in which frame files hold a field, "" if it has none.
const char *mn_field_unit(const char *name);

#endif
