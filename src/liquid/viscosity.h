// SPDX-License-Identifier: MPL-2.0
// liquid/viscosity.h - implicit viscosity on the staggered grid.
#ifndef MN_LIQUID_VISCOSITY_H
#define MN_LIQUID_VISCOSITY_H

#include "liquid/liquid.h"

/// Replace the face velocity by the solution of  u - h/rho div(mu (grad u + grad u^T)) = u*.
mn_status mn_liquid_viscosity(mn_liquid *q, const mn_step *step, mn_solve_report *report);

#endif
