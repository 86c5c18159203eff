// SPDX-License-Identifier: MPL-2.0
// stain/operator.h - anisotropic diffusion on a cloth as conductances between pairs of vertices (stain 5.5).
//
// K_ij = sum over triangles of A grad phi_i . S grad phi_j, kept as conductance -K_ij per pair: rows sum to 0 by form.
// In the metric S^-1 a triangulation that is not Delaunay has pairs of negative conductance, which would make negative
// densities. Edges are therefore flipped, intrinsically, until there is none but at rims and seams; vertices and their
// areas stay as they are.
#ifndef MN_STAIN_OPERATOR_H
#define MN_STAIN_OPERATOR_H

#include "base/arena.h"
#include "stain/surface.h"

/// Symmetric 2 x 2 tensor in the frame of a triangle, cm^2/s.
typedef struct mn_stain_tensor {
    double xx, xy, yy;
} mn_stain_tensor;

/// The tensor whose own first axis is at `angle` (rad) from the first axis of the triangle.
mn_stain_tensor mn_stain_tensor_at(mn_stain_tensor own, double angle);

/// Flips in the full metric S^-1 leave no negative conductance, and edges so long that a stain of a few cells is lost
/// between them: at ratio 1e4 the error of a blob of 3 cells is ten times that with a ratio of 4 and the limiter
/// (docs/models/stain.md 5.5).
#define MN_STAIN_FLIP_RATIO 4.0

typedef struct mn_stain_operator_def {
    const mn_stain_tensor *tensor;      ///< per triangle, positive semi-definite
    const int32_t         *patch;       ///< per triangle: edges between different ones are not flipped; NULL: one patch
    double                 flip_ratio;  ///< flips see no larger ratio of eigenvalues than this; 0: MN_STAIN_FLIP_RATIO
    bool                   keep_edges;  ///< no flips: links are the edges of the cloth, in their order
} mn_stain_operator_def;

typedef struct mn_stain_operator {
    mn_context    *context;
    mn_stain_links links;
    double        *conductance;  ///< -K_ij of each link, cm^2/s
    double        *low;  ///< the same, where it is above 0: the monotone part. `conductance` itself if none is negative
    int64_t        negative;  ///< links of negative conductance
    int64_t        flips;
} mn_stain_operator;

/// Refused: a tensor that is not finite or not positive semi-definite.
mn_status mn_stain_operator_create(const mn_stain_surface *s, const mn_stain_operator_def *def,
                                   mn_stain_operator **out);
void      mn_stain_operator_destroy(mn_stain_operator **op);

/// Largest of h sum_j max(-K_ij, 0) / A_i: how many steps an explicit method would need.
double mn_stain_operator_stiffness(const mn_stain_operator *op, const double *area, double h);

#endif
