// SPDX-License-Identifier: MPL-2.0
// output/parts/texture.c - triangles drawn into texture space, with a gutter around every patch.
#include "output/parts/texture.h"

#include "base/pool.h"
#include "output/png.h"

#include <string.h>

#define ROWS 16  // of a block of the loop over the image

typedef struct job {
    const mn_mesh_texture *uv;
    const int32_t (*triangle)[3];
    int64_t          triangle_count;
    const mn_colour *color;
    mn_texture      *out;
} job;

typedef struct corner {
    double    x, y;
    mn_colour color;
} corner;  // pixels, y down

static bool corners_of(const job *j, int64_t t, corner c[3])
{
    for (int k = 0; k < 3; k++) {
        const int32_t at = j->uv->corner[t][k];
        if (at < 0) return false;
        c[k] = (corner){ j->uv->at[at][0] * j->out->size, (1.0 - j->uv->at[at][1]) * j->out->size,
                         j->color[j->triangle[t][k]] };
    }
    return true;
}

static void draw_triangle(const corner c[3], mn_texture *out, int64_t begin, int64_t end)
{
    const double area = (c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[2].x - c[0].x) * (c[1].y - c[0].y);
    if (area == 0.0) return;
    const int64_t top    = (int64_t)floor(fmin(c[0].y, fmin(c[1].y, c[2].y)) - 0.5),
                  bottom = (int64_t)ceil(fmax(c[0].y, fmax(c[1].y, c[2].y)) - 0.5);
    const int64_t left   = (int64_t)floor(fmin(c[0].x, fmin(c[1].x, c[2].x)) - 0.5),
                  right  = (int64_t)ceil(fmax(c[0].x, fmax(c[1].x, c[2].x)) - 0.5);
    for (int64_t y = top > begin ? top : begin; y <= bottom && y < end; y++)
        for (int64_t x = left > 0 ? left : 0; x <= right && x < out->size; x++) {
            const double px = (double)x + 0.5, py = (double)y + 0.5;
            const double a = ((c[1].x - px) * (c[2].y - py) - (c[2].x - px) * (c[1].y - py)) / area;
            const double b = ((c[2].x - px) * (c[0].y - py) - (c[0].x - px) * (c[2].y - py)) / area, d = 1.0 - a - b;
            if (a < -1e-9 || b < -1e-9 || d < -1e-9) continue;
            float *to                     = out->pixel[y * out->size + x];
            to[0]                         = (float)(a * c[0].color.r + b * c[1].color.r + d * c[2].color.r);
            to[1]                         = (float)(a * c[0].color.g + b * c[1].color.g + d * c[2].color.g);
            to[2]                         = (float)(a * c[0].color.b + b * c[1].color.b + d * c[2].color.b);
            out->cover[y * out->size + x] = 1;
        }
}

static void draw_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const job *j = context;
    corner     c[3];
    for (int64_t t = 0; t < j->triangle_count; t++)
        if (corners_of(j, t, c)) draw_triangle(c, j->out, begin, end);
}

/// The mean of what stands around pixel (x, y) and was there before this pass; 0 if nothing was.
static int around(const mn_texture *t, int x, int y, int pass, float mean[3])
{
    int count = 0;
    mean[0] = mean[1] = mean[2] = 0.0f;
    for (int k = 0; k < 9; k++) {
        const int i = x + k % 3 - 1, j = y + k / 3 - 1;
        if (i < 0 || j < 0 || i >= t->size || j >= t->size) continue;
        const int64_t at = (int64_t)j * t->size + i;
        if (t->cover[at] == 0 || t->cover[at] > pass) continue;
        for (int a = 0; a < 3; a++) mean[a] += t->pixel[at][a];
        count++;
    }
    for (int a = 0; a < 3 && count > 0; a++) mean[a] /= (float)count;
    return count;
}

static void add_gutter(mn_texture *t)
{
    for (int pass = 1; pass <= MN_TEXTURE_GUTTER; pass++)
        for (int y = 0; y < t->size; y++)
            for (int x = 0; x < t->size; x++) {
                const int64_t at = (int64_t)y * t->size + x;
                float         mean[3];
                if (t->cover[at] != 0 || around(t, x, y, pass, mean) == 0) continue;
                memcpy(t->pixel[at], mean, sizeof mean);
                t->cover[at] = (uint8_t)(pass + 1);
            }
}

static mn_status check(mn_context *c, const mn_mesh_texture *uv, int64_t triangle_count, int size)
{
    if (size < MN_TEXTURE_LEAST || size > MN_TEXTURE_MOST)
        return mn_fail(c, MN_ERR_ARGUMENT, "the size of a texture is %d pixels; accepted is %d to %d", size,
                       MN_TEXTURE_LEAST, MN_TEXTURE_MOST);
    return mn_mesh_texture_check(c, uv, triangle_count);
}

mn_status mn_texture_draw(mn_context *c, const mn_mesh_texture *uv, const int32_t (*triangle)[3],
                          int64_t triangle_count, const mn_colour *color, int size, mn_colour background,
                          mn_texture *out)
{
    *out = (mn_texture){ .size = size };
    MN_TRY(check(c, uv, triangle_count, size));
    const int64_t n = (int64_t)size * size;
    out->pixel      = mn_alloc(c, mn_array_bytes(n, sizeof *out->pixel));
    out->cover      = mn_alloc_array(c, uint8_t, n);
    if (out->pixel == NULL || out->cover == NULL) {
        mn_texture_free(c, out);
        return MN_ERR_MEMORY;
    }
    for (int64_t k = 0; k < n; k++)
        out->pixel[k][0] = (float)background.r, out->pixel[k][1] = (float)background.g,
        out->pixel[k][2] = (float)background.b;
    job j = { .uv = uv, .triangle = triangle, .triangle_count = triangle_count, .color = color, .out = out };
    mn_parallel_for(mn_context_pool(c), size, ROWS, draw_rows, &j);
    add_gutter(out);
    return MN_OK;
}

void mn_texture_free(mn_context *c, mn_texture *t)
{
    mn_free(c, t->pixel);
    mn_free(c, t->cover);
    *t = (mn_texture){ .size = 0 };
}

mn_status mn_texture_png(mn_context *c, const mn_texture *t, mn_buffer *png)
{
    const int64_t  n    = (int64_t)t->size * t->size;
    unsigned char *rows = mn_alloc_array(c, unsigned char, 3 * n);
    if (rows == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < 3 * n; k++) rows[k] = mn_srgb_byte((double)t->pixel[k / 3][k % 3]);
    const mn_status status = mn_png_encode(c, rows, t->size, t->size, png);
    mn_free(c, rows);
    return status;
}
