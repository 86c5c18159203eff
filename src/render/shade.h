// SPDX-License-Identifier: MPL-2.0
// render/shade.h - what a surface does with light, one file for each finish.
#ifndef MN_RENDER_SHADE_H
#define MN_RENDER_SHADE_H

#include "render/tracer.h"

/// A place that a ray met.
typedef struct mn_place_f {
    mn_finish finish;
    bool      ground;        ///< the plane below everything
    bool      leaving;       ///< the ray came from inside a liquid's skin
    mn_f3     at;            ///< on the geometry
    mn_f3     lifted;        ///< on the smooth surface that the normals tell of: where rays leave on the side of `face`
    mn_f3     face, normal;  ///< of the geometry and of shading, both on the side the ray came from
    mn_f3     color;         ///< reflectance
    mn_f3     tangent;       ///< of a curve
    float     along;         ///< of a curve, in radii
    float     wet;
    bool      darkens;
    mn_f3     absorbs;  ///< by pigments of a liquid, 1/cm
} mn_place_f;

/// Diffuse light to both sides, under a coat that mirrors.
typedef struct mn_lobes {
    mn_f3 reflect, transmit;  ///< shares, reflect + transmit <= 1
    float coat;               ///< share of the surface that has it, 0: none
    float index, roughness;   ///< of the coat
} mn_lobes;

/// What pigments of the thing that was hit absorb there, 1/cm; 0 if it has none.
mn_f3 mn_absorbs_at(const mn_hit *hit);
/// The place of a hit of a ray that goes in direction d.
mn_place_f mn_place_of(const mn_hit *hit, mn_f3 from, mn_f3 d);

/// A clear liquid.
typedef struct mn_clear {
    float index;
    mn_f3 absorption;  ///< 1/cm
} mn_clear;

/// How a ray goes on at the skin of a liquid: share mirrored, direction mirrored, direction bent (if share < 1).
typedef struct mn_skin {
    float share;
    mn_f3 mirrored, bent;
} mn_skin;
mn_skin mn_shade_liquid(const mn_clear *liquid, const mn_place_f *place, mn_f3 d);

/// A thin pane of glass: share mirrored by both its sides together, `bent` goes straight on.
mn_skin mn_shade_glass(const mn_place_f *place, mn_f3 d);

mn_lobes mn_shade_cloth(const mn_place_f *place);
mn_lobes mn_shade_solid(const mn_place_f *place);
mn_lobes mn_shade_paint(const mn_place_f *place);
/// Fibres: also tilts the place's normal by the plies twisted round each other.
mn_lobes mn_shade_curve(mn_place_f *place);

#endif
