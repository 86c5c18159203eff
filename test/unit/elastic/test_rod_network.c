// SPDX-License-Identifier: MPL-2.0
// Networks of strands: rigid motion, balance, junctions, blocks, the twist system, frames (rod.C3-C6, C11, C14,
// C21-C23).
#include "testing.h"

#include "base/hash.h"
#include "base/random.h"
#include "elastic/rod_network.h"

#include <string.h>

#define PI 3.14159265358979323846
enum { MOST = 400 };

static double uniform(uint64_t id, uint64_t lane) { return 2.0 * mn_random(13, id, 0, lane) - 1.0; }

static mn_rod_material yarn(void)
{
    return (mn_rod_material){ .radius         = 0.02,
                              .young          = 1e6,
                              .shear          = 4e5,
                              .density        = 1.0,
                              .viscosity      = 0.0,
                              .stretch_factor = 1.0 };
}

static int32_t           numbers[MOST];
static mn_rod_strand_def strand(int32_t first, int32_t count, bool closed, mn_rod_rest rest)
{
    for (int32_t i = 0; i < MOST; i++) numbers[i] = i;
    return (mn_rod_strand_def){ .vertex   = numbers + first,
                                .count    = count,
                                .closed   = closed,
                                .rest     = rest,
                                .curl     = 1.0,
                                .material = yarn() };
}

static mn_rod_network network_of(mn_context *c, const mn_rod_strand_def *s, int32_t count, const mn_vec3 *rest,
                                 int32_t vertices)
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
        x[i] = mn_v3(s + noise * uniform((uint64_t)i, 0), 0.4 * sin(1.3 * s) + noise * uniform((uint64_t)i, 1),
                     0.3 * cos(0.9 * s) + noise * uniform((uint64_t)i, 2));
    }
}

static void evaluate_all(mn_rod_network *net, const mn_vec3 *x, const double *angle, mn_vec3 *force, double *torque,
                         mn_rod_sums *sums)
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
    mn_rod_strand_def    s[2]      = { strand(0, 12, false, MN_ROD_REST_POSE), strand(0, 3, false, MN_ROD_REST_POSE) };
    static const int32_t branch[3] = { 13, 12, 5 };  // ends at the junction: runs in backwards for one pair
    s[1].vertex                    = branch;
    s[0].material.viscosity        = 1e4;
    mn_rod_network net             = network_of(c, s, 2, rest, 14);
    assert_int_equal(mn_rod_network_corners(&net), 9 + 1 + 2);
    memcpy(x, rest, sizeof x);
    for (int i = 0; i < 14; i++)
        x[i] = mn_add3(x[i], mn_scale3(0.02, mn_v3(uniform(99, (uint64_t)i), uniform(98, (uint64_t)i),
                                                   uniform(97, (uint64_t)i))));
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

static void rigid_motion_costs_nothing_and_forces_balance(void **state)  // rod.C3, rod.C4, rod.C22
{
    (void)state;
    mn_context *c = test_context(1);
    mn_vec3     rest[MOST], x[MOST], force[MOST];
    double      torque[MOST];
    wiggle(rest, 10, 0.0);
    rest[10] = mn_add3(rest[4], mn_v3(0.0, 0.4, 0.2)), rest[11] = mn_add3(rest[10], mn_v3(0.0, 0.3, 0.3));
    mn_rod_strand_def    s[2]      = { strand(0, 10, false, MN_ROD_REST_POSE), strand(0, 3, false, MN_ROD_REST_POSE) };
    static const int32_t branch[3] = { 4, 10, 11 };
    s[1].vertex                    = branch;
    mn_rod_network net             = network_of(c, s, 2, rest, 12);
    const double   bending         = yarn().young * 0.25 * PI * pow(0.02, 4.0) / 0.3;

    const mn_mat3 turn = mn_rotation3(mn_unit3(mn_v3(1, 2, 3), mn_v3(1, 0, 0)), 0.7);
    for (int i = 0; i < 12; i++) x[i] = mn_add3(mn_mul3(turn, rest[i]), mn_v3(3, -2, 1));
    for (int32_t e = 0; e < net.edges.count; e++) mn_rod_network_turn_edge(&net, e, turn);
    // Stretch alone carries rounding of the coordinates, k_s / l times 1e-32; bending and twist are judged at EI / l.
    const mn_rod_sums moved = mn_rod_network_energy(&net, x, NULL);
    assert_less(moved.bend + moved.twist + moved.stretch, 1e-12 * bending);

    for (int i = 0; i < 12; i++)
        x[i] = mn_add3(x[i], mn_scale3(0.05, mn_v3(uniform(1, (uint64_t)i), uniform(2, (uint64_t)i),
                                                   uniform(3, (uint64_t)i))));
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
    assert_true(fabs(torque[net.first_edge[1]]) > 0.0);  // moment and torque pass into the branch
    mn_rod_network_destroy(&net);
    test_context_end(&c);
}

static void a_cut_and_mended_strand_equals_the_whole_one(void **state)  // rod.C22
{
    (void)state;
    mn_context *c = test_context(1);
    for (int rest_kind = 0; rest_kind < 2; rest_kind++)
        for (int reversed = 0; reversed < 2; reversed++) {
            mn_vec3 rest[MOST], x[MOST], force[2][MOST];
            double  torque[2][MOST];
            wiggle(rest, 9, 0.0);
            wiggle(x, 9, 0.03);
            mn_rod_strand_def whole           = strand(0, 9, false, (mn_rod_rest)rest_kind),
                              parts[2]        = { strand(0, 5, false, (mn_rod_rest)rest_kind),
                                                  strand(4, 5, false, (mn_rod_rest)rest_kind) };
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
            for (int e = 0; e < 8; e++)
                assert_near(torque[1][e], reversed && e >= 4 ? -torque[0][11 - e] : torque[0][e], 1e-10 * largest);
            for (int k = 0; k < 2; k++) mn_rod_network_destroy(&net[k]);
        }
    test_context_end(&c);
}

static void a_ring_has_its_discrete_energy_and_no_first_vertex(void **state)  // rod.C6, rod.C21
{
    (void)state;
    mn_context  *c = test_context(1);
    double       error[2];
    const double ei = yarn().young * 0.25 * PI * pow(0.02, 4.0);
    for (int k = 0; k < 2; k++) {
        const int n = 40 << k;
        mn_vec3   x[MOST];
        for (int i = 0; i < n; i++) x[i] = mn_v3(cos(2.0 * PI * i / n), sin(2.0 * PI * i / n), 0);
        const mn_rod_strand_def s   = strand(0, n, true, MN_ROD_REST_STRAIGHT);
        mn_rod_network          net = network_of(c, &s, 1, x, n);
        const double            l = 2.0 * sin(PI / n), energy = mn_rod_network_energy(&net, x, NULL).bend;
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
    const mn_rod_strand_def s      = strand(0, N, true, MN_ROD_REST_STRAIGHT);
    mn_rod_network          net[2] = { network_of(c, &s, 1, x, N), network_of(c, &s, 1, shifted, N) };
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
        for (int e = 0; e < N; e++)
            assert_near(mn_rod_network_corner(&net[k], e, &net[k].side[(e + N - 1) % N], &net[k].side[e],
                                              angle[k][(e + N - 1) % N], angle[k][e])
                            .strain.twist,
                        sum / N, 1e-10);
    }
    double largest = 0.0;
    for (int i = 0; i < N; i++) largest = fmax(largest, mn_norm3(force[0][i]));
    for (int i = 0; i < N; i++) assert_less(mn_norm3(mn_sub3(force[1][i], force[0][(i + 7) % N])), 1e-10 * largest);
    for (int k = 0; k < 2; k++) mn_rod_network_destroy(&net[k]);
    test_context_end(&c);
}

/// Many strands with branches and a ring: something of everything.
typedef struct crowd {
    mn_vec3           x[MOST];
    int32_t           vertex[MOST];
    mn_rod_strand_def strand[8];
    int32_t           count, vertices;
} crowd;

static void make_crowd(crowd *k)
{
    *k = (crowd){ .count = 6, .vertices = 200 };
    for (int i = 0; i < MOST; i++) k->vertex[i] = i;
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 40; i++) {
            const double t   = 0.2 * i;
            k->x[40 * s + i] = mn_v3(t, 2.0 * s + 0.3 * sin(t + s), 0.3 * cos(1.3 * t));
        }
        k->strand[s]                    = (mn_rod_strand_def){ .vertex   = k->vertex + 40 * s,
                                                               .count    = 40,
                                                               .rest     = s % 2 ? MN_ROD_REST_POSE : MN_ROD_REST_STRAIGHT,
                                                               .curl     = 0.8,
                                                               .material = yarn() };
        k->strand[s].material.viscosity = 100.0 * s;
    }
    for (int i = 0; i < 24; i++)
        k->x[160 + i] = mn_v3(3.0 + cos(2.0 * PI * i / 24), 9.0 + sin(2.0 * PI * i / 24), 0.1 * sin(6.0 * PI * i / 24));
    k->strand[4] = (mn_rod_strand_def){ .vertex   = k->vertex + 160,
                                        .count    = 24,
                                        .closed   = true,
                                        .curl     = 1.0,
                                        .material = yarn() };
    // A bridge from inside strand 0 to inside strand 1.
    for (int i = 1; i < 7; i++)
        k->x[190 + i] = mn_add3(mn_scale3(1.0 - i / 7.0, k->x[10]), mn_scale3(i / 7.0, k->x[55]));
    k->vertex[300] = 10, k->vertex[307] = 55;
    for (int i = 1; i < 7; i++) k->vertex[300 + i] = 190 + i;
    k->strand[5] = (mn_rod_strand_def){ .vertex = k->vertex + 300, .count = 8, .curl = 1.0, .material = yarn() };
    k->strand[5].material.radius = 0.015;
    for (int i = 0; i < 200; i++)
        if (k->x[i].x == 0.0 && k->x[i].y == 0.0 && k->x[i].z == 0.0) k->x[i] = mn_v3(-5, -5, i);
}

static void shake(const crowd *k, double size, mn_vec3 *x)
{
    for (int i = 0; i < k->vertices; i++)
        x[i] = mn_add3(k->x[i], mn_scale3(size, mn_v3(uniform((uint64_t)i, 50), uniform((uint64_t)i, 51),
                                                      uniform((uint64_t)i, 52))));
}

static void blocks_are_symmetric_and_the_slope_of_the_forces(void **state)
{
    (void)state;
    mn_context  *c = test_context(2);
    static crowd k;
    make_crowd(&k);
    mn_rod_network net = network_of(c, k.strand, k.count, k.x, k.vertices);
    static mn_vec3 x[MOST], moved[MOST], force[3][MOST], d[MOST], product[MOST];
    static double  torque[MOST];
    shake(&k, 0.02, x);
    mn_rod_network_begin(&net, k.x, 1e-2);
    mn_rod_network_accept(&net, x, NULL, 0.0);
    mn_block_matrix m;
    assert_int_equal(mn_block_matrix_create(c, k.vertices, mn_rod_network_cliques(&net), mn_rod_network_clique, &net,
                                            false, &m),
                     MN_OK);
    mn_rod_network_evaluate(&net, x, NULL, MN_ROD_FULL, NULL);
    assert_int_equal(mn_rod_network_add_blocks(&net, 1.0, &m), MN_OK);
    for (int32_t i = 0; i < k.vertices; i++)
        for (int64_t e = m.start[i]; e < m.start[i + 1]; e++) {
            const int64_t back = mn_block_matrix_find(&m, m.column[e], i);
            for (int n = 0; n < 9; n++) assert_true(m.block[9 * e + n] == m.block[9 * back + 3 * (n % 3) + n / 3]);
        }
    for (int i = 0; i < k.vertices; i++)
        d[i] = mn_v3(uniform((uint64_t)i, 60), uniform((uint64_t)i, 61), uniform((uint64_t)i, 62));
    mn_block_matrix_multiply(c, &m, &d[0].x, &product[0].x);
    mn_rod_sums sums;
    // The slope of the gradient along d is not symmetric where the frames have holonomy; its part along d is (rod.C2).
    double along[2], work = 0.0;
    for (int n = 0; n < 2; n++) {
        for (int i = 0; i < k.vertices; i++) moved[i] = mn_add3(x[i], mn_scale3(n == 0 ? -1e-5 : 1e-5, d[i]));
        evaluate_all(&net, moved, NULL, force[n], torque, &sums);
        along[n] = 0.0;
        for (int i = 0; i < k.vertices; i++) along[n] -= mn_dot3(force[n][i], d[i]);
    }
    for (int i = 0; i < k.vertices; i++) work += mn_dot3(d[i], product[i]);
    assert_near((along[1] - along[0]) / 2e-5 / work, 1.0, 1e-6);

    // Every policy but the exact one is positive semidefinite, and a smaller pattern is refused.
    for (int policy = 0; policy < 4; policy++) {
        if (policy == MN_ROD_FULL) continue;
        mn_block_matrix_zero(c, &m);
        mn_rod_network_evaluate(&net, x, NULL, (mn_rod_policy)policy, NULL);
        assert_int_equal(mn_rod_network_add_blocks(&net, 0.25, &m), MN_OK);
        for (uint64_t n = 0; n < 20; n++) {
            for (int i = 0; i < k.vertices; i++)
                d[i] = mn_v3(uniform((uint64_t)i, 70 + 3 * n), uniform((uint64_t)i, 71 + 3 * n),
                             uniform((uint64_t)i, 72 + 3 * n));
            mn_block_matrix_multiply(c, &m, &d[0].x, &product[0].x);
            double form = 0.0;
            for (int i = 0; i < k.vertices; i++) form += mn_dot3(d[i], product[i]);
            assert_true(form > 0.0);
        }
    }
    mn_block_matrix small;
    assert_int_equal(mn_block_matrix_create(c, k.vertices, 3, mn_rod_network_clique, &net, false, &small), MN_OK);
    assert_int_equal(mn_rod_network_add_blocks(&net, 1.0, &small), MN_ERR_ARGUMENT);
    mn_block_matrix_destroy(c, &small);
    mn_block_matrix_destroy(c, &m);
    mn_rod_network_destroy(&net);
    test_context_end(&c);
}

static void the_twist_system_solves_what_it_says(void **state)
{
    (void)state;
    mn_context  *c = test_context(1);
    static crowd k;
    make_crowd(&k);
    mn_rod_network net = network_of(c, k.strand, k.count, k.x, k.vertices);
    static mn_vec3 x[MOST], force[MOST];
    static double  torque[MOST], rate[MOST], left[MOST], inertia[MOST], moved[MOST], later[MOST];
    static uint8_t held[MOST];
    shake(&k, 0.02, x);
    const int64_t edges = net.edges.count;
    mn_rod_network_begin(&net, k.x, 1e-3);
    for (int e = 0; e < edges; e++) {
        net.edges.angle[0][e]      = 0.5 * uniform((uint64_t)e, 80);
        net.edges.angle_rate[0][e] = uniform((uint64_t)e, 81);
        held[e]                    = e % 17 == 3;
    }
    mn_rod_network_masses(&net, NULL, inertia);
    mn_rod_sums sums;
    evaluate_all(&net, x, NULL, force, torque, &sums);
    const mn_rod_twist_def def = { .h = 1e-3, .held = held };
    assert_int_equal(mn_rod_network_solve_twist(&net, &def, rate), MN_OK);
    // Multiply out: inertia and links from the evaluation, edge by edge.
    for (int e = 0; e < edges; e++) left[e] = inertia[e] * rate[e];
    for (int64_t q = 0; q < net.corners.count; q++) {
        const mn_rod_joint *j = &net.joint[q];
        const double       *t = net.twist_hessian[q], m = j->sign[1] * rate[j->edge[1]] - j->sign[0] * rate[j->edge[0]];
        for (int n = 0; n < 2; n++)
            left[j->edge[n]] += 1e-6 * ((n == 0 ? -1.0 : 1.0) * j->sign[n] * t[0] * m + t[1 + n] * rate[j->edge[n]]);
    }
    double size = 0.0;
    for (int e = 0; e < edges; e++) size = fmax(size, fabs(left[e]));
    for (int e = 0; e < edges; e++) {
        if (held[e]) assert_true(rate[e] == net.edges.angle_rate[0][e]);
        else assert_near(left[e], inertia[e] * net.edges.angle_rate[0][e] + 1e-3 * torque[e], 1e-12 * size);
    }
    // The links are the slope of the torques by the angles.
    memcpy(moved, net.edges.angle[0], (size_t)edges * sizeof *moved);
    moved[20] += 1e-6;
    evaluate_all(&net, x, moved, force, later, &sums);
    for (int64_t q = 0; q < net.corners.count; q++)
        if (net.joint[q].edge[0] == 20)
            assert_near((later[net.joint[q].edge[1]] - torque[net.joint[q].edge[1]]) / 1e-6, net.twist_hessian[q][0],
                        1e-5 * net.twist_hessian[q][0]);
    mn_rod_network_destroy(&net);
    test_context_end(&c);
}

static uint64_t hash_after_steps(int threads)
{
    mn_context  *c = test_context(threads);
    static crowd k;
    make_crowd(&k);
    mn_rod_network net = network_of(c, k.strand, k.count, k.x, k.vertices);
    static mn_vec3 x[MOST], v[MOST], force[MOST];
    static double  mass[MOST], rate[MOST];
    memset(v, 0, sizeof v), memset(mass, 0, sizeof mass);
    shake(&k, 0.01, x);
    mn_rod_network_masses(&net, mass, NULL);
    for (int n = 0; n < 10; n++) {
        memset(force, 0, sizeof force);
        mn_rod_network_begin(&net, x, 1e-6);
        mn_rod_network_evaluate(&net, x, NULL, MN_ROD_TENSION, NULL);
        mn_rod_network_add_forces(&net, force);
        const mn_rod_twist_def def = { .h = 1e-6 };
        assert_int_equal(mn_rod_network_solve_twist(&net, &def, rate), MN_OK);
        for (int i = 0; i < k.vertices; i++) {
            if (mass[i] > 0.0) v[i] = mn_add3(v[i], mn_scale3(1e-6 / mass[i], force[i]));
            x[i] = mn_add3(x[i], mn_scale3(1e-6, v[i]));
        }
        mn_rod_network_accept(&net, x, rate, 1e-6);
    }
    uint64_t hash = mn_fields_hash(&mn_rod_edge_table, &net.edges, net.edges.count, 0);
    hash          = mn_fields_hash(&mn_rod_corner_table, &net.corners, net.corners.count, hash);
    hash          = mn_hash_bytes(hash, x, (size_t)k.vertices * sizeof *x);
    mn_rod_network_destroy(&net);
    test_context_end(&c);
    return hash;
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    const uint64_t one = hash_after_steps(1);
    assert_true(hash_after_steps(2) == one);
    assert_true(hash_after_steps(3) == one);
}

static void a_frame_carried_round_a_triangle_returns_turned_by_its_area(void **state)  // rod.C14
{
    (void)state;
    mn_context             *c    = test_context(1);
    mn_vec3                 x[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 } };
    const mn_rod_strand_def s    = strand(0, 3, false, MN_ROD_REST_STRAIGHT);
    mn_rod_network          net  = network_of(c, &s, 1, x, 3);
    const mn_vec3        before  = mn_v3(net.edges.director[0][0], net.edges.director[1][0], net.edges.director[2][0]);
    static const mn_vec3 corner[4] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 } };  // an octant: pi / 2
    for (int k = 0; k < 3; k++)
        for (int n = 1; n <= 100; n++) {
            const double  a = 0.5 * PI * n / 100;
            const mn_vec3 t = mn_add3(mn_scale3(cos(a), corner[k]), mn_scale3(sin(a), corner[k + 1]));
            for (int i = 0; i < 3; i++) x[i] = mn_scale3(i, t);
            mn_rod_network_accept(&net, x, NULL, 0.0);
        }
    const mn_vec3 after = mn_v3(net.edges.director[0][0], net.edges.director[1][0], net.edges.director[2][0]);
    assert_near(mn_rod_angle(before, after, mn_v3(1, 0, 0)), 0.5 * PI, 1e-6);
    assert_near(net.corners.reference_twist[0][0], 0.0, 1e-12);
    mn_rod_network_destroy(&net);
    test_context_end(&c);
}

static void materials_by_poisson_and_bad_definitions(void **state)  // rod.C23
{
    (void)state;
    mn_context *c = test_context(1);
    assert_near(mn_rod_material_default().shear, 1.434e10, 1e7);
    assert_near(mn_rod_shear_of_poisson(6.6e7, 0.35), 2.444e7, 1e4);
    mn_vec3                  x[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1.01, 0, 0 }, { 2, 0, 0 } };
    mn_rod_strand_def        s    = strand(0, 4, false, MN_ROD_REST_POSE);
    const mn_rod_network_def def  = { &s, 1, x, 4 };
    mn_rod_network           net;
    assert_int_equal(mn_rod_network_create(c, &def, &net), MN_ERR_ARGUMENT);  // an edge shorter than its diameter
    assert_non_null(strstr(mn_context_error(c), "edge 1"));
    x[2].x           = 1.5;
    s.material.young = -1.0;
    assert_int_equal(mn_rod_network_create(c, &def, &net), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "young"));
    s = strand(2, 4, false, MN_ROD_REST_POSE);
    assert_int_equal(mn_rod_network_create(c, &def, &net), MN_ERR_ARGUMENT);
    s = strand(0, 1, false, MN_ROD_REST_POSE);
    assert_int_equal(mn_rod_network_create(c, &def, &net), MN_ERR_ARGUMENT);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_minus_the_gradient_of_the_energy),
        cmocka_unit_test(rigid_motion_costs_nothing_and_forces_balance),
        cmocka_unit_test(a_cut_and_mended_strand_equals_the_whole_one),
        cmocka_unit_test(blocks_are_symmetric_and_the_slope_of_the_forces),
        cmocka_unit_test(the_twist_system_solves_what_it_says),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(a_frame_carried_round_a_triangle_returns_turned_by_its_area),
        cmocka_unit_test(materials_by_poisson_and_bad_definitions),
        cmocka_unit_test(a_ring_has_its_discrete_energy_and_no_first_vertex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
