// SPDX-License-Identifier: MPL-2.0
// liquid/project.h - parts of the projection that the density correction uses as well.
#ifndef MN_LIQUID_PROJECT_H
#define MN_LIQUID_PROJECT_H

#include "liquid/liquid.h"

/// Make the matrix coefficients of the present level set and liquid cells, and hand them to the multigrid solver.
mn_status mn_liquid_matrix(mn_liquid *q, mn_arena *arena);
/// field (+)= scale * (b / omega) (p_high - p_low) on the faces of tiles [begin, end).
void mn_liquid_face_gradient(const mn_liquid *q, int64_t begin, int64_t end, const double *p, double scale, double *const field[3], bool add);
/// Mark the faces with a liquid cell on one side at least as known.
void mn_liquid_known_faces(mn_liquid *q, int64_t begin, int64_t end);

#endif
