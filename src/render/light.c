// SPDX-License-Identifier: MPL-2.0
// render/light.c - the sky and the sun.
#include "render/light.h"

#define PI 3.14159265f

mn_light mn_light_studio(mn_f3 up, mn_f3 view)
{
    const mn_f3 flat  = mn_f3_unit(mn_f3_along(view, -mn_f3_dot(view, up), up),
                                   mn_f3_unit(mn_f3_cross(up, mn_f3_of(0.3f, 0.5f, 0.8f)), mn_f3_of(0, 0, 1)));
    const mn_f3 right = mn_f3_cross(flat, up);
    const mn_f3 sun   = mn_f3_add(mn_f3_along(mn_f3_scale(-0.62f, right), -0.30f, flat), mn_f3_scale(0.95f, up));
    return (mn_light){ .up             = up,
                       .zenith         = { 0.22f, 0.31f, 0.46f },
                       .horizon        = { 0.40f, 0.44f, 0.50f },
                       .below          = { 0.20f, 0.20f, 0.21f },
                       .glow           = { 0.90f, 0.82f, 0.70f },
                       .sun            = mn_f3_unit(sun, up),
                       .sun_irradiance = { 3.95f, 3.65f, 3.20f },
                       .sun_angle      = 0.035f };
}

mn_light mn_light_uniform(mn_f3 radiance)
{
    return (mn_light){ .up        = { 0, 1, 0 },
                       .zenith    = radiance,
                       .horizon   = radiance,
                       .below     = radiance,
                       .sun       = { 0, 1, 0 },
                       .sun_angle = 0.01f };
}

mn_f3 mn_light_sky(const mn_light *l, mn_f3 d)
{
    const float height = mn_f3_dot(d, l->up), toward = mn_maxf(0.0f, mn_f3_dot(d, l->sun)), t2 = toward * toward,
                t4 = t2 * t2, t8 = t4 * t4, t32 = t8 * t8 * t8 * t8;
    const mn_f3 base = height > 0.0f ? mn_f3_mix(l->horizon, l->zenith, sqrtf(height))
                                     : mn_f3_mix(l->horizon, l->below, mn_minf(1.0f, -3.0f * height));
    return mn_f3_along(base, t8 + 2.0f * t32, l->glow);
}

mn_f3 mn_light_disc(const mn_light *l, mn_f3 d)
{
    const float cosine = cosf(l->sun_angle);
    if (mn_f3_dot(d, l->sun) < cosine) return mn_f3_gray(0.0f);
    return mn_f3_scale(1.0f / (2.0f * PI * (1.0f - cosine)), l->sun_irradiance);
}

mn_f3 mn_light_to_sun(const mn_light *l, float u, float v)
{
    mn_f3 s, t;
    mn_f3_frame(l->sun, &s, &t);
    const float c = 1.0f - u * (1.0f - cosf(l->sun_angle)), r = sqrtf(mn_maxf(0.0f, 1.0f - c * c)),
                angle = 2.0f * PI * v;
    return mn_f3_unit(mn_f3_add(mn_f3_scale(c, l->sun),
                                mn_f3_along(mn_f3_scale(r * cosf(angle), s), r * sinf(angle), t)),
                      l->sun);
}
