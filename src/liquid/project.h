// SPDX-License-Identifier: MPL-2.0
// liquid/project.h - parts of the projection that the density correction and the mixture with fabric use as well.
#ifndef MN_LIQUID_PROJECT_H
#define MN_LIQUID_PROJECT_H

#include "liquid/liquid.h"

/// Hand the matrix coefficients as they stand to the multigrid solver, for these unknowns (1 a cell); with the terms of
/// other matter, or none (NULL).
mn_status mn_liquid_hand_over(mn_liquid *q, mn_arena *arena, const uint8_t *unknown, const mn_pressure_terms *terms);
/// Solve with that matrix and the terms of the step, whose owners are told their impulses. The jumps act in the first
/// projection of a step. x may be rhs.
mn_status mn_liquid_solve(mn_liquid *q, double *rhs, double *x, bool jumps, mn_solve_report *report);
/// field += (b / omega) jump on the faces with a jump: what the gradient of a pressure with jumps has less.
void mn_liquid_jump_faces(const mn_liquid *q, double *const field[3]);
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
    mn_solids  all;              ///< of the step
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

// Liquid that lets go of walls (separate.c)

/// This step's projection may let go of walls: room for the cells that do.
mn_status mn_liquid_may_separate(mn_liquid *q, mn_arena *arena);
/// From the pressure of walls that hold to that of walls that do not pull where air can come in. The matrix handed over
/// is no longer that of all liquid cells then.
mn_status mn_liquid_separate(mn_projection *p, mn_arena *arena, mn_solve_report *report);

// The projection before the viscosity (project_first.c)

/// Whether a step of this length has one.
bool mn_liquid_projects_first(const mn_liquid *q, const mn_step *step);
/// Take the divergence out of the known faces; the pressure goes to first_pressure, which has room for it. `known`
/// stays.
mn_status mn_liquid_project_first(mn_liquid *q, mn_arena *arena, double dt, mn_solve_report *report);
/// Add that pressure, if there is one, to that of the projection behind the viscosity.
void mn_liquid_add_first_pressure(mn_liquid *q);

#endif
