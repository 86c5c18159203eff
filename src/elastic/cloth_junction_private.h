// SPDX-License-Identifier: MPL-2.0
// elastic/cloth_junction_private.h - one junction in a pose; shared by what builds and what evaluates junctions.
#ifndef MN_ELASTIC_CLOTH_JUNCTION_PRIVATE_H
#define MN_ELASTIC_CLOTH_JUNCTION_PRIVATE_H

#include "elastic/cloth_junction.h"

typedef struct mn_cloth_junction_pose {
    mn_vec3 axis[3];               ///< m1, m2, n
    mn_vec3 segment;               ///< e, unit
    double  length, area, across;  ///< as in mn_cloth_junction
    double  lift;                  ///< part of the fixed edge along n
    mn_vec3 p;                     ///< e in the frame
} mn_cloth_junction_pose;

/// `x` begins with vertex `shift` of the caller's numbers. False if a size is not above `least` times that of rest; the
/// pose is then not to be used.
bool mn_cloth_junction_pose_at(const mn_cloth_junctions *set, const mn_cloth_junction *j, const mn_vec3 *x,
                               int64_t shift, double least, mn_cloth_junction_pose *out);

#endif
