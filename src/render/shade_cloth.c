// SPDX-License-Identifier: MPL-2.0
// render/shade_cloth.c - woven fabric: dull when dry; wet it is darker, lets more light through and shines.
#include "render/optics.h"
#include "render/shade.h"

/// Share of the light that leaves on the other side.
#define THROUGH_DRY 0.10f
#define THROUGH_WET 0.24f

/// A little water already fills the pores that scatter most; a closed film that mirrors comes late.
static float looks_wet(float saturation)
{
    return sqrtf(mn_clampf(saturation, 0.0f, 1.0f));
}

mn_lobes mn_shade_cloth(const mn_place_f *p)
{
    const float wet     = looks_wet(p->wet), film = mn_smoothstep(0.25f, 0.95f, p->wet);
    const mn_f3 color   = p->darkens ? mn_wet_reflectance(p->color, wet) : p->color;
    const float through = THROUGH_DRY + wet * (THROUGH_WET - THROUGH_DRY);
    return (mn_lobes){ .reflect = mn_f3_scale(1.0f - through, color), .transmit = mn_f3_scale(through, color), .coat = film, .index = 1.33f,
                       .roughness = 0.42f - 0.26f * film };
}
