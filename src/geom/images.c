// SPDX-License-Identifier: MPL-2.0
// geom/images.c - shapes across the sides of a periodic world.
#include "geom/images.h"

bool mn_posed_bounds(const mn_shape *shape, const mn_pose *pose, mn_vec3 *out_low, mn_vec3 *out_high)
{
    double low[3], high[3], reach[3];
    mn_shape_bounds(shape, low, high);
    const mn_vec3 half = mn_scale3(0.5, mn_sub3(mn_v3_from(high), mn_v3_from(low)));
    if (!isfinite(mn_norm3(half))) return false;
    for (int a = 0; a < 3; a++) {
        const mn_vec3 r = pose->rotation.row[a];
        reach[a]        = fabs(r.x) * half.x + fabs(r.y) * half.y + fabs(r.z) * half.z;
    }
    const mn_vec3 middle = mn_pose_point(pose, mn_scale3(0.5, mn_add3(mn_v3_from(low), mn_v3_from(high))));
    *out_low             = mn_sub3(middle, mn_v3_from(reach));
    *out_high            = mn_add3(middle, mn_v3_from(reach));
    return true;
}

mn_images mn_images_of(const mn_shape *shape, const mn_pose *pose, mn_vec3 period)
{
    mn_images images = { .shape = shape, .pose = *pose };
    if (!mn_posed_bounds(shape, pose, &images.low, &images.high)) return images;
    for (int a = 0; a < 3; a++) images.period[a] = mn_get3(period, a);
    return images;
}

/// Most images that are asked either way along an axis: shapes that are longer stand for endless ones.
#define MOST_IMAGES 1000.0

static bool inside_at(const mn_images *images, mn_vec3 x)
{
    return mn_shape_at(images->shape, mn_pose_rest(&images->pose, x)) < 0.0;
}

bool mn_images_inside(const mn_images *images, mn_vec3 x, mn_vec3 *shift)
{
    if (shift != NULL) *shift = mn_v3(0, 0, 0);
    if (inside_at(images, x)) return true;
    int from[3] = { 0, 0, 0 }, to[3] = { 0, 0, 0 };
    for (int a = 0; a < 3; a++) {
        const double p = images->period[a], low = mn_get3(images->low, a) - mn_get3(x, a),
                     high = mn_get3(images->high, a) - mn_get3(x, a);
        if (!(p > 0.0)) continue;
        from[a] = (int)fmin(fmax(ceil(low / p), -MOST_IMAGES), MOST_IMAGES);
        to[a]   = (int)fmin(fmax(floor(high / p), -MOST_IMAGES), MOST_IMAGES);
    }
    for (int k = from[2]; k <= to[2]; k++)
        for (int j = from[1]; j <= to[1]; j++)
            for (int i = from[0]; i <= to[0]; i++) {
                const mn_vec3 off = mn_v3(i * images->period[0], j * images->period[1], k * images->period[2]);
                if ((i == 0 && j == 0 && k == 0) || !inside_at(images, mn_add3(x, off))) continue;
                if (shift != NULL) *shift = off;
                return true;
            }
    return false;
}
