// SPDX-License-Identifier: MPL-2.0
// stain/weave/weave.h - homogenisation of weaves: tensors of the plane, tiles as meshes on a torus, their upper bounds
// (stain 5.1).
#ifndef MN_STAIN_WEAVE_H
#define MN_STAIN_WEAVE_H

#include "base/memory.h"
#include "meniscus/weave.h"

#include <math.h>

/// What passes nothing is given this share of the largest eigenvalue of the tile: islands would make the matrix
/// singular.
#define MN_WEAVE_FLOOR 1e-8

static inline mn_tensor2 mn_tensor2_scale(double s, mn_tensor2 a)
{
    return (mn_tensor2){ s * a.xx, s * a.xy, s * a.yy };
}
static inline mn_tensor2 mn_tensor2_add(mn_tensor2 a, mn_tensor2 b)
{
    return (mn_tensor2){ a.xx + b.xx, a.xy + b.xy, a.yy + b.yy };
}
static inline double     mn_tensor2_det(mn_tensor2 a) { return a.xx * a.yy - a.xy * a.xy; }
static inline mn_tensor2 mn_tensor2_inverse(mn_tensor2 a)
{
    const double d = mn_tensor2_det(a);
    return (mn_tensor2){ a.yy / d, -a.xy / d, a.xx / d };
}
/// Q^T a^-1 Q with Q the turn by 90 degrees; in the plane this is a / det a.
static inline mn_tensor2 mn_tensor2_dual(mn_tensor2 a) { return mn_tensor2_scale(1.0 / mn_tensor2_det(a), a); }

/// Eigenvalues, the larger first, and the angle of its axis in (-pi/2, pi/2].
void mn_tensor2_principal(mn_tensor2 a, double value[2], double *angle);
/// Matrix geometric mean of two positive definite tensors.
mn_tensor2 mn_tensor2_mean(mn_tensor2 a, mn_tensor2 b);
/// Eigenvalues of b^-1 a, the larger first: between which shares of b the tensor a is, over all directions.
void mn_tensor2_ratio(mn_tensor2 a, mn_tensor2 b, double value[2]);

/// A periodic mesh with a symmetric matrix over its nodes (i, j), i < nx, j < ny, row by row, and its two loads.
typedef struct mn_torus {
    mn_context *context;
    int         nx, ny;
    bool        crossed;       ///< whether any diagonal of a square couples
    double     *east, *north;  ///< coupling of node (i, j) with (i+1, j) and (i, j+1); <= 0 in a good mesh
    double
        *cross;  ///< of the square above and right of it: (i, j) with (i+1, j+1) if i + j is even, else the other two
    double *diagonal;       ///< less the sum of the couplings
    double *pivot;          ///< of the incomplete factor, inverted
    double *load[2];        ///< for a unit slope along x and along y
    double  load_scale[2];  ///< norm of what was added up to make it
    double *f[2];           ///< the correctors
    int     iterations;     ///< of the last solve
    double  residual;       ///< its true residual, relative
} mn_torus;

mn_status mn_torus_create(mn_context *c, int nx, int ny, mn_torus *out);
void      mn_torus_destroy(mn_torus *t);
/// Diagonal and incomplete factor from the couplings.
void mn_torus_prepare(mn_torus *t);
/// Solve for both correctors, from what is in f. MN_ERR_SOLVE only if the residual stays above 1e-6; whatever it is,
/// the energy of a corrector is a bound.
mn_status mn_torus_solve(mn_torus *t);

/// The tensors of a tile's cells: given, or from the types and the table by the pair rule. No eigenvalue is below the
/// floor.
mn_status mn_weave_tensors(mn_context *c, const mn_weave_tile *tile, const mn_weave_def *def, mn_tensor2 *out);
/// The network of pair=network.
mn_status mn_weave_network(mn_context *c, const mn_weave_tile *tile, const mn_weave_def *def, mn_weave_result *out);

/// Height of a cell over its width.
static inline double mn_weave_aspect(const mn_weave_tile *tile) { return tile->aspect > 0.0 ? tile->aspect : 1.0; }
/// The tensor seen with y divided by a: cells of height a become squares, and bounds stay bounds.
static inline mn_tensor2 mn_tensor2_squeeze(mn_tensor2 s, double a)
{
    return (mn_tensor2){ s.xx, s.xy / a, s.yy / (a * a) };
}

/// What one mesh gave.
typedef struct mn_weave_bound {
    mn_tensor2 tensor;
    int        iterations;
    double     residual;
} mn_weave_bound;

/// P1 elements on cells of `pieces` x `pieces` squares (even), drawn together towards corners by `grading` >= 1 (1:
/// even). The tensor is an upper bound of the effective one. `t` keeps the correctors: it is made by the first call
/// (all zero before), refined when `pieces` is twice that of the call before, and freed by mn_torus_destroy.
mn_status mn_weave_upper(mn_context *c, const mn_tensor2 *cell, int columns, int rows, int pieces, double grading,
                         mn_torus *t, mn_weave_bound *out);

#endif
