// SPDX-License-Identifier: MPL-2.0
// verify/thin/s3.h - what the cases of group S3 share: a shell on a sheet, and strips.
#ifndef MN_VERIFY_S3_H
#define MN_VERIFY_S3_H

#include "elastic/shell_drive.h"
#include "verify/thin/shell_meshes.h"
#include "verify/verify.h"

/// A sheet with its shell, positions, loads and holds.
typedef struct mn_s3_rig {
    mn_context     *context;
    mn_arena       *arena;
    mn_sheet        sheet;
    mn_shell       *shell;
    mn_shell_drive *drive;
    mn_vec3        *x, *load;
    double         *area;   ///< per vertex
    uint8_t        *fixed;  ///< 3 per vertex
} mn_s3_rig;

/// The sheet is taken over, also on failure.
mn_status mn_s3_rig_make(mn_context *c, mn_sheet *sheet, const mn_shell_material *material, mn_s3_rig *out);
void      mn_s3_rig_end(mn_s3_rig *r);
/// Material with the given strip rigidity and stretch stiffness thickness * E.
mn_shell_material mn_s3_material(double rigidity, double stretch, double poisson);
/// Hold all vertices with |x - at| < 1e-9 and clamp the rim edges among them, the sheet going on along `outward`.
mn_status mn_s3_clamp_line(mn_s3_rig *r, double at, mn_vec3 outward);
mn_status mn_s3_drive(mn_s3_rig *r, double tolerance);
/// Bring to rest; a solve that does not converge is an error.
mn_status mn_s3_rest(mn_s3_rig *r);

mn_status mn_s3_patch(mn_context *c, mn_verify_tier tier, mn_verify_report *report);
mn_status mn_s3_cylinder(mn_context *c, mn_verify_tier tier, mn_verify_report *report);
mn_status mn_s3_cantilever(mn_context *c, mn_verify_tier tier, mn_verify_report *report);
mn_status mn_s3_peirce(mn_context *c, mn_verify_tier tier, mn_verify_report *report);
mn_status mn_s3_elastica(mn_context *c, mn_verify_tier tier, mn_verify_report *report);
mn_status mn_s3_vibration(mn_context *c, mn_verify_tier tier, mn_verify_report *report);
mn_status mn_s3_euler(mn_context *c, mn_verify_tier tier, mn_verify_report *report);
mn_status mn_s3_derivatives(mn_context *c, mn_verify_tier tier, mn_verify_report *report);
/// Lines of S3.10 that are measured on the bending of cloth.
mn_status mn_s3_mid_edge(mn_context *c, mn_verify_report *report);

/// Rigidity over D of a periodic patch bent to a cylinder across direction `angle`, small deflections: with the
/// vertices on the cylinder, or free to move by a periodic offset (S3.2, relaxed).
mn_status mn_s3_periodic_rigidity(mn_context *c, mn_sheet_kind kind, mn_bend bend, double poisson, double angle,
                                  bool relaxed, double *out);

#endif
