// SPDX-License-Identifier: MPL-2.0
// fabric/pores/pores.c - suction, permeability and drag of fibres packed into sheets and yarns.
#include "fabric/pores/pores.h"

#include "base/context.h"

#include <math.h>

#define PI            3.14159265358979323846
#define INCH          2.54
#define FRACTION_LOW  1e-6  ///< of T2: no fabric is thinner than this where a law is asked for
#define FRACTION_HIGH 0.99  ///< of T3
#define FRACTION_FIT  0.40  ///< up to which (E4.7) holds (D4)
#define FRACTION_SHUT (PI / (2.0 * 1.7320508075688772))  ///< densest packing of fibres: nothing flows across
#define FLOOR         1e-9

// --- geometry (wet-fabric 3.2)
// -----------------------------------------------------------------------------------------

mn_status mn_pore_geometry_complete(mn_context *c, const char *who, double thickness, mn_pore_geometry *g)
{
    const double width = 4.0 * thickness * INCH;  // 8 r_c s
    double       d = g->fiber_diameter, r = g->capillary_radius, n = g->thread_count, phi = g->solid_fraction;
    const int    given = (d > 0.0) + (r > 0.0) + (n > 0.0) + (phi > 0.0);
    if (given != 2)
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "%s: give two of fibre diameter, capillary radius, thread count and solid fraction, not %d", who,
                       given);
    if (d > 0.0 && n > 0.0) {
        phi = PI * d * d * n / width;
        r   = sqrt(width / (4.0 * PI * n) - 0.25 * d * d);
    } else if (d > 0.0 && phi > 0.0) {
        r = 0.5 * d * sqrt((1.0 - phi) / phi);
        n = width * phi / (PI * d * d);
    } else if (d > 0.0) {
        phi = d * d / (d * d + 4.0 * r * r);
        n   = width / (PI * (4.0 * r * r + d * d));
    } else if (r > 0.0 && phi > 0.0) {
        d = 2.0 * r * sqrt(phi / (1.0 - phi));
        n = width * (1.0 - phi) / (4.0 * PI * r * r);
    } else if (r > 0.0) {
        d   = sqrt(width / (PI * n) - 4.0 * r * r);
        phi = 1.0 - 4.0 * PI * r * r * n / width;
    } else {
        d = sqrt(width * phi / (PI * n));
        r = sqrt(width * (1.0 - phi) / (4.0 * PI * n));
    }
    if (phi >= 1.0)
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "%s: no fabric has this pair of numbers: %g threads per inch of fibres %g cm thick would fill "
                       "%g "
                       "of its room",
                       who, n, d, phi);
    if (!(d > 0.0) || !(r > 0.0) || !(phi > 0.0))
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "%s: no fabric has this pair of numbers: pores of %g cm at %g threads per inch leave no room "
                       "for "
                       "fibres",
                       who, r, n);
    *g = (mn_pore_geometry){ .fiber_diameter = d, .capillary_radius = r, .thread_count = n, .solid_fraction = phi };
    return MN_OK;
}

// --- permeability (4.4)
// ------------------------------------------------------------------------------------------------

static double fit_along(double phi) { return (-log(phi) - 1.476 + 2.0 * phi - 0.5 * phi * phi) / (16.0 * phi); }

static double fit_across(double phi)
{
    return (-log(phi) - 1.476 + 2.0 * phi - 1.774 * phi * phi + 4.078 * phi * phi * phi) / (32.0 * phi);
}

static double dense_along(double phi) { return (1.0 - phi) * (1.0 - phi) * (1.0 - phi) / (phi * phi); }
static double gap(double phi) { return sqrt(FRACTION_SHUT / phi) - 1.0; }

static double usable(double phi) { return fmin(fmax(phi, FRACTION_LOW), FRACTION_HIGH); }

double mn_permeability_along(double phi)
{
    const double f = usable(phi);
    return f <= FRACTION_FIT ? fit_along(f)
                             : fmax(FLOOR, fit_along(FRACTION_FIT) * dense_along(f) / dense_along(FRACTION_FIT));
}

double mn_permeability_across(double phi)
{
    const double f = usable(phi);
    if (f <= FRACTION_FIT) return fit_across(f);
    return f >= FRACTION_SHUT ? FLOOR : fmax(FLOOR, fit_across(FRACTION_FIT) * pow(gap(f) / gap(FRACTION_FIT), 2.5));
}

// --- suction and drag (4.3, 4.5)
// ---------------------------------------------------------------------------------------

mn_pore_law mn_pore_law_of(const mn_fabric_material *fabric, const mn_liquid_material *liquid)
{
    const double phi = fabric->solid_fraction, d = fabric->fiber_diameter;
    const double cosine  = cos(fabric->contact_angle),
                 wetting = cosine > 1e-12 ? cosine : 0.0;  // 90 degrees in radians is not exact
    const double radius = fabric->capillary_radius > 0.0 ? fabric->capillary_radius : 0.5 * d * sqrt((1.0 - phi) / phi);
    return (mn_pore_law){ .density         = liquid->density,
                          .viscosity       = liquid->viscosity,
                          .fiber_diameter  = d,
                          .meniscus        = liquid->surface_tension * wetting / radius,
                          .law             = fabric->drag_law,
                          .exponent        = fabric->drag_exponent,
                          .axes_published  = fabric->drag_axes_published,
                          .darcy_published = fabric->darcy_published };
}

double mn_pore_suction(const mn_pore_law *law, double phi)
{
    const double f = usable(phi);
    return 2.0 * f / (1.0 - f) * law->meniscus;
}

static mn_pore_drag drag_of(const mn_pore_law *law, double phi, double permeability)
{
    if (law->law == MN_DRAG_OFF) return (mn_pore_drag){ 0.0, 0.0 };
    const double f = usable(phi), d = law->fiber_diameter, mu = law->viscosity, c = law->exponent,
                 k    = permeability * d * d;
    mn_pore_drag drag = { .linear = mu / k };
    if (law->law == MN_DRAG_NONLINEAR)
        drag.growth = 1.75 / sqrt(150.0) * pow(law->density, c) * pow(d, c - 1.0) * pow(mu, 1.0 - c) /
                      (pow(1.0 - f, 1.5) * sqrt(k));
    return drag;
}

mn_pore_drag mn_pore_drag_along(const mn_pore_law *law, double phi)
{
    return drag_of(law, phi, mn_permeability_along(phi));
}
mn_pore_drag mn_pore_drag_across(const mn_pore_law *law, double phi)
{
    return drag_of(law, phi, mn_permeability_across(phi));
}

double mn_pore_drag_at(const mn_pore_law *law, mn_pore_drag drag, double speed)
{
    return drag.growth > 0.0 ? drag.linear + drag.growth * pow(speed, law->exponent) : drag.linear;
}
