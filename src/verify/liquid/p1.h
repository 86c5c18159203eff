// SPDX-License-Identifier: MPL-2.0
// verify/liquid/p1.h - P1: cases of the program's own for the liquid, each a law that a world must keep whatever its
// scene is.
#ifndef MN_VERIFY_P1_H
#define MN_VERIFY_P1_H

#include "verify/verify.h"
#include "world/world.h"

mn_status mn_p1_piston(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_p1_taps(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_p1_fall(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_p1_resample(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_p1_lift(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_p1_splash(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_p1_slit(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_p1_weir(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_p1_bell_mouth(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_p1_drawn(mn_context *c, mn_verify_tier tier, mn_verify_report *r);

/// A world without gravity, walls or density correction, of cells of this size; all else as in a scene.
mn_world_def mn_p1_world(int dimension, double cell);
/// A box of liquid about a point: water without viscosity, on a lattice, at this velocity.
mn_status mn_p1_pour(mn_context *c, mn_world *w, mn_vec3 size, mn_vec3 at, mn_vec3 velocity);

typedef struct mn_p1_sums {
    double  volume, pigment;
    mn_vec3 place, momentum, angular;  ///< sum V x; sum V u; about the origin, with what the affine parts carry
    double  scale;                     ///< sum |V x| |u|
} mn_p1_sums;
/// Of all particles, per unit of density.
mn_p1_sums mn_p1_sum(const mn_world *w);

#endif
