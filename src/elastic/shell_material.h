// SPDX-License-Identifier: MPL-2.0
// elastic/shell_material.h - what a thin sheet is made of, and what follows from the numbers a textile laboratory
// gives.
#ifndef MN_ELASTIC_SHELL_MATERIAL_H
#define MN_ELASTIC_SHELL_MATERIAL_H

#include "base/context.h"

/// How a sheet measures that it is bent (wet-fabric 5.1).
typedef enum mn_bend {
    MN_BEND_MID_EDGE,  ///< shape operator with mid-edge normals, (E5.2): the same rigidity on every mesh
    MN_BEND_HINGE      ///< one angle per edge, as published: anisotropic by the mesh, for comparison
} mn_bend;

/// What stands for the angle between two triangles.
typedef enum mn_bend_measure {
    MN_BEND_ANGLE,
    MN_BEND_TAN  ///< 2 tan(angle / 2), which resists a fold to 180 degrees
} mn_bend_measure;

/// A sheet. Moduli are those of the dense material; a caller's factor per triangle (phi^lambda) multiplies everything.
/// Warp and weft are the two material directions; an isotropic sheet has the same numbers in both.
typedef struct mn_shell_material {
    double thickness;   ///< cm, > 0: 2 r_c
    double young_warp;  ///< dyn/cm^2, > 0: modulus of a strip cut along the warp
    double young_weft;  ///< dyn/cm^2, > 0
    double poisson;     ///< geometric mean of the two ratios, in (-1, 1)
    double shear;  ///< dyn/cm^2, in the plane; 0: sqrt(E_warp E_weft) / (2 (1 + poisson)), isotropic if both are equal
    double bend_warp;   ///< dyn cm, rigidity of a strip cut along the warp, per width; 0: E_warp thickness^3 / 12
    double bend_weft;   ///< dyn cm; 0: E_weft thickness^3 / 12
    double bend_twist;  ///< dyn cm, moment over twice the twist; 0: (1 - poisson)/2 of the mean rigidity, isotropic if
                        ///< equal
    double          bend_factor;  ///< b_m, multiplies all rigidities
    double          viscosity;    ///< eta_s, P, internal
    mn_bend         bend;
    mn_bend_measure measure;
} mn_shell_material;

/// The cloth of wet-fabric 3.1.
mn_shell_material mn_shell_material_default(void);
mn_status         mn_shell_material_check(mn_context *c, const mn_shell_material *m);
bool              mn_shell_material_is_isotropic(const mn_shell_material *m);

/// Stiffness of the membrane against (e_uu, e_vv, 2 e_uv) and of bending against (k_uu, k_vv, 2 k_uv), u along the
/// warp; both symmetric, row by row. dyn/cm and dyn cm.
void mn_shell_membrane_stiffness(const mn_shell_material *m, double k[9]);
void mn_shell_bending_stiffness(const mn_shell_material *m, double c[9]);
/// 3 eta / E (s): energies copied with E -> 3 eta / h are the elastic ones times this over h (wet-fabric 5.1,
/// dissipation). E is the geometric mean of warp and weft.
double mn_shell_viscous_time(const mn_shell_material *m);

/// Shear modulus of a sheet whose strips at 45 degrees have Young's modulus `bias`. MN_ERR_ARGUMENT if none gives it.
mn_status mn_shell_shear_from_bias(mn_context *c, double young_warp, double young_weft, double poisson, double bias,
                                   double *shear);

/// From areal weight (g/cm^2) and thickness (cm): bulk density (g/cm^3), and the part of the volume that is fibre.
double    mn_textile_density(double areal_weight, double thickness);
mn_status mn_textile_solid_fraction(mn_context *c, double areal_weight, double thickness, double fiber_density,
                                    double *fraction);
/// Peirce: rigidity of a strip per width (dyn cm) from its bending length (cm): areal_weight * gravity * length^3.
double mn_textile_rigidity(double areal_weight, double gravity, double bending_length);

#endif
