// SPDX-License-Identifier: MPL-2.0
// render/optics.h - light at a smooth surface, through a liquid, off a rough coat.
#ifndef MN_RENDER_OPTICS_H
#define MN_RENDER_OPTICS_H

#include "math/vec3f.h"

#include <stdbool.h>

/// Share of unpolarised light reflected where the index goes from n_in to n_out; `cos_in` in [0, 1]. 1: total
/// reflection.
float mn_fresnel(float cos_in, float n_in, float n_out);
/// Direction d (unit) bounced off a surface with unit normal n.
mn_f3 mn_reflect(mn_f3 d, mn_f3 n);
/// Snell: d bent into the other side of a surface whose normal n is against d; ratio n_in / n_out. False: total
/// reflection.
bool mn_refract(mn_f3 d, mn_f3 n, float ratio, mn_f3 *out);
/// Beer and Lambert: what is left after `distance` cm with absorption coefficients in 1/cm.
mn_f3 mn_beer(mn_f3 absorption, float distance);

/// Direction about n with density cos / pi.
mn_f3 mn_cosine_direction(mn_f3 n, float u, float v);

/// A rough mirror (GGX, Smith): a half vector visible from `out` (both unit, out on the side of n) ...
mn_f3 mn_ggx_half(mn_f3 n, mn_f3 out, float roughness, float u, float v);
/// ... the weight of the direction it gives, without Fresnel: G2 / G1 ...
float mn_ggx_weight(mn_f3 n, mn_f3 out, mn_f3 in, float roughness);
/// ... and D G2 / (4 cos_out), which times Fresnel and the irradiance of a small light is the light seen.
float mn_ggx_value(mn_f3 n, mn_f3 out, mn_f3 in, float roughness);

/// Reflectance R of something that becomes wet to the share `wet`: R (1 - p) / (1 - p R), as stain/colour.h has it.
mn_f3 mn_wet_reflectance(mn_f3 dry, float wet);

#endif
