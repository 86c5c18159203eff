// SPDX-License-Identifier: MPL-2.0
// output/weave_draw.c - a tile, two by two, and the ellipse of its tensor: as SVG and as PNG.
#include "base/file.h"
#include "output/png.h"
#include "stain/weave/weave.h"

#include <stdio.h>
#include <string.h>

#define SIDE    480.0  // pixels of the longer side of the tiles
#define MARGIN  16.0
#define SAMPLES 3  // of a pixel along a side

typedef struct rgb {
    double r, g, b;
} rgb;

/// The picture: y runs down.
typedef struct drawing {
    const mn_weave_tile   *tile;
    const mn_weave_result *result;
    double                 cell, tall;     // pixels: width and height of a cell
    double                 width, height;  // of the tiles alone
    double                 axis[2];        // half-axes of the ellipse, pixels
    double                 low, high;      // of the traces of a tile of tensors
} drawing;

static const rgb paper = { 1.0, 1.0, 1.0 }, gap_color = { 0.17, 0.16, 0.18 }, warp_color = { 0.80, 0.62, 0.38 },
                 weft_color = { 0.36, 0.52, 0.70 }, line_color = { 0.72, 0.07, 0.16 };

static drawing plan(const mn_weave_tile *tile, const mn_weave_result *r)
{
    const double aspect = mn_weave_aspect(tile);
    drawing      d      = { .tile   = tile,
                            .result = r,
                            .cell   = SIDE / (2.0 * fmax(tile->columns, aspect * tile->rows)),
                            .low    = INFINITY };
    d.tall              = aspect * d.cell;
    d.width             = 2 * tile->columns * d.cell;
    d.height            = 2 * tile->rows * d.tall;
    // A point stain has these half-axes: the roots of the eigenvalues. The longer one takes most of half the shorter
    // side.
    const double reach = 0.45 * fmin(d.width, d.height);
    d.axis[0]          = reach;
    d.axis[1]          = reach * sqrt(r->principal[1] / r->principal[0]);
    for (int k = 0; tile->tensor != NULL && k < tile->columns * tile->rows; k++) {
        const double trace = tile->tensor[k].xx + tile->tensor[k].yy;
        if (trace > 0.0) d.low = fmin(d.low, trace);
        d.high = fmax(d.high, trace);
    }
    return d;
}

/// Column i and row j from the top of the four tiles.
static int cell_index(const drawing *d, int i, int j)
{
    return (2 * d->tile->rows - 1 - j) % d->tile->rows * d->tile->columns + i % d->tile->columns;
}

static rgb mix(rgb a, rgb b, double t)
{
    return (rgb){ a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b) };
}

static rgb color_of(const drawing *d, int k)
{
    if (d->tile->cell != NULL)
        return d->tile->cell[k] == MN_WEAVE_WARP   ? warp_color
               : d->tile->cell[k] == MN_WEAVE_WEFT ? weft_color
                                                   : gap_color;
    const double trace = d->tile->tensor[k].xx + d->tile->tensor[k].yy;
    if (!(trace > 0.0)) return gap_color;
    return mix(gap_color, (rgb){ 0.86, 0.87, 0.89 },
               d->high > d->low ? 0.25 + 0.75 * log(trace / d->low) / log(d->high / d->low) : 1.0);
}

// --- SVG
// --------------------------------------------------------------------------------------------------------------

static void print_rgb(mn_buffer *b, rgb c)
{
    mn_buffer_print(b, "#%02x%02x%02x", (unsigned)(255.0 * c.r + 0.5), (unsigned)(255.0 * c.g + 0.5),
                    (unsigned)(255.0 * c.b + 0.5));
}

static void print_cells(mn_buffer *b, const drawing *d)
{
    for (int j = 0; j < 2 * d->tile->rows; j++)
        for (int i = 0; i < 2 * d->tile->columns; i++) {
            const int    k = cell_index(d, i, j);
            const double x = i * d->cell, y = j * d->tall, s = d->cell, h = d->tall;
            mn_buffer_print(b, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"", x, y, s, h);
            print_rgb(b, color_of(d, k));
            mn_buffer_text(b, "\"/>\n");
            if (d->tile->cell == NULL || d->tile->cell[k] == MN_WEAVE_GAP) continue;
            const bool warp = d->tile->cell[k] == MN_WEAVE_WARP;  // edges of the yarn that is on top
            for (int side = 0; side < 2; side++)
                mn_buffer_print(b, "<path d=\"M%.2f %.2f%c%.2f\" stroke=\"#000\" stroke-opacity=\".35\"/>\n",
                                x + (warp ? side * s : 0.0), y + (warp ? 0.0 : side * h), warp ? 'v' : 'h',
                                warp ? h : s);
        }
}

static void print_ellipse(mn_buffer *b, const drawing *d)
{
    const double degrees = -d->result->angle * 180.0 / MN_PI;  // y runs down
    mn_buffer_print(b, "<g transform=\"translate(%.2f %.2f) rotate(%.4f)\" fill=\"none\" stroke=\"", 0.5 * d->width,
                    0.5 * d->height, degrees);
    print_rgb(b, line_color);
    mn_buffer_print(b,
                    "\" stroke-width=\"3\">\n<ellipse rx=\"%.2f\" ry=\"%.2f\" fill=\"#fff\" fill-opacity=\".35\"/>\n",
                    d->axis[0], d->axis[1]);
    mn_buffer_print(b, "<path d=\"M%.2f 0H%.2fM0 %.2fV%.2f\" stroke-width=\"1.5\"/>\n</g>\n", -d->axis[0], d->axis[0],
                    -d->axis[1], d->axis[1]);
}

static void draw_svg(const drawing *d, mn_buffer *b)
{
    const mn_weave_result *r     = d->result;
    const double           width = fmax(d->width, 420.0) + 2.0 * MARGIN, height = d->height + 2.0 * MARGIN + 44.0;
    mn_buffer_print(b,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"%.0f %.0f %.0f "
                    "%.0f\">\n",
                    width, height, -MARGIN, -MARGIN, width, height);
    mn_buffer_print(b, "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" fill=\"#fff\"/>\n", -MARGIN, -MARGIN,
                    width, height);
    print_cells(b, d);
    mn_buffer_print(b,
                    "<rect y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"none\" stroke=\"#fff\" "
                    "stroke-dasharray=\"4 4\"/>\n",
                    0.5 * d->height, 0.5 * d->width, 0.5 * d->height);
    print_ellipse(b, d);
    mn_buffer_print(b,
                    "<text x=\"0\" y=\"%.2f\" font-family=\"sans-serif\" font-size=\"15\">xx %.6g  xy %.6g  yy %.6g (x "
                    "along the weft)</text>\n",
                    d->height + 22.0, r->tensor.xx, r->tensor.xy, r->tensor.yy);
    mn_buffer_print(b,
                    "<text x=\"0\" y=\"%.2f\" font-family=\"sans-serif\" font-size=\"15\">axes %.6g and %.6g, the "
                    "first at %.2f degrees; gap %.2g %%</text>\n",
                    d->height + 42.0, r->principal[0], r->principal[1], r->angle * 180.0 / MN_PI, 100.0 * r->gap);
    mn_buffer_text(b, "</svg>\n");
}

// --- PNG
// --------------------------------------------------------------------------------------------------------------

static rgb sample(const drawing *d, double x, double y)
{
    if (x < 0.0 || y < 0.0 || x >= d->width || y >= d->height) return paper;
    const int  k      = cell_index(d, (int)(x / d->cell), (int)(y / d->tall));
    rgb        c      = color_of(d, k);
    const bool warp   = d->tile->cell != NULL && d->tile->cell[k] == MN_WEAVE_WARP,
               weft   = d->tile->cell != NULL && d->tile->cell[k] == MN_WEAVE_WEFT;
    const double edge = warp ? fmod(x, d->cell) : weft ? fmod(y, d->tall) : INFINITY;
    if (fmin(edge, (warp ? d->cell : d->tall) - edge) < 0.7) c = mix(c, (rgb){ 0.0, 0.0, 0.0 }, 0.35);
    const double dx = x - 0.5 * d->width, dy = 0.5 * d->height - y, ca = cos(d->result->angle),
                 sa = sin(d->result->angle);
    const double u = dx * ca + dy * sa, v = dy * ca - dx * sa, q = hypot(u / d->axis[0], v / d->axis[1]);
    if (q > 1.2) return c;
    // Distance to the ellipse, to first order.
    const double slope = hypot(u / (d->axis[0] * d->axis[0]), v / (d->axis[1] * d->axis[1])) / fmax(q, 1e-9);
    if (q < 1.0) c = mix(c, paper, 0.35);
    const bool on_axis = (fabs(v) < 0.75 && fabs(u) < d->axis[0]) || (fabs(u) < 0.75 && fabs(v) < d->axis[1]);
    return on_axis || fabs(q - 1.0) < 1.5 * slope ? line_color : c;
}

static mn_status draw_png(mn_context *context, const drawing *d, mn_buffer *out)
{
    const int      width = (int)(d->width + 2.0 * MARGIN), height = (int)(d->height + 2.0 * MARGIN);
    unsigned char *rows = mn_alloc(context, (size_t)width * (size_t)height * 3);
    if (rows == NULL) return MN_ERR_MEMORY;
    for (int p = 0; p < width * height; p++) {
        rgb sum = { 0.0, 0.0, 0.0 };
        for (int k = 0; k < SAMPLES * SAMPLES; k++) {
            const rgb c = sample(d, p % width + (k % SAMPLES + 0.5) / SAMPLES - MARGIN,
                                 p / width + (k / SAMPLES + 0.5) / SAMPLES - MARGIN);
            sum.r += c.r, sum.g += c.g, sum.b += c.b;
        }
        const double share = 255.0 / (SAMPLES * SAMPLES);
        rows[3 * p] = (unsigned char)(share * sum.r + 0.5), rows[3 * p + 1] = (unsigned char)(share * sum.g + 0.5);
        rows[3 * p + 2] = (unsigned char)(share * sum.b + 0.5);
    }
    const mn_status status = mn_png_encode(context, rows, width, height, out);
    mn_free(context, rows);
    return status;
}

mn_status mn_weave_draw(mn_context *context, const mn_weave_tile *tile, const mn_weave_result *result, const char *path)
{
    const size_t n   = strlen(path);
    const bool   svg = n > 4 && strcmp(path + n - 4, ".svg") == 0, png = n > 4 && strcmp(path + n - 4, ".png") == 0;
    if (!svg && !png)
        return mn_fail(context, MN_ERR_ARGUMENT, "the name of a drawing must end in .svg or .png, unlike '%.200s'",
                       path);
    if (!(result->principal[1] > 0.0))
        return mn_fail(context, MN_ERR_ARGUMENT, "the tensor to draw is not positive definite");
    const drawing d = plan(tile, result);
    mn_buffer     b;
    mn_file_error error;
    mn_buffer_init(&b, context);
    mn_status status = MN_OK;
    if (svg) draw_svg(&d, &b);
    else status = draw_png(context, &d, &b);
    if (status == MN_OK) status = mn_buffer_status(&b);
    if (status == MN_OK && mn_file_write_atomic(path, b.data, b.bytes, &error) != MN_OK)
        status = mn_file_fail(context, &error);
    mn_buffer_free(&b);
    return status;
}
