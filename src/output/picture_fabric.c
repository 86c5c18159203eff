// SPDX-License-Identifier: MPL-2.0
// output/picture_fabric.c - cloth as triangles with smooth normals and two sides, yarn as round segments.
//
// Both write the same depth buffer as the obstacles. Yarn is not drawn from its tubes of triangles: a segment is as wide
// as it is at every pixel, and is never so thin that it falls between pixels.
#include "output/picture_private.h"
#include "stain/colour.h"

#include <math.h>
#include <string.h>

#define BAND 64
#define BACK_SIDE 0.8f                // light of the inner side of cloth, as a share of that of the outer
#define SOAKED 0.42f                  // light of soaked fabric, as a share of that of dry fabric
#define THINNEST 0.75                 // canvas pixels, half the width of a yarn
#define FABRIC_OWNER (1 << 24)        // fabrics are counted from here among the solids

static const mn_rgb tints[] = {       // of fabrics by number; linear light
    { 0.62f, 0.16f, 0.11f }, { 0.13f, 0.30f, 0.52f }, { 0.70f, 0.47f, 0.14f }, { 0.19f, 0.40f, 0.20f },
    { 0.40f, 0.19f, 0.44f }, { 0.68f, 0.63f, 0.54f }, { 0.11f, 0.41f, 0.43f }, { 0.56f, 0.29f, 0.35f },
};

bool mn_picture_is_cloth(const mn_frame_part *part)
{
    return part->kind == MN_CELLS_TRIANGLES && (strcmp(part->name, "cloth") == 0 || strcmp(part->name, "stains") == 0);
}

bool mn_picture_is_yarn(const mn_frame_part *part)
{
    return part->kind == MN_CELLS_LINES && strcmp(part->name, "yarn") == 0;
}

static const mn_frame_array *find(const mn_frame_part *part, const char *name, mn_type type, int components)
{
    for (int a = 0; a < part->array_count; a++) {
        const mn_frame_array *found = &part->arrays[a];
        if (strcmp(found->name, name) == 0 && found->type == type && found->components == components) return found;
    }
    return NULL;
}

static int32_t whole_at(const mn_frame_array *a, int64_t i)
{
    return a != NULL ? ((const int32_t *)a->component[0])[i * a->stride] : 0;
}

static mn_rgb tint_of(int32_t fabric)
{
    return tints[(uint32_t)fabric % (sizeof tints / sizeof *tints)];
}

static double number_at(const mn_frame_array *a, int64_t i)
{
    return a != NULL ? ((const double *)a->component[0])[i * a->stride] : 0.0;
}

/// Liquid in the pores lets light deeper in, and less of it comes back. Most of that happens while the pores are far
/// from full, and colours become deeper: the weaker a channel, the more it loses.
static mn_rgb wet_look(mn_rgb dry, double saturation)
{
    const float s = (float)saturation, wet = 1.0f - (1.0f - s) * (1.0f - s), light = 1.0f - wet * (1.0f - SOAKED), power = 1.0f + 0.25f * wet;
    return (mn_rgb){ light * powf(dry.r, power), light * powf(dry.g, power), light * powf(dry.b, power) };
}

/// Light from a wide lamp beside the eye that reaches around edges, from the sky, and a little from the floor.
static mn_rgb light_fabric(const mn_canvas *c, mn_vec3 n, mn_rgb base)
{
    const mn_vec3 lamp = mn_add3(mn_add3(mn_scale3(-0.62, c->eye.right), mn_scale3(0.62, c->eye.up)), mn_scale3(-0.48, c->eye.forward));
    const double  sky  = 0.5 + 0.5 * mn_dot3(n, c->sky), direct = fmax(0.0, (mn_dot3(n, lamp) + 0.25) / 1.25);
    return mn_rgb_scale((float)(0.20 + 0.26 * sky + 0.74 * direct * direct), base);
}

static void paint(mn_canvas *c, int64_t i, float z, int32_t owner, mn_rgb color)
{
    c->solid_depth[i] = c->solid_far[i] = z;
    c->solid_owner[i]                   = FABRIC_OWNER + owner;
    c->color[i]                         = color;
}

// ---- cloth ---------------------------------------------------------------------------------------------------------

/// A corner on the canvas. What is linear on the triangle is linear on the canvas when divided by the depth.
typedef struct cloth_corner {
    double  x, y, inverse;            // pixels; 1 / depth, 1 without perspective
    double  depth;                    // cm
    double  wet;                      // saturation
    mn_vec3 normal;
    mn_vec3 color;                    // linear light, of cloth with colours of its own
} cloth_corner;

typedef struct cloth_job {
    mn_canvas            *canvas;
    const mn_frame_part  *part;
    const mn_frame_array *fabric, *color;
    cloth_corner         *corners;
} cloth_job;

static mn_vec3 vector_at(const mn_frame_array *a, int64_t i)
{
    return mn_v3(((const double *)a->component[0])[i * a->stride], ((const double *)a->component[1])[i * a->stride],
                 ((const double *)a->component[2])[i * a->stride]);
}

static void place_cloth(const cloth_job *job)
{
    const mn_eye         *eye     = &job->canvas->eye;
    const mn_frame_array *normals = find(job->part, "normals", MN_TYPE_double, 3);
    const mn_frame_array *wet     = find(job->part, "saturation", MN_TYPE_double, 1);
    for (int64_t i = 0; i < job->part->point_count; i++) {
        const mn_vec3 p = mn_eye_project(eye, mn_part_point(job->part, i));
        const mn_vec3 n = normals != NULL ? vector_at(normals, i) : job->canvas->sky;
        job->corners[i] = (cloth_corner){ .x = p.x, .y = p.y, .inverse = eye->flat ? 1.0 : 1.0 / p.z, .depth = p.z, .wet = number_at(wet, i), .normal = n };
        if (job->color == NULL) continue;
        const mn_vec3 code    = vector_at(job->color, i);
        job->corners[i].color = mn_v3(mn_srgb_decode(code.x), mn_srgb_decode(code.y), mn_srgb_decode(code.z));
    }
}

/// One triangle at one pixel, with its shares of the corners there.
static void cloth_pixel(const cloth_job *job, const cloth_corner *const p[3], const double share[3], bool back, int32_t fabric, int64_t i)
{
    mn_canvas *c = job->canvas;
    double     weight[3], sum = 0.0, depth = 0.0;
    for (int m = 0; m < 3; m++) sum += weight[m] = share[m] * p[m]->inverse;
    for (int m = 0; m < 3; m++) depth += weight[m] / sum * p[m]->depth;
    if ((float)depth >= c->solid_depth[i]) return;
    mn_vec3 n = { 0, 0, 0 }, own = { 0, 0, 0 };
    double  wet = 0.0;
    for (int m = 0; m < 3; m++) {
        n   = mn_add3(n, mn_scale3(weight[m], p[m]->normal));
        own = mn_add3(own, mn_scale3(weight[m] / sum, p[m]->color));
        wet += weight[m] / sum * p[m]->wet;
    }
    n = mn_scale3(back ? -1.0 : 1.0, mn_unit3(n, c->sky));
    const mn_rgb base  = job->color != NULL ? (mn_rgb){ (float)own.x, (float)own.y, (float)own.z } : wet_look(tint_of(fabric), wet);
    const mn_rgb color = light_fabric(c, n, base);
    paint(c, i, (float)depth, fabric, back ? mn_rgb_scale(BACK_SIDE, color) : color);
}

static void cloth_triangle(const cloth_job *job, const int32_t t[3], int64_t begin, int64_t end)
{
    const mn_canvas          *c    = job->canvas;
    const cloth_corner *const p[3] = { &job->corners[t[0]], &job->corners[t[1]], &job->corners[t[2]] };
    const double near = c->eye.flat ? -INFINITY : 1e-6 * mn_norm3(mn_sub3(c->high, c->low));
    if (!(p[0]->depth > near && p[1]->depth > near && p[2]->depth > near)) return;        // at or behind the eye
    const double low[2] = { fmin(p[0]->x, fmin(p[1]->x, p[2]->x)), fmin(p[0]->y, fmin(p[1]->y, p[2]->y)) };
    const double high[2] = { fmax(p[0]->x, fmax(p[1]->x, p[2]->x)), fmax(p[0]->y, fmax(p[1]->y, p[2]->y)) };
    if (high[1] < (double)begin || low[1] > (double)end || high[0] < 0.0 || low[0] > c->width) return;
    const double area = (p[1]->x - p[0]->x) * (p[2]->y - p[0]->y) - (p[1]->y - p[0]->y) * (p[2]->x - p[0]->x);
    if (area == 0.0) return;
    const int64_t y0 = (int64_t)fmax((double)begin, floor(low[1])), y1 = (int64_t)fmin((double)end - 1.0, ceil(high[1]));
    const int     x0 = (int)fmax(0.0, floor(low[0])), x1 = (int)fmin(c->width - 1.0, ceil(high[0]));
    const int32_t fabric = whole_at(job->fabric, t[0]);
    for (int64_t y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            const double px = x + 0.5, py = (double)y + 0.5;
            double       share[3];
            share[0] = ((p[2]->x - p[1]->x) * (py - p[1]->y) - (p[2]->y - p[1]->y) * (px - p[1]->x)) / area;
            share[1] = ((p[0]->x - p[2]->x) * (py - p[2]->y) - (p[0]->y - p[2]->y) * (px - p[2]->x)) / area;
            share[2] = 1.0 - share[0] - share[1];
            // y runs down on the canvas: a front turns the other way.
            if (share[0] >= 0.0 && share[1] >= 0.0 && share[2] >= 0.0) cloth_pixel(job, p, share, area > 0.0, fabric, y * c->width + x);
        }
}

static void cloth_band(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cloth_job *job = context;
    for (int64_t t = 0; t < job->part->cell_count; t++) cloth_triangle(job, job->part->cells + 3 * t, begin, end);
}

mn_status mn_picture_cloth(mn_canvas *c, const mn_frame_part *part)
{
    cloth_job job = { .canvas = c, .part = part, .fabric = find(part, "fabric", MN_TYPE_int32_t, 1), .color = find(part, "color", MN_TYPE_double, 3) };
    job.corners   = mn_alloc_array(c->context, cloth_corner, part->point_count);
    if (job.corners == NULL) return MN_ERR_MEMORY;
    place_cloth(&job);
    mn_parallel_for(c->pool, c->height, BAND, cloth_band, &job);
    mn_free(c->context, job.corners);
    return MN_OK;
}

// ---- yarn ----------------------------------------------------------------------------------------------------------

/// A piece of yarn between two vertices, on the canvas.
typedef struct yarn_piece {
    double  x[2], y[2], depth[2];     // pixels, pixels, cm
    double  width[2];                 // half of it, pixels
    mn_vec3 along[2];                 // direction of the yarn at its ends
    bool    tip[2];                   // the yarn ends there, in half a ball
    double  radius;                   // cm
    mn_rgb  base;
    double  wet[2];                   // saturation
    int32_t fabric;
    bool    coloured;                 // it has colours of its own, at its ends
    mn_rgb  own[2];
} yarn_piece;

typedef struct yarn_job {
    mn_canvas           *canvas;
    const mn_frame_part *part;
    yarn_piece          *pieces;
    int64_t              count;
} yarn_job;

/// Neighbouring yarns of one fabric differ a little in lightness, or they would melt into one.
static mn_rgb yarn_tint(int32_t fabric, int32_t strand)
{
    return mn_rgb_scale(0.86f + 0.07f * (float)((uint32_t)strand * 7u % 5u), tint_of(fabric));
}

static bool is_loop(const int32_t *corner, int64_t n)
{
    return n > 2 && corner[0] == corner[n - 1];
}

/// Direction of a polyline at its corner k of n, between those of the pieces beside it.
static mn_vec3 direction_at(const mn_frame_part *part, const int32_t *corner, int64_t n, int64_t k)
{
    const bool    loop   = is_loop(corner, n);
    const int64_t before = k > 0 ? k - 1 : loop ? n - 2 : 0, after = k + 1 < n ? k + 1 : loop ? 1 : n - 1;
    const mn_vec3 here = mn_part_point(part, corner[k]), none = mn_v3(0, 0, 0);
    const mn_vec3 in = mn_unit3(mn_sub3(here, mn_part_point(part, corner[before])), none), on = mn_unit3(mn_sub3(mn_part_point(part, corner[after]), here), none);
    return mn_unit3(mn_add3(in, on), mn_v3(0, 1, 0));
}

static void add_piece(yarn_job *job, const int32_t *corner, int64_t n, int64_t k, const mn_frame_array *radii)
{
    const mn_eye *eye = &job->canvas->eye;
    yarn_piece    piece;
    piece.fabric = whole_at(find(job->part, "fabric", MN_TYPE_int32_t, 1), corner[k]);
    piece.base   = yarn_tint(piece.fabric, whole_at(find(job->part, "strand", MN_TYPE_int32_t, 1), corner[k]));
    const mn_frame_array *own = find(job->part, "color", MN_TYPE_double, 3);
    piece.coloured = own != NULL;
    for (int e = 0; e < 2 && own != NULL; e++) {
        const mn_vec3 code = vector_at(own, corner[k + e]);
        piece.own[e]       = (mn_rgb){ (float)mn_srgb_decode(code.x), (float)mn_srgb_decode(code.y), (float)mn_srgb_decode(code.z) };
    }
    piece.radius = ((const double *)radii->component[0])[corner[k] * radii->stride];
    for (int e = 0; e < 2; e++) {
        const mn_vec3 p = mn_eye_project(eye, mn_part_point(job->part, corner[k + e]));
        if (!eye->flat && p.z <= 2.0 * piece.radius) return;
        piece.x[e] = p.x, piece.y[e] = p.y, piece.depth[e] = p.z;
        piece.width[e] = fmax(THINNEST, piece.radius * (eye->flat ? eye->focal : eye->focal / p.z));
        piece.wet[e]   = number_at(find(job->part, "saturation", MN_TYPE_double, 1), corner[k + e]);
        piece.along[e] = direction_at(job->part, corner, n, k + e);
        piece.tip[e]   = k + e == (e == 0 ? 0 : n - 1) && !is_loop(corner, n);
    }
    job->pieces[job->count++] = piece;
}

static void place_yarn(yarn_job *job, const mn_frame_array *radii)
{
    const mn_frame_part *part  = job->part;
    int64_t              begin = 0;
    for (int64_t cell = 0; cell < part->cell_count; cell++) {
        const int64_t end = part->ends != NULL ? part->ends[cell] : 2 * (cell + 1);
        for (int64_t k = 0; k + 1 < end - begin; k++) add_piece(job, part->cells + begin, end - begin, k, radii);
        begin = end;
    }
}

/// The round front of a piece at one pixel: where it is, and its normal, across the yarn.
static void yarn_pixel(mn_canvas *c, const yarn_piece *p, int x, int64_t y)
{
    const double dx = p->x[1] - p->x[0], dy = p->y[1] - p->y[0], length = dx * dx + dy * dy;
    const double px = x + 0.5 - p->x[0], py = (double)y + 0.5 - p->y[0];
    const double t     = length > 0.0 ? fmin(1.0, fmax(0.0, (px * dx + py * dy) / length)) : 0.0;
    const double width = p->width[0] + t * (p->width[1] - p->width[0]);
    const double ox = (px - t * dx) / width, oy = (py - t * dy) / width, rest = 1.0 - ox * ox - oy * oy;
    if (rest <= 0.0) return;
    // The depth along the piece is linear in 1/z on the canvas.
    const double  middle = c->eye.flat ? p->depth[0] + t * (p->depth[1] - p->depth[0]) : 1.0 / ((1.0 - t) / p->depth[0] + t / p->depth[1]);
    const float   z      = (float)(middle - p->radius * sqrt(rest));
    const int64_t i      = y * c->width + x;
    if (z >= c->solid_depth[i]) return;
    const mn_vec3 round = mn_add3(mn_add3(mn_scale3(ox, c->eye.right), mn_scale3(-oy, c->eye.up)), mn_scale3(-sqrt(rest), c->eye.forward));
    const mn_vec3 along = mn_unit3(mn_add3(mn_scale3(1.0 - t, p->along[0]), mn_scale3(t, p->along[1])), p->along[0]);
    const bool    tip   = (p->tip[0] && t <= 0.0) || (p->tip[1] && t >= 1.0);
    const mn_vec3 n     = tip ? round : mn_unit3(mn_sub3(round, mn_scale3(mn_dot3(round, along), along)), round);
    const float   edge  = (float)(0.55 + 0.45 * sqrt(rest));          // little light reaches between yarns
    const mn_rgb  base  = p->coloured ? mn_rgb_mix(p->own[0], p->own[1], (float)t) : wet_look(p->base, p->wet[0] + t * (p->wet[1] - p->wet[0]));
    paint(c, i, z, p->fabric, mn_rgb_scale(edge, light_fabric(c, n, base)));
}

static void yarn_band(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const yarn_job *job = context;
    mn_canvas      *c   = job->canvas;
    for (int64_t k = 0; k < job->count; k++) {
        const yarn_piece *p = &job->pieces[k];
        const double      w = fmax(p->width[0], p->width[1]);
        const double top = fmin(p->y[0], p->y[1]) - w, bottom = fmax(p->y[0], p->y[1]) + w;
        const double left = fmin(p->x[0], p->x[1]) - w, right = fmax(p->x[0], p->x[1]) + w;
        if (!(bottom >= (double)begin && top <= (double)end && right >= 0.0 && left <= c->width)) continue;
        const int64_t y0 = (int64_t)fmax((double)begin, floor(top)), y1 = (int64_t)fmin((double)end - 1.0, ceil(bottom));
        const int     x0 = (int)fmax(0.0, floor(left)), x1 = (int)fmin(c->width - 1.0, ceil(right));
        for (int64_t y = y0; y <= y1; y++)
            for (int x = x0; x <= x1; x++) yarn_pixel(c, p, x, y);
    }
}

mn_status mn_picture_yarn(mn_canvas *c, const mn_frame_part *part)
{
    const mn_frame_array *radii = find(part, "radius", MN_TYPE_double, 1);
    if (radii == NULL || part->cell_count == 0) return MN_OK;
    yarn_job job = { .canvas = c, .part = part };
    job.pieces   = mn_alloc_array(c->context, yarn_piece, part->ends != NULL ? part->ends[part->cell_count - 1] : part->cell_count);
    if (job.pieces == NULL) return MN_ERR_MEMORY;
    place_yarn(&job, radii);
    mn_parallel_for(c->pool, c->height, BAND, yarn_band, &job);
    mn_free(c->context, job.pieces);
    return MN_OK;
}
