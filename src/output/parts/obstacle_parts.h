// SPDX-License-Identifier: MPL-2.0
// output/parts/obstacle_parts.h - all obstacles of a world in one mesh.
#ifndef MN_OUTPUT_PARTS_OBSTACLE_PARTS_H
#define MN_OUTPUT_PARTS_OBSTACLE_PARTS_H

#include "output/parts/parts.h"

/// Their surfaces are made once, at rest (geom/solid): triangles of meshes are their own, edges are sharp.
extern const mn_part_source mn_obstacle_source;

/// With `obstacle`, the number of the obstacle of each point, and `normals`. Points on sharp edges are there once for
/// each side.
mn_status mn_make_obstacles(void *state, mn_frame_part *out);

#endif
