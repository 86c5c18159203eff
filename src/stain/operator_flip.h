// SPDX-License-Identifier: MPL-2.0
// stain/operator_flip.h - the triangulation on which conductances are measured, while its edges are flipped.
#ifndef MN_STAIN_OPERATOR_FLIP_H
#define MN_STAIN_OPERATOR_FLIP_H

#include "stain/operator.h"

typedef struct mn_stain_flipped {
    mn_context *context;
    int64_t     triangle_count;
    int32_t (*triangle)[3];
    int32_t (*across)[3];
    mn_stain_vec (*corner)[3];  ///< in a frame of the triangle's own
    mn_stain_tensor *tensor;    ///< in that frame
    mn_stain_tensor *metric;    ///< the one that decides on flips
    const int32_t   *patch;
    int64_t          flips;
} mn_stain_flipped;

/// Conductance that a triangle of a tensor gives its side k.
double mn_stain_side_conductance(const mn_stain_vec corner[3], mn_stain_tensor s, int k);

/// Flip edges until none inside a patch would conduct less than nothing by the metric tensors.
mn_status mn_stain_flip_edges(mn_stain_flipped *f);

#endif
