// SPDX-License-Identifier: MPL-2.0
// output/picture_private.h - the canvas and the steps of drawing: floor, solids, fabrics, liquid, image.
//
// Everything is drawn at SAMPLES times the wanted size in each direction and averaged at the end. Loops run over rows of
// the canvas; each row depends only on finished arrays, so the number of threads does not show.
#ifndef MN_OUTPUT_PICTURE_PRIVATE_H
#define MN_OUTPUT_PICTURE_PRIVATE_H

#include "base/pool.h"
#include "math/vec.h"
#include "output/picture.h"

#define MN_PICTURE_SAMPLES 2
#define MN_PICTURE_FAR 1e30f

typedef struct mn_rgb { float r, g, b; } mn_rgb;

/// Where the eye is and how it projects: x right, y down on the canvas, z along the view.
typedef struct mn_eye {
    mn_vec3 at, right, up, forward;
    double  focal;            ///< canvas pixels per unit of slope; flat: pixels per cm
    bool    flat;             ///< no perspective
    double  center[2];        ///< pixels
} mn_eye;

/// A liquid particle on the canvas.
typedef struct mn_splat {
    float x, y, z;            ///< pixels, pixels, cm along the view
    float radius, size;       ///< pixels, cm
    float speed;              ///< cm/s
} mn_splat;

typedef struct mn_canvas {
    mn_context *context;
    mn_pool    *pool;
    int         width, height;
    mn_eye      eye;
    mn_vec3     low, high, sky;        ///< box looked at; the direction that is up
    float       speed_scale;           ///< cm/s that is drawn white
    float       absorbs[3];            ///< 1/cm, of the liquid's pigments
    float      *solid_depth;           ///< of the nearest solid; MN_PICTURE_FAR: none
    float      *solid_far;             ///< of the far side of that same solid: liquid between the two is inside a vessel
    int32_t    *solid_owner;           ///< which solid; -1: the floor, or none
    mn_rgb     *color;                 ///< background and solids, then the whole picture
    float      *depth, *spare;         ///< of the liquid's front
    float      *thickness, *speed;     ///< of the liquid along the view (cm); times its speed
    float     (*normal)[3];            ///< of the liquid's front; NULL: it follows from the depth
    mn_splat   *splats;
    int64_t     splat_count;
    float       splat_radius;          ///< typical, pixels
} mn_canvas;

static inline mn_rgb mn_rgb_mix(mn_rgb a, mn_rgb b, float t)
{
    return (mn_rgb){ a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b) };
}
static inline mn_rgb mn_rgb_scale(float s, mn_rgb a) { return (mn_rgb){ s * a.r, s * a.g, s * a.b }; }
static inline float  mn_min_f(float a, float b) { return a < b ? a : b; }
static inline float  mn_max_f(float a, float b) { return a > b ? a : b; }
static inline float  mn_saturate(float x) { return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x; }

/// Point i of a part.
mn_vec3 mn_part_point(const mn_frame_part *part, int64_t i);
/// A point from the eye: x and y in pixels, z in cm along the view.
mn_vec3 mn_eye_project(const mn_eye *eye, mn_vec3 x);
/// Direction of the ray through a pixel, unit length, and where it starts.
mn_vec3 mn_eye_ray(const mn_eye *eye, double x, double y, mn_vec3 *start);
/// What is seen in a direction when nothing is in the way.
mn_rgb mn_sky_color(const mn_canvas *canvas, mn_vec3 direction);

/// picture_solid.c
mn_status mn_picture_floor(mn_canvas *canvas, const mn_frame_part *parts, int part_count);
mn_status mn_picture_triangles(mn_canvas *canvas, const mn_frame_part *part);
/// The edges of the box looked at, as thin lines.
void mn_picture_tank(mn_canvas *canvas);
/// picture_fabric.c
bool      mn_picture_is_cloth(const mn_frame_part *part);
bool      mn_picture_is_yarn(const mn_frame_part *part);
static inline bool mn_picture_is_fabric(const mn_frame_part *part) { return mn_picture_is_cloth(part) || mn_picture_is_yarn(part); }
mn_status mn_picture_cloth(mn_canvas *canvas, const mn_frame_part *part);
mn_status mn_picture_yarn(mn_canvas *canvas, const mn_frame_part *part);
/// picture_liquid.c
mn_status mn_picture_liquid(mn_canvas *canvas, const mn_frame_part *part);
/// Light the front of the liquid as depth, thickness and speed have it.
mn_status mn_picture_shade(mn_canvas *canvas);
/// picture_surface.c
bool      mn_picture_is_surface(const mn_frame_part *part);
mn_status mn_picture_surface(mn_canvas *canvas, const mn_frame_part *part);
/// picture_png.c: linear light, averaged, as 8-bit sRGB.
mn_status mn_picture_png(mn_canvas *canvas, mn_buffer *png);

#endif
