// SPDX-License-Identifier: MPL-2.0
// geom/patterns/delaunay.h - Delaunay triangles of points in the plane, for sheets whose mesh lines do not follow the
// outline.
#ifndef MN_GEOM_PATTERNS_DELAUNAY_H
#define MN_GEOM_PATTERNS_DELAUNAY_H

#include "base/memory.h"

/// Triangles run anticlockwise. Corners from `points` on are the three of a large triangle around everything; who looks
/// at the triangles passes over those that have one.
typedef struct mn_delaunay {
    int64_t points, count;
    int32_t (*triangle)[3];
    int32_t (*across)[3];  ///< the triangle beyond the edge opposite to a corner, -1: none
} mn_delaunay;

/// Points must be in general position (no four on a circle, no three on a line of the hull) to within round-off, and
/// quick to walk to from one another in the order given.
mn_status mn_delaunay_make(mn_context *context, const double (*point)[2], int64_t count, mn_delaunay *out);
void      mn_delaunay_free(mn_context *context, mn_delaunay *d);
/// Turn the edge opposite to corner k of triangle t into the other diagonal of its two triangles.
void mn_delaunay_flip(mn_delaunay *d, int32_t t, int k);

#endif
