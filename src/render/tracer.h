// SPDX-License-Identifier: MPL-2.0
// render/tracer.h - what a ray meets. The only door to Embree; a build without it says so here.
#ifndef MN_RENDER_TRACER_H
#define MN_RENDER_TRACER_H

#include "render/thing.h"

typedef struct mn_tracer mn_tracer;

/// Where a ray met a thing.
typedef struct mn_hit {
    const mn_thing *thing;  ///< NULL: nothing
    float           distance;
    mn_f3           face;  ///< unit normal of the geometry, outward
    uint32_t        primitive;
    float           u, v;  ///< inside the primitive
} mn_hit;

/// Whether this build can trace, and if not a sentence about what to install.
bool        mn_tracer_available(void);
const char *mn_tracer_missing(void);

/// Borrows the things, which must not change. Single-threaded: the trees do not depend on the number of threads.
mn_status mn_tracer_create(mn_context *context, const mn_thing *things, int count, mn_tracer **out);
void      mn_tracer_destroy(mn_tracer **tracer);
/// Bytes Embree holds for it.
int64_t mn_tracer_bytes(const mn_tracer *tracer);
bool    mn_tracer_has_clear(const mn_tracer *tracer);

/// The nearest thing in (0, most). Any thread.
mn_hit mn_tracer_nearest(const mn_tracer *tracer, mn_f3 from, mn_f3 direction, float most);
/// The nearest thing that is clear only: liquid or glass.
mn_hit mn_tracer_nearest_clear(const mn_tracer *tracer, mn_f3 from, mn_f3 direction, float most);
/// Whether something that is not clear is in the way.
bool mn_tracer_blocked(const mn_tracer *tracer, mn_f3 from, mn_f3 direction, float most);

#endif
