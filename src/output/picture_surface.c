// SPDX-License-Identifier: MPL-2.0
// output/picture_surface.c - the liquid from its surface: triangles into depth, normal and the way through the liquid.
//
// The surface is closed, so along a ray the depths of back sides minus those of front sides are the length inside. That
// needs every pixel to meet each side exactly once: an edge is worked out from its lower to its higher point for both of
// its triangles, with the same bits, and a pixel on it belongs to one of them.
#include "output/picture_private.h"

#include <math.h>
#include <string.h>

#define BAND 32
#define SIDES 3                       // smooth sides that meet in a point at most: the corner of a basin
#define SAME_SIDE 0.5                 // cosine between directions of one side
#define SLIVER 0.02                   // twice the area over the square of the longest edge: no direction to rely on

typedef struct corner {
    double  x, y, inverse;            // pixels; 1 / depth
    mn_vec3 side[SIDES];              // sums of area times normal, one for each smooth side
    float   speed;
} corner;

typedef struct surface_job {
    mn_canvas           *canvas;
    const mn_frame_part *part;
    corner              *corners;
} surface_job;

bool mn_picture_is_surface(const mn_frame_part *part)
{
    return part->kind == MN_CELLS_TRIANGLES && strcmp(part->name, "surface") == 0;
}

static float speed_at(const mn_frame_part *part, int64_t i)
{
    for (int a = 0; a < part->array_count; a++) {
        const mn_frame_array *v = &part->arrays[a];
        if (strcmp(v->name, "velocity") != 0 || v->type != MN_TYPE_double) continue;
        mn_vec3 u = { 0, 0, 0 };
        u.x = ((const double *)v->component[0])[i * v->stride], u.y = ((const double *)v->component[1])[i * v->stride];
        u.z = ((const double *)v->component[2])[i * v->stride];
        return (float)mn_norm3(u);
    }
    return 0.0f;
}

/// The side of a point that looks in direction n, or the first empty one.
static int side_of(const corner *c, mn_vec3 n)
{
    for (int k = 0; k < SIDES; k++) {
        const double length = mn_norm3(c->side[k]);
        if (length == 0.0 || mn_dot3(c->side[k], n) >= SAME_SIDE * length * mn_norm3(n)) return k;
    }
    return -1;
}

static mn_vec3 triangle_normal(const mn_frame_part *part, const int32_t t[3], bool *sliver)
{
    const mn_vec3 a = mn_part_point(part, t[0]), b = mn_part_point(part, t[1]), c = mn_part_point(part, t[2]);
    const mn_vec3 n = mn_cross3(mn_sub3(b, a), mn_sub3(c, a));
    const double  longest = fmax(mn_norm3(mn_sub3(b, a)), fmax(mn_norm3(mn_sub3(c, b)), mn_norm3(mn_sub3(a, c))));
    *sliver               = mn_norm3(n) < SLIVER * longest * longest;
    return n;
}

/// Points on the canvas, with a normal for each smooth side that meets there: edges along walls stay sharp.
static void place_corners(const surface_job *job)
{
    const mn_frame_part *part = job->part;
    for (int64_t i = 0; i < part->point_count; i++) {
        const mn_vec3 p = mn_eye_project(&job->canvas->eye, mn_part_point(part, i));
        job->corners[i] = (corner){ .x = p.x, .y = p.y, .inverse = 1.0 / p.z, .speed = speed_at(part, i) };
    }
    for (int64_t k = 0; k < part->cell_count; k++) {
        const int32_t *t = part->cells + 3 * k;
        bool           sliver;
        const mn_vec3  n = triangle_normal(part, t, &sliver);
        for (int m = 0; m < 3 && !sliver; m++) {
            const int side = side_of(&job->corners[t[m]], n);
            if (side >= 0) job->corners[t[m]].side[side] = mn_add3(job->corners[t[m]].side[side], n);
        }
    }
}

/// Normals at the corners of a triangle: those of the sides it belongs to, or its own.
static void corner_normals(const surface_job *job, const int32_t t[3], mn_vec3 normal[3])
{
    bool          sliver;
    const mn_vec3 n = triangle_normal(job->part, t, &sliver);
    for (int m = 0; m < 3; m++) {
        const int side = side_of(&job->corners[t[m]], n);
        normal[m]      = mn_unit3(side >= 0 ? job->corners[t[m]].side[side] : n, mn_unit3(n, job->canvas->sky));
    }
}

/// Twice the area that a pixel spans with an edge; positive on the left of p to q whichever way the edge is stored.
static double beside(const corner *corners, int32_t p, int32_t q, double x, double y, bool *mine)
{
    const corner *a = &corners[p < q ? p : q], *b = &corners[p < q ? q : p];
    const double  s = (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
    const double  w = p < q ? s : -s;
    *mine           = w > 0.0 || (s == 0.0 && p < q);
    return w;
}

/// A triangle at one pixel: add to the way through the liquid, and keep the nearest front.
static void cover_pixel(const surface_job *job, const int32_t t[3], const mn_vec3 normal[3], const double w[3], bool front, int64_t i)
{
    mn_canvas   *c   = job->canvas;
    const double sum = w[0] + w[1] + w[2];
    if (sum == 0.0) return;
    double share[3], inverse = 0.0;
    for (int m = 0; m < 3; m++) inverse += share[m] = w[m] / sum * job->corners[t[m]].inverse;
    const float z = (float)(1.0 / inverse), seen = mn_min_f(z, c->solid_far[i]);
    c->thickness[i] += front ? -seen : seen;
    if (!front || z > c->solid_far[i] || z >= c->depth[i]) return;
    c->depth[i] = z;
    c->speed[i] = 0.0f;
    mn_vec3 n   = { 0, 0, 0 };
    for (int m = 0; m < 3; m++) {
        c->speed[i] += (float)(share[m] / inverse) * job->corners[t[m]].speed;
        n = mn_add3(n, mn_scale3(share[m] / inverse, normal[m]));
    }
    n = mn_unit3(n, c->sky);
    c->normal[i][0] = (float)n.x, c->normal[i][1] = (float)n.y, c->normal[i][2] = (float)n.z;
}

static void cover_triangle(const surface_job *job, const int32_t t[3], int64_t begin, int64_t end)
{
    const corner *p[3] = { &job->corners[t[0]], &job->corners[t[1]], &job->corners[t[2]] };
    for (int m = 0; m < 3; m++)
        if (!(p[m]->inverse > 0.0)) return;                  // at or behind the eye
    const mn_canvas *c = job->canvas;
    const double low[2] = { fmin(p[0]->x, fmin(p[1]->x, p[2]->x)), fmin(p[0]->y, fmin(p[1]->y, p[2]->y)) };
    const double high[2] = { fmax(p[0]->x, fmax(p[1]->x, p[2]->x)), fmax(p[0]->y, fmax(p[1]->y, p[2]->y)) };
    if (high[1] < (double)begin || low[1] > (double)end || high[0] < 0.0 || low[0] > c->width) return;
    const int64_t y0 = (int64_t)fmax((double)begin, floor(low[1])), y1 = (int64_t)fmin((double)end - 1.0, ceil(high[1]));
    const int     x0 = (int)fmax(0.0, floor(low[0])), x1 = (int)fmin(c->width - 1.0, ceil(high[0]));
    const double  area  = (p[1]->x - p[0]->x) * (p[2]->y - p[0]->y) - (p[1]->y - p[0]->y) * (p[2]->x - p[0]->x);
    const bool    front = area < 0.0;                        // y runs down on the canvas
    mn_vec3       normal[3];
    corner_normals(job, t, normal);
    for (int64_t y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            double w[3];
            bool   mine[3];
            for (int m = 0; m < 3; m++) {
                const int32_t from = t[(m + 1) % 3], to = t[(m + 2) % 3];
                w[m] = front ? beside(job->corners, to, from, x + 0.5, (double)y + 0.5, &mine[m])
                             : beside(job->corners, from, to, x + 0.5, (double)y + 0.5, &mine[m]);
            }
            if (mine[0] && mine[1] && mine[2]) cover_pixel(job, t, normal, w, front, y * c->width + x);
        }
}

static void surface_band(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const surface_job *job = context;
    mn_canvas         *c   = job->canvas;
    for (int64_t k = 0; k < job->part->cell_count; k++) cover_triangle(job, job->part->cells + 3 * k, begin, end);
    for (int64_t i = begin * c->width; i < end * c->width; i++) {
        c->thickness[i] = mn_max_f(0.0f, c->thickness[i]);
        c->speed[i]     = c->depth[i] < MN_PICTURE_FAR ? c->speed[i] * c->thickness[i] : 0.0f;
    }
}

/// What is drawn next lies before this front or is not seen; the buffers are empty again.
static void close_front(mn_canvas *c)
{
    const int64_t pixels = (int64_t)c->width * c->height;
    for (int64_t i = 0; i < pixels; i++) {
        c->solid_far[i] = mn_min_f(c->solid_far[i], c->depth[i]);
        c->depth[i]     = MN_PICTURE_FAR;
        c->thickness[i] = c->speed[i] = 0.0f;
    }
    mn_free(c->context, c->normal);
    c->normal = NULL;
}

mn_status mn_picture_surface(mn_canvas *c, const mn_frame_part *part)
{
    surface_job job = { .canvas = c, .part = part };
    c->normal       = mn_alloc(c->context, mn_array_bytes((int64_t)c->width * c->height, sizeof *c->normal));
    job.corners     = mn_alloc_array(c->context, corner, part->point_count);
    if (c->normal == NULL || job.corners == NULL) {
        mn_free(c->context, job.corners);
        return MN_ERR_MEMORY;
    }
    place_corners(&job);
    mn_parallel_for(c->pool, c->height, BAND, surface_band, &job);
    mn_free(c->context, job.corners);
    MN_TRY(mn_picture_shade(c));
    close_front(c);
    return MN_OK;
}
