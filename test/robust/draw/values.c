// SPDX-License-Identifier: MPL-2.0
// test/robust/draw/values.c - numbers for a row: over its range, or in the scale of the scene.
#include "draw.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double draw_unit(draft *d) { return mn_random(d->seed, d->drawn++, 0, 0); }
bool   draw_chance(draft *d, double probability) { return draw_unit(d) < probability; }
int    draw_below(draft *d, int count) { return (int)(draw_unit(d) * count); }
double draw_between(draft *d, double low, double high) { return low + (high - low) * draw_unit(d); }
double draw_log(draft *d, double low, double high) { return low * pow(high / low, draw_unit(d)); }

void draw_direction(draft *d, double out[3])
{
    double length = 0.0;
    if (draw_chance(d, 0.3)) {  // along an axis, as people write them
        for (int a = 0; a < 3; a++) out[a] = 0.0;
        out[draw_below(d, d->dimension)] = draw_chance(d, 0.5) ? 1.0 : -1.0;
        return;
    }
    while (length < 1e-3) {
        for (int a = 0; a < 3; a++) out[a] = a < d->dimension ? draw_between(d, -1.0, 1.0) : 0.0;
        length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    }
    for (int a = 0; a < 3; a++) out[a] /= length;
}

static double standard_of(const mn_setting *s) { return s->standard != NULL ? strtod(s->standard, NULL) : 0.0; }
static bool   is_word(const mn_setting *s, const char *unit) { return s->unit != NULL && strcmp(s->unit, unit) == 0; }

static double without_range(draft *d)
{
    return draw_log(d, MN_LENGTH_SHORTEST, MN_NUMBER_FARTHEST) * (draw_chance(d, 0.5) ? 1.0 : -1.0);
}

/// The last number of a range whose end does not belong to it.
static double end_of(draft *d, const mn_setting *s)
{
    const double far = isinf(s->high) ? MN_NUMBER_FARTHEST : s->high;
    if (draw_chance(d, 0.5)) return s->flags & MN_SET_UNDER ? nextafter(far, s->low) : far;
    return s->flags & MN_SET_ABOVE ? s->low + 1e-15 * fmax(1.0, fabs(s->low)) : s->low;
}

static double over_range(draft *d, const mn_setting *s)
{
    const double far = isinf(s->high) ? MN_NUMBER_FARTHEST : s->high, standard = standard_of(s);
    if (s->low < 0.0 || far <= 4.0) return draw_between(d, s->low, far);
    if (isinf(s->high) && standard <= 0.0 && draw_chance(d, 0.8)) return draw_log(d, fmax(s->low, 1e-6), 1e6);
    // Below a range that begins at 0 there are all powers of ten; as many are drawn below the default as above it.
    const double least = s->low > 0.0 ? s->low : standard > 0.0 ? fmax(standard * standard / far, 1e-15) : 1e-15 * far;
    return draw_log(d, least, far);
}

double draw_in_range(draft *d, const mn_setting *s)
{
    const double standard = standard_of(s), kind = draw_unit(d);
    if (s->low == 0.0 && s->high == 0.0) return is_word(s, "deg") ? draw_between(d, -360.0, 360.0) : without_range(d);
    double v = over_range(d, s);
    if (kind < 0.04) v = end_of(d, s);
    else if (kind < 0.6 && standard > 0.0) v = draw_log(d, 0.03, 30.0) * standard;
    v = fmin(fmax(v, s->low), s->high);
    return mn_setting_in_range(s, v) ? mn_setting_shown(s, v) : mn_setting_shown(s, over_range(d, s));
}

double draw_scaled(draft *d, const mn_setting *s)
{
    if (s->unit == NULL || draw_chance(d, 0.02)) return draw_in_range(d, s);
    if (is_word(s, "cm")) return d->reach * draw_between(d, 0.2, 1.0);
    if (is_word(s, "cm/s")) return d->speed * draw_log(d, 0.03, 3.0);
    if (is_word(s, "s")) return d->duration * draw_unit(d);
    if (is_word(s, "cm^3/s")) return draw_chance(d, 0.3) ? 0.0 : 4.0 * d->speed * d->cell * d->cell * draw_unit(d);
    return draw_in_range(d, s);
}

/// Lengths of edges, a place, a velocity, a turning, colours: a vector by its unit and its range.
void draw_vector(draft *d, const mn_setting *s, double out[3])
{
    const bool ranged = s->low != 0.0 || s->high != 0.0, wild = draw_chance(d, 0.01);
    double     size = 1.0;
    if (ranged && is_word(s, "cm")) {
        for (int a = 0; a < 3; a++) out[a] = wild ? draw_in_range(d, s) : d->reach * draw_between(d, 0.3, 1.5);
        return;
    }
    if (ranged) {
        for (int a = 0; a < 3; a++) out[a] = draw_in_range(d, s);
        return;
    }
    draw_direction(d, out);
    if (s->flags & MN_SET_DIRECTION) return;
    if (is_word(s, "cm")) {
        for (int a = 0; a < d->dimension; a++) out[a] = d->spot[a] + out[a] * 0.3 * d->reach;
        return;
    }
    if (is_word(s, "cm/s")) size = d->speed * draw_log(d, 0.03, 3.0), d->fastest = fmax(d->fastest, size);
    if (is_word(s, "deg/s")) {
        size       = d->speed / d->reach * draw_log(d, 0.03, 2.0);
        d->fastest = fmax(d->fastest, size * d->reach);
        size *= 57.29577951308232;
        if (d->dimension == 2) out[0] = out[1] = 0.0, out[2] = 1.0;
    }
    for (int a = 0; a < 3; a++) out[a] *= size;
}

void draw_pair(draft *d, const mn_setting *s, double out[2])
{
    for (int k = 0; k < 2; k++) out[k] = is_word(s, "s") ? d->duration * draw_unit(d) : draw_scaled(d, s);
    const bool falls = out[0] > out[1];
    // A ring is wider than its tube, and a time ends after it began.
    if (s->flags & MN_SET_RISING ? falls : !falls && is_word(s, "cm")) {
        const double first = out[0];
        out[0]             = out[1];
        out[1]             = first;
    }
    if (s->flags & MN_SET_RISING && out[0] >= out[1]) out[1] = out[0] + d->duration;
}
