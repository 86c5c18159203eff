// SPDX-License-Identifier: MPL-2.0
// verify/liquid/tube.h - a bent tube of water: a duct that fabric seals, and a pool beside it, joined below the wall
// between them.
//
// Both sides of the fabric are full, so that the head over it is what a ruler would read: the level in the duct less
// that of the pool. The fabric reaches into the walls; hard pins hold it there.
#ifndef MN_VERIFY_TUBE_H
#define MN_VERIFY_TUBE_H

#include "world/world.h"

#define MN_TUBE_DUCT  4    ///< cells, width and depth of the duct
#define MN_TUBE_POOL  8    ///< cells, width of the pool
#define MN_TUBE_WALL  4    ///< cells between them
#define MN_TUBE_REACH 2    ///< cells of fabric in each wall
#define MN_TUBE_GAP   1.0  ///< cm, height of the way below the wall
#define MN_TUBE_SHEET 1.6  ///< cm, height of the fabric at the start
#define MN_TUBE_LEVEL 2.0  ///< cm, of the pool at the start

typedef struct mn_tube {
    double             cell;
    double             head;  ///< cm, at the start
    double             push;  ///< cm/s, upwards, of the fabric
    mn_fabric_material material;
} mn_tube;

/// Width of what seals the duct, cm.
static inline double mn_tube_width(const mn_tube *t) { return (MN_TUBE_DUCT + 2 * MN_TUBE_REACH) * t->cell; }

/// A flat sheet of that width; freed by the caller.
mn_status mn_tube_sheet(mn_context *c, const mn_tube *t, mn_thin_mesh *out);
/// The world with a mesh about the origin as its seal. The world must be destroyed also after a failure.
mn_status mn_tube_make(mn_context *c, const mn_tube *t, const mn_thin_mesh *mesh, mn_world **out);

#endif
