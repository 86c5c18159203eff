// SPDX-License-Identifier: MPL-2.0
// stain/colour.h - what a stain looks like: pigments in, colour of the cloth out.
//
// Beer and Lambert, through the layer twice: light enters the cloth, is scattered back by the fibres, and passes the
// pigment both ways, so that a channel keeps 10^(-2 sum a m) of the cloth's own reflectance (a: absorbance for a mass
// per area, m: mass per area). Kubelka and Munk's theory would need a scattering coefficient of cloth and pigment that
// nobody states in a scene; for pigments that absorb and do not scatter, the two agree on faint stains and order all
// others alike.
//
// Wet cloth is darker since light that would leave it is reflected inward at the surface of the water and has further
// chances to be absorbed (Angstrom): reflectance R becomes R (1 - p) / (1 - p R), p the share that is reflected.
#ifndef MN_STAIN_COLOUR_H
#define MN_STAIN_COLOUR_H

#include "base/memory.h"
#include "draw/colour.h"

/// Absorbances are stated for 1 g/m^2: m^2/g times this is cm^2/g.
#define MN_COLOUR_SQUARE_METRES 1e4

#define MN_STAIN_MOST_PIGMENTS 16

typedef struct mn_stain_palette {
    mn_colour        cloth;  ///< reflectance of the clean, dry cloth, linear light, [0, 1]
    int              pigments;
    const mn_colour *absorbance;  ///< cm^2/g of each pigment, decadic, >= 0
} mn_stain_palette;

/// Range checks, with a sentence that names the pigment.
mn_status mn_stain_palette_check(mn_context *context, const mn_stain_palette *palette);

/// Linear light of a place that has `mass` (g/cm^2, one per pigment; below 0 counts as 0) and is wet to the share
/// `wetness` in [0, 1].
mn_colour mn_stain_colour(const mn_stain_palette *palette, const double *mass, double wetness);
/// The same for vertices: mass[p] is the array of pigment p; wetness may be NULL.
void mn_stain_colours(mn_context *context, const mn_stain_palette *palette, int64_t count, const double *const *mass,
                      const double *wetness, mn_colour *out);

#endif
