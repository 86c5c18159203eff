// SPDX-License-Identifier: MPL-2.0
// liquid/viscosity_private.h - the matrix of the implicit viscosity, between its set-up and its solver.
#ifndef MN_LIQUID_VISCOSITY_PRIVATE_H
#define MN_LIQUID_VISCOSITY_PRIVATE_H

#include "grid/rows.h"
#include "liquid/viscosity.h"

enum { MN_FACE_AIR, MN_FACE_LIQUID, MN_FACE_SOLID };

/// The matrix m + k D^T w D. Every array has one value per cell of the grid.
typedef struct mn_viscosity_matrix {
    mn_liquid      *q;
    const mn_solid *solids;
    int             solid_count;
    bool            no_slip;                 ///< some solid is; else no shear is felt at any wall
    double          k;                       ///< h mu / (rho cell^2)
    uint8_t        *kind[3];                 ///< MN_FACE_...
    float          *mass[3];                 ///< m
    float          *cell_weight;             ///< w of the normal rates
    float          *edge_weight[3];          ///< w of the shear rates
    float          *edge_scale[3][2];        ///< cell / distance, for the two differences of a shear rate; NULL: all 1
    double         *shear[3];                ///< k * stress of the shear samples
    float          *diagonal[3];             ///< for scaling only
    double         *part;                    ///< liquid part of each cell; only during the set-up
    uint8_t        *busy;                    ///< per tile: some sample or face takes part
    int32_t        *list;                    ///< the busy tiles
    int32_t         list_count;
} mn_viscosity_matrix;

/// Faces, weights and diagonal from the level set, the open parts and the known faces; faces of solids take their
/// velocity. `part` is lent: its room is free afterwards.
mn_status mn_viscosity_setup(mn_viscosity_matrix *m, mn_arena *arena, double *part);
/// The shear stresses of x and, unless `dot` is NULL, dot[tile] = x . A x. In busy tiles; others are not touched.
void mn_viscosity_apply(mn_viscosity_matrix *m, double *const x[3], double *dot);
/// A x on the faces of one axis in a row of a busy tile, after mn_viscosity_apply; 0 on faces that are not liquid. Made
/// anew where it is wanted: it costs less than three more fields over the grid.
void mn_viscosity_row(const mn_viscosity_matrix *m, const mn_row_places *row, int axis, const double *x, double out[MN_TILE]);

#endif
