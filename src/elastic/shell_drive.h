// SPDX-License-Identifier: MPL-2.0
// elastic/shell_drive.h - a shell on its own: rest positions under load by Newton's method, and implicit steps in time.
//
// For checks and validation. Vertices and mid-edge normals are solved for together with a direct factor: with the exact
// Hessian where it is positive definite, with the projected one elsewhere, and a line search on the energy.
#ifndef MN_ELASTIC_SHELL_DRIVE_H
#define MN_ELASTIC_SHELL_DRIVE_H

#include "elastic/shell.h"

typedef struct mn_shell_drive_def {
    mn_shell      *shell;      ///< kept, not owned
    const double  *factor;     ///< per triangle, or NULL; kept
    const mn_vec3 *load;       ///< dyn per vertex, or NULL; kept, may be changed between solves
    const uint8_t *fixed;      ///< 3 per vertex: components that are held, or NULL
    const double  *mass;       ///< g per vertex; for steps in time; kept
    double         tolerance;  ///< cm: a solve ends with a full exact Newton step below it
    int            max_iterations;
} mn_shell_drive_def;

typedef struct mn_shell_drive mn_shell_drive;

typedef struct mn_shell_drive_report {
    bool   converged;
    int    iterations, projected;  ///< Newton steps, and those that took the projected Hessian
    double last_step;              ///< largest correction of the last one, cm
} mn_shell_drive_report;

/// Call after all holds and clamps are set.
mn_status mn_shell_drive_create(mn_context *c, const mn_shell_drive_def *def, mn_shell_drive **out);
void      mn_shell_drive_destroy(mn_shell_drive **drive);

/// Move x (and xi) to rest under the load. Fixed components keep their values.
mn_status mn_shell_drive_rest(mn_shell_drive *d, mn_vec3 *x, mn_shell_drive_report *report);

typedef enum mn_shell_rule { MN_SHELL_EULER, MN_SHELL_TRAPEZOID } mn_shell_rule;
/// One implicit step of length h of x and v: backward Euler (damps), or the trapezoidal rule (keeps energy, order 2).
mn_status mn_shell_drive_step(mn_shell_drive *d, mn_shell_rule rule, double h, mn_vec3 *x, mn_vec3 *v,
                              mn_shell_drive_report *report);

/// Whether the exact Hessian at x, over free vertices and free mid-edge normals, is positive definite: whether the
/// shape is stable.
mn_status mn_shell_drive_is_stable(mn_shell_drive *d, const mn_vec3 *x, bool *stable);

/// The lowest `count` frequencies (rad/s) about x, ascending, by subspace iteration; needs a stable shape and masses.
mn_status mn_shell_drive_frequencies(mn_shell_drive *d, const mn_vec3 *x, int count, double *omega);

#endif
