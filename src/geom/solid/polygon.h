// SPDX-License-Identifier: MPL-2.0
// geom/solid/polygon.h - polygons with holes into triangles.
#ifndef MN_GEOM_SOLID_POLYGON_H
#define MN_GEOM_SOLID_POLYGON_H

#include "base/memory.h"

/// Loops of points in the plane, one after the other: loop k is [first[k], first[k + 1]), of 3 points or more. Those
/// that run anticlockwise are filled, those that run clockwise are holes in them. Triangles are of points by number.
/// Their rim is exactly the loops, also where rounding has folded these: then triangles overlap or lie the wrong way
/// round. Free `triangle`.
mn_status mn_polygon_fill(mn_context *c, const double (*point)[2], const int32_t *first, int32_t loops,
                          int32_t (**triangle)[3], int64_t *count);

#endif
