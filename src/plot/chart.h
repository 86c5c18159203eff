// SPDX-License-Identifier: MPL-2.0
// plot/chart.h - lines over time in a frame with numbers: as SVG and as PNG.
#ifndef MN_PLOT_CHART_H
#define MN_PLOT_CHART_H

#include "draw/text.h"
#include "output/buffer.h"

#define MN_CHART_SERIES_MOST 16
#define MN_CHART_TICKS_MOST  24

typedef struct mn_series {
    const char   *name;
    const double *value;  ///< one at each x of the chart; what is not finite is a gap
} mn_series;

typedef enum mn_chart_kind {
    MN_CHART_LINES,
    MN_CHART_LOGARITHM,  ///< lines of the sizes; a zero lies on the lower edge
    MN_CHART_STACK       ///< areas, one on the other; values >= 0
} mn_chart_kind;

typedef struct mn_chart {
    const char   *title, *x_label, *y_label;
    mn_chart_kind kind;
    const double *x;  ///< increasing
    int64_t       count;
    mn_series     series[MN_CHART_SERIES_MOST];
    int           series_count;
} mn_chart;

/// Where everything lies, in pixels of a picture of MN_CHART_WIDTH x MN_CHART_HEIGHT, y down.
#define MN_CHART_WIDTH  960
#define MN_CHART_HEIGHT 480

typedef struct mn_chart_tick {
    double place;
    char   text[24];
} mn_chart_tick;

typedef struct mn_chart_layout {
    double        left, right, top, bottom;  ///< of the frame
    double        x[2], y[2];  ///< values at left and right, bottom and top; y are exponents with logarithms
    mn_chart_tick x_tick[MN_CHART_TICKS_MOST], y_tick[MN_CHART_TICKS_MOST];
    int           x_ticks, y_ticks;
} mn_chart_layout;

mn_chart_layout mn_chart_plan(const mn_chart *chart);
/// Places of sample i: of its own line, or of the upper edge of its area. NaN in a gap.
double mn_chart_place_x(const mn_chart *chart, const mn_chart_layout *layout, int64_t i);
double mn_chart_place_y(const mn_chart *chart, const mn_chart_layout *layout, int series, int64_t i);
mn_ink mn_chart_ink(int series);

void      mn_chart_svg(const mn_chart *chart, mn_buffer *out);
mn_status mn_chart_png(const mn_chart *chart, mn_buffer *out);

#endif
