// SPDX-License-Identifier: MPL-2.0
// Surfaces of functions: closed, manifold, outward, of the right genus, area and volume.
#include "testing.h"

#include "base/random.h"
#include "geom/isosurface.h"

#include <stdlib.h>
#include <string.h>

static double sphere(mn_vec3 x, void *user) { return mn_norm3(x) - *(double *)user; }

static double torus(mn_vec3 x, void *user)
{
    (void)user;
    const double ring = sqrt(x.x * x.x + x.z * x.z) - 0.6;
    return sqrt(ring * ring + x.y * x.y) - 0.23;
}

/// Noise: the worst case for a table of cases. Positive on the border.
static double noise(mn_vec3 x, void *user)
{
    (void)user;
    const int i = (int)lround((x.x + 1.0) * 10.0), j = (int)lround((x.y + 1.0) * 10.0),
              k = (int)lround((x.z + 1.0) * 10.0);
    if (i == 0 || j == 0 || k == 0 || i == 20 || j == 20 || k == 20) return 1.0;
    return mn_random(3, (uint64_t)(i + 100 * (j + 100 * k)), 0, 0) - 0.5;
}

static mn_lattice cube_lattice(int points)
{
    const double h = 2.0 / (points - 1);
    return (mn_lattice){ .low = { -1, -1, -1 }, .spacing = { h, h, h }, .size = { points, points, points } };
}

static int compare_edges(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/// Every directed edge exactly once, and its opposite too; returns V - E + F.
static int64_t assert_closed(const mn_mesh *m)
{
    const int64_t edges = 3 * m->triangle_count;
    int64_t      *key   = malloc((size_t)edges * sizeof *key);
    for (int64_t e = 0; e < edges; e++) {
        const int32_t *t = m->triangle[e / 3];
        key[e]           = (int64_t)t[e % 3] << 32 | t[(e + 1) % 3];
    }
    qsort(key, (size_t)edges, sizeof *key, compare_edges);
    for (int64_t e = 0; e < edges; e++) {
        if (e > 0) assert_true(key[e] != key[e - 1]);
        const int64_t opposite = (int64_t)(key[e] & 0xffffffff) << 32 | key[e] >> 32;
        assert_non_null(bsearch(&opposite, key, (size_t)edges, sizeof *key, compare_edges));
    }
    free(key);
    return m->vertex_count - edges / 2 + m->triangle_count;
}

static void measure(const mn_mesh *m, double *area, double *volume)
{
    *area = *volume = 0.0;
    for (int64_t t = 0; t < m->triangle_count; t++) {
        const mn_vec3 a = mn_v3_from(m->vertex[m->triangle[t][0]]), b = mn_v3_from(m->vertex[m->triangle[t][1]]),
                      c = mn_v3_from(m->vertex[m->triangle[t][2]]);
        const mn_vec3 n = mn_cross3(mn_sub3(b, a), mn_sub3(c, a));
        *area += 0.5 * mn_norm3(n);
        *volume += mn_dot3(a, n) / 6.0;
    }
}

static void drop(mn_context *c, mn_mesh *m)
{
    mn_free(c, m->vertex);
    mn_free(c, m->triangle);
}

static void a_sphere_has_its_area_and_volume_to_second_order(void **state)
{
    (void)state;
    mn_context *c      = test_context(1);
    double      radius = 0.7, area_error[3], volume_error[3];
    for (int k = 0; k < 3; k++) {
        const mn_lattice lattice = cube_lattice((8 << k) + 2);
        mn_mesh          m;
        assert_int_equal(mn_isosurface(c, &lattice, sphere, &radius, &m), MN_OK);
        assert_int_equal(assert_closed(&m), 2);
        double area, volume;
        measure(&m, &area, &volume);
        area_error[k]   = fabs(area / (4.0 * 3.14159265358979 * radius * radius) - 1.0);
        volume_error[k] = fabs(volume / (4.0 / 3.0 * 3.14159265358979 * radius * radius * radius) - 1.0);
        drop(c, &m);
    }
    assert_less(area_error[2], 5e-3);
    assert_less(volume_error[2], 5e-3);
    for (int k = 0; k < 2; k++) {  // halving the spacing: a quarter of the error
        assert_less(area_error[k + 1], 0.35 * area_error[k]);
        assert_less(volume_error[k + 1], 0.35 * volume_error[k]);
    }
    test_context_end(&c);
}

static void a_torus_has_a_hole_and_noise_is_closed_too(void **state)
{
    (void)state;
    mn_context      *c       = test_context(1);
    const mn_lattice lattice = cube_lattice(33);
    mn_mesh          m;
    double           area, volume;
    assert_int_equal(mn_isosurface(c, &lattice, torus, NULL, &m), MN_OK);
    assert_int_equal(assert_closed(&m), 0);
    measure(&m, &area, &volume);
    assert_near(volume / (2.0 * 9.8696044 * 0.6 * 0.23 * 0.23), 1.0, 0.03);
    drop(c, &m);
    const mn_lattice coarse = cube_lattice(21);
    assert_int_equal(mn_isosurface(c, &coarse, noise, NULL, &m), MN_OK);
    assert_true(m.triangle_count > 10000);
    (void)assert_closed(&m);
    measure(&m, &area, &volume);
    assert_true(volume > 0.0);
    drop(c, &m);
    double nothing = -1.0;
    assert_int_equal(mn_isosurface(c, &coarse, sphere, &nothing, &m), MN_OK);
    assert_int_equal(m.triangle_count, 0);
    drop(c, &m);
    test_context_end(&c);
}

static void surfaces_of_shapes_are_exact_on_their_bounds(void **state)
{
    (void)state;
    mn_context  *c   = test_context(1);
    mn_shape_def box = mn_shape_def_default(MN_SHAPE_BOX);
    box.center[0] = 3.0, box.size[0] = 4.0, box.size[1] = 0.1, box.size[2] = 2.0;
    mn_shape *shape;
    mn_mesh   m;
    double    area, volume, low[3], high[3];
    assert_int_equal(mn_shape_create(c, &box, &shape), MN_OK);
    mn_shape_bounds(shape, low, high);
    assert_int_equal(mn_shape_surface(c, shape, mn_v3_from(low), mn_v3_from(high), 40, &m), MN_OK);
    assert_int_equal(assert_closed(&m), 2);
    measure(&m, &area, &volume);
    assert_near(volume, 0.8, 1e-4);  // edges rounded by a thousandth of a cell
    assert_near(area, 2.0 * (4.0 * 2.0 + 4.0 * 0.1 + 2.0 * 0.1), 2e-3);
    mn_mesh_free(c, &m);
    mn_shape_release(&shape);

    mn_shape_def plane = mn_shape_def_default(MN_SHAPE_PLANE);  // has no end: the box closes it
    plane.center[1]    = 0.3;
    assert_int_equal(mn_shape_create(c, &plane, &shape), MN_OK);
    assert_int_equal(mn_shape_surface(c, shape, mn_v3(-1, -1, -1), mn_v3(1, 1, 1), 16, &m), MN_OK);
    assert_int_equal(assert_closed(&m), 2);
    measure(&m, &area, &volume);
    assert_near(volume, 2.0 * 2.0 * 1.3, 0.02);
    mn_mesh_free(c, &m);
    mn_shape_release(&shape);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_has_its_area_and_volume_to_second_order),
        cmocka_unit_test(a_torus_has_a_hole_and_noise_is_closed_too),
        cmocka_unit_test(surfaces_of_shapes_are_exact_on_their_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
