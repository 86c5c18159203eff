// SPDX-License-Identifier: MPL-2.0
// stain/advect.h - liquid carried along the cloth by its velocity: finite volumes that neither lose nor go below zero
// (stain 5.4).
#ifndef MN_STAIN_ADVECT_H
#define MN_STAIN_ADVECT_H

#include "stain/conjugate.h"
#include "stain/surface.h"

/// Flow of the velocity through the border between the cells of each edge, from end 0 to end 1, cm^2/s.
/// Differs from stain 5.4: the two triangles of an edge are joined before the upwind side is chosen, which spreads
/// less.
void mn_stain_edge_speeds(const mn_stain_surface *s, const mn_stain_vec *u, double *speed);

/// Sub-steps in which no vertex gives more than nine tenths of what it has; 0: a speed is not finite.
int mn_stain_advect_parts(const mn_stain_surface *s, const double *speed, double h, bool second_order);

/// Masses that go from end 0 to end 1 of each edge within one sub-step of dt. First order: upwind. Second order: slopes
/// limited by minmod, the mean of two stages.
mn_status mn_stain_advect_flows(const mn_stain_surface *s, const double *speed, double dt, bool second_order,
                                const double *mass, double *flow, mn_arena *arena);

#endif
