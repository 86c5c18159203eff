// SPDX-License-Identifier: MPL-2.0
// math/vec3f.h - three floats: places, directions and linear light of a picture.
#ifndef MN_MATH_VEC3F_H
#define MN_MATH_VEC3F_H

#include <math.h>

typedef struct mn_f3 {
    float x, y, z;
} mn_f3;

/// The C library's fminf is a call here, for the sake of numbers that are none.
static inline float mn_minf(float a, float b) { return a < b ? a : b; }
static inline float mn_maxf(float a, float b) { return a > b ? a : b; }

static inline mn_f3 mn_f3_of(float x, float y, float z) { return (mn_f3){ x, y, z }; }
static inline mn_f3 mn_f3_gray(float v) { return (mn_f3){ v, v, v }; }
static inline mn_f3 mn_f3_add(mn_f3 a, mn_f3 b) { return (mn_f3){ a.x + b.x, a.y + b.y, a.z + b.z }; }
static inline mn_f3 mn_f3_sub(mn_f3 a, mn_f3 b) { return (mn_f3){ a.x - b.x, a.y - b.y, a.z - b.z }; }
static inline mn_f3 mn_f3_mul(mn_f3 a, mn_f3 b) { return (mn_f3){ a.x * b.x, a.y * b.y, a.z * b.z }; }
static inline mn_f3 mn_f3_scale(float s, mn_f3 a) { return (mn_f3){ s * a.x, s * a.y, s * a.z }; }
static inline mn_f3 mn_f3_along(mn_f3 p, float t, mn_f3 d)
{
    return (mn_f3){ p.x + t * d.x, p.y + t * d.y, p.z + t * d.z };
}
static inline mn_f3 mn_f3_mix(mn_f3 a, mn_f3 b, float t) { return mn_f3_along(a, t, mn_f3_sub(b, a)); }
static inline float mn_f3_dot(mn_f3 a, mn_f3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline mn_f3 mn_f3_cross(mn_f3 a, mn_f3 b)
{
    return (mn_f3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}
static inline float mn_f3_norm(mn_f3 a) { return sqrtf(mn_f3_dot(a, a)); }
static inline mn_f3 mn_f3_unit(mn_f3 a, mn_f3 if_zero)
{
    const float n = mn_f3_norm(a);
    return n > 0.0f ? mn_f3_scale(1.0f / n, a) : if_zero;
}
static inline float mn_f3_most(mn_f3 a) { return mn_maxf(a.x, mn_maxf(a.y, a.z)); }
/// Luminance of linear sRGB.
static inline float mn_f3_luminance(mn_f3 a) { return 0.2126f * a.x + 0.7152f * a.y + 0.0722f * a.z; }
static inline float mn_clampf(float x, float low, float high) { return x < low ? low : x > high ? high : x; }
static inline float mn_smoothstep(float low, float high, float x)
{
    const float t = mn_clampf((x - low) / (high - low), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

/// Two directions that make a right-handed frame with the unit vector n (Duff et al. 2017), without a branch on its
/// sign.
static inline void mn_f3_frame(mn_f3 n, mn_f3 *s, mn_f3 *t)
{
    const float sign = copysignf(1.0f, n.z), a = -1.0f / (sign + n.z), b = n.x * n.y * a;
    *s = (mn_f3){ 1.0f + sign * n.x * n.x * a, sign * b, -sign * n.x };
    *t = (mn_f3){ b, sign + n.y * n.y * a, -n.y };
}

#endif
