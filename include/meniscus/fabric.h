// SPDX-License-Identifier: MPL-2.0
// meniscus/fabric.h - cloth and yarn: their materials, pins, and what a fabric is made from.
#ifndef MENISCUS_FABRIC_H
#define MENISCUS_FABRIC_H

#include "meniscus/thin.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mn_drag_law { MN_DRAG_LINEAR, MN_DRAG_NONLINEAR, MN_DRAG_OFF } mn_drag_law;

/// Fibres packed into sheets or yarns (wet-fabric 3). Moduli are those of the dense material; what acts is phi^lambda
/// times as much. Values given as "effective" are what a laboratory measures on the fabric itself. Ranges:
/// docs/scene-format.md.
typedef struct mn_fabric_material {
    char   name[MN_NAME_BYTES];
    double thickness;           ///< cm, of cloth, > 0. Default 0.036.
    double radius;              ///< cm, of yarn, > 0. Default 0.048.
    double fiber_diameter;      ///< cm, > 0. Default 0.01.
    double solid_fraction;      ///< phi_0. Default 0.4.
    double density;             ///< g/cm^3, of the fibre, > 0. Default 1.32.
    double youngs_modulus;      ///< dyn/cm^2, along the warp; 0: 1.83e7 for cloth, 6.6e7 for yarn.
    double youngs_weft;         ///< dyn/cm^2, along the weft; 0: as along the warp.
    double shear_modulus;       ///< dyn/cm^2; 0: E / 2(1 + nu).
    double poisson;             ///< [0, 0.49]; < 0: 0.202 for cloth, 0.35 for yarn. Default -1.
    double bending_warp;        ///< dyn cm, effective rigidity per width of bending along the warp; 0: from modulus and
                                ///< thickness.
    double bending_weft;        ///< dyn cm, along the weft; 0: as along the warp.
    double internal_viscosity;  ///< P, >= 0; < 0: 2.78e4 for cloth, 1e3 for yarn. Default -1.
    double stiffness_exponent;  ///< lambda, [1, 3]. Default 2.
    double contact_stiffness;   ///< m_c, share of the modulus that contact has, > 0; 0: 0.04 for cloth, 0.01 for yarn.
    double friction;            ///< coefficient, tan of the friction angle, >= 0. Default 0.577.
    double air_drag;            ///< coefficient of the pressure drag of wind, >= 0. Default 1.2.
    double air_friction;        ///< coefficient of the drag along the surface, >= 0. Default 0.02.
    // what its pores do to a liquid
    double
        capillary_radius;  ///< cm, r_b of the pores, >= 0; 0: from fibre diameter and solid fraction (wet-fabric 3.2).
    double contact_angle;  ///< rad, of the liquid on the fibres, [0, pi]. Default 40.8 degrees. Above 90 degrees
                           ///< nothing is sucked in.
    mn_drag_law drag_law;  ///< Default nonlinear.
    double      drag_exponent;  ///< c of wet-fabric (E4.9), [1, 2]. Default 1.6.
    bool drag_axes_published;   ///< drag axes as printed in the sources, for comparison (wet-fabric D7). Default false.
    bool darcy_published;  ///< drag of a face without the factor that makes it Darcy's law (wet-fabric D20). Default
                           ///< false.
    double capture;        ///< factor of the rate at which liquid enters, >= 0. Default 1.
    double compression;    ///< k_w, constant of van Wyk's law of compression, > 0. Default 0.01.
    bool   vary_porosity;  ///< pores follow compression and stretch. Default true.
    double cohesion;       ///< scale of the pull between wet layers, >= 0. Default 0.01.
} mn_fabric_material;

MN_API mn_fabric_material mn_fabric_material_default(void);

typedef enum mn_pin_kind {
    MN_PIN_HARD,  ///< the vertex is where the motion puts it
    MN_PIN_SOFT   ///< a spring of `stiffness` holds it there
} mn_pin_kind;

/// Vertices that are held. The motion is applied to their place at the start.
typedef struct mn_pin_def {
    char          group[MN_NAME_BYTES];
    mn_pin_kind   kind;       ///< Default hard.
    double        stiffness;  ///< dyn/cm of a soft pin, per vertex, > 0.
    bool          twist;      ///< also hold the twist of the yarn segments at these vertices. Default true.
    mn_motion_def motion;     ///< default: stands still
    double        during[2];  ///< s, when it holds. Default always.
} mn_pin_def;

MN_API mn_pin_def mn_pin_def_default(void);

/// Where the twist of yarn lives (wet-fabric 5.6).
typedef enum mn_yarn_twist {
    MN_TWIST_ROD,  ///< every segment turns with an inertia of its own
    MN_TWIST_GRID  ///< segments turn with the grid, and their torques act on it: angular momentum closes, steps are
                   ///< shorter
} mn_yarn_twist;

typedef struct mn_fabric_def {
    char                name[MN_NAME_BYTES];
    mn_fabric_material  material;
    const mn_thin_mesh *mesh;                   ///< copied
    double              axis[3], angle, at[3];  ///< placement: turned (rad) about the origin, then moved (cm)
    double              velocity[3];            ///< cm/s at the start
    double              spin[3];                ///< rad/s about `at`, added to it
    double straighten;  ///< share of the rest curvature that is taken out of strands and folds, [0, 1]. Default 0.
    double damping;     ///< 1/s, >= 0, of all velocities. Default 0.
    const double *saturation;  ///< per vertex, share of the pores that is full at the start, [0, 1]; NULL: dry. Copied.
    const double *solid_fraction;  ///< per vertex, instead of that of the material; NULL: that. Copied.
    double        evaporation;     ///< cm^3/(cm^2 s) from a saturated surface, >= 0. Default 0.
    double colour[3];  ///< linear red, green and blue of the clean, dry fabric, for pictures of pigment on it. Default
                       ///< 0.9.
    mn_yarn_twist     twist;  ///< of strands. Default rod.
    const mn_pin_def *pins;   ///< copied
    int               pin_count;
    uint32_t          cookie;
} mn_fabric_def;

MN_API mn_fabric_def mn_fabric_def_default(void);

#ifdef __cplusplus
}
#endif
#endif
