// SPDX-License-Identifier: MPL-2.0
// Corners of rods: derivatives against differences, the cap near 180 degrees, clamped Hessians (rod.C1, C2, C19, C20).
#include "testing.h"

#include "base/random.h"
#include "elastic/rod_corner.h"

#include <string.h>

static double uniform(uint64_t id, uint64_t lane) { return 2.0 * mn_random(7, id, 0, lane) - 1.0; }

/// A corner by its 8 variables: e, angle, f, angle; frames are carried from a base state.
typedef struct pose {
    mn_vec3 base_t[2], base_d[2];
    double  twist;  ///< reference twist of the base
    double  q[8];
} pose;

static mn_rod_side side_of(const pose *p, int j)
{
    const mn_vec3 e = mn_v3_from(p->q + 4 * j);
    const double  l = mn_norm3(e), a = p->q[4 * j + 3];
    const mn_vec3 t  = mn_scale3(1.0 / l, e);
    const mn_vec3 d1 = mn_rod_across(mn_rod_transport(p->base_d[j], p->base_t[j], t), t), d2 = mn_cross3(t, d1);
    return (mn_rod_side){ t, l, mn_add3(mn_scale3(cos(a), d1), mn_scale3(sin(a), d2)) };
}

static mn_rod_corner corner_of(const pose *p)
{
    const mn_rod_side e = side_of(p, 0), f = side_of(p, 1);
    return mn_rod_corner_at(&e, &f, p->twist + p->q[7] - p->q[3]);
}

/// Random lengths in [0.5, 1.5], turning angle as told, random angles; the base is the pose itself.
static pose random_pose(uint64_t id, double turning)
{
    pose          p  = { 0 };
    const mn_vec3 t  = mn_unit3(mn_v3(uniform(id, 0), uniform(id, 1), uniform(id, 2) + 0.1), mn_v3(1, 0, 0));
    const mn_vec3 n  = mn_rod_normal(t);
    const mn_vec3 u  = mn_mul3(mn_rotation3(mn_mul3(mn_rotation3(t, 3.0 * uniform(id, 3)), n), turning), t);
    const double  le = 1.0 + 0.5 * uniform(id, 4), lf = 1.0 + 0.5 * uniform(id, 5);
    const mn_vec3 edge[2] = { mn_scale3(le, t), mn_scale3(lf, u) };
    p.base_t[0] = t, p.base_t[1] = u;
    for (int j = 0; j < 2; j++) {
        p.base_d[j] = mn_mul3(mn_rotation3(p.base_t[j], 3.0 * uniform(id, 6 + (uint64_t)j)),
                              mn_rod_normal(p.base_t[j]));
        p.q[4 * j] = edge[j].x, p.q[4 * j + 1] = edge[j].y, p.q[4 * j + 2] = edge[j].z;
        p.q[4 * j + 3] = uniform(id, 8 + (uint64_t)j);
    }
    p.twist = 0.0;
    p.twist = corner_of(&p).strain.twist - (p.q[7] - p.q[3]);
    return p;
}

static double strain_number(const mn_rod_corner *c, int n)
{
    return n < 4 ? c->strain.kappa[n / 2][n % 2] : c->strain.twist;
}

/// Unit stress on one strain: its gradient and geometric Hessian then come out alone.
static mn_rod_load only(int n)
{
    mn_rod_load l = { 0 };
    if (n < 4) l.stress[n / 2][n % 2] = 1.0;
    else l.twist_stress = 1.0;
    return l;
}

static void flatten(const mn_rod_gradient *g, double out[8])
{
    for (int j = 0; j < 2; j++)
        out[4 * j] = g->edge[j].x, out[4 * j + 1] = g->edge[j].y, out[4 * j + 2] = g->edge[j].z,
                out[4 * j + 3] = g->angle[j];
}

static void gradients_of_strains_match_differences(void **state)  // rod.C1
{
    (void)state;
    for (uint64_t id = 0; id < 200; id++) {
        const pose          p = random_pose(id, fabs(uniform(id, 20)) * 150.0 / 180.0 * 3.14159265358979);
        const mn_rod_corner c = corner_of(&p);
        for (int n = 0; n < 5; n++) {
            const mn_rod_load     l = only(n);
            const mn_rod_gradient g = mn_rod_corner_gradient(&c, &l);
            double                exact[8], size = 1.0;
            flatten(&g, exact);
            for (int k = 0; k < 8; k++) size = fmax(size, fabs(exact[k]));
            for (int k = 0; k < 8; k++) {
                // Fourth order: the rounding of 1e-16 / d and the error d^4 balance near 1e-3 / size.
                const double d = 1e-3 / size;
                double       v[4];
                for (int s = 0; s < 4; s++) {
                    pose q = p;
                    q.q[k] += d * (s < 2 ? s - 2 : s - 1);
                    const mn_rod_corner cq = corner_of(&q);
                    v[s]                   = strain_number(&cq, n);
                }
                assert_near((v[0] - 8.0 * v[1] + 8.0 * v[2] - v[3]) / (12.0 * d), exact[k], 1e-7 * size);
            }
        }
    }
}

static void hessians_of_strains_match_second_differences(void **state)  // rod.C2
{
    (void)state;
    for (uint64_t id = 0; id < 200; id++) {
        const pose          p = random_pose(id + 1000, fabs(uniform(id, 20)) * 150.0 / 180.0 * 3.14159265358979);
        const mn_rod_corner c = corner_of(&p);
        for (int n = 0; n < 5; n++) {
            const mn_rod_load l = only(n);
            double            exact[8][8], size = 1.0;
            mn_rod_corner_hessian(&c, &l, MN_ROD_FULL, exact);
            for (int a = 0; a < 64; a++) size = fmax(size, fabs(exact[a / 8][a % 8]));
            for (int a = 0; a < 8; a++)
                for (int b = 0; b <= a; b++) {
                    const double d   = 3e-4 / sqrt(size);
                    double       sum = 0.0;
                    for (int s = 0; s < 4; s++) {
                        pose q = p;
                        q.q[a] += s & 1 ? d : -d;
                        q.q[b] += s & 2 ? d : -d;
                        const mn_rod_corner cq = corner_of(&q);
                        sum += ((s & 1) != 0) == ((s & 2) != 0) ? strain_number(&cq, n) : -strain_number(&cq, n);
                    }
                    assert_near(sum / (4.0 * d * d), exact[a][b], 1e-5 * size);
                }
        }
    }
}

static const mn_rod_strain    straight = { 0 };
static const mn_rod_stiffness none     = { 0 };

static double bending_at(double turning, double *slope)
{
    const pose             p = random_pose(3, turning);
    const mn_rod_corner    c = corner_of(&p);
    const mn_rod_stiffness k = { 0.5, 0.0 };  // EI = 1, l = 1
    const mn_rod_load      l = mn_rod_corner_load(&c, &straight, k, &straight, none);
    const mn_rod_gradient  g = mn_rod_corner_gradient(&c, &l);
    *slope                   = mn_norm3(g.edge[0]) * c.length[0];  // dE/d(turning angle): e turns about its own end
    return l.energy_bend + l.energy_fold;
}

static void the_cap_is_smooth_and_monotone(void **state)  // rod.C20
{
    (void)state;
    const double at = acos(MN_ROD_CHI_CAP - 1.0);
    double       below_slope, above_slope, slope;
    const double below = bending_at(at - 1e-9, &below_slope), above = bending_at(at + 1e-9, &above_slope);
    assert_near(above / below, 1.0, 1e-6);
    assert_near(above_slope / below_slope, 1.0, 1e-6);
    double last = 0.0;
    for (double degrees = 1.0; degrees <= 179.95; degrees += 0.05) {
        const double a = degrees * 3.14159265358979323846 / 180.0, d = 3e-5;
        double       unused;
        const double now = bending_at(a, &slope);
        assert_true(isfinite(now) && isfinite(slope));
        assert_true(now > last);
        last = now;
        // Fourth order: close to 180 degrees the slope itself changes within 1e-3.
        const double near           = bending_at(a + d, &unused) - bending_at(a - d, &unused);
        const double far            = bending_at(a + 2.0 * d, &unused) - bending_at(a - 2.0 * d, &unused);
        const double by_differences = (8.0 * near - far) / (12.0 * d);
        if (fabs(a - at) > 3.0 * d) assert_near(slope, by_differences, 1e-6 * fmax(1.0, slope));
    }
    assert_less(last, 800.0);
    assert_near(bending_at(3.14159265358979323846, &slope), 800.0, 1e-9);
}

static void twist_does_not_soften_a_bend(void **state)  // rod.C5, rod.C19
{
    (void)state;
    pose         p  = random_pose(11, 1.2);
    const double k2 = mn_dot3(corner_of(&p).kb, corner_of(&p).kb);
    for (int n = 0; n < 5; n++) {
        p.q[7]                = p.q[3] - p.twist + n * 0.5 * 3.14159265358979323846 / 2.0;
        const mn_rod_corner c = corner_of(&p);
        const mn_rod_load   l = mn_rod_corner_load(&c, &straight, (mn_rod_stiffness){ 0.5, 0.0 }, &straight, none);
        assert_near(c.strain.twist, n * 3.14159265358979323846 / 4.0, 1e-12);
        assert_near(l.energy_bend, 0.5 * k2, 1e-10);
        // The averaged pair of the older form loses cos^2 of half the twist.
        double averaged = 0.0;
        for (int a = 0; a < 2; a++) averaged += pow(0.5 * (c.strain.kappa[0][a] + c.strain.kappa[1][a]), 2.0);
        assert_near(averaged, k2 * pow(cos(0.5 * c.strain.twist), 2.0), 1e-10);
    }
}

static void clamped_hessians_are_semidefinite_and_leave_good_ones_alone(void **state)
{
    (void)state;
    for (uint64_t id = 0; id < 100; id++) {
        const pose             p    = random_pose(id + 500, 2.5 * fabs(uniform(id, 20)));
        const mn_rod_corner    c    = corner_of(&p);
        const mn_rod_strain    rest = { { { uniform(id, 30), uniform(id, 31) }, { uniform(id, 32), uniform(id, 33) } },
                                        uniform(id, 34) };
        const mn_rod_stiffness k    = { 1.0, 2.0 };
        const mn_rod_load      l    = mn_rod_corner_load(&c, &rest, k, &rest, none);
        double                 full[8][8], clamped[8][8], gauss[8][8];
        mn_rod_corner_hessian(&c, &l, MN_ROD_FULL, full);
        mn_rod_corner_hessian(&c, &l, MN_ROD_PROJECTED, clamped);
        mn_rod_corner_hessian(&c, &l, MN_ROD_GAUSS_NEWTON, gauss);
        double size = 0.0;
        for (int a = 0; a < 64; a++) size = fmax(size, fabs(full[a / 8][a % 8]));
        for (uint64_t n = 0; n < 50; n++) {
            double x[8], fx = 0.0, cx = 0.0, gx = 0.0;
            for (uint64_t a = 0; a < 8; a++) x[a] = uniform(1000 * id + n, 40 + a);
            for (int a = 0; a < 8; a++)
                for (int b = 0; b < 8; b++)
                    fx += x[a] * full[a][b] * x[b], cx += x[a] * clamped[a][b] * x[b], gx += x[a] * gauss[a][b] * x[b];
            assert_true(cx >= -1e-12 * size);
            assert_true(gx >= -1e-12 * size);
            assert_true(cx >= fx - 1e-12 * size);  // only negative parts were taken away
        }
        double again[8][8];
        memcpy(again, clamped, sizeof again);
        mn_rod_clamp(8, again[0]);
        for (int a = 0; a < 64; a++) assert_near(again[a / 8][a % 8], clamped[a / 8][a % 8], 1e-13 * size);
    }
}

static void the_position_block_is_that_of_the_hessian(void **state)
{
    (void)state;
    static const int at[6] = { 0, 1, 2, 4, 5, 6 }, triangle[9] = { 0, 1, 2, 1, 3, 4, 2, 4, 5 };
    for (uint64_t id = 0; id < 20; id++)
        for (int fold = 0; fold < 2; fold++) {
            const pose          p = random_pose(id, fold ? 3.12 : 1.0);
            const mn_rod_corner c = corner_of(&p);
            const mn_rod_load   l = mn_rod_corner_load(&c, &straight, (mn_rod_stiffness){ 1.0, 2.0 }, &straight, none);
            for (int policy = 0; policy < 3; policy++) {
                double       k[8][8], size = 0.0;
                mn_rod_block b;
                mn_rod_corner_hessian(&c, &l, (mn_rod_policy)policy, k);
                mn_rod_corner_block(&c, &l, (mn_rod_policy)policy, &b);
                for (int a = 0; a < 64; a++) size = fmax(size, fabs(k[a / 8][a % 8]));
                for (int n = 0; n < 9; n++) {
                    assert_near(b.ee[triangle[n]], k[at[n / 3]][at[n % 3]], 1e-13 * size);
                    assert_near(b.ff[triangle[n]], k[at[3 + n / 3]][at[3 + n % 3]], 1e-13 * size);
                    assert_near(b.ef[n], k[at[n / 3]][at[3 + n % 3]], 1e-13 * size);
                }
            }
        }
}

static void transport_carries_the_tangent_and_survives_a_half_turn(void **state)
{
    (void)state;
    for (uint64_t id = 0; id < 100; id++) {
        const mn_vec3 a = mn_unit3(mn_v3(uniform(id, 0), uniform(id, 1), uniform(id, 2)), mn_v3(1, 0, 0));
        const mn_vec3 b = id % 4 == 0 ? mn_scale3(-1.0, a)
                                      : mn_unit3(mn_v3(uniform(id, 3), uniform(id, 4), uniform(id, 5)), mn_v3(0, 1, 0));
        const mn_vec3 n = mn_rod_normal(a), c = mn_rod_transport(a, a, b), d = mn_rod_transport(n, a, b);
        assert_near(mn_norm3(mn_sub3(c, b)), 0.0, 1e-12);
        assert_near(mn_dot3(d, b), 0.0, 1e-12);
        assert_near(mn_norm3(d), 1.0, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_of_strains_match_differences),
        cmocka_unit_test(hessians_of_strains_match_second_differences),
        cmocka_unit_test(the_cap_is_smooth_and_monotone),
        cmocka_unit_test(twist_does_not_soften_a_bend),
        cmocka_unit_test(clamped_hessians_are_semidefinite_and_leave_good_ones_alone),
        cmocka_unit_test(the_position_block_is_that_of_the_hessian),
        cmocka_unit_test(transport_carries_the_tangent_and_survives_a_half_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
