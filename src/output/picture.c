// SPDX-License-Identifier: MPL-2.0
// output/picture.c - the eye, the canvas, and the order of drawing.
#include "output/picture_private.h"

#include <math.h>
#include <string.h>

mn_picture_view mn_picture_view_of(const mn_world_def *world, const mn_camera_def *camera)
{
    const mn_domain_def *d = &world->domain;
    mn_picture_view      v = { .dimension = d->dimension, .up = d->up, .bounded = d->bounded, .camera = *camera };
    memcpy(v.low, d->bounds[0], sizeof v.low);
    memcpy(v.high, d->bounds[1], sizeof v.high);
    if (d->dimension == 2) v.low[2] = 0.0, v.high[2] = 1.0;
    for (int a = 0; a < d->dimension; a++) v.walls = v.walls || (d->bounded && d->boundary[a] == MN_BOUNDARY_WALL);
    return v;
}

mn_vec3 mn_part_point(const mn_frame_part *part, int64_t i)
{
    const mn_frame_array *a = &part->points;
    if (a->type == MN_TYPE_double)
        return mn_v3(((const double *)a->component[0])[i * a->stride], ((const double *)a->component[1])[i * a->stride],
                     ((const double *)a->component[2])[i * a->stride]);
    return mn_v3((double)((const float *)a->component[0])[i * a->stride], (double)((const float *)a->component[1])[i * a->stride],
                 (double)((const float *)a->component[2])[i * a->stride]);
}

// ---- the eye -------------------------------------------------------------------------------------------------------

mn_vec3 mn_eye_project(const mn_eye *e, mn_vec3 x)
{
    const mn_vec3 v = mn_sub3(x, e->at);
    const double  z = mn_dot3(v, e->forward), scale = e->flat ? e->focal : e->focal / z;
    return mn_v3(e->center[0] + scale * mn_dot3(v, e->right), e->center[1] - scale * mn_dot3(v, e->up), z);
}

mn_vec3 mn_eye_ray(const mn_eye *e, double x, double y, mn_vec3 *start)
{
    const double  a = (x - e->center[0]) / e->focal, b = (e->center[1] - y) / e->focal;
    const mn_vec3 aside = mn_add3(mn_scale3(a, e->right), mn_scale3(b, e->up));
    *start              = e->flat ? mn_add3(e->at, aside) : e->at;
    return e->flat ? e->forward : mn_unit3(mn_add3(e->forward, aside), e->forward);
}

static mn_vec3 axis_vector(int axis)
{
    return mn_v3(axis == 0, axis == 1, axis == 2);
}

/// Look along `forward` with `sky` up.
static void aim(mn_eye *e, mn_vec3 forward, mn_vec3 sky)
{
    e->forward = mn_unit3(forward, mn_v3(0, 0, -1));
    e->right   = mn_cross3(e->forward, sky);
    if (mn_norm3(e->right) < 1e-9) e->right = mn_cross3(e->forward, mn_v3(sky.y, sky.z, sky.x));      // straight up or down
    e->right = mn_unit3(e->right, mn_v3(1, 0, 0));
    e->up    = mn_cross3(e->right, e->forward);
}

/// The box of everything drawn; rounded outwards so that the eye does not tremble from frame to frame.
static void fit_box(mn_canvas *c, const mn_frame_part *parts, int count)
{
    mn_vec3 low = mn_v3(INFINITY, INFINITY, INFINITY), high = mn_v3(-INFINITY, -INFINITY, -INFINITY);
    for (int p = 0; p < count; p++)
        for (int64_t i = 0; i < parts[p].point_count; i++) {
            const mn_vec3 x = mn_part_point(&parts[p], i);
            low  = mn_v3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
            high = mn_v3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
        }
    const mn_vec3 e    = mn_sub3(high, low);
    const double  size = fmax(e.x, fmax(e.y, e.z));
    if (!isfinite(size)) {
        c->low = mn_v3(-1, -1, -1), c->high = mn_v3(1, 1, 1);
        return;
    }
    const double step = exp2(ceil(log2(fmax(size, 1e-6)))) / 8.0;
    c->low  = mn_v3(floor(low.x / step) * step, floor(low.y / step) * step, floor(low.z / step) * step);
    c->high = mn_v3(ceil(high.x / step) * step, ceil(high.y / step) * step, ceil(high.z / step) * step);
}

static mn_vec3 box_corner(const mn_canvas *c, int n)
{
    return mn_v3(n & 1 ? c->high.x : c->low.x, n & 2 ? c->high.y : c->low.y, n & 4 ? c->high.z : c->low.z);
}

/// As near as possible with the whole box in view.
static void back_off(mn_canvas *c, double margin)
{
    mn_eye       *e      = &c->eye;
    const mn_vec3 middle = mn_scale3(0.5, mn_add3(c->low, c->high));
    const double  slope[2] = { 0.5 * c->width / e->focal / margin, 0.5 * c->height / e->focal / margin };
    double        distance = 0.0;
    for (int n = 0; n < 8; n++) {
        const mn_vec3 v = mn_sub3(box_corner(c, n), middle);
        const double  z = mn_dot3(v, e->forward);
        distance        = fmax(distance, fmax(fabs(mn_dot3(v, e->right)) / slope[0], fabs(mn_dot3(v, e->up)) / slope[1]) - z);
    }
    e->at = mn_sub3(middle, mn_scale3(distance, e->forward));
}

static void set_flat_eye(mn_canvas *c)
{
    mn_eye       *e      = &c->eye;
    const mn_vec3 extent = mn_sub3(c->high, c->low), middle = mn_scale3(0.5, mn_add3(c->low, c->high));
    e->flat  = true;
    e->focal = fmin(c->width / (1.04 * fmax(extent.x, 1e-9)), c->height / (1.04 * fmax(extent.y, 1e-9)));
    aim(e, mn_v3(0, 0, -1), mn_v3(0, 1, 0));
    e->at = mn_v3(middle.x, middle.y, c->high.z + mn_norm3(extent));
}

static void set_eye(mn_canvas *c, const mn_picture_view *view)
{
    mn_eye *e    = &c->eye;
    e->center[0] = 0.5 * c->width;
    e->center[1] = 0.5 * c->height;
    if (view->dimension == 2) {
        set_flat_eye(c);
        return;
    }
    e->focal = 0.5 * c->height / tan(0.5 * view->camera.angle);
    if (view->camera.given) {
        e->at = mn_v3_from(view->camera.from);
        aim(e, mn_sub3(mn_v3_from(view->camera.to), e->at), c->sky);
        return;
    }
    const mn_vec3 side = axis_vector((view->up + 2) % 3), front = axis_vector((view->up + 1) % 3);
    const mn_vec3 from = mn_add3(mn_add3(mn_scale3(0.45, side), front), mn_scale3(0.42, c->sky));
    aim(e, mn_scale3(-1.0, from), c->sky);
    back_off(c, 1.12);
}

// ---- the canvas ----------------------------------------------------------------------------------------------------

mn_rgb mn_sky_color(const mn_canvas *c, mn_vec3 direction)
{
    const float  height = (float)mn_dot3(direction, c->sky);
    const mn_rgb horizon = { 0.84f, 0.88f, 0.92f }, zenith = { 0.42f, 0.60f, 0.80f }, below = { 0.62f, 0.64f, 0.66f };
    return height > 0.0f ? mn_rgb_mix(horizon, zenith, mn_saturate(1.4f * height)) : mn_rgb_mix(horizon, below, mn_saturate(-2.0f * height));
}

static void clear_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_canvas *c = context;
    for (int64_t y = begin; y < end; y++)
        for (int x = 0; x < c->width; x++) {
            const int64_t i = y * c->width + x;
            mn_vec3       start;
            c->solid_depth[i] = c->solid_far[i] = c->depth[i] = MN_PICTURE_FAR;
            c->solid_owner[i]                                  = -1;
            if (c->eye.flat) c->color[i] = (mn_rgb){ 0.86f, 0.87f, 0.88f };
            else c->color[i] = mn_sky_color(c, mn_eye_ray(&c->eye, x + 0.5, (double)y + 0.5, &start));
        }
}

static mn_status open_canvas(mn_canvas *c)
{
    const int64_t pixels = (int64_t)c->width * c->height;
    c->solid_depth = mn_alloc_array(c->context, float, pixels);
    c->solid_far   = mn_alloc_array(c->context, float, pixels);
    c->solid_owner = mn_alloc_array(c->context, int32_t, pixels);
    c->color       = mn_alloc_array(c->context, mn_rgb, pixels);
    c->depth       = mn_alloc_array(c->context, float, pixels);
    c->spare       = mn_alloc_array(c->context, float, pixels);
    c->thickness   = mn_alloc_array(c->context, float, pixels);
    c->speed       = mn_alloc_array(c->context, float, pixels);
    const bool all = c->solid_depth && c->solid_far && c->solid_owner && c->color && c->depth && c->spare && c->thickness && c->speed;
    return all ? MN_OK : MN_ERR_MEMORY;
}

static void close_canvas(mn_canvas *c)
{
    void *const blocks[] = { c->solid_depth, c->solid_far, c->solid_owner, c->color, c->depth, c->spare, c->thickness, c->speed, c->normal, c->splats };
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) mn_free(c->context, blocks[k]);
}

static mn_status draw(mn_canvas *c, const mn_frame_part *parts, int count, bool walls)
{
    mn_parallel_for(c->pool, c->height, 16, clear_rows, c);
    if (!c->eye.flat) MN_TRY(mn_picture_floor(c, parts, count));
    for (int p = 0; p < count; p++)
        if (parts[p].kind == MN_CELLS_TRIANGLES && !mn_picture_is_surface(&parts[p]) && !mn_picture_is_cloth(&parts[p]))
            MN_TRY(mn_picture_triangles(c, &parts[p]));
    for (int p = 0; p < count; p++) {
        if (mn_picture_is_cloth(&parts[p])) MN_TRY(mn_picture_cloth(c, &parts[p]));
        if (mn_picture_is_yarn(&parts[p])) MN_TRY(mn_picture_yarn(c, &parts[p]));
    }
    if (walls) mn_picture_tank(c);
    for (int p = 0; p < count; p++)
        if (mn_picture_is_surface(&parts[p])) MN_TRY(mn_picture_surface(c, &parts[p]));
    for (int p = 0; p < count; p++)
        if (parts[p].kind == MN_CELLS_VERTICES) MN_TRY(mn_picture_liquid(c, &parts[p]));
    return MN_OK;
}

mn_status mn_picture_make(mn_context *context, const mn_picture_view *view, const mn_frame_part *parts, int part_count, mn_buffer *png)
{
    const int *size = view->camera.size;
    if (size[0] < 1 || size[1] < 1 || size[0] > 16384 || size[1] > 16384)
        return mn_fail(context, MN_ERR_ARGUMENT, "camera.size is %d x %d; each must be from 1 to 16384", size[0], size[1]);
    mn_canvas c = { .context = context, .pool = mn_context_pool(context), .width = size[0] * MN_PICTURE_SAMPLES,
                    .height = size[1] * MN_PICTURE_SAMPLES, .sky = axis_vector(view->up) };
    for (int k = 0; k < 3; k++) c.absorbs[k] = (float)view->absorbs[k];
    if (view->bounded) c.low = mn_v3_from(view->low), c.high = mn_v3_from(view->high);
    else fit_box(&c, parts, part_count);
    set_eye(&c, view);
    // White is a little more than the speed of a fall through the height of the box.
    c.speed_scale    = (float)(1.3 * sqrt(2.0 * 981.0 * fmax(1e-6, mn_dot3(mn_sub3(c.high, c.low), c.sky))));
    mn_status status = open_canvas(&c);
    if (status == MN_OK) status = draw(&c, parts, part_count, view->walls);
    if (status == MN_OK) status = mn_picture_png(&c, png);
    close_canvas(&c);
    return status;
}
