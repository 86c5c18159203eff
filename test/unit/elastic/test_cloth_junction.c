// SPDX-License-Identifier: MPL-2.0
// Strands that stand on cloth: gradient, balance, rigid motion, stiffness, uprightness (wet-fabric 5.3).
#include "testing.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/random.h"
#include "elastic/cloth_junction.h"

#include <string.h>

#define PI 3.14159265358979323846
enum { SIDE = 5, CLOTH = SIDE * SIDE, MOST = CLOTH + 4, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

static double uniform(uint64_t id, uint64_t lane) { return 2.0 * mn_random(29, id, 0, lane) - 1.0; }

static const mn_rod_material hair = { .radius = 0.02, .young = 1e8, .viscosity = 1e3 };

/// A square sheet in the plane y = 0 with four strands: one upright inside, one below it, one leaning at the rim, and a
/// segment that lies in the cloth from vertex to vertex.
typedef struct patch {
    mn_vec3            rest[MOST];
    int32_t            triangle[TRIANGLES][3];
    mn_cloth_root      roots[5];
    mn_cloth_junctions set;
} patch;

static void lay(patch *p)
{
    for (int i = 0; i < SIDE; i++)
        for (int k = 0; k < SIDE; k++) p->rest[SIDE * i + k] = mn_v3(0.5 * k, 0.0, 0.5 * i);
    int t = 0;
    for (int32_t i = 0; i + 1 < SIDE; i++)
        for (int32_t k = 0; k + 1 < SIDE; k++) {
            const int32_t a = SIDE * i + k, b = a + 1, c = a + SIDE, d = c + 1;
            memcpy(p->triangle[t++], (int32_t[3]){ a, c, b }, sizeof p->triangle[0]);
            memcpy(p->triangle[t++], (int32_t[3]){ b, c, d }, sizeof p->triangle[0]);
        }
    p->rest[CLOTH]           = mn_add3(p->rest[12], mn_v3(0.0, 0.3, 0.0));
    p->rest[CLOTH + 1]       = mn_add3(p->rest[12], mn_v3(0.0, -0.3, 0.0));
    p->rest[CLOTH + 2]       = mn_add3(p->rest[10], mn_v3(0.1, 0.25, -0.1));
    p->rest[CLOTH + 3]       = mn_add3(p->rest[18], mn_v3(0.0, 0.3, 0.0));
    const int32_t ends[5][2] = { { 12, CLOTH }, { 12, CLOTH + 1 }, { 10, CLOTH + 2 }, { 18, CLOTH + 3 }, { 7, 8 } };
    for (int k = 0; k < 5; k++) p->roots[k] = (mn_cloth_root){ ends[k][0], ends[k][1], hair };
}

static mn_cloth_junctions_def def_of(const patch *p)
{
    return (mn_cloth_junctions_def){ .rest           = p->rest,
                                     .vertex_count   = MOST,
                                     .triangle       = (const int32_t(*)[3])p->triangle,
                                     .triangle_count = TRIANGLES,
                                     .roots          = p->roots,
                                     .root_count     = 5 };
}

static void make(mn_context *c, patch *p)
{
    lay(p);
    const mn_cloth_junctions_def def = def_of(p);
    assert_int_equal(mn_cloth_junctions_create(c, &def, &p->set), MN_OK);
}

static void shake(const mn_vec3 *from, double size, mn_vec3 *to)
{
    for (uint64_t i = 0; i < MOST; i++)
        to[i] = mn_add3(from[i], mn_scale3(size, mn_v3(uniform(i, 0), uniform(i, 1), uniform(i, 2))));
}

static double energy_of(mn_cloth_junctions *set, const mn_vec3 *x)
{
    const mn_cloth_junction_sums s = mn_cloth_junctions_energy(set, x);
    assert_int_equal(s.collapsed, 0);
    return s.elastic + s.viscous;
}

static void forces_at(mn_cloth_junctions *set, const mn_vec3 *x, mn_vec3 *force)
{
    memset(force, 0, MOST * sizeof *force);
    mn_cloth_junctions_evaluate(set, x);
    mn_cloth_junctions_add_forces(set, force);
}

static double largest(const mn_vec3 *f)
{
    double most = 0.0;
    for (int i = 0; i < MOST; i++) most = fmax(most, mn_norm3(f[i]));
    return most;
}

static mn_vec3 moved(mn_vec3 x, int axis, double by)
{
    return mn_add3(x, mn_v3(axis == 0 ? by : 0.0, axis == 1 ? by : 0.0, axis == 2 ? by : 0.0));
}

static void forces_are_minus_the_gradient_of_the_energy(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    patch       p;
    mn_vec3     x[MOST], start[MOST], force[MOST];
    make(c, &p);
    shake(p.rest, 0.03, start);
    mn_cloth_junctions_begin(&p.set, start, 1e-3);
    shake(start, 0.06, x);
    forces_at(&p.set, x, force);
    const double size = largest(force), step = 1e-6;
    assert_true(size > 1.0 && mn_cloth_junctions_energy(&p.set, x).viscous > 0.0);
    for (int i = 0; i < MOST; i++)
        for (int a = 0; a < 3; a++) {
            const mn_vec3 keep = x[i];
            x[i]               = moved(keep, a, step);
            const double up    = energy_of(&p.set, x);
            x[i]               = moved(keep, a, -step);
            const double down  = energy_of(&p.set, x);
            x[i]               = keep;
            assert_near(mn_get3(force[i], a), -(up - down) / (2.0 * step), 1e-6 * size);
        }
    mn_cloth_junctions_destroy(&p.set);
    test_context_end(&c);
}

static void forces_carry_no_momentum_and_no_angular_momentum(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    patch       p;
    mn_vec3     x[MOST], force[MOST], net = mn_v3(0, 0, 0), torque = net;
    make(c, &p);
    mn_cloth_junctions_begin(&p.set, p.rest, 1e-2);
    shake(p.rest, 0.12, x);
    forces_at(&p.set, x, force);
    const double size = largest(force);
    for (int i = 0; i < MOST; i++) {
        net    = mn_add3(net, force[i]);
        torque = mn_add3(torque, mn_cross3(x[i], force[i]));
    }
    assert_less(mn_norm3(net), 1e-13 * size);
    assert_less(mn_norm3(torque), 1e-13 * size);
    mn_cloth_junctions_destroy(&p.set);
    test_context_end(&c);
}

static void a_rigid_motion_costs_nothing(void **state)
{
    (void)state;
    mn_context   *c = test_context(1);
    patch         p;
    mn_vec3       x[MOST], y[MOST], fx[MOST], fy[MOST];
    const mn_mat3 turn = mn_rotation3(mn_unit3(mn_v3(1, -2, 0.5), mn_v3(0, 1, 0)), 2.3);
    make(c, &p);
    for (int i = 0; i < MOST; i++) y[i] = mn_add3(mn_mul3(turn, p.rest[i]), mn_v3(3, -1, 2));
    assert_less(energy_of(&p.set, y), 1e-25 * p.set.junction[0].stiffness);
    // Of a pose that has energy, energy stays and forces turn with it.
    shake(p.rest, 0.1, x);
    for (int i = 0; i < MOST; i++) y[i] = mn_add3(mn_mul3(turn, x[i]), mn_v3(3, -1, 2));
    forces_at(&p.set, x, fx);
    forces_at(&p.set, y, fy);
    assert_near(energy_of(&p.set, y) / energy_of(&p.set, x), 1.0, 1e-12);
    for (int i = 0; i < MOST; i++) assert_less(mn_norm3(mn_sub3(mn_mul3(turn, fx[i]), fy[i])), 1e-11 * largest(fx));
    mn_cloth_junctions_destroy(&p.set);
    test_context_end(&c);
}

static mn_block_matrix matrix_of(mn_context *c, mn_cloth_junctions *set, bool in_float)
{
    mn_block_matrix m;
    assert_int_equal(mn_block_matrix_create(c, MOST, set->count, mn_cloth_junctions_clique, set, in_float, &m), MN_OK);
    assert_int_equal(mn_cloth_junctions_add_blocks(set, 1.0, &m), MN_OK);
    return m;
}

static double product(mn_context *c, const mn_block_matrix *m, const mn_vec3 *u, mn_vec3 *out)
{
    double sum = 0.0;
    mn_block_matrix_multiply(c, m, &u[0].x, &out[0].x);
    for (int i = 0; i < MOST; i++) sum += mn_dot3(u[i], out[i]);
    return sum;
}

static void the_stiffness_is_positive_and_blind_to_rigid_motion(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    patch       p;
    mn_vec3     x[MOST], u[MOST], y[MOST];
    make(c, &p);
    for (int pose = 0; pose < 3; pose++) {
        shake(p.rest, 0.25 * pose, x);  // the last beyond a right angle
        mn_cloth_junctions_begin(&p.set, p.rest, 1e-2);
        mn_cloth_junctions_evaluate(&p.set, x);
        mn_block_matrix m = matrix_of(c, &p.set, false), balanced = matrix_of(c, &p.set, false);
        mn_block_matrix_balance(c, &balanced);
        double scale = 0.0;
        for (int64_t k = 0; k < 9 * m.rows; k++) scale = fmax(scale, fabs(m.diagonal[k]));
        for (int64_t k = 0; k < 9 * m.rows; k++) assert_near(m.diagonal[k], balanced.diagonal[k], 1e-12 * scale);
        for (uint64_t trial = 0; trial < 200; trial++) {
            for (uint64_t i = 0; i < MOST; i++)
                u[i] = mn_v3(uniform(i, 10 + 3 * trial), uniform(i, 11 + 3 * trial), uniform(i, 12 + 3 * trial));
            assert_true(product(c, &m, u, y) > 0.0);
        }
        for (int i = 0; i < MOST; i++) u[i] = mn_add3(mn_v3(1, 2, -1), mn_cross3(mn_v3(0.3, -1, 0.7), x[i]));
        product(c, &m, u, y);
        for (int i = 0; i < MOST; i++) assert_less(mn_norm3(y[i]), 1e-12 * scale);
        mn_block_matrix_destroy(c, &m);
        mn_block_matrix_destroy(c, &balanced);
    }
    mn_cloth_junctions_destroy(&p.set);
    test_context_end(&c);
}

/// At rest nothing is dropped: the stiffness is the derivative of the forces.
static void at_rest_the_stiffness_is_exact(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    patch       p;
    mn_vec3     x[MOST], u[MOST], y[MOST], up[MOST], down[MOST];
    make(c, &p);
    mn_cloth_junctions_evaluate(&p.set, p.rest);
    mn_block_matrix m = matrix_of(c, &p.set, false);
    for (uint64_t i = 0; i < MOST; i++) u[i] = mn_v3(uniform(i, 3), uniform(i, 4), uniform(i, 5));
    product(c, &m, u, y);
    const double step = 1e-6;
    for (int i = 0; i < MOST; i++) x[i] = mn_add3(p.rest[i], mn_scale3(step, u[i]));
    forces_at(&p.set, x, up);
    for (int i = 0; i < MOST; i++) x[i] = mn_sub3(p.rest[i], mn_scale3(step, u[i]));
    forces_at(&p.set, x, down);
    for (int i = 0; i < MOST; i++)
        assert_less(mn_norm3(mn_add3(y[i], mn_scale3(0.5 / step, mn_sub3(up[i], down[i])))), 1e-7 * largest(y));
    mn_block_matrix_destroy(c, &m);
    mn_cloth_junctions_destroy(&p.set);
    test_context_end(&c);
}

/// A tip that is pushed by l psi / 2 from the rest feels E I / l per radian twice, over its length: half a Voronoi
/// length.
static void a_leaning_strand_feels_the_moment_of_half_a_voronoi_length(void **state)
{
    (void)state;
    mn_context  *c = test_context(1);
    patch        p;
    mn_vec3      x[MOST], force[MOST];
    const double psi = 0.7, inertia = 0.25 * PI * pow(hair.radius, 4.0), length = 0.3;
    make(c, &p);
    memcpy(x, p.rest, sizeof x);
    x[CLOTH] = mn_add3(p.rest[12], mn_v3(length * sin(psi), length * cos(psi), 0.0));
    forces_at(&p.set, x, force);
    assert_near(mn_cloth_junction_angle(&p.set, 0, x), psi, 1e-14);
    assert_near(energy_of(&p.set, x), hair.young * inertia / length * psi * psi, 1e-9);
    const mn_vec3 moment = mn_cross3(mn_sub3(x[CLOTH], x[12]), force[CLOTH]);
    assert_near(mn_norm3(moment), 2.0 * hair.young * inertia / length * psi, 1e-9);
    assert_true(moment.z > 0.0 && fabs(mn_dot3(force[CLOTH], mn_sub3(x[CLOTH], x[12]))) < 1e-12 * largest(force));
    // Exactly upside down is a balance, however shaky: finite, and no force.
    x[CLOTH] = mn_add3(p.rest[12], mn_v3(0.0, -length, 0.0));
    forces_at(&p.set, x, force);
    assert_less(largest(force), 1e-12);
    mn_cloth_junctions_destroy(&p.set);
    test_context_end(&c);
}

/// The sheet is rolled onto a cylinder about z; tips that stayed behind find the normal of the new shape.
static void strands_stand_upright_on_a_bent_sheet(void **state)
{
    (void)state;
    mn_context  *c = test_context(1);
    patch        p;
    mn_vec3      x[MOST], force[MOST];
    const double radius = 0.8;
    make(c, &p);
    for (int i = 0; i < MOST; i++) {
        const double angle = p.rest[i].x / radius;
        x[i] = i < CLOTH ? mn_v3(radius * sin(angle), radius * cos(angle) - radius, p.rest[i].z) : p.rest[i];
    }
    const int tips[3] = { CLOTH, CLOTH + 1, CLOTH + 3 }, roots[3] = { 12, 12, 18 };
    for (int k = 0; k < 3; k++) x[tips[k]] = mn_add3(x[roots[k]], mn_sub3(p.rest[tips[k]], p.rest[roots[k]]));
    assert_true(mn_cloth_junction_angle(&p.set, 0, x) > 1.0);
    for (int round = 0; round < 8; round++) {
        forces_at(&p.set, x, force);
        for (int k = 0; k < 3; k++) {  // Newton on the sphere of the segment's length
            const mn_cloth_junction *j    = &p.set.junction[k == 2 ? 3 : k];
            const mn_vec3            away = mn_sub3(mn_add3(x[tips[k]],
                                                            mn_scale3(0.5 * j->length * j->length / j->stiffness, force[tips[k]])),
                                                    x[roots[k]]);
            x[tips[k]]                    = mn_add3(x[roots[k]], mn_scale3(j->length / mn_norm3(away), away));
        }
    }
    for (int k = 0; k < 3; k++) {
        // Rows across the cylinder see the same fan to both sides: the vertex normal is the normal of the cylinder.
        const double  angle = p.rest[roots[k]].x / radius, sign = k == 1 ? -1.0 : 1.0;
        const mn_vec3 e = mn_unit3(mn_sub3(x[tips[k]], x[roots[k]]), mn_v3(0, 1, 0));
        assert_near(sign * mn_dot3(e, mn_v3(sin(angle), cos(angle), 0.0)), 1.0, 1e-12);
    }
    mn_cloth_junctions_destroy(&p.set);
    test_context_end(&c);
}

static uint64_t bits_with(int threads)
{
    // Enough copies of the patch for several blocks, each with vertices of its own.
    enum { COPIES = 80 };
    mn_context *c = test_context(threads);
    patch       one;
    mn_vec3    *x = mn_alloc_array(c, mn_vec3, COPIES * MOST), *force = mn_alloc_array(c, mn_vec3, COPIES * MOST);
    int32_t(*triangle)[3] = mn_alloc(c, COPIES * TRIANGLES * sizeof *triangle);
    mn_cloth_root *roots  = mn_alloc_array(c, mn_cloth_root, COPIES * 5);
    assert_true(x != NULL && force != NULL && triangle != NULL && roots != NULL);
    lay(&one);
    for (int n = 0; n < COPIES; n++) {
        memcpy(x + MOST * n, one.rest, sizeof one.rest);
        for (int t = 0; t < TRIANGLES; t++)
            for (int i = 0; i < 3; i++) triangle[TRIANGLES * n + t][i] = one.triangle[t][i] + MOST * n;
        for (int k = 0; k < 5; k++)
            roots[5 * n + k] = (mn_cloth_root){ one.roots[k].root + MOST * n, one.roots[k].tip + MOST * n, hair };
    }
    const mn_cloth_junctions_def def = { .rest           = x,
                                         .vertex_count   = COPIES * MOST,
                                         .triangle       = (const int32_t(*)[3])triangle,
                                         .triangle_count = COPIES * TRIANGLES,
                                         .roots          = roots,
                                         .root_count     = COPIES * 5 };
    mn_cloth_junctions           set;
    assert_int_equal(mn_cloth_junctions_create(c, &def, &set), MN_OK);
    mn_cloth_junctions_begin(&set, x, 1e-3);
    for (uint64_t i = 0; i < COPIES * MOST; i++)
        x[i] = mn_add3(x[i], mn_scale3(0.1, mn_v3(uniform(i, 0), uniform(i, 1), uniform(i, 2))));
    mn_cloth_junctions_evaluate(&set, x);
    mn_cloth_junctions_add_forces(&set, force);
    mn_block_matrix m;
    assert_int_equal(mn_block_matrix_create(c, COPIES * MOST, set.count, mn_cloth_junctions_clique, &set, true, &m),
                     MN_OK);
    assert_int_equal(mn_cloth_junctions_add_blocks(&set, 1e-6, &m), MN_OK);
    uint64_t hash = mn_hash_bytes(1, force, COPIES * MOST * sizeof *force);
    hash          = mn_hash_bytes(hash, m.block_f, (size_t)(9 * m.start[m.rows]) * sizeof *m.block_f);
    // Symmetric to the bit.
    for (int32_t i = 0; i < COPIES * MOST; i++)
        for (int64_t e = m.start[i]; e < m.start[i + 1]; e++) {
            const int64_t mirror = mn_block_matrix_find(&m, m.column[e], i);
            for (int k = 0; k < 9; k++)
                assert_true(m.block_f[9 * e + k] == m.block_f[9 * mirror + 3 * (k % 3) + k / 3]);
        }
    mn_block_matrix_destroy(c, &m);
    mn_cloth_junctions_destroy(&set);
    mn_free(c, x);
    mn_free(c, force);
    mn_free(c, triangle);
    mn_free(c, roots);
    test_context_end(&c);
    return hash;
}

static void bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    const uint64_t one = bits_with(1);
    assert_true(bits_with(2) == one && bits_with(5) == one);
}

static void strands_without_cloth_or_size_are_refused(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    patch       p;
    lay(&p);
    mn_cloth_junctions_def def = def_of(&p);
    p.roots[1].root            = CLOTH;
    p.roots[1].tip             = CLOTH + 1;
    assert_int_equal(mn_cloth_junctions_create(c, &def, &p.set), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "no cloth around it"));
    lay(&p);
    p.rest[CLOTH] = p.rest[12];
    assert_int_equal(mn_cloth_junctions_create(c, &def, &p.set), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "has no size"));
    lay(&p);
    p.roots[4].tip = MOST;
    assert_int_equal(mn_cloth_junctions_create(c, &def, &p.set), MN_ERR_ARGUMENT);
    test_context_end(&c);
}

/// Cloth folded flat onto itself has no normal: the junction is left out and counted, and nothing is infinite.
static void a_collapsed_junction_is_left_out(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    patch       p;
    mn_vec3     x[MOST], force[MOST];
    make(c, &p);
    memcpy(x, p.rest, sizeof x);
    for (int i = 0; i < CLOTH; i++) x[i] = p.rest[12];
    forces_at(&p.set, x, force);
    assert_int_equal(mn_cloth_junctions_energy(&p.set, x).collapsed, 5);
    assert_true(largest(force) == 0.0);
    mn_cloth_junctions_destroy(&p.set);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_minus_the_gradient_of_the_energy),
        cmocka_unit_test(forces_carry_no_momentum_and_no_angular_momentum),
        cmocka_unit_test(a_rigid_motion_costs_nothing),
        cmocka_unit_test(the_stiffness_is_positive_and_blind_to_rigid_motion),
        cmocka_unit_test(at_rest_the_stiffness_is_exact),
        cmocka_unit_test(a_leaning_strand_feels_the_moment_of_half_a_voronoi_length),
        cmocka_unit_test(strands_stand_upright_on_a_bent_sheet),
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(strands_without_cloth_or_size_are_refused),
        cmocka_unit_test(a_collapsed_junction_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
