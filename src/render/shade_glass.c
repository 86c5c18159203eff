// SPDX-License-Identifier: MPL-2.0
// render/shade_glass.c - vessels one wants to look into: panes so thin that they do not bend light.
#include "render/optics.h"
#include "render/shade.h"

#define GLASS_INDEX 1.5f

mn_skin mn_shade_glass(const mn_place_f *p, mn_f3 d)
{
    // Mirrored to and fro between the two sides of a pane: R + (1 - R)^2 R + (1 - R)^2 R^3 ... = 2 R / (1 + R).
    const float once = mn_fresnel(mn_clampf(-mn_f3_dot(d, p->normal), 0.0f, 1.0f), 1.0f, GLASS_INDEX);
    mn_skin     skin = { .share = 2.0f * once / (1.0f + once), .mirrored = mn_reflect(d, p->normal), .bent = d };
    if (mn_f3_dot(skin.mirrored, p->face) < 0.0f) skin.mirrored = mn_reflect(d, p->face);
    return skin;
}
