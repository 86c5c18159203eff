// SPDX-License-Identifier: MPL-2.0
// render/optics.c - Fresnel, Snell, Beer, GGX.
#include "render/optics.h"

#include "draw/colour.h"

#define PI 3.14159265f

float mn_fresnel(float cos_in, float n_in, float n_out)
{
    const float ratio = n_in / n_out, sin2_out = ratio * ratio * mn_maxf(0.0f, 1.0f - cos_in * cos_in);
    if (sin2_out >= 1.0f) return 1.0f;
    const float cos_out = sqrtf(1.0f - sin2_out);
    const float across  = (n_in * cos_in - n_out * cos_out) / (n_in * cos_in + n_out * cos_out);
    const float along   = (n_out * cos_in - n_in * cos_out) / (n_out * cos_in + n_in * cos_out);
    return 0.5f * (across * across + along * along);
}

mn_f3 mn_reflect(mn_f3 d, mn_f3 n) { return mn_f3_along(d, -2.0f * mn_f3_dot(d, n), n); }

bool mn_refract(mn_f3 d, mn_f3 n, float ratio, mn_f3 *out)
{
    const float cos_in = -mn_f3_dot(d, n), sin2_out = ratio * ratio * (1.0f - cos_in * cos_in);
    if (sin2_out >= 1.0f) return false;
    *out = mn_f3_unit(mn_f3_along(mn_f3_scale(ratio, d), ratio * cos_in - sqrtf(1.0f - sin2_out), n), d);
    return true;
}

mn_f3 mn_beer(mn_f3 absorption, float distance)
{
    return mn_f3_of(expf(-absorption.x * distance), expf(-absorption.y * distance), expf(-absorption.z * distance));
}

static mn_f3 in_frame(mn_f3 n, float x, float y, float z)
{
    mn_f3 s, t;
    mn_f3_frame(n, &s, &t);
    return mn_f3_unit(mn_f3_along(mn_f3_along(mn_f3_scale(x, s), y, t), z, n), n);
}

mn_f3 mn_cosine_direction(mn_f3 n, float u, float v)
{
    const float r = sqrtf(u), angle = 2.0f * PI * v;
    return in_frame(n, r * cosf(angle), r * sinf(angle), sqrtf(mn_maxf(0.0f, 1.0f - u)));
}

/// Heitz 2018: sampling the distribution of visible normals.
mn_f3 mn_ggx_half(mn_f3 n, mn_f3 out, float roughness, float u, float v)
{
    mn_f3 s, t;
    mn_f3_frame(n, &s, &t);
    const mn_f3 stretched = mn_f3_unit(mn_f3_of(roughness * mn_f3_dot(out, s), roughness * mn_f3_dot(out, t),
                                                mn_maxf(1e-4f, mn_f3_dot(out, n))),
                                       mn_f3_of(0, 0, 1));
    const float r = sqrtf(u), angle = 2.0f * PI * v, p = r * cosf(angle), up = 0.5f * (1.0f + stretched.z);
    // The disc is cut along the axis `first`, where the half space below the surface begins.
    const mn_f3 first  = mn_f3_unit(mn_f3_of(-stretched.y, stretched.x, 0.0f), mn_f3_of(1, 0, 0));
    const mn_f3 second = mn_f3_cross(stretched, first);
    const float q      = (1.0f - up) * sqrtf(mn_maxf(0.0f, 1.0f - p * p)) + up * r * sinf(angle);
    const mn_f3 h      = mn_f3_add(mn_f3_along(mn_f3_scale(p, first), q, second),
                                   mn_f3_scale(sqrtf(mn_maxf(0.0f, 1.0f - p * p - q * q)), stretched));
    return in_frame(n, roughness * h.x, roughness * h.y, mn_maxf(1e-6f, h.z));
}

/// Smith's Lambda.
static float lambda(float cosine, float roughness)
{
    const float c2 = cosine * cosine;
    return 0.5f * (sqrtf(1.0f + roughness * roughness * mn_maxf(0.0f, 1.0f - c2) / mn_maxf(c2, 1e-8f)) - 1.0f);
}

float mn_ggx_weight(mn_f3 n, mn_f3 out, mn_f3 in, float roughness)
{
    const float ci = mn_f3_dot(n, in), co = mn_maxf(1e-4f, mn_f3_dot(n, out));
    if (ci <= 0.0f) return 0.0f;
    const float lo = lambda(co, roughness);
    return (1.0f + lo) / (1.0f + lo + lambda(ci, roughness));
}

float mn_ggx_value(mn_f3 n, mn_f3 out, mn_f3 in, float roughness)
{
    const float ci = mn_f3_dot(n, in), co = mn_maxf(1e-4f, mn_f3_dot(n, out));
    if (ci <= 0.0f) return 0.0f;
    const mn_f3 h  = mn_f3_unit(mn_f3_add(out, in), n);
    const float ch = mn_f3_dot(n, h), a2 = roughness * roughness, f = ch * ch * (a2 - 1.0f) + 1.0f;
    const float d = a2 / (PI * f * f), g = 1.0f / (1.0f + lambda(co, roughness) + lambda(ci, roughness));
    return d * g / (4.0f * co);
}

mn_f3 mn_wet_reflectance(mn_f3 dry, float wet)
{
    const float p   = (float)MN_COLOUR_INWARD;
    const mn_f3 all = mn_f3_of(dry.x * (1.0f - p) / (1.0f - p * dry.x), dry.y * (1.0f - p) / (1.0f - p * dry.y),
                               dry.z * (1.0f - p) / (1.0f - p * dry.z));
    return mn_f3_mix(dry, all, wet);
}
