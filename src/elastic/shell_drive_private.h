// SPDX-License-Identifier: MPL-2.0
// elastic/shell_drive_private.h - the inside of a driver of shells.
#ifndef MN_ELASTIC_SHELL_DRIVE_PRIVATE_H
#define MN_ELASTIC_SHELL_DRIVE_PRIVATE_H

#include "elastic/shell_drive.h"
#include "solve/cholesky.h"

struct mn_shell_drive {
    mn_context        *context;
    mn_shell_drive_def def;
    int64_t            vertices, edges, rows;
    mn_arena          *arena;
    mn_block_matrix    matrix;
    mn_cholesky       *cholesky;
    uint8_t           *hold;                         // 3 per row
    double            *gradient, *step, *add;        // 3 per row
    mn_vec3           *dx, *start, *begin, *target;  // start: of a Newton step; begin: of the solve
    double            *dxi, *start_xi, *begin_xi;
    double             inertia;  // 1/(share h^2); 0 at rest
};

/// Factor the Hessian at x, with inertia.
mn_status mn_shell_drive_factor(mn_shell_drive *d, const mn_vec3 *x, mn_shell_hessian kind, bool *positive);

#endif
