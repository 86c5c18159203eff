// SPDX-License-Identifier: MPL-2.0
// render/camera.h - the eye of a picture: as the scene has it, or framed around a box.
#ifndef MN_RENDER_CAMERA_H
#define MN_RENDER_CAMERA_H

#include "math/vec3f.h"
#include "meniscus/scene.h"

typedef struct mn_camera {
    mn_f3 at, right, up, forward;
    float focal;      ///< pixels per unit of slope
    float center[2];  ///< pixels
} mn_camera;

/// The box of everything that is ever drawn.
typedef struct mn_box_f {
    mn_f3 low, high;
} mn_box_f;

static inline mn_box_f mn_box_f_empty(void)
{
    return (mn_box_f){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
}
static inline void mn_box_f_add(mn_box_f *b, mn_f3 p)
{
    b->low  = mn_f3_of(mn_minf(b->low.x, p.x), mn_minf(b->low.y, p.y), mn_minf(b->low.z, p.z));
    b->high = mn_f3_of(mn_maxf(b->high.x, p.x), mn_maxf(b->high.y, p.y), mn_maxf(b->high.z, p.z));
}
static inline float mn_box_f_radius(mn_box_f b) { return 0.5f * mn_f3_norm(mn_f3_sub(b.high, b.low)); }
static inline mn_f3 mn_box_f_middle(mn_box_f b) { return mn_f3_scale(0.5f, mn_f3_add(b.low, b.high)); }

/// `sky` is up. With a camera that is not given, the eye stands as near as it can with the whole box in view; `level`
/// looks along -z, for worlds of two dimensions.
mn_camera mn_camera_of(const mn_camera_def *def, mn_f3 sky, mn_box_f box, bool level, int width, int height);
/// Unit direction through a place of the picture, in pixels.
mn_f3 mn_camera_ray(const mn_camera *camera, float x, float y);
/// Where a point is seen: pixels, and cm along the view.
mn_f3 mn_camera_project(const mn_camera *camera, mn_f3 p);

#endif
