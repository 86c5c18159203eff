// SPDX-License-Identifier: MPL-2.0
// plot/chart_png.c - a chart as PNG.
#include "plot/chart.h"

#include "output/png.h"

#include <math.h>
#include <string.h>

static const mn_ink black = { 30, 30, 30 }, grid_ink = { 221, 221, 221 };

/// Mix ink into the pixels near a line, by how much of each it covers.
static void draw_segment(mn_image *p, const double a[2], const double b[2], double width, mn_ink ink)
{
    const double dx = b[0] - a[0], dy = b[1] - a[1], length2 = dx * dx + dy * dy, reach = 0.5 * width + 1.0;
    const int    x0 = (int)floor(fmin(a[0], b[0]) - reach), x1 = (int)ceil(fmax(a[0], b[0]) + reach);
    const int    y0 = (int)floor(fmin(a[1], b[1]) - reach), y1 = (int)ceil(fmax(a[1], b[1]) + reach);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            const double px = x + 0.5 - a[0], py = y + 0.5 - a[1];
            const double t     = length2 > 0.0 ? fmin(fmax((px * dx + py * dy) / length2, 0.0), 1.0) : 0.0;
            const double cover = 0.5 * width + 0.5 - hypot(px - t * dx, py - t * dy);
            if (cover > 0.0) mn_image_box(p, x, y, 1, 1, ink, fmin(cover, 1.0));
        }
}

static void draw_line(mn_image *p, const mn_chart *c, const mn_chart_layout *l, int s)
{
    double last[2] = { NAN, NAN };
    for (int64_t i = 0; i < c->count; i++) {
        const double at[2] = { mn_chart_place_x(c, l, i), mn_chart_place_y(c, l, s, i) };
        if (!isnan(at[1]) && !isnan(last[1])) draw_segment(p, last, at, 1.8, mn_chart_ink(s));
        memcpy(last, at, sizeof last);
    }
}

/// Columns of pixels between the edges of an area.
static void draw_area(mn_image *p, const mn_chart *c, const mn_chart_layout *l, int s)
{
    for (int64_t i = 1; i < c->count; i++) {
        const double x0 = mn_chart_place_x(c, l, i - 1), x1 = mn_chart_place_x(c, l, i);
        for (int x = (int)ceil(x0 - 0.5); x + 0.5 <= x1; x++) {
            const double t = (x + 0.5 - x0) / (x1 - x0), top0 = mn_chart_place_y(c, l, s, i - 1),
                         top1 = mn_chart_place_y(c, l, s, i);
            const double low0 = s > 0 ? mn_chart_place_y(c, l, s - 1, i - 1) : l->bottom,
                         low1 = s > 0 ? mn_chart_place_y(c, l, s - 1, i) : l->bottom;
            const int top = (int)lround(top0 + t * (top1 - top0)), low = (int)lround(low0 + t * (low1 - low0));
            mn_image_box(p, x, top, 1, low - top, mn_chart_ink(s), 1.0);
        }
    }
}

static void draw_frame(mn_image *p, const mn_chart *c, const mn_chart_layout *l)
{
    const int left = (int)l->left, right = (int)l->right, top = (int)l->top, bottom = (int)l->bottom;
    for (int k = 0; k < l->x_ticks; k++) {
        const int x = (int)lround(l->x_tick[k].place);
        mn_image_box(p, x, top, 1, bottom - top, grid_ink, 0.8);
        mn_image_text(p, x - mn_text_width(l->x_tick[k].text, 1) / 2, bottom + 8, 1, l->x_tick[k].text, black);
    }
    for (int k = 0; k < l->y_ticks; k++) {
        const int y = (int)lround(l->y_tick[k].place);
        mn_image_box(p, left, y, right - left, 1, grid_ink, 0.8);
        mn_image_text(p, left - 8 - mn_text_width(l->y_tick[k].text, 1), y - 3, 1, l->y_tick[k].text, black);
    }
    mn_image_box(p, left, top, right - left, 1, black, 1.0);
    mn_image_box(p, left, bottom, right - left + 1, 1, black, 1.0);
    mn_image_box(p, left, top, 1, bottom - top, black, 1.0);
    mn_image_box(p, right, top, 1, bottom - top, black, 1.0);
    mn_image_text(p, left, top - 30, 2, c->title, black);
    // The unit of the values stands above their numbers: letters are not turned here.
    mn_image_text(p, 4, top - 12, 1, c->y_label, black);
    mn_image_text(p, (left + right - mn_text_width(c->x_label, 1)) / 2, bottom + 28, 1, c->x_label, black);
}

static void draw_legend(mn_image *p, const mn_chart *c, const mn_chart_layout *l)
{
    for (int s = 0; s < c->series_count; s++) {
        const int row = c->kind == MN_CHART_STACK ? c->series_count - 1 - s : s, y = (int)l->top + 9 + 21 * row;
        mn_image_box(p, (int)l->right + 12, y, 16, 6, mn_chart_ink(s), 1.0);
        mn_image_text(p, (int)l->right + 34, y, 1, c->series[s].name, black);
    }
}

mn_status mn_chart_png(const mn_chart *c, mn_buffer *out)
{
    const mn_chart_layout l = mn_chart_plan(c);
    mn_image              p = { .width = MN_CHART_WIDTH, .height = MN_CHART_HEIGHT };
    p.rows                  = mn_alloc(out->context, (size_t)3 * MN_CHART_WIDTH * MN_CHART_HEIGHT);
    if (p.rows == NULL) return MN_ERR_MEMORY;
    memset(p.rows, 255, (size_t)3 * MN_CHART_WIDTH * MN_CHART_HEIGHT);
    for (int s = 0; s < c->series_count && c->kind == MN_CHART_STACK; s++) draw_area(&p, c, &l, s);
    draw_frame(&p, c, &l);
    for (int s = 0; s < c->series_count && c->kind != MN_CHART_STACK; s++) draw_line(&p, c, &l, s);
    draw_legend(&p, c, &l);
    const mn_status status = mn_png_encode(out->context, p.rows, p.width, p.height, out);
    mn_free(out->context, p.rows);
    return status;
}
