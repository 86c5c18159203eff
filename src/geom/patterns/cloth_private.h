// SPDX-License-Identifier: MPL-2.0
// geom/patterns/cloth_private.h - the ways to mesh a flat sheet; for cloth*.c only. All lie in y = 0, normals along
// +y.
#ifndef MN_GEOM_PATTERNS_CLOTH_PRIVATE_H
#define MN_GEOM_PATTERNS_CLOTH_PRIVATE_H

#include "geom/patterns/builder.h"

/// A rectangle whose mesh lines follow its sides: rows along x.
void mn_cloth_rows(mn_pattern_builder *b, const mn_cloth_def *def);
/// A hexagon of equilateral triangles, or the disc it is bent into: rings around the middle. `turn` turns the mesh.
void mn_cloth_rings(mn_pattern_builder *b, const mn_cloth_def *def, double turn);
/// Any outline with mesh lines at any angle: a lattice inside, points along the outline, Delaunay triangles between.
void mn_cloth_fitted(mn_pattern_builder *b, const mn_cloth_def *def);

/// Distance of a point of the plane from the outline, positive inside.
double mn_cloth_depth(const mn_cloth_def *def, double x, double z);
/// Corners of the outline, anticlockwise in (x, z): 4, 6, or 0 for a disc.
int mn_cloth_corners(const mn_cloth_def *def, double corner[6][2]);

#endif
