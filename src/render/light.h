// SPDX-License-Identifier: MPL-2.0
// render/light.h - where light comes from: a soft sky all round and one sun.
#ifndef MN_RENDER_LIGHT_H
#define MN_RENDER_LIGHT_H

#include "math/vec3f.h"

#include <stdbool.h>

typedef struct mn_light {
    mn_f3 up;
    mn_f3 zenith, horizon, below;  ///< radiance of the sky
    mn_f3 glow;                    ///< wide brightness of the sky round the sun, which liquids mirror
    mn_f3 sun, sun_irradiance;     ///< direction to it; light on a surface that faces it
    float sun_angle;               ///< radius, rad: makes shadows soft
} mn_light;

/// A light sky with a warm sun from the left behind the eye, which looks along `view`.
mn_light mn_light_studio(mn_f3 up, mn_f3 view);
/// The same light from everywhere, for tests.
mn_light mn_light_uniform(mn_f3 radiance);

/// Radiance from a direction, without the sun itself.
mn_f3 mn_light_sky(const mn_light *light, mn_f3 direction);
/// Radiance of the sun's disc, if the direction meets it, else zero.
mn_f3 mn_light_disc(const mn_light *light, mn_f3 direction);
/// A direction to the sun's disc.
mn_f3 mn_light_to_sun(const mn_light *light, float u, float v);

#endif
