// SPDX-License-Identifier: MPL-2.0
// liquid/viscosity_private.h - the matrix of the implicit viscosity, between its set-up and its solver.
#ifndef MN_LIQUID_VISCOSITY_PRIVATE_H
#define MN_LIQUID_VISCOSITY_PRIVATE_H

#include "liquid/viscosity.h"

enum { MN_FACE_AIR, MN_FACE_LIQUID, MN_FACE_SOLID };

/// The matrix m + k D^T w D. Every array has one value per cell of the grid.
typedef struct mn_viscosity_matrix {
    mn_liquid      *q;
    const mn_solid *solids;
    int             solid_count;
    bool            no_slip;                 ///< some solid is
    double          k;                       ///< h mu / (rho cell^2)
    uint8_t        *kind[3];                 ///< MN_FACE_...
    float          *mass[3];                 ///< m
    float          *cell_weight;             ///< w of the normal rates
    float          *edge_weight[3];          ///< w of the shear rates
    float          *edge_scale[3][2];        ///< cell / distance, for the two differences of a shear rate
    double         *normal[3], *shear[3];    ///< k * stress of the samples
    double         *diagonal[3];
    double         *part;                    ///< liquid part of each cell; only during the set-up
    uint8_t        *busy;                    ///< per tile: some sample or face takes part
    int32_t        *list;                    ///< the busy tiles
    int32_t         list_count;
} mn_viscosity_matrix;

/// Faces, weights and diagonal from the level set, the open parts and the known faces; faces of solids take their
/// velocity. `part` is lent: its room is free afterwards.
mn_status mn_viscosity_setup(mn_viscosity_matrix *m, mn_arena *arena, double *part);
/// ax = A x on the liquid faces of busy tiles, 0 on their other faces; dot[tile] = x . ax. Other tiles are not touched.
void mn_viscosity_apply(mn_viscosity_matrix *m, double *const x[3], double *const ax[3], double *dot);

#endif
