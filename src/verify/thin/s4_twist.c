// SPDX-License-Identifier: MPL-2.0
// verify/thin/s4_twist.c - rods wound up: S4.2, S4.6, S4.7.
#include "verify/thin/s4.h"

#include <stdio.h>
#include <string.h>

// --- S4.2 ---

/// A naturally straight rod, cut, wound by `rotation` and closed: a flat circle with even twist. The cut is a rest
/// twist at the closing vertex. Rigid motion is taken away by holding three vertices in six directions, and the free
/// choice of directors by holding one angle; none of this strains the rod.
static mn_status ring_buckles(mn_context *c, int32_t edges, double radius, double rotation, bool *out)
{
    const mn_rod_material m = { .radius         = 0.005,
                                .young          = 1e9,
                                .shear          = 0.5e9,
                                .density        = 1.0,
                                .stretch_factor = 1.0 };  // k_t = EI
    mn_s4_rod             rod;
    mn_status             status   = mn_s4_begin(c, edges, true, &rod);
    int32_t               negative = 0;
    if (status == MN_OK) {
        for (int32_t i = 0; i < edges; i++)
            rod.x[i] = mn_v3(radius * cos(2.0 * MN_PI * i / edges), radius * sin(2.0 * MN_PI * i / edges), 0);
        status = mn_s4_build(&rod, &m, true, MN_ROD_REST_STRAIGHT);
    }
    if (status == MN_OK) {
        rod.net.joint[0].rest.twist = -rotation;
        for (int32_t e = 0; e < edges; e++) rod.net.edges.angle[0][e] = rotation * e / edges;
        rod.held_vertex[0]         = MN_S4_ALL;
        rod.held_vertex[edges / 2] = MN_S4_Y | MN_S4_Z;
        rod.held_vertex[edges / 4] = MN_S4_Z;
        rod.held_edge[0]           = 1;
        status                     = mn_rod_drive_unstable(&rod.drive, &rod.def, 0, rod.x, &negative);
    }
    *out = negative > 0;
    mn_s4_end(&rod);
    return status;
}

static mn_status ring_threshold(mn_context *c, int32_t edges, double radius, double *out)
{
    double low = 5.0, high = 20.0;
    for (int k = 0; k < 26; k++) {
        bool gone;
        MN_TRY(ring_buckles(c, edges, radius, 0.5 * (low + high), &gone));
        if (gone) high = 0.5 * (low + high);
        else low = 0.5 * (low + high);
    }
    *out = low;
    return MN_OK;
}

mn_status mn_s4_ring(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const double expected = 2.0 * MN_PI * sqrt(3.0);
    double       at[3];
    MN_TRY(ring_threshold(c, 60, 1.0, &at[0]));
    MN_TRY(ring_threshold(c, 100, 1.0, &at[1]));
    MN_TRY(ring_threshold(c, 100, 3.0, &at[2]));
    mn_verify_value(r, "rotation at which a ring buckles, rad, 60 edges", at[0], expected, at[0] / expected - 1.0, 1e-2,
                    3e-2);
    mn_verify_value(r, "the same, 100 edges", at[1], expected, at[1] / expected - 1.0, 1e-2, 3e-2);
    mn_verify_value(r, "the same, ring three times as large", at[2], at[1], at[2] / at[1] - 1.0, 1e-5, 1e-5);
    if (tier == MN_TIER_BUILD) return MN_OK;
    MN_TRY(ring_threshold(c, 200, 1.0, &at[1]));
    MN_TRY(ring_threshold(c, 400, 1.0, &at[2]));
    MN_TRY(ring_threshold(c, 100, 1.0, &at[0]));
    const double order = log2((at[0] - at[1]) / (at[1] - at[2]));
    mn_verify_value(r, "order of convergence, 100, 200, 400 edges", order, 2.0, order - 2.0, 0.3, 0.3);
    return MN_OK;
}

// --- S4.6 ---

/// Uneven edges, both ends clamped, the far one turned by 3 rad.
static mn_status even_twist(mn_context *c, double *uneven)
{
    const mn_rod_material m = { .radius = 0.005, .young = 1e9, .shear = 4e8, .density = 1.0, .stretch_factor = 1.0 };
    enum { EDGES = 40 };
    mn_s4_rod rod;
    mn_status status = mn_s4_begin(c, EDGES + 1, false, &rod);
    if (status == MN_OK) {
        for (int32_t i = 0; i <= EDGES; i++) rod.x[i] = mn_v3(0.05 * i + 0.02 * sin(0.9 * i), 0, 0);
        status = mn_s4_build(&rod, &m, false, MN_ROD_REST_STRAIGHT);
    }
    if (status == MN_OK) {
        mn_s4_clamp_root(&rod);
        rod.held_vertex[EDGES - 1] = rod.held_vertex[EDGES] = MN_S4_ALL;
        rod.held_edge[EDGES - 1]                            = 1;
        rod.net.edges.angle[0][EDGES - 1]                   = 3.0;
        status                                              = mn_s4_step(&rod);
    }
    if (status == MN_OK) {
        double length = 0.0;
        for (int32_t k = 0; k < EDGES - 1; k++) length += rod.net.joint[k].length;
        for (int32_t k = 0; k < EDGES - 1; k++) {
            const double twist = rod.net.edges.angle[0][k + 1] - rod.net.edges.angle[0][k] +
                                 rod.net.corners.reference_twist[0][k];
            *uneven = fmax(*uneven, fabs(twist / rod.net.joint[k].length * length / 3.0 - 1.0));
        }
    }
    mn_s4_end(&rod);
    return status;
}

/// Solid angle that two edges see each other under, signed, over 4 pi and counted twice: their part of the writhe.
static double writhe_of_pair(mn_vec3 a, mn_vec3 b, mn_vec3 p, mn_vec3 q)
{
    const mn_vec3 ap = mn_sub3(p, a), aq = mn_sub3(q, a), bp = mn_sub3(p, b), bq = mn_sub3(q, b);
    const mn_vec3 n[4] = { mn_cross3(ap, aq), mn_cross3(aq, bq), mn_cross3(bq, bp), mn_cross3(bp, ap) };
    double        sum  = 0.0;
    for (int k = 0; k < 4; k++) {
        const double size = mn_norm3(n[k]) * mn_norm3(n[(k + 1) % 4]);
        if (size == 0.0) return 0.0;
        const mn_vec3 cross = mn_cross3(n[k], n[(k + 1) % 4]);
        // asin of the cosine, in the form that keeps its digits near a quarter turn.
        sum += 0.5 * MN_PI - atan2(mn_norm3(cross), mn_dot3(n[k], n[(k + 1) % 4]));
    }
    const double side = mn_dot3(mn_cross3(mn_sub3(q, p), mn_sub3(b, a)), ap);
    return (side > 0.0 ? sum : side < 0.0 ? -sum : 0.0) / (2.0 * MN_PI);
}

static double writhe_of(const mn_vec3 *x, int32_t n)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 2; j < n; j++)
            if ((j + 1) % n != i) sum += writhe_of_pair(x[i], x[(i + 1) % n], x[j], x[(j + 1) % n]);
    return sum;
}

/// A loop that is a circle at time 0 and again at 1, knotting nothing on its way; or a figure of eight that passes
/// through itself once.
static void loop_at(double time, bool crossing, int32_t n, mn_vec3 *x)
{
    for (int32_t i = 0; i < n; i++) {
        const double s = 2.0 * MN_PI * (i + 0.25) / n, w = sin(MN_PI * time), u = sin(2.0 * MN_PI * time);
        x[i] = crossing ? mn_v3(cos(s), 0.6 * sin(2.0 * s), (0.4 - 0.8 * time) * sin(s))
                        : mn_v3(cos(s) + 0.25 * w * cos(2.0 * s), sin(s) + 0.15 * u * sin(3.0 * s),
                                0.6 * w * sin(2.0 * s + 2.0 * time) + 0.3 * u * cos(3.0 * s));
    }
}

static mn_status linking(mn_context *c, bool crossing, int steps, double *largest, double *change)
{
    const mn_rod_material m = { .radius = 0.005, .young = 1e9, .shear = 4e8, .density = 1.0, .stretch_factor = 1.0 };
    enum { EDGES = 80 };
    mn_s4_rod rod;
    mn_status status = mn_s4_begin(c, EDGES, true, &rod);
    if (status == MN_OK) {
        loop_at(0.0, crossing, EDGES, rod.x);
        status = mn_s4_build(&rod, &m, true, MN_ROD_REST_STRAIGHT);
    }
    double first = 0.0;
    for (int k = 0; k <= steps && status == MN_OK; k++) {
        loop_at((double)k / steps, crossing, EDGES, rod.x);
        mn_rod_network_accept(&rod.net, rod.x, NULL, 0.0);
        double twist = 0.0;
        for (int32_t i = 0; i < EDGES; i++) twist += rod.net.corners.reference_twist[0][i] / (2.0 * MN_PI);
        const double link = twist + writhe_of(rod.x, EDGES);
        if (k == 0) first = link;
        *largest = fmax(*largest, fabs(link - first));
        *change  = link - first;
    }
    mn_s4_end(&rod);
    return status;
}

mn_status mn_s4_twist(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    double uneven = 0.0, largest = 0.0, change = 0.0, unused = 0.0;
    MN_TRY(even_twist(c, &uneven));
    mn_verify_at_most(r, "twist per length, largest departure from even", uneven, 1e-10, 1e-10);
    const int steps = tier == MN_TIER_BUILD ? 101 : 401;
    MN_TRY(linking(c, false, steps, &largest, &change));
    mn_verify_at_most(r, "twist + writhe over a closed motion, largest change", largest, 1e-8, 1e-8);
    MN_TRY(linking(c, true, steps, &unused, &change));
    mn_verify_value(r, "its jump when the loop passes through itself", fabs(change), 2.0, fabs(change) - 2.0, 1e-8,
                    1e-8);
    return MN_OK;
}

// --- S4.7 ---

/// The localised solution for tension T and moment M, as the start of the search: flattened to 0.9 of its angles, bent
/// onto the axis at its ends.
static void localised_start(mn_vec3 *x, int32_t edges, double length, double alpha, double tension, double moment)
{
    const double bottom  = moment * moment / (2.0 * alpha * tension) - 1.0,
                 width   = sqrt(2.0 * alpha / (tension * (1.0 - bottom)));
    const double l       = length / edges;
    double       azimuth = 0.0;
    x[0]                 = mn_v3(0, 0, 0);
    for (int32_t i = 0; i < edges; i++) {
        const double t = tanh(((i + 0.5) * l - 0.5 * length) / width), cosine = bottom + (1.0 - bottom) * t * t,
                     polar = 0.9 * acos(cosine);
        azimuth += l * moment / (alpha * (1.0 + cosine));
        x[i + 1] = mn_add3(x[i], mn_scale3(l, mn_v3(cos(polar), sin(polar) * cos(azimuth), sin(polar) * sin(azimuth))));
    }
    const mn_vec3 off = mn_v3(0, x[edges].y, x[edges].z);
    for (int32_t i = 0; i <= edges; i++) x[i] = mn_sub3(x[i], mn_scale3((double)i / edges, off));
    for (int n = 0; n < 2; n++) x[n] = mn_v3(x[n].x, 0, 0), x[edges - n] = mn_v3(x[edges - n].x, 0, 0);
}

/// RMS of f(phi) - tanh^2(s / s*), with T and M as the solution has them.
static double localised_misfit(mn_s4_rod *rod, double length, double alpha, double k_t, double *tension,
                               double *deepest)
{
    const int32_t edges = rod->edges;
    memset(rod->force, 0, (size_t)rod->count * sizeof *rod->force);
    mn_rod_network_begin(&rod->net, rod->x, 0.0);
    mn_rod_network_evaluate(&rod->net, rod->x, NULL, MN_ROD_FULL, NULL);
    mn_rod_network_add_forces(&rod->net, rod->force);
    *tension             = -(rod->force[edges].x + rod->force[edges - 1].x);
    const int32_t middle = edges / 2;
    const double  twist  = rod->net.edges.angle[0][middle] - rod->net.edges.angle[0][middle - 1] +
                         rod->net.corners.reference_twist[0][middle - 1];
    const double moment = k_t * twist / rod->net.joint[middle - 1].length;
    const double bottom = moment * moment / (2.0 * alpha * *tension) - 1.0,
                 width  = sqrt(2.0 * alpha / (*tension * (1.0 - bottom)));
    double sum          = 0.0;
    *deepest            = acos(bottom);
    for (int32_t i = 0; i < edges; i++) {
        const mn_vec3 e = mn_sub3(rod->x[i + 1], rod->x[i]);
        const double  f = (e.x / mn_norm3(e) - bottom) / (1.0 - bottom),
                     t  = tanh(((i + 0.5) * length / edges - 0.5 * length) / width);
        sum += (f - t * t) * (f - t * t);
    }
    return sqrt(sum / edges);
}

mn_status mn_s4_localised(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const int32_t edges  = tier == MN_TIER_BUILD ? 200 : 400;
    const double  length = 10.0, alpha = 1.345, k_t = 0.789, radius = 0.002, tension = 16.0 * alpha,
                 moment     = sqrt(48.0) * alpha;
    const mn_rod_material m = { .radius         = radius,
                                .young          = alpha / (0.25 * MN_PI * pow(radius, 4.0)),
                                .shear          = k_t / (0.5 * MN_PI * pow(radius, 4.0)),
                                .density        = 1.0,
                                .stretch_factor = 1.0 };
    mn_s4_rod             rod;
    mn_status             status = mn_s4_begin(c, edges + 1, false, &rod);
    if (status == MN_OK) {
        for (int32_t i = 0; i <= edges; i++) rod.x[i] = mn_v3(length * i / edges, 0, 0);
        status = mn_s4_build(&rod, &m, false, MN_ROD_REST_STRAIGHT);
    }
    if (status == MN_OK) {
        localised_start(rod.x, edges, length, alpha, tension, moment);
        mn_rod_network_place(&rod.net, rod.x);
        for (int32_t e = 0; e < edges; e++) rod.net.edges.angle[0][e] = moment / k_t * length * e / edges;
        mn_s4_clamp_root(&rod);
        rod.held_vertex[edges - 1] = rod.held_vertex[edges] = MN_S4_ALL;
        rod.held_edge[edges - 1]                            = 1;
        rod.def.max_iterations                              = 1000;
        status                                              = mn_s4_step(&rod);
    }
    double  misfit = NAN, t = NAN, deepest = NAN;
    int32_t negative = 0;
    if (status == MN_OK) misfit = localised_misfit(&rod, length, alpha, k_t, &t, &deepest);
    memset(rod.force, 0, (size_t)rod.count * sizeof *rod.force);
    // The buckle may turn about the axis and slide along it for nothing: modes count as unstable beyond 1e-4 EI / s*^4.
    rod.def.h = sqrt(m.density * MN_PI * radius * radius * pow(2.0 * alpha / (0.5 * tension), 2.0) / (1e-4 * alpha));
    if (status == MN_OK) status = mn_rod_drive_unstable(&rod.drive, &rod.def, 0, rod.x, &negative);
    mn_s4_end(&rod);
    if (status != MN_OK) return status;
    mn_verify_at_most(r, "rms of f(phi) - tanh^2(s / s*)", misfit, 2e-2, 6e-2);
    mn_verify_at_least(r, "largest angle to the axis by tension and moment, rad", deepest, 0.5, 0.5);
    mn_verify_at_most(r, "unstable modes of the buckled rod", negative, 0.0, 0.0);
    return MN_OK;
}
