// SPDX-License-Identifier: MPL-2.0
// render/shade_liquid.c - the skin of a clear liquid.
#include "render/optics.h"
#include "render/shade.h"

mn_skin mn_shade_liquid(const mn_clear *liquid, const mn_place_f *p, mn_f3 d)
{
    const float n_in = p->leaving ? liquid->index : 1.0f, n_out = p->leaving ? 1.0f : liquid->index;
    mn_skin     skin = { .share    = mn_fresnel(mn_minf(1.0f, -mn_f3_dot(d, p->normal)), n_in, n_out),
                         .mirrored = mn_reflect(d, p->normal) };
    if (!mn_refract(d, p->normal, n_in / n_out, &skin.bent)) skin.share = 1.0f;
    // A smooth normal must not send light through the wrong side of the geometry.
    if (mn_f3_dot(skin.mirrored, p->face) < 0.0f) skin.mirrored = mn_reflect(d, p->face);
    if (skin.share < 1.0f && mn_f3_dot(skin.bent, p->face) > 0.0f && !mn_refract(d, p->face, n_in / n_out, &skin.bent))
        skin.share = 1.0f;
    return skin;
}
