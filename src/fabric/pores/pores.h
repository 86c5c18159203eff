// SPDX-License-Identifier: MPL-2.0
// fabric/pores/pores.h - what the pores of a fabric do to a liquid: suction, permeability, drag
// (wet-fabric 3.2, 4.3-4.5).
//
// Pure functions of numbers in CGS. "Along" is flow along fibres (alpha), "across" is flow across them (beta).
#ifndef MN_FABRIC_PORES_H
#define MN_FABRIC_PORES_H

#include "meniscus/world.h"

/// The four numbers of which any two give the others.
typedef struct mn_pore_geometry {
    double fiber_diameter;    ///< d, cm
    double capillary_radius;  ///< r_b, cm
    double thread_count;      ///< n_t, per inch of width
    double solid_fraction;    ///< phi_0
} mn_pore_geometry;

/// Complete the two that are not 0, for a sheet of this thickness (cm). Numbers that no fabric has are an error that
/// names `who`.
mn_status mn_pore_geometry_complete(mn_context *c, const char *who, double thickness, mn_pore_geometry *g);

/// Permeability over d^2, (E4.7) up to a solid fraction of 0.4, (E4.8) beyond; strictly falling down to a floor.
double mn_permeability_along(double phi);
double mn_permeability_across(double phi);

/// One fabric and one liquid.
typedef struct mn_pore_law {
    double      density, viscosity;  ///< of the liquid: g/cm^3, P
    double      fiber_diameter;      ///< cm
    double      meniscus;            ///< gamma cos(theta) / r_b, dyn/cm^2; 0 from 90 degrees on
    mn_drag_law law;
    double      exponent;         ///< c of (E4.9)
    bool        axes_published;   ///< across and along exchanged in the drag of faces (D7)
    bool        darcy_published;  ///< without the factor (1 - phi_i)^2 (D20)
} mn_pore_law;

mn_pore_law mn_pore_law_of(const mn_fabric_material *fabric, const mn_liquid_material *liquid);

/// p_alpha of (E4.5), dyn/cm^2; p_beta is half of it.
double mn_pore_suction(const mn_pore_law *law, double phi);

/// Drag coefficient C = linear + growth u^exponent, g/(cm^3 s), of (E4.9).
typedef struct mn_pore_drag {
    double linear, growth;
} mn_pore_drag;
mn_pore_drag mn_pore_drag_along(const mn_pore_law *law, double phi);
mn_pore_drag mn_pore_drag_across(const mn_pore_law *law, double phi);
double       mn_pore_drag_at(const mn_pore_law *law, mn_pore_drag drag, double speed);

#endif
