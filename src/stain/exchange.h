// SPDX-License-Identifier: MPL-2.0
// stain/exchange.h - what happens at a vertex: liquid is absorbed and dries, pigment sticks, is left behind and
// dissolves again (stain 5.7).
#ifndef MN_STAIN_EXCHANGE_H
#define MN_STAIN_EXCHANGE_H

#include "stain/solute.h"

typedef struct mn_stain_exchange_def {
    double absorb_rate;  ///< K_p, 1/s. Default 0.05.
    double hold;         ///< sigma_sat, g/cm^2. Default 0.2; a shirt holds 0.015.
    double evaporation;  ///< K_evap, g/(cm^2 s). Default 1e-3.
    double rim_factor;   ///< a_evap, of the wet rim. Default 1.2.
    double dry, wet;     ///< sigma_dry and sigma_wet, g/cm^2. Default 1e-10 and 1e-4.
} mn_stain_exchange_def;

mn_stain_exchange_def mn_stain_exchange_def_default(void);

/// The liquid of the vertices: masses (g), changed here. Without `held` nothing is absorbed: wet fabric holds its
/// liquid itself.
typedef struct mn_stain_liquid {
    const mn_stain_surface *surface;
    double                 *free, *held;
    const double *dries;  ///< factor on the evaporation of each vertex, instead of the rim factor; below 0: the rim
                          ///< factor. Or NULL: everywhere.
} mn_stain_liquid;

/// Exchange for h. `evaporated` (per vertex, g) receives what went into the air.
mn_status mn_stain_exchange(const mn_stain_liquid *liquid, mn_stain_solute *q, const mn_stain_pigment *pigment,
                            const mn_stain_exchange_def *def, double h, double *evaporated);

/// Density adsorbed after h when `total` (dissolved and adsorbed, g/cm^2) stays: the closed form of Langmuir's law in a
/// closed cell. Differs from stain 5.7, which freezes c: with rates above 1/h that takes all at one step and returns it
/// at the next.
double mn_stain_langmuir(const mn_stain_pigment *p, double adsorbed, double total, double h);

#endif
