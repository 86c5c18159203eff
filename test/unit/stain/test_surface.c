// SPDX-License-Identifier: MPL-2.0
// Geometry of stained cloths: rings, transport of vectors, frames that follow a motion (stain.C10, C13 to C16).
#include "testing.h"

#include "base/arena.h"
#include "base/random.h"
#include "stain/frames.h"
#include "stain/velocity.h"
#include "verify/stain/stain_meshes.h"

#include <stdlib.h>
#include <string.h>

typedef struct cloth {
    mn_context       *c;
    mn_arena         *arena;
    mn_stain_mesh     mesh;
    mn_stain_surface *s;
} cloth;

static cloth cloth_square(int n, double jitter, mn_stain_diagonals diagonals)
{
    cloth                     q   = { .c = test_context(2) };
    const mn_stain_square_def def = { .nx        = n,
                                      .ny        = n,
                                      .spacing   = 0.5,
                                      .jitter    = jitter,
                                      .diagonals = diagonals,
                                      .seed      = 7 };
    assert_int_equal(mn_arena_create(q.c, &q.arena), MN_OK);
    assert_int_equal(mn_stain_mesh_square(q.c, &def, &q.mesh), MN_OK);
    assert_int_equal(mn_stain_mesh_surface(q.c, &q.mesh, &q.s), MN_OK);
    return q;
}

static cloth cloth_sphere(int levels)
{
    cloth q = { .c = test_context(2) };
    assert_int_equal(mn_arena_create(q.c, &q.arena), MN_OK);
    assert_int_equal(mn_stain_mesh_sphere(q.c, 1.0, levels, &q.mesh), MN_OK);
    assert_int_equal(mn_stain_mesh_surface(q.c, &q.mesh, &q.s), MN_OK);
    return q;
}

static void cloth_end(cloth *q)
{
    mn_stain_surface_destroy(&q->s);
    mn_stain_mesh_free(q->c, &q->mesh);
    mn_arena_destroy(&q->arena);
    test_context_end(&q->c);
}

static double angle_of(mn_stain_turn r) { return atan2(r.s, r.c); }

static double whole_turns_off(double angle) { return fabs(angle - 2.0 * MN_PI * round(angle / (2.0 * MN_PI))); }

static void areas_of_vertices_add_up(void **state)
{
    (void)state;
    cloth  q   = cloth_square(9, 0.3, MN_DIAGONALS_RANDOM);
    double sum = 0.0;
    for (int64_t v = 0; v < q.s->vertex_count; v++) sum += q.s->area[v];
    assert_near(sum, 16.0, 1e-12);
    assert_int_equal(q.s->edges.count, 8 * 9 * 2 + 64);
    int rim = 0;
    for (int64_t v = 0; v < q.s->vertex_count; v++) rim += q.s->rim[v];
    assert_int_equal(rim, 32);
    cloth_end(&q);
}

/// Around a vertex, through the frames of the triangles of its ring.
static double holonomy(const mn_stain_surface *s, int64_t v)
{
    mn_stain_turn all = { 1.0, 0.0 };
    for (int32_t i = s->edges.start[v]; i < s->edges.start[v + 1]; i++) {
        const int32_t k = s->ring_corner[i], t = k / 3, side = (k % 3 + 2) % 3, o = s->across[t][side];
        // The rotation between two triangles takes one direction of their common edge to the other.
        const mn_stain_vec *p = s->corner[t], *r = s->corner[o / 3];
        const double        a = atan2(p[(side + 1) % 3].y - p[side].y, p[(side + 1) % 3].x - p[side].x);
        const double        b = atan2(r[o % 3].y - r[(o % 3 + 1) % 3].y, r[o % 3].x - r[(o % 3 + 1) % 3].x);
        all                   = mn_stain_turn_join(mn_stain_turn_by(b - a), all);
    }
    return angle_of(all);
}

static double angle_sum(const mn_stain_surface *s, int64_t v)
{
    double sum = 0.0;
    for (int32_t i = s->edges.start[v]; i < s->edges.start[v + 1]; i++) {
        const int32_t       k = s->ring_corner[i];
        const mn_stain_vec *p = s->corner[k / 3], o = p[k % 3], a = p[(k % 3 + 1) % 3], b = p[(k % 3 + 2) % 3];
        sum += atan2((a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x),
                     (a.x - o.x) * (b.x - o.x) + (a.y - o.y) * (b.y - o.y));
    }
    return sum;
}

static void turn_around_a_vertex_is_its_angle_defect(void **state)
{
    (void)state;
    cloth q = cloth_sphere(2);
    for (int64_t v = 0; v < q.s->vertex_count; v++) {
        const double defect = 2.0 * MN_PI - angle_sum(q.s, v);
        assert_true(defect > 0.01);
        assert_near(fmin(whole_turns_off(holonomy(q.s, v) - defect), whole_turns_off(holonomy(q.s, v) + defect)), 0.0,
                    1e-10);
    }
    cloth_end(&q);
}

static void flat_cloth_carries_vectors_unchanged(void **state)
{
    (void)state;
    cloth          q = cloth_square(12, 0.35, MN_DIAGONALS_RANDOM);
    mn_stain_rest *r;
    assert_int_equal(mn_stain_rest_create(q.s, q.mesh.x, &r), MN_OK);
    for (int64_t e = 0; e < q.s->edges.count; e++) {
        const mn_vec3 a = r->frame[q.s->edges.end[e][0]].x, b = r->frame[q.s->edges.end[e][1]].x;
        assert_near(whole_turns_off(angle_of(q.s->turn[e]) - (atan2(b.y, b.x) - atan2(a.y, a.x))), 0.0, 1e-12);
    }
    for (int64_t t = 0; t < q.s->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const mn_vec3 a = r->frame[q.s->triangle[t][k]].x;
            assert_near(whole_turns_off(angle_of(q.s->corner_turn[t][k]) -
                                        (atan2(a.y, a.x) + mn_stain_mesh_angle(&q.mesh, t))),
                        0.0, 1e-12);
        }
    mn_stain_rest_destroy(&r);
    cloth_end(&q);
}

/// A vector of the plane in the frame of each vertex.
static mn_stain_vec *constant_field(const cloth *q, const mn_stain_rest *r, double x, double y)
{
    mn_stain_vec *u = malloc((size_t)q->s->vertex_count * sizeof *u);
    for (int64_t v = 0; v < q->s->vertex_count; v++) {
        const mn_vec3 ay = mn_stain_frame_y(&r->frame[v]);
        u[v]             = (mn_stain_vec){ r->frame[v].x.x * x + r->frame[v].x.y * y, ay.x * x + ay.y * y };
    }
    return u;
}

static void transport_leaves_a_constant_field_constant(void **state)
{
    (void)state;
    cloth          q = cloth_square(14, 0.35, MN_DIAGONALS_RANDOM);
    mn_stain_rest *r;
    assert_int_equal(mn_stain_rest_create(q.s, q.mesh.x, &r), MN_OK);
    mn_stain_vec *u = constant_field(&q, r, 1.3, -0.7), *w = constant_field(&q, r, 1.3, -0.7);
    assert_int_equal(mn_stain_advect_velocity(q.s, 1.1, u, q.arena),
                     MN_OK);  // over several triangles, and along the rim
    for (int64_t v = 0; v < q.s->vertex_count; v++) {
        if (q.s->rim[v]) continue;
        assert_near(u[v].x, w[v].x, 1e-12);
        assert_near(u[v].y, w[v].y, 1e-12);
    }
    free(u);
    free(w);
    mn_stain_rest_destroy(&r);
    cloth_end(&q);
}

/// On a curved cloth too, a field that is too slow to go anywhere stays as it is.
static void a_field_that_goes_nowhere_does_not_turn(void **state)
{
    (void)state;
    cloth         q    = cloth_sphere(2);
    const int64_t n    = q.s->vertex_count;
    mn_stain_vec *u    = malloc((size_t)n * sizeof *u);
    double        most = 0.0;
    for (int64_t v = 0; v < n; v++) u[v] = (mn_stain_vec){ 1e-12 * cos(0.7 * (double)v), 1e-12 * sin(0.7 * (double)v) };
    assert_int_equal(mn_stain_advect_velocity(q.s, 1.0, u, q.arena), MN_OK);
    for (int64_t v = 0; v < n; v++)
        most = fmax(most, hypot(u[v].x - 1e-12 * cos(0.7 * (double)v), u[v].y - 1e-12 * sin(0.7 * (double)v)));
    assert_less(most, 1e-10 * 1e-12);
    free(u);
    cloth_end(&q);
}

static void a_way_ends_where_it_points(void **state)
{
    (void)state;
    cloth          q = cloth_square(20, 0.35, MN_DIAGONALS_RANDOM);
    mn_stain_rest *r;
    assert_int_equal(mn_stain_rest_create(q.s, q.mesh.x, &r), MN_OK);
    for (int k = 0; k < 200; k++) {
        const int64_t v = 6 * 20 + 7 + (k % 7) + 20 * (k % 6);
        const double dx = 3.0 * mn_random(1, (uint64_t)k, 0, 0) - 1.5, dy = 3.0 * mn_random(1, (uint64_t)k, 0, 1) - 1.5;
        const mn_vec3        ax = r->frame[v].x, ay = mn_stain_frame_y(&r->frame[v]);
        const mn_stain_place p  = mn_stain_walk(q.s, v, (mn_stain_vec){ ax.x * dx + ax.y * dy, ay.x * dx + ay.y * dy });
        mn_vec3              at = { 0.0, 0.0, 0.0 };
        for (int i = 0; i < 3; i++) at = mn_add3(at, mn_scale3(p.weight[i], q.mesh.x[q.mesh.triangle[p.triangle][i]]));
        assert_near(at.x, q.mesh.x[v].x + dx, 1e-12);
        assert_near(at.y, q.mesh.x[v].y + dy, 1e-12);
    }
    mn_stain_rest_destroy(&r);
    cloth_end(&q);
}

static mn_mat3 random_rotation(uint64_t seed)
{
    const mn_vec3 axis = mn_unit3(mn_v3(mn_random(seed, 0, 0, 0) - 0.5, mn_random(seed, 0, 0, 1) - 0.5,
                                        mn_random(seed, 0, 0, 2) - 0.5),
                                  mn_v3(1, 0, 0));
    return mn_rotation3(axis, 6.0 * mn_random(seed, 1, 0, 0));
}

static void turned_rings_are_recognised(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {  // planar rings, and those of a sphere
        cloth           q = kind == 0 ? cloth_square(6, 0.3, MN_DIAGONALS_RANDOM) : cloth_sphere(2);
        mn_vec3        *x = malloc((size_t)q.s->vertex_count * sizeof *x);
        mn_stain_frame *f = malloc((size_t)q.s->vertex_count * sizeof *f);
        mn_stain_rest  *r;
        assert_int_equal(mn_stain_rest_create(q.s, q.mesh.x, &r), MN_OK);
        for (uint64_t k = 0; k < 20; k++) {
            const mn_mat3 turn = random_rotation(k);
            for (int64_t v = 0; v < q.s->vertex_count; v++)
                x[v] = mn_add3(mn_mul3(turn, q.mesh.x[v]), mn_v3(3.0, -2.0, 5.0));
            mn_stain_frames(r, x, f);
            for (int64_t v = 0; v < q.s->vertex_count; v++) {
                assert_near(mn_norm3(mn_sub3(f[v].x, mn_mul3(turn, r->frame[v].x))), 0.0, 1e-12);
                assert_near(mn_norm3(mn_sub3(f[v].z, mn_mul3(turn, r->frame[v].z))), 0.0, 1e-12);
            }
        }
        mn_stain_rest_destroy(&r);
        free(x);
        free(f);
        cloth_end(&q);
    }
}

static void spin_of_a_turning_frame(void **state)
{
    (void)state;
    const mn_vec3        axis = mn_unit3(mn_v3(0.3, -0.4, 0.8), mn_v3(1, 0, 0));
    const mn_stain_frame rest = { mn_v3(1, 0, 0), mn_v3(0, 0, 1) };
    for (double rate = 0.01; rate < 100.0; rate *= 7.0) {
        const mn_mat3        turn  = mn_rotation3(axis, rate * 0.02);
        const mn_stain_frame after = { mn_mul3(turn, rest.x), mn_mul3(turn, rest.z) };
        const mn_vec3        w     = mn_stain_spin(&rest, &after, 0.02);
        assert_near(mn_norm3(mn_sub3(w, mn_scale3(rate, axis))) / rate, 0.0, 1e-12 / rate + 1e-13);
    }
}

/// Positions of a motion p(t) = x + offset at three times; the force step from rest.
static void check_motion(double size, const mn_vec3 offset[3], mn_vec3 gravity, double expected_x, double expected_y,
                         double tolerance)
{
    cloth           q = cloth_square(8, 0.3, MN_DIAGONALS_RANDOM);
    const int64_t   n = q.s->vertex_count;
    const double    h = 0.01;
    mn_vec3        *x[3];
    mn_stain_frame *f[3];
    mn_stain_rest  *r;
    assert_int_equal(mn_stain_rest_create(q.s, q.mesh.x, &r), MN_OK);
    for (int k = 0; k < 3; k++) {
        x[k] = malloc((size_t)n * sizeof **x);
        f[k] = malloc((size_t)n * sizeof **f);
        for (int64_t v = 0; v < n; v++) x[k][v] = mn_add3(q.mesh.x[v], offset[k]);
        mn_stain_frames(r, x[k], f[k]);
    }
    mn_stain_vec         *a = malloc((size_t)n * sizeof *a), *u = calloc((size_t)n, sizeof *u);
    double               *spin = malloc((size_t)n * sizeof *spin);
    const mn_stain_motion m    = { { x[0], x[1], x[2] }, { f[0], f[1], f[2] }, { h, h } };
    mn_stain_inertia(q.s, &m, gravity, a, spin, NULL);
    mn_stain_force(q.s, a, spin, h, u);
    for (int64_t v = 0; v < n; v++) {
        if (q.s->rim[v]) continue;
        const mn_vec3 ay = mn_stain_frame_y(&f[1][v]), w = mn_add3(mn_scale3(u[v].x, f[1][v].x), mn_scale3(u[v].y, ay));
        assert_near(w.x, expected_x, tolerance);
        assert_near(w.y, expected_y, tolerance);
        assert_near(spin[v], 0.0, 1e-12 / h * (1.0 + size));
    }
    for (int k = 0; k < 3; k++) free(x[k]), free(f[k]);
    free(a), free(u), free(spin);
    mn_stain_rest_destroy(&r);
    cloth_end(&q);
}

static void liquid_feels_the_motion_of_the_cloth(void **state)
{
    (void)state;
    const double h = 0.01, round_off = 4.0 * 2e-16 / h;  // of |p| = 1 cm in the second difference, times h
    // Uniform acceleration 30 along x: u = -30 h.
    const mn_vec3 pushed[3] = { mn_v3(15.0 * h * h, 0, 0), mn_v3(0, 0, 0), mn_v3(15.0 * h * h, 0, 0) };
    check_motion(1.0, pushed, mn_v3(0, 0, 0), -0.3, 0.0, 10.0 * round_off);
    // Constant velocity: nothing.
    const mn_vec3 drifting[3] = { mn_v3(-h, 2.0 * h, 0), mn_v3(0, 0, 0), mn_v3(h, -2.0 * h, 0) };
    check_motion(1.0, drifting, mn_v3(0, 0, 0), 0.0, 0.0, 10.0 * round_off);
    // Free fall along the cloth: nothing; the same cloth at rest: g h.
    const mn_vec3 falling[3] = { mn_v3(0, -490.0 * h * h, 0), mn_v3(0, 0, 0), mn_v3(0, -490.0 * h * h, 0) };
    check_motion(1.0, falling, mn_v3(0, -980, 0), 0.0, 0.0, 10.0 * round_off);
    const mn_vec3 still[3] = { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } };
    check_motion(1.0, still, mn_v3(0, -980, 0), 0.0, -9.8, 1e-12);
}

static void constant_fields_have_no_energy_on_flat_cloth(void **state)
{
    (void)state;
    cloth            q = cloth_square(10, 0.3, MN_DIAGONALS_RANDOM);
    mn_stain_rest   *r;
    mn_stain_tensor *s = malloc((size_t)q.s->triangle_count * sizeof *s);
    for (int64_t t = 0; t < q.s->triangle_count; t++)
        s[t] = mn_stain_tensor_at((mn_stain_tensor){ 100.0, 0.0, 1.0 }, 0.3 + mn_stain_mesh_angle(&q.mesh, t));
    mn_stain_covariant *k;
    assert_int_equal(mn_stain_rest_create(q.s, q.mesh.x, &r), MN_OK);
    assert_int_equal(mn_stain_covariant_create(q.s, s, NULL, 0, &k), MN_OK);
    mn_stain_vec *u = constant_field(&q, r, 0.4, 0.9), *y = malloc((size_t)q.s->vertex_count * sizeof *y);
    mn_stain_covariant_multiply(k, u, y);
    for (int64_t v = 0; v < q.s->vertex_count; v++)
        assert_near(sqrt(y[v].x * y[v].x + y[v].y * y[v].y), 0.0, 1e-11);  // of conductances up to 1e2
    free(u), free(y), free(s);
    mn_stain_covariant_destroy(&k);
    mn_stain_rest_destroy(&r);
    cloth_end(&q);
}

/// Smallest eigenvalue of K u = lambda M u by steps of implicit diffusion: each divides by 1 + h lambda.
static void slowest_velocity_on_a_sphere_decays_at_rate_one(void **state)
{
    (void)state;
    cloth            q = cloth_sphere(2);
    const int64_t    n = q.s->vertex_count;
    mn_stain_tensor *s = malloc((size_t)q.s->triangle_count * sizeof *s);
    for (int64_t t = 0; t < q.s->triangle_count; t++) s[t] = (mn_stain_tensor){ 1.0, 0.0, 1.0 };
    mn_stain_covariant *k;
    assert_int_equal(n, 162);
    assert_int_equal(mn_stain_covariant_create(q.s, s, NULL, 0, &k), MN_OK);
    mn_stain_vec *u = malloc((size_t)n * sizeof *u), *y = malloc((size_t)n * sizeof *y);
    for (int64_t v = 0; v < n; v++)
        u[v] = (mn_stain_vec){ mn_random(1, (uint64_t)v, 0, 0) - 0.5, mn_random(1, (uint64_t)v, 0, 1) - 0.5 };
    mn_stain_solve_report report;
    for (int step = 0; step < 60; step++)
        assert_int_equal(mn_stain_diffuse_velocity(k, 1.0, 1e-12, u, q.arena, &report), MN_OK);
    mn_stain_covariant_multiply(k, u, y);
    double energy = 0.0, mass = 0.0;
    for (int64_t v = 0; v < n; v++) {
        energy += u[v].x * y[v].x + u[v].y * y[v].y;
        mass += q.s->area[v] * (u[v].x * u[v].x + u[v].y * u[v].y);
    }
    assert_near(energy / mass, 1.0, 0.01);
    free(u), free(y), free(s);
    mn_stain_covariant_destroy(&k);
    cloth_end(&q);
}

static void check_refusal(const char *what, int64_t vertices, const mn_vec3 *x, int64_t triangles,
                          const int32_t (*t)[3])
{
    mn_context       *c = test_context(1);
    mn_stain_surface *s;
    assert_int_equal(mn_stain_surface_create(c, vertices, x, triangles, t, &s), MN_ERR_ARGUMENT);
    assert_null(s);
    assert_non_null(strstr(mn_context_error(c), what));
    test_context_end(&c);
}

static void bad_cloths_are_refused_with_the_place(void **state)
{
    (void)state;
    const mn_vec3 x[5] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 }, { -1, -1, 0 } };
    check_refusal("same way", 4, x, 2, (const int32_t[][3]){ { 0, 1, 2 }, { 1, 2, 3 } });
    check_refusal("no triangle", 5, x, 2, (const int32_t[][3]){ { 0, 1, 2 }, { 1, 3, 2 } });
    check_refusal("names vertex 9", 4, x, 1, (const int32_t[][3]){ { 0, 1, 9 } });
    check_refusal("share the edge", 5, x, 3, (const int32_t[][3]){ { 0, 1, 2 }, { 1, 0, 4 }, { 0, 1, 3 } });
    const mn_vec3 line[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 } };
    check_refusal("no area", 3, line, 1, (const int32_t[][3]){ { 0, 1, 2 } });
    const mn_vec3 bow[5] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { -1, 0, 0 }, { -1, -1, 0 } };
    check_refusal("meet in that vertex only", 5, bow, 2, (const int32_t[][3]){ { 0, 1, 2 }, { 0, 3, 4 } });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(areas_of_vertices_add_up),
        cmocka_unit_test(turn_around_a_vertex_is_its_angle_defect),
        cmocka_unit_test(flat_cloth_carries_vectors_unchanged),
        cmocka_unit_test(transport_leaves_a_constant_field_constant),
        cmocka_unit_test(a_field_that_goes_nowhere_does_not_turn),
        cmocka_unit_test(a_way_ends_where_it_points),
        cmocka_unit_test(turned_rings_are_recognised),
        cmocka_unit_test(spin_of_a_turning_frame),
        cmocka_unit_test(liquid_feels_the_motion_of_the_cloth),
        cmocka_unit_test(constant_fields_have_no_energy_on_flat_cloth),
        cmocka_unit_test(slowest_velocity_on_a_sphere_decays_at_rate_one),
        cmocka_unit_test(bad_cloths_are_refused_with_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
