// SPDX-License-Identifier: MPL-2.0
// verify/thin/s4_dynamic.c - frequencies, folds, and the helix that finds itself: S4.5, S4.8, S4.9.
#include "verify/thin/s4.h"
#include "verify/thin/span_cases.h"

#include "base/random.h"

#include <stdio.h>

// --- S4.5 ---

/// Shape of a mode of a cantilever, beta L the root of cos cosh = -1.
static double mode_shape(double root, double s)
{
    const double k = (cosh(root) + cos(root)) / (sinh(root) + sin(root));
    return cosh(root * s) - cos(root * s) - k * (sinh(root * s) - sin(root * s));
}

static mn_status frequency(mn_context *c, int32_t elements, double root, double h, double period, double *out)
{
    const mn_rod_material m      = { .radius         = 0.0035,
                                     .young          = 3.5e10,
                                     .shear          = 1.3e10,
                                     .density        = 1.32,
                                     .stretch_factor = 1.0 };
    const double          length = 2.0;
    mn_s4_rod             rod;
    mn_status             status = mn_s4_cantilever(c, elements, length, &m, &rod);
    if (status == MN_OK) {
        for (int32_t i = 2; i < rod.count; i++) rod.x[i].y = 1e-4 * mode_shape(root, rod.x[i].x / length);
        rod.def.h         = h;
        rod.def.tolerance = 1e-9;
    }
    // Zero crossings of the amplitude of this mode alone.
    double last = 1.0, first = 0.0, latest = 0.0;
    int    zeros = 0;
    for (int k = 1; status == MN_OK && zeros < 9 && k * h < 12.0 * period; k++) {
        status     = mn_s4_step(&rod);
        double now = 0.0;
        for (int32_t i = 2; i < rod.count; i++)
            now += rod.mass[i] * rod.x[i].y * mode_shape(root, (i - 0.5) / (elements + 0.5));
        if (k > 1 && now * last < 0.0) {
            latest = (k - 1 + last / (last - now)) * h;
            if (zeros++ == 0) first = latest;
        }
        last = now;
    }
    *out = 0.5 * (zeros - 1) / (latest - first);
    mn_s4_end(&rod);
    return status;
}

mn_status mn_s4_frequencies(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    static const double root[3]     = { 1.8751040687, 4.6940911330, 7.8547574382 },
                        expected[3] = { 39.865, 249.83, 699.54 }, step[3] = { 3e-4, 6e-5, 2e-5 };
    const int refine = tier == MN_TIER_BUILD ? 1 : 2;
    MN_TRY(mn_span_frequencies(c, tier, r, true));
    MN_TRY(mn_span_frequencies(c, tier, r, false));
    mn_verify_library(r, true);
    for (int k = 0; k < 3; k++) {
        double f;
        char   what[80];
        MN_TRY(frequency(c, 60 * refine, root[k], step[k] / refine, 1.0 / expected[k], &f));
        snprintf(what, sizeof what, "frequency %d of a hair, Hz, %d elements", k + 1, 60 * refine);
        mn_verify_value(r, what, f, expected[k], f / expected[k] - 1.0, 5e-3, 1.5e-2);
    }
    return MN_OK;
}

// --- S4.8 ---

typedef struct let_go_result {
    double failures;
    double start, most;  // elastic energy at the start, and the largest sum of elastic and kinetic energy after, EI / l
    double force;        // largest at the start, EI / l^2
} let_go_result;

static double elastic_energy(mn_s4_rod *rod)
{
    mn_rod_sums sums;
    mn_rod_network_begin(&rod->net, rod->x, 0.0);
    mn_rod_network_evaluate(&rod->net, rod->x, NULL, MN_ROD_FULL, &sums);
    return sums.stretch + sums.bend + sums.fold + sums.twist;
}

static double kinetic_energy(const mn_s4_rod *rod)
{
    double sum = 0.0;
    for (int32_t i = 0; i < rod->count; i++) sum += 0.5 * rod->mass[i] * mn_dot3(rod->v[i], rod->v[i]);
    return sum;
}

/// A rod bent in the middle to `degrees`, let go.
static mn_status let_a_bend_go(mn_context *c, double degrees, let_go_result *out)
{
    const mn_rod_material m = { .radius         = 0.0037,
                                .young          = 1e9,
                                .shear          = 4e8,
                                .density        = 1.32,
                                .viscosity      = 1e3,
                                .stretch_factor = 1.0 };
    enum { EDGES = 20 };
    mn_s4_rod    rod;
    mn_status    status = mn_s4_begin(c, EDGES + 1, false, &rod);
    const double l = 0.05, a = degrees * MN_PI / 180.0, ei = m.young * 0.25 * MN_PI * pow(m.radius, 4.0);
    *out = (let_go_result){ .failures = 0.0 };
    if (status == MN_OK) {
        for (int32_t i = 0; i <= EDGES; i++) rod.x[i] = mn_v3(l * i, 0, 0);
        status = mn_s4_build(&rod, &m, false, MN_ROD_REST_STRAIGHT);
    }
    if (status == MN_OK) {
        for (int32_t i = EDGES / 2 + 1; i <= EDGES; i++)
            rod.x[i] = mn_v3(l * (EDGES / 2) + l * (i - EDGES / 2) * cos(a), l * (i - EDGES / 2) * sin(a),
                             1e-6 * l * (i - EDGES / 2));
        mn_rod_network_place(&rod.net, rod.x);
        out->start = elastic_energy(&rod) / (ei / l);
        mn_rod_network_add_forces(&rod.net, rod.force);
        for (int32_t i = 0; i <= EDGES; i++)
            out->force = fmax(out->force, mn_norm3(rod.force[i]) * l * l / ei), rod.force[i] = mn_v3(0, 0, 0);
        rod.def.h = 1e-4;
        // Below the cap the Hessian lacks its geometric part and Newton's method converges linearly there.
        rod.def.max_iterations = 1000;
    }
    for (int k = 0; k < 200 && status == MN_OK; k++) {
        mn_rod_drive_report report;
        status = mn_rod_drive_step(&rod.drive, &rod.def, rod.x, rod.v, &report);
        out->failures += report.failed;
        if (report.failed > 0) break;
        out->most = fmax(out->most, (elastic_energy(&rod) + kinetic_energy(&rod)) / (ei / l));
    }
    mn_s4_end(&rod);
    return status;
}

// Bounds from the law of a corner, energy 2 tan^2(angle / 2) EI / l, which holds up to 171.9 degrees and beyond is an
// upper bound: bends are stiffer the further they go, up to 180 degrees, and what is let go gains nothing.
mn_status mn_s4_fold(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    static const double degrees[6] = { 170.0, 175.0, 179.0, 179.9, 180.0, 181.0 };
    const double        t = tan(85.0 * MN_PI / 180.0), energy = 2.0 * t * t, force = 2.0 * t * (1.0 + t * t);
    double              failures = 0.0, gain = 0.0, over = 0.0, growth = INFINITY;
    let_go_result       go[6];
    MN_TRY(mn_span_fold(c, tier, r));
    mn_verify_library(r, true);
    for (int k = 0; k < 6; k++) {
        MN_TRY(let_a_bend_go(c, degrees[k], &go[k]));
        failures += go[k].failures;
        gain = fmax(gain, go[k].most / go[k].start);
        over = fmax(over, go[k].start / (2.0 * pow(tan(degrees[k] * MN_PI / 360.0), 2.0)));
        if (k > 0 && degrees[k] <= 180.0) growth = fmin(growth, go[k].start - go[k - 1].start);
    }
    mn_verify_at_most(r, "steps that do not converge, bends of 170 to 181 degrees let go", failures, 0.0, 0.0);
    mn_verify_value(r, "energy of a bend of 170 degrees, EI / l", go[0].start, energy, go[0].start / energy - 1.0, 1e-6,
                    3e-6);
    mn_verify_value(r, "largest force of it, EI / l^2", go[0].force, force, go[0].force / force - 1.0, 1e-6, 3e-6);
    mn_verify_at_most(r, "energy over 2 tan^2 of half the bend, most of 170 to 181 degrees", over, 1.0 + 1e-9,
                      1.0 + 1e-9);
    mn_verify_at_least(r, "growth of the energy from 170 degrees on to 180, least", growth, 0.0, 0.0);
    mn_verify_at_most(r, "let go: elastic and kinetic energy over that at the start", gain, 1.0, 1.0);
    return MN_OK;
}

// --- S4.9 ---

mn_status mn_s4_helix(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const int32_t         edges  = tier == MN_TIER_BUILD ? 60 : 200;
    const double          radius = 0.3, pitch = 0.8, turns = 3.0;
    const mn_rod_material m = { .radius         = 0.005,
                                .young          = 1e9,
                                .shear          = 4e8,
                                .density        = 1.3,
                                .viscosity      = 1e6,
                                .stretch_factor = 1.0 };
    mn_s4_rod             rod;
    mn_status             status = mn_s4_begin(c, edges + 1, false, &rod);
    if (status == MN_OK) {
        for (int32_t i = 0; i <= edges; i++) {
            const double a = 2.0 * MN_PI * turns * i / edges;
            rod.x[i]       = mn_v3(radius * cos(a), radius * sin(a), pitch * a / (2.0 * MN_PI));
        }
        status = mn_s4_build(&rod, &m, false, MN_ROD_REST_POSE);
    }
    if (status == MN_OK) {
        const mn_vec3 e = mn_sub3(rod.x[1], rod.x[0]), start = rod.x[0];
        for (int32_t i = 0; i <= edges; i++) rod.x[i] = mn_add3(start, mn_scale3(i, e));
        mn_rod_network_place(&rod.net, rod.x);
        mn_s4_clamp_root(&rod);
        rod.def.h              = 1e-3;
        rod.def.max_iterations = 1000;
    }
    for (int k = 0; k < 500 && status == MN_OK; k++) status = mn_s4_step(&rod);
    rod.def.h = INFINITY;
    if (status == MN_OK) status = mn_s4_step(&rod);
    // The root is that of the rest pose, so its axis is the z axis again.
    double mean = 0.0, worst = 0.0, climb = NAN;
    if (status == MN_OK) {
        for (int32_t i = 0; i <= edges; i++) mean += hypot(rod.x[i].x, rod.x[i].y) / (edges + 1);
        for (int32_t i = 0; i <= edges; i++) worst = fmax(worst, fabs(hypot(rod.x[i].x, rod.x[i].y) - mean));
        climb = (rod.x[edges].z - rod.x[0].z) / turns;
    }
    mn_s4_end(&rod);
    if (status != MN_OK) return status;
    mn_verify_value(r, "radius of the helix, cm", mean, radius, mean / radius - 1.0, 5e-3, 1.5e-2);
    mn_verify_value(r, "pitch of the helix, cm", climb, pitch, climb / pitch - 1.0, 5e-3, 1.5e-2);
    mn_verify_at_most(r, "spread of the radius along it, relative", worst / radius, 5e-3, 1.5e-2);
    return MN_OK;
}
