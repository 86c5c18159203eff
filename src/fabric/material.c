// SPDX-License-Identifier: MPL-2.0
// fabric/material.c - defaults of a fabric material for cloth and for yarn, and the elastic moduli that follow
// (wet-fabric 3).
#include "fabric/material.h"

#include <math.h>

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

static mn_status check(mn_context *c, const mn_fabric_material *m, const char *what, double value, double low,
                       double high)
{
    if (value >= low && value <= high) return MN_OK;
    return mn_fail(c, MN_ERR_ARGUMENT, "fabric material '%s': %s is %g; it must be from %g to %g", m->name, what, value,
                   low, high);
}

mn_status mn_fabric_material_check(mn_context *c, const mn_fabric_material *m)
{
    MN_TRY(check(c, m, "thickness", m->thickness, 1e-4, 10.0));
    MN_TRY(check(c, m, "radius", m->radius, 1e-4, 10.0));
    MN_TRY(check(c, m, "fiber_diameter", m->fiber_diameter, 1e-5, 1.0));
    MN_TRY(check(c, m, "solid_fraction", m->solid_fraction, 1e-3, 0.999));
    MN_TRY(check(c, m, "density", m->density, 1e-3, 100.0));
    MN_TRY(check(c, m, "youngs_modulus", m->youngs_modulus, 0.0, 1e13));
    MN_TRY(check(c, m, "youngs_weft", m->youngs_weft, 0.0, 1e13));
    MN_TRY(check(c, m, "shear_modulus", m->shear_modulus, 0.0, 1e13));
    MN_TRY(check(c, m, "poisson", m->poisson, -1.0, 0.49));
    MN_TRY(check(c, m, "bending_warp", m->bending_warp, 0.0, 1e12));
    MN_TRY(check(c, m, "bending_weft", m->bending_weft, 0.0, 1e12));
    MN_TRY(check(c, m, "internal_viscosity", m->internal_viscosity, -1.0, 1e10));
    MN_TRY(check(c, m, "stiffness_exponent", m->stiffness_exponent, 1.0, 3.0));
    MN_TRY(check(c, m, "contact_stiffness", m->contact_stiffness, 0.0, 100.0));
    MN_TRY(check(c, m, "friction", m->friction, 0.0, 10.0));
    MN_TRY(check(c, m, "air_drag", m->air_drag, 0.0, 100.0));
    MN_TRY(check(c, m, "air_friction", m->air_friction, 0.0, 100.0));
    MN_TRY(check(c, m, "capillary_radius", m->capillary_radius, 0.0, 1.0));
    MN_TRY(check(c, m, "contact_angle", m->contact_angle, 0.0, 3.1416));
    MN_TRY(check(c, m, "drag.exponent", m->drag_exponent, 1.0, 2.0));
    MN_TRY(check(c, m, "capture", m->capture, 0.0, 100.0));
    MN_TRY(check(c, m, "compression", m->compression, 1e-6, 10.0));
    return check(c, m, "cohesion", m->cohesion, 0.0, 100.0);
}
