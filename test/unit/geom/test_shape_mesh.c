// SPDX-License-Identifier: MPL-2.0
// Meshes of shapes: closed, outward, on the surface, with their own edges, cut where parts meet.
#include "failing_memory.h"
#include "testing.h"

#include "base/random.h"
#include "geom/shape.h"
#include "geom/solid/shape_mesh.h"

#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

static int compare_edges(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/// Every directed edge as often as its opposite. `once`: and no more than once.
static void assert_closed(const mn_mesh *m, bool once)
{
    const int64_t edges = 3 * m->triangle_count;
    int64_t      *ahead = malloc((size_t)edges * sizeof *ahead + 1), *back = malloc((size_t)edges * sizeof *back + 1);
    for (int64_t e = 0; e < edges; e++) {
        const int32_t *t = m->triangle[e / 3];
        const int64_t  a = t[e % 3], b = t[(e + 1) % 3];
        assert_true(a != b && a >= 0 && b >= 0 && a < m->vertex_count && b < m->vertex_count);
        ahead[e] = a << 32 | b;
        back[e]  = b << 32 | a;
    }
    qsort(ahead, (size_t)edges, sizeof *ahead, compare_edges);
    qsort(back, (size_t)edges, sizeof *back, compare_edges);
    assert_memory_equal(ahead, back, (size_t)edges * sizeof *ahead);
    for (int64_t e = 1; once && e < edges; e++) assert_true(ahead[e] != ahead[e - 1]);
    free(ahead);
    free(back);
}

static mn_shape *solid(mn_context *c, mn_shape_def def)
{
    mn_shape *s = NULL;
    assert_int_equal(mn_shape_create(c, &def, &s), MN_OK);
    return s;
}

static mn_shape *ball(mn_context *c, double x, double y, double z, double r)
{
    mn_shape_def d = mn_shape_def_default(MN_SHAPE_SPHERE);
    d.center[0] = x, d.center[1] = y, d.center[2] = z, d.radius[0] = r;
    return solid(c, d);
}

static mn_shape *block(mn_context *c, double x, double y, double z, double a, double b, double e)
{
    mn_shape_def d = mn_shape_def_default(MN_SHAPE_BOX);
    d.center[0] = x, d.center[1] = y, d.center[2] = z, d.size[0] = a, d.size[1] = b, d.size[2] = e;
    return solid(c, d);
}

static mn_shape *rod(mn_context *c, double x, double y, double z, double r, double height)
{
    mn_shape_def d = mn_shape_def_default(MN_SHAPE_CYLINDER);
    d.center[0] = x, d.center[1] = y, d.center[2] = z, d.radius[0] = r, d.height = height;
    return solid(c, d);
}

/// Releases the parts.
static mn_shape *set(mn_context *c, mn_shape_kind kind, mn_shape **parts, int count)
{
    mn_shape_def d = mn_shape_def_default(kind);
    d.parts = parts, d.part_count = count;
    mn_shape *s = solid(c, d);
    for (int k = 0; k < count; k++) mn_shape_release(&parts[k]);
    return s;
}

static mn_mesh meshed(mn_context *c, const mn_shape *s, bool once)
{
    mn_mesh m;
    bool    clear = false;
    assert_int_equal(mn_shape_mesh(c, s, mn_v3(-3, -3, -3), mn_v3(3, 3, 3), &m, &clear), MN_OK);
    assert_true(clear);
    assert_closed(&m, once);
    return m;
}

/// The volume inside the mesh of a shape, which is released.
static double volume_of(mn_context *c, mn_shape *s)
{
    mn_mesh      m = meshed(c, s, false);
    const double v = m.triangle_count > 0 ? mn_mesh_volume(&m) : 0.0;
    mn_mesh_free(c, &m);
    mn_shape_release(&s);
    return v;
}

/// Area of a regular polygon in a circle of radius 1, as a share of that of the circle.
static double polygon_share(int sides) { return sides / (2.0 * PI) * sin(2.0 * PI / sides); }

static void simple_solids_have_their_vertices_on_the_surface(void **state)
{
    mn_context *c = *state;
    static const struct {
        mn_shape_kind kind;
        double        volume, part;  // of the solid; least share of it in the mesh
        int           most;          // vertices
    } cases[] = {
        { MN_SHAPE_BOX, 0.8 * 1.1 * 1.7, 1.0 - 1e-12, 8 },
        { MN_SHAPE_SPHERE, 4.0 / 3.0 * PI * 0.729, 0.995, 2000 },
        { MN_SHAPE_CAPSULE, 4.0 / 3.0 * PI * 0.729 + PI * 0.81 * 1.3, 0.995, 2100 },
        { MN_SHAPE_CYLINDER, PI * 0.81 * 1.3, 0.998, 130 },
        { MN_SHAPE_CONE, PI * 1.3 / 3.0 * (0.81 + 0.9 * 0.3 + 0.09), 0.998, 130 },
        { MN_SHAPE_TORUS, 2.0 * PI * PI * 0.9 * 0.09, 0.99, 2100 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        mn_shape_def d = mn_shape_def_default(cases[k].kind);
        d.center[0] = 0.3, d.center[1] = -0.2, d.center[2] = 0.11;
        d.axis[0] = 0.3, d.axis[1] = 1.0, d.axis[2] = -0.7;
        d.size[0] = 0.8, d.size[1] = 1.1, d.size[2] = 1.7;
        d.radius[0] = 0.9, d.radius[1] = 0.3, d.height = 1.3;
        mn_shape *inner = solid(c, d), *s = NULL;
        assert_int_equal(mn_shape_placed(c, inner, (double[3]){ 1, 2, 3 }, 0.8, (double[3]){ 0.4, 0.1, -0.2 }, &s),
                         MN_OK);
        mn_mesh m = meshed(c, s, true);
        assert_true(m.vertex_count <= cases[k].most);
        double farthest = 0.0, deepest = 0.0;
        for (int64_t v = 0; v < m.vertex_count; v++)
            farthest = fmax(farthest, fabs(mn_shape_at(s, mn_v3_from(m.vertex[v]))));
        for (int64_t t = 0; t < m.triangle_count; t++) {
            mn_vec3 middle = mn_v3(0, 0, 0);
            for (int n = 0; n < 3; n++)
                middle = mn_add3(middle, mn_scale3(1.0 / 3.0, mn_v3_from(m.vertex[m.triangle[t][n]])));
            deepest = fmax(deepest, fabs(mn_shape_at(s, middle)));
        }
        assert_true(farthest < 1e-14);
        // Chords of 64 to the circle: both ways on a ball; around a torus, and 32 around its tube.
        const double chord = 1.0 - cos(PI / 64.0), thick = 1.0 - cos(PI / 32.0);
        assert_less(deepest, cases[k].kind == MN_SHAPE_TORUS ? 1.2 * chord + 0.3 * thick : 2.0 * 0.9 * chord);
        const double share = mn_mesh_volume(&m) / cases[k].volume;
        assert_true(share > cases[k].part && share < 1.0 + 1e-12);
        mn_mesh_free(c, &m);
        mn_shape_release(&s);
        mn_shape_release(&inner);
    }
}

static void a_box_has_twelve_triangles_and_a_disc_two_faces(void **state)
{
    mn_context *c = *state;
    mn_shape   *s = block(c, 1, 2, 3, 2, 4, 6);
    mn_mesh     m = meshed(c, s, true);
    assert_int_equal(m.vertex_count, 8);
    assert_int_equal(m.triangle_count, 12);
    for (int64_t v = 0; v < 8; v++)
        for (int a = 0; a < 3; a++) assert_true(fabs(m.vertex[v][a] - (a + 1)) == a + 1);
    mn_mesh_free(c, &m);
    mn_shape_release(&s);
    s = solid(c, mn_shape_def_default(MN_SHAPE_DISC));
    m = meshed(c, s, true);
    assert_int_equal(m.triangle_count, 128);
    mn_mesh_free(c, &m);
    mn_shape_release(&s);
}

static void a_plane_ends_at_the_box(void **state)
{
    mn_context  *c = *state;
    mn_shape_def d = mn_shape_def_default(MN_SHAPE_PLANE);
    d.center[1]    = 0.7;
    mn_shape *s    = solid(c, d);
    mn_mesh   m    = meshed(c, s, true);
    assert_true(m.triangle_count <= 24);
    assert_true(fabs(mn_mesh_volume(&m) - 36.0 * 3.7) < 1e-9);
    mn_mesh_free(c, &m);
    mn_shape_release(&s);
    d.axis[0] = 0.4, d.axis[2] = -0.3;  // a plane through the middle halves the box
    d.center[1] = 0.0;
    assert_true(fabs(volume_of(c, solid(c, d)) - 108.0) < 1e-9);
    d.center[1] = 20.0;  // far above: all of it
    assert_true(fabs(volume_of(c, solid(c, d)) - 216.0) < 1e-9);
    d.center[1] = -20.0;
    assert_true(volume_of(c, solid(c, d)) == 0.0);
}

static void holes_and_steps_that_are_flush_come_out_clean(void **state)
{
    mn_context  *c      = *state;
    const double circle = PI * polygon_share(64);
    // A hole through a plate, its lids flush with it.
    mn_shape *s = set(c, MN_SHAPE_DIFFERENCE, (mn_shape *[]){ block(c, 0, 0, 0, 4, 1, 4), rod(c, 0, 0, 0, 1, 1) }, 2);
    mn_mesh   m = meshed(c, s, true);
    assert_true(fabs(mn_mesh_volume(&m) - (16.0 - circle)) < 1e-9);
    assert_int_equal(m.vertex_count, 8 + 128);
    for (int64_t v = 0; v < m.vertex_count; v++) assert_true(fabs(mn_shape_at(s, mn_v3_from(m.vertex[v]))) < 1e-9);
    mn_mesh_free(c, &m);
    mn_shape_release(&s);
    // Two blocks side by side are one, and no wall stands between them.
    s = set(c, MN_SHAPE_UNION, (mn_shape *[]){ block(c, 0, 0, 0, 1, 1, 1), block(c, 1, 0, 0, 1, 1, 1) }, 2);
    m = meshed(c, s, false);
    assert_true(fabs(mn_mesh_volume(&m) - 2.0) < 1e-9);
    for (int64_t t = 0; t < m.triangle_count; t++) {
        bool between = true;
        for (int k = 0; k < 3; k++) between = between && fabs(m.vertex[m.triangle[t][k]][0] - 0.5) < 1e-6;
        assert_false(between);
    }
    mn_mesh_free(c, &m);
    mn_shape_release(&s);
    // A step cut out of a block, flush on four sides; stairs of ten blocks.
    assert_true(
        fabs(volume_of(c, set(c, MN_SHAPE_DIFFERENCE,
                              (mn_shape *[]){ block(c, 0, 0, 0, 2, 2, 2), block(c, 0.5, 0.5, 0, 1, 1, 2) }, 2)) -
             6.0) < 1e-9);
    mn_shape *stair[10];
    for (int k = 0; k < 10; k++) stair[k] = block(c, 0.2 * k, 0.1 * k, 0, 0.2, 0.2 * k + 0.2, 1);
    assert_true(fabs(volume_of(c, set(c, MN_SHAPE_UNION, stair, 10)) - 0.2 * 0.2 * 55.0) < 1e-7);
    // The same solid twice; parts that touch only.
    assert_true(
        fabs(volume_of(c, set(c, MN_SHAPE_UNION, (mn_shape *[]){ rod(c, 0, 0, 0, 1, 1), rod(c, 0, 0, 0, 1, 1) }, 2)) -
             circle) < 1e-6);
    assert_true(fabs(volume_of(c, set(c, MN_SHAPE_DIFFERENCE,
                                      (mn_shape *[]){ rod(c, 0, 0, 0, 1, 1), rod(c, 0, 0, 0, 1, 1) }, 2))) < 1e-6);
    assert_true(
        fabs(volume_of(c, set(c, MN_SHAPE_INTERSECTION,
                              (mn_shape *[]){ block(c, 0, 0, 0, 1, 1, 1), block(c, 0.999, 0, 0, 1, 1, 1) }, 2)) -
             0.001) < 1e-9);
}

static void a_hole_within_a_hole_is_nested_right(void **state)
{
    mn_context  *c      = *state;
    const double circle = PI * polygon_share(64);
    // A plate with a ring cut out of it: the core of the ring stays, flush with the plate.
    mn_shape *ring = set(c, MN_SHAPE_DIFFERENCE, (mn_shape *[]){ rod(c, 0, 0, 0, 1, 1), rod(c, 0, 0, 0, 0.5, 1) }, 2);
    mn_shape *s    = set(c, MN_SHAPE_DIFFERENCE, (mn_shape *[]){ block(c, 0, 0, 0, 4, 1, 4), ring }, 2);
    mn_mesh   m    = meshed(c, s, true);
    assert_true(fabs(mn_mesh_volume(&m) - (16.0 - 0.75 * circle)) < 1e-8);
    mn_mesh_free(c, &m);
    mn_shape_release(&s);
    // A ball in a hollow ball.
    mn_shape *hollow = set(c, MN_SHAPE_DIFFERENCE, (mn_shape *[]){ ball(c, 0, 0, 0, 1), ball(c, 0, 0, 0, 0.9) }, 2);
    s                = set(c, MN_SHAPE_UNION, (mn_shape *[]){ hollow, ball(c, 0, 0, 0, 0.5) }, 2);
    m                = meshed(c, s, true);
    const double one = mn_mesh_volume(&m) / (1.0 - 0.729 + 0.125);
    assert_true(one > 0.995 * 4.0 / 3.0 * PI && one < 4.0 / 3.0 * PI);
    mn_mesh_free(c, &m);
    mn_shape_release(&s);
}

/// The edge between a ball and a box is where both are: distances of its vertices to both.
static void edges_between_parts_are_sharp(void **state)
{
    mn_context *c = *state;
    mn_shape   *b = ball(c, 0, 0, 0, 1), *x = block(c, 0.5, 0, 0, 1, 3, 3);
    mn_shape   *s    = set(c, MN_SHAPE_DIFFERENCE, (mn_shape *[]){ mn_shape_retain(b), mn_shape_retain(x) }, 2);
    mn_mesh     m    = meshed(c, s, true);
    int         edge = 0;
    for (int64_t v = 0; v < m.vertex_count; v++) {
        const mn_vec3 p  = mn_v3_from(m.vertex[v]);
        const double  db = fabs(mn_shape_at(b, p)), dx = fabs(mn_shape_at(x, p));
        if (dx < 1e-12) edge++;
        assert_true(db < 1.3e-3 && (db < 1e-12 || dx < 1e-12));  // chords of the ball leave it by 1.2e-3 of its radius
    }
    assert_true(edge >= 64);
    mn_mesh_free(c, &m);
    mn_shape_release(&s);
    mn_shape_release(&b);
    mn_shape_release(&x);
}

static mn_shape *random_solid(mn_context *c, uint64_t seed, uint64_t which)
{
    static const mn_shape_kind kinds[] = { MN_SHAPE_BOX,  MN_SHAPE_SPHERE, MN_SHAPE_CAPSULE, MN_SHAPE_CYLINDER,
                                           MN_SHAPE_CONE, MN_SHAPE_TORUS,  MN_SHAPE_PLANE };
    mn_shape_def               d       = mn_shape_def_default(kinds[(int)(7.0 * mn_random(seed, which, 0, 0))]);
    // Every second one stands upright on a lattice of halves, so that faces, edges and axes coincide.
    const bool aligned = mn_random(seed, which, 0, 1) < 0.5;
    for (int a = 0; a < 3; a++) {
        const double r = mn_random(seed, which, 1, (uint64_t)a), q = mn_random(seed, which, 2, (uint64_t)a);
        d.center[a] = aligned ? 0.5 * floor(4.0 * r) - 1.0 : 2.0 * r - 1.0;
        d.size[a]   = aligned ? 0.5 * floor(1.0 + 4.0 * q) : 0.3 + q;
        if (!aligned) d.axis[a] = mn_random(seed, which, 3, (uint64_t)a) - 0.5;
    }
    const double r = mn_random(seed, which, 4, 0);
    d.radius[0]    = aligned ? 0.5 * floor(1.0 + 2.0 * r) : 0.2 + 0.8 * r;
    d.radius[1]    = 0.3 * d.radius[0];
    d.height = aligned ? 0.5 * floor(1.0 + 4.0 * mn_random(seed, which, 4, 1)) : 0.2 + mn_random(seed, which, 4, 1);
    return solid(c, d);
}

/// Volumes of sets add up: V(a or b) + V(a and b) = V(a) + V(b), V(a without b) + V(a and b) = V(a), of any solids,
/// also such that share planes, edges and axes. Boxed, because planes have no end.
static void volumes_of_sets_add_up(void **state)
{
    mn_context *c = *state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        mn_shape *box = block(c, 0.01, 0.02, 0.03, 5, 5, 5), *part[2];
        for (uint64_t k = 0; k < 2; k++)
            part[k] = set(c, MN_SHAPE_INTERSECTION, (mn_shape *[]){ random_solid(c, seed, k), mn_shape_retain(box) },
                          2);
        double v[5];
        v[0]                               = volume_of(c, mn_shape_retain(part[0]));
        v[1]                               = volume_of(c, mn_shape_retain(part[1]));
        static const mn_shape_kind kinds[] = { MN_SHAPE_UNION, MN_SHAPE_INTERSECTION, MN_SHAPE_DIFFERENCE };
        for (int k = 0; k < 3; k++) {
            mn_shape_def d = mn_shape_def_default(kinds[k]);
            d.parts = part, d.part_count = 2;
            mn_shape *s = NULL;  // an intersection of boxes that do not meet is refused
            v[2 + k]    = mn_shape_create(c, &d, &s) == MN_OK ? volume_of(c, s) : 0.0;
        }
        assert_true(fabs(v[2] + v[3] - v[0] - v[1]) < 1e-4);
        assert_true(fabs(v[4] + v[3] - v[0]) < 1e-4);
        for (int k = 0; k < 2; k++) mn_shape_release(&part[k]);
        mn_shape_release(&box);
    }
}

static void a_sieve_has_all_its_holes(void **state)
{
    mn_context *c = *state;
    mn_shape   *part[101];
    part[0] = block(c, 0, 0, 0, 2.2, 0.1, 2.2);
    for (int k = 0; k < 100; k++) part[k + 1] = rod(c, 0.2 * (k % 10) - 0.9, 0, 0.2 * (k / 10) - 0.9, 0.05, 0.1);
    mn_shape *s = set(c, MN_SHAPE_DIFFERENCE, part, 101);
    mn_mesh   m = meshed(c, s, true);
    assert_true(fabs(mn_mesh_volume(&m) - (2.2 * 2.2 * 0.1 - 100.0 * PI * 0.0025 * 0.1 * polygon_share(32))) < 1e-8);
    // Euler: a ball with 100 handles.
    assert_int_equal(m.vertex_count - m.triangle_count / 2, 2 - 200);
    mn_mesh_free(c, &m);
    mn_shape_release(&s);
}

static void triangles_of_a_mesh_are_its_own(void **state)
{
    mn_context *c    = *state;
    mn_shape   *s    = ball(c, 0, 0, 0, 1);
    mn_mesh     m    = meshed(c, s, true), again;
    const char *path = "test_shape_mesh.ply";
    FILE       *f    = fopen(path, "w");
    assert_non_null(f);
    fprintf(f,
            "ply\nformat ascii 1.0\nelement vertex %d\nproperty double x\nproperty double y\nproperty double z\n"
            "element face %d\nproperty list uchar int vertex_indices\nend_header\n",
            (int)m.vertex_count, (int)m.triangle_count);
    for (int64_t v = 0; v < m.vertex_count; v++)
        fprintf(f, "%.17g %.17g %.17g\n", m.vertex[v][0], m.vertex[v][1], m.vertex[v][2]);
    for (int64_t t = 0; t < m.triangle_count; t++)
        fprintf(f, "3 %d %d %d\n", m.triangle[t][0], m.triangle[t][1], m.triangle[t][2]);
    fclose(f);
    mn_shape_def d = mn_shape_def_default(MN_SHAPE_MESH);
    d.file         = path;
    mn_shape *file = solid(c, d);
    again          = meshed(c, file, true);
    assert_int_equal(again.vertex_count, m.vertex_count);
    assert_memory_equal(again.vertex, m.vertex, (size_t)m.vertex_count * sizeof *m.vertex);
    assert_memory_equal(again.triangle, m.triangle, (size_t)m.triangle_count * sizeof *m.triangle);
    mn_mesh_free(c, &again);
    // Drilled through: as the ball itself.
    const double drilled = volume_of(c, set(c, MN_SHAPE_DIFFERENCE,
                                            (mn_shape *[]){ mn_shape_retain(file), rod(c, 0, 0, 0, 0.3, 3) }, 2));
    const double same    = volume_of(c, set(c, MN_SHAPE_DIFFERENCE,
                                            (mn_shape *[]){ mn_shape_retain(s), rod(c, 0, 0, 0, 0.3, 3) }, 2));
    assert_true(fabs(drilled - same) < 1e-9 && drilled < mn_mesh_volume(&m) - 0.5);
    mn_mesh_free(c, &m);
    mn_shape_release(&s);
    mn_shape_release(&file);
    remove(path);
}

typedef struct refusing {
    mn_context *context;
    mn_shape   *shape;
} refusing;

static mn_status mesh_attempt(failing_memory *memory, void *user)
{
    (void)memory;
    const refusing *r = user;
    mn_mesh         m;
    bool            clear;
    const mn_status status = mn_shape_mesh(r->context, r->shape, mn_v3(-3, -3, -3), mn_v3(3, 3, 3), &m, &clear);
    if (status == MN_OK) mn_mesh_free(r->context, &m);
    return status;
}

static void memory_may_be_refused_anywhere(void **state)
{
    (void)state;
    failing_memory memory = PLENTY_OF_MEMORY;
    refusing       r      = { .context = failing_context(&memory) };
    mn_shape_def   plane  = mn_shape_def_default(MN_SHAPE_PLANE);
    r.shape               = set(r.context, MN_SHAPE_DIFFERENCE,
                                (mn_shape *[]){ solid(r.context, plane), rod(r.context, 0, 0, 0, 1, 1),
                                                block(r.context, 0, 0, 0, 4, 1, 1) },
                                3);
    assert_true(survives_every_failing_allocation(&memory, mesh_attempt, &r, NULL) > 50);
    mn_shape_release(&r.shape);
    test_context_end(&r.context);
}

static int begin(void **state)
{
    *state = test_context(2);
    return 0;
}

static int end(void **state)
{
    mn_context *c = *state;
    test_context_end(&c);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple_solids_have_their_vertices_on_the_surface),
        cmocka_unit_test(a_box_has_twelve_triangles_and_a_disc_two_faces),
        cmocka_unit_test(a_plane_ends_at_the_box),
        cmocka_unit_test(holes_and_steps_that_are_flush_come_out_clean),
        cmocka_unit_test(a_hole_within_a_hole_is_nested_right),
        cmocka_unit_test(edges_between_parts_are_sharp),
        cmocka_unit_test(volumes_of_sets_add_up),
        cmocka_unit_test(a_sieve_has_all_its_holes),
        cmocka_unit_test(triangles_of_a_mesh_are_its_own),
        cmocka_unit_test(memory_may_be_refused_anywhere),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
