// SPDX-License-Identifier: MPL-2.0
// grid/step.h - what every stage of a step is given: its memory, the solids, when it is and for how long, and where to
// say that the step must be taken back.
#ifndef MN_GRID_STEP_H
#define MN_GRID_STEP_H

#include "base/arena.h"
#include "grid/solid/solid.h"

/// Why a step was not accepted. `status` is of what ends the run (memory, disk); `reason` is empty unless a solver or
/// the audit refuses the step, which is then tried again at half its length.
typedef struct mn_step_verdict {
    int       stage;  ///< mn_stage of the world
    mn_status status;
    char      reason[512];
} mn_step_verdict;

typedef struct mn_step {
    mn_arena        *arena;   ///< reset before each step
    mn_solids        solids;  ///< at the begin of the step; from the stage move on at its end
    double           time, dt;
    double           end;     ///< time + dt, or the time asked for where rounding would miss it; 0: time + dt
    int64_t          number;  ///< accepted steps before it; random numbers depend on it
    mn_step_verdict *verdict;
} mn_step;

/// Refuse the step with a sentence; false, so that a check can return it. The first sentence stays.
bool               mn_reject(const mn_step *step, const char *format, ...) MN_PRINTF(2, 3);
static inline bool mn_is_refused(const mn_step *step) { return step->verdict->reason[0] != '\0'; }

/// When the step ends, as the world will call it.
static inline double mn_step_end(const mn_step *step) { return step->end != 0.0 ? step->end : step->time + step->dt; }

#endif
