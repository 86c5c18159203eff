// SPDX-License-Identifier: MPL-2.0
// render/path.h - light along one ray, by following it backwards.
#ifndef MN_RENDER_PATH_H
#define MN_RENDER_PATH_H

#include "render/light.h"
#include "render/sampler.h"
#include "render/shade.h"

/// Everything that light meets.
typedef struct mn_stage_f {
    const mn_tracer *tracer;
    mn_light         light;
    mn_clear         liquid;
    bool             ground;        ///< whether there is a plane below everything
    float            ground_level;  ///< along light.up
    mn_f3            ground_color;
    float            tile;             ///< width of the ground's tiles, 0: none
    mn_f3            middle;           ///< of what is shown ...
    float            radius;           ///< ... and its size: far from it the ground becomes the sky
    int              diffuse_bounces;  ///< most, >= 0
    int              splits;  ///< skins of liquid at which a ray is followed both ways, before it takes one by chance
} mn_stage_f;

/// What the eye meets first, for removing noise.
typedef struct mn_first_f {
    mn_f3 color, normal, at;
    float clear;     ///< 1: a skin of liquid or glass, whose light does not follow from its own shape; 0: not
    float distance;  ///< INFINITY: the sky
} mn_first_f;

/// Radiance that arrives at `from` against direction d. `first` may be NULL.
mn_f3 mn_path_radiance(const mn_stage_f *stage, mn_f3 from, mn_f3 d, mn_sampler *sampler, mn_first_f *first);

#endif
