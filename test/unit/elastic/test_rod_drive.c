// SPDX-License-Identifier: MPL-2.0
// Strands stepped on their own: rest, energy, momentum, damping, buckling, closed strands (rod.C7, C8, C13, C15-C17,
// C21).
#include "failing_memory.h"

#include "elastic/rod_drive.h"

#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
enum { MOST = 200 };

typedef struct rig {
    mn_context      *c;
    int32_t          vertex[MOST], count;
    mn_vec3          x[MOST], v[MOST], force[MOST];
    double           mass[MOST], inertia[MOST];
    uint8_t          held_vertex[MOST], held_edge[MOST];
    mn_rod_network   net;
    mn_rod_drive     drive;
    mn_rod_drive_def def;
} rig;

/// Positions are set before; they are the rest pose.
static void build(rig *r, int threads, int32_t count, bool closed, mn_rod_rest rest, mn_rod_material m)
{
    r->c     = test_context(threads);
    r->count = count;
    for (int32_t i = 0; i < count; i++) r->vertex[i] = i;
    memset(r->v, 0, sizeof r->v), memset(r->force, 0, sizeof r->force), memset(r->mass, 0, sizeof r->mass);
    memset(r->held_vertex, 0, sizeof r->held_vertex), memset(r->held_edge, 0, sizeof r->held_edge);
    const mn_rod_strand_def  s   = { .vertex   = r->vertex,
                                     .count    = count,
                                     .closed   = closed,
                                     .rest     = rest,
                                     .curl     = 1.0,
                                     .material = m };
    const mn_rod_network_def def = { &s, 1, r->x, count };
    assert_int_equal(mn_rod_network_create(r->c, &def, &r->net), MN_OK);
    assert_int_equal(mn_rod_drive_create(&r->net, &r->drive), MN_OK);
    mn_rod_network_masses(&r->net, r->mass, r->inertia);
    r->def             = mn_rod_drive_def_default(1e-4);
    r->def.mass        = r->mass;
    r->def.inertia     = r->inertia;
    r->def.force       = r->force;
    r->def.held_vertex = r->held_vertex;
    r->def.held_edge   = r->held_edge;
}

static void end(rig *r)
{
    mn_rod_drive_destroy(&r->drive);
    mn_rod_network_destroy(&r->net);
    test_context_end(&r->c);
}

static void step(rig *r)
{
    mn_rod_drive_report report;
    assert_int_equal(mn_rod_drive_step(&r->drive, &r->def, r->x, r->v, &report), MN_OK);
    if (report.failed != 0) fail_msg("no convergence: %d iterations, change %g", report.iterations, report.change);
}

static mn_rod_material soft(double viscosity)
{
    return (mn_rod_material){ .radius         = 0.005,
                              .young          = 3.4e9,
                              .shear          = 1.3e9,
                              .density        = 1.3,
                              .viscosity      = viscosity,
                              .stretch_factor = 1.0 };
}

static void helix(rig *r, int32_t count)
{
    for (int32_t i = 0; i < count; i++) r->x[i] = mn_v3(0.2 * cos(0.4 * i), 0.2 * sin(0.4 * i), 0.03 * i);
}

static void a_helix_at_rest_stays(void **state)  // rod.C7
{
    (void)state;
    static rig r;
    for (int newton = 0; newton < 2; newton++) {
        helix(&r, 40);
        build(&r, 1, 40, false, MN_ROD_REST_POSE, soft(0.0));
        r.def.newton = newton;
        r.def.policy = newton ? MN_ROD_FULL : MN_ROD_GAUSS_NEWTON;
        r.def.h      = 1e-3;
        for (int k = 0; k < 1000; k++) step(&r);
        for (int32_t i = 0; i < r.count; i++) assert_less(mn_norm3(r.v[i]), 1e-9);
        end(&r);
    }
}

static void a_cantilever_sags_under_its_weight(void **state)  // rod.C8
{
    (void)state;
    static rig   r;
    const double l = 1.0 / 39.5;  // clamped at the middle of its first edge
    for (int32_t i = 0; i < 41; i++) r.x[i] = mn_v3((i - 0.5) * l, 0, 0);
    build(&r, 1, 41, false, MN_ROD_REST_STRAIGHT, soft(0.0));
    r.held_vertex[0] = r.held_vertex[1] = 7, r.held_edge[0] = 1;
    for (int32_t i = 0; i < r.count; i++) r.force[i] = mn_v3(0, -981.0 * r.mass[i], 0);
    r.def.h = INFINITY;
    step(&r);
    assert_near(-r.x[40].y / 0.00750, 1.0, 0.01);
    end(&r);
}

static double energy_of(rig *r)
{
    const mn_rod_sums s = mn_rod_network_energy(&r->net, r->x, NULL);
    double            e = s.stretch + s.bend + s.twist + s.fold;
    for (int32_t i = 0; i < r->count; i++) e += 0.5 * r->mass[i] * mn_dot3(r->v[i], r->v[i]);
    for (int32_t k = 0; k < r->net.edges.count; k++)
        e += 0.5 * r->inertia[k] * r->net.edges.angle_rate[0][k] * r->net.edges.angle_rate[0][k];
    return e;
}

/// A helix thrown about: every vertex gets a velocity, smooth along the strand.
static void throw(rig * r)
{
    for (int32_t i = 0; i < r->count; i++)
        r->v[i] = mn_v3(20.0 * sin(0.2 * i), 15.0 * cos(0.15 * i), 10.0 * sin(0.1 * i + 1.0));
}

static void energy_never_grows_and_momentum_is_kept(void **state)  // rod.C15, rod.C17
{
    (void)state;
    static rig r;
    for (int k = 0; k < 2; k++) {
        helix(&r, 30);
        build(&r, 1, 30, false, MN_ROD_REST_POSE, soft(k * 1e5));
        throw(&r);
        mn_vec3 momentum = mn_v3(0, 0, 0);
        double  size     = 0.0;
        for (int32_t i = 0; i < r.count; i++)
            momentum = mn_add3(momentum, mn_scale3(r.mass[i], r.v[i])), size += r.mass[i] * mn_norm3(r.v[i]);
        r.def.tolerance = 1e-12;
        double before   = energy_of(&r);
        for (int n = 0; n < 100; n++) {
            static mn_vec3 v[MOST];
            static double  rate[MOST], tangent[3][MOST];
            memcpy(v, r.v, sizeof v);
            memcpy(rate, r.net.edges.angle_rate[0], (size_t)r.net.edges.count * sizeof *rate);
            for (int a = 0; a < 3; a++)
                memcpy(tangent[a], r.net.edges.tangent[a], (size_t)r.net.edges.count * sizeof(double));
            step(&r);
            const double after = energy_of(&r);
            assert_true(after <= before * (1.0 + 1e-9));
            before = after;
            // Backward Euler loses h sum m v+ x v of its own; the moments of the internal forces vanish exactly when
            // the change of spin is taken about the mean of old and new tangent.
            mn_vec3 sum   = mn_v3(0, 0, 0);
            double  scale = 0.0;
            for (int32_t i = 0; i < r.count; i++) {
                const mn_vec3 part = mn_scale3(r.mass[i], mn_cross3(r.x[i], mn_sub3(r.v[i], v[i])));
                sum                = mn_add3(sum, part), scale += mn_norm3(part);
            }
            for (int32_t e = 0; e < r.net.edges.count; e++) {
                const mn_vec3 a = mn_v3(tangent[0][e], tangent[1][e], tangent[2][e]);
                const mn_vec3 b = mn_v3(r.net.edges.tangent[0][e], r.net.edges.tangent[1][e],
                                        r.net.edges.tangent[2][e]);
                sum             = mn_add3(sum,
                                          mn_scale3(r.inertia[e] * (r.net.edges.angle_rate[0][e] - rate[e]) / (1.0 + mn_dot3(a, b)),
                                                    mn_add3(a, b)));
            }
            assert_less(mn_norm3(sum), 1e-10 * scale);
        }
        mn_vec3 now = mn_v3(0, 0, 0);
        for (int32_t i = 0; i < r.count; i++) now = mn_add3(now, mn_scale3(r.mass[i], r.v[i]));
        assert_less(mn_norm3(mn_sub3(now, momentum)), 1e-10 * size);
        end(&r);
    }
}

static double stretch_left(double steps_per_tau)
{
    static rig            r;
    const mn_rod_material m   = { .radius         = 0.01,
                                  .young          = 1e6,
                                  .shear          = 4e5,
                                  .density        = 1e-9,
                                  .viscosity      = 1e3,
                                  .stretch_factor = 1.0 };
    const double          tau = 3.0 * m.viscosity / m.young;
    r.x[0] = mn_v3(0, 0, 0), r.x[1] = mn_v3(1, 0, 0);
    build(&r, 1, 2, false, MN_ROD_REST_POSE, m);
    r.held_vertex[0] = 7;
    r.x[1].x         = 1.01;
    r.def.h          = tau / steps_per_tau;
    r.def.tolerance  = 1e-13;
    for (int k = 0; k < (int)steps_per_tau; k++) step(&r);
    const double left = (r.x[1].x - 1.0) / 0.01;
    end(&r);
    return left;
}

static void viscosity_relaxes_at_its_time(void **state)  // rod.C16
{
    (void)state;
    const double coarse = stretch_left(50) / exp(-1.0) - 1.0, fine = stretch_left(100) / exp(-1.0) - 1.0;
    assert_near(fine, 0.0, 0.01);
    assert_near(log2(coarse / fine), 1.0, 0.1);
}

/// Straight rod wound by `rotation` between clamps at the middles of its end edges, under tension T.
static bool wound_rod_buckles(double rotation, double tension, int32_t edges, double length)
{
    static rig   r;
    const double l = length / (edges - 1);
    for (int32_t i = 0; i <= edges; i++) r.x[i] = mn_v3((i - 0.5) * l, 0, 0);
    build(&r, 1, edges + 1, false, MN_ROD_REST_STRAIGHT, soft(0.0));
    for (int32_t i = 0; i <= edges; i++) r.held_vertex[i] = 6;
    r.held_vertex[0] = r.held_vertex[1] = 7;
    for (int32_t e = 0; e < edges; e++) r.net.edges.angle[0][e] = rotation * e / (edges - 1);
    r.held_edge[0] = r.held_edge[edges - 1] = 1;
    r.force[edges - 1]                      = mn_v3(tension, 0, 0);
    r.def.h                                 = INFINITY;
    step(&r);
    r.held_edge[0] = r.held_edge[edges - 1] = 1;
    for (int32_t i = 2; i < edges - 1; i++) r.held_vertex[i] = 0;
    int32_t negative;
    assert_int_equal(mn_rod_drive_unstable(&r.drive, &r.def, 0, r.x, &negative), MN_OK);
    end(&r);
    return negative > 0;
}

static double critical_moment(double tension, int32_t edges, double length, double low, double high)
{
    const double k_t = soft(0.0).shear * 0.5 * PI * pow(0.005, 4.0);
    for (int k = 0; k < 16; k++) {
        const double middle = 0.5 * (low + high);
        if (wound_rod_buckles(middle * length / k_t, tension, edges, length)) high = middle;
        else low = middle;
    }
    return low;
}

static void wound_rods_buckle_at_greenhills_moment(void **state)  // rod.C13
{
    (void)state;
    const double ei = soft(0.0).young * 0.25 * PI * pow(0.005, 4.0);
    assert_near(critical_moment(0.0, 60, 2.0, 4.0 * ei / 2.0, 14.0 * ei / 2.0) / (8.987 * ei / 2.0), 1.0, 0.05);
    // Long: clamps at the ends raise it by 4 pi^2 EI / (T L^2) / 2 at most, here 0.5 %.
    const double length = 10.0, tension = 40.0 * ei, expected = 2.0 * sqrt(ei * tension);
    assert_near(critical_moment(tension, 150, length, 0.5 * expected, 1.5 * expected) / expected, 1.0, 0.05);
}

static void a_closed_strand_has_no_first_vertex(void **state)  // rod.C21
{
    (void)state;
    static rig     r;
    static mn_vec3 result[2][MOST];
    enum { N = 31 };
    for (int shifted = 0; shifted < 2; shifted++) {
        for (int32_t i = 0; i < N; i++) {
            const double a = 2.0 * PI * ((i + (shifted ? 9 : 0)) % N) / N;
            r.x[i]         = mn_v3(cos(a), 0.8 * sin(a), 0.2 * sin(3.0 * a));
        }
        build(&r, 1, N, true, MN_ROD_REST_STRAIGHT, soft(1e4));
        // The closing vertex begins with all the twist that the shape asks for: spread it, or the two rings differ.
        double twist = 0.0, at = 0.0;
        for (int32_t i = 0; i < N; i++) twist += r.net.corners.reference_twist[0][i] / N;
        for (int32_t i = 1; i < N; i++) r.net.edges.angle[0][i] = at += twist - r.net.corners.reference_twist[0][i];
        r.def.tolerance = 1e-12;
        for (int k = 0; k < 3; k++) step(&r);
        for (int32_t i = 0; i < N; i++) result[shifted][(i + (shifted ? 9 : 0)) % N] = r.x[i];
        end(&r);
    }
    for (int32_t i = 0; i < N; i++) assert_less(mn_norm3(mn_sub3(result[0][i], result[1][i])), 1e-10);
}

static void a_held_root_follows_its_script(void **state)
{
    (void)state;
    static rig r;
    for (int newton = 0; newton < 2; newton++) {
        for (int32_t i = 0; i < 20; i++) r.x[i] = mn_v3(0.1 * i, 0, 0);
        build(&r, 1, 20, false, MN_ROD_REST_STRAIGHT, soft(1e5));
        r.def.newton     = newton;
        r.def.policy     = MN_ROD_PROJECTED;
        r.held_vertex[0] = r.held_vertex[1] = 7, r.held_edge[0] = 1;
        for (int k = 0; k < 20; k++) {
            r.v[0] = r.v[1]              = mn_v3(0, 3.0, 0);
            r.net.edges.angle_rate[0][0] = 2.0;
            step(&r);
            assert_near(r.x[0].y, 3e-4 * (k + 1), 1e-15);
            assert_near(r.net.edges.angle[0][0], 2e-4 * (k + 1), 1e-15);
        }
        assert_true(r.x[2].y > 1e-5);
        end(&r);
    }
}

static void strands_that_meet_are_refused(void **state)
{
    (void)state;
    mn_context              *c    = test_context(1);
    const mn_vec3            x[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 }, { 1, 1, 0 } };
    static const int32_t     a[3] = { 0, 1, 2 }, b[2] = { 1, 3 };
    const mn_rod_strand_def  s[2] = { { .vertex = a, .count = 3, .curl = 1.0, .material = soft(0) },
                                      { .vertex = b, .count = 2, .curl = 1.0, .material = soft(0) } };
    const mn_rod_network_def def  = { s, 2, x, 4 };
    mn_rod_network           net;
    mn_rod_drive             drive;
    assert_int_equal(mn_rod_network_create(c, &def, &net), MN_OK);
    assert_int_equal(mn_rod_drive_create(&net, &drive), MN_ERR_ARGUMENT);
    mn_rod_network_destroy(&net);
    test_context_end(&c);
}

/// Grants `left` requests and refuses the next.
typedef struct building {
    mn_context              *context;
    const mn_rod_network_def network;
    bool                     driven;
} building;

static mn_status build_network(failing_memory *m, void *user)
{
    const building *b = user;
    mn_rod_network  net;
    mn_rod_drive    drive;
    (void)m;
    mn_status status = mn_rod_network_create(b->context, &b->network, &net);
    if (status != MN_OK) return status;
    if (b->driven) status = mn_rod_drive_create(&net, &drive);
    if (b->driven && status == MN_OK) mn_rod_drive_destroy(&drive);
    mn_rod_network_destroy(&net);
    return status;
}

static void refused_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    failing_memory memory = PLENTY_OF_MEMORY;
    mn_context    *c      = failing_context(&memory);
    const mn_vec3  x[7] = { { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 }, { 1, 1, 0 }, { 5, 0, 0 }, { 6, 0, 0 }, { 5, 1, 0 } };
    static const int32_t    a[3] = { 0, 1, 2 }, b[2] = { 1, 3 }, ring[3] = { 4, 5, 6 };
    const mn_rod_strand_def s[3] = { { .vertex = a, .count = 3, .curl = 1.0, .material = soft(0) },
                                     { .vertex = ring, .count = 3, .closed = true, .curl = 1.0, .material = soft(0) },
                                     { .vertex = b, .count = 2, .curl = 1.0, .material = soft(0) } };
    for (int junction = 0; junction < 2; junction++) {
        building all = { c, { s, 2 + junction, x, 7 }, !junction };
        assert_true(survives_every_failing_allocation(&memory, build_network, &all, NULL) > 30);
    }
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_helix_at_rest_stays),
        cmocka_unit_test(a_cantilever_sags_under_its_weight),
        cmocka_unit_test(energy_never_grows_and_momentum_is_kept),
        cmocka_unit_test(viscosity_relaxes_at_its_time),
        cmocka_unit_test(wound_rods_buckle_at_greenhills_moment),
        cmocka_unit_test(a_closed_strand_has_no_first_vertex),
        cmocka_unit_test(a_held_root_follows_its_script),
        cmocka_unit_test(strands_that_meet_are_refused),
        cmocka_unit_test(refused_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
