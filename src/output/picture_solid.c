// SPDX-License-Identifier: MPL-2.0
// output/picture_solid.c - the floor with the shade of what is above it, and triangles with a depth buffer.
#include "output/picture_private.h"

#include <math.h>
#include <string.h>

static const mn_vec3 light = { 0.37, 0.74, 0.56 };      // towards the light, nearly a unit vector, in the frame of the eye

/// Half light from the sky, half from a lamp beside the eye.
static mn_rgb shade(const mn_canvas *c, mn_vec3 normal, mn_rgb base)
{
    const mn_vec3 lamp = mn_add3(mn_add3(mn_scale3(-light.x, c->eye.right), mn_scale3(light.y, c->eye.up)), mn_scale3(-light.z, c->eye.forward));
    const double  sky = 0.5 + 0.5 * mn_dot3(normal, c->sky), direct = fmax(0.0, mn_dot3(normal, lamp));
    return mn_rgb_scale((float)(0.25 + 0.35 * sky + 0.45 * direct), base);
}

// ---- the floor -----------------------------------------------------------------------------------------------------

#define SHADE_SIZE 192

/// Matter above each patch of the floor, blurred.
typedef struct floor_map {
    mn_canvas *canvas;
    mn_vec3    side, front;           // axes of the floor
    double     low[2], cell[2], height;
    double     middle[2], reach;      // where the floor fades away
    float     *above;
    float     *fabric;                // share of each patch below cloth or yarn; NULL: there is none
} floor_map;

static void add_above(floor_map *m, mn_vec3 x, float weight)
{
    const int i = (int)floor((mn_dot3(x, m->side) - m->low[0]) / m->cell[0]), j = (int)floor((mn_dot3(x, m->front) - m->low[1]) / m->cell[1]);
    if (i >= 0 && i < SHADE_SIZE && j >= 0 && j < SHADE_SIZE) m->above[j * SHADE_SIZE + i] += weight;
}

/// Everything between three points of a fabric: cloth has far fewer points than other parts for what it covers.
static void cover_between(floor_map *m, mn_vec3 a, mn_vec3 b, mn_vec3 c)
{
    const double longest = fmax(mn_norm3(mn_sub3(b, a)), fmax(mn_norm3(mn_sub3(c, b)), mn_norm3(mn_sub3(a, c))));
    const int    n       = 1 + (int)fmin(2.0 * SHADE_SIZE, 1.5 * longest / fmin(m->cell[0], m->cell[1]));
    for (int p = 0; p <= n; p++)
        for (int q = 0; q <= n - p; q++) {
            const double  u = (double)p / n, v = (double)q / n;
            const mn_vec3 x = mn_add3(mn_scale3(1.0 - u - v, a), mn_add3(mn_scale3(u, b), mn_scale3(v, c)));
            const int     i = (int)floor((mn_dot3(x, m->side) - m->low[0]) / m->cell[0]), j = (int)floor((mn_dot3(x, m->front) - m->low[1]) / m->cell[1]);
            if (i >= 0 && i < SHADE_SIZE && j >= 0 && j < SHADE_SIZE) m->fabric[j * SHADE_SIZE + i] = 1.0f;
        }
}

static void cover_by_fabric(floor_map *m, const mn_frame_part *part)
{
    if (mn_picture_is_cloth(part))
        for (int64_t t = 0; t < part->cell_count; t++) {
            const int32_t *v = part->cells + 3 * t;
            cover_between(m, mn_part_point(part, v[0]), mn_part_point(part, v[1]), mn_part_point(part, v[2]));
        }
    if (mn_picture_is_yarn(part))
        for (int64_t cell = 0, k = 0; cell < part->cell_count; cell++, k++)
            for (; k + 1 < (part->ends != NULL ? part->ends[cell] : 2 * (cell + 1)); k++) {
                const mn_vec3 a = mn_part_point(part, part->cells[k]), b = mn_part_point(part, part->cells[k + 1]);
                cover_between(m, a, b, b);
            }
}

/// Three box blurs along one direction are close to a bell curve.
static void blur(float *map, float *line, int stride, int other)
{
    enum { R = 4 };
    for (int pass = 0; pass < 3; pass++)
        for (int j = 0; j < SHADE_SIZE; j++) {
            for (int i = 0; i < SHADE_SIZE; i++) {
                float sum = 0.0f;
                for (int k = -R; k <= R; k++)
                    if (i + k >= 0 && i + k < SHADE_SIZE) sum += map[(i + k) * stride + j * other];
                line[i] = sum / (2 * R + 1);
            }
            for (int i = 0; i < SHADE_SIZE; i++) map[i * stride + j * other] = line[i];
        }
}

static void fill_floor_map(floor_map *m, const mn_frame_part *parts, int count)
{
    for (int p = 0; p < count; p++) {
        const float weight = parts[p].kind == MN_CELLS_VERTICES ? 1.0f : 0.5f;
        if (mn_picture_is_fabric(&parts[p])) {
            cover_by_fabric(m, &parts[p]);
            continue;
        }
        for (int64_t i = 0; i < parts[p].point_count; i++) add_above(m, mn_part_point(&parts[p], i), weight);
    }
    float line[SHADE_SIZE];
    blur(m->above, line, 1, SHADE_SIZE);
    blur(m->above, line, SHADE_SIZE, 1);
    float most = 0.0f;
    for (int i = 0; i < SHADE_SIZE * SHADE_SIZE; i++) most = fmaxf(most, m->above[i]);
    for (int i = 0; i < SHADE_SIZE * SHADE_SIZE && most > 0.0f; i++) m->above[i] = 1.0f - expf(-6.0f * m->above[i] / most);
    if (m->fabric == NULL) return;
    blur(m->fabric, line, 1, SHADE_SIZE);
    blur(m->fabric, line, SHADE_SIZE, 1);
    for (int i = 0; i < SHADE_SIZE * SHADE_SIZE; i++) m->above[i] = 1.0f - (1.0f - m->above[i]) * (1.0f - 0.9f * m->fabric[i]);
}

static float floor_shade(const floor_map *m, double a, double b)
{
    const double  x = (a - m->low[0]) / m->cell[0] - 0.5, y = (b - m->low[1]) / m->cell[1] - 0.5;
    const int     i = (int)floor(x), j = (int)floor(y);
    if (i < 0 || j < 0 || i + 1 >= SHADE_SIZE || j + 1 >= SHADE_SIZE) return 0.0f;
    const float   u = (float)(x - i), v = (float)(y - j);
    const float  *r = m->above + j * SHADE_SIZE + i;
    return (1 - v) * ((1 - u) * r[0] + u * r[1]) + v * ((1 - u) * r[SHADE_SIZE] + u * r[SHADE_SIZE + 1]);
}

static void floor_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const floor_map *m = context;
    mn_canvas       *c = m->canvas;
    for (int64_t y = begin; y < end; y++)
        for (int x = 0; x < c->width; x++) {
            mn_vec3       start;
            const mn_vec3 ray  = mn_eye_ray(&c->eye, x + 0.5, (double)y + 0.5, &start);
            const double  down = mn_dot3(ray, c->sky), above = mn_dot3(start, c->sky) - m->height;
            if (down >= -1e-6 || above <= 0.0) continue;
            const mn_vec3 hit   = mn_add3(start, mn_scale3(-above / down, ray));
            const double  a = mn_dot3(hit, m->side), b = mn_dot3(hit, m->front);
            const double  away  = sqrt((a - m->middle[0]) * (a - m->middle[0]) + (b - m->middle[1]) * (b - m->middle[1])) / m->reach;
            const float   there = mn_saturate((float)(1.6 - away));
            if (there <= 0.0f) continue;
            const int64_t i     = y * c->width + x;
            const mn_rgb  clean = { 0.70f, 0.71f, 0.72f };
            c->color[i]         = mn_rgb_mix(c->color[i], mn_rgb_scale(1.0f - 0.5f * floor_shade(m, a, b), clean), there * there * (3 - 2 * there));
            // A cloth that lies on the floor is not in it.
            c->solid_depth[i] = c->solid_far[i] = (float)(mn_dot3(mn_sub3(hit, c->eye.at), c->eye.forward) + 5e-4 * mn_norm3(mn_sub3(c->high, c->low)));
        }
}

mn_status mn_picture_floor(mn_canvas *c, const mn_frame_part *parts, int count)
{
    floor_map m = { .canvas = c };
    m.side      = mn_v3(c->sky.y, c->sky.z, c->sky.x);
    m.front     = mn_v3(c->sky.z, c->sky.x, c->sky.y);
    m.height    = mn_dot3(c->low, c->sky);
    const double low[2]  = { mn_dot3(c->low, m.side), mn_dot3(c->low, m.front) };
    const double high[2] = { mn_dot3(c->high, m.side), mn_dot3(c->high, m.front) };
    for (int k = 0; k < 2; k++) {
        m.middle[k] = 0.5 * (low[k] + high[k]);
        m.low[k]    = low[k] - 0.25 * (high[k] - low[k]);
        m.cell[k]   = fmax(1e-9, 1.5 * (high[k] - low[k]) / SHADE_SIZE);
    }
    m.reach = hypot(high[0] - low[0], high[1] - low[1]);
    m.above = mn_alloc_array(c->context, float, SHADE_SIZE * SHADE_SIZE);
    bool woven = false;
    for (int p = 0; p < count; p++) woven = woven || mn_picture_is_fabric(&parts[p]);
    if (woven) m.fabric = mn_alloc_array(c->context, float, SHADE_SIZE * SHADE_SIZE);
    const mn_status status = m.above != NULL && (m.fabric != NULL || !woven) ? MN_OK : MN_ERR_MEMORY;
    if (status == MN_OK) {
        fill_floor_map(&m, parts, count);
        mn_parallel_for(c->pool, c->height, 16, floor_rows, &m);
    }
    mn_free(c->context, m.above);
    mn_free(c->context, m.fabric);
    return status;
}

// ---- the tank ------------------------------------------------------------------------------------------------------

static void line_dot(mn_canvas *c, mn_vec3 p, float strength)
{
    const int     x = (int)floor(p.x), y = (int)floor(p.y);
    const int64_t i = (int64_t)y * c->width + x;
    if (x < 0 || y < 0 || x >= c->width || y >= c->height) return;
    // On the floor is not behind it.
    if (c->solid_owner[i] >= 0 && p.z > (double)c->solid_depth[i]) return;
    c->color[i] = mn_rgb_mix(c->color[i], (mn_rgb){ 0.25f, 0.28f, 0.32f }, strength);
}

/// A line one pixel of the finished picture wide, by small steps along it.
static void draw_line(mn_canvas *c, mn_vec3 from, mn_vec3 to)
{
    const mn_vec3 a = mn_eye_project(&c->eye, from), b = mn_eye_project(&c->eye, to);
    if (!c->eye.flat && (a.z <= 0.0 || b.z <= 0.0)) return;
    const double across = fabs(b.x - a.x), along = fabs(b.y - a.y);
    const int    steps  = (int)fmin(1e5, ceil(fmax(across, along))) + 1;
    const bool   steep  = along > across;
    for (int k = 0; k <= steps; k++) {
        const double  t = (double)k / steps;
        const mn_vec3 p = mn_v3(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z));
        for (int side = 0; side < MN_PICTURE_SAMPLES; side++)
            line_dot(c, mn_v3(p.x + (steep ? side : 0), p.y + (steep ? 0 : side), p.z), 0.35f);
    }
}

void mn_picture_tank(mn_canvas *c)
{
    for (int n = 0; n < 8; n++)
        for (int bit = 1; bit < (c->eye.flat ? 4 : 8); bit *= 2) {
            if (n & bit) continue;
            const int m = n | bit;
            draw_line(c, mn_v3(n & 1 ? c->high.x : c->low.x, n & 2 ? c->high.y : c->low.y, n & 4 ? c->high.z : c->low.z),
                      mn_v3(m & 1 ? c->high.x : c->low.x, m & 2 ? c->high.y : c->low.y, m & 4 ? c->high.z : c->low.z));
        }
}

// ---- triangles -----------------------------------------------------------------------------------------------------

/// A triangle on the canvas. Depth is interpolated as 1/z (flat: z), which is linear on the canvas.
typedef struct flat_triangle {
    float   x[3], y[3], depth[3];
    float   left, right, top, bottom;
    mn_rgb  color;
    int32_t owner;
    bool    away;                      // faces away: only tells how far its solid reaches
} flat_triangle;

typedef struct triangle_job {
    mn_canvas     *canvas;
    flat_triangle *triangles;
    int64_t        count;
} triangle_job;

static int32_t owner_of(const mn_frame_part *part, int32_t vertex)
{
    for (int a = 0; a < part->array_count; a++)
        if (strcmp(part->arrays[a].name, "obstacle") == 0 && part->arrays[a].type == MN_TYPE_int32_t)
            return ((const int32_t *)part->arrays[a].component[0])[vertex * part->arrays[a].stride];
    return 0;
}

/// Project a triangle; false if it is behind the eye or out of the picture.
static bool project_triangle(const mn_canvas *c, const mn_frame_part *part, int64_t t, flat_triangle *out)
{
    mn_vec3 x[3];
    for (int k = 0; k < 3; k++) {
        x[k]            = mn_part_point(part, part->cells[3 * t + k]);
        const mn_vec3 p = mn_eye_project(&c->eye, x[k]);
        if (!c->eye.flat && p.z < 1e-6 * mn_norm3(mn_sub3(c->high, c->low))) return false;
        out->x[k]     = (float)p.x;
        out->y[k]     = (float)p.y;
        out->depth[k] = (float)(c->eye.flat ? p.z : 1.0 / p.z);
    }
    out->left   = mn_min_f(out->x[0], mn_min_f(out->x[1], out->x[2]));
    out->right  = mn_max_f(out->x[0], mn_max_f(out->x[1], out->x[2]));
    out->top    = mn_min_f(out->y[0], mn_min_f(out->y[1], out->y[2]));
    out->bottom = mn_max_f(out->y[0], mn_max_f(out->y[1], out->y[2]));
    if (out->right < 0.0f || out->left > (float)c->width || out->bottom < 0.0f || out->top > (float)c->height) return false;
    const mn_vec3 normal = mn_unit3(mn_cross3(mn_sub3(x[1], x[0]), mn_sub3(x[2], x[0])), c->sky);
    const mn_vec3 view   = c->eye.flat ? c->eye.forward : mn_sub3(x[0], c->eye.at);
    const mn_rgb  base   = { 0.66f, 0.60f, 0.54f };
    out->away            = mn_dot3(normal, view) >= 0.0;
    out->owner           = owner_of(part, part->cells[3 * t]);
    out->color           = c->eye.flat ? (mn_rgb){ 0.42f, 0.41f, 0.40f } : shade(c, normal, base);
    return true;
}

static void nearest(mn_canvas *c, int64_t i, float z, const flat_triangle *t)
{
    if (t->away || z >= c->solid_depth[i]) return;
    c->solid_depth[i] = c->solid_far[i] = z;
    c->solid_owner[i]                   = t->owner;
    c->color[i]                         = t->color;
}

static void farthest(mn_canvas *c, int64_t i, float z, const flat_triangle *t)
{
    if (t->owner == c->solid_owner[i] && z > c->solid_far[i]) c->solid_far[i] = z;
}

typedef void pixel_fn(mn_canvas *c, int64_t i, float z, const flat_triangle *t);

static void fill_triangle(mn_canvas *c, const flat_triangle *t, int64_t row_begin, int64_t row_end, pixel_fn *pixel)
{
    const float area = (t->x[1] - t->x[0]) * (t->y[2] - t->y[0]) - (t->x[2] - t->x[0]) * (t->y[1] - t->y[0]);
    if (area == 0.0f) return;
    const int64_t y0 = (int64_t)mn_max_f((float)row_begin, floorf(t->top)), y1 = (int64_t)mn_min_f((float)row_end - 1, ceilf(t->bottom));
    const int     x0 = (int)mn_max_f(0.0f, floorf(t->left)), x1 = (int)mn_min_f((float)c->width - 1, ceilf(t->right));
    for (int64_t y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            const float px = (float)x + 0.5f, py = (float)y + 0.5f;
            const float u = ((t->x[2] - t->x[1]) * (py - t->y[1]) - (t->y[2] - t->y[1]) * (px - t->x[1])) / area;
            const float v = ((t->x[0] - t->x[2]) * (py - t->y[2]) - (t->y[0] - t->y[2]) * (px - t->x[2])) / area;
            const float w = 1.0f - u - v;
            if (u < 0.0f || v < 0.0f || w < 0.0f) continue;
            const float mixed = u * t->depth[0] + v * t->depth[1] + w * t->depth[2];
            pixel(c, y * c->width + x, c->eye.flat ? mixed : 1.0f / mixed, t);
        }
}

static void triangle_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const triangle_job *job     = context;
    pixel_fn *const     passes[] = { nearest, farthest };
    for (int pass = 0; pass < 2; pass++)
        for (int64_t t = 0; t < job->count; t++) {
            const flat_triangle *f = &job->triangles[t];
            if (f->bottom >= (float)begin && f->top <= (float)end) fill_triangle(job->canvas, f, begin, end, passes[pass]);
        }
}

mn_status mn_picture_triangles(mn_canvas *c, const mn_frame_part *part)
{
    triangle_job job = { .canvas = c };
    job.triangles    = mn_alloc_array(c->context, flat_triangle, part->cell_count);
    if (job.triangles == NULL) return MN_ERR_MEMORY;
    for (int64_t t = 0; t < part->cell_count; t++)
        if (project_triangle(c, part, t, &job.triangles[job.count])) job.count++;
    mn_parallel_for(c->pool, c->height, 64, triangle_rows, &job);
    mn_free(c->context, job.triangles);
    return MN_OK;
}
