// SPDX-License-Identifier: MPL-2.0
// verify/liquid/sealed.h - steps of a world whose fabric reaches into the walls and so seals what they enclose.
//
// A world step would push such fabric out of the walls. Here liquid knows the walls and fabric does not; it must be
// held by pins. Pores take nothing in and let nothing out.
#ifndef MN_VERIFY_SEALED_H
#define MN_VERIFY_SEALED_H

#include "couple/liquid_fabric.h"
#include "world/world.h"

/// Everything up to the new velocities on the faces, for a look at them before mn_sealed_move.
mn_status mn_sealed_solve(mn_world *w, double dt, mn_mixture *m, mn_mixture_report *report);
/// The rest of the step.
mn_status mn_sealed_move(mn_world *w, mn_mixture *m);

#endif
