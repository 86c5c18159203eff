// SPDX-License-Identifier: MPL-2.0
// elastic/rod_corner.c - curvatures, twist, their energies and gradients at one corner of a rod.
#include "elastic/rod_corner.h"

/// g(chi) and its slope: 1 / chi, continued linearly below the cap (elastic-rods 4).
static void set_cap(mn_rod_corner *c)
{
    if (c->chi >= MN_ROD_CHI_CAP) {
        c->g  = 1.0 / c->chi;
        c->dg = -c->g * c->g;
    } else {
        c->g  = (2.0 - c->chi / MN_ROD_CHI_CAP) / MN_ROD_CHI_CAP;
        c->dg = -1.0 / (MN_ROD_CHI_CAP * MN_ROD_CHI_CAP);
    }
}

mn_rod_corner mn_rod_corner_at(const mn_rod_side *e, const mn_rod_side *f, double near_twist)
{
    mn_rod_corner c = { .t = { e->tangent, f->tangent }, .m1 = { e->m1, f->m1 }, .length = { e->length, f->length } };
    const mn_vec3 w = mn_cross3(c.t[0], c.t[1]);
    c.chi           = 1.0 + mn_dot3(c.t[0], c.t[1]);
    set_cap(&c);
    c.kb = mn_scale3(2.0 * c.g, w);
    for (int j = 0; j < 2; j++) {
        c.m2[j]              = mn_cross3(c.t[j], c.m1[j]);
        c.strain.kappa[j][0] = mn_dot3(c.m2[j], c.kb);
        c.strain.kappa[j][1] = -mn_dot3(c.m1[j], c.kb);
    }
    // Twist: from the director of e, carried to f, to the director of f.
    const mn_vec3 carried = mn_rod_transport(c.m1[0], c.t[0], c.t[1]);
    c.strain.twist        = mn_rod_unwrap(mn_rod_angle(carried, c.m1[1], c.t[1]), near_twist);
    return c;
}

mn_rod_load mn_rod_corner_load(const mn_rod_corner *c, const mn_rod_strain *rest, mn_rod_stiffness elastic,
                               const mn_rod_strain *start, mn_rod_stiffness viscous)
{
    mn_rod_load l    = { .stiffness = elastic.bend + viscous.bend, .twist_stiffness = elastic.twist + viscous.twist };
    double      bend = 0.0, damp = 0.0;
    for (int j = 0; j < 2; j++)
        for (int a = 0; a < 2; a++) {
            const double from_rest  = c->strain.kappa[j][a] - rest->kappa[j][a];
            const double from_start = c->strain.kappa[j][a] - start->kappa[j][a];
            l.stress[j][a]          = elastic.bend * from_rest + viscous.bend * from_start;
            bend += from_rest * from_rest;
            damp += from_start * from_start;
        }
    const double from_rest = c->strain.twist - rest->twist, from_start = c->strain.twist - start->twist;
    l.twist_stress   = elastic.twist * from_rest + viscous.twist * from_start;
    l.energy_bend    = 0.5 * elastic.bend * bend;
    l.energy_twist   = 0.5 * elastic.twist * from_rest * from_rest;
    l.energy_viscous = 0.5 * viscous.bend * damp + 0.5 * viscous.twist * from_start * from_start;
    if (c->chi < MN_ROD_CHI_CAP) {
        // E_f = a (1 - chi / chi_c)^2 with a = 8 EI / (chi_c l) = 16 / chi_c times the stiffness of one curvature.
        const double a = 16.0 * elastic.bend / MN_ROD_CHI_CAP, depth = 1.0 - c->chi / MN_ROD_CHI_CAP;
        l.energy_fold    = a * depth * depth;
        l.fold_slope     = -2.0 * a * depth / MN_ROD_CHI_CAP;
        l.fold_stiffness = 2.0 * a / (MN_ROD_CHI_CAP * MN_ROD_CHI_CAP);
    }
    return l;
}

/// d(v . kb)/de and /df for a director v of either edge, (elastic-rods 6.1, the general form).
static inline void curvature_gradient(const mn_rod_corner *c, mn_vec3 v, mn_vec3 out[2])
{
    const double  along = c->dg / c->g * mn_dot3(v, c->kb);
    const mn_vec3 a     = mn_add3(mn_scale3(along, c->t[1]), mn_scale3(2.0 * c->g, mn_cross3(c->t[1], v)));
    const mn_vec3 b     = mn_sub3(mn_scale3(along, c->t[0]), mn_scale3(2.0 * c->g, mn_cross3(c->t[0], v)));
    out[0]              = mn_scale3(1.0 / c->length[0], mn_sub3(a, mn_scale3(mn_dot3(a, c->t[0]), c->t[0])));
    out[1]              = mn_scale3(1.0 / c->length[1], mn_sub3(b, mn_scale3(mn_dot3(b, c->t[1]), c->t[1])));
}

void mn_rod_corner_curvature_gradients(const mn_rod_corner *c, mn_vec3 edge[2][4])
{
    for (int j = 0; j < 2; j++) {
        mn_vec3 one[2], two[2];
        curvature_gradient(c, c->m2[j], one);
        curvature_gradient(c, mn_scale3(-1.0, c->m1[j]), two);
        for (int side = 0; side < 2; side++) edge[side][2 * j] = one[side], edge[side][2 * j + 1] = two[side];
    }
}

mn_rod_gradient mn_rod_corner_gradient(const mn_rod_corner *c, const mn_rod_load *l)
{
    mn_rod_gradient out;
    // A curvature is linear in its director, so the four sum to one director weighted by the stresses.
    mn_vec3 v = mn_v3(0, 0, 0);
    for (int j = 0; j < 2; j++) {
        v            = mn_add3(v, mn_sub3(mn_scale3(l->stress[j][0], c->m2[j]), mn_scale3(l->stress[j][1], c->m1[j])));
        out.angle[j] = l->stress[j][0] * c->strain.kappa[j][1] - l->stress[j][1] * c->strain.kappa[j][0];
    }
    curvature_gradient(c, v, out.edge);
    out.angle[0] -= l->twist_stress;
    out.angle[1] += l->twist_stress;
    for (int side = 0; side < 2; side++) {
        out.edge[side] = mn_add3(out.edge[side], mn_scale3(0.5 * l->twist_stress / c->length[side], c->kb));
        if (l->fold_slope != 0.0)
            out.edge[side] = mn_add3(out.edge[side],
                                     mn_scale3(l->fold_slope / c->length[side],
                                               mn_sub3(c->t[1 - side], mn_scale3(c->chi - 1.0, c->t[side]))));
    }
    return out;
}
