// SPDX-License-Identifier: MPL-2.0
// verify/thin/s4.h - one strand with all that stepping it needs: shared by the cases of elastic rods.
#ifndef MN_VERIFY_S4_H
#define MN_VERIFY_S4_H

#include "elastic/rod_drive.h"
#include "verify/verify.h"

enum { MN_S4_X = 1, MN_S4_Y = 2, MN_S4_Z = 4, MN_S4_ALL = 7 };

typedef struct mn_s4_rod {
    mn_context      *context;
    int32_t          count, edges;
    int32_t         *vertex;
    mn_vec3         *x, *v, *force;
    double          *mass, *inertia;
    uint8_t         *held_vertex, *held_edge;
    mn_rod_network   net;
    mn_rod_drive     drive;
    mn_rod_drive_def def;  ///< equilibrium by Newton's method unless changed
} mn_s4_rod;

/// Memory for a strand of `count` vertices; positions are then set by the caller, and mn_s4_build follows.
mn_status mn_s4_begin(mn_context *c, int32_t count, bool closed, mn_s4_rod *rod);
mn_status mn_s4_build(mn_s4_rod *rod, const mn_rod_material *material, bool closed, mn_rod_rest rest);
void      mn_s4_end(mn_s4_rod *rod);
/// Step by def.h; a strand that fails to converge is an error.
mn_status mn_s4_step(mn_s4_rod *rod);
/// Vertices 0 and 1 and the first angle.
void mn_s4_clamp_root(mn_s4_rod *rod);
/// A straight rod from x = -l/2 along x, clamped at the middle of its first edge: the tangent is known there, and the
/// rod reaches from x = 0 to `length` in `elements` + 1/2 edges. Clamping x0 and x1 holds.
mn_status mn_s4_cantilever(mn_context *c, int32_t elements, double length, const mn_rod_material *m, mn_s4_rod *rod);

mn_status mn_s4_end_load(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_s4_heavy(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_s4_self_buckling(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_s4_chain(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_s4_ring(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_s4_frequencies(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_s4_twist(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_s4_localised(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_s4_fold(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_s4_helix(mn_context *c, mn_verify_tier tier, mn_verify_report *r);

#endif
