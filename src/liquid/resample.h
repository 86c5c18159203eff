// SPDX-License-Identifier: MPL-2.0
// liquid/resample.h - splitting and joining particles. liquid 5.9
#ifndef MN_LIQUID_RESAMPLE_H
#define MN_LIQUID_RESAMPLE_H

#include "liquid/liquid.h"

typedef struct mn_resample_report {
    int64_t splits, joins;
} mn_resample_report;

/// Split particles that are too large, or too few in thin liquid; join small ones inside whole liquid. Keeps the sums
/// of volume, pigment, momentum and angular momentum. New particles take their numbers from *next_id.
mn_status mn_liquid_resample(mn_liquid *q, const mn_step *step, int64_t *next_id, mn_resample_report *report);

/// Halve particle i: one half goes to x - d, the other to x + d in place `fresh`, with its own number.
void mn_liquid_split(mn_liquid_particles *p, int64_t i, int64_t fresh, mn_vec3 d, int64_t id);
/// Add particle j to particle i; j is left as it is, for the caller to take out.
void mn_liquid_join(mn_liquid_particles *p, int64_t i, int64_t j, double cell);

#endif
