// SPDX-License-Identifier: MPL-2.0
// Meshes: six ways to write one cube, everything a file can have wrong, and exact distances.
#include "failing_memory.h"

#include "base/random.h"
#include "geom/mesh.h"
#include "geom/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mn_vec3 random_point(uint64_t k, double reach)
{
    return mn_v3(reach * (2.0 * mn_random(5, k, 0, 0) - 1.0), reach * (2.0 * mn_random(5, k, 0, 1) - 1.0),
                 reach * (2.0 * mn_random(5, k, 0, 2) - 1.0));
}

static void every_format_gives_the_same_cube(void **state)
{
    (void)state;
    static const char *const files[] = { "cube.obj", "cube.ply",        "cube-le.ply",        "cube-be.ply",
                                         "cube.stl", "cube-binary.stl", "cube-inside-out.obj" };
    mn_context              *c       = test_context(1);
    mn_shape_def             def     = mn_shape_def_default(MN_SHAPE_BOX);
    mn_shape                *box;
    def.size[0] = def.size[1] = def.size[2] = 3.0;
    def.center[1]                           = 0.25;
    assert_int_equal(mn_shape_create(c, &def, &box), MN_OK);
    for (int f = 0; f < 7; f++) {
        char path[512];
        snprintf(path, sizeof path, "%s/mesh/%s", MN_TEST_DATA, files[f]);
        mn_mesh mesh;
        assert_int_equal(mn_mesh_read(c, path, &mesh), MN_OK);
        assert_int_equal(mesh.vertex_count, 8);
        assert_int_equal(mesh.triangle_count, 12);
        assert_int_equal(mn_mesh_check_closed(c, path, &mesh), MN_OK);
        assert_near(mn_mesh_volume(&mesh), f == 6 ? -8.0 : 8.0, 1e-14);
        mn_mesh_turn_outward(&mesh);
        assert_near(mn_mesh_volume(&mesh), 8.0, 1e-14);
        mn_mesh_free(c, &mesh);

        mn_shape    *s;
        mn_shape_def m = mn_shape_def_default(MN_SHAPE_MESH);
        m.file         = path;
        m.scale        = 1.5;
        m.center[1]    = 0.25;
        assert_int_equal(mn_shape_create(c, &m, &s), MN_OK);
        for (uint64_t k = 0; k < 2000; k++) {
            const mn_vec3 x = random_point(k, 3.0);
            mn_vec3       g, gb;
            const double  d = mn_shape_normal(box, x, &gb);
            assert_near(mn_shape_normal(s, x, &g), d, 1e-12);
            assert_true(mn_shape_bound(s, x) <= fabs(d) + 1e-12);
            assert_near(mn_norm3(g), 1.0, 1e-12);
            assert_near(mn_norm3(mn_sub3(g, gb)), 0.0, 1e-9);
        }
        mn_vec3 g;
        assert_near(mn_shape_normal(s, mn_v3(1.5, 0.3, 0.2), &g), 0.0, 1e-15);
        assert_near(g.x, 1.0, 1e-12);  // on the surface: its normal
        mn_shape_release(&s);
    }
    mn_shape_release(&box);
    test_context_end(&c);
}

typedef struct bad_file {
    mn_mesh_format format;
    const char    *text, *place, *word;
} bad_file;

#define PLY_HEAD                                                                                      \
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n" \
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n"

static const bad_file bad_files[] = {
    { MN_MESH_OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "m:4:7:", "vertex 4 does not exist" },
    { MN_MESH_OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n", "m:4:7:", "vertex -4 does not exist" },
    { MN_MESH_OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "m:4:7:", "vertex 0 does not exist" },
    { MN_MESH_OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "m:4:1:", "2 corners" },
    { MN_MESH_OBJ, "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "m:4:1:", "zero area" },
    { MN_MESH_OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2\n", "m:4:1:", "twice" },
    { MN_MESH_OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n\nf 3 1 2\n", "m:6:1:", "same corners" },
    { MN_MESH_OBJ, "v 0 0 0\nv 1 0 nan\n", "m:2:7:", "not finite" },
    { MN_MESH_OBJ, "v 0 0 0\nv 1 0 1e999\n", "m:2:7:", "not finite" },
    { MN_MESH_OBJ, "v 0 0 0\nv 1 0 1e99\n", "m:2:1:", "1e+99" },
    { MN_MESH_OBJ, "v 0 0 0\nv 1 0\n", "m:2:6:", "missing" },
    { MN_MESH_OBJ, "v 0 0 0x\n", "m:1:7:", "not a number" },
    { MN_MESH_OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/ 2 3\n", "m:4:3:", "not a corner" },
    { MN_MESH_OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/2/3/4 2 3\n", "m:4:3:", "not a corner" },
    { MN_MESH_OBJ, "", "m:1:1:", "no triangles" },
    { MN_MESH_PLY, "plx\n", "m:1:1:", "'ply'" },
    { MN_MESH_PLY, "ply\nformat ascii 2.0\n", "m:2:14:", "1.0" },
    { MN_MESH_PLY, "ply\nformat ascii 1.0\nelement vertex 3\n", "m:4:1:", "end_header" },
    { MN_MESH_PLY, "ply\nformat ascii 1.0\nelement vertex -3\nend_header\n", "m:3:16:", "count" },
    { MN_MESH_PLY, "ply\nformat ascii 1.0\nelement thing 999999999\nelement vertex 1\nproperty int x\nend_header\n",
      "m:3:1:", "no properties" },
    { MN_MESH_PLY, PLY_HEAD "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "m:13:7:", "vertex 3 does not exist" },
    { MN_MESH_PLY, PLY_HEAD "0 0 0\n1 0 0\n0 1 0\n3 0 1\n", "m:14:1:", "ends" },
    { MN_MESH_PLY, PLY_HEAD "0 0 0\n1 0 0\n0 1 0\n300 0 1 2\n", "m:13:1:", "uchar" },
    { MN_MESH_PLY, PLY_HEAD "0 0 0\n1 0 0\n0 1 0\n3 0 1.5 2\n", "m:13:5:", "int" },
    { MN_MESH_STL, "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n",
      "m:6:1:", "'vertex'" },
    { MN_MESH_STL, "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n", "m:5:1:", "ends" },
    { MN_MESH_STL, "solid a\n", "m:2:1:", "endsolid" },
    { MN_MESH_STL, "hello", "m:1:1:", "'solid'" },
};

static void errors_name_line_and_column(void **state)
{
    (void)state;
    mn_context   *c      = test_context(1);
    const int64_t before = mn_context_memory(c).blocks_now;
    for (size_t k = 0; k < sizeof bad_files / sizeof bad_files[0]; k++) {
        const bad_file *b = &bad_files[k];
        mn_mesh         mesh;
        assert_int_equal(mn_mesh_parse(c, "m", (const unsigned char *)b->text, strlen(b->text), b->format, &mesh),
                         MN_ERR_FILE);
        const char *error = mn_context_error(c);
        if (strncmp(error, b->place, strlen(b->place)) != 0)
            fail_msg("case %zu: '%s' does not begin with '%s'", k, error, b->place);
        if (strstr(error, b->word) == NULL) fail_msg("case %zu: '%s' does not mention '%s'", k, error, b->word);
        assert_true(mesh.vertex == NULL && mesh.triangle_count == 0);
    }
    assert_int_equal(mn_context_memory(c).blocks_now, before);
    test_context_end(&c);
}

static void claims_in_a_header_cost_nothing(void **state)
{
    (void)state;
    mn_context       *c = test_context(1);
    static const char ply
        [] = "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\n"
             "property float z\nelement face 9000000000000000\nproperty list uint int vertex_indices\nend_header\nabc";
    unsigned char stl[84] = { 0 };
    mn_mesh       mesh;
    const int64_t before = mn_context_memory(c).bytes_now;
    memset(stl + 80, 0xff, 4);
    assert_int_equal(mn_mesh_parse(c, "m", (const unsigned char *)ply, sizeof ply - 1, MN_MESH_PLY, &mesh),
                     MN_ERR_FILE);
    assert_memory_equal(mn_context_error(c), "m:0:0: at byte", 14);
    assert_int_equal(mn_mesh_parse(c, "m", stl, sizeof stl, MN_MESH_STL, &mesh), MN_ERR_FILE);
    assert_non_null(strstr(mn_context_error(c), "4294967295 triangles"));
    assert_less((double)(mn_context_memory(c).bytes_peak - before), 100000.0);
    test_context_end(&c);
}

/// Every beginning of a good file is read or refused, never more.
static void truncated_files_are_refused(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    static const struct {
        const char    *file;
        mn_mesh_format format;
    } files[] = {
        { "cube.obj", MN_MESH_OBJ },    { "cube.ply", MN_MESH_PLY }, { "cube-le.ply", MN_MESH_PLY },
        { "cube-be.ply", MN_MESH_PLY }, { "cube.stl", MN_MESH_STL }, { "cube-binary.stl", MN_MESH_STL },
    };
    for (int f = 0; f < 6; f++) {
        char path[512];
        snprintf(path, sizeof path, "%s/mesh/%s", MN_TEST_DATA, files[f].file);
        static unsigned char data[8192];
        FILE                *file = fopen(path, "rb");
        assert_non_null(file);
        const size_t bytes = fread(data, 1, sizeof data, file);
        fclose(file);
        int good = 0;
        for (size_t n = 0; n < bytes; n++) {
            mn_mesh mesh;
            if (mn_mesh_parse(c, "m", data, n, files[f].format, &mesh) != MN_OK) continue;
            good += mn_mesh_check_closed(c, "m", &mesh) == MN_OK;
            mn_mesh_free(c, &mesh);
        }
        // Only what follows the last face may be missing: a comment or the end of a line.
        assert_true(good <= 20);
    }
    test_context_end(&c);
}

static mn_mesh parse_obj(mn_context *c, const char *text)
{
    mn_mesh mesh;
    if (mn_mesh_parse(c, "m", (const unsigned char *)text, strlen(text), MN_MESH_OBJ, &mesh) != MN_OK)
        fail_msg("%s", mn_context_error(c));
    return mesh;
}

static void open_and_twisted_meshes_are_named(void **state)
{
    (void)state;
    mn_context *c    = test_context(1);
    mn_mesh     open = parse_obj(c, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n");
    assert_int_equal(mn_mesh_check_closed(c, "m", &open), MN_ERR_FILE);
    assert_non_null(strstr(mn_context_error(c), "vertices 1 and 3"));
    mn_mesh_free(c, &open);
    mn_mesh twisted = parse_obj(c, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 3 4\n");
    assert_int_equal(mn_mesh_check_closed(c, "m", &twisted), MN_ERR_FILE);
    assert_non_null(strstr(mn_context_error(c), "run the same way"));
    mn_mesh_free(c, &twisted);
    test_context_end(&c);
}

/// A torus as a mesh, with n times 2n quads cut in two.
static mn_mesh torus_mesh(mn_context *c, int n, double ring, double tube)
{
    mn_mesh m        = { .vertex_count = 2 * n * n, .triangle_count = 4 * n * n };
    m.vertex         = mn_alloc(c, (size_t)m.vertex_count * sizeof *m.vertex);
    m.triangle       = mn_alloc(c, (size_t)m.triangle_count * sizeof *m.triangle);
    int64_t triangle = 0;
    for (int i = 0; i < 2 * n; i++)
        for (int j = 0; j < n; j++) {
            const double u = MN_PI * i / n, v = 2.0 * MN_PI * j / n, r = ring + tube * cos(v);
            double      *x = m.vertex[i * n + j];
            x[0] = r * cos(u), x[1] = tube * sin(v), x[2] = -r * sin(u);
            const int32_t a = i * n + j, b = (i + 1) % (2 * n) * n + j, d = i * n + (j + 1) % n,
                          e          = (i + 1) % (2 * n) * n + (j + 1) % n;
            const int32_t both[2][3] = { { a, b, e }, { a, e, d } };
            memcpy(m.triangle[triangle], both, sizeof both);
            triangle += 2;
        }
    return m;
}

static double brute_distance(const mn_mesh *m, mn_vec3 x)
{
    double best = INFINITY;  // unsigned: closest of many points of every triangle, refined
    for (int64_t t = 0; t < m->triangle_count; t++) {
        const mn_vec3 a = mn_v3_from(m->vertex[m->triangle[t][0]]), b = mn_v3_from(m->vertex[m->triangle[t][1]]),
                      d = mn_v3_from(m->vertex[m->triangle[t][2]]);
        for (int i = 0; i <= 24; i++)
            for (int j = 0; i + j <= 24; j++) {
                const double  s = i / 24.0, q = j / 24.0;
                const mn_vec3 p = mn_add3(mn_add3(mn_scale3(1.0 - s - q, a), mn_scale3(s, b)), mn_scale3(q, d));
                best            = fmin(best, mn_norm3(mn_sub3(x, p)));
            }
    }
    return best;
}

static void a_torus_of_triangles_is_a_torus(void **state)
{
    (void)state;
    mn_context  *c   = test_context(1);
    mn_shape_def def = mn_shape_def_default(MN_SHAPE_TORUS);
    mn_shape    *smooth;
    def.radius[0] = 2.0, def.radius[1] = 0.7;
    assert_int_equal(mn_shape_create(c, &def, &smooth), MN_OK);
    double last = 0.0;
    for (int n = 16; n <= 64; n *= 2) {
        mn_mesh           m = torus_mesh(c, n, 2.0, 0.7);
        mn_mesh_distance *tree;
        assert_int_equal(mn_mesh_check_closed(c, "torus", &m), MN_OK);
        assert_true(mn_mesh_volume(&m) > 0.0);
        assert_int_equal(mn_mesh_distance_create(c, &m, &tree), MN_OK);
        double worst    = 0.0;
        int    searched = 0;
        for (uint64_t k = 0; k < 4000; k++) {
            const mn_vec3 x = random_point(k, 3.0);
            mn_vec3       p, g;
            const double  d    = mn_mesh_distance_at(tree, x, &p);
            worst              = fmax(worst, fabs(d - mn_shape_at(smooth, x)));
            const double bound = mn_mesh_distance_bound(tree, x);
            assert_true(fabs(bound) <= fabs(d) + 1e-15 && (bound < 0.0) == (d < 0.0));
            searched += bound == d;
            assert_near(mn_norm3(mn_sub3(x, p)), fabs(d), 1e-12);
            assert_true(mn_mesh_distance_normal(tree, x, &g) == d);
            assert_near(mn_mesh_distance_at(tree, mn_sub3(x, mn_scale3(d, g)), NULL), 0.0, 1e-12);
        }
        assert_true(searched < 2000);  // most bounds need no search
        for (uint64_t k = 0; n == 16 && k < 40; k++) {
            const mn_vec3 x = random_point(k, 3.0);
            const double  d = fabs(mn_mesh_distance_at(tree, x, NULL)), brute = brute_distance(&m, x);
            assert_true(d <= brute + 1e-12 && brute <= d + 0.02);
        }
        if (n > 16) assert_near(last / worst, 4.0, 1.0);  // second order
        last = worst;
        mn_mesh_distance_destroy(c, &tree);
        assert_null(tree);
        mn_mesh_free(c, &m);
    }
    assert_less(last, 0.006);
    mn_shape_release(&smooth);
    test_context_end(&c);
}

/// Two tetrahedra that share one vertex: where a naive normal of the vertex has the wrong sign.
static void touching_and_sharp_solids_keep_their_sign(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_mesh     m = parse_obj(c,
                              "v 0 0 0\nv 1 -0.1 -0.1\nv 1 0.2 -0.1\nv 1 0 0.3\nv -1 -0.1 -0.1\nv -1 0 0.3\nv -1 0.2 -0.1\n"
                                  "f 1 3 2\nf 1 4 3\nf 1 2 4\nf 2 3 4\nf 1 5 7\nf 1 7 6\nf 1 6 5\nf 5 6 7\n");
    assert_int_equal(mn_mesh_check_closed(c, "m", &m), MN_OK);
    mn_mesh_turn_outward(&m);
    mn_mesh_distance *tree;
    assert_int_equal(mn_mesh_distance_create(c, &m, &tree), MN_OK);
    for (uint64_t k = 0; k < 20000; k++) {
        const mn_vec3 x = random_point(k, 1.5);
        const double  s = fabs(x.x), y = x.y / s, z = x.z / s;
        // The cross section at x = 1 is the triangle (-.1,-.1) (.2,-.1) (0,.3), and it shrinks to nothing at x = 0.
        const bool   in = s < 1.0 && z > -0.1 && 4.0 * (y + 0.1) - z - 0.1 > 0.0 && -2.0 * y - z + 0.3 > 0.0;
        const double d  = mn_mesh_distance_at(tree, x, NULL);
        assert_true((d < 0.0) == in);
    }
    mn_mesh_distance_destroy(c, &tree);
    mn_mesh_free(c, &m);
    test_context_end(&c);
}

static void numbers_are_read_exactly(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    for (uint64_t k = 0; k < 3000; k++) {
        const double x = (mn_random(9, k, 0, 0) - 0.5) * pow(10.0, floor(24.0 * mn_random(9, k, 1, 0)) - 12.0);
        char         text[256];
        snprintf(text, sizeof text, "v %.17g 0 0\nv 1 %.9g 0\nv 0 1e0 +.5E+1\nf 1 2 3", x, x);
        mn_mesh m = parse_obj(c, text);
        assert_near(m.vertex[0][0], x, 2.3e-16 * fabs(x));
        char *end;
        char  nine[64];
        snprintf(nine, sizeof nine, "%.9g", x);
        assert_near(m.vertex[1][1], strtod(nine, &end), 1.2e-16 * fabs(x));
        assert_true(m.vertex[2][2] == 5.0);
        mn_mesh_free(c, &m);
    }
    test_context_end(&c);
}

static void unreadable_files_are_named(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_mesh     m;
    assert_int_equal(mn_mesh_read(c, "no-such-file.obj", &m), MN_ERR_FILE);
    assert_memory_equal(mn_context_error(c), "no-such-file.obj:0:0:", 21);
    assert_int_equal(mn_mesh_read(c, "mesh.dxf", &m), MN_ERR_FILE);
    assert_non_null(strstr(mn_context_error(c), ".stl"));
    test_context_end(&c);
}

typedef struct making {
    mn_context  *context;
    mn_shape_def def;
} making;

static mn_status make_shape(failing_memory *m, void *user)
{
    const making   *a      = user;
    mn_shape       *s      = NULL;
    const mn_status status = mn_shape_create(a->context, &a->def, &s);
    (void)m;
    assert_true((s != NULL) == (status == MN_OK));
    mn_shape_release(&s);
    return status;
}

/// Whatever allocation is refused: an error, no leak (the sanitizers look), and the same call works later.
static void refused_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    failing_memory           memory  = PLENTY_OF_MEMORY;
    making                   a       = { failing_context(&memory), mn_shape_def_default(MN_SHAPE_MESH) };
    static const char *const files[] = { "cube.obj", "cube.ply", "cube-binary.stl" };
    for (int f = 0; f < 3; f++) {
        char path[512];
        snprintf(path, sizeof path, "%s/mesh/%s", MN_TEST_DATA, files[f]);
        a.def.file             = path;
        const int64_t refusals = survives_every_failing_allocation(&memory, make_shape, &a, NULL);
        assert_true(refusals > 9 && refusals < 999);
    }
    mn_context_destroy(&a.context);
}

/// A quad with a seam: corners share vertices and not texture coordinates. Negative numbers count back.
static void texture_coordinates_follow_corners(void **state)
{
    (void)state;
    static const char
        *const  text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 0.5 0 0\nvt 0.5 1\nvt 0 1\nf 1/1 2/2 3/3 4/-1\n"
                       "v 2 0 0\nv 2 1 0\nvt 0.5 0.25\nf 2/-1/7 5//3 6\n";
    mn_context *c    = test_context(1);
    const int64_t   before = mn_context_memory(c).blocks_now;
    mn_mesh         mesh;
    mn_mesh_texture uv;
    assert_int_equal(mn_mesh_parse_textured(c, "m", (const unsigned char *)text, strlen(text), MN_MESH_OBJ, &mesh, &uv),
                     MN_OK);
    assert_int_equal(mesh.triangle_count, 3);
    assert_int_equal(uv.count, 5);
    static const int32_t expected[3][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 4, -1, -1 } };
    assert_memory_equal(uv.corner, expected, sizeof expected);
    assert_true(uv.at[4][0] == 0.5 && uv.at[4][1] == 0.25);
    mn_mesh_free(c, &mesh);
    mn_mesh_texture_free(c, &uv);
    static const struct {
        const char *text, *said;
    } bad[] = {
        { "v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0\nf 1/1 2/2 3/1\n",
          "m:5:7: texture coordinate 2 does not exist; 1 were given" },
        { "v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0\nf 1/0 2/1 3/1\n", "m:5:3: texture coordinate 0" },
        { "vt 0 x\n", "m:1:6: 'x' is not a number" },
        { "vt\n", "m:1:3: a number is missing" },
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(mn_mesh_parse_textured(c, "m", (const unsigned char *)bad[k].text, strlen(bad[k].text),
                                                MN_MESH_OBJ, &mesh, &uv),
                         MN_ERR_FILE);
        if (strncmp(mn_context_error(c), bad[k].said, strlen(bad[k].said)) != 0)
            fail_msg("'%s' is not '%s'", mn_context_error(c), bad[k].said);
        assert_true(uv.at == NULL && mesh.vertex == NULL);
    }
    static const char
        *const ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float s\nproperty float x\nproperty float "
                     "y\nproperty float z\n"
                     "property float t\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
                     "0.25 0 0 0 0.5\n1 1 0 0 0\n0 0 1 0 1\n3 2 0 1\n";
    assert_int_equal(mn_mesh_parse_textured(c, "m", (const unsigned char *)ply, strlen(ply), MN_MESH_PLY, &mesh, &uv),
                     MN_OK);
    assert_int_equal(uv.count, 3);
    assert_true(uv.at[0][0] == 0.25 && uv.at[0][1] == 0.5 && uv.corner[0][0] == 2 && mesh.vertex[1][0] == 1.0);
    mn_mesh_free(c, &mesh);
    mn_mesh_texture_free(c, &uv);
    assert_int_equal(mn_mesh_parse_textured(c, "m", (const unsigned char *)ply, strlen(ply), MN_MESH_STL, &mesh, &uv),
                     MN_ERR_FILE);
    // A reader that does not want them passes over what is wrong with them, as before.
    assert_int_equal(mn_mesh_parse(c, "m", (const unsigned char *)bad[0].text, strlen(bad[0].text), MN_MESH_OBJ, &mesh),
                     MN_OK);
    mn_mesh_free(c, &mesh);
    assert_int_equal(mn_context_memory(c).blocks_now, before);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_gives_the_same_cube),
        cmocka_unit_test(errors_name_line_and_column),
        cmocka_unit_test(claims_in_a_header_cost_nothing),
        cmocka_unit_test(truncated_files_are_refused),
        cmocka_unit_test(open_and_twisted_meshes_are_named),
        cmocka_unit_test(a_torus_of_triangles_is_a_torus),
        cmocka_unit_test(touching_and_sharp_solids_keep_their_sign),
        cmocka_unit_test(numbers_are_read_exactly),
        cmocka_unit_test(unreadable_files_are_named),
        cmocka_unit_test(refused_memory_leaves_nothing_behind),
        cmocka_unit_test(texture_coordinates_follow_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
