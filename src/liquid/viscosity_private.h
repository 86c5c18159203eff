// SPDX-License-Identifier: MPL-2.0
// liquid/viscosity_private.h - the matrix of the implicit viscosity on compact rows, its levels and its cycle.
//
// A row is eight cells of a tile that follow each other in x. Only rows where liquid is near take part: they are
// numbered in the order of the tiles and know the rows beside them, and row 0 is all zeros and stands for every other.
// A thread of honey fills a third of the rows of its tiles. A field of the velocity has dimension * 8 values a row:
// the low faces of the eight cells, component after component.
#ifndef MN_LIQUID_VISCOSITY_PRIVATE_H
#define MN_LIQUID_VISCOSITY_PRIVATE_H

#include "grid/rows.h"
#include "liquid/viscosity.h"

enum { MN_FACE_AIR, MN_FACE_LIQUID, MN_FACE_SOLID };

/// The rows beside a row that a stress reads.
enum {
    MN_ROW_X_LOW,
    MN_ROW_X_HIGH,
    MN_ROW_Y_LOW,
    MN_ROW_Y_HIGH,
    MN_ROW_Z_LOW,
    MN_ROW_Z_HIGH,
    MN_ROW_Y_HIGH_X_LOW,
    MN_ROW_Y_LOW_X_HIGH,
    MN_ROW_Z_HIGH_X_LOW,
    MN_ROW_Z_LOW_X_HIGH,
    MN_ROW_Y_LOW_Z_HIGH,
    MN_ROW_Y_HIGH_Z_LOW,
    MN_ROWS_NEAR
};

/// Rows of the finer level under a row: 3 in z, 3 in y, 3 in x, each from one below.
#define MN_ROW_CHILDREN     27
#define MN_VISCOSITY_LEVELS 16

/// Shear sample e lies on the edge between the axes first and second, at the low corner of its cell.
static const int mn_edge_first[3] = { 0, 0, 1 }, mn_edge_second[3] = { 1, 2, 2 };

typedef struct mn_viscosity_level {
    int      dimension;
    mn_tiles tiles;
    int32_t *index;  ///< number of each row of the tiles; 0: takes no part
    int32_t  count;  ///< rows including row 0
    int32_t *place;  ///< of each row: tile * rows of a tile + row of the tile
    int32_t (*near)[MN_ROWS_NEAR];
    // The matrix: mass + sum of the samples. Each sample adds c (difference)^2 / 2 to the energy.
    float   *mass;        ///< per face
    float   *cell;        ///< of the normal rates, one for all axes
    float   *edge[3][3];  ///< of the shear rates: first-first, first-second, second-second difference
    uint8_t *kind;        ///< MN_FACE_..., per face; after the set-up liquid faces are the unknowns
    float   *inverse;     ///< 1 / sum of |entries| of the face's line; 0 where there is no unknown
    // The cycle.
    float *x, *y, *step, *b;
    int32_t (*child)[MN_ROW_CHILDREN];  ///< in the finer level
    int32_t *parent;                    ///< in the coarser level
    uint8_t *half;                      ///< which half of the parent in x
} mn_viscosity_level;

typedef struct mn_viscosity_matrix {
    mn_liquid         *q;
    mn_solids          solids;
    bool               no_slip;  ///< some solid is; else no shear is felt at any wall
    double             k;        ///< h mu / (rho cell^2)
    int                levels;
    mn_viscosity_level level[MN_VISCOSITY_LEVELS];
    // For a rheology, which sets them before the weights are made; NULL: 1. Relative to the viscosity in k, per cell of
    // the grid.
    const double *cell_viscosity;  ///< of the normal stress: in the middle of the cell
    const double
        *edge_viscosity[3];  ///< of the shear stress: where sample e of the cell lies; on a jump the harmonic mean
} mn_viscosity_matrix;

/// Rows of a block of a parallel loop; sums are made per block.
#define MN_ROW_BLOCK 64

static inline int32_t mn_row_blocks(const mn_viscosity_level *l)
{
    return (l->count + MN_ROW_BLOCK - 1) / MN_ROW_BLOCK;
}
static inline int64_t mn_row_values(const mn_viscosity_level *l) { return (int64_t)l->count * l->dimension * MN_TILE; }
static inline int     mn_edges_of(const mn_viscosity_level *l) { return l->dimension == 3 ? 3 : 1; }
/// Where the values of component `a` of a row begin.
static inline size_t mn_row_face(const mn_viscosity_level *l, int32_t row, int a)
{
    return ((size_t)row * (size_t)l->dimension + (size_t)a) * MN_TILE;
}

/// Place of a row given by its distance from a row of the tiles (-1, 0, 1 along each axis, x in tiles); in tile 0 if
/// there is none.
int64_t mn_row_beside(const mn_tiles *t, int64_t place, int dx, int dy, int dz);
/// Number the rows that index marks with 1; places and neighbours.
mn_status mn_viscosity_number_rows(mn_viscosity_level *l, mn_arena *arena);
/// Memory of the matrix of a level: zero. Walls that hold on to the liquid need three coefficients an edge, else one.
mn_status mn_viscosity_take(mn_viscosity_level *l, bool three, mn_arena *arena);
/// Sums of |entries|, which faces are unknowns.
void mn_viscosity_finish_level(mn_viscosity_matrix *m, mn_viscosity_level *l);

/// Rows, weights and coefficients of level 0 from the level set, the open parts and the known faces
/// (viscosity_weights.c).
mn_status mn_viscosity_weights(mn_viscosity_matrix *m, mn_arena *arena);
/// The coarser levels (viscosity_levels.c).
mn_status mn_viscosity_levels(mn_viscosity_matrix *m, mn_arena *arena);
/// The sum of the residuals under each face of a coarse row, weighted as the velocity goes down.
void mn_viscosity_restrict(const mn_viscosity_level *fine, const mn_viscosity_level *coarse, int32_t row,
                           const float *from, float *to);

/// x of level 0 = M b of level 0, one V-cycle (viscosity_cycle.c).
void mn_viscosity_cycle(mn_viscosity_matrix *m);
/// y = A x on level 0 at the unknowns, 0 elsewhere; with `stress_only` without the mass. Unless `dot` is NULL,
/// dot[block] = x . y.
void mn_viscosity_apply(mn_viscosity_matrix *m, const double *x, double *y, bool stress_only, double *dot);

#endif
