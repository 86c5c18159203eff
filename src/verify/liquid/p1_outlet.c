// SPDX-License-Identifier: MPL-2.0
// verify/liquid/p1_outlet.c - P1.7 to P1.9: what leaves a tank through a slit, over a weir and by a bell-mouth, where
// the water must let go of its slip walls to leave as it does (liquid 5.4a).
#include "verify/liquid/outlet.h"
#include "verify/liquid/p1.h"

#include <complex.h>
#include <stdio.h>

#define GRAVITY 981.0

static double falling(double head) { return sqrt(2.0 * GRAVITY * fmax(head, 0.0)); }

static void add_point(mn_outlet *o, double x, double y)
{
    o->lip[o->points][0]   = x;
    o->lip[o->points++][1] = y;
}

/// At `sizes` sizes of cells, the flux over theory, and that of the first over that of the second.
static mn_status compare(mn_context *c, mn_outlet *o, const char *what, int cells, int sizes, mn_verify_report *r,
                         mn_outlet_result result[2])
{
    char line[96];
    for (int k = 0; k < sizes; k++) {
        o->cell = 1.0 / (cells << k);
        MN_TRY(mn_outlet_run(c, o, &result[k]));
        snprintf(line, sizeof line, "flux of %s over theory, %d cells", what, cells << k);
        mn_verify_value(r, line, result[k].flux, 1.0, result[k].flux - 1.0, 0.03, 0.03);
    }
    if (sizes < 2) return MN_OK;
    snprintf(line, sizeof line, "flux of %s, %d cells over %d", what, cells, 2 * cells);
    const double both = result[0].flux / result[1].flux;
    mn_verify_value(r, line, both, 1.0, both - 1.0, 0.03, 0.03);
    return MN_OK;
}

// P1.7: a slit of 1 cm in a plate of 0.25 cm. Water that lets go of the plate contracts as that of a slit in a plate
// without thickness: pi / (pi + 2) (Kirchhoff 1869). In a tank as large as this one it is 0.5 % more.

static double slit_flux(const mn_outlet *o, double head)
{
    (void)o;
    return MN_PI / (MN_PI + 2.0) * falling(head);
}

mn_status mn_p1_slit(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    mn_outlet        o = { .width = 8.0, .middle = 3.0, .head = 8.0, .flux = slit_flux, .jet = { 0.0, 0.25 } };
    mn_outlet_result result[2];
    add_point(&o, 0.0, 9.0), add_point(&o, 0.0, 0.5), add_point(&o, 0.25, 0.5), add_point(&o, 0.25, 9.0);
    o.end     = 20.0 / falling(o.head);
    o.settled = 0.5 * o.end;
    return compare(c, &o, "a slit", tier == MN_TIER_BUILD ? 8 : 16, 2, r, result);
}

// P1.8: a weir with a crest of 0.2 cm. Its nappe springs free as from a sharp one: Rehbock's formula (1929), without
// its term of surface tension. The far wall comes along and pushes as much water as flows over at the head of the
// start.

static double weir_flux(const mn_outlet *o, double head)
{
    return 2.0 / 3.0 * (0.611 + 0.075 * head / o->middle) * falling(head) * head;
}

mn_status mn_p1_weir(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    mn_outlet        o = { .width      = 14.0,
                           .middle     = 3.0,
                           .head       = 1.0,
                           .open_above = true,
                           .flux       = weir_flux,
                           .jet        = { 0.0, 0.2 } };
    mn_outlet_result result[2];
    add_point(&o, 0.0, 9.0), add_point(&o, 0.0, 0.0), add_point(&o, 0.2, 0.0), add_point(&o, 0.2, 9.0);
    o.feed    = weir_flux(&o, o.head) / (o.middle + o.head);
    o.end     = 0.9;
    o.settled = 0.45;
    return compare(c, &o, "a weir", 12, tier == MN_TIER_BUILD ? 1 : 2, r, result);
}

// P1.9: a bell-mouth that widens again behind its throat. Its contour is an inner streamline of the jet from a slit, z
// = -1/v + ln((1+v)/(1-v)) with the velocity v of Im ln(v/(1-v^2)) = INNER pi/2: along it the speed rises and the
// pressure falls to that of the air, all the way to the throat. So the throat runs full, at sqrt(2 g h), and behind it
// the jet leaves the wall.

#define INNER    0.6
#define WIDENING 10.0  ///< degrees, to each side
#define FLARE    1.5   ///< cm

/// Where the streamline has this speed.
static double complex contour_at(double speed)
{
    double low = 0.0, high = 0.5 * MN_PI;
    for (int k = 0; k < 60; k++) {
        const double         angle = 0.5 * (low + high);
        const double complex v     = speed * (cos(angle) + I * sin(angle));
        if (cimag(clog(v / (1.0 - v * v))) < 0.5 * INNER * MN_PI) low = angle;
        else high = angle;
    }
    const double complex v = speed * (cos(low) + I * sin(low));
    return -1.0 / v + clog((1.0 + v) / (1.0 - v));
}

static double bell_flux(const mn_outlet *o, double head)
{
    (void)o;
    return falling(head);
}

/// Half the throat is 0.5 cm; where it ends.
static double bell_contour(mn_outlet *o)
{
    enum { PIECES = 36 };
    const double complex first = contour_at(0.3), last = contour_at(0.99);
    const double         scale = 0.5 / cimag(last);
    add_point(o, 0.0, 20.0);
    for (int k = 0; k < PIECES; k++) {
        const double         part  = 2.0 * k / (PIECES - 1);  // even steps in the speed, then in the log of what lacks
        const double         speed = part < 1.0 ? 0.3 + 0.6 * part : 1.0 - 0.1 * pow(0.1, part - 1.0);
        const double complex z     = contour_at(speed);
        add_point(o, scale * creal(z - first), scale * cimag(z));
    }
    const double end = scale * creal(last - first) + 0.05;
    add_point(o, end, 0.5);
    add_point(o, end + FLARE, 0.5 + FLARE * tan(WIDENING * MN_PI / 180.0));
    add_point(o, end + FLARE, 20.0);
    return end;
}

mn_status mn_p1_bell_mouth(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    mn_outlet        o = { .width = 8.0, .middle = 3.0, .head = 12.0, .flux = bell_flux };
    mn_outlet_result result[2];
    char             line[96];
    const int        cells = tier == MN_TIER_BUILD ? 6 : 12;
    const double     end   = bell_contour(&o);
    o.jet[0] = end + 0.5 * FLARE, o.jet[1] = end + FLARE;
    o.end     = 28.0 / falling(o.head);
    o.settled = 0.65 * o.end;
    MN_TRY(compare(c, &o, "a bell-mouth", cells, 2, r, result));
    // 1.40 is the outlet there. The jet is faster by some percent than without gravity, and thinner.
    for (int k = 0; k < 2; k++) {
        snprintf(line, sizeof line, "the jet where the outlet widens over its throat, %d cells", cells << k);
        mn_verify_value(r, line, result[k].jet, 1.0, result[k].jet - 1.0, 0.03, 0.06);
    }
    return MN_OK;
}
