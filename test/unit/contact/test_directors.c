// SPDX-License-Identifier: MPL-2.0
// Contact of one element: derivatives by differences, stiffness, return mapping (wet-fabric fab.C5, C6, C7, C28).
#include "testing.h"

#include "base/random.h"
#include "contact/directors.h"

#include <string.h>

static const mn_contact_law CLOTH = { .mu = 3.0, .lambda = 1.7, .friction = 0.577, .yarn = false };
static const mn_contact_law YARN  = { .mu = 3.0, .lambda = 1.7, .friction = 0.577, .yarn = true };

static double  pick(uint64_t *n, double low, double high) { return low + (high - low) * mn_random(7, (*n)++, 0, 0); }
static mn_vec3 pick3(uint64_t *n, double s) { return mn_v3(pick(n, -s, s), pick(n, -s, s), pick(n, -s, s)); }

/// Directors turned at random, squeezed in the transverse directions by `squeeze`.
static mn_directors sample(const mn_contact_law *law, uint64_t *n, double squeeze, double noise)
{
    const mn_mat3 turn = mn_rotation3(mn_unit3(pick3(n, 1.0), mn_v3(1, 0, 0)), pick(n, 0.0, 3.0));
    mn_vec3 d[3] = { mn_v3(0.8, 0, 0), law->yarn ? mn_v3(0, squeeze, 0) : mn_v3(0.3, 0.9, 0), mn_v3(0, 0, squeeze) };
    mn_directors out;
    for (int k = 0; k < 3; k++) out.d[k] = mn_mul3(turn, mn_add3(d[k], pick3(n, noise)));
    return out;
}

static double *entry(mn_directors *d, int i) { return (double *)&d->d[i / 3] + i % 3; }

static void stress_is_the_derivative_of_the_energy(void **state)
{
    const mn_contact_law *law = *state;
    uint64_t              n   = 0;
    for (int s = 0; s < 200; s++) {
        mn_directors d = sample(law, &n, pick(&n, 0.4, 0.9), 0.1);
        mn_vec3      g[3];
        if (mn_contact_compression(law, &d) < 0.02) continue;
        assert_true(mn_contact_stress(law, &d, g));
        for (int i = 0; i < 9; i++) {
            const double h = 1e-6, at = *entry(&d, i);
            *entry(&d, i)      = at + h;
            const double plus  = mn_contact_energy(law, &d);
            *entry(&d, i)      = at - h;
            const double minus = mn_contact_energy(law, &d);
            *entry(&d, i)      = at;
            assert_near(((double *)&g[i / 3])[i % 3], (plus - minus) / (2 * h), 1e-7);
        }
        // No force and no torque of a rigid motion: sum of d x dpsi/dd vanishes.
        mn_vec3 torque = mn_v3(0, 0, 0);
        for (int k = 0; k < 3; k++) torque = mn_add3(torque, mn_cross3(d.d[k], g[k]));
        assert_less(mn_norm3(torque), 1e-12);
    }
}

/// y = H x with H = sum row row^T.
static void multiply(const mn_contact_rows *rows, const double *x, double *y)
{
    memset(y, 0, 9 * sizeof *y);
    for (int r = 0; r < rows->count; r++) {
        double dot = 0.0;
        for (int i = 0; i < 9; i++) dot += rows->row[r][i] * x[i];
        for (int i = 0; i < 9; i++) y[i] += dot * rows->row[r][i];
    }
}

static void stiffness_is_exact_where_it_can_be(void **state)
{
    // In pure compression of directors at right angles no clamp acts on what moves the transverse directors of cloth,
    // and the stretch of the transverse block of yarn.
    const mn_contact_law *law = *state;
    uint64_t              n   = 100;
    for (int s = 0; s < 50; s++) {
        mn_directors    d = sample(law, &n, pick(&n, 0.5, 0.9), 0.0);
        mn_contact_rows rows;
        mn_contact_stiffness(law, &d, &rows);
        assert_true(rows.count >= 3 && rows.count <= MN_CONTACT_ROWS);
        double        x[9] = { 0 }, y[9];
        const mn_vec3 move = law->yarn ? mn_scale3(0.1, d.d[2]) : pick3(&n, 0.1);
        x[6] = move.x, x[7] = move.y, x[8] = move.z;
        multiply(&rows, x, y);
        mn_directors plus = d, minus = d;
        mn_vec3      gp[3], gm[3];
        const double h = 1e-5;
        plus.d[2]      = mn_add3(d.d[2], mn_scale3(h, move));
        minus.d[2]     = mn_add3(d.d[2], mn_scale3(-h, move));
        mn_contact_stress(law, &plus, gp);
        mn_contact_stress(law, &minus, gm);
        for (int a = 0; a < 3; a++) assert_near(y[6 + a], (mn_get3(gp[2], a) - mn_get3(gm[2], a)) / (2 * h), 2e-6);
    }
}

static void return_mapping_ends_on_the_cone_and_is_idempotent(void **state)
{
    const mn_contact_law *law = *state;
    uint64_t              n   = 500;
    for (int s = 0; s < 500; s++) {
        mn_directors d = sample(law, &n, pick(&n, 0.5, 1.3), 0.2), once, twice;
        once           = d;
        assert_true(mn_contact_return(law, &once));
        twice = once;
        assert_true(mn_contact_return(law, &twice));
        assert_true(mn_contact_energy(law, &once) <= mn_contact_energy(law, &d) * (1.0 + 1e-12) + 1e-15);
        for (int k = 0; k < 3; k++) assert_less(mn_norm3(mn_sub3(once.d[k], twice.d[k])), 1e-9);
        assert_memory_equal(&once.d[0], &d.d[0], sizeof d.d[0]);
        if (!law->yarn) {
            mn_vec3 g[3];
            assert_memory_equal(&once.d[1], &d.d[1], sizeof d.d[1]);
            if (!mn_contact_stress(law, &once, g)) continue;
            const mn_vec3 normal = mn_unit3(mn_cross3(d.d[0], d.d[1]), mn_v3(0, 0, 1));
            const double  across = -mn_dot3(g[2], normal);
            const mn_vec3 along  = mn_add3(g[2], mn_scale3(across, normal));
            assert_true(mn_norm3(along) <= law->friction * across * (1.0 + 1e-9) + 1e-13);
        }
    }
}

static void pure_compression_is_kept(void **state)
{
    const mn_contact_law *law = *state;
    uint64_t              n   = 900;
    mn_directors          d = sample(law, &n, 0.8, 0.0), kept = d;
    assert_true(mn_contact_return(law, &kept));
    for (int k = 0; k < 3; k++) assert_less(mn_norm3(mn_sub3(kept.d[k], d.d[k])), 1e-14);
}

static void crushed_elements_are_reported(void **state)
{
    const mn_contact_law *law = *state;
    uint64_t              n   = 950;
    mn_directors          d   = sample(law, &n, 0.01, 0.0);
    assert_false(mn_contact_return(law, &d));
}

// clang-format off
#define BOTH(test)                                                                                   \
    { #test " (cloth)", test, NULL, NULL, (void *)(uintptr_t)&CLOTH }, { #test " (yarn)", test, NULL, NULL, (void *)(uintptr_t)&YARN }
// clang-format on

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(stress_is_the_derivative_of_the_energy),
        BOTH(stiffness_is_exact_where_it_can_be),
        BOTH(return_mapping_ends_on_the_cone_and_is_idempotent),
        BOTH(pure_compression_is_kept),
        BOTH(crushed_elements_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
