// SPDX-License-Identifier: MPL-2.0
// render/normals.h - smooth normals of triangle meshes.
#ifndef MN_RENDER_NORMALS_H
#define MN_RENDER_NORMALS_H

#include "base/memory.h"
#include "math/vec3f.h"

/// Per point: the mean of the triangles around it, by their area.
void mn_normals_smooth(int64_t points, const float (*point)[4], int64_t triangles, const uint32_t *index,
                       mn_f3 *normal);
/// Per corner: the mean of those triangles around its point that are turned by less than `angle` (rad) from its own, so
/// that edges of a box stay sharp.
mn_status mn_normals_creased(mn_context *context, int64_t points, const float (*point)[4], int64_t triangles,
                             const uint32_t *index, float angle, mn_f3 *normal);

#endif
