// SPDX-License-Identifier: MPL-2.0
// geom/patterns/clearance.h - how near the centre lines of strands come to one another.
#ifndef MN_GEOM_PATTERNS_CLEARANCE_H
#define MN_GEOM_PATTERNS_CLEARANCE_H

#include "math/vec.h"
#include "meniscus/thin.h"

/// Least distance between the segments a0 a1 and b0 b1.
double mn_segment_distance(mn_vec3 a0, mn_vec3 a1, mn_vec3 b0, mn_vec3 b1);

/// Least distance between segments of different strands, and of one strand if more than `apart` (cm) of it lies between
/// them; `most` if none is nearer than that. Compares all pairs: for tests and small samples.
double mn_strand_clearance(const mn_thin_mesh *mesh, double apart, double most);

#endif
