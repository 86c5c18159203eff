// SPDX-License-Identifier: MPL-2.0
// draw/text.c - letters of 5 x 7 dots, and the legend made of them.
#include "draw/text.h"

#include "base/locale.h"
#include "draw/colour.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/// Rows from the top; the highest of five bits is the left one.
static const struct glyph {
    char          letter;
    unsigned char row[MN_TEXT_HEIGHT];
} glyphs[] = {
    { '0', { 0x0e, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0e } }, { '1', { 0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e } },
    { '2', { 0x0e, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1f } }, { '3', { 0x1f, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0e } },
    { '4', { 0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02 } }, { '5', { 0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e } },
    { '6', { 0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e } }, { '7', { 0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08 } },
    { '8', { 0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e } }, { '9', { 0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c } },
    { 'a', { 0x00, 0x00, 0x0e, 0x01, 0x0f, 0x11, 0x0f } }, { 'b', { 0x10, 0x10, 0x16, 0x19, 0x11, 0x11, 0x1e } },
    { 'c', { 0x00, 0x00, 0x0e, 0x10, 0x10, 0x11, 0x0e } }, { 'd', { 0x01, 0x01, 0x0d, 0x13, 0x11, 0x11, 0x0f } },
    { 'e', { 0x00, 0x00, 0x0e, 0x11, 0x1f, 0x10, 0x0e } }, { 'f', { 0x06, 0x09, 0x08, 0x1c, 0x08, 0x08, 0x08 } },
    { 'g', { 0x00, 0x0f, 0x11, 0x11, 0x0f, 0x01, 0x0e } }, { 'h', { 0x10, 0x10, 0x16, 0x19, 0x11, 0x11, 0x11 } },
    { 'i', { 0x04, 0x00, 0x0c, 0x04, 0x04, 0x04, 0x0e } }, { 'j', { 0x02, 0x00, 0x06, 0x02, 0x02, 0x12, 0x0c } },
    { 'k', { 0x10, 0x10, 0x12, 0x14, 0x18, 0x14, 0x12 } }, { 'l', { 0x0c, 0x04, 0x04, 0x04, 0x04, 0x04, 0x0e } },
    { 'm', { 0x00, 0x00, 0x1a, 0x15, 0x15, 0x11, 0x11 } }, { 'n', { 0x00, 0x00, 0x16, 0x19, 0x11, 0x11, 0x11 } },
    { 'o', { 0x00, 0x00, 0x0e, 0x11, 0x11, 0x11, 0x0e } }, { 'p', { 0x00, 0x00, 0x1e, 0x11, 0x1e, 0x10, 0x10 } },
    { 'q', { 0x00, 0x00, 0x0d, 0x13, 0x0f, 0x01, 0x01 } }, { 'r', { 0x00, 0x00, 0x16, 0x19, 0x10, 0x10, 0x10 } },
    { 's', { 0x00, 0x00, 0x0e, 0x10, 0x0e, 0x01, 0x1e } }, { 't', { 0x08, 0x08, 0x1c, 0x08, 0x08, 0x09, 0x06 } },
    { 'u', { 0x00, 0x00, 0x11, 0x11, 0x11, 0x13, 0x0d } }, { 'v', { 0x00, 0x00, 0x11, 0x11, 0x11, 0x0a, 0x04 } },
    { 'w', { 0x00, 0x00, 0x11, 0x11, 0x15, 0x15, 0x0a } }, { 'x', { 0x00, 0x00, 0x11, 0x0a, 0x04, 0x0a, 0x11 } },
    { 'y', { 0x00, 0x00, 0x11, 0x11, 0x0f, 0x01, 0x0e } }, { 'z', { 0x00, 0x00, 0x1f, 0x02, 0x04, 0x08, 0x1f } },
    { '.', { 0x00, 0x00, 0x00, 0x00, 0x00, 0x0c, 0x0c } }, { ',', { 0x00, 0x00, 0x00, 0x00, 0x0c, 0x04, 0x08 } },
    { '-', { 0x00, 0x00, 0x00, 0x0e, 0x00, 0x00, 0x00 } }, { '+', { 0x00, 0x04, 0x04, 0x1f, 0x04, 0x04, 0x00 } },
    { '/', { 0x00, 0x01, 0x02, 0x04, 0x08, 0x10, 0x00 } }, { '^', { 0x04, 0x0a, 0x11, 0x00, 0x00, 0x00, 0x00 } },
    { '(', { 0x02, 0x04, 0x08, 0x08, 0x08, 0x04, 0x02 } }, { ')', { 0x08, 0x04, 0x02, 0x02, 0x02, 0x04, 0x08 } },
    { '_', { 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1f } }, { ':', { 0x00, 0x0c, 0x0c, 0x00, 0x0c, 0x0c, 0x00 } },
    { '%', { 0x18, 0x19, 0x02, 0x04, 0x08, 0x13, 0x03 } }, { '=', { 0x00, 0x00, 0x1f, 0x00, 0x1f, 0x00, 0x00 } },
};
static const struct glyph unknown = { '?', { 0x1f, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1f } };

static const struct glyph *find_glyph(char letter)
{
    const char small = (char)tolower((unsigned char)letter);
    for (size_t k = 0; k < sizeof glyphs / sizeof *glyphs; k++)
        if (glyphs[k].letter == small) return &glyphs[k];
    return &unknown;
}

static unsigned char mixed(unsigned char from, unsigned char to, double share)
{
    return (unsigned char)(from + share * (to - from) + 0.5);
}

void mn_image_box(mn_image *image, int x, int y, int width, int height, mn_ink ink, double share)
{
    for (int py = y < 0 ? 0 : y; py < y + height && py < image->height; py++)
        for (int px = x < 0 ? 0 : x; px < x + width && px < image->width; px++) {
            unsigned char *p = image->rows + 3 * ((size_t)py * (size_t)image->width + (size_t)px);
            p[0] = mixed(p[0], ink.r, share), p[1] = mixed(p[1], ink.g, share), p[2] = mixed(p[2], ink.b, share);
        }
}

void mn_image_text(mn_image *image, int x, int y, int scale, const char *text, mn_ink ink)
{
    for (; *text != '\0'; text++, x += MN_TEXT_ADVANCE * scale) {
        if (*text == ' ') continue;
        const struct glyph *g = find_glyph(*text);
        for (int row = 0; row < MN_TEXT_HEIGHT; row++)
            for (int column = 0; column < 5; column++)
                if (g->row[row] >> (4 - column) & 1)
                    mn_image_box(image, x + column * scale, y + row * scale, scale, scale, ink, 1.0);
    }
}

int mn_text_width(const char *text, int scale) { return ((int)strlen(text) * MN_TEXT_ADVANCE - 1) * scale; }

// ---- the legend ----------------------------------------------------------------------------------------------------

static mn_ink map_ink(double t)
{
    const mn_f3 c = mn_colormap(t);
    return (mn_ink){ mn_srgb_byte((double)c.x), mn_srgb_byte((double)c.y), mn_srgb_byte((double)c.z) };
}

static double tick_value(const mn_ticks *t, int k)
{
    const double x = t->low + k * t->step;
    return fabs(x) < 1e-9 * t->step ? 0.0 : x;
}

static void tick_text(const mn_ticks *t, int k, char text[32])
{
    const mn_plain_locale plain = mn_plain_locale_begin();
    snprintf(text, 32, "%.4g", tick_value(t, k));
    mn_plain_locale_end(plain);
}

void mn_image_legend(mn_image *image, const char *field, const mn_ticks *ticks)
{
    const mn_ink white = { 255, 255, 255 }, dark = { 24, 26, 30 };
    const int    scale = image->height >= 400 ? image->height / 270 : 1, gap = 4 * scale, bar = 10 * scale,
              high   = image->height / 2;
    const char *unit = mn_field_unit(field);
    char        title[96], text[32];
    snprintf(title, sizeof title, *unit != '\0' ? "%.60s (%s)" : "%.60s", field, unit);
    int widest = 0;
    for (int k = 0; k < ticks->count; k++) {
        tick_text(ticks, k, text);
        widest = mn_text_width(text, scale) > widest ? mn_text_width(text, scale) : widest;
    }
    const int inner = bar + 2 * gap + widest,
              wide  = (mn_text_width(title, scale) > inner ? mn_text_width(title, scale) : inner) + 2 * gap;
    const int x = image->width - wide - 2 * gap, y = (image->height - high) / 2,
              top = y + gap + (MN_TEXT_HEIGHT + 5) * scale;
    mn_image_box(image, x, y - gap, wide, high + (MN_TEXT_HEIGHT + 10) * scale + 2 * gap, dark, 0.62);
    mn_image_text(image, x + gap, y, scale, title, white);
    for (int row = 0; row < high; row++)
        mn_image_box(image, x + gap, top + row, bar, 1, map_ink(1.0 - (row + 0.5) / high), 1.0);
    for (int k = 0; k < ticks->count; k++) {
        const double t  = (tick_value(ticks, k) - ticks->low) / (ticks->high - ticks->low);
        const int    at = top + (int)((1.0 - t) * (high - 1));
        mn_image_box(image, x + gap + bar, at, gap, scale > 1 ? scale / 2 : 1, white, 1.0);
        tick_text(ticks, k, text);
        mn_image_text(image, x + gap + bar + 2 * gap, at - MN_TEXT_HEIGHT * scale / 2, scale, text, white);
    }
}
