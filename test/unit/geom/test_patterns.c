// SPDX-License-Identifier: MPL-2.0
// Meshes of cloth and yarn: areas, lengths, angles, topology, clearance, groups, and what is refused.
#include "testing.h"

#include "base/hash.h"
#include "base/memory.h"
#include "geom/patterns/builder.h"
#include "geom/patterns/clearance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- measures --------------------------------------------------------------------------------------------------------

static mn_vec3 at(const mn_thin_mesh *m, int64_t v) { return mn_v3_from(m->vertex[v]); }

/// Twice the area as a vector; all normals of a flat sheet point up.
static mn_vec3 area_vector(const mn_thin_mesh *m, int64_t t)
{
    const int32_t *v = m->triangle[t];
    return mn_cross3(mn_sub3(at(m, v[1]), at(m, v[0])), mn_sub3(at(m, v[2]), at(m, v[0])));
}

static double area_of(const mn_thin_mesh *m)
{
    double area = 0.0;
    for (int64_t t = 0; t < m->triangle_count; t++) {
        const mn_vec3 n = area_vector(m, t);
        assert_true(n.y > 0.0 && n.x == 0.0 && n.z == 0.0);
        area += 0.5 * n.y;
    }
    return area;
}

static double smallest_angle(const mn_thin_mesh *m)
{
    double least = 180.0;
    for (int64_t t = 0; t < m->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            const int32_t *v = m->triangle[t];
            const mn_vec3  a = mn_sub3(at(m, v[(k + 1) % 3]), at(m, v[k])),
                          b  = mn_sub3(at(m, v[(k + 2) % 3]), at(m, v[k]));
            least            = fmin(least, atan2(mn_norm3(mn_cross3(a, b)), mn_dot3(a, b)) * 180.0 / MN_PI);
        }
    }
    return least;
}

typedef struct edge_count {
    int64_t edges, rim;
    double  mean;
} edge_count;

static int compare_edges(const void *a, const void *b)
{
    const uint64_t s = *(const uint64_t *)a, t = *(const uint64_t *)b;
    return (s > t) - (s < t);
}

/// Edges, those with one triangle, and their mean length. No edge may have more than two.
static edge_count count_edges(const mn_thin_mesh *m)
{
    const int64_t n    = 3 * m->triangle_count;
    uint64_t     *list = malloc((size_t)n * sizeof *list);
    edge_count    out  = { 0, 0, 0.0 };
    for (int64_t k = 0; k < n; k++) {
        const uint64_t a = (uint64_t)m->triangle[k / 3][k % 3], b = (uint64_t)m->triangle[k / 3][(k + 1) % 3];
        list[k] = a < b ? a << 32 | b : b << 32 | a;
    }
    qsort(list, (size_t)n, sizeof *list, compare_edges);
    for (int64_t k = 0; k < n;) {
        int64_t same = 1;
        while (k + same < n && list[k + same] == list[k]) same++;
        assert_true(same <= 2);
        out.edges++;
        out.rim += same == 1;
        out.mean += mn_norm3(mn_sub3(at(m, (int64_t)(list[k] >> 32)), at(m, (int64_t)(list[k] & 0xffffffffu))));
        k += same;
    }
    out.mean /= (double)out.edges;
    free(list);
    return out;
}

static int64_t group_size(const mn_thin_mesh *m, const char *name)
{
    const mn_vertex_group *g = mn_thin_find_group(m, name);
    for (int64_t k = 0; g != NULL && k < g->count; k++)
        assert_true(g->vertex[k] >= 0 && g->vertex[k] < m->vertex_count);
    for (int64_t k = 1; g != NULL && k < g->count; k++) assert_true(g->vertex[k] > g->vertex[k - 1]);
    return g == NULL ? 0 : g->count;
}

static mn_thin_mesh make_cloth(mn_context *c, mn_cloth_def def)
{
    mn_thin_mesh m;
    if (mn_cloth_generate(c, &def, &m) != MN_OK) fail_msg("%s", mn_context_error(c));
    return m;
}

static mn_thin_mesh make_yarn(mn_context *c, mn_yarn_def def)
{
    mn_thin_mesh m;
    if (mn_yarn_generate(c, &def, &m) != MN_OK) fail_msg("%s", mn_context_error(c));
    return m;
}

// --- cloth -----------------------------------------------------------------------------------------------------------

/// A disc as a polygon with this many sides has this area.
static double polygon_area(double radius, double sides)
{
    return 0.5 * sides * radius * radius * sin(2.0 * MN_PI / sides);
}

static void check_sheet(mn_context *c, mn_cloth_def def, double least_angle)
{
    mn_thin_mesh     m     = make_cloth(c, def);
    const edge_count e     = count_edges(&m);
    const double     half  = 0.5 * def.size[0];
    const double     angle = smallest_angle(&m);
    if (!(angle > least_angle))
        fail_msg("outline %d mesh %d size %g %g spacing %g angle %g: smallest angle %g", def.outline, def.mesh,
                 def.size[0], def.size[1], def.spacing, def.angle, angle);
    assert_int_equal(m.vertex_count - e.edges + m.triangle_count, 1);  // a disc, topologically
    assert_int_equal(group_size(&m, "border"), e.rim);                 // all of the rim lies on the outline
    assert_int_equal(group_size(&m, "all"), m.vertex_count);
    assert_int_equal(group_size(&m, "center"), 1);
    // Whole numbers of edges have to fit: the fewer, the less exactly.
    assert_near(e.mean / def.spacing, def.mesh == MN_CLOTH_EQUILATERAL ? 1.0 : 1.138,
                0.05 + def.spacing / fmin(def.size[0], def.size[1]));
    const double area = def.outline == MN_CLOTH_RECTANGLE ? def.size[0] * def.size[1]
                        : def.outline == MN_CLOTH_HEXAGON ? 1.5 * sqrt(3.0) * half * half
                                                          : polygon_area(half, (double)e.rim);
    assert_near(area_of(&m) / area, 1.0, 1e-10);
    for (int64_t t = 0; t < m.triangle_count; t++) assert_near(m.warp[t][0], cos(def.angle), 1e-15);
    mn_thin_mesh_free(c, &m);
}

static void sheets_of_every_kind_fill_their_outline_without_slivers(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    for (int outline = 0; outline < 3; outline++)
        for (int mesh = 0; mesh < 3; mesh++)
            for (int size = 0; size < 4; size++)
                for (int turn = 0; turn < 5; turn++) {
                    const double across[4] = { 5.0, 7.3, 11.9, 30.0 }, deep[4] = { 3.4, 7.3, 20.1, 17.7 };
                    check_sheet(c,
                                (mn_cloth_def){ .outline = outline,
                                                .mesh    = mesh,
                                                .size    = { across[size], deep[size] },
                                                .spacing = 1.0,
                                                .angle   = turn * 0.19 },
                                25.0);
                }
    test_context_end(&c);
}

static void a_rectangle_of_rows_has_the_vertices_it_should(void **state)
{
    (void)state;
    mn_context  *c = test_context(1);
    mn_thin_mesh m = make_cloth(c, (mn_cloth_def){ .size = { 4.0, 2.0 }, .spacing = 0.5, .mesh = MN_CLOTH_STRUCTURED });
    assert_int_equal(m.vertex_count, 9 * 5);
    assert_int_equal(m.triangle_count, 2 * 8 * 4);
    assert_int_equal(group_size(&m, "corners"), 4);
    assert_int_equal(group_size(&m, "left"), 5);
    assert_int_equal(group_size(&m, "front"), 9);
    assert_int_equal(group_size(&m, "border"), 24);
    const mn_vertex_group *left = mn_thin_find_group(&m, "left"), *back = mn_thin_find_group(&m, "back");
    for (int64_t k = 0; k < left->count; k++) assert_near(m.vertex[left->vertex[k]][0], -2.0, 1e-15);
    for (int64_t k = 0; k < back->count; k++) assert_near(m.vertex[back->vertex[k]][2], -1.0, 1e-15);
    const mn_vertex_group *center = mn_thin_find_group(&m, "center");
    assert_near(mn_norm3(at(&m, center->vertex[0])), 0.0, 1e-15);
    // Rows: corners of a triangle are never more than a row and two vertices apart in number.
    for (int64_t t = 0; t < m.triangle_count; t++)
        for (int k = 0; k < 3; k++) assert_true(abs(m.triangle[t][k] - m.triangle[t][(k + 1) % 3]) <= 11);
    mn_thin_mesh_free(c, &m);
    test_context_end(&c);
}

static void a_hexagon_is_equilateral_throughout(void **state)
{
    (void)state;
    mn_context  *c = test_context(1);
    mn_thin_mesh m = make_cloth(c, (mn_cloth_def){ .outline = MN_CLOTH_HEXAGON, .size = { 8.0, 0.0 }, .spacing = 0.5 });
    assert_int_equal(m.vertex_count, 1 + 3 * 8 * 9);
    assert_near(smallest_angle(&m), 60.0, 1e-9);
    assert_near(count_edges(&m).mean, 0.5, 1e-12);
    assert_int_equal(group_size(&m, "corners"), 6);
    mn_thin_mesh_free(c, &m);
    test_context_end(&c);
}

static void a_turned_square_mesh_keeps_its_diagonals_inside(void **state)
{
    (void)state;
    mn_context  *c = test_context(1);
    mn_thin_mesh m = make_cloth(c, (mn_cloth_def){ .size    = { 20.0, 20.0 },
                                                   .spacing = 1.0,
                                                   .mesh    = MN_CLOTH_STRUCTURED,
                                                   .angle   = 0.3 });
    // Longest edges well inside are diagonals: parallel ones make the angle 45 degrees with the mesh lines.
    int64_t seen = 0;
    for (int64_t t = 0; t < m.triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            const mn_vec3 a = at(&m, m.triangle[t][k]), b = at(&m, m.triangle[t][(k + 1) % 3]), d = mn_sub3(b, a);
            if (fmax(fabs(a.x), fabs(a.z)) > 6.0 || mn_norm3(d) < 1.2) continue;
            assert_near(fabs(cos(atan2(d.z, d.x) - 0.3 - MN_PI / 4.0)), 1.0, 1e-9);
            seen++;
        }
    }
    assert_true(seen > 200);
    mn_thin_mesh_free(c, &m);
    test_context_end(&c);
}

static void large_sheets_are_made_in_linear_time_and_twice_the_same(void **state)
{
    (void)state;
    mn_context        *c   = test_context(1);
    const mn_cloth_def def = { .outline = MN_CLOTH_HEXAGON, .size = { 100.0, 0.0 }, .spacing = 0.5, .angle = 0.4 };
    mn_thin_mesh       a = make_cloth(c, def), b = make_cloth(c, def);
    assert_true(a.vertex_count > 25000);
    assert_int_equal(a.vertex_count, b.vertex_count);
    assert_memory_equal(a.vertex, b.vertex, (size_t)a.vertex_count * sizeof *a.vertex);
    assert_memory_equal(a.triangle, b.triangle, (size_t)a.triangle_count * sizeof *a.triangle);
    mn_thin_mesh_free(c, &a);
    mn_thin_mesh_free(c, &b);
    test_context_end(&c);
}

// --- pile ------------------------------------------------------------------------------------------------------------

static void pile_stands_upright_on_every_second_vertex(void **state)
{
    (void)state;
    mn_context  *c = test_context(1);
    mn_thin_mesh m = make_cloth(c, (mn_cloth_def){ .size = { 4.0, 2.0 }, .spacing = 0.5, .mesh = MN_CLOTH_STRUCTURED });
    const int64_t cloth = m.vertex_count;
    assert_int_equal(mn_pile_add(c,
                                 &(mn_pile_def){ .length     = 0.3,
                                                 .radius     = 0.018,
                                                 .spacing    = 0.1,
                                                 .every      = 2,
                                                 .both_sides = true },
                                 &m),
                     MN_OK);
    assert_int_equal(m.strand_count, 2 * ((cloth + 1) / 2));
    assert_int_equal(m.vertex_count, cloth + 3 * m.strand_count);
    assert_int_equal(group_size(&m, "pile"), m.vertex_count - cloth);
    assert_int_equal(group_size(&m, "all"), m.vertex_count);
    for (int64_t s = 0; s < m.strand_count; s++) {
        assert_int_equal(m.strand_start[s + 1] - m.strand_start[s], 4);
        const int32_t root = m.strand_vertex[m.strand_start[s]], tip = m.strand_vertex[m.strand_start[s] + 3];
        assert_true(root < cloth && root % 2 == 0);
        const mn_vec3 d = mn_sub3(at(&m, tip), at(&m, root));
        assert_near(d.y, s % 2 == 0 ? 0.3 : -0.3, 1e-12);
        assert_near(hypot(d.x, d.z), 0.0, 1e-12);
    }
    const int64_t strands = m.strand_count;
    assert_int_equal(mn_pile_add(c, &(mn_pile_def){ .length = 0.3, .radius = 0.018, .spacing = 0.1, .every = 0 }, &m),
                     MN_ERR_ARGUMENT);
    assert_int_equal(m.strand_count, strands);
    mn_thin_mesh_free(c, &m);
    test_context_end(&c);
}

// --- yarn ------------------------------------------------------------------------------------------------------------

static double strand_length(const mn_thin_mesh *m, int64_t s)
{
    double        length = 0.0;
    const int64_t first = m->strand_start[s], n = m->strand_start[s + 1] - first;
    for (int64_t k = 0; k + (m->strand_closed[s] ? 0 : 1) < n; k++) {
        length += mn_norm3(mn_sub3(at(m, m->strand_vertex[first + (k + 1) % n]), at(m, m->strand_vertex[first + k])));
    }
    return length;
}

static void single_yarns_have_their_length(void **state)
{
    (void)state;
    mn_context  *c    = test_context(1);
    mn_yarn_def  base = { .size = { 10.0, 0.0 }, .radius = 0.05, .spacing = 0.1, .curl = 0.5, .pitch = 1.0 };
    mn_thin_mesh m    = make_yarn(c, base);
    assert_int_equal(m.vertex_count, 101);
    assert_near(strand_length(&m, 0), 10.0, 1e-12);
    assert_int_equal(group_size(&m, "ends"), 2);
    assert_int_equal(group_size(&m, "left"), 1);
    assert_near(m.vertex[mn_thin_find_group(&m, "left")->vertex[0]][0], -5.0, 1e-12);
    mn_thin_mesh_free(c, &m);

    base.pattern = MN_YARN_HELIX;
    base.spacing = 0.01;
    m            = make_yarn(c, base);
    assert_near(strand_length(&m, 0) / (10.0 * hypot(1.0, MN_PI)), 1.0, 1e-4);
    for (int64_t v = 0; v < m.vertex_count; v++) assert_near(hypot(m.vertex[v][1], m.vertex[v][2]), 0.5, 1e-12);
    mn_thin_mesh_free(c, &m);

    base.pattern = MN_YARN_RING;
    m            = make_yarn(c, base);
    assert_int_equal(m.strand_closed[0], 1);
    assert_near(strand_length(&m, 0) / MN_PI, 1.0, 1e-4);
    assert_int_equal(group_size(&m, "ends"), 0);
    mn_thin_mesh_free(c, &m);

    // Complete elliptic integral: the length of y = a sin(2 pi x / p) per period with a = 0.5, p = 1 is (2/pi) sqrt(1 +
    // pi^2) E(k).
    base.pattern = MN_YARN_CURLY;
    m            = make_yarn(c, base);
    double sum   = 0.0;
    for (int k = 0; k < 100000; k++) sum += hypot(1.0, MN_PI * cos(2.0 * MN_PI * (k + 0.5) / 100000.0)) / 100000.0;
    assert_near(strand_length(&m, 0) / (10.0 * sum), 1.0, 2e-3);
    for (int64_t k = 1; k + 1 < m.vertex_count; k++)
        assert_near(mn_norm3(mn_sub3(at(&m, k + 1), at(&m, k))), 0.01, 0.002);
    mn_thin_mesh_free(c, &m);
    test_context_end(&c);
}

static void a_bundle_is_packed_as_tightly_as_the_pitch_says(void **state)
{
    (void)state;
    mn_context  *c = test_context(1);
    mn_thin_mesh m = make_yarn(c, (mn_yarn_def){ .pattern = MN_YARN_BUNDLE,
                                                 .size    = { 3.0, 0.0 },
                                                 .radius  = 0.05,
                                                 .pitch   = 0.1,
                                                 .spacing = 0.3,
                                                 .count   = 19 });
    assert_int_equal(m.strand_count, 19);
    assert_int_equal(group_size(&m, "left"), 19);
    assert_int_equal(group_size(&m, "ends"), 38);
    assert_near(mn_strand_clearance(&m, INFINITY, 1.0), 0.1, 1e-12);
    for (int64_t v = 0; v < m.vertex_count; v++) assert_true(hypot(m.vertex[v][1], m.vertex[v][2]) < 0.2 + 1e-12);
    mn_thin_mesh_free(c, &m);
    test_context_end(&c);
}

/// Yarns of a patch keep twice the radius apart, less the tolerance stated in yarn_private.h, and touch somewhere.
static void check_clear(mn_context *c, mn_yarn_def def, double apart)
{
    mn_thin_mesh m     = make_yarn(c, def);
    const double clear = mn_strand_clearance(&m, apart, 10.0 * def.radius) / (2.0 * def.radius);
    if (!(clear >= 1.0 - 1e-3))
        fail_msg("pattern %d pitch %g spacing %g: clearance %g of 2 radii", def.pattern, def.pitch, def.spacing, clear);
    assert_less(clear, 1.08);
    mn_thin_mesh_free(c, &m);
}

static void woven_yarns_do_not_meet(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    for (int pattern = MN_YARN_PLAIN; pattern <= MN_YARN_SATIN; pattern++)
        for (int pieces = 1; pieces <= 6; pieces += pieces < 2 ? 1 : 2)
            for (double pitch = 0.2; pitch < 0.65; pitch += 0.2)
                check_clear(c,
                            (mn_yarn_def){ .pattern = pattern,
                                           .size    = { 2.4, 2.8 },
                                           .radius  = 0.048,
                                           .pitch   = pitch,
                                           .spacing = pitch / pieces },
                            INFINITY);
    mn_thin_mesh m = make_yarn(c, (mn_yarn_def){ .pattern = MN_YARN_PLAIN,
                                                 .size    = { 2.0, 1.0 },
                                                 .radius  = 0.02,
                                                 .pitch   = 0.1,
                                                 .spacing = 0.05 });
    assert_int_equal(m.strand_count, 10 + 20);
    assert_int_equal(group_size(&m, "warp") + group_size(&m, "weft"), m.vertex_count);
    assert_int_equal(group_size(&m, "ends"), 60);
    assert_true(group_size(&m, "left") > 10);
    mn_thin_mesh_free(c, &m);
    test_context_end(&c);
}

/// +1 or -1 where two segments cross seen from above: which is on top; 0 where they do not.
static int crossing(const mn_vec3 a[2], const mn_vec3 b[2], double *where)
{
    const double ux = a[1].x - a[0].x, uz = a[1].z - a[0].z, vx = b[1].x - b[0].x, vz = b[1].z - b[0].z;
    const double wx = b[0].x - a[0].x, wz = b[0].z - a[0].z, det = ux * vz - uz * vx;
    if (det == 0.0) return 0;
    const double s = (wx * vz - wz * vx) / det, t = (wx * uz - wz * ux) / det;
    if (s < 0.0 || s >= 1.0 || t < 0.0 || t >= 1.0) return 0;
    *where = s;
    return a[0].y + s * (a[1].y - a[0].y) > b[0].y + t * (b[1].y - b[0].y) ? 1 : -1;
}

static void loops_of_a_knit_hang_in_one_another_without_meeting(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    for (double pitch = 9.0; pitch < 17.0; pitch += 3.5)
        check_clear(c,
                    (mn_yarn_def){ .pattern = MN_YARN_KNIT,
                                   .size    = { 4.0 * 0.05 * pitch, 3.0 * 0.05 * pitch },
                                   .radius  = 0.05,
                                   .pitch   = 0.05 * pitch,
                                   .spacing = 0.05 },
                    0.3);
    // Along a course, its crossings with the next: two over, two under, by turns. Unhooked courses would be all over.
    mn_thin_mesh m = make_yarn(c, (mn_yarn_def){ .pattern = MN_YARN_KNIT,
                                                 .size    = { 4.0, 1.6 },
                                                 .radius  = 0.05,
                                                 .pitch   = 0.5,
                                                 .spacing = 0.05 });
    assert_int_equal(m.strand_count, 5);
    int last = 0, changes = 0, crossings = 0;
    for (int64_t k = m.strand_start[0]; k + 1 < m.strand_start[1]; k++) {
        for (int64_t j = m.strand_start[1]; j + 1 < m.strand_start[2]; j++) {
            const mn_vec3 a[2] = { at(&m, m.strand_vertex[k]), at(&m, m.strand_vertex[k + 1]) };
            const mn_vec3 b[2] = { at(&m, m.strand_vertex[j]), at(&m, m.strand_vertex[j + 1]) };
            double        where;
            const int     now = crossing(a, b, &where);
            if (now == 0) continue;
            crossings++;
            changes += last != 0 && now != last;
            last = now;
        }
    }
    assert_in_range(crossings, 4 * 8 - 2, 4 * 8 + 2);
    assert_in_range(changes, 2 * 8 - 2, 2 * 8 + 2);
    mn_thin_mesh_free(c, &m);
    test_context_end(&c);
}

static void lines_of_a_net_share_their_knots(void **state)
{
    (void)state;
    mn_context  *c = test_context(1);
    mn_thin_mesh m = make_yarn(c, (mn_yarn_def){ .pattern = MN_YARN_NET,
                                                 .size    = { 3.0, 2.0 },
                                                 .radius  = 0.02,
                                                 .pitch   = 0.5,
                                                 .spacing = 0.1 });
    assert_int_equal(m.strand_count, 7 + 5);
    const int64_t edges = 7 * 20 + 5 * 30;
    assert_int_equal(m.vertex_count, 7 * 21 + 5 * 31 - 7 * 5);
    int64_t segments = 0;
    int    *uses     = calloc((size_t)m.vertex_count, sizeof *uses);
    for (int64_t s = 0; s < m.strand_count; s++) {
        segments += m.strand_start[s + 1] - m.strand_start[s] - 1;
        for (int64_t k = m.strand_start[s]; k < m.strand_start[s + 1]; k++) uses[m.strand_vertex[k]]++;
        for (int64_t k = m.strand_start[s]; k + 1 < m.strand_start[s + 1]; k++)
            assert_near(mn_norm3(mn_sub3(at(&m, m.strand_vertex[k + 1]), at(&m, m.strand_vertex[k]))), 0.1, 1e-12);
    }
    assert_int_equal(segments, edges);
    int64_t knots = 0;
    for (int64_t v = 0; v < m.vertex_count; v++) {
        assert_in_range(uses[v], 1, 2);
        knots += uses[v] == 2;
    }
    assert_int_equal(knots, 35);
    assert_int_equal(m.vertex_count - segments, 1 - 6 * 4);  // Euler: 24 meshes
    free(uses);
    mn_thin_mesh_free(c, &m);
    test_context_end(&c);
}

static void hair_stands_evenly_on_a_ball(void **state)
{
    (void)state;
    mn_context  *c   = test_context(1);
    mn_shape_def def = mn_shape_def_default(MN_SHAPE_SPHERE);
    mn_shape    *ball;
    def.radius[0] = 3.0;
    assert_int_equal(mn_shape_create(c, &def, &ball), MN_OK);
    mn_thin_mesh      m;
    const mn_hair_def hair = { .on = ball, .count = 2000, .length = 2.0, .radius = 0.004, .vertices = 5, .seed = 1 };
    assert_int_equal(mn_hair_generate(c, &hair, &m), MN_OK);
    assert_int_equal(m.strand_count, 2000);
    assert_int_equal(group_size(&m, "roots"), 2000);
    assert_int_equal(group_size(&m, "tips"), 2000);
    int octant[8] = { 0 };
    for (int64_t s = 0; s < m.strand_count; s++) {
        const mn_vec3 root = at(&m, m.strand_vertex[m.strand_start[s]]),
                      tip  = at(&m, m.strand_vertex[m.strand_start[s + 1] - 1]);
        assert_near(mn_norm3(root), 3.0, 1e-6);
        assert_near(mn_norm3(tip), 5.0, 1e-6);
        octant[(root.x > 0.0) + 2 * (root.y > 0.0) + 4 * (root.z > 0.0)]++;
    }
    for (int k = 0; k < 8; k++) assert_in_range(octant[k], 225, 275);  // 250 each; chance alone would spread by 15
    mn_thin_mesh_free(c, &m);
    mn_shape_release(&ball);
    test_context_end(&c);
}

// --- files and groups ------------------------------------------------------------------------------------------------

static mn_status parse(mn_context *c, const char *text, mn_thin_mesh *m)
{
    return mn_thin_mesh_parse(c, "text.obj", (const unsigned char *)text, strlen(text), 2.0, 0.05, m);
}

static void files_give_cloth_yarn_and_groups(void **state)
{
    (void)state;
    mn_context  *c = test_context(1);
    mn_thin_mesh m;
    assert_int_equal(parse(c,
                           "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 0 1 0\nv 0 2 0\nv 1 2 0\ng cloth\nf 1/1 2/2 3/3 4/4\n"
                           "g rope\nl 1 5 6 7\nl 5 6 7 5\ng cloth\nf 1 4 6\n",
                           &m),
                     MN_OK);
    assert_int_equal(m.vertex_count, 7);
    assert_int_equal(m.triangle_count, 3);
    assert_int_equal(m.strand_count, 2);
    assert_int_equal(m.strand_closed[0], 0);
    assert_int_equal(m.strand_closed[1], 1);
    assert_int_equal(m.strand_start[2] - m.strand_start[1], 3);
    assert_near(m.vertex[6][1], 4.0, 0.0);
    assert_near(m.strand_radius[0], 0.05, 0.0);
    assert_int_equal(group_size(&m, "cloth"), 5);
    assert_int_equal(group_size(&m, "rope"), 4);
    assert_int_equal(group_size(&m, "all"), 7);
    mn_thin_mesh_free(c, &m);

    static const struct {
        const char *text, *expected;
    } bad[] = {
        { "v 0 0 0\nv 1 0 0\n", "neither faces nor lines" },
        { "v 0 0 0\nl 1\n", "at least 2" },
        { "v 0 0 0\nv 1 0 0\nl 1 3\n", "vertex 3 does not exist" },
        { "v 0 0 0\nv 0 0 0\nl 1 2\n", "no length" },
        { "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "zero area" },
        { "v 0 0 0\nv 1 0 0\nv 0 0 5\nl 1 2\n", "vertex 3 (counted from 1) belongs to no face" },
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        const int64_t blocks = mn_context_memory(c).blocks_now;
        assert_int_equal(parse(c, bad[k].text, &m), MN_ERR_FILE);
        if (strstr(mn_context_error(c), bad[k].expected) == NULL) fail_msg("%s", mn_context_error(c));
        assert_int_equal(mn_context_memory(c).blocks_now, blocks);
        assert_null(m.vertex);
    }
    test_context_end(&c);
}

static void groups_can_be_named_by_place(void **state)
{
    (void)state;
    mn_context  *c = test_context(1);
    mn_thin_mesh m = make_cloth(c, (mn_cloth_def){ .size = { 4.0, 2.0 }, .spacing = 0.5, .mesh = MN_CLOTH_STRUCTURED });
    const double low[3] = { -2.1, -1.0, -2.0 }, high[3] = { -1.4, 1.0, 2.0 }, origin[3] = { 0.0, 0.0, 0.0 };
    assert_int_equal(mn_thin_group_box(c, "strip", low, high, &m), MN_OK);
    assert_int_equal(group_size(&m, "strip"), 10);
    assert_int_equal(mn_thin_group_ball(c, "middle", origin, 0.6, &m), MN_OK);
    assert_int_equal(group_size(&m, "middle"), 5);
    assert_int_equal(mn_thin_group_near(c, "tabs", "corners", 0.6, &m), MN_OK);
    assert_int_equal(group_size(&m, "tabs"), 12);
    assert_int_equal(mn_thin_group_near(c, "x", "nowhere", 0.6, &m), MN_ERR_ARGUMENT);
    assert_int_equal(mn_thin_group_ball(c, "middle", origin, 0.6, &m), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "already has a group 'middle'"));
    assert_int_equal(mn_thin_group_box(c, "none", high, low, &m), MN_ERR_ARGUMENT);
    assert_int_equal(mn_thin_group_ball(c, "far", (const double[3]){ 0, 9, 0 }, 0.6, &m), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "no vertex"));
    mn_thin_mesh_free(c, &m);
    test_context_end(&c);
}

// --- refusals --------------------------------------------------------------------------------------------------------

static void nonsense_is_refused_with_a_sentence(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    static const struct {
        mn_cloth_def def;
        const char  *expected;
    } cloths[] = {
        { { .size = { -1.0, 2.0 }, .spacing = 0.1 }, "cloth: size[0] is -1; it must be above 0 and at most 1e+06 cm" },
        { { .size = { 1.0, 0.0 }, .spacing = 0.1 }, "cloth: size[1]" },
        { { .size = { 1.0, 2.0 }, .spacing = 0.0 }, "cloth: spacing is 0" },
        { { .size = { 1.0, 2.0 }, .spacing = NAN }, "cloth: spacing is nan; it must be a finite number" },
        { { .size = { 1.0, 2.0 }, .spacing = 5.0 }, "too wide" },
        { { .size = { 100.0, 100.0 }, .spacing = 1e-5 }, "more than" },
        { { .size = { 1.0, 1.0 }, .spacing = 0.1, .angle = INFINITY }, "angle" },
    };
    static const struct {
        mn_yarn_def def;
        const char *expected;
    } yarns[] = {
        { { .size = { 0.0, 0.0 }, .radius = 0.1, .spacing = 0.1 }, "yarn: length" },
        { { .size = { 1.0, 0.0 }, .radius = 0.0, .spacing = 0.1 }, "yarn: radius" },
        { { .pattern = MN_YARN_HELIX, .size = { 1.0, 0.0 }, .radius = 0.01, .spacing = 0.1, .pitch = 1.0 },
          "yarn: curl" },
        { { .pattern = MN_YARN_BUNDLE, .size = { 1.0, 0.0 }, .radius = 0.1, .spacing = 0.1, .pitch = 0.1, .count = 3 },
          "pitch of at least 0.2" },
        { { .pattern = MN_YARN_BUNDLE, .size = { 1.0, 0.0 }, .radius = 0.1, .spacing = 0.1, .pitch = 0.2 },
          "yarn: count is 0" },
        { { .pattern = MN_YARN_PLAIN, .size = { 1.0, 1.0 }, .radius = 0.1, .spacing = 0.05, .pitch = 0.21 },
          "cannot be woven" },
        { { .pattern = MN_YARN_KNIT, .size = { 1.0, 1.0 }, .radius = 0.1, .spacing = 0.02, .pitch = 0.5 },
          "cannot be knitted" },
        { { .pattern = MN_YARN_KNIT, .size = { 1.0, 1.0 }, .radius = 0.01, .spacing = 0.3, .pitch = 0.5 },
          "at least 12 vertices" },
        { { .pattern = (mn_yarn_pattern)99, .size = { 1.0, 1.0 }, .radius = 0.01, .spacing = 0.3, .pitch = 0.5 },
          "yarn: pattern is 99" },
    };
    const int64_t blocks = mn_context_memory(c).blocks_now;
    for (size_t k = 0; k < sizeof cloths / sizeof cloths[0]; k++) {
        mn_thin_mesh m;
        assert_int_equal(mn_cloth_generate(c, &cloths[k].def, &m), MN_ERR_ARGUMENT);
        if (strstr(mn_context_error(c), cloths[k].expected) == NULL) fail_msg("%s", mn_context_error(c));
    }
    for (size_t k = 0; k < sizeof yarns / sizeof yarns[0]; k++) {
        mn_thin_mesh m;
        assert_int_equal(mn_yarn_generate(c, &yarns[k].def, &m), MN_ERR_ARGUMENT);
        if (strstr(mn_context_error(c), yarns[k].expected) == NULL) fail_msg("%s", mn_context_error(c));
    }
    assert_int_equal(mn_context_memory(c).blocks_now, blocks);
    test_context_end(&c);
}

static void segments_know_their_distance(void **state)
{
    (void)state;
    const mn_vec3 o = { 0, 0, 0 }, x = { 1, 0, 0 };
    assert_near(mn_segment_distance(o, x, mn_v3(0.5, 1, -1), mn_v3(0.5, 1, 1)), 1.0, 1e-15);
    assert_near(mn_segment_distance(o, x, mn_v3(2, 0, 0), mn_v3(3, 0, 0)), 1.0, 1e-15);
    assert_near(mn_segment_distance(o, x, mn_v3(-1, 2, 0), mn_v3(5, 2, 0)), 2.0, 1e-15);
    assert_near(mn_segment_distance(o, x, mn_v3(2, 1, 0), mn_v3(3, 5, 0)), sqrt(2.0), 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sheets_of_every_kind_fill_their_outline_without_slivers),
        cmocka_unit_test(a_rectangle_of_rows_has_the_vertices_it_should),
        cmocka_unit_test(a_hexagon_is_equilateral_throughout),
        cmocka_unit_test(a_turned_square_mesh_keeps_its_diagonals_inside),
        cmocka_unit_test(large_sheets_are_made_in_linear_time_and_twice_the_same),
        cmocka_unit_test(pile_stands_upright_on_every_second_vertex),
        cmocka_unit_test(single_yarns_have_their_length),
        cmocka_unit_test(a_bundle_is_packed_as_tightly_as_the_pitch_says),
        cmocka_unit_test(woven_yarns_do_not_meet),
        cmocka_unit_test(loops_of_a_knit_hang_in_one_another_without_meeting),
        cmocka_unit_test(lines_of_a_net_share_their_knots),
        cmocka_unit_test(hair_stands_evenly_on_a_ball),
        cmocka_unit_test(files_give_cloth_yarn_and_groups),
        cmocka_unit_test(groups_can_be_named_by_place),
        cmocka_unit_test(nonsense_is_refused_with_a_sentence),
        cmocka_unit_test(segments_know_their_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
