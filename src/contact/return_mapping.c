// SPDX-License-Identifier: MPL-2.0
// contact/return_mapping.c - what an element of contact forgets: it is apart, or it slides (wet-fabric 5.5).
#include "contact/directors_private.h"

static mn_vec3 combine(const mn_director_frame *f, double a, double b, double c)
{
    return mn_add3(mn_add3(mn_scale3(a, f->q[0]), mn_scale3(b, f->q[1])), mn_scale3(c, f->q[2]));
}

static bool return_cloth(const mn_contact_law *law, mn_directors *d)
{
    mn_director_frame f = mn_director_factor(d);
    if (f.r[2][2] >= 1.0) {
        d->d[2] = f.q[2];
        return true;
    }
    const bool crushed = f.r[2][2] < MN_CLOTH_THINNEST;
    if (crushed) f.r[2][2] = MN_CLOTH_THINNEST;
    const double c = 1.0 - f.r[2][2], normal = (2.0 * law->mu + law->lambda) * c * c;
    const double shear = law->mu * hypot(f.r[0][2], f.r[1][2]);
    const double keep  = shear > law->friction * normal ? law->friction * normal / shear : 1.0;
    if (keep < 1.0 || crushed) d->d[2] = combine(&f, keep * f.r[0][2], keep * f.r[1][2], f.r[2][2]);
    return !crushed;
}

/// Strain of the transverse block brought back to the cone of friction.
static void limit_deviator(const mn_contact_law *law, double e[2])
{
    const double trace = e[0] + e[1], deviator = 0.5 * (e[0] - e[1]), norm = sqrt(2.0) * fabs(deviator);
    const double angle = atan(law->friction), cone = sqrt(2.0 / 3.0) * 2.0 * sin(angle) / (3.0 - sin(angle));
    const double over = norm + (law->lambda + law->mu) / law->mu * trace * cone;
    if (!(over > 0.0) || norm == 0.0) return;
    const double share = over / norm;
    e[0] -= share * deviator;
    e[1] += share * deviator;
}

static bool return_yarn(const mn_contact_law *law, mn_directors *d)
{
    const mn_director_frame f       = mn_director_factor(d);
    mn_yarn_block           y       = mn_yarn_factor(f.r[1][1], f.r[1][2], 0.0, f.r[2][2]);
    const bool              crushed = y.s[1] < MN_YARN_STRETCH_MIN || y.s[0] > MN_YARN_STRETCH_MAX;
    const bool              apart   = y.e[0] + y.e[1] >= 0.0;
    if (apart) y.e[0] = y.e[1] = 0.0;
    else limit_deviator(law, y.e);

    const double trace = y.e[0] + y.e[1], s[2] = { exp(y.e[0]), exp(y.e[1]) };
    double       w[2];
    for (int k = 0; k < 2; k++) w[k] = (2.0 * law->mu * y.e[k] + law->lambda * trace) / s[k];
    const double bound = apart ? 0.0 : law->friction * 0.5 * hypot(w[0], w[1]);
    const double shear = law->mu * hypot(f.r[0][1], f.r[0][2]);
    const double keep  = shear > bound ? (shear > 0.0 ? bound / shear : 1.0) : 1.0;
    for (int k = 0; k < 2; k++)
        d->d[1 + k] = combine(&f, keep * f.r[0][1 + k], y.u[0][0] * s[0] * y.v[k][0] + y.u[0][1] * s[1] * y.v[k][1],
                              y.u[1][0] * s[0] * y.v[k][0] + y.u[1][1] * s[1] * y.v[k][1]);
    return !crushed;
}

bool mn_contact_return(const mn_contact_law *law, mn_directors *d)
{
    return law->yarn ? return_yarn(law, d) : return_cloth(law, d);
}

void mn_contact_forget(const mn_contact_law *law, mn_directors *d)
{
    const mn_director_frame f = mn_director_factor(d);
    if (law->yarn) d->d[1] = f.q[1];
    d->d[2] = f.q[2];
}
