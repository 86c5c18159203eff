// SPDX-License-Identifier: MPL-2.0
// render/shade_solid.c - obstacles and the ground, and things painted with a field.
#include "render/shade.h"

mn_lobes mn_shade_solid(const mn_place_f *p)
{
    if (p->ground) return (mn_lobes){ .reflect = p->color };
    return (mn_lobes){ .reflect = p->color, .coat = 0.6f, .index = 1.45f, .roughness = 0.38f };
}

mn_lobes mn_shade_paint(const mn_place_f *p)
{
    return (mn_lobes){ .reflect = p->color, .coat = 0.5f, .index = 1.4f, .roughness = 0.3f };
}
