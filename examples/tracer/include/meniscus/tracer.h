// SPDX-License-Identifier: MPL-2.0
// meniscus/tracer.h - points that a liquid carries along: they show where it goes, and do nothing to it.
#ifndef MENISCUS_TRACER_H
#define MENISCUS_TRACER_H

#include "meniscus/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Tracers on a lattice in a shape, at the start.
typedef struct mn_tracer_def {
    char      name[MN_NAME_BYTES];
    mn_shape *shape;    ///< where they are; only looked at by mn_world_add_tracer
    double    spacing;  ///< cm, > 0, from one to the next along every axis. Default 0.5.
    uint32_t  cookie;
} mn_tracer_def;

MN_API mn_tracer_def mn_tracer_def_default(void);

/// As the other things of a world: before the first step. One that fails leaves the world as it was.
MN_API mn_status mn_world_add_tracer(mn_world *world, const mn_tracer_def *def);

/// All tracers of a world. Borrowed: valid until the next step or destroy.
typedef struct mn_tracer_view {
    mn_view3       position;  ///< cm
    const int64_t *id;        ///< of each, for life
} mn_tracer_view;
MN_API mn_tracer_view mn_world_tracers(const mn_world *world);

#ifdef __cplusplus
}
#endif
#endif
