// SPDX-License-Identifier: MPL-2.0
// tracer/tracer.h - points that a velocity on the faces of the grid carries along.
#ifndef MN_TRACER_TRACER_H
#define MN_TRACER_TRACER_H

#include "base/fields.h"
#include "grid/step.h"
#include "grid/tiles.h"
#include "meniscus/tracer.h"

/// Per tracer. X(type, components, name, unit, flags, help)
#define MN_TRACER_FIELDS(X)                                                       \
    X(double, 3, position, "cm", MN_FIELD_SAVED | MN_FIELD_HALOED, "where it is") \
    X(int64_t, 1, id, "-", MN_FIELD_SAVED, "number for life")

typedef struct mn_tracers {
#define X(type, n, name, unit, flags, help) type *name[n];
    MN_TRACER_FIELDS(X)
#undef X
    int64_t count, capacity;
    int64_t seeded;  ///< how many the scene asks for: constant after set-up
} mn_tracers;

extern const mn_field_table mn_tracer_table;

/// Add a lattice of tracers inside a shape; numbers come from *next_id. A failure adds none.
mn_status mn_tracers_seed(mn_context *c, mn_tracers *t, const mn_tracer_def *def, int dimension, int64_t *next_id);
/// Move all for step->dt with a velocity on the faces of the grid (cm/s), out of solids and back across periodic sides.
/// Where the grid has no faces they stay.
void mn_tracers_move(mn_context *c, mn_tracers *t, const mn_step *step, const mn_tiles *tiles,
                     double *const velocity[3], mn_vec3 period);

#endif
