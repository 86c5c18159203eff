// SPDX-License-Identifier: MPL-2.0
// plot/chart.c - the range of a chart, its round numbers, and where a value lies.
#include "plot/chart.h"

#include <math.h>
#include <stdio.h>

/// What is drawn for a value before it is placed: its exponent, or with stacks the sum up to it.
static double drawn(const mn_chart *c, int series, int64_t i)
{
    if (c->kind == MN_CHART_LOGARITHM) return log10(fabs(c->series[series].value[i]));
    if (c->kind == MN_CHART_LINES) return c->series[series].value[i];
    double sum = 0.0;
    for (int s = 0; s <= series; s++) sum += c->series[s].value[i];
    return sum;
}

static void value_range(const mn_chart *c, double range[2])
{
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int s = 0; s < c->series_count; s++)
        for (int64_t i = 0; i < c->count; i++) {
            const double y = drawn(c, s, i);
            if (!isfinite(y)) continue;
            range[0] = fmin(range[0], y);
            range[1] = fmax(range[1], y);
        }
    if (c->kind == MN_CHART_STACK) range[0] = fmin(range[0], 0.0);
    if (!(range[0] <= range[1])) range[0] = c->kind == MN_CHART_LOGARITHM ? -16.0 : 0.0, range[1] = range[0] + 1.0;
}

static int place_ticks(const mn_ticks *t, double from, double to, const double range[2], mn_chart_tick *tick)
{
    int count = 0;
    for (int k = 0; k < t->count && count < MN_CHART_TICKS_MOST; k++) {
        double value = t->low + k * t->step;
        if (fabs(value) < 1e-9 * t->step) value = 0.0;
        if (value < range[0] - 1e-9 * t->step || value > range[1] + 1e-9 * t->step) continue;
        tick[count].place = from + (to - from) * (value - range[0]) / (range[1] - range[0]);
        snprintf(tick[count].text, sizeof tick[count].text, "%.6g", value);
        count++;
    }
    return count;
}

/// Powers of ten, thinned out until they fit.
static int place_powers(double from, double to, const double range[2], mn_chart_tick *tick)
{
    int step = 1, count = 0;
    while ((range[1] - range[0]) / step > 12.0) step++;
    for (int e = (int)ceil(range[0]); e <= (int)floor(range[1]) && count < MN_CHART_TICKS_MOST; e += step) {
        tick[count].place = from + (to - from) * (e - range[0]) / (range[1] - range[0]);
        snprintf(tick[count].text, sizeof tick[count].text, "1e%d", e);
        count++;
    }
    return count;
}

mn_chart_layout mn_chart_plan(const mn_chart *c)
{
    mn_chart_layout l = { .left   = 92.0,
                          .right  = MN_CHART_WIDTH - 196.0,
                          .top    = 44.0,
                          .bottom = MN_CHART_HEIGHT - 52.0 };
    l.x[0]            = c->count > 0 ? c->x[0] : 0.0;
    l.x[1]            = c->count > 0 && c->x[c->count - 1] > l.x[0] ? c->x[c->count - 1] : l.x[0] + 1.0;
    value_range(c, l.y);
    const mn_ticks across = mn_ticks_round(l.x[0], l.x[1]);
    l.x_ticks             = place_ticks(&across, l.left, l.right, l.x, l.x_tick);
    if (c->kind == MN_CHART_LOGARITHM) {
        l.y[0]    = floor(l.y[0] - 0.1);  // zeros lie on the edge, below all else
        l.y[1]    = fmax(ceil(l.y[1]), l.y[0] + 1.0);
        l.y_ticks = place_powers(l.bottom, l.top, l.y, l.y_tick);
        return l;
    }
    const mn_ticks up = mn_ticks_round(l.y[0], l.y[1]);
    l.y[0]            = up.low;
    l.y[1]            = up.high;
    l.y_ticks         = place_ticks(&up, l.bottom, l.top, l.y, l.y_tick);
    return l;
}

double mn_chart_place_x(const mn_chart *c, const mn_chart_layout *l, int64_t i)
{
    return l->left + (l->right - l->left) * (c->x[i] - l->x[0]) / (l->x[1] - l->x[0]);
}

double mn_chart_place_y(const mn_chart *c, const mn_chart_layout *l, int series, int64_t i)
{
    double y = drawn(c, series, i);
    if (c->kind == MN_CHART_LOGARITHM && c->series[series].value[i] == 0.0) y = l->y[0];
    return isfinite(y) ? l->bottom + (l->top - l->bottom) * (y - l->y[0]) / (l->y[1] - l->y[0]) : NAN;
}

mn_ink mn_chart_ink(int series)
{
    // Told apart by eyes that do not tell red from green: after Okabe and Ito; then the same, darker.
    static const mn_ink inks[] = { { 0, 114, 178 }, { 230, 159, 0 },  { 0, 158, 115 }, { 204, 121, 167 },
                                   { 213, 94, 0 },  { 86, 180, 233 }, { 90, 90, 90 },  { 200, 190, 40 } };
    const mn_ink        ink    = inks[series % 8];
    return series < 8 ? ink
                      : (mn_ink){ (unsigned char)(ink.r * 3 / 5), (unsigned char)(ink.g * 3 / 5),
                                  (unsigned char)(ink.b * 3 / 5) };
}
