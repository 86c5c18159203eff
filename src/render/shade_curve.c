// SPDX-License-Identifier: MPL-2.0
// render/shade_curve.c - yarn and hair: fibres twisted round each other.
#include "render/optics.h"
#include "render/shade.h"

/// Plies of a yarn, length of a turn in radii, and how deep the grooves between them look.
#define PLIES 3.0f
#define TURN  9.0f
#define DEPTH 0.16f

/// Grooves wind along the curve. The angle around it is counted from a fixed direction; where the curve goes along that
/// direction the count turns quickly, which shows as a denser twist.
static float twist(mn_place_f *p)
{
    const mn_f3 fixed = mn_f3_of(0.22f, 0.93f, 0.29f);
    const mn_f3 a     = mn_f3_unit(mn_f3_along(fixed, -mn_f3_dot(fixed, p->tangent), p->tangent), mn_f3_of(1, 0, 0)),
                b     = mn_f3_cross(p->tangent, a);
    const float phase = PLIES *
                        (atan2f(mn_f3_dot(p->normal, b), mn_f3_dot(p->normal, a)) + 6.2831853f * p->along / TURN);
    const mn_f3 round = mn_f3_cross(p->tangent, p->normal);
    const float slope = DEPTH * PLIES * sinf(phase);
    p->normal = mn_f3_unit(mn_f3_along(mn_f3_along(p->normal, slope, round), slope * 6.2831853f / TURN, p->tangent),
                           p->normal);
    return 0.5f + 0.5f * cosf(phase);
}

mn_lobes mn_shade_curve(mn_place_f *p)
{
    const float ridge = p->along > 0.0f ? twist(p) : 1.0f, wet = sqrtf(mn_clampf(p->wet, 0.0f, 1.0f));
    const mn_f3 color = mn_f3_scale(p->darkens ? 0.72f + 0.28f * ridge : 1.0f,
                                    p->darkens ? mn_wet_reflectance(p->color, wet) : p->color);
    return (mn_lobes){ .reflect = color, .coat = 0.35f + 0.65f * wet, .index = 1.4f, .roughness = 0.5f - 0.28f * wet };
}
