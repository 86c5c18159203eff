// SPDX-License-Identifier: MPL-2.0
// render/camera.c - aiming and projecting.
#include "render/camera.h"

/// Room left round the box.
#define MARGIN 1.1f

static void aim(mn_camera *c, mn_f3 forward, mn_f3 sky)
{
    c->forward = mn_f3_unit(forward, mn_f3_of(0, 0, -1));
    c->right   = mn_f3_cross(c->forward, sky);
    if (mn_f3_norm(c->right) < 1e-5f)
        c->right = mn_f3_cross(c->forward, mn_f3_of(sky.y, sky.z, sky.x));  // straight up or down
    c->right = mn_f3_unit(c->right, mn_f3_of(1, 0, 0));
    c->up    = mn_f3_cross(c->right, c->forward);
}

/// As near as possible with the whole box in view.
static void back_off(mn_camera *c, mn_box_f box, int width, int height)
{
    const mn_f3 middle = mn_box_f_middle(box);
    const float across = 0.5f * (float)width / c->focal / MARGIN, upright = 0.5f * (float)height / c->focal / MARGIN;
    float       distance = 0.0f;
    for (int n = 0; n < 8; n++) {
        const mn_f3 corner = mn_f3_of(n & 1 ? box.high.x : box.low.x, n & 2 ? box.high.y : box.low.y,
                                      n & 4 ? box.high.z : box.low.z);
        const mn_f3 v      = mn_f3_sub(corner, middle);
        const float needed = mn_maxf(fabsf(mn_f3_dot(v, c->right)) / across, fabsf(mn_f3_dot(v, c->up)) / upright);
        distance           = mn_maxf(distance, needed - mn_f3_dot(v, c->forward));
    }
    c->at = mn_f3_along(middle, -mn_maxf(distance, 1e-3f), c->forward);
}

mn_camera mn_camera_of(const mn_camera_def *def, mn_f3 sky, mn_box_f box, bool level, int width, int height)
{
    mn_camera c = { .focal  = 0.5f * (float)height / tanf(0.5f * (float)def->angle),
                    .center = { 0.5f * (float)width, 0.5f * (float)height } };
    if (def->given && !level) {
        c.at = mn_f3_of((float)def->from[0], (float)def->from[1], (float)def->from[2]);
        aim(&c, mn_f3_sub(mn_f3_of((float)def->to[0], (float)def->to[1], (float)def->to[2]), c.at), sky);
        return c;
    }
    const mn_f3 side = mn_f3_of(sky.y, sky.z, sky.x), front = mn_f3_of(sky.z, sky.x, sky.y);
    const mn_f3 from = level ? mn_f3_of(0, 0, 1) : mn_f3_add(mn_f3_along(front, 0.45f, side), mn_f3_scale(0.38f, sky));
    aim(&c, mn_f3_scale(-1.0f, from), sky);
    back_off(&c, box, width, height);
    return c;
}

mn_f3 mn_camera_ray(const mn_camera *c, float x, float y)
{
    const mn_f3 aside = mn_f3_along(mn_f3_scale((x - c->center[0]) / c->focal, c->right), (c->center[1] - y) / c->focal,
                                    c->up);
    return mn_f3_unit(mn_f3_add(c->forward, aside), c->forward);
}

mn_f3 mn_camera_project(const mn_camera *c, mn_f3 p)
{
    const mn_f3 v = mn_f3_sub(p, c->at);
    const float z = mn_f3_dot(v, c->forward), scale = c->focal / z;
    return mn_f3_of(c->center[0] + scale * mn_f3_dot(v, c->right), c->center[1] - scale * mn_f3_dot(v, c->up), z);
}
