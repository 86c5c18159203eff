// SPDX-License-Identifier: MPL-2.0
// plot/chart_svg.c - a chart as SVG.
#include "plot/chart.h"

#include "output/vtp.h"

#include <math.h>
#include <stdio.h>

static void add_text(mn_buffer *b, double x, double y, const char *anchor, int size, const char *more, const char *text)
{
    mn_buffer_print(b, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\"%s>", x, y, anchor, size, more);
    mn_xml_text(b, text);
    mn_buffer_text(b, "</text>\n");
}

static void add_frame(mn_buffer *b, const mn_chart *c, const mn_chart_layout *l)
{
    char turn[80];
    mn_buffer_text(b, "<g stroke=\"#ddd\">\n");
    for (int k = 0; k < l->x_ticks; k++)
        mn_buffer_print(b, "<path d=\"M%.1f %.1fV%.1f\"/>\n", l->x_tick[k].place, l->top, l->bottom);
    for (int k = 0; k < l->y_ticks; k++)
        mn_buffer_print(b, "<path d=\"M%.1f %.1fH%.1f\"/>\n", l->left, l->y_tick[k].place, l->right);
    mn_buffer_print(b,
                    "</g>\n<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
                    "stroke=\"#444\"/>\n",
                    l->left, l->top, l->right - l->left, l->bottom - l->top);
    for (int k = 0; k < l->x_ticks; k++)
        add_text(b, l->x_tick[k].place, l->bottom + 18.0, "middle", 13, "", l->x_tick[k].text);
    for (int k = 0; k < l->y_ticks; k++)
        add_text(b, l->left - 8.0, l->y_tick[k].place + 4.5, "end", 13, "", l->y_tick[k].text);
    add_text(b, l->left, l->top - 16.0, "start", 17, " font-weight=\"bold\"", c->title);
    add_text(b, 0.5 * (l->left + l->right), l->bottom + 40.0, "middle", 14, "", c->x_label);
    const double middle = 0.5 * (l->top + l->bottom);
    snprintf(turn, sizeof turn, " transform=\"rotate(-90 20 %.1f)\"", middle);
    add_text(b, 20.0, middle, "middle", 14, turn, c->y_label);
}

/// Pieces of the line between gaps.
static void add_line(mn_buffer *b, const mn_chart *c, const mn_chart_layout *l, int s)
{
    const mn_ink ink = mn_chart_ink(s);
    mn_buffer_print(b,
                    "<path fill=\"none\" stroke-width=\"1.8\" stroke-linejoin=\"round\" stroke=\"#%02x%02x%02x\" d=\"",
                    ink.r, ink.g, ink.b);
    bool gap = true;
    for (int64_t i = 0; i < c->count; i++) {
        const double y = mn_chart_place_y(c, l, s, i);
        if (!isnan(y)) mn_buffer_print(b, "%c%.2f %.2f", gap ? 'M' : 'L', mn_chart_place_x(c, l, i), y);
        gap = isnan(y);
    }
    mn_buffer_text(b, "\"/>\n");
}

static void add_area(mn_buffer *b, const mn_chart *c, const mn_chart_layout *l, int s)
{
    const mn_ink ink = mn_chart_ink(s);
    if (c->count == 0) return;
    mn_buffer_print(b, "<path fill=\"#%02x%02x%02x\" d=\"", ink.r, ink.g, ink.b);
    for (int64_t i = 0; i < c->count; i++)
        mn_buffer_print(b, "%c%.2f %.2f", i == 0 ? 'M' : 'L', mn_chart_place_x(c, l, i), mn_chart_place_y(c, l, s, i));
    for (int64_t i = c->count - 1; i >= 0; i--)
        mn_buffer_print(b, "L%.2f %.2f", mn_chart_place_x(c, l, i),
                        s > 0 ? mn_chart_place_y(c, l, s - 1, i) : l->bottom);
    mn_buffer_text(b, "Z\"/>\n");
}

static void add_legend(mn_buffer *b, const mn_chart *c, const mn_chart_layout *l)
{
    for (int s = 0; s < c->series_count; s++) {
        // A stack is named from its top.
        const int    row = c->kind == MN_CHART_STACK ? c->series_count - 1 - s : s;
        const double y   = l->top + 12.0 + 21.0 * row;
        const mn_ink ink = mn_chart_ink(s);
        mn_buffer_print(b, "<rect x=\"%.1f\" y=\"%.1f\" width=\"16\" height=\"6\" fill=\"#%02x%02x%02x\"/>\n",
                        l->right + 12.0, y - 3.0, ink.r, ink.g, ink.b);
        add_text(b, l->right + 34.0, y + 4.5, "start", 13, "", c->series[s].name);
    }
}

void mn_chart_svg(const mn_chart *c, mn_buffer *b)
{
    const mn_chart_layout l = mn_chart_plan(c);
    mn_buffer_print(b,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                    "font-family=\"sans-serif\">\n"
                    "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                    MN_CHART_WIDTH, MN_CHART_HEIGHT, MN_CHART_WIDTH, MN_CHART_HEIGHT);
    if (c->kind == MN_CHART_STACK)
        for (int s = 0; s < c->series_count; s++) add_area(b, c, &l, s);
    add_frame(b, c, &l);
    if (c->kind != MN_CHART_STACK)
        for (int s = 0; s < c->series_count; s++) add_line(b, c, &l, s);
    add_legend(b, c, &l);
    mn_buffer_text(b, "</svg>\n");
}
