// SPDX-License-Identifier: MPL-2.0
// elastic/shell_material.c - moduli, ranges and textile numbers of thin sheets.
#include "elastic/shell_material.h"

#include <math.h>
#include <string.h>

mn_shell_material mn_shell_material_default(void)
{
    return (mn_shell_material){ .thickness   = 0.036,
                                .young_warp  = 1.83e7,
                                .young_weft  = 1.83e7,
                                .poisson     = 0.202,
                                .bend_factor = 1.0,
                                .viscosity   = 2.78e4 };
}

static mn_status check_above(mn_context *c, const char *name, double value)
{
    if (value > 0.0 && isfinite(value)) return MN_OK;
    return mn_fail(c, MN_ERR_ARGUMENT, "%s of a shell is %g; it must be above 0", name, value);
}

static mn_status check_not_below(mn_context *c, const char *name, double value)
{
    if (value >= 0.0 && isfinite(value)) return MN_OK;
    return mn_fail(c, MN_ERR_ARGUMENT, "%s of a shell is %g; it must not be below 0", name, value);
}

mn_status mn_shell_material_check(mn_context *c, const mn_shell_material *m)
{
    MN_TRY(check_above(c, "thickness", m->thickness));
    MN_TRY(check_above(c, "young_warp", m->young_warp));
    MN_TRY(check_above(c, "young_weft", m->young_weft));
    MN_TRY(check_not_below(c, "shear", m->shear));
    MN_TRY(check_not_below(c, "bend_warp", m->bend_warp));
    MN_TRY(check_not_below(c, "bend_weft", m->bend_weft));
    MN_TRY(check_not_below(c, "bend_twist", m->bend_twist));
    MN_TRY(check_above(c, "bend_factor", m->bend_factor));
    MN_TRY(check_not_below(c, "viscosity", m->viscosity));
    if (!(m->poisson > -1.0 && m->poisson < 1.0))
        return mn_fail(c, MN_ERR_ARGUMENT, "poisson of a shell is %g; it must lie between -1 and 1", m->poisson);
    return MN_OK;
}

static double strip_rigidity(const mn_shell_material *m, double given, double young)
{
    return m->bend_factor * (given > 0.0 ? given : young * m->thickness * m->thickness * m->thickness / 12.0);
}

bool mn_shell_material_is_isotropic(const mn_shell_material *m)
{
    return m->young_warp == m->young_weft && m->shear == 0.0 && m->bend_twist == 0.0 &&
           strip_rigidity(m, m->bend_warp, m->young_warp) == strip_rigidity(m, m->bend_weft, m->young_weft);
}

/// Plane stress with strip moduli a and b in the two directions and `shear` against the engineering strain.
static void orthotropic(double a, double b, double poisson, double shear, double k[9])
{
    memset(k, 0, 9 * sizeof *k);
    const double s = 1.0 / (1.0 - poisson * poisson);
    k[0] = s * a, k[4] = s * b;
    k[1] = k[3] = s * poisson * sqrt(a * b);
    k[8]        = shear;
}

void mn_shell_membrane_stiffness(const mn_shell_material *m, double k[9])
{
    const double mean  = sqrt(m->young_warp * m->young_weft);
    const double shear = m->shear > 0.0 ? m->shear : mean / (2.0 * (1.0 + m->poisson));
    orthotropic(m->thickness * m->young_warp, m->thickness * m->young_weft, m->poisson, m->thickness * shear, k);
}

void mn_shell_bending_stiffness(const mn_shell_material *m, double c[9])
{
    const double warp  = strip_rigidity(m, m->bend_warp, m->young_warp);
    const double weft  = strip_rigidity(m, m->bend_weft, m->young_weft);
    const double twist = m->bend_twist > 0.0 ? m->bend_factor * m->bend_twist
                                             : sqrt(warp * weft) / (2.0 * (1.0 + m->poisson));
    orthotropic(warp, weft, m->poisson, twist, c);
}

double mn_shell_viscous_time(const mn_shell_material *m)
{
    return 3.0 * m->viscosity / sqrt(m->young_warp * m->young_weft);
}

mn_status mn_shell_shear_from_bias(mn_context *c, double young_warp, double young_weft, double poisson, double bias,
                                   double *shear)
{
    // A strip at 45 degrees: 4 / E_bias = 1/E_1 + 1/E_2 - 2 nu / sqrt(E_1 E_2) + 1/G.
    const double rest = 4.0 / bias - 1.0 / young_warp - 1.0 / young_weft +
                        2.0 * poisson / sqrt(young_warp * young_weft);
    if (!(rest > 0.0) || !isfinite(rest))
        return mn_fail(c, MN_ERR_ARGUMENT, "no shear modulus gives a bias modulus of %g beside warp %g and weft %g",
                       bias, young_warp, young_weft);
    *shear = 1.0 / rest;
    return MN_OK;
}

double mn_textile_density(double areal_weight, double thickness) { return areal_weight / thickness; }

mn_status mn_textile_solid_fraction(mn_context *c, double areal_weight, double thickness, double fiber_density,
                                    double *fraction)
{
    const double value = areal_weight / (thickness * fiber_density);
    if (!(value > 0.0 && value < 1.0))
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "areal weight %g, thickness %g and fibre density %g make a solid fraction of %g; it must lie "
                       "between 0 and 1",
                       areal_weight, thickness, fiber_density, value);
    *fraction = value;
    return MN_OK;
}

double mn_textile_rigidity(double areal_weight, double gravity, double bending_length)
{
    return areal_weight * gravity * bending_length * bending_length * bending_length;
}
