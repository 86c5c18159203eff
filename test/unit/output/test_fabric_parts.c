// SPDX-License-Identifier: MPL-2.0
// Cloth, yarn and tubes as parts of a frame: counts, normals, tubes without holes.
#include "testing.h"

#include "base/context.h"
#include "math/vec.h"
#include "output/parts/fabric_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 12, SHEET = SIDE * SIDE, LINE = 9, RING = 20, VERTICES = SHEET + LINE + RING + 2 };

/// A sheet in waves, a straight yarn, a ring and a folded yarn with a doubled vertex, all in one fabric; and a flat
/// sheet.
typedef struct sample {
    double         x[2][VERTICES], y[2][VERTICES], z[2][VERTICES], speed[VERTICES];
    int32_t        triangle[2 * (SIDE - 1) * (SIDE - 1)][3];
    int64_t        start[4];
    int32_t        strand[LINE + RING + 4];
    uint8_t        closed[3];
    double         radius[3];
    double         held[VERTICES], bulk[VERTICES], fiber[VERTICES], swelling[VERTICES];
    mn_fabric_view view[2];
} sample;

static void lay_sheet(sample *s)
{
    for (int f = 0; f < 2; f++)
        for (int i = 0; i < SHEET; i++) {
            s->x[f][i] = 10.0 + i % SIDE;
            s->z[f][i] = 3.0 + (double)(i / SIDE) * 0.5;
            s->y[f][i] = f == 0 ? 5.0 + 0.7 * sin(0.9 * (i % SIDE)) : 9.0;
        }
    int n = 0;
    for (int j = 0; j + 1 < SIDE; j++)
        for (int i = 0; i + 1 < SIDE; i++) {
            const int32_t a = j * SIDE + i, b = a + 1, c = a + SIDE, d = c + 1;
            const int32_t both[2][3] = { { a, c, b }, { b, c, d } };  // looks up
            memcpy(s->triangle[n], both, sizeof both);
            n += 2;
        }
}

static void lay_strands(sample *s)
{
    int32_t n = SHEET;
    for (int i = 0; i < LINE; i++, n++) s->x[0][n] = 2.0 + i, s->y[0][n] = 2.0, s->z[0][n] = 4.0;
    for (int i = 0; i < RING; i++, n++) {
        const double a = 2.0 * MN_PI * i / RING;
        s->x[0][n] = 6.0 + 3.0 * cos(a), s->y[0][n] = 10.0 + 3.0 * sin(a), s->z[0][n] = 6.0 + 0.8 * sin(2.0 * a);
    }
    // There and back to the same place, and one vertex of the sheet.
    s->x[0][n] = 20.0, s->y[0][n] = 12.0, s->z[0][n] = 2.0;
    s->x[0][n + 1] = 25.0, s->y[0][n + 1] = 12.0, s->z[0][n + 1] = 2.0;
    for (int i = 0; i < LINE + RING; i++) s->strand[i] = SHEET + i;
    const int32_t folded[] = { n, n + 1, n, 0 };
    memcpy(s->strand + LINE + RING, folded, sizeof folded);
    s->start[1] = LINE, s->start[2] = LINE + RING, s->start[3] = LINE + RING + 4;
    s->closed[1] = 1;
    s->radius[0] = 0.25, s->radius[1] = 0.4, s->radius[2] = 0.1;
}

static sample *make_sample(void)
{
    sample *s = calloc(1, sizeof *s);
    assert_non_null(s);
    lay_sheet(s);
    lay_strands(s);
    for (int i = 0; i < VERTICES; i++) s->speed[i] = 0.5 * i;
    for (int f = 0; f < 2; f++)
        s->view[f] = (mn_fabric_view){ .name           = "sample",
                                       .position       = { s->x[f], s->y[f], s->z[f], f == 0 ? VERTICES : SHEET },
                                       .velocity       = { s->speed, s->speed, s->speed, f == 0 ? VERTICES : SHEET },
                                       .triangle_count = 2 * (SIDE - 1) * (SIDE - 1),
                                       .triangle       = s->triangle };
    s->view[0].strand_count  = 3;
    s->view[0].strand_start  = s->start;
    s->view[0].strand_vertex = s->strand;
    s->view[0].strand_closed = s->closed;
    s->view[0].strand_radius = s->radius;
    return s;
}

/// Pores of 0.06 cm^3 in vertices of 0.1 cm^3, one and a half times as large as at rest from vertex 10 on; more and
/// more is held.
static void soak(sample *s)
{
    for (int i = 0; i < VERTICES; i++) {
        s->bulk[i] = 0.1, s->fiber[i] = 0.04, s->swelling[i] = i < 10 ? 1.0 : 1.5;
        s->held[i] = 0.001 * i;
    }
    for (int f = 0; f < 2; f++)
        s->view[f].held = s->held, s->view[f].bulk = s->bulk, s->view[f].fiber = s->fiber,
        s->view[f].swelling = s->swelling;
}

static const mn_frame_array *array_of(const mn_frame_part *part, const char *name)
{
    for (int a = 0; a < part->array_count; a++)
        if (strcmp(part->arrays[a].name, name) == 0) return &part->arrays[a];
    return NULL;
}

static mn_vec3 triple(const mn_frame_array *a, int64_t i)
{
    assert_non_null(a);
    assert_int_equal(a->components, 3);
    return mn_v3(((const double *)a->component[0])[i * a->stride], ((const double *)a->component[1])[i * a->stride],
                 ((const double *)a->component[2])[i * a->stride]);
}

static int32_t whole(const mn_frame_part *part, const char *name, int64_t i)
{
    const mn_frame_array *a = array_of(part, name);
    assert_non_null(a);
    assert_int_equal(a->type, MN_TYPE_int32_t);
    return ((const int32_t *)a->component[0])[i * a->stride];
}

/// Every number is finite, every normal has unit length, and every corner exists.
static void assert_sound(const mn_frame_part *part)
{
    const mn_frame_array *normals = array_of(part, "normals"), *velocity = array_of(part, "velocity");
    for (int64_t i = 0; i < part->point_count; i++) {
        assert_true(isfinite(mn_norm3(triple(&part->points, i))));
        if (velocity != NULL) assert_true(isfinite(mn_norm3(triple(velocity, i))));
        if (normals != NULL) assert_near(mn_norm3(triple(normals, i)), 1.0, 1e-12);
    }
    const int64_t corners = part->ends != NULL ? part->ends[part->cell_count - 1] : 3 * part->cell_count;
    for (int64_t k = 0; k < corners; k++) assert_true(part->cells[k] >= 0 && part->cells[k] < part->point_count);
}

static void cloth_has_the_vertices_of_its_triangles(void **state)
{
    (void)state;
    mn_context      *c      = test_context(1);
    const int64_t    before = mn_context_memory(c).blocks_now;
    sample          *s      = make_sample();
    mn_fabric_parts *parts;
    mn_frame_part    cloth;
    assert_int_equal(mn_fabric_parts_create(c, &parts), MN_OK);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(mn_fabric_parts_cloth(parts, s->view, 2, &cloth), MN_OK);
        assert_int_equal(cloth.kind, MN_CELLS_TRIANGLES);
        assert_int_equal(cloth.point_count, 2 * SHEET);  // none of the strands alone
        assert_int_equal(cloth.cell_count, 4 * (SIDE - 1) * (SIDE - 1));
        assert_sound(&cloth);
    }
    for (int64_t i = 0; i < cloth.point_count; i++) {
        const int     f = i >= SHEET;
        const int64_t v = i - f * SHEET;
        const mn_vec3 n = triple(array_of(&cloth, "normals"), i), x = triple(&cloth.points, i);
        assert_int_equal(whole(&cloth, "fabric", i), f);
        assert_true(x.x == s->x[f][v] && x.y == s->y[f][v] && x.z == s->z[f][v]);
        assert_true(triple(array_of(&cloth, "velocity"), i).y == s->speed[v]);
        if (f == 1) assert_near(n.y, 1.0, 1e-12);
        // The sheet is 0.7 sin(0.9 u): inside, the slope from the two triangles fans is that of the chords around.
        const int u = (int)(v % SIDE), w = (int)(v / SIDE);
        if (f == 0 && u > 0 && u + 1 < SIDE && w > 0 && w + 1 < SIDE) {
            const double slope = 0.5 * (s->y[0][v + 1] - s->y[0][v - 1]);
            assert_near(-n.x / n.y, slope, 1e-9);
            assert_near(n.z, 0.0, 1e-12);
        }
    }
    assert_int_equal(mn_fabric_parts_cloth(parts, s->view, 1, &cloth), MN_OK);  // fewer points
    assert_int_equal(cloth.point_count, SHEET);
    mn_fabric_parts_destroy(&parts);
    assert_int_equal(mn_context_memory(c).blocks_now, before);
    free(s);
    test_context_end(&c);
}

static void yarn_is_one_polyline_a_strand(void **state)
{
    (void)state;
    mn_context      *c = test_context(1);
    sample          *s = make_sample();
    mn_fabric_parts *parts;
    mn_frame_part    yarn;
    assert_int_equal(mn_fabric_parts_create(c, &parts), MN_OK);
    assert_int_equal(mn_fabric_parts_yarn(parts, s->view, 2, &yarn), MN_OK);
    assert_int_equal(yarn.kind, MN_CELLS_LINES);
    assert_int_equal(yarn.cell_count, 3);
    assert_int_equal(yarn.point_count, LINE + RING + 4);
    assert_int_equal(yarn.ends[0], LINE);
    assert_int_equal(yarn.ends[1], LINE + RING + 1);  // the ring comes back to its first point
    assert_int_equal(yarn.cells[yarn.ends[1] - 1], LINE);
    assert_int_equal(yarn.ends[2], LINE + RING + 1 + 4);
    assert_sound(&yarn);
    const double *radius = array_of(&yarn, "radius")->component[0];
    for (int64_t i = 0; i < yarn.point_count; i++) {
        const int strand = i < LINE ? 0 : i < LINE + RING ? 1 : 2;
        assert_int_equal(whole(&yarn, "strand", i), strand);
        assert_true(radius[i] == s->radius[strand]);
        assert_true(triple(&yarn.points, i).x == s->x[0][s->strand[i]]);
    }
    // The file has the three lines and all their corners.
    mn_buffer b;
    mn_buffer_init(&b, c);
    assert_int_equal(mn_vtp_make(&yarn, &b), MN_OK);
    const char *text = mn_buffer_string(&b);
    assert_non_null(strstr(text, "NumberOfLines=\"3\""));
    const unsigned char *raw = b.data;
    raw = (const unsigned char *)strstr(text, "encoding=\"raw\">\n_") + strlen("encoding=\"raw\">\n_") + 8 +
          yarn.point_count * 12;
    uint64_t bytes;
    memcpy(&bytes, raw, 8);
    assert_int_equal(bytes, yarn.ends[2] * 4);
    assert_memory_equal(raw + 8, yarn.cells, bytes);
    raw += 8 + bytes;
    memcpy(&bytes, raw, 8);
    assert_int_equal(bytes, 3 * 4);
    assert_memory_equal(raw + 8, yarn.ends, bytes);
    mn_buffer_free(&b);
    mn_fabric_parts_destroy(&parts);
    free(s);
    test_context_end(&c);
}

static int compare_edges(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/// Every edge is passed once in each direction: no holes, and all triangles look the same way.
static void assert_closed(const mn_frame_part *part)
{
    const int64_t n    = 3 * part->cell_count;
    uint64_t     *edge = malloc((size_t)n * sizeof *edge);
    for (int64_t k = 0; k < n; k++) {
        const uint64_t from = (uint64_t)part->cells[k], to = (uint64_t)part->cells[k % 3 == 2 ? k - 2 : k + 1];
        edge[k] = from << 32 | to;
    }
    qsort(edge, (size_t)n, sizeof *edge, compare_edges);
    for (int64_t k = 0; k < n; k++) {
        const uint64_t back = edge[k] << 32 | edge[k] >> 32;
        assert_true(k == 0 || edge[k] != edge[k - 1]);
        assert_non_null(bsearch(&back, edge, (size_t)n, sizeof *edge, compare_edges));
    }
    free(edge);
}

static double volume_of(const mn_frame_part *part, int32_t strand)
{
    double sum = 0.0;
    for (int64_t t = 0; t < part->cell_count; t++) {
        const int32_t *v = part->cells + 3 * t;
        if (whole(part, "strand", v[0]) != strand) continue;
        const mn_vec3 a = triple(&part->points, v[0]), b = triple(&part->points, v[1]), c = triple(&part->points, v[2]);
        sum += mn_dot3(a, mn_cross3(b, c)) / 6.0;
    }
    return sum;
}

static void tubes_are_closed_and_as_thick_as_the_yarn(void **state)
{
    (void)state;
    mn_context      *c = test_context(1);
    sample          *s = make_sample();
    mn_fabric_parts *parts;
    mn_frame_part    tubes;
    assert_int_equal(mn_fabric_parts_create(c, &parts), MN_OK);
    assert_int_equal(mn_fabric_parts_tubes(parts, s->view, 2, &tubes), MN_OK);
    assert_int_equal(tubes.point_count, 8 * (LINE + RING + 4) + 2 * 2);
    assert_int_equal(tubes.cell_count, 16 * (LINE - 1 + RING + 3) + 2 * 2 * 8);
    assert_sound(&tubes);
    assert_closed(&tubes);
    // An octagon has the area 2 sqrt(2) r^2. Outward triangles have a positive volume.
    const double octagon = 2.0 * sqrt(2.0);
    assert_near(volume_of(&tubes, 0), octagon * 0.25 * 0.25 * (LINE - 1), 1e-9);
    double around = 0.0;
    for (int i = 0; i < RING; i++) {
        const int a = SHEET + LINE + i, b = SHEET + LINE + (i + 1) % RING;
        around += mn_norm3(
            mn_sub3(mn_v3(s->x[0][a], s->y[0][a], s->z[0][a]), mn_v3(s->x[0][b], s->y[0][b], s->z[0][b])));
    }
    // Rings stand in the plane between two pieces without being widened: thinner by the cosine of half the bend.
    assert_near(volume_of(&tubes, 1) / (octagon * 0.4 * 0.4 * around), 1.0, 0.02);
    // All points are a radius away from the yarn, and normals look away from it.
    for (int i = 0; i < 8 * LINE; i++) {
        const mn_vec3 x = triple(&tubes.points, i), n = triple(array_of(&tubes, "normals"), i);
        assert_near(hypot(x.y - 2.0, x.z - 4.0), 0.25, 1e-12);
        assert_near(n.y, (x.y - 2.0) / 0.25, 1e-9);
        assert_near(n.z, (x.z - 4.0) / 0.25, 1e-9);
    }
    mn_fabric_parts_destroy(&parts);
    free(s);
    test_context_end(&c);
}

/// Around a loop out of a plane the sides close without a jump: no edge along the tube leans much.
static void a_loop_of_yarn_closes_without_a_twist(void **state)
{
    (void)state;
    mn_context      *c = test_context(1);
    sample          *s = make_sample();
    mn_fabric_parts *parts;
    mn_frame_part    tubes;
    assert_int_equal(mn_fabric_parts_create(c, &parts), MN_OK);
    assert_int_equal(mn_fabric_parts_tubes(parts, s->view, 1, &tubes), MN_OK);
    const int64_t first = 8 * LINE + 2;
    for (int i = 0; i < RING; i++)
        for (int k = 0; k < 8; k++) {
            const mn_vec3 a = triple(array_of(&tubes, "normals"), first + 8 * i + k);
            const mn_vec3 b = triple(array_of(&tubes, "normals"), first + 8 * ((i + 1) % RING) + k);
            assert_true(mn_dot3(a, b) > cos(0.5));  // a piece bends by 0.31 and sways by as much
        }
    mn_fabric_parts_destroy(&parts);
    free(s);
    test_context_end(&c);
}

static double number(const mn_frame_part *part, const char *name, int64_t i)
{
    const mn_frame_array *a = array_of(part, name);
    assert_non_null(a);
    assert_true(a->type == MN_TYPE_double && a->components == 1);
    return ((const double *)a->component[0])[i * a->stride];
}

static void wet_fabric_carries_what_it_holds(void **state)
{
    (void)state;
    mn_context      *c = test_context(1);
    sample          *s = make_sample();
    mn_fabric_parts *parts;
    mn_frame_part    cloth, yarn, tubes;
    assert_int_equal(mn_fabric_parts_create(c, &parts), MN_OK);
    // Fabric of which nothing is known is dry.
    assert_int_equal(mn_fabric_parts_cloth(parts, s->view, 2, &cloth), MN_OK);
    for (int64_t i = 0; i < cloth.point_count; i++)
        assert_true(number(&cloth, "saturation", i) == 0.0 && number(&cloth, "held", i) == 0.0);
    soak(s);
    assert_int_equal(mn_fabric_parts_cloth(parts, s->view, 2, &cloth), MN_OK);
    assert_int_equal(mn_fabric_parts_yarn(parts, s->view, 2, &yarn), MN_OK);
    assert_int_equal(mn_fabric_parts_tubes(parts, s->view, 2, &tubes), MN_OK);
    assert_int_equal(cloth.point_count, 2 * SHEET);
    for (int i = 0; i < SHEET; i++) {
        const double pores = i < 10 ? 0.06 : 0.11;
        assert_true(number(&cloth, "held", i) == 0.001 * i && number(&cloth, "held", SHEET + i) == 0.001 * i);
        assert_near(number(&cloth, "saturation", i), fmin(1.0, 0.001 * i / pores), 1e-14);
        assert_near(number(&cloth, "solid_fraction", i), i < 10 ? 0.4 : 0.4 / 1.5, 1e-15);
    }
    for (int i = 0; i < LINE; i++) {
        assert_true(number(&yarn, "held", i) == 0.001 * (SHEET + i) && number(&yarn, "saturation", i) == 1.0);
        assert_true(number(&tubes, "held", 8 * i) == 0.001 * (SHEET + i));
    }
    mn_fabric_parts_destroy(&parts);
    free(s);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloth_has_the_vertices_of_its_triangles),
        cmocka_unit_test(yarn_is_one_polyline_a_strand),
        cmocka_unit_test(tubes_are_closed_and_as_thick_as_the_yarn),
        cmocka_unit_test(a_loop_of_yarn_closes_without_a_twist),
        cmocka_unit_test(wet_fabric_carries_what_it_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
