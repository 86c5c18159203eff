// SPDX-License-Identifier: MPL-2.0
// liquid/project.h - parts of the projection that the density correction and the mixture with fabric use as well.
#ifndef MN_LIQUID_PROJECT_H
#define MN_LIQUID_PROJECT_H

#include "liquid/liquid.h"

/// Hand the matrix coefficients as they stand to the multigrid solver.
mn_status mn_liquid_hand_over(mn_liquid *q, mn_arena *arena);
/// field (+)= scale * (b / omega) (p_high - p_low) on the faces of tiles [begin, end).
void mn_liquid_face_gradient(const mn_liquid *q, int64_t begin, int64_t end, const double *p, double scale,
                             double *const field[3], bool add);
/// Mark the faces with a liquid cell on one side at least as known.
void mn_liquid_known_faces(mn_liquid *q, int64_t begin, int64_t end);

/// One projection, in parts. Where something else shares the faces with the liquid, what stands in the velocities of
/// the faces is the flux of both over the open part, and the coefficients say how it answers the pressure.
typedef struct mn_projection {
    mn_liquid *q;
    double     dt;
    double    *rhs;
    double    *target;           ///< cell * divergence asked for, cm/s; NULL: none
    double    *worst, *squares;  ///< per tile, of the divergence left
    mn_solids  solids;           ///< whose walls bend or turn; NULL: none does
} mn_projection;

/// Right-hand side of the velocities as they stand; arrays are from the arena, the pressure of the grid starts at 0.
mn_status mn_liquid_projection_begin(mn_liquid *q, const mn_step *step, mn_projection *out);
/// The right-hand side again, in arrays at hand.
void mn_liquid_projection_rhs(mn_projection *p);
/// Solve with the coefficients as they stand, and let the pressure act on the velocities; sets known.
mn_status mn_liquid_projection_solve(mn_projection *p, mn_arena *arena, mn_solve_report *report);
/// Largest divergence of the velocities as they stand beside the one asked for, 1/s; its norm times cell, cm/s (may be
/// NULL).
double mn_liquid_projection_divergence(mn_projection *p, double *norm);

// The projection before the viscosity (project_first.c)

/// Whether a step of this length has one.
bool mn_liquid_projects_first(const mn_liquid *q, const mn_step *step);
/// Take the divergence out of the known faces; the pressure goes to first_pressure, which has room for it. `known`
/// stays.
mn_status mn_liquid_project_first(mn_liquid *q, mn_arena *arena, double dt, mn_solve_report *report);
/// Add that pressure, if there is one, to that of the projection behind the viscosity.
void mn_liquid_add_first_pressure(mn_liquid *q);

#endif
