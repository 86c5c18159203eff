// SPDX-License-Identifier: MPL-2.0
// stain/pinned.h - round drops whose contact line stays where it is: their shape, and where they dry (stain 5.9).
#ifndef MN_STAIN_PINNED_H
#define MN_STAIN_PINNED_H

#include "stain/film.h"

/// Integrals of (1 - r^2)^power, power > -1, over the part of each vertex' cell that lies in a ball of `radius` about
/// `centre`, r being the distance from there over the radius. What lies in the cell of a vertex outside goes to the
/// innermost corner of its triangle, so that none has a sliver of the drop alone.
void mn_stain_drop_integrals(const mn_stain_surface *s, const mn_vec3 *x, mn_vec3 centre, double radius, double power,
                             double *out);

/// Exponent of the drying of a flat drop by diffusion of its vapour (Deegan): its rate goes as (1 - r^2)^-lambda.
static inline double mn_stain_drop_lambda(double contact_angle)
{
    return (MN_PI - 2.0 * contact_angle) / (2.0 * MN_PI - 2.0 * contact_angle);
}

/// Pin a drop on the cloth where it is now. `mass` receives the liquid of each vertex for a mean `density` (g/cm^2), 0
/// outside of the drop. MN_ERR_ARGUMENT without a sentence: it meets no vertex, or shares one with a drop pinned
/// before.
typedef struct mn_stain_pin {
    mn_vec3 centre;
    double  radius, contact_angle, density;
} mn_stain_pin;
mn_status mn_stain_film_pin(mn_stain_film *f, const mn_stain_pin *drop, double *mass, mn_arena *arena);

#endif
