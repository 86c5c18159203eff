// SPDX-License-Identifier: MPL-2.0
// render/shade_cloth.c - woven fabric: dull when dry; wet it is darker, lets more light through and shines.
#include "render/optics.h"
#include "render/shade.h"

/// Share of the light that leaves on the other side.
#define THROUGH_DRY 0.10f
#define THROUGH_WET 0.24f

/// A little water already fills the pores that scatter most; a closed film that mirrors comes late.
static float looks_wet(float saturation) { return sqrtf(mn_clampf(saturation, 0.0f, 1.0f)); }

/// Water between the fibres bends light less often (Twomey 1986): it goes deeper and meets more fibres before it comes
/// back, which is as if the reflectance of the dry cloth were taken to a power. At its surface the water mirrors
/// inward, optics.h.
static mn_f3 soaked(mn_f3 color, float wet)
{
    const float power = 1.0f + 0.45f * wet;
    return mn_wet_reflectance(mn_f3_of(powf(color.x, power), powf(color.y, power), powf(color.z, power)), wet);
}

mn_lobes mn_shade_cloth(const mn_place_f *p)
{
    const float wet = looks_wet(p->wet), film = mn_smoothstep(0.25f, 0.95f, p->wet);
    const mn_f3 color   = p->darkens && wet > 0.0f ? soaked(p->color, wet) : p->color;
    const float through = THROUGH_DRY + wet * (THROUGH_WET - THROUGH_DRY);
    return (mn_lobes){ .reflect   = mn_f3_scale(1.0f - through, color),
                       .transmit  = mn_f3_scale(through, color),
                       .coat      = film,
                       .index     = 1.33f,
                       .roughness = 0.40f - 0.28f * film };
}
