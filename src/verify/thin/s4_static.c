// SPDX-License-Identifier: MPL-2.0
// verify/thin/s4_static.c - cantilevers, columns and hanging rods: S4.1, P4.3, S4.4, S4.10.
#include "verify/thin/s4.h"
#include "verify/thin/span_cases.h"

#include "base/memory.h"

#include <stdio.h>

/// Slender enough at length 1 that stretch is below 1e-5 of the deflections.
static mn_rod_material slender(void)
{
    return (mn_rod_material){ .radius = 5e-4, .young = 1e6, .shear = 4e5, .density = 1.0, .stretch_factor = 1.0 };
}
static double bending_stiffness(const mn_rod_material *m) { return m->young * 0.25 * MN_PI * pow(m->radius, 4.0); }

// --- S4.1 ---

static mn_status end_load(mn_context *c, int32_t elements, double load, double *drop, double *shortening)
{
    const mn_rod_material m = slender();
    mn_s4_rod             rod;
    mn_status             status = mn_s4_cantilever(c, elements, 1.0, &m, &rod);
    const int             steps  = 1 + (int)ceil(load);
    for (int k = 1; k <= steps && status == MN_OK; k++) {
        rod.force[rod.count - 1] = mn_v3(0, -load * bending_stiffness(&m) * k / steps, 0);
        status                   = mn_s4_step(&rod);
    }
    if (status == MN_OK) {
        *drop       = -rod.x[rod.count - 1].y;
        *shortening = 1.0 - rod.x[rod.count - 1].x;
    }
    mn_s4_end(&rod);
    return status;
}

mn_status mn_s4_end_load(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    static const double table[6][3] = { { 0.1, .033295, .000665 }, { 1, .301721, .056433 }, { 2, .493457, .160642 },
                                        { 4, .669964, .328941 },   { 5, .713792, .387628 }, { 10, .810609, .554996 } };
    for (int k = 0; k < 6; k++) {
        double w, u;
        char   what[80];
        MN_TRY(end_load(c, 50, table[k][0], &w, &u));
        snprintf(what, sizeof what, "P L^2/EI = %g: drop / L, 50 elements", table[k][0]);
        mn_verify_value(r, what, w, table[k][1], w / table[k][1] - 1.0, 2e-3, 6e-3);
        snprintf(what, sizeof what, "P L^2/EI = %g: shortening / L, 50 elements", table[k][0]);
        mn_verify_value(r, what, u, table[k][2], u / table[k][2] - 1.0, 2e-3, 6e-3);
    }
    if (tier == MN_TIER_BUILD) return MN_OK;
    double w[3], u;
    for (int k = 0; k < 3; k++) MN_TRY(end_load(c, 25 << k, 5.0, &w[k], &u));
    const double order = log2((w[0] - w[1]) / (w[1] - w[2]));
    mn_verify_value(r, "P L^2/EI = 5: order of the drop, 25, 50, 100 elements", order, 2.0, order - 2.0, 0.3, 0.3);
    return MN_OK;
}

// --- P4.3: S3.5 for rods ---

/// Elements that grow by e^3 from clamp to tip: at Gamma = 1000 the rod bends within 1/44 of its length.
static mn_status graded_cantilever(mn_context *c, int32_t elements, const mn_rod_material *m, mn_s4_rod *rod)
{
    MN_TRY(mn_s4_begin(c, elements + 2, false, rod));
    for (int32_t i = 1; i < rod->count; i++)
        rod->x[i] = mn_v3((exp(3.0 * (i - 0.5) / (elements + 0.5)) - 1.0) / (exp(3.0) - 1.0), 0, 0);
    rod->x[0] = mn_scale3(-1.0, rod->x[1]);
    MN_TRY(mn_s4_build(rod, m, false, MN_ROD_REST_STRAIGHT));
    mn_s4_clamp_root(rod);
    return MN_OK;
}

/// Curvature at the clamp: known between the middles of edges at the first three corners, carried on by a parabola.
static double clamp_curvature(const mn_s4_rod *rod)
{
    double k[3], s[3], middle = 0.0, sum = 0.0;
    for (int n = 0; n < 3; n++) {
        const mn_vec3 a = mn_sub3(rod->x[n + 1], rod->x[n]), b = mn_sub3(rod->x[n + 2], rod->x[n + 1]);
        const double  l = rod->net.joint[n].length;
        k[n]            = atan2(mn_norm3(mn_cross3(a, b)), mn_dot3(a, b)) / l;
        s[n]            = middle + 0.5 * l;
        middle += l;
    }
    for (int n = 0; n < 3; n++) {
        const double p = s[(n + 1) % 3], q = s[(n + 2) % 3];
        sum += k[n] * p * q / ((p - s[n]) * (q - s[n]));
    }
    return sum;
}

static mn_status heavy(mn_context *c, int32_t elements, double weight, double *drop, double *reach, double *curvature)
{
    const mn_rod_material m = slender();
    mn_s4_rod             rod;
    mn_status             status = graded_cantilever(c, elements, &m, &rod);
    const double          g      = weight * bending_stiffness(&m) / (m.density * MN_PI * m.radius * m.radius);
    const int             steps  = 2 + (int)ceil(2.0 * log2(1.0 + weight));
    for (int k = 1; k <= steps && status == MN_OK; k++) {
        const double part = weight <= 1.0 ? (double)k / steps : pow(weight, (double)k / steps) / weight;
        for (int32_t i = 0; i < rod.count; i++) rod.force[i] = mn_v3(0, -part * g * rod.mass[i], 0);
        status = mn_s4_step(&rod);
    }
    if (status == MN_OK) {
        *drop      = -rod.x[rod.count - 1].y;
        *reach     = rod.x[rod.count - 1].x;
        *curvature = clamp_curvature(&rod);
    }
    mn_s4_end(&rod);
    return status;
}

mn_status mn_s4_heavy(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    static const double table[5][4] = { { 1, .123471, .991246, .49693 },
                                        { 10, .700200, .656354, 3.74219 },
                                        { 50, .907917, .245015, 9.52847 },
                                        { 100, .937524, .159223, 13.69324 },
                                        { 1000, .981141, .045986, 44.29766 } };
    const int32_t       elements    = tier == MN_TIER_BUILD ? 60 : 120;
    for (int k = 0; k < 5; k++) {
        double value[3];
        MN_TRY(heavy(c, elements, table[k][0], &value[0], &value[1], &value[2]));
        static const char *const name[3] = { "drop / L", "reach / L", "clamp curvature x L" };
        for (int n = 0; n < 3; n++) {
            char what[80];
            snprintf(what, sizeof what, "Gamma = %g: %s, %d elements, shorter at the clamp", table[k][0], name[n],
                     elements);
            mn_verify_value(r, what, value[n], table[k][1 + n], value[n] / table[k][1 + n] - 1.0, 5e-3, 1.5e-2);
        }
    }
    return MN_OK;
}

// --- S4.4 ---

static mn_rod_material hair(void)
{
    return (
        mn_rod_material){ .radius = 0.0035, .young = 3.5e10, .shear = 1.3e10, .density = 1.32, .stretch_factor = 1.0 };
}

/// Whether an upright column of this length is unstable in its straight equilibrium.
static mn_status buckles(mn_context *c, int32_t elements, double length, bool *out)
{
    const mn_rod_material m = hair();
    mn_s4_rod             rod;
    mn_status             status   = mn_s4_cantilever(c, elements, length, &m, &rod);
    int32_t               negative = 0;
    if (status == MN_OK) {
        for (int32_t i = 0; i < rod.count; i++) {
            rod.force[i] = mn_v3(-981.0 * rod.mass[i], 0, 0);
            rod.held_vertex[i] |= MN_S4_Y | MN_S4_Z;  // first along the column only
        }
        status = mn_s4_step(&rod);
        for (int32_t i = 2; i < rod.count; i++) rod.held_vertex[i] = 0;
    }
    // The angles have no stiffness of their own: held, so that only the shape is judged.
    for (int32_t e = 0; e < rod.edges && status == MN_OK; e++) rod.held_edge[e] = 1;
    if (status == MN_OK) status = mn_rod_drive_unstable(&rod.drive, &rod.def, 0, rod.x, &negative);
    *out = negative > 0;
    mn_s4_end(&rod);
    return status;
}

mn_status mn_s4_self_buckling(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const int32_t elements = tier == MN_TIER_BUILD ? 60 : 200;
    double        low = 7.0, high = 10.0;
    MN_TRY(mn_span_stand(c, tier, r));
    mn_verify_library(r, true);
    for (int k = 0; k < 24; k++) {
        bool         gone;
        const double middle = 0.5 * (low + high);
        MN_TRY(buckles(c, elements, middle, &gone));
        if (gone) high = middle;
        else low = middle;
    }
    const mn_rod_material m = hair();
    const double number     = m.density * MN_PI * m.radius * m.radius * 981.0 * low * low * low / bending_stiffness(&m);
    mn_verify_value(r, "critical length of an upright hair, cm", low, 8.657, low / 8.657 - 1.0, 1e-2, 3e-2);
    mn_verify_value(r, "rho A g L^3 / EI at it", number, 7.8373, number / 7.8373 - 1.0, 1e-2, 3e-2);
    return MN_OK;
}

// --- S4.10 ---

static mn_rod_material rubber(void)
{
    return (mn_rod_material){ .radius = 0.005, .young = 1e6, .shear = 3e5, .density = 1.0, .stretch_factor = 1.0 };
}

/// Zero crossings of the elongation after letting go; the period is 2 L / c.
static mn_status let_go(mn_s4_rod *rod, double length, double period, int steps_per_period, double *speed)
{
    for (int32_t i = 0; i < rod->count; i++) rod->held_vertex[i] = MN_S4_Y | MN_S4_Z;
    rod->def.h  = period / steps_per_period;
    double last = rod->x[0].x - rod->x[rod->count - 1].x - length, first_zero = 0.0;
    int    zeros = 0;
    for (int k = 1; zeros < 5; k++) {
        MN_TRY(mn_s4_step(rod));
        const double now = rod->x[0].x - rod->x[rod->count - 1].x - length;
        if (now * last < 0.0) {
            const double at = (k - 1 + last / (last - now)) * rod->def.h;
            if (zeros++ == 0) first_zero = at;
            else if (zeros == 5) *speed = 2.0 * length * 2.0 / (at - first_zero);  // four half periods
        }
        last = now;
        if (k > 20 * steps_per_period) return mn_fail(rod->context, MN_ERR_SOLVE, "the hanging rod does not swing");
    }
    return MN_OK;
}

mn_status mn_s4_chain(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const int32_t         edges  = tier == MN_TIER_BUILD ? 50 : 100;
    const double          length = 2.0, g = 981.0;
    const mn_rod_material m = rubber();
    MN_TRY(mn_span_hang(c, tier, r, true));
    MN_TRY(mn_span_hang(c, tier, r, false));
    mn_verify_library(r, true);
    mn_s4_rod rod;
    mn_status status = mn_s4_begin(c, edges + 1, false, &rod);
    double    speed = NAN, stretch = NAN;
    if (status == MN_OK) {
        for (int32_t i = 0; i <= edges; i++) rod.x[i] = mn_v3(-length * i / edges, 0, 0);
        status = mn_s4_build(&rod, &m, false, MN_ROD_REST_STRAIGHT);
    }
    if (status == MN_OK) {
        mn_s4_clamp_root(&rod);
        rod.held_vertex[1] = 0;
        for (int32_t i = 0; i <= edges; i++) {
            rod.force[i] = mn_v3(-g * rod.mass[i], 0, 0);
            rod.held_vertex[i] |= MN_S4_Y | MN_S4_Z;
        }
        status  = mn_s4_step(&rod);
        stretch = rod.x[0].x - rod.x[edges].x - length;
    }
    if (status == MN_OK)
        status = let_go(&rod, length, 2.0 * length / sqrt(m.young / m.density), tier == MN_TIER_BUILD ? 400 : 1600,
                        &speed);
    mn_s4_end(&rod);
    if (status != MN_OK) return status;
    const double expected = m.density * g * length * length / (2.0 * m.young), c0 = sqrt(m.young / m.density);
    mn_verify_value(r, "extension of a hanging rod, cm", stretch, expected, stretch / expected - 1.0, 1e-6, 3e-6);
    // No tolerance is given for the speed: 1 %, the damping of backward Euler and 50 masses.
    mn_verify_value(r, "speed of stretch waves in free fall, cm/s", speed, c0, speed / c0 - 1.0, 1e-2, 3e-2);
    return MN_OK;
}
