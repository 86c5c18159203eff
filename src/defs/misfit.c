// SPDX-License-Identifier: MPL-2.0
// defs/misfit.c - what values that are each within range must be to each other.
#include "base/context.h"
#include "defs/check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const mn_misfit fits = { .key = NULL };

MN_PRINTF(2, 3) static mn_misfit misfit(const char *key, const char *format, ...)
{
    mn_misfit out = { .key = key };
    va_list   arguments;
    va_start(arguments, format);
    vsnprintf(out.sentence, sizeof out.sentence, format, arguments);
    va_end(arguments);
    return out;
}

mn_status mn_misfit_fail(mn_context *context, const mn_misfit *m, const char *front)
{
    if (m->key == NULL) return MN_OK;
    return mn_fail(context, MN_ERR_ARGUMENT, "%s%s", front, m->sentence);
}

// --- domain and time -------------------------------------------------------------------------------------------------

static mn_misfit bounds_misfit(const mn_domain_def *d)
{
    double cells = 1.0;
    for (int a = 0; a < d->dimension; a++) {
        const double low = d->bounds[0][a], high = d->bounds[1][a], far = fmax(fabs(low), fabs(high)) / d->cell;
        if (!(high > low))
            return misfit("bounds",
                          "the high corner of 'bounds' must be above the low one, and in %c it is not (%g "
                          "and %g)",
                          "xyz"[a], low, high);
        if (!(far <= MN_DOMAIN_FARTHEST))
            return misfit("bounds", "'bounds' reach %g cells far; at most %g are possible", far, MN_DOMAIN_FARTHEST);
        cells *= ceil((high - low) / d->cell);
    }
    if (cells > MN_CELLS_MOST)
        return misfit("bounds",
                      "the domain would have %g cells of %g cm, and at most 2^31 are possible; make 'cell' larger or "
                      "'bounds' smaller",
                      cells, d->cell);
    return fits;
}

static mn_misfit period_misfit(const mn_domain_def *d, int a)
{
    if (!d->bounded) return misfit("boundary", "a periodic boundary needs 'bounds', and %c is periodic", "xyz"[a]);
    const double length = d->bounds[1][a] - d->bounds[0][a], tiles = length / (MN_DOMAIN_TILE * d->cell);
    const double whole = fmax(1.0, round(tiles));
    if (fabs(tiles - whole) <= 1e-6) return fits;
    return misfit("bounds",
                  "the domain is periodic in %c, so its length of %g cm must be a whole multiple of %d cells, not %g "
                  "cells; 'cell: %.17g' would fit",
                  "xyz"[a], length, MN_DOMAIN_TILE, length / d->cell, length / (MN_DOMAIN_TILE * whole));
}

mn_misfit mn_domain_misfit(const mn_domain_def *d)
{
    mn_misfit found = d->bounded ? bounds_misfit(d) : fits;
    for (int a = 0; a < d->dimension && found.key == NULL; a++)
        if (d->boundary[a] == MN_BOUNDARY_PERIODIC) found = period_misfit(d, a);
    return found;
}

mn_misfit mn_time_misfit(const mn_time_def *t)
{
    if (t->dt_min <= t->dt_max) return fits;
    return misfit("dt_min", "'dt_min' of %g s must not be above 'dt_max' of %g s", t->dt_min, t->dt_max);
}

// --- shapes and motions ----------------------------------------------------------------------------------------------

mn_misfit mn_shape_misfit(const mn_shape_def *d)
{
    const double *r = d->radius;
    if (d->kind == MN_SHAPE_CONE && r[0] < MN_LENGTH_SHORTEST && r[1] < MN_LENGTH_SHORTEST)
        return misfit("radius", "only one 'radius' of a cone may be 0, not both of [%g, %g]", r[0], r[1]);
    if (d->kind == MN_SHAPE_TORUS && r[1] > r[0])
        return misfit("radius", "the tube of a torus must not be thicker than its ring is wide, as [%g, %g] would be",
                      r[0], r[1]);
    return fits;
}

mn_misfit mn_key_misfit(const mn_motion_key *before, const mn_motion_key *key)
{
    if (key->time > before->time) return fits;
    return misfit("t", "the times of 'keys' must rise: %g s comes after %g s", key->time, before->time);
}

// --- fabric ----------------------------------------------------------------------------------------------------------

mn_misfit mn_fabric_domain_misfit(const mn_domain_def *d)
{
    if (d->dimension != 3) return misfit("dimension", "fabrics need a domain of dimension 3");
    for (int a = 0; a < 3; a++)
        if (d->boundary[a] == MN_BOUNDARY_PERIODIC)
            return misfit("boundary",
                          "this version does not have fabrics in a periodic domain yet, and this one is periodic in %c",
                          "xyz"[a]);
    return fits;
}

mn_misfit mn_stain_domain_misfit(const mn_domain_def *d)
{
    return d->dimension == 3 ? fits : misfit("dimension", "stains need a domain of dimension 3");
}

/// The growth of the drag with speed has the viscosity to the power 1 - exponent, wet-fabric (E4.9).
mn_misfit mn_drag_misfit(const mn_fabric_material *m, double viscosity)
{
    if (m->drag_law != MN_DRAG_NONLINEAR || isfinite(pow(viscosity, 1.0 - m->drag_exponent))) return fits;
    return misfit("material",
                  "a liquid of viscosity %g P would drag on fabric of '%s' without bound, because its drag exponent is "
                  "%g: give the liquid a viscosity, or the fabric the exponent 1 or `law: linear`",
                  viscosity, m->name, m->drag_exponent);
}

/// Flow in pores is suction over viscosity, wet-fabric (E4.11): it has no bound without one.
mn_misfit mn_pores_misfit(const mn_fabric_material *m, double viscosity, bool wet)
{
    const bool takes_in = m->capture > 0.0 && cos(m->contact_angle) > 0.0;
    if (viscosity > 0.0 || !(wet || takes_in)) return fits;
    return misfit("material",
                  "a liquid of viscosity %g P would flow without bound in the pores of fabric of '%s', which %s: give "
                  "the liquid a viscosity%s",
                  viscosity, m->name, wet ? "is wet at the start" : "takes it in",
                  wet ? "" : ", or the fabric `capture: 0`");
}

/// A homogeneous sheet has a bending rigidity of E t^3 / 12 (1 - nu^2), one with stiff faces at most three times that.
/// Fabrics are often given a modulus that is softer than theirs, with a bending length that was measured.
#define RIGIDITY_MOST 1e3  // of E t^3

mn_misfit mn_bending_misfit(const mn_fabric_material *m)
{
    const bool   warp  = m->bending_warp >= m->bending_weft;
    const double given = warp ? m->bending_warp : m->bending_weft, t = m->thickness,
                 sheet = fmax(m->youngs_modulus, m->youngs_weft) * t * t * t;
    if (!(given > RIGIDITY_MOST * sheet) || sheet == 0.0) return fits;
    return misfit(warp ? "bending_warp" : "bending_weft",
                  "'%s' is %g dyn cm, more than %g times the modulus times the thickness cubed (%g dyn cm), which no "
                  "sheet reaches: give it less, or more 'youngs_modulus' or 'thickness'",
                  warp ? "bending_warp" : "bending_weft", given, RIGIDITY_MOST, sheet);
}
