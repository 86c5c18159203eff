// SPDX-License-Identifier: MPL-2.0
// verify/liquid/p1.c - P1: cases of the program's own for the liquid: the list, and what they share.
#include "verify/liquid/p1.h"

const mn_verify_case mn_verify_p1[] = {
    { "P1.1", "a piston pushes a slug of liquid along a channel", .run = mn_p1_piston },
    { "P1.2", "a source and a sink: volume, speed, what the ledger says", .run = mn_p1_taps },
    { "P1.3", "free fall of a lump and of single drops", .run = mn_p1_fall },
    { "P1.4", "splitting and joining: volume, place, momentum, angular momentum, pigment", .run = mn_p1_resample },
    { "P1.5", "lift and sideways force of liquid at rest on a ball", .run = mn_p1_lift },
    { "P1.6", "water falls on a ball: nothing is in the solids", .run = mn_p1_splash },
    { "P1.7", "a slit in a side wall: flux", .run = mn_p1_slit },
    { "P1.8", "a weir in a side wall: flux", .run = mn_p1_weir },
    { "P1.9", "a bell-mouth that widens again: flux, and the jet", .run = mn_p1_bell_mouth },
    { "P1.10", "a ball drawn out of water lets go of it", .run = mn_p1_drawn },
    { 0 },
};

mn_world_def mn_p1_world(int dimension, double cell)
{
    mn_world_def def        = mn_world_def_default();
    def.domain.dimension    = dimension;
    def.domain.cell         = cell;
    def.domain.gravity[1]   = 0.0;
    def.solver.density_rate = 0.0;
    return def;
}

mn_status mn_p1_pour(mn_context *c, mn_world *w, mn_vec3 size, mn_vec3 at, mn_vec3 velocity)
{
    mn_shape_def  box   = mn_shape_def_default(MN_SHAPE_BOX);
    mn_liquid_def water = mn_liquid_def_default();
    for (int a = 0; a < 3; a++) {
        box.size[a]       = mn_get3(size, a);
        water.at[a]       = mn_get3(at, a);
        water.velocity[a] = mn_get3(velocity, a);
    }
    MN_TRY(mn_shape_create(c, &box, &water.shape));
    water.material.viscosity = 0.0;
    water.sampling           = MN_SAMPLING_LATTICE;
    const mn_status status   = mn_world_add_liquid(w, &water);
    mn_shape_release(&water.shape);
    return status;
}

mn_p1_sums mn_p1_sum(const mn_world *w)
{
    const mn_liquid_particles *p = &w->liquid.particles[w->liquid.current];
    const double               d = 0.25 * w->grid.cell * w->grid.cell;
    mn_p1_sums                 s = { .volume = 0.0 };
    for (int64_t i = 0; i < p->count; i++) {
        const double  v    = p->volume[0][i];
        const mn_vec3 x    = mn_v3(p->position[0][i], p->position[1][i], p->position[2][i]),
                      u    = mn_v3(p->velocity[0][i], p->velocity[1][i], p->velocity[2][i]),
                      spin = mn_v3(p->affine[7][i] - p->affine[5][i], p->affine[2][i] - p->affine[6][i],
                                   p->affine[3][i] - p->affine[1][i]);
        s.volume += v;
        s.pigment += p->pigments > 0 ? p->pigment[0][i] : 0.0;
        s.place    = mn_add3(s.place, mn_scale3(v, x));
        s.momentum = mn_add3(s.momentum, mn_scale3(v, u));
        s.angular  = mn_add3(s.angular, mn_scale3(v, mn_add3(mn_cross3(x, u), mn_scale3(d, spin))));
        s.scale += v * mn_norm3(x) * mn_norm3(u);
    }
    return s;
}
