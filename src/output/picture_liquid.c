// SPDX-License-Identifier: MPL-2.0
// output/picture_liquid.c - particles as a liquid: spheres into a depth buffer, smoothed where it is one surface, then
// lit like water: what is behind is bent and tinted by the way through the liquid, the sky is mirrored at flat angles,
// and fast liquid turns white.
#include "output/picture_private.h"

#include <math.h>
#include <string.h>

#define BAND 32                  // rows a worker takes at once
#define SMOOTH_ROUNDS 3
#define OVERLAP 2.6             // spheres that close the gaps between particles overlap, and count their liquid so many times
#define SMOOTH_REACH_MAX 16      // pixels

// ---- projecting ----------------------------------------------------------------------------------------------------

static const mn_frame_array *find_array(const mn_frame_part *part, const char *name)
{
    for (int a = 0; a < part->array_count; a++)
        if (strcmp(part->arrays[a].name, name) == 0) return &part->arrays[a];
    return NULL;
}

static double array_value(const mn_frame_array *a, int component, int64_t i)
{
    return a->type == MN_TYPE_double ? ((const double *)a->component[component])[i * a->stride]
                                     : (double)((const float *)a->component[component])[i * a->stride];
}

/// Radius that closes the gaps between particles of this volume, cm.
static double radius_of(const mn_canvas *c, const mn_frame_array *volume, int64_t i)
{
    if (volume == NULL) return 0.004 * mn_norm3(mn_sub3(c->high, c->low));
    const double v = array_value(volume, 0, i);
    return c->eye.flat ? 0.8 * sqrt(v) : 0.85 * cbrt(v);       // a flat world is 1 cm deep
}

static double speed_of(const mn_frame_array *velocity, int64_t i)
{
    if (velocity == NULL) return 0.0;
    const mn_vec3 v = mn_v3(array_value(velocity, 0, i), array_value(velocity, 1, i), array_value(velocity, 2, i));
    return mn_norm3(v);
}

static mn_status project_particles(mn_canvas *c, const mn_frame_part *part)
{
    const mn_frame_array *volume = find_array(part, "volume"), *velocity = find_array(part, "velocity");
    mn_free(c->context, c->splats);
    c->splats = mn_alloc_array(c->context, mn_splat, part->point_count);
    if (c->splats == NULL) return MN_ERR_MEMORY;
    c->splat_count = 0;
    double total   = 0.0;
    for (int64_t i = 0; i < part->point_count; i++) {
        const mn_vec3 p    = mn_eye_project(&c->eye, mn_part_point(part, i));
        const double  size = radius_of(c, volume, i);
        if (!c->eye.flat && p.z <= 2.0 * size) continue;
        const double radius = fmax(1.0, size * (c->eye.flat ? c->eye.focal : c->eye.focal / p.z));
        if (!(p.x > -radius && p.x < c->width + radius && p.y > -radius && p.y < c->height + radius)) continue;
        c->splats[c->splat_count++] = (mn_splat){ .x = (float)p.x, .y = (float)p.y, .z = (float)p.z, .radius = (float)radius,
                                                  .size = (float)size, .speed = (float)speed_of(velocity, i) };
        total += radius;
    }
    c->splat_radius = c->splat_count > 0 ? (float)(total / (double)c->splat_count) : 1.0f;
    return MN_OK;
}

// ---- splatting -----------------------------------------------------------------------------------------------------

/// One row of a sphere. Without branches, so that the compiler makes vectors of it.
static void splat_row(const mn_splat *s, float dy, int x0, int x1, const float *restrict far, float *restrict depth,
                      float *restrict thickness, float *restrict speed)
{
    const float inverse = 1.0f / s->radius, rest = 1.0f - dy * dy, left = 0.5f - s->x;
    for (int x = x0; x <= x1; x++) {
        const float dx = ((float)x + left) * inverse, inside = rest - dx * dx;
        const float half = s->size * sqrtf(mn_max_f(inside, 0.0f));
        const float z    = s->z - half;
        const float seen = inside > 0.0f && z <= far[x] ? 1.0f : 0.0f;      // not behind a solid
        depth[x]         = mn_min_f(depth[x], seen > 0.0f ? z : MN_PICTURE_FAR);
        thickness[x] += seen * 2.0f * half;
        speed[x] += seen * 2.0f * half * s->speed;
    }
}

static void splat_rows(mn_canvas *c, const mn_splat *s, int64_t begin, int64_t end)
{
    const int64_t y0 = (int64_t)mn_max_f((float)begin, floorf(s->y - s->radius)), y1 = (int64_t)mn_min_f((float)end - 1, ceilf(s->y + s->radius));
    for (int64_t y = y0; y <= y1; y++) {
        const float dy = ((float)y + 0.5f - s->y) / s->radius;
        if (dy * dy >= 1.0f) continue;
        const float   reach = s->radius * sqrtf(1.0f - dy * dy);
        const int     x0 = (int)mn_max_f(0.0f, floorf(s->x - reach)), x1 = (int)mn_min_f((float)c->width - 1, ceilf(s->x + reach));
        const int64_t row = y * c->width;
        splat_row(s, dy, x0, x1, c->solid_far + row, c->depth + row, c->thickness + row, c->speed + row);
    }
}

static void splat_band(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_canvas *c = context;
    for (int64_t n = 0; n < c->splat_count; n++) {       // in the order of the particles: sums do not depend on bands
        const mn_splat *s = &c->splats[n];
        if (s->y + s->radius >= (float)begin && s->y - s->radius <= (float)end) splat_rows(c, s, begin, end);
    }
}

// ---- smoothing -----------------------------------------------------------------------------------------------------

typedef struct smooth_job {
    mn_canvas   *canvas;
    const float *from;
    float       *to;
    int          reach;
    bool         vertical;
    float        range;               // cm; farther apart in depth is another surface
    float        weight[SMOOTH_REACH_MAX + 1];
} smooth_job;

static float smooth_at(const smooth_job *job, int64_t i, int64_t place, int64_t limit, int64_t stride)
{
    const float middle = job->from[i];
    float       sum = job->weight[0] * middle, total = job->weight[0];
    for (int k = 1; k <= job->reach; k++) {
        // Both sides or none: a bend at an edge would otherwise pull the surface inwards.
        if (place - k < 0 || place + k >= limit) break;
        const float a = job->from[i - k * stride], b = job->from[i + k * stride];
        if (fabsf(a - middle) > job->range || fabsf(b - middle) > job->range) continue;
        sum += job->weight[k] * (a + b);
        total += 2.0f * job->weight[k];
    }
    return sum / total;
}

static void smooth_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const smooth_job *job = context;
    const mn_canvas  *c   = job->canvas;
    for (int64_t y = begin; y < end; y++)
        for (int x = 0; x < c->width; x++) {
            const int64_t i = y * c->width + x;
            if (job->from[i] >= MN_PICTURE_FAR) job->to[i] = MN_PICTURE_FAR;
            else job->to[i] = job->vertical ? smooth_at(job, i, y, c->height, c->width) : smooth_at(job, i, x, c->width, 1);
        }
}

static void smooth_depth(mn_canvas *c, float particle_size)
{
    smooth_job job = { .canvas = c, .range = 3.0f * particle_size };
    job.reach      = (int)mn_min_f(SMOOTH_REACH_MAX, mn_max_f(1.0f, ceilf(1.6f * c->splat_radius)));
    for (int k = 0; k <= job.reach; k++) job.weight[k] = expf(-2.0f * (float)(k * k) / (float)(job.reach * job.reach));
    for (int round = 0; round < SMOOTH_ROUNDS; round++) {
        job.from = c->depth, job.to = c->spare, job.vertical = false;
        mn_parallel_for(c->pool, c->height, BAND, smooth_rows, &job);
        job.from = c->spare, job.to = c->depth, job.vertical = true;
        mn_parallel_for(c->pool, c->height, BAND, smooth_rows, &job);
    }
}

/// Evenly weighted average along rows or columns, by running sums.
typedef struct even_job {
    const mn_canvas *canvas;
    const float     *from;
    float           *to;
    int              reach;
} even_job;

static void even_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const even_job *job   = context;
    const int       width = job->canvas->width, reach = job->reach;
    for (int64_t y = begin; y < end; y++) {
        const float *from = job->from + y * width;
        float       *to   = job->to + y * width;
        float        sum  = 0.0f;
        for (int x = 0; x < reach && x < width; x++) sum += from[x];
        for (int x = 0; x < width; x++) {
            if (x + reach < width) sum += from[x + reach];
            if (x - reach > 0) sum -= from[x - reach - 1];
            to[x] = mn_max_f(0.0f, sum) / (float)(2 * reach + 1);
        }
    }
}

/// Columns, a row at a time so that memory is read in order.
static void even_columns(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const even_job *job    = context;
    const int64_t   width  = job->canvas->width, height = job->canvas->height;
    const float     share  = 1.0f / (float)(2 * job->reach + 1);
    for (int64_t y = begin; y < end; y++) {
        float *restrict to = job->to + y * width;
        memset(to, 0, (size_t)width * sizeof *to);
        for (int64_t k = y - job->reach; k <= y + job->reach; k++) {
            if (k < 0 || k >= height) continue;
            const float *restrict from = job->from + k * width;
            for (int64_t x = 0; x < width; x++) to[x] += share * from[x];
        }
    }
}

/// The particles' grain does not show in how deep the liquid is or how fast it moves.
static void smooth_sums(mn_canvas *c)
{
    float *const sums[] = { c->thickness, c->speed };
    for (int k = 0; k < 2; k++) {
        even_job job = { .canvas = c, .reach = (int)mn_max_f(1.0f, mn_min_f(SMOOTH_REACH_MAX, c->splat_radius)) };
        job.from = sums[k], job.to = c->spare;
        mn_parallel_for(c->pool, c->height, BAND, even_rows, &job);
        job.from = c->spare, job.to = sums[k];
        mn_parallel_for(c->pool, c->height, BAND, even_columns, &job);
    }
}

// ---- shading -------------------------------------------------------------------------------------------------------

/// Slope of the depth along one direction of the canvas, from the side that changes less; cm per pixel.
static float slope(const float *depth, int64_t i, int64_t stride, bool has_low, bool has_high)
{
    const float low  = has_low && depth[i - stride] < MN_PICTURE_FAR ? depth[i] - depth[i - stride] : MN_PICTURE_FAR;
    const float high = has_high && depth[i + stride] < MN_PICTURE_FAR ? depth[i + stride] - depth[i] : MN_PICTURE_FAR;
    const float best = fabsf(low) < fabsf(high) ? low : high;
    return best >= MN_PICTURE_FAR ? 0.0f : best;
}

/// Normal of the smoothed front, towards the eye.
static mn_vec3 front_normal(const mn_canvas *c, int x, int64_t y, mn_vec3 ray)
{
    const int64_t i     = y * c->width + x;
    if (c->normal != NULL) return mn_v3((double)c->normal[i][0], (double)c->normal[i][1], (double)c->normal[i][2]);
    const double  pixel = (double)c->depth[i] / c->eye.focal;       // cm a pixel is wide at this depth
    const double  sx    = (double)slope(c->depth, i, 1, x > 0, x + 1 < c->width) / pixel;
    const double  sy    = (double)slope(c->depth, i, c->width, y > 0, y + 1 < c->height) / pixel;
    const mn_vec3 n     = mn_add3(mn_add3(mn_scale3(sx, c->eye.right), mn_scale3(-sy, c->eye.up)), mn_scale3(-1.0, c->eye.forward));
    return mn_unit3(n, mn_scale3(-1.0, ray));
}

/// What is behind, seen through a surface with this normal.
static mn_rgb bent_background(const mn_canvas *c, const mn_rgb *behind, int x, int64_t y, mn_vec3 normal, float thickness)
{
    const double bend = 0.25 * (double)thickness * c->eye.focal / fmax(1e-9, (double)c->depth[y * c->width + x]);
    const double dx = -bend * mn_dot3(normal, c->eye.right), dy = bend * mn_dot3(normal, c->eye.up);
    const int    reach = 48;
    const int    bx = x + (int)fmax(-reach, fmin(reach, dx));
    const int64_t by = y + (int64_t)fmax(-reach, fmin(reach, dy));
    if (bx < 0 || bx >= c->width || by < 0 || by >= c->height) return behind[y * c->width + x];
    return behind[by * c->width + bx];
}

typedef struct shade_job {
    mn_canvas    *canvas;
    const mn_rgb *behind;            // the picture without the liquid
    float         clear;             // cm of liquid after which little is seen through
} shade_job;

/// What pigments leave of light after `way` cm, and the colour of light that comes back from coloured liquid: the hue that they
/// leave, as far as they take most of the light within the way that can be seen through.
static mn_rgb pass(const mn_canvas *c, float way)
{
    return (mn_rgb){ expf(-c->absorbs[0] * way), expf(-c->absorbs[1] * way), expf(-c->absorbs[2] * way) };
}

static mn_rgb deep_colour(const mn_canvas *c, float clear)
{
    const mn_rgb water = { 0.02f, 0.17f, 0.38f };
    const float  most  = mn_max_f(c->absorbs[0], mn_max_f(c->absorbs[1], c->absorbs[2]));
    if (!(most > 0.0f)) return water;
    return mn_rgb_mix(water, mn_rgb_scale(0.45f, pass(c, 3.5f / most)), 1.0f - expf(-most * clear));
}

static mn_rgb shade_liquid(const shade_job *job, int x, int64_t y)
{
    const mn_canvas *c = job->canvas;
    const int64_t    i = y * c->width + x;
    mn_vec3          start;
    const mn_vec3    ray = mn_eye_ray(&c->eye, x + 0.5, (double)y + 0.5, &start), n = front_normal(c, x, y, ray);
    const double     facing = fmax(0.0, -mn_dot3(ray, n));
    const mn_vec3    mirrored = mn_add3(ray, mn_scale3(2.0 * facing, n));
    const float      fresnel  = 0.02f + 0.98f * powf(1.0f - (float)facing, 5.0f);

    const float  way     = c->thickness[i] / job->clear;
    const mn_rgb through = bent_background(c, job->behind, x, y, n, mn_min_f(c->thickness[i], job->clear));
    const mn_rgb dye     = pass(c, c->normal != NULL ? c->thickness[i] : c->thickness[i] / (float)OVERLAP);
    mn_rgb       tinted  = { through.r * expf(-2.4f * way), through.g * expf(-0.9f * way), through.b * expf(-0.45f * way) };
    tinted.r *= dye.r, tinted.g *= dye.g, tinted.b *= dye.b;
    const float  fast    = mn_saturate(c->speed[i] / mn_max_f(1e-12f, c->thickness[i]) / c->speed_scale);
    const mn_vec3 lamp   = mn_unit3(mn_add3(mn_add3(mn_scale3(-0.37, c->eye.right), mn_scale3(0.74, c->eye.up)), mn_scale3(-0.56, c->eye.forward)), c->sky);
    const float  lit     = 0.55f + 0.25f * (float)mn_dot3(n, c->sky) + 0.30f * mn_max_f(0.0f, (float)mn_dot3(n, lamp));
    const mn_rgb deep = deep_colour(c, job->clear), white = { 0.86f, 0.94f, 1.0f };
    const mn_rgb body    = mn_rgb_scale(lit, mn_rgb_mix(deep, white, fast * fast));
    const float  milky   = 1.0f - expf(-(0.5f + 2.0f * fast) * way);
    mn_rgb       color   = mn_rgb_mix(mn_rgb_mix(tinted, body, milky), mn_sky_color(c, mirrored), fresnel);
    const float  glint   = powf(mn_max_f(0.0f, (float)mn_dot3(mirrored, lamp)), 80.0f);
    color.r += 0.7f * glint, color.g += 0.7f * glint, color.b += 0.7f * glint;
    return color;
}

/// Liquid inside a vessel is seen through its front as if that were clouded glass.
#define THROUGH_VESSEL 0.6f

static void shade_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const shade_job *job = context;
    mn_canvas       *c   = job->canvas;
    for (int64_t y = begin; y < end; y++)
        for (int x = 0; x < c->width; x++) {
            const int64_t i = y * c->width + x;
            if (c->depth[i] >= MN_PICTURE_FAR) continue;
            const mn_rgb liquid = shade_liquid(job, x, y);
            c->color[i]         = c->depth[i] <= c->solid_depth[i] ? liquid : mn_rgb_mix(job->behind[i], liquid, THROUGH_VESSEL);
        }
}

/// A flat world: covered where there is liquid enough, coloured by speed alone.
static void flat_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_canvas  *c    = context;
    const float full = 2.0f * c->splats[0].size;       // the way through one particle
    for (int64_t y = begin; y < end; y++)
        for (int x = 0; x < c->width; x++) {
            const int64_t i     = y * c->width + x;
            const float   cover = mn_saturate((c->thickness[i] / full - 0.25f) / 0.25f);
            if (cover <= 0.0f) continue;
            const float  fast = mn_saturate(c->speed[i] / c->thickness[i] / c->speed_scale);
            const mn_rgb slow = { 0.03f, 0.20f, 0.52f }, quick = { 0.55f, 0.82f, 0.95f };
            c->color[i]       = mn_rgb_mix(c->color[i], mn_rgb_mix(slow, quick, fast), cover);
        }
}

mn_status mn_picture_shade(mn_canvas *c)
{
    const size_t bytes  = mn_array_bytes((int64_t)c->width * c->height, sizeof *c->color);
    mn_rgb      *behind = mn_alloc(c->context, bytes);
    if (behind == NULL) return MN_ERR_MEMORY;
    memcpy(behind, c->color, bytes);
    const double clear = (c->normal != NULL ? 0.12 / OVERLAP : 0.12) * mn_norm3(mn_sub3(c->high, c->low));
    shade_job    job   = { .canvas = c, .behind = behind, .clear = (float)clear };
    mn_parallel_for(c->pool, c->height, BAND, shade_rows, &job);
    mn_free(c->context, behind);
    return MN_OK;
}

mn_status mn_picture_liquid(mn_canvas *c, const mn_frame_part *part)
{
    MN_TRY(project_particles(c, part));
    if (c->splat_count == 0) return MN_OK;
    mn_parallel_for(c->pool, c->height, BAND, splat_band, c);
    smooth_sums(c);
    if (c->eye.flat) {
        mn_parallel_for(c->pool, c->height, BAND, flat_rows, c);
        return MN_OK;
    }
    double size = 0.0;
    for (int64_t n = 0; n < c->splat_count; n++) size += (double)c->splats[n].size;
    smooth_depth(c, (float)(size / (double)c->splat_count));
    return mn_picture_shade(c);
}
