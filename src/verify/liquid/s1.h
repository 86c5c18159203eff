// SPDX-License-Identifier: MPL-2.0
// verify/liquid/s1.h - worlds and measurements that the free-surface cases share.
#ifndef MN_VERIFY_S1_H
#define MN_VERIFY_S1_H

#include "verify/verify.h"
#include "world/world.h"

/// A box of liquid: bounds from 0 to `size`, filled to `depth` along y. Inviscid water unless changed.
typedef struct mn_tank {
    int              dimension;
    double           cell, size[3], depth;
    mn_boundary      boundary[3];
    mn_wall          wall;
    mn_vec3          gravity;
    double           viscosity;
    mn_sampling      sampling;
    int              particles_per_cell;
    uint64_t         seed;
    double           cfl;
    double           density_rate;
    mn_extrapolation extrapolation;
    double           tolerance;
} mn_tank;

mn_tank   mn_tank_default(int dimension, double cell, double x, double y, double z, double depth);
mn_status mn_tank_world(mn_context *c, const mn_tank *tank, mn_world **out);

/// Height of the liquid surface in the column of cells at x (z in the middle cell), by the level set of the particles;
/// the mean over z in 3D. Builds its own tiles in the world's arena: not during a step.
mn_status mn_surface_heights(mn_world *w, int columns, double *height);

/// Place in the fields of the liquid of a cell counted from the low corner of the domain; -1 if it has no tile. In 2D k
/// does not matter. The level set there: that of air if there is none.
int64_t mn_domain_place(const mn_world *w, int32_t i, int32_t j, int32_t k);
double  mn_domain_level(const mn_world *w, int32_t i, int32_t j, int32_t k);

/// Period from zero crossings by linear interpolation, leaving out the first half period (validation M1); NAN below
/// six.
double mn_period_of(const double *t, const double *a, int count, int *crossings);
/// b of a e^(-b t) from the peaks of |a| by least squares of their logarithm.
double mn_decay_of(const double *t, const double *a, int count);

mn_status mn_s1_rest(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_s1_wave(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_s1_decay(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_s1_taylor_green(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_s1_spin(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_s1_dam_break(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_s1_volume(mn_context *c, mn_verify_tier tier, mn_verify_report *r);
mn_status mn_s1_channel(mn_context *c, mn_verify_tier tier, mn_verify_report *r);

#endif
