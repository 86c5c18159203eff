// SPDX-License-Identifier: MPL-2.0
// couple/mixture.h - liquid and fabric where they share the faces of the grid (wet-fabric 5.7-5.10, mixture-solve).
//
// Fabric numbers the faces it sees (grid/point_faces.h); everything here is an array over those. A face without fabric
// has no number and is the liquid's own business: coefficient open / theta, velocity as the liquid gathered it.
//
// The unknown of the pressure is that of the bulk, p^ = h p / (rho cell) in cm/s. With v the volume of a cell, the rows
// of mixture-solve (M1) then read, per face, h V G p = rho V (p^_high - p^_low), and per cell, divided by h cell^2,
//     sum over faces of +- (V_s u_s + V_f u_f) / v = target.
#ifndef MN_COUPLE_MIXTURE_H
#define MN_COUPLE_MIXTURE_H

#include "fabric/operator.h"
#include "liquid/liquid.h"

typedef struct mn_mixture {
    mn_liquid *liquid;
    mn_fabric *fabric;
    double     dt;
    bool       meets;       ///< some face has liquid; else nothing of what follows is made, and each goes its own way
    int32_t    count;       ///< faces that fabric sees; of axis a: those of fabric->step.faces.axis_start
    int64_t   *place;       ///< of the face in the fields of the liquid; 0: the liquid has no such face
    int64_t   *home;        ///< of the face in the fabric's own tiles
    double *solid_volume;   ///< V_s, cm^3, fibre and held liquid, capped and times the open fraction (mixture-solve 1)
    double *liquid_volume;  ///< V_f, cm^3: the rest of the open face if it borders a liquid cell, else 0
    double *fabric_volume;  ///< V_c, cm^3, bulk volume of the fabric at the face
    double *liquid_mass;    ///< M_f, g: theta rho V_f beside a liquid cell, else that of the particles
    double *fill;    ///< share of the room left by the fabric that is full, (0, 1]: theta beside a liquid cell, else by
                     ///< particles
    double *normal;  ///< N_aa: mean of n_a^2 over the fabric at the face
    double *drag_linear;  ///< (C V_c) at rest, g/s: sum over the fabric of linear drag times bulk volume along the axis
    double *drag_growth;  ///< the same of what grows with speed^exponent
    double *exponent;     ///< mean exponent of the fabric at the face
    double *superficial;  ///< 1 - phi_i: factor of the speed in the drag law; its square multiplies the drag (D20)
    double *drag;         ///< c, g: impulse per relative velocity over the step, times open fraction
    double *liquid_impulse;  ///< r_f, g cm/s: M_f times the velocity after gravity and viscosity, and suction
    double *solid_suction;   ///< impulse of the suction on the fabric, g cm/s: the opposite of the liquid's
} mn_mixture;
// M_s is fabric->step.mass; r_s is fabric->step.momentum + solid_suction + the load of mn_fabric_operator_load.

typedef struct mn_mixture_report {
    mn_solve_report pressure, solid;
    int             products, cycles;  ///< with the solid operator, and V-cycles
    double          divergence;        ///< largest one left in a liquid cell, 1/s
    double          divergence_share;  ///< norm of what is left over that before
    double          mismatch;          ///< of the drag impulse used against the law at the final velocity, as a share
    bool            coupled;
} mn_mixture_report;

/// Tell the liquid how much room the fabric takes in the cells, as both stand now. After mn_fabric_activate and before
/// mn_liquid_activate, and again once both have moved.
mn_status mn_mixture_room(mn_liquid *liquid, mn_fabric *fabric, const mn_step *step);

/// Everything of mn_mixture from what activate, forces and gather left in both scratches. Arrays come from the arena.
mn_status mn_mixture_faces(mn_liquid *liquid, mn_fabric *fabric, const mn_step *step, mn_mixture *out);

/// Solve for fabric velocity (fabric->step.velocity), liquid velocity (on the faces of the liquid, with known set) and
/// pressure (liquid->grid.pressure); touches of solids included. Which of the two ways is taken follows
/// model.solver.mixture.
mn_status mn_mixture_solve(mn_mixture *m, const mn_step *step, mn_mixture_report *report);
/// After the solve: fabric->step.pressure, dyn/cm^2 at the vertices, 0 away from the liquid.
mn_status mn_mixture_pressure(mn_mixture *m, const mn_step *step);

/// One system in fabric velocity and pressure (mixture-solve 2-7).
mn_status mn_mixture_solve_coupled(mn_mixture *m, const mn_step *step, mn_mixture_report *report);
/// Pressure with explicit elasticity, then the fabric, then the liquid (wet-fabric 5.8-5.10).
mn_status mn_mixture_solve_split(mn_mixture *m, const mn_step *step, mn_mixture_report *report);

/// Velocity of the fabric on the faces that liquid has not reached, from its vertices as they move now: before the
/// liquid is scattered, after the fabric was. The solved velocity of such faces is that of a mass that vanishes, and
/// says nothing.
mn_status mn_mixture_lead(mn_mixture *m, const mn_step *step);

#endif
