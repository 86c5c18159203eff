// SPDX-License-Identifier: MPL-2.0
// fabric/material.c - defaults of a fabric material for cloth and for yarn, and the elastic moduli that follow
// (wet-fabric 3).
#include "fabric/material.h"

#include "defs/check.h"

#include <math.h>
#include <stdio.h>

mn_fabric_material mn_fabric_material_resolved(const mn_fabric_material *given, bool yarn)
{
    mn_fabric_material m = *given;
    if (m.youngs_modulus == 0.0) m.youngs_modulus = yarn ? 6.6e7 : 1.83e7;
    if (m.youngs_weft == 0.0) m.youngs_weft = m.youngs_modulus;
    if (m.poisson < 0.0) m.poisson = yarn ? 0.35 : 0.202;
    if (m.internal_viscosity < 0.0) m.internal_viscosity = yarn ? 1e3 : 2.78e4;
    if (m.contact_stiffness == 0.0) m.contact_stiffness = yarn ? 0.01 : 0.04;
    if (m.bending_weft == 0.0) m.bending_weft = m.bending_warp;
    return m;
}

double mn_fabric_stiffness_factor(const mn_fabric_material *m) { return pow(m->solid_fraction, m->stiffness_exponent); }

mn_shell_material mn_fabric_shell_material(const mn_fabric_material *m)
{
    const double      factor = mn_fabric_stiffness_factor(m);
    mn_shell_material s      = mn_shell_material_default();
    s.thickness              = m->thickness;
    s.young_warp             = factor * m->youngs_modulus;
    s.young_weft             = factor * m->youngs_weft;
    s.poisson                = m->poisson;
    s.shear                  = factor * m->shear_modulus;
    s.bend_warp              = m->bending_warp;
    s.bend_weft              = m->bending_weft;
    s.viscosity              = factor * m->internal_viscosity;
    return s;
}

mn_rod_material mn_fabric_rod_material(const mn_fabric_material *m, double radius)
{
    const double    factor = mn_fabric_stiffness_factor(m);
    mn_rod_material r      = mn_rod_material_default();
    r.radius               = radius;
    r.young                = factor * m->youngs_modulus;
    r.shear     = m->shear_modulus > 0.0 ? factor * m->shear_modulus : mn_rod_shear_of_poisson(r.young, m->poisson);
    r.density   = m->density * m->solid_fraction;
    r.viscosity = factor * m->internal_viscosity;
    return r;
}

mn_status mn_fabric_material_check(mn_context *c, const mn_fabric_material *m)
{
    char front[MN_NAME_BYTES + 32];
    snprintf(front, sizeof front, "fabric material '%s': ", m->name);
    MN_TRY(mn_defs_check(c, &mn_section_fabric_material, m, front));
    const mn_fabric_material resolved = mn_fabric_material_resolved(m, false);
    const mn_misfit          bending  = mn_bending_misfit(&resolved);
    MN_TRY(mn_misfit_fail(c, &bending, front));
    MN_TRY(mn_defs_check_number(c, &mn_section_pair, "contact_angle", m->contact_angle, front));
    return mn_defs_check_number(c, &mn_section_pair, "cohesion", m->cohesion, front);
}
