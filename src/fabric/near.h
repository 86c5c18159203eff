// SPDX-License-Identifier: MPL-2.0
// fabric/near.h - which vertices have other fabric near them: another piece or strand, or a far part of their own
// sheet.
#ifndef MN_FABRIC_NEAR_H
#define MN_FABRIC_NEAR_H

#include "fabric/fabric.h"

/// Set q->step.near (a byte per vertex) from the bins of the step. A sheet that is alone, however it bends, is near to
/// nothing: its own motion does not count as contact.
mn_status mn_fabric_find_near(mn_fabric *q, mn_arena *arena);

#endif
