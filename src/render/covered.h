// SPDX-License-Identifier: MPL-2.0
// render/covered.h - cloth that is shown as stained cloth is not shown twice.
#ifndef MN_RENDER_COVERED_H
#define MN_RENDER_COVERED_H

#include "render/thing.h"

/// Take away the triangles of a thing whose three corners are all points of `cover`: the same cloth, with its stains.
mn_status mn_thing_uncover(mn_context *context, mn_thing *thing, const mn_frame_part *cover);

#endif
