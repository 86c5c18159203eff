// SPDX-License-Identifier: MPL-2.0
// Networks of strands: rigid motion, balance, junctions, blocks, the twist system, frames (rod.C3-C6, C11, C14, C21-C23).
#include "testing.h"

#include "base/random.h"
#include "elastic/rod_network.h"

#include <string.h>

#define PI 3.14159265358979323846
enum { MOST = 400 };

static double uniform(uint64_t id, uint64_t lane) { return 2.0 * mn_random(13, id, 0, lane) - 1.0; }

static mn_rod_material yarn(void)
{
    return (mn_rod_material){ .radius = 0.02, .young = 1e6, .shear = 4e5, .density = 1.0, .viscosity = 0.0, .stretch_factor = 1.0 };
}

static int32_t numbers[MOST];
static mn_rod_strand_def strand(int32_t first, int32_t count, bool closed, mn_rod_rest rest)
{
    for (int32_t i = 0; i < MOST; i++) numbers[i] = i;
    return (mn_rod_strand_def){ .vertex = numbers + first, .count = count, .closed = closed, .rest = rest, .curl = 1.0, .material = yarn() };
}

static mn_rod_network network_of(mn_context *c, const mn_rod_strand_def *s, int32_t count, const mn_vec3 *rest, int32_t vertices)
{
    mn_rod_network           net;
    const mn_rod_network_def def = { s, count, rest, vertices };
    assert_int_equal(mn_rod_network_create(c, &def, &net), MN_OK);
    return net;
}

/// A curve with bends and some space to all sides; noise makes it a pose of its own.
static void wiggle(mn_vec3 *x, int32_t count, double noise)
{
    for (int32_t i = 0; i < count; i++) {
        const double s = 0.3 * i;
        x[i] = mn_v3(s + noise * uniform((uint64_t)i, 0), 0.4 * sin(1.3 * s) + noise * uniform((uint64_t)i, 1), 0.3 * cos(0.9 * s) + noise * uniform((uint64_t)i, 2));
    }
}

static void evaluate_all(mn_rod_network *net, const mn_vec3 *x, const double *angle, mn_vec3 *force, double *torque, mn_rod_sums *sums)
{
    memset(force, 0, (size_t)net->vertex_count * sizeof *force);
    mn_rod_network_evaluate(net, x, angle, MN_ROD_GAUSS_NEWTON, sums);
    mn_rod_network_add_forces(net, force);
    mn_rod_network_torques(net, torque);
}

static double total(mn_rod_sums s) { return s.stretch + s.bend + s.twist + s.fold + s.viscous; }

static void forces_are_minus_the_gradient_of_the_energy(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_vec3     rest[MOST], x[MOST], force[MOST];
    double      angle[MOST], torque[MOST];
    wiggle(rest, 12, 0.0);
    rest[12] = mn_add3(rest[5], mn_v3(0.1, 0.3, 0.2)), rest[13] = mn_add3(rest[12], mn_v3(0.1, 0.2, 0.2));
    mn_rod_strand_def s[2] = { strand(0, 12, false, MN_ROD_REST_POSE), strand(0, 3, false, MN_ROD_REST_POSE) };
    static const int32_t branch[3] = { 13, 12, 5 };            // ends at the junction: runs in backwards for one pair
    s[1].vertex = branch;
    s[0].material.viscosity = 1e4;
    mn_rod_network net = network_of(c, s, 2, rest, 14);
    assert_int_equal(mn_rod_network_corners(&net), 9 + 1 + 2);
    memcpy(x, rest, sizeof x);
    for (int i = 0; i < 14; i++) x[i] = mn_add3(x[i], mn_scale3(0.02, mn_v3(uniform(99, (uint64_t)i), uniform(98, (uint64_t)i), uniform(97, (uint64_t)i))));
    mn_rod_network_begin(&net, rest, 1e-2);
    // Forces are those of frames that turn with their edges: exact where the frames stand, so advance them to x.
    mn_rod_network_accept(&net, x, NULL, 0.0);
    for (int e = 0; e < net.edges.count; e++) angle[e] = 0.3 * uniform(5, (uint64_t)e);
    mn_rod_sums sums;
    evaluate_all(&net, x, angle, force, torque, &sums);
    double size = 0.0;
    for (int i = 0; i < 14; i++) size = fmax(size, mn_norm3(force[i]));
    for (int i = 0; i < 14; i++)
        for (int n = 0; n < 3; n++) {
            mn_vec3 q[2][MOST];
            double  e[2];
            for (int k = 0; k < 2; k++) {
                memcpy(q[k], x, sizeof x);
                ((double *)&q[k][i])[n] += k == 0 ? -1e-6 : 1e-6;
                e[k] = total(mn_rod_network_energy(&net, q[k], angle));
            }
            assert_near(-(e[1] - e[0]) / 2e-6, ((double *)&force[i])[n], 1e-7 * size);
        }
    for (int k = 0; k < net.edges.count; k++) {
        double e[2];
        for (int n = 0; n < 2; n++) {
            double moved[MOST];
            memcpy(moved, angle, sizeof moved);
            moved[k] += n == 0 ? -1e-5 : 1e-5;
            e[n] = total(mn_rod_network_energy(&net, x, moved));
        }
        assert_near(-(e[1] - e[0]) / 2e-5, torque[k], 1e-7 * size);
    }
    mn_rod_network_destroy(&net);
    test_context_end(&c);
}

static void rigid_motion_costs_nothing_and_forces_balance(void **state)     // rod.C3, rod.C4, rod.C22
{
    (void)state;
    mn_context *c = test_context(1);
    mn_vec3     rest[MOST], x[MOST], force[MOST];
    double      torque[MOST];
    wiggle(rest, 10, 0.0);
    rest[10] = mn_add3(rest[4], mn_v3(0.0, 0.4, 0.2)), rest[11] = mn_add3(rest[10], mn_v3(0.0, 0.3, 0.3));
    mn_rod_strand_def    s[2] = { strand(0, 10, false, MN_ROD_REST_POSE), strand(0, 3, false, MN_ROD_REST_POSE) };
    static const int32_t branch[3] = { 4, 10, 11 };
    s[1].vertex        = branch;
    mn_rod_network net = network_of(c, s, 2, rest, 12);
    const double   bending = yarn().young * 0.25 * PI * pow(0.02, 4.0) / 0.3;

    const mn_mat3 turn = mn_rotation3(mn_unit3(mn_v3(1, 2, 3), mn_v3(1, 0, 0)), 0.7);
    for (int i = 0; i < 12; i++) x[i] = mn_add3(mn_mul3(turn, rest[i]), mn_v3(3, -2, 1));
    for (int32_t e = 0; e < net.edges.count; e++) mn_rod_network_turn_edge(&net, e, turn);
    // Stretch alone carries rounding of the coordinates, k_s / l times 1e-32; bending and twist are judged at EI / l.
    const mn_rod_sums moved = mn_rod_network_energy(&net, x, NULL);
    assert_less(moved.bend + moved.twist + moved.stretch, 1e-12 * bending);

    for (int i = 0; i < 12; i++) x[i] = mn_add3(x[i], mn_scale3(0.05, mn_v3(uniform(1, (uint64_t)i), uniform(2, (uint64_t)i), uniform(3, (uint64_t)i))));
    mn_rod_sums sums;
    evaluate_all(&net, x, NULL, force, torque, &sums);
    mn_vec3 sum = mn_v3(0, 0, 0), moment = sum;
    double  largest = 0.0;
    for (int i = 0; i < 12; i++) {
        sum     = mn_add3(sum, force[i]);
        moment  = mn_add3(moment, mn_cross3(x[i], force[i]));
        largest = fmax(largest, mn_norm3(force[i]));
    }
    // Torques on angles act about the tangents.
    for (int32_t e = 0; e < net.edges.count; e++) moment = mn_add3(moment, mn_scale3(torque[e], net.side[e].tangent));
    assert_less(mn_norm3(sum), 1e-10 * largest);
    assert_less(mn_norm3(moment), 1e-10 * largest);
    assert_true(fabs(torque[net.first_edge[1]]) > 0.0);          // moment and torque pass into the branch
    mn_rod_network_destroy(&net);
    test_context_end(&c);
}

static void a_cut_and_mended_strand_equals_the_whole_one(void **state)     // rod.C22
{
    (void)state;
    mn_context *c = test_context(1);
    for (int rest_kind = 0; rest_kind < 2; rest_kind++)
        for (int reversed = 0; reversed < 2; reversed++) {
            mn_vec3 rest[MOST], x[MOST], force[2][MOST];
            double  torque[2][MOST];
            wiggle(rest, 9, 0.0);
            wiggle(x, 9, 0.03);
            mn_rod_strand_def whole = strand(0, 9, false, (mn_rod_rest)rest_kind), parts[2] = { strand(0, 5, false, (mn_rod_rest)rest_kind), strand(4, 5, false, (mn_rod_rest)rest_kind) };
            static const int32_t backwards[5] = { 8, 7, 6, 5, 4 };
            if (reversed) parts[1].vertex = backwards;
            mn_rod_network net[2] = { network_of(c, &whole, 1, rest, 9), network_of(c, parts, 2, rest, 9) };
            assert_int_equal(mn_rod_network_corners(&net[1]), 7);
            mn_rod_sums sums[2];
            for (int k = 0; k < 2; k++) evaluate_all(&net[k], x, NULL, force[k], torque[k], &sums[k]);
            double largest = 0.0;
            for (int i = 0; i < 9; i++) largest = fmax(largest, mn_norm3(force[0][i]));
            assert_near(total(sums[1]) / total(sums[0]), 1.0, 1e-10);
            for (int i = 0; i < 9; i++) assert_less(mn_norm3(mn_sub3(force[0][i], force[1][i])), 1e-10 * largest);
            for (int e = 0; e < 8; e++) assert_near(torque[1][e], reversed && e >= 4 ? -torque[0][11 - e] : torque[0][e], 1e-10 * largest);
            for (int k = 0; k < 2; k++) mn_rod_network_destroy(&net[k]);
        }
    test_context_end(&c);
}

static void a_ring_has_its_discrete_energy_and_no_first_vertex(void **state)     // rod.C6, rod.C21
{
    (void)state;
    mn_context  *c = test_context(1);
    double       error[2];
    const double ei = yarn().young * 0.25 * PI * pow(0.02, 4.0);
    for (int k = 0; k < 2; k++) {
        const int n = 40 << k;
        mn_vec3   x[MOST];
        for (int i = 0; i < n; i++) x[i] = mn_v3(cos(2.0 * PI * i / n), sin(2.0 * PI * i / n), 0);
        const mn_rod_strand_def s = strand(0, n, true, MN_ROD_REST_STRAIGHT);
        mn_rod_network net = network_of(c, &s, 1, x, n);
        const double   l = 2.0 * sin(PI / n), energy = mn_rod_network_energy(&net, x, NULL).bend;
        assert_near(energy / (0.5 * n * ei / l * pow(2.0 * tan(PI / n), 2.0)), 1.0, 1e-12);
        error[k] = energy / (PI * ei) - 1.0;
        mn_rod_network_destroy(&net);
    }
    assert_near(log2(error[0] / error[1]), 2.0, 0.02);

    // A wavy ring wound up by a turn, numbered from another vertex: the same forces.
    enum { N = 24 };
    mn_vec3 x[N], shifted[N], force[2][N];
    double  torque[2][N], angle[2][N];
    for (int i = 0; i < N; i++) x[i] = mn_v3(cos(2.0 * PI * i / N), sin(2.0 * PI * i / N), 0.2 * sin(6.0 * PI * i / N));
    for (int i = 0; i < N; i++) shifted[i] = x[(i + 7) % N];
    const mn_rod_strand_def s = strand(0, N, true, MN_ROD_REST_STRAIGHT);
    mn_rod_network net[2] = { network_of(c, &s, 1, x, N), network_of(c, &s, 1, shifted, N) };
    for (int k = 0; k < 2; k++) {
        // Wound by one turn at the closing vertex, then spread evenly by the angles.
        net[k].corners.reference_twist[0][0] += 2.0 * PI;
        double sum = 0.0, at = 0.0;
        for (int i = 0; i < N; i++) sum += net[k].corners.reference_twist[0][i];
        for (int i = 0; i < N; i++) {
            if (i > 0) at += sum / N - net[k].corners.reference_twist[0][i];
            angle[k][i] = at;
        }
        mn_rod_sums sums;
        evaluate_all(&net[k], k == 0 ? x : shifted, angle[k], force[k], torque[k], &sums);
        assert_true(fabs(sum) > 5.0);
        for (int e = 0; e < N; e++) assert_near(mn_rod_network_corner(&net[k], e, &net[k].side[(e + N - 1) % N], &net[k].side[e], angle[k][(e + N - 1) % N], angle[k][e]).strain.twist, sum / N, 1e-10);
    }
    double largest = 0.0;
    for (int i = 0; i < N; i++) largest = fmax(largest, mn_norm3(force[0][i]));
    for (int i = 0; i < N; i++) assert_less(mn_norm3(mn_sub3(force[1][i], force[0][(i + 7) % N])), 1e-10 * largest);
    for (int k = 0; k < 2; k++) mn_rod_network_destroy(&net[k]);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_minus_the_gradient_of_the_energy),
        cmocka_unit_test(rigid_motion_costs_nothing_and_forces_balance),
        cmocka_unit_test(a_cut_and_mended_strand_equals_the_whole_one),
        cmocka_unit_test(a_ring_has_its_discrete_energy_and_no_first_vertex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
